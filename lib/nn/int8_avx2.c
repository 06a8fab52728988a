/* int8_avx2.c: products of rounded numbers by AVX2, which sums two of them in 16 bits first. */
#include "nn/int8_kernels.h"

#ifdef HP_INT8_KERNELS
#include <immintrin.h>
#include <string.h>

enum { ROWS = 3 };

#define AVX2 __attribute__((target("avx2")))

AVX2 HP_INLINE void tile_avx2(const hp_int8_rows *t, int first, int count, int panel)
{
	const uint8_t *w = t->w->weight + (size_t)panel * (size_t)t->w->quads * BYTES;
	const __m256i one = _mm256_set1_epi16(1);
	__m256i sum[ROWS][2];
#pragma GCC unroll 3
	for (int r = 0; r < count; r++)
		sum[r][0] = sum[r][1] = _mm256_setzero_si256();
	for (int i = 0; i < t->w->quads; i++, w += BYTES) {
		__m256i low = _mm256_load_si256((const __m256i *)w), high = _mm256_load_si256((const __m256i *)(w + BYTES / 2));
#pragma GCC unroll 3
		for (int r = 0; r < count; r++) {
			__m256i x = _mm256_set1_epi32(quad_of(t->q + (first + r) * t->stride + QUAD * i));
			sum[r][0] = _mm256_add_epi32(sum[r][0], _mm256_madd_epi16(_mm256_maddubs_epi16(low, x), one));
			sum[r][1] = _mm256_add_epi32(sum[r][1], _mm256_madd_epi16(_mm256_maddubs_epi16(high, x), one));
		}
	}
#pragma GCC unroll 3
	for (int r = 0; r < count; r++) {
		int32_t s[PANEL];
		memcpy(s, sum[r], sizeof s);
		finish(t, first + r, panel, s);
	}
}

AVX2 void hp_int8_avx2(const hp_int8_rows *t, int from, int end)
{
	for (; from < end; from++)
		for (int r = 0; r < t->count; r += ROWS)
			switch (t->count - r) {
			case 1:
				tile_avx2(t, r, 1, from);
				break;
			case 2:
				tile_avx2(t, r, 2, from);
				break;
			default:
				tile_avx2(t, r, ROWS, from);
				break;
			}
}
#endif
