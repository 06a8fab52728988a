/* elmo.c: opening a model: every tensor bound by name, type and shape. */
#include "elmo/elmo.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "elmo/weights.h"
#include "nn/vmath.h"

enum { MAX_LENGTH = 1000, MAX_SIZE = 1 << 16, MAX_CELL = 1 << 18, MAX_GROUPS = 1000, MAX_LAYERS = 100 };
enum { MAX_PLACES = 1 << 17 }; /* of all filters: each has a value a character; the published models have 12,320 */

typedef struct loader {
	hp_elmo *e;
	hp_error *err;
	int bound; /* tensors */
} loader;

/* Binds the tensor whose name FORMAT makes; of a dimension -1 any size from 1 to MAX_CELL × 4 will do. */
static const hp_tensor *bind(loader *l, int rank, const int64_t *shape, const char *format, va_list args)
{
	const hp_tensor *t;
	char name[64];

	vsnprintf(name, sizeof(name), format, args);
	if (hp_safetensors_need(l->e->file, name, rank, shape, &t, l->err) != 0)
		return NULL;
	if (t->dtype != HP_F32) {
		hp_fail(l->err, "%s: tensor '%s' is %s, expected F32", hp_safetensors_name(l->e->file), name,
		        hp_dtype_name(t->dtype));
		return NULL;
	}
	for (int i = 0; i < rank; i++) {
		if (t->shape[i] < 1 || t->shape[i] > 4 * MAX_CELL) {
			hp_fail(l->err, "%s: tensor '%s' has a dimension of %lld, expected 1 to %d",
			        hp_safetensors_name(l->e->file), name, (long long)t->shape[i], 4 * MAX_CELL);
			return NULL;
		}
	}
	if (!hp_vec_within(t->count, t->data, HP_LARGEST)) {
		hp_fail(l->err, "%s: tensor '%s' holds a value that is not finite or beyond %g",
		        hp_safetensors_name(l->e->file), name, (double)HP_LARGEST);
		return NULL;
	}
	l->bound++;
	return t;
}

HP_PRINTF(4, 5) static const float *matrix(loader *l, int rows, int columns, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const hp_tensor *t = bind(l, 2, (int64_t[]){rows, columns}, format, args);
	va_end(args);
	return t ? t->data : NULL;
}

HP_PRINTF(3, 4) static const float *vector(loader *l, int size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const hp_tensor *t = bind(l, 1, (int64_t[]){size}, format, args);
	va_end(args);
	return t ? t->data : NULL;
}

/* A tensor that tells sizes itself. */
HP_PRINTF(4, 5) static const hp_tensor *sized(loader *l, int rank, const int64_t *shape, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const hp_tensor *t = bind(l, rank, shape, format, args);
	va_end(args);
	return t;
}

/* How many of a series of tensors there are, PREFIX0SUFFIX, PREFIX1SUFFIX, ..., at most LIMIT. */
static int series(const hp_elmo *e, const char *prefix, const char *suffix, int limit)
{
	char name[64];
	int n = 0;

	for (; n < limit; n++) {
		snprintf(name, sizeof(name), "%s%d%s", prefix, n, suffix);
		if (!hp_safetensors_find(e->file, name))
			break;
	}
	return n;
}

static int need_meta(loader *l, const char *key, const char **value)
{
	*value = hp_safetensors_meta(l->e->file, key);
	if (!*value || **value == '\0')
		return hp_fail(l->err, "%s: no '%s' in the metadata: not a model of elmo-convert",
		               hp_safetensors_name(l->e->file), key);
	return 0;
}

/* One of two words: *SECOND tells which. */
static int need_choice(loader *l, const char *key, const char *first, const char *second, bool *is_second)
{
	const char *value;

	if (need_meta(l, key, &value) != 0)
		return HP_FAIL;
	*is_second = strcmp(value, second) == 0;
	if (!*is_second && strcmp(value, first) != 0)
		return hp_fail(l->err, "%s: metadata: %s is '%s', expected %s or %s", hp_safetensors_name(l->e->file), key,
		               value, first, second);
	return 0;
}

