/* fuzz_safetensors.c: any bytes as an image.  What is accepted must survive being written and read again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz.h"
#include "io/safetensors.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

static volatile uint64_t sum; /* so that reading is not optimised away */

static void use(const hp_safetensors *st)
{
	float values[16];

	for (int i = 0; i < hp_safetensors_count(st); i++) {
		const hp_tensor *t = hp_safetensors_at(st, i);
		const hp_tensor *bound;
		hp_error err;

		for (size_t k = 0; k < t->bytes; k++)
			sum += ((const uint8_t *)t->data)[k];
		if ((uintptr_t)t->data % hp_dtype_alignment(t->dtype) != 0 || hp_safetensors_find(st, t->name) != t ||
		    hp_safetensors_need(st, t->name, t->rank, t->shape, &bound, &err) != 0 || bound != t)
			abort();
		if (hp_tensor_to_float(t, 0, t->count < 16 ? t->count : 16, values) == 0 && t->count > 0)
			sum += values[0] > 0;
	}
	for (int i = 0; i < hp_safetensors_meta_count(st); i++) {
		const char *key, *value;

		hp_safetensors_meta_at(st, i, &key, &value);
		if (hp_safetensors_meta(st, key) != value)
			abort();
	}
}

static hp_st_writer *copy(const hp_safetensors *st)
{
	hp_st_writer *w = hp_st_writer_new();
	hp_error err;

	for (int i = 0; i < hp_safetensors_count(st); i++) {
		const hp_tensor *t = hp_safetensors_at(st, i);

		if (hp_st_writer_tensor(w, t->name, t->dtype, t->rank, t->shape, t->data, &err) != 0)
			abort();
	}
	for (int i = 0; i < hp_safetensors_meta_count(st); i++) {
		const char *key, *value;

		hp_safetensors_meta_at(st, i, &key, &value);
		if (hp_st_writer_meta(w, key, value, &err) != 0)
			abort();
	}
	return w;
}

static void check_same(const hp_safetensors *a, const hp_safetensors *b)
{
	if (hp_safetensors_count(a) != hp_safetensors_count(b) ||
	    hp_safetensors_meta_count(a) != hp_safetensors_meta_count(b))
		abort();
	for (int i = 0; i < hp_safetensors_count(a); i++) {
		const hp_tensor *t = hp_safetensors_at(a, i), *u = hp_safetensors_find(b, t->name);

		if (!u || t->bytes != u->bytes || memcmp(t->data, u->data, t->bytes) != 0)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_safetensors *st, *again;
	hp_st_writer *w;
	hp_error err;
	size_t header, length;
	char *image;
	FILE *f;

	if (size >= 8 && hp_safetensors_header_size(data, HP_MAX_HEADER, "fuzz", &header, &err) == 0 && header <= size &&
	    hp_safetensors_begin(data, header, "fuzz", &st, &length, &err) == 0) {
		if (length < header)
			abort();
		hp_safetensors_close(st);
	}
	if (hp_safetensors_parse(data, size, "fuzz", &st, &err) != 0)
		return 0;
	use(st);
	w = copy(st);
	f = open_memstream(&image, &length);
	if (hp_st_writer_write(w, f, "mem", &err) != 0)
		abort();
	fclose(f);
	if (length % 8 != 0 || hp_safetensors_parse(image, length, "mem", &again, &err) != 0)
		abort();
	check_same(st, again);
	hp_safetensors_close(again);
	free(image);
	hp_st_writer_destroy(w);
	hp_safetensors_close(st);
	return 0;
}
