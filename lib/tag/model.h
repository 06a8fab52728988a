/* model.h: the model file (hp-model(5)) of a tagger or a segmenter, and what it says of sentences. */
#ifndef HP_TAG_MODEL_H
#define HP_TAG_MODEL_H
#include "model/model.h"
#include "tag/values.h"

typedef struct hp_tag_model {
	hp_safetensors *file; /* mapped; embedding rows are read where they lie */
	char *path; /* absolute */
	const char *id; /* metadata "model_id" */
	hp_vocab *words, *chars;
	hp_vocab *tags; /* a segmenter's clues */
	bool lower; /* words are looked up in lower case */
	hp_tag_values values; /* of a tagger */
	hp_tag_net *net; /* prepared */
} hp_tag_model;

/* Finds, maps and prepares a model, NAME as for hp_model_find.  TASK: HP_TASK_TAG or HP_TASK_SEGMENT. */
int hp_tag_model_open(const char *name, hp_task task, hp_tag_model **out, hp_error *err) HP_USE_RESULT;
/* Gives its matrices rounded copies to tag with (nn/int8.h). */
int hp_tag_model_round(hp_tag_model *m, hp_error *err) HP_USE_RESULT;
/* Copies in digits (nn/digits.h), for floats as fast as the processor can. */
int hp_tag_model_split(hp_tag_model *m, hp_error *err) HP_USE_RESULT;
hp_look_up hp_tag_model_look_up(const hp_tag_model *m); /* of sentences without a root */
void hp_tag_model_close(hp_tag_model *m); /* accepts NULL */

/* How a text is tagged. */
typedef struct hp_tagging {
	const hp_tag_net *net; /* prepared */
	const hp_tag_values *values; /* of a tagger */
	const float *vectors; /* as in hp_embedding_look_up */
	hp_pool *pool; /* NULL: one thread */
	bool keep; /* a column in which a word of the sentence has a value is left as it is */
} hp_tagging;

/* The values of COUNT sentences' words by their numbers: *OUT [all words × HP_TAG_COLUMNS], in ARENA, as is what is needed to
 * find them, until the caller empties it. */
int hp_tag_sentences(const hp_tagging *how, hp_arena *arena, int count, const hp_sentence *const *sentence,
                     const hp_tokens *tokens, hp_new_value **out, hp_error *err) HP_USE_RESULT;

/* The probability that each word of COUNT sentences begins an elementary discourse unit, by NET, a segmenter's: PROB [all words].
 * A sentence's first word always does. */
int hp_segment_sentences(const hp_tagging *how, hp_arena *arena, int count, const hp_tokens *tokens, float *prob,
                         hp_error *err) HP_USE_RESULT;
#define HP_SEGMENT_LEAST 0.5f /* of words that are taken to begin one */

#endif
