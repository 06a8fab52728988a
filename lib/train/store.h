/* store.h: writing the model file (hp-model(5)). */
#ifndef HP_STORE_H
#define HP_STORE_H
#include "pointer/net.h"
#include "train/lexicon.h"

typedef struct hp_store_notes { /* metadata beside the configuration and what hp_model_open reads */
	const char *id; /* NULL: derived from everything that is in the file */
	int count;
	const char *const *keys, *const *values; /* [count] */
} hp_store_notes;

/* The model of NET's parameters and LEX at PATH: written beside it and renamed.  HALF: as F16. */
int hp_model_store(const char *path, const hp_net *net, const hp_lexicon *lex, bool half, const hp_store_notes *notes,
                   hp_error *err) HP_USE_RESULT;

#endif
