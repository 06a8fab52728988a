/* join.h: one model of several that are alike. */
#ifndef HP_JOIN_H
#define HP_JOIN_H
#include <stdbool.h>
#include <stdio.h>
#include "base/error.h"

typedef struct hp_join {
	int count; /* at least 1 */
	const char *const *paths; /* [count] */
	bool
		mean; /* every number is the mean of theirs; else each network is a member of the parser, with its embeddings */
	bool half,
		bytes; /* types of floats, as for hp_storing_new; neither: as in the models, none less precise than in any */
	const char *id, *version; /* of the result; ID NULL: derived from what is in it */
} hp_join;

/* Writes the model to OUT, which is called NAME.  Refused are models that cannot be opened for their task, or are damaged, as far
 * as they have a checksum; models whose task, sizes, variant or relations differ; members of what does not parse words; more of
 * them than HP_MOST_MEMBERS; numbers beyond what their type holds.  Members know the words, characters and tags of all: what a
 * model did not, is to its member an unknown one.  For a mean all vocabularies must be the same.  One model alone changes in
 * nothing but the types of its floats and what is noted of its training. */
int hp_join_models(const hp_join *j, FILE *out, const char *name, hp_error *err) HP_USE_RESULT;

#endif
