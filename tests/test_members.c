/* Networks of several members against networks of one, which have each member's parameters: h is theirs side by side, and the
 * probability of a split, of an arc and of a label is the mean of what they find, each alone. */
#include <math.h>
#include <string.h>

#include "members.h"
#include "networks.h"
#include "random.h"
#include "nn/gemm.h"
#include "nn/vmath.h"
#include "unit.h"

enum { MEMBERS = 3, WORDS = 3, HIDDEN = 12, LABELS = 2 };

static hp_error err;
static hp_arena *arena;

static hp_net *make(const hp_net_config *config)
{
	hp_net *net;
	assert_int_equal(hp_net_new(config, false, &net, &err), 0);
	for (int i = 0; i < net->params.count; i++)
		fill(net->params.item[i].value, net->params.item[i].count, 0.5f);
	assert_int_equal(hp_net_prepare(net, HP_STAGE_ALL, &err), 0);
	return net;
}

/* A network of one member, the M-th of WHOLE. */
static hp_net *single(const hp_net *whole, size_t m)
{
	hp_net_config config = whole->c;
	config.members = config.own_embeddings = 0;
	hp_net *net = make(&config);
	take_member(&net->params, &whole->params, (int)m);
	assert_int_equal(hp_net_prepare(net, HP_STAGE_ALL, &err), 0);
	return net;
}

enum { TREES = 8 };

/* What a network finds: up to TREES trees, all that there are. */
static hp_parsed parse(const hp_net *net, const hp_sentences *in)
{
	const hp_parsing how = {.net = net, .special = {-1, -1, NULL}, .beam = TREES, .nbest = TREES};
	hp_parsed out;
	assert_int_equal(hp_parse_sentences(&how, arena, in, &out, &err), 0);
	return out;
}

/* H of the whole has each single's rows side by side. */
static void check_rows(const hp_net *whole, const float *all, const float *own, size_t m, size_t rows)
{
	size_t W = whole->s.W;
	for (size_t i = 0; i < rows; i++)
		assert_memory_equal(all + (i * MEMBERS + m) * W, own + i * W, W * sizeof(float));
}

static void assert_mean(double found, const double one[MEMBERS])
{
	double mean = 0;
	for (int m = 0; m < MEMBERS; m++)
		mean += exp(one[m]) / MEMBERS;
	assert_true(fabs(exp(found) - mean) < 1e-5);
}

/* Which of OUT's trees is TREE, of WIDTH numbers. */
static int find(const hp_parsed *out, const int32_t *tree, size_t width)
{
	for (int k = 0; k < *out->trees.found; k++)
		if (!memcmp(out->trees.tree + (size_t)k * width, tree, width * sizeof *tree))
			return k;
	fail();
	return -1;
}

/* Of two labels, the logarithm of the probability of LABEL, where WHICH was found with LOGP. */
static double label_logp(int label, int which, float logp)
{
	return label == which ? (double)logp : log1p(-exp((double)logp));
}

/* X, too, of embeddings of their own; else all see the same. */
static void check_x(const hp_net *whole, const float *all, const float *own, size_t m, size_t rows)
{
	size_t D = whole->s.D, members = whole->c.own_embeddings ? MEMBERS : 1;
	for (size_t i = 0; i < rows; i++)
		assert_memory_equal(all + (i * members + (members > 1 ? m : 0)) * D, own + i * D, D * sizeof(float));
}

