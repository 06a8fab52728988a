/* int8.h: parsing with whole numbers of 8 bits in place of floats: up to four times as many in a vector register.
 *
 * A matrix is rounded once, to -63 ... 63 times a scale of each of its rows; what it is multiplied with is rounded, when
 * that happens, to -127 ... 127 times a scale of each row.  Sums are exact, so a row of the result depends on that row and
 * the matrix only. */
#ifndef HP_INT8_H
#define HP_INT8_H
#include "base/pool.h"
#include "nn/params.h"

/* Gives P's matrices but the embeddings' rounded copies, w->int8; none where the processor is faster with floats: without
 * AVX2.  To be called again after floats were changed; of halves nothing but these copies is left.  After a failure there are none. */
int hp_params_round(hp_params *p, hp_error *err) HP_USE_RESULT;

/* For parsing: C [m × n] = A [m × k] · Wᵀ, W [n × k] (hp_param_values), with its rounded copy if there is one, else with
 * that in digits (digits.h), else with the floats.  A row's
 * result depends on that row and W only, to the last bit: so tasks are cut as it suits the number of threads. */
void hp_param_product(hp_pool *pool, hp_matrix a, const hp_param *w, hp_matrix c);
/* The same with COUNT matrices W, each to its own C, rounded all or none: A is rounded once. */
void hp_param_products(hp_pool *pool, hp_matrix a, int count, const hp_param *const *w, const hp_matrix *c);

#endif
