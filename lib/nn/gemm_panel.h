/* gemm_panel.h: the inner loops of gemm_packed.c, included there once for each kind of processor, with
 *
 *	LANES	floats of a vector register: 4, 8 or 16
 *	ROWS	rows of a tile, 6 at most,
 *	VECTORS	and vectors of its columns: ROWS × VECTORS vectors of sums have to stay in registers
 *	KIND	ends the names of what is made: multiply_KIND, copy_KIND and turn_KIND
 *	TARGET	its functions' attribute */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define lanes JOIN(panel_lanes_, KIND)
#define tile JOIN(panel_tile_, KIND)
#define square JOIN(turn_square_, KIND)

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* ROWS rows of C and VECTORS vectors of columns from C and PANEL on: A · PANEL, or += */
TARGET HP_INLINE void tile(const strip *s, int rows, const float *a, const float *panel, float *c)
{
	lanes sum[6][VECTORS] = {0};
	ptrdiff_t next = s->next, below = s->below, ldc = s->ldc;
	bool add = s->add;
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++) /* it will be here when the sums are */
#pragma GCC unroll 4
		for (int j = 0; j < VECTORS * LANES; j += 16)
			__builtin_prefetch(c + r * ldc + j, 1);
	const float *ahead = s->ahead;
	for (int i = 0; i < s->depth; i++, a += next, panel += WIDTH, ahead += LINE) {
		lanes b[VECTORS] = {0};
		__builtin_prefetch(ahead, 0, 2);
#pragma GCC unroll 4
		for (int j = 0; j < VECTORS; j++)
			memcpy(&b[j], panel + j * LANES, sizeof b[j]);
#pragma GCC unroll 6
		for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
			for (int j = 0; j < VECTORS; j++)
				sum[r][j] += a[r * below] * b[j];
	}
#pragma GCC unroll 6
	for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
		for (int j = 0; j < VECTORS; j++) {
			float *to = c + r * ldc + j * LANES;
			lanes old = {0};
			if (add)
				memcpy(&old, to, sizeof old);
			old += sum[r][j];
			memcpy(to, &old, sizeof old);
		}
}

TARGET static void JOIN(multiply_, KIND)(const strip *s)
{
	for (int column = 0; column < WIDTH; column += VECTORS * LANES)
		for (int row = 0, rows; row < s->rows; row += rows) {
			const float *a = s->a + row * s->below;
			float *c = s->c + row * s->ldc + column;
			rows = s->rows - row < ROWS ? s->rows - row : ROWS;
			switch (rows) {
#if ROWS == 6
			case 6:
				tile(s, 6, a, s->panel + column, c);
				break;
			case 5:
				tile(s, 5, a, s->panel + column, c);
				break;
#endif
			case 4:
				tile(s, 4, a, s->panel + column, c);
				break;
			case 3:
				tile(s, 3, a, s->panel + column, c);
				break;
			case 2:
				tile(s, 2, a, s->panel + column, c);
				break;
			default:
				tile(s, 1, a, s->panel + column, c);
				break;
			}
		}
}

/* PANEL [b.rows × WIDTH] = B */
TARGET static void JOIN(copy_, KIND)(hp_matrix b, float *panel)
{
	for (int i = 0; i < b.rows; i++, panel += WIDTH) {
		const float *from = hp_row(b, i);
		ask_for(b, i + SOON);
		if (b.cols == WIDTH)
			memcpy(panel, from, WIDTH * sizeof *panel);
		else
			memcpy(panel, from, (size_t)b.cols * sizeof *panel);
	}
}

#if LANES == 16
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif LANES == 8
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif

/* LANES rows of B to as many columns of a panel: the first half of the rows is shuffled with the second like cards, until
 * all are back in order, but turned. */
TARGET HP_INLINE void square(const float *b, ptrdiff_t ldb, float *panel)
{
	lanes x[LANES] = {0}, y[LANES] = {0};
#pragma GCC unroll 16
	for (int i = 0; i < LANES; i++)
		memcpy(&x[i], b + i * ldb, sizeof x[i]);
#pragma GCC unroll 4
	for (int cards = LANES; cards > 1; cards /= 2) {
#pragma GCC unroll 8
		for (int i = 0; i < LANES / 2; i++) {
			y[2 * i] = LOW(x[i], x[i + LANES / 2]);
			y[2 * i + 1] = HIGH(x[i], x[i + LANES / 2]);
		}
#pragma GCC unroll 16
		for (int i = 0; i < LANES; i++)
			x[i] = y[i];
	}
#pragma GCC unroll 16
	for (int i = 0; i < LANES; i++)
		memcpy(panel + i * WIDTH, &x[i], sizeof x[i]);
}

/* PANEL [b.cols × WIDTH] = Bᵀ */
TARGET static void JOIN(turn_, KIND)(hp_matrix b, float *panel)
{
	int rows = b.rows / LANES * LANES, columns = b.cols / LANES * LANES;
	for (int i = 0; i < columns; i += LANES)
		for (int r = 0; r < rows; r += LANES)
			square(hp_row(b, r) + i, b.stride, panel + i * WIDTH + r);
	for (int r = 0; r < b.rows; r++)
		for (int i = r < rows ? columns : 0; i < b.cols; i++)
			panel[i * WIDTH + r] = hp_row(b, r)[i];
}

#undef LANES
#undef ROWS
#undef VECTORS
#undef KIND
#undef TARGET
#undef JOIN2
#undef JOIN
#undef LOW
#undef HIGH
#undef lanes
#undef tile
#undef square
