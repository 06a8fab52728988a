/* gemm_tile.h: the inner loops of gemm_rows.c, included there once for each kind of processor, with
 *
 *	LANES	floats of a vector register: 4, 8 or 16
 *	ROWS	rows of a tile, 6 at most: ROWS × COLUMNS vectors of sums have to stay in registers
 *	KIND	ends the names of what is made: block_KIND
 *	TARGET	its functions' attribute
 *	WIDEN	where the processor can: the address of LANES floats of 16 bits to a vector
 *
 * A tile is ROWS rows of C by COLUMNS columns (dot_...: B's rows are multiplied with A's, a vector sums a part of each
 * product) or by COLUMNS vectors of columns (plain_...: B's rows are scaled by A's elements and added). */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define lanes JOIN(lanes_, KIND)
#define mask JOIN(mask_, KIND)
#define add_up JOIN(add_up_, KIND)
#define dot_lanes JOIN(dot_lanes_, KIND)
#define load JOIN(load_, KIND)
#define dot JOIN(dot_, KIND)
#define dot_tile JOIN(dot_tile_, KIND)
#define half_tile JOIN(half_tile_, KIND)
#define plain_tile JOIN(plain_tile_, KIND)

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t mask __attribute__((vector_size(LANES * sizeof(int32_t))));

/* LANES floats, of 16 bits each if HALF. */
TARGET HP_INLINE lanes load(const char *b, bool half)
{
	lanes v = {0};
#ifdef WIDEN
	if (half)
		return (lanes)WIDEN(b);
#endif
	(void)half;
	memcpy(&v, b, sizeof v);
	return v;
}

/* sum += a · b of LANES values, those of A where KEEP (NULL: everywhere) is 0 counting as 0. */
TARGET HP_INLINE void dot_lanes(int rows, const float *a, ptrdiff_t lda, const lanes v[COLUMNS], const mask *keep,
                                lanes sum[][COLUMNS])
{
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++) {
		lanes x;
		memcpy(&x, a + r * lda, sizeof x);
		if (keep)
			x = (lanes)((mask)x & *keep);
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++)
			sum[r][j] += x * v[j];
	}
}

/* The sums of the vectors' lanes. */
TARGET HP_INLINE void add_up(const lanes x[COLUMNS], quad *sum)
{
	quad q[COLUMNS] = {0};
#define QUAD(i) __builtin_shufflevector(x[j], x[j], 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#pragma GCC unroll 4
	for (int j = 0; j < COLUMNS; j++) {
#if LANES == 16
		q[j] = (QUAD(0) + QUAD(1)) + (QUAD(2) + QUAD(3));
#elif LANES == 8
		q[j] = QUAD(0) + QUAD(1);
#else
		q[j] = x[j];
#endif
	}
#undef QUAD
	quad s = __builtin_shufflevector(q[0], q[1], 0, 1, 4, 5) + __builtin_shufflevector(q[0], q[1], 2, 3, 6, 7);
	quad t = __builtin_shufflevector(q[2], q[3], 0, 1, 4, 5) + __builtin_shufflevector(q[2], q[3], 2, 3, 6, 7);
	*sum = __builtin_shufflevector(s, t, 0, 2, 4, 6) + __builtin_shufflevector(s, t, 1, 3, 5, 7);
}

/* C = A · Bᵀ for rows ROW ... ROW + ROWS - 1 and COUNT <= COLUMNS columns from COLUMN on; k >= LANES.  HALF: by p->half. */
TARGET HP_INLINE void dot(const product *p, int rows, int row, int column, int count, bool half)
{
	const ptrdiff_t size = half ? sizeof *p->half : sizeof *p->b;
	const char *start = half ? (const char *)p->half : (const char *)p->b, *b[COLUMNS];
	const float *a = p->a + row * p->lda;
	float *c = p->c + row * p->ldc + column;
	lanes sum[6][COLUMNS] = {0}, v[COLUMNS] = {0};
	quad out;
	int i = 0;
#pragma GCC unroll 4
	for (int j = 0; j < COLUMNS; j++) /* a column that is not there is computed from the last one, and left out */
		b[j] = start + (column + (j < count ? j : count - 1)) * p->ldb * size;
	for (; i + LANES <= p->k; i += LANES) {
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++, b[j - 1] += LANES * size)
			v[j] = load(b[j], half);
		dot_lanes(rows, a + i, p->lda, v, NULL, sum);
	}
	if (i < p->k) { /* the last LANES once more, without those that have been */
		mask rest = {0};
#pragma GCC unroll 16
		for (int l = 0; l < LANES; l++)
			rest[l] = l >= i + LANES - p->k ? -1 : 0;
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++)
			v[j] = load(b[j] - (i + LANES - p->k) * size, half);
		dot_lanes(rows, a + p->k - LANES, p->lda, v, &rest, sum);
	}
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++) {
		quad old = {0};
		add_up(sum[r], &out);
		if (p->add) {
			memcpy(&old, c + r * p->ldc, (size_t)count * sizeof(float));
			out += old;
		}
		memcpy(c + r * p->ldc, &out, (size_t)count * sizeof(float));
	}
}

