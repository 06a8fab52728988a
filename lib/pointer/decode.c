/* decode.c: the hierarchical decoder in training: from units and start states to the decoder's states, level by level
 * (levels.h), and back (paper Eq. 3-6, DESIGN section 4).
 *
 * A product W · d is made once, when state d is new, and used by every later step that fuses d. */
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/train.h"

enum { ROWS = 8, UNITS = 128 }; /* of one task */

typedef struct decoder {
	const hp_net *net;
	const hp_levels *p;
	const hp_masks *mask;
	hp_decode_trace *t;
	hp_pool *pool;
	const float *unit; /* unit rows [. × W] */
	size_t P, Q; /* of a state */
	int count; /* sentences, start states */
	int from, rows, kept; /* the level: order rows from ... from + rows - 1, those that are kept first */
	int layer;
	hp_gemm_job *jobs; /* of a group */
	/* backward */
	float *dstate, *dfused, *dz; /* [states × P × Q], [widest level × P × Q], [widest level × Q] */
	float *dpart[HP_SOURCES], *dgate[HP_SOURCES]; /* [states × P × Q] or NULL */
	float *dgate_sum, *dproduct[HP_SOURCES]; /* SGate: [total × P × Q], [widest level × P × Q] */
} decoder;

static bool is_sgate(const hp_net *net)
{
	return net->c.gate == HP_GATE_SGATE;
}

static void set_level(decoder *a, int level)
{
	a->from = a->p->level_at[level];
	a->rows = a->p->level_at[level + 1] - a->from;
	a->kept = a->p->level_kept[level];
}

static int tasks_of(int size, int each)
{
	return (size + each - 1) / each;
}

static int start(decoder *a, hp_trace *t)
{
	const hp_net *net = t->net;
	*a = (decoder){.net = net,
	               .p = &t->batch.levels,
	               .mask = &t->batch.mask,
	               .t = &t->decode,
	               .pool = t->pool,
	               .unit = t->encode.unit,
	               .P = net->s.P,
	               .Q = net->s.Q,
	               .count = t->batch.count};
	size_t most = net->s.L * HP_CELL_JOBS;
	a->jobs = HP_NEW(t->arena, hp_gemm_job, most > 2 * HP_SOURCES ? most : 2 * HP_SOURCES);
	return a->jobs ? 0 : HP_FAIL;
}

static float *state_of(const decoder *a, int state)
{
	return a->t->state + (size_t)state * a->P * a->Q;
}

/* A row's last row of its task, in the level. */
static int task_end(const decoder *a, int task)
{
	int end = (task + 1) * ROWS;
	return a->from + (end < a->rows ? end : a->rows);
}

/* ---- forward ---- */

static int alloc_forward(const decoder *a, hp_arena *arena)
{
	hp_decode_trace *t = a->t;
	const hp_net *net = a->net;
	size_t total = (size_t)a->p->total, state = a->P * a->Q, states = ((size_t)a->count + total) * state;
	t->source = net->src.w ? HP_NEW(arena, float, (size_t)a->p->rows * net->s.I) : NULL;
	t->z = HP_NEW(arena, float *, net->s.L);
	t->gates = HP_NEW(arena, float *, net->s.L);
	t->tanh_cell = net->decoder[0].kind == HP_LSTM ? HP_NEW(arena, float, total * a->Q) : NULL;
	t->tanh_fused = HP_NEW(arena, float, total * state);
	t->fused = net->gate_b ? HP_NEW(arena, float, total * state) : t->tanh_fused;
	t->gate = net->gate_b ? HP_NEW(arena, float, total * state) : NULL;
	t->hidden_in = a->mask->fused ? HP_NEW(arena, float, total * a->Q) : t->fused;
	t->hidden_ld = (int)(a->mask->fused ? a->Q : state);
	for (int s = 0; s < HP_SOURCES; s++) {
		if (net->fuse[s])
			t->fuse_part[s] = HP_NEW(arena, float, states);
		if (net->gate[s] && !is_sgate(net))
			t->gate_part[s] = HP_NEW(arena, float, states);
		else if (net->gate[s])
			t->product[s] = HP_NEW(arena, float, total * state);
	}
	t->gate_sum = is_sgate(net) ? HP_NEW(arena, float, total * state) : NULL;
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t l = 0; l < net->s.L; l++) {
		t->z[l] = HP_NEW(arena, float, total * (size_t)net->decoder[l].in);
		t->gates[l] = HP_NEW(arena, float, total * 4 * a->Q);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* What is known of the tree around: the sum of some units; dep: z = ELU(W_src (h_head + ...) + b). */
static void input_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_affine *src = &a->net->src;
	size_t I = a->net->s.I;
	const float *from = src->w ? a->t->source : a->unit;
	for (int o = task * ROWS; o < (task + 1) * ROWS && o < a->p->total; o++) {
		float *z = a->t->z[0] + (size_t)o * I;
		memcpy(z, src->w ? src->b->value : from + (size_t)a->p->input[0][o] * I, I * sizeof(float));
		for (int i = src->w ? 0 : 1; i < HP_INPUTS; i++)
			if (a->p->input[i][o] >= 0)
				hp_vec_add(I, from + (size_t)a->p->input[i][o] * I, z);
		if (src->w)
			hp_vec_elu(I, z);
	}
}

