/* members.c: rows side by side. */
#include "pointer/members.h"

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
