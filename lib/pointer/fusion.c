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

_Static_assert(HP_SOURCES == 3, "of_sum has as many parts");

/* Those that are there, of COUNT; returns how many. */
static int present(int count, const float *const *part, const float *found[HP_SOURCES])
{
	int n = 0;
	for (int i = 0; i < count; i++)
		if (part[i])
			found[n++] = part[i];
	return n;
}

/* Y = tanh(sum), of COUNT parts, or with a bias B sigmoid(B + sum). */
HP_INLINE void of_sum(int n, int count, const float *const *part, const float *restrict b, float *restrict y)
{
	const float *p0 = part[0], *p1 = part[1], *p2 = part[2];
	for (int i = 0; i < n; i++) {
		float sum = b ? b[i] : 0.0f;
		sum += count > 0 ? p0[i] : 0.0f;
		sum += count > 1 ? p1[i] : 0.0f;
		sum += count > 2 ? p2[i] : 0.0f;
		y[i] = b ? hp_sigmoid(sum) : hp_tanh(sum);
	}
}

/* One loop for each number of parts: each reads all and writes once. */
#define OF_SUM(name, b) \
	HP_CLONES static void name(int n, int count, const float *const *part, const float *bias, float *y) \
	{ \
		(void)bias; \
		switch (count) { \
		case 0: \
			of_sum(n, 0, part, b, y); \
			break; \
		case 1: \
			of_sum(n, 1, part, b, y); \
			break; \
		case 2: \
			of_sum(n, 2, part, b, y); \
			break; \
		default: \
			of_sum(n, 3, part, b, y); \
			break; \
		} \
	}
OF_SUM(tanh_of_sum, NULL)
OF_SUM(sigmoid_of_sum, bias)

void hp_fuse(int n, int count, const float *const *part, const float *const *gate_part, const float *gate_b, float *t,
             float *g, float *u)
{
	const float *found[HP_SOURCES] = {0};
	tanh_of_sum(n, present(count, part, found), found, NULL, t);
	if (u != t)
		memcpy(u, t, (size_t)n * sizeof(float));
	if (!gate_b)
		return;
	sigmoid_of_sum(n, present(count, gate_part, found), found, gate_b, g);
	hp_vec_mul((size_t)n, g, u);
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
