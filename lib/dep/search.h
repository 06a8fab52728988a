/* search.h: hypotheses of the beam search and the numbers behind them.  Private to lib/dep.
 *
 * Hypotheses share everything: a stack is a chain of frames, a history a chain of arcs, each with references.  The
 * decoder's states are kept only while a stack can still use them. */
#ifndef HP_DEP_SEARCH_H
#define HP_DEP_SEARCH_H
#include <stdint.h>
#include "base/arena.h"
#include "dep/net.h"
#include "dep/slab.h"
#include "nn/beam.h"

/* A head on a stack, with what the decoder wants to know of it. */
typedef struct hp_frame {
	int head, last; /* last: dependant found last, 0: none */
	int made, sibling; /* states: of the step that pointed to head; of the one that pointed to last (-1: none) */
	int below; /* frame, -1: none */
} hp_frame;

/* A word attached, and how the hypothesis got there. */
typedef struct hp_arc {
	int before; /* arc, -1: none */
	int child, head;
	float logp;
	int hidden; /* piece with the hidden state that pointed to child */
} hp_arc;

typedef struct hp_hypothesis {
	double score;
	int top, depth; /* frame; frames on the stack */
	int previous; /* state */
	int history; /* arc */
	int attached; /* words */
} hp_hypothesis;

typedef struct hp_beam { /* one sentence */
	int n, at; /* positions; first position row */
	int count; /* hypotheses */
	hp_hypothesis *hyp, *next; /* [beam] */
	uint64_t *used, *used_next; /* [beam × words of bits]: attached words */
	int bits; /* 64-bit words a hypothesis */
	hp_choice *choice; /* [beam]; an action is a position; the head itself: pop */
	int choices;
	int row; /* of its first hypothesis in this step's batch */
} hp_beam;

typedef struct hp_search {
	const hp_dep_net *net;
	hp_pool *pool;
	int width; /* of the beam */
	bool want_score;
	int count; /* sentences */
	hp_beam *beams;
	int *active, actives; /* sentences that are not finished */
	hp_slab states, hidden, frames, arcs;
	/* by position row */
	float *source; /* W_src · h [rows × I] */
	float *key, *bias; /* W g2 [rows × A] and v · g2 [rows]: a score is key · g1 + bias */
	/* by row of the step: a hypothesis each */
	int rows;
	int *row_state; /* the slab's number of its new state, -1: not kept */
	const hp_frame **row_frame; /* top of its stack; valid while a step's numbers are made */
	int *row_previous, *row_at; /* state before; the sentence's first position row */
	float *z, *gates, *recurrent; /* [. × I], [. × 4Q], [. × 4Q] */
	float *hidden_in, *cell_in, *tanh_cell; /* [. × Q] */
	float *state; /* [. × 2 × Q] new states */
	float *h; /* [. × Q] hidden ones, together */
	float *g1; /* [. × A] */
	float *scores; /* [. × longest] */
	int longest;
	float *product[2], *gate_sum, *gate_part; /* SGate: [2 rows × Q] */
	float *gathered, *projected; /* [2 rows × Q] for the products of new states */
	int *gathered_state; /* [rows] */
} hp_search;

/* Layout of a state: hidden and cell, then the products of both with each of the fusion's matrices. */
size_t hp_state_floats(const hp_dep_net *net);

int hp_search_alloc(hp_search *s, hp_arena *arena, int rows, int positions);
/* source, key and bias of all positions from h [positions × 2H]; HP_FAIL: out of memory. */
int hp_search_prepare(hp_search *s, hp_arena *arena, int positions, const float *h);
/* New states, and log-probabilities of all positions in s->scores, of s->rows rows. */
void hp_search_step(hp_search *s);
/* Products of COUNT states with the matrices of some sources (bits 1 << HP_FROM_...). */
void hp_search_project(hp_search *s, int count, const int *states, int sources);

#endif
