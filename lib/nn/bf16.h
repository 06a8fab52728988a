/* bf16.h: training with products of BF16 numbers, which have a float's range and 8 bits of its precision; sums are floats.
 *
 * Weights stay floats, and have rounded copies in the order in which kernels read them.  A product with weights that have
 * copies (x · Wᵀ or dy · W), and one that makes their gradient (dyᵀ · x), rounds its other factors as it goes; all other products
 * are of floats.  Rounding is to the nearest, ties to even; what is smaller than any normal float counts as zero. */
#ifndef HP_BF16_H
#define HP_BF16_H
#include "base/pool.h"
#include "nn/gemm.h"
#include "nn/params.h"

bool hp_bf16_possible(void); /* whether this processor has the instructions */
bool hp_bf16_faster(void); /* ... and is faster so */

/* Makes the copies w->bf16 of P's matrices but the embeddings', where it is possible; makes them again after values were
 * changed. */
int hp_params_copy_bf16(hp_pool *pool, hp_params *p, hp_error *err) HP_USE_RESULT;
void hp_bf16_free(struct hp_bf16 *w); /* accepts NULL */

/* False, and nothing is done, if no weights with copies take part in PRODUCT.  What an element of C sums, and in which
 * order, depends on its row, its column and k alone.  Takes 0.5 MB of stack. */
bool hp_gemm_bf16(const hp_product *product);

#endif
