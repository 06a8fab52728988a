/* int8_vnni.c: products of rounded numbers by AVX-512 VNNI: 64 products an instruction. */
#include "nn/int8_kernels.h"

#ifdef HP_INT8_KERNELS
#include <immintrin.h>
#include <string.h>

#define VNNI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))

enum { TILE_PANELS = 4 };

/* The sums of COUNT rows as floats, in their place.  They pass through memory: else GCC keeps them there while they are
 * summed up. */
VNNI HP_INLINE void finish_tile(const hp_int8_rows *t, int count, int panel, int panels,
                                __m512i sum[TILE_ROWS][TILE_PANELS])
{
	__m512i out[TILE_ROWS][TILE_PANELS];
#pragma GCC unroll 6
	for (int r = 0; r < count; r++)
#pragma GCC unroll 4
		for (int j = 0; j < panels; j++)
			out[r][j] = sum[r][j];
	__asm__("" : "+m"(out));
	for (int r = 0; r < count; r++) {
		__m512i offset = _mm512_set1_epi32(OFFSET * t->sum[r]);
		__m512 scale = _mm512_set1_ps(t->scale[r]);
		for (int j = 0; j < panels; j++) {
			int from = (panel + j) * PANEL, left = t->w->n - from;
			__mmask16 keep = (__mmask16)(left >= PANEL ? 0xffff : (1 << left) - 1);
			__m512 y = _mm512_cvtepi32_ps(_mm512_sub_epi32(out[r][j], offset));
			y = _mm512_mul_ps(y, _mm512_mul_ps(scale, _mm512_loadu_ps(t->w->scale + from)));
			_mm512_mask_storeu_ps(t->c + r * t->ldc + from, keep, y);
		}
	}
}

/* COUNT rows by PANELS panels from PANEL on. */
VNNI HP_INLINE void tile_vnni(const hp_int8_rows *t, int count, int panel, int panels)
{
	const uint8_t *w = t->w->weight + (size_t)panel * (size_t)t->w->quads * BYTES;
	size_t next = (size_t)t->w->quads * BYTES;
	__m512i sum[TILE_ROWS][TILE_PANELS], four[TILE_PANELS];
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
			__m512i x = _mm512_set1_epi32(quad_of(t->q[r] + QUAD * i));
#pragma GCC unroll 4
			for (int j = 0; j < panels; j++)
				sum[r][j] = _mm512_dpbusd_epi32(sum[r][j], four[j], x);
		}
	}
	finish_tile(t, count, panel, panels, sum);
}

VNNI void hp_int8_vnni(const hp_int8_rows *t, int from, int end)
{
#define TILES(count) \
	case count: \
		for (; end - from >= TILE_PANELS; from += TILE_PANELS) \
			tile_vnni(t, count, from, TILE_PANELS); \
		for (; from < end; from++) \
			tile_vnni(t, count, from, 1); \
		break;
	switch (t->count) {
		TILES(1)
		TILES(2)
		TILES(3)
		TILES(4)
		TILES(5)
		TILES(6)
	}
#undef TILES
}
#endif
