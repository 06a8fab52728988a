/* coverage.h: how much of a text a model knows. */
#ifndef HP_COVERAGE_H
#define HP_COVERAGE_H
#include "base/error.h"
#include "model/model.h"

typedef struct hp_coverage {
	int64_t words; /* with letters */
	int64_t common; /* of these the model's commonest, which come first in its vocabulary */
	int share; /* one word in so many should be common */
	int64_t strange; /* most letters of which the model has never seen */
	int64_t glued; /* not known, but two words that are: "said,", "can't", "l'homme" */
	int64_t apart; /* known words that would be glued in raw text: ",", "n't", "l'" */
	char example[64]; /* a glued one, or "" */
} hp_coverage;

/* TOKENS: what HOW has made of the sentence. */
void hp_coverage_add(hp_coverage *c, const hp_look_up *how, const hp_sentence *s, const hp_tokens *tokens);
/* Fails, with a line for people, if the model at PATH knows next to nothing of a text that is long enough to tell, or the text
 * is not split into tokens, of which SPLITTER tells what does it. */
int hp_coverage_check(const hp_coverage *c, const char *path, const char *splitter, hp_error *err) HP_USE_RESULT;

#endif
