/* bilm.c: one layer, both directions at once; in each step of the walk the cells' units are computed in blocks, then
 * the projection's columns. */
#include "elmo/bilm.h"

#include "nn/gemm.h"
#include "nn/vmath.h"

enum { UNITS = 256, COLUMNS = 128 }; /* of one task */
enum { CHUNK = 256 }; /* rows whose input is multiplied at once, if no step has more */

static int blocks_of(int size, int block)
{
	return (size + block - 1) / block;
}

/* What a task computes: N units or columns from FROM on, of direction D at step T, for ACTIVE sentences. */
typedef struct part {
	int d, t, active, n;
	size_t from;
} part;

static part part_of(const hp_elmo_walk *w, int task, int size, int block)
{
	int blocks = blocks_of(size, block), d = task / blocks, from = task % blocks * block;
	int t = hp_walk_at(w->p, d, w->step);

	return (part){d, t, w->p->active[t], size - from < block ? size - from : block, from};
}

void hp_elmo_walk_alloc(hp_elmo_walk *w, hp_arena *arena, const hp_elmo *e, const hp_packed *p)
{
	size_t count = p->count, H = e->cell, P = e->projection, rows = count > CHUNK ? count : CHUNK;

	*w = (hp_elmo_walk){.e = e, .p = p};
	for (int d = 0; d < 2; d++) {
		w->h[d] = HP_NEW0(arena, float, count * P);
		w->c[d] = HP_NEW0(arena, float, count * H);
		w->gates[d] = HP_NEW(arena, float, rows * 4 * H);
		w->part[d] = HP_NEW(arena, float, count * 4 * H);
		w->cell[d] = HP_NEW(arena, float, count * H);
		w->projected[d] = HP_NEW(arena, float, count * P);
	}
}

/* N units of one row; X, S, B: the gates' parts from input and state, and biases, [4 × stride].  C is updated,
 * M = σ(o) tanh(c). */
HP_CLONES static void cell(int n, size_t stride, const float *restrict x, const float *restrict s,
                           const float *restrict b, float clip, float *restrict c, float *restrict m)
{
	const float *xf = x + stride, *xg = x + 2 * stride, *xo = x + 3 * stride;
	const float *sf = s + stride, *sg = s + 2 * stride, *so = s + 3 * stride;
	const float *bf = b + stride, *bg = b + 2 * stride, *bo = b + 3 * stride;

	for (int u = 0; u < n; u++) {
		float i = hp_sigmoid(x[u] + s[u] + b[u]), f = hp_sigmoid(xf[u] + sf[u] + bf[u]);
		float g = hp_tanh(xg[u] + sg[u] + bg[u]), o = hp_sigmoid(xo[u] + so[u] + bo[u]);
		float v = f * c[u] + i * g;
		v = v > clip ? clip : v;
		v = v < -clip ? -clip : v;
		c[u] = v;
		m[u] = o * hp_tanh(v);
	}
}

static void cell_task(void *arg, int task)
{
	const hp_elmo_walk *w = arg;
	part p = part_of(w, task, w->e->cell, UNITS);
	size_t H = w->e->cell, P = w->e->projection, row = w->p->offset[p.t] - w->from[p.d];
	const hp_elmo_direction *weights = &w->e->layer[w->layer][p.d];

	for (int gate = 0; gate < 4; gate++) {
		size_t at = gate * H + p.from;
		hp_gemm_rows(NULL, hp_matrix_of(w->h[p.d], p.active, P), hp_matrix_of(weights->state + at * P, p.n, P),
		             hp_some_columns(hp_matrix_of(w->part[p.d] + at, p.active, 4 * H), 0, p.n));
	}
	for (int b = 0; b < p.active; b++) {
		size_t at = b * H + p.from, gates = b * 4 * H + p.from;
		cell(p.n, H, w->gates[p.d] + row * 4 * H + gates, w->part[p.d] + gates, weights->bias + p.from, w->e->cell_clip,
		     w->c[p.d] + at, w->cell[p.d] + at);
	}
}

HP_CLONES static void clip_into(int n, float clip, const float *restrict x, float *restrict h)
{
	for (int i = 0; i < n; i++) {
		float v = x[i] > clip ? clip : x[i];
		h[i] = v < -clip ? -clip : v;
	}
}

static void projection_task(void *arg, int task)
{
	const hp_elmo_walk *w = arg;
	part p = part_of(w, task, w->e->projection, COLUMNS);
	size_t H = w->e->cell, P = w->e->projection;
	const float *weights = w->e->layer[w->layer][p.d].projection + p.from * H;

	hp_gemm_rows(NULL, hp_matrix_of(w->cell[p.d], p.active, H), hp_matrix_of(weights, p.n, H),
	             hp_some_columns(hp_matrix_of(w->projected[p.d] + p.from, p.active, P), 0, p.n));
	for (int b = 0; b < p.active; b++) {
		size_t state = b * P + p.from, at = w->p->offset[p.t] * P + state;
		clip_into(p.n, w->e->projection_clip, w->projected[p.d] + state, w->h[p.d] + state);
		memcpy(w->y[p.d] + at, w->h[p.d] + state, p.n * sizeof(float));
		if (w->e->skip && w->layer > 0) /* of the output; the state goes on without */
			hp_vec_add(p.n, w->x[p.d] + at, w->y[p.d] + at);
	}
}

/* The first and the end row of steps FIRST ... END - 1 of a direction's walk. */
static void rows_of(const hp_packed *p, int direction, int first, int end, int *from, int *to)
{
	*from = p->offset[direction == 0 ? first : p->steps - end];
	*to = p->offset[direction == 0 ? end : p->steps - first];
}

/* The input's part of the gates, for as many steps from FIRST on as there is room for; returns where they end. */
static int multiply_input(hp_elmo_walk *w, hp_pool *pool, int first)
{
	int end = first + 1, from[2], to[2];
	size_t H = w->e->cell, P = w->e->projection;

	for (; end < w->p->steps; end++) {
		rows_of(w->p, 0, first, end + 1, &from[0], &to[0]);
		rows_of(w->p, 1, first, end + 1, &from[1], &to[1]);
		if (to[0] - from[0] > CHUNK || to[1] - from[1] > CHUNK)
			break;
	}
	for (int d = 0; d < 2; d++) {
		rows_of(w->p, d, first, end, &w->from[d], &to[d]);
		int rows = to[d] - w->from[d];
		hp_gemm_rows(pool, hp_matrix_of(w->x[d] + w->from[d] * P, rows, P),
		             hp_matrix_of(w->e->layer[w->layer][d].input, 4 * H, P), hp_matrix_of(w->gates[d], rows, 4 * H));
	}
	return end;
}

void hp_elmo_layer(hp_elmo_walk *w, hp_pool *pool)
{
	int cells = 2 * blocks_of(w->e->cell, UNITS), columns = 2 * blocks_of(w->e->projection, COLUMNS);

	for (int first = 0, end; first < w->p->steps; first = end) {
		end = multiply_input(w, pool, first);
		for (w->step = first; w->step < end; w->step++) {
			hp_pool_run(pool, cells, cell_task, w);
			hp_pool_run(pool, columns, projection_task, w);
		}
	}
}
