/* arcs.h: checks of the heads of a dependency tree: of all, and of those that must be kept while the rest is found. */
#ifndef HP_ARCS_H
#define HP_ARCS_H
#include <stdint.h>
#include "base/error.h"

/* What keeps HEADS [units] from being a tree with one child of the root, in words, or NULL.  SEEN [units] is for work. */
const char *hp_heads_fault(int units, const int32_t *heads, int32_t *seen);
/* Whether there is a tree with one child of the root in which words have the heads FIXED [units], -1: any.  If not, fails
 * with words like "head 9 of word 3, expected 0 to 5" and sets *WORD.  SEEN [units] is for work. */
int hp_fixed_check(int units, const int32_t *fixed, int32_t *seen, int *word, hp_error *err) HP_USE_RESULT;

#endif
