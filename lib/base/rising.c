/* rising.c: looking for a number among numbers that rise, by halves. */
#include "base/rising.h"

int hp_rising_find(const int32_t *number, int from, int to, int32_t value)
{
	while (from < to) {
		int half = from + (to - from) / 2;

		if (number[half] < value)
			from = half + 1;
		else
			to = half;
	}
	return from;
}
