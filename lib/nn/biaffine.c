/* biaffine.c: scores of pointer and label classifier, and their losses. */
#include "nn/biaffine.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/linear.h"
#include "nn/vmath.h"

HP_CLONES static void softmax_gradient(int n, float *x, float log_sum, float scale)
{
	for (int i = 0; i < n; i++)
		x[i] = scale * hp_exp(x[i] - log_sum);
}

double hp_softmax_loss(int n, float *scores, int target, float scale)
{
	if (target < 0) {
		memset(scores, 0, (size_t)n * sizeof *scores);
		return 0;
	}
	float log_sum = hp_vec_log_sum_exp((size_t)n, scores);
	double loss = (double)log_sum - (double)scores[target];
	softmax_gradient(n, scores, log_sum, scale);
	scores[target] -= scale;
	return loss;
}

void hp_pointer_query(hp_pool *pool, int m, int a, const float *g1, const float *w, const float *v, float *q)
{
	for (int i = 0; i < m; i++)
		memcpy(q + (size_t)i * a, v, (size_t)a * sizeof(float));
	hp_gemm(pool, false, false, m, a, a, g1, a, w, a, 1.0f, q, a);
}

void hp_pointer_query_backward(hp_pool *pool, int m, int a, const float *g1, const float *w, const float *dq,
                               float *dg1, float *dw, float *dv)
{
	hp_gemm_job jobs[2] = {{false, true, m, a, a, dq, a, w, a, 0.0f, dg1, a},
	                       {true, false, a, a, m, g1, a, dq, a, 1.0f, dw, a}};
	hp_gemm_group(pool, 2, jobs);
	hp_bias_backward(pool, m, a, dq, dv);
}

typedef struct pointer {
	const hp_pointer_batch *b;
	int a;
	const float *q, *g2, *dscores;
	float *scores, *dq, *dg2;
} pointer;

static void scores_task(void *arg, int s)
{
	const pointer *p = arg;
	const hp_pointer_batch *b = p->b;
	hp_gemm_job j = {false,
	                 true,
	                 b->steps[s],
	                 b->n[s],
	                 p->a,
	                 p->q + (size_t)b->step_at[s] * p->a,
	                 p->a,
	                 p->g2 + (size_t)b->at[s] * p->a,
	                 p->a,
	                 0.0f,
	                 p->scores + b->score_at[s],
	                 b->n[s]};
	hp_gemm_serial(&j);
}

void hp_pointer_scores(hp_pool *pool, const hp_pointer_batch *b, int a, const float *q, const float *g2, float *scores)
{
	pointer p = {.b = b, .a = a, .q = q, .g2 = g2, .scores = scores};
	hp_pool_run(pool, b->count, scores_task, &p);
}

static void scores_backward_task(void *arg, int s)
{
	const pointer *p = arg;
	const hp_pointer_batch *b = p->b;
	int m = b->steps[s], n = b->n[s], a = p->a;
	const float *ds = p->dscores + b->score_at[s];
	hp_gemm_job dq = {
		false, false, m, a, n, ds, n, p->g2 + (size_t)b->at[s] * a, a, 0.0f, p->dq + (size_t)b->step_at[s] * a, a};
	hp_gemm_job dg = {
		true, false, n, a, m, ds, n, p->q + (size_t)b->step_at[s] * a, a, 0.0f, p->dg2 + (size_t)b->at[s] * a, a};
	hp_gemm_serial(&dq);
	hp_gemm_serial(&dg);
}

void hp_pointer_scores_backward(hp_pool *pool, const hp_pointer_batch *b, int a, const float *q, const float *g2,
                                const float *dscores, float *dq, float *dg2)
{
	pointer p = {.b = b, .a = a, .q = q, .g2 = g2, .dscores = dscores, .dq = dq, .dg2 = dg2};
	hp_pool_run(pool, b->count, scores_backward_task, &p);
}

typedef struct label {
	int m, labels, size;
	const hp_label_weights *w; /* backward */
	const float *g1, *dy;
	float *t, *y, *dg1;
} label;

enum { ROWS = 32 }; /* of one task */

static void contract_task(void *arg, int task)
{
	const label *l = arg;
	size_t K = (size_t)l->labels, L = (size_t)l->size;
	for (int i = task * ROWS; i < l->m && i < (task + 1) * ROWS; i++)
		for (size_t k = 0; k < K; k++)
			l->y[i * K + k] += hp_vec_dot(L, l->g1 + i * L, l->t + (i * K + k) * L);
}

void hp_label_contract(hp_pool *pool, int m, int labels, int size, const float *g1, const float *t, float *y)
{
	label l = {.m = m, .labels = labels, .size = size, .g1 = g1, .t = (float *)t, .y = y};
	hp_pool_run(pool, (m + ROWS - 1) / ROWS, contract_task, &l);
}

void hp_label_forward(hp_pool *pool, int m, const hp_label_weights *w, const float *g1, const float *g2, float *t,
                      float *y)
{
	int K = w->labels, L = w->size;
	hp_linear_forward(pool, m, L, K, g1, w->u, w->b, y);
	hp_gemm_job jobs[2] = {{false, true, m, K, L, g2, L, w->v, L, 1.0f, y, K},
	                       {false, true, m, K * L, L, g2, L, w->w, L, 0.0f, t, K * L}};
	hp_gemm_group(pool, 2, jobs);
	hp_label_contract(pool, m, K, L, g1, t, y);
}

HP_CLONES static void scaled_add(size_t n, float a, const float *restrict x, float *restrict y)
{
	for (size_t i = 0; i < n; i++)
		y[i] += a * x[i];
}

HP_CLONES static void scaled_copy(size_t n, float a, const float *restrict x, float *restrict y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = a * x[i];
}

static void backward_task(void *arg, int task)
{
	const label *l = arg;
	size_t K = (size_t)l->w->labels, L = (size_t)l->w->size;
	for (int i = task * ROWS; i < l->m && i < (task + 1) * ROWS; i++) {
		float *dg1 = l->dg1 + i * L;
		memset(dg1, 0, L * sizeof(float));
		for (size_t k = 0; k < K; k++) {
			float d = l->dy[i * K + k], *t = l->t + (i * K + k) * L;
			scaled_add(L, d, t, dg1);
			scaled_copy(L, d, l->g1 + i * L, t); /* T's gradient takes its place */
		}
	}
}

void hp_label_backward(hp_pool *pool, int m, const hp_label_weights *w, const float *g1, const float *g2, float *t,
                       const float *dy, float *dg1, float *dg2)
{
	int K = w->labels, L = w->size;
	label l = {.m = m, .w = w, .g1 = g1, .dy = dy, .t = t, .dg1 = dg1};
	hp_pool_run(pool, (m + ROWS - 1) / ROWS, backward_task, &l);
	hp_gemm_job jobs[2] = {{true, false, K * L, L, m, t, K * L, g2, L, 1.0f, w->dw, L},
	                       {false, false, m, L, K * L, t, K * L, w->w, L, 0.0f, dg2, L}};
	hp_gemm_group(pool, 2, jobs);
	hp_linear_backward(pool, m, L, K, g1, w->u, dy, w->du, w->db, dg1, true);
	hp_linear_backward(pool, m, L, K, g2, w->v, dy, w->dv, NULL, dg2, true);
}
