/* int8_vnni.c: products of rounded numbers by AVX-512 VNNI: 64 products an instruction. */
#include "nn/int8_kernels.h"

#ifdef HP_INT8_KERNELS
#include <immintrin.h>
#include <string.h>

#define VNNI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))

enum { ROWS = 6, PANELS = 4 }; /* of sums in registers */

/* The sums of COUNT rows as floats, in their place.  They pass through memory: else GCC keeps them there while they are
 * summed up. */
VNNI HP_INLINE void finish_tile(const hp_int8_rows *t, int row, int count, int panel, int panels,
                                __m512i sum[ROWS][PANELS])
{
	__m512i out[ROWS][PANELS];
#pragma GCC unroll 6
	for (int r = 0; r < count; r++)
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++)
			out[r][j] = sum[r][j];
	__asm__("" : "+m"(out));
	for (int r = 0; r < count; r++) {
		__m512i offset = _mm512_set1_epi32(OFFSET * t->sum[row + r]);
		__m512 scale = _mm512_set1_ps(t->scale[row + r]);
		for (int j = 0; j < panels; j++) {
			int from = (panel + j) * PANEL, left = t->w->n - from;
			__mmask16 keep = (__mmask16)(left >= PANEL ? 0xffff : (1 << left) - 1);
			__m512 y = _mm512_cvtepi32_ps(_mm512_sub_epi32(out[r][j], offset));
			y = _mm512_mul_ps(y, _mm512_mul_ps(scale, _mm512_loadu_ps(t->w->scale + from)));
			_mm512_mask_storeu_ps(hp_row(t->c, row + r) + from, keep, y);
		}
	}
}

/* COUNT rows from ROW on by PANELS panels from PANEL on. */
VNNI HP_INLINE void tile_vnni(const hp_int8_rows *t, int row, int count, int panel, int panels)
{
	const uint8_t *w = t->w->weight + (size_t)panel * (size_t)t->w->quads * BYTES;
	const int8_t *q = t->q + row * t->stride;
	size_t next = (size_t)t->w->quads * BYTES;
	__m512i sum[ROWS][PANELS], four[PANELS];
#pragma GCC unroll 6
	for (int r = 0; r < count; r++)
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++)
			sum[r][j] = _mm512_setzero_si512();
	for (int i = 0; i < t->w->quads; i++, w += BYTES) {
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++)
			four[j] = _mm512_load_si512(w + (size_t)j * next);
#pragma GCC unroll 6
		for (int r = 0; r < count; r++) {
			__m512i x = _mm512_set1_epi32(quad_of(q + r * t->stride + QUAD * i));
#pragma GCC unroll 4
			for (int j = 0; j < panels; j++)
				sum[r][j] = _mm512_dpbusd_epi32(sum[r][j], four[j], x);
		}
	}
	finish_tile(t, row, count, panel, panels, sum);
}

VNNI void hp_int8_vnni(const hp_int8_rows *t, int from, int end)
{
#define TILES(count) \
	case count: \
		for (int j = from, panels; j < end; j += panels) { \
			panels = end - j >= PANELS ? PANELS : 1; \
			if (panels == PANELS) \
				tile_vnni(t, row, count, j, PANELS); \
			else \
				tile_vnni(t, row, count, j, 1); \
		} \
		break;
	for (int row = 0, rows; row < t->count; row += rows) {
		int tiles = (t->count - row + ROWS - 1) / ROWS;
		rows = (t->count - row + tiles - 1) / tiles; /* of much the same height */
		switch (rows) {
			TILES(1)
			TILES(2)
			TILES(3)
			TILES(4)
			TILES(5)
			TILES(6)
		}
	}
#undef TILES
}
#endif
