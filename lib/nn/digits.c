/* digits.c: matrices as digits of 8 bits in tiles, and products with them by AMX. */
#include "nn/digits.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "nn/int8_kernels.h"
#include "nn/processor.h"

#ifdef HP_INT8_TILES
#include "nn/square.h"
#include "nn/tiles.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define AMX __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512vl,avx512dq")))

enum { DIGITS = 3 };
enum { TILE = TILE_ROWS * TILE_BYTES, TILES = DIGITS * TILE }; /* bytes of a tile, and of all digits' tiles of a step */
enum { LEVELS = 0x7f0000 }; /* the largest number: its digits reach no fourth one */
enum { ROOM = HP_DIGITS_DEPTH * DIGITS * TILE_ROWS }; /* bytes of rows in digits: they stay in the second-level cache */
enum { BLOCK = 128 }; /* rows of a task at most */
enum { ENOUGH = 2 }; /* products for which the digits are worth the memory: it costs more to get than the digits */

typedef struct hp_digits {
	int n, k, panels, steps; /* panels of TILE_ROWS outputs; steps of TILE_BYTES inputs */
	int products; /* that were made, up to ENOUGH: from then on the copy is there */
	float *scale; /* [panels × PANEL] */
	int8_t *weight; /* [panels][steps][DIGITS] tiles, the highest digit first, of [inputs / QUAD][PANEL][QUAD] */
} hp_digits;

/* ---- digits ---- */

/* A row of a matrix: floats, or halves of 16 bits. */
typedef struct numbers {
	bool halves;
	const void *data;
} numbers;

/* 16 of them from I on */
AVX512 HP_INLINE __m512 load(numbers x, int i)
{
	if (x.halves)
		return _mm512_cvtph_ps(_mm256_loadu_si256((const void *)((const uint16_t *)x.data + i)));
	return _mm512_loadu_ps((const float *)x.data + i);
}

/* OUT: the digits of 64 values of X from FROM on, times INVERSE, the highest first. */
AVX512 HP_INLINE void split_step(numbers x, int from, __m512 inverse, __m512i out[DIGITS])
{
	/* Of a lane's four numbers the bytes of the same place side by side; then the lanes' side by side. */
	const __m512i places = _mm512_set4_epi32(0x0f0b0703, 0x0e0a0602, 0x0d090501, 0x0c080400);
	const __m512i upper = _mm512_set_epi32(29, 25, 21, 17, 13, 9, 5, 1, 30, 26, 22, 18, 14, 10, 6, 2);
	const __m512i lower = _mm512_set_epi32(28, 24, 20, 16, 12, 8, 4, 0, 28, 24, 20, 16, 12, 8, 4, 0);
	const __m512i half = _mm512_set1_epi32(0x808080), sign = _mm512_set1_epi32((int)0x80808080);
	__m512i v[4];
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
		__m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(load(x, from + 16 * i), inverse));
		v[i] = _mm512_shuffle_epi8(_mm512_add_epi32(whole, half), places);
	}
	__m512i left = _mm512_permutex2var_epi32(v[0], upper, v[1]), right = _mm512_permutex2var_epi32(v[2], upper, v[3]);
	out[0] = _mm512_xor_si512(_mm512_shuffle_i64x2(left, right, 0x44), sign);
	out[1] = _mm512_xor_si512(_mm512_shuffle_i64x2(left, right, 0xee), sign);
	left = _mm512_permutex2var_epi32(v[0], lower, v[1]);
	right = _mm512_permutex2var_epi32(v[2], lower, v[3]);
	out[2] = _mm512_xor_si512(_mm512_shuffle_i64x2(left, right, 0x44), sign);
}

HP_CLONES static uint16_t largest_half(int k, const uint16_t *x)
{
	uint16_t most = 0;
	for (int i = 0; i < k; i++) {
		uint16_t magnitude = x[i] & INT16_MAX;
		most = magnitude > most ? magnitude : most;
	}
	return most;
}

static int32_t largest(int k, numbers x)
{
	float most;
	int32_t bits;
	if (!x.halves)
		return hp_int8_largest(k, x.data);
	most = hp_half_to_float(largest_half(k, x.data));
	memcpy(&bits, &most, sizeof bits);
	return bits;
}

