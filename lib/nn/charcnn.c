/* charcnn.c: the character CNN. */
#include "nn/charcnn.h"

#include <stdlib.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/vmath.h"

void hp_charcnn_table(hp_pool *pool, const hp_charcnn *c, float *table)
{
	for (int k = 0; k < c->window; k++)
		hp_gemm(pool, false, true, c->chars, c->filters, c->dim, c->embed, c->dim, c->w + (size_t)k * c->dim,
		        c->window * c->dim, 0.0f, table + (size_t)k * c->filters, c->window * c->filters);
}

enum { TABLE_ROWS = 32, TABLE_COLUMNS = 64, WIDTH = 16 }; /* of a task; hp_gemm_few takes columns by WIDTH */

typedef struct table_work {
	const hp_charcnn *c;
	const float *turned; /* [dim × columns, rounded up to WIDTH]: the filters' places next to each other */
	float *table;
	int columns, bands; /* window × filters; tasks by columns */
} table_work;

static int rounded(int columns)
{
	return (columns + WIDTH - 1) / WIDTH * WIDTH;
}

static void table_task(void *arg, int task)
{
	const table_work *w = arg;
	const hp_charcnn *c = w->c;
	float part[TABLE_ROWS * TABLE_COLUMNS];
	int row = task / w->bands * TABLE_ROWS, column = task % w->bands * TABLE_COLUMNS;
	int m = c->chars - row < TABLE_ROWS ? c->chars - row : TABLE_ROWS;
	int n = w->columns - column < TABLE_COLUMNS ? w->columns - column : TABLE_COLUMNS;
	hp_gemm_job j = {false,
	                 false,
	                 m,
	                 rounded(n),
	                 c->dim,
	                 c->embed + (size_t)row * c->dim,
	                 c->dim,
	                 w->turned + column,
	                 rounded(w->columns),
	                 0.0f,
	                 part,
	                 TABLE_COLUMNS};
	(void)hp_gemm_few(&j);
	for (int i = 0; i < m; i++)
		memcpy(w->table + (size_t)(row + i) * w->columns + column, part + i * TABLE_COLUMNS, (size_t)n * sizeof(float));
}

/* The filters as they lie, if that is a product of few rows; else turned. */
int hp_charcnn_table_rows(hp_pool *pool, const hp_charcnn *c, float *table)
{
	table_work w = {c, NULL, table, c->window * c->filters,
	                (c->window * c->filters + TABLE_COLUMNS - 1) / TABLE_COLUMNS};
	bool few = true;
	for (int k = 0; k < c->window && few; k++) {
		hp_gemm_job j = {false,
		                 true,
		                 c->chars,
		                 c->filters,
		                 c->dim,
		                 c->embed,
		                 c->dim,
		                 c->w + (size_t)k * c->dim,
		                 c->window * c->dim,
		                 0.0f,
		                 table + (size_t)k * c->filters,
		                 w.columns};
		few = hp_gemm_few(&j);
	}
	if (few)
		return 0;
	size_t width = (size_t)rounded(w.columns);
	float *turned = calloc(width * (size_t)c->dim, sizeof *turned);
	if (!turned)
		return HP_FAIL;
	for (int f = 0; f < c->filters; f++)
		for (int k = 0; k < c->window; k++)
			for (int i = 0; i < c->dim; i++)
				turned[(size_t)i * width + (size_t)(k * c->filters + f)] =
					c->w[((size_t)f * c->window + k) * c->dim + i];
	w.turned = turned;
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
	int words;
	const int32_t *const *chars;
	const int32_t *lengths, *best;
	const float *y, *dy;
	int ldy, lddy;
	float *dtable, *db;
} backward;

enum { FILTERS = 32 }; /* of one task */

static void backward_task(void *arg, int task)
{
	const backward *a = arg;
	const hp_charcnn *c = a->c;
	int end = (task + 1) * FILTERS < c->filters ? (task + 1) * FILTERS : c->filters;
	int pad = c->window - 1;
	for (int w = 0; w < a->words; w++) {
		for (int f = task * FILTERS; f < end; f++) {
			float y = a->y[(size_t)w * a->ldy + f];
			float d = a->dy[(size_t)w * a->lddy + f] * (1.0f - y * y);
			a->db[f] += d;
			for (int k = 0; k < c->window; k++) {
				int i = a->best[(size_t)w * c->filters + f] + k - pad;
				if (i >= 0 && i < a->lengths[w])
					a->dtable[((size_t)a->chars[w][i] * c->window + k) * c->filters + f] += d;
			}
		}
	}
}

void hp_charcnn_backward(hp_pool *pool, const hp_charcnn *c, int words, const int32_t *const *chars,
                         const int32_t *lengths, const int32_t *best, const float *y, int ldy, const float *dy,
                         int lddy, float *dtable, float *db)
{
	backward a = {c, words, chars, lengths, best, y, dy, ldy, lddy, dtable, db};
	hp_pool_run(pool, (c->filters + FILTERS - 1) / FILTERS, backward_task, &a);
}

void hp_charcnn_table_backward(hp_pool *pool, const hp_charcnn *c, const float *dtable, float *dembed, float *dw)
{
	int row = c->window * c->filters, width = c->window * c->dim;
	for (int k = 0; k < c->window; k++) {
		const float *d = dtable + (size_t)k * c->filters;
		hp_gemm(pool, true, false, c->filters, c->dim, c->chars, d, row, c->embed, c->dim, 1.0f,
		        dw + (size_t)k * c->dim, width);
		hp_gemm(pool, false, false, c->chars, c->dim, c->filters, d, row, c->w + (size_t)k * c->dim, width, 1.0f,
		        dembed, c->dim);
	}
}
