/* Discourse parsing: results do not depend on neighbours or threads, to the last bit; every output is a tree; a beam as
 * wide as all trees finds the best one; one training step is the same for any number of threads. */
#include <math.h>
#include <unistd.h>

#include "networks.h"
#include "random.h"
#include "nn/gemm.h"
#include "unit.h"

enum { SENTENCES = 11, LONGEST = 17, WORDS_MOST = SENTENCES * LONGEST * 4, LABELS = 7 };
static const int edus_of[SENTENCES] = {5, 1, 2, 9, 17, 1, 3, 2, 12, 4, 7};

typedef struct world {
	hp_rst_net *net;
	hp_arena *arena;
	hp_rst_sent sents[SENTENCES];
	int word_at[SENTENCES + 1], split_at[SENTENCES + 1];
	int32_t sent_end[SENTENCES][LONGEST], paragraph[SENTENCES][LONGEST], ends[SENTENCES][LONGEST],
		splits[SENTENCES][3 * LONGEST], labels[SENTENCES][LONGEST];
	float *x;
	size_t D, H, L;
} world;

/* A random tree over EDUs i ... j, depth-first; returns the place after its last split. */
static int32_t *random_splits(int i, int j, int32_t *to)
{
	if (i == j)
		return to;
	int mid = i + (int)hp_rng_below(&rng, (uint64_t)(j - i));
	to[0] = i;
	to[1] = mid;
	to[2] = j;
	to = random_splits(i, mid, to + 3);
	return random_splits(mid + 1, j, to);
}

static void make_sentence(world *w, int s)
{
	int edus = edus_of[s], words = 0;
	for (int i = 0; i < edus; i++) {
		words += 1 + (int)hp_rng_below(&rng, 4);
		w->ends[s][i] = words - 1;
		w->labels[s][i] = (int32_t)hp_rng_below(&rng, LABELS);
	}
	random_splits(0, edus - 1, w->splits[s]);
	w->sents[s] = (hp_rst_sent){words, edus, w->ends[s], w->splits[s], w->labels[s], 0, NULL, NULL};
	w->word_at[s + 1] = w->word_at[s] + words;
	w->split_at[s + 1] = w->split_at[s] + edus - 1;
}

/* Sentences of one EDU, two, three, one, ...: the last one of those that are left. */
static void cut_document(world *w, int s)
{
	hp_rst_sent *sent = &w->sents[s];
	for (int last = 0; last < sent->edus; last += 1 + sent->sents % 3)
		w->sent_end[s][sent->sents++] = last;
	w->sent_end[s][sent->sents - 1] = sent->edus - 1;
	sent->sent_end = w->sent_end[s];
	w->paragraph[s][w->sent_end[s][0]] = s % 3 == 0;
	sent->paragraph = s % 3 < 2 ? w->paragraph[s] : NULL;
}

/* What networks differ in. */
typedef struct kind {
	hp_fusion fusion;
	int input, hidden, layers;
	int document_layers, split_mlp, label_halves;
} kind;

static void make_documents(world *w, kind k)
{
	hp_rst_config config = {.input_dim = k.input,
	                        .hidden = k.hidden,
	                        .layers = k.layers,
	                        .document_layers = k.document_layers,
	                        .split_mlp = k.split_mlp,
	                        .label_halves = k.label_halves,
	                        .label_mlp = 9,
	                        .labels = LABELS,
	                        .fusion = k.fusion};
	hp_error err;
	memset(w, 0, sizeof *w);
	w->arena = hp_arena_new();
	assert_int_equal(hp_rst_net_new(&config, true, &w->net, &err), 0);
	hp_params *p = hp_rst_params(w->net);
	for (int i = 0; i < p->count; i++)
		fill(p->item[i].value, p->item[i].count, k.hidden > 32 ? 0.2f : 0.5f);
	for (int s = 0; s < SENTENCES; s++)
		make_sentence(w, s);
	w->D = (size_t)k.input;
	w->H = (size_t)k.hidden;
	w->L = (size_t)k.layers;
	w->x = malloc((size_t)w->word_at[SENTENCES] * w->D * sizeof *w->x);
	fill(w->x, (size_t)w->word_at[SENTENCES] * w->D, 1);
	for (int s = 0; k.document_layers && s < SENTENCES; s++)
		cut_document(w, s);
}

