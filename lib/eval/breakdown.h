/* breakdown.h: tallies by named group, and bins that make groups of numbers. */
#ifndef HP_BREAKDOWN_H
#define HP_BREAKDOWN_H
#include <stddef.h>
#include "base/error.h"
#include "eval/tally.h"

typedef struct hp_breakdown hp_breakdown;
typedef struct hp_group hp_group;

hp_breakdown *hp_breakdown_new(int metrics); /* NULL when out of memory */
void hp_breakdown_destroy(hp_breakdown *b); /* accepts NULL */
/* The [metrics] tallies of the group called NAME, zero at first; NULL when out of memory.  Stays valid. */
hp_tally *hp_breakdown_at(hp_breakdown *b, const char *name, size_t length);
/* Most frequent in the gold standard first (by the first metric), then by name.  Else: in order of creation. */
void hp_breakdown_sort(hp_breakdown *b);
/* The group after GROUP, the first one for NULL, NULL after the last. */
const hp_group *hp_breakdown_next(const hp_breakdown *b, const hp_group *group);
const char *hp_group_name(const hp_group *group);
const hp_tally *hp_group_tallies(const hp_group *group);

enum { HP_BINS = 64, HP_BIN_NAME = 32 };
typedef struct hp_bins {
	int count;
	int upper[HP_BINS]; /* largest number of each bin, rising; what is larger falls into bin COUNT */
	int least; /* smallest number there is: where the first bin begins; 0 stands for 1 */
} hp_bins;

/* "10,20,30": bins 1-10, 11-20, 21-30, 31+.  LEAST is 1 or what numbers begin with. */
int hp_bins_parse(const char *text, int least, hp_bins *out, hp_error *err) HP_USE_RESULT;
int hp_bins_find(const hp_bins *bins, int number); /* 0 .. count */
void hp_bins_name(const hp_bins *bins, int bin, char out[HP_BIN_NAME]); /* "11-20", "7", "31+" */
/* An empty group for every bin, in their order. */
int hp_breakdown_add_bins(hp_breakdown *b, const hp_bins *bins, hp_error *err) HP_USE_RESULT;
hp_tally *hp_breakdown_at_bin(hp_breakdown *b, const hp_bins *bins, int number); /* the group that NUMBER falls into */

/* Where names are CORPUS_GENRE_TEXT, the *SIZE bytes of the genre; else, and of NULL, "other". */
const char *hp_genre(const char *id, size_t *size);

#endif
