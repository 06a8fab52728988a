/* expand.c: looking up what a multiword token's words are. */
#include "tokenize/expand.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"

struct hp_expander {
	hp_vocab *table, *endings, *sure; /* lines */
	hp_vocab *form, *ending; /* their first fields, with the same numbers */
	hp_vocab *lower; /* forms of the table in lower case */
	int *line; /* [lower] of the table */
};

/* ---- fields ---- */

/* Up to MOST fields of LINE; how many there are, or MOST + 1. */
static int split(const char *line, size_t size, hp_piece *field, int most)
{
	const char *at = line, *end = line + size;
	for (int n = 0; n < most; n++) {
		const char *tab = memchr(at, '\t', (size_t)(end - at)), *stop = tab ? tab : end;
		field[n] = (hp_piece){at, (size_t)(stop - at)};
		if (!tab)
			return n + 1;
		at = tab + 1;
	}
	return most + 1;
}

static int line_of(const hp_vocab *v, int id, hp_piece field[HP_MOST_WORDS + 1])
{
	size_t size;
	const char *line = hp_vocab_at(v, id, &size);
	return split(line, size, field, HP_MOST_WORDS + 1);
}

/* ---- making ---- */

/* The first fields of LINES; EMPTY: the second one may be empty. */
static int index_lines(const hp_vocab *lines, bool empty, const char *file, hp_vocab **out, hp_error *err)
{
	*out = hp_vocab_new();
	if (!*out)
		return hp_fail_memory(err);
	for (int i = 0; i < hp_vocab_count(lines); i++) {
		hp_piece field[HP_MOST_WORDS + 1];
		int n = line_of(lines, i, field);
		bool good = n > 2 && n <= HP_MOST_WORDS + 1;
		for (int k = 0; good && k < n; k++)
			good = field[k].size > 0 || (empty && k == 1);
		if (!good || hp_vocab_find(*out, field[0].text, field[0].size) >= 0)
			return hp_fail(err, "%s: line %d of the multiword tokens is none, or is there twice: '%s'", file, i + 1,
			               hp_vocab_at(lines, i, NULL));
		if (hp_vocab_add(*out, field[0].text, field[0].size) != i)
			return hp_fail_memory(err);
	}
	return 0;
}

static int index_lower(hp_expander *e, hp_error *err)
{
	int n = hp_vocab_count(e->form), status = 0;
	hp_arena *arena = hp_arena_new();
	e->lower = hp_vocab_new();
	e->line = calloc((size_t)n + 1, sizeof *e->line);
	if (!e->lower || !e->line || !arena)
		status = hp_fail_memory(err);
	for (int i = 0; i < n && status == 0; i++) {
		size_t size, small;
		const char *form = hp_vocab_at(e->form, i, &size), *lower = hp_lower(arena, form, size, &small);
		int before = hp_vocab_count(e->lower), id = lower ? hp_vocab_add(e->lower, lower, small) : -1;
		if (id < 0)
			status = hp_fail_memory(err);
		else if (id == before)
			e->line[id] = i;
	}
	hp_arena_destroy(arena);
	return status;
}

int hp_expander_new(hp_vocab *table, hp_vocab *endings, hp_vocab *sure, const char *file, hp_expander **out,
                    hp_error *err)
{
	hp_expander *e = calloc(1, sizeof *e);
	*out = NULL;
	if (!e) {
		hp_vocab_destroy(table);
		hp_vocab_destroy(endings);
		hp_vocab_destroy(sure);
		return hp_fail_memory(err);
	}
	e->table = table;
	e->endings = endings;
	e->sure = sure;
	if (index_lines(table, false, file, &e->form, err) || index_lines(endings, true, file, &e->ending, err) ||
	    index_lower(e, err)) {
		hp_expander_destroy(e);
		return HP_FAIL;
	}
	*out = e;
	return 0;
}

void hp_expander_destroy(hp_expander *e)
{
	if (!e)
		return;
	hp_vocab_destroy(e->table);
	hp_vocab_destroy(e->endings);
	hp_vocab_destroy(e->sure);
	hp_vocab_destroy(e->form);
	hp_vocab_destroy(e->ending);
	hp_vocab_destroy(e->lower);
	free(e->line);
	free(e);
}

const hp_vocab *hp_expander_table(const hp_expander *e)
{
	return e->table;
}

const hp_vocab *hp_expander_endings(const hp_expander *e)
{
	return e->endings;
}

const hp_vocab *hp_expander_sure(const hp_expander *e)
{
	return e->sure;
}

bool hp_expander_is_sure(const hp_expander *e, hp_arena *arena, const char *form, size_t size)
{
	size_t lower;
	const char *key = hp_vocab_count(e->sure) ? hp_lower(arena, form, size, &lower) : NULL;
	char *typed = key ? HP_NEW(arena, char, lower) : NULL;
	size_t length = typed ? hp_utf8_typed_text(key, lower, typed) : 0;
	return key &&
	       (hp_vocab_find(e->sure, key, lower) >= 0 || (length > 0 && hp_vocab_find(e->sure, typed, length) >= 0));
}

/* ---- letters ---- */

/* S with every letter of its characters from FROM to TO (counted) made large (LARGE) or small, in ARENA. */
static hp_piece recased(hp_arena *arena, hp_piece s, bool large, int from, int to)
{
	char *out = HP_NEW(arena, char, 4 * s.size + 1);
	size_t at = 0, size = 0;
	for (int i = 0; out && at < s.size; i++) {
		int32_t code;
		int length = hp_utf8_decode(s.text + at, s.size - at, &code);
		if (length > 0 && i >= from && i < to) {
			size += (size_t)utf8proc_encode_char(large ? utf8proc_toupper(code) : utf8proc_tolower(code),
			                                     (utf8proc_uint8_t *)out + size);
		} else {
			length = length > 0 ? length : 1;
			memcpy(out + size, s.text + at, (size_t)length);
			size += (size_t)length;
		}
		at += (size_t)length;
	}
	return (hp_piece){out, size};
}

