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
#define fold JOIN(fold_, KIND)
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

#if LANES == 16
/* Each of a row's vectors folded to four lanes: those of all columns side by side. */
TARGET HP_INLINE lanes fold(const lanes x[COLUMNS])
{
#define EVEN(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD(x, y) __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
	lanes a = EVEN(x[0], x[1]) + ODD(x[0], x[1]), b = EVEN(x[2], x[3]) + ODD(x[2], x[3]);
	return EVEN(a, b) + ODD(a, b);
#undef EVEN
#undef ODD
}

/* The sums of the vectors' lanes, of up to four rows at once. */
TARGET HP_INLINE void add_up(int rows, const lanes x[][COLUMNS], quad sum[])
{
	lanes f[4] = {0};
#pragma GCC unroll 4
	for (int r = 0; r < rows; r++)
		f[r] = fold(x[r]);
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HIGH(x, y) __builtin_shufflevector(x, y, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
	lanes a = LOW(f[0], f[1]) + HIGH(f[0], f[1]), b = LOW(f[2], f[3]) + HIGH(f[2], f[3]);
#undef LOW
#undef HIGH
	lanes all = __builtin_shufflevector(a, b, 0, 4, 8, 12, 2, 6, 10, 14, 16, 20, 24, 28, 18, 22, 26, 30) +
	            __builtin_shufflevector(a, b, 1, 5, 9, 13, 3, 7, 11, 15, 17, 21, 25, 29, 19, 23, 27, 31);
#pragma GCC unroll 4
	for (int r = 0; r < rows; r++)
		memcpy(&sum[r], (const char *)&all + r * (int)sizeof sum[r], sizeof sum[r]);
}
#else
TARGET HP_INLINE void add_up(int rows, const lanes x[][COLUMNS], quad sum[])
{
#define QUAD(i) __builtin_shufflevector(x[r][j], x[r][j], 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#pragma GCC unroll 4
	for (int r = 0; r < rows; r++) {
		quad q[COLUMNS] = {0};
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++)
#if LANES == 8
			q[j] = QUAD(0) + QUAD(1);
#else
			q[j] = x[r][j];
#endif
		quad s = __builtin_shufflevector(q[0], q[1], 0, 1, 4, 5) + __builtin_shufflevector(q[0], q[1], 2, 3, 6, 7);
		quad t = __builtin_shufflevector(q[2], q[3], 0, 1, 4, 5) + __builtin_shufflevector(q[2], q[3], 2, 3, 6, 7);
		sum[r] = __builtin_shufflevector(s, t, 0, 2, 4, 6) + __builtin_shufflevector(s, t, 1, 3, 5, 7);
	}
#undef QUAD
}
#endif

/* C = A · Bᵀ for rows ROW ... ROW + ROWS - 1 and COUNT <= COLUMNS columns from COLUMN on; k >= LANES.  HALF: by p->half. */
TARGET HP_INLINE void dot(const product *p, int rows, int row, int column, int count, bool half)
{
	const ptrdiff_t size = half ? sizeof *p->half : sizeof *p->b;
	const char *start = half ? (const char *)p->half : (const char *)p->b, *b[COLUMNS];
	const float *a = p->a + row * p->lda;
	float *c = p->c + row * p->ldc + column;
	lanes sum[6][COLUMNS] = {0}, v[COLUMNS] = {0};
	quad out[6] = {0};
	ptrdiff_t ahead = p->near ? 0 : COLUMNS * p->ldb * size; /* the next columns will be in the cache */
	int i = 0;
#pragma GCC unroll 4
	for (int j = 0; j < COLUMNS; j++) /* a column that is not there is computed from the last one, and left out */
		b[j] = start + (column + (j < count ? j : count - 1)) * p->ldb * size;
	for (; i + LANES <= p->k; i += LANES) {
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++, b[j - 1] += LANES * size) {
			v[j] = load(b[j], half);
			__builtin_prefetch(b[j] + ahead, 0, 2);
		}
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
	add_up(rows < 4 ? rows : 4, sum, out);
	if (rows > 4)
		add_up(rows - 4, sum + 4, out + 4);
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++) {
		quad old = {0};
		if (p->add) {
			memcpy(&old, c + r * p->ldc, (size_t)count * sizeof(float));
			out[r] += old;
		}
		memcpy(c + r * p->ldc, &out[r], (size_t)count * sizeof(float));
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
#undef fold
#undef dot_lanes
#undef load
#undef dot
#undef dot_tile
#undef half_tile
#undef plain_tile
