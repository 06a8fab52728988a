/* auxiliary.c: what the encoder learns beside parsing: to point from each word to its head at once, as a graph-based
 * parser does (Dozat and Manning 2017, Eq. 4-6), and to name each word's tags and relation.  Both act on h and are left
 * out of the model file. */
#include "dep/train.h"

#include <string.h>

#include "nn/linear.h"

typedef struct tasks {
	hp_dep_trace *t;
	const hp_dep_net *net;
	float scale;
	float *scores; /* arcs: [n × n] a sentence; tags: [rows × outputs] */
	size_t *score_at;
	int outputs;
	double *loss; /* by sentence, so that the sum's order is fixed */
} tasks;

bool hp_dep_auxiliary_param(const hp_param *p)
{
	return !strncmp(p->name, "auxiliary.", strlen("auxiliary."));
}

static int outputs_of(const hp_dep_config *c)
{
	int sum = 0;
	for (int k = 0; k < HP_DEP_TAGGINGS; k++)
		sum += c->auxiliary.values[k];
	return sum;
}

int hp_dep_auxiliary_declare(hp_params *p, const hp_dep_config *c, hp_error *err)
{
	int a = c->arc_mlp, h2 = 2 * c->hidden, outputs = outputs_of(c);
	if (c->auxiliary.arcs > 0 &&
	    (hp_params_declare_affine(p, err, "auxiliary.g1", a, h2) ||
	     hp_params_declare_affine(p, err, "auxiliary.g2", a, h2) || hp_params_declare(p, err, "auxiliary.w", 2, a, a) ||
	     hp_params_declare(p, err, "auxiliary.v", 1, a)))
		return HP_FAIL;
	return c->auxiliary.tags > 0 && outputs ? hp_params_declare_affine(p, err, "auxiliary.tags", outputs, h2) : 0;
}

void hp_dep_auxiliary_bind(hp_dep_net *net)
{
	const hp_params *p = &net->params;
	net->auxiliary.g1 = hp_params_find_affine(p, "auxiliary.g1");
	net->auxiliary.g2 = hp_params_find_affine(p, "auxiliary.g2");
	net->auxiliary.w = hp_params_find(p, "auxiliary.w");
	net->auxiliary.v = hp_params_find(p, "auxiliary.v");
	net->auxiliary.tags = hp_params_find_affine(p, "auxiliary.tags");
}

static void arcs_loss_task(void *arg, int s)
{
	const tasks *a = arg;
	int n = a->t->n[s];
	float *row = a->scores + a->score_at[s];
	memset(row, 0, (size_t)n * sizeof *row); /* the root has no head */
	for (int i = 1; i < n; i++)
		a->loss[s] += hp_softmax_loss(n, row + (size_t)i * (size_t)n, a->t->sents[s]->heads[i], a->scale);
}

static double sum(int n, const double *x)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}

/* Adds the loss, times its weight, to *LOSS. */
static int arcs(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float scale, float *dh,
                double *loss)
{
	hp_affine g1 = net->auxiliary.g1, g2 = net->auxiliary.g2;
	hp_param *w = net->auxiliary.w, *v = net->auxiliary.v;
	int a = net->c.arc_mlp, h2 = 2 * net->c.hidden, rows = t->plan.rows;
	size_t size = (size_t)rows * (size_t)a;
	float *plain1 = HP_NEW(arena, float, size), *plain2 = HP_NEW(arena, float, size);
	float *x1 = HP_NEW(arena, float, size), *x2 = HP_NEW(arena, float, size), *q = HP_NEW(arena, float, size);
	float *d1 = HP_NEW(arena, float, size), *d2 = HP_NEW(arena, float, size), *dq = HP_NEW(arena, float, size);
	size_t *score_at = HP_NEW(arena, size_t, (size_t)t->count + 1);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	score_at[0] = 0;
	for (int s = 0; s < t->count; s++)
		score_at[s + 1] = score_at[s] + (size_t)t->n[s] * (size_t)t->n[s];
	tasks job = {.t = t, .net = net, .scale = scale, .score_at = score_at};
	job.scores = HP_NEW(arena, float, score_at[t->count]);
	job.loss = HP_NEW0(arena, double, (size_t)t->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_pointer_batch batch = {t->count, t->n, t->plan.at, t->n, t->plan.at, score_at};
	const int *owner = t->plan.position_owner;
	hp_mlp_forward(pool, rows, h2, a, t->h, g1.w->value, g1.b->value, t->mask.pointer_g1, owner, plain1, x1);
	hp_mlp_forward(pool, rows, h2, a, t->h, g2.w->value, g2.b->value, t->mask.pointer_g2, owner, plain2, x2);
	hp_pointer_query(pool, rows, a, x1, w->value, v->value, q);
	hp_pointer_scores(pool, &batch, a, q, x2, job.scores);
	hp_pool_run(pool, t->count, arcs_loss_task, &job);
	*loss += (double)net->c.auxiliary.arcs * sum(t->count, job.loss);
	hp_pointer_scores_backward(pool, &batch, a, q, x2, job.scores, dq, d2);
	hp_pointer_query_backward(pool, rows, a, x1, w->value, dq, d1, w->grad, v->grad);
	hp_mlp_backward(pool, rows, h2, a, t->h, g1.w->value, t->mask.pointer_g1, owner, plain1, d1, g1.w->grad, g1.b->grad,
	                dh, true);
	hp_mlp_backward(pool, rows, h2, a, t->h, g2.w->value, t->mask.pointer_g2, owner, plain2, d2, g2.w->grad, g2.b->grad,
	                dh, true);
	return 0;
}

static void tags_loss_task(void *arg, int s)
{
	const tasks *a = arg;
	const hp_dep_sent *sent = a->t->sents[s];
	float *row = a->scores + (size_t)a->t->plan.at[s] * (size_t)a->outputs;
	for (int i = 0; i < sent->n; i++)
		for (int k = 0; k < HP_DEP_TAGGINGS; k++) {
			int n = a->net->c.auxiliary.values[k], target = sent->tagging[k] && i ? sent->tagging[k][i] : -1;
			a->loss[s] += hp_softmax_loss(n, row, target, a->scale);
			row += n;
		}
}

static int tags(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float scale, float *dh,
                double *loss)
{
	hp_affine layer = net->auxiliary.tags;
	tasks job = {.t = t, .net = net, .scale = scale, .outputs = outputs_of(&net->c)};
	job.scores = HP_NEW(arena, float, (size_t)t->plan.rows * (size_t)job.outputs);
	job.loss = HP_NEW0(arena, double, (size_t)t->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_linear_forward(pool, t->plan.rows, 2 * net->c.hidden, job.outputs, t->h, layer.w->value, layer.b->value,
	                  job.scores);
	hp_pool_run(pool, t->count, tags_loss_task, &job);
	*loss += (double)net->c.auxiliary.tags * sum(t->count, job.loss);
	hp_linear_backward(pool, t->plan.rows, 2 * net->c.hidden, job.outputs, t->h, layer.w->value, job.scores,
	                   layer.w->grad, layer.b->grad, dh, true);
	return 0;
}

int hp_dep_auxiliary(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float scale, float *dh,
                     double *loss)
{
	const hp_dep_auxiliary_tasks *x = &net->c.auxiliary;
	if ((net->auxiliary.w && arcs(t, net, pool, arena, scale * x->arcs, dh, loss)) ||
	    (net->auxiliary.tags.w && tags(t, net, pool, arena, scale * x->tags, dh, loss)))
		return HP_FAIL;
	return 0;
}