/* A row of tiles of all steps = X [k]; returns its scale. */
AVX512 HP_INLINE float split_row(int k, numbers x, int8_t *row)
{
	float inverse, scale = hp_int8_scale(largest(k, x), LEVELS, &inverse), rest[TILE_BYTES] = {0};
	for (int i = 0; i < k; i += TILE_BYTES, row += TILES) {
		__m512i digit[DIGITS];
		if (k - i >= TILE_BYTES) {
			split_step(x, i, _mm512_set1_ps(inverse), digit);
		} else {
			if (x.halves)
				hp_halves_to_floats((size_t)(k - i), (const uint16_t *)x.data + i, rest);
			else
				memcpy(rest, (const float *)x.data + i, (size_t)(k - i) * sizeof *rest);
			split_step((numbers){false, rest}, 0, _mm512_set1_ps(inverse), digit);
		}
		for (int d = 0; d < DIGITS; d++)
			_mm512_store_si512(row + d * TILE, digit[d]);
	}
	return scale;
}

AVX512 static void turn_tile(int8_t *tile)
{
	hp_square x = {0};
#pragma GCC unroll 16
	for (int i = 0; i < TILE_ROWS; i++)
		x[i] = _mm512_load_si512(tile + i * TILE_BYTES);
	hp_square_transpose(x);
#pragma GCC unroll 16
	for (int i = 0; i < TILE_ROWS; i++)
		_mm512_store_si512(tile + i * TILE_BYTES, x[i]);
}

/* The tiles of all steps of PANEL of W, whose outputs are ROW [count], and their scales [PANEL]. */
AVX512 static void split_rows(const hp_digits *w, int count, const numbers *row, int8_t *tiles, float *scale)
{
	if (count < PANEL)
		memset(tiles, 0, (size_t)w->steps * TILES);
	memset(scale, 0, PANEL * sizeof *scale);
	for (int i = 0; i < count; i++) {
		if (row[i].halves)
			scale[i] = split_row(w->k, (numbers){true, row[i].data}, tiles + i * TILE_BYTES);
		else
			scale[i] = split_row(w->k, (numbers){false, row[i].data}, tiles + i * TILE_BYTES);
		scale[i] *= 0x1p32f;
	}
	for (int t = 0; t < w->steps * DIGITS; t++)
		turn_tile(tiles + t * TILE);
}

static int outputs_of(const hp_digits *w, int panel)
{
	int from = panel * PANEL;
	return w->n - from < PANEL ? w->n - from : PANEL;
}

/* Those of P. */
static void split_panel(const hp_param *p, int panel, int8_t *tiles, float *scale)
{
	const hp_digits *w = p->digits;
	numbers row[PANEL];
	for (int i = 0; i < outputs_of(w, panel); i++) {
		size_t at = (size_t)(panel * PANEL + i) * (size_t)w->k;
		row[i] = p->half ? (numbers){true, p->half + at} : (numbers){false, p->value + at};
	}
	split_rows(w, outputs_of(w, panel), row, tiles, scale);
}

/* Where those of the copy are. */
static int8_t *tiles_of(const hp_digits *w, int panel)
{
	return w->weight + (size_t)panel * (size_t)w->steps * TILES;
}

static void copy_task(void *arg, int panel)
{
	const hp_param *p = arg;
	split_panel(p, panel, tiles_of(p->digits, panel), p->digits->scale + panel * PANEL);
}

/* ---- products ---- */

/* Some rows in digits, in bands of HEIGHT rows. */
typedef struct bands {
	int count, height, rows; /* the last one may have fewer: ROWS are there of all */
	const int8_t *tiles; /* of a band: [steps][DIGITS] */
	const float *scale; /* [rows] */
} bands;

AMX static void set_shapes(int rows)
{
	hp_tile_shapes shapes = {.palette = 1};
	for (int i = 0; i < 8; i++) {
		shapes.bytes[i] = TILE_BYTES;
		shapes.rows[i] = (uint8_t)(i == 7 ? TILE_ROWS : rows);
	}
	_tile_loadconfig(&shapes);
}

enum { SUMS = 4 }; /* of the products of digits that have the same place; two of the last */

/* What will be in the cache when its turn comes: some LINES for every step. */
typedef struct ahead {
	const int8_t *at;
	int lines;
} ahead;

