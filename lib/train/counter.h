/* counter.h: counting strings, and the vocabulary of what was counted. */
#ifndef HP_COUNTER_H
#define HP_COUNTER_H
#include <stdbool.h>
#include <stdint.h>
#include "text/vocab.h"

typedef struct hp_counter {
	hp_vocab *strings;
	int32_t *count; /* [strings] */
	int capacity;
} hp_counter;

int hp_counter_init(hp_counter *t, hp_error *err) HP_USE_RESULT;
void hp_counter_free(hp_counter *t); /* accepts a zeroed one */
int hp_counter_add(hp_counter *t, const char *s, size_t size, hp_error *err) HP_USE_RESULT;
/* What was seen at least MIN times, by falling count, ties in byte order; with SPECIAL behind HP_ROOT_NAME and
 * HP_UNKNOWN_NAME (which are not counted).  *COUNT (may be NULL) becomes a malloc'ed [vocabulary] of counts. */
int hp_counter_vocab(const hp_counter *t, int32_t min, bool special, hp_vocab **out, int32_t **count,
                     hp_error *err) HP_USE_RESULT;

#endif
