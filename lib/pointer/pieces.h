/* pieces.h: what the layers over words read as one sequence: a sentence; with document layers each sentence of a document. */
#ifndef HP_PIECES_H
#define HP_PIECES_H
#include "base/arena.h"
#include "pointer/parse.h"

typedef struct hp_pieces {
	int count;
	int *sample; /* [count] the caller's, which it is of */
	int *first; /* [count] its first row, from the sample's first one on */
	int *rows; /* [count] */
} hp_pieces;

/* Sample by sample, from left to right, in ARENA.  HP_FAIL: out of memory. */
int hp_pieces_make(hp_pieces *p, hp_arena *arena, const hp_net *net, const hp_sentences *in);

#endif
