/* header.c: what a safetensors header says, and whether it can be true. */
#include "io/header.h"

#include <stdlib.h>
#include <string.h>
#include "base/grow.h"

#include "io/json.h"

#define METADATA "__metadata__"

/* What an entry says of a tensor; -1 for a list that is absent or none. */
typedef struct entry {
	bool object;
	const char *dtype; /* NULL: absent or no string */
	int rank; /* of which HP_MAX_RANK are in shape */
	int64_t shape[HP_MAX_RANK];
	bool shape_whole; /* whole numbers, 0 or more */
	int offsets; /* of which 2 are in offset */
	int64_t offset[2];
	bool offsets_whole;
} entry;

void hp_header_free(hp_header *h)
{
	free(h->tensors);
	free(h->begin);
	free(h->by_name);
	free(h->meta);
	free(h->by_key);
	free(h->text);
}

/* ---- reading ---- */

/* A list of whole numbers, at most MOST of which are kept; how many there are, or -1. */
static int read_list(hp_json *j, int64_t *n, int most, bool *whole)
{
	int count = 0;

	*whole = true;
	if (hp_json_peek(j) != '[') {
		hp_json_skip(j);
		return -1;
	}
	hp_json_enter(j, '[');
	for (bool first = true; hp_json_more(j, ']', &first); count++) {
		int64_t value = -1;

		*whole &= hp_json_whole(j, &value);
		if (count < most)
			n[count] = value;
	}
	return count;
}

static void read_once(hp_json *j, bool *seen)
{
	if (*seen)
		hp_json_fail(j, "duplicate key");
	*seen = true;
}

static void read_entry(hp_json *j, entry *e)
{
	bool dtype = false, shape = false, offsets = false;

	*e = (entry){.object = hp_json_peek(j) == '{', .rank = -1, .offsets = -1};
	if (!e->object) {
		hp_json_skip(j);
		return;
	}
	hp_json_enter(j, '{');
	for (bool first = true; hp_json_more(j, '}', &first);) {
		const char *key = hp_json_key(j);

		if (strcmp(key, "dtype") == 0) {
			read_once(j, &dtype);
			if (hp_json_peek(j) == '"')
				e->dtype = hp_json_string(j);
			else
				hp_json_skip(j);
		} else if (strcmp(key, "shape") == 0) {
			read_once(j, &shape);
			e->rank = read_list(j, e->shape, HP_MAX_RANK, &e->shape_whole);
		} else if (strcmp(key, "data_offsets") == 0) {
			read_once(j, &offsets);
			e->offsets = read_list(j, e->offset, 2, &e->offsets_whole);
		} else {
			hp_json_skip(j);
		}
	}
}

static int set_shape(hp_tensor *tensor, const entry *e, const char *name, hp_error *err)
{
	if (e->rank < 0)
		return hp_fail(err, "%s: tensor '%s': shape is not an array", name, tensor->name);
	if (e->rank > HP_MAX_RANK)
		return hp_fail(err, "%s: tensor '%s' has %d dimensions, expected at most %d", name, tensor->name, e->rank,
		               HP_MAX_RANK);
	tensor->rank = e->rank;
	tensor->count = 1;
	for (int i = 0; i < e->rank; i++) {
		if (!e->shape_whole || e->shape[i] < 0)
			return hp_fail(err, "%s: tensor '%s': shape holds something else than whole numbers", name, tensor->name);
		tensor->shape[i] = e->shape[i];
		if (__builtin_mul_overflow(tensor->count, tensor->shape[i], &tensor->count))
			return hp_fail(err, "%s: tensor '%s': shape is too large", name, tensor->name);
	}
	return 0;
}

static int set_offsets(hp_tensor *tensor, const entry *e, size_t *begin, const char *name, hp_error *err)
{
	int64_t from = e->offset[0], to = e->offset[1];
	size_t bytes;

	if (e->offsets != 2 || !e->offsets_whole)
		return hp_fail(err, "%s: tensor '%s': data_offsets is not two whole numbers", name, tensor->name);
	if (from < 0 || to < from)
		return hp_fail(err, "%s: tensor '%s': data_offsets [%lld, %lld], expected 0 or more and in order", name,
		               tensor->name, (long long)from, (long long)to);
	if (!hp_dtype_bytes(tensor->dtype, tensor->count, &bytes) || bytes != (size_t)(to - from))
		return hp_fail(err, "%s: tensor '%s': %lld bytes, but its shape and type take another number", name,
		               tensor->name, (long long)(to - from));
	*begin = from;
	tensor->bytes = bytes;
	return 0;
}

