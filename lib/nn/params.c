/* params.c: the named parameters of a network. */
#include "nn/params.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/pages.h"
#include "nn/bf16.h"
#include "nn/gemm.h"
#include "nn/vmath.h"

enum { ALIGN_VALUES = 16 }; /* 64 bytes */

static size_t padded(size_t count)
{
	return (count + ALIGN_VALUES - 1) / ALIGN_VALUES * ALIGN_VALUES;
}

static uint64_t hash_of(const char *prefix, const char *name)
{
	return hp_hash(hp_hash(HP_HASH_START, prefix, strlen(prefix)), name, strlen(name));
}

int hp_params_declare(hp_params *p, hp_error *err, const char *name, int rank, ...)
{
	hp_param *grown = realloc(p->item, (size_t)(p->count + 1) * sizeof *grown);
	if (!grown)
		return hp_fail_memory(err);
	p->item = grown;
	hp_param *q = &p->item[p->count];
	*q = (hp_param){.rank = rank, .count = 1, .offset = p->total, .role = (int)strlen(p->prefix)};
	if ((size_t)snprintf(q->name, sizeof q->name, "%s%s", p->prefix, name) >= sizeof q->name)
		return hp_fail(err, "parameter name too long: %s", name);
	q->hash = hash_of(p->prefix, name);
	va_list dims;
	va_start(dims, rank);
	for (int i = 0; i < rank; i++) {
		q->shape[i] = va_arg(dims, int);
		q->count *= (size_t)q->shape[i]; /* sizes are at most 10^6 each (hp_dep_config_check): no overflow */
	}
	va_end(dims);
	p->total += padded(q->count);
	p->count++;
	return 0;
}

static float *zeroed(size_t count)
{
	if (count > SIZE_MAX / sizeof(float) - 64)
		return NULL;
	float *p = hp_pages_new(count * sizeof(float) + 64);
	if (p)
		memset(p, 0, count * sizeof(float));
	return p;
}

int hp_params_alloc(hp_params *p, bool grads, hp_error *err)
{
	p->values = zeroed(p->total);
	p->grads = grads ? zeroed(p->total) : NULL;
	if (!p->values || (grads && !p->grads))
		return hp_fail_memory(err);
	for (int i = 0; i < p->count; i++) {
		p->item[i].value = p->item[i].half ? NULL : p->values + p->item[i].offset;
		p->item[i].grad = grads ? p->grads + p->item[i].offset : NULL;
	}
	return 0;
}

void hp_params_free(hp_params *p)
{
	for (int i = 0; i < p->count; i++)
		hp_bf16_free(p->item[i].bf16);
	free(p->item);
	free(p->copies);
	free(p->rounded);
	free(p->split);
	free(p->values);
	free(p->grads);
	*p = (hp_params){0};
}

hp_param *hp_params_find(const hp_params *p, const char *name)
{
	size_t prefix = strlen(p->prefix);
	uint64_t hash = hash_of(p->prefix, name);
	for (int i = 0; i < p->count; i++) {
		const char *own = p->item[i].name;
		if (p->item[i].hash == hash && !strncmp(own, p->prefix, prefix) && !strcmp(own + prefix, name))
			return &p->item[i];
	}
	return NULL;
}

void hp_params_of_member(hp_params *p, int m)
{
	hp_member_name(p->prefix, sizeof p->prefix, m, "");
}

void hp_member_name(char *out, size_t size, int m, const char *name)
{
	if (m > 0)
		snprintf(out, size, HP_MEMBER "%d.%s", m, name);
	else
		snprintf(out, size, "%s", name);
}

static int find_tensor(const hp_param *q, const hp_safetensors *st, const char *prefix, const hp_tensor **out,
                       hp_error *err)
{
	char name[128];
	snprintf(name, sizeof name, "%s%s", prefix, q->name);
	int64_t shape[3] = {q->shape[0], q->shape[1], q->shape[2]};
	return hp_safetensors_need(st, name, q->rank, shape, out, err);
}

/* All shapes: sizes that a damaged file merely claims must not cost memory. */
static int check_shapes(const hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	const hp_tensor *t;
	for (int i = 0; i < p->count; i++)
		if (find_tensor(&p->item[i], st, prefix, &t, err))
			return HP_FAIL;
	return 0;
}

/* The values of Q, at q->half or q->value. */
static int load(hp_param *q, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	const hp_tensor *t;
	if (find_tensor(q, st, prefix, &t, err))
		return HP_FAIL;
	if (!q->half && hp_tensor_to_float(t, 0, t->count, q->value))
		return hp_fail(err, "%s: tensor `%s` has type %s: expected F32, F16 or F8_E4M3", hp_safetensors_name(st),
		               t->name, hp_dtype_name(t->dtype));
	if (q->half ? !hp_vec_finite_halves(q->count, q->half) : !hp_vec_within(q->count, q->value, HP_LARGEST))
		return hp_fail(err, "%s: tensor `%s` holds a value that is not finite or beyond %g", hp_safetensors_name(st),
		               t->name, (double)HP_LARGEST);
	return 0;
}

