/* gemm.h: matrix products, split among threads in a way that does not depend on their number.  hp_gemm_serial decides
 * which kernel makes one: in training in BF16 those of bf16.c, for products that weights take part in; digits.c, for those
 * with weights that were copied so; gemm_rows.c, where rows are few, and in parsing; gemm_packed.c, where the processor has
 * vectors of 512 bits; else OpenBLAS.
 *
 * The split of a product into single-threaded ones depends on its size only, so results are the same, to the last bit,
 * for every pool. */
#ifndef HP_GEMM_H
#define HP_GEMM_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/pool.h"
#include "nn/matrix.h"

/* C [m × n] = A · B, or += if ADD.  A is [m × k], or [k × m] and transposed first (TA); B is [k × n], or [n × k] (TB). */
typedef struct hp_product {
	hp_matrix c, a, b;
	bool ta, tb, add;
} hp_product;

static inline int hp_product_depth(const hp_product *p) /* k */
{
	return p->ta ? p->a.rows : p->a.cols;
}

/* Before hp_gemm, hp_gemm_group and hp_gemm_serial are used in a team of THREADS: gets OpenBLAS ready, see blas.h, where it
 * is needed.  Without it they are made by gemm_packed.c. */
int hp_gemm_open(int threads, hp_error *err) HP_USE_RESULT;
void hp_gemm(hp_pool *pool, hp_product product);
/* Independent products, all at once. */
void hp_gemm_group(hp_pool *pool, int count, const hp_product *products);
/* One product in the calling thread; for use within a task. */
void hp_gemm_serial(const hp_product *product);
/* Makes a product of few rows; false, and nothing is done, if PRODUCT is of another kind. */
bool hp_gemm_few(const hp_product *product);
/* Whether hp_gemm_packed is the fastest for many rows, with gemm_rows.c's largest tiles. */
bool hp_gemm_wide(void);
/* Makes any product; best for many rows.  Takes 0.6 MB of stack. */
void hp_gemm_packed(const hp_product *product);

/* W for many products of few rows, x · Wᵀ (TURNED) or dy · W: a copy in ARENA, in the order in which they read it, and in
 * digits (digits.h) where the processor multiplies these faster.  W as it is where that gains nothing, or where ARENA has no
 * room. */
hp_matrix hp_gemm_pack(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned);
hp_matrix hp_gemm_pack_floats(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned); /* never in digits */
bool hp_gemm_split(const hp_product *product); /* makes it if its B is split into digits; else false */
bool hp_gemm_is_packed(const hp_product *product); /* its B, for such a product */

/* For parsing: C [m × n] = A [m × k] · Wᵀ, W [n × k].  A row's result depends on that row and W only, to the last
 * bit, not on m or on where the row stands. */
void hp_gemm_rows(hp_pool *pool, hp_matrix a, hp_matrix w, hp_matrix c);
/* The same, to the last bit, of a W whose values, one after another, are floats of 16 bits; k is HP_HALF_DEPTH at most.
 * Takes 0.13 MB of stack. */
void hp_gemm_half(hp_pool *pool, hp_matrix a, const uint16_t *w, hp_matrix c);
enum { HP_HALF_DEPTH = 8192 };

#endif
