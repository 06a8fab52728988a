/* train.c: one training step: forward, losses, backward, each a chain from words to labels or back. */
#include "pointer/train.h"

#include <string.h>

int hp_forward(hp_trace *t, const hp_sentences *in, const hp_dropout *dropout)
{
	t->loss = HP_NEW(t->arena, double, 2 * (size_t)in->count);
	if (!t->loss || hp_batch_make(t, in, dropout) || hp_embed_forward(t, in) || hp_encode_forward(t) ||
	    hp_decode_forward(t) || hp_point_forward(t) || hp_label_forward_pairs(t))
		return HP_FAIL;
	return 0;
}

/* Whether the gradient of x is asked for by somebody. */
static bool wants_dx(const hp_trace *t, const hp_sentences *in, const float *dx)
{
	return dx || in->tokens || (in->layers && t->net->mix_weights);
}

static int backward(hp_trace *t, const hp_sentences *in, float scale, float *dx, hp_loss *loss)
{
	const hp_shape *s = &t->net->s;
	size_t states = (size_t)t->batch.count + (size_t)t->batch.levels.total;
	float *du = HP_NEW(t->arena, float, (size_t)t->batch.levels.rows * s->W);
	float *dd = HP_NEW(t->arena, float, (size_t)t->batch.levels.total * s->Q);
	float *dstate = HP_NEW(t->arena, float, states * s->P * s->Q);
	float *packed = wants_dx(t, in, dx) ? HP_NEW(t->arena, float, (size_t)t->batch.rows * s->D) : NULL;
	if (hp_arena_failed(t->arena) || hp_point_backward(t, du, dd) || hp_label_backward_pairs(t, du, dd) ||
	    hp_auxiliary(t, scale, du, &loss->auxiliary) || hp_decode_backward(t, dd, du, dstate) ||
	    hp_encode_backward(t, du, dstate, packed))
		return HP_FAIL;
	return packed ? hp_embed_backward(t, in, packed, dx) : 0;
}

int hp_train(hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const hp_dropout *dropout,
             float scale, float *dx, hp_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_trace t = {.net = net, .pool = pool, .arena = scratch};
	int status = hp_forward(&t, in, dropout);
	if (!status) {
		hp_losses(&t, scale, loss);
		status = backward(&t, in, scale, dx, loss);
	}
	hp_arena_restore(scratch, mark);
	return status ? hp_fail_memory(err) : 0;
}
