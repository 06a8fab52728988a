/* Parsing: results do not depend on neighbours or threads, to the last bit; every output is a tree with one root; a wider
 * beam never scores less than it should; one training step is the same for any number of threads. */
#include <math.h>

#include "networks.h"
#include "random.h"
#include "nn/charcnn.h"
#include "nn/gemm.h"
#include "unit.h"

/* A of M rows times W of N, each element against its sum in double precision. */
static void check_product(int m, int n, int k, const float *a, const float *w, const float *c)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0, size = 0;
			for (int l = 0; l < k; l++) {
				double x = (double)a[i * k + l] * (double)w[j * k + l];
				sum += x;
				size += fabs(x);
			}
			if (!(fabs(sum - (double)c[i * n + j]) <= 1e-6 * size + 1e-30))
				fail_msg("row %d, column %d of a product of depth %d is %g, expected %g", i, j, k, (double)c[i * n + j],
				         sum);
		}
}

/* Rows of hp_gemm_rows are right, and the same whatever m is and wherever they stand; a NaN stays in its row. */
TEST(rows)
{
	static const int sizes[][2] = {{2048, 512}, {1600, 400}, {512, 512}, {400, 256}, {100, 300}, {1040, 96},
	                               {50, 128},   {6, 5},      {40, 10},   {1, 7},     {7, 15},    {9, 16},
	                               {2, 17},     {515, 31},   {3, 1},     {5, 33}};
	enum { MOST = 160 };
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		int n = sizes[s][0], k = sizes[s][1];
		float *a = malloc((size_t)MOST * (size_t)k * sizeof *a), *w = malloc((size_t)n * (size_t)k * sizeof *w);
		float *one = malloc((size_t)MOST * (size_t)n * sizeof *one), *c = malloc((size_t)MOST * (size_t)n * sizeof *c);
		fill(a, (size_t)MOST * (size_t)k, 1);
		fill(w, (size_t)n * (size_t)k, 1);
		hp_gemm_rows(NULL, hp_matrix_of(a, MOST, k), hp_matrix_of(w, n, k), hp_matrix_of(one, MOST, n));
		check_product(MOST, n, k, a, w, one);
		static const int counts[] = {1, 2, 3, 4, 5, 6, 7, 16, 17, 33, 48, 64, 100, 129};
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			int from = (int)hp_rng_below(&rng, (uint64_t)(MOST - counts[i] + 1));
			hp_gemm_rows(NULL, hp_matrix_of(a + (size_t)from * (size_t)k, counts[i], k), hp_matrix_of(w, n, k),
			             hp_matrix_of(c, counts[i], n));
			if (memcmp(c, one + (size_t)from * (size_t)n, (size_t)counts[i] * (size_t)n * sizeof *c))
				fail_msg("%d rows from %d on of a product with %d columns and depth %d differ", counts[i], from, n, k);
		}
		a[2 * k - 1] = NAN; /* row 1 */
		hp_gemm_rows(NULL, hp_matrix_of(a, 7, k), hp_matrix_of(w, n, k), hp_matrix_of(c, 7, n));
		for (int j = 0; j < n; j++)
			assert_true(isnan(c[n + j]));
		memcpy(c + n, one + n, (size_t)n * sizeof *c);
		assert_memory_equal(c, one, (size_t)7 * (size_t)n * sizeof *c);
		free(a);
		free(w);
		free(one);
		free(c);
	}
}

/* Matrices of halves give the same rows as the floats that they stand for, with any number of threads. */
TEST(rows_of_halves)
{
	static const int sizes[][2] = {{1600, 400}, {515, 31}, {50, 128}, {6, 5},
	                               {1, 7},      {9, 16},   {3, 1},    {5, HP_HALF_DEPTH}};
	enum { MOST = 97 };
	hp_pool *pool = hp_pool_new(3);
	assert_non_null(pool);
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		int n = sizes[s][0], k = sizes[s][1];
		size_t weights = (size_t)n * (size_t)k, results = (size_t)MOST * (size_t)n;
		uint16_t *half = malloc(weights * sizeof *half);
		float *a = malloc((size_t)MOST * (size_t)k * sizeof *a), *w = malloc(weights * sizeof *w);
		float *expected = malloc(results * sizeof *expected), *c = malloc(results * sizeof *c);
		fill(a, (size_t)MOST * (size_t)k, 1);
		fill(w, weights, 1);
		for (size_t i = 0; i < weights; i++) {
			half[i] = hp_float_to_half(w[i]);
			w[i] = hp_half_to_float(half[i]);
		}
		for (int m = 1; m <= MOST; m += 24) {
			hp_gemm_rows(NULL, hp_matrix_of(a, m, k), hp_matrix_of(w, n, k), hp_matrix_of(expected, m, n));
			hp_gemm_half(pool, hp_matrix_of(a, m, k), half, hp_matrix_of(c, m, n));
			assert_memory_equal(c, expected, (size_t)m * (size_t)n * sizeof *c);
		}
		free(half);
		free(a);
		free(w);
		free(expected);
		free(c);
	}
	hp_pool_destroy(pool);
}