const char *hp_lower(hp_arena *arena, const char *form, size_t size, size_t *lower)
{
	hp_piece s = recased(arena, (hp_piece){form, size}, false, 0, (int)size);
	*lower = s.size;
	return s.text;
}

static bool is_large(int32_t code)
{
	return utf8proc_tolower(code) != code;
}

/* How a form is written: its first letter is large; all letters are, of which it has several. */
static void look_at(hp_piece form, bool *first, bool *all)
{
	int large = 0, letters = 0;
	for (size_t at = 0; at < form.size;) {
		int32_t code;
		int length = hp_utf8_decode(form.text + at, form.size - at, &code);
		bool big = length > 0 && is_large(code);
		letters += big || (length > 0 && utf8proc_toupper(code) != code);
		large += big;
		if (at == 0)
			*first = big;
		at += length > 0 ? (size_t)length : 1;
	}
	*all = letters > 1 && large == letters;
}

static size_t characters(hp_piece s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.size; i++)
		n += (s.text[i] & 0xc0) != 0x80;
	return n;
}

/* The first N characters of S. */
static hp_piece head(hp_piece s, size_t n)
{
	size_t at = 0;
	while (at < s.size && (n > 0 || (s.text[at] & 0xc0) == 0x80))
		n -= (s.text[at++] & 0xc0) != 0x80;
	return (hp_piece){s.text, at};
}

/* ---- expanding ---- */

/* Whether the words make up FORM, whatever the case. */
static bool is_cut(hp_arena *arena, hp_piece form, int n, const hp_piece *words)
{
	size_t size, at = 0;
	const char *lower = hp_lower(arena, form.text, form.size, &size);
	for (int i = 0; lower && i < n; i++) {
		size_t small;
		const char *word = hp_lower(arena, words[i].text, words[i].size, &small);
		if (!word || small > size - at || memcmp(word, lower + at, small) != 0)
			return false;
		at += small;
	}
	return lower && at == size;
}

/* WORDS are as many characters of FORM each, in their order; all there are. */
static void cut(hp_piece form, int n, hp_piece *words)
{
	for (int i = 0; i < n; i++) {
		hp_piece word = i < n - 1 ? head(form, characters(words[i])) : form;
		form = (hp_piece){form.text + word.size, form.size - word.size};
		words[i] = word;
	}
}

/* WORDS written as FORM is. */
static int write_as(hp_arena *arena, hp_piece form, int n, hp_piece *words)
{
	bool first = false, all = false;
	if (is_cut(arena, form, n, words)) {
		cut(form, n, words);
		return hp_arena_failed(arena) ? 0 : n;
	}
	look_at(form, &first, &all);
	for (int i = 0; i < n; i++)
		if (all || (i == 0 && first))
			words[i] = recased(arena, words[i], true, 0, all ? (int)words[i].size : 1);
	return hp_arena_failed(arena) ? 0 : n;
}

static int by_ending(const hp_expander *e, hp_arena *arena, hp_piece form, hp_piece lower, hp_piece *words)
{
	for (size_t stem = 1; stem < lower.size; stem++) {
		hp_piece field[HP_MOST_WORDS + 1];
		if ((lower.text[stem] & 0xc0) == 0x80)
			continue;
		int id = hp_vocab_find(e->ending, lower.text + stem, lower.size - stem);
		if (id < 0)
			continue;
		int n = line_of(e->endings, id, field) - 1;
		char *first = HP_NEW(arena, char, stem + field[1].size + 1);
		if (!first)
			return 0;
		memcpy(first, lower.text, stem);
		memcpy(first + stem, field[1].text, field[1].size);
		memcpy(words, field + 1, (size_t)n * sizeof *words);
		words[0] = (hp_piece){first, stem + field[1].size};
		return write_as(arena, form, n, words);
	}
	return 0;
}

static int expand(const hp_expander *e, hp_arena *arena, const char *form, size_t size, hp_piece words[HP_MOST_WORDS])
{
	hp_piece field[HP_MOST_WORDS + 1], whole = {form, size}, lower;
	int id = hp_vocab_find(e->form, form, size);
	if (id >= 0) {
		int n = line_of(e->table, id, field) - 1;
		memcpy(words, field + 1, (size_t)n * sizeof *words);
		return n;
	}
	lower.text = hp_lower(arena, form, size, &lower.size);
	if (!lower.text)
		return 0;
	id = hp_vocab_find(e->lower, lower.text, lower.size);
	if (id < 0)
		return by_ending(e, arena, whole, lower, words);
	int n = line_of(e->table, e->line[id], field) - 1;
	for (int i = 0; i < n; i++)
		words[i] = recased(arena, field[i + 1], false, 0, (int)field[i + 1].size);
	return write_as(arena, whole, n, words);
}

int hp_expand(const hp_expander *e, hp_arena *arena, const char *form, size_t size, hp_piece words[HP_MOST_WORDS])
{
	int n = expand(e, arena, form, size, words);
	char *typed = n == 0 ? HP_NEW(arena, char, size) : NULL;
	size_t length = typed ? hp_utf8_typed_text(form, size, typed) : 0;
	if (length == 0)
		return n;
	n = expand(e, arena, typed, length, words);
	/* nothing but quotation marks are other characters, one for one, in FORM */
	if (n > 0 && is_cut(arena, (hp_piece){typed, length}, n, words))
		cut((hp_piece){form, size}, n, words);
	return hp_arena_failed(arena) ? 0 : n;
}
