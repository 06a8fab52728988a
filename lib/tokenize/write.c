/* write.c: sentences as rows of CoNLL-U. */
#include "tokenize/write.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

static void put(FILE *out, hp_piece p)
{
	fwrite(p.text, 1, p.size, out);
}

static void put_escaped(FILE *out, hp_piece p)
{
	char escaped[512];
	while (p.size > 0) {
		size_t part = p.size < sizeof escaped / 2 ? p.size : sizeof escaped / 2;
		size_t size = hp_spaces_escape(p.text, part, escaped);
		fwrite(escaped, 1, size, out);
		p = (hp_piece){p.text + part, p.size - part};
	}
}

/* A token with a blank for each run of white space in it.  Returns whether that is another text. */
static bool put_form(FILE *out, hp_piece form)
{
	bool other = false;
	for (size_t i = 0, run = 0; i < form.size; i++) {
		int white = hp_utf8_white(form.text + i, form.size - i);
		if (!white) {
			putc(form.text[i], out);
			run = 0;
			continue;
		}
		if (run++ == 0)
			putc(' ', out);
		other |= run > 1 || form.text[i] != ' ';
		i += (size_t)white - 1;
	}
	return other;
}

static void put_text(FILE *out, const hp_split_sentence *s)
{
	fputs("# text = ", out);
	for (int i = 0; i < s->tokens; i++) {
		put_form(out, s->token[i].text);
		if (i < s->tokens - 1 && s->token[i].space.size)
			putc(' ', out);
	}
	putc('\n', out);
}

static int64_t characters(hp_piece p)
{
	int64_t n = 0;
	for (size_t i = 0; i < p.size; i++)
		n += (p.text[i] & 0xc0) != 0x80;
	return n;
}

/* ---- MISC ---- */

typedef struct misc {
	FILE *out;
	int count;
} misc;

static void begin(misc *m, const char *name)
{
	fputs(m->count++ ? "|" : "", m->out);
	fputs(name, m->out);
}

static void put_spaces(misc *m, const char *name, hp_piece spaces)
{
	begin(m, name);
	put_escaped(m->out, spaces);
}

/* Whether token I is the first of a line. */
static bool begins_line(const hp_split_sentence *s, int i)
{
	return i == 0 || memchr(s->token[i - 1].space.text, '\n', s->token[i - 1].space.size);
}

/* The nodes of the tree that begin with the next EDU, but for the root: they stand one after another. */
static void put_spans(hp_tok_writer *w, misc *m)
{
	const hp_rst_tree *t = w->tree;
	bool more = false;
	for (; w->node < t->nodes && t->node[w->node].first == w->edu; w->node++) {
		const hp_rst_node *node = &t->node[w->node];
		if (node->size == 1 || node->role == HP_RST_ROOT)
			continue;
		if (more)
			putc(',', m->out);
		else
			begin(m, "Span=");
		fprintf(m->out, "%" PRId32, node->last - node->first + 1);
		more = true;
	}
	w->edu++;
}

/* SPACED: FORM is another text than the token. */
static void put_misc(hp_tok_writer *w, const hp_split_sentence *s, int i, bool spaced)
{
	const hp_token *t = &s->token[i];
	misc m = {.out = w->out};
	bool blank = t->space.size == 1 && (*t->space.text == ' ' || w->edus);
	if (w->edus && begins_line(s, i)) {
		begin(&m, "Seg=B-seg");
		if (w->tree)
			put_spans(w, &m);
	}
	if (!t->space.size)
		begin(&m, "SpaceAfter=No");
	else if (!blank || (s->last && !w->edus && i == s->tokens - 1))
		put_spaces(&m, "SpacesAfter=", t->space);
	if (i == 0 && s->before.size)
		put_spaces(&m, "SpacesBefore=", s->before);
	if (spaced)
		put_spaces(&m, "SpacesInToken=", t->text);
	int64_t end = w->at + characters(t->text);
	if (w->ranges) {
		begin(&m, "TokenRange=");
		fprintf(m.out, "%" PRId64 ":%" PRId64, w->at, end);
	}
	w->at = end + characters(t->space);
	fputs(m.count ? "\n" : "_\n", m.out);
}

/* ---- rows ---- */

static void put_rows(hp_tok_writer *w, const hp_split_sentence *s)
{
	int id = 1;
	for (int i = 0; i < s->tokens; i++) {
		const hp_token *t = &s->token[i];
		if (t->words)
			fprintf(w->out, "%d-%d\t", id, id + t->words - 1);
		else
			fprintf(w->out, "%d\t", id++);
		bool spaced = put_form(w->out, t->text);
		fputs("\t_\t_\t_\t_\t_\t_\t_\t", w->out);
		put_misc(w, s, i, spaced);
		for (int k = 0; k < t->words; k++) {
			fprintf(w->out, "%d\t", id++);
			put(w->out, t->word[k]);
			fputs("\t_\t_\t_\t_\t_\t_\t_\t_\n", w->out);
		}
	}
	putc('\n', w->out);
}

void hp_tok_write(hp_tok_writer *w, const hp_split_sentence *s)
{
	if (s->document) {
		w->at = 0;
		fputs(w->document ? "# newdoc id = " : "# newdoc", w->out);
		fputs(w->document ? w->document : "", w->out);
		putc('\n', w->out);
	}
	w->at += characters(s->before);
	if (!s->tokens) {
		if (s->before.size) {
			fputs("# spaces = ", w->out);
			put_escaped(w->out, s->before);
			putc('\n', w->out);
		}
		putc('\n', w->out);
		return;
	}
	if (s->paragraph)
		fputs("# newpar\n", w->out);
	w->sentences++;
	if (w->id)
		fprintf(w->out, "# sent_id = %s\n", w->id);
	else
		fprintf(w->out, "# sent_id = %ld\n", w->sentences);
	put_text(w->out, s);
	put_rows(w, s);
}
