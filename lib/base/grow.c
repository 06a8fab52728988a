/* grow.c: arrays that grow as they are filled. */
#include "base/grow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

bool hp_grow(void *array, size_t *capacity, size_t count, size_t size)
{
	size_t wanted = *capacity < SMALLEST / 2 ? SMALLEST : 2 * *capacity;
	void *items, *grown;

	if (count <= *capacity)
		return true;
	if (wanted < count)
		wanted = count;
	if (size > 1 && count > INT_MAX)
		return false;
	memcpy(&items, array, sizeof(items));
	grown = reallocarray(items, wanted, size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	/* cppcheck-suppress memleak ; the array has it */
	return true;
}
