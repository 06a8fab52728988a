/* hash.c: FNV-1a. */
#include "base/hash.h"

uint64_t hp_hash(uint64_t so_far, const void *data, size_t size)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < size; i++)
		so_far = (so_far ^ p[i]) * UINT64_C(0x100000001b3);
	return so_far;
}
