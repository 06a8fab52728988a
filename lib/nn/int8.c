/* int8.c: matrices of 8-bit numbers, and products with them by the kernel that fits the processor. */
#include "nn/int8.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/int8_kernels.h"
#include "nn/processor.h"
#include "nn/vmath.h"

enum { WEIGHT = 63, INPUT = 127 }; /* the largest numbers */
enum { ROOM = 64 << 10 }; /* bytes of rounded rows: they stay in the second-level cache */
enum { BLOCK = 64, BAND = 32 }; /* rows of a task at most, and panels */
enum { ENOUGH = 8 }; /* tasks: panels are not shared out */

/* ---- rounding ---- */

/* The largest magnitude, as its bits, which are in the order of the numbers: infinity and what is no number come last. */
HP_CLONES static int32_t largest(int k, const float *x)
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

/* Rounds X to whole numbers of ± LEVELS times what is returned. */
static float scale_of(int k, const float *x, int levels, float *inverse)
{
	int32_t bits = largest(k, x);
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

void hp_int8_free(hp_int8 *w)
{
	if (!w)
		return;
	free(w->scale);
	free(w->weight);
	free(w);
}

static size_t weight_bytes(const hp_int8 *w)
{
	return ((size_t)w->panels * (size_t)w->quads + TILE_ROWS - 1) * BYTES;
}

/* Of an input, rounded. */
static int row_bytes(const hp_int8 *w)
{
	return (w->k + TILE_BYTES - 1) / TILE_BYTES * TILE_BYTES;
}

static hp_int8 *allocate(int n, int k)
{
	hp_int8 *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->n = n;
	w->k = k;
	w->panels = (n + PANEL - 1) / PANEL;
	w->quads = (k + QUAD - 1) / QUAD;
	w->scale = calloc((size_t)w->panels * PANEL, sizeof *w->scale);
	w->weight = aligned_alloc(BYTES, weight_bytes(w));
	if (!w->scale || !w->weight) {
		hp_int8_free(w);
		return NULL;
	}
	return w;
}

static hp_int8 *rounded(int n, int k, const hp_param *p)
{
	int8_t row[LARGEST] = {0};
	float wide[LARGEST]; /* large: not initialised */
	hp_int8 *w = allocate(n, k);
	if (!w)
		return NULL;
	memset(w->weight, OFFSET, weight_bytes(w));
	for (int i = 0; i < n; i++) {
		const float *x = wide;
		if (p->half)
			hp_halves_to_floats((size_t)k, p->half + (size_t)i * (size_t)k, wide);
		else
			x = p->value + (size_t)i * (size_t)k;
		uint8_t *out = w->weight + (size_t)(i / PANEL) * (size_t)w->quads * BYTES + (size_t)(i % PANEL) * QUAD;
		float inverse;
		w->scale[i] = scale_of(k, x, WEIGHT, &inverse);
		round_row(k, x, inverse, row);
		for (int j = 0; j < k; j++)
			row[j] = (int8_t)(row[j] + OFFSET);
		for (int j = 0; j < w->quads; j++)
			memcpy(out + (size_t)j * BYTES, row + QUAD * j, QUAD);
	}
	return w;
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

typedef struct product {
	hp_int8_kernel *panels;
	const hp_int8 *w;
	hp_matrix a, c;
	int rows, bands; /* rows of a task; parts that their panels are cut into */
} product;

static void product_task(void *arg, int task)
{
	const product *p = arg;
	int8_t q[ROOM] __attribute__((aligned(BYTES))); /* large: not initialised */
	int32_t sum[BLOCK];
	float scale[BLOCK];
	int row = task / p->bands * p->rows, from = task % p->bands * BAND, k = p->w->k;
	hp_int8_rows t = {.w = p->w, .stride = row_bytes(p->w), .q = q, .sum = sum, .scale = scale};
	t.count = p->c.rows - row < p->rows ? p->c.rows - row : p->rows;
	t.c = hp_some_rows(p->c, row, t.count);
	for (int r = 0; r < t.count; r++) {
		const float *a = hp_row(p->a, row + r);
		int8_t *to = q + r * t.stride;
		float inverse;
		scale[r] = scale_of(k, a, INPUT, &inverse);
		sum[r] = round_row(k, a, inverse, to);
		memset(to + k, 0, (size_t)(t.stride - k));
	}
	p->panels(&t, from, p->bands == 1 || p->w->panels - from < BAND ? p->w->panels : from + BAND);
}

int hp_params_round(hp_params *p, hp_error *err)
{
	bool done = true;
	if (!hp_int8_best_kernel())
		return 0;
	for (int i = 0; i < p->count && done; i++) {
		hp_param *w = &p->item[i];
		int k = w->shape[w->rank - 1];
		if (!hp_param_multiplies(w) || k > LARGEST)
			continue;
		hp_int8_free(w->int8);
		w->int8 = rounded((int)(w->count / (size_t)k), k, w);
		done = w->int8 != NULL;
	}
	for (int i = 0; i < p->count && !done; i++) { /* all or none */
		hp_int8_free(p->item[i].int8);
		p->item[i].int8 = NULL;
	}
	return done ? 0 : hp_fail_memory(err);
}

void hp_param_product(hp_pool *pool, hp_matrix a, const hp_param *w, hp_matrix c)
{
	if (!w->int8 && w->half) {
		hp_gemm_half(pool, a, w->half, c);
	} else if (!w->int8) {
		hp_gemm_rows(pool, a, hp_param_values(w), c);
	} else if (c.rows > 0) {
		product p = {.panels = hp_int8_best_kernel(), .w = w->int8, .a = a, .c = c};
		p.rows = ROOM / row_bytes(w->int8) < BLOCK ? ROOM / row_bytes(w->int8) : BLOCK;
		int blocks = (c.rows + p.rows - 1) / p.rows;
		p.bands = blocks >= ENOUGH ? 1 : (w->int8->panels + BAND - 1) / BAND;
		hp_pool_run(pool, blocks * p.bands, product_task, &p);
	}
}
