/* grow.h: arrays that grow as they are filled. */
#ifndef HP_GROW_H
#define HP_GROW_H
#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

/* Room for COUNT elements of SIZE bytes in the array, from malloc or NULL, that the pointer at ARRAY leads to; *CAPACITY is
 * how many it has room for, and at least doubles.  False, with the array as it was: out of memory, or more than INT_MAX
 * elements of more than a byte, for such are counted by ints. */
bool hp_grow(void *array, size_t *capacity, size_t count, size_t size) HP_USE_RESULT;

#endif
