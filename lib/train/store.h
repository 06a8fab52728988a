/* store.h: writing the model file (hp-model(5)). */
#ifndef HP_STORE_H
#define HP_STORE_H
#include "disc/rst.h"
#include "train/lexicon.h"

/* The model of NET's or, for a discourse model, RST's parameters (the other is NULL) and LEX at PATH: written beside it and renamed.  HALF: as F16.
 * KEYS/VALUES: N metadata pairs beside the configuration and what hp_model_open reads.  ID NULL: derived from
 * everything that is in the file. */
int hp_model_store(const char *path, hp_dep_net *net, hp_rst_net *rst, const hp_lexicon *lex, bool half, const char *id,
                   int n, const char *const *keys, const char *const *values, hp_error *err) HP_USE_RESULT;

#endif