static void make_world(world *w, hp_fusion fusion, int input, int hidden, int layers)
{
	make_documents(w, (kind){fusion, input, hidden, layers, 0, 0, 0});
}

static void free_world(world *w)
{
	hp_rst_net_destroy(w->net);
	hp_arena_destroy(w->arena);
	free(w->x);
}

typedef struct parsed {
	float h[WORDS_MOST * 70], init[SENTENCES * 3 * 70], logp[SENTENCES * LONGEST], score[SENTENCES];
	float label_logp[SENTENCES * LONGEST];
	int32_t splits[3 * SENTENCES * LONGEST], labels[SENTENCES * LONGEST];
} parsed;

/* Sentences from ... from + count - 1 in one batch, into the rows where the whole batch has them. */
static void parse(world *w, hp_pool *pool, int from, int count, int beam, parsed *out)
{
	hp_error err;
	size_t word = (size_t)w->word_at[from], split = (size_t)w->split_at[from];
	const hp_rst_sent *sents = w->sents + from;
	float *h = out->h + word * w->H, *init = out->init + (size_t)from * w->L * w->H;
	int32_t *splits = out->splits + 3 * split;
	assert_int_equal(hp_rst_encode(w->net, pool, w->arena, count, sents, w->x + word * w->D, h, init, &err), 0);
	assert_int_equal(hp_rst_decode(w->net, pool, w->arena, count, sents, h, init, beam, splits, out->logp + split,
	                               out->score + from, &err),
	                 0);
	assert_int_equal(hp_rst_label(w->net, pool, w->arena, count, sents, h, splits, out->labels + split,
	                              out->label_logp + split, &err),
	                 0);
}

static const hp_fusion fusions[] = {HP_FUSION_T, HP_FUSION_P, HP_FUSION_PS, HP_FUSION_PST};
enum { FUSIONS = sizeof fusions / sizeof *fusions };

static void check_neighbours(kind k)
{
	static const int beams[] = {1, 3, 10};
	parsed *all = calloc(1, sizeof *all), *one = calloc(1, sizeof *one);
	hp_pool *pool = hp_pool_new(3);
	world w;
	make_documents(&w, k);
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
	hp_pool_destroy(pool);
	free(all);
	free(one);
}

/* Sizes on both sides of OpenBLAS's limit for its kernels for small products. */
TEST(neighbours)
{
	for (int i = 0; i < FUSIONS; i++)
		check_neighbours((kind){fusions[i], 11, 24, 3, 0, 0, 0});
	check_neighbours((kind){HP_FUSION_PST, 100, 64, 2, 0, 0, 0});
	check_neighbours((kind){HP_FUSION_PS, 1024, 64, 1, 0, 0, 0});
	check_neighbours((kind){HP_FUSION_PST, 11, 24, 3, 1, 0, 0});
	check_neighbours((kind){HP_FUSION_P, 100, 64, 2, 2, 0, 0});
	check_neighbours((kind){HP_FUSION_P, 11, 24, 1, 4, 0, 0});
	check_neighbours((kind){HP_FUSION_PS, 11, 24, 3, 0, 13, 0});
	check_neighbours((kind){HP_FUSION_P, 11, 24, 3, 1, 0, 1});
	check_neighbours((kind){HP_FUSION_P, 11, 24, 3, 1, 40, 1});
}

TEST(trees)
{
	parsed *out = calloc(1, sizeof *out);
	for (int i = 0; i < FUSIONS; i++) {
		world w;
		make_world(&w, fusions[i], 11, 24, 3);
		for (int beam = 1; beam <= 9; beam += 4) {
			parse(&w, NULL, 0, SENTENCES, beam, out);
			for (int s = 0; s < SENTENCES; s++) {
				int scratch[LONGEST];
				const int32_t *splits = out->splits + 3 * (size_t)w.split_at[s];
				double sum = 0;
				assert_true(hp_rst_splits_ok(edus_of[s], splits, scratch));
				for (int k = 0; k < edus_of[s] - 1; k++) {
					float logp = out->logp[w.split_at[s] + k];
					sum += (double)logp;
					assert_true(splits[3 * k + 2] - splits[3 * k] > 1 ? logp < 1e-5f : logp == 0);
					assert_in_range(out->labels[w.split_at[s] + k], 0, LABELS - 1);
					assert_true(out->label_logp[w.split_at[s] + k] < 1e-5f);
				}
				assert_true(fabs(sum - (double)out->score[s]) < 1e-4);
			}
		}
		free_world(&w);
	}
	free(out);
}

