/* gemm.c: which kernel makes a product, and how a product is split among threads. */
#include "nn/gemm.h"

#include <stddef.h>
#include <string.h>

#include "nn/blas.h"

int hp_gemm_open(int threads, hp_error *err)
{
	return hp_blas_open(threads, err);
}

static void plain_product(const hp_gemm_job *j)
{
	for (int row = 0; row < j->m; row++)
		for (int column = 0; column < j->n; column++) {
			float *c = j->c + (ptrdiff_t)row * j->ldc + column, sum = 0.0f;
			for (int i = 0; i < j->k; i++)
				sum += j->a[j->ta ? (ptrdiff_t)i * j->lda + row : (ptrdiff_t)row * j->lda + i] *
				       j->b[j->tb ? (ptrdiff_t)column * j->ldb + i : (ptrdiff_t)i * j->ldb + column];
			*c = j->beta == 0.0f ? sum : j->beta * *c + sum;
		}
}

void hp_gemm_serial(const hp_gemm_job *j)
{
	if (j->m <= 0 || j->n <= 0)
		return;
	if (j->k <= 0) { /* nothing to add: not every BLAS takes that for a product */
		for (int i = 0; i < j->m && j->beta == 0.0f; i++)
			memset(j->c + (ptrdiff_t)i * j->ldc, 0, (size_t)j->n * sizeof(float));
		return;
	}
	if (hp_gemm_few(j))
		return;
	hp_sgemm *sgemm = hp_blas_sgemm();
	if (!sgemm) {
		plain_product(j);
		return;
	}
	sgemm(CblasRowMajor, j->ta ? CblasTrans : CblasNoTrans, j->tb ? CblasTrans : CblasNoTrans, j->m, j->n, j->k, 1.0f,
	      j->a, j->lda, j->b, j->ldb, j->beta, j->c, j->ldc);
}

/* Into how many parts a product is cut, by its size alone. */
static int parts_of(const hp_gemm_job *j)
{
	double flops = 2.0 * j->m * j->n * j->k;
	int longest = j->m > j->n ? j->m : j->n;
	int parts = flops < 4e6 ? 1 : flops < 4e7 ? 2 : flops < 4e8 ? 4 : 8;
	while (parts > 1 && longest / parts < 64)
		parts /= 2;
	return parts;
}

/* Part number PART of PARTS: a band of the longer side of C, cut at multiples of 16. */
static hp_gemm_job part_of(const hp_gemm_job *job, int part, int parts)
{
	hp_gemm_job j = *job;
	if (parts == 1)
		return j;
	bool rows = j.m > j.n;
	int size = rows ? j.m : j.n;
	int step = (size / parts + 15) / 16 * 16;
	int from = part * step < size ? part * step : size;
	int to = part == parts - 1 || from + step > size ? size : from + step;
	if (rows) {
		j.a += j.ta ? (ptrdiff_t)from : (ptrdiff_t)from * j.lda;
		j.c += (ptrdiff_t)from * j.ldc;
		j.m = to - from;
	} else {
		j.b += j.tb ? (ptrdiff_t)from * j.ldb : (ptrdiff_t)from;
		j.c += from;
		j.n = to - from;
	}
	return j;
}

typedef struct group {
	int count;
	const hp_gemm_job *jobs;
} group;

static void group_task(void *arg, int task)
{
	const group *g = arg;
	for (int i = 0; i < g->count; i++) {
		int parts = parts_of(&g->jobs[i]);
		if (task < parts) {
			hp_gemm_job j = part_of(&g->jobs[i], task, parts);
			hp_gemm_serial(&j);
			return;
		}
		task -= parts;
	}
}

void hp_gemm_group(hp_pool *pool, int count, const hp_gemm_job *jobs)
{
	group g = {count, jobs};
	int tasks = 0;
	for (int i = 0; i < count; i++)
		tasks += parts_of(&jobs[i]);
	hp_pool_run(pool, tasks, group_task, &g);
}

void hp_gemm(hp_pool *pool, bool ta, bool tb, int m, int n, int k, const float *a, int lda, const float *b, int ldb,
             float beta, float *c, int ldc)
{
	hp_gemm_job j = {ta, tb, m, n, k, a, lda, b, ldb, beta, c, ldc};
	hp_gemm_group(pool, 1, &j);
}
