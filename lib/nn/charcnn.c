/* charcnn.c: the character CNN. */
#include "nn/charcnn.h"

#include <stdlib.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/vmath.h"

/* The filters' and the table's columns of place K of the window. */
static hp_matrix filters_at(const hp_charcnn *c, const float *w, int k)
{
	return hp_some_columns(hp_matrix_of(w, c->filters, c->window * c->dim), k * c->dim, c->dim);
}

static hp_matrix table_at(const hp_charcnn *c, const float *table, int k)
{
	return hp_some_columns(hp_matrix_of(table, c->chars, c->window * c->filters), k * c->filters, c->filters);
}

static hp_matrix characters(const hp_charcnn *c, const float *embed)
{
	return hp_matrix_of(embed, c->chars, c->dim);
}

static hp_product table_product(const hp_charcnn *c, const float *table, int k)
{
	return (hp_product){
		.c = table_at(c, table, k), .a = characters(c, c->embed), .b = filters_at(c, c->w, k), .tb = true};
}

void hp_charcnn_table(hp_pool *pool, const hp_charcnn *c, float *table)
{
	for (int k = 0; k < c->window; k++)
		hp_gemm(pool, table_product(c, table, k));
}

enum { TABLE_ROWS = 32, TABLE_COLUMNS = 64, WIDTH = 16 }; /* of a task; hp_gemm_few takes columns by WIDTH */

typedef struct table_work {
	const hp_charcnn *c;
	hp_matrix turned; /* [dim × columns, rounded up to WIDTH]: the filters' places next to each other */
	hp_matrix table; /* [chars × columns] */
	int bands; /* tasks by columns */
} table_work;

static int rounded(int columns)
{
	return (columns + WIDTH - 1) / WIDTH * WIDTH;
}

static void table_task(void *arg, int task)
{
	const table_work *w = arg;
	float part[TABLE_ROWS * TABLE_COLUMNS];
	int row = task / w->bands * TABLE_ROWS, column = task % w->bands * TABLE_COLUMNS;
	int m = w->table.rows - row < TABLE_ROWS ? w->table.rows - row : TABLE_ROWS;
	int n = w->table.cols - column < TABLE_COLUMNS ? w->table.cols - column : TABLE_COLUMNS;
	hp_product p = {.c = hp_some_columns(hp_matrix_of(part, m, TABLE_COLUMNS), 0, rounded(n)),
	                .a = hp_some_rows(characters(w->c, w->c->embed), row, m),
	                .b = hp_some_columns(w->turned, column, rounded(n))};
	(void)hp_gemm_few(&p);
	for (int i = 0; i < m; i++)
		memcpy(hp_row(w->table, row + i) + column, part + i * TABLE_COLUMNS, (size_t)n * sizeof(float));
}

/* The filters as they lie, if that is a product of few rows; else turned. */
int hp_charcnn_table_rows(hp_pool *pool, const hp_charcnn *c, float *table)
{
	int columns = c->window * c->filters;
	table_work w = {.c = c, .table = hp_matrix_of(table, c->chars, columns)};
	bool few = true;
	w.bands = (columns + TABLE_COLUMNS - 1) / TABLE_COLUMNS;
	for (int k = 0; k < c->window && few; k++) {
		hp_product p = table_product(c, table, k);
		few = hp_gemm_few(&p);
	}
	if (few)
		return 0;
	size_t width = (size_t)rounded(columns);
	float *turned = calloc(width * (size_t)c->dim, sizeof *turned);
	if (!turned)
		return HP_FAIL;
	for (int f = 0; f < c->filters; f++)
		for (int k = 0; k < c->window; k++)
			for (int i = 0; i < c->dim; i++)
				turned[(size_t)i * width + (size_t)(k * c->filters + f)] =
					c->w[((size_t)f * c->window + k) * c->dim + i];
	w.turned = hp_matrix_of(turned, c->dim, rounded(columns));
	hp_pool_run(pool, (c->chars + TABLE_ROWS - 1) / TABLE_ROWS * w.bands, table_task, &w);
	free(turned);
	return 0;
}

