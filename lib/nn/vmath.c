/* vmath.c: element-wise functions, compiled for several processors. */
#include "nn/vmath.h"

#include <float.h>
#include <math.h>

HP_CLONES void hp_vec_add(size_t n, const float *restrict x, float *restrict y)
{
	for (size_t i = 0; i < n; i++)
		y[i] += x[i];
}

HP_CLONES void hp_vec_mul(size_t n, const float *restrict x, float *restrict y)
{
	for (size_t i = 0; i < n; i++)
		y[i] *= x[i];
}

HP_CLONES void hp_vec_add_mul(size_t n, const float *restrict x, const float *restrict w, float *restrict y)
{
	for (size_t i = 0; i < n; i++)
		y[i] += x[i] * w[i];
}

/* Sixteen partial sums, added up in a fixed order: vectorised without -ffast-math. */
HP_CLONES float hp_vec_dot(size_t n, const float *restrict x, const float *restrict y)
{
	float part[16] = {0};
	size_t i = 0;
	for (; i + 16 <= n; i += 16)
		for (int j = 0; j < 16; j++)
			part[j] += x[i + j] * y[i + j];
	for (int j = 0; i < n; i++, j++)
		part[j] += x[i] * y[i];
	float sum = 0;
	for (int j = 0; j < 16; j++)
		sum += part[j];
	return sum;
}

/* By the bits: one pass without a branch, as this looks at whole models. */
HP_CLONES bool hp_vec_within(size_t n, const float *x, float limit)
{
	uint32_t bad = 0, most;
	memcpy(&most, &limit, sizeof most);
	for (size_t i = 0; i < n; i++) {
		uint32_t bits;
		memcpy(&bits, &x[i], sizeof bits);
		bad |= (bits & 0x7FFFFFFFu) > most;
	}
	return !bad;
}

HP_CLONES bool hp_vec_finite_halves(size_t n, const uint16_t *x)
{
	uint16_t most = 0;
	for (size_t i = 0; i < n; i++) {
		uint16_t magnitude = x[i] & 0x7FFF;
		most = magnitude > most ? magnitude : most;
	}
	return most < 0x7C00;
}

HP_CLONES void hp_vec_tanh(size_t n, float *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = hp_tanh(x[i]);
}

HP_CLONES void hp_vec_elu(size_t n, float *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = hp_elu(x[i]);
}

HP_CLONES void hp_vec_elu_backward(size_t n, const float *restrict y, float *restrict dy)
{
	for (size_t i = 0; i < n; i++)
		dy[i] *= y[i] < 0.0f ? y[i] + 1.0f : 1.0f;
}

HP_CLONES float hp_vec_log_sum_exp(size_t n, const float *x)
{
	float top = x[0];
	for (size_t i = 1; i < n; i++)
		top = x[i] > top ? x[i] : top;
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (double)hp_exp(x[i] - top);
	return top + (float)log(sum);
}

void hp_vec_log_softmax(size_t n, float *x)
{
	float log_sum = hp_vec_log_sum_exp(n, x);
	for (size_t i = 0; i < n; i++)
		x[i] -= log_sum;
}

/* What no member holds for possible stays comparable: no logarithm of zero. */
void hp_vec_ensemble(size_t m, size_t members, size_t n, const float *logp, float *mean)
{
	for (size_t i = 0; i < n; i++)
		mean[i] = (m > 0 ? mean[i] : 0) + expf(logp[i]);
	for (size_t i = 0; m == members - 1 && i < n; i++)
		mean[i] = logf((mean[i] > FLT_MIN ? mean[i] : FLT_MIN) / (float)members);
}
