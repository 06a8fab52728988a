/* linear.h: affine layers and one-layer MLPs with ELU, for training.  Weights are [out × in], rows are examples. */
#ifndef HP_LINEAR_H
#define HP_LINEAR_H
#include <stdbool.h>
#include "base/pool.h"
#include "nn/params.h"

/* y [m × out] = x [m × in] · Wᵀ + b.  B may be NULL. */
void hp_linear_forward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *b, float *y);
/* dw += dyᵀ · x; db (may be NULL) += Σ dy; dx (may be NULL) = dy · W, or += if ADD. */
void hp_linear_backward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *dy,
                        float *dw, float *db, float *dx, bool add);
/* db [out] += column sums of dy [m × out] */
void hp_bias_backward(hp_pool *pool, int m, int out, const float *dy, float *db);

/* y = ELU(x · Wᵀ + b), kept in PLAIN [m × out], times the dropout mask: y [m × out].  Row r has mask row owner[r] (r if
 * OWNER is NULL) of MASK [. × out]; MASK NULL: no dropout, and Y may be PLAIN. */
void hp_mlp_forward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *b,
                    const float *mask, const int *owner, float *plain, float *y);
/* dy is overwritten with the gradient before the ELU. */
void hp_mlp_backward(hp_pool *pool, int m, int in, int out, const float *x, const float *w, const float *mask,
                     const int *owner, const float *plain, float *dy, float *dw, float *db, float *dx, bool add);

/* For parsing: y = ELU(x · Wᵀ + b), by hp_param_product. */
void hp_mlp_rows(hp_pool *pool, int m, const float *x, hp_affine layer, float *y);

/* Rows of X [m × n] times their mask rows, into Y (may be X).  MASK NULL: copied.  OWNER NULL: every row has its own. */
void hp_mask_rows(hp_pool *pool, int m, int n, const float *x, const float *mask, const int *owner, float *y);

#endif
