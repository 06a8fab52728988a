/* reach.c: each boundary between EDUs says at once how far the split there reaches: with which EDU the span begins that is
 * split, and with which it ends.  As heads.c for dependency trees: the encoder learns it beside parsing, and the search asks
 * it. */
#include "pointer/reach.h"

#include <math.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"

static const char *const side_name[2][3] = {{"reach.first.g", "reach.first.w", "reach.first.v"},
                                            {"reach.last.g", "reach.last.w", "reach.last.v"}};

int hp_reach_declare(hp_params *p, const hp_net_config *c, const hp_shape *s, int stages, hp_error *err)
{
	int a = (int)s->A;
	if (!(stages & HP_STAGE_DECODE) || !c->reach)
		return 0;
	if (hp_params_declare_affine(p, err, "reach.g", a, (int)s->B))
		return HP_FAIL;
	for (int i = 0; i < 2; i++)
		if (hp_params_declare_affine(p, err, side_name[i][0], a, (int)s->W) ||
		    hp_params_declare(p, err, side_name[i][1], 2, a, a) || hp_params_declare(p, err, side_name[i][2], 1, a))
			return HP_FAIL;
	return 0;
}

void hp_reach_bind(hp_net *net, const hp_params *p)
{
	net->reach_g = hp_params_find_affine(p, "reach.g");
	for (int i = 0; i < 2; i++) {
		net->reach[i].g = hp_params_find_affine(p, side_name[i][0]);
		net->reach[i].w = hp_params_find(p, side_name[i][1]);
		net->reach[i].v = hp_params_find(p, side_name[i][2]);
	}
}

bool hp_reach_param(const hp_param *p)
{
	return !strncmp(hp_param_role(p), "reach.", strlen("reach."));
}

/* ---- training ---- */

typedef struct tasks {
	const hp_trace *t;
	float scale;
	float *scores; /* [n × n] a sample: a boundary's row, behind its EDU, by EDUs */
	size_t *score_at;
	int side; /* 0: first EDU, 1: last */
	double *loss; /* by sample, so that the sum's order is fixed */
} tasks;

static void loss_task(void *arg, int s)
{
	const tasks *a = arg;
	const hp_sample *sample = a->t->batch.sample[s];
	int n = sample->units;
	float *scores = a->scores + a->score_at[s];
	memset(scores + (size_t)(n - 1) * (size_t)n, 0, (size_t)n * sizeof *scores);
	for (int i = 0; i < n - 1; i++) {
		const int32_t *split = sample->tree + 3 * i;
		int mid = split[1], from = a->side ? mid + 1 : 0, to = a->side ? n : mid + 1;
		float *row = scores + (size_t)mid * (size_t)n;
		a->loss[s] += hp_softmax_loss(to - from, row + from, (a->side ? split[2] : split[0]) - from, a->scale);
		memset(row, 0, (size_t)from * sizeof *row);
		memset(row + to, 0, (size_t)(n - to) * sizeof *row);
	}
}

int hp_reach_train(hp_trace *t, float scale, hp_matrix du, double *loss)
{
	const hp_net *net = t->net;
	const double weight = (double)net->c.auxiliary.splits;
	const hp_levels *p = &t->batch.levels;
	hp_arena *arena = t->arena;
	int a = (int)net->s.A, rows = p->rows;
	const hp_mask none = {NULL, NULL};
	hp_matrix place = t->point.place, x = t->encode.unit;
	hp_matrix g = hp_matrix_new(arena, rows, a), dg = hp_matrix_new(arena, rows, a),
			  dgs = hp_matrix_new(arena, rows, a);
	hp_matrix k = hp_matrix_new(arena, rows, a), dk = hp_matrix_new(arena, rows, a);
	hp_matrix q = hp_matrix_new(arena, rows, a), dq = hp_matrix_new(arena, rows, a);
	hp_matrix dplace = hp_matrix_new(arena, place.rows, place.cols);
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
	memset(g.data, 0, (size_t)rows * (size_t)a * sizeof(float));
	memset(dgs.data, 0, (size_t)rows * (size_t)a * sizeof(float));
	hp_mlp_forward(t->pool, place, net->reach_g, none, hp_some_rows(g, 0, place.rows), hp_some_rows(g, 0, place.rows));
	for (job.side = 0; job.side < 2; job.side++) {
		hp_affine layer = net->reach[job.side].g;
		hp_param *w = net->reach[job.side].w, *v = net->reach[job.side].v;
		hp_mlp_forward(t->pool, x, layer, none, k, k);
		hp_pointer_query(t->pool, g, w, v, q);
		hp_pointer_scores(t->pool, &batch, q, k, job.scores);
		hp_pool_run(t->pool, p->count, loss_task, &job);
		hp_pointer_scores_backward(t->pool, &batch, q, k, job.scores, dq, dk);
		hp_pointer_query_backward(t->pool, g, w, v, dq, dg);
		hp_vec_add((size_t)rows * (size_t)a, dg.data, dgs.data);
		hp_mlp_backward(t->pool, x, layer, none, k, dk, du, true);
	}
	for (int s = 0; s < p->count; s++)
		*loss += weight * job.loss[s];
	hp_mlp_backward(t->pool, place, net->reach_g, none, hp_some_rows(g, 0, place.rows),
	                hp_some_rows(dgs, 0, place.rows), dplace, false);
	for (int i = 0; i < dplace.rows; i++) {
		hp_vec_add(net->s.W, hp_row(dplace, i), hp_row(du, i));
		hp_vec_add(net->s.W, hp_row(dplace, i) + net->s.W, hp_row(du, i + 1));
	}
	return 0;
}

