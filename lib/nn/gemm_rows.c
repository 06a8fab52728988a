/* gemm_rows.c: the matrix products of parsing, C = A · Wᵀ.
 *
 * A step of a decoder or of an LSTM multiplies a few rows with a large matrix.  OpenBLAS copies the matrix into an order
 * of its own each time, which costs more than the product.  Here the rows of A and of W are multiplied as they lie: a
 * tile of C, some rows by COLUMNS columns, is kept as vectors of partial sums, which are added up at the end.  What an
 * element sums, and in which order, depends on its row, its column and k alone. */
#include "nn/gemm.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nn/vmath.h"

enum { COLUMNS = 4 };
enum { BLOCK = 48, BAND = 512 }; /* rows and columns of a task: A's stay in the second-level cache while W passes by */

typedef float quad __attribute__((vector_size(COLUMNS * sizeof(float))));

typedef struct product {
	int m, n, k;
	const float *a;
	int lda;
	const float *w;
	int ldw;
	float *c;
	int ldc;
	int bands;
} product;

/* A row of C where K is less than a vector. */
static void narrow_row(int k, const float *a, const float *const w[COLUMNS], int count, float *c)
{
	for (int j = 0; j < count; j++) {
		float sum = 0;
		for (int i = 0; i < k; i++)
			sum += a[i] * w[j][i];
		c[j] = sum;
	}
}

#define LANES 4
#ifdef __x86_64__
#define ROWS 3
#else
#define ROWS 4
#endif
#define KIND default
#define TARGET
#include "nn/gemm_tile.h"

#ifdef HP_HAVE_CLONES
#define LANES 8
#define ROWS 3
#define KIND v3
#define TARGET __attribute__((target("arch=x86-64-v3")))
#include "nn/gemm_tile.h"

#define LANES 16
#define ROWS 6
#define KIND v4
#define TARGET __attribute__((target("arch=x86-64-v4")))
#include "nn/gemm_tile.h"
#endif

static void block_task(void *arg, int task)
{
	const product *p = arg;
	int from = task / p->bands * BLOCK, left = task % p->bands * BAND;
	int end = p->m - from < BLOCK ? p->m : from + BLOCK, right = p->n - left < BAND ? p->n : left + BAND;
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

void hp_gemm_rows(
        hp_pool *pool, int m, int n, int k, const float *a, int lda, const float *w, int ldw, float *c, int ldc)
{
	if (m <= 0 || n <= 0)
		return;
	product p = {m, n, k, a, lda, w, ldw, c, ldc, (n + BAND - 1) / BAND};
	hp_pool_run(pool, (m + BLOCK - 1) / BLOCK * p.bands, block_task, &p);
}