/* Products of all kinds, few rows and many, against sums in double precision. */
static void check_products(void)
{
	static const int sizes[][3] = {{37, 70, 45}, {37, 80, 45}, {1, 16, 3}, {6, 176, 33},
	                               {64, 64, 20}, {65, 64, 20}, {3, 5, 0}};
	enum { MOST = 80 * 180 };
	static float a[MOST], at[MOST], b[MOST], bt[MOST], c[MOST];
	for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
		int M = sizes[size][0], N = sizes[size][1], K = sizes[size][2];
		fill(a, (size_t)(M * K), 1);
		fill(b, (size_t)(N * K), 1);
		for (int i = 0; i < M; i++)
			for (int k = 0; k < K; k++)
				at[k * M + i] = a[i * K + k];
		for (int k = 0; k < K; k++)
			for (int j = 0; j < N; j++)
				bt[j * K + k] = b[k * N + j];
		for (int way = 0; way < 8; way++) {
			bool ta = way & 1, tb = way & 2, add = way & 4;
			for (int i = 0; i < M * N; i++)
				c[i] = add ? 1 : NAN; /* what was there does not matter if nothing is added to it */
			hp_gemm(NULL, (hp_product){.c = hp_matrix_of(c, M, N),
			                           .a = ta ? hp_matrix_of(at, K, M) : hp_matrix_of(a, M, K),
			                           .b = tb ? hp_matrix_of(bt, N, K) : hp_matrix_of(b, K, N),
			                           .ta = ta,
			                           .tb = tb,
			                           .add = add});
			for (int i = 0; i < M; i++)
				for (int j = 0; j < N; j++) {
					double sum = add;
					for (int k = 0; k < K; k++)
						sum += (double)a[i * K + k] * (double)b[k * N + j];
					assert_true(fabs(sum - (double)c[i * N + j]) < 1e-4);
				}
		}
	}
}

/* The table for parsing: characters few and many, columns that fill no vector, windows. */
TEST(charcnn_table)
{
	static const hp_charcnn sizes[] = {{.chars = 5, .dim = 4, .window = 3, .filters = 7},
	                                   {.chars = 64, .dim = 3, .window = 1, .filters = 16},
	                                   {.chars = 71, .dim = 9, .window = 3, .filters = 50},
	                                   {.chars = 130, .dim = 1, .window = 2, .filters = 1},
	                                   {.chars = 65, .dim = 33, .window = 1, .filters = 64}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		hp_charcnn c = sizes[i];
		int chars = c.chars, dim = c.dim, window = c.window, filters = c.filters;
		float *embed = malloc((size_t)(chars * dim) * sizeof *embed),
			  *w = malloc((size_t)(filters * window * dim) * sizeof *w);
		float *table = malloc((size_t)(chars * window * filters) * sizeof *table);
		fill(embed, (size_t)(chars * dim), 1);
		fill(w, (size_t)(filters * window * dim), 1);
		c.embed = embed;
		c.w = w;
		assert_int_equal(hp_charcnn_table_rows(NULL, &c, table), 0);
		for (int j = 0; j < chars * window * filters; j++) {
			int a = j / filters / window, k = j / filters % window, f = j % filters;
			double sum = 0;
			for (int d = 0; d < dim; d++)
				sum += (double)embed[a * dim + d] * (double)w[(f * window + k) * dim + d];
			assert_true(fabs(sum - (double)table[j]) < 1e-5);
		}
		free(embed);
		free(w);
		free(table);
	}
}

static hp_matrix with_gaps(const float *data, int rows, int columns, int gap)
{
	return hp_some_columns(hp_matrix_of(data, rows, columns + gap), 0, columns);
}

