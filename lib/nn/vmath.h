/* vmath.h: element-wise functions written so that the compiler vectorises them.
 *
 * Kernels are chosen at run time: a function marked HP_CLONES is compiled for several processors.  Results may differ
 * in the last bit between processors, never between runs on one.  NaN stays NaN. */
#ifndef HP_VMATH_H
#define HP_VMATH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of the sanitizers, loops over numbers have that of addresses only: with both training takes six times as long. */
#define HP_TIGHT __attribute__((no_sanitize("undefined")))
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(HP_NO_CLONES)
#define HP_HAVE_CLONES 1
#define HP_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) HP_TIGHT
#else
#define HP_CLONES HP_TIGHT
#endif
#define HP_INLINE static inline __attribute__((always_inline))

/* exp(x) with a relative error below 2e-7; x is clamped to [-87, 88]. */
HP_INLINE float hp_exp(float x)
{
	x = x < -87.0f ? -87.0f : x;
	x = x > 88.0f ? 88.0f : x;
	float shifted = x * 1.44269504f + 12582912.0f; /* 1.5 × 2^23: rounds to the nearest integer */
	float whole = shifted - 12582912.0f;
	float r = x - whole * 0.693145752f;
	r = r - whole * 1.42860677e-6f; /* ln 2 in two parts */
	float p = 1.98756915e-4f; /* minimax polynomial of (exp(r) - 1 - r) / r² */
	p = p * r + 1.39819995e-3f;
	p = p * r + 8.33345177e-3f;
	p = p * r + 4.16657962e-2f;
	p = p * r + 1.66666657e-1f;
	p = p * r + 5.00000012e-1f;
	float y = p * r * r + r + 1.0f;
	int32_t bits;
	memcpy(&bits, &shifted, 4);
	bits = (int32_t)(((uint32_t)bits - 0x4B400000u + 127u) << 23); /* 2^whole */
	float scale;
	memcpy(&scale, &bits, 4);
	return y * scale;
}

HP_INLINE float hp_sigmoid(float x)
{
	return 1.0f / (1.0f + hp_exp(-x));
}

HP_INLINE float hp_tanh(float x)
{
	return 1.0f - 2.0f / (hp_exp(2.0f * x) + 1.0f);
}

HP_INLINE float hp_elu(float x)
{
	float e = hp_exp(x < 0.0f ? x : 0.0f) - 1.0f; /* of the negative part only: NaN goes to the other branch */
	return x < 0.0f ? e : x;
}

void hp_vec_add(size_t n, const float *x, float *y); /* y += x */
void hp_vec_mul(size_t n, const float *x, float *y); /* y *= x */
void hp_vec_add_mul(size_t n, const float *x, const float *w, float *y); /* y += x · w, element-wise */
float hp_vec_dot(size_t n, const float *x, const float *y); /* fixed order of summation */
bool hp_vec_within(size_t n, const float *x, float limit); /* whether none is NaN or beyond LIMIT, below or above 0 */
bool hp_vec_finite_halves(size_t n, const uint16_t *x); /* floats of 16 bits */
void hp_vec_tanh(size_t n, float *x); /* in place */
void hp_vec_elu(size_t n, float *x); /* in place */
void hp_vec_elu_backward(size_t n, const float *y, float *dy); /* dy *= derivative, from the result y */
/* log Σ exp(x[i]); n >= 1 */
float hp_vec_log_sum_exp(size_t n, const float *x);
void hp_vec_log_softmax(size_t n, float *x); /* x[i] -= log sum exp x */
/* What MEMBERS networks say together (an ensemble; Dietterich 2000): adds the probabilities of which member M, from 0, has found
 * the logarithms, LOGP [N], to MEAN [N], which the first one sets and the last one makes the logarithm of their mean. */
void hp_vec_ensemble(size_t m, size_t members, size_t n, const float *logp, float *mean);

#endif