static int read_meta(loader *l)
{
	hp_elmo *e = l->e;
	const char *value;
	char *end;

	if (need_meta(l, "hp_elmo", &value) != 0)
		return HP_FAIL;
	if (strcmp(value, "1") != 0)
		return hp_fail(l->err, "%s: an ELMo model of version '%s', expected 1", hp_safetensors_name(e->file), value);
	if (need_meta(l, "elmo_id", &e->id) != 0 || need_choice(l, "activation", "relu", "tanh", &e->tanh) != 0 ||
	    need_choice(l, "skip", "0", "1", &e->skip) != 0 || need_meta(l, "max_characters", &value) != 0)
		return HP_FAIL;
	errno = 0;
	long longest = strtol(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || longest < 4 || longest > MAX_LENGTH)
		return hp_fail(l->err, "%s: metadata: max_characters is '%s', expected 4 to %d", hp_safetensors_name(e->file),
		               value, MAX_LENGTH);
	e->longest = (int)longest;
	return 0;
}

static int bind_filters(loader *l)
{
	hp_elmo *e = l->e;
	const hp_tensor *embed = sized(l, 2, (int64_t[]){HP_ELMO_CHARACTERS, -1}, "char.embed");

	if (!embed)
		return HP_FAIL;
	e->dim = (int)embed->shape[1];
	int groups = series(e, "cnn.", ".weight", MAX_GROUPS);
	int64_t places = 0;
	e->group = calloc((size_t)groups + 1, sizeof(*e->group));
	if (!e->group)
		return hp_fail_memory(l->err);
	for (int i = 0; i < groups || i == 0; i++) { /* the first must be there */
		const hp_tensor *w = sized(l, 3, (int64_t[]){-1, -1, e->dim}, "cnn.%d.weight", i);
		if (!w)
			return HP_FAIL;
		if (w->shape[1] > e->longest)
			return hp_fail(l->err, "%s: tensor '%s': filters of width %lld, expected at most max_characters, %d",
			               hp_safetensors_name(e->file), w->name, (long long)w->shape[1], e->longest);
		if (e->filters + w->shape[0] > MAX_SIZE)
			return hp_fail(l->err, "%s: more than %d filters", hp_safetensors_name(e->file), MAX_SIZE);
		places += w->shape[0] * w->shape[1];
		if (places > MAX_PLACES)
			return hp_fail(l->err, "%s: tensor '%s': filters times width come to more than %d in all",
			               hp_safetensors_name(e->file), w->name, MAX_PLACES);
		hp_charcnn *c = &e->group[i].cnn;
		*c = (hp_charcnn){HP_ELMO_CHARACTERS, e->dim, (int)w->shape[1], (int)w->shape[0], embed->data, w->data, NULL};
		if (!(c->b = vector(l, c->filters, "cnn.%d.bias", i)))
			return HP_FAIL;
		e->groups = i + 1;
		e->filters += c->filters;
	}
	return 0;
}

static int bind_highways(loader *l)
{
	hp_elmo *e = l->e;
	int n = e->filters;

	e->highways = series(e, "highway.", ".transform.weight", MAX_LAYERS);
	e->highway = calloc((size_t)e->highways + 1, sizeof(*e->highway));
	if (!e->highway)
		return hp_fail_memory(l->err);
	for (int i = 0; i < e->highways; i++) {
		hp_elmo_highway *h = &e->highway[i];
		if (!(h->transform = matrix(l, n, n, "highway.%d.transform.weight", i)) ||
		    !(h->transform_bias = vector(l, n, "highway.%d.transform.bias", i)) ||
		    !(h->carry = matrix(l, n, n, "highway.%d.carry.weight", i)) ||
		    !(h->carry_bias = vector(l, n, "highway.%d.carry.bias", i)))
			return HP_FAIL;
	}
	return 0;
}

static int bind_direction(loader *l, int layer, int direction)
{
	static const char *const names[] = {"forward", "backward"};
	hp_elmo *e = l->e;
	hp_elmo_direction *d = &e->layer[layer][direction];
	const char *name = names[direction];
	int gates = 4 * e->cell;

	if (!(d->input = matrix(l, gates, e->projection, "lstm.%d.%s.input", layer, name)) ||
	    !(d->state = matrix(l, gates, e->projection, "lstm.%d.%s.state", layer, name)) ||
	    !(d->bias = vector(l, gates, "lstm.%d.%s.bias", layer, name)) ||
	    !(d->projection = matrix(l, e->projection, e->cell, "lstm.%d.%s.projection", layer, name)))
		return HP_FAIL;
	return 0;
}

