/* join_names.h: what rows of models' parameters go by the names of, words, characters, tags and relations, of several models. */
#ifndef HP_JOIN_NAMES_H
#define HP_JOIN_NAMES_H
#include "base/arena.h"
#include "io/safetensors.h"
#include "text/vocab.h"

typedef enum hp_by_name { HP_BY_WORD, HP_BY_CHAR, HP_BY_TAG, HP_BY_LABEL, HP_BY_NO_NAME } hp_by_name;

enum { HP_NAMES = HP_BY_NO_NAME };

/* Begin with zeros. */
typedef struct hp_joint_names {
	struct {
		hp_vocab *all; /* of all models; NULL: they have none, or were not read */
		hp_vocab **own; /* [models] */
	} of[HP_NAMES];
	int models;
	hp_safetensors *const *st; /* [models] borrowed */
} hp_joint_names;

/* Whether the metadata KEY is the size of one of the vocabularies, which the model ST has, that need not be the same. */
bool hp_joint_names_size(const hp_safetensors *st, const char *key);
/* Reads those of the MODELS, which can be opened for parsing.  Refused are models whose relations are not those of the first one,
 * in whatever order. */
int hp_joint_names_read(hp_joint_names *n, int models, hp_safetensors *const *st, hp_error *err) HP_USE_RESULT;
void hp_joint_names_free(hp_joint_names *n);
/* By which the vocabulary, or the rows of the parameter, NAME goes. */
hp_by_name hp_joint_names_find(const hp_joint_names *n, const char *name);
const char *hp_joint_names_key(hp_by_name by); /* the size's, in the metadata; NULL: it is the same in all models */
/* Rows [all × WIDTH], in ARENA, from model I's OWN rows; NULL: out of memory.  What the model does not know is to it what it would
 * be in a text: an unknown word, or the one in lower case. */
float *hp_joint_rows(const hp_joint_names *n, int i, hp_by_name by, const float *own, size_t width, hp_arena *arena);

#endif
