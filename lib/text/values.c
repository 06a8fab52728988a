/* values.c: a sentence written with other values in some of its columns, and attributes in MISC. */
#include "text/values.h"

#include <string.h>

enum { PROB_DIGITS = 10000, MOST = 8 };

static void put(FILE *out, const char *bytes, size_t size)
{
	(void)fwrite_unlocked(bytes, 1, size, out); /* ferror is asked at the end */
}

/* ---- MISC ---- */

/* "ArcProb=0.1234" by hand: printf's decimal point depends on the locale. */
void hp_misc_write_prob(FILE *out, const char *key, float p)
{
	char text[64];
	int n = p >= 1.0f ? PROB_DIGITS : p > 0.0f ? (int)((double)p * PROB_DIGITS + 0.5) : 0; /* NaN: 0 */
	int size = snprintf(text, sizeof(text), "%s=%d.%04d", key, n / PROB_DIGITS, n % PROB_DIGITS);

	put(out, text, size);
}

static bool has_key(const char *item, size_t size, int count, const char *const *key)
{
	for (int i = 0; i < count; i++) {
		size_t length = strlen(key[i]);

		if (size > length && memcmp(item, key[i], length) == 0 && item[length] == '=')
			return true;
	}
	return false;
}

const char *hp_misc_find(const hp_word *row, const char *name, size_t *size)
{
	return hp_misc_find_next(row, row->col[HP_MISC], name, size);
}

const char *hp_misc_find_next(const hp_word *row, const char *at, const char *name, size_t *size)
{
	const char *end = row->col[HP_MISC] + row->len[HP_MISC];
	size_t length = strlen(name);

	while (at < end) {
		const char *bar = memchr(at, '|', (size_t)(end - at)), *stop = bar ? bar : end;
		if ((size_t)(stop - at) > length && !memcmp(at, name, length) && at[length] == '=') {
			*size = (size_t)(stop - at) - length - 1;
			return at + length + 1;
		}
		at = stop + 1;
	}
	return NULL;
}

bool hp_misc_write_others(FILE *out, const char *misc, size_t size, int count, const char *const *key)
{
	const char *end = misc + size;
	bool any = false;

	if (size == 0 || (size == 1 && *misc == '_'))
		return false;
	while (misc <= end) {
		const char *bar = memchr(misc, '|', end - misc), *stop = bar ? bar : end;

		if (!has_key(misc, stop - misc, count, key)) {
			if (any)
				put(out, "|", 1);
			put(out, misc, stop - misc);
			any = true;
		}
		misc = stop + 1;
	}
	return any;
}

void hp_misc_write(FILE *out, const char *text, size_t size, int count, const char *const *key,
                   const float *const *prob)
{
	bool any = hp_misc_write_others(out, text, size, count, key);

	for (int i = 0; i < count; i++) {
		if (!prob[i])
			continue;
		if (any)
			put(out, "|", 1);
		hp_misc_write_prob(out, key[i], *prob[i]);
		any = true;
	}
	if (!any && size > 0)
		put(out, "_", 1);
}

bool hp_row_is_conllx(const hp_word *w)
{
	for (uint32_t i = 0; i < w->len[HP_DEPS]; i++)
		if (w->col[HP_DEPS][i] < '0' || w->col[HP_DEPS][i] > '9')
			return false;
	return w->len[HP_DEPS] > 0 && !memchr(w->col[HP_MISC], '=', w->len[HP_MISC]);
}

/* ---- rows ---- */

typedef struct writing {
	const hp_columns *columns;
	int count;
	const hp_new_column *column;
	bool probs;
	FILE *out;
} writing;

static void put_misc(const writing *w, const char *misc, size_t size, const hp_new_value *value)
{
	const char *key[MOST];
	const float *prob[MOST];

	for (int i = 0; i < w->count; i++) {
		key[i] = w->column[i].key;
		prob[i] = value[i].text && w->columns->at[w->column[i].column] >= 0 ? &value[i].prob : NULL;
	}
	hp_misc_write(w->out, misc, size, w->count, key, prob);
}

/* The new value of column number AT of a row, or NULL. */
static const hp_new_value *value_at(const writing *w, int at, const hp_new_value *value)
{
	for (int i = 0; i < w->count; i++)
		if (value[i].text && w->columns->at[w->column[i].column] == at)
			return &value[i];
	return NULL;
}

/* The row from P to END. */
static void put_row(const writing *w, const char *p, const char *end, bool misc, const hp_new_value *value)
{
	for (int at = 0;; at++) {
		const char *tab = memchr(p, '\t', end - p), *stop = tab ? tab : end;
		const hp_new_value *new = value_at(w, at, value);

		if (new)
			put(w->out, new->text, new->size);
		else if (misc && at == w->columns->at[HP_MISC])
			put_misc(w, p, stop - p, value);
		else
			put(w->out, p, stop - p);
		if (!tab)
			return;
		put(w->out, "\t", 1);
		p = tab + 1;
	}
}

int hp_sentence_write_values(const hp_sentence *s, int count, const hp_new_column *columns, const hp_new_value *value,
                             bool probs, FILE *out, hp_error *err)
{
	const writing w = {&s->columns, count, columns, probs, out};
	const char *p = s->text, *end = p + s->size;
	bool failed;

	if (s->size == 0)
		return 0;
	flockfile(out);
	for (int i = 0; i < s->words; i++, value += count) {
		const hp_word *word = &s->word[i];
		const char *before = memrchr(p, '\n', word->col[HP_ID] - p), *row = before ? before + 1 : p;
		const char *row_end = memchr(word->col[HP_ID], '\n', end - word->col[HP_ID]);

		put(out, p, row - p);
		put_row(&w, row, row_end, probs && !(s->columns.plain && hp_row_is_conllx(word)), value);
		p = row_end;
	}
	put(out, p, end - p);
	put(out, "\n", 1);
	failed = ferror_unlocked(out);
	funlockfile(out);
	return failed ? hp_fail_errno(err, "output") : 0;
}
