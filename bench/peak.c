/* peak.c: operations a second of the processor and of the libraries: what everything else is a fraction of. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"

static void run_task(void *arg, int task)
{
	const bench_rate *r = arg;

	r->run(r->state[task]);
}

/* Of THREADS side by side, which have nothing in common but memory and caches. */
static double best_rate(const bench_rate *r, int threads, double seconds)
{
	hp_pool *pool = bench_need(hp_pool_new(threads));
	double best = 0, start = bench_now();

	hp_pool_run(pool, threads, run_task, (void *)r); /* touches all memory */
	do {
		double from = bench_now();
		hp_pool_run(pool, threads, run_task, (void *)r);
		double rate = r->operations * threads / (bench_now() - from);
		best = rate > best ? rate : best;
	} while (bench_now() - start < seconds);
	hp_pool_destroy(pool);
	return best;
}

void bench_rate_print(const bench_options *o, const bench_rate *r)
{
	double seconds = o->seconds > 0 ? o->seconds : 0.2;

	printf("type=%s how=%s core=%.1f all=%.1f\n", r->type, r->how, best_rate(r, 1, seconds) / 1e9,
	       best_rate(r, o->threads, seconds) / 1e9);
}

int bench_peak(const bench_options *o)
{
	static const struct {
		const char *name;
		int (*run)(const bench_options *o);
	} libraries[] = {
		{"processor", bench_processor}, {"openblas", bench_openblas}, {"onednn", bench_onednn}, {"ours", bench_ours}};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (strcmp(o->argv[0], libraries[i].name) == 0)
			return libraries[i].run(o);
	return cli_usage("peak: '%s' is unknown", o->argv[0]);
}
