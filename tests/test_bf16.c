/* Products of BF16 numbers by each kernel that this processor has, against sums in double precision of numbers that are
 * rounded here, in another way. */
#include <math.h>

#include "base/rng.h"
#include "nn/bf16.h"
#include "nn/bf16_kernels.h"
#include "nn/processor.h"
#include "unit.h"

enum { MOST = 560, GAP = 3, SIZE = MOST * (MOST + GAP) };
static float a[SIZE], c[SIZE], alone[SIZE];
static hp_rng rng;

HOOK(before)
{
	hp_rng_seed(&rng, 7, 0);
}

typedef struct size {
	const char *name;
	int m, n, k; /* C [m × n], sums of k */
	int at_n, at_k; /* where the matrix begins within a larger one: weights only */
} size;

static void fill(float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = hp_rng_normal(&rng);
}

static void fill_whole(float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = (float)(int)(hp_rng_uniform(&rng) * 15) - 7;
}

/* To 8 significant bits, ties to even. */
static double rounded(float x)
{
	int exponent;
	double fraction = frexp((double)x, &exponent);
	return ldexp(rint(ldexp(fraction, 8)), exponent - 8);
}

static hp_matrix with_gaps(const float *data, int rows, int columns)
{
	return hp_some_columns(hp_matrix_of(data, rows, columns + GAP), 0, columns);
}

/* Weights of OUT × IN, with copies and a gradient. */
static hp_params weights(int out, int in, void (*values)(float *, size_t))
{
	hp_params p = {0};
	hp_error err;
	assert_int_equal(hp_params_declare(&p, &err, "w", 2, out, in), 0);
	assert_int_equal(hp_params_declare(&p, &err, "embed.word", 2, 10, 10), 0);
	assert_int_equal(hp_params_declare(&p, &err, "b", 1, 10), 0);
	assert_int_equal(hp_params_alloc(&p, true, &err), 0);
	for (int i = 0; i < 2; i++) { /* again after values were changed */
		values(p.item[0].value, p.item[0].count);
		assert_int_equal(hp_params_copy_bf16(NULL, &p, &err), 0);
	}
	assert_null(p.item[1].bf16);
	assert_null(p.item[2].bf16);
	return p;
}

static double element(const hp_product *p, int i, int j)
{
	double sum = 0;
	for (int l = 0; l < hp_product_depth(p); l++)
		sum += rounded(p->ta ? hp_row(p->a, l)[i] : hp_row(p->a, i)[l]) *
		       rounded(p->tb ? hp_row(p->b, j)[l] : hp_row(p->b, l)[j]);
	return sum;
}

/* P's C, which holds 0.5, as KERNEL makes it; a row alone is the same. */
static void check(const hp_product *p, hp_bf16_kernel *kernel, double tolerance)
{
	hp_product one = *p;
	int last = p->c.rows - 1, stride = p->c.stride;
	for (int i = 0; i < p->c.rows * stride; i++)
		p->c.data[i] = 0.5f;
	for (int i = 0; i < stride; i++)
		alone[i] = 0.5f;
	assert_true(hp_bf16_product(p, kernel));
	for (int i = 0; i < p->c.rows; i++) {
		for (int j = 0; j < p->c.cols; j++)
			assert_true(fabs(element(p, i, j) + (p->add ? 0.5 : 0) - (double)hp_row(p->c, i)[j]) <= tolerance);
		for (int j = p->c.cols; j < stride; j++)
			assert_true(hp_row(p->c, i)[j] == 0.5f);
	}
	one.a = p->ta ? hp_some_columns(p->a, last, 1) : hp_some_rows(p->a, last, 1);
	one.c = hp_some_columns(hp_matrix_of(alone, 1, stride), 0, p->c.cols);
	one.c.bf16 = p->c.bf16;
	assert_true(hp_bf16_product(&one, kernel));
	assert_memory_equal(alone, hp_row(p->c, last), (size_t)p->c.cols * sizeof *alone);
}

static void check_size(const size *s, hp_bf16_kernel *kernel, void (*values)(float *, size_t), double tolerance)
{
	for (int way = 0; way < 4; way++) {
		bool tb = way & 1, add = way & 2;
		int out = tb ? s->n : s->k, in = tb ? s->k : s->n, at_out = tb ? s->at_n : s->at_k,
			at_in = tb ? s->at_k : s->at_n;
		hp_params w = weights(at_out + out + 1, at_in + in + 2, values);
		values(a, SIZE);
		check(&(hp_product){.c = with_gaps(c, s->m, s->n),
		                    .a = with_gaps(a, s->m, s->k),
		                    .b = hp_some_columns(hp_some_rows(hp_param_values(w.item), at_out, out), at_in, in),
		                    .tb = tb,
		                    .add = add},
		      kernel, tolerance);
		hp_params_free(&w);
	}
	for (int add = 0; add < 2; add++) { /* a gradient; what lies between K's rows stays */
		hp_params w = weights(s->m, s->n + GAP, values);
		static float b[SIZE];
		values(a, SIZE);
		values(b, SIZE);
		check(&(hp_product){.c = hp_some_columns(hp_param_grads(w.item), 0, s->n),
		                    .a = with_gaps(a, s->k, s->m),
		                    .b = with_gaps(b, s->k, s->n),
		                    .ta = true,
		                    .add = add},
		      kernel, tolerance);
		hp_params_free(&w);
	}
}

