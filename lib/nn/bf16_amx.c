/* bf16_amx.c: products of BF16 numbers by Intel's tiles: 16 × 16 sums of 32 products an instruction. */
#include "nn/bf16_kernels.h"

#ifdef HP_BF16_KERNELS
#include <immintrin.h>

#include "nn/tiles.h"

#define AMX __attribute__((target("amx-tile,amx-bf16")))

typedef struct extent { /* of both bands; the second is 0 where there is none */
	int rows[2], cols[2];
} extent;

/* What the tile registers hold: 0 ... 3 the sums of two bands of rows by two of columns, 4 and 5 rows of A, 6 and 7
 * columns of B. */
AMX static void configure(const extent *e)
{
	hp_tile_shapes c = {.palette = 1};
	for (int i = 0; i < 2; i++) {
		int rows = e->rows[i] ? e->rows[i] : SIDE, bytes = (e->cols[i] ? e->cols[i] : SIDE) * (int)sizeof(float);
		c.rows[2 * i] = c.rows[2 * i + 1] = c.rows[4 + i] = (uint8_t)rows;
		c.bytes[i] = c.bytes[2 + i] = c.bytes[6 + i] = (uint16_t)bytes;
		c.bytes[4 + i] = STEP * sizeof(uint16_t);
		c.rows[6 + i] = SIDE;
	}
	_tile_loadconfig(&c);
}

/* The sums from ROW and COLUMN on: one or two bands of each. */
AMX HP_INLINE void sums(const hp_bf16_block *k, int row, int column, bool rows2, bool cols2)
{
	enum { STRIDE = STEP * sizeof(uint16_t) };
	const uint16_t *a = k->a + (size_t)(row / SIDE) * k->a_next, *b = k->b + (size_t)(column / SIDE) * k->b_next;
	float *c = k->c + row * k->ldc + column, *below = c + SIDE * k->ldc;
	size_t stride = (size_t)k->ldc * sizeof *c;
	if (k->add) {
		_tile_loadd(0, c, stride);
		if (cols2)
			_tile_loadd(1, c + SIDE, stride);
		if (rows2)
			_tile_loadd(2, below, stride);
		if (rows2 && cols2)
			_tile_loadd(3, below + SIDE, stride);
	} else {
		_tile_zero(0);
		_tile_zero(1);
		_tile_zero(2);
		_tile_zero(3);
	}
	for (int i = 0; i < k->steps; i++, a += TILE, b += TILE) {
		_tile_loadd(4, a, STRIDE);
		_tile_loadd(6, b, STRIDE);
		_tile_dpbf16ps(0, 4, 6);
		if (cols2) {
			_tile_loadd(7, b + k->b_next, STRIDE);
			_tile_dpbf16ps(1, 4, 7);
		}
		if (rows2) {
			_tile_loadd(5, a + k->a_next, STRIDE);
			_tile_dpbf16ps(2, 5, 6);
		}
		if (rows2 && cols2)
			_tile_dpbf16ps(3, 5, 7);
	}
	_tile_stored(0, c, stride);
	if (cols2)
		_tile_stored(1, c + SIDE, stride);
	if (rows2)
		_tile_stored(2, below, stride);
	if (rows2 && cols2)
		_tile_stored(3, below + SIDE, stride);
}

static int band(int left)
{
	return left < 0 ? 0 : left < SIDE ? left : SIDE;
}

AMX void hp_bf16_amx(const hp_bf16_block *k)
{
	extent now = {{0}, {0}};
	for (int column = 0; column < k->cols; column += 2 * SIDE)
		for (int row = 0; row < k->rows; row += 2 * SIDE) {
			extent e = {{band(k->rows - row), band(k->rows - row - SIDE)},
			            {band(k->cols - column), band(k->cols - column - SIDE)}};
			if (memcmp(&e, &now, sizeof e) != 0)
				configure(&e);
			now = e;
			if (e.rows[1] && e.cols[1])
				sums(k, row, column, true, true);
			else if (e.rows[1])
				sums(k, row, column, true, false);
			else if (e.cols[1])
				sums(k, row, column, false, true);
			else
				sums(k, row, column, false, false);
		}
	_tile_release();
}
#endif
