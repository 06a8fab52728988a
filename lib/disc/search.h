/* search.h: hypotheses of the beam search and the numbers behind them.  Private to lib/disc.
 *
 * Hypotheses share everything: a stack is a chain of spans, a history a chain of splits, each with references.  The
 * decoder's states are kept only while a stack can still use them. */
#ifndef HP_RST_SEARCH_H
#define HP_RST_SEARCH_H
#include "base/arena.h"
#include "dep/slab.h"
#include "disc/net.h"
#include "nn/beam.h"

/* A span to be split, with what the decoder wants to know of the tree around it. */
typedef struct hp_rst_span {
	int first, last; /* EDUs */
	int parent, sibling; /* last EDUs of the span above and of the span to the left under it; -1: none */
	int made, sibling_made; /* states: of the steps that split the span above, and the sibling (-1: none) */
	bool left; /* its right sibling is the span below */
	int below; /* span, -1: none */
} hp_rst_span;

typedef struct hp_rst_done {
	int before; /* split, -1: none */
	int first, mid, last;
	float logp;
} hp_rst_done;

typedef struct hp_rst_hypothesis {
	double score;
	int top; /* span */
	int previous; /* state */
	int history; /* split */
	int row; /* of the step's batch, -1: two EDUs need no step */
} hp_rst_hypothesis;

typedef struct hp_rst_beam { /* one sentence */
	int edus, at; /* first EDU row */
	int width; /* of the beam: no more than there are trees */
	int count; /* hypotheses */
	hp_rst_hypothesis *hyp, *next; /* [width] */
	hp_choice *choice; /* [width]; an action is the last EDU of the left half */
	int choices;
} hp_rst_beam;

typedef struct hp_rst_search {
	const hp_rst_net *net;
	hp_pool *pool;
	size_t H, L;
	int count; /* sentences */
	hp_rst_beam *beams;
	int *active, actives; /* sentences that are not finished */
	hp_slab states, spans, splits;
	const float *e; /* EDU rows [. × H] */
	int longest; /* EDUs */
	/* by row of the step: hypotheses whose span has more than two EDUs */
	int rows;
	int *row_state; /* the slab's number of its new state, -1: not kept */
	const hp_rst_span **row_span; /* valid while a step's numbers are made */
	int *row_previous, *row_at; /* state before; the sentence's first EDU row */
	hp_gru_weights w; /* of the layer that is being computed */
	int layer;
	float *z; /* [. × H] the layer's input */
	float *fused; /* [. × L × H] */
	float *input, *recurrent; /* [. × 3H] */
	float *gates; /* [. × 4H] */
	float *state; /* [. × L × H] new states */
	float *scores; /* [. × longest] log-probabilities of the span's EDUs */
	float *gathered, *projected; /* [L rows × H] for the products of new states */
	int *gathered_state; /* [rows] */
} hp_rst_search;

/* Layout of a state: its layers, then their products with each of the fusion's matrices. */
size_t hp_rst_state_floats(const hp_rst_net *net);
int hp_rst_search_alloc(hp_rst_search *s, hp_arena *arena, int rows); /* HP_FAIL: out of memory */
/* New states and log-probabilities of s->rows rows. */
void hp_rst_search_step(hp_rst_search *s);
/* Products of COUNT states with the fusion's matrices. */
void hp_rst_search_project(hp_rst_search *s, int count, const int *states);

#endif
