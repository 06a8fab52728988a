/* Products with rounded matrices: against rounding and summing done here, in another way; each processor's kernel against
 * sums made one by one. */
#include <math.h>

#include "hp.h"
#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/int8_kernels.h"
#include "unit.h"
#include "products.h"

static void round_all(hp_params *p)
{
	hp_error err;
	assert_int_equal(hp_params_round(p, &err), 0);
}

/* What X is rounded to, as numbers.  TIE: a step where it lies half-way between two as far as single precision can tell. */
static void near(const float *x, int k, int levels, double *out, double *tie)
{
	double most = 0;
	for (int i = 0; i < k; i++)
		most = fmax(most, fabs((double)x[i]));
	double scale = most / levels;
	for (int i = 0; i < k; i++) {
		double exact = (double)x[i] / scale;
		tie[i] = fabs(fabs(exact - trunc(exact)) - 0.5) < 1e-4 ? scale : 0;
		out[i] = rint(exact) * scale;
	}
}

/* M rows of K numbers as they are rounded, and behind them their ties. */
static double *near_rows(int m, int k, const float *x, int levels)
{
	size_t all = (size_t)m * (size_t)k;
	double *out = malloc(2 * all * sizeof *out);
	for (int i = 0; i < m; i++)
		near(x + i * k, k, levels, out + i * k, out + all + i * k);
	return out;
}

static void check(int m, int n, int k)
{
	hp_params p = make(n, k);
	float *a = malloc((size_t)(m * k) * sizeof *a), *c = malloc((size_t)(m * n) * sizeof *c);
	fill(p.item[0].value, (size_t)(n * k), 0.1f);
	fill(a, (size_t)(m * k), 3.0f);
	round_all(&p);
	hp_param_product(NULL, hp_matrix_of(a, m, k), &p.item[0], hp_matrix_of(c, m, n));
	double *near_a = near_rows(m, k, a, 127), *near_w = near_rows(n, k, p.item[0].value, 63);
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0, slack = 0;
			for (int l = 0; l < k; l++) {
				double x = near_a[i * k + l], y = near_w[j * k + l];
				sum += x * y;
				slack += 1e-6 * fabs(x * y) + fabs(x) * near_w[n * k + j * k + l] + fabs(y) * near_a[m * k + i * k + l];
			}
			if (!(fabs(sum - (double)c[i * n + j]) <= slack + 1e-6))
				fail_msg("%d × %d × %d: %d, %d is %g, expected %g", m, n, k, i, j, (double)c[i * n + j], sum);
		}
	free(near_a);
	free(near_w);
	free(a);
	free(c);
	hp_params_free(&p);
}

TEST(products)
{
	const int m[] = {1, 2, 5, 6, 7, 13, 48, 49, 100}, n[] = {1, 15, 16, 17, 64, 100}, k[] = {1, 3, 4, 33, 64, 300};
	for (size_t i = 0; i < sizeof m / sizeof *m; i++)
		for (size_t j = 0; j < sizeof n / sizeof *n; j++)
			for (size_t l = 0; l < sizeof k / sizeof *k; l++)
				check(m[i], n[j], k[l]);
	check(3, 1100, 40); /* several tasks */
}

/* Whole numbers that are rounded to themselves: the sum is exact, at the largest that there can be. */
TEST(extremes)
{
	enum { N = 20, K = LARGEST };
	hp_params p = make(N, K);
	float *a = malloc(2 * K * sizeof *a), c[2 * N];
	for (int i = 0; i < K; i++) {
		a[i] = 127;
		a[K + i] = i % 2 ? -127 : 127;
	}
	for (int j = 0; j < N; j++)
		for (int i = 0; i < K; i++)
			p.item[0].value[j * K + i] = j % 2 ? -63.0f : 63.0f;
	round_all(&p);
	hp_param_product(NULL, hp_matrix_of(a, 2, K), &p.item[0], hp_matrix_of(c, 2, N));
	for (int j = 0; j < N; j++) {
		assert_float_equal(c[j], (j % 2 ? -1.0f : 1.0f) * 63 * 127 * K, 0);
		assert_float_equal(c[N + j], 0, 0);
	}
	free(a);
	hp_params_free(&p);
}

TEST(which_are_rounded)
{
	hp_params p = make(40, 50), wide = make(2, LARGEST + 1);
	round_all(&p);
	round_all(&p); /* again */
	round_all(&wide);
	assert_non_null(p.item[0].int8);
	assert_null(p.item[1].int8);
	assert_null(p.item[2].int8);
	assert_null(wide.item[0].int8);
	/* Without a copy it is the product of floats. */
	static float a[3 * (LARGEST + 1)];
	float c[3 * 2], expected[3 * 2];
	fill(a, sizeof a / sizeof *a, 1);
	fill(wide.item[0].value, wide.item[0].count, 1);
	hp_matrix rows = hp_matrix_of(a, 3, LARGEST + 1);
	hp_param_product(NULL, rows, &wide.item[0], hp_matrix_of(c, 3, 2));
	hp_gemm_rows(NULL, rows, hp_param_values(&wide.item[0]), hp_matrix_of(expected, 3, 2));
	assert_memory_equal(c, expected, sizeof c);
	hp_params_free(&p);
	hp_params_free(&wide);
}

