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

/* Rows up to which B is multiplied as it lies: packing it costs more than its order gains. */
enum { FEW_TRANSPOSED = 40, FEW_PLAIN = 8 };
enum { WIDTH = 64 }; /* parts are a multiple of it wide and high */

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
	if (hp_gemm_bf16(p) || hp_gemm_split(p))
		return;
	bool wide = hp_gemm_wide(), few = m <= (p->tb ? FEW_TRANSPOSED : FEW_PLAIN) && !hp_gemm_is_packed(p);
	if ((few || !wide) && hp_gemm_few(p))
		return;
	hp_sgemm *sgemm = wide ? NULL : hp_blas_sgemm();
	if (!sgemm) {
		hp_gemm_packed(p);
		return;
	}
	sgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans, p->tb ? CblasTrans : CblasNoTrans, m, n, k, 1.0f, p->a.data,
	      p->a.stride, p->b.data, p->b.stride, p->add ? 1.0f : 0.0f, p->c.data, p->c.stride);
}

/* Into how many bands of rows and of columns C is cut. */
typedef struct grid {
	int rows, cols;
} grid;

/* By the product's size alone; parts are much the same in height and width: both matrices are copied least. */
static grid grid_of(const hp_product *p)
{
	double flops = 2.0 * p->c.rows * p->c.cols * hp_product_depth(p);
	int parts = flops < 4e6 ? 1 : flops < 4e7 ? 2 : flops < 4e8 ? 4 : 8;
	grid g = {1, 1};
	while (g.rows * g.cols < parts) {
		int height = p->c.rows / g.rows, width = p->c.cols / g.cols;
		if (height < 128 && width < 128)
			break;
		*(height > width ? &g.rows : &g.cols) *= 2;
	}
	return g;
}

/* Where band number BAND of BANDS begins. */
static int band_at(int band, int bands, int size)
{
	int at = (size * band / bands + WIDTH - 1) / WIDTH * WIDTH;
	return band < bands && at < size ? at : size;
}

static hp_product part_of(const hp_product *product, grid g, int part)
{
	hp_product p = *product;
	int row = part / g.cols, column = part % g.cols;
	int top = band_at(row, g.rows, p.c.rows), rows = band_at(row + 1, g.rows, p.c.rows) - top;
	int left = band_at(column, g.cols, p.c.cols), columns = band_at(column + 1, g.cols, p.c.cols) - left;
	p.c = hp_some_columns(hp_some_rows(p.c, top, rows), left, columns);
	p.a = p.ta ? hp_some_columns(p.a, top, rows) : hp_some_rows(p.a, top, rows);
	p.b = p.tb ? hp_some_rows(p.b, left, columns) : hp_some_columns(p.b, left, columns);
	return p;
}

typedef struct group {
	int count;
	const hp_product *products;
} group;

static void group_task(void *arg, int task)
{
	const group *all = arg;
	for (int i = 0; i < all->count; i++) {
		grid g = grid_of(&all->products[i]);
		if (task < g.rows * g.cols) {
			hp_product part = part_of(&all->products[i], g, task);
			hp_gemm_serial(&part);
			return;
		}
		task -= g.rows * g.cols;
	}
}

void hp_gemm_group(hp_pool *pool, int count, const hp_product *products)
{
	group all = {count, products};
	int tasks = 0;
	for (int i = 0; i < count; i++) {
		grid g = grid_of(&products[i]);
		tasks += g.rows * g.cols;
	}
	hp_pool_run(pool, tasks, group_task, &all);
}

void hp_gemm(hp_pool *pool, hp_product product)
{
	hp_gemm_group(pool, 1, &product);
}
