/* safetensors_writer.c: writes safetensors images. */
#include "io/safetensors.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->name = NULL)
#include <uthash.h>
#include "base/grow.h"
#include "base/arena.h"
#include "base/file.h"
#include "io/checksum.h"
#include "base/utf8.h"

typedef struct entry {
	const char *name;
	const char *value; /* of metadata */
	struct entry *next;
	UT_hash_handle hh;
} entry;

/* Entries and strings are in the arena; only the hash tables' own memory is not. */
struct hp_st_writer {
	hp_arena *arena;
	entry *meta, *last_meta; /* in order added */
	entry *meta_names, *tensor_names;
	hp_tensor *tensors;
	size_t tensor_count, tensor_capacity;
	char *header;
	size_t header_size, header_capacity;
};

hp_st_writer *hp_st_writer_new(void)
{
	hp_st_writer *w = calloc(1, sizeof(*w));

	if (w)
		w->arena = hp_arena_new();
	if (w && !w->arena) {
		free(w);
		return NULL;
	}
	return w;
}

void hp_st_writer_clear(hp_st_writer *w)
{
	HASH_CLEAR(hh, w->meta_names);
	HASH_CLEAR(hh, w->tensor_names);
	w->meta = w->last_meta = NULL;
	w->tensor_count = 0;
	hp_arena_reset(w->arena);
}

void hp_st_writer_destroy(hp_st_writer *w)
{
	if (!w)
		return;
	hp_st_writer_clear(w);
	hp_arena_destroy(w->arena);
	free(w->tensors);
	free(w->header);
	free(w);
}

static bool is_utf8(const char *text)
{
	size_t size = strlen(text);

	return hp_utf8_valid_prefix(text, size) == size;
}

/* Makes an entry for NAME in TABLE, unless it has one. */
static int add_name(hp_st_writer *w, entry **table, const char *what, const char *name, entry **out, hp_error *err)
{
	entry *e;

	if (!is_utf8(name))
		return hp_fail(err, "%s '%s' is not valid UTF-8", what, name);
	HASH_FIND_STR(*table, name, e);
	if (e)
		return hp_fail(err, "%s '%s' was added twice", what, name);
	e = HP_NEW0(w->arena, entry, 1);
	if (!e || !(e->name = hp_arena_text(w->arena, name)))
		return hp_fail_memory(err);
	HASH_ADD_KEYPTR(hh, *table, e->name, strlen(e->name), e);
	if (!e->name)
		return hp_fail_memory(err);
	*out = e;
	return 0;
}

int hp_st_writer_meta(hp_st_writer *w, const char *key, const char *value, hp_error *err)
{
	entry *e;

	if (!is_utf8(value))
		return hp_fail(err, "value of metadata '%s' is not valid UTF-8: '%s'", key, value);
	value = hp_arena_text(w->arena, value);
	if (!value)
		return hp_fail_memory(err);
	if (add_name(w, &w->meta_names, "metadata", key, &e, err) != 0)
		return HP_FAIL;
	e->value = value;
	if (w->last_meta)
		w->last_meta->next = e;
	else
		w->meta = e;
	w->last_meta = e;
	return 0;
}

int hp_st_writer_tensor(hp_st_writer *w, const char *name, hp_dtype dtype, int rank, const int64_t *shape,
                        const void *data, hp_error *err)
{
	hp_tensor t = {.dtype = dtype, .rank = rank, .count = 1, .data = data};
	entry *e;

	if (rank < 0 || rank > HP_MAX_RANK)
		return hp_fail(err, "tensor '%s' has %d dimensions, expected 0 to %d", name, rank, HP_MAX_RANK);
	for (int i = 0; i < rank; i++) {
		t.shape[i] = shape[i];
		if (shape[i] < 0 || __builtin_mul_overflow(t.count, shape[i], &t.count))
			return hp_fail(err, "tensor '%s': dimension %d cannot be %" PRId64, name, i, shape[i]);
	}
	if (!hp_dtype_bytes(dtype, t.count, &t.bytes))
		return hp_fail(err, "tensor '%s' is too large or does not fill whole bytes", name);
	if (strcmp(name, "__metadata__") == 0)
		return hp_fail(err, "a tensor cannot be called '%s'", name);
	if (!hp_grow(&w->tensors, &w->tensor_capacity, w->tensor_count + 1, sizeof(*w->tensors)))
		return hp_fail_memory(err);
	if (add_name(w, &w->tensor_names, "tensor", name, &e, err) != 0)
		return HP_FAIL;
	t.name = e->name;
	w->tensors[w->tensor_count++] = t;
	return 0;
}

