/* apart.h: telling of two texts that should be the same. */
#ifndef HP_APART_H
#define HP_APART_H
#include <stddef.h>
#include "base/error.h"

typedef struct hp_passage { /* of a file */
	const char *name;
	long line;
	const char *text; /* valid UTF-8 [size] */
	size_t size;
} hp_passage;

/* Fails with "WHAT '...' does not align with '...'"; of long ones that begin alike, the part where they differ is shown. */
int hp_fail_apart(hp_error *err, const char *what, hp_passage gold, hp_passage system);

#endif
