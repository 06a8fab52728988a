/* linear.c: affine layers and MLPs. */
#include "nn/linear.h"

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
	hp_matrix x, y;
	const float *bias;
	float *sum;
	hp_mask mask;
} rows;

static void fill_bias_task(void *arg, int task)
{
	const rows *r = arg;
	for (int i = task * ROWS; i < task_end(task, ROWS, r->y.rows); i++)
		memcpy(hp_row(r->y, i), r->bias, (size_t)r->y.cols * sizeof(float));
}

void hp_bias_rows(hp_pool *pool, const hp_param *b, hp_matrix y)
{
	rows r = {.y = y, .bias = b->value};
	hp_pool_run(pool, tasks_for(y.rows, ROWS), fill_bias_task, &r);
}

void hp_linear_forward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_matrix y)
{
	if (layer.b)
		hp_bias_rows(pool, layer.b, y);
	hp_gemm(pool, (hp_product){.c = y, .a = x, .b = hp_param_values(layer.w), .tb = true, .add = layer.b != NULL});
}

static void bias_task(void *arg, int task)
{
	const rows *r = arg;
	int from = task * COLUMNS, n = task_end(task, COLUMNS, r->x.cols) - from;
	for (int i = 0; i < r->x.rows; i++)
		hp_vec_add((size_t)n, hp_row(r->x, i) + from, r->sum + from);
}

void hp_bias_backward(hp_pool *pool, hp_matrix dy, float *db)
{
	rows r = {.x = dy, .sum = db};
	hp_pool_run(pool, tasks_for(dy.cols, COLUMNS), bias_task, &r);
}

void hp_linear_backward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_matrix dy, hp_matrix dx, bool add)
{
	hp_product two[2] = {{.c = hp_param_grads(layer.w), .a = dy, .b = x, .ta = true, .add = true},
	                     {.c = dx, .a = dy, .b = hp_param_values(layer.w), .add = add}};
	hp_gemm_group(pool, dx.data ? 2 : 1, two);
	if (layer.b)
		hp_bias_backward(pool, dy, layer.b->grad);
}

static void mask_task(void *arg, int task)
{
	const rows *r = arg;
	size_t n = (size_t)r->x.cols;
	for (int i = task * ROWS; i < task_end(task, ROWS, r->x.rows); i++) {
		const float *x = hp_row(r->x, i);
		float *y = hp_row(r->y, i);
		if (x != y)
			memcpy(y, x, n * sizeof(float));
		if (r->mask.value)
			hp_vec_mul(n, r->mask.value + (size_t)(r->mask.owner ? r->mask.owner[i] : i) * n, y);
	}
}

void hp_mask_rows(hp_pool *pool, hp_matrix x, hp_mask mask, hp_matrix y)
{
	rows r = {.x = x, .y = y, .mask = mask};
	if (x.data != y.data || mask.value)
		hp_pool_run(pool, tasks_for(x.rows, ROWS), mask_task, &r);
}

static void elu_task(void *arg, int task)
{
	const rows *r = arg;
	int from = task * ROWS, m = task_end(task, ROWS, r->y.rows) - from;
	hp_vec_elu((size_t)m * (size_t)r->y.cols, hp_row(r->y, from));
}

void hp_mlp_forward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_mask mask, hp_matrix plain, hp_matrix y)
{
	hp_linear_forward(pool, x, layer, plain);
	rows r = {.y = plain};
	hp_pool_run(pool, tasks_for(plain.rows, ROWS), elu_task, &r);
	hp_mask_rows(pool, plain, mask, y);
}

static void elu_backward_task(void *arg, int task)
{
	const rows *r = arg;
	int from = task * ROWS, m = task_end(task, ROWS, r->x.rows) - from;
	hp_vec_elu_backward((size_t)m * (size_t)r->x.cols, hp_row(r->x, from), hp_row(r->y, from));
}

void hp_mlp_backward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_mask mask, hp_matrix plain, hp_matrix dy,
                     hp_matrix dx, bool add)
{
	hp_mask_rows(pool, dy, mask, dy);
	rows r = {.x = plain, .y = dy};
	hp_pool_run(pool, tasks_for(dy.rows, ROWS), elu_backward_task, &r);
	hp_linear_backward(pool, x, layer, dy, dx, add);
}

static void bias_elu_task(void *arg, int task)
{
	const rows *r = arg;
	size_t n = (size_t)r->y.cols;
	for (int i = task * ROWS; i < task_end(task, ROWS, r->y.rows); i++) {
		hp_vec_add(n, r->bias, hp_row(r->y, i));
		hp_vec_elu(n, hp_row(r->y, i));
	}
}

void hp_mlp_rows(hp_pool *pool, hp_matrix x, hp_affine layer, hp_matrix y)
{
	hp_param_product(pool, x, layer.w, y);
	rows r = {.y = y, .bias = layer.b->value};
	hp_pool_run(pool, tasks_for(y.rows, ROWS), bias_elu_task, &r);
}