bool hp_st_writer_has_tensor(const hp_st_writer *w, const char *name)
{
	entry *e;

	HASH_FIND_STR(w->tensor_names, name, e);
	return e != NULL;
}

bool hp_st_writer_has_meta(const hp_st_writer *w, const char *key)
{
	entry *e;

	HASH_FIND_STR(w->meta_names, key, e);
	return e != NULL;
}

static int alignment_class(const hp_tensor *tensor)
{
	return tensor->dtype == HP_U8 ? 0 : (int)hp_dtype_alignment(tensor->dtype);
}

/* By insertion, because it is stable and the tensors of a record are few and nearly in order. */
void hp_st_writer_align(hp_st_writer *w)
{
	for (size_t i = 1; i < w->tensor_count; i++) {
		hp_tensor tensor = w->tensors[i];
		size_t j = i;

		while (j > 0 && alignment_class(&w->tensors[j - 1]) < alignment_class(&tensor)) {
			w->tensors[j] = w->tensors[j - 1];
			j--;
		}
		w->tensors[j] = tensor;
	}
}

/* Appends to the header.  Afterwards there is room for 80 more bytes. */
static int put(hp_st_writer *w, const char *text, size_t size)
{
	if (!hp_grow(&w->header, &w->header_capacity, w->header_size + size + 80, 1))
		return HP_FAIL;
	memcpy(w->header + w->header_size, text, size);
	w->header_size += size;
	return 0;
}

static int put_string(hp_st_writer *w, const char *text)
{
	static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	int status = put(w, "\"", 1);

	while (*text && status == 0) {
		size_t plain = 0;
		char escape[8];
		const char *found;

		while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
			plain++;
		status = put(w, text, plain);
		text += plain;
		if (!*text || status != 0)
			break;
		found = strchr(named, *text);
		if (found)
			snprintf(escape, sizeof(escape), "\\%c", letters[found - named]);
		else
			snprintf(escape, sizeof(escape), "\\u%04x", (unsigned char)*text);
		status = put(w, escape, strlen(escape));
		text++;
	}
	return status == 0 ? put(w, "\"", 1) : status;
}

static int put_meta(hp_st_writer *w)
{
	int status = put(w, "\"__metadata__\":{", 16);

	for (const entry *e = w->meta; e && status == 0; e = e->next)
		if (put_string(w, e->name) != 0 || put(w, ":", 1) != 0 || put_string(w, e->value) != 0 ||
		    (e->next && put(w, ",", 1) != 0))
			status = HP_FAIL;
	return status == 0 ? put(w, "}", 1) : status;
}

static int put_tensor(hp_st_writer *w, const hp_tensor *tensor, size_t begin)
{
	char text[64];
	int n = snprintf(text, sizeof(text), ":{\"dtype\":\"%s\",\"shape\":[", hp_dtype_name(tensor->dtype));

	if (put_string(w, tensor->name) != 0 || put(w, text, n) != 0)
		return HP_FAIL;
	for (int i = 0; i < tensor->rank; i++) {
		n = snprintf(text, sizeof(text), "%s%" PRId64, i > 0 ? "," : "", tensor->shape[i]);
		if (put(w, text, n) != 0)
			return HP_FAIL;
	}
	n = snprintf(text, sizeof(text), "],\"data_offsets\":[%zu,%zu]}", begin, begin + tensor->bytes);
	return put(w, text, n);
}

