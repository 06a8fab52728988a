/* decode_backward.c: the way back through the decoder (decode.c): level by level to states and units, then the weights'
 * gradients, one product each. */
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/decoder.h"

static int alloc_backward(decoder *a, hp_arena *arena)
{
	const hp_decode_trace *t = a->t;
	int state = a->P * a->Q, widest = 0;
	for (int l = 0; l < a->p->levels; l++) {
		int m = a->p->level_at[l + 1] - a->p->level_at[l];
		widest = m > widest ? m : widest;
	}
	a->dfused = hp_matrix_new(arena, widest, state);
	if (a->net->s.L > 1)
		a->dz = hp_matrix_new(arena, widest, a->Q);
	for (int s = 0; s < HP_SOURCES; s++) {
		if (t->fuse_part[s].data)
			a->dpart[s] = hp_matrix_new(arena, t->state.rows, state);
		if (t->gate_part[s].data)
			a->dgate[s] = hp_matrix_new(arena, t->state.rows, state);
		if (t->product[s].data)
			a->dproduct[s] = hp_matrix_new(arena, widest, state);
	}
	if (t->gate_sum.data)
		a->dgate_sum = hp_matrix_new(arena, a->p->total, state);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* dstate += dpart · W for ROWS states, as in project. */
static void project_backward(decoder *a, int state, int rows, int kept)
{
	for (int s = 0; s < HP_SOURCES; s++) {
		int m = s == HP_FROM_PREVIOUS ? rows : kept;
		hp_matrix part[2] = {a->dpart[s], a->dgate[s]};
		for (int i = 0; i < 2; i++)
			if (part[i].data)
				hp_gemm(a->pool, (hp_product){.c = vectors_of(a, hp_some_rows(a->dstate, state, m)),
				                              .a = vectors_of(a, hp_some_rows(part[i], state, m)),
				                              .b = i ? a->gate[s] : a->fuse[s],
				                              .add = true});
	}
}

/* Of one layer; takes up the gradient that came through the next layer's input.  What a cell took as its old state gets
 * its gradient, but for the part through W_hh. */
static void cell_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_decode_trace *t = a->t;
	int l = a->layer, at = l * a->Q;
	size_t Q = (size_t)a->Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++) {
		float *gates = hp_row(t->gates[l], o), *dh = hp_row(a->dfused, o - a->from) + at;
		const float *dstate = hp_row(a->dstate, a->count + o) + at, *old = hp_row(t->fused, o) + at;
		if (t->tanh_cell.data) {
			memcpy(dh + Q, dstate + Q, Q * sizeof(float));
			hp_lstm_backward(a->Q, gates, old + Q, hp_row(t->tanh_cell, o), dstate, dh + Q);
			continue;
		}
		memcpy(dh, dstate, Q * sizeof(float));
		if (l + 1 < (int)a->net->s.L) {
			float *dz = hp_row(a->dz, o - a->from);
			if (a->mask->decoder[l + 1])
				hp_vec_mul(Q, a->mask->decoder[l + 1] + (size_t)o * Q, dz);
			hp_vec_add(Q, dz, dh);
		}
		hp_gru_backward(a->Q, gates, old, dh);
	}
}

/* N units, from UNIT on, of one row's vector at place AT: gradient of h'' -> gradients of the parts, added where the
 * states came from. */
static void fuse_row_backward(const decoder *a, int o, int at, int unit, int n, const float *du)
{
	const hp_decode_trace *t = a->t;
	float dpart[UNITS], dgate[UNITS];
	size_t size = (size_t)n;
	at += unit;
	hp_fuse_backward(n, hp_row(t->tanh_fused, o) + at, t->gate.data ? hp_row(t->gate, o) + at : NULL, du, dpart, dgate);
	for (int s = 0; s < HP_SOURCES; s++) {
		int from = a->p->from[s][o];
		if (from < 0)
			continue;
		if (a->dpart[s].data)
			hp_vec_add(size, dpart, hp_row(a->dpart[s], from) + at);
		if (a->dgate[s].data)
			hp_vec_add(size, dgate, hp_row(a->dgate[s], from) + at);
	}
	if (a->dgate_sum.data)
		memcpy(hp_row(a->dgate_sum, o) + at, dgate, size * sizeof(float));
	if (a->net->gate_b)
		hp_vec_add(size, dgate, a->net->gate_b->grad + unit);
}

/* A block of units of all the level's rows, since several rows may have used the same state. */
static void fuse_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	int unit = task * UNITS, n = a->Q - unit < UNITS ? a->Q - unit : UNITS;
	for (int o = a->from; o < a->from + a->rows; o++) {
		float *du = hp_row(a->dfused, o - a->from) + unit;
		if (a->mask->fused)
			hp_vec_mul((size_t)n, a->mask->fused + (size_t)a->p->sentence[o] * (size_t)a->Q + unit, du);
		for (int at = 0; at < a->P * a->Q; at += a->Q)
			if (a->net->c.fusion != HP_FUSION_T)
				fuse_row_backward(a, o, at, unit, n, du + at);
			else
				hp_vec_add((size_t)n, du + at, hp_row(a->dstate, a->p->from[HP_FROM_PREVIOUS][o]) + at + unit);
	}
}

