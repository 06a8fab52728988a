/* fusion.c: fusing decoder states (paper Eq. 4-6), and the names of the variants. */
#include "pointer/fusion.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "nn/vmath.h"

static const struct {
	hp_fusion fusion;
	const char *name;
} fusions[] = {{HP_FUSION_T, "T"}, {HP_FUSION_P, "P"}, {HP_FUSION_PS, "PS"}, {HP_FUSION_PST, "PST"}};
static const char *const gates[] = {"none", "gate", "sgate"};

bool hp_fusion_has(hp_fusion f, int source)
{
	static const int bit[HP_SOURCES] = {HP_FUSION_T, HP_FUSION_P, HP_FUSION_PS & ~HP_FUSION_P};
	return ((int)f & bit[source]) != 0;
}

const char *hp_fusion_name(hp_fusion f)
{
	for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++)
		if (fusions[i].fusion == f)
			return fusions[i].name;
	return "?";
}

const char *hp_gate_name(hp_gate g)
{
	return gates[g];
}

int hp_fusion_parse(const char *s, hp_fusion *out)
{
	for (size_t i = 0; i < sizeof fusions / sizeof *fusions; i++)
		if (!strcasecmp(fusions[i].name, s)) {
			*out = fusions[i].fusion;
			return 0;
		}
	return HP_FAIL;
}

int hp_gate_parse(const char *s, hp_gate *out)
{
	for (int i = 0; i < 3; i++)
		if (!strcasecmp(gates[i], s)) {
			*out = (hp_gate)i;
			return 0;
		}
	return HP_FAIL;
}

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