/* The first 8 bytes are for the length.  *DATA_SIZE is that of all tensors together. */
static int build_header(hp_st_writer *w, size_t *data_size)
{
	const char *comma = w->meta ? "," : "";
	size_t offset = 0;

	w->header_size = 0;
	if (put(w, "\0\0\0\0\0\0\0\0{", 9) != 0 || (w->meta && put_meta(w) != 0))
		return HP_FAIL;
	for (size_t i = 0; i < w->tensor_count; i++) {
		if (put(w, comma, strlen(comma)) != 0 || put_tensor(w, &w->tensors[i], offset) != 0)
			return HP_FAIL;
		offset += w->tensors[i].bytes;
		comma = ",";
	}
	*data_size = offset;
	return put(w, "}", 1);
}

/* Pads the header so that header and SLACK bytes more are a multiple of ALIGNMENT (at most 64); its length, MOST at
 * most, then goes to the front. */
static int finish_header(hp_st_writer *w, size_t slack, size_t alignment, size_t most, const char *name, hp_error *err)
{
	size_t over = (w->header_size + slack) % alignment;
	size_t padding = over ? alignment - over : 0;
	uint64_t length;

	memset(w->header + w->header_size, ' ', padding); /* there is room: see put */
	w->header_size += padding;
	length = w->header_size - sizeof(length);
	if (length > most)
		return hp_fail(err, "%s: the header would be %llu bytes, at most %zu are allowed", name,
		               (unsigned long long)length, most);
	memcpy(w->header, &length, sizeof(length));
	return 0;
}

static int write_image(hp_st_writer *w, FILE *out, bool whole, size_t alignment, const char *name, hp_error *err)
{
	size_t data_size;

	if (build_header(w, &data_size) != 0)
		return hp_fail_memory(err);
	if (finish_header(w, whole ? data_size : 0, alignment, whole ? HP_MAX_RECORD_HEADER : HP_MAX_HEADER, name, err) !=
	    0)
		return HP_FAIL;
	if (fwrite(w->header, 1, w->header_size, out) != w->header_size)
		return hp_fail_errno(err, name);
	for (size_t i = 0; i < w->tensor_count; i++)
		if (w->tensors[i].bytes > 0 && fwrite(w->tensors[i].data, 1, w->tensors[i].bytes, out) != w->tensors[i].bytes)
			return hp_fail_errno(err, name);
	return 0;
}

int hp_st_writer_write(hp_st_writer *w, FILE *out, const char *name, hp_error *err)
{
	return write_image(w, out, true, 8, name, err);
}

/* Adds the checksum to the metadata, or brings it up to date. */
static int add_checksum(hp_st_writer *w, hp_error *err)
{
	uint64_t sum = 0;
	char text[17];
	entry *e;

	for (e = w->meta; e; e = e->next)
		if (strcmp(e->name, HP_CHECKSUM_KEY) != 0)
			sum += hp_checksum_meta(e->name, e->value);
	for (size_t i = 0; i < w->tensor_count; i++)
		sum += hp_checksum_tensor(&w->tensors[i]);
	snprintf(text, sizeof(text), "%016" PRIx64, sum);
	HASH_FIND_STR(w->meta_names, HP_CHECKSUM_KEY, e);
	if (!e)
		return hp_st_writer_meta(w, HP_CHECKSUM_KEY, text, err);
	e->value = hp_arena_text(w->arena, text);
	return e->value ? 0 : hp_fail_memory(err);
}

int hp_st_writer_write_model(hp_st_writer *w, FILE *out, const char *name, hp_error *err)
{
	return add_checksum(w, err) != 0 ? HP_FAIL : write_image(w, out, false, 64, name, err);
}

int hp_st_writer_save(hp_st_writer *w, const char *path, hp_error *err)
{
	hp_file *file;

	if (hp_file_begin(path, &file, err) != 0)
		return HP_FAIL;
	if (hp_st_writer_write_model(w, hp_file_stream(file), path, err) != 0) {
		hp_file_abort(file);
		return HP_FAIL;
	}
	return hp_file_commit(file, err);
}
