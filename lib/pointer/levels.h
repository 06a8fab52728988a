/* levels.h: the decoder's steps for gold trees, in an order in which a whole batch can make them: by levels.
 *
 * A step needs the states of earlier steps: its sentence's previous one (fusion with T), that which pointed to its parent
 * (P), that which made its sibling (S).  A level holds all steps, of all sentences, whose states are there once the
 * levels before are done, so they are made at once.  With T a level is one step of every sentence; without it, it
 * reaches into all branches of the trees.
 *
 * An example: "She ate fish" as a dependency tree, heads 2 0 2, takes 7 steps.  Each points to a word (w) or pops (.):
 *
 *	step           0     1     2     3     4     5     6
 *	head on top    root  ate   She   ate   fish  ate   root
 *	points to      ate   She   .     fish  .     .     .
 *	parent's step  start 0     1     0     3     0     start
 *	sibling's step -     -     -     1     -     3     0
 *	level, T, PST  0     1     2     3     4     5     6
 *	level, P       0     1     2     1     2     1     0
 *	level, PS      0     1     2     2     3     3     1
 *
 * Within a level, steps whose states later steps may ask for as parent's or sibling's (they point to a word; all steps
 * of a rhetorical tree) come first, sentence by sentence.
 *
 * Rows: "unit rows" are the sentences' units one after another, sentence s from at[s]; "step rows" their steps from
 * step_at[s]; "pair rows" the pairs to be labelled, from pair_at[s]; "order rows" are steps in the order of
 * computation.  A state's number is its sentence for start states, else count + its order row. */
#ifndef HP_LEVELS_H
#define HP_LEVELS_H
#include "base/arena.h"
#include "pointer/fusion.h"
#include "pointer/grammar.h"

typedef struct hp_levels {
	int count; /* sentences */
	int *units, *at, *steps, *step_at, *pair_at; /* [count], [count + 1], [count], [count + 1], [count + 1] */
	int rows, total, pairs; /* of units, of steps, of pairs */
	int levels;
	int *level_at; /* [levels + 1] order rows */
	int *level_kept; /* [levels] how many of a level's rows later steps may ask for */
	/* by order row [total] */
	int *sentence;
	int *input[HP_INPUTS]; /* unit rows; -1: none */
	int *from[HP_SOURCES]; /* states; -1: zero */
	/* by step row [total] */
	int *order_row;
	int *first, *choices, *target; /* units to choose from, in the sentence; which of them is chosen, from FIRST */
	int *owner; /* sentence */
	/* by pair row [pairs] */
	hp_pair *pair; /* with rows for numbers of steps and units */
	/* by unit row [rows] */
	int *unit_owner; /* sentence */
} hp_levels;

/* SAMPLES [count] in the order of the batch.  In ARENA; HP_FAIL: out of memory. */
int hp_levels_make(hp_levels *p, hp_arena *arena, const hp_grammar *grammar, hp_fusion fusion, int count,
                   const hp_sample *const *samples);

#endif
