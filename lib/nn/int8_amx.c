/* int8_amx.c: products of rounded numbers by AMX: a tile of 16 rows with one of 16 outputs, 64 inputs at once. */
#include "nn/int8_kernels.h"

#ifdef HP_INT8_TILES
#include <immintrin.h>

#include "nn/tiles.h"

#define AMX __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512vl,avx512dq")))

/* Tile registers: 0 ... 3 sums of two tiles of rows by two panels, 4 and 5 rows, 6 and 7 panels. */
AMX static void set_shapes(int upper, int lower)
{
	hp_tile_shapes shapes = {.palette = 1};
	for (int i = 0; i < 8; i++) {
		shapes.bytes[i] = TILE_BYTES;
		shapes.rows[i] = TILE_ROWS;
	}
	shapes.rows[0] = shapes.rows[1] = shapes.rows[4] = (uint8_t)upper;
	shapes.rows[2] = shapes.rows[3] = shapes.rows[5] = (uint8_t)lower;
	_tile_loadconfig(&shapes);
}

AMX HP_INLINE __m512 as_floats(const int32_t *sum, __m512i offset, __m512 row, __m512 column)
{
	__m512 y = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_load_si512(sum), offset));
	return _mm512_mul_ps(y, _mm512_mul_ps(row, column));
}

/* Which of a panel's columns there are, THERE of them, or none. */
AMX HP_INLINE __mmask16 columns(int there)
{
	if (there <= 0)
		return 0;
	return (__mmask16)(there >= PANEL ? 0xffff : (1 << there) - 1);
}

/* COUNT rows from ROW on of the sums of PANEL, LEFT, and, if they are there, of the next one. */
AMX HP_INLINE void finish_rows(const hp_int8_rows *t, int row, int count, int panel, int32_t left[][PANEL],
                               int32_t right[][PANEL])
{
	int from = panel * PANEL, there = t->w->n - from;
	__mmask16 keep_left = columns(there), keep_right = columns(there - PANEL);
	__m512 left_scale = _mm512_loadu_ps(t->w->scale + from), right_scale = left_scale;
	if (right)
		right_scale = _mm512_loadu_ps(t->w->scale + from + PANEL);
	for (int r = 0; r < count; r++) {
		__m512i offset = _mm512_set1_epi32(OFFSET * t->sum[row + r]);
		__m512 scale = _mm512_set1_ps(t->scale[row + r]);
		float *c = hp_row(t->c, row + r) + from;
		_mm512_mask_storeu_ps(c, keep_left, as_floats(left[r], offset, scale, left_scale));
		if (right)
			_mm512_mask_storeu_ps(c + PANEL, keep_right, as_floats(right[r], offset, scale, right_scale));
	}
}

/* UPPER + LOWER rows from ROW on by one panel or TWO. */
AMX HP_INLINE void tiles(const hp_int8_rows *t, int row, int upper, int lower, int panel, bool two)
{
	size_t size = (size_t)t->w->quads * BYTES; /* of a panel */
	const uint8_t *left = t->w->weight + (size_t)panel * size, *right = left + size;
	const int8_t *above = t->q + row * t->stride, *below = above + TILE_ROWS * t->stride;
	int32_t sum[4][TILE_ROWS][PANEL] __attribute__((aligned(BYTES)));
	_tile_zero(0);
	_tile_zero(1);
	_tile_zero(2);
	_tile_zero(3);
	for (int i = 0; i < t->stride; i += TILE_BYTES) {
		_tile_loadd(4, above + i, t->stride);
		_tile_loadd(6, left + i * PANEL, BYTES);
		_tile_dpbsud(0, 4, 6);
		if (two) {
			_tile_loadd(7, right + i * PANEL, BYTES);
			_tile_dpbsud(1, 4, 7);
		}
		if (lower) {
			_tile_loadd(5, below + i, t->stride);
			_tile_dpbsud(2, 5, 6);
			if (two)
				_tile_dpbsud(3, 5, 7);
		}
	}
	_tile_stored(0, sum[0], BYTES);
	_tile_stored(1, sum[1], BYTES);
	_tile_stored(2, sum[2], BYTES);
	_tile_stored(3, sum[3], BYTES);
	finish_rows(t, row, upper, panel, sum[0], two ? sum[1] : NULL);
	finish_rows(t, row + TILE_ROWS, lower, panel, sum[2], two ? sum[3] : NULL);
}

enum { FEW = 4 }; /* rows: the tiles would be mostly empty */

AMX void hp_int8_amx(const hp_int8_rows *t, int from, int end)
{
	int shape = 0;
	if (t->count <= FEW) {
		hp_int8_vnni(t, from, end);
		return;
	}
	for (int panel = from; panel < end; panel += 2)
		for (int row = 0; row < t->count; row += 2 * TILE_ROWS) {
			int rows = t->count - row < 2 * TILE_ROWS ? t->count - row : 2 * TILE_ROWS;
			int upper = rows < TILE_ROWS ? rows : TILE_ROWS, lower = rows - upper;
			if (rows != shape)
				set_shapes(upper, lower ? lower : TILE_ROWS);
			shape = rows;
			if (lower && end - panel >= 2)
				tiles(t, row, upper, lower, panel, true);
			else if (lower)
				tiles(t, row, upper, lower, panel, false);
			else
				tiles(t, row, upper, 0, panel, end - panel >= 2);
		}
	_tile_release();
}
#endif
