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

static int backward(hp_trace *t, const hp_sentences *in, float scale, hp_loss *loss)
{
	const hp_shape *s = &t->net->s;
	const hp_levels *p = &t->batch.levels;
	hp_matrix du = hp_matrix_new(t->arena, p->rows, (int)s->W), dd = hp_matrix_new(t->arena, p->total, (int)s->Q);
	hp_matrix dstate = hp_matrix_new(t->arena, t->decode.state.rows, t->decode.state.cols), dx = {0};
	if (wants_dx(t, in))
		dx = hp_matrix_new(t->arena, t->batch.rows, (int)s->D);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_arena_mark mark = hp_arena_save(t->arena); /* what a step needs for itself, the next may have */
	if (hp_point_backward(t, du, dd) || hp_label_backward_pairs(t, du, dd) ||
	    hp_auxiliary(t, scale, du, &loss->auxiliary))
		return HP_FAIL;
	hp_arena_restore(t->arena, mark);
	if (hp_decode_backward(t, dd, du, dstate))
		return HP_FAIL;
	hp_arena_restore(t->arena, mark);
	if (hp_encode_backward(t, du, dstate, dx))
		return HP_FAIL;
	return dx.data ? hp_embed_backward(t, in, dx) : 0;
}

static int train_member(hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in,
                        const hp_dropout *dropout, float scale, hp_loss *loss)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_trace t = {.net = net, .pool = pool, .arena = scratch};
	int status = hp_forward(&t, in, dropout);
	if (!status) {
		hp_losses(&t, scale, loss);
		status = backward(&t, in, scale, loss);
	}
	hp_arena_restore(scratch, mark);
	return status;
}

/* The M-th member, but the first: as if it were alone; adds to what the others have found. */
static int train_another(hp_net *net, size_t m, hp_pool *pool, hp_arena *scratch, const hp_sentences *in,
                         const hp_dropout *dropout, float scale, hp_loss *loss)
{
	hp_loss own;
	hp_sentences its = *in;
	hp_dropout rates = dropout ? *dropout : (hp_dropout){0};
	size_t values = 0;
	for (int i = 0; in->dx && i < in->count; i++)
		values += (size_t)in->sample[i].rows * net->s.D;
	its.dx = in->dx ? HP_NEW(scratch, float, values) : NULL;
	rates.seed += (uint64_t)m << 32; /* masks of its own */
	if ((in->dx && !its.dx) || train_member(net->member[m], pool, scratch, &its, dropout ? &rates : NULL, scale, &own))
		return HP_FAIL;
	if (in->dx)
		hp_vec_add(values, its.dx, in->dx);
	loss->structure += own.structure;
	loss->label += own.label;
	loss->auxiliary += own.auxiliary;
	return 0;
}

int hp_train(hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const hp_dropout *dropout,
             float scale, hp_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int status = train_member(net, pool, scratch, in, dropout, scale, loss);
	for (size_t m = 1; m < net->s.M && !status; m++) {
		status = train_another(net, m, pool, scratch, in, dropout, scale, loss);
		hp_arena_restore(scratch, mark);
	}
	return status ? hp_fail_memory(err) : 0;
}
