/* gradient.h: finite differences against a backward function: for each array a loss depends on, the derivative along
 * random directions. */
#ifndef GRADIENT_H
#define GRADIENT_H
#include <stddef.h>
#include "base/rng.h"

extern hp_rng gradient_rng; /* to be seeded by the test */

float *random_floats(size_t n, float scale); /* normal; to be freed */
float *zeros(size_t n);
double weighted(size_t n, const float *y, const float *w); /* Σ y w: a loss with gradient w */

typedef double loss_fn(void *arg);
/* X [n] is what the loss depends on, G [n] its gradient as the backward function gives it.  One direction in five may
 * disagree: a maximum or an ELU can turn over within the step.  A wrong gradient disagrees along all of them. */
void check_gradient(const char *what, loss_fn *loss, void *arg, float *x, const float *g, size_t n);

#endif
