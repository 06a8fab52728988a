/* fusion.h: h'' = g · tanh(Σ W d), g = σ(Σ W_g d + b) (paper Eq. 4-6), one vector of N units at a time, from products
 * W d that have been made already; and the names of the variants. */
#ifndef HP_NN_FUSION_H
#define HP_NN_FUSION_H
#include <stdbool.h>

/* Which decoder states are fused: the letters of the paper's variant names. */
typedef enum hp_fusion {
	HP_FUSION_T = 1, /* the previous state alone, as it is: the baseline */
	HP_FUSION_P = 2,
	HP_FUSION_PS = 2 | 4,
	HP_FUSION_PST = 2 | 4 | 1
} hp_fusion;
typedef enum hp_gate { HP_GATE_NONE, HP_GATE_GATE, HP_GATE_SGATE } hp_gate;

/* Sources of the fusion, in the order in which sums are made. */
enum { HP_FROM_PREVIOUS, HP_FROM_PARENT, HP_FROM_SIBLING, HP_SOURCES };

bool hp_fusion_has(hp_fusion f, int source);
const char *hp_fusion_name(hp_fusion f); /* "PST" */
const char *hp_gate_name(hp_gate g); /* "sgate" */
int hp_fusion_parse(const char *s, hp_fusion *out); /* HP_FAIL if unknown; upper or lower case */
int hp_gate_parse(const char *s, hp_gate *out);

/* PART, GATE_PART: up to COUNT summands each, NULL where a source is absent.  GATE_B NULL: no gate, and g is not
 * written.  T = tanh(sum), G = gate, U = result; may be T. */
void hp_fuse(int n, int count, const float *const *part, const float *const *gate_part, const float *gate_b, float *t,
             float *g, float *u);
/* From du: DPART [n] the gradient of every part, DGATE [n] that of every gate part (unused without gate: G NULL). */
void hp_fuse_backward(int n, const float *t, const float *g, const float *du, float *dpart, float *dgate);

#endif
