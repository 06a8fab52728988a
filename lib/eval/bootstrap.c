/* bootstrap.c: differences of resampled sentences. */
#include "eval/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "base/rng.h"

/* A sentence is a row of 2 × metrics × 3 counts (correct, gold, system), the first system's before the second's:
 * 32 bits hold what one sentence can have. */
struct hp_bootstrap {
	const hp_metric *metrics;
	int count;
	size_t width; /* counts in a row */
	size_t sentences, capacity;
	uint32_t *rows; /* [capacity × width] */
};

hp_bootstrap *hp_bootstrap_new(const hp_metric *metrics, int count)
{
	hp_bootstrap *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->metrics = metrics;
	b->count = count;
	b->width = (size_t)2 * 3 * count;
	return b;
}

void hp_bootstrap_destroy(hp_bootstrap *b)
{
	if (!b)
		return;
	free(b->rows);
	free(b);
}

static uint32_t *store(uint32_t *row, const hp_tally *scores, int count)
{
	for (int m = 0; m < count; m++) {
		*row++ = (uint32_t)scores[m].correct;
		*row++ = (uint32_t)scores[m].gold;
		*row++ = (uint32_t)scores[m].system;
	}
	return row;
}

int hp_bootstrap_add(hp_bootstrap *b, const hp_tally *first, const hp_tally *second, hp_error *err)
{
	if (!hp_grow(&b->rows, &b->capacity, b->sentences + 1, b->width * sizeof *b->rows))
		return hp_fail_memory(err);
	store(store(b->rows + b->sentences * b->width, first, b->count), second, b->count);
	b->sentences++;
	return 0;
}

/* The value of metric M for SYSTEM (0 or 1) from a row of sums. */
static double value_of(const hp_bootstrap *b, const uint64_t *sums, int system, int m)
{
	const uint64_t *s = sums + 3 * (system * b->count + m);
	hp_tally tally = {.correct = (int64_t)s[0], .gold = (int64_t)s[1], .system = (int64_t)s[2]};

	return hp_tally_value(&tally, hp_metric_main(b->metrics[m].kind));
}

static void add_row(uint64_t *restrict sums, const uint32_t *restrict row, size_t width)
{
	for (size_t i = 0; i < width; i++)
		sums[i] += row[i];
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* P-value and interval from the samples' DIFFERENCES, which are sorted. */
static void judge(double *differences, int samples, hp_difference *out)
{
	int hits = 0, tail = (int)(0.025 * samples);

	for (int i = 0; i < samples; i++) /* the tiny amount: equal fractions may differ in their last bit */
		hits += fabs(differences[i] - out->difference) >= fabs(out->difference) - 1e-12;
	out->p = (1.0 + hits) / (1.0 + samples);
	qsort(differences, samples, sizeof *differences, compare_doubles);
	out->low = differences[tail];
	out->high = differences[samples - 1 - tail];
}

int hp_bootstrap_run(const hp_bootstrap *b, int samples, uint64_t seed, hp_difference *out, hp_error *err)
{
	double *differences = calloc((size_t)samples * b->count, sizeof *differences); /* [count × samples] */
	uint64_t *sums = calloc(b->width, sizeof *sums);

	if (!differences || !sums) {
		free(differences);
		free(sums);
		return hp_fail_memory(err);
	}
	for (size_t i = 0; i < b->sentences; i++)
		add_row(sums, b->rows + i * b->width, b->width);
	for (int m = 0; m < b->count; m++) {
		out[m].value[0] = value_of(b, sums, 0, m);
		out[m].value[1] = value_of(b, sums, 1, m);
		out[m].difference = out[m].value[1] - out[m].value[0];
	}
	for (int k = 0; k < samples; k++) {
		hp_rng rng;

		hp_rng_seed(&rng, seed, k);
		memset(sums, 0, b->width * sizeof *sums);
		for (size_t i = 0; i < b->sentences; i++)
			add_row(sums, b->rows + hp_rng_below(&rng, b->sentences) * b->width, b->width);
		for (int m = 0; m < b->count; m++)
			differences[(size_t)m * samples + k] = value_of(b, sums, 1, m) - value_of(b, sums, 0, m);
	}
	for (int m = 0; m < b->count; m++)
		judge(differences + (size_t)m * samples, samples, &out[m]);
	free(differences);
	free(sums);
	return 0;
}
