/* rng.c: random numbers. */
#include "base/rng.h"

#include <math.h>

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static uint64_t rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

/* SplitMix64's output function: a bijection that scatters neighbouring numbers. */
static uint64_t scatter(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* Seed and stream each fill a word of the state by a bijection, and every later step is one, so no two pairs ever
 * share a state.  The first outputs are thrown away until all words are mixed. */
void hp_rng_seed(hp_rng *rng, uint64_t seed, uint64_t stream)
{
	rng->s[0] = scatter(seed + GOLDEN);
	rng->s[1] = scatter(stream + 2 * GOLDEN);
	rng->s[2] = scatter(rng->s[0] + rotate(rng->s[1], 32) + 3 * GOLDEN);
	rng->s[3] = scatter(rng->s[1] + rotate(rng->s[2], 32) + 4 * GOLDEN);
	if (!(rng->s[0] | rng->s[1] | rng->s[2] | rng->s[3]))
		rng->s[0] = GOLDEN; /* the one state that xoshiro never leaves */
	for (int i = 0; i < 16; i++)
		hp_rng_next(rng);
}

uint64_t hp_rng_next(hp_rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

/* The first 2^64 mod n numbers are refused; what remains divides evenly. */
uint64_t hp_rng_below(hp_rng *rng, uint64_t n)
{
	uint64_t refused = (UINT64_C(0) - n) % n;
	uint64_t x;

	do
		x = hp_rng_next(rng);
	while (x < refused);
	return x % n;
}

float hp_rng_uniform(hp_rng *rng)
{
	return (float)(hp_rng_next(rng) >> 40) * 0x1p-24f;
}

/* Box-Muller; the second value is not kept, so that the state stays four words. */
float hp_rng_normal(hp_rng *rng)
{
	double u = (double)((hp_rng_next(rng) >> 11) + 1) * 0x1p-53; /* in (0, 1] */
	double v = (double)(hp_rng_next(rng) >> 11) * 0x1p-53;

	return (float)(sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v));
}