TARGET HP_INLINE void dot_tile(const product *p, int rows, int row, int column, int count)
{
	dot(p, rows, row, column, count, false);
}

TARGET HP_INLINE void half_tile(const product *p, int rows, int row, int column, int count)
{
	dot(p, rows, row, column, count, true);
}

/* C = A · B for rows ROW ... ROW + ROWS - 1 and COUNT vectors of columns from COLUMN on. */
TARGET HP_INLINE void plain_tile(const product *p, int rows, int row, int column, int count)
{
	const float *a = p->a + row * p->lda, *b = p->b + column;
	lanes sum[6][COLUMNS] = {0};
	for (int i = 0; i < p->k; i++, a++, b += p->ldb) {
		lanes v[COLUMNS] = {0};
#pragma GCC unroll 4
		for (int j = 0; j < count; j++)
			memcpy(&v[j], b + j * LANES, sizeof v[j]);
#pragma GCC unroll 6
		for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
			for (int j = 0; j < count; j++)
				sum[r][j] += a[r * p->lda] * v[j];
	}
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
		for (int j = 0; j < count; j++) {
			float *c = p->c + (row + r) * p->ldc + column + j * LANES;
			lanes old = {0};
			if (p->add)
				memcpy(&old, c, sizeof old);
			old += sum[r][j];
			memcpy(c, &old, sizeof old);
		}
}

#define TILES(kind, rows, row, column, count) \
	switch (rows) { \
	case 6: \
		kind(p, 6, row, column, count); \
		break; \
	case 5: \
		kind(p, 5, row, column, count); \
		break; \
	case 4: \
		kind(p, 4, row, column, count); \
		break; \
	case 3: \
		kind(p, 3, row, column, count); \
		break; \
	case 2: \
		kind(p, 2, row, column, count); \
		break; \
	default: \
		kind(p, 1, row, column, count); \
		break; \
	}

/* Rows FROM ... END - 1 by columns LEFT ... RIGHT - 1. */
TARGET static void JOIN(block_, KIND)(const product *p, int from, int end, int left, int right)
{
	for (int j = left, width; j < right; j += width) {
		int count = p->plain ? (right - j) / LANES : right - j, rows;
		count = count < COLUMNS ? count : COLUMNS;
		if (p->plain && count < COLUMNS)
			count = 1;
		width = p->plain ? count * LANES : count;
		for (int r = from; r < end; r += rows) {
			int tiles = (end - r + ROWS - 1) / ROWS;
			rows = (end - r + tiles - 1) / tiles; /* of much the same height */
			if (p->plain && count == 1) {
				TILES(plain_tile, rows, r, j, 1)
			} else if (p->plain) {
				TILES(plain_tile, rows, r, j, COLUMNS)
			} else if (p->half && count == COLUMNS) {
				TILES(half_tile, rows, r, j, COLUMNS)
			} else if (p->half) {
				rows = 1;
				half_tile(p, 1, r, j, count);
			} else if (p->k >= LANES && count == COLUMNS) {
				TILES(dot_tile, rows, r, j, COLUMNS)
			} else {
				rows = 1;
				if (p->k >= LANES)
					dot_tile(p, 1, r, j, count);
				else
					narrow(p, r, j, count);
			}
		}
	}
}

#undef LANES
#undef ROWS
#undef KIND
#undef TARGET
#undef WIDEN
#undef JOIN2
#undef JOIN
#undef TILES
#undef lanes
#undef mask
#undef add_up
#undef dot_lanes
#undef load
#undef dot
#undef dot_tile
#undef half_tile
#undef plain_tile
