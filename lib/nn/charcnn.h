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
/* Gradient of WORDS words, word w having lengths[w] characters at chars[w]: adds to dtable [chars × window × filters]
 * and db.  BEST, y, dy [words × filters]; DY is the gradient of y, after tanh; LDY, LDDY: distances of rows. */
void hp_charcnn_backward(hp_pool *pool, const hp_charcnn *c, int words, const int32_t *const *chars,
                         const int32_t *lengths, const int32_t *best, const float *y, int ldy, const float *dy,
                         int lddy, float *dtable, float *db);
/* From the table's gradient to that of the parameters, added. */
void hp_charcnn_table_backward(hp_pool *pool, const hp_charcnn *c, const float *dtable, float *dembed, float *dw);

#endif