/* Panels and blocks that are full and that are not, in matrices with gaps; a row does not depend on the others. */
TEST(packed_products)
{
	static const int sizes[][3] = {{241, 64, 257}, {121, 330, 513}, {300, 65, 256}, {7, 3, 5}, {64, 128, 1}};
	enum { MOST = 520 * 520, GAP = 3 };
	static float a[MOST], b[MOST], c[MOST], row[MOST];
	for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
		for (int way = 0; way < 8; way++) {
			bool ta = way & 1, tb = way & 2, add = way & 4;
			int m = sizes[size][0], n = sizes[size][1], k = sizes[size][2];
			hp_product p = {.ta = ta, .tb = tb, .add = add};
			p.a = with_gaps(a, ta ? k : m, ta ? m : k, GAP);
			p.b = with_gaps(b, tb ? n : k, tb ? k : n, GAP);
			p.c = with_gaps(c, m, n, GAP);
			fill(a, MOST, 1);
			fill(b, MOST, 1);
			for (int i = 0; i < MOST; i++)
				c[i] = row[i] = 0.5f;
			hp_gemm_packed(&p);
			for (int i = 0; i < m; i++) {
				for (int j = 0; j < n; j++) {
					double sum = add ? 0.5 : 0;
					for (int l = 0; l < k; l++)
						sum += (double)(ta ? hp_row(p.a, l)[i] : hp_row(p.a, i)[l]) *
						       (double)(tb ? hp_row(p.b, j)[l] : hp_row(p.b, l)[j]);
					assert_true(fabs(sum - (double)hp_row(p.c, i)[j]) < 1e-4);
				}
				for (int j = n; j < n + GAP; j++) /* what is not C's stays */
					assert_true(hp_row(p.c, i)[j] == 0.5f);
			}
			int last = m - 1;
			hp_product one = p;
			one.a = ta ? hp_some_columns(p.a, last, 1) : hp_some_rows(p.a, last, 1);
			one.c = hp_matrix_of(row, 1, n);
			hp_gemm_packed(&one);
			assert_memory_equal(row, hp_row(p.c, last), (size_t)n * sizeof *row);
		}
}

/* Copies that hp_gemm_pack_floats makes serve parts of a matrix; not one bit differs. */
TEST(copied_weights)
{
	enum { ROWS = 192, COLUMNS = 330, M = 50 };
	static const struct {
		int row, rows, column, columns;
	} parts[] = {
		{0, ROWS, 0, COLUMNS}, {64, 70, 0, COLUMNS}, {0, ROWS, 64, 266}, {128, 64, 20, 300}, {70, 100, 70, 100}};
	static float a[M * COLUMNS], values[ROWS * COLUMNS], c[M * COLUMNS], expected[M * COLUMNS];
	hp_arena *arena = hp_arena_new();
	hp_pool *pool = hp_pool_new(2);
	fill(a, M * COLUMNS, 1);
	fill(values, ROWS * COLUMNS, 1);
	for (int turned = 0; turned < 2; turned++) {
		hp_matrix w = hp_gemm_pack_floats(pool, arena, hp_matrix_of(values, ROWS, COLUMNS), turned);
		assert_non_null(w.panels);
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			for (int m = 1; m <= M; m += 7) {
				hp_product p = {.tb = turned};
				p.b = hp_some_rows(hp_some_columns(w, parts[i].column, parts[i].columns), parts[i].row, parts[i].rows);
				p.a = hp_matrix_of(a, m, turned ? p.b.cols : p.b.rows);
				p.c = hp_matrix_of(c, m, turned ? p.b.rows : p.b.cols);
				if (i < 3 || (i == 3 && turned))
					assert_true(hp_gemm_is_packed(&p));
				hp_gemm_packed(&p);
				p.b.panels = NULL;
				p.c = hp_matrix_of(expected, m, p.c.cols);
				hp_gemm_packed(&p);
				assert_memory_equal(c, expected, (size_t)m * (size_t)p.c.cols * sizeof *c);
			}
	}
	hp_pool_destroy(pool);
	hp_arena_destroy(arena);
}

TEST(products)
{
	hp_error err;
	check_products(); /* without OpenBLAS */
	assert_int_equal(hp_gemm_open(1, &err), 0);
	check_products();
	assert_int_equal(hp_gemm_open(3, &err), 0); /* for more threads */
	check_products();
}

/* ---- a random network and sentences ---- */

enum { SENTENCES = 9, LONGEST = 40 };

typedef struct world {
	hp_dep_net *net;
	hp_arena *arena;
	hp_dep_sent sents[SENTENCES];
	int n[SENTENCES], at[SENTENCES + 1];
	int32_t store[SENTENCES][6][LONGEST];
	size_t D, H2, Q;
} world;

static void random_tree(int n, int32_t *heads)
{
	int order[LONGEST];
	for (int i = 1; i < n; i++) {
		int j = 1 + (int)hp_rng_below(&rng, (uint64_t)i);
		order[i] = order[j];
		order[j] = i;
	}
	heads[0] = 0;
	for (int i = 1; i < n; i++)
		heads[order[i]] = i == 1 ? 0 : order[1 + hp_rng_below(&rng, (uint64_t)(i - 1))];
}

