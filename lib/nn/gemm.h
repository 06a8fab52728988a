/* gemm.h: matrix products, by OpenBLAS or, where rows are few and in parsing, by gemm_rows.c, split among threads in a way
 * that does not depend on their number.
 *
 * All matrices are row-major; ld is the distance between rows.  The split of a product into single-threaded ones
 * depends on its size only, so results are the same, to the last bit, for every pool. */
#ifndef HP_GEMM_H
#define HP_GEMM_H
#include <stdbool.h>
#include "base/error.h"
#include "base/pool.h"

typedef struct hp_gemm_job {
	bool ta, tb; /* transposed operands: A is [k × m] and B [n × k] in memory */
	int m, n, k;
	const float *a;
	int lda;
	const float *b;
	int ldb;
	float beta;
	float *c; /* [m × n] = A · B + beta · C */
	int ldc;
} hp_gemm_job;

/* Before hp_gemm, hp_gemm_group and hp_gemm_serial are used in a team of THREADS: gets OpenBLAS ready, see blas.h.
 * Without it their products are right, but slow. */
int hp_gemm_open(int threads, hp_error *err) HP_USE_RESULT;
void hp_gemm(hp_pool *pool, bool ta, bool tb, int m, int n, int k, const float *a, int lda, const float *b, int ldb,
             float beta, float *c, int ldc);
/* Independent products, all at once. */
void hp_gemm_group(hp_pool *pool, int count, const hp_gemm_job *jobs);
/* One product in the calling thread; for use within a task. */
void hp_gemm_serial(const hp_gemm_job *job);
/* Makes a product of few rows; false, and nothing is done, if JOB is of another kind. */
bool hp_gemm_few(const hp_gemm_job *job);

/* For parsing: C [m × n] = A [m × k] · Wᵀ, W [n × k].  A row's result depends on that row and W only, to the last
 * bit, not on m or on where the row stands. */
void hp_gemm_rows(hp_pool *pool, int m, int n, int k, const float *a, int lda, const float *w, int ldw, float *c,
                  int ldc);

#endif
