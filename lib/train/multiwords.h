/* multiwords.h: what the multiword tokens of a treebank teach of others. */
#ifndef HP_MULTIWORDS_H
#define HP_MULTIWORDS_H
#include "tokenize/gold.h"

/* What expand.h reads: of each form the expansion that is the most frequent; endings that at least two different forms have;
 * forms that are multiword tokens at least four times as often as not. */
int hp_multiwords_learn(const hp_tok_gold *gold, const char *file, hp_expander **out, hp_error *err) HP_USE_RESULT;

#endif
