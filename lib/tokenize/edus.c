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

/* Each run of white space becomes a blank, so that lines end with EDUs alone. */
static bool put_text(hp_tok_edus *t, const char *line, size_t size)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of the order of bytes */
	size_t begin = t->size;
	bool blank = false;

	if (!hp_grow(&t->text, &t->capacity, t->size + size + 1, 1))
		return false;
	for (size_t i = 0; i < size;) {
		int white = t->size == begin && size - i >= 3 && memcmp(line + i, mark, 3) == 0
		                ? 3
		                : hp_white_space(line + i, size - i);

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

static int add_edu(hp_tok_edus *t, const char *line, size_t size, const char *name, long number, hp_error *err)
{
	size_t before = t->size;

	if (memchr(line, '\0', size))
		return hp_fail_at(err, name, number, "a NUL byte, expected text");
	if (hp_utf8_valid_prefix(line, size) < size)
		return hp_fail_at(err, name, number, "invalid UTF-8");
	hp_edu_look look = hp_edus_look(line, size);
	if (look == HP_EDU_TREE)
		return hp_fail_at(err, name, number, "\"_!\", expected an EDU without it: rst-convert --to=edus reads trees");
	if (look != HP_EDU_TEXT)
		return hp_fail_at(err, name, number, "columns, expected an EDU a line");
	if (t->size + size > MOST)
		return hp_fail_at(err, name, number, "a sentence of more than a MiB");
	if (!put_text(t, line, size))
		return hp_fail_memory(err);
	if (t->size == before)
		return hp_fail_at(err, name, number, "an EDU without text");
	t->text[t->size++] = '\n';
	return 0;
}

static int take_name(char **out, const char *name, size_t size, hp_error *err)
{
	free(*out);
	*out = strndup(name, size);
	return *out ? 0 : hp_fail_memory(err);
}

/* The line number NUMBER; HEAD: no EDU of the block stands before it. */
static int take_line(hp_tok_edus *t, const char *line, size_t size, bool head, const char *name, long number,
                     hp_error *err)
{
	static const char document[] = HP_EDUS_DOCUMENT, id[] = HP_EDUS_ID;
	bool paragraph;

	if (head && hp_edus_is_named(line, size, document)) {
		t->begins = true;
		return take_name(&t->document, line + sizeof document - 1, size - sizeof document + 1, err);
	}
	if (head && hp_edus_is_named(line, size, id))
		return take_name(&t->id, line + sizeof id - 1, size - sizeof id + 1, err);
	size = hp_edus_cut_paragraph(line, size, &paragraph);
	if (add_edu(t, line, size, name, number, err) != 0)
		return HP_FAIL;
	if (!paragraph)
		return 0;
	if (write_sentence(t, name, number, err) != 0)
		return HP_FAIL;
	t->paragraph = true;
	return 0;
}

int hp_tok_edus_write(hp_tok_edus *t, const hp_sentence *block, const char *name, hp_error *err)
{
	const char *end = block->text + block->size;
	long number = block->line;
	bool head = true;

	t->size = 0;
	for (const char *p = block->text; p < end; number++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t size = (size_t)((stop ? stop : end) - p);

		if (take_line(t, p, size, head, name, number, err) != 0)
			return HP_FAIL;
		head &= hp_edus_is_heading(p, size);
		p = stop ? stop + 1 : end;
	}
	return write_sentence(t, name, block->line, err);
}
