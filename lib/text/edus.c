/* edus.c: lines of EDUs <-> texts, ends of EDUs and sentences, tokens. */
#include "text/edus.h"

#include <limits.h>
#include <string.h>
#include "base/blank.h"
#include "text/sentence_builder.h"
#include "base/rising.h"
#include "base/utf8.h"

static const char mark[] = "<P>";

int hp_edus_of(const hp_edus *e, int token)
{
	return hp_rising_find(e->ends, 0, e->edus, token);
}

static bool ends_in(const char *text, size_t size, const char *end)
{
	size_t length = strlen(end);

	return size >= length && memcmp(text + size - length, end, length) == 0;
}

const char *hp_edus_guard(const char *text, size_t size)
{
	for (;; size -= strlen(HP_EDUS_JOINER)) {
		size = hp_utf8_cut_white(text, size); /* that some readers pass over */
		if (!ends_in(text, size, HP_EDUS_JOINER))
			return ends_in(text, size, mark) ? HP_EDUS_JOINER : "";
	}
}

static size_t cut_guard(const char *text, size_t size)
{
	bool guarded = ends_in(text, size, HP_EDUS_JOINER) && *hp_edus_guard(text, size) != '\0';

	return guarded ? size - strlen(HP_EDUS_JOINER) : size;
}

size_t hp_edus_cut_paragraph(const char *line, size_t size, bool *paragraph)
{
	for (*paragraph = false;; *paragraph = true) {
		while (size > 0 && hp_is_white(line[size - 1]))
			size--;
		if (!ends_in(line, size, mark))
			return cut_guard(line, size);
		size -= strlen(mark);
	}
}

size_t hp_edus_cut_raw(const char *line, size_t size, bool *paragraph)
{
	for (*paragraph = false;; *paragraph = true) {
		size = hp_utf8_cut_white(line, size);
		if (!ends_in(line, size, mark))
			return hp_utf8_cut_white(line, cut_guard(line, size));
		size -= strlen(mark);
	}
}

/* Copies LINE to OUT with single blanks between its tokens; returns how many tokens. */
static int squeeze(const char *line, size_t size, char *out, size_t *length)
{
	int tokens = 0;
	size_t at = 0;

	for (size_t i = 0; i < size; i++) {
		if (hp_is_white(line[i]))
			continue;
		if (i == 0 || hp_is_white(line[i - 1])) {
			if (tokens++ > 0)
				out[at++] = ' ';
		}
		out[at++] = line[i];
	}
	out[at] = '\0';
	*length = at;
	return tokens;
}

bool hp_edus_is_named(const char *line, size_t size, const char *head)
{
	size_t id = strlen(head);

	return size > id && memcmp(line, head, id) == 0;
}

bool hp_edus_is_heading(const char *line, size_t size)
{
	return hp_edus_is_named(line, size, HP_EDUS_DOCUMENT) || hp_edus_is_named(line, size, HP_EDUS_ID);
}

/* "( Nucleus (leaf 3) ..." */
static bool is_node(const char *line, size_t size)
{
	static const char *const role[] = {"Root", "Nucleus", "Satellite"};
	const char *end = line + size;

	while (line < end && hp_is_white(*line))
		line++;
	if (line == end || *line++ != '(')
		return false;
	while (line < end && hp_is_white(*line))
		line++;
	for (size_t i = 0; i < sizeof role / sizeof *role; i++) {
		size_t length = strlen(role[i]);

		if ((size_t)(end - line) <= length || memcmp(line, role[i], length) != 0)
			continue;
		line += length;
		while (line < end && hp_is_white(*line))
			line++;
		return line < end && *line == '(';
	}
	return false;
}

hp_edu_look hp_edus_look(const char *line, size_t size)
{
	enum { FEWEST = 8 }; /* columns of a format that is read */
	int tabs = 0;

	for (size_t i = 0; i < size; i++)
		tabs += line[i] == '\t';
	bool number = size > 0 && *line >= '0' && *line <= '9';
	if (tabs + 1 == HP_COLUMNS && number)
		return HP_EDU_CONLLU;
	if ((tabs + 1 >= FEWEST && number) || hp_columns_names(line, size))
		return HP_EDU_COLUMNS;
	return is_node(line, size) ? HP_EDU_TREE : HP_EDU_TEXT;
}

typedef struct parsing {
	hp_edus_source from;
	long line; /* of the next EDU */
	int words; /* so far */
	char *next; /* where the next text goes */
	hp_arena *arena;
	hp_edus *out;
	hp_error *err;
} parsing;

