/* safetensors.c: reading safetensors images. */
#include "io/image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/checksum.h"

#include "io/sniff.h"

#define METADATA "__metadata__"

typedef struct meta_pair {
	const char *key, *value;
} meta_pair;

/* Names, keys and values are strings of ROOT, the parsed header. */
struct hp_safetensors {
	char *name;
	json_t *root;
	hp_tensor *tensors; /* in order of offsets */
	size_t *begin; /* offset of each tensor from the start of the data */
	int count;
	int *by_name; /* indices of tensors, sorted by name */
	meta_pair *meta;
	int meta_count;
	size_t data_size;
	void *owned; /* memory of the image, from malloc */
	void *mapping;
	size_t mapping_size;
	void **copies; /* aligned copies of tensors, by index; NULL where there is none */
};

void hp_safetensors_close(hp_safetensors *st)
{
	if (!st)
		return;
	for (int i = 0; st->copies && i < st->count; i++)
		free(st->copies[i]);
	free(st->copies);
	if (st->mapping)
		munmap(st->mapping, st->mapping_size);
	json_decref(st->root);
	free(st->owned);
	free(st->meta);
	free(st->by_name);
	free(st->begin);
	free(st->tensors);
	free(st->name);
	free(st);
}

/* Eight bytes of text are no length, or one of 10^17 bytes. */
static bool is_text(const unsigned char *image)
{
	for (int i = 0; i < 8; i++)
		if (image[i] == 0xFF || (image[i] < ' ' && image[i] != '\t' && image[i] != '\n' && image[i] != '\r'))
			return false;
	return true;
}

int hp_image_header_size(const void *image, const char *name, size_t *size, hp_error *err)
{
	uint64_t length;

	memcpy(&length, image, sizeof(length));
	if (is_text(image))
		return hp_fail(err, "%s: text, expected safetensors data: a model, or the stream of another stage", name);
	if (length > HP_MAX_HEADER)
		return hp_fail(err, "%s: no safetensors data: header length %llu, expected at most %zu", name,
			(unsigned long long)length, HP_MAX_HEADER);
	*size = sizeof(length) + (size_t)length;
	return 0;
}

static int parse_shape(hp_safetensors *st, hp_tensor *tensor, const json_t *shape, hp_error *err)
{
	size_t rank = json_array_size(shape);

	if (!json_is_array(shape))
		return hp_fail(err, "%s: tensor '%s': shape is not an array", st->name, tensor->name);
	if (rank > HP_MAX_RANK)
		return hp_fail(err, "%s: tensor '%s' has %zu dimensions, expected at most %d", st->name, tensor->name, rank,
			HP_MAX_RANK);
	tensor->rank = (int)rank;
	tensor->count = 1;
	for (size_t i = 0; i < rank; i++) {
		const json_t *n = json_array_get(shape, i);

		if (!json_is_integer(n) || json_integer_value(n) < 0)
			return hp_fail(err, "%s: tensor '%s': shape holds something else than whole numbers", st->name,
				tensor->name);
		tensor->shape[i] = json_integer_value(n);
		if (__builtin_mul_overflow(tensor->count, tensor->shape[i], &tensor->count))
			return hp_fail(err, "%s: tensor '%s': shape is too large", st->name, tensor->name);
	}
	return 0;
}

static int parse_offsets(hp_safetensors *st, hp_tensor *tensor, size_t *begin, const json_t *offsets, hp_error *err)
{
	json_int_t from, to;
	size_t bytes;

	if (json_array_size(offsets) != 2 || !json_is_integer(json_array_get(offsets, 0)) ||
		!json_is_integer(json_array_get(offsets, 1)))
		return hp_fail(err, "%s: tensor '%s': data_offsets is not two whole numbers", st->name, tensor->name);
	from = json_integer_value(json_array_get(offsets, 0));
	to = json_integer_value(json_array_get(offsets, 1));
	if (from < 0 || to < from)
		return hp_fail(err, "%s: tensor '%s': data_offsets [%lld, %lld], expected 0 or more and in order", st->name,
			tensor->name, (long long)from, (long long)to);
	if (!hp_dtype_bytes(tensor->dtype, tensor->count, &bytes) || bytes != (size_t)(to - from))
		return hp_fail(err, "%s: tensor '%s': %lld bytes, but its shape and type take another number", st->name,
			tensor->name, (long long)(to - from));
	*begin = (size_t)from;
	tensor->bytes = bytes;
	return 0;
}

