/* int8.c: matrices of 8-bit numbers, and products with them.
 *
 * Weights are stored as what they are plus 64, from 1 to 127: x86 multiplies unsigned bytes with signed ones, and two such
 * products fit a sum of 16 bits (AVX2 has no better).  64 times the sum of the other factor is taken off in the end. */
#include "nn/int8.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/vmath.h"
#if defined(__x86_64__) && defined(__GNUC__) && !defined(HP_NO_CLONES)
#define HAVE_KERNELS 1
#include <immintrin.h>
#endif

enum { PANEL = 16 }; /* outputs side by side */
enum { QUAD = 4 }; /* inputs side by side: a lane of 32 bits */
enum { BYTES = PANEL * QUAD }; /* of a panel's step */
enum { WEIGHT = 63, OFFSET = 64, INPUT = 127 };
enum { LARGEST = 8192 }; /* inputs of a matrix that is rounded */
enum { TILE_ROWS = 6, TILE_PANELS = 4 };
enum { BLOCK = 48, BAND = 32 }; /* rows and panels of a task */

typedef struct hp_int8 {
	int n, k, panels, quads;
	float *scale; /* [panels × PANEL] */
	uint8_t *weight; /* [panels][quads][PANEL][QUAD], filled up with OFFSET: zeros */
} hp_int8;

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
	w->weight = aligned_alloc(BYTES, (size_t)w->panels * (size_t)w->quads * BYTES);
	if (!w->scale || !w->weight) {
		hp_int8_free(w);
		return NULL;
	}
	return w;
}

static hp_int8 *rounded(int n, int k, const float *value)
{
	int8_t row[LARGEST] = {0};
	hp_int8 *w = allocate(n, k);
	if (!w)
		return NULL;
	memset(w->weight, OFFSET, (size_t)w->panels * (size_t)w->quads * BYTES);
	for (int i = 0; i < n; i++) {
		const float *x = value + (size_t)i * (size_t)k;
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

/* Some rows of A, rounded, and what they are multiplied with. */
typedef struct rows {
	const hp_int8 *w;
	int count; /* of rows */
	int8_t q[TILE_ROWS][LARGEST]; /* filled up with zeros to whole quads */
	int32_t sum[TILE_ROWS]; /* of q */
	float scale[TILE_ROWS];
	float *c; /* the first row's results */
	ptrdiff_t ldc;
} rows;

HP_INLINE int32_t quad_of(const int8_t *q)
{
	int32_t four;
	memcpy(&four, q, sizeof four);
	return four;
}

/* The sums S [PANEL] of row R and PANEL as floats, in their place. */
HP_INLINE void finish(const rows *t, int r, int panel, const int32_t *s)
{
	int from = panel * PANEL, count = t->w->n - from < PANEL ? t->w->n - from : PANEL;
	float y[PANEL];
	for (int i = 0; i < PANEL; i++)
		y[i] = (float)(s[i] - OFFSET * t->sum[r]) * (t->scale[r] * t->w->scale[from + i]);
	float *c = t->c + r * t->ldc + from;
	if (count == PANEL)
		memcpy(c, y, sizeof y);
	else
		memcpy(c, y, (size_t)count * sizeof *y);
}

#ifdef HAVE_KERNELS
#define VNNI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))
#define AVX2 __attribute__((target("avx2")))

/* COUNT rows by PANELS panels from PANEL on. */
VNNI HP_INLINE void tile_vnni(const rows *t, int count, int panel, int panels)
{
	const uint8_t *w = t->w->weight + (size_t)panel * (size_t)t->w->quads * BYTES;
	size_t next = (size_t)t->w->quads * BYTES;
	__m512i sum[TILE_ROWS][TILE_PANELS], four[TILE_PANELS];
#pragma GCC unroll 6
	for (int r = 0; r < count; r++)
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++)
			sum[r][j] = _mm512_setzero_si512();
	for (int i = 0; i < t->w->quads; i++, w += BYTES) {
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++)
			four[j] = _mm512_load_si512(w + (size_t)j * next);
#pragma GCC unroll 6
		for (int r = 0; r < count; r++) {
			__m512i x = _mm512_set1_epi32(quad_of(t->q[r] + QUAD * i));
#pragma GCC unroll 4
			for (int j = 0; j < panels; j++)
				sum[r][j] = _mm512_dpbusd_epi32(sum[r][j], four[j], x);
		}
	}
#pragma GCC unroll 6
	for (int r = 0; r < count; r++)
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++) {
			int32_t s[PANEL];
			memcpy(s, &sum[r][j], sizeof s);
			finish(t, r, panel + j, s);
		}
}