/* What training says of a tree that parsing found: its loss is minus the score. */
static double structure_of(world *w, int s, const int32_t *splits)
{
	hp_rst_sent sent = w->sents[s];
	hp_rst_loss loss;
	hp_error err;
	sent.splits = splits;
	const float *x = w->x + (size_t)w->word_at[s] * w->D;
	assert_int_equal(hp_rst_train(w->net, NULL, w->arena, 1, &sent, x, NULL, NULL, 0, &loss, &err), 0);
	return loss.structure;
}

typedef struct search {
	world *w;
	int sentence, trees;
	double best;
	int32_t splits[3 * LONGEST], best_splits[3 * LONGEST];
} search;

/* Tries all trees: STACK [2 × depth] are spans still to be split, MADE splits were. */
static void try_trees(search *a, int made, int stack[], int depth)
{
	int kept[2 * LONGEST];
	if (!depth) {
		double loss = structure_of(a->w, a->sentence, a->splits);
		a->trees++;
		if (a->trees == 1 || loss < a->best) {
			a->best = loss;
			memcpy(a->best_splits, a->splits, sizeof a->splits);
		}
		return;
	}
	int i = stack[2 * depth - 2], j = stack[2 * depth - 1];
	memcpy(kept, stack, (size_t)(2 * depth - 2) * sizeof *kept);
	for (int mid = i; mid < j; mid++) {
		int to = depth - 1, next[2 * LONGEST];
		memcpy(next, kept, (size_t)(2 * to) * sizeof *next);
		int32_t split[3] = {i, mid, j};
		memcpy(a->splits + 3 * made, split, sizeof split);
		if (j > mid + 1)
			next[2 * to] = mid + 1, next[2 * to++ + 1] = j;
		if (mid > i)
			next[2 * to] = i, next[2 * to++ + 1] = mid;
		try_trees(a, made + 1, next, to);
	}
}

/* Sentences of up to five EDUs have up to 14 trees: with a beam of 14 and more none is lost. */
static void check_wide_beam(int document_layers, int split_mlp)
{
	parsed *out = calloc(1, sizeof *out);
	static const int trees[] = {0, 1, 1, 2, 5, 14};
	for (int i = 0; i < FUSIONS; i++) {
		world w;
		make_documents(&w, (kind){fusions[i], 11, 24, 3, document_layers, split_mlp, 0});
		for (int beam = 14; beam <= 5000; beam += 4986) {
			parse(&w, NULL, 0, SENTENCES, beam, out);
			for (int s = 0; s < SENTENCES; s++) {
				search a = {.w = &w, .sentence = s};
				int stack[2 * LONGEST] = {0, edus_of[s] - 1};
				size_t at = 3 * (size_t)w.split_at[s], n = (size_t)edus_of[s] - 1;
				assert_true(fabs(structure_of(&w, s, out->splits + at) + (double)out->score[s]) < 1e-3);
				if (edus_of[s] > 5)
					continue;
				try_trees(&a, 0, stack, edus_of[s] > 1);
				assert_int_equal(a.trees, trees[edus_of[s]]);
				assert_memory_equal(out->splits + at, a.best_splits, 3 * n * sizeof(int32_t));
			}
		}
		free_world(&w);
	}
	free(out);
}

TEST(wide_beam)
{
	check_wide_beam(0, 0);
	check_wide_beam(0, 13);
}

/* Fewer document layers than decoder layers, and more. */
TEST(documents_wide_beam)
{
	check_wide_beam(1, 13);
	check_wide_beam(4, 0);
}

