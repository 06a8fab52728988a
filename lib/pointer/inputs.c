/* inputs.c: what a step of the decoder takes in. */
#include "pointer/inputs.h"

#include <string.h>

#include "nn/vmath.h"

void hp_step_input(const hp_net *net, const float *const from[HP_INPUTS], float *z)
{
	size_t I = net->s.I;
	bool source = net->src.w != NULL;
	memcpy(z, source ? net->src.b->value : from[0], I * sizeof(float));
	for (int i = source ? 0 : 1; i < HP_INPUTS; i++)
		if (from[i])
			hp_vec_add(I, from[i], z);
	if (source)
		hp_vec_elu(I, z);
}

void hp_step_product(const hp_net *net, const float *previous, const float *other, float *x)
{
	size_t width = net->s.P * net->s.Q;
	if (!other) {
		memset(x, 0, width * sizeof(float));
		return;
	}
	memcpy(x, previous, width * sizeof(float));
	hp_vec_mul(width, other, x);
}

void hp_step_fuse(const hp_net *net, const float *previous, const hp_step_parts *parts, float *t, float *g,
                  float *fused)
{
	size_t Q = net->s.Q, width = net->s.P * Q;
	if (net->c.fusion == HP_FUSION_T) {
		memcpy(fused, previous, width * sizeof(float));
		return;
	}
	for (size_t at = 0; at < width; at += Q) {
		const float *part[HP_SOURCES], *gate_part[HP_SOURCES];
		for (int i = 0; i < HP_SOURCES; i++) {
			part[i] = parts->fuse[i] ? parts->fuse[i] + at : NULL;
			gate_part[i] = parts->gate[i] ? parts->gate[i] + at : NULL;
		}
		hp_fuse((int)Q, HP_SOURCES, part, gate_part, net->gate_b ? net->gate_b->value : NULL, t + at, g ? g + at : NULL,
		        fused + at);
	}
}
