/* digits.h: products of floats by AMX's tiles of 8-bit numbers: all in parsing, in training those with weights that recur.
 *
 * A matrix is rounded to whole numbers of 24 bits, times a scale of each of its rows, and so are the rows it is
 * multiplied with, when that happens: to the precision of a float for the largest of a row, and to as many places behind
 * the point for the others.  Such a number is three digits to the base of 256, from -128 to 127.  Of the nine products of
 * digits those six count that reach the last bit of a float; their sums are exact, so a row of the result depends on that
 * row and the matrix only. */
#ifndef HP_DIGITS_H
#define HP_DIGITS_H
#include "base/pool.h"
#include "nn/gemm.h"
#include "nn/params.h"

/* From now on P's matrices but the embeddings', and those of more than HP_DIGITS_DEPTH inputs, are multiplied in digits, if
 * the processor has such tiles.  The first products split a matrix as they go; then a copy in digits is made, for which
 * there is room here.  To be called again after values were changed. */
int hp_params_split(hp_params *p, hp_error *err) HP_USE_RESULT;
enum { HP_DIGITS_DEPTH = 4096 };
void hp_params_unsplit(hp_params *p); /* with floats again */

/* Products as of hp_param_products with those of the COUNT matrices W that are split; not in two threads at once with the
 * same one.  Takes 0.4 MB of stack. */
void hp_digits_products(hp_pool *pool, hp_matrix a, int count, const hp_param *const *w, const hp_matrix *c);

/* In training: W for products x · Wᵀ (TURNED) or dy · W of a batch, split, in ARENA; NULL: not possible, or no room. */
const struct hp_digits *hp_digits_pack(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned);
/* Such a product with all inputs of W, and with its outputs from OUTPUT on in whole panels of 16; false, and nothing is done:
 * another one. */
bool hp_digits_multiply(const struct hp_digits *w, int output, const hp_product *product);

#endif