static int parse_tensor(hp_safetensors *st, const char *name, const json_t *entry, hp_error *err)
{
	hp_tensor *tensor = &st->tensors[st->count];
	const char *type = json_string_value(json_object_get(entry, "dtype"));

	tensor->name = name;
	if (!json_is_object(entry))
		return hp_fail(err, "%s: tensor '%s' is not described by an object", st->name, name);
	if (!type || hp_dtype_from_name(type, &tensor->dtype) != 0)
		return hp_fail(err, "%s: tensor '%s': dtype %s%s%s, which is not a known one", st->name, name,
			type ? "'" : "", type ? type : "missing", type ? "'" : "");
	if (parse_shape(st, tensor, json_object_get(entry, "shape"), err) != 0 ||
		parse_offsets(st, tensor, &st->begin[st->count], json_object_get(entry, "data_offsets"), err) != 0)
		return HP_FAIL;
	st->count++;
	return 0;
}

static int parse_meta(hp_safetensors *st, json_t *meta, hp_error *err)
{
	const char *key;
	json_t *value;

	if (json_is_null(meta))
		return 0;
	if (!json_is_object(meta))
		return hp_fail(err, "%s: " METADATA " is not an object", st->name);
	st->meta = calloc(json_object_size(meta) + 1, sizeof(*st->meta));
	if (!st->meta)
		return hp_fail_memory(err);
	json_object_foreach(meta, key, value) {
		if (!json_is_string(value))
			return hp_fail(err, "%s: " METADATA ": '%s' is not a string", st->name, key);
		st->meta[st->meta_count++] = (meta_pair){ key, json_string_value(value) };
	}
	return 0;
}

static int parse_json(hp_safetensors *st, const char *json, size_t size, hp_error *err)
{
	json_error_t why;

	if (size == 0 || json[0] != '{')
		return hp_fail(err, "%s: no safetensors data: the header does not begin with '{'", st->name);
	st->root = json_loadb(json, size, JSON_REJECT_DUPLICATES, &why);
	if (!st->root) {
		if (json_error_code(&why) == json_error_out_of_memory)
			return hp_fail_memory(err);
		return hp_fail(err, "%s: header, byte %d: %s", st->name, why.position, why.text);
	}
	return json_is_object(st->root) ? 0 : hp_fail(err, "%s: the header is not an object", st->name);
}

static int parse_entries(hp_safetensors *st, hp_error *err)
{
	size_t entries = json_object_size(st->root);
	const char *name;
	json_t *entry;

	st->tensors = calloc(entries + 1, sizeof(*st->tensors));
	st->begin = calloc(entries + 1, sizeof(*st->begin));
	st->by_name = calloc(entries + 1, sizeof(*st->by_name));
	if (!st->tensors || !st->begin || !st->by_name)
		return hp_fail_memory(err);
	json_object_foreach(st->root, name, entry) {
		int status = strcmp(name, METADATA) == 0 ? parse_meta(st, entry, err) : parse_tensor(st, name, entry, err);

		if (status != 0)
			return status;
	}
	return 0;
}

static int compare_offsets(const void *a, const void *b, void *context)
{
	const hp_safetensors *st = context;
	int i = *(const int *)a, j = *(const int *)b;

	if (st->begin[i] != st->begin[j])
		return st->begin[i] < st->begin[j] ? -1 : 1;
	if (st->tensors[i].bytes != st->tensors[j].bytes) /* empty ones before the one they share an offset with */
		return st->tensors[i].bytes < st->tensors[j].bytes ? -1 : 1;
	return i - j;
}

static int compare_names(const void *a, const void *b, void *context)
{
	const hp_safetensors *st = context;

	return strcmp(st->tensors[*(const int *)a].name, st->tensors[*(const int *)b].name);
}

/* Sorts the tensors by offset; they must follow each other without a hole or an overlap. */
static int sort_entries(hp_safetensors *st, hp_error *err)
{
	size_t n = (size_t)st->count + 1;
	hp_tensor *tensors = calloc(n, sizeof(*tensors));
	size_t *begin = calloc(n, sizeof(*begin));
	size_t end = 0;
	int *order = st->by_name;

	if (!tensors || !begin) {
		free(tensors);
		free(begin);
		return hp_fail_memory(err);
	}
	for (int i = 0; i < st->count; i++)
		order[i] = i;
	qsort_r(order, (size_t)st->count, sizeof(*order), compare_offsets, st);
	for (int i = 0; i < st->count; i++) {
		tensors[i] = st->tensors[order[i]];
		begin[i] = st->begin[order[i]];
	}
	free(st->tensors);
	free(st->begin);
	st->tensors = tensors;
	st->begin = begin;
	for (int i = 0; i < st->count; i++) {
		if (begin[i] != end)
			return hp_fail(err, "%s: tensor '%s' begins at byte %zu of the data, expected %zu: %s", st->name,
				tensors[i].name, begin[i], end, begin[i] > end ? "a hole" : "an overlap");
		end += tensors[i].bytes; /* both at most INT64_MAX: cannot wrap, and begin < 2^63 stops larger ends */
		order[i] = i;
	}
	st->data_size = end;
	qsort_r(order, (size_t)st->count, sizeof(*order), compare_names, st);
	return 0;
}

