/* mutate: changes a file at random, the same for the same seed.
 *
 *	mutate SEED KIND IN OUT
 *
 * KIND: bytes (any change), byte (a single byte becomes another), cut (the end is missing), image and stream (safetensors
 * that stay such, as in tests/fuzz/images.c). */
#include <stdio.h>
#include <string.h>
#include "base/rng.h"
#include "../fuzz/fuzz.h"

enum { ROOM = 4096 };

static hp_rng rng;

/* What images.c calls: here a few plain changes take libFuzzer's place. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	static const char *const odd[] = {"0",    "-1", "1",  "99999999999", "\n", "\n\n", "\t",   "_",
	                                  "(",    ")",  "\"", "{",           "}",  "\xff", "\xc3", "nan",
	                                  "1e39", "\r", "#",  ",",           "_!", "2-3",  "1.1",  "\xe2\x80\xa8"};
	size_t changes = 1 + hp_rng_below(&rng, 3);

	for (size_t i = 0; i < changes; i++) {
		size_t at = hp_rng_below(&rng, size + 1), left = size - at, n = hp_rng_below(&rng, left < 64 ? left + 1 : 64);
		const char *text = odd[hp_rng_below(&rng, sizeof(odd) / sizeof(odd[0]))];

		switch (hp_rng_below(&rng, 5)) {
		case 0:
			if (left > 0)
				data[at] ^= (uint8_t)(1 << hp_rng_below(&rng, 8));
			break;
		case 1:
			if (left > 0)
				data[at] = (uint8_t)hp_rng_below(&rng, 256);
			break;
		case 2: /* a piece is missing */
			memmove(data + at, data + at + n, left - n);
			size -= n;
			break;
		case 3: /* a piece comes twice */
			if (size + n <= max_size) {
				memmove(data + at + n, data + at, left);
				size += n;
			}
			break;
		default:
			n = strlen(text);
			if (size + n <= max_size) {
				memmove(data + at + n, data + at, left);
				memcpy(data + at, text, n);
				size += n;
			}
		}
	}
	return size;
}

static size_t change(const char *kind, uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	if (strcmp(kind, "image") == 0)
		return fuzz_mutate_image(data, size, max, seed);
	if (strcmp(kind, "stream") == 0)
		return fuzz_mutate_stream(data, size, max, seed);
	if (strcmp(kind, "bytes") == 0)
		return LLVMFuzzerMutate(data, size, max);
	if (strcmp(kind, "cut") == 0)
		return hp_rng_below(&rng, size);
	data[hp_rng_below(&rng, size)] ^= (uint8_t)(1 + hp_rng_below(&rng, 255));
	return size;
}

int main(int argc, char **argv)
{
	static uint8_t data[(1 << 22) + ROOM];
	size_t size;
	FILE *f;

	if (argc != 5 || !(f = fopen(argv[3], "r")))
		return 2;
	size = fread(data, 1, sizeof(data) - ROOM, f);
	fclose(f);
	hp_rng_seed(&rng, strtoull(argv[1], NULL, 10), 0);
	if (size > 0)
		size = change(argv[2], data, size, size + ROOM, (unsigned int)hp_rng_next(&rng));
	if (!(f = fopen(argv[4], "w")) || fwrite(data, 1, size, f) != size || fclose(f) != 0)
		return 1;
	return 0;
}
