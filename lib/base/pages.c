/* pages.c: memory in huge pages. */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64 };

void *hp_pages_new(size_t size)
{
	size_t alignment = size >= 2 * HP_HUGE_PAGE ? HP_HUGE_PAGE : ALIGNMENT;
	void *data;

	if (size > SIZE_MAX - 2 * HP_HUGE_PAGE || posix_memalign(&data, alignment, size) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (alignment == HP_HUGE_PAGE)
		(void)madvise(data, size, MADV_HUGEPAGE);
#endif
	return data;
}
