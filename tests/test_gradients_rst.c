/* Finite differences (gradient.h) for the whole discourse network, dropout included. */
#include "networks.h"
#include "gradient.h"
#include "nn/gemm.h"
#include "unit.h"

/* ---- the whole network ---- */

static const int32_t ends_1[] = {1}, ends_2[] = {0, 2}, ends_3[] = {0, 1, 4}, ends_7[] = {1, 2, 5, 6, 7, 9, 10};
static const int32_t splits_2[] = {0, 0, 1}, splits_3[] = {0, 1, 2, 0, 0, 1};
/* both halves of the first split are split by the decoder, so the right one has a sibling's state */
static const int32_t splits_7[] = {0, 2, 6, 0, 0, 2, 1, 1, 2, 3, 3, 6, 4, 5, 6, 4, 4, 5};
static const int32_t labels_7[] = {1, 0, 3, 2, 2, 1};
/* sentences of documents */
static const int32_t sent_end_1[] = {0}, sent_end_3[] = {0, 2}, sent_end_7[] = {1, 2, 6};
static const int32_t paragraph_7[] = {0, 1, 0, 0, 0, 0, 0};
static const hp_rst_sent sents[] = {{2, 1, ends_1, NULL, NULL, 1, sent_end_1, NULL},
                                    {3, 2, ends_2, splits_2, labels_7, 0, NULL, NULL},
                                    {11, 7, ends_7, splits_7, labels_7, 3, sent_end_7, paragraph_7},
                                    {5, 3, ends_3, splits_3, labels_7 + 2, 2, sent_end_3, NULL}};
static const int first_word[] = {0, 2, 5, 16, 21};
enum { SENTENCES = 4, WORDS = 21, D = 6 };

typedef struct net_case {
	hp_rst_net *net;
	hp_arena *arena;
	float *x;
	const hp_rst_dropout *dropout;
	int from, count; /* sentences */
} net_case;

static double net_loss(void *arg)
{
	net_case *c = arg;
	hp_rst_loss loss;
	hp_error err;
	const float *x = c->x + first_word[c->from] * D;
	int status =
		hp_rst_train(c->net, NULL, c->arena, c->count, sents + c->from, x, NULL, c->dropout, 0.0f, &loss, &err);
	assert_int_equal(status, 0);
	return loss.structure + loss.label + loss.auxiliary;
}

typedef struct net_kind {
	hp_fusion fusion;
	int document_layers, split_mlp, label_halves, reach;
} net_kind;

static void check_members(int members, net_kind kind, const hp_rst_dropout *dropout, int from, int count, int splits,
                          int steps)
{
	hp_rst_config config = {.members = members,
	                        .input_dim = D,
	                        .hidden = 10,
	                        .layers = 3,
	                        .document_layers = kind.document_layers,
	                        .split_mlp = kind.split_mlp,
	                        .reach = kind.reach,
	                        .auxiliary = {.splits = 0.7f},
	                        .label_halves = kind.label_halves,
	                        .label_mlp = 5,
	                        .labels = 4,
	                        .fusion = kind.fusion};
	net_case c = {.arena = hp_arena_new(), .dropout = dropout, .from = from, .count = count};
	c.x = random_floats(WORDS * D, 1);
	hp_error err;
	hp_rst_loss loss;
	size_t words = (size_t)(first_word[from + count] - first_word[from]);
	float *x = c.x + first_word[from] * D, *dx = random_floats(words * D, 1); /* set, not added to */
	assert_int_equal(hp_rst_net_new(&config, true, &c.net, &err), 0);
	hp_params *p = hp_rst_params(c.net);
	for (int i = 0; i < p->count; i++)
		for (size_t j = 0; j < p->item[i].count; j++)
			p->item[i].value[j] = 0.4f * hp_rng_normal(&gradient_rng);
	assert_int_equal(hp_rst_train(c.net, NULL, c.arena, count, sents + from, x, dx, dropout, 1.0f, &loss, &err), 0);
	assert_int_equal(loss.splits, splits);
	assert_int_equal(loss.steps, steps);
	check_gradient("x", net_loss, &c, x, dx, words * D);
	for (int i = 0; i < p->count; i++) {
		float *g = malloc((p->item[i].count + 1) * sizeof *g); /* net_loss adds zeros to the net's own */
		memcpy(g, p->item[i].grad, p->item[i].count * sizeof *g);
		check_gradient(p->item[i].name, net_loss, &c, p->item[i].value, g, p->item[i].count);
		free(g);
	}
	free(c.x);
	free(dx);
	hp_rst_net_destroy(c.net);
	hp_arena_destroy(c.arena);
}

