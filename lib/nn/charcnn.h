/* charcnn.h: character CNN with maximum over positions and tanh (DESIGN section 4).
 *
 * A window's value is a sum over its places of (filter · character vector), so a table of these products for every
 * character and place replaces the convolution: words of any length cost additions only. */
#ifndef HP_CHARCNN_H
#define HP_CHARCNN_H
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/pool.h"
#include "nn/matrix.h"

typedef struct hp_charcnn {
	int chars, dim, window, filters;
	const float *embed; /* [chars × dim] */
	const float *w, *b; /* [filters × window × dim], [filters] */
} hp_charcnn;

/* table [chars × window × filters] */
void hp_charcnn_table(hp_pool *pool, const hp_charcnn *c, float *table);
/* For parsing: the same without OpenBLAS.  HP_FAIL: out of memory. */
int hp_charcnn_table_rows(hp_pool *pool, const hp_charcnn *c, float *table) HP_USE_RESULT;
/* One word of LENGTH >= 1 characters -> y [filters]; BEST (may be NULL) [filters]: the position of each maximum, the first one. */
void hp_charcnn_word(const hp_charcnn *c, const float *table, const int32_t *chars, int length, float *y,
                     int32_t *best);
/* Words, word w having lengths[w] characters at chars[w]. */
typedef struct hp_charcnn_words {
	const int32_t *const *chars;
	const int32_t *lengths;
	const int32_t *best; /* [words × filters] */
} hp_charcnn_words;

/* From dy [words × filters], the gradient of y, after tanh: adds to dtable [chars × window × filters] and db. */
void hp_charcnn_backward(hp_pool *pool, const hp_charcnn *c, const hp_charcnn_words *words, hp_matrix y, hp_matrix dy,
                         float *dtable, float *db);
/* From the table's gradient to that of the parameters, added. */
void hp_charcnn_table_backward(hp_pool *pool, const hp_charcnn *c, const float *dtable, float *dembed, float *dw);

#endif
