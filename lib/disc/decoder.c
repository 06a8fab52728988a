/* decoder.c: the hierarchical decoder in training: from EDUs and the start states to the decoder's states, level by
 * level (oracle.h), and back (DESIGN section 4).
 *
 * A product W · d is made once, when state d is new, and used by every later step that fuses d. */
#include "disc/train.h"

#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

enum { ROWS = 16, UNITS = 128 }; /* of one task */

typedef struct decoder {
	hp_rst_trace *t;
	const hp_rst_net *net;
	hp_gru_weights *w; /* [layers] */
	hp_gemm_job *jobs; /* [3 × layers] */
	size_t H, L;
	int from, rows; /* the level: order rows from ... from + rows - 1 */
	int layer;
	/* backward */
	float *de, *dstate; /* [EDU rows × H], [states × L × H] */
	float *dfused, *dz; /* [widest level × L × H], [widest level × H] */
	float *dpart[HP_SOURCES]; /* [states × L × H] or NULL */
} decoder;

static void set_level(decoder *a, int level)
{
	a->from = a->t->plan.level_at[level];
	a->rows = a->t->plan.level_at[level + 1] - a->from;
}

static int tasks_of(int size, int each)
{
	return (size + each - 1) / each;
}

static int start(decoder *a, hp_rst_trace *t, const hp_rst_net *net, hp_arena *arena)
{
	*a = (decoder){.t = t, .net = net, .H = (size_t)net->c.hidden, .L = (size_t)net->c.layers};
	a->w = HP_NEW(arena, hp_gru_weights, a->L);
	a->jobs = HP_NEW(arena, hp_gemm_job, 3 * a->L);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t l = 0; l < a->L; l++)
		a->w[l] = hp_gru_weights_of(&net->decoder[l]);
	return 0;
}

static float *state_of(const decoder *a, int state, int layer)
{
	return a->t->state + ((size_t)state * a->L + (size_t)layer) * a->H;
}

/* ---- forward ---- */

static int alloc_forward(decoder *a, hp_arena *arena)
{
	hp_rst_trace *t = a->t;
	size_t total = (size_t)t->plan.total, states = (size_t)t->count + total;
	t->fused = HP_NEW(arena, float, total * a->L * a->H);
	t->z = HP_NEW(arena, float *, a->L);
	t->gates = HP_NEW(arena, float *, a->L);
	for (int s = 0; s < HP_SOURCES; s++)
		if (a->net->fuse[s])
			t->fuse_part[s] = HP_NEW(arena, float, states * a->L * a->H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t l = 0; l < a->L; l++) {
		t->z[l] = HP_NEW(arena, float, total * a->H);
		t->gates[l] = HP_NEW(arena, float, total * 4 * a->H);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* The span, with what is known of the tree around it. */
static void input_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_rst_plan *p = &a->t->plan;
	for (int o = task * ROWS; o < (task + 1) * ROWS && o < p->total; o++) {
		float *z = a->t->z[0] + (size_t)o * a->H;
		memcpy(z, a->t->e + (size_t)p->last[o] * a->H, a->H * sizeof(float));
		if (p->parent[o] >= 0)
			hp_vec_add(a->H, a->t->e + (size_t)p->parent[o] * a->H, z);
		if (p->sibling[o] >= 0)
			hp_vec_add(a->H, a->t->e + (size_t)p->sibling[o] * a->H, z);
	}
}

static void fuse_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_rst_trace *t = a->t;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++) {
		float *fused = t->fused + (size_t)o * a->L * a->H;
		if (a->net->c.fusion == HP_FUSION_T) {
			memcpy(fused, state_of(a, t->plan.from[HP_FROM_PREVIOUS][o], 0), a->L * a->H * sizeof(float));
			continue;
		}
		/* all layers have the same weights, so they are one vector */
		const float *part[HP_SOURCES];
		for (int s = 0; s < HP_SOURCES; s++) {
			int from = t->plan.from[s][o];
			part[s] = t->fuse_part[s] && from >= 0 ? t->fuse_part[s] + (size_t)from * a->L * a->H : NULL;
		}
		hp_fuse((int)(a->L * a->H), HP_SOURCES, part, NULL, NULL, fused, NULL, fused);
	}
}

static void cell_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_rst_trace *t = a->t;
	size_t l = (size_t)a->layer, H = a->H;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++) {
		float *h = state_of(a, t->count + o, a->layer);
		hp_gru_cell((int)H, (int)H, t->gates[l] + (size_t)o * 4 * H, t->fused + ((size_t)o * a->L + l) * H, h);
		if (l + 1 == a->L)
			continue;
		float *z = t->z[l + 1] + (size_t)o * H;
		memcpy(z, h, H * sizeof(float));
		if (t->mask.decoder[l + 1])
			hp_vec_mul(H, t->mask.decoder[l + 1] + (size_t)o * H, z);
	}
}

