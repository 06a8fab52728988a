/* encode.c: x -> h and the decoder's start state, by layers of bidirectional cells: in training, forward and backward, and
 * in parsing.
 *
 * dep: a unit is both directions' states of a position, side by side; the start state comes from the last layer's final
 * cells: c_0 = bridge · [forward; backward], h_0 = tanh(c_0).  rst: a unit is the sum of both directions' states of its
 * last word; the start state is, layer by layer, the sum of both final states.
 *
 * With document layers the others read each sentence of a document by itself (pieces.h).  What these give for the last and
 * the first word of each unit, side by side, and whether a sentence and a paragraph end with it, is what the document layers
 * read, from the document's first unit to its last.
 * The sum of both directions' states is added to the unit.  The start state comes from the document layers then, that of
 * decoder layers beyond them from the last one. */
#include <string.h>

#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/members.h"
#include "pointer/pieces.h"
#include "pointer/train.h"

/* A row of both directions' states [2H] to a unit [W]. */
static void to_unit(const hp_net *net, const float *both, float *unit)
{
	size_t H = net->s.H;
	memcpy(unit, both, net->s.W * sizeof(float));
	if (net->s.W == H)
		hp_vec_add(H, both + H, unit);
}

/* What ends with unit K of sentence *SENT; moves on *SENT. */
static void put_ends(const hp_sample *s, int k, int *sent, float *to)
{
	bool last = k == s->units - 1, ends = *sent < s->sents && s->sent_end[*sent] == k;
	*sent += ends;
	to[0] = ends || last;
	to[1] = last || (s->paragraph && s->paragraph[k] > 0);
}

/* The decoder's layers, from LAYER up to this, whose start states are of layer LAYER of COUNT: none of those that the decoder
 * does not have. */
static int end_of_starts(const hp_net *net, int layer, int count)
{
	int layers = (int)net->s.L;
	return layer < count - 1 && layer < layers ? layer + 1 : layers;
}

/* ---- training ---- */

/* Layers over packed rows. */
typedef struct layers {
	const hp_net *net;
	hp_layers_trace *trace;
	const hp_packed *packed;
	hp_cell (*cell)[2];
	int count;
	float **mask; /* [count] of inputs, or NULLs */
	const int *owner; /* rows of the masks, or NULL */
	float *(*state_mask)[2]; /* [count][2] or NULL */
	bool start; /* the decoder starts from their final states, */
	const int *sentence; /* of these sentences, in the order of packing; NULL: in that of the batch */
} layers;

static layers word_layers(hp_trace *t)
{
	const hp_masks *m = &t->batch.mask;
	return (layers){.net = t->net,
	                .trace = &t->encode.words,
	                .packed = &t->batch.packed,
	                .cell = t->net->encoder,
	                .count = t->net->c.layers,
	                .mask = m->in,
	                .owner = m->by_sentence ? t->batch.packed_owner : NULL,
	                .state_mask = m->state,
	                .start = !t->net->c.document_layers};
}

static layers document_layers(hp_trace *t)
{
	return (layers){.net = t->net,
	                .trace = &t->encode.document,
	                .packed = &t->batch.document,
	                .cell = t->net->document,
	                .count = t->net->c.document_layers,
	                .mask = t->batch.mask.document,
	                .start = true,
	                .sentence = t->batch.document_sentence};
}

static hp_birnn layer_of(const layers *a, int l)
{
	hp_birnn layer = {a->packed, {a->cell[l][0], a->cell[l][1]}, {NULL, NULL}};
	for (int d = 0; a->state_mask && d < 2; d++)
		layer.mask[d] = a->state_mask[l][d];
	return layer;
}

static hp_mask input_mask(const layers *a, int l)
{
	return (hp_mask){a->mask[l], a->owner};
}

static int sentence_of(const layers *a, int packed)
{
	return a->sentence ? a->sentence[packed] : packed;
}

