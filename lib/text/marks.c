/* marks.c: the first words of elementary discourse units, read from MISC and written. */
#include "text/marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "text/comments.h"
#include "text/edus.h"
#include "text/values.h"

/* ---- reading ---- */

static bool has_attribute(const hp_word *w, const char *name, const char *value)
{
	const char *p = w->col[HP_MISC], *end = p + w->len[HP_MISC];
	size_t n = strlen(name), v = strlen(value);

	while (p < end) {
		const char *stop = memchr(p, '|', (size_t)(end - p));
		size_t size = (size_t)((stop ? stop : end) - p);

		if (size >= n + v && memcmp(p, name, n) == 0 && memcmp(p + n, value, v) == 0 && (v == 0 || size == n + v))
			return true;
		p = stop ? stop + 1 : end;
	}
	return false;
}

static bool is_marked(const hp_word *w)
{
	return has_attribute(w, "Discourse=", "") || has_attribute(w, "Seg=", "B-seg") ||
	       has_attribute(w, "BeginSeg=", "Yes");
}

void hp_marks_read(const hp_sentence *s, bool *begins)
{
	hp_rows rows = hp_sentence_rows(s);
	bool before = false; /* the row before is a multiword token that is marked */
	hp_word row;

	for (int word = 0; word < s->words && hp_rows_next(&rows, &row);) {
		bool marked = is_marked(&row);

		if (hp_row_id_has(&row, '.')) {
			before = false;
		} else if (hp_row_id_has(&row, '-')) {
			before = marked;
		} else {
			begins[word++] = marked || before;
			before = false;
		}
	}
}

bool hp_marks_any(const hp_sentence *s)
{
	hp_rows rows = hp_sentence_rows(s);
	hp_word row;

	while (hp_rows_next(&rows, &row))
		if (!hp_row_id_has(&row, '.') && is_marked(&row))
			return true;
	return false;
}

/* ---- writing ---- */

static const char *const keys[] = {"Seg", "BeginSeg", "Discourse", "SegProb"};
enum { KEYS = sizeof keys / sizeof *keys };

/* The row's MISC without marks, and with a new one if it BEGINS an EDU. */
static void put_misc(const hp_word *row, bool begins, const float *prob, FILE *out)
{
	bool any = hp_misc_write_others(out, row->col[HP_MISC], row->len[HP_MISC], KEYS, keys);

	if (begins) {
		fputs(any ? "|Seg=B-seg" : "Seg=B-seg", out);
		any = true;
	}
	if (prob) {
		if (any)
			putc('|', out);
		hp_misc_write_prob(out, "SegProb", *prob);
		any = true;
	}
	if (!any)
		putc('_', out);
}

int hp_marks_write(const hp_sentence *s, const char *name, const bool *begins, const float *prob, FILE *out,
                   hp_error *err)
{
	hp_rows rows = hp_sentence_rows(s);
	const char *p = s->text, *end = p + s->size;
	hp_word row;

	for (int word = 0; hp_rows_next(&rows, &row);) {
		bool is_word = !hp_row_id_has(&row, '-') && !hp_row_id_has(&row, '.');

		if (s->columns.at[HP_MISC] < 0 || (s->columns.plain && hp_row_is_conllx(&row)))
			return hp_fail_at(err, name, row.line, "no column MISC to mark EDUs in, expected CoNLL-U, or --edus");
		if (!hp_row_id_has(&row, '.')) {
			fwrite(p, 1, (size_t)(row.col[HP_MISC] - p), out);
			put_misc(&row, is_word && begins[word], is_word && prob ? &prob[word] : NULL, out);
			p = row.col[HP_MISC] + row.len[HP_MISC];
		}
		word += is_word;
	}
	fwrite(p, 1, (size_t)(end - p), out);
	putc('\n', out);
	return ferror(out) ? hp_fail_errno(err, "output") : 0;
}

/* "# newdoc id = NAME" before the words. */
static void put_document(const hp_sentence *s, FILE *out)
{
	const char *name;
	size_t size;

	if (hp_document_begins(s, &name, &size))
		fprintf(out, "# newdoc id = %.*s\n", size > 0 ? (int)size : 8, size > 0 ? name : "document");
}

size_t hp_marks_form(const hp_word *w, char *out)
{
	size_t size = 0;

	for (uint32_t k = 0; k < w->len[HP_FORM]; k++)
		if (w->col[HP_FORM][k] != ' ' && (w->col[HP_FORM][k] < '\t' || w->col[HP_FORM][k] > '\r'))
			out[size++] = w->col[HP_FORM][k];
	return size;
}

int hp_marks_write_edus(const hp_sentence *s, const bool *begins, FILE *out, hp_error *err)
{
	char *form = malloc(s->size + 1); /* room for any */

	if (!form)
		return hp_fail_memory(err);
	put_document(s, out);
	for (int i = 0; i < s->words; i++) {
		const hp_word *w = &s->word[i];
		bool first = i == 0 || begins[i];

		if (i > 0)
			putc(first ? '\n' : ' ', out);
		if (first && *w->col[HP_FORM] == '#')
			putc(' ', out); /* no comment, whatever follows */
		size_t size = hp_marks_form(w, form);
		fwrite(form, 1, size, out);
		if (i + 1 == s->words || begins[i + 1])
			fputs(hp_edus_guard(form, size), out);
	}
	free(form);
	fputs("\n\n", out);
	return ferror(out) ? hp_fail_errno(err, "output") : 0;
}