/* Text that can be an EDU or an id. */
static int check_text(const char *line, size_t size, const char *name, long number, hp_error *err)
{
	if (memchr(line, '\0', size))
		return hp_fail_at(err, name, number, "a NUL byte, expected text");
	if (hp_utf8_valid_prefix(line, size) < size)
		return hp_fail_at(err, name, number, "invalid UTF-8");
	return 0;
}

int hp_edus_check(const char *line, size_t size, const char *name, long number, hp_error *err)
{
	bool paragraph;

	if (check_text(line, size, name, number, err) != 0)
		return HP_FAIL;
	return hp_edus_cut_paragraph(line, size, &paragraph) > 0 ? 0
	                                                         : hp_fail_at(err, name, number, "an EDU without tokens");
}

static int add_edu(parsing *p, const char *line, size_t size, bool paragraph)
{
	hp_edus *e = p->out;
	size_t length;

	if (check_text(line, size, p->from.name, p->line, p->err) != 0)
		return HP_FAIL;
	e->text[e->edus] = p->next;
	int tokens = squeeze(line, size, p->next, &length);
	if (tokens == 0)
		return hp_fail_at(p->err, p->from.name, p->line, "an EDU without tokens");
	if (p->from.max_words > 0 && tokens > p->from.max_words - p->words)
		return hp_fail_at(p->err, p->from.name, p->line, "a %s of more than %d words",
		                  e->document ? "document" : "sentence", p->from.max_words);
	p->words += tokens;
	e->paragraph[e->edus] = paragraph;
	e->ends[e->edus++] = p->words - 1;
	p->next += length + 1;
	return 0;
}

/* Room for EDUS texts, which have SIZE bytes together. */
static int start(parsing *p, size_t edus, size_t size)
{
	hp_edus *e = p->out;
	hp_arena *arena = p->arena;

	if (edus > INT_MAX / 2)
		return hp_fail_at(p->err, p->from.name, p->line, "a sentence of more than %d EDUs", INT_MAX / 2);
	memset(e, 0, sizeof *e);
	e->text = HP_NEW(arena, const char *, edus);
	e->ends = HP_NEW(arena, int32_t, edus);
	e->paragraph = HP_NEW(arena, int32_t, edus);
	e->sent_end = HP_NEW(arena, int32_t, edus);
	p->next = HP_NEW(arena, char, size + edus + 1);
	return hp_arena_failed(arena) ? hp_fail_memory(p->err) : 0;
}

/* The texts as one line, cut into words. */
static int cut_words(const parsing *p, hp_sentence *words)
{
	const char *texts = p->out->text[0]; /* and the others behind it */
	size_t size = (size_t)(p->next - texts) - 1;
	char *joined = HP_NEW(p->arena, char, size + 1);
	hp_builder b = {.s = *words};
	int status;

	if (!joined)
		return hp_fail_memory(p->err);
	for (size_t i = 0; i < size; i++)
		joined[i] = texts[i] == '\0' ? ' ' : texts[i];
	hp_builder_start(&b, NULL, p->from.name, p->from.max_words);
	status = hp_builder_tokens(&b, joined, size, p->from.line, 0);
	if (status == 0) {
		hp_builder_end(&b);
		status = b.failed ? HP_FAIL : 0;
	}
	*words = b.s;
	if (status != 0) {
		words->words = 0;
		if (p->err)
			*p->err = b.err;
		return HP_FAIL;
	}
	return words->words == p->words
	           ? 0
	           : hp_fail_at(p->err, p->from.name, p->from.line, "%d tokens read as %d", p->words, words->words);
}

static int finish(const parsing *p, hp_sentence *words)
{
	if (p->out->edus == 0)
		return hp_fail_at(p->err, p->from.name, p->from.line, "a sentence without EDUs");
	return words ? cut_words(p, words) : 0;
}

static int take_id(parsing *p, const char *line, size_t size, const char *head)
{
	size_t id = strlen(head);
	char *copy;

	if (check_text(line, size, p->from.name, p->line, p->err) != 0)
		return HP_FAIL;
	copy = HP_NEW(p->arena, char, size - id + 1);
	if (!copy)
		return hp_fail_memory(p->err);
	memcpy(copy, line + id, size - id);
	copy[size - id] = '\0';
	p->out->id = copy;
	return 0;
}