/* Of labels that parsing found training says what parsing does. */
TEST(labels)
{
	parsed *out = calloc(1, sizeof *out);
	for (int firsts = 0; firsts < 2; firsts++) {
		world w;
		make_documents(&w, (kind){HP_FUSION_P, 11, 24, 3, 1, 0, firsts});
		parse(&w, NULL, 0, SENTENCES, 1, out);
		for (int s = 0; s < SENTENCES; s++) {
			hp_rst_sent sent = w.sents[s];
			hp_rst_loss loss;
			hp_error err;
			double sum = 0;
			sent.splits = out->splits + 3 * w.split_at[s];
			sent.labels = out->labels + w.split_at[s];
			for (int k = w.split_at[s]; k < w.split_at[s + 1]; k++)
				sum -= (double)out->label_logp[k];
			const float *x = w.x + (size_t)w.word_at[s] * w.D;
			assert_int_equal(hp_rst_train(w.net, NULL, w.arena, 1, &sent, x, NULL, NULL, 0, &loss, &err), 0);
			assert_true(fabs(loss.label - sum) < 1e-3);
		}
		free_world(&w);
	}
	free(out);
}

/* With document layers a text without sentences' ends is a document of one sentence; without them the ends change nothing. */
TEST(one_sentence)
{
	for (int layers = 0; layers < 2; layers++) {
		parsed *out = calloc(1, sizeof *out), *one = calloc(1, sizeof *one);
		int32_t last[SENTENCES];
		world w;
		make_documents(&w, (kind){HP_FUSION_PST, 11, 24, 3, layers, 0, 0});
		for (int s = 0; s < SENTENCES; s++)
			w.sents[s].sents = 0;
		parse(&w, NULL, 0, SENTENCES, 1, out);
		for (int s = 0; s < SENTENCES; s++) {
			if (!layers)
				cut_document(&w, s);
			last[s] = w.sents[s].edus - 1;
			if (!layers)
				continue;
			w.sents[s].sents = 1;
			w.sents[s].sent_end = &last[s];
		}
		parse(&w, NULL, 0, SENTENCES, 1, one);
		assert_memory_equal(out, one, sizeof *out);
		free_world(&w);
		free(out);
		free(one);
	}
}

/* Equal scores: the earlier EDU; and a hypothesis that had two EDUs to split, for nothing, gets ahead. */
TEST(ties)
{
	world w;
	parsed *out = calloc(1, sizeof *out);
	make_world(&w, HP_FUSION_PST, 11, 24, 3);
	hp_params *p = hp_rst_params(w.net);
	memset(p->values, 0, p->total * sizeof *p->values);
	parse(&w, NULL, 0, 1, 1, out);
	static const int32_t chain[] = {0, 0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4};
	assert_memory_equal(out->splits, chain, sizeof chain);
	assert_true(fabs((double)out->score[0] + log(4 * 3 * 2)) < 1e-5);
	parse(&w, NULL, 0, 1, 4, out);
	static const int32_t pair[] = {0, 1, 4, 0, 0, 1, 2, 2, 4, 3, 3, 4};
	assert_memory_equal(out->splits, pair, sizeof pair);
	assert_true(fabs((double)out->score[0] + log(4 * 2)) < 1e-5);
	for (int i = 0; i < 4; i++)
		assert_int_equal(out->labels[i], 0);
	free_world(&w);
	free(out);
}

TEST(checks)
{
	int scratch[8];
	static const int32_t good[] = {0, 1, 4, 0, 0, 1, 2, 3, 4, 2, 2, 3}, order[] = {0, 1, 4, 2, 3, 4, 2, 2, 3, 0, 0, 1};
	static const int32_t lost[] = {0, 1, 4, 0, 0, 1, 2, 3, 4, 2, 3, 4}, beyond[] = {0, 2, 2, 0, 0, 1};
	static const int32_t negative[] = {0, -1, 2, 0, 1, 2}, again[] = {0, 0, 2, 1, 1, 3};
	assert_true(hp_rst_splits_ok(5, good, scratch));
	assert_true(hp_rst_splits_ok(1, NULL, scratch));
	assert_false(hp_rst_splits_ok(0, NULL, scratch));
	assert_false(hp_rst_splits_ok(4, good, scratch));
	assert_false(hp_rst_splits_ok(5, order, scratch));
	assert_false(hp_rst_splits_ok(5, lost, scratch));
	assert_false(hp_rst_splits_ok(3, beyond, scratch));
	assert_false(hp_rst_splits_ok(3, negative, scratch));
	assert_false(hp_rst_splits_ok(3, again, scratch));
	static const int32_t ends[] = {0, 3, 4}, falling[] = {3, 1, 4}, before[] = {-1, 3, 4};
	assert_true(hp_rst_ends_ok(5, 3, ends));
	assert_false(hp_rst_ends_ok(6, 3, ends));
	assert_false(hp_rst_ends_ok(5, 3, falling));
	assert_false(hp_rst_ends_ok(5, 3, before));
	assert_false(hp_rst_ends_ok(5, 0, ends));
}

