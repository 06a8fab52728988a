/* discourse.h: what the filters do with a discourse model. */
#ifndef DISCOURSE_H
#define DISCOURSE_H
#include "elmo/elmo.h"
#include "filter.h"

/* The stages on records, as f->stage->rst. */
extern const filter_stage discourse_encode, discourse_decode, discourse_label;

/* hp-embed: one file of EDUs, .dis trees or CoNLL-U. */
typedef enum discourse_input { DISCOURSE_EDUS, DISCOURSE_DIS, DISCOURSE_CONLLU } discourse_input;
typedef struct discourse_text {
	discourse_input kind;
	bool keep_going;
	int max_words;
	const hp_elmo *elmo; /* NULL: the model's own embeddings */
	hp_elmo_lanes *lanes; /* NULL: ELMo's states are reset for each sentence */
} discourse_text;
int discourse_embed(filter *f, const char *path, const discourse_text *how, hp_error *err) HP_USE_RESULT;

void discourse_free(struct discourse *d); /* accepts NULL */

#endif
