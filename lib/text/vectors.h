/* vectors.h: word vectors from GloVe text, word2vec text (header line), word2vec binary or fastText .vec, file or pipe. */
#ifndef HP_VECTORS_H
#define HP_VECTORS_H
#include "io/input.h"
#include "text/vocab.h"

typedef struct hp_vectors {
	hp_vocab *words;
	int dim;
	float *values; /* [count × dim] */
} hp_vectors;

/* The form is recognised by itself.  The first of duplicate words is kept.  KEEP (may be NULL) decides by the word
 * whether its vector is stored.  A word may hold blanks (". . .") or a no-break space: a text line's last DIM fields
 * are the numbers.  Refused with file and line: a line of the wrong width, something that is not a finite number, words that are not UTF-8 are
 * skipped and counted. */
typedef bool hp_vectors_keep(void *arg, const char *word, size_t size);
int hp_vectors_read(hp_input *in, hp_vectors_keep *keep, void *arg, hp_vectors *out, long *skipped, hp_error *err) HP_USE_RESULT;
void hp_vectors_free(hp_vectors *v);

#endif
