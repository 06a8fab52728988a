/* encoder.c: x -> h and the decoder's start state, in training (hp_dep_encode is in encode.c). */
#include "dep/train.h"

#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

static int input_of(const hp_dep_config *c, int layer)
{
	return layer ? 2 * c->hidden : hp_dep_input_dim(c);
}

/* c_0 = bridge · [final cells, forward; backward], h_0 = tanh(c_0) */
static int start_states(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena)
{
	size_t H = (size_t)net->c.hidden, Q = (size_t)net->c.decoder_hidden, count = (size_t)t->count;
	float *cell = HP_NEW(arena, float, count * Q);
	t->bridge_in = HP_NEW(arena, float, count * 2 * H);
	t->state = HP_NEW(arena, float, (count + (size_t)t->plan.total) * 2 * Q);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t s = 0; s < count; s++)
		for (size_t d = 0; d < 2; d++)
			memcpy(t->bridge_in + (2 * s + d) * H, t->final[d] + s * H, H * sizeof(float));
	hp_linear_forward(pool, t->count, 2 * net->c.hidden, net->c.decoder_hidden, t->bridge_in, net->bridge.w->value,
	                  net->bridge.b->value, cell);
	for (size_t s = 0; s < count; s++) {
		float *h = t->state + 2 * s * Q, *c = h + Q;
		memcpy(c, cell + s * Q, Q * sizeof(float));
		memcpy(h, c, Q * sizeof(float));
		hp_vec_tanh(Q, h);
	}
	return 0;
}

/* Packed rows -> position rows, with dropout. */
static void unpack(hp_dep_trace *t, size_t width, const float *packed, float *h)
{
	for (int p = 0; p < t->plan.rows; p++) {
		float *row = h + (size_t)p * width;
		memcpy(row, packed + (size_t)t->packed_row[p] * width, width * sizeof(float));
		if (t->mask.h)
			hp_vec_mul(width, t->mask.h + (size_t)t->plan.position_owner[p] * width, row);
	}
}

int hp_dep_encoder_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena)
{
	const hp_dep_config *c = &net->c;
	int rows = t->plan.rows;
	size_t H = (size_t)c->hidden;
	t->in = HP_NEW(arena, float *, (size_t)c->layers);
	t->out = HP_NEW(arena, float *, (size_t)c->layers);
	t->layer = HP_NEW(arena, hp_bilstm_trace, (size_t)c->layers);
	for (int d = 0; d < 2; d++)
		t->final[d] = HP_NEW(arena, float, (size_t)t->count * H);
	t->h = HP_NEW(arena, float, (size_t)rows * 2 * H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	float *x = t->x;
	for (int l = 0; l < c->layers; l++) {
		int in = input_of(c, l);
		t->in[l] = t->mask.in[l] ? HP_NEW(arena, float, (size_t)rows * (size_t)in) : x;
		t->out[l] = HP_NEW(arena, float, (size_t)rows * 2 * H);
		if (hp_bilstm_trace_alloc(&t->layer[l], arena, rows, c->hidden))
			return HP_FAIL;
		hp_mask_rows(pool, rows, in, x, t->mask.in[l], t->packed_owner, t->in[l]);
		hp_lstm_weights w[2] = {hp_dep_encoder_weights(net, l, 0), hp_dep_encoder_weights(net, l, 1)};
		const float *const mask[2] = {t->mask.state[l][0], t->mask.state[l][1]};
		hp_bilstm_forward(pool, &t->packed, in, c->hidden, t->in[l], w, mask, t->out[l], &t->layer[l],
		                  l == c->layers - 1 ? t->final : NULL);
		x = t->out[l];
	}
	unpack(t, 2 * H, x, t->h);
	return start_states(t, net, pool, arena);
}

/* dstate's start states -> gradient of both directions' final cells, carry[d] [count × H] */
static int start_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *dstate,
                          float *const carry[2])
{
	size_t H = (size_t)net->c.hidden, Q = (size_t)net->c.decoder_hidden, count = (size_t)t->count;
	float *dcell = HP_NEW(arena, float, count * Q), *din = HP_NEW(arena, float, count * 2 * H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t s = 0; s < count; s++) {
		const float *h = t->state + 2 * s * Q, *dh = dstate + 2 * s * Q, *dc = dh + Q;
		for (size_t u = 0; u < Q; u++)
			dcell[s * Q + u] = dc[u] + dh[u] * (1.0f - h[u] * h[u]);
	}
	hp_linear_backward(pool, t->count, 2 * net->c.hidden, net->c.decoder_hidden, t->bridge_in, net->bridge.w->value,
	                   dcell, net->bridge.w->grad, net->bridge.b->grad, din, false);
	for (size_t s = 0; s < count; s++)
		for (size_t d = 0; d < 2; d++)
			memcpy(carry[d] + s * H, din + (2 * s + d) * H, H * sizeof(float));
	return 0;
}

int hp_dep_encoder_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                            const float *dstate, float *dx)
{
	const hp_dep_config *c = &net->c;
	int rows = t->plan.rows;
	size_t H = (size_t)c->hidden;
	float *carry[2] = {HP_NEW(arena, float, (size_t)t->count * H), HP_NEW(arena, float, (size_t)t->count * H)};
	float *dout = HP_NEW(arena, float, (size_t)rows * 2 * H), *din = HP_NEW(arena, float, (size_t)rows * 2 * H);
	if (hp_arena_failed(arena) || start_backward(t, net, pool, arena, dstate, carry))
		return HP_FAIL;
	hp_mask_rows(pool, rows, 2 * c->hidden, dh, t->mask.h, t->plan.position_owner, dh);
	for (int p = 0; p < rows; p++)
		memcpy(dout + (size_t)t->packed_row[p] * 2 * H, dh + (size_t)p * 2 * H, 2 * H * sizeof(float));
	for (int l = c->layers - 1; l >= 0; l--) {
		hp_lstm_weights w[2] = {hp_dep_encoder_weights(net, l, 0), hp_dep_encoder_weights(net, l, 1)};
		const float *const mask[2] = {t->mask.state[l][0], t->mask.state[l][1]};
		float *d = l ? din : dx;
		if (hp_bilstm_backward(pool, arena, &t->packed, input_of(c, l), c->hidden, t->in[l], w, mask, &t->layer[l],
		                       dout, carry, d))
			return HP_FAIL;
		hp_mask_rows(pool, rows, input_of(c, l), d, t->mask.in[l], t->packed_owner, d);
		din = dout;
		dout = d;
		for (int way = 0; way < 2; way++)
			memset(carry[way], 0, (size_t)t->count * H * sizeof(float));
	}
	return 0;
}