/* Tile registers: the sums, three digits of rows, and one of a panel. */
AMX HP_INLINE void add_products(int steps, const int8_t *a, const int8_t *w, ahead next,
                                int32_t sum[SUMS][TILE_ROWS][PANEL])
{
	_tile_zero(0);
	_tile_zero(1);
	_tile_zero(2);
	_tile_zero(3);
	for (int i = 0; i < steps; i++, a += TILES, w += TILES) {
		for (int l = 0; l < next.lines; l++, next.at += TILE_BYTES)
			__builtin_prefetch(next.at, 0, 2);
		_tile_loadd(7, w, TILE_BYTES);
		_tile_loadd(4, a, TILE_BYTES);
		_tile_dpbssd(0, 4, 7);
		_tile_loadd(5, a + TILE, TILE_BYTES);
		_tile_dpbssd(1, 5, 7);
		_tile_loadd(6, a + 2 * TILE, TILE_BYTES);
		_tile_dpbssd(2, 6, 7);
		_tile_loadd(7, w + TILE, TILE_BYTES);
		_tile_dpbssd(3, 5, 7);
		_tile_dpbssd(1, 4, 7);
		_tile_loadd(7, w + 2 * TILE, TILE_BYTES);
		_tile_dpbssd(2, 4, 7);
	}
	_tile_stored(0, sum[0], TILE_BYTES);
	_tile_stored(1, sum[1], TILE_BYTES);
	_tile_stored(2, sum[2], TILE_BYTES);
	_tile_stored(3, sum[3], TILE_BYTES);
}

/* C [rows × PANEL, of which KEEP are there] = the sums, times both scales, or += if ADD. */
AMX HP_INLINE void put_sums(int32_t sum[SUMS][TILE_ROWS][PANEL], hp_matrix c, const float *row_scale, __m512 scale,
                            __mmask16 keep, bool add)
{
	for (int r = 0; r < c.rows; r++) {
		__m512i last = _mm512_add_epi32(_mm512_load_si512(sum[2][r]), _mm512_load_si512(sum[3][r]));
		__m512 y = _mm512_cvtepi32_ps(_mm512_load_si512(sum[0][r]));
		y = _mm512_fmadd_ps(_mm512_cvtepi32_ps(_mm512_load_si512(sum[1][r])), _mm512_set1_ps(0x1p-8f), y);
		y = _mm512_fmadd_ps(_mm512_cvtepi32_ps(last), _mm512_set1_ps(0x1p-16f), y);
		y = _mm512_mul_ps(y, _mm512_mul_ps(_mm512_set1_ps(row_scale[r]), scale));
		if (add)
			y = _mm512_add_ps(y, _mm512_maskz_loadu_ps(keep, hp_row(c, r)));
		_mm512_mask_storeu_ps(hp_row(c, r), keep, y);
	}
}

/* All rows by W's panels FROM ... END - 1, which C's columns are; where there is no copy they are split on the way, out of P. */
AMX static void multiply(const bands *b, const hp_digits *w, const hp_param *p, hp_matrix c, int from, int end,
                         bool add)
{
	int8_t room[ROOM] __attribute__((aligned(TILE_BYTES))); /* large: not initialised */
	float room_scale[PANEL];
	bool copied = !p || w->products == ENOUGH;
	int32_t sum[SUMS][TILE_ROWS][PANEL] __attribute__((aligned(TILE_BYTES)));
	size_t all = (size_t)w->steps * TILES; /* bytes of a band's, or of a panel's tiles */
	/* Of the next panel, that a band's steps ask for; those of one or two are soon there themselves. */
	int share = b->count > 2 ? (TILES / TILE_BYTES + b->count - 1) / b->count : 0;
	for (int panel = from; panel < end; panel++) {
		int column = (panel - from) * PANEL, count = outputs_of(w, panel);
		const int8_t *tiles = copied ? tiles_of(w, panel) : room;
		const float *scale = copied ? w->scale + panel * PANEL : room_scale;
		if (!copied)
			split_panel(p, panel, room, room_scale);
		for (int i = 0; i < b->count; i++) {
			int row = i * b->height, rows = b->rows - row < b->height ? b->rows - row : b->height;
			ahead next = {tiles + all + i * w->steps * share * TILE_BYTES, copied && panel + 1 < end ? share : 0};
			add_products(w->steps, b->tiles + (size_t)i * all, tiles, next, sum);
			put_sums(sum, hp_some_columns(hp_some_rows(c, row, rows), column, count), b->scale + row,
			         _mm512_loadu_ps(scale), (__mmask16)((1 << count) - 1), add);
		}
	}
}

