/* images.c: mutations of safetensors images and of streams of them, which leave them images: what only changes bytes at
 * random hardly gets past a header's lengths. */
#include "fuzz.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/arena.h"
#include "base/rng.h"
#include "io/checksum.h"
#include "io/safetensors.h"

enum { MAX_TENSORS = 256, MAX_METAS = 256, MAX_RECORDS = 64, MAX_BYTES = 1 << 20 };

/* An image taken apart.  Everything is in the arena. */
typedef struct draft {
	hp_arena *arena;
	hp_rng rng;
	hp_tensor tensor[MAX_TENSORS];
	int tensors;
	const char *key[MAX_METAS], *value[MAX_METAS];
	int metas;
} draft;

static size_t below(hp_rng *rng, size_t n)
{
	return (size_t)hp_rng_below(rng, n);
}

static char *copy_text(draft *d, const char *text, size_t room)
{
	size_t size = strlen(text);
	char *copy = HP_NEW0(d->arena, char, size + room + 1);

	demand(copy);
	memcpy(copy, text, size);
	return copy;
}

static bool take_apart(draft *d, const uint8_t *data, size_t size)
{
	hp_safetensors *st;

	d->tensors = d->metas = 0;
	if (hp_safetensors_parse(data, size, "image", &st, NULL) != 0)
		return false;
	for (int i = 0; i < hp_safetensors_count(st) && d->tensors < MAX_TENSORS; i++) {
		hp_tensor *t = &d->tensor[d->tensors++];
		char *bytes;

		*t = *hp_safetensors_at(st, i);
		t->name = copy_text(d, t->name, 0);
		bytes = HP_NEW(d->arena, char, t->bytes + 1);
		demand(bytes);
		memcpy(bytes, t->data, t->bytes);
		t->data = bytes;
	}
	for (int i = 0; i < hp_safetensors_meta_count(st) && d->metas < MAX_METAS; i++, d->metas++) {
		hp_safetensors_meta_at(st, i, &d->key[d->metas], &d->value[d->metas]);
		d->key[d->metas] = copy_text(d, d->key[d->metas], 0);
		d->value[d->metas] = copy_text(d, d->value[d->metas], 0);
	}
	hp_safetensors_close(st);
	return true;
}

/* Where there is a checksum it becomes right again. */
static void sum_up(draft *d)
{
	uint64_t sum = 0;
	int place = -1;

	for (int i = 0; i < d->tensors; i++)
		sum += hp_checksum_tensor(&d->tensor[i]);
	for (int i = 0; i < d->metas; i++) {
		if (strcmp(d->key[i], HP_CHECKSUM_KEY) == 0)
			place = i;
		else
			sum += hp_checksum_meta(d->key[i], d->value[i]);
	}
	if (place >= 0) {
		char *text = copy_text(d, "", 16);

		snprintf(text, 17, "%016" PRIx64, sum);
		d->value[place] = text;
	}
}

/* Size of the image, or 0 where it cannot be written or has no room. */
static size_t put_together(const draft *d, uint8_t *out, size_t max)
{
	hp_st_writer *w = hp_st_writer_new();
	char *image = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&image, &size);
	int status = 0;

	demand(w && f);
	for (int i = 0; i < d->tensors && status == 0; i++) {
		const hp_tensor *t = &d->tensor[i];

		status = hp_st_writer_tensor(w, t->name, t->dtype, t->rank, t->shape, t->data, NULL);
	}
	for (int i = 0; i < d->metas && status == 0; i++)
		status = hp_st_writer_meta(w, d->key[i], d->value[i], NULL);
	if (status == 0)
		status = hp_st_writer_write(w, f, "image", NULL);
	fclose(f);
	hp_st_writer_destroy(w);
	if (status != 0 || size > max)
		size = 0;
	else
		memcpy(out, image, size);
	free(image);
	return size;
}

/* ---- changes ---- */

/* The data again for another shape or type: cut, or repeated. */
static void resize(draft *d, hp_tensor *t)
{
	size_t bytes, had = t->bytes;
	const char *old = t->data;
	char *now;

	t->count = 1;
	for (int i = 0; i < t->rank; i++) {
		if (t->shape[i] > MAX_BYTES / (t->count > 0 ? t->count : 1))
			t->shape[i] = 1;
		t->count *= t->shape[i];
	}
	if (!hp_dtype_bytes(t->dtype, t->count, &bytes)) { /* half a byte */
		t->dtype = HP_U8;
		bytes = (size_t)t->count;
	}
	now = HP_NEW0(d->arena, char, bytes + 1);
	demand(now);
	for (size_t i = 0; i < bytes && had > 0; i++)
		now[i] = old[i % had];
	t->data = now;
	t->bytes = bytes;
}

