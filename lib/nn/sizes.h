/* sizes.h: a network's sizes and variant, in a table that names them: their limits, and their way from and to a model's
 * metadata. */
#ifndef HP_SIZES_H
#define HP_SIZES_H
#include <stddef.h>
#include "base/error.h"
#include "io/safetensors.h"
#include "nn/fusion.h"

typedef struct hp_size {
	const char *name; /* the metadata's key */
	size_t offset; /* of the int in the configuration */
	int least, most;
} hp_size;

/* NAME begins the message: the file, or what the configuration is for. */
int hp_sizes_check(const hp_size *table, int count, const void *config, const char *name, hp_error *err) HP_USE_RESULT;
int hp_sizes_read(const hp_size *table, int count, void *config, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_sizes_write(const hp_size *table, int count, const void *config, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

/* Keys "fusion" and "gate", by name.  Refused: a gate without fusion, SGate without PST, a label classifier of more than
 * 2^24 columns. */
int hp_variant_check(hp_fusion fusion, hp_gate gate, int labels, int label_mlp, const char *name,
                     hp_error *err) HP_USE_RESULT;
int hp_variant_read(hp_fusion *fusion, hp_gate *gate, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_variant_write(hp_fusion fusion, hp_gate gate, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

#endif
