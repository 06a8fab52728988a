/* pages.h: memory that lies in huge pages where it is large: they are fewer to make, and to find in a pass over a model. */
#ifndef HP_PAGES_H
#define HP_PAGES_H
#include <stddef.h>

#define HP_HUGE_PAGE ((size_t)2 << 20)

/* SIZE bytes of unknown values, from a multiple of 64 on; of HP_HUGE_PAGE, where it is a few of them.  NULL: no memory.
 * Give it back by free. */
void *hp_pages_new(size_t size);

#endif
