/* encode.c: x -> h and the decoder's start state, by layers of bidirectional cells: in training, forward and backward, and
 * in parsing.
 *
 * dep: a unit is both directions' states of a position, side by side; the start state comes from the last layer's final
 * cells: c_0 = bridge · [forward; backward], h_0 = tanh(c_0).  rst: a unit is the sum of both directions' states of its
 * last word; the start state is, layer by layer, the sum of both final states. */
#include <string.h>

#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/train.h"

/* A row of both directions' states [2H] to a unit [W]. */
static void to_unit(const hp_net *net, const float *both, float *unit)
{
	size_t H = net->s.H;
	memcpy(unit, both, net->s.W * sizeof(float));
	if (net->s.W == H)
		hp_vec_add(H, both + H, unit);
}

/* ---- training ---- */

static hp_birnn layer_of(const hp_trace *t, int layer)
{
	const hp_masks *m = &t->batch.mask;
	return (hp_birnn){&t->batch.packed,
	                  {t->net->encoder[layer][0], t->net->encoder[layer][1]},
	                  {m->state[layer][0], m->state[layer][1]}};
}

static hp_mask input_mask(const hp_trace *t, int layer)
{
	const hp_masks *m = &t->batch.mask;
	return (hp_mask){m->in[layer], m->by_sentence ? t->batch.packed_owner : NULL};
}

/* One layer's final states to the start states. */
static int start_states(hp_trace *t, int layer, float *const final[2])
{
	const hp_net *net = t->net;
	size_t H = net->s.H, Q = net->s.Q, count = (size_t)t->batch.count;
	if (!net->bridge.w) {
		for (size_t s = 0; s < count; s++) {
			float *to = hp_row(t->decode.state, (int)s) + (size_t)layer * Q;
			memcpy(to, final[0] + s * H, H * sizeof(float));
			hp_vec_add(H, final[1] + s * H, to);
		}
		return 0;
	}
	if (layer < net->c.layers - 1)
		return 0;
	hp_matrix cell = hp_matrix_new(t->arena, (int)count, (int)Q);
	t->encode.bridge_in = hp_matrix_new(t->arena, (int)count, (int)(2 * H));
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (size_t s = 0; s < count; s++)
		for (size_t d = 0; d < 2; d++)
			memcpy(hp_row(t->encode.bridge_in, (int)s) + d * H, final[d] + s * H, H * sizeof(float));
	hp_linear_forward(t->pool, t->encode.bridge_in, net->bridge, cell);
	for (size_t s = 0; s < count; s++) {
		float *h = hp_row(t->decode.state, (int)s), *c = h + Q;
		memcpy(c, hp_row(cell, (int)s), Q * sizeof(float));
		memcpy(h, c, Q * sizeof(float));
		hp_vec_tanh(Q, h);
	}
	return 0;
}

static void make_units(hp_trace *t)
{
	size_t W = t->net->s.W;
	const float *mask = t->batch.mask.unit;
	for (int i = 0; i < t->batch.levels.rows; i++) {
		float *unit = hp_row(t->encode.unit, i);
		to_unit(t->net, hp_row(t->encode.out, t->batch.unit_row[i]), unit);
		if (mask)
			hp_vec_mul(W, mask + (size_t)t->batch.levels.unit_owner[i] * W, unit);
	}
}

int hp_encode_forward(hp_trace *t)
{
	const hp_net *net = t->net;
	hp_encode_trace *e = &t->encode;
	int rows = t->batch.rows, count = t->batch.count;
	size_t layers = (size_t)net->c.layers, states = (size_t)count * net->s.H;
	e->in = HP_NEW(t->arena, hp_matrix, layers);
	e->layer = HP_NEW(t->arena, hp_birnn_trace, layers);
	e->unit = hp_matrix_new(t->arena, t->batch.levels.rows, (int)net->s.W);
	t->decode.state = hp_matrix_new(t->arena, count + t->batch.levels.total, (int)(net->s.P * net->s.Q));
	float *final[2] = {HP_NEW(t->arena, float, states), HP_NEW(t->arena, float, states)};
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_matrix x = t->embed.x;
	for (int l = 0; l < net->c.layers; l++) {
		hp_birnn layer = layer_of(t, l);
		hp_mask mask = input_mask(t, l);
		e->in[l] = mask.value ? hp_matrix_new(t->arena, rows, x.cols) : x;
		hp_matrix out = hp_matrix_new(t->arena, rows, 2 * net->c.hidden);
		if (hp_arena_failed(t->arena))
			return HP_FAIL;
		hp_mask_rows(t->pool, x, mask, e->in[l]);
		if (hp_birnn_forward(t->pool, t->arena, &layer, e->in[l], out, &e->layer[l], final) ||
		    start_states(t, l, final))
			return HP_FAIL;
		x = out;
	}
	e->out = x;
	make_units(t);
	return 0;
}

