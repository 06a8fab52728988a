/* fusion.h: h'' = g · tanh(Σ W d), g = σ(Σ W_g d + b) (paper Eq. 4-6), one vector of N units at a time, from products
 * W d that have been made already. */
#ifndef HP_NN_FUSION_H
#define HP_NN_FUSION_H

/* PART, GATE_PART: up to COUNT summands each, NULL where a source is absent.  GATE_B NULL: no gate, and g is not
 * written.  T = tanh(sum), G = gate, U = result (may be T if there is no gate). */
void hp_fuse(int n, int count, const float *const *part, const float *const *gate_part, const float *gate_b, float *t,
             float *g, float *u);
/* From du: DPART [n] the gradient of every part, DGATE [n] that of every gate part (unused without gate: G NULL). */
void hp_fuse_backward(int n, const float *t, const float *g, const float *du, float *dpart, float *dgate);

#endif
