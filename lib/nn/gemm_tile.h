/* gemm_tile.h: the inner loops of gemm_rows.c, included there once for each kind of processor, with
 *
 *	LANES	floats of a vector register: 4, 8 or 16
 *	ROWS	rows of a tile, 6 at most: ROWS × COLUMNS vectors of sums have to stay in registers
 *	KIND	ends the names of what is made: block_KIND
 *	TARGET	its functions' attribute */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define lanes JOIN(lanes_, KIND)
#define mask JOIN(mask_, KIND)
#define add_lanes JOIN(add_lanes_, KIND)
#define add_up JOIN(add_up_, KIND)
#define tile JOIN(tile_, KIND)

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t mask __attribute__((vector_size(LANES * sizeof(int32_t))));

/* acc += x · w of LANES values, those x where KEEP (NULL: everywhere) is 0 counting as 0. */
TARGET HP_INLINE void add_lanes(
        int rows, const float *a, ptrdiff_t lda, const float *const w[COLUMNS], const mask *keep, lanes acc[][COLUMNS])
{
	lanes v[COLUMNS] = {0};
#pragma GCC unroll 4
	for (int j = 0; j < COLUMNS; j++)
		memcpy(&v[j], w[j], sizeof v[j]);
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++) {
		lanes x;
		memcpy(&x, a + r * lda, sizeof x);
		if (keep)
			x = (lanes)((mask)x & *keep);
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++)
			acc[r][j] += x * v[j];
	}
}

/* The sums of the vectors' lanes. */
TARGET HP_INLINE void add_up(const lanes acc[COLUMNS], quad *sum)
{
	quad q[COLUMNS] = {0};
#define QUAD(i) __builtin_shufflevector(acc[j], acc[j], 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3)
#pragma GCC unroll 4
	for (int j = 0; j < COLUMNS; j++) {
#if LANES == 16
		q[j] = (QUAD(0) + QUAD(1)) + (QUAD(2) + QUAD(3));
#elif LANES == 8
		q[j] = QUAD(0) + QUAD(1);
#else
		q[j] = acc[j];
#endif
	}
#undef QUAD
	quad s = __builtin_shufflevector(q[0], q[1], 0, 1, 4, 5) + __builtin_shufflevector(q[0], q[1], 2, 3, 6, 7);
	quad t = __builtin_shufflevector(q[2], q[3], 0, 1, 4, 5) + __builtin_shufflevector(q[2], q[3], 2, 3, 6, 7);
	*sum = __builtin_shufflevector(s, t, 0, 2, 4, 6) + __builtin_shufflevector(s, t, 1, 3, 5, 7);
}

/* NOW rows of the first COUNT of COLUMNS columns; k >= LANES. */
TARGET HP_INLINE void tile(int now, int k, const float *a, ptrdiff_t lda, const float *const w[COLUMNS], int count,
        float *c, ptrdiff_t ldc)
{
	lanes acc[6][COLUMNS] = {0};
	const float *column[COLUMNS] = {w[0], w[1], w[2], w[3]};
	int i = 0;
	for (; i + LANES <= k; i += LANES) {
		add_lanes(now, a + i, lda, column, NULL, acc);
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++)
			column[j] += LANES;
	}
	if (i < k) { /* the last LANES once more, without those that have been */
		mask rest = {0};
#pragma GCC unroll 16
		for (int l = 0; l < LANES; l++)
			rest[l] = l >= i + LANES - k ? -1 : 0;
#pragma GCC unroll 4
		for (int j = 0; j < COLUMNS; j++)
			column[j] -= i + LANES - k;
		add_lanes(now, a + k - LANES, lda, column, &rest, acc);
	}
#pragma GCC unroll 6
	for (int r = 0; r < now; r++) {
		quad sum;
		add_up(acc[r], &sum);
		memcpy(c + r * ldc, &sum, (size_t)count * sizeof(float));
	}
}

/* Rows FROM ... END - 1 by columns LEFT ... RIGHT - 1. */
TARGET static void JOIN(block_, KIND)(const product *p, int from, int end, int left, int right)
{
	for (int j = left; j < right; j += COLUMNS) {
		int count = right - j < COLUMNS ? right - j : COLUMNS, now;
		const float *w[COLUMNS];
		for (int l = 0; l < COLUMNS; l++) /* what is not there is computed from the last one, and left out */
			w[l] = p->w + (ptrdiff_t)(j + (l < count ? l : count - 1)) * p->ldw;
		for (int r = from; r < end; r += now) {
			const float *a = p->a + (ptrdiff_t)r * p->lda;
			float *c = p->c + (ptrdiff_t)r * p->ldc + j;
			int rest = end - r, tiles = (rest + ROWS - 1) / ROWS;
			now = p->k < LANES || count < COLUMNS
			              ? 1
			              : (rest + tiles - 1) / tiles; /* of much the same height */
			if (p->k < LANES)
				narrow_row(p->k, a, w, count, c);
			else if (count < COLUMNS)
				tile(1, p->k, a, p->lda, w, count, c, p->ldc);
			else if (ROWS >= 6 && now == 6)
				tile(6, p->k, a, p->lda, w, COLUMNS, c, p->ldc);
			else if (ROWS >= 5 && now == 5)
				tile(5, p->k, a, p->lda, w, COLUMNS, c, p->ldc);
			else if (ROWS >= 4 && now == 4)
				tile(4, p->k, a, p->lda, w, COLUMNS, c, p->ldc);
			else if (ROWS >= 3 && now == 3)
				tile(3, p->k, a, p->lda, w, COLUMNS, c, p->ldc);
			else if (ROWS >= 2 && now == 2)
				tile(2, p->k, a, p->lda, w, COLUMNS, c, p->ldc);
			else
				tile(1, p->k, a, p->lda, w, COLUMNS, c, p->ldc);
		}
	}
}

#undef LANES
#undef ROWS
#undef KIND
#undef TARGET
#undef JOIN2
#undef JOIN
#undef lanes
#undef mask
#undef add_lanes
#undef add_up
#undef tile
