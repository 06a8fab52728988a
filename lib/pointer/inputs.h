/* inputs.h: what a step of the decoder takes in, a row at a time, in training and in search: of the units its input, of
 * earlier states its old state (paper Eq. 3-6). */
#ifndef HP_INPUTS_H
#define HP_INPUTS_H
#include "pointer/grammar.h"
#include "pointer/net.h"

/* z [I]: the sum of some units, as FROM has them (NULL: none there); dep: z = ELU(Σ W_src unit + b), of products that FROM
 * has. */
void hp_step_input(const hp_net *net, const float *const from[HP_INPUTS], float *z);
/* SGate: x [P·Q] = previous · other, value by value; zeros where OTHER is NULL. */
void hp_step_product(const hp_net *net, const float *previous, const float *other, float *x);

/* Products with states that are summed up: [P·Q] each, or NULL. */
typedef struct hp_step_parts {
	const float *fuse[HP_SOURCES], *gate[HP_SOURCES];
} hp_step_parts;

/* FUSED [P·Q] = h'' of PARTS; with fusion T, of which there are none, PREVIOUS itself.  T, G [P·Q]: h' and the gate, for
 * the way back; without a gate G is not written.  T may be FUSED. */
void hp_step_fuse(const hp_net *net, const float *previous, const hp_step_parts *parts, float *t, float *g,
                  float *fused);

#endif
