/* values.h: what a tagger's outputs mean: the values of each column, and how lemmas are made. */
#ifndef HP_TAG_VALUES_H
#define HP_TAG_VALUES_H
#include "model/model.h"
#include "tag/net.h"
#include "tag/script.h"
#include "text/values.h"
#include "text/vocab.h"

enum { HP_TAG_UPOS, HP_TAG_XPOS, HP_TAG_FEATS, HP_TAG_LEMMA };
extern const int hp_tagged_column[HP_TAG_COLUMNS]; /* HP_UPOS ... of a sentence's words */

typedef struct hp_tag_values {
	hp_vocab *name[HP_TAG_COLUMNS]; /* of the values; the last one's are scripts; NULL: the column is not learnt */
	/* Numbers of UPOS, XPOS and FEATS that words of the training data have together; -1: without a value, or not learnt. */
	int32_t (*set)[HP_TAG_LEMMA]; /* [sets] */
	int sets; /* 0: each column is chosen for itself */
	hp_script *script; /* [names of the last] */
	/* The words of the training data that have one lemma only: FORM, tab, UPOS, or that, tab, FEATS. */
	hp_vocab *word;
	int32_t *word_script; /* [word] */
	hp_vocab *lemma; /* of these words: LEMMA, and that, tab, UPOS; hp_tag_values_bind makes it */
	hp_look_up known; /* words in the order of falling frequency, for lemmas; its vocabulary NULL: there are none */
} hp_tag_values;

int hp_tag_values_bind(hp_tag_values *v, const char *file, hp_error *err) HP_USE_RESULT; /* reads the scripts */
void hp_tag_values_free(hp_tag_values *v); /* frees the contents; accepts a zeroed one */
/* A word's key among them, in ARENA: of WHOLE bytes with FEATS, of which the first TAGGED are that without.  NULL: out of
 * memory. */
char *hp_tag_word_key(hp_arena *arena, const char *form, size_t size, const hp_new_value *upos,
                      const hp_new_value *feats, size_t *tagged, size_t *whole);

/* The best values of word W by its SCORES, which are those of all columns: UPOS, XPOS and FEATS are the best of the sets with
 * the values that are kept.  Those of columns that are not learnt, and those in KEEP, have no text in OUT; lemmas go by the tags
 * that the word has in the end.  Texts are the vocabularies', or in ARENA. */
int hp_tag_choose(const hp_tag_values *v, hp_arena *arena, const hp_word *w, const bool keep[HP_TAG_COLUMNS],
                  const float *scores, hp_new_value out[HP_TAG_COLUMNS], hp_error *err) HP_USE_RESULT;

#endif