/* FINAL [2][count × H], the last layer's of a dependency network, to the start states. */
static int bridge_forward(hp_trace *t, float *const final[2])
{
	const hp_net *net = t->net;
	size_t H = net->s.H, Q = net->s.Q, count = (size_t)t->batch.count;
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

/* Layer L's final states to the start states. */
static int start_states(hp_trace *t, const layers *a, int l, float *const final[2])
{
	size_t H = a->net->s.H, Q = a->net->s.Q;
	if (!a->start)
		return 0;
	if (a->net->bridge.w)
		return l < a->count - 1 ? 0 : bridge_forward(t, final);
	for (int s = 0; s < a->packed->count; s++)
		for (int k = l; k < end_of_starts(a->net, l, a->count); k++) {
			float *to = hp_row(t->decode.state, sentence_of(a, s)) + (size_t)k * Q;
			memcpy(to, final[0] + (size_t)s * H, H * sizeof(float));
			hp_vec_add(H, final[1] + (size_t)s * H, to);
		}
	return 0;
}

/* X [rows × layer's input], packed rows -> a->trace. */
static int layers_forward(hp_trace *t, const layers *a, hp_matrix x)
{
	size_t count = (size_t)a->count, states = (size_t)a->packed->count * a->net->s.H;
	hp_layers_trace *e = a->trace;
	e->in = HP_NEW(t->arena, hp_matrix, count);
	e->layer = HP_NEW(t->arena, hp_birnn_trace, count);
	float *final[2] = {HP_NEW(t->arena, float, states), HP_NEW(t->arena, float, states)};
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int l = 0; l < a->count; l++) {
		hp_birnn layer = layer_of(a, l);
		hp_mask mask = input_mask(a, l);
		e->in[l] = mask.value ? hp_matrix_new(t->arena, x.rows, x.cols) : x;
		hp_matrix out = hp_matrix_new(t->arena, x.rows, 2 * a->net->c.hidden);
		if (hp_arena_failed(t->arena))
			return HP_FAIL;
		hp_mask_rows(t->pool, x, mask, e->in[l]);
		if (hp_birnn_forward(t->pool, t->arena, &layer, e->in[l], out, &e->layer[l], final) ||
		    start_states(t, a, l, final))
			return HP_FAIL;
		x = out;
	}
	e->out = x;
	return 0;
}

enum { ROWS = 16 }; /* of one task */

static void units_task(void *arg, int task)
{
	const hp_trace *t = arg;
	size_t W = t->net->s.W;
	const float *mask = t->batch.mask.unit;
	for (int i = task * ROWS; i < (task + 1) * ROWS && i < t->batch.levels.rows; i++) {
		float *unit = hp_row(t->encode.unit, i);
		to_unit(t->net, hp_row(t->encode.words.out, t->batch.unit_row[i]), unit);
		if (mask)
			hp_vec_mul(W, mask + (size_t)t->batch.levels.unit_owner[i] * W, unit);
	}
}

static int documents_forward(hp_trace *t)
{
	size_t H = t->net->s.H;
	hp_matrix unit = t->encode.unit, x = hp_matrix_new(t->arena, unit.rows, (int)t->net->s.E);
	layers a = document_layers(t);
	if (!x.data)
		return HP_FAIL;
	for (int s = 0, i = 0; s < t->batch.count; s++)
		for (int k = 0, sent = 0; k < t->batch.sample[s]->units; k++, i++) {
			float *to = hp_row(x, t->batch.document_row[i]);
			memcpy(to, hp_row(unit, i), H * sizeof(float));
			to_unit(t->net, hp_row(t->encode.words.out, t->batch.unit_start[i]), to + H);
			put_ends(t->batch.sample[s], k, &sent, to + 2 * H);
		}
	if (layers_forward(t, &a, x))
		return HP_FAIL;
	for (int i = 0; i < unit.rows; i++)
		for (size_t d = 0; d < 2; d++)
			hp_vec_add(H, hp_row(a.trace->out, t->batch.document_row[i]) + d * H, hp_row(unit, i));
	return 0;
}

