/* decoder.c: the hierarchical decoder in training: from h and the start states to the decoder's states, level by level
 * (oracle.h), and back (paper Eq. 3-6, DESIGN section 4).
 *
 * A product W · d is made once, when state d is new, and used by every later step that fuses d. */
#include "dep/train.h"

#include <string.h>

#include "nn/fusion.h"
#include "nn/gemm.h"
#include "nn/linear.h"
#include "nn/vmath.h"

enum { ROWS = 8, UNITS = 128 }; /* of one task */

typedef struct decoder {
	hp_dep_trace *t;
	const hp_dep_net *net;
	int from, rows, arcs; /* the level: order rows from ... from + rows - 1, arcs first */
	/* backward */
	float *dstate, *dhidden; /* [states × 2 × Q], [widest level × Q] */
	float *dpart[HP_SOURCES], *dgate[HP_SOURCES]; /* [states × 2 × Q] or NULL */
	float *dgate_sum, *dproduct[HP_SOURCES]; /* SGate: [total × 2 × Q], [widest level × 2 × Q] */
} decoder;

static bool is_sgate(const hp_dep_net *net)
{
	return net->c.gate == HP_GATE_SGATE;
}

/* Sources whose gate part is a product W · d made in advance. */
static bool has_gate_part(const hp_dep_net *net, int s)
{
	return net->gate[s] && !is_sgate(net);
}

static void set_level(decoder *a, int level)
{
	const hp_plan *p = &a->t->plan;
	a->from = p->level_at[level];
	a->rows = p->level_at[level + 1] - a->from;
	a->arcs = p->level_arcs[level];
}

static int tasks_of(int size, int each)
{
	return (size + each - 1) / each;
}

/* ---- forward ---- */

static int alloc_forward(hp_dep_trace *t, const hp_dep_net *net, hp_arena *arena)
{
	size_t total = (size_t)t->plan.total, Q = (size_t)net->c.decoder_hidden, I = (size_t)net->c.decoder_input;
	size_t states = (size_t)t->count + total;
	t->source = HP_NEW(arena, float, (size_t)t->plan.rows * I);
	t->z = HP_NEW(arena, float, total * I);
	t->gates = HP_NEW(arena, float, total * 4 * Q);
	t->tanh_cell = HP_NEW(arena, float, total * Q);
	t->hidden_in = HP_NEW(arena, float, total * Q);
	if (net->c.fusion != HP_FUSION_T) {
		t->tanh_fused = HP_NEW(arena, float, total * 2 * Q);
		t->fused = net->gate_b ? HP_NEW(arena, float, total * 2 * Q) : t->tanh_fused;
		t->gate = net->gate_b ? HP_NEW(arena, float, total * 2 * Q) : NULL;
	}
	for (int s = 0; s < HP_SOURCES; s++) {
		if (net->fuse[s])
			t->fuse_part[s] = HP_NEW(arena, float, states * 2 * Q);
		if (has_gate_part(net, s))
			t->gate_part[s] = HP_NEW(arena, float, states * 2 * Q);
		else if (net->gate[s])
			t->product[s] = HP_NEW(arena, float, total * 2 * Q);
	}
	if (is_sgate(net))
		t->gate_sum = HP_NEW(arena, float, total * 2 * Q);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* z = ELU(W_src (h_head + h_sibling + h_grandparent) + b); the sum is over W_src · h. */
static void input_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_plan *p = &a->t->plan;
	size_t I = (size_t)a->net->c.decoder_input;
	for (int o = task * ROWS; o < (task + 1) * ROWS && o < p->total; o++) {
		float *z = a->t->z + (size_t)o * I;
		memcpy(z, a->net->src.b->value, I * sizeof(float));
		hp_vec_add(I, a->t->source + (size_t)p->head[o] * I, z);
		if (p->sibling[o] >= 0)
			hp_vec_add(I, a->t->source + (size_t)p->sibling[o] * I, z);
		hp_vec_add(I, a->t->source + (size_t)p->grandparent[o] * I, z);
		hp_vec_elu(I, z);
	}
}

