/* birnn.c: the directions of a recurrent layer walk over the positions, one after the other: so a walk finds its matrix W_hh
 * in the cache at each step. */
#include "nn/birnn.h"

#include <stddef.h>
#include <string.h>

#include "nn/int8.h"
#include "nn/vmath.h"

static int rows_of(const hp_birnn *layer)
{
	return layer->p->offset[layer->p->steps];
}

static int alloc(hp_birnn_trace *t, hp_arena *arena, const hp_birnn *layer)
{
	int rows = rows_of(layer), hidden = layer->cell[0].hidden;
	for (int d = 0; d < 2; d++) {
		t->gates[d] = hp_matrix_new(arena, rows, 4 * hidden);
		t->before[d] = hp_matrix_new(arena, rows, hidden);
		if (layer->cell[d].kind != HP_LSTM)
			continue;
		t->cells[d] = hp_matrix_new(arena, rows, hidden);
		t->tanh_cells[d] = hp_matrix_new(arena, rows, hidden);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

typedef struct walk {
	const hp_birnn *layer;
	hp_birnn_trace *t;
	hp_matrix out; /* [R × 2H], or its gradient */
	float *const *carry, *const *final; /* [2] [count × H] */
	float *dh[2]; /* [count × H] */
	int d, step; /* direction, and step of its walk */
} walk;

/* A block of units of a direction at the walk's position. */
typedef struct block {
	int d, unit, units;
	int at; /* first row; those of the positions before and behind */
	int before, behind;
	int rows, known, follow; /* sentences here; those that have the position before, and behind */
} block;

static block block_of(const walk *w, int task)
{
	const hp_packed *p = w->layer->p;
	int hidden = w->layer->cell[0].hidden;
	block b = {.d = w->d, .unit = hp_unit_block(task, hidden)};
	int t = hp_walk_at(p, b.d, w->step), prev = hp_walk_next(p, b.d, t, -1), next = hp_walk_next(p, b.d, t, 1);
	b.units = hp_unit_block(task + 1, hidden) - b.unit;
	b.at = p->offset[t];
	b.before = prev < 0 ? 0 : p->offset[prev];
	b.behind = next < 0 ? 0 : p->offset[next];
	b.rows = p->active[t];
	b.known = hp_packed_both(p, t, prev);
	b.follow = hp_packed_both(p, t, next);
	return b;
}

/* Both directions' outputs stand side by side in a row. */
static float *out_of(const walk *w, const block *b, int row)
{
	return hp_row(w->out, b->at + row) + b->d * w->layer->cell[b->d].hidden + b->unit;
}

/* A row of the block in MATRIX [. × H], or in what one sentence has one row of [count × H]. */
static float *unit_of(const block *b, hp_matrix m, int row)
{
	return hp_row(m, row) + b->unit;
}

static hp_matrix by_sentence(const walk *w, const float *x)
{
	return hp_matrix_of(x, w->layer->p->count, w->layer->cell[0].hidden);
}

static void forward_row(const walk *w, const block *b, int row)
{
	hp_birnn_trace *t = w->t;
	int d = b->d, hidden = w->layer->cell[d].hidden, here = b->at + row;
	size_t units = (size_t)b->units;
	float *h = out_of(w, b, row), *a = unit_of(b, t->gates[d], here), *last = h;
	bool known = row < b->known;
	if (w->layer->cell[d].kind == HP_LSTM) {
		const float *old = known ? unit_of(b, t->cells[d], b->before + row) : NULL;
		last = unit_of(b, t->cells[d], here);
		hp_lstm_forward(b->units, hidden, a, old, last, unit_of(b, t->tanh_cells[d], here), h);
	} else {
		hp_gru_forward(b->units, hidden, a, known ? unit_of(b, t->before[d], here) : NULL, h);
	}
	if (row < b->follow) {
		float *before = unit_of(b, t->before[d], b->behind + row);
		memcpy(before, h, units * sizeof(float));
		if (w->layer->mask[d])
			hp_vec_mul(units, unit_of(b, by_sentence(w, w->layer->mask[d]), row), before);
	} else if (w->final) {
		memcpy(unit_of(b, by_sentence(w, w->final[d]), row), last, units * sizeof(float));
	}
}

static void forward_task(void *arg, int task)
{
	const walk *w = arg;
	block b = block_of(w, task);
	hp_product jobs[HP_CELL_JOBS];
	if (!b.units)
		return;
	int count = hp_cell_recurrent(&w->layer->cell[b.d], b.unit, b.units, hp_some_rows(w->t->before[b.d], b.at, b.known),
	                              hp_some_rows(w->t->gates[b.d], b.at, b.known), jobs);
	for (int i = 0; i < count; i++)
		hp_gemm_serial(&jobs[i]);
	for (int row = 0; row < b.rows; row++)
		forward_row(w, &b, row);
}

/* Rows without a predecessor: their old state is zero (it takes part in the weights' gradient). */
static void clear_first(const hp_birnn *layer, hp_birnn_trace *t, int d)
{
	const hp_packed *p = layer->p;
	size_t H = (size_t)layer->cell[d].hidden;
	for (int i = 0; i < p->steps; i++) {
		int known = hp_packed_both(p, i, hp_walk_next(p, d, i, -1));
		memset(hp_row(t->before[d], p->offset[i] + known), 0, (size_t)(p->active[i] - known) * H * sizeof(float));
	}
}

int hp_birnn_forward(hp_pool *pool, hp_arena *arena, const hp_birnn *layer, hp_matrix x, hp_matrix out,
                     hp_birnn_trace *t, float *const final[2])
{
	walk w = {.layer = layer, .t = t, .out = out, .final = final};
	if (alloc(t, arena, layer))
		return HP_FAIL;
	for (int d = 0; d < 2; d++) {
		w.d = d;
		hp_cell_biases(pool, &layer->cell[d], t->gates[d]);
		hp_cell_input(pool, &layer->cell[d], x, t->gates[d]);
		clear_first(layer, t, d);
		for (w.step = 0; w.step < layer->p->steps; w.step++)
			hp_pool_run(pool, HP_UNIT_BLOCKS, forward_task, &w);
	}
	return 0;
}

static void backward_row(const walk *w, const block *b, int row)
{
	const hp_birnn_trace *t = w->t;
	int d = b->d, hidden = w->layer->cell[d].hidden, here = b->at + row;
	bool lstm = w->layer->cell[d].kind == HP_LSTM, known = row < b->known;
	size_t n = (size_t)b->units;
	float *dh = unit_of(b, by_sentence(w, w->dh[d]), row), *carry = unit_of(b, by_sentence(w, w->carry[d]), row);
	float *a = unit_of(b, t->gates[d], here);
	if (row < b->follow) {
		if (w->layer->mask[d])
			hp_vec_mul(n, unit_of(b, by_sentence(w, w->layer->mask[d]), row), dh);
	} else if (lstm) {
		memset(dh, 0, n * sizeof(float));
	} else {
		memcpy(dh, carry, n * sizeof(float));
	}
	hp_vec_add(n, out_of(w, b, row), dh);
	if (lstm) {
		const float *old = known ? unit_of(b, t->cells[d], b->before + row) : NULL;
		hp_lstm_backward(b->units, hidden, a, old, unit_of(b, t->tanh_cells[d], here), dh, carry);
	} else {
		hp_gru_backward(b->units, hidden, a, known ? unit_of(b, t->before[d], here) : NULL, dh);
	}
}

static void backward_task(void *arg, int task)
{
	const walk *w = arg;
	block b = block_of(w, task);
	hp_product jobs[2];
	if (!b.units)
		return;
	int count = hp_cell_recurrent_backward(&w->layer->cell[b.d], b.unit, b.units,
	                                       hp_some_rows(w->t->gates[b.d], b.behind, b.follow),
	                                       hp_some_rows(by_sentence(w, w->dh[b.d]), 0, b.follow), jobs);
	for (int i = 0; i < count && b.follow; i++)
		hp_gemm_serial(&jobs[i]);
	for (int row = 0; row < b.rows; row++)
		backward_row(w, &b, row);
}

int hp_birnn_backward(hp_pool *pool, hp_arena *scratch, const hp_birnn *layer, hp_matrix x, hp_birnn_trace *t,
                      hp_matrix dout, float *const carry[2], hp_matrix dx)
{
	walk w = {.layer = layer, .t = t, .out = dout, .carry = carry};
	hp_arena_mark mark = hp_arena_save(scratch);
	for (int d = 0; d < 2; d++)
		w.dh[d] = HP_NEW(scratch, float, (size_t)layer->p->count * (size_t)layer->cell[d].hidden);
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	for (int d = 0; d < 2; d++) {
		w.d = d;
		for (w.step = layer->p->steps - 1; w.step >= 0; w.step--)
			hp_pool_run(pool, HP_UNIT_BLOCKS, backward_task, &w);
		if (hp_cell_weights_backward(pool, scratch, &layer->cell[d], x, t->before[d], t->gates[d], dx, d == 1))
			return HP_FAIL;
	}
	hp_arena_restore(scratch, mark);
	return 0;
}

/* ---- parsing ---- */

typedef struct run {
	const hp_birnn_direction *d;
	hp_matrix recurrent; /* [count × GATES·H] */
	int t; /* position */
	int from, end; /* rows whose products with W_ih are there, from the first of input on */
} run;

enum { ROWS = 8 }; /* of one task */

static void run_task(void *arg, int task)
{
	const run *r = arg;
	const hp_birnn_direction *d = r->d;
	for (int s = task * ROWS; s < (task + 1) * ROWS && s < d->p->active[r->t]; s++) {
		int row = d->p->offset[r->t] + s;
		hp_cell_row(d->cell, hp_row(d->input, row - r->from), hp_row(r->recurrent, s), hp_row(d->state, s),
		            hp_row(d->out, row));
	}
}

/* The products of position I of the walk, and of as many behind it as there is room for: while they are in the cache. */
static void make_input(hp_pool *pool, run *r, int i)
{
	const hp_birnn_direction *d = r->d;
	const hp_packed *p = d->p;
	int t = hp_walk_at(p, d->direction, i);
	if (!d->x.data || (p->offset[t] >= r->from && p->offset[t + 1] <= r->end))
		return;
	r->from = p->offset[t];
	r->end = p->offset[t + 1];
	for (; i < p->steps; i++) {
		t = hp_walk_at(p, d->direction, i);
		int from = p->offset[t] < r->from ? p->offset[t] : r->from;
		int end = p->offset[t + 1] > r->end ? p->offset[t + 1] : r->end;
		if (end - from > d->input.rows)
			break;
		r->from = from;
		r->end = end;
	}
	int rows = r->end - r->from;
	hp_param_product(pool, hp_some_rows(d->x, r->from, rows), d->cell->w_ih, hp_some_rows(d->input, 0, rows));
}

int hp_birnn_run(hp_pool *pool, hp_arena *scratch, const hp_birnn_direction *d)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int count = d->p->count, H = d->cell->hidden;
	run r = {.d = d};
	r.recurrent = hp_matrix_new(scratch, count, d->input.cols);
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	for (int s = 0; s < count; s++)
		memset(hp_row(d->state, s), 0, (size_t)d->state.cols * sizeof(float));
	for (int i = 0; i < d->p->steps; i++) {
		r.t = hp_walk_at(d->p, d->direction, i);
		make_input(pool, &r, i);
		int m = d->p->active[r.t];
		hp_matrix state = hp_some_columns(hp_some_rows(d->state, 0, m), 0, H);
		hp_param_product(pool, state, d->cell->w_hh, hp_some_rows(r.recurrent, 0, m));
		hp_pool_run(pool, (m + ROWS - 1) / ROWS, run_task, &r);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