static void check_network(net_kind kind, const hp_rst_dropout *dropout, int from, int count, int splits, int steps)
{
	check_members(0, kind, dropout, from, count, splits, steps);
}

static const hp_fusion fusions[] = {HP_FUSION_T, HP_FUSION_P, HP_FUSION_PS, HP_FUSION_PST};

TEST(network)
{
	static const hp_rst_dropout dropout = {0.3f, 0.2f, 0.3f, 0.33f, 7, 3};
	for (int i = 0; i < 4; i++) {
		check_network((net_kind){fusions[i], 0, 0, 0, 0}, &dropout, 0, SENTENCES, 9, 5);
		check_network((net_kind){fusions[i], 0, 0, 0, 0}, NULL, 0, SENTENCES, 9, 5);
	}
}

/* Fewer document layers than decoder layers, as many, and more. */
TEST(documents)
{
	static const hp_rst_dropout dropout = {0.3f, 0.2f, 0.3f, 0.33f, 7, 3};
	for (int layers = 1; layers <= 4; layers++) {
		net_kind kind = {fusions[layers - 1], layers, 0, 0, 0};
		check_network(kind, layers % 2 ? &dropout : NULL, 0, SENTENCES, 9, 5);
	}
	check_network((net_kind){HP_FUSION_PS, 6, 0, 0, 0}, NULL, 0, SENTENCES, 9, 5);
	check_network((net_kind){HP_FUSION_P, 2, 0, 0, 0}, &dropout, 2, 1, 6, 4);
	check_network((net_kind){HP_FUSION_P, 1, 0, 0, 0}, &dropout, 0, 1, 0, 0);
}

/* What more can be read of a split than its halves' last EDUs. */
TEST(edges)
{
	static const hp_rst_dropout dropout = {0.3f, 0.2f, 0.3f, 0.33f, 7, 3};
	check_network((net_kind){HP_FUSION_PST, 0, 7, 0, 1}, NULL, 0, SENTENCES, 9, 5);
	check_network((net_kind){HP_FUSION_T, 0, 0, 1, 0}, &dropout, 0, SENTENCES, 9, 5);
	for (int i = 0; i < 4; i++)
		check_network((net_kind){fusions[i], 1, 7, 1, i > 0}, i % 2 ? &dropout : NULL, 0, SENTENCES, 9, 5);
	check_network((net_kind){HP_FUSION_P, 1, 7, 1, 1}, &dropout, 0, 1, 0, 0);
	check_network((net_kind){HP_FUSION_P, 1, 7, 1, 1}, &dropout, 1, 1, 1, 0);
}

/* Each member's own, and what all of them want of x. */
TEST(members)
{
	static const hp_rst_dropout dropout = {0.3f, 0.2f, 0.3f, 0.33f, 7, 3};
	check_members(2, (net_kind){HP_FUSION_PS, 0, 0, 0, 0}, &dropout, 0, SENTENCES, 9, 5);
	check_members(3, (net_kind){HP_FUSION_P, 1, 7, 1, 1}, &dropout, 0, SENTENCES, 9, 5);
	check_members(3, (net_kind){HP_FUSION_P, 1, 7, 1, 1}, NULL, 0, 1, 0, 0);
}