TEST(threads)
{
	for (int i = 0; i <= FUSIONS; i++) {
		world w;
		hp_error err;
		make_documents(&w, (kind){fusions[i % FUSIONS], 100, 64, 2, i == FUSIONS, 0, 0});
		hp_params *p = hp_rst_params(w.net);
		hp_rst_dropout dropout = {0.3f, 0.3f, 0.3f, 0.3f, 5, 6};
		size_t words = (size_t)w.word_at[SENTENCES] * w.D;
		float *grads = malloc(p->total * sizeof *grads);
		float *dx = malloc(words * sizeof *dx), *first = malloc(words * sizeof *dx);
		for (int threads = 1; threads <= 4; threads++) {
			hp_pool *pool = hp_pool_new(threads);
			hp_rst_loss loss;
			memset(p->grads, 0, p->total * sizeof *grads);
			int status = hp_rst_train(w.net, pool, w.arena, SENTENCES, w.sents, w.x, dx, &dropout, 1.0f, &loss, &err);
			assert_int_equal(status, 0);
			if (threads == 1) {
				memcpy(grads, p->grads, p->total * sizeof *grads);
				memcpy(first, dx, words * sizeof *dx);
			}
			assert_memory_equal(grads, p->grads, p->total * sizeof *grads);
			assert_memory_equal(first, dx, words * sizeof *dx);
			hp_pool_destroy(pool);
		}
		free(grads);
		free(dx);
		free(first);
		free_world(&w);
	}
}

/* A few steps along the gradient learn these sentences by heart. */
TEST(learning)
{
	world w;
	hp_error err;
	hp_rst_loss loss = {0}, before = {0};
	parsed *out = calloc(1, sizeof *out);
	make_world(&w, HP_FUSION_PS, 20, 32, 2);
	hp_rst_net_init(w.net, 3);
	hp_params *p = hp_rst_params(w.net);
	for (int step = 0; step < 150; step++) {
		memset(p->grads, 0, p->total * sizeof *p->grads);
		assert_int_equal(hp_rst_train(w.net, NULL, w.arena, SENTENCES, w.sents, w.x, NULL, NULL, 0.02f, &loss, &err),
		                 0);
		if (!step)
			before = loss;
		for (size_t i = 0; i < p->total; i++)
			p->values[i] -= p->grads[i];
	}
	assert_true(loss.structure < 0.1 * before.structure);
	parse(&w, NULL, 0, SENTENCES, 1, out);
	for (int s = 0; s < SENTENCES; s++)
		assert_memory_equal(out->splits + 3 * (size_t)w.split_at[s], w.splits[s],
		                    3 * (size_t)(edus_of[s] - 1) * sizeof(int32_t));
	free_world(&w);
	free(out);
}

