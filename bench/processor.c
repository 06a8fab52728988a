/* processor.c: multiply-adds of registers alone, nothing loaded or stored: the most that the processor can do. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "nn/processor.h"
#include "nn/tiles.h"

#ifdef __x86_64__
#include <immintrin.h>
#if __GNUC__ >= 12 && !defined(__clang__)
#define NEWER 1 /* the compiler can ask whether the processor has the newest of them */
#endif
#endif

enum {
	ROUNDS = 1 << 17,
	CHAINS = 12 /* independent sums: enough to hide the latency, and 16 registers hold them */
};

/* One function for each instruction.  VECTOR of sums; STEP adds to `sum` what `x` and `y`, registers of kind OPERAND full
 * of the bytes 0x3c, give; the sums go into the state, so that none is left out. */
#define KERNEL(name, target, vector, operand, step) \
	target static void name(void *state) \
	{ \
		vector sums[CHAINS]; \
		operand x, y; \
		memset(sums, 0, sizeof sums); \
		memset(&x, 0x3c, sizeof x); \
		memset(&y, 0x3c, sizeof y); \
		__asm__ volatile("" : "+m"(x), "+m"(y)); /* the compiler must not know them */ \
		operand a = x, b = y; \
		for (int i = 0; i < ROUNDS; i++) { \
			_Pragma("GCC unroll 12") for (int j = 0; j < CHAINS; j++) \
			{ \
				vector sum = sums[j]; \
				sums[j] = step; \
			} \
		} \
		memcpy(state, sums, sizeof sums); \
	}

typedef float four __attribute__((vector_size(16)));
KERNEL(f32_plain, , four, four, b + sum * a) /* not sum + a * b: always the same product */

#ifdef __x86_64__
#define TARGET(features) __attribute__((target(features)))
KERNEL(f32_avx2, TARGET("avx2,fma"), __m256, __m256, _mm256_fmadd_ps(a, b, sum))
KERNEL(f32_avx512, TARGET("avx512f"), __m512, __m512, _mm512_fmadd_ps(a, b, sum))
KERNEL(bf16_avx512, TARGET("avx512f,avx512bf16"), __m512, __m512bh, _mm512_dpbf16_ps(sum, a, b))
KERNEL(int8_avx2, TARGET("avx2"), __m256i, __m256i, ({
		   __asm__ volatile("" : "+x"(a)); /* may have changed: the product is not always the same */
		   _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), b));
	   }))
#ifdef NEWER
KERNEL(int8_avx_vnni, TARGET("avxvnni"), __m256i, __m256i, _mm256_dpbusd_avx_epi32(sum, a, b))
#endif
KERNEL(int8_avx512_vnni, TARGET("avx512f,avx512vnni"), __m512i, __m512i, _mm512_dpbusd_epi32(sum, a, b))
#endif

/* The processor's matrix unit: sums of 16 × 16, operands of 16 rows of 64 bytes. */
#ifdef NEWER
#define TILE_KERNEL(name, target, product) \
	TARGET(target) static void name(void *state) \
	{ \
		hp_tile_shapes shape = {.palette = 1}; \
		for (int i = 0; i < 8; i++) { \
			shape.bytes[i] = 64; \
			shape.rows[i] = 16; \
		} \
		memset(state, 0x3c, 16 * 64); \
		_tile_loadconfig(&shape); \
		_tile_zero(0); \
		_tile_zero(1); \
		_tile_zero(2); \
		_tile_zero(3); \
		_tile_loadd(4, state, 64); \
		_tile_loadd(5, state, 64); \
		for (int i = 0; i < ROUNDS / 32; i++) { \
			product(0, 4, 5); \
			product(1, 4, 5); \
			product(2, 4, 5); \
			product(3, 4, 5); \
		} \
		_tile_stored(0, state, 64); \
		_tile_release(); \
	}
TILE_KERNEL(bf16_amx, "amx-tile,amx-bf16", _tile_dpbf16ps)
TILE_KERNEL(int8_amx, "amx-tile,amx-int8", _tile_dpbusd)
#endif

static void measure(const bench_options *o, const char *type, const char *how, double operations, void (*run)(void *))
{
	void **state = bench_need(calloc((size_t)o->threads, sizeof(*state)));

	for (int i = 0; i < o->threads; i++)
		state[i] = bench_need(aligned_alloc(64, 1024));
	bench_rate_print(o, &(bench_rate){type, how, operations * ROUNDS, run, state});
	for (int i = 0; i < o->threads; i++)
		free(state[i]);
	free(state);
}

/* A multiplication and an addition are two operations. */
int bench_processor(const bench_options *o)
{
	measure(o, "f32", "plain", CHAINS * 4 * 2, f32_plain);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		measure(o, "f32", "avx2", CHAINS * 8 * 2, f32_avx2);
	if (__builtin_cpu_supports("avx512f"))
		measure(o, "f32", "avx512", CHAINS * 16 * 2, f32_avx512);
	if (__builtin_cpu_supports("avx512bf16"))
		measure(o, "bf16", "vdpbf16ps", CHAINS * 32 * 2, bf16_avx512);
	if (__builtin_cpu_supports("avx2"))
		measure(o, "int8", "vpmaddubsw", CHAINS * 32 * 2, int8_avx2);
	if (__builtin_cpu_supports("avx512vnni"))
		measure(o, "int8", "vpdpbusd", CHAINS * 64 * 2, int8_avx512_vnni);
#endif
#ifdef NEWER
	if (__builtin_cpu_supports("avxvnni"))
		measure(o, "int8", "vpdpbusd,avx", CHAINS * 32 * 2, int8_avx_vnni);
	if (hp_processor_has(HP_AMX_BF16))
		measure(o, "bf16", "amx", 4 * 16 * 16 * 32 * 2 / 32., bf16_amx);
	if (hp_processor_has(HP_AMX_INT8))
		measure(o, "int8", "amx", 4 * 16 * 16 * 64 * 2 / 32., int8_amx);
#endif
	return 0;
}