/* SGate: d_previous · d_parent and d_previous · d_sibling of a level's rows. */
static void product_task(void *arg, int task)
{
	const decoder *a = arg;
	size_t width = a->P * a->Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++)
		for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++) {
			float *x = a->t->product[s] + (size_t)o * width;
			if (a->p->from[s][o] < 0) {
				memset(x, 0, width * sizeof(float));
				continue;
			}
			memcpy(x, state_of(a, a->p->from[s][o]), width * sizeof(float));
			hp_vec_mul(width, state_of(a, a->p->from[HP_FROM_PREVIOUS][o]), x);
		}
}

static void make_products(decoder *a)
{
	int Q = (int)a->Q;
	size_t at = (size_t)a->from * a->P * a->Q;
	hp_pool_run(a->pool, tasks_of(a->rows, ROWS), product_task, a);
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
		hp_gemm(a->pool, false, true, (int)a->P * a->rows, Q, Q, a->t->product[s] + at, Q, a->net->gate[s]->value, Q,
		        s == HP_FROM_PARENT ? 0.0f : 1.0f, a->t->gate_sum + at, Q);
}

/* h'' of one order row, vector by vector; with fusion T the previous state itself. */
static void fuse_row(const decoder *a, int o)
{
	const hp_decode_trace *t = a->t;
	size_t Q = a->Q, row = (size_t)o * a->P * Q;
	if (a->net->c.fusion == HP_FUSION_T) {
		memcpy(t->fused + row, state_of(a, a->p->from[HP_FROM_PREVIOUS][o]), a->P * Q * sizeof(float));
		return;
	}
	for (size_t p = 0; p < a->P; p++) {
		size_t at = row + p * Q;
		const float *part[HP_SOURCES] = {NULL}, *gate_part[HP_SOURCES] = {NULL};
		for (int s = 0; s < HP_SOURCES; s++) {
			int from = a->p->from[s][o];
			if (from < 0)
				continue;
			size_t state = ((size_t)from * a->P + p) * Q;
			part[s] = t->fuse_part[s] ? t->fuse_part[s] + state : NULL;
			gate_part[s] = t->gate_part[s] ? t->gate_part[s] + state : NULL;
		}
		if (t->gate_sum)
			gate_part[0] = t->gate_sum + at;
		hp_fuse((int)Q, HP_SOURCES, part, gate_part, a->net->gate_b ? a->net->gate_b->value : NULL, t->tanh_fused + at,
		        t->gate ? t->gate + at : NULL, t->fused + at);
	}
}

static void fuse_task(void *arg, int task)
{
	const decoder *a = arg;
	size_t Q = a->Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++) {
		fuse_row(a, o);
		if (!a->mask->fused)
			continue;
		float *hidden = a->t->hidden_in + (size_t)o * Q;
		memcpy(hidden, a->t->fused + (size_t)o * a->P * Q, Q * sizeof(float));
		hp_vec_mul(Q, a->mask->fused + (size_t)a->p->sentence[o] * Q, hidden);
	}
}

