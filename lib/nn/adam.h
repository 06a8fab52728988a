/* adam.h: Adam (Kingma and Ba 2015) with clipping of the gradient's global norm and L2 regularisation. */
#ifndef HP_ADAM_H
#define HP_ADAM_H
#include "base/pool.h"
#include "nn/params.h"

typedef struct hp_adam {
	float beta1, beta2, epsilon;
	float clip; /* largest global norm; 0: none */
	float l2; /* added to the gradient: l2 × value; 0: none */
	int64_t steps; /* made so far */
	float *m, *v; /* [params->total] */
	float *average; /* [params->total] moving average of the values, or NULL */
	float keep; /* of the average in a step; the rest is of the new values */
} hp_adam;

/* Makes m and v, zeroed, and if wanted the average, of the values as they are.  Free with hp_adam_free. */
int hp_adam_init(hp_adam *adam, const hp_params *params, bool average, hp_error *err) HP_USE_RESULT;
void hp_adam_free(hp_adam *adam);
/* One update of params->values from params->grads, which are zeroed.  Returns the norm before clipping; a norm that
 * is not finite leaves values, moments and average as they were (the caller sees it by isfinite). */
double hp_adam_step(hp_adam *adam, hp_params *params, float learning_rate, hp_pool *pool);

#endif
