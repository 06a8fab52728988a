#include "nn/gru.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

HP_CLONES void hp_gru_cell(int n, int stride, float *restrict a, const float *restrict h_prev, float *restrict h)
{
	float *ar = a, *az = a + stride, *an = a + 2 * (size_t)stride;
	const float *hn = a + 3 * (size_t)stride;
	for (int u = 0; u < n; u++) {
		float r = hp_sigmoid(ar[u]), z = hp_sigmoid(az[u]), c = hp_tanh(an[u] + r * hn[u]);
		ar[u] = r, az[u] = z, an[u] = c;
		h[u] = (1.0f - z) * c;
	}
	if (h_prev)
		for (int u = 0; u < n; u++)
			h[u] += az[u] * h_prev[u];
}

HP_CLONES void hp_gru_cell_backward(int n, int stride, float *restrict a, const float *restrict h_prev,
                                    float *restrict dh)
{
	float *ar = a, *az = a + stride, *an = a + 2 * (size_t)stride, *hn = a + 3 * (size_t)stride;
	for (int u = 0; u < n; u++) {
		float r = ar[u], z = az[u], c = an[u], d = dh[u], old = h_prev ? h_prev[u] : 0.0f;
		float dn = d * (1.0f - z) * (1.0f - c * c);
		ar[u] = dn * hn[u] * r * (1.0f - r);
		az[u] = d * (old - c) * z * (1.0f - z);
		an[u] = dn;
		hn[u] = dn * r;
		dh[u] = d * z;
	}
}

/* ---- parameters ---- */

enum { PARTS = 4 };
static const char *const parts[PARTS] = {"w_ih", "w_hh", "b_ih", "b_hh"};

int hp_gru_declare(hp_params *p, hp_error *err, const char *name, int hidden, int in)
{
	for (int i = 0; i < PARTS; i++) {
		char full[48];
		snprintf(full, sizeof full, "%s.%s", name, parts[i]);
		if (i < 2 ? hp_params_declare(p, err, full, 2, 3 * hidden, i ? hidden : in)
		          : hp_params_declare(p, err, full, 1, 3 * hidden))
			return HP_FAIL;
	}
	return 0;
}

hp_gru_params hp_gru_find(const hp_params *p, const char *name)
{
	hp_param *found[PARTS];
	for (int i = 0; i < PARTS; i++) {
		char full[48];
		snprintf(full, sizeof full, "%s.%s", name, parts[i]);
		found[i] = hp_params_find(p, full);
	}
	return (hp_gru_params){found[0], found[1], found[2], found[3]};
}

hp_gru_weights hp_gru_weights_of(const hp_gru_params *p)
{
	return (hp_gru_weights){p->w_ih->value, p->w_hh->value, p->b_ih->value, p->b_hh->value,
	                        p->w_ih->grad,  p->w_hh->grad,  p->b_ih->grad,  p->b_hh->grad};
}

/* ---- products ---- */

enum { ROWS = 64 }; /* of one task */

typedef struct biases {
	int m;
	size_t hidden;
	const hp_gru_weights *w;
	float *a;
} biases;

static void fill_biases(size_t H, const hp_gru_weights *w, float *a)
{
	memcpy(a, w->b_ih, 3 * H * sizeof(float));
	hp_vec_add(2 * H, w->b_hh, a);
	memcpy(a + 3 * H, w->b_hh + 2 * H, H * sizeof(float));
}

static void biases_task(void *arg, int task)
{
	const biases *b = arg;
	for (int i = task * ROWS; i < b->m && i < (task + 1) * ROWS; i++)
		fill_biases(b->hidden, b->w, b->a + (size_t)i * 4 * b->hidden);
}

void hp_gru_join(int hidden, const float *input, const float *state, const hp_gru_weights *w, float *a)
{
	size_t H = (size_t)hidden;
	fill_biases(H, w, a);
	hp_vec_add(3 * H, input, a);
	hp_vec_add(2 * H, state, a);
	hp_vec_add(H, state + 2 * H, a + 3 * H);
}

void hp_gru_biases(hp_pool *pool, int m, int hidden, const hp_gru_weights *w, float *a)
{
	biases b = {m, (size_t)hidden, w, a};
	hp_pool_run(pool, (m + ROWS - 1) / ROWS, biases_task, &b);
}

void hp_gru_input(hp_pool *pool, int m, int in, int hidden, const float *x, const hp_gru_weights *w, float *a)
{
	hp_gemm(pool, false, true, m, 3 * hidden, in, x, in, w->w_ih, in, 1.0f, a, 4 * hidden);
}

