/* heads.h: what the words of a sentence say of their heads: log-probabilities of each word's head among all units
 * (heads.c).  A search adds them to those of its moves. */
#ifndef HP_HEADS_H
#define HP_HEADS_H
#include <stdint.h>
#include "base/arena.h"
#include "pointer/search.h"

/* What can be made of a member's units alone, for a search of ROWS hypotheses at most over UNITS units of all sentences.
 * All return HP_FAIL when memory runs out. */
int hp_heads_alloc(hp_heads *h, hp_arena *arena, size_t rows, size_t units, size_t A);
int hp_heads_prepare(const hp_search *s, const hp_member *member, hp_arena *arena, int units);
/* s->heads of the rows of B, for the member at work; s->opinion is overwritten. */
void hp_heads_ask(const hp_search *s, const hp_beam *b);
/* From LOGP [units], log-probabilities that HEAD is a word's head, to those of the moves.  A move passes over the words
 * between LAST, the dependant found last (0: none), and the one that it takes, in inside-out order: none of them is a
 * dependant of HEAD, and the one that it takes is one.  LOGP[HEAD] is that of popping, which passes over all others.  Of
 * a word whose head is fixed there is nothing to say. */
void hp_heads_decisions(const hp_beam *b, const uint64_t *used, int head, int last, float *logp);

#endif