/* The new hidden state is, after dropout, the next layer's input. */
static void cell_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_decode_trace *t = a->t;
	size_t l = (size_t)a->layer, Q = a->Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++) {
		float *h = state_of(a, a->count + o) + l * Q, *gates = t->gates[l] + (size_t)o * 4 * Q;
		const float *old = t->fused + ((size_t)o * a->P + l) * Q;
		if (t->tanh_cell)
			hp_lstm_forward((int)Q, (int)Q, gates, old + Q, h + Q, t->tanh_cell + (size_t)o * Q, h);
		else
			hp_gru_forward((int)Q, (int)Q, gates, old, h);
		if (l + 1 == a->net->s.L)
			continue;
		float *z = t->z[l + 1] + (size_t)o * Q;
		memcpy(z, h, Q * sizeof(float));
		if (a->mask->decoder[l + 1])
			hp_vec_mul(Q, a->mask->decoder[l + 1] + (size_t)o * Q, z);
	}
}

/* The products of ROWS new states, from number STATE on; parents' and siblings' only of the first KEPT, siblings' not
 * of start states. */
static void project(decoder *a, int state, int rows, int kept)
{
	int count = 0, Q = (int)a->Q;
	size_t at = (size_t)state * a->P * a->Q;
	for (int s = 0; s < HP_SOURCES; s++) {
		int m = (int)a->P * (s == HP_FROM_PREVIOUS ? rows : s == HP_FROM_SIBLING && state == 0 ? 0 : kept);
		hp_gemm_job job = {.tb = true, .m = m, .n = Q, .k = Q, .a = a->t->state + at, .lda = Q, .ldb = Q, .ldc = Q};
		if (a->t->fuse_part[s]) {
			job.b = a->net->fuse[s]->value;
			job.c = a->t->fuse_part[s] + at;
			a->jobs[count++] = job;
		}
		if (a->t->gate_part[s]) {
			job.b = a->net->gate[s]->value;
			job.c = a->t->gate_part[s] + at;
			a->jobs[count++] = job;
		}
	}
	hp_gemm_group(a->pool, count, a->jobs);
}

static void level_forward(decoder *a)
{
	hp_decode_trace *t = a->t;
	int tasks = tasks_of(a->rows, ROWS), jobs = 0;
	size_t from = (size_t)a->from;
	if (is_sgate(a->net))
		make_products(a);
	hp_pool_run(a->pool, tasks, fuse_task, a);
	for (size_t l = 0; l < a->net->s.L; l++)
		jobs += hp_cell_recurrent(&a->net->decoder[l], a->rows, 0, (int)a->Q,
		                          t->hidden_in + from * (size_t)t->hidden_ld + l * a->Q, t->hidden_ld,
		                          t->gates[l] + from * 4 * a->Q, a->jobs + jobs);
	hp_gemm_group(a->pool, jobs, a->jobs);
	for (a->layer = 0; a->layer < (int)a->net->s.L; a->layer++) {
		const hp_cell *cell = &a->net->decoder[a->layer];
		if (a->layer)
			hp_cell_input(a->pool, cell, a->rows, t->z[a->layer] + from * a->Q, t->gates[a->layer] + from * 4 * a->Q);
		hp_pool_run(a->pool, tasks, cell_task, a);
	}
	project(a, a->count + a->from, a->rows, a->kept);
}

int hp_decode_forward(hp_trace *t)
{
	decoder a;
	const hp_net *net = t->net;
	if (start(&a, t) || alloc_forward(&a, t->arena))
		return HP_FAIL;
	if (net->src.w)
		hp_linear_forward(t->pool, a.p->rows, (int)net->s.W, (int)net->s.I, a.unit, net->src.w->value, NULL,
		                  t->decode.source);
	hp_pool_run(t->pool, tasks_of(a.p->total, ROWS), input_task, &a);
	for (size_t l = 0; l < net->s.L; l++)
		hp_cell_biases(t->pool, &net->decoder[l], a.p->total, t->decode.gates[l]);
	hp_cell_input(t->pool, &net->decoder[0], a.p->total, t->decode.z[0], t->decode.gates[0]);
	project(&a, 0, a.count, a.count);
	for (int l = 0; l < a.p->levels; l++) {
		set_level(&a, l);
		level_forward(&a);
	}
	return 0;
}

/* ---- backward ---- */