/* SGate: d_previous · d_parent and d_previous · d_sibling of a level's rows. */
static void product_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_plan *p = &a->t->plan;
	size_t width = 2 * (size_t)a->net->c.decoder_hidden;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++)
		for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++) {
			float *x = a->t->product[s] + (size_t)o * width;
			if (p->from[s][o] < 0) {
				memset(x, 0, width * sizeof(float));
				continue;
			}
			memcpy(x, a->t->state + (size_t)p->from[s][o] * width, width * sizeof(float));
			hp_vec_mul(width, a->t->state + (size_t)p->from[HP_FROM_PREVIOUS][o] * width, x);
		}
}

static void make_products(decoder *a, hp_pool *pool)
{
	int Q = a->net->c.decoder_hidden;
	size_t at = (size_t)a->from * 2 * (size_t)Q;
	hp_pool_run(pool, tasks_of(a->rows, ROWS), product_task, a);
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
		hp_gemm(pool, false, true, 2 * a->rows, Q, Q, a->t->product[s] + at, Q, a->net->gate[s]->value, Q,
		        s == HP_FROM_PARENT ? 0.0f : 1.0f, a->t->gate_sum + at, Q);
}

/* h'' of one order row, for hidden (half 0) and cell (half 1) state. */
static void fuse_row(const decoder *a, int o)
{
	hp_dep_trace *t = a->t;
	int Q = a->net->c.decoder_hidden;
	for (size_t half = 0; half < 2; half++) {
		size_t at = ((size_t)o * 2 + half) * (size_t)Q;
		const float *part[HP_SOURCES] = {NULL}, *gate_part[HP_SOURCES] = {NULL};
		for (int s = 0; s < HP_SOURCES; s++) {
			int from = t->plan.from[s][o];
			if (from < 0)
				continue;
			size_t state = ((size_t)from * 2 + half) * (size_t)Q;
			part[s] = t->fuse_part[s] ? t->fuse_part[s] + state : NULL;
			gate_part[s] = t->gate_part[s] ? t->gate_part[s] + state : NULL;
		}
		if (t->gate_sum)
			gate_part[0] = t->gate_sum + at;
		hp_fuse(Q, HP_SOURCES, part, gate_part, a->net->gate_b ? a->net->gate_b->value : NULL, t->tanh_fused + at,
		        t->gate ? t->gate + at : NULL, t->fused + at);
	}
}

/* Where the LSTM's hidden and cell input of an order row stand: fused, or with fusion T the previous state itself. */
static const float *cell_input(const hp_dep_trace *t, int o, size_t Q, size_t half)
{
	if (t->fused)
		return t->fused + ((size_t)o * 2 + half) * Q;
	return t->state + ((size_t)t->plan.from[HP_FROM_PREVIOUS][o] * 2 + half) * Q;
}

static void fuse_task(void *arg, int task)
{
	const decoder *a = arg;
	hp_dep_trace *t = a->t;
	size_t Q = (size_t)a->net->c.decoder_hidden;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++) {
		if (t->fused)
			fuse_row(a, o);
		float *hidden = t->hidden_in + (size_t)o * Q;
		memcpy(hidden, cell_input(t, o, Q, 0), Q * sizeof(float));
		if (t->mask.fused)
			hp_vec_mul(Q, t->mask.fused + (size_t)t->plan.sentence[o] * Q, hidden);
	}
}

static void cell_task(void *arg, int task)
{
	const decoder *a = arg;
	hp_dep_trace *t = a->t;
	size_t Q = (size_t)a->net->c.decoder_hidden;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++) {
		float *h = t->state + ((size_t)t->count + (size_t)o) * 2 * Q;
		hp_lstm_cell((int)Q, (int)Q, t->gates + (size_t)o * 4 * Q, cell_input(t, o, Q, 1), h + Q,
		             t->tanh_cell + (size_t)o * Q, h);
	}
}

/* The products of ROWS new states, from number STATE on; parents' and siblings' only of the first ARCS, siblings' not
 * of start states. */
static void project(decoder *a, hp_pool *pool, int state, int rows, int arcs, bool start)
{
	hp_gemm_job jobs[2 * HP_SOURCES];
	int count = 0, Q = a->net->c.decoder_hidden;
	size_t at = (size_t)state * 2 * (size_t)Q;
	for (int s = 0; s < HP_SOURCES; s++) {
		int m = 2 * (s == HP_FROM_PREVIOUS ? rows : s == HP_FROM_SIBLING && start ? 0 : arcs);
		if (a->t->fuse_part[s])
			jobs[count++] = (hp_gemm_job){
				false, true, m, Q, Q, a->t->state + at, Q, a->net->fuse[s]->value, Q, 0.0f, a->t->fuse_part[s] + at, Q};
		if (a->t->gate_part[s])
			jobs[count++] = (hp_gemm_job){
				false, true, m, Q, Q, a->t->state + at, Q, a->net->gate[s]->value, Q, 0.0f, a->t->gate_part[s] + at, Q};
	}
	hp_gemm_group(pool, count, jobs);
}

