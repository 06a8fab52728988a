/* halves.c: the halves of splits, for the label classifier. */
#include "pointer/halves.h"

#include <string.h>

#include "nn/vmath.h"

void hp_halves_sum(hp_matrix unit, double *sums)
{
	size_t W = (size_t)unit.cols;
	memset(sums, 0, W * sizeof *sums);
	for (int i = 0; i < unit.rows; i++, sums += W)
		for (size_t k = 0; k < W; k++)
			sums[W + k] = sums[k] + (double)hp_row(unit, i)[k];
}

void hp_half_put(hp_matrix unit, const double *sums, int first, int last, float *to)
{
	size_t W = (size_t)unit.cols;
	const double *before = sums + (size_t)first * W, *with = sums + ((size_t)last + 1) * W;
	memcpy(to, hp_row(unit, first), W * sizeof *to);
	memcpy(to + W, hp_row(unit, last), W * sizeof *to);
	for (size_t k = 0; k < W; k++)
		to[2 * W + k] = (float)((with[k] - before[k]) / (last - first + 1));
}

void hp_half_back(const float *d, int first, int last, hp_matrix du, double *dsums)
{
	size_t W = (size_t)du.cols;
	double *before = dsums + (size_t)first * W, *with = dsums + ((size_t)last + 1) * W;
	hp_vec_add(W, d, hp_row(du, first));
	hp_vec_add(W, d + W, hp_row(du, last));
	for (size_t k = 0; k < W; k++) {
		double share = (double)d[2 * W + k] / (last - first + 1);
		with[k] += share;
		before[k] -= share;
	}
}

void hp_halves_sum_back(double *dsums, hp_matrix du)
{
	size_t W = (size_t)du.cols;
	for (int i = du.rows - 1; i >= 0; i--) {
		double *here = dsums + (size_t)i * W, *next = here + W;
		for (size_t k = 0; k < W; k++) { /* NEXT has all that a sum behind the unit has got */
			hp_row(du, i)[k] += (float)next[k];
			here[k] += next[k];
		}
	}
}
