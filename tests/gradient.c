/* gradient.c: finite differences. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gradient.h"

hp_rng gradient_rng;

float *random_floats(size_t n, float scale)
{
	float *x = calloc(n + 1, sizeof *x);
	for (size_t i = 0; i < n; i++)
		x[i] = scale * hp_rng_normal(&gradient_rng);
	return x;
}

float *zeros(size_t n)
{
	return calloc(n + 1, sizeof(float));
}

double weighted(size_t n, const float *y, const float *w)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (double)y[i] * (double)w[i];
	return sum;
}

void check_gradient(const char *what, loss_fn *loss, void *arg, float *x, const float *g, size_t n)
{
	const float step = 5e-4f;
	int wrong = 0;
	for (int trial = 0; trial < 5; trial++) {
		float *v = random_floats(n, 1.0f), *saved = malloc((n + 1) * sizeof(float));
		memcpy(saved, x, n * sizeof(float));
		for (size_t i = 0; i < n; i++)
			x[i] = saved[i] + step * v[i];
		double up = loss(arg);
		for (size_t i = 0; i < n; i++)
			x[i] = saved[i] - step * v[i];
		double down = loss(arg);
		memcpy(x, saved, n * sizeof(float));
		double numeric = (up - down) / (2 * (double)step), analytic = weighted(n, g, v), norm = 0;
		for (size_t i = 0; i < n; i++)
			norm += (double)g[i] * (double)g[i];
		if (!(fabs(numeric - analytic) <= 2e-2 * sqrt(norm) + 5e-3) && ++wrong > 1)
			fail_msg("%s: along a random direction %g by differences, %g by the backward function", what, numeric,
			         analytic);
		free(v);
		free(saved);
	}
}
