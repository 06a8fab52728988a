/* model.h: a tagger's model file (hp-model(5)), and tagging sentences with it. */
#ifndef HP_TAG_MODEL_H
#define HP_TAG_MODEL_H
#include "model/model.h"
#include "tag/values.h"

typedef struct hp_tag_model {
	hp_safetensors *file; /* mapped; embedding rows are read where they lie */
	char *path; /* absolute */
	const char *id; /* metadata "model_id" */
	hp_vocab *words, *chars;
	bool lower; /* words are looked up in lower case */
	hp_tag_values values;
	hp_tag_net *net; /* prepared */
} hp_tag_model;

/* Finds, maps and prepares a model, NAME as for hp_model_find. */
int hp_tag_model_open(const char *name, hp_tag_model **out, hp_error *err) HP_USE_RESULT;
/* Gives its matrices rounded copies to tag with (nn/int8.h). */
int hp_tag_model_round(hp_tag_model *m, hp_error *err) HP_USE_RESULT;
hp_look_up hp_tag_model_look_up(const hp_tag_model *m); /* of sentences without a root */
void hp_tag_model_close(hp_tag_model *m); /* accepts NULL */

/* How a text is tagged. */
typedef struct hp_tagging {
	const hp_tag_net *net; /* prepared */
	const hp_tag_values *values;
	const float *vectors; /* as in hp_embedding_look_up */
	hp_pool *pool; /* NULL: one thread */
	bool keep; /* a column in which a word of the sentence has a value is left as it is */
} hp_tagging;

/* The values of COUNT sentences' words by their numbers: *OUT [all words × HP_TAG_COLUMNS], in ARENA, as is what is needed to
 * find them, until the caller empties it. */
int hp_tag_sentences(const hp_tagging *how, hp_arena *arena, int count, const hp_sentence *const *sentence,
                     const hp_tokens *tokens, hp_new_value **out, hp_error *err) HP_USE_RESULT;

#endif