/* dstate's start states -> gradient of a layer's final states, carry[d] [count × H]. */
static int start_backward(hp_trace *t, int layer, hp_matrix dstate, float *const carry[2])
{
	const hp_net *net = t->net;
	size_t H = net->s.H, Q = net->s.Q, count = (size_t)t->batch.count;
	if (!net->bridge.w || layer < net->c.layers - 1) {
		for (size_t s = 0; s < count; s++)
			for (int d = 0; d < 2; d++)
				if (net->bridge.w)
					memset(carry[d] + s * H, 0, H * sizeof(float));
				else
					memcpy(carry[d] + s * H, hp_row(dstate, (int)s) + (size_t)layer * Q, H * sizeof(float));
		return 0;
	}
	hp_matrix dcell = hp_matrix_new(t->arena, (int)count, (int)Q);
	hp_matrix din = hp_matrix_new(t->arena, (int)count, (int)(2 * H));
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (size_t s = 0; s < count; s++) {
		const float *h = hp_row(t->decode.state, (int)s), *dh = hp_row(dstate, (int)s), *dc = dh + Q;
		float *d = hp_row(dcell, (int)s);
		for (size_t u = 0; u < Q; u++)
			d[u] = dc[u] + dh[u] * (1.0f - h[u] * h[u]);
	}
	hp_linear_backward(t->pool, t->encode.bridge_in, net->bridge, dcell, din, false);
	for (size_t s = 0; s < count; s++)
		for (size_t d = 0; d < 2; d++)
			memcpy(carry[d] + s * H, hp_row(din, (int)s) + d * H, H * sizeof(float));
	return 0;
}

/* The last layer's gradient, packed rows [rows × 2H], from that of the units. */
static void units_backward(hp_trace *t, hp_matrix du, hp_matrix dout)
{
	size_t H = t->net->s.H, W = t->net->s.W;
	hp_mask_rows(t->pool, du, (hp_mask){t->batch.mask.unit, t->batch.levels.unit_owner}, du);
	memset(dout.data, 0, (size_t)dout.rows * 2 * H * sizeof(float));
	for (int i = 0; i < du.rows; i++) {
		float *row = hp_row(dout, t->batch.unit_row[i]);
		memcpy(row, hp_row(du, i), W * sizeof(float));
		if (W == H)
			memcpy(row + H, row, H * sizeof(float));
	}
}

int hp_encode_backward(hp_trace *t, hp_matrix du, hp_matrix dstate, hp_matrix dx)
{
	const hp_net *net = t->net;
	int rows = t->batch.rows, wide = 2 * net->c.hidden;
	size_t states = (size_t)t->batch.count * net->s.H;
	float *carry[2] = {HP_NEW(t->arena, float, states), HP_NEW(t->arena, float, states)};
	hp_matrix dout = hp_matrix_new(t->arena, rows, wide), din = hp_matrix_new(t->arena, rows, wide);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	units_backward(t, du, dout);
	for (int l = net->c.layers - 1; l >= 0; l--) {
		hp_birnn layer = layer_of(t, l);
		hp_matrix d = l ? din : dx;
		if (start_backward(t, l, dstate, carry) ||
		    hp_birnn_backward(t->pool, t->arena, &layer, t->encode.in[l], &t->encode.layer[l], dout, carry, d))
			return HP_FAIL;
		if (d.data)
			hp_mask_rows(t->pool, d, input_mask(t, l), d);
		din = dout;
		dout = d;
	}
	return 0;
}

/* ---- parsing ----  The batch is packed; all products are row by row the same for any batch (hp_param_product). */

typedef struct encoder {
	const hp_net *net;
	hp_pool *pool;
	hp_arena *arena; /* of the group */
	const float *rows; /* all sentences' x; what is found for them: */
	float *units, *init;
	hp_packed p;
	float *x, *out; /* [rows × layer's input], [rows × 2H] */
	hp_matrix input; /* [. × GATES·H] of some positions and one direction */
	hp_matrix state; /* [count × PARTS·H] */
	float *final; /* [count × 2H] last cells, both directions */
} encoder;

