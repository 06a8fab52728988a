/* train.c: one training step: forward, loss, backward. */
#include "disc/train.h"

int hp_rst_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, int count,
                   const hp_rst_sent *sents, const float *x, const hp_rst_dropout *dropout)
{
	if (hp_rst_batch_make(t, net, pool, arena, count, sents, dropout) ||
	    hp_rst_encoder_forward(t, net, pool, arena, x) || hp_rst_decoder_forward(t, net, pool, arena) ||
	    hp_rst_scores_forward(t, net, pool, arena))
		return HP_FAIL;
	return 0;
}

static int backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, float *dx)
{
	size_t H = (size_t)net->c.hidden, states = (size_t)t->count + (size_t)t->plan.total;
	float *de = HP_NEW(arena, float, (size_t)t->plan.rows * H);
	float *dstate = HP_NEW(arena, float, states * (size_t)net->c.layers * H);
	if (hp_arena_failed(arena) || hp_rst_scores_backward(t, net, pool, arena, de, dstate) ||
	    hp_rst_decoder_backward(t, net, pool, arena, de, dstate) ||
	    hp_rst_encoder_backward(t, net, pool, arena, de, dstate, dx))
		return HP_FAIL;
	return 0;
}

int hp_rst_train(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents, const float *x,
                 float *dx, const hp_rst_dropout *dropout, float scale, hp_rst_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_rst_trace t;
	int status = hp_rst_forward(&t, net, pool, scratch, count, sents, x, dropout);
	if (!status) {
		hp_rst_loss_make(&t, net, pool, scale, loss);
		status = backward(&t, net, pool, scratch, dx);
	}
	hp_arena_restore(scratch, mark);
	return status ? hp_fail_memory(err) : 0;
}
