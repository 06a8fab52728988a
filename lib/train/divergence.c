/* divergence.c: trainings that come apart, seen by their gradients. */
#include "train/divergence.h"

#include <math.h>

enum {
	RECENT = 20,
	USUAL = 1000,
	FIRST = 300, /* batches that nothing is said of: the gradient is large at first, and falls */
	GROWTH = 4, /* where all is well it is below 2: batches of documents among those of sentences */
};

static void follow(double *average, int64_t step, int most, double value)
{
	*average += (value - *average) / (double)(step < most ? step : most);
}

bool hp_diverges(hp_divergence *d, int64_t step, double norm)
{
	double value = log(norm);

	if (!isfinite(value))
		return false;
	follow(&d->recent, step, RECENT, value);
	follow(&d->usual, step, USUAL, value);
	return step > FIRST && d->recent > d->usual + log(GROWTH);
}

void hp_divergence_met(hp_divergence *d)
{
	d->recent = d->usual;
	d->times++;
}
