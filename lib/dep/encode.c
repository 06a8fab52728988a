/* encode.c: x -> h and the decoder's start state, in parsing.  The batch is packed as in packed.h; all products are row by
 * row the same for any batch (hp_param_product). */
#include "dep/net.h"

#include <string.h>

#include "nn/int8.h"
#include "nn/vmath.h"

typedef struct encoder {
	const hp_dep_net *net;
	hp_pool *pool;
	const float *rows; /* all sentences' x; what is found for them: */
	float *states, *init;
	hp_packed p;
	int in; /* width of the layer's input */
	float *x, *out; /* [rows × in], [rows × 2H] */
	float *gates; /* [rows × 4H] of one direction */
	float *step; /* [count × 4H] */
	float *h, *c, *c_next, *tanh_c; /* [count × H] */
	float *final; /* [count × 2H] last cells, both directions */
	const float *b;
	int direction, t; /* position that is being computed */
} encoder;

enum { ROWS = 8 }; /* of one task */

static void cell_task(void *arg, int task)
{
	const encoder *e = arg;
	size_t H = (size_t)e->net->c.hidden;
	for (int s = task * ROWS; s < (task + 1) * ROWS && s < e->p.active[e->t]; s++) {
		size_t row = (size_t)e->p.offset[e->t] + (size_t)s, at = (size_t)s * H;
		float *a = e->step + 4 * at;
		hp_vec_add(4 * H, e->gates + row * 4 * H, a);
		hp_vec_add(4 * H, e->b, a);
		hp_lstm_cell((int)H, (int)H, a, e->c + at, e->c_next + at, e->tanh_c + at, e->h + at);
		memcpy(e->c + at, e->c_next + at, H * sizeof(float));
		memcpy(e->out + row * 2 * H + (size_t)e->direction * H, e->h + at, H * sizeof(float));
	}
}

static void run_direction(encoder *e, int layer, int direction)
{
	const hp_param *w_ih = e->net->encoder[layer][direction].w_ih, *w_hh = e->net->encoder[layer][direction].w_hh;
	int H = e->net->c.hidden, steps = e->p.steps;
	size_t cells = (size_t)e->p.count * (size_t)H;
	e->direction = direction;
	e->b = e->net->encoder[layer][direction].b->value;
	memset(e->h, 0, cells * sizeof(float));
	memset(e->c, 0, cells * sizeof(float));
	hp_param_product(e->pool, e->p.offset[steps], e->x, e->in, w_ih, e->gates, 4 * H);
	for (int i = 0; i < steps; i++) {
		e->t = direction ? steps - 1 - i : i;
		int m = e->p.active[e->t];
		hp_param_product(e->pool, m, e->h, H, w_hh, e->step, 4 * H);
		hp_pool_run(e->pool, (m + ROWS - 1) / ROWS, cell_task, e);
	}
	for (int s = 0; s < e->p.count; s++)
		memcpy(e->final + ((size_t)2 * (size_t)s + (size_t)direction) * (size_t)H, e->c + (size_t)s * (size_t)H,
		       (size_t)H * sizeof(float));
}

static int alloc(encoder *e, hp_arena *arena)
{
	size_t rows = (size_t)e->p.offset[e->p.steps], count = (size_t)e->p.count;
	size_t H = (size_t)e->net->c.hidden, D = (size_t)hp_dep_input_dim(&e->net->c), widest = D > 2 * H ? D : 2 * H;
	e->x = HP_NEW(arena, float, rows * widest);
	e->out = HP_NEW(arena, float, rows * widest);
	e->gates = HP_NEW(arena, float, rows * 4 * H);
	e->step = HP_NEW(arena, float, count * 4 * H);
	e->h = HP_NEW(arena, float, count * H);
	e->c = HP_NEW(arena, float, count * H);
	e->c_next = HP_NEW(arena, float, count * H);
	e->tanh_c = HP_NEW(arena, float, count * H);
	e->final = HP_NEW(arena, float, count * 2 * H);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* c_0 = bridge · final cells, h_0 = tanh(c_0) */
static void start_states(const encoder *e, const int *order, float *cells, float *init)
{
	size_t Q = (size_t)e->net->c.decoder_hidden;
	int H2 = 2 * e->net->c.hidden;
	hp_param_product(e->pool, e->p.count, e->final, H2, e->net->bridge.w, cells, (int)Q);
	for (int s = 0; s < e->p.count; s++) {
		float *h = init + (size_t)order[s] * 2 * Q, *c = h + Q;
		memcpy(c, cells + (size_t)s * Q, Q * sizeof(float));
		hp_vec_add(Q, e->net->bridge.b->value, c);
		memcpy(h, c, Q * sizeof(float));
		hp_vec_tanh(Q, h);
	}
}

static int encode_group(void *arg, hp_arena *arena, int count, const int *order, const int *lengths, const size_t *at)
{
	encoder *e = arg;
	const hp_dep_config *c = &e->net->c;
	float *cells = HP_NEW(arena, float, (size_t)count * (size_t)c->decoder_hidden);
	e->p = hp_pack(arena, count, lengths);
	if (hp_arena_failed(arena) || alloc(e, arena))
		return HP_FAIL;
	e->in = hp_dep_input_dim(c);
	hp_pack_rows(&e->p, order, at, (size_t)e->in, e->rows, e->x);
	for (int l = 0; l < c->layers; l++) {
		run_direction(e, l, 0);
		run_direction(e, l, 1);
		float *used = e->x;
		e->x = e->out;
		e->out = used;
		e->in = 2 * c->hidden;
	}
	hp_unpack_rows(&e->p, order, at, (size_t)e->in, e->x, e->states);
	start_states(e, order, cells, e->init);
	return 0;
}

int hp_dep_encode(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *x,
                  float *h, float *init, hp_error *err)
{
	encoder e = {.net = net, .pool = pool, .rows = x, .states = h, .init = init};
	return hp_each_group(scratch, count, n, encode_group, &e) ? hp_fail_memory(err) : 0;
}
