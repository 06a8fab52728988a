/* bf16.c: rounded copies of weights, and products with them by the kernel that fits the processor. */
#include "nn/bf16.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "nn/bf16_kernels.h"
#include "nn/processor.h"

enum { ROWS = 256, COLUMNS = 256, DEPTH = 512 }; /* of what is packed at a time; multiples of STEP */

typedef struct hp_bf16 {
	hp_matrix value, grad; /* [out × in] */
	uint16_t *forward; /* Wᵀ's tiles as a B: bands of out, steps of in */
	uint16_t *backward; /* W's: bands of in, steps of out */
} hp_bf16;

hp_bf16_kernel *hp_bf16_best_kernel(void)
{
#ifdef HP_BF16_KERNELS
	if (hp_processor_has(HP_AMX_BF16))
		return hp_bf16_amx;
	if (hp_processor_has(HP_AVX512_BF16))
		return hp_bf16_dot;
#endif
	return NULL;
}

bool hp_bf16_possible(void)
{
	return hp_bf16_best_kernel() != NULL;
}

bool hp_bf16_faster(void)
{
	return hp_processor_has(HP_AMX_BF16) || hp_processor_has(HP_FAST_AVX512_BF16);
}

void hp_bf16_free(hp_bf16 *w)
{
	if (!w)
		return;
	free(w->forward);
	free(w->backward);
	free(w);
}

#ifdef HP_BF16_KERNELS
static int bands_of(int size)
{
	return (size + SIDE - 1) / SIDE;
}

static int steps_of(int size)
{
	return (size + STEP - 1) / STEP;
}

/* ---- copies ---- */

static uint16_t *tiles_for(int bands, int steps)
{
	return hp_pages_new((size_t)bands * (size_t)steps * TILE * sizeof(uint16_t));
}

static hp_bf16 *new_copy(const hp_param *p)
{
	hp_bf16 *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->value = hp_param_values(p);
	w->grad = hp_param_grads(p);
	w->forward = tiles_for(bands_of(w->value.rows), steps_of(w->value.cols));
	w->backward = tiles_for(bands_of(w->value.cols), steps_of(w->value.rows));
	if (!w->forward || !w->backward) {
		hp_bf16_free(w);
		return NULL;
	}
	return w;
}

/* STEP rows of W: both copies' tiles of each square of STEP × STEP while it is in the cache. */
static void copy_rows(const hp_bf16 *w, int row)
{
	int out = w->value.rows, in = w->value.cols;
	for (int column = 0; column < in; column += STEP)
		for (int half = 0; half < STEP; half += SIDE) {
			if (row + half < out)
				hp_bf16_pack_pairs_of_transposed(
					w->value, row + half, column,
					w->forward + ((size_t)((row + half) / SIDE) * steps_of(in) + column / STEP) * TILE);
			if (column + half < in)
				hp_bf16_pack_pairs(w->value, row, column + half,
				                   w->backward +
				                       ((size_t)((column + half) / SIDE) * steps_of(out) + row / STEP) * TILE);
		}
}

static void copy_task(void *arg, int task)
{
	const hp_params *p = arg;
	for (int i = 0; i < p->count; i++) {
		const hp_bf16 *w = p->item[i].bf16;
		int tasks = w ? steps_of(w->value.rows) : 0;
		if (task < tasks) {
			copy_rows(w, task * STEP);
			return;
		}
		task -= tasks;
	}
}

static int make_copies(hp_params *p, hp_error *err)
{
	for (int i = 0; i < p->count; i++) {
		hp_param *w = &p->item[i];
		if (w->bf16 || !hp_param_multiplies(w))
			continue;
		w->bf16 = new_copy(w);
		if (!w->bf16)
			return hp_fail_memory(err);
	}
	return 0;
}

