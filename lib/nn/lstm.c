#include "nn/lstm.h"

#include <stddef.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/linear.h"
#include "nn/vmath.h"

HP_CLONES void hp_lstm_cell(int n, int stride, float *restrict a, const float *restrict c_prev, float *restrict c,
                            float *restrict tc, float *restrict h)
{
	float *ai = a, *af = a + stride, *ag = a + 2 * (size_t)stride, *ao = a + 3 * (size_t)stride;
	if (c_prev) {
		for (int u = 0; u < n; u++) {
			float i = hp_sigmoid(ai[u]), f = hp_sigmoid(af[u]), g = hp_tanh(ag[u]), o = hp_sigmoid(ao[u]);
			float cell = f * c_prev[u] + i * g, t = hp_tanh(cell);
			ai[u] = i, af[u] = f, ag[u] = g, ao[u] = o;
			c[u] = cell, tc[u] = t, h[u] = o * t;
		}
		return;
	}
	for (int u = 0; u < n; u++) {
		float i = hp_sigmoid(ai[u]), f = hp_sigmoid(af[u]), g = hp_tanh(ag[u]), o = hp_sigmoid(ao[u]);
		float cell = i * g, t = hp_tanh(cell);
		ai[u] = i, af[u] = f, ag[u] = g, ao[u] = o;
		c[u] = cell, tc[u] = t, h[u] = o * t;
	}
}

HP_CLONES void hp_lstm_cell_backward(int n, int stride, float *restrict a, const float *restrict c_prev,
                                     const float *restrict tc, const float *restrict dh, float *restrict dc)
{
	float *ai = a, *af = a + stride, *ag = a + 2 * (size_t)stride, *ao = a + 3 * (size_t)stride;
	for (int u = 0; u < n; u++) {
		float i = ai[u], f = af[u], g = ag[u], o = ao[u], t = tc[u];
		float d = dc[u] + dh[u] * o * (1.0f - t * t);
		ai[u] = d * g * i * (1.0f - i);
		af[u] = d * f * (1.0f - f); /* times c_prev below */
		ag[u] = d * i * (1.0f - g * g);
		ao[u] = dh[u] * t * o * (1.0f - o);
		dc[u] = d * f;
	}
	if (c_prev)
		hp_vec_mul((size_t)n, c_prev, af);
	else
		memset(af, 0, (size_t)n * sizeof(float));
}

int hp_bilstm_trace_alloc(hp_bilstm_trace *t, hp_arena *arena, int rows, int hidden)
{
	size_t cells = (size_t)rows * (size_t)hidden;
	for (int d = 0; d < 2; d++) {
		t->gates[d] = HP_NEW(arena, float, 4 * cells);
		t->cells[d] = HP_NEW(arena, float, cells);
		t->tanh_cells[d] = HP_NEW(arena, float, cells);
		t->before[d] = HP_NEW(arena, float, cells);
	}
	return hp_arena_failed(arena) ? -1 : 0;
}

typedef struct layer {
	const hp_packed *p;
	int in, hidden;
	const hp_lstm_weights *w;
	const float *const *mask;
	hp_bilstm_trace *t;
	float *out; /* [R × 2H] */
	const float *dout;
	float *const *carry; /* [count × H] */
	float *const *final;
	float *dh[2]; /* [count × H] */
	int step; /* of the walk */
} layer;

static void forward_task(void *arg, int task)
{
	const layer *l = arg;
	int d = task / HP_UNIT_BLOCKS, u0 = hp_unit_block(task % HP_UNIT_BLOCKS, l->hidden);
	int units = hp_unit_block(task % HP_UNIT_BLOCKS + 1, l->hidden) - u0;
	int H = l->hidden, t = hp_walk_at(l->p, d, l->step);
	int prev = hp_walk_next(l->p, d, t, -1), next = hp_walk_next(l->p, d, t, 1);
	int known = hp_packed_both(l->p, t, prev), follow = hp_packed_both(l->p, t, next);
	size_t at = (size_t)l->p->offset[t];
	for (int gate = 0; gate < 4 && units; gate++) {
		hp_gemm_job j = {false,
		                 true,
		                 known,
		                 units,
		                 H,
		                 l->t->before[d] + at * H,
		                 H,
		                 l->w[d].w_hh + ((size_t)gate * H + u0) * H,
		                 H,
		                 1.0f,
		                 l->t->gates[d] + at * 4 * H + (size_t)gate * H + u0,
		                 4 * H};
		hp_gemm_serial(&j);
	}
	for (int b = 0; b < l->p->active[t]; b++) {
		size_t row = at + b;
		const float *c_prev = b < known ? l->t->cells[d] + ((size_t)l->p->offset[prev] + b) * H + u0 : NULL;
		float *c = l->t->cells[d] + row * H + u0, *h = l->out + row * 2 * H + (size_t)d * H + u0;
		hp_lstm_cell(units, H, l->t->gates[d] + row * 4 * H + u0, c_prev, c, l->t->tanh_cells[d] + row * H + u0, h);
		if (b < follow) {
			float *before = l->t->before[d] + ((size_t)l->p->offset[next] + b) * H + u0;
			memcpy(before, h, (size_t)units * sizeof(float));
			if (l->mask[d])
				hp_vec_mul((size_t)units, l->mask[d] + (size_t)b * H + u0, before);
		} else if (l->final) {
			memcpy(l->final[d] + (size_t)b * H + u0, c, (size_t)units * sizeof(float));
		}
	}
}

