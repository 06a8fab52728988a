/* half.c: floats of 16 and of 8 bits, and the floats of 32 that they stand for. */
#include "io/safetensors.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(HP_NO_CLONES)
#define HAVE_KERNELS 1
#include <immintrin.h>
#endif

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Without branches, so that loops over it are vectorised.  The exponent's bias goes from 15 to 127.  A subnormal half
 * is read with the implicit 1 that it lacks, which is taken off again. */
static inline float half_to_float(uint16_t half)
{
	uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
	uint32_t normal = magnitude + (112u << 23);
	uint32_t subnormal = bits_of(float_of(magnitude + (113u << 23)) - 0x1p-14f);
	uint32_t special = magnitude | 0x7f800000u;
	uint32_t exponent = half & 0x7c00;
	uint32_t bits = exponent == 0 ? subnormal : exponent == 0x7c00 ? special : normal;

	return float_of(bits | (uint32_t)(half & 0x8000) << 16);
}

float hp_half_to_float(uint16_t half)
{
	return half_to_float(half);
}

uint16_t hp_float_to_half(float value)
{
	uint32_t bits = bits_of(value);
	uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
	uint32_t magnitude = bits & 0x7fffffff;

	if (magnitude > 0x7f800000) /* NaN: keeps its upper bits, stays quiet */
		return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
	if (magnitude >= bits_of(65520.0f)) /* halfway between the largest half and the next would-be one */
		return sign | 0x7c00;
	if (magnitude < bits_of(0x1p-14f)) {
		/* A sum with 2^-1 has its last bit where the subnormal's is: the addition does the rounding. */
		return (uint16_t)(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
	}
	magnitude -= 112u << 23;
	magnitude += 0xfff + (magnitude >> 13 & 1);
	return (uint16_t)(sign | magnitude >> 13);
}

/* ---- many ---- */

#ifdef HAVE_KERNELS
/* Each widens as many as fill its vectors and returns how many. */
__attribute__((target("avx512f"))) static size_t widen_16(size_t n, const uint16_t *half, float *out)
{
	size_t i = 0;
	for (; i + 16 <= n; i += 16)
		_mm512_storeu_ps(out + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(half + i))));
	return i;
}

__attribute__((target("avx,f16c"))) static size_t widen_8(size_t n, const uint16_t *half, float *out)
{
	size_t i = 0;
	for (; i + 8 <= n; i += 8)
		_mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(half + i))));
	return i;
}
#endif

void hp_halves_to_floats(size_t n, const uint16_t *half, float *out)
{
	size_t i = 0;
#ifdef HAVE_KERNELS
	if (__builtin_cpu_supports("x86-64-v4"))
		i = widen_16(n, half, out);
	else if (__builtin_cpu_supports("x86-64-v3"))
		i = widen_8(n, half, out);
#endif
	for (; i < n; i++)
		out[i] = half_to_float(half[i]);
}

/* ---- F8_E4M3 ---- */

enum { E4M3_SIGN = 0x80, E4M3_NAN = 0x7f, E4M3_MOST = 0x7e };

/* The exponent's bias goes from 7 to 127; subnormals are multiples of 2^-9. */
float hp_e4m3_to_float(uint8_t byte)
{
	uint32_t sign = (uint32_t)(byte & E4M3_SIGN) << 24, magnitude = byte & E4M3_NAN;

	if (magnitude == E4M3_NAN)
		return float_of(sign | 0x7fc00000);
	if (magnitude < 8)
		return float_of(sign | bits_of((float)magnitude * 0x1p-9f));
	return float_of(sign | ((magnitude << 20) + (120u << 23)));
}

/* Each is one of 16 bits, too. */
void hp_e4m3_to_halves(size_t n, const uint8_t *byte, uint16_t *half)
{
	uint16_t of[256];

	for (int i = 0; i < 256; i++)
		of[i] = hp_float_to_half(hp_e4m3_to_float((uint8_t)i));
	for (size_t i = 0; i < n; i++)
		half[i] = of[byte[i]];
}

uint8_t hp_float_to_e4m3(float value)
{
	uint32_t bits = bits_of(value), magnitude = bits & 0x7fffffff;
	uint8_t sign = (uint8_t)(bits >> 24 & E4M3_SIGN);

	if (magnitude > 0x7f800000)
		return sign | E4M3_NAN;
	if (magnitude >= bits_of(448.0f))
		return sign | E4M3_MOST;
	/* As in hp_float_to_half: the addition rounds to multiples of 2^-9. */
	if (magnitude < bits_of(0x1p-6f))
		return (uint8_t)(sign | (bits_of(float_of(magnitude) + 0x1p14f) - bits_of(0x1p14f)));
	magnitude -= 120u << 23;
	magnitude += (1u << 19) - 1 + (magnitude >> 20 & 1); /* half of the last bit, to even */
	return (uint8_t)(sign | magnitude >> 20);
}
