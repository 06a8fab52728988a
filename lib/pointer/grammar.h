/* grammar.h: what a pointer network's decoder has to know of a kind of tree.  There are two: dependency trees (arcs.c) and
 * binary trees over elementary discourse units (splits.c).  Everything else is the same for both. */
#ifndef HP_GRAMMAR_H
#define HP_GRAMMAR_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "pointer/fusion.h"
#include "pointer/config.h"

/* A sentence as the network sees it. */
typedef struct hp_sample {
	int rows; /* of x.  dep: positions, of which 0 is the root; rst: words */
	int units; /* what can be pointed to.  dep: positions; rst: elementary discourse units (EDUs) */
	const int32_t *ends; /* rst: [units] last word of each EDU, whose row stands for it; dep: NULL, a row is a unit */
	/* in a search; NULL: nothing is fixed.  dep: [units] the head that a word must have, -1: any; rst: [units] how many of
	 * the spans that are fixed hold the boundary behind the EDU inside (the last EDU's does not matter): a span is split
	 * where that is least.  If no two spans cross, all of them are in the tree then. */
	const int32_t *fixed;
	int sents; /* rst: sentences of a document; 0: it is one */
	const int32_t *sent_end; /* [sents] last EDU of each: rising, the last one is units - 1 */
	const int32_t *paragraph; /* rst: [units] 1: a paragraph ends with it; NULL: not known */
	/* in training: */
	const int32_t *tree; /* dep: heads [units]; rst: splits [units - 1][3]: first EDU, last of the left half, last */
	const int32_t *labels; /* dep: [units], of the arc to each word; rst: [units - 1], of the splits; -1: not known */
	const int32_t *const *tagging; /* dep: [HP_TAGGINGS][units] or NULL, for the auxiliary task; -1: not known */
} hp_sample;

/* Where a gold step's decoder states come from: the number of a step of the same sentence, or one of these. */
enum { HP_STATE_START = -1, HP_STATE_ZERO = -2 };

enum {
	HP_INPUTS = 3
}; /* units whose sum the decoder takes in.  dep: head, sibling, grandparent; rst: the span's last
                           EDU, that of the span above, that of the span to the left under it */

/* A step for a gold tree; numbers are the sentence's. */
typedef struct hp_step {
	int input[HP_INPUTS]; /* units; -1: none */
	int from_parent, from_sibling; /* steps whose states are used; the previous step's is always step - 1 */
	int first, choices, target; /* units to choose from, and which of them is chosen, from FIRST */
	bool kept; /* later steps may use its state as parent's or sibling's */
} hp_step;

/* ---- in a search (search.h) ---- */

/* What is to be done next, the top of a hypothesis' stack. */
typedef struct hp_frame {
	union {
		struct { /* a head that looks for dependants */
			int head, last; /* last: dependant found last, 0: none */
		} arc;
		struct { /* a span to be split */
			int first, last; /* EDUs */
			int parent, sibling; /* last EDUs of the span above and of that to the left under it; -1: none */
			bool left; /* its right sibling is the span below */
		} span;
	};
	int made, sibling; /* states: of the step that made it, and its (last) sibling; -1: none */
	int below; /* frame, -1: none */
} hp_frame;

/* What a hypothesis has done: an arc or a split. */
typedef struct hp_deed {
	int before; /* deed, -1: none */
	int unit[3]; /* dep: head, dependant; rst: first, last of the left half, last */
	float logp;
	int hidden; /* piece with the hidden state that made it, -1: not kept */
} hp_deed;

/* What the decoder needs for the next step of a hypothesis. */
typedef struct hp_query {
	int input[HP_INPUTS]; /* units of the sentence; -1: none */
	int from[HP_SOURCES]; /* states; -1: zero */
	int first, choices; /* units to choose from */
} hp_query;

/* What gets a label. */
typedef struct hp_pair {
	int left, right; /* step or unit (hp_grammar.left_is_step), unit */
	int first; /* rst: the left half's first unit */
	int label; /* -1: not known */
} hp_pair;

struct hp_search;
struct hp_beam;
struct hp_hypothesis;
struct hp_choice;

/* Results of a search, of all sentences one after another; each but TREE may be NULL.  Where N trees of a sentence are
 * asked for (hp_parsing), it has room for N, one after another, of which the first FOUND are there, the best one first: all
 * sizes are N times those said here. */
typedef struct hp_trees {
	int32_t *tree; /* dep: heads [R], of root rows 0; rst: splits [Σ (units - 1)][3], in the order made */
	float *logp; /* log-probability of each arc [R], of root rows 0; of each split [Σ (units - 1)] */
	float *d; /* dep: [R × M·Q] hidden states of the step that pointed to the word; root rows zero */
	float *score; /* [count] of the whole, by which hypotheses compete: log-probabilities of all moves */
	int *found; /* [count], not N times: how many trees, each another one; NULL: one */
} hp_trees;

typedef struct hp_grammar {
	bool marks; /* a search must know which units a hypothesis has used; unit 0 is never to be */
	int root; /* results that stand before those of the moves: 1: of the root, 0 */
	bool left_is_step; /* labels: the left one of a pair is the state that made it, not a unit */
	/* The steps of a gold tree, at most 2 × units; returns how many, -1: out of memory. */
	int (*gold)(hp_arena *scratch, const hp_sample *sample, hp_step *steps);
	/* The units - 1 pairs to be labelled: left: step or unit, right: unit. */
	void (*pairs)(const hp_sample *sample, int count, const hp_step *steps, hp_pair *pair);
	int (*moves)(int units); /* how many a hypothesis makes */
	hp_frame (*start)(int units);
	int (*width)(int units,
	             int beam); /* hypotheses at most: no more than there are trees, where that is easy to tell */
	/* What the top of the stack of the beam's hypothesis K wants.  False: its move is known and needs no step. */
	bool (*ask)(const struct hp_search *s, const struct hp_beam *b, int k, hp_query *q);
	/* Offers the moves of the beam's hypothesis K; LOGP of the units from query.first on, NULL without a step. */
	void (*offer)(const struct hp_search *s, struct hp_beam *b, int k, const float *logp);
	/* Makes hypothesis TO of its predecessor FROM by a chosen move.  HP_FAIL: out of memory. */
	int (*apply)(struct hp_search *s, struct hp_hypothesis *to, const struct hp_hypothesis *from,
	             const struct hp_choice *c);
	/* Puts deed NUMBER of a sentence among the results, where its rows begin at AT. */
	void (*read)(const struct hp_search *s, const hp_deed *deed, int number, size_t at, const hp_trees *out);
} hp_grammar;

extern const hp_grammar hp_arcs, hp_splits;

#endif
