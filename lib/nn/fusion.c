#include "nn/fusion.h"

#include <stddef.h>
#include <string.h>

#include "nn/vmath.h"

HP_CLONES static void gated(int n, const float *restrict t, float *restrict g, float *restrict u)
{
	for (int i = 0; i < n; i++) {
		g[i] = hp_sigmoid(g[i]);
		u[i] = g[i] * t[i];
	}
}

void hp_fuse(int n, int count, const float *const *part, const float *const *gate_part, const float *gate_b, float *t,
             float *g, float *u)
{
	memset(t, 0, (size_t)n * sizeof(float));
	for (int i = 0; i < count; i++)
		if (part[i])
			hp_vec_add((size_t)n, part[i], t);
	hp_vec_tanh((size_t)n, t);
	if (!gate_b) {
		if (u != t)
			memcpy(u, t, (size_t)n * sizeof(float));
		return;
	}
	memcpy(g, gate_b, (size_t)n * sizeof(float));
	for (int i = 0; i < count; i++)
		if (gate_part[i])
			hp_vec_add((size_t)n, gate_part[i], g);
	gated(n, t, g, u);
}

HP_CLONES static void backward(int n, const float *restrict t, const float *restrict du, float *restrict dpart)
{
	for (int i = 0; i < n; i++)
		dpart[i] = du[i] * (1.0f - t[i] * t[i]);
}

HP_CLONES static void gated_backward(int n, const float *restrict t, const float *restrict g, const float *restrict du,
                                     float *restrict dpart, float *restrict dgate)
{
	for (int i = 0; i < n; i++) {
		dgate[i] = du[i] * t[i] * g[i] * (1.0f - g[i]);
		dpart[i] = du[i] * g[i] * (1.0f - t[i] * t[i]);
	}
}

void hp_fuse_backward(int n, const float *t, const float *g, const float *du, float *dpart, float *dgate)
{
	if (g)
		gated_backward(n, t, g, du, dpart, dgate);
	else
		backward(n, t, du, dpart);
}
