/* script.c: edit scripts for lemmas. */
#include "tag/script.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "base/utf8.h"

enum { LONGEST = 200 }; /* characters; of longer words only equal and absolute lemmas are told apart */

static const char hows[] = "lkcun";

static int32_t change_case(char how, bool first, int32_t code)
{
	switch (how) {
	case 'l':
		return utf8proc_tolower(code);
	case 'c':
		return first ? utf8proc_toupper(code) : utf8proc_tolower(code);
	case 'u':
		return utf8proc_toupper(code);
	default:
		return code;
	}
}

/* Whether a character of the form is none of the script's. */
static bool is_left_out(char how, int32_t code)
{
	return how == 'n' && code == ',';
}

/* ---- making ---- */

static int decode(const char *s, size_t size, int32_t *out)
{
	int n = 0;

	for (size_t i = 0; i < size && n <= LONGEST; n++) {
		int length = hp_utf8_decode(s + i, size - i, &out[n]);
		i += length > 0 ? (size_t)length : 1;
	}
	return n;
}

/* The first longest part that A and B share. */
static int shared_part(const int32_t *a, int n, const int32_t *b, int m, int *at_a, int *at_b)
{
	int row[2][LONGEST + 2] = {{0}}, best = 0; /* row[.][j + 1]: characters that end at i and j */

	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			int length = row[(i + 1) % 2][j + 1] = a[i] == b[j] ? row[i % 2][j] + 1 : 0;
			if (length <= best)
				continue;
			best = length;
			*at_a = i + 1 - length;
			*at_b = j + 1 - length;
		}
	return best;
}

static size_t bytes_of(const int32_t *code, int n)
{
	utf8proc_uint8_t one[4];
	size_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += (size_t)utf8proc_encode_char(code[i], one);
	return sum;
}

const char *hp_script_make(hp_arena *arena, const char *form, size_t size, const char *lemma, size_t lemma_size)
{
	int32_t from[LONGEST + 1], to[LONGEST + 1], changed[LONGEST + 1];
	int n = decode(form, size, from), m = decode(lemma, lemma_size, to), best = 0, cut = 0, behind = 0, first = 0,
		how = 0;
	size_t capacity = lemma_size + 64;
	char *out = HP_NEW(arena, char, capacity);

	if (!out)
		return NULL;
	for (int h = 0; n <= LONGEST && m <= LONGEST && hows[h]; h++) {
		int left = 0, at = 0, lemma_at = 0;
		for (int i = 0; i < n; i++)
			if (!is_left_out(hows[h], from[i]))
				changed[left++] = change_case(hows[h], i == 0, from[i]);
		int length = shared_part(changed, left, to, m, &at, &lemma_at);
		if (length <= best)
			continue;
		best = length;
		cut = at;
		behind = left - at - length;
		first = lemma_at;
		how = h;
	}
	if (size == lemma_size && memcmp(form, lemma, size) == 0 && best < n) { /* a long word */
		snprintf(out, capacity, "k\t0\t\t0\t");
	} else if (best == 0) {
		snprintf(out, capacity, "=\t%.*s", (int)lemma_size, lemma);
	} else {
		size_t begin = bytes_of(to, first), kept = bytes_of(to + first, best);
		snprintf(out, capacity, "%c\t%d\t%.*s\t%d\t%.*s", hows[how], cut, (int)begin, lemma, behind,
		         (int)(lemma_size - begin - kept), lemma + begin + kept);
	}
	return out;
}

/* ---- reading ---- */

/* The field that begins at *P, up to a tab or, if it is the LAST, to END; *P moves behind it. */
static bool field(const char **p, const char *end, bool last, const char **out, size_t *size)
{
	const char *tab = *p <= end ? memchr(*p, '\t', (size_t)(end - *p)) : NULL;

	if (*p > end || (last ? tab != NULL : tab == NULL))
		return false;
	*out = *p;
	*size = (size_t)((tab ? tab : end) - *p);
	*p = (tab ? tab : end) + 1;
	return true;
}

static bool number(const char *s, size_t size, int *out)
{
	*out = 0;
	for (size_t i = 0; i < size; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		*out = 10 * *out + s[i] - '0';
	}
	return size > 0 && size < 5;
}

int hp_script_read(const char *text, size_t size, const char *name, hp_script *out, hp_error *err)
{
	const char *p = text, *end = text + size, *how = NULL, *cut;
	size_t how_size = 0, cut_size;
	bool good = field(&p, end, false, &how, &how_size) && how_size == 1;

	*out = (hp_script){.how = good ? *how : '\0'};
	if (good && out->how == '=')
		good = field(&p, end, true, &out->first, &out->first_size) && out->first_size > 0;
	else if (good)
		good = strchr(hows, out->how) && field(&p, end, false, &cut, &cut_size) &&
		       number(cut, cut_size, &out->cut_first) && field(&p, end, false, &out->first, &out->first_size) &&
		       field(&p, end, false, &cut, &cut_size) && number(cut, cut_size, &out->cut_last) &&
		       field(&p, end, true, &out->last, &out->last_size);
	return good ? 0 : hp_fail(err, "%s: '%.*s' is no script for lemmas", name, hp_utf8_shown(text, size), text);
}

/* ---- applying ---- */

typedef struct writing {
	char *out;
	size_t size, capacity;
} writing;

static void put(writing *w, const void *bytes, size_t size)
{
	if (size > 0 && w->size + size <= w->capacity)
		memcpy(w->out + w->size, bytes, size);
	w->size += size;
}

/* The characters of FORM but for those left out. */
static int count(char how, const char *form, size_t size)
{
	int n = 0;
	int32_t code;

	for (size_t i = 0; i < size;) {
		int length = hp_utf8_decode(form + i, size - i, &code);
		i += length > 0 ? (size_t)length : 1;
		n += length <= 0 || !is_left_out(how, code);
	}
	return n;
}

float hp_script_kept(const hp_script *s, const char *form, size_t size)
{
	int n = count(s->how, form, size) - s->cut_first - s->cut_last;

	return s->how == '=' || n <= 0 ? 0 : (float)n / (float)count('k', form, size);
}

size_t hp_script_apply(const hp_script *s, const char *form, size_t size, char *out, size_t capacity)
{
	writing w = {out, 0, capacity};
	int n = count(s->how, form, size), at = 0;
	int32_t code;

	put(&w, s->first, s->first_size);
	if (s->how == '=')
		return w.size;
	if (n < s->cut_first + s->cut_last)
		return 0;
	for (size_t i = 0; i < size;) {
		int length = hp_utf8_decode(form + i, size - i, &code);
		utf8proc_uint8_t one[4];

		i += length > 0 ? (size_t)length : 1;
		if (length > 0 && is_left_out(s->how, code))
			continue;
		if (length > 0 && at >= s->cut_first && at < n - s->cut_last) /* not UTF-8: never */
			put(&w, one, (size_t)utf8proc_encode_char(change_case(s->how, at == 0, code), one));
		at++;
	}
	put(&w, s->last, s->last_size);
	return w.size;
}
