/* Products with matrices in digits: against sums in double precision, as near as those of floats; to the last bit the same
 * for any rows, threads and type of the matrix.  Where the processor has no tiles they are products of floats. */
#include <math.h>

#include "nn/digits.h"
#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/processor.h"
#include "unit.h"
#include "products.h"

static void split(hp_params *p)
{
	hp_error err;
	assert_int_equal(hp_params_split(p, &err), 0);
}

static double largest(const float *x, int k)
{
	double most = 0;
	for (int i = 0; i < k; i++)
		most = fmax(most, fabs((double)x[i]));
	return most;
}

static void check(int m, int n, int k)
{
	hp_params p = make(n, k);
	float *a = malloc((size_t)(m * k) * sizeof *a), *c = malloc((size_t)(m * n) * sizeof *c);
	const float *w = p.item[0].value;
	fill(a, (size_t)(m * k), 3.0f);
	split(&p);
	hp_param_product(NULL, hp_matrix_of(a, m, k), &p.item[0], hp_matrix_of(c, m, n));
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0, most = largest(a + i * k, k) * largest(w + j * k, k);
			for (int l = 0; l < k; l++)
				sum += (double)a[i * k + l] * (double)w[j * k + l];
			/* Roundings by chance, of the size of a last bit of the largest product. */
			if (!(fabs(sum - (double)c[i * n + j]) <= 4e-7 * most * sqrt((double)k) + 2e-7 * fabs(sum)))
				fail_msg("%d × %d × %d: %d, %d is %.9g, expected %.9g", m, n, k, i, j, (double)c[i * n + j], sum);
		}
	free(a);
	free(c);
	hp_params_free(&p);
}

TEST(products)
{
	const int m[] = {1, 2, 15, 16, 17, 33, 130}, n[] = {1, 15, 16, 17, 64, 100}, k[] = {1, 3, 63, 64, 65, 300};
	for (size_t i = 0; i < sizeof m / sizeof *m; i++)
		for (size_t j = 0; j < sizeof n / sizeof *n; j++)
			for (size_t l = 0; l < sizeof k / sizeof *k; l++)
				check(m[i], n[j], k[l]);
	check(20, 40, HP_DIGITS_DEPTH);
}

/* The largest numbers that there can be: no sum of digits overflows. */
TEST(extremes)
{
	enum { N = 20, K = HP_DIGITS_DEPTH };
	hp_params p = make(N, K);
	float *a = malloc(2 * K * sizeof *a), c[2 * N];
	for (int i = 0; i < K; i++) {
		a[i] = 1e9f;
		a[K + i] = i % 2 ? -1e9f : 1e9f;
	}
	for (int j = 0; j < N; j++)
		for (int i = 0; i < K; i++)
			p.item[0].value[j * K + i] = j % 2 ? -1e9f : 1e9f;
	split(&p);
	hp_param_product(NULL, hp_matrix_of(a, 2, K), &p.item[0], hp_matrix_of(c, 2, N));
	for (int j = 0; j < N; j++) {
		assert_float_equal(c[j] / 1e18f, (j % 2 ? -1.0f : 1.0f) * K,
		                   1e-5 * K); /* without AMX sums of floats are rounded */
		assert_float_equal(c[N + j] / 1e18f, 0, 1e-3);
	}
	free(a);
	hp_params_free(&p);
}

/* Small numbers beside a large one keep as many places behind the point as that has. */
TEST(small_beside_large)
{
	enum { K = 100 };
	hp_params p = make(1, K);
	float a[K] = {0}, c = 0, *w = p.item[0].value;
	double sum = 0;
	fill(a, K, 1e-3f);
	fill(w, K, 1e-3f);
	a[0] = 1, w[0] = 0;
	a[1] = 0, w[1] = 1;
	for (int i = 0; i < K; i++)
		sum += (double)a[i] * (double)w[i];
	split(&p);
	hp_param_product(NULL, hp_matrix_of(a, 1, K), &p.item[0], hp_matrix_of(&c, 1, 1));
	assert_float_equal(c, sum, 2e-7);
	hp_params_free(&p);
}