/* The EDUs behind the last sentence, if there are any, are one. */
static void end_sentence(hp_edus *e)
{
	if (e->edus > 0 && (e->sents == 0 || e->sent_end[e->sents - 1] < e->edus - 1))
		e->sent_end[e->sents++] = e->edus - 1;
}

/* One line of several; HEAD: it may be a sentence's id, for nothing stands before it in the text or but the document's name. */
static int take_line(parsing *p, const char *line, size_t size, bool head, bool *empty)
{
	hp_edus *e = p->out;
	bool begins = head || *empty, paragraph;

	*empty = e->document && size == 0;
	if (*empty) {
		end_sentence(e);
		return 0;
	}
	if (e->document && begins && hp_edus_is_named(line, size, HP_EDUS_ID))
		return check_text(line, size, p->from.name, p->line, p->err);
	if (head && hp_edus_is_named(line, size, HP_EDUS_ID))
		return take_id(p, line, size, HP_EDUS_ID);
	size = hp_edus_cut_paragraph(line, size, &paragraph);
	return add_edu(p, line, size, paragraph);
}

int hp_edus_parse(const char *lines, size_t size, hp_edus_source from, hp_arena *arena, hp_edus *out,
                  hp_sentence *words, hp_error *err)
{
	parsing p = {.from = from, .line = from.line, .arena = arena, .out = out, .err = err};
	const char *end = lines + size;
	size_t count = 1;
	bool empty = false;

	for (size_t i = 0; i < size; i++)
		count += lines[i] == '\n';
	if (start(&p, count, size) != 0)
		return HP_FAIL;
	for (const char *at = lines, *head = lines; at < end; p.line += from.step) {
		const char *stop = memchr(at, '\n', end - at), *next = stop ? stop + 1 : end;
		size_t length = (stop ? stop : end) - at;

		if (at == lines && hp_edus_is_named(at, length, HP_EDUS_DOCUMENT)) {
			out->document = true;
			head = next;
			if (take_id(&p, at, length, HP_EDUS_DOCUMENT) != 0)
				return HP_FAIL;
		} else if (take_line(&p, at, length, at == head, &empty) != 0) {
			return HP_FAIL;
		}
		at = next;
	}
	if (out->sents > 0)
		end_sentence(out);
	if (out->sents == 1) /* no empty line between EDUs */
		out->sents = 0;
	return finish(&p, words);
}

int hp_edus_take(int edus, const char *const *text, hp_edus_source from, hp_arena *arena, hp_edus *out,
                 hp_sentence *words, hp_error *err)
{
	parsing p = {.from = from, .line = from.line, .arena = arena, .out = out, .err = err};
	size_t size = 0;

	for (int i = 0; i < edus; i++)
		size += strlen(text[i]);
	if (start(&p, edus, size) != 0)
		return HP_FAIL;
	for (int i = 0; i < edus; i++, p.line += from.step)
		if (add_edu(&p, text[i], strlen(text[i]), false) != 0)
			return HP_FAIL;
	return finish(&p, words);
}

char *hp_edus_lines(const hp_edus *e, hp_arena *arena, size_t *size)
{
	const char *head = e->document ? HP_EDUS_DOCUMENT : HP_EDUS_ID;
	size_t need = (e->id ? strlen(head) + strlen(e->id) + 1 : 1) + (size_t)e->sents;
	char *lines, *at;

	for (int i = 0; i < e->edus; i++)
		need += strlen(e->text[i]) + sizeof " " HP_EDUS_JOINER "<P>\n";
	at = lines = HP_NEW(arena, char, need + 1);
	if (!lines)
		return NULL;
	if (e->id)
		at = stpcpy(stpcpy(stpcpy(at, head), e->id), "\n");
	for (int i = 0, sent = 0; i < e->edus; i++) {
		bool begins = i == 0 || (sent > 0 && e->sent_end[sent - 1] == i - 1);
		size_t length = strlen(e->text[i]);

		if (begins && hp_edus_is_heading(e->text[i], length) && !(e->id && !e->document))
			*at++ = ' ';
		at = stpcpy(stpcpy(at, e->text[i]), hp_edus_guard(e->text[i], length));
		at = stpcpy(at, e->document && e->paragraph && e->paragraph[i] ? "<P>\n" : "\n");
		if (sent < e->sents && e->sent_end[sent] == i && ++sent < e->sents)
			*at++ = '\n';
	}
	*size = at - lines;
	return lines;
}
