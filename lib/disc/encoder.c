/* encoder.c: x -> EDUs' representations and the decoder's start states, in training (hp_rst_encode is in encode.c). */
#include "disc/train.h"

#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

static void weights_of(const hp_rst_net *net, int layer, hp_gru_weights w[2])
{
	for (int d = 0; d < 2; d++)
		w[d] = hp_gru_weights_of(&net->encoder[layer][d]);
}

/* A layer's last states, both directions added, are the start of the decoder's layer. */
static void start_states(hp_rst_trace *t, const hp_rst_net *net, int layer, float *const final[2])
{
	size_t H = (size_t)net->c.hidden, L = (size_t)net->c.layers;
	for (size_t s = 0; s < (size_t)t->count; s++) {
		float *to = t->state + (s * L + (size_t)layer) * H;
		memcpy(to, final[0] + s * H, H * sizeof(float));
		hp_vec_add(H, final[1] + s * H, to);
	}
}

int hp_rst_encoder_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, const float *x)
{
	const hp_rst_config *c = &net->c;
	size_t H = (size_t)c->hidden, L = (size_t)c->layers, words = (size_t)t->words, D = (size_t)c->input_dim;
	t->in = HP_NEW(arena, float *, L);
	t->out = HP_NEW(arena, float *, L);
	t->layer = HP_NEW(arena, hp_bigru_trace, L);
	t->e = HP_NEW(arena, float, (size_t)t->plan.rows * H);
	t->state = HP_NEW(arena, float, ((size_t)t->count + (size_t)t->plan.total) * L * H);
	float *final[2] = {HP_NEW(arena, float, (size_t)t->count * H), HP_NEW(arena, float, (size_t)t->count * H)};
	float *first = HP_NEW(arena, float, words * D);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_pack_rows(&t->packed, t->order, t->at, D, x, first);
	for (int l = 0; l < c->layers; l++) {
		int in = hp_rst_input_of(c, l);
		const float *plain = l ? t->out[l - 1] : first;
		t->in[l] = l && t->mask.in[l] ? HP_NEW(arena, float, words * (size_t)in) : (float *)plain;
		t->out[l] = HP_NEW(arena, float, words * 2 * H);
		if (hp_bigru_trace_alloc(&t->layer[l], arena, t->words, c->hidden))
			return HP_FAIL;
		hp_mask_rows(pool, t->words, in, plain, t->mask.in[l], NULL, t->in[l]);
		hp_gru_weights w[2];
		weights_of(net, l, w);
		hp_bigru_forward(pool, &t->packed, in, c->hidden, t->in[l], w, t->out[l], &t->layer[l], final);
		start_states(t, net, l, final);
	}
	const float *out = t->out[c->layers - 1];
	for (size_t i = 0; i < (size_t)t->plan.rows; i++) {
		const float *row = out + (size_t)t->edu_row[i] * 2 * H;
		memcpy(t->e + i * H, row, H * sizeof(float));
		hp_vec_add(H, row + H, t->e + i * H);
	}
	return 0;
}

/* The last layer's gradient, packed rows [words × 2H]: zero but for the EDUs' last words. */
static void spread(const hp_rst_trace *t, size_t H, const float *de, float *dout)
{
	memset(dout, 0, (size_t)t->words * 2 * H * sizeof(float));
	for (size_t i = 0; i < (size_t)t->plan.rows; i++)
		for (size_t d = 0; d < 2; d++)
			memcpy(dout + ((size_t)t->edu_row[i] * 2 + d) * H, de + i * H, H * sizeof(float));
}

int hp_rst_encoder_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, const float *de,
                            const float *dstate, float *dx)
{
	const hp_rst_config *c = &net->c;
	size_t H = (size_t)c->hidden, L = (size_t)c->layers, words = (size_t)t->words;
	float *dout = HP_NEW(arena, float, words * 2 * H), *din = HP_NEW(arena, float, words * 2 * H);
	float *dfirst = dx ? HP_NEW(arena, float, words * (size_t)c->input_dim) : NULL;
	float *start = HP_NEW(arena, float, (size_t)t->count * H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	spread(t, H, de, dout);
	const float *const dfinal[2] = {start, start};
	for (int l = c->layers - 1; l >= 0; l--) {
		float *d = l ? din : dfirst;
		for (size_t s = 0; s < (size_t)t->count; s++)
			memcpy(start + s * H, dstate + (s * L + (size_t)l) * H, H * sizeof(float));
		hp_gru_weights w[2];
		weights_of(net, l, w);
		if (hp_bigru_backward(pool, arena, &t->packed, hp_rst_input_of(c, l), c->hidden, t->in[l], w, &t->layer[l],
		                      dout, dfinal, d))
			return HP_FAIL;
		if (d)
			hp_mask_rows(pool, t->words, hp_rst_input_of(c, l), d, t->mask.in[l], NULL, d);
		din = dout;
		dout = d;
	}
	if (dx)
		hp_unpack_rows(&t->packed, t->order, t->at, (size_t)c->input_dim, dfirst, dx);
	return 0;
}