/* The products of COUNT new states, from number STATE on. */
static void project(decoder *a, hp_pool *pool, int state, int count)
{
	int jobs = 0, H = (int)a->H, m = count * (int)a->L;
	size_t at = (size_t)state * a->L * a->H;
	for (int s = 0; s < HP_SOURCES; s++)
		if (a->t->fuse_part[s])
			a->jobs[jobs++] = (hp_gemm_job){
				false, true, m, H, H, a->t->state + at, H, a->net->fuse[s]->value, H, 0.0f, a->t->fuse_part[s] + at, H};
	hp_gemm_group(pool, jobs, a->jobs);
}

static void level_forward(decoder *a, hp_pool *pool)
{
	hp_rst_trace *t = a->t;
	int H = (int)a->H, tasks = tasks_of(a->rows, ROWS), jobs = 0;
	size_t from = (size_t)a->from;
	hp_pool_run(pool, tasks, fuse_task, a);
	for (size_t l = 0; l < a->L; l++)
		jobs += hp_gru_recurrent(a->rows, H, 0, H, t->fused + (from * a->L + l) * a->H, (int)(a->L * a->H),
		                         a->w[l].w_hh, t->gates[l] + from * 4 * a->H, a->jobs + jobs);
	hp_gemm_group(pool, jobs, a->jobs);
	for (a->layer = 0; a->layer < (int)a->L; a->layer++) {
		int l = a->layer;
		if (l)
			hp_gru_input(pool, a->rows, H, H, t->z[l] + from * a->H, &a->w[l], t->gates[l] + from * 4 * a->H);
		hp_pool_run(pool, tasks, cell_task, a);
	}
	project(a, pool, t->count + a->from, a->rows);
}

int hp_rst_decoder_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena)
{
	decoder a;
	int H = net->c.hidden;
	if (start(&a, t, net, arena) || alloc_forward(&a, arena))
		return HP_FAIL;
	hp_pool_run(pool, tasks_of(t->plan.total, ROWS), input_task, &a);
	for (size_t l = 0; l < a.L; l++)
		hp_gru_biases(pool, t->plan.total, H, &a.w[l], t->gates[l]);
	hp_gru_input(pool, t->plan.total, H, H, t->z[0], &a.w[0], t->gates[0]);
	project(&a, pool, 0, t->count);
	for (int l = 0; l < t->plan.levels; l++) {
		set_level(&a, l);
		level_forward(&a, pool);
	}
	return 0;
}

/* ---- backward ---- */

static int alloc_backward(decoder *a, hp_arena *arena)
{
	const hp_rst_plan *p = &a->t->plan;
	size_t states = (size_t)a->t->count + (size_t)p->total, widest = 0;
	for (int l = 0; l < p->levels; l++) {
		size_t m = (size_t)(p->level_at[l + 1] - p->level_at[l]);
		widest = m > widest ? m : widest;
	}
	a->dfused = HP_NEW(arena, float, widest * a->L * a->H);
	a->dz = HP_NEW(arena, float, widest * a->H);
	for (int s = 0; s < HP_SOURCES; s++)
		if (a->t->fuse_part[s])
			a->dpart[s] = HP_NEW0(arena, float, states * a->L * a->H);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* dstate += dpart · W for COUNT states, as in project. */
static void project_backward(decoder *a, hp_pool *pool, int state, int count)
{
	int H = (int)a->H;
	size_t at = (size_t)state * a->L * a->H;
	for (int s = 0; s < HP_SOURCES; s++)
		if (a->dpart[s])
			hp_gemm(pool, false, false, count * (int)a->L, H, H, a->dpart[s] + at, H, a->net->fuse[s]->value, H, 1.0f,
			        a->dstate + at, H);
}

/* Takes up the gradient that came through the next layer's input. */
static void cell_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_rst_trace *t = a->t;
	size_t l = (size_t)a->layer, H = a->H;
	for (int o = a->from + task * ROWS; o < a->from + (task + 1) * ROWS && o < a->from + a->rows; o++) {
		size_t row = (size_t)(o - a->from);
		float *dh = a->dfused + (row * a->L + l) * H;
		memcpy(dh, a->dstate + ((size_t)(t->count + o) * a->L + l) * H, H * sizeof(float));
		if (l + 1 < a->L) {
			float *dz = a->dz + row * H;
			if (t->mask.decoder[l + 1])
				hp_vec_mul(H, t->mask.decoder[l + 1] + (size_t)o * H, dz);
			hp_vec_add(H, dz, dh);
		}
		const float *old = t->fused + ((size_t)o * a->L + l) * H;
		hp_gru_cell_backward((int)H, (int)H, t->gates[l] + (size_t)o * 4 * H, old, dh);
	}
}

