/* counter.c: counting strings. */
#include "train/counter.h"

#include <stdlib.h>
#include <string.h>

typedef struct counted {
	const char *s;
	size_t size;
	int32_t count;
} counted;

int hp_counter_init(hp_counter *t, hp_error *err)
{
	memset(t, 0, sizeof *t);
	t->strings = hp_vocab_new();
	return t->strings ? 0 : hp_fail_memory(err);
}

void hp_counter_free(hp_counter *t)
{
	hp_vocab_destroy(t->strings);
	free(t->count);
	memset(t, 0, sizeof *t);
}

int hp_counter_add(hp_counter *t, const char *s, size_t size, hp_error *err)
{
	int id = hp_vocab_add(t->strings, s, size);

	if (id < 0)
		return hp_fail_memory(err);
	if (id >= t->capacity) {
		int capacity = t->capacity ? 2 * t->capacity : 1024;
		int32_t *count = realloc(t->count, (size_t)capacity * sizeof *count);
		if (!count)
			return hp_fail_memory(err);
		memset(count + t->capacity, 0, (size_t)(capacity - t->capacity) * sizeof *count);
		t->count = count;
		t->capacity = capacity;
	}
	if (t->count[id] < INT32_MAX)
		t->count[id]++;
	return 0;
}

static int by_count(const void *pa, const void *pb)
{
	const counted *a = pa, *b = pb;
	size_t shorter = a->size < b->size ? a->size : b->size;
	int order;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	order = memcmp(a->s, b->s, shorter);
	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static bool is_special(const counted *c)
{
	return (c->size == strlen(HP_ROOT_NAME) && memcmp(c->s, HP_ROOT_NAME, c->size) == 0) ||
	       (c->size == strlen(HP_UNKNOWN_NAME) && memcmp(c->s, HP_UNKNOWN_NAME, c->size) == 0);
}

/* Adds ITEM[0..N) and the special names to V; their counts go to COUNT. */
static int fill(hp_vocab *v, const counted *item, int n, bool special, int32_t *count)
{
	int id = 0;

	if (special) {
		if (hp_vocab_add(v, HP_ROOT_NAME, strlen(HP_ROOT_NAME)) != HP_ID_ROOT ||
		    hp_vocab_add(v, HP_UNKNOWN_NAME, strlen(HP_UNKNOWN_NAME)) != HP_ID_UNKNOWN)
			return HP_FAIL;
		id = 2;
		count[HP_ID_ROOT] = count[HP_ID_UNKNOWN] = 0;
	}
	for (int i = 0; i < n; i++) {
		if (special && is_special(&item[i]))
			continue;
		if (hp_vocab_add(v, item[i].s, item[i].size) != id)
			return HP_FAIL;
		count[id++] = item[i].count;
	}
	return 0;
}

int hp_counter_vocab(const hp_counter *t, int32_t min, bool special, hp_vocab **out, int32_t **count, hp_error *err)
{
	int all = hp_vocab_count(t->strings), n = 0, status = HP_FAIL;
	counted *item = calloc((size_t)all + 1, sizeof *item);
	int32_t *counts = calloc((size_t)all + 3, sizeof *counts);
	hp_vocab *v = hp_vocab_new();

	if (item && counts && v) {
		for (int i = 0; i < all; i++) {
			item[n].s = hp_vocab_at(t->strings, i, &item[n].size);
			item[n].count = t->count[i];
			n += t->count[i] >= min;
		}
		qsort(item, (size_t)n, sizeof *item, by_count);
		status = fill(v, item, n, special, counts);
	}
	free(item);
	if (status != 0) {
		hp_vocab_destroy(v);
		free(counts);
		return hp_fail_memory(err);
	}
	*out = v;
	if (count)
		*count = counts;
	else
		free(counts);
	return 0;
}