TEST(which_are_split)
{
	hp_params p = make(40, 50), wide = make(2, HP_DIGITS_DEPTH + 1);
	split(&p);
	split(&p); /* again */
	split(&wide);
	assert_int_equal(p.item[0].digits != NULL, hp_processor_has(HP_AMX_INT8));
	assert_null(p.item[1].digits);
	assert_null(p.item[2].digits);
	assert_null(wide.item[0].digits);
	hp_params_unsplit(&p);
	float a[3 * 50], c[3 * 40], expected[3 * 40];
	fill(a, 3 * 50, 1);
	hp_param_product(NULL, hp_matrix_of(a, 3, 50), &p.item[0], hp_matrix_of(c, 3, 40));
	hp_gemm_rows(NULL, hp_matrix_of(a, 3, 50), hp_param_values(&p.item[0]), hp_matrix_of(expected, 3, 40));
	assert_memory_equal(c, expected, sizeof c);
	hp_params_free(&p);
	hp_params_free(&wide);
}

/* Values that were changed since; and rounded matrices in place of digits. */
TEST(changed)
{
	enum { M = 3, N = 40, K = 50 };
	hp_params p = make(N, K), new = make(N, K);
	hp_error err;
	float a[M * K], c[M * N], expected[M * N];
	fill(a, M * K, 1);
	split(&p);
	memcpy(p.item[0].value, new.item[0].value, sizeof(float) * N * K);
	split(&p);
	split(&new);
	hp_param_product(NULL, hp_matrix_of(a, M, K), &p.item[0], hp_matrix_of(c, M, N));
	hp_param_product(NULL, hp_matrix_of(a, M, K), &new.item[0], hp_matrix_of(expected, M, N));
	assert_memory_equal(c, expected, sizeof c);
	assert_int_equal(hp_params_round(&p, &err), 0);
	hp_params_unsplit(&new);
	assert_int_equal(hp_params_round(&new, &err), 0);
	hp_param_product(NULL, hp_matrix_of(a, M, K), &p.item[0], hp_matrix_of(c, M, N));
	hp_param_product(NULL, hp_matrix_of(a, M, K), &new.item[0], hp_matrix_of(expected, M, N));
	assert_memory_equal(c, expected, sizeof c);
	hp_params_free(&p);
	hp_params_free(&new);
}

TEST(rows_are_independent)
{
	check_rows(301, split);
}

TEST(several_matrices)
{
	check_several(split, false);
	check_several(split, true); /* one of floats among them */
}

/* A matrix of halves, and of the floats that they stand for. */
TEST(halves)
{
	enum { M = 5, N = 37, K = 101 };
	hp_params p = make(N, K);
	uint16_t half[N * K];
	float a[M * K], c[M * N], expected[M * N];
	fill(a, M * K, 1);
	for (int i = 0; i < N * K; i++) {
		half[i] = hp_float_to_half(p.item[0].value[i]);
		p.item[0].value[i] = hp_half_to_float(half[i]);
	}
	split(&p);
	hp_param_product(NULL, hp_matrix_of(a, M, K), &p.item[0], hp_matrix_of(expected, M, N));
	p.item[0].half = half;
	p.item[0].value = NULL;
	split(&p);
	hp_param_product(NULL, hp_matrix_of(a, M, K), &p.item[0], hp_matrix_of(c, M, N));
	assert_memory_equal(c, expected, sizeof c);
	hp_params_free(&p);
}

