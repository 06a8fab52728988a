/* peak.c: what OpenBLAS's single-precision product reaches on this machine: the yardstick of "fraction of peak". */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "nn/gemm.h"

enum { SIZE = 1536 }; /* three matrices of 9 MB; larger ones gain nothing */

typedef struct peak_work {
	hp_gemm_job *job; /* one a thread */
} peak_work;

static void multiply(void *arg, int task)
{
	hp_gemm_serial(&((peak_work *)arg)->job[task]);
}

static float *matrix(void)
{
	float *m = bench_need(aligned_alloc(64, (size_t)SIZE * SIZE * sizeof(*m)));

	for (int i = 0; i < SIZE * SIZE; i++)
		m[i] = (float)(i % 97) / 97.0f - 0.5f;
	return m;
}

/* The best of several rounds of single-threaded products, as many at a time as there are threads: anything slower was disturbed. */
static double best_rate(hp_pool *pool, peak_work *work, int threads, double seconds)
{
	double best = 0, start = bench_now();

	do {
		double from = bench_now();
		hp_pool_run(pool, threads, multiply, work);
		double rate = 2.0 * SIZE * SIZE * SIZE * threads / (bench_now() - from);
		best = rate > best ? rate : best;
	} while (bench_now() - start < seconds);
	return best;
}

int bench_peak(const bench_options *o)
{
	double seconds = o->seconds > 0 ? o->seconds : 2;
	hp_pool *pool = bench_need(hp_pool_new(o->threads));
	peak_work work = {bench_need(calloc((size_t)o->threads, sizeof(hp_gemm_job)))};

	hp_error err;
	bench_check(hp_gemm_open(o->threads, &err), &err);
	for (int i = 0; i < o->threads; i++)
		work.job[i] = (hp_gemm_job){.m = SIZE,
		                            .n = SIZE,
		                            .k = SIZE,
		                            .a = matrix(),
		                            .lda = SIZE,
		                            .b = matrix(),
		                            .ldb = SIZE,
		                            .c = matrix(),
		                            .ldc = SIZE};
	double one = best_rate(NULL, &work, 1, seconds / 2);
	double all = best_rate(pool, &work, o->threads, seconds / 2);
	printf("gflops_core=%.1f gflops_all=%.1f threads=%d size=%d\n", one / 1e9, all / 1e9, o->threads, SIZE);
	for (int i = 0; i < o->threads; i++) {
		free((float *)work.job[i].a);
		free((float *)work.job[i].b);
		free(work.job[i].c);
	}
	free(work.job);
	hp_pool_destroy(pool);
	return 0;
}
