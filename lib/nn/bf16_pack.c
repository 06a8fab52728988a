/* bf16_pack.c: floats rounded to BF16, in tiles. */
#include "nn/bf16_kernels.h"

#ifdef HP_BF16_KERNELS
#include <string.h>

#include "nn/square.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))

/* ROWS × COLUMNS of M from ROW and COLUMN on, as they lie or, where not all of them are in M, copied to ROOM. */
HP_INLINE hp_matrix part(hp_matrix m, int row, int column, int rows, int columns, float *room)
{
	if (row >= 0 && column >= 0 && row + rows <= m.rows && column + columns <= m.cols)
		return hp_some_columns(hp_some_rows(m, row, rows), column, columns);
	hp_matrix to = hp_matrix_of(room, rows, columns);
	int left = column < 0 ? -column : 0, right = m.cols - column < columns ? m.cols - column : columns;
	memset(room, 0, (size_t)rows * (size_t)columns * sizeof *room);
	for (int i = row < 0 ? -row : 0; i < rows && row + i < m.rows && left < right; i++)
		memcpy(hp_row(to, i) + left, hp_row(m, row + i) + column + left, (size_t)(right - left) * sizeof *room);
	return to;
}

AVX512 HP_INLINE void load_rows(hp_matrix m, int row, int column, hp_square out)
{
	float room[TILE];
	int last = m.rows - row < SIDE ? m.rows - row - 1 : SIDE - 1; /* is there again for those that are not */
	m = part(m, row, column, last + 1, STEP, room);
	if (last < SIDE - 1) {
		for (int i = 0; i < SIDE; i++) {
			const float *x = hp_row(m, i < last ? i : last);
			out[i] = (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + SIDE), _mm512_loadu_ps(x));
		}
		return;
	}
#pragma GCC unroll 16
	for (int i = 0; i < SIDE; i++)
		out[i] = (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(hp_row(m, i) + SIDE), _mm512_loadu_ps(hp_row(m, i)));
}

AVX512 HP_INLINE void load_pairs(hp_matrix m, int row, int column, hp_square out)
{
	float room[TILE];
	m = part(m, row, column, STEP, SIDE, room);
	/* Two rows' numbers by turns. */
	const __m512i first = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	const __m512i turns =
		_mm512_or_si512(first, _mm512_slli_epi32(_mm512_add_epi32(first, _mm512_set1_epi32(SIDE)), 16));
#pragma GCC unroll 16
	for (int i = 0; i < SIDE; i++)
		out[i] = _mm512_permutexvar_epi16(turns, (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(hp_row(m, 2 * i + 1)),
		                                                                      _mm512_loadu_ps(hp_row(m, 2 * i))));
}

AVX512 HP_INLINE void store(const hp_square in, uint16_t *tile)
{
#pragma GCC unroll 16
	for (int i = 0; i < SIDE; i++)
		_mm512_storeu_si512(tile + i * STEP, in[i]);
}

AVX512 void hp_bf16_pack_rows(hp_matrix m, int row, int column, uint16_t *tile)
{
	hp_square x;
	load_rows(m, row, column, x);
	store(x, tile);
}

AVX512 void hp_bf16_pack_rows_of_transposed(hp_matrix m, int row, int column, uint16_t *tile)
{
	hp_square x;
	load_pairs(m, row, column, x);
	hp_square_transpose(x);
	store(x, tile);
}

AVX512 void hp_bf16_pack_pairs(hp_matrix m, int row, int column, uint16_t *tile)
{
	hp_square x;
	load_pairs(m, row, column, x);
	store(x, tile);
}

AVX512 void hp_bf16_pack_pairs_of_transposed(hp_matrix m, int row, int column, uint16_t *tile)
{
	hp_square x;
	load_rows(m, row, column, x);
	hp_square_transpose(x);
	store(x, tile);
}
#endif