/* Sentences in which the decoder has nothing to do, alone and in company. */
TEST(small)
{
	static const hp_rst_dropout dropout = {0.3f, 0.2f, 0.3f, 0.33f, 7, 3};
	for (int i = 0; i < 4; i++) {
		check_network((net_kind){fusions[i], 0, 0, 0, 0}, &dropout, 0, 1, 0, 0);
		check_network((net_kind){fusions[i], 0, 0, 0, 0}, &dropout, 1, 1, 1, 0);
		check_network((net_kind){fusions[i], 0, 0, 0, 0}, NULL, 0, 2, 1, 0);
		check_network((net_kind){fusions[i], 0, 0, 0, 0}, &dropout, 3, 1, 2, 1);
	}
}

/* Each rate acts in the place it is named for: decoder and classifier do not touch each other's loss. */
TEST(rates)
{
	hp_rst_config config = {
		.input_dim = D, .hidden = 10, .layers = 2, .label_mlp = 5, .labels = 4, .fusion = HP_FUSION_PST};
	hp_rst_dropout rates[5] = {{.seed = 1}, {.seed = 1}, {.seed = 1}, {.seed = 1}, {.seed = 1}};
	rates[1].input = rates[2].encoder = rates[3].decoder = rates[4].classifier = 0.9f;
	hp_rst_net *net;
	hp_arena *arena = hp_arena_new();
	hp_error err;
	float *x = random_floats(WORDS * D, 1);
	hp_rst_loss plain, loss[5];
	assert_int_equal(hp_rst_net_new(&config, true, &net, &err), 0);
	hp_rst_net_init(net, 5);
	assert_int_equal(hp_rst_train(net, NULL, arena, SENTENCES, sents, x, NULL, NULL, 0, &plain, &err), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(hp_rst_train(net, NULL, arena, SENTENCES, sents, x, NULL, &rates[i], 0, &loss[i], &err), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(loss[i].structure == plain.structure, i == 0 || i == 4);
		assert_int_equal(loss[i].label == plain.label, i == 0 || i == 3);
	}
	free(x);
	hp_rst_net_destroy(net);
	hp_arena_destroy(arena);
}

HOOK(before)
{
	hp_rng_seed(&gradient_rng, 1, 1);
}

/* ---- what stands for the words ---- */

enum { LAYERS = 3, DIM = 9 };

typedef struct input_case {
	hp_rst_net *net;
	hp_arena *arena;
	bool words;
	hp_tokens tokens[2];
	float *vectors, *layers[2];
} input_case;

static double train_input(input_case *c, float scale)
{
	hp_rst_loss loss;
	hp_error err;
	int status;
	if (c->words)
		status =
			hp_rst_train_words(c->net, NULL, c->arena, 2, sents + 1, c->tokens, c->vectors, NULL, scale, &loss, &err);
	else
		status = hp_rst_train_stream(c->net, NULL, c->arena, 2, sents + 1, (const float *const *)c->layers, NULL, scale,
		                             &loss, &err);
	assert_int_equal(status, 0);
	return loss.structure + loss.label;
}

static double input_loss(void *arg)
{
	return train_input(arg, 0.0f);
}

/* The network's own parameters are test_network's; here those of its input. */
static void check_input(input_case *c, const hp_rst_config *config, int expected)
{
	hp_error err;
	int checked = 0;
	c->arena = hp_arena_new();
	assert_int_equal(hp_rst_net_new(config, true, &c->net, &err), 0);
	hp_params *p = hp_rst_params(c->net);
	for (int i = 0; i < p->count; i++)
		for (size_t j = 0; j < p->item[i].count; j++)
			p->item[i].value[j] = 0.4f * hp_rng_normal(&gradient_rng);
	train_input(c, 1.0f);
	for (int i = 0; i < p->count; i++) {
		const hp_param *q = &p->item[i];
		const char *role = hp_param_role(q);
		if (strncmp(role, "embed.", 6) && strncmp(role, "charcnn.", 8) && strncmp(role, "mix.", 4))
			continue;
		float *g = malloc((q->count + 1) * sizeof *g);
		memcpy(g, q->grad, q->count * sizeof *g);
		check_gradient(q->name, input_loss, c, q->value, g, q->count);
		free(g);
		checked++;
	}
	assert_int_equal(checked, expected);
	hp_rst_net_destroy(c->net);
	hp_arena_destroy(c->arena);
}

TEST(input)
{
	static const int32_t words[] = {1, 4, 2, 3, 1, 1, 4, 2, 0, 3, 2, 2, 1, 4},
						 pos[] = {0, 1, 2, 1, 0, 2, 2, 1, 0, 1, 2, 0, 0, 1};
	static const int32_t vectors[] = {0, -1, 1, 0, -1, -1, 1, 0, 1, -1, 0, 0, 1, -1};
	static const int32_t chars[] = {1, 2, 3, 2, 0, 4, 1, 1, 2, 3, 4, 0, 2, 1, 3, 3, 4, 2, 1, 0, 4, 2};
	static const int32_t sizes[] = {2, 1, 3, 1, 2, 1, 1, 2, 1, 3, 1, 1, 2, 1};
	input_case c = {.words = true};
	hp_rst_config config = {.input_dim = DIM,
	                        .hidden = 8,
	                        .layers = 2,
	                        .label_mlp = 5,
	                        .labels = 4,
	                        .fusion = HP_FUSION_PST,
	                        .input = HP_INPUT_WORDS,
	                        .embedding = {5, 3, 5, 4, 4, 3, 3, 2, 1}};
	c.vectors = random_floats(2 * 3, 0.5f);
	c.tokens[0] = (hp_tokens){3, words, vectors, pos, chars, sizes};
	c.tokens[1] = (hp_tokens){11, words + 3, vectors + 3, pos + 3, chars + 6, sizes + 3};
	check_input(&c, &config, 5);
	c.words = false;
	config.input = HP_INPUT_STREAM;
	config.stream_layers = LAYERS;
	c.layers[0] = random_floats(LAYERS * 3 * DIM, 1);
	c.layers[1] = random_floats(LAYERS * 11 * DIM, 1);
	check_input(&c, &config, 2);
	config.stream_layers = 1; /* as it is: nothing to train */
	check_input(&c, &config, 0);
	c.words = true;
	config.input = HP_INPUT_WORDS;
	config.members = 2;
	check_input(&c, &config, 5);
	config.own_embeddings = 1;
	check_input(&c, &config, 10);
	free(c.vectors);
	free(c.layers[0]);
	free(c.layers[1]);
}

/* softmax(0, ln 2, ln 5) = 1/8, 2/8, 5/8 */
TEST(mix)
{
	hp_rst_config config = {.input_dim = 2,
	                        .hidden = 2,
	                        .layers = 1,
	                        .label_mlp = 2,
	                        .labels = 2,
	                        .fusion = HP_FUSION_P,
	                        .input = HP_INPUT_STREAM,
	                        .stream_layers = 3};
	static const float layers[] = {8, 0, 16, 8, 0, 8, 8, 8, 8, 0, 0, 16};
	hp_rst_net *net;
	hp_error err;
	float x[4];
	assert_int_equal(hp_rst_net_new(&config, false, &net, &err), 0);
	hp_rst_net_init(net, 1);
	hp_param *weights = hp_params_find(hp_rst_params(net), "mix.weights");
	hp_param *scale = hp_params_find(hp_rst_params(net), "mix.scale");
	assert_true(scale->value[0] == 1.0f && weights->value[0] == 0.0f && weights->value[2] == 0.0f);
	weights->value[1] = 0.69314718f;
	weights->value[2] = 1.60943791f;
	scale->value[0] = 2.0f;
	hp_rst_mix(net, 2, layers, x);
	static const float expected[] = {12, 4, 8, 26};
	for (int i = 0; i < 4; i++)
		assert_float_equal(x[i], expected[i], 1e-4);
	hp_rst_net_destroy(net);
}

HOOK(begin)
{
	hp_error err;
	assert_int_equal(hp_gemm_open(3, &err), 0);
}
