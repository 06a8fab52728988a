/* int8.c: matrices of 8-bit numbers, and products with them by the kernel that fits the processor. */
#include "nn/int8.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "nn/digits.h"
#include "nn/gemm.h"
#include "nn/int8_kernels.h"
#include "nn/processor.h"
#include "nn/vmath.h"

enum { WEIGHT = 63, INPUT = 127 }; /* the largest numbers */
enum { ROOM = 64 << 10 }; /* bytes of rounded rows: they stay in the second-level cache */
enum { BLOCK = 64 }; /* rows of a task at most */
enum { FEW_PANELS = 8 }; /* not worth another task, which rounds the rows once more */

/* ---- rounding ---- */

HP_CLONES int32_t hp_int8_largest(int k, const float *x)
{
	int32_t most = 0;
	for (int i = 0; i < k; i++) {
		int32_t bits;
		memcpy(&bits, x + i, sizeof bits);
		bits &= INT32_MAX;
		most = bits > most ? bits : most;
	}
	return most;
}

float hp_int8_scale(int32_t bits, int levels, float *inverse)
{
	float most;
	memcpy(&most, &bits, sizeof most);
	*inverse = most > 1e-30f && most <= FLT_MAX ? (float)levels / most : 0;
	return most <= FLT_MAX ? most / (float)levels : NAN;
}

HP_INLINE int32_t nearest(float x)
{
	float shifted = x + 12582912.0f; /* 1.5 × 2^23 */
	int32_t bits;
	memcpy(&bits, &shifted, sizeof bits);
	return bits - 0x4B400000;
}

/* Q [k] = X · INVERSE, rounded; returns their sum. */
HP_CLONES static int32_t round_row(int k, const float *x, float inverse, int8_t *q)
{
	int32_t sum = 0;
	if (inverse == 0.0f) {
		memset(q, 0, (size_t)k);
		return 0;
	}
	for (int i = 0; i < k; i++) {
		int32_t v = nearest(x[i] * inverse);
		q[i] = (int8_t)v;
		sum += v;
	}
	return sum;
}

static size_t scale_bytes(const hp_int8 *w)
{
	return (size_t)w->panels * PANEL * sizeof(float);
}

static size_t weight_bytes(const hp_int8 *w)
{
	return ((size_t)w->panels * (size_t)w->quads + TILE_ROWS - 1) * BYTES;
}

/* Of an input, rounded. */
static int row_bytes(int k)
{
	return (k + TILE_BYTES - 1) / TILE_BYTES * TILE_BYTES;
}

static hp_int8 shape_of(const hp_param *p)
{
	int k = p->shape[p->rank - 1], n = (int)(p->count / (size_t)k);
	return (hp_int8){.n = n, .k = k, .panels = (n + PANEL - 1) / PANEL, .quads = (k + QUAD - 1) / QUAD};
}

/* W's numbers and scales from P's. */
static void round_matrix(const hp_int8 *w, const hp_param *p)
{
	int8_t row[LARGEST] = {0};
	float wide[LARGEST]; /* large: not initialised */
	size_t k = (size_t)w->k;
	memset(w->scale, 0, scale_bytes(w));
	memset(w->weight, OFFSET, weight_bytes(w));
	for (int i = 0; i < w->n; i++) {
		const float *x = wide;
		if (p->half)
			hp_halves_to_floats(k, p->half + (size_t)i * k, wide);
		else
			x = p->value + (size_t)i * k;
		uint8_t *out = w->weight + (size_t)(i / PANEL) * (size_t)w->quads * BYTES + (size_t)(i % PANEL) * QUAD;
		float inverse;
		w->scale[i] = hp_int8_scale(hp_int8_largest(w->k, x), WEIGHT, &inverse);
		round_row(w->k, x, inverse, row);
		for (size_t j = 0; j < k; j++)
			row[j] = (int8_t)(row[j] + OFFSET);
		for (int j = 0; j < w->quads; j++)
			memcpy(out + (size_t)j * BYTES, row + QUAD * j, QUAD);
	}
}

/* ---- products ---- */

hp_int8_kernel *hp_int8_best_kernel(void)
{
#ifdef HP_INT8_TILES
	if (hp_processor_has(HP_AMX_INT8))
		return hp_int8_amx;
#endif
#ifdef HP_INT8_KERNELS
	if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512bw"))
		return hp_int8_vnni;
	if (__builtin_cpu_supports("avx2"))
		return hp_int8_avx2;
#endif
	return NULL;
}

typedef struct products {
	hp_int8_kernel *panels;
	hp_matrix a;
	int count;
	const hp_param *const *w; /* all of them rounded */
	const hp_matrix *c;
	hp_cut cut;
} products;

hp_cut hp_cut_make(int m, int most_rows, int panels, int threads)
{
	hp_cut c = {.m = m, .panels = panels, .rows = most_rows, .blocks = (m + most_rows - 1) / most_rows};
	int most = panels / FEW_PANELS;
	c.parts = c.blocks >= 4 * threads ? 1 : threads;
	c.parts = c.parts <= most ? c.parts : most > 0 ? most : 1;
	return c;
}

