/* tally.c: sums and ratios. */
#include "eval/tally.h"

void hp_tally_add(hp_tally *out, const hp_tally *in, int metrics)
{
	for (int i = 0; i < metrics; i++) {
		out[i].correct += in[i].correct;
		out[i].gold += in[i].gold;
		out[i].system += in[i].system;
		out[i].aligned += in[i].aligned;
	}
}

static double ratio(int64_t part, int64_t whole)
{
	return whole ? (double)part / (double)whole : 0.0;
}

double hp_tally_value(const hp_tally *tally, hp_measure measure)
{
	switch (measure) {
	case HP_PRECISION:
		return ratio(tally->correct, tally->system);
	case HP_F1:
		return ratio(2 * tally->correct, tally->gold + tally->system);
	case HP_ALIGNED:
		return ratio(tally->correct, tally->aligned);
	default:
		return ratio(tally->correct, tally->gold);
	}
}

const char *hp_measure_name(hp_measure measure)
{
	static const char *const names[HP_MEASURES] = {"accuracy", "precision", "recall", "f1", "aligned"};
	return names[measure];
}

int hp_metric_measures(hp_metric_kind kind, hp_measure out[HP_MEASURES])
{
	int n = 0;

	if (kind == HP_KIND_ACCURACY) {
		out[n++] = HP_ACCURACY;
		return n;
	}
	out[n++] = HP_PRECISION;
	out[n++] = HP_RECALL;
	out[n++] = HP_F1;
	if (kind == HP_KIND_ALIGNED)
		out[n++] = HP_ALIGNED;
	return n;
}

hp_measure hp_metric_main(hp_metric_kind kind)
{
	return kind == HP_KIND_ACCURACY ? HP_ACCURACY : HP_F1;
}
