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

void hp_pointer_query(hp_pool *pool, hp_matrix g1, const hp_param *w, const hp_param *v, hp_matrix q)
{
	hp_bias_rows(pool, v, q);
	hp_gemm(pool, (hp_product){.c = q, .a = g1, .b = hp_param_values(w), .add = true});
}

void hp_pointer_query_backward(hp_pool *pool, hp_matrix g1, const hp_param *w, const hp_param *v, hp_matrix dq,
                               hp_matrix dg1)
{
	hp_product two[2] = {{.c = dg1, .a = dq, .b = hp_param_values(w), .tb = true},
	                     {.c = hp_param_grads(w), .a = g1, .b = dq, .ta = true, .add = true}};
	hp_gemm_group(pool, 2, two);
	hp_bias_backward(pool, dq, v->grad);
}

typedef struct pointer {
	const hp_pointer_batch *b;
	hp_matrix q, g2, dq, dg2;
	float *scores; /* or their gradient */
} pointer;

static hp_matrix steps_of(const pointer *p, hp_matrix q, int s)
{
	return hp_some_rows(q, p->b->step_at[s], p->b->steps[s]);
}

static hp_matrix units_of(const pointer *p, hp_matrix g2, int s)
{
	return hp_some_rows(g2, p->b->at[s], p->b->n[s]);
}

static hp_matrix scores_of(const pointer *p, int s)
{
	return hp_matrix_of(p->scores + p->b->score_at[s], p->b->steps[s], p->b->n[s]);
}

static void scores_task(void *arg, int s)
{
	const pointer *p = arg;
	hp_gemm_serial(
		&(hp_product){.c = scores_of(p, s), .a = steps_of(p, p->q, s), .b = units_of(p, p->g2, s), .tb = true});
}

void hp_pointer_scores(hp_pool *pool, const hp_pointer_batch *b, hp_matrix q, hp_matrix g2, float *scores)
{
	pointer p = {.b = b, .q = q, .g2 = g2, .scores = scores};
	hp_pool_run(pool, b->count, scores_task, &p);
}

static void scores_backward_task(void *arg, int s)
{
	const pointer *p = arg;
	hp_matrix d = scores_of(p, s);
	hp_gemm_serial(&(hp_product){.c = steps_of(p, p->dq, s), .a = d, .b = units_of(p, p->g2, s)});
	hp_gemm_serial(&(hp_product){.c = units_of(p, p->dg2, s), .a = d, .b = steps_of(p, p->q, s), .ta = true});
}

void hp_pointer_scores_backward(hp_pool *pool, const hp_pointer_batch *b, hp_matrix q, hp_matrix g2,
                                const float *dscores, hp_matrix dq, hp_matrix dg2)
{
	pointer p = {.b = b, .q = q, .g2 = g2, .scores = (float *)dscores, .dq = dq, .dg2 = dg2};
	hp_pool_run(pool, b->count, scores_backward_task, &p);
}

typedef struct label {
	hp_matrix g1, t, y; /* y: or its gradient */
	hp_matrix dg1;
} label;

enum { ROWS = 32 }; /* of one task */

static int label_tasks(const label *l)
{
	return (l->y.rows + ROWS - 1) / ROWS;
}

static int task_end(const label *l, int task)
{
	return (task + 1) * ROWS < l->y.rows ? (task + 1) * ROWS : l->y.rows;
}

static void contract_task(void *arg, int task)
{
	const label *l = arg;
	size_t L = (size_t)l->g1.cols;
	for (int i = task * ROWS; i < task_end(l, task); i++) {
		float *y = hp_row(l->y, i);
		for (int k = 0; k < l->y.cols; k++)
			y[k] += hp_vec_dot(L, hp_row(l->g1, i), hp_row(l->t, i) + (size_t)k * L);
	}
}

void hp_label_contract(hp_pool *pool, hp_matrix g1, hp_matrix t, hp_matrix y)
{
	label l = {.g1 = g1, .t = t, .y = y};
	hp_pool_run(pool, label_tasks(&l), contract_task, &l);
}

void hp_label_forward(hp_pool *pool, const hp_label_weights *w, hp_matrix g1, hp_matrix g2, hp_matrix t, hp_matrix y)
{
	hp_linear_forward(pool, g1, (hp_affine){w->u, w->b}, y);
	hp_product two[2] = {{.c = y, .a = g2, .b = hp_param_values(w->v), .tb = true, .add = true},
	                     {.c = t, .a = g2, .b = hp_param_values(w->w), .tb = true}};
	hp_gemm_group(pool, 2, two);
	hp_label_contract(pool, g1, t, y);
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
	size_t L = (size_t)l->g1.cols;
	for (int i = task * ROWS; i < task_end(l, task); i++) {
		const float *g1 = hp_row(l->g1, i), *dy = hp_row(l->y, i);
		float *dg1 = hp_row(l->dg1, i), *t = hp_row(l->t, i);
		memset(dg1, 0, L * sizeof(float));
		for (int k = 0; k < l->y.cols; k++, t += L) {
			scaled_add(L, dy[k], t, dg1);
			scaled_copy(L, dy[k], g1, t); /* T's gradient takes its place */
		}
	}
}

void hp_label_backward(hp_pool *pool, const hp_label_weights *w, hp_matrix g1, hp_matrix g2, hp_matrix t, hp_matrix dy,
                       hp_matrix dg1, hp_matrix dg2)
{
	label l = {.g1 = g1, .t = t, .y = dy, .dg1 = dg1};
	hp_pool_run(pool, label_tasks(&l), backward_task, &l);
	hp_product two[2] = {{.c = hp_param_grads(w->w), .a = t, .b = g2, .ta = true, .add = true},
	                     {.c = dg2, .a = t, .b = hp_param_values(w->w)}};
	hp_gemm_group(pool, 2, two);
	hp_linear_backward(pool, g1, (hp_affine){w->u, w->b}, dy, dg1, true);
	hp_linear_backward(pool, g2, (hp_affine){w->v, NULL}, dy, dg2, true);
}
