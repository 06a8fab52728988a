/* members.c: rows side by side, and means of probabilities. */
#include "pointer/members.h"

#include <float.h>
#include <math.h>
#include <string.h>

void hp_member_put(const hp_net *net, size_t m, size_t width, size_t rows, const float *from, float *all)
{
	for (size_t i = 0; i < rows; i++)
		memcpy(all + (i * net->s.M + m) * width, from + i * width, width * sizeof *all);
}

void hp_member_take(const hp_net *net, size_t m, size_t width, size_t rows, const float *all, float *to)
{
	for (size_t i = 0; i < rows; i++)
		memcpy(to + i * width, all + (i * net->s.M + m) * width, width * sizeof *to);
}

void hp_members_add(size_t m, size_t n, const float *logp, float *sum)
{
	for (size_t k = 0; k < n; k++)
		sum[k] = (m ? sum[k] : 0.0f) + expf(logp[k]);
}

/* What no member holds for possible stays comparable: no logarithm of zero. */
void hp_members_mean(size_t members, size_t n, float *sum)
{
	for (size_t k = 0; k < n; k++)
		sum[k] = logf((sum[k] > FLT_MIN ? sum[k] : FLT_MIN) / (float)members);
}
