/* linear.h: affine layers and one-layer MLPs with ELU, for training.  Weights are [out × in]; every row of X [m × in] and
 * Y [m × out] is an example.  Matrices that MLPs make, and their gradients, lie without gaps. */
#ifndef HP_LINEAR_H
#define HP_LINEAR_H
#include <stdbool.h>
#include "base/pool.h"
#include "nn/params.h"

/* Dropout: row r of a matrix is multiplied with row owner[r] (r if OWNER is NULL) of VALUE; VALUE NULL: with nothing. */
typedef struct hp_mask {
	const float *value;
	const int *owner;
} hp_mask;

/* y = x · Wᵀ + b; without b where LAYER has none */
void hp_linear_forward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_matrix y);
/* The gradients of W, and of b where LAYER has one, are added to; dx (may be none) = dy · W, or += if ADD. */
void hp_linear_backward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_matrix dy, hp_matrix dx, bool add);
/* Every row of y = b */
void hp_bias_rows(hp_pool *pool, const hp_param *b, hp_matrix y);
/* db [out] += column sums of dy */
void hp_bias_backward(hp_pool *pool, hp_matrix dy, float *db);

/* y = ELU(x · Wᵀ + b), kept in PLAIN [m × out], times MASK.  Without a mask Y may be PLAIN. */
void hp_mlp_forward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_mask mask, hp_matrix plain, hp_matrix y);
/* As hp_linear_backward; dy is overwritten with the gradient before the ELU. */
void hp_mlp_backward(hp_pool *pool, hp_matrix x, hp_affine layer, hp_mask mask, hp_matrix plain, hp_matrix dy,
                     hp_matrix dx, bool add);

/* For parsing: y = ELU(x · Wᵀ + b), by hp_param_product. */
void hp_mlp_rows(hp_pool *pool, hp_matrix x, hp_affine layer, hp_matrix y);

/* X times MASK, into Y (may be X); without a mask X is copied. */
void hp_mask_rows(hp_pool *pool, hp_matrix x, hp_mask mask, hp_matrix y);

#endif
