/* multiwords.h: what the multiword tokens of a treebank teach of others. */
#ifndef HP_MULTIWORDS_H
#define HP_MULTIWORDS_H
#include "tokenize/gold.h"

/* The table and the endings of expand.h, for the caller to destroy: of each form the expansion that is the most frequent;
 * endings of which at least two different forms are made up. */
int hp_multiwords_learn(const hp_tok_gold *gold, hp_vocab **table, hp_vocab **endings, hp_error *err) HP_USE_RESULT;

#endif