/* Three EDUs: one decision, by two ways. */
static void check_splits(hp_fusion fusion, bool documents)
{
	enum { SPLITS = WORDS - 1 };
	const hp_net_config config = {.task = HP_TASK_RST,
	                              .members = MEMBERS,
	                              .input_dim = 4,
	                              .hidden = HIDDEN,
	                              .layers = 2,
	                              .document_layers = documents,
	                              .split_mlp = documents ? 7 : 0,
	                              .label_halves = documents,
	                              .label_mlp = 3,
	                              .labels = LABELS,
	                              .fusion = fusion};
	static const int32_t ends[WORDS] = {0, 1, 2};
	float x[WORDS * 4];
	const hp_sample sample = {.rows = WORDS, .units = WORDS, .ends = ends};
	const hp_sentences in = {.count = 1, .sample = &sample, .x = x};
	hp_parsed own[MEMBERS];
	hp_net *whole = make(&config), *one[MEMBERS];
	fill(x, WORDS * 4, 1);
	hp_parsed all = parse(whole, &in);
	assert_int_equal(*all.trees.found, 2);
	for (size_t m = 0; m < MEMBERS; m++) {
		one[m] = single(whole, m);
		own[m] = parse(one[m], &in);
		check_rows(whole, all.h, own[m].h, m, WORDS);
	}
	for (int k = 0; k < 2; k++) {
		double score[MEMBERS], label[MEMBERS];
		for (int i = 0; i < SPLITS; i++) {
			for (int m = 0; m < MEMBERS; m++) {
				int same = find(&own[m], all.trees.tree + k * SPLITS * 3, (size_t)SPLITS * 3);
				score[m] = (double)own[m].trees.score[same];
				label[m] = label_logp(all.labels[k * SPLITS + i], own[m].labels[same * SPLITS + i],
				                      own[m].label_logp[same * SPLITS + i]);
			}
			assert_mean((double)all.label_logp[k * SPLITS + i], label);
		}
		assert_mean((double)all.trees.score[k], score);
	}
	for (int m = 0; m < MEMBERS; m++)
		hp_net_destroy(one[m]);
	hp_net_destroy(whole);
}

TEST(splits)
{
	for (int i = 0; i < 8; i++)
		check_splits((hp_fusion)(i % 4), i >= 4);
}

/* ---- what boundaries say of the spans that they split, in double precision ---- */

/* y = ELU(W x + b), of 7 values */
static void layer(hp_affine l, const float *x, double y[7])
{
	int in = l.w->shape[1];
	for (int i = 0; i < 7; i++) {
		y[i] = (double)l.b->value[i];
		for (int k = 0; k < in; k++)
			y[i] += (double)l.w->value[i * in + k] * (double)x[k];
		y[i] = y[i] < 0 ? exp(y[i]) - 1 : y[i];
	}
}

/* Of the boundary behind EDU K of UNITS, whose rows H has: the probability that its span has END on a side. */
static double reaches(const hp_net *net, const float *h, int units, int k, int side, int end)
{
	double place[7], key[7], sum = 0, own = 0;
	layer(net->reach_g, h + k * HIDDEN, place);
	for (int i = side ? k + 1 : 0; i < (side ? units : k + 1); i++) {
		double score = 0;
		layer(net->reach[side].g, h + i * HIDDEN, key);
		for (int b = 0; b < 7; b++) {
			double q = (double)net->reach[side].v->value[b];
			for (int a = 0; a < 7; a++)
				q += place[a] * (double)net->reach[side].w->value[a * 7 + b];
			score += q * key[b];
		}
		sum += exp(score);
		own = i == end ? exp(score) : own;
	}
	return own / sum;
}