int hp_gru_recurrent(int m, int hidden, int unit, int units, const float *h, int ldh, const float *w_hh, float *a,
                     hp_gemm_job jobs[3])
{
	size_t H = (size_t)hidden, u = (size_t)unit;
	if (unit == 0 && units == hidden) { /* r and z are neighbours */
		jobs[0] = (hp_gemm_job){false, true, m, 2 * hidden, hidden, h, ldh, w_hh, hidden, 1.0f, a, 4 * hidden};
		jobs[1] = (hp_gemm_job){false,  true, m,         hidden,    hidden, h, ldh, w_hh + 2 * H * H,
		                        hidden, 1.0f, a + 3 * H, 4 * hidden};
		return 2;
	}
	for (size_t gate = 0; gate < 3; gate++)
		jobs[gate] = (hp_gemm_job){false,
		                           true,
		                           m,
		                           units,
		                           hidden,
		                           h,
		                           ldh,
		                           w_hh + (gate * H + u) * H,
		                           hidden,
		                           1.0f,
		                           a + (gate == 2 ? 3 : gate) * H + u,
		                           4 * hidden};
	return 3;
}

void hp_gru_recurrent_backward(int m, int hidden, int unit, int units, const float *a, const float *w_hh, float *dh,
                               int ldh, hp_gemm_job jobs[2])
{
	size_t H = (size_t)hidden;
	jobs[0] =
		(hp_gemm_job){false, false, m, units, 2 * hidden, a, 4 * hidden, w_hh + unit, hidden, 1.0f, dh + unit, ldh};
	jobs[1] = (hp_gemm_job){false,  false, m,         units, hidden, a + 3 * H, 4 * hidden, w_hh + 2 * H * H + unit,
	                        hidden, 1.0f,  dh + unit, ldh};
}

void hp_gru_weights_backward(hp_pool *pool, int m, int in, int hidden, const float *x, const float *h, int ldh,
                             const hp_gru_weights *w, const float *a, float *sum, float *dx, bool add)
{
	size_t H = (size_t)hidden;
	hp_gemm_job jobs[4] = {
		{true, false, 3 * hidden, in, m, a, 4 * hidden, x, in, 1.0f, w->dw_ih, in},
		{true, false, 2 * hidden, hidden, m, a, 4 * hidden, h, ldh, 1.0f, w->dw_hh, hidden},
		{true, false, hidden, hidden, m, a + 3 * H, 4 * hidden, h, ldh, 1.0f, w->dw_hh + 2 * H * H, hidden},
		{false, false, m, in, 3 * hidden, a, 4 * hidden, w->w_ih, in, add ? 1.0f : 0.0f, dx, in}};
	hp_gemm_group(pool, dx ? 4 : 3, jobs);
	memset(sum, 0, 4 * H * sizeof(float));
	hp_bias_backward(pool, m, 4 * hidden, a, sum);
	hp_vec_add(3 * H, sum, w->db_ih);
	hp_vec_add(2 * H, sum, w->db_hh);
	hp_vec_add(H, sum + 3 * H, w->db_hh + 2 * H);
}

/* ---- layers ---- */