int hp_encode_forward(hp_trace *t)
{
	const hp_net *net = t->net;
	int units = t->batch.levels.rows, states = t->batch.count + t->batch.levels.total;
	layers words = word_layers(t);
	t->encode.unit = hp_matrix_new(t->arena, units, (int)net->s.W);
	t->decode.state = hp_matrix_new(t->arena, states, (int)(net->s.P * net->s.Q));
	if (hp_arena_failed(t->arena) || layers_forward(t, &words, t->embed.x))
		return HP_FAIL;
	hp_pool_run(t->pool, (units + ROWS - 1) / ROWS, units_task, t);
	return net->c.document_layers ? documents_forward(t) : 0;
}

/* The start states' gradient to that of the last layer's final states, CARRY [2][count × H], of a dependency network. */
static int bridge_backward(hp_trace *t, hp_matrix dstate, float *const carry[2])
{
	const hp_net *net = t->net;
	size_t H = net->s.H, Q = net->s.Q, count = (size_t)t->batch.count;
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

/* dstate's start states -> gradient of layer L's final states, carry[d] [packed count × H]. */
static int start_backward(hp_trace *t, const layers *a, int l, hp_matrix dstate, float *const carry[2])
{
	size_t H = a->net->s.H, Q = a->net->s.Q;
	if (a->start && a->net->bridge.w && l == a->count - 1)
		return bridge_backward(t, dstate, carry);
	for (int d = 0; d < 2; d++)
		memset(carry[d], 0, (size_t)a->packed->count * H * sizeof(float));
	if (!a->start || a->net->bridge.w)
		return 0;
	for (int s = 0; s < a->packed->count; s++)
		for (int d = 0; d < 2; d++)
			for (int k = l; k < end_of_starts(a->net, l, a->count); k++)
				hp_vec_add(H, hp_row(dstate, sentence_of(a, s)) + (size_t)k * Q, carry[d] + (size_t)s * H);
	return 0;
}

/* DOUT [rows × 2H], used up, -> DX (may be none). */
static int layers_backward(hp_trace *t, const layers *a, hp_matrix dout, hp_matrix dstate, hp_matrix dx)
{
	size_t states = (size_t)a->packed->count * a->net->s.H;
	float *carry[2] = {HP_NEW(t->arena, float, states), HP_NEW(t->arena, float, states)};
	hp_matrix din = hp_matrix_new(t->arena, dout.rows, dout.cols);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int l = a->count - 1; l >= 0; l--) {
		hp_birnn layer = layer_of(a, l);
		hp_matrix d = l ? din : dx;
		if (start_backward(t, a, l, dstate, carry) ||
		    hp_birnn_backward(t->pool, t->arena, &layer, a->trace->in[l], &a->trace->layer[l], dout, carry, d))
			return HP_FAIL;
		if (d.data)
			hp_mask_rows(t->pool, d, input_mask(a, l), d);
		din = dout;
		dout = d;
	}
	return 0;
}

/* The last layer's gradient DOUT, packed rows [rows × 2H] that are zero, from that of the units; ROW: theirs. */
static void units_backward(const hp_net *net, hp_matrix du, const int *row, hp_matrix dout)
{
	size_t H = net->s.H, W = net->s.W;
	for (int i = 0; i < du.rows; i++) {
		float *to = hp_row(dout, row[i]);
		memcpy(to, hp_row(du, i), W * sizeof(float));
		if (W == H)
			memcpy(to + H, to, H * sizeof(float));
	}
}

