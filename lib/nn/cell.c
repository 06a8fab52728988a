/* cell.c: LSTM and GRU cells: parameters, rows, and the products of training. */
#include "nn/cell.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

enum { ROWS = 64 }; /* of one task */

int hp_cell_parts(hp_cell_kind kind)
{
	return kind == HP_LSTM ? 2 : 1;
}

int hp_cell_gates(hp_cell_kind kind)
{
	return kind == HP_LSTM ? 4 : 3;
}

/* ---- parameters ---- */

int hp_cell_declare(hp_params *p, hp_error *err, hp_cell_kind kind, const char *name, int hidden, int in)
{
	static const char *const parts[2][4] = {{"w_ih", "w_hh", "b"}, {"w_ih", "w_hh", "b_ih", "b_hh"}};
	for (int i = 0; i < 4 && parts[kind][i]; i++) {
		char full[48];
		snprintf(full, sizeof full, "%s.%s", name, parts[kind][i]);
		int rows = hp_cell_gates(kind) * hidden;
		if (i < 2 ? hp_params_declare(p, err, full, 2, rows, i ? hidden : in)
		          : hp_params_declare(p, err, full, 1, rows))
			return HP_FAIL;
	}
	return 0;
}

static hp_param *find(const hp_params *p, const char *name, const char *part)
{
	char full[48];
	snprintf(full, sizeof full, "%s.%s", name, part);
	return hp_params_find(p, full);
}

hp_cell hp_cell_find(const hp_params *p, hp_cell_kind kind, const char *name)
{
	hp_cell c = {.kind = kind, .w_ih = find(p, name, "w_ih"), .w_hh = find(p, name, "w_hh")};
	c.b_ih = find(p, name, kind == HP_LSTM ? "b" : "b_ih");
	c.b_hh = kind == HP_LSTM ? NULL : find(p, name, "b_hh");
	if (c.w_ih) {
		c.in = c.w_ih->shape[1];
		c.hidden = c.w_hh->shape[1];
	}
	return c;
}

/* ---- rows ---- */

