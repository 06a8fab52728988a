/* reach.h: what the boundaries between EDUs say of the spans that are split there (reach.c).  A search adds the logarithms of
 * these probabilities to those of its moves. */
#ifndef HP_REACH_H
#define HP_REACH_H
#include "pointer/search.h"
#include "pointer/train.h"

/* All but the last return HP_FAIL when memory runs out. */

/* Forward, loss and backward, as hp_auxiliary; adds to DU and *LOSS. */
int hp_reach_train(hp_trace *t, float scale, hp_matrix du, double *loss);

/* What can be made of a member's units alone, UNITS of all samples; s->reach is used. */
int hp_reach_alloc(hp_reach *r, hp_arena *arena, size_t units, size_t A);
int hp_reach_prepare(const hp_search *s, const hp_member *member, hp_arena *arena, int units);
/* LOGP [last - first], by where the span from FIRST to LAST is split: the boundary there splits just this span, and none of the
 * others in it does. */
void hp_reach_decisions(const hp_search *s, const hp_beam *b, int first, int last, float *logp);

#endif
