/* products.h: what tests of products for parsing share, whatever is done to the matrices before (rounded, split ...); behind
 * unit.h. */
#ifndef PRODUCTS_H
#define PRODUCTS_H
#include "nn/int8.h"
#include "random.h"

typedef void prepare_fn(hp_params *p);

/* A random parameter of N × K; others beside it. */
static inline hp_params make(int n, int k)
{
	hp_params p = {0};
	hp_error err;
	assert_int_equal(hp_params_declare(&p, &err, "w", 2, n, k), 0);
	assert_int_equal(hp_params_declare(&p, &err, "b", 1, 100), 0);
	assert_int_equal(hp_params_declare(&p, &err, "embed.word", 2, 100, 100), 0);
	assert_int_equal(hp_params_alloc(&p, false, &err), 0);
	fill(p.item[0].value, p.item[0].count, 0.1f);
	return p;
}

/* Each of M rows of a large product, made on several threads, and of a product of its own. */
static inline void check_rows(int m, prepare_fn *prepare)
{
	enum { N = 700, K = 130, LDA = 140, LDC = 710 };
	hp_params p = make(N, K);
	float *a = malloc((size_t)m * LDA * sizeof *a), *c = malloc((size_t)m * LDC * sizeof *c), row[N];
	hp_pool *pool = hp_pool_new(3);
	fill(a, (size_t)m * LDA, 1);
	prepare(&p);
	hp_param_product(pool, hp_some_columns(hp_matrix_of(a, m, LDA), 0, K), &p.item[0],
	                 hp_some_columns(hp_matrix_of(c, m, LDC), 0, N));
	for (int i = 0; i < m; i++) {
		hp_param_product(NULL, hp_matrix_of(a + i * LDA, 1, K), &p.item[0], hp_matrix_of(row, 1, N));
		assert_memory_equal(row, c + i * LDC, sizeof row);
	}
	hp_pool_destroy(pool);
	free(a);
	free(c);
	hp_params_free(&p);
}

/* Several matrices at once, of other widths, on one thread and on more: as one by one.  With BARE one of them was not
 * prepared. */
static inline void check_several(prepare_fn *prepare, bool bare)
{
	enum { M = 70, K = 130, MOST = 300 };
	const int widths[] = {300, 17, 128}, threads[] = {1, 3, 7};
	hp_params p[3];
	const hp_param *w[3];
	hp_matrix c[3];
	float *a = malloc(M * K * sizeof *a), *expected = malloc(M * MOST * sizeof *expected);
	fill(a, M * K, 1);
	for (int i = 0; i < 3; i++) {
		p[i] = make(widths[i], K);
		if (!bare || i != 1)
			prepare(&p[i]);
		w[i] = &p[i].item[0];
		c[i] = hp_matrix_of(malloc((size_t)(M * widths[i]) * sizeof(float)), M, widths[i]);
	}
	for (int t = 0; t < 3; t++) {
		hp_pool *pool = hp_pool_new(threads[t]);
		hp_param_products(pool, hp_matrix_of(a, M, K), 3, w, c);
		for (int i = 0; i < 3; i++) {
			hp_param_product(NULL, hp_matrix_of(a, M, K), w[i], hp_matrix_of(expected, M, widths[i]));
			assert_memory_equal(c[i].data, expected, (size_t)(M * widths[i]) * sizeof(float));
			memset(c[i].data, 0, (size_t)(M * widths[i]) * sizeof(float));
		}
		hp_pool_destroy(pool);
	}
	for (int i = 0; i < 3; i++) {
		free(c[i].data);
		hp_params_free(&p[i]);
	}
	free(a);
	free(expected);
}

#endif