static int alloc_backward(decoder *a, hp_arena *arena)
{
	const hp_decode_trace *t = a->t;
	size_t total = (size_t)a->p->total, state = a->P * a->Q, states = ((size_t)a->count + total) * state, widest = 0;
	for (int l = 0; l < a->p->levels; l++) {
		size_t m = (size_t)(a->p->level_at[l + 1] - a->p->level_at[l]);
		widest = m > widest ? m : widest;
	}
	a->dfused = HP_NEW(arena, float, widest * state);
	a->dz = a->net->s.L > 1 ? HP_NEW(arena, float, widest * a->Q) : NULL;
	for (int s = 0; s < HP_SOURCES; s++) {
		if (t->fuse_part[s])
			a->dpart[s] = HP_NEW0(arena, float, states);
		if (t->gate_part[s])
			a->dgate[s] = HP_NEW0(arena, float, states);
		if (t->product[s])
			a->dproduct[s] = HP_NEW(arena, float, widest * state);
	}
	if (t->gate_sum)
		a->dgate_sum = HP_NEW(arena, float, total * state);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* dstate += dpart · W for ROWS states, as in project. */
static void project_backward(decoder *a, int state, int rows, int kept)
{
	int Q = (int)a->Q;
	size_t at = (size_t)state * a->P * a->Q;
	for (int s = 0; s < HP_SOURCES; s++) {
		int m = (int)a->P * (s == HP_FROM_PREVIOUS ? rows : kept);
		if (a->dpart[s])
			hp_gemm(a->pool, false, false, m, Q, Q, a->dpart[s] + at, Q, a->net->fuse[s]->value, Q, 1.0f,
			        a->dstate + at, Q);
		if (a->dgate[s])
			hp_gemm(a->pool, false, false, m, Q, Q, a->dgate[s] + at, Q, a->net->gate[s]->value, Q, 1.0f,
			        a->dstate + at, Q);
	}
}

/* Of one layer; takes up the gradient that came through the next layer's input.  What a cell took as its old state gets
 * its gradient, but for the part through W_hh. */
static void cell_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_decode_trace *t = a->t;
	size_t l = (size_t)a->layer, Q = a->Q;
	int n = (int)Q;
	for (int o = a->from + task * ROWS; o < task_end(a, task); o++) {
		size_t row = (size_t)(o - a->from);
		float *gates = t->gates[l] + (size_t)o * 4 * Q, *dh = a->dfused + (row * a->P + l) * Q;
		const float *dstate = a->dstate + ((size_t)(a->count + o) * a->P + l) * Q;
		const float *old = t->fused + ((size_t)o * a->P + l) * Q;
		if (t->tanh_cell) {
			memcpy(dh + Q, dstate + Q, Q * sizeof(float));
			hp_lstm_backward(n, n, gates, old + Q, t->tanh_cell + (size_t)o * Q, dstate, dh + Q);
			continue;
		}
		memcpy(dh, dstate, Q * sizeof(float));
		if (l + 1 < a->net->s.L) {
			float *dz = a->dz + row * Q;
			if (a->mask->decoder[l + 1])
				hp_vec_mul(Q, a->mask->decoder[l + 1] + (size_t)o * Q, dz);
			hp_vec_add(Q, dz, dh);
		}
		hp_gru_backward(n, n, gates, old, dh);
	}
}

/* Some units of one row: gradient of h'' -> gradients of the parts, added where the states came from. */
static void fuse_row_backward(const decoder *a, int o, size_t p, size_t unit, size_t n, const float *du)
{
	const hp_decode_trace *t = a->t;
	size_t at = ((size_t)o * a->P + p) * a->Q + unit;
	float dpart[UNITS], dgate[UNITS];
	hp_fuse_backward((int)n, t->tanh_fused + at, t->gate ? t->gate + at : NULL, du, dpart, dgate);
	for (int s = 0; s < HP_SOURCES; s++) {
		int from = a->p->from[s][o];
		if (from < 0)
			continue;
		size_t state = ((size_t)from * a->P + p) * a->Q + unit;
		if (a->dpart[s])
			hp_vec_add(n, dpart, a->dpart[s] + state);
		if (a->dgate[s])
			hp_vec_add(n, dgate, a->dgate[s] + state);
	}
	if (a->dgate_sum)
		memcpy(a->dgate_sum + at, dgate, n * sizeof(float));
	if (a->net->gate_b)
		hp_vec_add(n, dgate, a->net->gate_b->grad + unit);
}