int hp_params_copy_bf16(hp_pool *pool, hp_params *p, hp_error *err)
{
	int tasks = 0;
	if (!hp_bf16_possible())
		return 0;
	if (make_copies(p, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < p->count; i++)
		tasks += p->item[i].bf16 ? steps_of(p->item[i].bf16->value.rows) : 0;
	hp_pool_run(pool, tasks, copy_task, p);
	return 0;
}

/* ---- products ---- */

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* K's product, where the first LEAD columns of B's first band are none of C's. */
static void multiply(hp_bf16_kernel *kernel, hp_bf16_block k, int lead)
{
	if (lead) {
		float room[ROWS * SIDE] = {0};
		int count = least(k.cols, SIDE - lead);
		hp_bf16_block first = k;
		first.cols = lead + count;
		first.c = room;
		first.ldc = SIDE;
		for (int i = 0; i < k.rows; i++)
			memcpy(room + i * SIDE + lead, k.c + i * k.ldc, (size_t)count * sizeof(float));
		kernel(&first);
		for (int i = 0; i < k.rows; i++)
			memcpy(k.c + i * k.ldc, room + i * SIDE + lead, (size_t)count * sizeof(float));
		k.cols -= count;
		k.c += count;
		k.b += k.b_next;
	}
	if (k.cols > 0)
		kernel(&k);
}

/* A · Wᵀ or A · W, W being some rows and columns of a matrix whose copy is there. */
static void multiply_weights(const hp_product *p, hp_bf16_kernel *kernel)
{
	uint16_t a[ROWS * DEPTH] __attribute__((aligned(64)));
	const hp_bf16 *w = p->b.bf16;
	int at = (int)(p->b.data - w->value.data), row = at / w->value.cols, column = at % w->value.cols;
	int n = p->tb ? row : column, k = p->tb ? column : row; /* where they begin in W */
	int lead = k % STEP, steps = steps_of(lead + hp_product_depth(p));
	hp_bf16_block b = {.b_next = (size_t)steps_of(p->tb ? w->value.cols : w->value.rows) * TILE, .ldc = p->c.stride};
	const uint16_t *tiles =
		(p->tb ? w->forward : w->backward) + (size_t)(n / SIDE) * b.b_next + (size_t)(k / STEP) * TILE;
	for (int r = 0; r < p->c.rows; r += ROWS)
		for (int from = 0; from < steps; from += b.steps) {
			b.steps = least(steps - from, DEPTH / STEP);
			b.rows = least(p->c.rows - r, ROWS);
			b.cols = p->c.cols;
			b.a = a;
			b.a_next = (size_t)b.steps * TILE;
			for (int i = 0; i < bands_of(b.rows) * b.steps; i++)
				hp_bf16_pack_rows(p->a, r + i / b.steps * SIDE, (from + i % b.steps) * STEP - lead, a + i * TILE);
			b.b = tiles + (size_t)from * TILE;
			b.c = hp_row(p->c, r);
			b.add = p->add || from > 0;
			multiply(kernel, b, n % SIDE);
		}
}

/* STEPS steps of k from FROM on, by BANDS bands from place AT on, of a matrix whose rows are k's: in the order of its rows. */
static void pack_across(hp_bf16_packer *pack, hp_matrix m, int from, int steps, int at, int bands, uint16_t *out)
{
	for (int step = 0; step < steps; step++)
		for (int band = 0; band < bands; band++)
			pack(m, (from + step) * STEP, at + band * SIDE, out + ((size_t)band * (size_t)steps + (size_t)step) * TILE);
}

/* Aᵀ · B */
static void multiply_gradient(const hp_product *p, hp_bf16_kernel *kernel)
{
	uint16_t a[ROWS * DEPTH] __attribute__((aligned(64))), b[COLUMNS * DEPTH] __attribute__((aligned(64)));
	int steps = steps_of(hp_product_depth(p));
	hp_bf16_block k = {.a = a, .b = b, .ldc = p->c.stride};
	for (int from = 0; from < steps; from += k.steps) {
		k.steps = least(steps - from, DEPTH / STEP);
		k.a_next = k.b_next = (size_t)k.steps * TILE;
		k.add = p->add || from > 0;
		for (int column = 0; column < p->c.cols; column += COLUMNS) {
			k.cols = least(p->c.cols - column, COLUMNS);
			pack_across(hp_bf16_pack_pairs, p->b, from, k.steps, column, bands_of(k.cols), b);
			for (int row = 0; row < p->c.rows; row += ROWS) {
				k.rows = least(p->c.rows - row, ROWS);
				pack_across(hp_bf16_pack_rows_of_transposed, p->a, from, k.steps, row, bands_of(k.rows), a);
				k.c = hp_row(p->c, row) + column;
				kernel(&k);
			}
		}
	}
}

bool hp_bf16_product(const hp_product *p, hp_bf16_kernel *kernel)
{
	if (p->b.bf16 && !p->ta)
		multiply_weights(p, kernel);
	else if (p->c.bf16 && p->ta && !p->tb)
		multiply_gradient(p, kernel);
	else
		return false;
	return true;
}
#else
int hp_params_copy_bf16(hp_pool *pool, hp_params *p, hp_error *err)
{
	(void)pool, (void)p, (void)err;
	return 0;
}

bool hp_bf16_product(const hp_product *p, hp_bf16_kernel *kernel)
{
	(void)p, (void)kernel;
	return false;
}
#endif

bool hp_gemm_bf16(const hp_product *p)
{
	return hp_bf16_product(p, hp_bf16_best_kernel());
}