/* Adds to DU, and sets *DX, document rows [rows × E], to what comes by the document layers. */
static int documents_backward(hp_trace *t, hp_matrix du, hp_matrix dstate, hp_matrix *dx)
{
	layers a = document_layers(t);
	hp_matrix dout = hp_matrix_new(t->arena, du.rows, 2 * du.cols);
	*dx = hp_matrix_new(t->arena, du.rows, (int)t->net->s.E);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	units_backward(t->net, du, t->batch.document_row, dout);
	if (layers_backward(t, &a, dout, dstate, *dx))
		return HP_FAIL;
	for (int i = 0; i < du.rows; i++)
		hp_vec_add(t->net->s.H, hp_row(*dx, t->batch.document_row[i]), hp_row(du, i));
	return 0;
}

/* Adds the gradient of the units' first words, the second H of DX, to that of the words, DOUT. */
static void starts_backward(const hp_trace *t, hp_matrix dx, hp_matrix dout)
{
	size_t H = t->net->s.H;
	for (int i = 0; i < dx.rows; i++)
		for (size_t d = 0; d < 2; d++)
			hp_vec_add(H, hp_row(dx, t->batch.document_row[i]) + H, hp_row(dout, t->batch.unit_start[i]) + d * H);
}

int hp_encode_backward(hp_trace *t, hp_matrix du, hp_matrix dstate, hp_matrix dx)
{
	const hp_net *net = t->net;
	layers words = word_layers(t);
	hp_matrix dout = hp_matrix_new(t->arena, t->batch.rows, 2 * net->c.hidden), ddocument;
	if (!dout.data || (net->c.document_layers && documents_backward(t, du, dstate, &ddocument)))
		return HP_FAIL;
	hp_mask_rows(t->pool, du, (hp_mask){t->batch.mask.unit, t->batch.levels.unit_owner}, du);
	memset(dout.data, 0, (size_t)dout.rows * (size_t)dout.cols * sizeof(float));
	units_backward(net, du, t->batch.unit_row, dout);
	if (net->c.document_layers)
		starts_backward(t, ddocument, dout);
	return layers_backward(t, &words, dout, dstate, dx);
}

/* ---- parsing ----  The batch is packed; all products are row by row the same for any batch (hp_param_product). */

typedef struct encoder {
	const hp_net *net;
	hp_pool *pool;
	hp_arena *arena; /* of the group */
	hp_cell (*cell)[2];
	int layers;
	size_t width; /* of what they read */
	const float *rows; /* all sentences' x, or all documents' units; what is found for them: */
	float *units, *init; /* init NULL: not wanted */
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
	const hp_cell *cell = &e->cell[layer][direction];
	int H = net->c.hidden, rows = e->p.offset[e->p.steps];
	hp_matrix out = hp_some_columns(hp_matrix_of(e->out, rows, 2 * H), direction * H, H);
	hp_birnn_direction d = {&e->p, cell, direction, hp_matrix_of(e->x, rows, cell->in), e->input, out, e->state};
	if (hp_birnn_run(e->pool, e->arena, &d))
		return HP_FAIL;
	for (size_t s = 0; s < (size_t)e->p.count; s++) {
		const float *last = hp_row(e->state, (int)s) + e->state.cols - H;
		if (net->bridge.w)
			memcpy(e->final + (2 * s + (size_t)direction) * net->s.H, last, net->s.H * sizeof(float));
		for (int k = layer; !net->bridge.w && e->init && k < end_of_starts(net, layer, e->layers); k++)
			hp_vec_add(net->s.H, last, e->init + ((size_t)order[s] * net->s.P + (size_t)k) * net->s.Q);
	}
	return 0;
}

enum { AT_ONCE = 256 }; /* rows whose products with W_ih are made: few enough for the second-level cache */

