/* confusion.h: a confusion table: of things that the gold standard and the system both have, what the system takes those of
 * a gold value for.  Of nsubj taken for nsubj and for obj, and det for det:
 *
 *	          1  2  3  Gold
 *	1 nsubj   1  .  1     2
 *	2 det     .  1  .     1
 *	3 obj     .  .  .     0
 *	System    1  1  1     3 */
#ifndef HP_CONFUSION_H
#define HP_CONFUSION_H
#include "eval/breakdown.h"

typedef struct hp_confusion {
	const char *of; /* of what, as in CSV */
	hp_breakdown *values; /* one tally: how often it is gold, the system's, both */
	hp_breakdown *pairs; /* one tally: how often, as gold; names are "GOLD\tSYSTEM" */
} hp_confusion;

/* Without values, of which none may hold a tab; OF is borrowed.  Free it even after a failure. */
int hp_confusion_init(hp_confusion *c, const char *of, hp_error *err) HP_USE_RESULT;
void hp_confusion_free(hp_confusion *c); /* frees the contents; accepts a zeroed one */
/* A thing that has these values. */
int hp_confusion_add(hp_confusion *c, const char *gold, size_t gold_size, const char *system, size_t system_size,
                     hp_error *err) HP_USE_RESULT;
/* How often: the pair's count as CORRECT, the gold value's as GOLD, the system value's as SYSTEM. */
int hp_confusion_find(const hp_confusion *c, const char *gold, const char *system, hp_tally *out,
                      hp_error *err) HP_USE_RESULT;

#endif
