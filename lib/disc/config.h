/* config.h: sizes and variant of a discourse network (DESIGN section 4). */
#ifndef HP_RST_CONFIG_H
#define HP_RST_CONFIG_H
#include "base/error.h"
#include "io/safetensors.h"
#include "nn/embedding.h"
#include "nn/fusion.h"

/* What stands for a word.  Its parameters are the network's too: */
typedef enum hp_rst_input {
	HP_RST_INPUT_NONE, /* x is made elsewhere: no parameters */
	HP_RST_INPUT_WORDS, /* embed.*, charcnn.* */
	HP_RST_INPUT_STREAM /* made elsewhere; of several layers: mix.weights [stream_layers], mix.scale [1] */
} hp_rst_input;

typedef struct hp_rst_config {
	int input_dim; /* D: of what stands for a word */
	int hidden, layers; /* of encoder (each direction) and decoder */
	int label_mlp, labels;
	hp_fusion fusion; /* without a gate */
	hp_rst_input input;
	hp_embedding_sizes embedding; /* HP_RST_INPUT_WORDS */
	int stream_layers; /* HP_RST_INPUT_STREAM */
} hp_rst_config;

/* Refuses sizes that are out of range, and an input_dim other than the embedding's. */
int hp_rst_config_check(const hp_rst_config *c, const char *name, hp_error *err) HP_USE_RESULT;
/* From and to __metadata__: the keys are the field names; "fusion" by name; "gate" is "none";
 * "input" is "words" or "stream", or absent. */
int hp_rst_config_read(hp_rst_config *c, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_rst_config_write(const hp_rst_config *c, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

#endif