int hp_image_parse_header(
	const void *image, size_t header_size, const char *name, hp_safetensors **out, size_t *length, hp_error *err)
{
	hp_safetensors *st = calloc(1, sizeof(*st));

	*out = NULL;
	if (!st)
		return hp_fail_memory(err);
	st->name = strdup(name);
	if (!st->name)
		hp_fail_memory(err);
	else if (parse_json(st, (const char *)image + 8, header_size - 8, err) == 0 && parse_entries(st, err) == 0 &&
		sort_entries(st, err) == 0) {
		*length = header_size + st->data_size;
		*out = st;
		return 0;
	}
	hp_safetensors_close(st);
	return HP_FAIL;
}

/* A tensor whose values do not lie at multiples of their size is copied to where they do. */
static int align_tensor(hp_safetensors *st, int index)
{
	hp_tensor *tensor = &st->tensors[index];

	if ((uintptr_t)tensor->data % hp_dtype_alignment(tensor->dtype) == 0)
		return 0;
	if (!st->copies)
		st->copies = calloc((size_t)st->count, sizeof(*st->copies));
	if (st->copies)
		st->copies[index] = malloc(tensor->bytes ? tensor->bytes : 1);
	if (!st->copies || !st->copies[index])
		return HP_FAIL;
	memcpy(st->copies[index], tensor->data, tensor->bytes);
	tensor->data = st->copies[index];
	return 0;
}

int hp_image_attach(hp_safetensors *st, const void *data, void *owned, hp_error *err)
{
	for (int i = 0; i < st->count; i++) {
		st->tensors[i].data = (const char *)data + st->begin[i];
		if (align_tensor(st, i) != 0)
			return hp_fail_memory(err);
	}
	st->owned = owned;
	return 0;
}

/* Header and whole length of the image that begins with these SIZE bytes. */
static int read_header(
	const void *image, size_t size, const char *name, hp_safetensors **out, size_t *length, hp_error *err)
{
	size_t header_size = 0;

	*out = NULL;
	if ((size < 9 || ((const char *)image)[8] != '{') &&
		hp_sniff(image, size, name, "a safetensors file", err) != 0)
		return HP_FAIL;
	if (size < 8)
		return hp_fail(err, "%s: cut off after %zu bytes, expected a header length of 8 bytes", name, size);
	if (hp_image_header_size(image, name, &header_size, err) != 0)
		return HP_FAIL;
	if (size < header_size)
		return hp_fail(err, "%s: cut off after %zu bytes, expected a header of %zu", name, size, header_size);
	return hp_image_parse_header(image, header_size, name, out, length, err);
}

/* Whether this is a stream's first record. */
static bool is_stream(const hp_safetensors *st)
{
	return st->count == 0 && hp_safetensors_meta(st, "hp_stream");
}

static int fail_stream(const char *name, hp_error *err)
{
	return hp_fail(err, "%s: a tensor stream, expected a model", name);
}

static int parse_image(
	const void *image, size_t size, const char *name, void *owned, hp_safetensors **out, hp_error *err)
{
	hp_safetensors *st;
	size_t length;

	*out = NULL;
	if (read_header(image, size, name, &st, &length, err) != 0)
		return HP_FAIL;
	if (length > size)
		hp_fail(err, "%s: cut off after %zu bytes, expected %zu", name, size, length);
	else if (length < size && is_stream(st))
		fail_stream(name, err);
	else if (length < size)
		hp_fail(err, "%s: %zu bytes, expected %zu: data that belongs to no tensor", name, size, length);
	else if (hp_image_attach(st, (const char *)image + (length - st->data_size), owned, err) == 0) {
		*out = st;
		return 0;
	}
	hp_safetensors_close(st);
	return HP_FAIL;
}

int hp_safetensors_parse(const void *image, size_t size, const char *name, hp_safetensors **out, hp_error *err)
{
	return parse_image(image, size, name, NULL, out, err);
}

int hp_safetensors_adopt(void *image, size_t size, const char *name, hp_safetensors **out, hp_error *err)
{
	return parse_image(image, size, name, image, out, err);
}

int hp_safetensors_length(const void *image, size_t size, const char *name, size_t *length, hp_error *err)
{
	hp_safetensors *st;
	int status = read_header(image, size, name, &st, length, err);

	hp_safetensors_close(st);
	return status;
}