static int read_tensor(hp_header *h, hp_json *j, const char *tensor_name, const char *name, hp_error *err)
{
	size_t room = h->tensor_room;
	hp_tensor *tensor;
	entry e;

	read_entry(j, &e);
	if (j->why)
		return 0;
	if (!hp_grow(&h->begin, &room, h->count + 1, sizeof(*h->begin)) ||
	    !hp_grow(&h->tensors, &h->tensor_room, h->count + 1, sizeof(*h->tensors)))
		return hp_fail_memory(err);
	tensor = &h->tensors[h->count];
	*tensor = (hp_tensor){.name = tensor_name};
	if (!e.object)
		return hp_fail(err, "%s: tensor '%s' is not described by an object", name, tensor_name);
	if (!e.dtype || hp_dtype_from_name(e.dtype, &tensor->dtype) != 0)
		return hp_fail(err, "%s: tensor '%s': dtype %s%s%s, which is not a known one", name, tensor_name,
		               e.dtype ? "'" : "", e.dtype ? e.dtype : "missing", e.dtype ? "'" : "");
	if (set_shape(tensor, &e, name, err) != 0 || set_offsets(tensor, &e, &h->begin[h->count], name, err) != 0)
		return HP_FAIL;
	h->count++;
	return 0;
}

static int read_meta(hp_header *h, hp_json *j, const char *name, hp_error *err)
{
	char c = hp_json_peek(j);

	if (c != '{' && c != 'n' && !j->why)
		return hp_fail(err, "%s: " METADATA " is not an object", name);
	if (c != '{') {
		hp_json_skip(j); /* null */
		return 0;
	}
	hp_json_enter(j, '{');
	for (bool first = true; hp_json_more(j, '}', &first);) {
		const char *key = hp_json_key(j);

		if (hp_json_peek(j) != '"' && !j->why)
			return hp_fail(err, "%s: " METADATA ": '%s' is not a string", name, key);
		if (!hp_grow(&h->meta, &h->meta_room, h->meta_count + 1, sizeof(*h->meta)))
			return hp_fail_memory(err);
		h->meta[h->meta_count++] = (hp_meta_pair){key, hp_json_string(j)};
	}
	return 0;
}

static int read_header(hp_header *h, hp_json *j, const char *name, hp_error *err)
{
	bool meta = false;
	int status = 0;

	hp_json_enter(j, '{');
	for (bool first = true; status == 0 && hp_json_more(j, '}', &first);) {
		const char *key = hp_json_key(j);

		if (strcmp(key, METADATA) == 0) {
			read_once(j, &meta);
			status = read_meta(h, j, name, err);
		} else {
			status = read_tensor(h, j, key, name, err);
		}
	}
	if (status == 0 && !hp_json_end(j))
		status = hp_fail(err, "%s: header, byte %zu: %s", name, (size_t)(j->at - j->start), j->why);
	return status;
}

/* ---- sorting ---- */

static int compare_offsets(const void *a, const void *b, void *context)
{
	const hp_header *h = context;
	int i = *(const int *)a, j = *(const int *)b;

	if (h->begin[i] != h->begin[j])
		return h->begin[i] < h->begin[j] ? -1 : 1;
	if (h->tensors[i].bytes != h->tensors[j].bytes) /* empty ones before the one they share an offset with */
		return h->tensors[i].bytes < h->tensors[j].bytes ? -1 : 1;
	return i - j;
}

static int compare_names(const void *a, const void *b, void *context)
{
	const hp_header *h = context;

	return strcmp(h->tensors[*(const int *)a].name, h->tensors[*(const int *)b].name);
}

static int compare_keys(const void *a, const void *b, void *context)
{
	const hp_header *h = context;

	return strcmp(h->meta[*(const int *)a].key, h->meta[*(const int *)b].key);
}