/* ---- search ---- */

int hp_reach_alloc(hp_reach *r, hp_arena *arena, size_t units, size_t A)
{
	r->place = HP_NEW0(arena, float, units * A);
	for (int side = 0; side < 2; side++) {
		r->key[side] = HP_NEW(arena, float, units * A);
		r->bias[side] = HP_NEW(arena, float, units);
		r->norm[side] = HP_NEW(arena, float, units);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* Of the boundary behind unit row K: how much unit row I has on a side of its span. */
static float score(const hp_reach *r, size_t A, int side, size_t k, size_t i)
{
	return r->bias[side][i] + hp_vec_dot(A, r->place + k * A, r->key[side] + i * A);
}

typedef struct norms {
	const hp_search *s;
	const hp_reach *reach;
	size_t A;
} norms;

/* The logarithms of the sums over all EDUs before, and behind, each boundary. */
static void norms_task(void *arg, int sample)
{
	const norms *a = arg;
	const hp_beam *b = &a->s->beams[sample];
	size_t at = (size_t)b->at, end = at + (size_t)b->units;
	float *scores = a->s->reach + (size_t)sample * (size_t)a->s->longest;
	for (size_t k = at; k + 1 < end; k++)
		for (int side = 0; side < 2; side++) {
			size_t from = side ? k + 1 : at, to = side ? end : k + 1;
			for (size_t i = from; i < to; i++)
				scores[i - from] = score(a->reach, a->A, side, k, i);
			a->reach->norm[side][k] = hp_vec_log_sum_exp(to - from, scores);
		}
}

int hp_reach_prepare(const hp_search *s, const hp_member *member, hp_arena *arena, int units)
{
	const hp_net *net = member->net;
	const hp_reach *r = &member->reach;
	int A = (int)net->s.A;
	hp_matrix unit = hp_matrix_of(member->unit, units, (int)net->s.W), place = hp_places(net, unit);
	hp_matrix x2 = hp_matrix_new(arena, units, A);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_mlp_rows(s->pool, place, net->reach_g, hp_matrix_of(r->place, place.rows, A));
	for (int side = 0; side < 2; side++) {
		hp_mlp_rows(s->pool, unit, net->reach[side].g, x2);
		hp_param_product(s->pool, x2, net->reach[side].w, hp_matrix_of(r->key[side], units, A));
		for (int i = 0; i < units; i++)
			r->bias[side][i] = hp_vec_dot((size_t)A, hp_row(x2, i), net->reach[side].v->value);
	}
	hp_pool_run(s->pool, s->count, norms_task, &(norms){s, r, net->s.A});
	return 0;
}

/* The probability, on average of the members, that the boundary behind unit MID splits the span from FIRST to LAST. */
static double probability(const hp_search *s, const hp_beam *b, int first, int mid, int last)
{
	size_t A = s->net->s.A, M = s->net->s.M, at = (size_t)b->at, k = at + (size_t)mid;
	double sum = 0;
	for (size_t m = 0; m < M; m++) {
		const hp_reach *r = &s->member[m].reach;
		float before = score(r, A, 0, k, at + (size_t)first) - r->norm[0][k];
		float behind = score(r, A, 1, k, at + (size_t)last) - r->norm[1][k];
		sum += exp((double)before + (double)behind);
	}
	return sum / (double)M;
}

void hp_reach_decisions(const hp_search *s, const hp_beam *b, int first, int last, float *logp)
{
	const double least = 1e-12, most = 1 - 1e-6;
	double others = 0;
	for (int mid = first; mid < last; mid++) {
		double p = probability(s, b, first, mid, last);
		p = p < least ? least : p > most ? most : p;
		logp[mid - first] = (float)(log(p) - log1p(-p));
		others += log1p(-p);
	}
	for (int mid = first; mid < last; mid++)
		logp[mid - first] += (float)others;
}
