/* weights.h: what an open ELMo model holds.  Private to lib/elmo. */
#ifndef HP_ELMO_WEIGHTS_H
#define HP_ELMO_WEIGHTS_H
#include <stdbool.h>
#include "elmo/elmo.h"
#include "io/safetensors.h"
#include "nn/charcnn.h"

/* Characters beside the bytes 0 ... 255. */
enum {
	HP_ELMO_SENTENCE = 256,
	HP_ELMO_SENTENCE_END,
	HP_ELMO_WORD,
	HP_ELMO_WORD_END,
	HP_ELMO_PADDING,
	HP_ELMO_CHARACTERS
};

typedef struct hp_elmo_filters {
	hp_charcnn cnn;
	float *table; /* [characters × width × filters] products of filters and characters, owned */
} hp_elmo_filters;

typedef struct hp_elmo_highway {
	const float *transform, *transform_bias, *carry, *carry_bias; /* [F × F], [F] */
} hp_elmo_highway;

typedef struct hp_elmo_direction {
	const float *input, *state, *bias, *projection; /* [4H × P], [4H × P], [4H], [P × H] */
} hp_elmo_direction;

struct hp_elmo {
	hp_safetensors *file;
	const char *id;
	int longest; /* characters of a word, marks included */
	int dim; /* of a character */
	int groups, filters; /* of filters; their sum F */
	hp_elmo_filters *group;
	bool tanh; /* else relu */
	int highways;
	hp_elmo_highway *highway;
	int projection, cell, layers; /* P, H */
	const float *project, *project_bias; /* [P × F], [P] */
	hp_elmo_direction (*layer)[2]; /* forward, backward */
	float cell_clip, projection_clip; /* infinite: none */
	bool skip;
};

/* A word or a sentence boundary, and the row it goes to. */
typedef struct hp_elmo_item {
	const char *text; /* NULL: a boundary */
	size_t size; /* of a boundary: its character */
	size_t row;
} hp_elmo_item;

hp_elmo_item hp_elmo_item_of(const hp_elmo_word *word, size_t row);

/* The character network: item i -> row items[i].row of out [. × P].  Sorts ITEMS, so that equal ones are computed once. */
int hp_elmo_characters(const hp_elmo *e, hp_pool *pool, hp_arena *scratch, int count, hp_elmo_item *items, float *out,
                       hp_error *err) HP_USE_RESULT;

#endif
