/* characters.c: words to vectors by their characters. */
#include "elmo/weights.h"

#include <stdlib.h>
#include <string.h>
#include "nn/gemm.h"
#include "nn/vmath.h"

enum { ROWS = 128, BLOCK = 256 }; /* words and filters at a time */

/* Of one block of words. */
typedef struct work {
	const hp_elmo *e;
	int layer;
	const hp_elmo_item **words; /* [ROWS] different ones */
	int32_t *characters; /* [ROWS × longest] */
	float *x, *t, *g; /* [ROWS × F] */
	float *y; /* [ROWS × P] */
} work;

static bool is(const hp_elmo_word *w, const char *text)
{
	return w->size == strlen(text) && w->text && memcmp(w->text, text, w->size) == 0;
}

hp_elmo_item hp_elmo_item_of(const hp_elmo_word *word, size_t row)
{
	if (is(word, "<S>"))
		return (hp_elmo_item){NULL, HP_ELMO_SENTENCE, row};
	if (is(word, "</S>"))
		return (hp_elmo_item){NULL, HP_ELMO_SENTENCE_END, row};
	return (hp_elmo_item){word->text ? word->text : "", word->text ? word->size : 0, row};
}

/* A word's characters, without the padding; returns how many. */
static int spell(const hp_elmo *e, const hp_elmo_item *item, int32_t *c)
{
	size_t size = item->size, most = (size_t)e->longest - 2;
	int n = 0;

	c[n++] = HP_ELMO_WORD;
	if (!item->text)
		c[n++] = (int32_t)size;
	for (size_t i = 0; item->text && i < size && i < most; i++)
		c[n++] = (unsigned char)item->text[i];
	c[n++] = HP_ELMO_WORD_END;
	return n;
}

HP_CLONES static void keep_larger(int n, const float *restrict x, float *restrict top)
{
	for (int f = 0; f < n; f++)
		top[f] = x[f] > top[f] ? x[f] : top[f];
}

HP_CLONES static void relu(int n, float *x)
{
	for (int f = 0; f < n; f++)
		x[f] = x[f] < 0.0f ? 0.0f : x[f];
}

/* N filters of a group, from number FROM on -> y [n].  Every window that lies in the padding gives the same: one is
 * computed, where there is one. */
static void filter(const hp_elmo_filters *g, int longest, int length, const int32_t *characters, int from, int n,
                   float *y)
{
	float sum[BLOCK];
	int width = g->cnn.window, last = length < longest - width ? length : longest - width;

	for (int j = 0; j <= last; j++) {
		float *x = j ? sum : y;
		memcpy(x, g->cnn.b + from, n * sizeof(float));
		for (int k = 0; k < width; k++) {
			int c = j + k < length ? characters[j + k] : HP_ELMO_PADDING;
			hp_vec_add(n, g->table + ((size_t)c * width + k) * g->cnn.filters + from, x);
		}
		if (j)
			keep_larger(n, sum, y);
	}
}

static void filter_task(void *arg, int task)
{
	const work *w = arg;
	const hp_elmo *e = w->e;
	int32_t *characters = w->characters + (size_t)task * e->longest;
	int length = spell(e, w->words[task], characters);
	float *x = w->x + (size_t)task * e->filters, *y = x;

	for (int i = 0; i < e->groups; i++) {
		int filters = e->group[i].cnn.filters;
		for (int from = 0; from < filters; from += BLOCK) {
			int n = filters - from < BLOCK ? filters - from : BLOCK;
			filter(&e->group[i], e->longest, length, characters, from, n, y + from);
		}
		y += filters;
	}
	if (e->tanh)
		hp_vec_tanh(e->filters, x);
	else
		relu(e->filters, x);
}

/* x = g · relu(t) + (1 - g) · x, after the biases; g = σ(carry) */
HP_CLONES static void highway(int n, const float *restrict t, const float *restrict t_bias, const float *restrict g,
                              const float *restrict g_bias, float *restrict x)
{
	for (int f = 0; f < n; f++) {
		float v = t[f] + t_bias[f], c = hp_sigmoid(g[f] + g_bias[f]);
		v = v < 0.0f ? 0.0f : v;
		x[f] = c * v + (1.0f - c) * x[f];
	}
}

static void highway_task(void *arg, int task)
{
	const work *w = arg;
	const hp_elmo_highway *h = &w->e->highway[w->layer];
	size_t n = w->e->filters, at = (size_t)task * n;

	highway((int)n, w->t + at, h->transform_bias, w->g + at, h->carry_bias, w->x + at);
}

/* COUNT different words -> w->y. */
static void compute(work *w, hp_pool *pool, int count)
{
	const hp_elmo *e = w->e;
	int n = e->filters;
	size_t p = e->projection;
	hp_matrix x = hp_matrix_of(w->x, count, n);

	hp_pool_run(pool, count, filter_task, w);
	for (w->layer = 0; w->layer < e->highways; w->layer++) {
		const hp_elmo_highway *h = &e->highway[w->layer];
		hp_gemm_rows(pool, x, hp_matrix_of(h->transform, n, n), hp_matrix_of(w->t, count, n));
		hp_gemm_rows(pool, x, hp_matrix_of(h->carry, n, n), hp_matrix_of(w->g, count, n));
		hp_pool_run(pool, count, highway_task, w);
	}
	hp_gemm_rows(pool, x, hp_matrix_of(e->project, p, n), hp_matrix_of(w->y, count, p));
	for (int i = 0; i < count; i++)
		hp_vec_add(p, e->project_bias, w->y + i * p);
}

static int compare(const void *a, const void *b)
{
	const hp_elmo_item *x = a, *y = b;

	if (!x->text != !y->text)
		return x->text ? 1 : -1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->text && x->size ? memcmp(x->text, y->text, x->size) : 0;
}

int hp_elmo_characters(const hp_elmo *e, hp_pool *pool, hp_arena *scratch, int count, hp_elmo_item *items, float *out,
                       hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	size_t cells = ROWS * (size_t)e->filters, P = e->projection;
	work w = {.e = e};

	w.words = HP_NEW(scratch, const hp_elmo_item *, ROWS);
	w.characters = HP_NEW(scratch, int32_t, ROWS * (size_t)e->longest);
	w.x = HP_NEW(scratch, float, cells);
	w.t = HP_NEW(scratch, float, cells);
	w.g = HP_NEW(scratch, float, cells);
	w.y = HP_NEW(scratch, float, ROWS * P);
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	qsort(items, count, sizeof(*items), compare);
	for (int first = 0, next; first < count; first = next) {
		int different = 0;
		for (next = first; next < count; next++) {
			bool known = next > first && compare(&items[next - 1], &items[next]) == 0;
			if (!known && different == ROWS)
				break;
			if (!known)
				w.words[different++] = &items[next];
		}
		compute(&w, pool, different);
		int word = -1;
		for (int i = first; i < next; i++) {
			word += word + 1 < different && &items[i] == w.words[word + 1];
			memcpy(out + items[i].row * P, w.y + word * P, P * sizeof(float));
		}
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
