/* train.c: one training step: forward, losses, backward, each a chain from words to labels or back. */
#include "pointer/train.h"

#include <string.h>

#include "nn/vmath.h"

int hp_forward(hp_trace *t, const hp_sentences *in, const hp_dropout *dropout)
{
	t->loss = HP_NEW(t->arena, double, 2 * (size_t)in->count);
	if (!t->loss || hp_batch_make(t, in, dropout) || hp_embed_forward(t, in) || hp_encode_forward(t) ||
	    hp_decode_forward(t) || hp_point_forward(t) || hp_label_forward_pairs(t))
		return HP_FAIL;
	return 0;
}

/* Whether the gradient of x is asked for by somebody. */
static bool wants_dx(const hp_trace *t, const hp_sentences *in)
{
	return in->dx || in->tokens || (in->layers && t->net->mix_weights);
}

/* One member's share of a step. */
typedef struct share {
	hp_trace t;
	hp_dropout rates;
	hp_loss loss;
	hp_matrix dx; /* packed rows [rows × D], or none */
} share;

typedef struct step {
	hp_net *net;
	const hp_sentences *in;
	bool drops;
	float scale;
	share *share; /* [M] */
	hp_loss *loss;
} step;

/* The way back to what stands for the words. */
static int backward(share *a, const hp_sentences *in, float scale)
{
	hp_trace *t = &a->t;
	const hp_shape *s = &t->net->s;
	const hp_levels *p = &t->batch.levels;
	hp_matrix du = hp_matrix_new(t->arena, p->rows, (int)s->W), dd = hp_matrix_new(t->arena, p->total, (int)s->Q);
	hp_matrix dstate = hp_matrix_new(t->arena, t->decode.state.rows, t->decode.state.cols);
	if (wants_dx(t, in))
		a->dx = hp_matrix_new(t->arena, t->batch.rows, (int)s->D);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_arena_mark mark = hp_arena_save(t->arena); /* what a step needs for itself, the next may have */
	if (hp_point_backward(t, du, dd) || hp_label_backward_pairs(t, du, dd) ||
	    hp_auxiliary(t, scale, du, &a->loss.auxiliary))
		return HP_FAIL;
	hp_arena_restore(t->arena, mark);
	if (hp_decode_backward(t, dd, du, dstate))
		return HP_FAIL;
	hp_arena_restore(t->arena, mark);
	return hp_encode_backward(t, du, dstate, a->dx);
}

/* All but the embeddings' gradient, which is all members'. */
static int run_member(void *arg, int m, hp_pool *pool, hp_arena *arena)
{
	const step *s = arg;
	share *a = &s->share[m];
	a->t.pool = pool;
	a->t.arena = arena;
	if (hp_forward(&a->t, s->in, s->drops ? &a->rates : NULL))
		return HP_FAIL;
	hp_losses(&a->t, s->scale, &a->loss);
	return backward(a, s->in, s->scale);
}

/* The rest.  The first member sets what the others add to: in->dx and *LOSS. */
static int finish_member(void *arg, int m, hp_pool *pool)
{
	const step *s = arg;
	share *a = &s->share[m];
	hp_sentences its = *s->in;
	size_t values = (size_t)a->t.batch.rows * s->net->s.D;
	a->t.pool = pool;
	if (m > 0 && its.dx && !(its.dx = HP_NEW(a->t.arena, float, values)))
		return HP_FAIL;
	if (a->dx.data && hp_embed_backward(&a->t, &its, a->dx))
		return HP_FAIL;
	if (m == 0) {
		*s->loss = a->loss;
		return 0;
	}
	if (its.dx)
		hp_vec_add(values, its.dx, s->in->dx);
	s->loss->structure += a->loss.structure;
	s->loss->label += a->loss.label;
	s->loss->auxiliary += a->loss.auxiliary;
	return 0;
}

int hp_train(hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const hp_dropout *dropout,
             float scale, hp_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	step s = {net, in, dropout, scale, HP_NEW0(scratch, share, net->s.M), loss};
	hp_members_step members = {(int)net->s.M, run_member, finish_member, &s, {0}, &net->arenas};
	if (!s.share)
		return hp_fail_memory(err);
	for (int m = 0; m < members.members; m++) {
		s.share[m].t.net = net->member[m];
		if (dropout)
			s.share[m].rates = *dropout;
		s.share[m].rates.seed = hp_member_seed(s.share[m].rates.seed, m);
	}
	int status = hp_members_train(&members, pool, scratch);
	hp_arena_restore(scratch, mark);
	return status ? hp_fail_memory(err) : 0;
}
