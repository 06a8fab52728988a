/* search.h: hypotheses of the beam search and the numbers behind them (DESIGN section 4).
 *
 * Hypotheses share everything: a stack is a chain of frames, a history a chain of deeds, each with references.  The
 * decoder's states are kept only while a stack can still use them. */
#ifndef HP_SEARCH_H
#define HP_SEARCH_H
#include <stdint.h>
#include "base/arena.h"
#include "base/pool.h"
#include "pointer/grammar.h"
#include "pointer/net.h"
#include "pointer/slab.h"

typedef struct hp_choice {
	double score; /* of the hypothesis it makes */
	float logp; /* of the move alone */
	int hypothesis, move; /* move: the unit that is pointed to */
} hp_choice;

typedef struct hp_hypothesis {
	double score;
	int top, depth; /* frame; frames on the stack */
	int previous; /* state */
	int history, deeds; /* deed; how many */
	int row; /* of the step's rows, -1: its move needs no step */
	uint64_t *used; /* bits of the units that it has used, where the grammar wants them */
} hp_hypothesis;

typedef struct hp_beam { /* one sentence */
	int units, at; /* first unit row */
	const int32_t *fixed; /* as in hp_sample */
	int width; /* hypotheses at most */
	int count;
	hp_hypothesis *hyp, *next; /* [width] */
	hp_choice *choice; /* [width] */
	int choices;
	int row, rows; /* of its hypotheses in this step */
} hp_beam;

/* What a member's units say of their heads (heads.h), by unit row: the log-probability that a unit's head is another one is
 * word · key + bias of that one - norm of the unit. */
typedef struct hp_heads {
	float *word, *key; /* [rows × A]; NULL: they are not asked */
	float *bias, *norm; /* [rows] */
	float *asked; /* keys of the heads that are asked for, by row of the step [. × A] */
} hp_heads;

/* What a member's boundaries say of the spans that they split (reach.h), the boundary behind a unit in its row: the
 * log-probability that a span's first EDU is unit i is place · key + bias of i - norm of the boundary; likewise of the last. */
typedef struct hp_reach {
	float *place; /* [rows × A]; NULL: they are not asked */
	float *key[2], *bias[2], *norm[2]; /* [rows × A], [rows], [rows] */
} hp_reach;

/* What a member of the network has of the sentences, and makes of a step. */
typedef struct hp_member {
	const hp_net *net;
	/* by unit row */
	float *unit; /* [rows × W] */
	float *source; /* what the decoder's input is a sum of [rows × I]: dep: W_src · unit; NULL: the units themselves */
	float *key,
		*bias; /* a score is key · (what a state is compared by) + bias: [rows × A], [rows]; NULL: unit · state */
	hp_heads heads;
	hp_reach reach;
	float *state; /* by row of the step [. × P × Q] what the cells take as their old states; then the new ones */
} hp_member;

typedef struct hp_search {
	const hp_net *net; /* its first member */
	hp_member *member, *now; /* [net->s.M], and which of them is at work */
	hp_pool *pool;
	int width; /* of the beam */
	int nbest; /* trees of a sentence at most */
	const hp_trees *out;
	int count; /* sentences */
	hp_beam *beams;
	int *active, actives; /* sentences that are not finished */
	hp_slab states, hidden, frames, deeds;
	/* by row of the step: hypotheses that need one */
	int rows;
	hp_query *query;
	int *at; /* the sentence's first unit row */
	int *kept; /* the slab's number of the row's new state, -1: not kept */
	int *recorded; /* the slab's number of the row's hidden state, -1: none of its hypotheses recorded it */
	bool *asked; /* later steps may use the state as parent's or sibling's */
	float *z; /* the cells' input [. × widest of I and Q] */
	float *products; /* W_ih z and below it W_hh h [2 × . × GATES·Q]; or of new states [parts × . × P × Q] */
	float *gate; /* [. × P × Q] scratch, or NULL */
	float *compared; /* [. × A] */
	float *scores; /* [. × longest] log-probabilities of the row's units to choose from */
	float
		*heads; /* [. × longest] log-probabilities that the row's head is that of each unit; NULL: they are not asked */
	float *reach; /* [count × longest] by boundary, of the span at hand; NULL: they are not asked */
	float *opinion; /* the same, of the member at work; NULL where there is but one */
	int longest;
	float *product[2], *gate_sum, *gate_part; /* SGate: [. × P × Q] */
	float *gathered; /* [. × P × Q] new states */
	int *list; /* [.] */
	int layer; /* of the decoder, that is being computed */
} hp_search;

static inline hp_frame *hp_frame_at(const hp_search *s, int frame)
{
	return hp_slab_at(&s->frames, frame);
}

static inline hp_deed *hp_deed_at(const hp_search *s, int deed)
{
	return hp_slab_at(&s->deeds, deed);
}

/* ---- beam.c ---- */

/* Puts C into LIST, which holds COUNT choices by falling score and keeps the best WIDTH: of equal scores the earlier
 * ones.  Returns how many there are now. */
int hp_offer(hp_choice *list, int count, int width, hp_choice c);
/* For grammars.  The new frame refers to its states and takes over the caller's reference to the frame below.  -1: out of
 * memory. */
int hp_push(hp_search *s, hp_frame f);
/* One more deed of TO, which goes on from FROM.  With HIDDEN, the hidden state of FROM's step is kept beside it. */
int hp_record(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from, hp_deed deed, bool hidden);
/* The number of the state that FROM's step made, kept as a piece of the slab from now on; -1: there is no step.  ASKED:
 * later steps may use it as parent's or sibling's. */
int hp_state_made(const hp_search *s, const hp_hypothesis *from, bool asked);

/* ---- step.c ---- */

/* Floats of a member's state in the slab: [P × Q], then its products with each of the fusion's matrices. */
size_t hp_state_floats(const hp_net *net);
/* Member M's part of the slab's state STATE. */
float *hp_state_at(const hp_search *s, int state, size_t m);
int hp_search_alloc(hp_search *s, hp_arena *arena, int rows, int units);
/* What of a step can be made of the members' units alone.  HP_FAIL: out of memory. */
int hp_search_prepare(hp_search *s, hp_arena *arena, int units);
/* New states, and log-probabilities in s->scores, of s->rows rows. */
void hp_search_step(hp_search *s);
/* Products of COUNT states with the matrices of one or two sources (bits 1 << HP_FROM_...). */
void hp_search_project(hp_search *s, int count, const int *states, int sources);

#endif
