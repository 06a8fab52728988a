/* oracle.h: the decoder's steps for a gold tree, and in which order a batch of sentences can make them. */
#ifndef HP_RST_ORACLE_H
#define HP_RST_ORACLE_H
#include "base/arena.h"
#include "disc/rst.h"

/* Where a step's decoder states come from: number of a step of the same sentence, or one of these. */
enum { HP_RST_FROM_START = -1, HP_RST_FROM_ZERO = -2 };

typedef struct hp_rst_step {
	int first, mid, last; /* EDUs: of the span, and the split */
	int parent, sibling; /* last EDUs of the span above and of the span to the left under it; -1: none */
	int from_parent, from_sibling; /* steps whose states are used; the previous step's is always step - 1 */
} hp_rst_step;

typedef struct hp_rst_frame {
	hp_rst_step step; /* mid is not known yet */
	bool left; /* its right sibling is the frame below it */
} hp_rst_frame;

/* STEPS [edus - 2 at most], SCRATCH [edus].  Returns the number of steps. */
int hp_rst_oracle(int edus, const int32_t *splits, hp_rst_step *steps, hp_rst_frame *scratch);

/* The steps of a batch in an order in which they can be computed: by levels.  A level's steps need states of earlier
 * levels only, so they are made at once: with the temporal connection one step of every sentence, without it all spans
 * whose parents (and siblings) are done.
 *
 * Sentence s: its EDUs are rows at[s]... of "EDU rows"; its steps, in their order, rows step_at[s]... of "step rows";
 * its splits rows split_at[s]...  A state's number is its sentence for start states, else count + its place in the
 * order ("order rows"). */
typedef struct hp_rst_plan {
	int count; /* sentences */
	int *edus, *at, *steps, *step_at, *split_at; /* [count], [count + 1], [count], [count + 1], [count + 1] */
	int rows, total, splits; /* of EDUs, of steps, of splits */
	int levels;
	int *level_at; /* [levels + 1] order rows */
	/* by order row [total] */
	int *last, *parent, *sibling; /* EDU rows of the decoder's input; -1: none */
	int *from[HP_SOURCES]; /* states; -1: zero */
	/* by step row [total] */
	int *order_row;
	int *first, *choices, *target; /* first EDU of the span in its sentence; EDUs to choose from; which is chosen */
	int *owner; /* sentence */
	/* by split [splits] */
	int *left, *right, *label; /* EDU rows of the halves' last EDUs */
	/* by EDU row [rows] */
	int *edu_owner; /* sentence */
} hp_rst_plan;

/* SENTS [count] in the order of the batch.  In ARENA; HP_FAIL: out of memory. */
int hp_rst_plan_make(hp_rst_plan *p, hp_arena *arena, hp_fusion fusion, int count, const hp_rst_sent *const *sents);

#endif
