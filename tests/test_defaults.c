/* test_defaults.c: hyper-parameters that follow from the size of the data. */
#include "train/defaults.h"
#include "unit.h"

static void derive(hp_hyper *h, int sentences, int64_t words, hp_length length)
{
	hp_hyper_derive(h, sentences, words, &length);
}

/* Worked out by hand from the rule in hp-train(1). */
static const struct example {
	const char *name;
	hp_task task;
	int sentences;
	int64_t words;
	hp_length length;
	int batch, warmup, hidden, eval_every;
	float learning_rate, ema;
} examples[] = {
	{"500 sentences", HP_TASK_DEP, 500, 11300, {0}, 8, 200, 200, 5, 0.002f, 0.9968f}, /* 100 epochs of 63 batches */
	{"2,231 sentences", HP_TASK_DEP, 2231, 50536, {0}, 21, 200, 300, 3, 0.001333f, 0.9968f}, /* 59 of 107 */
	{"the same, 20 epochs", HP_TASK_DEP, 2231, 50536, {20, 0}, 7, 200, 200, 1, 0.002f, 0.9969f}, /* of 319 */
	{"the same, 8 minutes", HP_TASK_DEP, 2231, 50536, {0, 8}, 10, 200, 200, 1, 0.002f, 0.9969f}, /* 28.5 of 224 */
	{"the same, an hour", HP_TASK_DEP, 2231, 50536, {0, 60}, 32, 200, 400, 5, 0.001f, 0.998f}, /* 213.7 of 70 */
	{"12,543 sentences", HP_TASK_DEP, 12543, 204585, {0}, 32, 200, 300, 1, 0.001333f, 0.9974f}, /* 20 of 392 */
	{"20,000 sentences, twice", HP_TASK_DEP, 20000, 400000, {2, 0}, 6, 200, 200, 1, 0.002f, 0.997f}, /* of 3,334 */
	{"180 sentences, once", HP_TASK_DEP, 180, 2099, {1, 0}, 4, 1, 200, 1, 0.002f, 0.9f}, /* 45 batches */
	{"a tagger", HP_TASK_TAG, 2231, 50536, {0, 2}, 8, 200, 256, 1, 0.001f, 0.997f}, /* 23.7 of 279 */
};

static void check_rule(const struct example *e)
{
	hp_hyper h;

	hp_hyper_init_task(&h, e->task);
	derive(&h, e->sentences, e->words, e->length);
	assert_int_equal(h.batch, e->batch);
	assert_int_equal(h.warmup, e->warmup);
	assert_int_equal(h.hidden, e->hidden);
	assert_int_equal(h.eval_every, e->eval_every);
	assert_true(h.learning_rate == e->learning_rate);
	assert_true(h.ema == e->ema);
	assert_true(h.drop_embeddings == (e->task == HP_TASK_DEP ? 0.1f : 0.2f));
	assert_true(h.drop_lstm_hidden == h.drop_embeddings && h.drop_lstm_layers == h.drop_embeddings);
	assert_true(h.drop_mlp == (e->task == HP_TASK_DEP ? 0.1f : 0.33f));
	if (e->task == HP_TASK_DEP) {
		assert_int_equal(h.decoder_hidden, e->hidden);
		assert_int_equal(h.arc_mlp, e->hidden);
	}
}

CASES(examples, check_rule)

/* What is set stays, and what follows from it follows. */
TEST(set)
{
	hp_hyper h;

	hp_hyper_init(&h);
	assert_int_equal(hp_hyper_set(&h, "batch", "5", NULL), 0);
	assert_int_equal(hp_hyper_set(&h, "hidden", "64", NULL), 0);
	assert_int_equal(hp_hyper_set(&h, "arc_mlp", "32", NULL), 0);
	derive(&h, 100, 1000, (hp_length){.epochs = 50}); /* 1,000 batches */
	assert_int_equal(h.batch, 5);
	assert_int_equal(h.hidden, 64);
	assert_int_equal(h.decoder_hidden, 64);
	assert_int_equal(h.arc_mlp, 32);
	assert_int_equal(h.warmup, 40);
	assert_true(h.ema == 0.98f);
	assert_int_equal(h.eval_every, 3);
}

/* Of a tokeniser its batches and the warm-up; 100 sentences are 60 windows, 15 batches of 4, 600 in 40 epochs. */
TEST(tokenizer)
{
	static const struct {
		int sentences, epochs, batch, warmup;
	} cases[] = {{2231, 0, 8, 50},    {1781, 30, 5, 50},  {100, 40, 4, 24},
	             {16251, 18, 29, 50}, {20000, 0, 64, 50}, {1, 1, 4, 1}};
	hp_hyper h, before;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hp_hyper_init_task(&h, HP_TASK_TOKENIZE);
		before = h;
		derive(&h, cases[i].sentences, 25 * cases[i].sentences, (hp_length){.epochs = cases[i].epochs});
		assert_int_equal(h.batch, cases[i].batch);
		assert_int_equal(h.warmup, cases[i].warmup);
		assert_true(h.ema == before.ema);
		assert_int_equal(h.hidden, before.hidden);
	}
}

/* None after a table, and none of these tasks. */
TEST(none)
{
	static const hp_task tasks[] = {HP_TASK_DEP, HP_TASK_RST};
	hp_hyper h, before;

	for (int i = 0; i < 2; i++) {
		hp_hyper_init_task(&h, tasks[i]);
		h.exact = tasks[i] == HP_TASK_DEP;
		before = h;
		derive(&h, 100, 1000, (hp_length){.epochs = 5});
		assert_memory_equal(&h, &before, sizeof h);
	}
}

TEST(epochs)
{
	assert_int_equal(hp_default_epochs(HP_TASK_DEP, 1000), 100);
	assert_int_equal(hp_default_epochs(HP_TASK_DEP, 50536), 59);
	assert_int_equal(hp_default_epochs(HP_TASK_TAG, 100000), 30);
	assert_int_equal(hp_default_epochs(HP_TASK_DEP, 204585), 20);
	assert_int_equal(hp_default_epochs(HP_TASK_RST, 1000), 40);
	assert_int_equal(hp_default_epochs(HP_TASK_TOKENIZE, 1000), 400);
	assert_int_equal(hp_default_epochs(HP_TASK_TOKENIZE, 10000), 80);
	assert_int_equal(hp_default_epochs(HP_TASK_TOKENIZE, 50536), 40);
}