static void change_float(hp_rng *rng, float *at)
{
	static const float odd[] = {0,
	                            -0.0f,
	                            1,
	                            -1,
	                            0.5f,
	                            2,
	                            10,
	                            100,
	                            1e4f,
	                            1e9f,
	                            -1e9f,
	                            3e9f,
	                            1e18f,
	                            1e30f,
	                            3e38f,
	                            -3e38f,
	                            1e-38f,
	                            1e-45f,
	                            __builtin_inff(),
	                            -__builtin_inff(),
	                            __builtin_nanf("")};
	float value = odd[below(rng, sizeof(odd) / sizeof(odd[0]))];

	if (below(rng, 4) == 0)
		value = *at * 100;
	memcpy(at, &value, sizeof(value));
}

static void change_whole(hp_rng *rng, int32_t *at)
{
	static const int32_t odd[] = {0, 1, -1, 2, 3, 4, 5, INT32_MAX, INT32_MIN, 65536};
	int32_t value = odd[below(rng, sizeof(odd) / sizeof(odd[0]))];

	if (below(rng, 2) == 0)
		value = (int32_t)((uint32_t)*at + (uint32_t)below(rng, 3) - 1);
	memcpy(at, &value, sizeof(value));
}

static void change_values(draft *d, hp_tensor *t)
{
	size_t changes = 1 + below(&d->rng, 3);
	char *data = (char *)t->data;

	if (t->dtype == HP_U8 && t->rank == 1) {
		char *text = HP_NEW0(d->arena, char, t->bytes + 64);

		demand(text);
		memcpy(text, t->data, t->bytes);
		t->bytes = LLVMFuzzerMutate((uint8_t *)text, t->bytes, t->bytes + 63);
		t->shape[0] = t->count = (int64_t)t->bytes;
		t->data = text;
		return;
	}
	if (t->count == 0)
		return;
	if (below(&d->rng, 8) == 0)
		changes = (size_t)t->count;
	for (size_t i = 0; i < changes; i++) {
		size_t k = below(&d->rng, (size_t)t->count);

		if (t->dtype == HP_F32)
			change_float(&d->rng, (float *)(data + 4 * k));
		else if (t->dtype == HP_I32)
			change_whole(&d->rng, (int32_t *)(data + 4 * k));
		else
			data[below(&d->rng, t->bytes)] = (char)below(&d->rng, 256);
	}
}

static void change_shape(draft *d, hp_tensor *t)
{
	static const int64_t odd[] = {0, 1, 2, 3, 5, 64};
	size_t what = below(&d->rng, 6);

	if (what == 0 && t->rank < HP_MAX_RANK) {
		t->shape[t->rank++] = 1 + (int64_t)below(&d->rng, 2);
	} else if (what == 1 && t->rank > 0) {
		t->rank--;
	} else if (t->rank > 0) {
		int64_t *at = &t->shape[below(&d->rng, (size_t)t->rank)];

		*at = below(&d->rng, 3) == 0 ? odd[below(&d->rng, 6)] : *at + (int64_t)below(&d->rng, 3) - 1;
		if (*at < 0)
			*at = 0;
	}
	resize(d, t);
}

static void change_tensor(draft *d)
{
	size_t i = below(&d->rng, (size_t)d->tensors), k = below(&d->rng, (size_t)d->tensors);
	hp_tensor *t = &d->tensor[i], *u = &d->tensor[k];
	const char *name = t->name;

	switch (below(&d->rng, 12)) {
	case 0:
		t->dtype = (hp_dtype)below(&d->rng, HP_C64 + 1);
		resize(d, t);
		break;
	case 1:
		t->dtype = HP_F16;
		resize(d, t);
		break;
	case 2:
		*t = d->tensor[--d->tensors];
		break;
	case 3:
		t->name = u->name;
		u->name = name;
		break;
	case 4:
		if (d->tensors < MAX_TENSORS) {
			static const char *const other[] = {"x", "h", "heads", "more", "ends", "logp", ""};

			u = &d->tensor[d->tensors++];
			*u = *t;
			u->name = other[below(&d->rng, 7)];
		}
		break;
	case 5:
	case 6:
	case 7:
		change_shape(d, t);
		break;
	default:
		change_values(d, t);
	}
}

static void change_meta(draft *d)
{
	static const char *const odd[] = {"",     "0",   "1",          "2",          "3",
	                                  "7",    "16",  "-1",         "1.5",        "nan",
	                                  "inf",  "1e9", "0x10",       "none",       "P",
	                                  "T",    "PS",  "gate",       "words",      "stream",
	                                  "dep",  "rst", "2147483647", "2147483648", "99999999999999999999",
	                                  "upos", "1:2"};
	size_t i = below(&d->rng, (size_t)d->metas), length;
	char *value;

	switch (below(&d->rng, 6)) {
	case 0:
		d->metas--;
		d->key[i] = d->key[d->metas];
		d->value[i] = d->value[d->metas];
		break;
	case 1:
	case 2:
		d->value[i] = odd[below(&d->rng, sizeof(odd) / sizeof(odd[0]))];
		break;
	case 3:
		d->value[i] = d->value[below(&d->rng, (size_t)d->metas)];
		break;
	default:
		value = copy_text(d, d->value[i], 32);
		length = LLVMFuzzerMutate((uint8_t *)value, strlen(value), strlen(value) + 31);
		value[length] = '\0';
		d->value[i] = value;
	}
}

