/* header.h: a safetensors header: metadata, and which tensors there are.  Private to lib/io.
 *
 * Memory and time are in proportion to the header, but for sorting. */
#ifndef HP_HEADER_H
#define HP_HEADER_H
#include "io/safetensors.h"

typedef struct hp_meta_pair {
	const char *key, *value;
} hp_meta_pair;

typedef struct hp_header {
	hp_tensor *tensors; /* in order of offsets; their data is not set */
	size_t *begin; /* offset of each tensor from the start of the data */
	int *by_name; /* indices of tensors, sorted by name */
	int count;
	hp_meta_pair *meta; /* in the header's order */
	int *by_key; /* indices of META, sorted by key */
	int meta_count;
	size_t data_size;
	char *text; /* names, keys and values */
	size_t tensor_room, meta_room; /* how many the arrays can hold */
} hp_header;

/* From JSON, SIZE bytes, which is not needed afterwards.  Checks everything that can be checked without the data.
 * Messages begin with NAME.  HEADER has to be freed in any case. */
int hp_header_parse(hp_header *header, const char *json, size_t size, const char *name, hp_error *err) HP_USE_RESULT;
void hp_header_free(hp_header *header);
const hp_tensor *hp_header_tensor(const hp_header *header, const char *name); /* NULL: there is none */
const char *hp_header_meta(const hp_header *header, const char *key); /* NULL: there is none */

#endif
