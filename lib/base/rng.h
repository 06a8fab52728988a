/* rng.h: repeatable random numbers (SplitMix64, xoshiro256**). */
#ifndef HP_RNG_H
#define HP_RNG_H
#include <stdint.h>

typedef struct hp_rng {
	uint64_t s[4];
} hp_rng;

/* An independent generator for every (seed, stream) pair: a batch number, an epoch, a parameter's index. */
void hp_rng_seed(hp_rng *rng, uint64_t seed, uint64_t stream);
uint64_t hp_rng_next(hp_rng *rng);
uint64_t hp_rng_below(hp_rng *rng, uint64_t n); /* uniform in [0, n), without bias; n > 0 */
float hp_rng_uniform(hp_rng *rng); /* in [0, 1) */
float hp_rng_normal(hp_rng *rng); /* mean 0, variance 1 */

#endif
