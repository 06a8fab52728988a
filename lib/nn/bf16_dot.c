/* bf16_dot.c: products of BF16 numbers by AVX512_BF16: 16 sums of two products an instruction. */
#include "nn/bf16_kernels.h"

#ifdef HP_BF16_KERNELS
#include <immintrin.h>
#include <string.h>

#define DOT __attribute__((target("avx512f,avx512bf16")))

enum { TILE_ROWS = 6, TILE_BANDS = 4 }; /* rows and bands of columns of a tile of sums */

/* COUNT rows and BANDS bands of columns from ROW and COLUMN on; KEEP: columns of the last band. */
DOT HP_INLINE void sums(const hp_bf16_block *k, int row, int count, int column, int bands, __mmask16 keep)
{
	__m512 sum[TILE_ROWS][TILE_BANDS];
	const uint16_t *a[TILE_ROWS], *b = k->b + (size_t)(column / SIDE) * k->b_next;
	float *c = k->c + row * k->ldc + column;
#pragma GCC unroll 6
	for (int r = 0; r < count; r++) {
		a[r] = k->a + (size_t)((row + r) / SIDE) * k->a_next + (row + r) % SIDE * STEP;
#pragma GCC unroll 4
		for (int j = 0; j < bands; j++)
			sum[r][j] = _mm512_maskz_loadu_ps(!k->add ? 0 : j == bands - 1 ? keep : 0xffff, c + r * k->ldc + j * SIDE);
	}
	for (int i = 0; i < k->steps; i++)
		for (int pair = 0; pair < SIDE; pair++, b += 2 * SIDE) {
			__m512i v[TILE_BANDS];
#pragma GCC unroll 4
			for (int j = 0; j < bands; j++)
				v[j] = _mm512_loadu_si512(b + (size_t)j * k->b_next);
#pragma GCC unroll 6
			for (int r = 0; r < count; r++) {
				int32_t two;
				memcpy(&two, a[r] + i * TILE + 2 * pair, sizeof two);
				__m512bh x = (__m512bh)_mm512_set1_epi32(two);
#pragma GCC unroll 4
				for (int j = 0; j < bands; j++)
					sum[r][j] = _mm512_dpbf16_ps(sum[r][j], x, (__m512bh)v[j]);
			}
		}
#pragma GCC unroll 6
	for (int r = 0; r < count; r++)
#pragma GCC unroll 4
		for (int j = 0; j < bands; j++)
			_mm512_mask_storeu_ps(c + r * k->ldc + j * SIDE, j == bands - 1 ? keep : 0xffff, sum[r][j]);
}

DOT static void rows(const hp_bf16_block *k, int row, int count)
{
#define ROWS(count) \
	case count: \
		for (; k->cols - column >= TILE_BANDS * SIDE; column += TILE_BANDS * SIDE) \
			sums(k, row, count, column, TILE_BANDS, 0xffff); \
		for (; column < k->cols; column += SIDE) \
			sums(k, row, count, column, 1, \
			     (__mmask16)(k->cols - column < SIDE ? (1 << (k->cols - column)) - 1 : 0xffff)); \
		break;
	int column = 0;
	switch (count) {
		ROWS(1)
		ROWS(2)
		ROWS(3)
		ROWS(4)
		ROWS(5)
		ROWS(6)
	}
#undef ROWS
}

DOT void hp_bf16_dot(const hp_bf16_block *k)
{
	for (int row = 0, count; row < k->rows; row += count) {
		int groups = (k->rows - row + TILE_ROWS - 1) / TILE_ROWS;
		count = (k->rows - row + groups - 1) / groups; /* of much the same height */
		rows(k, row, count);
	}
}
#endif