/* A block of units of all the level's rows, since several rows may have used the same state. */
static void fuse_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	size_t Q = a->Q, unit = (size_t)task * UNITS, n = Q - unit < UNITS ? Q - unit : UNITS;
	for (int o = a->from; o < a->from + a->rows; o++) {
		float *du = a->dfused + (size_t)(o - a->from) * a->P * Q + unit;
		if (a->mask->fused)
			hp_vec_mul(n, a->mask->fused + (size_t)a->p->sentence[o] * Q + unit, du);
		for (size_t p = 0; p < a->P; p++)
			if (a->net->c.fusion != HP_FUSION_T)
				fuse_row_backward(a, o, p, unit, n, du + p * Q);
			else
				hp_vec_add(n, du + p * Q, a->dstate + ((size_t)a->p->from[HP_FROM_PREVIOUS][o] * a->P + p) * Q + unit);
	}
}

/* SGate: from the products' gradient to the states that were multiplied. */
static void product_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	size_t width = a->P * a->Q, unit = (size_t)task * UNITS, n = width - unit < UNITS ? width - unit : UNITS;
	for (int o = a->from; o < a->from + a->rows; o++)
		for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++) {
			if (a->p->from[s][o] < 0)
				continue;
			size_t other = (size_t)a->p->from[s][o] * width + unit;
			size_t previous = (size_t)a->p->from[HP_FROM_PREVIOUS][o] * width + unit;
			const float *d = a->dproduct[s] + (size_t)(o - a->from) * width + unit;
			hp_vec_add_mul(n, d, a->t->state + other, a->dstate + previous);
			hp_vec_add_mul(n, d, a->t->state + previous, a->dstate + other);
		}
}

static void products_backward(decoder *a)
{
	int Q = (int)a->Q;
	const float *d = a->dgate_sum + (size_t)a->from * a->P * a->Q;
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING; s++)
		hp_gemm(a->pool, false, false, (int)a->P * a->rows, Q, Q, d, Q, a->net->gate[s]->value, Q, 0.0f, a->dproduct[s],
		        Q);
	hp_pool_run(a->pool, tasks_of((int)(a->P * a->Q), UNITS), product_backward_task, a);
}

/* The gradient that reaches the old hidden states through W_hh, of all layers. */
static void recurrent_backward(decoder *a)
{
	size_t L = a->net->s.L;
	int rounds = 0;
	for (size_t l = 0; l < L; l++) {
		hp_gemm_job two[2];
		rounds = hp_cell_recurrent_backward(&a->net->decoder[l], a->rows, 0, (int)a->Q,
		                                    a->t->gates[l] + (size_t)a->from * 4 * a->Q, a->dfused + l * a->Q,
		                                    (int)(a->P * a->Q), two);
		for (int i = 0; i < rounds; i++)
			a->jobs[(size_t)i * L + l] = two[i];
	}
	for (int i = 0; i < rounds; i++)
		hp_gemm_group(a->pool, (int)L, a->jobs + (size_t)i * L);
}

static void level_backward(decoder *a)
{
	project_backward(a, a->count + a->from, a->rows, a->kept);
	for (a->layer = (int)a->net->s.L - 1; a->layer >= 0; a->layer--) {
		const hp_cell *cell = &a->net->decoder[a->layer];
		int Q = (int)a->Q;
		hp_pool_run(a->pool, tasks_of(a->rows, ROWS), cell_backward_task, a);
		if (a->layer)
			hp_gemm(a->pool, false, false, a->rows, Q, hp_cell_gates(cell->kind) * Q,
			        a->t->gates[a->layer] + (size_t)a->from * 4 * a->Q, 4 * Q, cell->w_ih->value, Q, 0.0f, a->dz, Q);
	}
	recurrent_backward(a);
	hp_pool_run(a->pool, tasks_of((int)a->Q, UNITS), fuse_backward_task, a);
	if (a->dgate_sum)
		products_backward(a);
}

/* ---- gradients of the weights, one product each ---- */

/* Moves the rows of start states and of steps that are kept together; the others' gradients of parent and sibling parts
 * are zero. */
static int gather_kept(const decoder *a, float *rows)
{
	size_t width = a->P * a->Q;
	int to = a->count;
	for (int l = 0; l < a->p->levels; l++) {
		memmove(rows + (size_t)to * width, rows + (size_t)(a->count + a->p->level_at[l]) * width,
		        (size_t)a->p->level_kept[l] * width * sizeof(float));
		to += a->p->level_kept[l];
	}
	return to;
}

