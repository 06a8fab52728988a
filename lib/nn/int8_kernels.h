/* int8_kernels.h: what int8.c shares with its kernels, an instruction set a file.
 *
 * Weights are stored as what they are plus OFFSET, from 1 to 127: x86 multiplies unsigned bytes with signed ones, and two
 * such products fit a sum of 16 bits (AVX2 has no better).  OFFSET times the sum of the other factor is taken off in the
 * end. */
#ifndef HP_INT8_KERNELS_H
#define HP_INT8_KERNELS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nn/matrix.h"
#include "nn/vmath.h"
#if defined(__x86_64__) && defined(__GNUC__) && !defined(HP_NO_CLONES)
#define HP_INT8_KERNELS 1
#if defined(__linux__)
#define HP_INT8_TILES 1
#endif
#endif

enum { PANEL = 16 }; /* outputs side by side */
enum { QUAD = 4 }; /* inputs side by side: a lane of 32 bits */
enum { BYTES = PANEL * QUAD }; /* of a panel's step */
enum { OFFSET = 64 };
enum { LARGEST = 8192 }; /* inputs of a matrix that is rounded */
enum {
	TILE_BYTES = 64,
	TILE_ROWS = 16
}; /* of a tile register: a part of up to 16 rows, or TILE_ROWS steps of a panel */

typedef struct hp_int8 {
	int n, k, panels, quads;
	float *scale; /* [panels × PANEL] */
	uint8_t *weight; /* [panels][quads][PANEL][QUAD], filled up with OFFSET: zeros; a tile's bytes behind may be read */
} hp_int8;

/* Some rows of A, rounded, and what they are multiplied with. */
typedef struct hp_int8_rows {
	const hp_int8 *w;
	int count; /* of rows */
	int stride; /* bytes of a row, whole TILE_BYTES */
	const int8_t *q; /* [count × stride], filled up with zeros */
	const int32_t *sum; /* [count] of q */
	const float *scale; /* [count] */
	hp_matrix c; /* the results */
} hp_int8_rows;

/* Rows by panels FROM ... END - 1. */
typedef void hp_int8_kernel(const hp_int8_rows *t, int from, int end);

#ifdef HP_INT8_KERNELS
hp_int8_kernel hp_int8_vnni, hp_int8_avx2;
#endif
#ifdef HP_INT8_TILES
hp_int8_kernel hp_int8_amx;
#endif

/* The largest magnitude, as its bits, which are in the order of the numbers: infinity and what is no number come last. */
int32_t hp_int8_largest(int k, const float *x);
/* Of rounding to whole numbers of ± LEVELS what has the LARGEST bits: what one of them stands for, NaN if they are no finite
 * number, and what to multiply with. */
float hp_int8_scale(int32_t largest, int levels, float *inverse);

/* How products of M rows with all panels are cut into tasks, each of which rounds its rows itself. */
typedef struct hp_cut {
	int m, panels;
	int rows, blocks; /* of a task; blocks of them */
	int parts; /* into which all panels are cut */
} hp_cut;
typedef struct hp_piece {
	int row, rows; /* the first one, how many */
	int from, end; /* panels */
} hp_piece;
hp_cut hp_cut_make(int m, int most_rows, int panels, int threads); /* blocks × parts tasks */
hp_piece hp_cut_piece(const hp_cut *cut, int task);

/* SIZE bytes of a block, which begin at a multiple of a line of the cache. */
HP_INLINE size_t hp_in_lines(size_t size)
{
	return (size + BYTES - 1) / BYTES * BYTES;
}

/* NULL: this processor has no instructions with which small numbers are faster than floats. */
hp_int8_kernel *hp_int8_best_kernel(void);

HP_INLINE int32_t quad_of(const int8_t *q)
{
	int32_t four;
	memcpy(&four, q, sizeof four);
	return four;
}

/* The sums S [PANEL] of row R and PANEL as floats, in their place. */
HP_INLINE void finish(const hp_int8_rows *t, int r, int panel, const int32_t *s)
{
	int from = panel * PANEL, count = t->w->n - from < PANEL ? t->w->n - from : PANEL;
	float y[PANEL];
	for (int i = 0; i < PANEL; i++)
		y[i] = (float)(s[i] - OFFSET * t->sum[r]) * (t->scale[r] * t->w->scale[from + i]);
	float *c = hp_row(t->c, r) + from;
	if (count == PANEL)
		memcpy(c, y, sizeof y);
	else
		memcpy(c, y, (size_t)count * sizeof *y);
}

#endif