typedef struct products {
	hp_matrix a;
	int count;
	const hp_param *const *w;
	const hp_matrix *c;
	hp_cut cut;
} products;

static int steps_of(int k)
{
	return (k + TILE_BYTES - 1) / TILE_BYTES;
}

/* Some of the rows A in digits: as many as ROOM holds. */
AMX static bands split_bands(hp_matrix a, int8_t *tiles, float *scale)
{
	bands b = {.rows = a.rows, .tiles = tiles, .scale = scale};
	b.count = (b.rows + TILE_ROWS - 1) / TILE_ROWS;
	b.height = (b.rows + b.count - 1) / b.count; /* much the same for all */
	for (int r = 0; r < b.rows; r++)
		scale[r] = split_row(a.cols, (numbers){false, hp_row(a, r)},
		                     tiles + r / b.height * steps_of(a.cols) * TILES + r % b.height * TILE_BYTES);
	return b;
}

/* Rows of K values that are multiplied together: whole bands. */
static int most_rows(int k)
{
	int room = ROOM / (steps_of(k) * TILES) * TILE_ROWS;
	return room < BLOCK ? room : BLOCK;
}

AMX static void products_task(void *arg, int task)
{
	const products *p = arg;
	int8_t tiles[ROOM] __attribute__((aligned(TILE_BYTES))); /* large: not initialised */
	float scale[BLOCK];
	hp_piece piece = hp_cut_piece(&p->cut, task);
	bands b = split_bands(hp_some_rows(p->a, piece.row, piece.rows), tiles, scale);
	set_shapes(b.height);
	for (int i = 0; i < p->count; i++) {
		const hp_digits *w = p->w[i]->digits;
		if (!w)
			continue;
		int first = piece.from > 0 ? piece.from : 0, last = piece.end < w->panels ? piece.end : w->panels;
		hp_matrix c = hp_some_rows(p->c[i], piece.row, piece.rows);
		if (first < last)
			multiply(&b, w, p->w[i], hp_some_columns(c, first * PANEL, c.cols - first * PANEL), first, last, false);
		piece.from -= w->panels;
		piece.end -= w->panels;
	}
	_tile_release();
}

/* One more with P: makes the copy when there are enough. */
static void count_product(hp_pool *pool, const hp_param *p)
{
	if (p->digits && p->digits->products < ENOUGH && ++p->digits->products == ENOUGH)
		hp_pool_run(pool, p->digits->panels, copy_task, (void *)p);
}

void hp_digits_products(hp_pool *pool, hp_matrix a, int count, const hp_param *const *w, const hp_matrix *c)
{
	products p = {.a = a, .count = count, .w = w, .c = c};
	int panels = 0;
	for (int i = 0; i < count; i++)
		panels += w[i]->digits ? w[i]->digits->panels : 0;
	if (!panels || a.rows <= 0)
		return;
	for (int i = 0; i < count; i++)
		count_product(pool, w[i]);
	p.cut = hp_cut_make(a.rows, most_rows(a.cols), panels, hp_pool_threads(pool));
	hp_pool_run(pool, p.cut.blocks * p.cut.parts, products_task, &p);
}

/* ---- copies ---- */

static bool is_split(const hp_param *p)
{
	return hp_param_multiplies(p) && p->shape[p->rank - 1] <= HP_DIGITS_DEPTH;
}

static hp_digits shape_of(int n, int k)
{
	return (hp_digits){.n = n, .k = k, .panels = (n + PANEL - 1) / PANEL, .steps = steps_of(k)};
}

static hp_digits shape_of_param(const hp_param *p)
{
	int k = p->shape[p->rank - 1];
	return shape_of((int)(p->count / (size_t)k), k);
}

static size_t weight_bytes(const hp_digits *w)
{
	return (size_t)w->panels * (size_t)w->steps * TILES;
}

static size_t scale_bytes(const hp_digits *w)
{
	return (size_t)w->panels * PANEL * sizeof(float);
}

/* ---- in training: copies for a batch ---- */

typedef struct packing {
	hp_matrix w;
	bool turned;
	const hp_digits *to;
} packing;

