/* levels.h: which of several arcs are drawn above which.
 *
 *	 ___________
 *	|       ___ |      level 2
 *	|  ___ |   ||      level 1: two that share no place
 *	0 1   2 3  4 5     places */
#ifndef HP_DRAW_LEVELS_H
#define HP_DRAW_LEVELS_H
#include "base/arena.h"

typedef struct hp_interval {
	int first, last; /* places, both its own */
} hp_interval;

/* Each of COUNT intervals, taken in ORDER, gets the level above the highest one of those before it with which it shares a
 * place, from 1 on: LEVEL [count].  Places count from 0 to PLACES - 1.  Returns the highest level, 0 without intervals,
 * or -1: out of memory.  It takes count * log(places) steps. */
int hp_draw_levels(const hp_interval *in, const int *order, int count, int places, int *level, hp_arena *arena);
/* ORDER [count] becomes 0 ... count - 1 by KEY, 0 ... MOST, small ones first, equal ones as they stand.  False: out of
 * memory. */
bool hp_draw_sort(const int *key, int count, int most, int *order, hp_arena *arena);

#endif
