/* hide.h: what training hides from the network so that it learns to do without: rare words, characters, tags. */
#ifndef HP_HIDE_H
#define HP_HIDE_H
#include "base/rng.h"
#include "train/corpus.h"

/* OUT becomes a copy of IN, in ARENA, in which words, characters and tags are replaced by HP_ID_UNKNOWN at random.
 * The words' fixed vectors stay: that is how a word looks which only the vectors know. */
int hp_hide(const hp_lexicon *lex, const hp_hyper *hyper, hp_rng *rng, hp_arena *arena, const hp_tokens *in,
            hp_tokens *out, hp_error *err) HP_USE_RESULT;

#endif
