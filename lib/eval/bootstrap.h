/* bootstrap.h: whether two systems differ by more than chance, by resampling sentences in pairs.
 *
 * Every sample draws as many sentences as there are, with replacement, the same ones for both systems.  The p-value
 * is two-sided: how often a sample's difference is as far from the measured one as that is from zero (Koehn 2004;
 * Berg-Kirkpatrick et al. 2012).  The interval holds the middle 95 % of the samples' differences. */
#ifndef HP_BOOTSTRAP_H
#define HP_BOOTSTRAP_H
#include <stdint.h>
#include "base/error.h"
#include "eval/tally.h"

typedef struct hp_bootstrap hp_bootstrap;

typedef struct hp_difference { /* values in [0, 1] */
	double value[2]; /* of the two systems */
	double difference; /* second - first */
	double low, high; /* 95 % interval of the difference */
	double p; /* (1 + hits) / (1 + samples), so never 0 */
} hp_difference;

/* METRICS is borrowed. */
hp_bootstrap *hp_bootstrap_new(const hp_metric *metrics, int count); /* NULL when out of memory */
void hp_bootstrap_destroy(hp_bootstrap *b); /* accepts NULL */
/* A sentence's scores, [count] tallies of each system. */
int hp_bootstrap_add(hp_bootstrap *b, const hp_tally *first, const hp_tally *second, hp_error *err) HP_USE_RESULT;
/* OUT is [count].  The same seed gives the same figures.  At least one sentence must have been added. */
int hp_bootstrap_run(const hp_bootstrap *b, int samples, uint64_t seed, hp_difference *out,
                     hp_error *err) HP_USE_RESULT;

#endif
