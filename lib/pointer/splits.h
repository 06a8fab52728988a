/* splits.h: checks of what stands for a binary tree over elementary discourse units (EDUs). */
#ifndef HP_SPLITS_H
#define HP_SPLITS_H
#include <stdbool.h>
#include <stdint.h>

/* Whether ENDS are the last words of EDUS EDUs of a sentence: rising, from 0, the last one WORDS - 1. */
bool hp_ends_ok(int words, int edus, const int32_t *ends);
/* Whether SPLITS [edus - 1][3] are a binary tree in the order in which the decoder makes it: top-down, depth-first, left
 * first.  SCRATCH [edus]. */
bool hp_splits_ok(int edus, const int32_t *splits, int *scratch);

#endif