/* Documents of three EDUs: of each of both trees' scores, what the boundaries say. */
TEST(reach)
{
	const hp_net_config config = {.task = HP_TASK_RST,
	                              .members = MEMBERS,
	                              .input_dim = 4,
	                              .hidden = HIDDEN,
	                              .layers = 2,
	                              .document_layers = 1,
	                              .split_mlp = 7,
	                              .reach = 1,
	                              .label_mlp = 3,
	                              .labels = LABELS,
	                              .fusion = HP_FUSION_P};
	static const int32_t ends[WORDS] = {0, 1, 2};
	float x[WORDS * 4], own[WORDS * HIDDEN];
	const hp_sample sample = {.rows = WORDS, .units = WORDS, .ends = ends};
	const hp_sentences in = {.count = 1, .sample = &sample, .x = x};
	for (int trial = 0; trial < 20; trial++) {
		hp_net *whole = make(&config);
		double p[2][3][3] = {0}; /* of a boundary: that it splits the span from an EDU to another */
		fill(x, WORDS * 4, 1);
		hp_parsed with = parse(whole, &in);
		for (size_t m = 0; m < MEMBERS; m++) {
			for (size_t i = 0; i < WORDS; i++)
				memcpy(own + i * HIDDEN, with.h + (i * MEMBERS + m) * HIDDEN, HIDDEN * sizeof(float));
			for (int k = 0; k < 2; k++)
				for (int first = 0; first <= k; first++)
					for (int last = k + 1; last < WORDS; last++)
						p[k][first][last] += reaches(whole->member[m], own, WORDS, k, 0, first) *
						                     reaches(whole->member[m], own, WORDS, k, 1, last) / MEMBERS;
			whole->member[m]->c.reach = 0;
		}
		hp_parsed without = parse(whole, &in);
		for (int k = 0; k < 2; k++) {
			const int32_t *tree = with.trees.tree + k * 6;
			double expected = tree[1] == 0 ? log(p[0][0][2]) + log(1 - p[1][0][2]) + log(p[1][1][2])
			                               : log(p[1][0][2]) + log(1 - p[0][0][2]) + log(p[0][0][1]);
			double found = (double)with.trees.score[k] - (double)without.trees.score[find(&without, tree, 6)];
			assert_true(fabs(found - expected) < 1e-3);
		}
		assert_true(with.trees.score[0] >= with.trees.score[1]);
		hp_net_destroy(whole);
	}
}

/* Of one tree's score, what the words say of their heads. */
static double words_score(hp_net *net, const hp_sentences *in)
{
	double with = (double)parse(net, in).trees.score[0];
	for (size_t m = 0; m < net->s.M; m++)
		net->member[m]->c.heads = 0;
	double without = (double)parse(net, in).trees.score[0];
	for (size_t m = 0; m < net->s.M; m++)
		net->member[m]->c.heads = 1;
	return with - without;
}

/* Arcs of a word alone: its head, which nothing else can be, and its label; what it says itself of its head. */
TEST(arcs)
{
	static const struct {
		hp_fusion fusion;
		hp_gate gate;
		int own_embeddings, heads;
	} variant[] = {{HP_FUSION_T, HP_GATE_NONE, 0, 0},
	               {HP_FUSION_PS, HP_GATE_GATE, 0, 1},
	               {HP_FUSION_PST, HP_GATE_SGATE, 0, 0},
	               {HP_FUSION_PST, HP_GATE_GATE, 1, 1}};
	for (int v = 0; v < 4; v++) {
		const hp_net_config config = {.task = HP_TASK_DEP,
		                              .members = MEMBERS,
		                              .own_embeddings = variant[v].own_embeddings,
		                              .input = HP_INPUT_WORDS,
		                              .embedding = {30, 10, 12, 6, 10, 3, 7, 5, 1},
		                              .hidden = HIDDEN,
		                              .layers = 2,
		                              .decoder_hidden = 10,
		                              .decoder_input = 9,
		                              .arc_mlp = 11,
		                              .label_mlp = 5,
		                              .labels = LABELS,
		                              .fusion = variant[v].fusion,
		                              .gate = variant[v].gate,
		                              .heads = variant[v].heads};
		static const int32_t words[] = {0, 3}, pos[] = {0, 2}, chars[] = {0, 4, 5}, lengths[] = {1, 2};
		const hp_tokens tokens = {2, words, NULL, pos, chars, lengths};
		const hp_sample sample = {.rows = 2, .units = 2};
		const hp_sentences in = {.count = 1, .sample = &sample, .tokens = &tokens};
		double label[MEMBERS], score[MEMBERS], words_say[MEMBERS], both = 0;
		hp_net *whole = make(&config);
		hp_parsed all = parse(whole, &in);
		assert_int_equal(all.trees.tree[1], 0);
		for (size_t m = 0; m < MEMBERS; m++) {
			hp_net *one = single(whole, m);
			hp_parsed own = parse(one, &in);
			check_x(whole, all.x, own.x, m, 2);
			check_rows(whole, all.h, own.h, m, 2);
			assert_memory_equal(all.trees.d + MEMBERS * 10 + m * 10, own.trees.d + 10, 10 * sizeof(float));
			label[m] = label_logp(all.labels[1], own.labels[1], own.label_logp[1]);
			score[m] = (double)own.trees.logp[1];
			both += exp(score[m]) / MEMBERS;
			words_say[m] = variant[v].heads ? words_score(one, &in) : 0;
			hp_net_destroy(one);
		}
		assert_mean((double)all.label_logp[1], label);
		assert_mean((double)all.trees.logp[1], score);
		if (variant[v].heads)
			assert_mean(words_score(whole, &in), words_say);
		assert_true((double)all.trees.score[0] <= log(both) + 1e-6); /* the two pops have probabilities, too */
		hp_net_destroy(whole);
	}
}