static void make_world(world *w, hp_fusion fusion, hp_gate gate)
{
	static const int lengths[SENTENCES] = {5, 2, 17, 3, 33, 40, 9, 17, 2};
	hp_dep_config config = {.embedding = {30, 10, 12, 6, 10, 3, 7, 5, 1},
	                        .hidden = 24,
	                        .layers = 2,
	                        .decoder_hidden = 20,
	                        .decoder_input = 18,
	                        .arc_mlp = 22,
	                        .label_mlp = 9,
	                        .labels = 5,
	                        .fusion = fusion,
	                        .gate = gate,
	                        .heads = gate != HP_GATE_NONE};
	hp_error err;
	memset(w, 0, sizeof *w);
	w->arena = hp_arena_new();
	assert_int_equal(hp_dep_net_new(&config, true, &w->net, &err), 0);
	hp_params *p = hp_dep_params(w->net);
	for (int i = 0; i < p->count; i++)
		fill(p->item[i].value, p->item[i].count, 0.5f);
	assert_int_equal(hp_dep_prepare(w->net, HP_STAGE_ALL, &err), 0);
	for (int s = 0; s < SENTENCES; s++) {
		int n = w->n[s] = lengths[s];
		w->at[s + 1] = w->at[s] + n;
		for (int i = 0; i < n; i++) {
			w->store[s][0][i] = i ? (int32_t)hp_rng_below(&rng, 30) : 0;
			w->store[s][1][i] = i ? (int32_t)hp_rng_below(&rng, 7) : 0;
			w->store[s][2][i] = i ? (int32_t)hp_rng_below(&rng, 12) : 0;
			w->store[s][3][i] = 1;
			w->store[s][5][i] = (int32_t)hp_rng_below(&rng, 5);
		}
		random_tree(n, w->store[s][4]);
		w->sents[s] = (hp_dep_sent){
			n,     w->store[s][0], NULL, w->store[s][1], w->store[s][2], w->store[s][3], w->store[s][4], w->store[s][5],
			{NULL}};
	}
	w->D = (size_t)hp_dep_input_dim(&config);
	w->H2 = 2 * (size_t)config.hidden;
	w->Q = (size_t)config.decoder_hidden;
}

static void free_world(world *w)
{
	hp_dep_net_destroy(w->net);
	hp_arena_destroy(w->arena);
}

enum { ROWS_MOST = SENTENCES * LONGEST };
typedef struct parsed {
	float x[ROWS_MOST * 25], h[ROWS_MOST * 48], init[SENTENCES * 40], d[ROWS_MOST * 20], logp[ROWS_MOST],
		score[SENTENCES];
	float label_logp[ROWS_MOST];
	int32_t heads[ROWS_MOST], labels[ROWS_MOST];
} parsed;

/* Sentences from ... from + count - 1 in one batch, into the rows where the whole batch has them. */
static void parse(world *w, hp_pool *pool, int from, int count, int beam, parsed *out)
{
	hp_error err;
	size_t at = (size_t)w->at[from];
	const int *n = w->n + from;
	float *x = out->x + at * w->D, *h = out->h + at * w->H2, *init = out->init + (size_t)from * 2 * w->Q;
	float *d = out->d + at * w->Q;
	assert_int_equal(hp_dep_embed(w->net, pool, w->arena, count, w->sents + from, NULL, x, &err), 0);
	assert_int_equal(hp_dep_encode(w->net, pool, w->arena, count, n, x, h, init, &err), 0);
	assert_int_equal(hp_dep_decode(w->net, pool, w->arena, count, n, h, init, beam, out->heads + at, d, out->logp + at,
	                               out->score + from, &err),
	                 0);
	assert_int_equal(hp_dep_label(w->net, pool, w->arena, count, n, h, d, out->heads + at, (hp_dep_labels){2, -1, NULL},
	                              out->labels + at, out->label_logp + at, &err),
	                 0);
}

static const struct {
	hp_fusion fusion;
	hp_gate gate;
} variants[] = {{HP_FUSION_T, HP_GATE_NONE},
                {HP_FUSION_P, HP_GATE_GATE},
                {HP_FUSION_PS, HP_GATE_NONE},
                {HP_FUSION_PST, HP_GATE_GATE},
                {HP_FUSION_PST, HP_GATE_SGATE}};
enum { VARIANTS = sizeof variants / sizeof *variants };