TEST(rows_are_independent)
{
	check_rows(101, round_all);
}

TEST(several_matrices)
{
	check_several(round_all, false);
}

TEST(odd_numbers)
{
	enum { N = 16, K = 40 };
	hp_params p = make(N, K);
	float a[5 * K] = {0}, c[5 * N];
	fill(p.item[0].value, N * K, 1);
	fill(a + K, 4 * K, 1);
	for (int i = 0; i < K; i++)
		a[4 * K + i] = 1e-40f; /* denormal: as good as zero */
	a[K + 3] = NAN;
	a[2 * K + K - 1] = INFINITY;
	a[3 * K] = -INFINITY;
	round_all(&p);
	hp_param_product(NULL, hp_matrix_of(a, 5, K), &p.item[0], hp_matrix_of(c, 5, N));
	for (int j = 0; j < N; j++) {
		assert_float_equal(c[j], 0, 0);
		for (int r = 1; r < 4; r++)
			assert_true(isnan(c[r * N + j]));
		assert_float_equal(c[4 * N + j], 0, 0);
	}
	hp_params_free(&p);
}

/* The sums, one by one. */
static void plain(const hp_int8_rows *t, int from, int end)
{
	for (int r = 0; r < t->count; r++)
		for (int j = from * PANEL; j < end * PANEL && j < t->w->n; j++) {
			const uint8_t *w = t->w->weight + (size_t)(j / PANEL * t->w->quads * BYTES + j % PANEL * QUAD);
			int64_t sum = 0;
			for (int i = 0; i < t->w->k; i++)
				sum += (w[i / QUAD * BYTES + i % QUAD] - OFFSET) * t->q[r * t->stride + i];
			hp_row(t->c, r)[j] = (float)sum * (t->scale[r] * t->w->scale[j]);
		}
}

#ifdef HP_INT8_KERNELS
enum { ROWS = 50, K = 77, STRIDE = 2 * TILE_BYTES };

/* All rows and panels of W, and some of them; bit for bit. */
static void check_kernel(hp_int8_kernel *kernel, const hp_int8 *w)
{
	static int8_t q[ROWS * STRIDE] __attribute__((aligned(BYTES)));
	static float c[ROWS * 200], expected[ROWS * 200];
	int32_t sum[ROWS] = {0};
	float scale[ROWS];
	for (int r = 0; r < ROWS; r++) {
		scale[r] = 0.01f * (float)(r + 1);
		for (int i = 0; i < K; i++)
			sum[r] += q[r * STRIDE + i] = (int8_t)(127 - (int)(hp_rng_uniform(&rng) * 255));
	}
	hp_int8_rows t = {.w = w, .stride = STRIDE, .q = q, .sum = sum, .scale = scale};
	for (t.count = 1; t.count <= ROWS; t.count++)
		for (int from = 0; from < 3; from++) {
			int end = t.count % 2 ? w->panels : w->panels - 1;
			memset(c, 0, sizeof c);
			memset(expected, 0, sizeof expected);
			t.c = hp_matrix_of(expected, t.count, w->n);
			plain(&t, from, end);
			t.c = hp_matrix_of(c, t.count, w->n);
			kernel(&t, from, end);
			assert_memory_equal(c, expected, sizeof c);
		}
}
#endif

/* The kernels that this processor has. */
TEST(kernels)
{
#ifdef HP_INT8_KERNELS
	for (int n = 150; n <= 170; n += 20) { /* a the last of an even or odd number of panels is not full */
		hp_params p = make(n, K);
		fill(p.item[0].value, (size_t)(n * K), 1);
		round_all(&p);
		check_kernel(hp_int8_best_kernel(), p.item[0].int8);
		check_kernel(hp_int8_avx2, p.item[0].int8);
		if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw"))
			check_kernel(hp_int8_vnni, p.item[0].int8);
		hp_params_free(&p);
	}
#endif
}

/* hp_set_int8: other numbers than those of floats, and not far from them; a second call changes nothing. */
TEST(one_call_interface)
{
	const char *forms[] = {"She", "gave", "her", "brother", "a", "book", "."};
	hp_parser *parser;
	const hp_tree *tree;
	hp_error err;
	float score[3];
	assert_int_equal(hp_open("en-dep", &parser, &err), 0);
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			assert_int_equal(hp_set_int8(parser, &err), 0);
		assert_int_equal(hp_parse(parser, 7, forms, NULL, &tree, &err), 0);
		score[i] = tree->score;
	}
	assert_true(score[1] != score[0] && fabsf(score[1] - score[0]) < 1);
	assert_memory_equal(&score[2], &score[1], sizeof score[1]);
	hp_close(parser);
}

HOOK(begin)
{
	if (!hp_int8_best_kernel()) {
		puts("1..0 # SKIP nothing is rounded on this processor");
		exit(0);
	}
	hp_rng_seed(&rng, 1, 0);
}