static void pack_task(void *arg, int panel)
{
	const packing *p = arg;
	const hp_digits *to = p->to;
	float columns[PANEL][HP_DIGITS_DEPTH]; /* large: not initialised */
	numbers row[PANEL] = {{0}};
	int count = outputs_of(to, panel);
	for (int k = 0; k < to->k && !p->turned; k++)
		for (int i = 0; i < count; i++)
			columns[i][k] = hp_row(p->w, k)[panel * PANEL + i];
	for (int i = 0; i < count; i++)
		row[i].data = p->turned ? hp_row(p->w, panel * PANEL + i) : columns[i];
	split_rows(to, count, row, tiles_of(to, panel), to->scale + panel * PANEL);
}

const hp_digits *hp_digits_pack(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned)
{
	hp_digits shape = shape_of(turned ? w.rows : w.cols, turned ? w.cols : w.rows);
	if (!hp_processor_has(HP_AMX_INT8) || shape.k > HP_DIGITS_DEPTH)
		return NULL;
	hp_digits *to = HP_NEW(arena, hp_digits, 1);
	char *room = HP_NEW(arena, char, weight_bytes(&shape) + scale_bytes(&shape) + TILE_BYTES);
	if (!to || !room)
		return NULL;
	*to = shape;
	to->products = ENOUGH;
	to->weight = (int8_t *)(room + (TILE_BYTES - (uintptr_t)room % TILE_BYTES) % TILE_BYTES);
	to->scale = (float *)(void *)(to->weight + weight_bytes(to));
	packing p = {w, turned, to};
	hp_pool_run(pool, to->panels, pack_task, &p);
	return to;
}

AMX static void multiply_all(const hp_product *p, const hp_digits *w, int panel)
{
	int8_t tiles[ROOM] __attribute__((aligned(TILE_BYTES))); /* large: not initialised */
	float scale[BLOCK];
	int most = most_rows(w->k);
	for (int row = 0; row < p->c.rows; row += most) {
		int rows = p->c.rows - row < most ? p->c.rows - row : most;
		bands b = split_bands(hp_some_rows(p->a, row, rows), tiles, scale);
		set_shapes(b.height);
		multiply(&b, w, NULL, hp_some_rows(p->c, row, rows), panel, panel + (p->c.cols + PANEL - 1) / PANEL, p->add);
	}
	_tile_release();
}

bool hp_digits_multiply(const hp_digits *b, int output, const hp_product *p)
{
	bool whole = output + p->c.cols == b->n || p->c.cols % PANEL == 0;
	if (p->ta || hp_product_depth(p) != b->k || output % PANEL != 0 || !whole)
		return false;
	multiply_all(p, b, output / PANEL);
	return true;
}

int hp_params_split(hp_params *p, hp_error *err)
{
	size_t size = 0;
	hp_params_unsplit(p);
	if (!hp_processor_has(HP_AMX_INT8))
		return 0;
	for (int i = 0; i < p->count; i++) {
		hp_digits w = shape_of_param(&p->item[i]);
		size += is_split(&p->item[i]) ? hp_in_lines(sizeof(hp_digits)) + scale_bytes(&w) + weight_bytes(&w) : 0;
	}
	int8_t *to = p->split = hp_pages_new(size);
	if (!to && size > 0)
		return hp_fail_memory(err);
	for (int i = 0; i < p->count; i++) {
		hp_param *q = &p->item[i];
		if (!is_split(q))
			continue;
		hp_digits *w = q->digits = (void *)to;
		*w = shape_of_param(q);
		w->scale = (void *)(to += hp_in_lines(sizeof(hp_digits)));
		w->weight = to += scale_bytes(w);
		to += weight_bytes(w);
	}
	return 0;
}
#else
int hp_params_split(hp_params *p, hp_error *err)
{
	(void)p, (void)err;
	return 0;
}

void hp_digits_products(hp_pool *pool, hp_matrix a, int count, const hp_param *const *w, const hp_matrix *c)
{
	(void)pool, (void)a, (void)count, (void)w, (void)c;
}

const hp_digits *hp_digits_pack(hp_pool *pool, hp_arena *arena, hp_matrix w, bool turned)
{
	(void)pool, (void)arena, (void)w, (void)turned;
	return NULL;
}

bool hp_digits_multiply(const hp_digits *b, int output, const hp_product *p)
{
	(void)b, (void)output, (void)p;
	return false;
}
#endif

void hp_params_unsplit(hp_params *p)
{
	for (int i = 0; i < p->count; i++)
		p->item[i].digits = NULL;
	free(p->split);
	p->split = NULL;
}