int hp_dep_decoder_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena)
{
	decoder a = {.t = t, .net = net};
	int Q = net->c.decoder_hidden, I = net->c.decoder_input;
	if (alloc_forward(t, net, arena))
		return HP_FAIL;
	hp_linear_forward(pool, t->plan.rows, 2 * net->c.hidden, I, t->h, net->src.w->value, NULL, t->source);
	hp_pool_run(pool, tasks_of(t->plan.total, ROWS), input_task, &a);
	hp_linear_forward(pool, t->plan.total, I, 4 * Q, t->z, net->decoder.w_ih->value, net->decoder.b->value, t->gates);
	project(&a, pool, 0, t->count, t->count, true);
	for (int l = 0; l < t->plan.levels; l++) {
		set_level(&a, l);
		if (is_sgate(net))
			make_products(&a, pool);
		hp_pool_run(pool, tasks_of(a.rows, ROWS), fuse_task, &a);
		hp_gemm(pool, false, true, a.rows, 4 * Q, Q, t->hidden_in + (size_t)a.from * Q, Q, net->decoder.w_hh->value, Q,
		        1.0f, t->gates + (size_t)a.from * 4 * Q, 4 * Q);
		hp_pool_run(pool, tasks_of(a.rows, ROWS), cell_task, &a);
		project(&a, pool, t->count + a.from, a.rows, a.arcs, false);
	}
	return 0;
}

/* ---- backward ---- */

static int alloc_backward(decoder *a, hp_arena *arena)
{
	const hp_dep_trace *t = a->t;
	size_t total = (size_t)t->plan.total, Q = (size_t)a->net->c.decoder_hidden;
	size_t states = (size_t)t->count + total, widest = 0;
	for (int l = 0; l < t->plan.levels; l++) {
		size_t m = (size_t)(t->plan.level_at[l + 1] - t->plan.level_at[l]);
		widest = m > widest ? m : widest;
	}
	a->dhidden = HP_NEW(arena, float, widest * Q);
	for (int s = 0; s < HP_SOURCES; s++) {
		if (t->fuse_part[s])
			a->dpart[s] = HP_NEW0(arena, float, states * 2 * Q);
		if (t->gate_part[s])
			a->dgate[s] = HP_NEW0(arena, float, states * 2 * Q);
		if (t->product[s])
			a->dproduct[s] = HP_NEW(arena, float, widest * 2 * Q);
	}
	if (t->gate_sum)
		a->dgate_sum = HP_NEW(arena, float, total * 2 * Q);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* dstate += dpart · W for ROWS states, as in project. */
static void project_backward(decoder *a, hp_pool *pool, int state, int rows, int arcs)
{
	int Q = a->net->c.decoder_hidden;
	size_t at = (size_t)state * 2 * (size_t)Q;
	for (int s = 0; s < HP_SOURCES; s++) {
		int m = 2 * (s == HP_FROM_PREVIOUS ? rows : arcs);
		if (a->dpart[s])
			hp_gemm(pool, false, false, m, Q, Q, a->dpart[s] + at, Q, a->net->fuse[s]->value, Q, 1.0f, a->dstate + at,
			        Q);
		if (a->dgate[s])
			hp_gemm(pool, false, false, m, Q, Q, a->dgate[s] + at, Q, a->net->gate[s]->value, Q, 1.0f, a->dstate + at,
			        Q);
	}
}

static void cell_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_dep_trace *t = a->t;
	size_t Q = (size_t)a->net->c.decoder_hidden;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++) {
		float *dh = a->dstate + ((size_t)t->count + (size_t)o) * 2 * Q;
		hp_lstm_cell_backward((int)Q, (int)Q, t->gates + (size_t)o * 4 * Q, cell_input(t, o, Q, 1),
		                      t->tanh_cell + (size_t)o * Q, dh, dh + Q);
	}
}