HP_CLONES void hp_lstm_forward(int n, float *restrict a, const float *restrict c_prev, float *restrict c,
                               float *restrict tc, float *restrict h)
{
	float *ai = a, *af = a + n, *ag = a + 2 * (size_t)n, *ao = a + 3 * (size_t)n;
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

HP_CLONES void hp_lstm_backward(int n, float *restrict a, const float *restrict c_prev, const float *restrict tc,
                                const float *restrict dh, float *restrict dc)
{
	float *ai = a, *af = a + n, *ag = a + 2 * (size_t)n, *ao = a + 3 * (size_t)n;
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

HP_CLONES void hp_gru_forward(int n, float *restrict a, const float *restrict h_prev, float *restrict h)
{
	float *ar = a, *az = a + n, *an = a + 2 * (size_t)n;
	const float *hn = a + 3 * (size_t)n;
	for (int u = 0; u < n; u++) {
		float r = hp_sigmoid(ar[u]), z = hp_sigmoid(az[u]), c = hp_tanh(an[u] + r * hn[u]);
		ar[u] = r, az[u] = z, an[u] = c;
		h[u] = (1.0f - z) * c;
	}
	if (h_prev)
		for (int u = 0; u < n; u++)
			h[u] += az[u] * h_prev[u];
}

HP_CLONES void hp_gru_backward(int n, float *restrict a, const float *restrict h_prev, float *restrict dh)
{
	float *ar = a, *az = a + n, *an = a + 2 * (size_t)n, *hn = a + 3 * (size_t)n;
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

static void fill_biases(const hp_cell *cell, float *a)
{
	size_t H = (size_t)cell->hidden;
	if (cell->kind == HP_LSTM) {
		memcpy(a, cell->b_ih->value, 4 * H * sizeof(float));
		return;
	}
	memcpy(a, cell->b_ih->value, 3 * H * sizeof(float));
	hp_vec_add(2 * H, cell->b_hh->value, a);
	memcpy(a + 3 * H, cell->b_hh->value + 2 * H, H * sizeof(float));
}

HP_CLONES static void lstm_row(int n, const float *restrict x, const float *restrict r, const float *restrict b,
                               float *restrict c, float *restrict h, float *restrict out)
{
	int f = n, g = 2 * n, o = 3 * n; /* where these gates begin */
	for (int u = 0; u < n; u++) {
		float in = hp_sigmoid(x[u] + r[u] + b[u]), keep = hp_sigmoid(x[f + u] + r[f + u] + b[f + u]);
		float new = hp_tanh(x[g + u] + r[g + u] + b[g + u]), show = hp_sigmoid(x[o + u] + r[o + u] + b[o + u]);
		float cell = keep * c[u] + in * new;
		c[u] = cell;
		h[u] = out[u] = show * hp_tanh(cell);
	}
}

HP_CLONES static void gru_row(int n, const float *restrict x, const float *restrict s, const float *restrict bx,
                              const float *restrict bs, float *restrict h, float *restrict out)
{
	int z = n, c = 2 * n;
	for (int u = 0; u < n; u++) {
		float reset = hp_sigmoid(bx[u] + bs[u] + x[u] + s[u]);
		float keep = hp_sigmoid(bx[z + u] + bs[z + u] + x[z + u] + s[z + u]);
		float new = hp_tanh(bx[c + u] + x[c + u] + reset * (bs[c + u] + s[c + u]));
		h[u] = out[u] = (1.0f - keep) * new + keep *h[u];
	}
}

void hp_cell_row(const hp_cell *cell, const float *input, const float *recurrent, float *state, float *out)
{
	int H = cell->hidden;
	if (cell->kind == HP_LSTM)
		lstm_row(H, input, recurrent, cell->b_ih->value, state + H, state, out);
	else
		gru_row(H, input, recurrent, cell->b_ih->value, cell->b_hh->value, state, out);
}

/* ---- products ---- */

typedef struct biases {
	const hp_cell *cell;
	hp_matrix a;
} biases;

static void biases_task(void *arg, int task)
{
	const biases *b = arg;
	for (int i = task * ROWS; i < b->a.rows && i < (task + 1) * ROWS; i++)
		fill_biases(b->cell, hp_row(b->a, i));
}

void hp_cell_biases(hp_pool *pool, const hp_cell *cell, hp_matrix a)
{
	biases b = {cell, a};
	hp_pool_run(pool, (a.rows + ROWS - 1) / ROWS, biases_task, &b);
}

/* COUNT gates of the matrix W [GATES·H × .], and as many places of the rows of A, from FROM on. */
static hp_matrix gates_of(const hp_cell *cell, hp_matrix w, int from, int count)
{
	return hp_some_rows(w, from * cell->hidden, count * cell->hidden);
}

static hp_matrix places_of(const hp_cell *cell, hp_matrix a, int from, int count)
{
	return hp_some_columns(a, from * cell->hidden, count * cell->hidden);
}

void hp_cell_input(hp_pool *pool, const hp_cell *cell, hp_matrix x, hp_matrix a)
{
	a = places_of(cell, a, 0, hp_cell_gates(cell->kind));
	hp_gemm(pool, (hp_product){.c = a, .a = x, .b = hp_param_values(cell->w_ih), .tb = true, .add = true});
}

/* Neighbours in the matrix and in the row are one product. */
int hp_cell_recurrent(const hp_cell *cell, hp_matrix w_hh, hp_matrix h, hp_matrix a, hp_product jobs[HP_CELL_JOBS])
{
	int first = cell->kind == HP_LSTM ? 4 : 2;
	hp_product job = {
		.c = places_of(cell, a, 0, first), .a = h, .b = gates_of(cell, w_hh, 0, first), .tb = true, .add = true};
	jobs[0] = jobs[1] = job;
	if (cell->kind == HP_LSTM)
		return 1;
	jobs[1].c = places_of(cell, a, 3, 1);
	jobs[1].b = gates_of(cell, w_hh, 2, 1);
	return 2;
}

int hp_cell_recurrent_backward(const hp_cell *cell, hp_matrix w_hh, hp_matrix a, hp_matrix dh,
                               hp_product jobs[HP_CELL_JOBS])
{
	bool lstm = cell->kind == HP_LSTM;
	int first = lstm ? 4 : 2;
	jobs[0] =
		(hp_product){.c = dh, .a = places_of(cell, a, 0, first), .b = gates_of(cell, w_hh, 0, first), .add = !lstm};
	if (lstm)
		return 1;
	jobs[1] = (hp_product){.c = dh, .a = places_of(cell, a, 3, 1), .b = gates_of(cell, w_hh, 2, 1), .add = true};
	return 2;
}

/* The gradient of W_hh's gates FROM ... FROM + COUNT - 1, from place AT of the rows of A. */
static hp_product w_hh_job(const hp_cell *cell, int from, int count, int at, hp_matrix h, hp_matrix a)
{
	hp_matrix dw = gates_of(cell, hp_param_grads(cell->w_hh), from, count);
	return (hp_product){.c = dw, .a = places_of(cell, a, at, count), .b = h, .ta = true, .add = true};
}

int hp_cell_weights_backward(hp_pool *pool, hp_arena *scratch, const hp_cell *cell, hp_matrix x, hp_matrix h,
                             hp_matrix a, hp_matrix dx, bool add)
{
	int count = 0;
	size_t H = (size_t)cell->hidden;
	hp_matrix gates = places_of(cell, a, 0, hp_cell_gates(cell->kind));
	hp_arena_mark mark = hp_arena_save(scratch);
	float *sum = HP_NEW0(scratch, float, 4 * H);
	if (!sum)
		return HP_FAIL;
	hp_product jobs[4];
	jobs[count++] = (hp_product){.c = hp_param_grads(cell->w_ih), .a = gates, .b = x, .ta = true, .add = true};
	if (cell->kind == HP_LSTM) {
		jobs[count++] = w_hh_job(cell, 0, 4, 0, h, a);
	} else {
		jobs[count++] = w_hh_job(cell, 0, 2, 0, h, a);
		jobs[count++] = w_hh_job(cell, 2, 1, 3, h, a);
	}
	if (dx.data)
		jobs[count++] = (hp_product){.c = dx, .a = gates, .b = hp_param_values(cell->w_ih), .add = add};
	hp_gemm_group(pool, count, jobs);
	hp_bias_backward(pool, a, sum);
	if (cell->kind == HP_LSTM) {
		hp_vec_add(4 * H, sum, cell->b_ih->grad);
	} else {
		hp_vec_add(3 * H, sum, cell->b_ih->grad);
		hp_vec_add(2 * H, sum, cell->b_hh->grad);
		hp_vec_add(H, sum + 3 * H, cell->b_hh->grad + 2 * H);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
