/* gemm_packed.c: products of many rows.  Parts of B are copied into panels, a row of 64 columns after the other; where A is
 * transposed, parts of it into strips, a column of some rows after the other.  So what the inner loops read lies in order.
 *
 * What an element of C sums, and in which order, depends on its row, its column and k alone. */
#include <stddef.h>
#include <string.h>

#include "nn/digits.h"
#include "nn/gemm.h"
#include "nn/vmath.h"

/* What hp_gemm_pack made of W: panel after panel, each as deep as the matrix. */
typedef struct hp_panels {
	hp_matrix w;
	bool turned;
	int depth;
	float *data; /* NULL where DIGITS are */
	const struct hp_digits *digits;
} hp_panels;

enum { DEPTH = 256 }; /* of k at a time */
enum { WIDTH = 64, BAND = 8 }; /* columns of a panel; panels that stay in the second-level cache together */
enum { STRIP = 6, BLOCK = 8 * STRIP }; /* rows of a strip; of those that are multiplied with a panel in turn */

enum { LINE = 16, SOON = 16 }; /* floats of a line of the cache; rows ahead of what is copied */

/* Rows of C = A · PANEL, or += */
typedef struct strip {
	bool add;
	int rows, depth;
	const float *a; /* the values of a row lie NEXT apart, rows BELOW */
	ptrdiff_t next, below;
	const float *panel; /* [depth × WIDTH] */
	const float *ahead; /* what is asked for meanwhile, a line for every step of DEPTH */
	float *c;
	ptrdiff_t ldc;
} strip;

typedef struct kernels {
	void (*multiply)(const strip *s);
	void (*copy)(hp_matrix b, float *panel);
	void (*turn)(hp_matrix b, float *panel);
} kernels;

/* So that a row will be in the cache when its turn comes: rows are apart, which no processor foresees. */
HP_INLINE void ask_for(hp_matrix m, int row)
{
	for (int i = 0; row < m.rows && i < m.cols; i += LINE)
		__builtin_prefetch(hp_row(m, row) + i);
}

#define LANES 4
#define ROWS 4
#define VECTORS 2
#define KIND default
#define TARGET
#include "nn/gemm_panel.h"

#ifdef HP_HAVE_CLONES
#define LANES 8
#define ROWS 6
#define VECTORS 2
#define KIND v3
#define TARGET __attribute__((target("arch=x86-64-v3")))
#include "nn/gemm_panel.h"

#define LANES 16
#define ROWS 6
#define VECTORS 4
#define KIND v4
#define TARGET __attribute__((target("arch=x86-64-v4")))
#include "nn/gemm_panel.h"
#endif

static kernels choose(void)
{
#ifdef HP_HAVE_CLONES
	if (__builtin_cpu_supports("x86-64-v4"))
		return (kernels){multiply_v4, copy_v4, turn_v4};
	if (__builtin_cpu_supports("x86-64-v3"))
		return (kernels){multiply_v3, copy_v3, turn_v3};
#endif
	return (kernels){multiply_default, copy_default, turn_default};
}

/* PANEL [depth × WIDTH] = B, or Bᵀ; beyond its columns zeros. */
static void pack_panel(const kernels *with, hp_matrix b, bool transposed, float *panel)
{
	int depth = transposed ? b.cols : b.rows, columns = transposed ? b.rows : b.cols;
	(transposed ? with->turn : with->copy)(b, panel);
	for (int i = 0; i < depth && columns < WIDTH; i++)
		memset(panel + i * WIDTH + columns, 0, (size_t)(WIDTH - columns) * sizeof *panel);
}

/* STRIPS [strips][depth × STRIP] = A [depth × rows] */
static void pack_strips(hp_matrix a, float *strips)
{
	for (int i = 0; i < a.rows; i++) {
		const float *from = hp_row(a, i);
		ask_for(a, i + SOON);
		float *to = strips + i * STRIP;
		int row = 0;
		for (; row + STRIP <= a.cols; row += STRIP, to += a.rows * STRIP)
			memcpy(to, from + row, STRIP * sizeof *to);
		memcpy(to, from + row, (size_t)(a.cols - row) * sizeof *to);
	}
}

/* COLUMNS < WIDTH: by a product that has them all. */
static void multiply(const kernels *with, const strip *s, int columns)
{
	if (columns >= WIDTH) {
		with->multiply(s);
		return;
	}
	float room[STRIP * WIDTH] __attribute__((aligned(64)));
	strip whole = *s;
	whole.c = room;
	whole.ldc = WIDTH;
	whole.add = false;
	with->multiply(&whole);
	for (int row = 0; row < s->rows; row++)
		if (s->add)
			hp_vec_add((size_t)columns, room + row * WIDTH, s->c + row * s->ldc);
		else
			memcpy(s->c + row * s->ldc, room + row * WIDTH, (size_t)columns * sizeof *room);
}

/* Rows of C, a band of its columns, = A · the panels, each NEXT behind the one before.  S holds what is the same for all
 * strips; those of a transposed A are packed. */
static void multiply_block(const kernels *with, strip s, hp_matrix c, const float *panel, ptrdiff_t next)
{
	const float *a = s.a;
	for (int column = 0; column < c.cols; column += WIDTH, panel += next) {
		s.panel = panel;
		for (int row = 0; row < c.rows; row += STRIP) {
			s.rows = c.rows - row < STRIP ? c.rows - row : STRIP;
			s.ahead = panel + next + row / STRIP % (WIDTH / LINE) * s.depth * LINE;
			s.a = a + row * (s.next == 1 ? s.below : s.depth);
			s.c = hp_row(c, row) + column;
			multiply(with, &s, c.cols - column);
		}
	}
}

