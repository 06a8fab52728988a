/* gemm_rows.c: products of few rows, as in a step of a decoder or of an LSTM, and all products of parsing.
 *
 * OpenBLAS copies both matrices into an order of its own.  Where a few rows are multiplied with a large matrix that costs
 * more than the product.  Here they are multiplied as they lie.  What an element of C sums, and in which order, depends
 * on its row, its column and k alone. */
#include "nn/gemm.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "io/safetensors.h"
#include "nn/vmath.h"

enum { COLUMNS = 4 };
enum { BLOCK = 48, BAND = 512 }; /* rows and columns of a task: A's stay in the second-level cache while B passes by */
enum { FEW = 64 }; /* rows: with more, OpenBLAS's copies pay */
enum { FEW_HALVES = 3 }; /* rows */
enum { WIDEST = 16 }; /* floats of the largest vector */

typedef float quad __attribute__((vector_size(COLUMNS * sizeof(float))));

typedef struct product {
	bool plain; /* B is [k × n], a multiple of WIDEST columns; else [n × k] */
	bool add; /* to what C holds */
	bool near; /* B is in the first-level cache */
	int m, n, k;
	const float *a, *b;
	const uint16_t *half; /* in place of B */
	float *c;
	ptrdiff_t lda, ldb, ldc;
	int bands;
} product;

/* A row of C = A · Bᵀ where k is less than a vector. */
static void narrow(const product *p, int row, int column, int count)
{
	const float *a = p->a + row * p->lda;
	float *c = p->c + row * p->ldc + column;
	for (int j = 0; j < count; j++) {
		const float *b = p->b + (column + j) * p->ldb;
		float sum = 0;
		for (int i = 0; i < p->k; i++)
			sum += a[i] * b[i];
		c[j] = p->add ? c[j] + sum : sum;
	}
}

#define LANES 4
#ifdef __x86_64__
#define ROWS 3
#else
#define ROWS 4
#endif
#define KIND default
#define TARGET HP_TIGHT
#include "nn/gemm_tile.h"

#ifdef HP_HAVE_CLONES
#include <immintrin.h>

#define LANES 8
#define ROWS 3
#define KIND v3
#define TARGET __attribute__((target("arch=x86-64-v3"))) HP_TIGHT
#define WIDEN(b) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(b)))
#include "nn/gemm_tile.h"

#define LANES 16
#define ROWS 6
#define KIND v4
#define TARGET __attribute__((target("arch=x86-64-v4"))) HP_TIGHT
#define WIDEN(b) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(b)))
#include "nn/gemm_tile.h"
#endif

static void block(const product *p, int from, int end, int left, int right)
{
#ifdef HP_HAVE_CLONES
	if (__builtin_cpu_supports("x86-64-v4")) {
		block_v4(p, from, end, left, right);
		return;
	}
	if (__builtin_cpu_supports("x86-64-v3")) {
		block_v3(p, from, end, left, right);
		return;
	}
#endif
	block_default(p, from, end, left, right);
}

bool hp_gemm_wide(void)
{
#ifdef HP_HAVE_CLONES
	return __builtin_cpu_supports("x86-64-v4");
#else
	return false;
#endif
}

/* Whether so few rows of A are best multiplied with halves that are widened on the way to the registers. */
static bool few_halves(const product *p, int rows)
{
#ifdef HP_HAVE_CLONES
	return rows <= FEW_HALVES && p->k >= WIDEST && __builtin_cpu_supports("x86-64-v3");
#else
	(void)p;
	(void)rows;
	return false;
#endif
}

/* Like block.  A tile's rows of B are widened once for all rows of A: they stay in the first-level cache. */
static void half_block(const product *p, int from, int end, int left, int right)
{
	float b[COLUMNS * HP_HALF_DEPTH] __attribute__((aligned(64))); /* large: not initialised */
	for (int j = left; j < right; j += COLUMNS) {
		int count = right - j < COLUMNS ? right - j : COLUMNS;
		product tile = *p;
		tile.half = NULL;
		tile.near = true;
		hp_halves_to_floats((size_t)count * (size_t)p->k, p->half + (ptrdiff_t)j * p->k, b);
		tile.b = b;
		tile.c = p->c + j;
		block(&tile, from, end, 0, count);
	}
}

static void block_task(void *arg, int task)
{
	const product *p = arg;
	int from = task / p->bands * BLOCK, end = p->m - from < BLOCK ? p->m : from + BLOCK;
	int left = task % p->bands * BAND, right = p->n - left < BAND ? p->n : left + BAND;
	if (p->half && !few_halves(p, end - from))
		half_block(p, from, end, left, right);
	else
		block(p, from, end, left, right);
}

static void run(hp_pool *pool, hp_matrix a, hp_matrix w, const uint16_t *half, hp_matrix c)
{
	if (c.rows <= 0 || c.cols <= 0)
		return;
	product p = {.m = c.rows, .n = c.cols, .k = a.cols, .a = a.data, .b = w.data, .half = half, .c = c.data};
	p.lda = a.stride;
	p.ldb = w.stride;
	p.ldc = c.stride;
	p.bands = (c.cols + BAND - 1) / BAND;
	hp_pool_run(pool, (c.rows + BLOCK - 1) / BLOCK * p.bands, block_task, &p);
}

void hp_gemm_rows(hp_pool *pool, hp_matrix a, hp_matrix w, hp_matrix c)
{
	run(pool, a, w, NULL, c);
}

void hp_gemm_half(hp_pool *pool, hp_matrix a, const uint16_t *w, hp_matrix c)
{
	run(pool, a, hp_matrix_of(NULL, c.cols, a.cols), w, c);
}

bool hp_gemm_few(const hp_product *j)
{
	if (j->ta || j->c.rows > FEW || (!j->tb && j->c.cols % WIDEST != 0))
		return false;
	product p = {.plain = !j->tb,
	             .add = j->add,
	             .m = j->c.rows,
	             .n = j->c.cols,
	             .k = j->a.cols,
	             .a = j->a.data,
	             .b = j->b.data,
	             .c = j->c.data,
	             .lda = j->a.stride,
	             .ldb = j->b.stride,
	             .ldc = j->c.stride};
	block(&p, 0, p.m, 0, p.n);
	return true;
}
