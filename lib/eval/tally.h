/* tally.h: what every evaluation counts, and the ratios that are made of it.
 *
 * A tally is the unit that is added up over sentences, over the groups of a breakdown and over bootstrap samples;
 * a metric is a name with a kind of ratio.  A task's scores of a sentence are an array of tallies, one a metric. */
#ifndef HP_TALLY_H
#define HP_TALLY_H
#include <stdint.h>

enum { HP_EVAL_FILES = 3 }; /* at most: gold and two systems */

typedef struct hp_tally {
	int64_t correct; /* agreeing items */
	int64_t gold; /* items in the gold standard */
	int64_t system; /* items in the system's output */
	int64_t aligned; /* HP_KIND_ALIGNED: items in both */
} hp_tally;

typedef enum hp_measure { HP_ACCURACY, HP_PRECISION, HP_RECALL, HP_F1, HP_ALIGNED, HP_MEASURES } hp_measure;

/* Which measures make sense for a metric. */
typedef enum hp_metric_kind {
	HP_KIND_ACCURACY, /* as many items in both: one figure */
	HP_KIND_F1, /* precision, recall, F1 */
	HP_KIND_ALIGNED, /* and the accuracy on aligned words */
} hp_metric_kind;

typedef struct hp_metric {
	const char *name; /* as in tables and CSV */
	hp_metric_kind kind;
} hp_metric;

/* out[i] += in[i], i < METRICS. */
void hp_tally_add(hp_tally *out, const hp_tally *in, int metrics);
/* In [0, 1]; nothing out of nothing is 0, as in the CoNLL 2018 scorer. */
double hp_tally_value(const hp_tally *tally, hp_measure measure);
const char *hp_measure_name(hp_measure measure); /* "f1" */
/* The measures of KIND in the order of printing into OUT; returns how many. */
int hp_metric_measures(hp_metric_kind kind, hp_measure out[HP_MEASURES]);
/* The one that stands for the whole metric: accuracy or F1. */
hp_measure hp_metric_main(hp_metric_kind kind);

#endif
