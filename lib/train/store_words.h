/* store_words.h: the words of a model file that is written, and their vectors. */
#ifndef HP_STORE_WORDS_H
#define HP_STORE_WORDS_H
#include "train/lexicon.h"
#include "train/store.h"

/* The words of the model: the trained ones, then those that only the vectors have.  NULL when out of memory. */
hp_vocab *hp_lexicon_all_words(const hp_lexicon *lex);
/* Their table, by the trained P. */
int hp_storing_words(hp_storing *s, const hp_lexicon *lex, const hp_param *p, const hp_vocab *words,
                     hp_error *err) HP_USE_RESULT;

#endif
