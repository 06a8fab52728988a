/* slab.h: equal pieces of memory with reference counts, for what hypotheses of a beam share. */
#ifndef HP_SLAB_H
#define HP_SLAB_H
#include <stddef.h>

typedef struct hp_slab {
	size_t size; /* bytes a piece */
	char **chunk; /* chunks of pieces */
	int *refs; /* by piece: references, or -2 - next free piece */
	int chunks, pieces, free;
} hp_slab;

void hp_slab_init(hp_slab *s, size_t size);
void hp_slab_free(hp_slab *s);
int hp_slab_new(hp_slab *s); /* number of a piece with one reference; -1: out of memory */
void *hp_slab_at(const hp_slab *s, int piece);
void hp_slab_keep(hp_slab *s, int piece); /* one more reference; negative numbers are ignored */
/* One less.  Returns 1 if that was the last: the piece is gone, its contents may be read until the next hp_slab_new. */
int hp_slab_drop(hp_slab *s, int piece);

#endif
