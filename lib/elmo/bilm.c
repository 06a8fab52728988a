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

static int block_size(int size, int block, int number)
{
	return size - number * block < block ? size - number * block : block;
}

void hp_elmo_walk_alloc(hp_elmo_walk *w, hp_arena *arena, const hp_elmo *e, const hp_packed *p)
{
	size_t count = (size_t)p->count, H = (size_t)e->cell, P = (size_t)e->projection;
	size_t rows = (size_t)(p->count > CHUNK ? p->count : CHUNK);

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

/* N units of one row; X, S, B: the gates' parts from input and state, and biases, [4 × stride].  C is updated, M = σ(o) tanh(c). */
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
	int H = w->e->cell, P = w->e->projection, blocks = blocks_of(H, UNITS), d = task / blocks;
	int from = task % blocks * UNITS, n = block_size(H, UNITS, task % blocks);
	int t = hp_walk_at(w->p, d, w->step), active = w->p->active[t];
	const hp_elmo_direction *weights = &w->e->layer[w->layer][d];

	for (int gate = 0; gate < 4; gate++) {
		size_t at = (size_t)gate * H + from;
		hp_gemm_rows(NULL, active, n, P, w->h[d], P, weights->state + at * P, P, w->part[d] + at, 4 * H);
	}
	for (int b = 0; b < active; b++) {
		size_t row = (size_t)(w->p->offset[t] - w->from[d] + b), sentence = (size_t)b * H + from;
		cell(n, (size_t)H, w->gates[d] + row * 4 * H + from, w->part[d] + (size_t)b * 4 * H + from,
		     weights->bias + from, w->e->cell_clip, w->c[d] + sentence, w->cell[d] + sentence);
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
	int H = w->e->cell, P = w->e->projection, blocks = blocks_of(P, COLUMNS), d = task / blocks;
	int from = task % blocks * COLUMNS, n = block_size(P, COLUMNS, task % blocks);
	int t = hp_walk_at(w->p, d, w->step), active = w->p->active[t];
	const float *weights = w->e->layer[w->layer][d].projection;

	hp_gemm_rows(NULL, active, n, H, w->cell[d], H, weights + (size_t)from * H, H, w->projected[d] + from, P);
	for (int b = 0; b < active; b++) {
		float *h = w->h[d] + (size_t)b * P + from;
		size_t at = (size_t)(w->p->offset[t] + b) * P + from;
		clip_into(n, w->e->projection_clip, w->projected[d] + (size_t)b * P + from, h);
		memcpy(w->y[d] + at, h, (size_t)n * sizeof(float));
		if (w->e->skip && w->layer > 0) /* of the output; the state goes on without */
			hp_vec_add((size_t)n, w->x[d] + at, w->y[d] + at);
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
	int end = first + 1, from[2], to[2], H = w->e->cell, P = w->e->projection;

	for (; end < w->p->steps; end++) {
		rows_of(w->p, 0, first, end + 1, &from[0], &to[0]);
		rows_of(w->p, 1, first, end + 1, &from[1], &to[1]);
		if (to[0] - from[0] > CHUNK || to[1] - from[1] > CHUNK)
			break;
	}
	for (int d = 0; d < 2; d++) {
		rows_of(w->p, d, first, end, &w->from[d], &to[d]);
		hp_gemm_rows(pool, to[d] - w->from[d], 4 * H, P, w->x[d] + (size_t)w->from[d] * P, P,
		             w->e->layer[w->layer][d].input, P, w->gates[d], 4 * H);
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
