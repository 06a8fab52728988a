/* dropout.c: masks. */
#include "nn/dropout.h"

void hp_dropout_mask(hp_rng *rng, float rate, size_t n, float *mask)
{
	uint32_t limit = (uint32_t)((double)rate * 4294967296.0); /* rate < 1 */
	float keep = 1.0f / (1.0f - rate);
	for (size_t i = 0; i < n; i += 2) {
		uint64_t bits = hp_rng_next(rng); /* two decisions */
		mask[i] = (uint32_t)bits < limit ? 0.0f : keep;
		if (i + 1 < n)
			mask[i + 1] = (uint32_t)(bits >> 32) < limit ? 0.0f : keep;
	}
}

float hp_dropout_scale(hp_rng *rng, float rate)
{
	float mask;
	hp_dropout_mask(rng, rate, 1, &mask);
	return mask;
}
