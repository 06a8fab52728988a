/* gemm.c: which kernel makes a product, and how a product is split among threads. */
#include "nn/gemm.h"

#include <stddef.h>
#include <string.h>

#include "nn/bf16.h"
#include "nn/blas.h"

int hp_gemm_open(int threads, hp_error *err)
{
	return hp_gemm_wide() ? 0 : hp_blas_open(threads, err);
}

static void plain_product(const hp_product *p)
{
	for (int row = 0; row < p->c.rows; row++)
		for (int column = 0; column < p->c.cols; column++) {
			float *c = hp_row(p->c, row) + column, sum = 0.0f;
			for (int i = 0, k = hp_product_depth(p); i < k; i++)
				sum += (p->ta ? hp_row(p->a, i)[row] : hp_row(p->a, row)[i]) *
				       (p->tb ? hp_row(p->b, column)[i] : hp_row(p->b, i)[column]);
			*c = p->add ? *c + sum : sum;
		}
}

/* Rows up to which B is multiplied as it lies: packing it costs more than its order gains. */
enum { FEW_TRANSPOSED = 64, FEW_PLAIN = 16 };

void hp_gemm_serial(const hp_product *p)
{
	int m = p->c.rows, n = p->c.cols, k = hp_product_depth(p);
	if (m <= 0 || n <= 0)
		return;
	if (k <= 0) { /* nothing to add: not every BLAS takes that for a product */
		for (int i = 0; i < m && !p->add; i++)
			memset(hp_row(p->c, i), 0, (size_t)n * sizeof(float));
		return;
	}
	if (hp_gemm_bf16(p))
		return;
	bool few = m <= (p->tb ? FEW_TRANSPOSED : FEW_PLAIN), wide = hp_gemm_wide();
	if ((few || !wide) && hp_gemm_few(p))
		return;
	if (wide) {
		hp_gemm_packed(p);
		return;
	}
	hp_sgemm *sgemm = hp_blas_sgemm();
	if (!sgemm) {
		plain_product(p);
		return;
	}
	sgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans, p->tb ? CblasTrans : CblasNoTrans, m, n, k, 1.0f, p->a.data,
	      p->a.stride, p->b.data, p->b.stride, p->add ? 1.0f : 0.0f, p->c.data, p->c.stride);
}

/* Into how many parts a product is cut, by its size alone. */
static int parts_of(const hp_product *p)
{
	double flops = 2.0 * p->c.rows * p->c.cols * hp_product_depth(p);
	int longest = p->c.rows > p->c.cols ? p->c.rows : p->c.cols;
	int parts = flops < 4e6 ? 1 : flops < 4e7 ? 2 : flops < 4e8 ? 4 : 8;
	while (parts > 1 && longest / parts < 64)
		parts /= 2;
	return parts;
}

/* Part number PART of PARTS: a band of the longer side of C, cut at multiples of 16. */
static hp_product part_of(const hp_product *product, int part, int parts)
{
	hp_product p = *product;
	if (parts == 1)
		return p;
	bool rows = p.c.rows > p.c.cols;
	int size = rows ? p.c.rows : p.c.cols;
	int step = (size / parts + 15) / 16 * 16;
	int from = part * step < size ? part * step : size;
	int count = (part == parts - 1 || from + step > size ? size : from + step) - from;
	p.c = rows ? hp_some_rows(p.c, from, count) : hp_some_columns(p.c, from, count);
	if (rows)
		p.a = p.ta ? hp_some_columns(p.a, from, count) : hp_some_rows(p.a, from, count);
	else
		p.b = p.tb ? hp_some_rows(p.b, from, count) : hp_some_columns(p.b, from, count);
	return p;
}

typedef struct group {
	int count;
	const hp_product *products;
} group;

static void group_task(void *arg, int task)
{
	const group *g = arg;
	for (int i = 0; i < g->count; i++) {
		int parts = parts_of(&g->products[i]);
		if (task < parts) {
			hp_product part = part_of(&g->products[i], task, parts);
			hp_gemm_serial(&part);
			return;
		}
		task -= parts;
	}
}

void hp_gemm_group(hp_pool *pool, int count, const hp_product *products)
{
	group g = {count, products};
	int tasks = 0;
	for (int i = 0; i < count; i++)
		tasks += parts_of(&products[i]);
	hp_pool_run(pool, tasks, group_task, &g);
}

void hp_gemm(hp_pool *pool, hp_product product)
{
	hp_gemm_group(pool, 1, &product);
}
