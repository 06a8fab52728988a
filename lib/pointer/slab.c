/* slab.c: equal pieces of memory with reference counts. */
#include "pointer/slab.h"

#include <limits.h>
#include <stdlib.h>

enum { PIECES = 64 }; /* a chunk */

void hp_slab_init(hp_slab *s, size_t size)
{
	*s = (hp_slab){.size = (size + 63) / 64 * 64, .free = -1};
}

void hp_slab_free(hp_slab *s)
{
	for (int i = 0; i < s->chunks; i++)
		free(s->chunk[i]);
	free(s->chunk);
	free(s->refs);
	hp_slab_init(s, s->size);
}

static int grow(hp_slab *s)
{
	if (s->pieces > INT_MAX - PIECES - 2)
		return -1;
	char **chunk = realloc(s->chunk, ((size_t)s->chunks + 1) * sizeof *chunk);
	if (!chunk)
		return -1;
	s->chunk = chunk;
	int *refs = realloc(s->refs, ((size_t)s->pieces + PIECES) * sizeof *refs);
	if (!refs)
		return -1;
	s->refs = refs;
	if (!(s->chunk[s->chunks] = aligned_alloc(64, s->size * PIECES)))
		return -1;
	s->chunks++;
	for (int i = s->pieces + PIECES - 1; i >= s->pieces; i--) {
		s->refs[i] = -2 - s->free;
		s->free = i;
	}
	s->pieces += PIECES;
	return 0;
}

int hp_slab_new(hp_slab *s)
{
	if (s->free < 0 && grow(s))
		return -1;
	int piece = s->free;
	s->free = -2 - s->refs[piece];
	s->refs[piece] = 1;
	return piece;
}

void *hp_slab_at(const hp_slab *s, int piece)
{
	return s->chunk[piece / PIECES] + (size_t)(piece % PIECES) * s->size;
}

void hp_slab_keep(hp_slab *s, int piece)
{
	if (piece >= 0)
		s->refs[piece]++;
}

int hp_slab_drop(hp_slab *s, int piece)
{
	if (piece < 0 || --s->refs[piece] > 0)
		return 0;
	s->refs[piece] = -2 - s->free;
	s->free = piece;
	return 1;
}