/* *DATA is NULL for an empty file, which cannot be mapped. */
static int map_file(const char *path, void **data, size_t *size, hp_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO is not waited for */
	struct stat info;

	*data = NULL;
	if (fd < 0)
		return hp_fail_errno(err, path);
	if (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) {
		if (S_ISDIR(info.st_mode))
			errno = EISDIR;
		hp_fail_errno(err, path);
		close(fd);
		return HP_FAIL;
	}
	if (!S_ISREG(info.st_mode)) {
		close(fd);
		return hp_fail(err, "%s: not a regular file, so it cannot be mapped", path);
	}
	*size = (size_t)info.st_size;
	if (*size > 0)
		*data = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (*data == MAP_FAILED) {
		hp_fail_errno(err, path);
		close(fd);
		return HP_FAIL;
	}
	close(fd);
	return 0;
}

int hp_safetensors_open(const char *path, hp_safetensors **out, hp_error *err)
{
	void *data;
	size_t size = 0;

	*out = NULL;
	if (map_file(path, &data, &size, err) != 0)
		return HP_FAIL;
	if (parse_image(data ? data : "", size, path, NULL, out, err) != 0) {
		if (data)
			munmap(data, size);
		return HP_FAIL;
	}
	(*out)->mapping = data;
	(*out)->mapping_size = size;
	if (is_stream(*out)) { /* of nothing but its beginning */
		hp_safetensors_close(*out);
		*out = NULL;
		return fail_stream(path, err);
	}
	return 0;
}

int hp_safetensors_count(const hp_safetensors *st)
{
	return st->count;
}

const hp_tensor *hp_safetensors_at(const hp_safetensors *st, int index)
{
	return &st->tensors[index];
}

const hp_tensor *hp_safetensors_find(const hp_safetensors *st, const char *name)
{
	int low = 0, high = st->count;

	while (low < high) {
		int middle = low + (high - low) / 2;
		const hp_tensor *tensor = &st->tensors[st->by_name[middle]];
		int order = strcmp(name, tensor->name);

		if (order == 0)
			return tensor;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* "[3, 4]"; a dimension of -1, which fits any, is "?". */
static void format_shape(char *text, size_t size, int rank, const int64_t *shape)
{
	size_t used = (size_t)snprintf(text, size, "[");

	for (int i = 0; i < rank; i++) {
		const char *comma = i > 0 ? ", " : "";

		if (shape[i] < 0)
			used += (size_t)snprintf(text + used, size - used, "%s?", comma);
		else
			used += (size_t)snprintf(text + used, size - used, "%s%lld", comma, (long long)shape[i]);
	}
	snprintf(text + used, size - used, "]");
}

int hp_safetensors_need(const hp_safetensors *st, const char *name, int rank, const int64_t *shape,
	const hp_tensor **out, hp_error *err)
{
	const hp_tensor *tensor = hp_safetensors_find(st, name);
	char found[HP_MAX_RANK * 24], expected[HP_MAX_RANK * 24];
	bool fits = tensor && tensor->rank == rank;

	*out = NULL;
	for (int i = 0; fits && i < rank; i++)
		fits = shape[i] < 0 || shape[i] == tensor->shape[i];
	if (fits) {
		*out = tensor;
		return 0;
	}
	format_shape(expected, sizeof(expected), rank < HP_MAX_RANK ? rank : HP_MAX_RANK, shape);
	if (!tensor)
		return hp_fail(err, "%s: no tensor '%s', expected one of shape %s", st->name, name, expected);
	format_shape(found, sizeof(found), tensor->rank, tensor->shape);
	return hp_fail(err, "%s: tensor '%s' has shape %s, expected %s", st->name, name, found, expected);
}

const char *hp_safetensors_meta(const hp_safetensors *st, const char *key)
{
	return json_string_value(json_object_get(json_object_get(st->root, METADATA), key));
}

int hp_safetensors_meta_count(const hp_safetensors *st)
{
	return st->meta_count;
}

void hp_safetensors_meta_at(const hp_safetensors *st, int index, const char **key, const char **value)
{
	*key = st->meta[index].key;
	*value = st->meta[index].value;
}

int hp_safetensors_verify(const hp_safetensors *st, bool *has, hp_error *err)
{
	const char *expected = hp_safetensors_meta(st, HP_CHECKSUM_KEY);
	uint64_t sum = 0;
	char found[17];

	if (has)
		*has = expected != NULL;
	if (!expected)
		return 0;
	for (int i = 0; i < st->meta_count; i++)
		if (strcmp(st->meta[i].key, HP_CHECKSUM_KEY) != 0)
			sum += hp_checksum_meta(st->meta[i].key, st->meta[i].value);
	for (int i = 0; i < st->count; i++)
		sum += hp_checksum_tensor(&st->tensors[i]);
	snprintf(found, sizeof(found), "%016" PRIx64, sum);
	return strcmp(found, expected) == 0 ? 0 :
		hp_fail(err, "%s: damaged: its contents come to the checksum %s, expected %s", st->name, found, expected);
}

const char *hp_safetensors_name(const hp_safetensors *st)
{
	return st->name;
}
