/* oracle.h: the decoder's steps for a gold tree, and in which order a batch of sentences can make them. */
#ifndef HP_ORACLE_H
#define HP_ORACLE_H
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "dep/config.h"

/* Where a step's decoder states come from: number of a step of the same sentence, or one of these. */
enum { HP_STATE_START = -1, HP_STATE_ZERO = -2 };

typedef struct hp_step {
	int head, child; /* child == head: the head is popped */
	int sibling; /* the head's dependant found last, 0: none yet */
	int grandparent; /* the head's head; 0 for the root and its child */
	int from_parent, from_sibling; /* steps whose states are used; the previous step's is always step - 1 */
} hp_step;

/* Inside-out order: left dependants nearest first, then right ones nearest first, then the pop.  HEADS [n] is a
 * tree with one root; STEPS [2n - 1]; SCRATCH [4n]. */
void hp_oracle(int n, const int32_t *heads, hp_step *steps, int *scratch);

/* The steps of a batch in an order in which they can be computed: by levels.  A level's steps need states of earlier
 * levels only, so they are made at once.  With the temporal connection a level is one step of every sentence; without
 * it, a level reaches into all branches of the trees.  Within a level, steps that attach a word come first.
 *
 * Sentence s: positions are rows at[s]... of "position rows"; its steps, in their order, rows step_at[s]... of "step
 * rows".  A state's number is its sentence for start states, else count + its place in the order ("order rows"). */
typedef struct hp_plan {
	int count; /* sentences */
	const int *n; /* [count] positions */
	int *at, *step_at, *steps; /* [count + 1], [count + 1], [count] */
	int rows, total; /* of positions, of steps */
	int levels;
	int *level_at; /* [levels + 1] order rows */
	int *level_arcs; /* [levels] how many of a level's rows attach a word */
	/* by order row [total] */
	int *sentence, *step_row;
	int *head, *sibling, *grandparent; /* position rows; sibling -1: none */
	int *child; /* position row; the head's for a pop */
	int *from[3]; /* states: previous, parent, sibling; -1: zero */
	/* by step row [total] */
	int *order_row, *target; /* target: position in the sentence that is pointed to */
	int *owner; /* sentence */
	/* by position row [rows] */
	int *position_owner;
} hp_plan;

/* HEADS[s] [n[s]].  In ARENA; HP_FAIL: out of memory. */
int hp_plan_make(hp_plan *p, hp_arena *arena, hp_fusion fusion, int count, const int *n, const int32_t *const *heads);

#endif
