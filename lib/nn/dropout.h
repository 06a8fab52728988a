/* dropout.h: masks of zeros and 1 / (1 - rate) (inverted dropout). */
#ifndef HP_DROPOUT_H
#define HP_DROPOUT_H
#include <stddef.h>
#include "base/rng.h"

/* One decision a value. */
void hp_dropout_mask(hp_rng *rng, float rate, size_t n, float *mask);
/* One decision for all: 0 or 1 / (1 - rate). */
float hp_dropout_scale(hp_rng *rng, float rate);

#endif
