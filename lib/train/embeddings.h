/* embeddings.h: a tensor stream beside a treebank of rhetorical trees: a record for every tree, also for those of one
 * EDU, in the same order, whose `x` [words × D] or [layers × words × D] stands for the words. */
#ifndef HP_EMBEDDINGS_H
#define HP_EMBEDDINGS_H
#include "base/error.h"
#include "text/edus.h"

typedef struct hp_embeddings hp_embeddings;

int hp_embeddings_open(const char *path, hp_embeddings **out, hp_error *err) HP_USE_RESULT;
void hp_embeddings_close(hp_embeddings *e); /* accepts NULL */
/* The embeddings of the tree at line LINE of TREES, which has EDUS: *X [layers × words × D] is the caller's to free.
 * Refused, with both places: an `x` that does not have the words, the layers or the width of the sentences before, or that
 * is not finite; `ends` (which may be missing) other than the EDUs'; a stream that has no more sentences, was cut off, or
 * ended in an error. */
int hp_embeddings_next(hp_embeddings *e, const char *trees, long line, const hp_edus *edus, float **x,
                       hp_error *err) HP_USE_RESULT;
/* After the last tree of TREES: refuses further sentences, and whatever is wrong with the rest of the stream. */
int hp_embeddings_end(hp_embeddings *e, const char *trees, hp_error *err) HP_USE_RESULT;
int hp_embeddings_layers(const hp_embeddings *e); /* 0 before the first sentence */
int hp_embeddings_dim(const hp_embeddings *e);

#endif