/* One half's units of one row: gradient of h'' -> gradients of the parts, added where the states came from. */
static void fuse_row_backward(const decoder *a, int o, size_t half, int unit, int n, const float *du, float *dgate_b)
{
	const hp_dep_trace *t = a->t;
	size_t Q = (size_t)a->net->c.decoder_hidden, at = ((size_t)o * 2 + half) * Q + (size_t)unit;
	float dpart[UNITS], dgate[UNITS];
	hp_fuse_backward(n, t->tanh_fused + at, t->gate ? t->gate + at : NULL, du, dpart, dgate);
	for (int s = 0; s < HP_SOURCES; s++) {
		int from = t->plan.from[s][o];
		if (from < 0)
			continue;
		size_t state = ((size_t)from * 2 + half) * Q + (size_t)unit;
		if (a->dpart[s])
			hp_vec_add((size_t)n, dpart, a->dpart[s] + state);
		if (a->dgate[s])
			hp_vec_add((size_t)n, dgate, a->dgate[s] + state);
	}
	if (a->dgate_sum)
		memcpy(a->dgate_sum + at, dgate, (size_t)n * sizeof(float));
	if (dgate_b)
		hp_vec_add((size_t)n, dgate, dgate_b + unit);
}

/* A block of units of all the level's rows, since several rows may have used the same state. */
static void fuse_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_dep_trace *t = a->t;
	int Q = a->net->c.decoder_hidden, unit = task * UNITS, n = Q - unit < UNITS ? Q - unit : UNITS;
	float *dgate_b = a->net->gate_b ? a->net->gate_b->grad : NULL;
	for (int o = a->from; o < a->from + a->rows; o++) {
		float *dh = a->dhidden + (size_t)(o - a->from) * (size_t)Q + unit;
		float *dc = a->dstate + (((size_t)t->count + (size_t)o) * 2 + 1) * (size_t)Q + unit;
		if (t->mask.fused)
			hp_vec_mul((size_t)n, t->mask.fused + (size_t)t->plan.sentence[o] * (size_t)Q + unit, dh);
		if (t->fused) {
			fuse_row_backward(a, o, 0, unit, n, dh, dgate_b);
			fuse_row_backward(a, o, 1, unit, n, dc, dgate_b);
		} else {
			float *to = a->dstate + (size_t)t->plan.from[HP_FROM_PREVIOUS][o] * 2 * (size_t)Q + unit;
			hp_vec_add((size_t)n, dh, to);
			hp_vec_add((size_t)n, dc, to + Q);
		}
	}
}

/* SGate: from the products' gradient to the states that were multiplied. */
static void product_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_dep_trace *t = a->t;
	size_t width = 2 * (size_t)a->net->c.decoder_hidden, unit = (size_t)task * UNITS;
	size_t n = width - unit < UNITS ? width - unit : UNITS;
	for (int o = a->from; o < a->from + a->rows; o++)
		for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++) {
			if (t->plan.from[s][o] < 0)
				continue;
			size_t other = (size_t)t->plan.from[s][o] * width + unit;
			size_t previous = (size_t)t->plan.from[HP_FROM_PREVIOUS][o] * width + unit;
			const float *d = a->dproduct[s] + (size_t)(o - a->from) * width + unit;
			hp_vec_add_mul(n, d, t->state + other, a->dstate + previous);
			hp_vec_add_mul(n, d, t->state + previous, a->dstate + other);
		}
}

static void products_backward(decoder *a, hp_pool *pool)
{
	int Q = a->net->c.decoder_hidden;
	const float *d = a->dgate_sum + (size_t)a->from * 2 * (size_t)Q;
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
		hp_gemm(pool, false, false, 2 * a->rows, Q, Q, d, Q, a->net->gate[s]->value, Q, 0.0f, a->dproduct[s], Q);
	hp_pool_run(pool, tasks_of(2 * Q, UNITS), product_backward_task, a);
}

static void level_backward(decoder *a, hp_pool *pool)
{
	hp_dep_trace *t = a->t;
	int Q = a->net->c.decoder_hidden;
	project_backward(a, pool, t->count + a->from, a->rows, a->arcs);
	hp_pool_run(pool, tasks_of(a->rows, ROWS), cell_backward_task, a);
	hp_gemm(pool, false, false, a->rows, Q, 4 * Q, t->gates + (size_t)a->from * 4 * Q, 4 * Q,
	        a->net->decoder.w_hh->value, Q, 0.0f, a->dhidden, Q);
	hp_pool_run(pool, tasks_of(Q, UNITS), fuse_backward_task, a);
	if (a->dgate_sum)
		products_backward(a, pool);
}

