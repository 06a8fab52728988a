/* config.h: sizes and variant of a dependency network (DESIGN section 4). */
#ifndef HP_DEP_CONFIG_H
#define HP_DEP_CONFIG_H
#include "base/error.h"
#include "io/safetensors.h"
#include "nn/fusion.h"

enum { HP_DEP_TAGGINGS = 4 }; /* UPOS, XPOS, FEATS and DEPREL */

/* What the encoder learns beside parsing (auxiliary.c); not in the model file. */
typedef struct hp_dep_auxiliary_tasks {
	float arcs, tags; /* weights of the losses; 0: not learnt */
	int values[HP_DEP_TAGGINGS]; /* how many there are */
} hp_dep_auxiliary_tasks;

typedef struct hp_dep_config {
	int words, word_dim;
	int chars, char_dim, char_filters, char_window;
	int tags, pos_dim; /* pos_dim 0: no tags */
	int hidden, layers; /* of each direction of the encoder */
	int decoder_hidden, decoder_input;
	int arc_mlp, label_mlp, labels;
	hp_fusion fusion;
	hp_gate gate;
	hp_dep_auxiliary_tasks auxiliary;
} hp_dep_config;

int hp_dep_input_dim(const hp_dep_config *c); /* D: word + char + POS */
/* Refuses sizes below 1 (pos_dim may be 0), above 1,000,000, gate without fusion, SGate without PST. */
int hp_dep_config_check(const hp_dep_config *c, const char *name, hp_error *err) HP_USE_RESULT;
/* From and to __metadata__: the keys are the field names; fusion and gate by name. */
int hp_dep_config_read(hp_dep_config *c, const hp_safetensors *st, hp_error *err) HP_USE_RESULT;
int hp_dep_config_write(const hp_dep_config *c, hp_st_writer *w, hp_error *err) HP_USE_RESULT;

#endif
