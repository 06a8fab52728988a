/* masked.h: words replaced by underscores, as corpora have them whose texts may not be passed on (DISRPT, parts of GUM). */
#ifndef HP_MASKED_H
#define HP_MASKED_H
#include "text/conllu.h"

typedef struct hp_masked {
	int64_t words;
	int64_t underscores; /* words of underscores only */
	int64_t hidden; /* words of sentences that have hardly another one */
} hp_masked;

void hp_masked_add(hp_masked *m, const hp_sentence *s);
/* Fails, with a line for people, if a good part of the text NAME is hidden: a line or a gap to be filled in does not make
 * it so. */
int hp_masked_check(const hp_masked *m, const char *name, hp_error *err) HP_USE_RESULT;

#endif
