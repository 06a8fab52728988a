/* divergence.h: trainings that come apart.
 *
 * Where the learning rate is too high, or dropout too low, for a large network, all goes well for some thousand batches; then the
 * gradient grows many-fold within a hundred, the loss follows, and what was learnt is lost, though every number stays finite. */
#ifndef HP_DIVERGENCE_H
#define HP_DIVERGENCE_H
#include <stdbool.h>

/* A natural logarithm, on average over the last 20 and the last 1,000 batches. */
typedef struct hp_trend {
	double recent, usual;
} hp_trend;

/* Begins with zeros. */
typedef struct hp_divergence {
	hp_trend norm, loss;
	int batches; /* followed so far */
	bool met;
} hp_divergence;

/* After a batch whose gradient had this NORM and whose words this LOSS. */
void hp_divergence_follow(hp_divergence *d, double norm, double loss);

#endif