/* Moves the rows of start states and arcs together; the others' gradients of parent and sibling parts are zero. */
static int gather_arcs(const decoder *a, float *rows)
{
	const hp_plan *p = &a->t->plan;
	size_t width = 2 * (size_t)a->net->c.decoder_hidden;
	int to = a->t->count;
	for (int l = 0; l < p->levels; l++) {
		memmove(rows + (size_t)to * width, rows + ((size_t)a->t->count + (size_t)p->level_at[l]) * width,
		        (size_t)p->level_arcs[l] * width * sizeof(float));
		to += p->level_arcs[l];
	}
	return to;
}

/* Gradients of the fusion's weights, one product each.  Uses up the states beyond the start states. */
static void fusion_weights_backward(decoder *a, hp_pool *pool)
{
	hp_dep_trace *t = a->t;
	int Q = a->net->c.decoder_hidden, rows = t->count + t->plan.total;
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING && a->dgate_sum; s++)
		hp_gemm(pool, true, false, Q, Q, 2 * t->plan.total, a->dgate_sum, Q, t->product[s], Q, 1.0f,
		        a->net->gate[s]->grad, Q);
	for (int s = 0; s < HP_SOURCES; s++) {
		if (s == HP_FROM_PARENT)
			rows = gather_arcs(a, t->state);
		if (s != HP_FROM_PREVIOUS && a->dpart[s])
			gather_arcs(a, a->dpart[s]);
		if (s != HP_FROM_PREVIOUS && a->dgate[s])
			gather_arcs(a, a->dgate[s]);
		if (a->dpart[s])
			hp_gemm(pool, true, false, Q, Q, 2 * rows, a->dpart[s], Q, t->state, Q, 1.0f, a->net->fuse[s]->grad, Q);
		if (a->dgate[s])
			hp_gemm(pool, true, false, Q, Q, 2 * rows, a->dgate[s], Q, t->state, Q, 1.0f, a->net->gate[s]->grad, Q);
	}
}

/* The decoder's input: gates -> z -> W_src · h -> h */
static int input_backward(decoder *a, hp_pool *pool, hp_arena *arena, float *dh)
{
	hp_dep_trace *t = a->t;
	const hp_dep_net *net = a->net;
	const hp_plan *p = &t->plan;
	int I = net->c.decoder_input, Q = net->c.decoder_hidden;
	float *dz = HP_NEW(arena, float, (size_t)p->total * I), *dsource = HP_NEW0(arena, float, (size_t)p->rows * I);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_linear_backward(pool, p->total, I, 4 * Q, t->z, net->decoder.w_ih->value, t->gates, net->decoder.w_ih->grad,
	                   net->decoder.b->grad, dz, false);
	for (int o = 0; o < p->total; o++) {
		float *d = dz + (size_t)o * I;
		hp_vec_elu_backward((size_t)I, t->z + (size_t)o * I, d);
		hp_vec_add((size_t)I, d, net->src.b->grad);
		hp_vec_add((size_t)I, d, dsource + (size_t)p->head[o] * I);
		if (p->sibling[o] >= 0)
			hp_vec_add((size_t)I, d, dsource + (size_t)p->sibling[o] * I);
		hp_vec_add((size_t)I, d, dsource + (size_t)p->grandparent[o] * I);
	}
	hp_linear_backward(pool, p->rows, 2 * net->c.hidden, I, t->h, net->src.w->value, dsource, net->src.w->grad, NULL,
	                   dh, true);
	return 0;
}

int hp_dep_decoder_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                            float *dstate)
{
	decoder a = {.t = t, .net = net, .dstate = dstate};
	int Q = net->c.decoder_hidden;
	if (alloc_backward(&a, arena))
		return HP_FAIL;
	for (int l = t->plan.levels - 1; l >= 0; l--) {
		set_level(&a, l);
		level_backward(&a, pool);
	}
	project_backward(&a, pool, 0, t->count, t->count);
	hp_gemm(pool, true, false, 4 * Q, Q, t->plan.total, t->gates, 4 * Q, t->hidden_in, Q, 1.0f, net->decoder.w_hh->grad,
	        Q);
	fusion_weights_backward(&a, pool);
	return input_backward(&a, pool, arena, dh);
}
