/* safetensors.c: reading safetensors images. */
#include "io/safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/checksum.h"
#include "io/header.h"
#include "io/sniff.h"

struct hp_safetensors {
	char *name;
	hp_header header;
	void *owned; /* memory of the image, from malloc */
	void *mapping;
	size_t mapping_size;
	void **copies; /* aligned copies of tensors, by index; NULL where there is none */
};

void hp_safetensors_close(hp_safetensors *st)
{
	if (!st)
		return;
	for (int i = 0; st->copies && i < st->header.count; i++)
		free(st->copies[i]);
	free(st->copies);
	if (st->mapping)
		munmap(st->mapping, st->mapping_size);
	hp_header_free(&st->header);
	free(st->owned);
	free(st->name);
	free(st);
}

void hp_safetensors_forget(const hp_safetensors *st)
{
	if (st->mapping)
		(void)madvise(st->mapping, st->mapping_size, MADV_DONTNEED);
}

/* Eight bytes of text are no length, or one of 10^17 bytes. */
static bool is_text(const unsigned char *image)
{
	for (int i = 0; i < 8; i++)
		if (image[i] == 0xFF || (image[i] < ' ' && image[i] != '\t' && image[i] != '\n' && image[i] != '\r'))
			return false;
	return true;
}

int hp_safetensors_header_size(const void *image, size_t most, const char *name, size_t *size, hp_error *err)
{
	uint64_t length;

	memcpy(&length, image, sizeof(length));
	if (is_text(image))
		return hp_fail(err, "%s: text, expected safetensors data: a model, or the stream of another stage", name);
	if (length > most && length <= HP_MAX_HEADER)
		return hp_fail(err, "%s: a header of %llu bytes, expected at most %zu in a tensor stream", name,
		               (unsigned long long)length, most);
	if (length > most)
		return hp_fail(err, "%s: no safetensors data: header length %llu, expected at most %zu", name,
		               (unsigned long long)length, most);
	*size = sizeof(length) + (size_t)length;
	return 0;
}

int hp_safetensors_begin(const void *image, size_t header_size, const char *name, hp_safetensors **out, size_t *length,
                         hp_error *err)
{
	hp_safetensors *st = calloc(1, sizeof(*st));

	*out = NULL;
	if (!st)
		return hp_fail_memory(err);
	st->name = strdup(name);
	if (!st->name)
		hp_fail_memory(err);
	else if (hp_header_parse(&st->header, (const char *)image + 8, header_size - 8, name, err) == 0) {
		*length = header_size + st->header.data_size;
		*out = st;
		return 0;
	}
	hp_safetensors_close(st);
	return HP_FAIL;
}

/* A tensor whose values do not lie at multiples of their size is copied to where they do. */
static int align_tensor(hp_safetensors *st, int index)
{
	hp_tensor *tensor = &st->header.tensors[index];

	if ((uintptr_t)tensor->data % hp_dtype_alignment(tensor->dtype) == 0)
		return 0;
	if (!st->copies)
		st->copies = calloc((size_t)st->header.count, sizeof(*st->copies));
	if (st->copies)
		st->copies[index] = malloc(tensor->bytes ? tensor->bytes : 1);
	if (!st->copies || !st->copies[index])
		return HP_FAIL;
	memcpy(st->copies[index], tensor->data, tensor->bytes);
	tensor->data = st->copies[index];
	return 0;
}

int hp_safetensors_attach(hp_safetensors *st, const void *data, void *owned, hp_error *err)
{
	for (int i = 0; i < st->header.count; i++) {
		st->header.tensors[i].data = (const char *)data + st->header.begin[i];
		if (align_tensor(st, i) != 0)
			return hp_fail_memory(err);
	}
	st->owned = owned;
	return 0;
}

/* Header and whole length of the image that begins with these SIZE bytes. */
static int read_header(const void *image, size_t size, const char *name, hp_safetensors **out, size_t *length,
                       hp_error *err)
{
	size_t header_size = 0;

	*out = NULL;
	if ((size < 9 || ((const char *)image)[8] != '{') && hp_sniff(image, size, name, "a safetensors file", err) != 0)
		return HP_FAIL;
	if (size < 8)
		return hp_fail(err, "%s: cut off after %zu bytes, expected a header length of 8 bytes", name, size);
	if (hp_safetensors_header_size(image, HP_MAX_HEADER, name, &header_size, err) != 0)
		return HP_FAIL;
	if (size < header_size)
		return hp_fail(err, "%s: cut off after %zu bytes, expected a header of %zu", name, size, header_size);
	return hp_safetensors_begin(image, header_size, name, out, length, err);
}

/* Whether this is a stream's first record. */
static bool is_stream(const hp_safetensors *st)
{
	return st->header.count == 0 && hp_safetensors_meta(st, "hp_stream");
}

static int fail_stream(const char *name, hp_error *err)
{
	return hp_fail(err, "%s: a tensor stream, expected a model", name);
}

int hp_safetensors_parse(const void *image, size_t size, const char *name, hp_safetensors **out, hp_error *err)
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
	else if (hp_safetensors_attach(st, (const char *)image + (length - st->header.data_size), NULL, err) == 0) {
		*out = st;
		return 0;
	}
	hp_safetensors_close(st);
	return HP_FAIL;
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
	*size = info.st_size;
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
	if (hp_safetensors_parse(data ? data : "", size, path, out, err) != 0) {
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
	return st->header.count;
}

const hp_tensor *hp_safetensors_at(const hp_safetensors *st, int index)
{
	return &st->header.tensors[index];
}

const hp_tensor *hp_safetensors_find(const hp_safetensors *st, const char *name)
{
	return hp_header_tensor(&st->header, name);
}

/* "[3, 4]"; a dimension of -1, which fits any, is "?". */
static void format_shape(char *text, size_t size, int rank, const int64_t *shape)
{
	size_t used = snprintf(text, size, "[");

	for (int i = 0; i < rank; i++) {
		const char *comma = i > 0 ? ", " : "";

		if (shape[i] < 0)
			used += snprintf(text + used, size - used, "%s?", comma);
		else
			used += snprintf(text + used, size - used, "%s%lld", comma, (long long)shape[i]);
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
	return hp_header_meta(&st->header, key);
}

int hp_safetensors_meta_count(const hp_safetensors *st)
{
	return st->header.meta_count;
}

void hp_safetensors_meta_at(const hp_safetensors *st, int index, const char **key, const char **value)
{
	*key = st->header.meta[index].key;
	*value = st->header.meta[index].value;
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
	for (int i = 0; i < st->header.meta_count; i++)
		if (strcmp(st->header.meta[i].key, HP_CHECKSUM_KEY) != 0)
			sum += hp_checksum_meta(st->header.meta[i].key, st->header.meta[i].value);
	for (int i = 0; i < st->header.count; i++)
		sum += hp_checksum_tensor(&st->header.tensors[i]);
	snprintf(found, sizeof(found), "%016" PRIx64, sum);
	return strcmp(found, expected) == 0 ? 0
	                                    : hp_fail(err, "%s: damaged: its contents come to the checksum %s, expected %s",
	                                              st->name, found, expected);
}

const char *hp_safetensors_name(const hp_safetensors *st)
{
	return st->name;
}