/* Uses up the states beyond the start states. */
static void fusion_weights_backward(decoder *a)
{
	hp_decode_trace *t = a->t;
	int Q = (int)a->Q, P = (int)a->P, rows = a->count + a->p->total;
	for (int s = HP_FROM_PARENT; s <= HP_FROM_SIBLING && a->dgate_sum; s++)
		hp_gemm(a->pool, true, false, Q, Q, P * a->p->total, a->dgate_sum, Q, t->product[s], Q, 1.0f,
		        a->net->gate[s]->grad, Q);
	for (int s = 0; s < HP_SOURCES; s++) {
		if (s == HP_FROM_PARENT)
			rows = gather_kept(a, t->state);
		if (s != HP_FROM_PREVIOUS && a->dpart[s])
			gather_kept(a, a->dpart[s]);
		if (s != HP_FROM_PREVIOUS && a->dgate[s])
			gather_kept(a, a->dgate[s]);
		if (a->dpart[s])
			hp_gemm(a->pool, true, false, Q, Q, P * rows, a->dpart[s], Q, t->state, Q, 1.0f, a->net->fuse[s]->grad, Q);
		if (a->dgate[s])
			hp_gemm(a->pool, true, false, Q, Q, P * rows, a->dgate[s], Q, t->state, Q, 1.0f, a->net->gate[s]->grad, Q);
	}
}

/* The decoder's input, from dz [total × I]: to du [unit rows × W]. */
static int input_backward(decoder *a, hp_arena *arena, float *dz, float *du)
{
	const hp_affine *src = &a->net->src;
	size_t I = a->net->s.I;
	float *to = src->w ? HP_NEW0(arena, float, (size_t)a->p->rows * I) : du;
	if (!to)
		return HP_FAIL;
	for (int o = 0; o < a->p->total; o++) {
		float *d = dz + (size_t)o * I;
		if (src->w) {
			hp_vec_elu_backward(I, a->t->z[0] + (size_t)o * I, d);
			hp_vec_add(I, d, src->b->grad);
		}
		for (int i = 0; i < HP_INPUTS; i++)
			if (a->p->input[i][o] >= 0)
				hp_vec_add(I, d, to + (size_t)a->p->input[i][o] * I);
	}
	if (src->w)
		hp_linear_backward(a->pool, a->p->rows, (int)a->net->s.W, (int)I, a->unit, src->w->value, to, src->w->grad,
		                   NULL, du, true);
	return 0;
}

/* dd [step rows × Q] is the gradient of what the pointer and the labels took of the states. */
static void states_backward(decoder *a, const float *dd)
{
	size_t Q = a->Q, width = a->P * Q, last = a->net->s.L - 1;
	memset(a->dstate, 0, ((size_t)a->count + (size_t)a->p->total) * width * sizeof(float));
	for (int r = 0; r < a->p->total; r++) {
		float *to = a->dstate + (size_t)(a->count + a->p->order_row[r]) * width + last * Q;
		memcpy(to, dd + (size_t)r * Q, Q * sizeof(float));
		if (a->mask->out)
			hp_vec_mul(Q, a->mask->out + (size_t)a->p->owner[r] * Q, to);
	}
}

int hp_decode_backward(hp_trace *t, const float *dd, float *du, float *dstate)
{
	decoder a;
	const hp_net *net = t->net;
	if (start(&a, t) || alloc_backward(&a, t->arena))
		return HP_FAIL;
	a.dstate = dstate;
	states_backward(&a, dd);
	for (int l = a.p->levels - 1; l >= 0; l--) {
		set_level(&a, l);
		level_backward(&a);
	}
	project_backward(&a, 0, a.count, a.count);
	float *dz = HP_NEW(t->arena, float, (size_t)a.p->total * net->s.I);
	if (!dz)
		return HP_FAIL;
	for (size_t l = 0; l < net->s.L; l++)
		if (hp_cell_weights_backward(t->pool, t->arena, &net->decoder[l], a.p->total, t->decode.z[l],
		                             t->decode.hidden_in + l * a.Q, t->decode.hidden_ld, t->decode.gates[l],
		                             l ? NULL : dz, false))
			return HP_FAIL;
	fusion_weights_backward(&a);
	return input_backward(&a, t->arena, dz, du);
}