static int alloc(encoder *e)
{
	int rows = e->p.offset[e->p.steps], H = e->net->c.hidden;
	size_t widest = e->width > 2 * (size_t)H ? e->width : 2 * (size_t)H;
	hp_cell_kind kind = e->cell[0][0].kind;
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
	hp_pack_rows(&e->p, order, at, e->width, e->rows, e->x);
	for (int l = 0; l < e->layers; l++) {
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

/* H's rows of EDUs become their document's. */
static int encode_documents(encoder e, hp_arena *scratch, const hp_sentences *in, float *h, float *init)
{
	size_t H = e.net->s.H, E = e.net->s.E, units = 0;
	int *lengths = HP_NEW(scratch, int, (size_t)in->count);
	for (int s = 0; s < in->count; s++)
		units += (size_t)in->sample[s].units;
	float *x = HP_NEW(scratch, float, units * E), *out = HP_NEW(scratch, float, units * H);
	float **row = HP_NEW(scratch, float *, units); /* of H */
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	for (int s = 0, unit = 0; s < in->count; h += (size_t)in->sample[s++].rows * H) {
		lengths[s] = in->sample[s].units;
		for (int k = 0, start = 0, sent = 0; k < lengths[s]; start = in->sample[s].ends[k++] + 1, unit++) {
			row[unit] = h + (size_t)in->sample[s].ends[k] * H;
			float *to = x + (size_t)unit * E;
			memcpy(to, row[unit], H * sizeof(float));
			memcpy(to + H, h + (size_t)start * H, H * sizeof(float));
			put_ends(&in->sample[s], k, &sent, to + 2 * H);
		}
	}
	e.cell = e.net->document;
	e.layers = e.net->c.document_layers;
	e.width = E;
	e.rows = x;
	e.units = out;
	e.init = init;
	if (hp_each_group(scratch, in->count, lengths, encode_group, &e))
		return HP_FAIL;
	for (size_t i = 0; i < units; i++)
		hp_vec_add(H, out + i * H, row[i]);
	return 0;
}

/* One member: h [R × W], init [count × P × Q]. */
static int encode_member(const hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const float *x,
                         float *h, float *init)
{
	bool documents = net->c.document_layers;
	encoder e = {.net = net,
	             .pool = pool,
	             .cell = net->encoder,
	             .layers = net->c.layers,
	             .width = net->s.D,
	             .rows = x,
	             .units = h,
	             .init = documents ? NULL : init};
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_pieces p;
	if (hp_pieces_make(&p, scratch, net, in))
		return HP_FAIL;
	memset(init, 0, (size_t)in->count * net->s.P * net->s.Q * sizeof(float));
	if (hp_each_group(scratch, p.count, p.rows, encode_group, &e) ||
	    (documents && encode_documents(e, scratch, in, h, init)))
		return HP_FAIL;
	hp_arena_restore(scratch, mark);
	return 0;
}

/* All members, whose rows are put side by side. */
static int encode_members(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *x, float *h,
                          float *init)
{
	const hp_net *net = how->net;
	hp_arena_mark mark = hp_arena_save(scratch);
	size_t W = net->s.W, Q = net->s.Q, M = net->s.M, rows = 0, states = (size_t)in->count * net->s.P;
	for (int i = 0; i < in->count; i++)
		rows += (size_t)in->sample[i].rows;
	float *its_h = HP_NEW(scratch, float, rows * W), *its_init = HP_NEW(scratch, float, states * Q);
	float *its_x = net->c.own_embeddings ? HP_NEW(scratch, float, rows * net->s.D) : NULL;
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	for (size_t m = 0; m < M; m++) {
		if (its_x)
			hp_member_take(net, m, net->s.D, rows, x, its_x);
		if (encode_member(net->member[m], how->pool, scratch, in, its_x ? its_x : x, its_h, its_init))
			return HP_FAIL;
		hp_member_put(net, m, W, rows, its_h, h);
		hp_member_put(net, m, Q, states, its_init, init);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_encode(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *x, float *h, float *init,
              hp_error *err)
{
	const hp_net *net = how->net;
	int status = net->s.M > 1 ? encode_members(how, scratch, in, x, h, init)
	                          : encode_member(net, how->pool, scratch, in, x, h, init);
	return status ? hp_fail_memory(err) : 0;
}