/* SGate: from the products' gradient to the states that were multiplied. */
static void product_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	int width = a->P * a->Q, unit = task * UNITS;
	size_t n = (size_t)(width - unit < UNITS ? width - unit : UNITS);
	for (int o = a->from; o < a->from + a->rows; o++)
		for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++) {
			int other = a->p->from[s][o], previous = a->p->from[HP_FROM_PREVIOUS][o];
			if (other < 0)
				continue;
			const float *d = hp_row(a->dproduct[s], o - a->from) + unit;
			hp_vec_add_mul(n, d, hp_row(a->t->state, other) + unit, hp_row(a->dstate, previous) + unit);
			hp_vec_add_mul(n, d, hp_row(a->t->state, previous) + unit, hp_row(a->dstate, other) + unit);
		}
}

static void products_backward(decoder *a)
{
	hp_matrix d = vectors_of(a, level_of(a, a->dgate_sum));
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
		hp_gemm(a->pool,
		        (hp_product){.c = vectors_of(a, hp_some_rows(a->dproduct[s], 0, a->rows)), .a = d, .b = a->gate[s]});
	hp_pool_run(a->pool, tasks_of(a->P * a->Q, UNITS), product_backward_task, a);
}

/* The gradient that reaches the old hidden states through W_hh, of all layers. */
static void recurrent_backward(decoder *a)
{
	int L = (int)a->net->s.L, rounds = 0;
	for (int l = 0; l < L; l++) {
		hp_product two[2];
		rounds = hp_cell_recurrent_backward(&a->net->decoder[l], a->w_hh[l], level_of(a, a->t->gates[l]),
		                                    layer_of(a, hp_some_rows(a->dfused, 0, a->rows), l), two);
		for (int i = 0; i < rounds; i++)
			a->jobs[i * L + l] = two[i];
	}
	for (int i = 0; i < rounds; i++)
		hp_gemm_group(a->pool, L, a->jobs + i * L);
}

static void level_backward(decoder *a)
{
	project_backward(a, a->count + a->from, a->rows, a->kept);
	for (a->layer = (int)a->net->s.L - 1; a->layer >= 0; a->layer--) {
		const hp_cell *cell = &a->net->decoder[a->layer];
		hp_matrix gates = level_of(a, a->t->gates[a->layer]);
		hp_pool_run(a->pool, tasks_of(a->rows, ROWS), cell_backward_task, a);
		if (a->layer)
			hp_gemm(a->pool, (hp_product){.c = hp_some_rows(a->dz, 0, a->rows),
			                              .a = hp_some_columns(gates, 0, hp_cell_gates(cell->kind) * a->Q),
			                              .b = hp_param_values(cell->w_ih)});
	}
	recurrent_backward(a);
	hp_pool_run(a->pool, tasks_of(a->Q, UNITS), fuse_backward_task, a);
	if (a->dgate_sum.data)
		products_backward(a);
}

/* ---- gradients of the weights, one product each ---- */

typedef struct gathering {
	const decoder *a;
	hp_matrix m;
} gathering;

/* A block of columns: rows move to where others have left. */
static void gather_task(void *arg, int task)
{
	const gathering *g = arg;
	const hp_levels *p = g->a->p;
	int from = task * UNITS, to = g->a->count;
	hp_matrix m = hp_some_columns(g->m, from, g->m.cols - from < UNITS ? g->m.cols - from : UNITS);
	for (int l = 0; l < p->levels; l++)
		for (int i = 0; i < p->level_kept[l]; i++, to++) {
			const float *row = hp_row(m, g->a->count + p->level_at[l] + i);
			if (row != hp_row(m, to))
				memcpy(hp_row(m, to), row, (size_t)m.cols * sizeof(float));
		}
}

/* Moves the rows of start states and of steps that are kept together, and returns how many there are; the others'
 * gradients of parent and sibling parts are zero. */
static int gather_kept(const decoder *a, hp_matrix m)
{
	gathering g = {a, m};
	int rows = a->count;
	for (int l = 0; l < a->p->levels; l++)
		rows += a->p->level_kept[l];
	hp_pool_run(a->pool, tasks_of(m.cols, UNITS), gather_task, &g);
	return rows;
}

/* W's gradient += dᵀ · x for ROWS rows of states. */
static hp_product weight_job(const decoder *a, const hp_param *w, hp_matrix d, hp_matrix x, int rows)
{
	return (hp_product){.c = hp_param_grads(w),
	                    .a = vectors_of(a, hp_some_rows(d, 0, rows)),
	                    .b = vectors_of(a, hp_some_rows(x, 0, rows)),
	                    .ta = true,
	                    .add = true};
}