static void check_kernels(const size *s)
{
	bool any = false;
#ifdef HP_BF16_KERNELS
	hp_bf16_kernel *const kernels[] = {hp_processor_has(HP_AVX512_BF16) ? hp_bf16_dot : NULL,
	                                   hp_processor_has(HP_AMX_BF16) ? hp_bf16_amx : NULL};
	for (int i = 0; i < 2; i++) {
		any = any || kernels[i];
		if (kernels[i]) {
			check_size(s, kernels[i], fill, 1e-4 * (1 + sqrt(s->k)));
			check_size(s, kernels[i], fill_whole, 0);
		}
	}
#endif
	if (!any) {
		print_message("this processor has no products of BF16 numbers\n");
		skip();
	}
}

static const size sizes[] = {
	{"one number", 1, 1, 1, 0, 0},
	{"one sum of many", 1, 1, 71, 0, 0},
	{"one row", 1, 37, 33, 0, 0},
	{"one column", 37, 1, 31, 0, 0},
	{"odd k", 5, 20, 7, 0, 0},
	{"whole tiles", 32, 64, 64, 0, 0},
	{"part of a tile everywhere", 45, 50, 70, 0, 0},
	{"three bands", 48, 48, 32, 0, 0},
	{"columns from within a tile on", 20, 50, 64, 7, 0},
	{"few columns from within a tile on", 20, 5, 64, 7, 0},
	{"columns from the third tile on", 20, 50, 64, 40, 0},
	{"k from within a tile on", 20, 50, 64, 0, 21},
	{"k from within the second tile on", 20, 50, 5, 3, 60},
	{"more rows than are packed at a time", 270, 40, 50, 0, 0},
	{"more columns than are packed at a time", 40, 270, 50, 0, 0},
	{"a larger k than is packed at a time", 40, 40, 550, 5, 9},
};
CASES(sizes, check_kernels)

/* Products that no weights take part in are not for us. */
TEST(others)
{
	hp_product p = {.c = hp_matrix_of(c, 2, 2), .a = hp_matrix_of(a, 2, 2), .b = hp_matrix_of(a, 2, 2)};
	assert_false(hp_gemm_bf16(&p));
	p.ta = true;
	assert_false(hp_gemm_bf16(&p));
}

/* The same bytes for every team, for large products and several at once, as they are split. */
TEST(teams)
{
	enum { M = 300, N = 520, K = 130 };
	static float first[2 * M * N], b[M * N];
	hp_params w = weights(N, K, fill);
	if (!w.item[0].bf16) {
		print_message("this processor has no products of BF16 numbers\n");
		hp_params_free(&w);
		skip();
	}
	fill(a, SIZE);
	fill(b, M * N);
	for (int threads = 1; threads <= 5; threads += threads) {
		hp_pool *pool = hp_pool_new(threads == 4 ? 5 : threads);
		hp_product two[] = {
			{.c = hp_matrix_of(c, M, N), .a = hp_matrix_of(a, M, K), .b = hp_param_values(w.item), .tb = true},
			{.c = hp_param_grads(w.item), .a = hp_matrix_of(b, M, N), .b = hp_matrix_of(a, M, K), .ta = true}};
		assert_non_null(pool);
		hp_gemm_group(pool, 2, two);
		if (threads == 1) {
			memcpy(first, c, M * N * sizeof *c);
			memcpy(first + M * N, w.item[0].grad, N * K * sizeof *c);
		}
		assert_memory_equal(first, c, M * N * sizeof *c);
		assert_memory_equal(first + M * N, w.item[0].grad, N * K * sizeof *c);
		hp_pool_destroy(pool);
	}
	hp_params_free(&w);
}

/* Infinity and what is no number stay what they are, in their row. */
TEST(not_finite)
{
	hp_params w = weights(20, 40, fill);
	if (!w.item[0].bf16) {
		hp_params_free(&w);
		skip();
	}
	fill(a, 3 * 40);
	a[40 + 7] = NAN;
	a[80 + 7] = INFINITY;
	hp_product p = {.c = hp_matrix_of(c, 3, 20), .a = hp_matrix_of(a, 3, 40), .b = hp_param_values(w.item), .tb = true};
	assert_true(hp_gemm_bf16(&p));
	for (int j = 0; j < 20; j++) {
		assert_true(isfinite(c[j]));
		assert_true(isnan(c[20 + j]));
		assert_false(isfinite(c[40 + j]));
	}
	hp_params_free(&w);
}
