/* random.h: random numbers for a test of networks, whose HOOK seeds them. */
#ifndef RANDOM_H
#define RANDOM_H
#include "base/rng.h"

static hp_rng rng;

static inline void fill(float *x, size_t n, float scale)
{
	for (size_t i = 0; i < n; i++)
		x[i] = scale * hp_rng_normal(&rng);
}

static inline int below(int n)
{
	return (int)hp_rng_below(&rng, (uint64_t)n);
}

#endif