int hp_bigru_trace_alloc(hp_bigru_trace *t, hp_arena *arena, int rows, int hidden)
{
	size_t cells = (size_t)rows * (size_t)hidden;
	for (int d = 0; d < 2; d++) {
		t->gates[d] = HP_NEW(arena, float, 4 * cells);
		t->before[d] = HP_NEW(arena, float, cells);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

typedef struct layer {
	const hp_packed *p;
	int hidden;
	const hp_gru_weights *w;
	hp_bigru_trace *t;
	float *out; /* [R × 2H] */
	const float *dout;
	float *const *final;
	const float *const *dfinal;
	float *dh[2]; /* [count × H] */
	int step; /* of the walk */
} layer;

static void forward_task(void *arg, int task)
{
	const layer *l = arg;
	int d = task / HP_UNIT_BLOCKS, u0 = hp_unit_block(task % HP_UNIT_BLOCKS, l->hidden);
	int units = hp_unit_block(task % HP_UNIT_BLOCKS + 1, l->hidden) - u0;
	int t = hp_walk_at(l->p, d, l->step), prev = hp_walk_next(l->p, d, t, -1), next = hp_walk_next(l->p, d, t, 1);
	int known = hp_packed_both(l->p, t, prev), follow = hp_packed_both(l->p, t, next);
	size_t H = (size_t)l->hidden, at = (size_t)l->p->offset[t];
	hp_gemm_job jobs[3];
	if (!units)
		return;
	int count = hp_gru_recurrent(known, l->hidden, u0, units, l->t->before[d] + at * H, l->hidden, l->w[d].w_hh,
	                             l->t->gates[d] + at * 4 * H, jobs);
	for (int i = 0; i < count; i++)
		hp_gemm_serial(&jobs[i]);
	for (int b = 0; b < l->p->active[t]; b++) {
		size_t row = at + (size_t)b;
		float *h = l->out + row * 2 * H + (size_t)d * H + u0;
		hp_gru_cell(units, l->hidden, l->t->gates[d] + row * 4 * H + u0,
		            b < known ? l->t->before[d] + row * H + u0 : NULL, h);
		float *to = l->final[d] + (size_t)b * H;
		if (b < follow)
			to = l->t->before[d] + ((size_t)l->p->offset[next] + (size_t)b) * H;
		memcpy(to + u0, h, (size_t)units * sizeof(float));
	}
}

/* Rows without a predecessor: their old state is zero (it takes part in the weights' gradient). */
static void clear_first(const layer *l, int d)
{
	size_t H = (size_t)l->hidden;
	for (int t = 0; t < l->p->steps; t++) {
		int known = hp_packed_both(l->p, t, hp_walk_next(l->p, d, t, -1));
		size_t rows = (size_t)(l->p->active[t] - known);
		memset(l->t->before[d] + (size_t)(l->p->offset[t] + known) * H, 0, rows * H * sizeof(float));
	}
}

void hp_bigru_forward(hp_pool *pool, const hp_packed *p, int in, int hidden, const float *x, const hp_gru_weights w[2],
                      float *out, hp_bigru_trace *t, float *const final[2])
{
	layer l = {.p = p, .hidden = hidden, .w = w, .t = t, .out = out, .final = final};
	for (int d = 0; d < 2; d++) {
		hp_gru_biases(pool, p->offset[p->steps], hidden, &w[d], t->gates[d]);
		hp_gru_input(pool, p->offset[p->steps], in, hidden, x, &w[d], t->gates[d]);
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
	int t = hp_walk_at(l->p, d, l->step), prev = hp_walk_next(l->p, d, t, -1), next = hp_walk_next(l->p, d, t, 1);
	int known = hp_packed_both(l->p, t, prev), follow = hp_packed_both(l->p, t, next);
	size_t H = (size_t)l->hidden, at = (size_t)l->p->offset[t];
	if (follow && units) {
		hp_gemm_job jobs[2];
		hp_gru_recurrent_backward(follow, l->hidden, u0, units, l->t->gates[d] + (size_t)l->p->offset[next] * 4 * H,
		                          l->w[d].w_hh, l->dh[d], l->hidden, jobs);
		hp_gemm_serial(&jobs[0]);
		hp_gemm_serial(&jobs[1]);
	}
	for (int b = 0; b < l->p->active[t]; b++) {
		size_t row = at + (size_t)b;
		float *dh = l->dh[d] + (size_t)b * H + u0;
		if (b >= follow)
			memcpy(dh, l->dfinal[d] + (size_t)b * H + u0, (size_t)units * sizeof(float));
		hp_vec_add((size_t)units, l->dout + row * 2 * H + (size_t)d * H + u0, dh);
		hp_gru_cell_backward(units, l->hidden, l->t->gates[d] + row * 4 * H + u0,
		                     b < known ? l->t->before[d] + row * H + u0 : NULL, dh);
	}
}

int hp_bigru_backward(hp_pool *pool, hp_arena *scratch, const hp_packed *p, int in, int hidden, const float *x,
                      const hp_gru_weights w[2], hp_bigru_trace *t, const float *dout, const float *const dfinal[2],
                      float *dx)
{
	layer l = {.p = p, .hidden = hidden, .w = w, .t = t, .dout = dout, .dfinal = dfinal};
	hp_arena_mark mark = hp_arena_save(scratch);
	for (int d = 0; d < 2; d++)
		l.dh[d] = HP_NEW(scratch, float, (size_t)p->count * (size_t)hidden);
	float *sum = HP_NEW(scratch, float, 4 * (size_t)hidden);
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	for (l.step = p->steps - 1; l.step >= 0; l.step--)
		hp_pool_run(pool, 2 * HP_UNIT_BLOCKS, backward_task, &l);
	for (int d = 0; d < 2; d++)
		hp_gru_weights_backward(pool, p->offset[p->steps], in, hidden, x, t->before[d], hidden, &w[d], t->gates[d], sum,
		                        dx, d == 1);
	hp_arena_restore(scratch, mark);
	return 0;
}
