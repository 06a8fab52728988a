/* safetensors.h: read (mapped, completely validated) and write safetensors images.
 *
 * An image is an 8-byte little-endian header length (at most 100,000,000; in a stream 1,000,000), a JSON header and
 * the data.  Refused: truncated images, duplicate keys, holes, overlaps, a buffer not wholly covered, sizes that do
 * not match shape and type, metadata values that are not strings.  Limits and rules are those of the safetensors
 * specification, types and an empty __metadata__ (null) those of its reference reader. */
#ifndef HP_SAFETENSORS_H
#define HP_SAFETENSORS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "base/error.h"

/* Numbers of models, streams and word vectors are refused beyond it: most products of such numbers are still finite. */
#define HP_LARGEST 1e9f
static inline bool hp_is_bounded(float x) /* nor is it NaN */
{
	return x >= -HP_LARGEST && x <= HP_LARGEST;
}

#define HP_MAX_RANK 8
#define HP_MAX_HEADER ((size_t)100000000)
#define HP_MAX_RECORD_HEADER ((size_t)1000000) /* in a stream, where each record has one */

typedef enum hp_dtype {
	HP_BOOL,
	HP_U8,
	HP_I8,
	HP_I16,
	HP_U16,
	HP_F16,
	HP_BF16,
	HP_I32,
	HP_U32,
	HP_F32,
	HP_F64,
	HP_I64,
	HP_U64,
	/* only passed on */
	HP_F8_E4M3,
	HP_F8_E5M2,
	HP_F8_E8M0,
	HP_F8_E4M3FNUZ,
	HP_F8_E5M2FNUZ,
	HP_F6_E2M3,
	HP_F6_E3M2,
	HP_F4,
	HP_C64
} hp_dtype;

typedef struct hp_tensor {
	const char *name; /* owned by the image */
	hp_dtype dtype;
	int rank;
	int64_t shape[HP_MAX_RANK];
	int64_t count; /* product of the shape */
	const void *data; /* little-endian, aligned as its type: what is not in the image has been copied */
	size_t bytes;
} hp_tensor;

typedef struct hp_safetensors hp_safetensors;

size_t hp_dtype_bits(hp_dtype dtype); /* of a value */
size_t hp_dtype_alignment(hp_dtype dtype); /* in bytes, a power of 2 */
/* Bytes of COUNT values.  False: too many, or not whole bytes, which is only possible with fewer than 8 bits a value. */
bool hp_dtype_bytes(hp_dtype dtype, int64_t count, size_t *bytes);
const char *hp_dtype_name(hp_dtype dtype); /* "F32" */
int hp_dtype_from_name(const char *name, hp_dtype *dtype) HP_USE_RESULT; /* HP_FAIL: not a known one */

/* Maps PATH.  Messages begin with PATH. */
int hp_safetensors_open(const char *path, hp_safetensors **out, hp_error *err) HP_USE_RESULT;
/* Reads an image of exactly SIZE bytes that stays the caller's and must outlive the result. */
int hp_safetensors_parse(const void *image, size_t size, const char *name, hp_safetensors **out,
                         hp_error *err) HP_USE_RESULT;
/* An image in two parts, as it comes in a stream.  *SIZE: 8 + header length, from the first 8 bytes; refused if that length
 * is beyond MOST. */
int hp_safetensors_header_size(const void *image, size_t most, const char *name, size_t *size,
                               hp_error *err) HP_USE_RESULT;
/* Checks everything that can be checked without the data.  HEADER_SIZE is what hp_safetensors_header_size said, *LENGTH the
 * whole image's.  The header's bytes are not needed afterwards. */
int hp_safetensors_begin(const void *image, size_t header_size, const char *name, hp_safetensors **out, size_t *length,
                         hp_error *err) HP_USE_RESULT;
/* Gives the result its data, all that follows the header.  OWNED, from malloc, is freed with it on success; may be NULL. */
int hp_safetensors_attach(hp_safetensors *st, const void *data, void *owned, hp_error *err) HP_USE_RESULT;
/* Of a file: gives back the memory of what was read of it so far; what is needed again is read again. */
void hp_safetensors_forget(const hp_safetensors *st);
void hp_safetensors_close(hp_safetensors *st); /* accepts NULL */