/* A band of C's columns += rows FROM ... FROM + DEPTH - 1 of Aᵀ · the panels. */
static void multiply_band(const kernels *with, const hp_product *p, hp_matrix c, int from, int depth,
                          const float *panel, ptrdiff_t next)
{
	float room[BLOCK * DEPTH] __attribute__((aligned(64)));
	strip s = {.add = p->add || from > 0, .depth = depth, .next = 1, .below = p->a.stride, .ldc = c.stride};
	if (p->ta)
		s.next = STRIP, s.below = 1;
	for (int row = 0; row < c.rows; row += BLOCK) {
		int rows = c.rows - row < BLOCK ? c.rows - row : BLOCK;
		if (p->ta)
			pack_strips(hp_some_columns(hp_some_rows(p->a, from, depth), row, rows), room);
		s.a = p->ta ? room : hp_row(p->a, row) + from;
		multiply_block(with, s, hp_some_rows(c, row, rows), panel, next);
	}
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Panels of DEPTH rows of B, or of Bᵀ, from FROM on, and COLUMNS columns from LEFT on. */
static void pack_panels(hp_matrix b, bool transposed, int from, int depth, int left, int columns, float *panels)
{
	kernels with = choose();
	for (int i = 0; i < columns; i += WIDTH, panels += depth * WIDTH) {
		int column = left + i, count = least(columns - i, WIDTH);
		pack_panel(&with,
		           transposed ? hp_some_columns(hp_some_rows(b, column, count), from, depth)
		                      : hp_some_columns(hp_some_rows(b, from, depth), column, count),
		           transposed, panels);
	}
}

/* Of which OUTPUT and INPUT of a matrix on B is a part, if that was copied for such products. */
static bool find_copy(const hp_product *p, int *output, int *input)
{
	const hp_panels *copy = p->b.panels;
	if (!copy || copy->turned != p->tb)
		return false;
	ptrdiff_t at = p->b.data - copy->w.data, row = at / copy->w.stride, column = at % copy->w.stride;
	*output = (int)(p->tb ? row : column);
	*input = (int)(p->tb ? column : row);
	return true;
}

/* Where B's first panel begins in the copy of its matrix; NULL if there is none, or no panel begins there. */
static const float *first_panel(const hp_product *p)
{
	const hp_panels *copy = p->b.panels;
	int output, input;
	if (!find_copy(p, &output, &input) || !copy->data || output % WIDTH != 0)
		return NULL;
	return copy->data + (ptrdiff_t)output * copy->depth + input * WIDTH;
}

bool hp_gemm_split(const hp_product *p)
{
	int output, input;
	return find_copy(p, &output, &input) && p->b.panels->digits && input == 0 &&
	       hp_digits_multiply(p->b.panels->digits, output, p);
}

bool hp_gemm_is_packed(const hp_product *p)
{
	return first_panel(p) != NULL;
}

void hp_gemm_packed(const hp_product *p)
{
	float room[BAND * DEPTH * WIDTH] __attribute__((aligned(64))); /* large: not initialised */
	const float *first = first_panel(p);
	kernels with = choose();
	int k = hp_product_depth(p);
	for (int left = 0, columns; left < p->c.cols; left += columns) {
		columns = least(p->c.cols - left, BAND * WIDTH);
		for (int from = 0, depth; from < k; from += depth) {
			depth = least(k - from, DEPTH);
			ptrdiff_t deep = first ? p->b.panels->depth : depth;
			if (!first)
				pack_panels(p->b, p->tb, from, depth, left, columns, room);
			multiply_band(&with, p, hp_some_columns(p->c, left, columns), from, depth,
			              first ? first + left * deep + from * WIDTH : room, deep * WIDTH);
		}
	}
}

static void pack_task(void *arg, int task)
{
	const hp_panels *to = arg;
	int n = to->turned ? to->w.rows : to->w.cols, left = task * WIDTH;
	pack_panels(to->w, to->turned, 0, to->depth, left, least(n - left, WIDTH), to->data + (ptrdiff_t)left * to->depth);
}

hp_matrix hp_gemm_pack_floats(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned)
{
	int n = turned ? w.rows : w.cols, k = turned ? w.cols : w.rows, count = (n + WIDTH - 1) / WIDTH;
	hp_panels *copy = HP_NEW(arena, hp_panels, 1);
	float *data = HP_NEW(arena, float, (size_t)count * WIDTH * (size_t)k);
	if (!data)
		return w;
	*copy = (hp_panels){w, turned, k, data, NULL};
	hp_pool_run(pool, count, pack_task, copy);
	w.panels = copy;
	return w;
}

hp_matrix hp_gemm_pack(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned)
{
	if (!hp_gemm_wide() || w.bf16)
		return w;
	const struct hp_digits *digits = hp_digits_pack(pool, arena, w, turned);
	hp_panels *copy = digits ? HP_NEW(arena, hp_panels, 1) : NULL;
	if (!copy)
		return hp_gemm_pack_floats(pool, arena, w, turned);
	*copy = (hp_panels){w, turned, 0, NULL, digits};
	w.panels = copy;
	return w;
}