/* A network from a file, one for each stage, parses as the one it was written from; files that do not fit are refused. */
TEST(file)
{
	char path[] = "/tmp/hp-rst-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	world w;
	hp_error err;
	hp_rst_config config;
	hp_safetensors *st;
	hp_rst_net *whole, *stage[3];
	parsed *want = calloc(1, sizeof *want), *got = calloc(1, sizeof *got);
	make_documents(&w, (kind){HP_FUSION_PS, 11, 24, 3, 2, 13, 1});
	parse(&w, NULL, 0, SENTENCES, 2, want);
	hp_st_writer *writer = hp_st_writer_new();
	assert_int_equal(hp_rst_config_write(hp_rst_net_config(w.net), writer, &err), 0);
	assert_int_equal(hp_params_store(hp_rst_params(w.net), writer, "net/", &err), 0);
	assert_int_equal(hp_st_writer_save(writer, path, &err), 0);
	hp_st_writer_destroy(writer);
	assert_int_equal(hp_safetensors_open(path, &st, &err), 0);
	assert_int_equal(hp_rst_config_read(&config, st, &err), 0);
	assert_memory_equal(&config, hp_rst_net_config(w.net), sizeof config);
	static const int stages[3] = {HP_STAGE_ENCODE, HP_STAGE_DECODE, HP_STAGE_LABEL};
	for (int i = 0; i < 3; i++)
		assert_int_equal(hp_rst_net_open(&config, st, "net/", stages[i], &stage[i], &err), 0);
	assert_int_equal(hp_rst_encode(stage[0], NULL, w.arena, SENTENCES, w.sents, w.x, got->h, got->init, &err), 0);
	assert_int_equal(hp_rst_decode(stage[1], NULL, w.arena, SENTENCES, w.sents, got->h, got->init, 2, got->splits,
	                               got->logp, got->score, &err),
	                 0);
	assert_int_equal(hp_rst_label(stage[2], NULL, w.arena, SENTENCES, w.sents, got->h, got->splits, got->labels,
	                              got->label_logp, &err),
	                 0);
	assert_memory_equal(got, want, sizeof *got);
	assert_int_equal(hp_rst_net_open(&config, st, "other/", HP_STAGE_ALL, &whole, &err), HP_FAIL);
	config.hidden++;
	assert_int_equal(hp_rst_net_open(&config, st, "net/", HP_STAGE_ALL, &whole, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "net/encoder.0.fwd.w_ih"));
	config.hidden = 0;
	assert_int_equal(hp_rst_net_open(&config, st, "net/", HP_STAGE_ALL, &whole, &err), HP_FAIL);
	for (int i = 0; i < 3; i++)
		hp_rst_net_destroy(stage[i]);
	hp_safetensors_close(st);
	unlink(path);
	free_world(&w);
	free(want);
	free(got);
}

/* A file with a value that is no number, or too large for F16, is refused by the stage whose it is. */
TEST(not_finite)
{
	static const float bad[] = {NAN, INFINITY, -INFINITY, 1e6f};
	world w;
	hp_error err;
	char path[] = "/tmp/hp-rst-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	make_world(&w, HP_FUSION_PS, 11, 24, 3);
	hp_param *p = hp_params_find(hp_rst_params(w.net), "label.v"); /* as F16 it is left in the file */
	assert_non_null(p);
	uint16_t half[4096];
	assert_true(p->count <= 4096);
	for (int i = 0; i < 4; i++) {
		hp_safetensors *st;
		hp_rst_net *net;
		hp_st_writer *writer = hp_st_writer_new();
		p->value[p->count - 1] = bad[i];
		for (size_t k = 0; k < p->count; k++)
			half[k] = hp_float_to_half(p->value[k]);
		for (int k = 0; k < hp_rst_params(w.net)->count; k++) {
			const hp_param *q = &hp_rst_params(w.net)->item[k];
			int64_t shape[3] = {q->shape[0], q->shape[1], q->shape[2]};
			bool short_one = q == p && i % 2;
			assert_int_equal(hp_st_writer_tensor(writer, q->name, short_one ? HP_F16 : HP_F32, q->rank, shape,
			                                     short_one ? (const void *)half : q->value, &err),
			                 0);
		}
		assert_int_equal(hp_st_writer_save(writer, path, &err), 0);
		hp_st_writer_destroy(writer);
		assert_int_equal(hp_safetensors_open(path, &st, &err), 0);
		assert_int_equal(hp_rst_net_open(hp_rst_net_config(w.net), st, "", HP_STAGE_LABEL, &net, &err), HP_FAIL);
		assert_non_null(strstr(err.text, "tensor `label.v` holds a value that is not finite or beyond 1e+09"));
		assert_int_equal(hp_rst_net_open(hp_rst_net_config(w.net), st, "", HP_STAGE_DECODE, &net, &err), 0);
		hp_rst_net_destroy(net);
		hp_safetensors_close(st);
	}
	unlink(path);
	free_world(&w);
}

