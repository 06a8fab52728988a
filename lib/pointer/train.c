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
	int status;
} share;

typedef struct step {
	hp_net *net;
	const hp_sentences *in;
	bool drops;
	float scale;
	share *share; /* [M] */
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
static void member_task(void *arg, int m)
{
	const step *s = arg;
	share *a = &s->share[m];
	a->status = hp_forward(&a->t, s->in, s->drops ? &a->rates : NULL);
	if (a->status)
		return;
	hp_losses(&a->t, s->scale, &a->loss);
	a->status = backward(a, s->in, s->scale);
}

/* The rest of member M's step.  The first one sets what the others add to: in->dx and *LOSS. */
static int finish_member(const step *s, size_t m, hp_loss *loss)
{
	share *a = &s->share[m];
	hp_sentences its = *s->in;
	size_t values = (size_t)a->t.batch.rows * s->net->s.D;
	if (a->status)
		return HP_FAIL;
	if (m > 0 && its.dx && !(its.dx = HP_NEW(a->t.arena, float, values)))
		return HP_FAIL;
	if (a->dx.data && hp_embed_backward(&a->t, &its, a->dx))
		return HP_FAIL;
	if (m == 0) {
		*loss = a->loss;
		return 0;
	}
	if (its.dx)
		hp_vec_add(values, its.dx, s->in->dx);
	loss->structure += a->loss.structure;
	loss->label += a->loss.label;
	loss->auxiliary += a->loss.auxiliary;
	return 0;
}

/* One after another, each by all threads. */
static int train_in_turn(const step *s, hp_pool *pool, hp_arena *scratch, hp_loss *loss)
{
	int status = 0;
	for (size_t m = 0; m < s->net->s.M && !status; m++) {
		hp_arena_mark mark = hp_arena_save(scratch);
		s->share[m].t.pool = pool;
		s->share[m].t.arena = scratch;
		member_task((void *)s, (int)m);
		status = finish_member(s, m, loss);
		hp_arena_restore(scratch, mark);
	}
	return status;
}

/* Side by side, each by a thread of its own: the same numbers, and less waiting. */
static int train_together(const step *s, hp_pool *pool, hp_loss *loss)
{
	int status = 0;
	for (size_t m = 0; m < s->net->s.M; m++) {
		hp_net *member = s->net->member[m];
		member->scratch = member->scratch ? member->scratch : hp_arena_new();
		if (!member->scratch)
			return HP_FAIL;
		s->share[m].t.arena = member->scratch;
	}
	hp_pool_run(pool, (int)s->net->s.M, member_task, (void *)s);
	for (size_t m = 0; m < s->net->s.M && !status; m++) {
		s->share[m].t.pool = pool;
		status = finish_member(s, m, loss);
	}
	for (size_t m = 0; m < s->net->s.M; m++)
		hp_arena_reset(s->net->member[m]->scratch);
	return status;
}

int hp_train(hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const hp_dropout *dropout,
             float scale, hp_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	step s = {.net = net, .in = in, .drops = dropout, .scale = scale, .share = HP_NEW0(scratch, share, net->s.M)};
	if (!s.share)
		return hp_fail_memory(err);
	for (size_t m = 0; m < net->s.M; m++) {
		s.share[m].t.net = net->member[m];
		if (dropout)
			s.share[m].rates = *dropout;
		s.share[m].rates.seed += (uint64_t)m << 32; /* masks of its own */
	}
	bool together = net->s.M > 1 && (size_t)hp_pool_threads(pool) <= net->s.M;
	int status = together ? train_together(&s, pool, loss) : train_in_turn(&s, pool, scratch, loss);
	hp_arena_restore(scratch, mark);
	return status ? hp_fail_memory(err) : 0;
}
