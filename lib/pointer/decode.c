/* decode.c: the hierarchical decoder in training: from units and start states to the decoder's states, level by level
 * (levels.h; paper Eq. 3-6, DESIGN section 4).
 *
 * A product W · d is made once, when state d is new, and used by every later step that fuses d. */
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/decoder.h"
#include "pointer/inputs.h"

int hp_decoder_start(decoder *a, hp_trace *t)
{
	const hp_net *net = t->net;
	*a = (decoder){.net = net,
	               .p = &t->batch.levels,
	               .mask = &t->batch.mask,
	               .t = &t->decode,
	               .pool = t->pool,
	               .unit = t->encode.unit,
	               .P = (int)net->s.P,
	               .Q = (int)net->s.Q,
	               .count = t->batch.count};
	size_t most = net->s.L * HP_CELL_JOBS;
	a->jobs = HP_NEW(t->arena, hp_product, most > 2 * HP_SOURCES ? most : 2 * HP_SOURCES);
	return a->jobs ? 0 : HP_FAIL;
}

int hp_decoder_pack(decoder *a, hp_arena *arena, bool turned)
{
	const hp_net *net = a->net;
	a->w_hh = HP_NEW(arena, hp_matrix, net->s.L);
	for (size_t l = 0; l < net->s.L && a->w_hh; l++)
		a->w_hh[l] = hp_gemm_pack(a->pool, arena, hp_param_values(net->decoder[l].w_hh), turned);
	for (int s = 0; s < HP_SOURCES; s++) {
		if (net->fuse[s])
			a->fuse[s] = hp_gemm_pack(a->pool, arena, hp_param_values(net->fuse[s]), turned);
		if (net->gate[s])
			a->gate[s] = hp_gemm_pack(a->pool, arena, hp_param_values(net->gate[s]), turned);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static inline bool is_sgate(const hp_net *net)
{
	return net->c.gate == HP_GATE_SGATE;
}

/* A row of a matrix of states; NULL where there is no such matrix, or no such state. */
static const float *row_of(hp_matrix m, int row)
{
	return m.data && row >= 0 ? hp_row(m, row) : NULL;
}

static const float *state_from(const decoder *a, int source, int o)
{
	return row_of(a->t->state, a->p->from[source][o]);
}

static int alloc_forward(const decoder *a, hp_arena *arena)
{
	hp_decode_trace *t = a->t;
	const hp_net *net = a->net;
	int total = a->p->total, state = a->P * a->Q, states = a->count + total;
	bool sgate = is_sgate(net);
	if (net->src.w)
		t->source = hp_matrix_new(arena, a->p->rows, (int)net->s.I);
	t->z = HP_NEW(arena, hp_matrix, net->s.L);
	t->gates = HP_NEW(arena, hp_matrix, net->s.L);
	if (net->decoder[0].kind == HP_LSTM)
		t->tanh_cell = hp_matrix_new(arena, total, a->Q);
	t->tanh_fused = t->fused = hp_matrix_new(arena, total, state);
	if (net->gate_b) {
		t->fused = hp_matrix_new(arena, total, state);
		t->gate = hp_matrix_new(arena, total, state);
	}
	t->hidden_in = a->mask->fused ? hp_matrix_new(arena, total, a->Q) : t->fused;
	for (int s = 0; s < HP_SOURCES; s++) {
		if (net->fuse[s])
			t->fuse_part[s] = hp_matrix_new(arena, states, state);
		if (net->gate[s] && !sgate)
			t->gate_part[s] = hp_matrix_new(arena, states, state);
		else if (net->gate[s])
			t->product[s] = hp_matrix_new(arena, total, state);
	}
	if (sgate)
		t->gate_sum = hp_matrix_new(arena, total, state);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t l = 0; l < net->s.L; l++) {
		t->z[l] = hp_matrix_new(arena, total, net->decoder[l].in);
		t->gates[l] = hp_matrix_new(arena, total, 4 * a->Q);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static void input_task(void *arg, int task)
{
	const decoder *a = arg;
	hp_matrix units = a->net->src.w ? a->t->source : a->unit;
	for (int o = task * ROWS; o < (task + 1) * ROWS && o < a->p->total; o++) {
		const float *from[HP_INPUTS];
		for (int i = 0; i < HP_INPUTS; i++)
			from[i] = row_of(units, a->p->input[i][o]);
		hp_step_input(a->net, from, hp_row(a->t->z[0], o));
	}
}

static void product_task(void *arg, int task)
{
	const decoder *a = arg;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++)
		for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
			hp_step_product(a->net, state_from(a, HP_FROM_PREVIOUS, o), state_from(a, s, o),
			                hp_row(a->t->product[s], o));
}

static void make_products(decoder *a)
{
	hp_matrix sum = vectors_of(a, level_of(a, a->t->gate_sum));
	hp_pool_run(a->pool, tasks_of(a->rows, ROWS), product_task, a);
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
		hp_gemm(a->pool, (hp_product){.c = sum,
		                              .a = vectors_of(a, level_of(a, a->t->product[s])),
		                              .b = a->gate[s],
		                              .tb = true,
		                              .add = s != HP_FROM_PARENT});
}

/* h'' of one order row. */
static void fuse_row(const decoder *a, int o)
{
	const hp_decode_trace *t = a->t;
	hp_step_parts parts = {{0}, {0}};
	for (int s = 0; s < HP_SOURCES; s++) {
		parts.fuse[s] = row_of(t->fuse_part[s], a->p->from[s][o]);
		parts.gate[s] = row_of(t->gate_part[s], a->p->from[s][o]);
	}
	if (t->gate_sum.data)
		parts.gate[0] = hp_row(t->gate_sum, o);
	hp_step_fuse(a->net, state_from(a, HP_FROM_PREVIOUS, o), &parts, hp_row(t->tanh_fused, o),
	             t->gate.data ? hp_row(t->gate, o) : NULL, hp_row(t->fused, o));
}

static void fuse_task(void *arg, int task)
{
	const decoder *a = arg;
	size_t Q = (size_t)a->Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++) {
		fuse_row(a, o);
		if (!a->mask->fused)
			continue;
		float *hidden = hp_row(a->t->hidden_in, o);
		memcpy(hidden, hp_row(a->t->fused, o), Q * sizeof(float));
		hp_vec_mul(Q, a->mask->fused + (size_t)a->p->sentence[o] * Q, hidden);
	}
}

/* The new hidden state is, after dropout, the next layer's input. */
static void cell_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_decode_trace *t = a->t;
	int l = a->layer, at = l * a->Q;
	size_t Q = (size_t)a->Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++) {
		float *h = hp_row(t->state, a->count + o) + at, *gates = hp_row(t->gates[l], o);
		const float *old = hp_row(t->fused, o) + at;
		if (t->tanh_cell.data)
			hp_lstm_forward(a->Q, gates, old + Q, h + Q, hp_row(t->tanh_cell, o), h);
		else
			hp_gru_forward(a->Q, gates, old, h);
		if (l + 1 == (int)a->net->s.L)
			continue;
		float *z = hp_row(t->z[l + 1], o);
		memcpy(z, h, Q * sizeof(float));
		if (a->mask->decoder[l + 1])
			hp_vec_mul(Q, a->mask->decoder[l + 1] + (size_t)o * Q, z);
	}
}

