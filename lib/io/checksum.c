/* checksum.c: noticing damage. */
#include "io/checksum.h"

#include <string.h>

enum { LANES = 4 };

/* Another H for every W, another result for every H: what differs once stays different. */
static uint64_t mix(uint64_t h, uint64_t w)
{
	h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

/* Of SIZE bytes, after what came to BEFORE.  Word i goes to lane i mod 4: four products at a time. */
static uint64_t checksum(uint64_t before, const void *data, size_t size)
{
	const unsigned char *p = data;
	uint64_t lane[LANES], word, h = mix(before, size);
	size_t left = size;

	for (int i = 0; i < LANES; i++)
		lane[i] = mix(before, (uint64_t)i);
	for (; left >= sizeof lane; left -= sizeof lane, p += sizeof lane) {
		for (int i = 0; i < LANES; i++) {
			memcpy(&word, p + 8 * i, sizeof word);
			lane[i] = mix(lane[i], word);
		}
	}
	for (int i = 0; left > 0; i++) {
		size_t n = left < sizeof word ? left : sizeof word;
		word = 0;
		memcpy(&word, p, n);
		lane[i] = mix(lane[i], word);
		p += n;
		left -= n;
	}
	for (int i = 0; i < LANES; i++)
		h = mix(h, lane[i]);
	return h;
}

/* With its end, so that "ab" "c" is not "a" "bc". */
static uint64_t text(uint64_t before, const char *s)
{
	return checksum(before, s, strlen(s) + 1);
}

uint64_t hp_checksum_meta(const char *key, const char *value)
{
	return text(text(0, key), value);
}

uint64_t hp_checksum_tensor(const hp_tensor *tensor)
{
	uint64_t h = text(text(1, tensor->name), hp_dtype_name(tensor->dtype));

	h = checksum(h, tensor->shape, tensor->rank * sizeof *tensor->shape);
	return checksum(h, tensor->data, tensor->bytes);
}
