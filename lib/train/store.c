/* store.c: writing a model file, piece by piece. */
#include "train/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"

struct hp_storing {
	hp_st_writer *w;
	hp_arena *arena; /* holds what W borrows until it is written */
	bool half, bytes;
	uint64_t hash;
};

int hp_storing_new(bool half, bool bytes, hp_storing **out, hp_error *err)
{
	hp_storing *s = calloc(1, sizeof *s);

	*out = s;
	if (s) {
		s->half = half;
		s->bytes = bytes;
		s->hash = HP_HASH_START;
		s->w = hp_st_writer_new();
		s->arena = hp_arena_new();
		if (s->w && s->arena)
			return 0;
	}
	hp_storing_destroy(s);
	*out = NULL;
	return hp_fail_memory(err);
}

void hp_storing_destroy(hp_storing *s)
{
	if (!s)
		return;
	hp_st_writer_destroy(s->w);
	hp_arena_destroy(s->arena);
	free(s);
}

hp_arena *hp_storing_arena(const hp_storing *s)
{
	return s->arena;
}

hp_st_writer *hp_storing_writer(const hp_storing *s)
{
	return s->w;
}

int hp_storing_meta(hp_storing *s, const char *key, const char *value, hp_error *err)
{
	s->hash = hp_hash(hp_hash(s->hash, key, strlen(key) + 1), value, strlen(value) + 1);
	return hp_st_writer_meta(s->w, key, value, err);
}

int hp_storing_notes(hp_storing *s, const hp_store_notes *notes, hp_error *err)
{
	for (int i = 0; i < notes->count; i++)
		if (hp_storing_meta(s, notes->keys[i], notes->values[i], err) != 0)
			return HP_FAIL;
	return 0;
}

/* COUNT bytes, NULL when out of memory. */
static const uint8_t *bytes_of(hp_arena *arena, const float *value, size_t count)
{
	uint8_t *byte = HP_NEW(arena, uint8_t, count);

	for (size_t i = 0; byte && i < count; i++)
		byte[i] = hp_float_to_e4m3(value[i]);
	return byte;
}

static const uint16_t *halves_of(hp_arena *arena, const float *value, size_t count)
{
	uint16_t *half = HP_NEW(arena, uint16_t, count);

	for (size_t i = 0; half && i < count; i++)
		half[i] = hp_float_to_half(value[i]);
	return half;
}

int hp_storing_tensor(hp_storing *s, const hp_tensor *t, hp_error *err)
{
	const char *type = hp_dtype_name(t->dtype);

	s->hash = hp_hash(hp_hash(s->hash, t->name, strlen(t->name) + 1), type, strlen(type));
	s->hash = hp_hash(s->hash, t->data, t->bytes);
	return hp_st_writer_tensor(s->w, t->name, t->dtype, t->rank, t->shape, t->data, err);
}

int hp_storing_floats(hp_storing *s, const char *name, int rank, const int64_t *shape, const float *value, size_t count,
                      hp_error *err)
{
	hp_tensor t = {.name = name, .dtype = HP_F32, .rank = rank, .data = value, .bytes = count * sizeof *value};

	memcpy(t.shape, shape, (size_t)rank * sizeof *shape);
	if (s->bytes && rank > 1) {
		t.dtype = HP_F8_E4M3;
		t.data = bytes_of(s->arena, value, count);
		t.bytes = count;
	} else if (s->half) {
		t.dtype = HP_F16;
		t.data = halves_of(s->arena, value, count);
		t.bytes = count * sizeof(uint16_t);
	}
	return t.data ? hp_storing_tensor(s, &t, err) : hp_fail_memory(err);
}

int hp_storing_param(hp_storing *s, const hp_param *p, hp_error *err)
{
	int64_t shape[3] = {0};

	for (int k = 0; k < p->rank; k++)
		shape[k] = p->shape[k];
	return hp_storing_floats(s, p->name, p->rank, shape, p->value, p->count, err);
}

int hp_storing_vocab(hp_storing *s, const char *name, const hp_vocab *v, hp_error *err)
{
	size_t size;
	char *text = hp_vocab_text(v, &size), *copy = text ? HP_NEW(s->arena, char, size + 1) : NULL;

	if (copy)
		memcpy(copy, text, size);
	free(text);
	if (!copy)
		return hp_fail_memory(err);
	return hp_storing_tensor(s, &(hp_tensor){name, HP_U8, 1, {(int64_t)size}, (int64_t)size, copy, size}, err);
}

int hp_storing_numbers(hp_storing *s, const char *name, const int32_t *value, int count, hp_error *err)
{
	size_t bytes = (size_t)count * sizeof *value;

	return hp_storing_tensor(s, &(hp_tensor){name, HP_I32, 1, {count}, count, value, bytes}, err);
}

static int add_id(hp_storing *s, const char *id, hp_error *err)
{
	char derived[17];

	snprintf(derived, sizeof derived, "%016" PRIx64, s->hash);
	return hp_st_writer_meta(s->w, "model_id", id ? id : derived, err);
}

int hp_storing_write(hp_storing *s, const char *id, FILE *out, const char *name, hp_error *err)
{
	return add_id(s, id, err) != 0 ? HP_FAIL : hp_st_writer_write_model(s->w, out, name, err);
}

int hp_storing_save(hp_storing *s, const char *id, const char *path, hp_error *err)
{
	return add_id(s, id, err) != 0 ? HP_FAIL : hp_st_writer_save(s->w, path, err);
}