TEST(odd_numbers)
{
	enum { N = 16, K = 40 };
	hp_params p = make(N, K);
	float a[5 * K] = {0}, c[5 * N];
	fill(a + K, 4 * K, 1);
	for (int i = 0; i < K; i++)
		a[4 * K + i] = 1e-40f; /* denormal: as good as zero */
	a[K + 3] = NAN;
	a[2 * K + K - 1] = INFINITY;
	a[3 * K] = -INFINITY;
	split(&p);
	hp_param_product(NULL, hp_matrix_of(a, 5, K), &p.item[0], hp_matrix_of(c, 5, N));
	for (int j = 0; j < N; j++) {
		assert_float_equal(c[j], 0, 0);
		for (int r = 1; r < 4; r++)
			assert_false(isfinite(c[r * N + j]));
		assert_float_equal(c[4 * N + j], 0, 1e-38);
	}
	hp_params_free(&p);
}

HOOK(begin)
{
	hp_rng_seed(&rng, 1, 0);
}

/* A part of W [ROWS × COLUMNS], and whether its products can be made in digits: TURNED or not. */
typedef struct part {
	int row, rows, column, columns;
	bool turned, plain;
} part;

enum { ROWS = 192, COLUMNS = 330, MOST = 140 };
static float big_a[MOST * COLUMNS], big_w[ROWS * COLUMNS], big_c[MOST * COLUMNS], one[COLUMNS];

static void check_part(hp_matrix w, const part *of, bool turned, int m, bool add)
{
	hp_product p = {.tb = turned, .add = add};
	p.b = hp_some_rows(hp_some_columns(w, of->column, of->columns), of->row, of->rows);
	int n = turned ? of->rows : of->columns, k = turned ? of->columns : of->rows;
	p.a = hp_matrix_of(big_a, m, k);
	p.c = hp_matrix_of(big_c, m, n);
	for (int i = 0; i < m * n; i++)
		big_c[i] = 100;
	bool possible = hp_processor_has(HP_AMX_INT8) && w.panels && (turned ? of->turned : of->plain);
	assert_true(hp_gemm_split(&p) == possible);
	if (!possible)
		return;
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = add ? 100 : 0;
			for (int l = 0; l < k; l++)
				sum += (double)big_a[i * k + l] * (double)(turned ? hp_row(p.b, j)[l] : hp_row(p.b, l)[j]);
			assert_float_equal(big_c[i * n + j], sum, 5e-5);
		}
	p.a = hp_some_rows(p.a, m - 1, 1); /* a row alone: the same to the last bit */
	p.c = hp_matrix_of(one, 1, n);
	for (int j = 0; j < n; j++)
		one[j] = 100;
	assert_true(hp_gemm_split(&p));
	assert_memory_equal(one, big_c + (m - 1) * n, (size_t)n * sizeof *one);
}

TEST(copies_for_a_batch)
{
	/* Not without some of the inputs, nor from or to the middle of a panel of 16 outputs. */
	static const part parts[] = {{0, ROWS, 0, COLUMNS, true, true},   {64, 64, 0, COLUMNS, true, false},
	                             {0, ROWS, 64, 266, false, true},     {16, 176, 0, COLUMNS, true, false},
	                             {70, 100, 0, COLUMNS, false, false}, {64, 70, 0, COLUMNS, false, false},
	                             {0, ROWS, 16, 300, false, false},    {128, 64, 64, 266, false, false}};
	hp_arena *arena = hp_arena_new();
	hp_pool *pool = hp_pool_new(2);
	fill(big_a, MOST * COLUMNS, 1);
	fill(big_w, ROWS * COLUMNS, 1);
	for (int turned = 0; turned < 2; turned++) {
		hp_matrix w = hp_gemm_pack(pool, arena, hp_matrix_of(big_w, ROWS, COLUMNS), turned);
		assert_true(!hp_gemm_wide() || w.panels);
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			for (int m = 1; m <= MOST; m += 23)
				check_part(w, &parts[i], turned, m, m % 2);
	}
	hp_pool_destroy(pool);
	hp_arena_destroy(arena);
}