/* Uses up the states beyond the start states. */
static void fusion_weights_backward(decoder *a)
{
	hp_decode_trace *t = a->t;
	int rows = t->state.rows;
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING && a->dgate_sum.data; s++)
		hp_gemm(a->pool, weight_job(a, a->net->gate[s], a->dgate_sum, t->product[s], a->p->total));
	for (int s = 0, count = 0; s < HP_SOURCES; s++, count = 0) {
		if (s == HP_FROM_PARENT)
			rows = gather_kept(a, t->state);
		hp_matrix part[2] = {a->dpart[s], a->dgate[s]};
		for (int i = 0; i < 2; i++) {
			if (!part[i].data)
				continue;
			if (s != HP_FROM_PREVIOUS)
				gather_kept(a, part[i]);
			a->jobs[count++] = weight_job(a, i ? a->net->gate[s] : a->net->fuse[s], part[i], t->state, rows);
		}
		hp_gemm_group(a->pool, count, a->jobs);
	}
}

typedef struct inputs {
	const decoder *a;
	hp_matrix dz, to;
} inputs;

/* A block of columns, since several steps may have used the same unit. */
static void input_backward_task(void *arg, int task)
{
	const inputs *in = arg;
	const decoder *a = in->a;
	const hp_affine *src = &a->net->src;
	int from = task * UNITS, I = in->dz.cols;
	size_t n = (size_t)(I - from < UNITS ? I - from : UNITS);
	for (int o = 0; o < a->p->total; o++) {
		float *d = hp_row(in->dz, o) + from;
		if (src->w) {
			hp_vec_elu_backward(n, hp_row(a->t->z[0], o) + from, d);
			hp_vec_add(n, d, src->b->grad + from);
		}
		for (int i = 0; i < HP_INPUTS; i++)
			if (a->p->input[i][o] >= 0)
				hp_vec_add(n, d, hp_row(in->to, a->p->input[i][o]) + from);
	}
}

/* The decoder's input, from dz [total × I]: to du [unit rows × W]. */
static int input_backward(decoder *a, hp_arena *arena, hp_matrix dz, hp_matrix du)
{
	const hp_affine *src = &a->net->src;
	hp_matrix to = src->w ? hp_matrix_zeros(arena, a->t->source) : du;
	inputs in = {a, dz, to};
	if (!to.data)
		return HP_FAIL;
	hp_pool_run(a->pool, tasks_of(dz.cols, UNITS), input_backward_task, &in);
	if (src->w)
		hp_linear_backward(a->pool, a->unit, (hp_affine){src->w, NULL}, to, du, true);
	return 0;
}

static void clear_rows(hp_matrix m, int from, int end)
{
	if (m.data)
		memset(hp_row(m, from), 0, (size_t)(end - from) * (size_t)m.cols * sizeof(float));
}

/* Some states' gradients, and those of their parts. */
static void clear_task(void *arg, int task)
{
	const decoder *a = arg;
	int from = task * ROWS, end = from + ROWS < a->dstate.rows ? from + ROWS : a->dstate.rows;
	clear_rows(a->dstate, from, end);
	for (int s = 0; s < HP_SOURCES; s++) {
		clear_rows(a->dpart[s], from, end);
		clear_rows(a->dgate[s], from, end);
	}
}

static void states_task(void *arg, int task)
{
	const decoder *a = arg;
	size_t Q = (size_t)a->Q, last = a->net->s.L - 1;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < a->p->total; r++) {
		float *to = hp_row(a->dstate, a->count + a->p->order_row[r]) + last * Q;
		memcpy(to, hp_row(a->dd, r), Q * sizeof(float));
		if (a->mask->out)
			hp_vec_mul(Q, a->mask->out + (size_t)a->p->owner[r] * Q, to);
	}
}

static void states_backward(decoder *a)
{
	hp_pool_run(a->pool, tasks_of(a->dstate.rows, ROWS), clear_task, a);
	hp_pool_run(a->pool, tasks_of(a->p->total, ROWS), states_task, a);
}

int hp_decode_backward(hp_trace *t, hp_matrix dd, hp_matrix du, hp_matrix dstate)
{
	decoder a;
	const hp_net *net = t->net;
	if (hp_decoder_start(&a, t) || alloc_backward(&a, t->arena))
		return HP_FAIL;
	hp_arena_mark mark = hp_arena_save(t->arena);
	if (hp_decoder_pack(&a, t->arena, false))
		return HP_FAIL;
	a.dstate = dstate;
	a.dd = dd;
	states_backward(&a);
	for (int l = a.p->levels - 1; l >= 0; l--) {
		set_level(&a, l);
		level_backward(&a);
	}
	project_backward(&a, 0, a.count, a.count);
	hp_arena_restore(t->arena, mark);
	hp_matrix dz = hp_matrix_new(t->arena, a.p->total, (int)net->s.I), none = {0};
	if (!dz.data)
		return HP_FAIL;
	for (int l = 0; l < (int)net->s.L; l++)
		if (hp_cell_weights_backward(t->pool, t->arena, &net->decoder[l], t->decode.z[l],
		                             layer_of(&a, t->decode.hidden_in, l), t->decode.gates[l], l ? none : dz, false))
			return HP_FAIL;
	fusion_weights_backward(&a);
	return input_backward(&a, t->arena, dz, du);
}
