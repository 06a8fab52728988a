/* nearest.h: the name that somebody may have meant. */
#ifndef HP_NEAREST_H
#define HP_NEAREST_H

/* The one of the NAMES [COUNT] that WORD is nearest to: by letters that are missing, too many, others, or swapped with the
 * next, at most one in three; capitals, and - for _, do not count.  The first of equal ones; NULL: none is that near. */
const char *hp_nearest(const char *word, const char *const *names, int count);

#endif