int hp_safetensors_count(const hp_safetensors *st);
const hp_tensor *hp_safetensors_at(const hp_safetensors *st, int index); /* in order of offsets */
const hp_tensor *hp_safetensors_find(const hp_safetensors *st, const char *name); /* NULL if absent */
/* Binds by name and shape: rank and dimensions must agree (-1 fits any); an absent or different one is refused. */
int hp_safetensors_need(const hp_safetensors *st, const char *name, int rank, const int64_t *shape,
                        const hp_tensor **out, hp_error *err) HP_USE_RESULT;
const char *hp_safetensors_meta(const hp_safetensors *st, const char *key); /* NULL if absent */
int hp_safetensors_meta_count(const hp_safetensors *st);
void hp_safetensors_meta_at(const hp_safetensors *st, int index, const char **key, const char **value);
/* Fails if the contents do not come to the checksum in the metadata.  *HAS (may be NULL): whether there is one. */
int hp_safetensors_verify(const hp_safetensors *st, bool *has, hp_error *err) HP_USE_RESULT;
const char *hp_safetensors_name(const hp_safetensors *st); /* path or name given */

/* Copies COUNT values as floats (F32, F16, BF16, F64 are converted; others refused by return value HP_FAIL). */
int hp_tensor_to_float(const hp_tensor *tensor, int64_t first, int64_t count, float *out) HP_USE_RESULT;
float hp_half_to_float(uint16_t half);
void hp_halves_to_floats(size_t n, const uint16_t *half, float *out);
#define HP_LARGEST_HALF 65504.0f
uint16_t hp_float_to_half(float value); /* round to nearest even; overflow becomes infinity */
/* Floats of 8 bits with 4 of exponent and 3 of mantissa, F8_E4M3 (OCP 8-bit floating point, 2023): up to 448, no infinities. */
float hp_e4m3_to_float(uint8_t byte);
void hp_e4m3_to_halves(size_t n, const uint8_t *byte, uint16_t *half);
#define HP_LARGEST_E4M3 448.0f
uint8_t hp_float_to_e4m3(float value); /* round to nearest even; what is beyond 448 becomes 448 */

/* Writing.  Tensors are laid out in the order added; the data is borrowed until written. */
typedef struct hp_st_writer hp_st_writer;
hp_st_writer *hp_st_writer_new(void);
void hp_st_writer_destroy(hp_st_writer *w); /* accepts NULL */
void hp_st_writer_clear(hp_st_writer *w); /* ready for the next record */
/* A name or key added twice is refused. */
int hp_st_writer_meta(hp_st_writer *w, const char *key, const char *value, hp_error *err) HP_USE_RESULT;
int hp_st_writer_tensor(hp_st_writer *w, const char *name, hp_dtype dtype, int rank, const int64_t *shape,
                        const void *data, hp_error *err) HP_USE_RESULT;
bool hp_st_writer_has_tensor(const hp_st_writer *w, const char *name);
bool hp_st_writer_has_meta(const hp_st_writer *w, const char *key);
/* Sorts the tensors by the size of their type, largest first, and U8 last; else they stay in the order added. */
void hp_st_writer_align(hp_st_writer *w);
/* Writes one image as a record of a stream: the header is padded so that the whole record is a multiple of 8 bytes (the
 * data buffer must be wholly covered, so the header takes up the slack of the data). */
int hp_st_writer_write(hp_st_writer *w, FILE *out, const char *name, hp_error *err) HP_USE_RESULT;
/* Writes one image for mapping, the header padded so that the data begins at a multiple of 64 bytes, with a checksum in its
 * metadata. */
int hp_st_writer_write_model(hp_st_writer *w, FILE *out, const char *name, hp_error *err) HP_USE_RESULT;
/* The same, but beside PATH, then syncs, renames: PATH is either the old file or the whole
 * new one. */
int hp_st_writer_save(hp_st_writer *w, const char *path, hp_error *err) HP_USE_RESULT;

#endif
