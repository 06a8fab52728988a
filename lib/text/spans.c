/* spans.c: spans of EDUs read from MISC; how many of them hold each boundary, by a stack of those that are open. */
#include "text/spans.h"

#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "text/marks.h"
#include "text/values.h"

enum { LONGEST = 999999999 }; /* of nine digits */

/* ---- reading ---- */

typedef struct reading {
	hp_spans *s;
	size_t count; /* spans so far */
	const char *name;
	hp_error *err;
} reading;

static int id_length(const hp_word *row)
{
	return row->len[HP_ID] < 40 ? (int)row->len[HP_ID] : 40;
}

/* The number, from 1, that stands up to END; 0: there is none. */
static int64_t number(const char *p, const char *end)
{
	int64_t n = 0;

	for (; p < end && n <= LONGEST; p++)
		n = *p >= '0' && *p <= '9' ? n * 10 + *p - '0' : LONGEST + 1;
	return n <= LONGEST ? n : 0;
}

/* Span= of ROW, whose word is the first one of EDU number EDU; -1: it is not the first one of any. */
static int read_row(reading *r, const hp_word *row, int64_t edu)
{
	size_t size, again;
	const char *value = hp_misc_find(row, "Span", &size), *end;

	if (!value)
		return 0;
	end = value + size;
	if (hp_misc_find_next(row, end, "Span", &again))
		return hp_fail_at(r->err, r->name, row->line, "word %.*s has Span= twice", id_length(row), row->col[HP_ID]);
	if (edu < 0)
		return hp_fail_at(r->err, r->name, row->line, "word %.*s has Span=, but begins no EDU", id_length(row),
		                  row->col[HP_ID]);
	for (const char *p = value, *stop; p <= end; p = stop + 1) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		stop = comma ? comma : end;
		int64_t n = number(p, stop);

		if (n == 0)
			return hp_fail_at(r->err, r->name, row->line,
			                  "Span=%.*s of word %.*s, expected numbers from 1 to %d, separated by commas",
			                  size > 40 ? 40 : (int)size, value, id_length(row), row->col[HP_ID], LONGEST);
		if (!hp_grow(&r->s->read, &r->s->read_capacity, r->count + 1, sizeof *r->s->read))
			return hp_fail_memory(r->err);
		r->s->read[r->count++] = (hp_span){edu, edu + n - 1, row->line};
	}
	return 0;
}

/* Sets *EDUS to the number of the block's. */
static int read_block(reading *r, const hp_sentence *block, const bool *begins, int *edus)
{
	hp_rows rows = hp_sentence_rows(block);
	hp_word row, token; /* token: the multiword token before */
	bool before = false;

	*edus = 0;
	for (int word = 0; word < block->words && hp_rows_next(&rows, &row);) {
		if (hp_row_id_has(&row, '.'))
			continue;
		if (hp_row_id_has(&row, '-')) {
			token = row;
			before = true;
			continue;
		}
		bool first = word == 0 || begins[word];
		*edus += first;
		int64_t edu = first ? r->s->edus + *edus - 1 : -1;
		if ((before && read_row(r, &token, edu) != 0) || read_row(r, &row, edu) != 0)
			return HP_FAIL;
		before = false;
		word++;
	}
	return 0;
}

/* ---- the stack ---- */

/* By their first EDU, the longest first. */
static int by_place(const void *pa, const void *pb)
{
	const hp_span *a = pa, *b = pb;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->last < b->last) - (a->last > b->last);
}

static int crossing(const reading *r, const hp_span *a, const hp_span *b)
{
	return hp_fail_at(r->err, r->name, b->line,
	                  "Span=%lld, EDUs %lld to %lld, crosses Span=%lld in line %ld, EDUs %lld to %lld",
	                  (long long)(b->last - b->first + 1), (long long)b->first + 1, (long long)b->last + 1,
	                  (long long)(a->last - a->first + 1), a->line, (long long)a->first + 1, (long long)a->last + 1);
}

/* The open spans are OLD ones of s->span, within these s->read [*NEW]: that is where the spans which were read, in order, are
 * put as they open. */
static int hold(const reading *r, int edus, int32_t *held, size_t *old, size_t *new)
{
	const hp_spans *s = r->s;
	size_t next = 0;

	*old = s->open;
	*new = 0;
	for (int i = 0; i < edus; i++) {
		int64_t edu = s->edus + i;

		for (; next < r->count && s->read[next].first == edu; next++) {
			const hp_span *top = *new > 0 ? &s->read[*new - 1] : *old > 0 ? &s->span[*old - 1] : NULL;
			if (top && top->last < s->read[next].last)
				return crossing(r, top, &s->read[next]);
			s->read[(*new)++] = s->read[next];
		}
		while (*new > 0 && s->read[*new - 1].last <= edu)
			(*new)--;
		while (*new == 0 && *old > 0 && s->span[*old - 1].last <= edu)
			(*old)--;
		held[i] = (int32_t)(*old + *new);
	}
	return 0;
}

int hp_spans_take(hp_spans *s, const hp_sentence *block, const char *name, hp_arena *arena, int32_t **held,
                  hp_error *err)
{
	reading r = {.s = s, .name = name, .err = err};
	bool *begins = HP_NEW(arena, bool, (size_t)block->words + 1);
	size_t old, new;
	int edus;

	*held = HP_NEW(arena, int32_t, (size_t)block->words + 1);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	hp_marks_read(block, begins);
	if (read_block(&r, block, begins, &edus) != 0)
		return HP_FAIL;
	if (r.count > 0)
		qsort(s->read, r.count, sizeof *s->read, by_place);
	if (hold(&r, edus, *held, &old, &new) != 0)
		return HP_FAIL;
	if (!hp_grow(&s->span, &s->capacity, old + new, sizeof *s->span))
		return hp_fail_memory(err);
	if (new > 0)
		memcpy(s->span + old, s->read, new * sizeof *s->span);
	s->open = old + new;
	s->edus += edus;
	return 0;
}

int hp_spans_end(hp_spans *s, const char *name, const char *whole, hp_error *err)
{
	const hp_span *first = s->open > 0 ? &s->span[0] : NULL;
	int64_t edus = s->edus;

	s->edus = 0;
	s->open = 0;
	if (!first)
		return 0;
	return hp_fail_at(err, name, first->line, "Span=%lld, but %lld EDU%s from here to the end of the %s",
	                  (long long)(first->last - first->first + 1), (long long)(edus - first->first),
	                  hp_plural((long)(edus - first->first)), whole);
}

bool hp_spans_any(const hp_sentence *s)
{
	hp_rows rows = hp_sentence_rows(s);
	hp_word row;
	size_t size;

	while (hp_rows_next(&rows, &row))
		if (!hp_row_id_has(&row, '.') && hp_misc_find(&row, "Span", &size))
			return true;
	return false;
}

void hp_spans_free(hp_spans *s)
{
	free(s->span);
	free(s->read);
	*s = (hp_spans){.edus = 0};
}