hp_piece hp_cut_piece(const hp_cut *c, int task)
{
	int part = task / c->blocks, row = task % c->blocks * c->rows;
	return (hp_piece){.row = row,
	                  .rows = c->m - row < c->rows ? c->m - row : c->rows,
	                  .from = (int)((int64_t)c->panels * part / c->parts),
	                  .end = (int)((int64_t)c->panels * (part + 1) / c->parts)};
}

/* Rounds the rows of A that are T's. */
static void round_rows(hp_matrix a, int8_t *q, int32_t *sum, float *scale, const hp_int8_rows *t)
{
	for (int r = 0; r < t->count; r++) {
		const float *x = hp_row(a, r);
		int8_t *to = q + r * t->stride;
		float inverse;
		scale[r] = hp_int8_scale(hp_int8_largest(a.cols, x), INPUT, &inverse);
		sum[r] = round_row(a.cols, x, inverse, to);
		memset(to + a.cols, 0, (size_t)(t->stride - a.cols));
	}
}

static void products_task(void *arg, int task)
{
	const products *p = arg;
	int8_t q[ROOM] __attribute__((aligned(BYTES))); /* large: not initialised */
	int32_t sum[BLOCK];
	float scale[BLOCK];
	hp_piece piece = hp_cut_piece(&p->cut, task);
	hp_int8_rows t = {.stride = row_bytes(p->a.cols), .q = q, .sum = sum, .scale = scale, .count = piece.rows};
	round_rows(hp_some_rows(p->a, piece.row, t.count), q, sum, scale, &t);
	for (int i = 0; i < p->count; i++) {
		t.w = p->w[i]->int8;
		t.c = hp_some_rows(p->c[i], piece.row, t.count);
		int first = piece.from > 0 ? piece.from : 0, last = piece.end < t.w->panels ? piece.end : t.w->panels;
		if (first < last)
			p->panels(&t, first, last);
		piece.from -= t.w->panels;
		piece.end -= t.w->panels;
	}
}

static bool is_rounded(const hp_param *p)
{
	return hp_param_multiplies(p) && p->shape[p->rank - 1] <= LARGEST;
}

/* The bytes of P's matrices behind each other. */
static size_t all_bytes(const hp_params *p)
{
	size_t size = 0;
	for (int i = 0; i < p->count; i++) {
		hp_int8 w = shape_of(&p->item[i]);
		if (is_rounded(&p->item[i]))
			size += hp_in_lines(sizeof w) + hp_in_lines(scale_bytes(&w)) + hp_in_lines(weight_bytes(&w));
	}
	return size;
}

_Static_assert((int)HP_HALF_DEPTH <= (int)LARGEST, "matrices of halves that are not rounded");

/* Of P, which is rounded. */
static void free_halves(hp_params *p)
{
	for (int i = 0; i < p->count; i++) {
		p->rounded_alone |= p->item[i].half != NULL;
		p->item[i].half = NULL;
	}
	free(p->copies);
	p->copies = NULL;
}

int hp_params_round(hp_params *p, hp_error *err)
{
	if (!hp_int8_best_kernel() || p->rounded_alone)
		return 0;
	for (int i = 0; i < p->count; i++)
		p->item[i].int8 = NULL;
	free(p->rounded);
	hp_params_unsplit(p);
	size_t size = all_bytes(p);
	uint8_t *to = p->rounded = hp_pages_new(size);
	if (!to && size > 0)
		return hp_fail_memory(err);
	for (int i = 0; i < p->count; i++) {
		hp_param *q = &p->item[i];
		if (!is_rounded(q))
			continue;
		hp_int8 *w = q->int8 = (hp_int8 *)to;
		*w = shape_of(q);
		w->scale = (void *)(to += hp_in_lines(sizeof *w));
		w->weight = to += hp_in_lines(scale_bytes(w));
		to += hp_in_lines(weight_bytes(w));
		round_matrix(w, q);
	}
	free_halves(p);
	return 0;
}

void hp_param_products(hp_pool *pool, hp_matrix a, int count, const hp_param *const *w, const hp_matrix *c)
{
	products p = {.a = a, .count = count, .w = w, .c = c};
	int panels = 0;
	bool split = false;
	for (int i = 0; i < count; i++)
		if (w[i]->int8)
			panels += w[i]->int8->panels;
		else if (w[i]->digits)
			split = true;
		else if (w[i]->half)
			hp_gemm_half(pool, a, w[i]->half, c[i]);
		else
			hp_gemm_rows(pool, a, hp_param_values(w[i]), c[i]);
	if (split)
		hp_digits_products(pool, a, count, w, c);
	if (!panels || a.rows <= 0)
		return;
	int most = ROOM / row_bytes(a.cols);
	p.panels = hp_int8_best_kernel();
	p.cut = hp_cut_make(a.rows, most < BLOCK ? most : BLOCK, panels, hp_pool_threads(pool));
	hp_pool_run(pool, p.cut.blocks * p.cut.parts, products_task, &p);
}

void hp_param_product(hp_pool *pool, hp_matrix a, const hp_param *w, hp_matrix c)
{
	hp_param_products(pool, a, 1, &w, &c);
}