/* The header's text changes, and its length with it. */
static size_t change_header(uint8_t *data, size_t size, size_t max)
{
	uint64_t length = 0;
	uint8_t *header;
	size_t now, room = max - size < 256 ? max - size : 256;

	for (int i = 7; size >= 8 && i >= 0; i--)
		length = length << 8 | data[i];
	if (size < 8 || length > size - 8)
		return LLVMFuzzerMutate(data, size, max);
	header = calloc(1, length + room + 1);
	demand(header);
	memcpy(header, data + 8, length);
	now = LLVMFuzzerMutate(header, length, length + room);
	memmove(data + 8 + now, data + 8 + length, size - 8 - length);
	memcpy(data + 8, header, now);
	for (int i = 0; i < 8; i++)
		data[i] = (uint8_t)((uint64_t)now >> (8 * i));
	free(header);
	return size - length + now;
}

static size_t change_image(uint8_t *data, size_t size, size_t max, hp_rng *rng)
{
	static draft d; /* large; the mutator is called by one thread */
	size_t how = below(rng, 20), result = 0, changes;

	if (how == 0)
		return LLVMFuzzerMutate(data, size, max);
	if (how == 1)
		return change_header(data, size, max);
	d.arena = hp_arena_new();
	d.rng = *rng;
	demand(d.arena);
	if (take_apart(&d, data, size)) {
		changes = 1 + below(&d.rng, 2);
		for (size_t i = 0; i < changes; i++) {
			if (d.metas > 0 && (d.tensors == 0 || below(&d.rng, 4) == 0))
				change_meta(&d);
			else if (d.tensors > 0)
				change_tensor(&d);
		}
		if (below(&d.rng, 8) > 0)
			sum_up(&d);
		result = put_together(&d, data, max);
	}
	*rng = d.rng;
	hp_arena_destroy(d.arena);
	return result > 0 ? result : change_header(data, size, max);
}

size_t fuzz_mutate_image(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	hp_rng rng;

	hp_rng_seed(&rng, seed, 1);
	return change_image(data, size, max_size, &rng);
}

/* ---- streams ---- */

typedef struct record {
	size_t at, size;
} record;

/* The length of the record that begins here, if its header does. */
static bool record_length(const uint8_t *data, size_t size, size_t *length)
{
	hp_safetensors *st;
	size_t header;

	if (size < 8 || hp_safetensors_header_size(data, HP_MAX_HEADER, "", &header, NULL) != 0 || header > size ||
	    hp_safetensors_begin(data, header, "", &st, length, NULL) != 0)
		return false;
	hp_safetensors_close(st);
	return true;
}

/* The records; what follows the last whole one is none. */
static int find_records(const uint8_t *data, size_t size, record *records)
{
	size_t at = 0, length;
	int count = 0;

	while (count < MAX_RECORDS && at < size && record_length(data + at, size - at, &length) && length <= size - at) {
		records[count++] = (record){at, length};
		at += length;
	}
	return count;
}

/* Puts SIZE bytes in the place of record R. */
static size_t replace(uint8_t *data, size_t size, size_t max, const record *r, const uint8_t *bytes, size_t length)
{
	size_t tail = size - r->at - r->size;

	if (r->at + length + tail > max)
		return size;
	memmove(data + r->at + length, data + r->at + r->size, tail);
	memcpy(data + r->at, bytes, length);
	return r->at + length + tail;
}

size_t fuzz_mutate_stream(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	record records[MAX_RECORDS], *r, *other;
	int count = find_records(data, size, records);
	uint8_t *copy;
	hp_rng rng;

	hp_rng_seed(&rng, seed, 2);
	if (count == 0 || below(&rng, 20) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	r = &records[below(&rng, (size_t)count)];
	other = &records[below(&rng, (size_t)count)];
	copy = malloc(max_size + r->size + other->size + 1);
	demand(copy);
	memcpy(copy, data + r->at, r->size);
	switch (below(&rng, 20)) {
	case 0: /* without it */
		size = replace(data, size, max_size, r, copy, 0);
		break;
	case 1: /* twice */
		memcpy(copy + r->size, data + r->at, r->size);
		size = replace(data, size, max_size, r, copy, 2 * r->size);
		break;
	case 2: /* over another */
		size = replace(data, size, max_size, other, copy, r->size);
		break;
	case 3:
		size = below(&rng, size) + 1;
		break;
	default:
		size = replace(data, size, max_size, r, copy, change_image(copy, r->size, max_size - size + r->size, &rng));
	}
	free(copy);
	return size;
}