AVX2 HP_INLINE void tile_avx2(const rows *t, int first, int count, int panel)
{
	const uint8_t *w = t->w->weight + (size_t)panel * (size_t)t->w->quads * BYTES;
	const __m256i one = _mm256_set1_epi16(1);
	__m256i sum[TILE_ROWS / 2][2];
#pragma GCC unroll 3
	for (int r = 0; r < count; r++)
		sum[r][0] = sum[r][1] = _mm256_setzero_si256();
	for (int i = 0; i < t->w->quads; i++, w += BYTES) {
		__m256i low = _mm256_load_si256((const __m256i *)w), high = _mm256_load_si256((const __m256i *)(w + BYTES / 2));
#pragma GCC unroll 3
		for (int r = 0; r < count; r++) {
			__m256i x = _mm256_set1_epi32(quad_of(t->q[first + r] + QUAD * i));
			sum[r][0] = _mm256_add_epi32(sum[r][0], _mm256_madd_epi16(_mm256_maddubs_epi16(low, x), one));
			sum[r][1] = _mm256_add_epi32(sum[r][1], _mm256_madd_epi16(_mm256_maddubs_epi16(high, x), one));
		}
	}
#pragma GCC unroll 3
	for (int r = 0; r < count; r++) {
		int32_t s[PANEL];
		memcpy(s, sum[r], sizeof s);
		finish(t, first + r, panel, s);
	}
}

VNNI static void panels_vnni(const rows *t, int from, int end)
{
#define TILES(count) \
	case count: \
		for (; end - from >= TILE_PANELS; from += TILE_PANELS) \
			tile_vnni(t, count, from, TILE_PANELS); \
		for (; from < end; from++) \
			tile_vnni(t, count, from, 1); \
		break;
	switch (t->count) {
		TILES(1)
		TILES(2)
		TILES(3)
		TILES(4)
		TILES(5)
		TILES(6)
	}
#undef TILES
}

AVX2 static void panels_avx2(const rows *t, int from, int end)
{
	for (; from < end; from++)
		for (int r = 0; r < t->count; r += TILE_ROWS / 2)
			switch (t->count - r) {
			case 1:
				tile_avx2(t, r, 1, from);
				break;
			case 2:
				tile_avx2(t, r, 2, from);
				break;
			default:
				tile_avx2(t, r, TILE_ROWS / 2, from);
				break;
			}
}
#endif

/* Rows by panels FROM ... END - 1. */
typedef void kernel(const rows *t, int from, int end);

/* NULL: this processor has no instructions with which small numbers are faster than floats. */
static kernel *best_kernel(void)
{
#ifdef HAVE_KERNELS
	if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512bw"))
		return panels_vnni;
	if (__builtin_cpu_supports("avx2"))
		return panels_avx2;
#endif
	return NULL;
}

typedef struct product {
	kernel *panels;
	const hp_int8 *w;
	int m, bands;
	const float *a;
	float *c;
	ptrdiff_t lda, ldc;
} product;

static void product_task(void *arg, int task)
{
	const product *p = arg;
	int row = task / p->bands * BLOCK, end = p->m - row < BLOCK ? p->m : row + BLOCK, from = task % p->bands * BAND;
	rows t; /* large: not initialised */
	t.w = p->w;
	t.ldc = p->ldc;
	for (; row < end; row += t.count) {
		int groups = (end - row + TILE_ROWS - 1) / TILE_ROWS;
		t.count = (end - row + groups - 1) / groups; /* of much the same height */
		for (int r = 0; r < t.count; r++) {
			const float *a = p->a + (row + r) * p->lda;
			float inverse;
			t.scale[r] = scale_of(p->w->k, a, INPUT, &inverse);
			t.sum[r] = round_row(p->w->k, a, inverse, t.q[r]);
			memset(t.q[r] + p->w->k, 0, (size_t)(QUAD * p->w->quads - p->w->k));
		}
		t.c = p->c + row * p->ldc;
		p->panels(&t, from, p->w->panels - from < BAND ? p->w->panels : from + BAND);
	}
}

int hp_params_round(hp_params *p, hp_error *err)
{
	bool done = true;
	if (!best_kernel())
		return 0;
	for (int i = 0; i < p->count && done; i++) {
		hp_param *w = &p->item[i];
		int k = w->shape[w->rank - 1];
		if (w->rank < 2 || k > LARGEST || !strncmp(w->name, "embed.", 6) || !strncmp(w->name, "charcnn.", 8))
			continue;
		hp_int8_free(w->int8);
		w->int8 = rounded((int)(w->count / (size_t)k), k, w->value);
		done = w->int8 != NULL;
	}
	for (int i = 0; i < p->count && !done; i++) { /* all or none */
		hp_int8_free(p->item[i].int8);
		p->item[i].int8 = NULL;
	}
	return done ? 0 : hp_fail_memory(err);
}

void hp_param_product(hp_pool *pool, int m, const float *a, int lda, const hp_param *w, float *c, int ldc)
{
	int k = w->shape[w->rank - 1], n = (int)(w->count / (size_t)k);
	if (!w->int8) {
		hp_gemm_rows(pool, m, n, k, a, lda, w->value, k, c, ldc);
	} else if (m > 0) {
		product p = {best_kernel(), w->int8, m, (w->int8->panels + BAND - 1) / BAND, a, c, lda, ldc};
		hp_pool_run(pool, (m + BLOCK - 1) / BLOCK * p.bands, product_task, &p);
	}
}
