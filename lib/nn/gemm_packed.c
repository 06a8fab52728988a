/* gemm_packed.c: products of many rows: parts of B are copied into panels whose columns lie side by side, which the tiles
 * of gemm_rows.c then read in order; where A is transposed, parts of it are turned.
 *
 * What an element of C sums, and in which order, depends on its row, its column and k alone. */
#include <string.h>

#include "nn/gemm.h"

enum { DEPTH = 256, WIDTH = 64 }; /* of a panel: it stays in the second-level cache */
enum { ROWS = 240, TURNED_ROWS = 120 }; /* of A, for which a panel is made; */
enum { FEW = 60 }; /* and of one call of the tiles: several of them, and no more than hp_gemm_few takes */

typedef float quad __attribute__((vector_size(4 * sizeof(float))));

static quad load(const float *x)
{
	quad q;
	memcpy(&q, x, sizeof q);
	return q;
}

/* Four rows and columns of M, from ROW and COLUMN on, to the rows of TO. */
static void turn_square(hp_matrix m, int row, int column, hp_matrix to)
{
	quad a = load(hp_row(m, row) + column), b = load(hp_row(m, row + 1) + column);
	quad c = load(hp_row(m, row + 2) + column), d = load(hp_row(m, row + 3) + column);
	quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
	quad turned[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7)};
	ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
	cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
	turned[2] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
	turned[3] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
	for (int i = 0; i < 4; i++)
		memcpy(hp_row(to, column + i) + row, &turned[i], sizeof turned[i]);
}

/* TO [cols × rows] = Mᵀ */
static void turn(hp_matrix m, hp_matrix to)
{
	int rows = m.rows / 4 * 4, columns = m.cols / 4 * 4;
	for (int r = 0; r < rows; r += 4)
		for (int c = 0; c < columns; c += 4)
			turn_square(m, r, c, to);
	for (int r = 0; r < m.rows; r++)
		for (int c = r < rows ? columns : 0; c < m.cols; c++)
			hp_row(to, c)[r] = hp_row(m, r)[c];
}

/* PANEL [depth × WIDTH] = rows FROM ... of B (of Bᵀ, if it is transposed) and its columns from COLUMN on; beyond them
 * zeros. */
static void pack(const hp_product *p, int from, int column, hp_matrix panel)
{
	int columns = p->c.cols - column < WIDTH ? p->c.cols - column : WIDTH;
	size_t size = (size_t)columns * sizeof(float);
	if (columns < WIDTH)
		for (int i = 0; i < panel.rows; i++)
			memset(hp_row(panel, i) + columns, 0, (size_t)(WIDTH - columns) * sizeof(float));
	if (p->tb)
		turn(hp_some_columns(hp_some_rows(p->b, column, columns), from, panel.rows), panel);
	else
		for (int i = 0; i < panel.rows; i++)
			memcpy(hp_row(panel, i), hp_row(p->b, from + i) + column, size);
}

/* C [. × WIDTH] = A · PANEL, or += */
static void multiply(hp_matrix c, hp_matrix a, hp_matrix panel, bool add)
{
	for (int row = 0; row < c.rows; row += FEW) {
		int count = c.rows - row < FEW ? c.rows - row : FEW;
		(void)hp_gemm_few(
			&(hp_product){.c = hp_some_rows(c, row, count), .a = hp_some_rows(a, row, count), .b = panel, .add = add});
	}
}

/* The last columns, fewer than a panel has: by a product that has them all. */
static void multiply_last(hp_matrix c, hp_matrix a, hp_matrix panel, bool add)
{
	float room[ROWS * WIDTH];
	hp_matrix whole = hp_matrix_of(room, c.rows, WIDTH);
	multiply(whole, a, panel, false);
	for (int row = 0; row < c.rows; row++)
		for (int i = 0; i < c.cols; i++)
			hp_row(c, row)[i] = (add ? hp_row(c, row)[i] : 0.0f) + hp_row(whole, row)[i];
}

/* Rows of C, and of A (of Aᵀ), for DEPTH rows of B from FROM on. */
static void multiply_rows(const hp_product *p, hp_matrix c, hp_matrix a, int from)
{
	float room[DEPTH * WIDTH] __attribute__((aligned(64)));
	hp_matrix panel = hp_matrix_of(room, a.cols, WIDTH);
	bool add = p->add || from > 0;
	for (int column = 0; column < c.cols; column += WIDTH) {
		pack(p, from, column, panel);
		if (c.cols - column >= WIDTH)
			multiply(hp_some_columns(c, column, WIDTH), a, panel, add);
		else
			multiply_last(hp_some_columns(c, column, c.cols - column), a, panel, add);
	}
}

void hp_gemm_packed(const hp_product *p)
{
	float room[TURNED_ROWS * DEPTH];
	int k = hp_product_depth(p), most = p->ta ? TURNED_ROWS : ROWS;
	for (int row = 0; row < p->c.rows; row += most) {
		int rows = p->c.rows - row < most ? p->c.rows - row : most;
		for (int from = 0; from < k; from += DEPTH) {
			int depth = k - from < DEPTH ? k - from : DEPTH;
			hp_matrix a = hp_matrix_of(room, rows, depth);
			if (p->ta)
				turn(hp_some_columns(hp_some_rows(p->a, from, depth), row, rows), a);
			else
				a = hp_some_columns(hp_some_rows(p->a, row, rows), from, depth);
			multiply_rows(p, hp_some_rows(p->c, row, rows), a, from);
		}
	}
}