/* Rows without a predecessor: their recurrence input is zero (it takes part in the weights' gradient). */
static void clear_first(const layer *l, int d)
{
	for (int t = 0; t < l->p->steps; t++) {
		int known = hp_packed_both(l->p, t, hp_walk_next(l->p, d, t, -1));
		size_t rows = (size_t)(l->p->active[t] - known);
		memset(l->t->before[d] + ((size_t)l->p->offset[t] + known) * l->hidden, 0, rows * l->hidden * sizeof(float));
	}
}

void hp_bilstm_forward(hp_pool *pool, const hp_packed *p, int in, int hidden, const float *x,
                       const hp_lstm_weights w[2], const float *const mask[2], float *out, hp_bilstm_trace *t,
                       float *const final[2])
{
	layer l = {.p = p, .in = in, .hidden = hidden, .w = w, .mask = mask, .t = t, .out = out, .final = final};
	for (int d = 0; d < 2; d++) {
		hp_linear_forward(pool, p->offset[p->steps], in, 4 * hidden, x, w[d].w_ih, w[d].b, t->gates[d]);
		clear_first(&l, d);
	}
	for (l.step = 0; l.step < p->steps; l.step++)
		hp_pool_run(pool, 2 * HP_UNIT_BLOCKS, forward_task, &l);
}

static void backward_task(void *arg, int task)
{
	const layer *l = arg;
	int d = task / HP_UNIT_BLOCKS, u0 = hp_unit_block(task % HP_UNIT_BLOCKS, l->hidden);
	int units = hp_unit_block(task % HP_UNIT_BLOCKS + 1, l->hidden) - u0;
	int H = l->hidden, t = hp_walk_at(l->p, d, l->step);
	int prev = hp_walk_next(l->p, d, t, -1), next = hp_walk_next(l->p, d, t, 1);
	int known = hp_packed_both(l->p, t, prev), follow = hp_packed_both(l->p, t, next);
	size_t at = (size_t)l->p->offset[t];
	if (follow && units) {
		hp_gemm_job j = {false,
		                 false,
		                 follow,
		                 units,
		                 4 * H,
		                 l->t->gates[d] + (size_t)l->p->offset[next] * 4 * H,
		                 4 * H,
		                 l->w[d].w_hh + u0,
		                 H,
		                 0.0f,
		                 l->dh[d] + u0,
		                 H};
		hp_gemm_serial(&j);
	}
	for (int b = 0; b < l->p->active[t]; b++) {
		size_t row = at + b;
		float *dh = l->dh[d] + (size_t)b * H + u0;
		if (b >= follow)
			memset(dh, 0, (size_t)units * sizeof(float));
		else if (l->mask[d])
			hp_vec_mul((size_t)units, l->mask[d] + (size_t)b * H + u0, dh);
		hp_vec_add((size_t)units, l->dout + row * 2 * H + (size_t)d * H + u0, dh);
		const float *c_prev = b < known ? l->t->cells[d] + ((size_t)l->p->offset[prev] + b) * H + u0 : NULL;
		hp_lstm_cell_backward(units, H, l->t->gates[d] + row * 4 * H + u0, c_prev, l->t->tanh_cells[d] + row * H + u0,
		                      dh, l->carry[d] + (size_t)b * H + u0);
	}
}

int hp_bilstm_backward(hp_pool *pool, hp_arena *scratch, const hp_packed *p, int in, int hidden, const float *x,
                       const hp_lstm_weights w[2], const float *const mask[2], hp_bilstm_trace *t, const float *dout,
                       float *const carry[2], float *dx)
{
	layer l = {.p = p, .in = in, .hidden = hidden, .w = w, .mask = mask, .t = t, .dout = dout, .carry = carry};
	hp_arena_mark mark = hp_arena_save(scratch);
	for (int d = 0; d < 2; d++)
		l.dh[d] = HP_NEW(scratch, float, (size_t)p->count * hidden);
	if (hp_arena_failed(scratch))
		return -1;
	for (l.step = p->steps - 1; l.step >= 0; l.step--)
		hp_pool_run(pool, 2 * HP_UNIT_BLOCKS, backward_task, &l);
	int rows = p->offset[p->steps];
	for (int d = 0; d < 2; d++) {
		hp_linear_backward(pool, rows, in, 4 * hidden, x, w[d].w_ih, t->gates[d], w[d].dw_ih, w[d].db, dx, d == 1);
		hp_gemm(pool, true, false, 4 * hidden, hidden, rows, t->gates[d], 4 * hidden, t->before[d], hidden, 1.0f,
		        w[d].dw_hh, hidden);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
