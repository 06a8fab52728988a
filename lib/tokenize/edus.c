/* edus.c: blocks of EDUs -> sentences whose EDUs are marked. */
#include "tokenize/edus.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "text/edus.h"

enum { MOST = 1 << 20 }; /* bytes of a sentence */

void hp_tok_edus_begin(hp_tok_edus *t)
{
	t->left |= t->open || t->begins;
	t->begins = t->open = t->paragraph = false;
}

void hp_tok_edus_free(hp_tok_edus *t)
{
	free(t->text);
	free(t->document);
	free(t->id);
	*t = (hp_tok_edus){.splitter = NULL};
}

/* ---- a sentence ---- */

/* The texts so far are one, which begins in LINE. */
static int write_sentence(hp_tok_edus *t, const char *name, long line, hp_error *err)
{
	hp_tok_writer *w = t->writer;
	hp_split_sentence s = {.tokens = 0};

	if (t->size == 0)
		return 0;
	hp_splitter_begin(t->splitter, name);
	if (hp_splitter_add(t->splitter, t->text, t->size, err) != 0 || hp_splitter_pause(t->splitter, true, err) != 0 ||
	    hp_splitter_next(t->splitter, &s, err) < 0)
		return HP_FAIL;
	if (!s.last)
		return hp_fail_at(err, name, line, "a sentence of more than %d words", t->max_words);
	s.document = t->begins || (t->left && !t->open);
	s.paragraph = t->paragraph && !s.document;
	w->document = t->begins ? t->document : NULL;
	w->id = t->id;
	w->edus = true;
	hp_tok_write(w, &s);
	t->open |= t->begins;
	t->begins = t->paragraph = false;
	t->size = 0;
	free(t->id);
	t->id = NULL;
	return 0;
}

/* ---- lines ---- */

/* Which names a line may be: that of a document, behind which one of a sentence may follow, or such a one, or none. */
typedef enum heading { NO_NAME, ID, ANY_NAME } heading;

/* Each run of white space becomes a blank, so that lines end with EDUs alone. */
static bool put_text(hp_tok_edus *t, const char *line, size_t size)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of the order of bytes */
	size_t begin = t->size;
	bool blank = false;

	if (!hp_grow(&t->text, &t->capacity, t->size + size + 1, 1))
		return false;
	for (size_t i = 0; i < size;) {
		int white =
			t->size == begin && size - i >= 3 && memcmp(line + i, mark, 3) == 0 ? 3 : hp_utf8_white(line + i, size - i);

		if (white > 0) {
			blank = true;
			i += (size_t)white;
			continue;
		}
		if (blank && t->size > begin)
			t->text[t->size++] = ' ';
		blank = false;
		t->text[t->size++] = line[i++];
	}
	return true;
}

static int add_text(hp_tok_edus *t, const char *line, size_t size, const char *name, long number, hp_error *err)
{
	size_t before = t->size;

	if (t->size + size > MOST)
		return hp_fail_at(err, name, number, "a sentence of more than a MiB");
	if (!put_text(t, line, size))
		return hp_fail_memory(err);
	if (t->size == before)
		return hp_fail_at(err, name, number, "an EDU without text");
	t->text[t->size++] = '\n';
	return 0;
}

static int add_edu(hp_tok_edus *t, const char *line, size_t size, const char *name, long number, hp_error *err)
{
	hp_edu_look look = hp_edus_look(line, size);
	if (look == HP_EDU_TREE)
		return hp_fail_at(err, name, number, "part of a tree, expected an EDU a line, or a whole tree");
	if (look != HP_EDU_TEXT)
		return hp_fail_at(err, name, number, "columns, expected an EDU a line");
	return add_text(t, line, size, name, number, err);
}

static int take_name(char **out, const char *name, size_t size, hp_error *err)
{
	free(*out);
	*out = strndup(name, size);
	return *out ? 0 : hp_fail_memory(err);
}

/* Whether the line is HEAD and a name, which *OUT becomes. */
static bool is_named(const char *line, size_t size, const char *head, char **out, int *status, hp_error *err)
{
	size_t at = strlen(head);

	if (!hp_edus_is_named(line, size, head))
		return false;
	*status = take_name(out, line + at, size - at, err);
	return true;
}

/* The next line, number NUMBER, is an EDU, or else a name: *HEAD says which may stand there. */
static int take_line(hp_tok_edus *t, const char *line, size_t size, heading *head, const char *name, long number,
                     hp_error *err)
{
	heading before = *head;
	bool paragraph;
	int status = 0;

	if (memchr(line, '\0', size))
		return hp_fail_at(err, name, number, "a NUL byte, expected text");
	if (hp_utf8_valid_prefix(line, size) < size)
		return hp_fail_at(err, name, number, "invalid UTF-8");
	*head = NO_NAME;
	if (before == ANY_NAME && is_named(line, size, HP_EDUS_DOCUMENT, &t->document, &status, err)) {
		t->begins = true;
		*head = ID;
		return status;
	}
	if (before != NO_NAME && is_named(line, size, HP_EDUS_ID, &t->id, &status, err))
		return status;
	size = hp_edus_cut_raw(line, size, &paragraph);
	if (add_edu(t, line, size, name, number, err) != 0)
		return HP_FAIL;
	if (!paragraph || !(t->open || t->begins)) /* a tree spans a sentence that stands in no document */
		return 0;
	if (write_sentence(t, name, number, err) != 0)
		return HP_FAIL;
	t->paragraph = true;
	return 0;
}

/* Nothing is left of one that was refused. */
static void begin_block(hp_tok_edus *t)
{
	t->size = 0;
	free(t->id);
	t->id = NULL;
}

int hp_tok_edus_write(hp_tok_edus *t, const hp_sentence *block, const char *name, hp_error *err)
{
	const char *end = block->text + block->size;
	long number = block->line;
	heading head = ANY_NAME;

	begin_block(t);
	for (const char *p = block->text; p < end; number++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t size = (size_t)((stop ? stop : end) - p);

		if (take_line(t, p, size, &head, name, number, err) != 0)
			return HP_FAIL;
		p = stop ? stop + 1 : end;
	}
	return write_sentence(t, name, block->line, err);
}

static int write_tree(hp_tok_edus *t, const hp_rst_tree *tree, const char *name, hp_error *err)
{
	bool document = tree->document || t->begins || t->open; /* what follows one is one: it has no other end */
	int sent = 0;

	if (tree->id && take_name(document ? &t->document : &t->id, tree->id, strlen(tree->id), err) != 0)
		return HP_FAIL;
	t->begins = document;
	for (int e = 0; e < tree->edus; e++) {
		const hp_rst_edu *edu = &tree->edu[e];
		long line = edu->line > 0 ? edu->line : tree->line;
		bool paragraph = edu->paragraph && document;
		if (add_text(t, edu->text, edu->size, name, line, err) != 0)
			return HP_FAIL;
		bool ends = sent < tree->sents && tree->sent_end[sent] == e;
		sent += ends;
		if ((ends || paragraph) && write_sentence(t, name, line, err) != 0)
			return HP_FAIL;
		t->paragraph |= paragraph;
	}
	return write_sentence(t, name, tree->line, err);
}

int hp_tok_edus_write_tree(hp_tok_edus *t, const hp_rst_tree *tree, const char *name, hp_error *err)
{
	hp_tok_writer *w = t->writer;

	begin_block(t);
	w->tree = tree;
	w->edu = w->node = 0;
	int status = write_tree(t, tree, name, err);
	w->tree = NULL;
	return status;
}