/* Its last states go to the start states of the sentences that ORDER names, or to final. */
static int run_direction(encoder *e, int layer, int direction, const int *order)
{
	const hp_net *net = e->net;
	const hp_cell *cell = &net->encoder[layer][direction];
	int H = net->c.hidden, rows = e->p.offset[e->p.steps];
	hp_matrix out = hp_some_columns(hp_matrix_of(e->out, rows, 2 * H), direction * H, H);
	hp_birnn_direction d = {&e->p, cell, direction, hp_matrix_of(e->x, rows, cell->in), e->input, out, e->state};
	if (hp_birnn_run(e->pool, e->arena, &d))
		return HP_FAIL;
	for (size_t s = 0; s < (size_t)e->p.count; s++) {
		const float *last = hp_row(e->state, (int)s) + e->state.cols - H;
		if (net->bridge.w)
			memcpy(e->final + (2 * s + (size_t)direction) * net->s.H, last, net->s.H * sizeof(float));
		else
			hp_vec_add(net->s.H, last, e->init + ((size_t)order[s] * net->s.P + (size_t)layer) * net->s.Q);
	}
	return 0;
}

enum { AT_ONCE = 256 }; /* rows whose products with W_ih are made: few enough for the second-level cache */

static int alloc(encoder *e)
{
	int rows = e->p.offset[e->p.steps], H = e->net->c.hidden;
	size_t D = e->net->s.D, widest = D > 2 * (size_t)H ? D : 2 * (size_t)H;
	hp_cell_kind kind = e->net->encoder[0][0].kind;
	e->x = HP_NEW(e->arena, float, (size_t)rows * widest);
	e->out = HP_NEW(e->arena, float, (size_t)rows * widest);
	int most = e->p.count > AT_ONCE ? e->p.count : AT_ONCE;
	e->input = hp_matrix_new(e->arena, rows < most ? rows : most, hp_cell_gates(kind) * H);
	e->state = hp_matrix_new(e->arena, e->p.count, hp_cell_parts(kind) * H);
	e->final = e->net->bridge.w ? HP_NEW(e->arena, float, (size_t)e->p.count * 2 * (size_t)H) : NULL;
	return hp_arena_failed(e->arena) ? HP_FAIL : 0;
}

/* CELLS: room for [count × Q]. */
static void bridge(const encoder *e, const int *order, float *cells)
{
	size_t Q = e->net->s.Q;
	hp_param_product(e->pool, hp_matrix_of(e->final, e->p.count, 2 * e->net->c.hidden), e->net->bridge.w,
	                 hp_matrix_of(cells, e->p.count, (int)Q));
	for (int s = 0; s < e->p.count; s++) {
		float *h = e->init + (size_t)order[s] * 2 * Q, *c = h + Q;
		memcpy(c, cells + (size_t)s * Q, Q * sizeof(float));
		hp_vec_add(Q, e->net->bridge.b->value, c);
		memcpy(h, c, Q * sizeof(float));
		hp_vec_tanh(Q, h);
	}
}

static int encode_group(void *arg, hp_arena *arena, int count, const int *order, const int *lengths, const size_t *at)
{
	encoder *e = arg;
	const hp_net *net = e->net;
	float *cells = net->bridge.w ? HP_NEW(arena, float, (size_t)count * net->s.Q) : NULL;
	e->p = hp_pack(arena, count, lengths);
	e->arena = arena;
	if (hp_arena_failed(arena) || alloc(e))
		return HP_FAIL;
	hp_pack_rows(&e->p, order, at, net->s.D, e->rows, e->x);
	for (int l = 0; l < net->c.layers; l++) {
		if (run_direction(e, l, 0, order) || run_direction(e, l, 1, order))
			return HP_FAIL;
		float *used = e->x;
		e->x = e->out;
		e->out = used;
	}
	const float *units = net->s.W == 2 * net->s.H ? e->x : e->out;
	for (size_t row = 0; units == e->out && row < (size_t)e->p.offset[e->p.steps]; row++)
		to_unit(net, e->x + row * 2 * net->s.H, e->out + row * net->s.W);
	hp_unpack_rows(&e->p, order, at, net->s.W, units, e->units);
	if (cells)
		bridge(e, order, cells);
	return 0;
}

int hp_encode(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *x, float *h, float *init,
              hp_error *err)
{
	encoder e = {.net = how->net, .pool = how->pool, .rows = x, .units = h, .init = init};
	hp_arena_mark mark = hp_arena_save(scratch);
	int *rows = HP_NEW(scratch, int, (size_t)in->count);
	if (!rows)
		return hp_fail_memory(err);
	for (int s = 0; s < in->count; s++)
		rows[s] = in->sample[s].rows;
	memset(init, 0, (size_t)in->count * how->net->s.P * how->net->s.Q * sizeof(float));
	if (hp_each_group(scratch, in->count, rows, encode_group, &e))
		return hp_fail_memory(err);
	hp_arena_restore(scratch, mark);
	return 0;
}