int hp_params_load(hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	if (check_shapes(p, st, prefix, err) || (!p->values && hp_params_alloc(p, false, err)))
		return HP_FAIL;
	for (int i = 0; i < p->count; i++)
		if (load(&p->item[i], st, prefix, err))
			return HP_FAIL;
	return 0;
}

bool hp_param_multiplies(const hp_param *p)
{
	const char *role = hp_param_role(p);

	return p->rank > 1 && strncmp(role, "embed.", 6) != 0 && strncmp(role, "charcnn.", 8) != 0;
}

/* Whether floats of 16 bits are enough to multiply Q. */
static bool stays_half(const hp_param *q, const hp_tensor *t)
{
	return (t->dtype == HP_F16 || t->dtype == HP_F8_E4M3) && hp_param_multiplies(q) &&
	       q->shape[q->rank - 1] <= HP_HALF_DEPTH;
}

/* Those of a byte a number, COUNT in all: half the memory of floats, and no number is lost. */
static int copy_bytes(hp_params *p, const hp_safetensors *st, const char *prefix, size_t count, hp_error *err)
{
	const hp_tensor *t;
	size_t used = 0;
	p->copies = count ? hp_pages_new(count * sizeof *p->copies) : NULL;
	if (count && !p->copies)
		return hp_fail_memory(err);
	for (int i = 0; i < p->count; i++) {
		hp_param *q = &p->item[i];
		if (find_tensor(q, st, prefix, &t, err))
			return HP_FAIL;
		if (t->dtype != HP_F8_E4M3 || !stays_half(q, t))
			continue;
		hp_e4m3_to_halves(q->count, t->data, p->copies + used);
		q->half = p->copies + used;
		used += padded(q->count);
	}
	return 0;
}

int hp_params_open(hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	size_t bytes = 0;
	if (check_shapes(p, st, prefix, err))
		return HP_FAIL;
	p->total = 0;
	for (int i = 0; i < p->count; i++) {
		hp_param *q = &p->item[i];
		const hp_tensor *t;
		if (find_tensor(q, st, prefix, &t, err))
			return HP_FAIL;
		bool stays = stays_half(q, t);
		q->half = stays && t->dtype == HP_F16 ? t->data : NULL;
		q->offset = p->total;
		p->total += stays ? 0 : padded(q->count);
		bytes += stays && !q->half ? padded(q->count) : 0;
	}
	return copy_bytes(p, st, prefix, bytes, err) ? HP_FAIL : hp_params_load(p, st, prefix, err);
}

/* Tensors that are no parameters. */
static bool is_other(const char *name)
{
	return !strncmp(name, "vocab.", 6) || !strncmp(name, "lemma.", 6) || !strncmp(name, "tag.", 4);
}

int hp_params_only(const hp_params *p, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	size_t skip = strlen(prefix);
	for (int i = 0; i < hp_safetensors_count(st); i++) {
		const char *name = hp_safetensors_at(st, i)->name;
		if (strncmp(name, prefix, skip) == 0 && !is_other(name + skip) && !hp_params_find(p, name + skip))
			return hp_fail(err, "%s: tensor `%s` has no place in the network that the metadata describes",
			               hp_safetensors_name(st), name);
	}
	return 0;
}

int hp_params_store(const hp_params *p, hp_st_writer *w, const char *prefix, hp_error *err)
{
	for (int i = 0; i < p->count; i++) {
		const hp_param *q = &p->item[i];
		char name[128];
		snprintf(name, sizeof name, "%s%s", prefix, q->name);
		int64_t shape[3] = {q->shape[0], q->shape[1], q->shape[2]};
		if (hp_st_writer_tensor(w, name, HP_F32, q->rank, shape, q->value, err))
			return HP_FAIL;
	}
	return 0;
}

int hp_params_declare_affine(hp_params *p, hp_error *err, const char *name, int out, int in)
{
	char w[48], b[48];
	snprintf(w, sizeof w, "%s.w", name);
	snprintf(b, sizeof b, "%s.b", name);
	return hp_params_declare(p, err, w, 2, out, in) || hp_params_declare(p, err, b, 1, out) ? HP_FAIL : 0;
}

hp_affine hp_params_find_affine(const hp_params *p, const char *name)
{
	char w[48], b[48];
	snprintf(w, sizeof w, "%s.w", name);
	snprintf(b, sizeof b, "%s.b", name);
	return (hp_affine){hp_params_find(p, w), hp_params_find(p, b)};
}

void hp_param_init_uniform(hp_param *p, hp_rng *rng, int out)
{
	size_t in = p->count / (size_t)p->shape[0];
	float limit = (float)sqrt(6.0 / ((double)in + out));
	for (size_t i = 0; i < p->count; i++)
		p->value[i] = limit * (2.0f * hp_rng_uniform(rng) - 1.0f);
}