TEST(neighbours)
{
	static const int beams[] = {1, 3, 10};
	parsed *all = calloc(1, sizeof *all), *one = calloc(1, sizeof *one);
	hp_pool *pool = hp_pool_new(3);
	for (int v = 0; v < VARIANTS; v++) {
		world w;
		make_world(&w, variants[v].fusion, variants[v].gate);
		for (int b = 0; b < 3; b++) {
			memset(all, 0, sizeof *all);
			memset(one, 0, sizeof *one);
			parse(&w, pool, 0, SENTENCES, beams[b], all);
			for (int s = 0; s < SENTENCES; s++)
				parse(&w, NULL, s, 1, beams[b], one);
			assert_memory_equal(all, one, sizeof *all);
			memset(one, 0, sizeof *one);
			for (int s = 0; s < SENTENCES; s += 4)
				parse(&w, NULL, s, s + 4 < SENTENCES ? 4 : SENTENCES - s, beams[b], one);
			assert_memory_equal(all, one, sizeof *all);
		}
		free_world(&w);
	}
	hp_pool_destroy(pool);
	free(all);
	free(one);
}

static void check_tree(const world *w, int s, const int32_t *heads, const int32_t *labels)
{
	int n = w->n[s], roots = 0;
	for (int i = 1; i < n; i++) {
		assert_in_range(heads[i], 0, n - 1);
		int at = i, climbed = 0;
		while (at && climbed++ <= n)
			at = heads[at];
		assert_int_equal(at, 0); /* no cycle */
		roots += heads[i] == 0;
		assert_int_equal(labels[i] == 2, heads[i] == 0); /* label 2 is the root's child's and no other's */
	}
	assert_int_equal(roots, 1);
}

TEST(trees)
{
	parsed *out = calloc(1, sizeof *out);
	for (int v = 0; v < VARIANTS; v++)
		for (int trial = 0; trial < 3; trial++) {
			world w;
			make_world(&w, variants[v].fusion, variants[v].gate);
			for (int beam = 1; beam <= 5; beam += 2) {
				parse(&w, NULL, 0, SENTENCES, beam, out);
				for (int s = 0; s < SENTENCES; s++) {
					check_tree(&w, s, out->heads + w.at[s], out->labels + w.at[s]);
					assert_true(isfinite(out->score[s]) && out->score[s] <= 1e-4f);
					double arcs = 0;
					for (int i = 1; i < w.n[s]; i++)
						arcs += (double)out->logp[w.at[s] + i];
					assert_true(arcs >= (double)out->score[s] - 1e-3); /* pops are counted as well */
				}
				/* who does not want the score gets the same tree, sooner */
				int32_t heads[ROWS_MOST];
				hp_error err;
				assert_int_equal(hp_dep_decode(w.net, NULL, w.arena, SENTENCES, w.n, out->h, out->init, beam, heads,
				                               NULL, NULL, NULL, &err),
				                 0);
				assert_memory_equal(heads, out->heads, (size_t)w.at[SENTENCES] * sizeof *heads);
			}
			free_world(&w);
		}
	free(out);
}

/* With a beam as wide as all derivations of a sentence of two words the best one is found. */
TEST(wide_beam)
{
	world w;
	parsed *out = calloc(1, sizeof *out), *wide = calloc(1, sizeof *wide);
	make_world(&w, HP_FUSION_PST, HP_GATE_GATE);
	parse(&w, NULL, 0, SENTENCES, 1, out);
	parse(&w, NULL, 0, SENTENCES, 500, wide);
	for (int s = 0; s < SENTENCES; s++)
		if (w.n[s] <= 3)
			assert_true(wide->score[s] >= out->score[s] - 1e-5f);
	free_world(&w);
	free(out);
	free(wide);
}

TEST(threads)
{
	for (int v = 0; v < VARIANTS; v++) {
		world w;
		hp_error err;
		make_world(&w, variants[v].fusion, variants[v].gate);
		hp_params *p = hp_dep_params(w.net);
		hp_dep_dropout dropout = {0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 5, 6};
		float *grads = malloc(p->total * sizeof *grads);
		for (int threads = 1; threads <= 4; threads++) {
			hp_pool *pool = hp_pool_new(threads);
			hp_dep_loss loss;
			memset(p->grads, 0, p->total * sizeof *grads);
			assert_int_equal(hp_dep_train(w.net, pool, w.arena, SENTENCES, w.sents, NULL, &dropout, 1.0f, &loss, &err),
			                 0);
			if (threads == 1)
				memcpy(grads, p->grads, p->total * sizeof *grads);
			assert_memory_equal(grads, p->grads, p->total * sizeof *grads);
			hp_pool_destroy(pool);
		}
		free(grads);
		free_world(&w);
	}
}

HOOK(before)
{
	hp_rng_seed(&rng, 2, 2);
}