/* Initial values: repeatable, of another kind for every seed, biases zero, none of them out of proportion. */
TEST(init)
{
	world a, b;
	make_world(&a, HP_FUSION_PST, 11, 24, 3);
	make_world(&b, HP_FUSION_PST, 11, 24, 3);
	hp_params *p = hp_rst_params(a.net), *q = hp_rst_params(b.net);
	hp_rst_net_init(a.net, 4);
	hp_rst_net_init(b.net, 4);
	assert_memory_equal(p->values, q->values, p->total * sizeof *p->values);
	hp_rst_net_init(b.net, 5);
	for (int i = 0; i < p->count; i++) {
		bool bias = p->item[i].rank == 1;
		assert_int_equal(!memcmp(p->item[i].value, q->item[i].value, p->item[i].count * sizeof(float)), bias);
		for (size_t j = 0; j < p->item[i].count; j++)
			assert_true(bias ? p->item[i].value[j] == 0 : fabsf(p->item[i].value[j]) < 1);
	}
	free_world(&a);
	free_world(&b);
}

/* The n best, and where the beam is wide enough all binary trees there are, of which a score is the sum of its splits'. */
TEST(nbest)
{
	enum { EDUS = 6, ALL = 42, STATES = 10 };
	static const int catalan[EDUS + 1] = {1, 1, 1, 2, 5, 14, 42};
	hp_arena *arena = hp_arena_new();
	for (int trial = 0; trial < 60; trial++) {
		int edus = 1 + trial % EDUS, number = catalan[edus];
		const hp_rst_config config = {.input_dim = 4,
		                              .hidden = STATES,
		                              .layers = 2,
		                              .label_mlp = 3,
		                              .labels = 4,
		                              .fusion = (hp_fusion)(trial % 4)};
		int32_t ends[EDUS] = {0, 1, 2, 3, 4, 5}, splits[3 * ALL * EDUS];
		float h[EDUS * STATES], init[2 * STATES], score[ALL], logp[ALL * EDUS];
		int scratch[EDUS], count = 0;
		hp_net *net;
		hp_error err;
		assert_int_equal(hp_rst_net_new(&config, false, &net, &err), 0);
		for (int i = 0; i < net->params.count; i++)
			fill(net->params.item[i].value, net->params.item[i].count, 0.5f);
		assert_int_equal(hp_net_prepare(net, HP_STAGE_DECODE, &err), 0);
		fill(h, EDUS * STATES, 1);
		fill(init, 2 * STATES, 1);
		const hp_sample sample = {.rows = edus, .units = edus, .ends = ends};
		const hp_sentences in = {.count = 1, .sample = &sample};
		const hp_parsing how = {.net = net, .beam = 1, .nbest = trial < 30 ? ALL : 1 + number / 2};
		assert_int_equal(hp_decode(&how, arena, &in, h, init, &(hp_trees){splits, logp, NULL, score, &count}, &err), 0);
		assert_int_equal(count, how.nbest < number ? how.nbest : number);
		for (int k = 0; k < count; k++) {
			const int32_t *tree = splits + 3 * k * (edus - 1);
			double sum = 0;
			for (int i = 0; i < edus - 1; i++)
				sum += (double)logp[k * (edus - 1) + i];
			assert_true(hp_splits_ok(edus, tree, scratch));
			assert_true(fabs(sum - (double)score[k]) < 1e-5);
			assert_true(k == 0 || score[k] <= score[k - 1]);
			for (int other = 0; other < k; other++)
				assert_memory_not_equal(splits + 3 * other * (edus - 1), tree, 3 * (size_t)(edus - 1) * sizeof *tree);
		}
		hp_net_destroy(net);
	}
	hp_arena_destroy(arena);
}

HOOK(before)
{
	hp_rng_seed(&rng, 2, 2);
}

HOOK(begin)
{
	hp_error err;
	assert_int_equal(hp_gemm_open(3, &err), 0);
}