static int bind_lstms(loader *l)
{
	hp_elmo *e = l->e;
	const hp_tensor *project = sized(l, 2, (int64_t[]){-1, e->filters}, "projection.weight");

	if (!project)
		return HP_FAIL;
	e->project = project->data;
	e->projection = (int)project->shape[0];
	if (e->projection > MAX_SIZE)
		return hp_fail(l->err, "%s: a projection of %d, expected at most %d", hp_safetensors_name(e->file),
		               e->projection, MAX_SIZE);
	if (!(e->project_bias = vector(l, e->projection, "projection.bias")))
		return HP_FAIL;
	const hp_tensor *first = sized(l, 2, (int64_t[]){e->projection, -1}, "lstm.0.forward.projection");
	if (!first)
		return HP_FAIL;
	l->bound--; /* it is bound again below */
	e->cell = (int)first->shape[1];
	if (e->cell > MAX_CELL)
		return hp_fail(l->err, "%s: a cell of %d, expected at most %d", hp_safetensors_name(e->file), e->cell,
		               MAX_CELL);
	e->layers = series(e, "lstm.", ".forward.projection", MAX_LAYERS);
	e->layer = calloc(e->layers, sizeof(*e->layer));
	if (!e->layer)
		return hp_fail_memory(l->err);
	for (int i = 0; i < e->layers; i++) {
		if (bind_direction(l, i, 0) != 0 || bind_direction(l, i, 1) != 0)
			return HP_FAIL;
	}
	const float *clip = vector(l, 2, "lstm.clip");
	if (!clip)
		return HP_FAIL;
	if (clip[0] < 0 || clip[1] < 0)
		return hp_fail(l->err, "%s: tensor 'lstm.clip' is negative", hp_safetensors_name(e->file));
	e->cell_clip = clip[0] > 0 ? clip[0] : INFINITY;
	e->projection_clip = clip[1] > 0 ? clip[1] : INFINITY;
	return 0;
}

static int make_tables(loader *l, hp_pool *pool)
{
	for (int i = 0; i < l->e->groups; i++) {
		hp_elmo_filters *g = &l->e->group[i];
		size_t row = (size_t)g->cnn.window * (size_t)g->cnn.filters; /* at most MAX_PLACES */
		g->table = malloc(row * HP_ELMO_CHARACTERS * sizeof(float));
		if (!g->table || hp_charcnn_table_rows(pool, &g->cnn, g->table) != 0)
			return hp_fail_memory(l->err);
	}
	return 0;
}

int hp_elmo_open(const char *path, hp_pool *pool, hp_elmo **out, hp_error *err)
{
	hp_elmo *e = calloc(1, sizeof(*e));
	loader l = {e, err, 0};

	*out = NULL;
	if (!e)
		return hp_fail_memory(err);
	int status = hp_safetensors_open(path, &e->file, err);
	if (status == 0 && (read_meta(&l) != 0 || bind_filters(&l) != 0 || bind_highways(&l) != 0 || bind_lstms(&l) != 0))
		status = HP_FAIL;
	if (status == 0 && l.bound != hp_safetensors_count(e->file))
		status =
			hp_fail(err, "%s: %d tensors, expected %d in a model of %d groups of filters, %d highways and %d layers",
		            path, hp_safetensors_count(e->file), l.bound, e->groups, e->highways, e->layers);
	if (status == 0)
		status = make_tables(&l, pool);
	if (status != 0) {
		hp_elmo_close(e);
		return HP_FAIL;
	}
	*out = e;
	return 0;
}

void hp_elmo_close(hp_elmo *e)
{
	if (!e)
		return;
	for (int i = 0; i < e->groups; i++)
		free(e->group[i].table);
	free(e->group);
	free(e->highway);
	free(e->layer);
	hp_safetensors_close(e->file);
	free(e);
}

const char *hp_elmo_id(const hp_elmo *e)
{
	return e->id;
}

int hp_elmo_layers(const hp_elmo *e)
{
	return e->layers;
}

int hp_elmo_width(const hp_elmo *e)
{
	return 2 * e->projection;
}
