/* auxiliary.c: what the encoder learns beside parsing: of rhetorical trees, how far splits reach (reach.c); of dependency
 * trees, to point from each word to its head at once (heads.c), and to name
 * each word's tags and relation, which is left out of the model file.  Both act on h. */
#include <string.h>

#include "nn/linear.h"
#include "pointer/reach.h"
#include "pointer/train.h"

bool hp_auxiliary_param(const hp_param *p)
{
	return !strncmp(hp_param_role(p), "auxiliary.", strlen("auxiliary."));
}

static int outputs_of(const hp_net_config *c)
{
	int sum = 0;
	for (int k = 0; k < HP_TAGGINGS; k++)
		sum += c->auxiliary.values[k];
	return sum;
}

int hp_auxiliary_declare(hp_params *p, const hp_net_config *c, hp_error *err)
{
	int outputs = outputs_of(c);
	return c->auxiliary.tags > 0 && outputs ? hp_params_declare_affine(p, err, "auxiliary.tags", outputs, 2 * c->hidden)
	                                        : 0;
}

void hp_auxiliary_bind(hp_net *net, const hp_params *p)
{
	net->auxiliary_tags = hp_params_find_affine(p, "auxiliary.tags");
}

/* ---- training ---- */

typedef struct tasks {
	const hp_trace *t;
	float scale;
	float *scores; /* arcs: [n × n] a sentence; tags: [rows × outputs] */
	size_t *score_at;
	int outputs;
	double *loss; /* by sentence, so that the sum's order is fixed */
} tasks;

static void arcs_loss_task(void *arg, int s)
{
	const tasks *a = arg;
	const hp_sample *sample = a->t->batch.sample[s];
	int n = sample->units;
	float *row = a->scores + a->score_at[s];
	memset(row, 0, (size_t)n * sizeof *row); /* the root has no head */
	for (int i = 1; i < n; i++)
		a->loss[s] += hp_softmax_loss(n, row + (size_t)i * (size_t)n, sample->tree[i], a->scale);
}

static double sum(int n, const double *x)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}

/* Adds the loss, times its weight, to *LOSS. */
static int arcs(hp_trace *t, float scale, hp_matrix du, double *loss)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	hp_pool *pool = t->pool;
	hp_arena *arena = t->arena;
	hp_affine g1 = net->heads_g1, g2 = net->heads_g2;
	hp_param *w = net->heads_w, *v = net->heads_v;
	hp_mask mask1 = {t->batch.mask.pointer_g1, p->unit_owner}, mask2 = {t->batch.mask.pointer_g2, p->unit_owner};
	int a = (int)net->s.A, rows = p->rows;
	hp_matrix x = t->encode.unit, plain1 = hp_matrix_new(arena, rows, a), plain2 = hp_matrix_new(arena, rows, a);
	hp_matrix x1 = hp_matrix_new(arena, rows, a), x2 = hp_matrix_new(arena, rows, a), q = hp_matrix_new(arena, rows, a);
	hp_matrix d1 = hp_matrix_new(arena, rows, a), d2 = hp_matrix_new(arena, rows, a),
			  dq = hp_matrix_new(arena, rows, a);
	tasks job = {.t = t, .scale = scale, .score_at = HP_NEW(arena, size_t, (size_t)p->count + 1)};
	if (hp_arena_failed(arena))
		return HP_FAIL;
	job.score_at[0] = 0;
	for (int s = 0; s < p->count; s++)
		job.score_at[s + 1] = job.score_at[s] + (size_t)p->units[s] * (size_t)p->units[s];
	job.scores = HP_NEW(arena, float, job.score_at[p->count]);
	job.loss = HP_NEW0(arena, double, (size_t)p->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_pointer_batch batch = {p->count, p->units, p->at, p->units, p->at, job.score_at};
	hp_mlp_forward(pool, x, g1, mask1, plain1, x1);
	hp_mlp_forward(pool, x, g2, mask2, plain2, x2);
	hp_pointer_query(pool, x1, w, v, q);
	hp_pointer_scores(pool, &batch, q, x2, job.scores);
	hp_pool_run(pool, p->count, arcs_loss_task, &job);
	*loss += (double)net->c.auxiliary.arcs * sum(p->count, job.loss);
	hp_pointer_scores_backward(pool, &batch, q, x2, job.scores, dq, d2);
	hp_pointer_query_backward(pool, x1, w, v, dq, d1);
	hp_mlp_backward(pool, x, g1, mask1, plain1, d1, du, true);
	hp_mlp_backward(pool, x, g2, mask2, plain2, d2, du, true);
	return 0;
}

static void tags_loss_task(void *arg, int s)
{
	const tasks *a = arg;
	const hp_sample *sample = a->t->batch.sample[s];
	float *row = a->scores + (size_t)a->t->batch.levels.at[s] * (size_t)a->outputs;
	for (int i = 0; i < sample->units; i++)
		for (int k = 0; k < HP_TAGGINGS; k++) {
			const int32_t *tags = sample->tagging ? sample->tagging[k] : NULL;
			int n = a->t->net->c.auxiliary.values[k], target = tags && i ? tags[i] : -1;
			a->loss[s] += hp_softmax_loss(n, row, target, a->scale);
			row += n;
		}
}

static int tags(hp_trace *t, float scale, hp_matrix du, double *loss)
{
	const hp_net *net = t->net;
	int count = t->batch.count;
	hp_affine layer = net->auxiliary_tags;
	tasks job = {.t = t, .scale = scale, .outputs = outputs_of(&net->c)};
	hp_matrix scores = hp_matrix_new(t->arena, t->batch.levels.rows, job.outputs);
	job.scores = scores.data;
	job.loss = HP_NEW0(t->arena, double, (size_t)count);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_linear_forward(t->pool, t->encode.unit, layer, scores);
	hp_pool_run(t->pool, count, tags_loss_task, &job);
	*loss += (double)net->c.auxiliary.tags * sum(count, job.loss);
	hp_linear_backward(t->pool, t->encode.unit, layer, scores, du, true);
	return 0;
}

int hp_auxiliary(hp_trace *t, float scale, hp_matrix du, double *loss)
{
	const hp_auxiliary_tasks *x = &t->net->c.auxiliary;
	if ((t->net->reach_g.w && hp_reach_train(t, scale * x->splits, du, loss)) ||
	    (t->net->heads_w && arcs(t, scale * x->arcs, du, loss)) ||
	    (t->net->auxiliary_tags.w && tags(t, scale * x->tags, du, loss)))
		return HP_FAIL;
	return 0;
}