/* A block of units of all the level's rows, since several rows may have used the same state. */
static void fuse_backward_task(void *arg, int task)
{
	const decoder *a = arg;
	const hp_rst_trace *t = a->t;
	size_t width = a->L * a->H, unit = (size_t)task * UNITS, n = width - unit < UNITS ? width - unit : UNITS;
	for (int o = a->from; o < a->from + a->rows; o++) {
		const float *du = a->dfused + (size_t)(o - a->from) * width + unit;
		float dpart[UNITS];
		if (a->net->c.fusion == HP_FUSION_T) {
			hp_vec_add(n, du, a->dstate + (size_t)t->plan.from[HP_FROM_PREVIOUS][o] * width + unit);
			continue;
		}
		hp_fuse_backward((int)n, t->fused + (size_t)o * width + unit, NULL, du, dpart, NULL);
		for (int s = 0; s < HP_SOURCES; s++)
			if (a->dpart[s] && t->plan.from[s][o] >= 0)
				hp_vec_add(n, dpart, a->dpart[s] + (size_t)t->plan.from[s][o] * width + unit);
	}
}

static void level_backward(decoder *a, hp_pool *pool)
{
	hp_rst_trace *t = a->t;
	int H = (int)a->H, L = (int)a->L;
	size_t from = (size_t)a->from;
	project_backward(a, pool, t->count + a->from, a->rows);
	for (a->layer = L - 1; a->layer >= 0; a->layer--) {
		size_t l = (size_t)a->layer;
		hp_pool_run(pool, tasks_of(a->rows, ROWS), cell_backward_task, a);
		if (l)
			hp_gemm(pool, false, false, a->rows, H, 3 * H, t->gates[l] + from * 4 * a->H, 4 * H, a->w[l].w_ih, H, 0.0f,
			        a->dz, H);
	}
	hp_gemm_job *second = a->jobs + L;
	for (size_t l = 0; l < a->L; l++) {
		hp_gemm_job two[2];
		hp_gru_recurrent_backward(a->rows, H, 0, H, t->gates[l] + from * 4 * a->H, a->w[l].w_hh, a->dfused + l * a->H,
		                          L * H, two);
		a->jobs[l] = two[0];
		second[l] = two[1];
	}
	hp_gemm_group(pool, L, a->jobs);
	hp_gemm_group(pool, L, second);
	hp_pool_run(pool, tasks_of(L * H, UNITS), fuse_backward_task, a);
}

/* Gradients of all weights, one product each, and of the decoder's input. */
static int weights_backward(decoder *a, hp_pool *pool, hp_arena *arena)
{
	hp_rst_trace *t = a->t;
	const hp_rst_plan *p = &t->plan;
	int H = (int)a->H, L = (int)a->L, rows = (t->count + p->total) * L;
	float *sum = HP_NEW(arena, float, 4 * a->H), *dz = HP_NEW(arena, float, (size_t)p->total * a->H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < HP_SOURCES; s++)
		if (a->dpart[s])
			hp_gemm(pool, true, false, H, H, rows, a->dpart[s], H, t->state, H, 1.0f, a->net->fuse[s]->grad, H);
	for (size_t l = 0; l < a->L; l++)
		hp_gru_weights_backward(pool, p->total, H, H, t->z[l], t->fused + l * a->H, L * H, &a->w[l], t->gates[l], sum,
		                        l ? NULL : dz, false);
	for (int o = 0; o < p->total; o++) {
		const float *d = dz + (size_t)o * a->H;
		hp_vec_add(a->H, d, a->de + (size_t)p->last[o] * a->H);
		if (p->parent[o] >= 0)
			hp_vec_add(a->H, d, a->de + (size_t)p->parent[o] * a->H);
		if (p->sibling[o] >= 0)
			hp_vec_add(a->H, d, a->de + (size_t)p->sibling[o] * a->H);
	}
	return 0;
}

int hp_rst_decoder_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, float *de,
                            float *dstate)
{
	decoder a;
	if (start(&a, t, net, arena) || alloc_backward(&a, arena))
		return HP_FAIL;
	a.de = de;
	a.dstate = dstate;
	for (int l = t->plan.levels - 1; l >= 0; l--) {
		set_level(&a, l);
		level_backward(&a, pool);
	}
	project_backward(&a, pool, 0, t->count);
	return weights_backward(&a, pool, arena);
}
