/* divergence.h: trainings that come apart.
 *
 * Where the learning rate is too high for a recurrent network, all goes well for some thousand batches; then the gradient grows
 * many-fold within a hundred, the loss follows, and what was learnt is lost, though every number stays finite. */
#ifndef HP_DIVERGENCE_H
#define HP_DIVERGENCE_H
#include <stdbool.h>
#include <stdint.h>

/* A natural logarithm, on average over the last 20 and the last 1,000 batches. */
typedef struct hp_trend {
	double recent, usual;
} hp_trend;

/* Begins with zeros. */
typedef struct hp_divergence {
	hp_trend norm, loss;
	int times; /* that it was met */
} hp_divergence;

/* After batch STEP, from 1, whose gradient had this NORM and whose words this LOSS: whether the training comes apart. */
bool hp_diverges(hp_divergence *d, int64_t step, double norm, double loss);
/* It was met: what comes is to be like what was usual. */
void hp_divergence_met(hp_divergence *d);

#endif