/* Classifiers that say the same of every pair: 0.4, 0.35, 0.2 and 0.05 for four labels, of nuclearity 0, 1, 1 and 2.  Label 0 is
 * the likeliest; but half of the probability is that of nuclearity 1: 0.35 + 0.55 is more than 0.4 + 0.4. */
TEST(labels_by_nuclearity)
{
	static const double p[] = {0.4, 0.35, 0.2, 0.05};
	static const int8_t nuclearity[] = {0, 1, 1, 2}, alike[] = {0, 0, 0, 0};
	static const struct {
		const int8_t *nuclearity;
		int label;
	} cases[] = {{NULL, 0}, {nuclearity, 1}, {alike, 0}};
	const hp_net_config config = {.task = HP_TASK_RST,
	                              .input_dim = 4,
	                              .hidden = HIDDEN,
	                              .layers = 1,
	                              .label_mlp = 3,
	                              .labels = 4,
	                              .fusion = HP_FUSION_P};
	static const int32_t ends[WORDS] = {0, 1, 2};
	float x[WORDS * 4];
	const hp_sample sample = {.rows = WORDS, .units = WORDS, .ends = ends};
	const hp_sentences in = {.count = 1, .sample = &sample, .x = x};
	hp_net *net = make(&config);
	fill(x, WORDS * 4, 1);
	for (int i = 0; i < net->params.count; i++)
		if (!strncmp(net->params.item[i].name, "label.", 6))
			memset(net->params.item[i].value, 0, net->params.item[i].count * sizeof(float));
	for (int k = 0; k < 4; k++)
		net->label_b->value[k] = (float)log(p[k]) + 1;
	for (int i = 0; i < 3; i++) {
		const hp_parsing how = {.net = net, .special = {-1, -1, cases[i].nuclearity}, .beam = 1};
		hp_parsed out;
		assert_int_equal(hp_parse_sentences(&how, arena, &in, &out, &err), 0);
		for (int k = 0; k < WORDS - 1; k++) {
			assert_int_equal(out.labels[k], cases[i].label);
			assert_float_equal(out.label_logp[k], log(p[cases[i].label]), 1e-5);
		}
	}
	hp_net_destroy(net);
}

/* What all hold for impossible has a logarithm still. */
TEST(mean)
{
	const float a[] = {0, -1000, logf(0.5f)}, b[] = {0, -1000, logf(0.25f)};
	float sum[3];
	hp_vec_ensemble(0, 2, 3, a, sum);
	hp_vec_ensemble(1, 2, 3, b, sum);
	assert_float_equal(sum[0], 0, 1e-6);
	assert_true(isfinite(sum[1]) && sum[1] < -80);
	assert_float_equal(sum[2], log(0.375), 1e-6);
}

HOOK(before)
{
	hp_rng_seed(&rng, 4, 4);
}

HOOK(begin)
{
	assert_int_equal(hp_gemm_open(3, &err), 0);
	arena = hp_arena_new();
}
