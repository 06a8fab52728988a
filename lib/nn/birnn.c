/* birnn.c: both directions of a recurrent layer walk over the positions at once. */
#include "nn/birnn.h"

#include <stddef.h>
#include <string.h>

#include "nn/vmath.h"

static int alloc(hp_birnn_trace *t, hp_arena *arena, const hp_birnn *layer)
{
	size_t cells = (size_t)layer->p->offset[layer->p->steps] * (size_t)layer->cell[0].hidden;
	for (int d = 0; d < 2; d++) {
		t->gates[d] = HP_NEW(arena, float, 4 * cells);
		t->before[d] = HP_NEW(arena, float, cells);
		if (layer->cell[d].kind != HP_LSTM)
			continue;
		t->cells[d] = HP_NEW(arena, float, cells);
		t->tanh_cells[d] = HP_NEW(arena, float, cells);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

typedef struct walk {
	const hp_birnn *layer;
	hp_birnn_trace *t;
	float *out; /* [R × 2H] */
	const float *dout;
	float *const *carry, *const *final; /* [2] [count × H] */
	float *dh[2]; /* [count × H] */
	int step; /* of the walk */
} walk;

/* A block of units of a direction at the walk's position. */
typedef struct block {
	int d, unit, units;
	size_t at; /* first row; those of the positions before and behind */
	size_t before, behind;
	int rows, known, follow; /* sentences here; those that have the position before, and behind */
} block;

static block block_of(const walk *w, int task)
{
	const hp_packed *p = w->layer->p;
	int hidden = w->layer->cell[0].hidden, number = task % HP_UNIT_BLOCKS;
	block b = {.d = task / HP_UNIT_BLOCKS, .unit = hp_unit_block(number, hidden)};
	int t = hp_walk_at(p, b.d, w->step), prev = hp_walk_next(p, b.d, t, -1), next = hp_walk_next(p, b.d, t, 1);
	b.units = hp_unit_block(number + 1, hidden) - b.unit;
	b.at = (size_t)p->offset[t];
	b.before = prev < 0 ? 0 : (size_t)p->offset[prev];
	b.behind = next < 0 ? 0 : (size_t)p->offset[next];
	b.rows = p->active[t];
	b.known = hp_packed_both(p, t, prev);
	b.follow = hp_packed_both(p, t, next);
	return b;
}

static void forward_row(const walk *w, const block *b, int row)
{
	hp_birnn_trace *t = w->t;
	int d = b->d, hidden = w->layer->cell[d].hidden;
	size_t H = (size_t)hidden, u = (size_t)b->unit, here = b->at + (size_t)row, size = (size_t)b->units * sizeof(float);
	float *h = w->out + here * 2 * H + (size_t)d * H + u, *a = t->gates[d] + here * 4 * H + u, *last = h;
	bool known = row < b->known;
	if (w->layer->cell[d].kind == HP_LSTM) {
		const float *old = known ? t->cells[d] + (b->before + (size_t)row) * H + u : NULL;
		last = t->cells[d] + here * H + u;
		hp_lstm_forward(b->units, hidden, a, old, last, t->tanh_cells[d] + here * H + u, h);
	} else {
		hp_gru_forward(b->units, hidden, a, known ? t->before[d] + here * H + u : NULL, h);
	}
	if (row < b->follow) {
		float *before = t->before[d] + (b->behind + (size_t)row) * H + u;
		memcpy(before, h, size);
		if (w->layer->mask[d])
			hp_vec_mul((size_t)b->units, w->layer->mask[d] + (size_t)row * H + u, before);
	} else if (w->final) {
		memcpy(w->final[d] + (size_t)row * H + u, last, size);
	}
}

static void forward_task(void *arg, int task)
{
	const walk *w = arg;
	block b = block_of(w, task);
	const hp_cell *cell = &w->layer->cell[b.d];
	size_t H = (size_t)cell->hidden;
	hp_gemm_job jobs[HP_CELL_JOBS];
	if (!b.units)
		return;
	int count = hp_cell_recurrent(cell, b.known, b.unit, b.units, w->t->before[b.d] + b.at * H, cell->hidden,
	                              w->t->gates[b.d] + b.at * 4 * H, jobs);
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
		memset(t->before[d] + (size_t)(p->offset[i] + known) * H, 0,
		       (size_t)(p->active[i] - known) * H * sizeof(float));
	}
}

int hp_birnn_forward(hp_pool *pool, hp_arena *arena, const hp_birnn *layer, const float *x, float *out,
                     hp_birnn_trace *t, float *const final[2])
{
	walk w = {.layer = layer, .t = t, .out = out, .final = final};
	int rows = layer->p->offset[layer->p->steps];
	if (alloc(t, arena, layer))
		return HP_FAIL;
	for (int d = 0; d < 2; d++) {
		hp_cell_biases(pool, &layer->cell[d], rows, t->gates[d]);
		hp_cell_input(pool, &layer->cell[d], rows, x, t->gates[d]);
		clear_first(layer, t, d);
	}
	for (w.step = 0; w.step < layer->p->steps; w.step++)
		hp_pool_run(pool, 2 * HP_UNIT_BLOCKS, forward_task, &w);
	return 0;
}

static void backward_row(const walk *w, const block *b, int row)
{
	const hp_birnn_trace *t = w->t;
	int d = b->d, hidden = w->layer->cell[d].hidden;
	bool lstm = w->layer->cell[d].kind == HP_LSTM, known = row < b->known;
	size_t H = (size_t)hidden, u = (size_t)b->unit, n = (size_t)b->units, here = b->at + (size_t)row;
	float *dh = w->dh[d] + (size_t)row * H + u, *carry = w->carry[d] + (size_t)row * H + u;
	float *a = t->gates[d] + here * 4 * H + u;
	if (row < b->follow) {
		if (w->layer->mask[d])
			hp_vec_mul(n, w->layer->mask[d] + (size_t)row * H + u, dh);
	} else if (lstm) {
		memset(dh, 0, n * sizeof(float));
	} else {
		memcpy(dh, carry, n * sizeof(float));
	}
	hp_vec_add(n, w->dout + here * 2 * H + (size_t)d * H + u, dh);
	if (lstm) {
		const float *old = known ? t->cells[d] + (b->before + (size_t)row) * H + u : NULL;
		hp_lstm_backward(b->units, hidden, a, old, t->tanh_cells[d] + here * H + u, dh, carry);
	} else {
		hp_gru_backward(b->units, hidden, a, known ? t->before[d] + here * H + u : NULL, dh);
	}
}

static void backward_task(void *arg, int task)
{
	const walk *w = arg;
	block b = block_of(w, task);
	const hp_cell *cell = &w->layer->cell[b.d];
	hp_gemm_job jobs[2];
	if (!b.units)
		return;
	int count = hp_cell_recurrent_backward(cell, b.follow, b.unit, b.units,
	                                       w->t->gates[b.d] + b.behind * 4 * (size_t)cell->hidden, w->dh[b.d],
	                                       cell->hidden, jobs);
	for (int i = 0; i < count && b.follow; i++)
		hp_gemm_serial(&jobs[i]);
	for (int row = 0; row < b.rows; row++)
		backward_row(w, &b, row);
}

int hp_birnn_backward(hp_pool *pool, hp_arena *scratch, const hp_birnn *layer, const float *x, hp_birnn_trace *t,
                      const float *dout, float *const carry[2], float *dx)
{
	walk w = {.layer = layer, .t = t, .dout = dout, .carry = carry};
	hp_arena_mark mark = hp_arena_save(scratch);
	for (int d = 0; d < 2; d++)
		w.dh[d] = HP_NEW(scratch, float, (size_t)layer->p->count * (size_t)layer->cell[d].hidden);
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	for (w.step = layer->p->steps - 1; w.step >= 0; w.step--)
		hp_pool_run(pool, 2 * HP_UNIT_BLOCKS, backward_task, &w);
	for (int d = 0; d < 2; d++)
		if (hp_cell_weights_backward(pool, scratch, &layer->cell[d], layer->p->offset[layer->p->steps], x, t->before[d],
		                             layer->cell[d].hidden, t->gates[d], dx, d == 1))
			return HP_FAIL;
	hp_arena_restore(scratch, mark);
	return 0;
}
