/* divergence.c: trainings that come apart, seen by their gradients and losses. */
#include "train/divergence.h"

#include <math.h>

enum {
	RECENT = 20,
	USUAL = 1000,
	FIRST = 300, /* batches that nothing is said of: both are large at first, and fall */
};

/* What is told of.  Where all is well the gradient stays below 2 (batches of documents among those of sentences); after it was
 * taken back it may be larger than before, with a loss as before. */
static const double growth_of_norm = 4, growth_of_loss = 1.5;

static void follow(double *average, int64_t step, int most, double value)
{
	*average += (value - *average) / (double)(step < most ? step : most);
}

/* Whether the last batches' values have grown so many times over the usual ones. */
static bool grows(hp_trend *t, int64_t step, double value, double times)
{
	double x = log(value);

	if (isfinite(x)) {
		follow(&t->recent, step, RECENT, x);
		follow(&t->usual, step, USUAL, x);
	}
	return t->recent > t->usual + log(times);
}

bool hp_diverges(hp_divergence *d, int64_t step, double norm, double loss)
{
	bool norms = grows(&d->norm, step, norm, growth_of_norm), losses = grows(&d->loss, step, loss, growth_of_loss);

	return step > FIRST && norms && losses;
}

void hp_divergence_met(hp_divergence *d)
{
	d->norm.recent = d->norm.usual;
	d->loss.recent = d->loss.usual;
	d->times++;
}