/* The products of ROWS new states, from number STATE on; parents' and siblings' only of the first KEPT, siblings' not
 * of start states. */
static void project(decoder *a, int state, int rows, int kept)
{
	int count = 0;
	for (int s = 0; s < HP_SOURCES; s++) {
		int m = s == HP_FROM_PREVIOUS ? rows : s == HP_FROM_SIBLING && state == 0 ? 0 : kept;
		hp_matrix *part[2] = {&a->t->fuse_part[s], &a->t->gate_part[s]};
		for (int i = 0; i < 2; i++)
			if (part[i]->data)
				a->jobs[count++] = (hp_product){.c = vectors_of(a, hp_some_rows(*part[i], state, m)),
				                                .a = vectors_of(a, hp_some_rows(a->t->state, state, m)),
				                                .b = i ? a->gate[s] : a->fuse[s],
				                                .tb = true};
	}
	hp_gemm_group(a->pool, count, a->jobs);
}

static void level_forward(decoder *a)
{
	hp_decode_trace *t = a->t;
	int tasks = tasks_of(a->rows, ROWS), jobs = 0, layers = (int)a->net->s.L;
	if (is_sgate(a->net))
		make_products(a);
	hp_pool_run(a->pool, tasks, fuse_task, a);
	for (int l = 0; l < layers; l++)
		jobs += hp_cell_recurrent(&a->net->decoder[l], a->w_hh[l], layer_of(a, level_of(a, t->hidden_in), l),
		                          level_of(a, t->gates[l]), a->jobs + jobs);
	hp_gemm_group(a->pool, jobs, a->jobs);
	for (a->layer = 0; a->layer < layers; a->layer++) {
		if (a->layer)
			hp_cell_input(a->pool, &a->net->decoder[a->layer], level_of(a, t->z[a->layer]),
			              level_of(a, t->gates[a->layer]));
		hp_pool_run(a->pool, tasks, cell_task, a);
	}
	project(a, a->count + a->from, a->rows, a->kept);
}

int hp_decode_forward(hp_trace *t)
{
	decoder a;
	const hp_net *net = t->net;
	if (hp_decoder_start(&a, t) || alloc_forward(&a, t->arena))
		return HP_FAIL;
	hp_arena_mark mark = hp_arena_save(t->arena);
	if (hp_decoder_pack(&a, t->arena, true))
		return HP_FAIL;
	if (net->src.w)
		hp_linear_forward(t->pool, a.unit, (hp_affine){net->src.w, NULL}, t->decode.source);
	hp_pool_run(t->pool, tasks_of(a.p->total, ROWS), input_task, &a);
	for (size_t l = 0; l < net->s.L; l++)
		hp_cell_biases(t->pool, &net->decoder[l], t->decode.gates[l]);
	hp_cell_input(t->pool, &net->decoder[0], t->decode.z[0], t->decode.gates[0]);
	project(&a, 0, a.count, a.count);
	for (int l = 0; l < a.p->levels; l++) {
		set_level(&a, l);
		level_forward(&a);
	}
	hp_arena_restore(t->arena, mark);
	return 0;
}
