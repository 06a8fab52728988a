/* biaffine.h: the pointer's and the label classifier's scores (Dozat and Manning 2017; paper Eq. 7 and 8), and the
 * softmax losses on them. */
#ifndef HP_BIAFFINE_H
#define HP_BIAFFINE_H
#include "base/arena.h"
#include "base/pool.h"

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
void hp_pointer_query(hp_pool *pool, int m, int a, const float *g1, const float *w, const float *v, float *q);
/* dw, dv are added to; dg1 is set. */
void hp_pointer_query_backward(hp_pool *pool, int m, int a, const float *g1, const float *w, const float *dq,
                               float *dg1, float *dw, float *dv);
/* scores = q · g2ᵀ, sentence by sentence */
void hp_pointer_scores(hp_pool *pool, const hp_pointer_batch *b, int a, const float *q, const float *g2, float *scores);
/* From the scores' gradient: dq and dg2, both set. */
void hp_pointer_scores_backward(hp_pool *pool, const hp_pointer_batch *b, int a, const float *q, const float *g2,
                                const float *dscores, float *dq, float *dg2);

typedef struct hp_label_weights {
	int labels, size; /* K, L */
	const float *w, *u, *v, *b; /* [K × L × L], [K × L], [K × L], [K] */
	float *dw, *du, *dv, *db; /* added to */
} hp_label_weights;

/* T [M × K·L] = g2 · Wᵀ, kept for the backward pass; y [M × K] = g1' W g2 + U g1 + V g2 + b. */
void hp_label_forward(hp_pool *pool, int m, const hp_label_weights *w, const float *g1, const float *g2, float *t,
                      float *y);
/* T is used up; dg1, dg2 [M × L] are set. */
void hp_label_backward(hp_pool *pool, int m, const hp_label_weights *w, const float *g1, const float *g2, float *t,
                       const float *dy, float *dg1, float *dg2);
/* y += g1' T for row-wise results, as in hp_label_forward; for parsing. */
void hp_label_contract(hp_pool *pool, int m, int labels, int size, const float *g1, const float *t, float *y);

#endif
