/* divergence.c: trainings that come apart, seen by their gradients and losses. */
#include "train/divergence.h"

#include <math.h>

enum {
	RECENT = 20,
	USUAL = 1000,
	FIRST = 300, /* batches that nothing is said of: both are large at first, and fall */
};

/* Where all is well the gradient stays below 2: batches of documents among those of sentences. */
static const double growth_of_norm = 4, growth_of_loss = 1.5;

static void follow(double *average, int count, double value)
{
	*average += (value - *average) / count;
}

/* Whether the last batches' values have grown so many times over the usual ones. */
static bool grows(hp_trend *t, int batches, double value, double times)
{
	double x = log(value);

	if (isfinite(x)) {
		follow(&t->recent, batches < RECENT ? batches : RECENT, x);
		follow(&t->usual, batches < USUAL ? batches : USUAL, x);
	}
	return t->recent > t->usual + log(times);
}

void hp_divergence_follow(hp_divergence *d, double norm, double loss)
{
	if (d->batches < USUAL)
		d->batches++;
	bool norms = grows(&d->norm, d->batches, norm, growth_of_norm);
	bool losses = grows(&d->loss, d->batches, loss, growth_of_loss);
	d->met |= d->batches > FIRST && norms && losses;
}
