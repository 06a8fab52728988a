/* biaffine.h: the pointer's and the label classifier's scores (Dozat and Manning 2017; paper Eq. 7 and 8), and the
 * softmax losses on them. */
#ifndef HP_BIAFFINE_H
#define HP_BIAFFINE_H
#include "base/pool.h"
#include "nn/params.h"

/* Replaces N scores by SCALE × (softmax - one at TARGET), returns -log softmax[TARGET].  TARGET < 0:
 * nothing to learn, by 0 and 0. */
double hp_softmax_loss(int n, float *scores, int target, float scale);

/* Sentences of the batch for the pointer: sentence s has steps[s] rows of q from row step_at[s] on, and n[s] rows of g2
 * from row at[s] on; its scores [steps[s] × n[s]] begin at score_at[s]. */
typedef struct hp_pointer_batch {
	int count;
	const int *n, *at, *steps, *step_at;
	const size_t *score_at;
} hp_pointer_batch;

/* q [M × A] = g1 [M × A] · W + v: what every position's g2 is multiplied with.  W [A × A], v [A]. */
void hp_pointer_query(hp_pool *pool, hp_matrix g1, const hp_param *w, const hp_param *v, hp_matrix q);
/* The gradients of W and v are added to; dg1 is set. */
void hp_pointer_query_backward(hp_pool *pool, hp_matrix g1, const hp_param *w, const hp_param *v, hp_matrix dq,
                               hp_matrix dg1);
/* scores = q · g2ᵀ, sentence by sentence */
void hp_pointer_scores(hp_pool *pool, const hp_pointer_batch *b, hp_matrix q, hp_matrix g2, float *scores);
/* From the scores' gradient: dq and dg2, both set. */
void hp_pointer_scores_backward(hp_pool *pool, const hp_pointer_batch *b, hp_matrix q, hp_matrix g2,
                                const float *dscores, hp_matrix dq, hp_matrix dg2);

typedef struct hp_label_weights {
	hp_param *w, *u, *v, *b; /* [K × L × L], [K × L], [K × L], [K] */
} hp_label_weights;

/* T [M × K·L] = g2 · Wᵀ, kept for the backward pass; y [M × K] = g1' W g2 + U g1 + V g2 + b; g1, g2 [M × L] */
void hp_label_forward(hp_pool *pool, const hp_label_weights *w, hp_matrix g1, hp_matrix g2, hp_matrix t, hp_matrix y);
/* T is used up; dg1, dg2 [M × L] are set, the weights' gradients added to. */
void hp_label_backward(hp_pool *pool, const hp_label_weights *w, hp_matrix g1, hp_matrix g2, hp_matrix t, hp_matrix dy,
                       hp_matrix dg1, hp_matrix dg2);
/* y += g1' T for row-wise results, as in hp_label_forward; for parsing. */
void hp_label_contract(hp_pool *pool, hp_matrix g1, hp_matrix t, hp_matrix y);

#endif