HP_CLONES static void keep_larger(int n, int32_t position, const float *restrict x, float *restrict top,
                                  int32_t *restrict best)
{
	for (int f = 0; f < n; f++) {
		best[f] = x[f] > top[f] ? position : best[f];
		top[f] = x[f] > top[f] ? x[f] : top[f];
	}
}

enum { BLOCK = 256 }; /* filters at a time */

static void word_block(const hp_charcnn *c, const float *table, const int32_t *chars, int length, int from, int n,
                       float *y, int32_t *best)
{
	float sum[BLOCK];
	int32_t unwanted[BLOCK] = {0};
	int pad = c->window - 1;
	for (int j = 0; j < length + pad; j++) { /* window j covers characters j - pad ... j */
		float *x = j ? sum : y;
		memcpy(x, c->b + from, (size_t)n * sizeof(float));
		for (int k = 0; k < c->window; k++) {
			int i = j + k - pad;
			if (i >= 0 && i < length)
				hp_vec_add((size_t)n, table + ((size_t)chars[i] * c->window + k) * c->filters + from, x);
		}
		if (j == 0 && best)
			memset(best, 0, (size_t)n * sizeof *best);
		else if (j)
			keep_larger(n, j, sum, y, best ? best : unwanted);
	}
	hp_vec_tanh((size_t)n, y);
}

void hp_charcnn_word(const hp_charcnn *c, const float *table, const int32_t *chars, int length, float *y, int32_t *best)
{
	for (int from = 0; from < c->filters; from += BLOCK) {
		int n = c->filters - from < BLOCK ? c->filters - from : BLOCK;
		word_block(c, table, chars, length, from, n, y + from, best ? best + from : NULL);
	}
}

typedef struct backward {
	const hp_charcnn *c;
	const hp_charcnn_words *words;
	hp_matrix y, dy;
	float *dtable, *db;
} backward;

enum { FILTERS = 32 }; /* of one task */

static void backward_task(void *arg, int task)
{
	const backward *a = arg;
	const hp_charcnn *c = a->c;
	int end = (task + 1) * FILTERS < c->filters ? (task + 1) * FILTERS : c->filters;
	int pad = c->window - 1;
	for (int w = 0; w < a->y.rows; w++) {
		const float *ys = hp_row(a->y, w), *dys = hp_row(a->dy, w);
		for (int f = task * FILTERS; f < end; f++) {
			float y = ys[f], d = dys[f] * (1.0f - y * y);
			a->db[f] += d;
			for (int k = 0; k < c->window; k++) {
				int i = a->words->best[(size_t)w * c->filters + f] + k - pad;
				if (i >= 0 && i < a->words->lengths[w])
					a->dtable[((size_t)a->words->chars[w][i] * c->window + k) * c->filters + f] += d;
			}
		}
	}
}

void hp_charcnn_backward(hp_pool *pool, const hp_charcnn *c, const hp_charcnn_words *words, hp_matrix y, hp_matrix dy,
                         float *dtable, float *db)
{
	backward a = {c, words, y, dy, dtable, db};
	hp_pool_run(pool, (c->filters + FILTERS - 1) / FILTERS, backward_task, &a);
}

void hp_charcnn_table_backward(hp_pool *pool, const hp_charcnn *c, const float *dtable, float *dembed, float *dw)
{
	for (int k = 0; k < c->window; k++) {
		hp_matrix d = table_at(c, dtable, k);
		hp_gemm(pool,
		        (hp_product){.c = filters_at(c, dw, k), .a = d, .b = characters(c, c->embed), .ta = true, .add = true});
		hp_gemm(pool, (hp_product){.c = characters(c, dembed), .a = d, .b = filters_at(c, c->w, k), .add = true});
	}
}
