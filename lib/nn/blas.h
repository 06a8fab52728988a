/* blas.h: OpenBLAS, which training needs for its large products.  Private to lib/nn.
 *
 * It is not linked but opened when training begins: parsing does without it, and programs start faster.  Where it
 * finds no memory for itself OpenBLAS tries for ever; so memory is tried first, and taken at once. */
#ifndef HP_BLAS_H
#define HP_BLAS_H
#include <cblas.h>
#include "base/error.h"

typedef __typeof__(cblas_sgemm) hp_sgemm;

/* Opens it for products in THREADS threads at a time, each of one thread; a second time: for more threads.
 * Sets OPENBLAS_NUM_THREADS, so no other thread may be at the environment. */
int hp_blas_open(int threads, hp_error *err) HP_USE_RESULT;
hp_sgemm *hp_blas_sgemm(void); /* NULL: it is not open */

#endif
