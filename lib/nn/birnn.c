/* birnn.c: the directions of a recurrent layer walk over the positions, one after the other: so a walk finds its matrix W_hh
 * in the cache at each step. */
#include "nn/birnn.h"

#include <stddef.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/vmath.h"

enum { ROWS = 2 }; /* of one task */

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

/* A direction's walk, at one position. */
typedef struct walk {
	const hp_birnn *layer;
	const hp_cell *cell;
	hp_birnn_trace *t;
	hp_matrix out; /* [R × 2H], or its gradient */
	hp_matrix w_hh; /* the cell's, as its products read it fastest */
	float *const *carry, *const *final; /* [2] [count × H] */
	hp_matrix dh; /* [count × H] */
	int d; /* direction */
	int at; /* first row; those of the positions before and behind */
	int before, behind;
	int rows, known, follow; /* sentences here; those that have the position before, and behind */
} walk;

static void go_to(walk *w, int step)
{
	const hp_packed *p = w->layer->p;
	int t = hp_walk_at(p, w->d, step), prev = hp_walk_next(p, w->d, t, -1), next = hp_walk_next(p, w->d, t, 1);
	w->at = p->offset[t];
	w->before = prev < 0 ? 0 : p->offset[prev];
	w->behind = next < 0 ? 0 : p->offset[next];
	w->rows = p->active[t];
	w->known = hp_packed_both(p, t, prev);
	w->follow = hp_packed_both(p, t, next);
}

static void run_rows(hp_pool *pool, walk *w, hp_task_fn *task)
{
	hp_pool_run(pool, (w->rows + ROWS - 1) / ROWS, task, w);
}

/* Both directions' outputs stand side by side in a row. */
static float *out_of(const walk *w, int row)
{
	return hp_row(w->out, w->at + row) + w->d * w->cell->hidden;
}

/* A row of what one sentence has one row of [count × H]. */
static float *of_sentence(const walk *w, const float *x, int row)
{
	return (float *)x + (ptrdiff_t)row * w->cell->hidden;
}

static void forward_row(const walk *w, int row)
{
	hp_birnn_trace *t = w->t;
	int d = w->d, H = w->cell->hidden, here = w->at + row;
	size_t units = (size_t)H;
	float *h = out_of(w, row), *a = hp_row(t->gates[d], here), *last = h;
	bool known = row < w->known;
	if (w->cell->kind == HP_LSTM) {
		last = hp_row(t->cells[d], here);
		hp_lstm_forward(H, a, known ? hp_row(t->cells[d], w->before + row) : NULL, last, hp_row(t->tanh_cells[d], here),
		                h);
	} else {
		hp_gru_forward(H, a, known ? hp_row(t->before[d], here) : NULL, h);
	}
	if (row < w->follow) {
		float *before = hp_row(t->before[d], w->behind + row);
		memcpy(before, h, units * sizeof(float));
		if (w->layer->mask[d])
			hp_vec_mul(units, of_sentence(w, w->layer->mask[d], row), before);
	} else if (w->final) {
		memcpy(of_sentence(w, w->final[d], row), last, units * sizeof(float));
	}
}

static void forward_task(void *arg, int task)
{
	const walk *w = arg;
	for (int row = task * ROWS; row < (task + 1) * ROWS && row < w->rows; row++)
		forward_row(w, row);
}

static void forward_step(hp_pool *pool, walk *w)
{
	hp_product jobs[HP_CELL_JOBS];
	int count = hp_cell_recurrent(w->cell, w->w_hh, hp_some_rows(w->t->before[w->d], w->at, w->known),
	                              hp_some_rows(w->t->gates[w->d], w->at, w->known), jobs);
	hp_gemm_group(pool, count, jobs);
	run_rows(pool, w, forward_task);
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
	hp_arena_mark mark = hp_arena_save(arena);
	for (w.d = 0; w.d < 2; w.d++) {
		w.cell = &layer->cell[w.d];
		w.w_hh = hp_gemm_pack(pool, arena, hp_param_values(w.cell->w_hh), true);
		if (hp_arena_failed(arena))
			return HP_FAIL;
		hp_cell_biases(pool, w.cell, t->gates[w.d]);
		hp_cell_input(pool, w.cell, x, t->gates[w.d]);
		clear_first(layer, t, w.d);
		for (int step = 0; step < layer->p->steps; step++) {
			go_to(&w, step);
			forward_step(pool, &w);
		}
		hp_arena_restore(arena, mark);
	}
	return 0;
}

static void backward_row(const walk *w, int row)
{
	const hp_birnn_trace *t = w->t;
	int d = w->d, H = w->cell->hidden, here = w->at + row;
	bool lstm = w->cell->kind == HP_LSTM, known = row < w->known;
	size_t units = (size_t)H;
	float *dh = hp_row(w->dh, row), *carry = of_sentence(w, w->carry[d], row), *a = hp_row(t->gates[d], here);
	if (row < w->follow) {
		if (w->layer->mask[d])
			hp_vec_mul(units, of_sentence(w, w->layer->mask[d], row), dh);
	} else if (lstm) {
		memset(dh, 0, units * sizeof(float));
	} else {
		memcpy(dh, carry, units * sizeof(float));
	}
	hp_vec_add(units, out_of(w, row), dh);
	if (lstm)
		hp_lstm_backward(H, a, known ? hp_row(t->cells[d], w->before + row) : NULL, hp_row(t->tanh_cells[d], here), dh,
		                 carry);
	else
		hp_gru_backward(H, a, known ? hp_row(t->before[d], here) : NULL, dh);
}

static void backward_task(void *arg, int task)
{
	const walk *w = arg;
	for (int row = task * ROWS; row < (task + 1) * ROWS && row < w->rows; row++)
		backward_row(w, row);
}

static void backward_step(hp_pool *pool, walk *w)
{
	hp_product jobs[HP_CELL_JOBS];
	int count = hp_cell_recurrent_backward(w->cell, w->w_hh, hp_some_rows(w->t->gates[w->d], w->behind, w->follow),
	                                       hp_some_rows(w->dh, 0, w->follow), jobs);
	for (int i = 0; i < count; i++)
		hp_gemm(pool, jobs[i]);
	run_rows(pool, w, backward_task);
}

int hp_birnn_backward(hp_pool *pool, hp_arena *scratch, const hp_birnn *layer, hp_matrix x, hp_birnn_trace *t,
                      hp_matrix dout, float *const carry[2], hp_matrix dx)
{
	walk w = {.layer = layer, .t = t, .out = dout, .carry = carry};
	hp_arena_mark mark = hp_arena_save(scratch);
	for (w.d = 0; w.d < 2; w.d++) {
		w.cell = &layer->cell[w.d];
		w.w_hh = hp_gemm_pack(pool, scratch, hp_param_values(w.cell->w_hh), false);
		w.dh = hp_matrix_new(scratch, layer->p->count, w.cell->hidden);
		if (hp_arena_failed(scratch))
			return HP_FAIL;
		for (int step = layer->p->steps - 1; step >= 0; step--) {
			go_to(&w, step);
			backward_step(pool, &w);
		}
		hp_arena_restore(scratch, mark);
		if (hp_cell_weights_backward(pool, scratch, w.cell, x, t->before[w.d], t->gates[w.d], dx, w.d == 1))
			return HP_FAIL;
	}
	return 0;
}

/* ---- parsing ---- */

typedef struct run {
	const hp_birnn_direction *d;
	hp_matrix recurrent; /* [count × GATES·H] */
	int t; /* position */
	int from, end; /* rows whose products with W_ih are there, from the first of input on */
} run;

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
