/* vectors.h: word vectors from GloVe text, word2vec text (header line), word2vec binary or fastText .vec, from a file
 * or a pipe. */
#ifndef HP_VECTORS_H
#define HP_VECTORS_H
#include "io/input.h"
#include "text/vocab.h"

typedef struct hp_vectors {
	hp_vocab *words;
	int dim;
	float *values; /* [count × dim] */
} hp_vectors;

/* Vectors that were skipped, by their words' faults, and those that are not there. */
typedef struct hp_vectors_skipped {
	long bytes; /* the word is not UTF-8 */
	long nameless; /* the word is empty: a line of DIM numbers only, as that of a line feed is */
	long missing; /* fewer lines than the header of a text file says */
} hp_vectors_skipped;

/* The form is recognised by itself: a first line of exactly two whole numbers is always a header (so that a vector of
 * one dimension for the word "7" cannot come first in a file without one); without a header the dimension is what most
 * of the first lines agree on.  The header's count binds binary files only.  The first of duplicate words is kept.
 * KEEP (may be NULL) decides by the word whether its vector is stored.  A word may hold blanks (". . .") or a no-break
 * space: a text line's last DIM fields are the numbers.  Where the field before them is a number, too, and not the
 * whole word, it belongs to the word ("0800 555") if a header has said DIM, or if DIM is the caller's (0: unknown);
 * else the line is taken for one of the wrong width.  SKIPPED may be NULL; more than half of the vectors are refused.
 * Refused with file and line (binary: number of the vector): a line of the wrong width, something that is not a finite
 * number, a NUL byte, a binary file that is cut off or longer than its header says. */
typedef bool hp_vectors_keep(void *arg, const char *word, size_t size);
int hp_vectors_read(hp_input *in, int dim, hp_vectors_keep *keep, void *arg, hp_vectors *out,
                    hp_vectors_skipped *skipped, hp_error *err) HP_USE_RESULT;
void hp_vectors_free(hp_vectors *v);

#endif
