/* edus.c: lines of EDUs <-> texts, ends and tokens. */
#include "text/edus.h"

#include <limits.h>
#include <string.h>
#include "text/sentence_builder.h"
#include "base/utf8.h"

/* What .dis notation takes for white space. */
static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* SIZE without the marks <P> at the end, which are no text in .dis notation. */
static size_t cut_paragraph(const char *line, size_t size)
{
	for (;;) {
		while (size > 0 && is_blank(line[size - 1]))
			size--;
		if (size < 3 || memcmp(line + size - 3, "<P>", 3) != 0)
			return size;
		size -= 3;
	}
}

/* Copies LINE to OUT with single blanks between its tokens; returns how many tokens. */
static int squeeze(const char *line, size_t size, char *out, size_t *length)
{
	int tokens = 0;
	size_t at = 0;

	for (size_t i = 0; i < size; i++) {
		if (is_blank(line[i]))
			continue;
		if (i == 0 || is_blank(line[i - 1])) {
			if (tokens++ > 0)
				out[at++] = ' ';
		}
		out[at++] = line[i];
	}
	out[at] = '\0';
	*length = at;
	return tokens;
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
static int check_text(const parsing *p, const char *line, size_t size)
{
	if (memchr(line, '\0', size))
		return hp_fail_at(p->err, p->from.name, p->line, "a NUL byte, expected text");
	if (hp_utf8_valid_prefix(line, size) < size)
		return hp_fail_at(p->err, p->from.name, p->line, "invalid UTF-8");
	return 0;
}

static int add_edu(parsing *p, const char *line, size_t size)
{
	hp_edus *e = p->out;
	size_t length;

	if (check_text(p, line, size) != 0)
		return HP_FAIL;
	if (memmem(line, size, "_!", 2))
		return hp_fail_at(p->err, p->from.name, p->line,
		                  "an EDU with \"_!\" in its text, which .dis notation cannot hold");
	e->text[e->edus] = p->next;
	int tokens = squeeze(line, cut_paragraph(line, size), p->next, &length);
	if (tokens == 0)
		return hp_fail_at(p->err, p->from.name, p->line, "an EDU without tokens");
	if (p->from.max_words > 0 && tokens > p->from.max_words - p->words)
		return hp_fail_at(p->err, p->from.name, p->line, "a sentence of more than %d words", p->from.max_words);
	p->words += tokens;
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

static bool is_id(const char *line, size_t size)
{
	size_t id = strlen(HP_EDUS_ID);

	return size > id && memcmp(line, HP_EDUS_ID, id) == 0;
}

static int take_id(parsing *p, const char *line, size_t size)
{
	size_t id = strlen(HP_EDUS_ID);
	char *copy;

	if (check_text(p, line, size) != 0)
		return HP_FAIL;
	copy = HP_NEW(p->arena, char, size - id + 1);
	if (!copy)
		return hp_fail_memory(p->err);
	memcpy(copy, line + id, size - id);
	copy[size - id] = '\0';
	p->out->id = copy;
	return 0;
}

int hp_edus_parse(const char *lines, size_t size, hp_edus_source from, hp_arena *arena, hp_edus *out,
                  hp_sentence *words, hp_error *err)
{
	parsing p = {.from = from, .line = from.line, .arena = arena, .out = out, .err = err};
	const char *end = lines + size;
	size_t count = 1;

	for (size_t i = 0; i < size; i++)
		count += lines[i] == '\n';
	if (start(&p, count, size) != 0)
		return HP_FAIL;
	for (const char *at = lines; at < end; p.line += from.step) {
		const char *stop = memchr(at, '\n', end - at);
		size_t length = (stop ? stop : end) - at;
		bool id = at == lines && is_id(at, length);

		if ((id ? take_id(&p, at, length) : add_edu(&p, at, length)) != 0)
			return HP_FAIL;
		at = stop ? stop + 1 : end;
	}
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
		if (add_edu(&p, text[i], strlen(text[i])) != 0)
			return HP_FAIL;
	return finish(&p, words);
}

char *hp_edus_lines(const char *id, int edus, const char *const *text, hp_arena *arena, size_t *size)
{
	size_t need = id ? strlen(HP_EDUS_ID) + strlen(id) + 1 : 1;
	char *lines, *at;

	for (int i = 0; i < edus; i++)
		need += strlen(text[i]) + 1;
	at = lines = HP_NEW(arena, char, need + 1);
	if (!lines)
		return NULL;
	if (id)
		at = stpcpy(stpcpy(stpcpy(at, HP_EDUS_ID), id), "\n");
	else if (is_id(text[0], strlen(text[0])))
		*at++ = ' ';
	for (int i = 0; i < edus; i++)
		at = stpcpy(stpcpy(at, text[i]), "\n");
	*size = at - lines;
	return lines;
}
