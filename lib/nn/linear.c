/* linear.c: affine layers and MLPs. */
#include "nn/linear.h"

#include <stddef.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/vmath.h"

enum { ROWS = 64, COLUMNS = 128 }; /* of one task */

static int tasks_for(int size, int each)
{
	return (size + each - 1) / each;
}

static int task_end(int task, int each, int size)
{
	return (task + 1) * each < size ? (task + 1) * each : size;
}

typedef struct rows {
	int m, n;
	const float *x, *b, *mask;
	const int *owner;
	float *plain, *y;
} rows;

static void fill_bias_task(void *arg, int task)
{
	const rows *r = arg;
	for (int i = task * ROWS; i < task_end(task, ROWS, r->m); i++)
		memcpy(r->y + (size_t)i * r->n, r->b, (size_t)r->n * sizeof(float));
}

void hp_linear_forward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *b, float *y)
{
	if (b) {
		rows r = {.m = m, .n = out, .b = b, .y = y};
		hp_pool_run(pool, tasks_for(m, ROWS), fill_bias_task, &r);
	}
	hp_gemm(pool, false, true, m, out, in, x, in, w, in, b ? 1.0f : 0.0f, y, out);
}

static void bias_task(void *arg, int task)
{
	const rows *r = arg;
	int from = task * COLUMNS, n = task_end(task, COLUMNS, r->n) - from;
	for (int i = 0; i < r->m; i++)
		hp_vec_add((size_t)n, r->x + (size_t)i * r->n + from, r->y + from);
}

void hp_bias_backward(hp_pool *pool, int m, int out, const float *dy, float *db)
{
	rows r = {.m = m, .n = out, .x = dy, .y = db};
	hp_pool_run(pool, tasks_for(out, COLUMNS), bias_task, &r);
}

void hp_linear_backward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *dy,
                        float *dw, float *db, float *dx, bool add)
{
	hp_gemm_job jobs[2] = {{true, false, out, in, m, dy, out, x, in, 1.0f, dw, in},
	                       {false, false, m, in, out, dy, out, w, in, add ? 1.0f : 0.0f, dx, in}};
	hp_gemm_group(pool, dx ? 2 : 1, jobs);
	if (db)
		hp_bias_backward(pool, m, out, dy, db);
}

static void mask_task(void *arg, int task)
{
	const rows *r = arg;
	for (int i = task * ROWS; i < task_end(task, ROWS, r->m); i++) {
		float *y = r->y + (size_t)i * r->n;
		if (r->x != r->y)
			memcpy(y, r->x + (size_t)i * r->n, (size_t)r->n * sizeof(float));
		if (r->mask)
			hp_vec_mul((size_t)r->n, r->mask + (size_t)(r->owner ? r->owner[i] : i) * r->n, y);
	}
}

void hp_mask_rows(hp_pool *pool, int m, int n, const float *x, const float *mask, const int *owner, float *y)
{
	rows r = {.m = m, .n = n, .x = x, .mask = mask, .owner = owner, .y = y};
	if (x != y || mask)
		hp_pool_run(pool, tasks_for(m, ROWS), mask_task, &r);
}

static void elu_task(void *arg, int task)
{
	const rows *r = arg;
	int from = task * ROWS, m = task_end(task, ROWS, r->m) - from;
	hp_vec_elu((size_t)m * r->n, r->plain + (size_t)from * r->n);
}

void hp_mlp_forward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *b,
                    const float *mask, const int *owner, float *plain, float *y)
{
	hp_linear_forward(pool, m, in, out, x, w, b, plain);
	rows r = {.m = m, .n = out, .plain = plain};
	hp_pool_run(pool, tasks_for(m, ROWS), elu_task, &r);
	hp_mask_rows(pool, m, out, plain, mask, owner, y);
}

static void elu_backward_task(void *arg, int task)
{
	const rows *r = arg;
	int from = task * ROWS, m = task_end(task, ROWS, r->m) - from;
	hp_vec_elu_backward((size_t)m * r->n, r->x + (size_t)from * r->n, r->y + (size_t)from * r->n);
}

void hp_mlp_backward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *mask,
                     const int *owner, const float *plain, float *dy, float *dw, float *db, float *dx, bool add)
{
	hp_mask_rows(pool, m, out, dy, mask, owner, dy);
	rows r = {.m = m, .n = out, .x = plain, .y = dy};
	hp_pool_run(pool, tasks_for(m, ROWS), elu_backward_task, &r);
	hp_linear_backward(pool, m, in, out, x, w, dy, dw, db, dx, add);
}

static void bias_elu_task(void *arg, int task)
{
	const rows *r = arg;
	for (int i = task * ROWS; i < task_end(task, ROWS, r->m); i++) {
		float *y = r->y + (size_t)i * (size_t)r->n;
		hp_vec_add((size_t)r->n, r->b, y);
		hp_vec_elu((size_t)r->n, y);
	}
}

void hp_mlp_rows(hp_pool *pool, int m, const float *x, hp_affine layer, float *y)
{
	int out = layer.w->shape[0];
	hp_param_product(pool, m, x, layer.w->shape[1], layer.w, y, out);
	rows r = {.m = m, .n = out, .b = layer.b->value, .y = y};
	hp_pool_run(pool, tasks_for(m, ROWS), bias_elu_task, &r);
}
