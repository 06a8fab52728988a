/* matrix.h: a view of a matrix, or of some rows and columns of one, whose memory is somebody else's.
 *
 * Rows lie STRIDE floats apart, a row's values side by side.  A view is passed by value; whether a function writes to it
 * is said where the function is declared.  DATA NULL: there is no such matrix. */
#ifndef HP_MATRIX_H
#define HP_MATRIX_H
#include <stddef.h>
#include "base/arena.h"

typedef struct hp_matrix {
	float *data;
	int rows, cols, stride;
	const struct hp_bf16 *bf16; /* of weights and their gradient: how products with them are made (bf16.h); else NULL */
	const struct hp_panels *panels; /* of weights that hp_gemm_pack copied; else NULL */
} hp_matrix;

/* All of a matrix that fills its memory.  DATA is not written to by this. */
static inline hp_matrix hp_matrix_of(const float *data, int rows, int cols)
{
	return (hp_matrix){(float *)data, rows, cols, cols, NULL, NULL};
}

/* In ARENA, with values unknown; without DATA if the arena has no room. */
static inline hp_matrix hp_matrix_new(hp_arena *arena, int rows, int cols)
{
	return hp_matrix_of(HP_NEW(arena, float, (size_t)rows * (size_t)cols), rows, cols);
}

/* In ARENA, zeros, of as many rows and columns as LIKE. */
static inline hp_matrix hp_matrix_zeros(hp_arena *arena, hp_matrix like)
{
	return hp_matrix_of(HP_NEW0(arena, float, (size_t)like.rows * (size_t)like.cols), like.rows, like.cols);
}

static inline float *hp_row(hp_matrix m, int row)
{
	return m.data + (ptrdiff_t)row * m.stride;
}

static inline hp_matrix hp_some_rows(hp_matrix m, int from, int count)
{
	return (hp_matrix){hp_row(m, from), count, m.cols, m.stride, m.bf16, m.panels};
}

static inline hp_matrix hp_some_columns(hp_matrix m, int from, int count)
{
	return (hp_matrix){m.data + from, m.rows, count, m.stride, m.bf16, m.panels};
}

#endif