static int *sorted(int count, int (*compare)(const void *, const void *, void *), hp_header *h)
{
	int *order = malloc(((size_t)count + 1) * sizeof(*order));

	if (!order)
		return NULL;
	for (int i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare, h);
	return order;
}

static int sort_tensors(hp_header *h, hp_error *err)
{
	int *order = sorted(h->count, compare_offsets, h);
	hp_tensor *tensors = malloc(((size_t)h->count + 1) * sizeof(*tensors));
	size_t *begin = malloc(((size_t)h->count + 1) * sizeof(*begin));

	if (!order || !tensors || !begin) {
		free(order);
		free(tensors);
		free(begin);
		return hp_fail_memory(err);
	}
	for (int i = 0; i < h->count; i++) {
		tensors[i] = h->tensors[order[i]];
		begin[i] = h->begin[order[i]];
	}
	free(order);
	free(h->tensors);
	free(h->begin);
	h->tensors = tensors;
	h->begin = begin;
	return 0;
}

/* They must follow each other without a hole or an overlap. */
static int check_offsets(hp_header *h, const char *name, hp_error *err)
{
	size_t end = 0;

	for (int i = 0; i < h->count; i++) {
		if (h->begin[i] != end)
			return hp_fail(err, "%s: tensor '%s' begins at byte %zu of the data, expected %zu: %s", name,
			               h->tensors[i].name, h->begin[i], end, h->begin[i] > end ? "a hole" : "an overlap");
		end += h->tensors[i].bytes; /* both at most INT64_MAX: cannot wrap, and begin < 2^63 stops larger ends */
	}
	h->data_size = end;
	return 0;
}

static int check_names(const hp_header *h, const char *name, hp_error *err)
{
	for (int i = 1; i < h->count; i++) {
		const char *tensor = h->tensors[h->by_name[i]].name;

		if (strcmp(h->tensors[h->by_name[i - 1]].name, tensor) == 0)
			return hp_fail(err, "%s: header: duplicate tensor '%s'", name, tensor);
	}
	for (int i = 1; i < h->meta_count; i++) {
		const char *key = h->meta[h->by_key[i]].key;

		if (strcmp(h->meta[h->by_key[i - 1]].key, key) == 0)
			return hp_fail(err, "%s: header: " METADATA " has a duplicate '%s'", name, key);
	}
	return 0;
}

int hp_header_parse(hp_header *h, const char *json, size_t size, const char *name, hp_error *err)
{
	hp_json j;

	*h = (hp_header){.text = malloc(size + 1)};
	if (!h->text)
		return hp_fail_memory(err);
	if (size == 0 || json[0] != '{')
		return hp_fail(err, "%s: no safetensors data: the header does not begin with '{'", name);
	hp_json_begin(&j, json, size, h->text);
	if (read_header(h, &j, name, err) != 0 || sort_tensors(h, err) != 0)
		return HP_FAIL;
	h->by_name = sorted(h->count, compare_names, h);
	h->by_key = sorted(h->meta_count, compare_keys, h);
	if (!h->by_name || !h->by_key)
		return hp_fail_memory(err);
	return check_names(h, name, err) != 0 ? HP_FAIL : check_offsets(h, name, err);
}

/* ---- looking up ---- */

/* The one called KEY of COUNT items of SIZE bytes, each of which begins with the pointer to its name; BY sorts them. */
static const void *find(const char *key, const void *items, size_t size, const int *by, int count)
{
	int low = 0, high = count;

	while (low < high) {
		int middle = low + (high - low) / 2;
		const void *item = (const char *)items + by[middle] * size;
		int order = strcmp(key, *(const char *const *)item);

		if (order == 0)
			return item;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const hp_tensor *hp_header_tensor(const hp_header *h, const char *name)
{
	return find(name, h->tensors, sizeof(*h->tensors), h->by_name, h->count);
}

const char *hp_header_meta(const hp_header *h, const char *key)
{
	const hp_meta_pair *pair = find(key, h->meta, sizeof(*h->meta), h->by_key, h->meta_count);

	return pair ? pair->value : NULL;
}
