/* lexicon.h: what training knows of words, characters, tags and labels: numbers, counts, fixed vectors.
 *
 * A word's vector is E[w] + vec[w]: E is trained and has rows for the words of the training data; vec is fixed
 * and comes from a file of word vectors.  The model that is saved has one table with the sums, and behind the
 * trained words those that only the vectors have, with E[unknown] + vec. */
#ifndef HP_LEXICON_H
#define HP_LEXICON_H
#include "model/model.h"
#include "text/vectors.h"
#include "train/hyper.h"
#include "train/treebank.h"

typedef struct hp_lexicon {
	hp_vocab *words, *chars, *tags, *labels; /* by falling count, ties in byte order, then those of the model that
	                                            training starts from; the first three begin with HP_ID_ROOT and
	                                            HP_ID_UNKNOWN */
	hp_vocab *tagging[HP_TAGGINGS - 1]; /* UPOS, XPOS and FEATS as they are in the training data; NULL: not learnt */
	int32_t *word_count, *char_count; /* occurrences in the training data, by number; 0 for the two special ones */
	hp_vectors vectors; /* words NULL: none */
	int32_t *vector_of; /* [words] row of the vectors, -1: none */
	hp_pos_column pos;
	int32_t *plain; /* HP_POS_TREE: [tags] which is the tag without its place in the tree; else NULL */
	int clues; /* tags are so many clues a word (text/clues.h); 0: one tag a word, of the column POS */
	bool lower;
} hp_lexicon;

extern const int hp_tagging_column[HP_TAGGINGS - 1]; /* of the words */

int hp_lexicon_build(const hp_treebank *t, const hp_hyper *hyper, hp_lexicon *out, hp_error *err) HP_USE_RESULT;
/* Reads the vectors of the training data's words, and of others as far as hyper->vector_limit allows.  Refuses a
 * dimension other than hyper->word_dim.  *SKIPPED as in hp_vectors_read. */
int hp_lexicon_read_vectors(hp_lexicon *lex, const char *path, const hp_hyper *hyper, hp_vectors_skipped *skipped,
                            hp_error *err) HP_USE_RESULT;
/* Finds the vectors' rows of all words (again, where words were added since). */
int hp_lexicon_bind_vectors(hp_lexicon *lex, hp_error *err) HP_USE_RESULT;
/* Row of the vectors for a word, looked up as words are; -1: none. */
int hp_lexicon_vector(const hp_lexicon *lex, const char *form, size_t size);
int hp_lexicon_bind_tags(hp_lexicon *lex, hp_error *err) HP_USE_RESULT; /* finds the plain ones, likewise */
void hp_lexicon_free(hp_lexicon *lex); /* frees the contents; accepts a zeroed one */

#endif
