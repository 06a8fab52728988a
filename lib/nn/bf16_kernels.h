/* bf16_kernels.h: what bf16.c shares with its packing and its kernels, an instruction set a file.
 *
 * Numbers lie in tiles of 1 KB.  One of A has SIDE rows of STEP numbers; one of B has SIDE pairs of rows, of each pair SIDE
 * columns, of each column the pair. */
#ifndef HP_BF16_KERNELS_H
#define HP_BF16_KERNELS_H
#include <stddef.h>
#include <stdint.h>

#include "nn/gemm.h"
#include "nn/vmath.h"
#if defined(__x86_64__) && defined(__GNUC__) && !defined(HP_NO_CLONES)
#define HP_BF16_KERNELS 1
#endif

enum { SIDE = 16, STEP = 32, TILE = SIDE * STEP };

/* C [rows × cols] = A · B, or += if ADD: sums begin with what C holds, and go on in the order of k. */
typedef struct hp_bf16_block {
	int rows, cols, steps; /* the last: k / STEP */
	const uint16_t *a, *b; /* tiles of a band of SIDE rows or columns lie side by side */
	size_t a_next, b_next; /* numbers from one band to the next */
	float *c;
	ptrdiff_t ldc;
	bool add;
} hp_bf16_block;

typedef void hp_bf16_kernel(const hp_bf16_block *block);
typedef void hp_bf16_packer(hp_matrix m, int row, int column, uint16_t *tile);

#ifdef HP_BF16_KERNELS
hp_bf16_kernel hp_bf16_amx, hp_bf16_dot;

/* A tile of A, which is M or Mᵀ, from ROW and COLUMN of M on.  Of k that M does not have there are zeros; rows that it does
 * not have may be anything. */
hp_bf16_packer hp_bf16_pack_rows, hp_bf16_pack_rows_of_transposed;
hp_bf16_packer hp_bf16_pack_pairs, hp_bf16_pack_pairs_of_transposed; /* the same of B and its columns */
#endif

hp_bf16_kernel *hp_bf16_best_kernel(void); /* NULL: there is none */
/* As hp_gemm_bf16, by KERNEL. */
bool hp_bf16_product(const hp_product *product, hp_bf16_kernel *kernel);

#endif
