/* parser.c: training a parser: its treebanks, its network, a step. */
#include "train/parser.h"

#include <stdlib.h>
#include <string.h>
#include "pointer/train.h"
#include "train/hash.h"
#include "train/hide.h"

/* ---- data ---- */

static uint64_t hash_vectors(uint64_t h, const hp_vectors *v)
{
	size_t size;
	int n = hp_vocab_count(v->words);

	for (int i = 0; i < n; i++) {
		const char *word = hp_vocab_at(v->words, i, &size);
		h = hp_hash(h, word, size + 1);
	}
	return hp_hash(h, v->values, (size_t)n * (size_t)v->dim * sizeof *v->values);
}

/* One of the three treebanks; one of rhetorical trees has embeddings as those of TRAIN. */
static int read_bank(const hp_trainer *t, const hp_bank_files *files, hp_treebank *out, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	const hp_parser *p = t->work;
	const hp_treebank *train = &p->train_bank;

	if (p->kind->read(files, &t->hyper, s->max_words, out, err) != 0)
		return HP_FAIL;
	if (out->layers != train->layers || out->dim != train->dim)
		return hp_fail(err, "%s: `x` has %d layers of %d numbers a word, but in %s %d of %d", files->streams[0],
		               out->layers, out->dim, s->train.streams[0], train->layers, train->dim);
	return 0;
}

static int read_banks(hp_trainer *t, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	hp_parser *p = t->work;
	hp_treebank *train = &p->train_bank, *dev = &p->dev_bank, *test = &p->test_bank;

	if (read_bank(t, &s->train, train, err) != 0)
		return HP_FAIL;
	if ((s->dev.trees ? read_bank(t, &s->dev, dev, err)
	                  : hp_treebank_hold_out(train, s->train.trees[0], s->seed, dev, err)) != 0 ||
	    (s->test.trees && read_bank(t, &s->test, test, err) != 0))
		return HP_FAIL;
	t->train = hp_treebank_facts(train);
	t->dev = hp_treebank_facts(dev);
	t->test = hp_treebank_facts(test);
	return hp_treebank_shared(dev, train, &t->dev.known, err) != 0
	           ? HP_FAIL
	           : hp_treebank_shared(test, train, &t->test.known, err);
}

/* The corpora, as the trainer wants to know of them. */
static int tell_corpora(hp_trainer *t, hp_error *err)
{
	hp_parser *p = t->work;

	p->rows = calloc((size_t)p->train.count + 1, sizeof *p->rows);
	if (!p->rows)
		return hp_fail_memory(err);
	for (int i = 0; i < p->train.count; i++)
		p->rows[i] = p->train.sample[i].rows;
	t->rows = p->rows;
	t->dev.no_labels = t->hyper.task == HP_TASK_RST && !hp_corpus_knows_labels(&p->dev);
	return 0;
}

static int read_data(hp_trainer *t, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	hp_parser *p = t->work;
	const hp_treebank *train = &p->train_bank, *dev = &p->dev_bank;
	hp_lexicon *lex = &p->lexicon;

	if (s->init &&
	    (hp_from_model_open(s->init, &p->init, err) != 0 || hp_from_model_hyper(p->init, &t->hyper, err) != 0))
		return HP_FAIL;
	if (read_banks(t, err) != 0)
		return HP_FAIL;
	t->data_hash = hp_hash(hp_hash(HP_HASH_START, &train->hash, sizeof train->hash), &dev->hash, sizeof dev->hash);
	if (hp_lexicon_build(train, &t->hyper, lex, err) != 0 ||
	    (s->vectors && hp_lexicon_read_vectors(lex, s->vectors, &t->hyper, &t->vectors_skipped, err) != 0) ||
	    (p->init && hp_from_model_lexicon(p->init, lex, err) != 0) ||
	    hp_corpus_number(lex, train, &p->train, err) != 0 || hp_corpus_number(lex, dev, &p->dev, err) != 0)
		return HP_FAIL;
	if (s->vectors)
		t->data_hash = hash_vectors(t->data_hash, &lex->vectors);
	if (!train->tree) { /* all is in the corpora */
		hp_treebank_free(&p->dev_bank);
		hp_treebank_free(&p->train_bank);
	}
	return tell_corpora(t, err);
}

/* ---- the network ---- */

/* Where there is a fixed vector the trained part starts from zero, and so does that of unknown words: words that
 * only the vectors know then look like the others. */
static void start_from_vectors(const hp_parser *parser, size_t dim)
{
	hp_param *p = hp_params_find(&parser->net->params, "embed.word");

	if (!p || !parser->lexicon.vector_of)
		return;
	for (int w = HP_ID_UNKNOWN; w < hp_vocab_count(parser->lexicon.words); w++)
		if (w == HP_ID_UNKNOWN || parser->lexicon.vector_of[w] >= 0)
			memset(p->value + (size_t)w * dim, 0, dim * sizeof *p->value);
}

/* Sizes of the network. */
static hp_net_config net_config(const hp_trainer *t)
{
	const hp_parser *p = t->work;
	const hp_lexicon *lex = &p->lexicon;
	hp_net_config c = {.embedding = {.words = hp_vocab_count(lex->words), .chars = hp_vocab_count(lex->chars)},
	                   .labels = hp_vocab_count(lex->labels)};

	hp_hyper_config(&t->hyper, &c);
	if (t->hyper.task == HP_TASK_DEP || t->hyper.pos)
		c.embedding.tags = hp_vocab_count(lex->tags);
	for (int k = 0; lex->tagging[0] && k < HP_TAGGINGS; k++)
		c.auxiliary.values[k] = hp_vocab_count(k < HP_TAGGINGS - 1 ? lex->tagging[k] : lex->labels);
	if (p->train.x) {
		c.input = HP_INPUT_STREAM;
		c.input_dim = p->train_bank.dim;
		c.stream_layers = p->train_bank.layers;
	}
	return c;
}

static int make_net(hp_trainer *t, hp_error *err)
{
	hp_parser *p = t->work;
	hp_net_config c = net_config(t);

	if (hp_config_check(&c, p->train.x ? t->setup->train.streams[0] : "hyper-parameters", err) != 0 ||
	    hp_net_new(&c, true, &p->net, err) != 0)
		return HP_FAIL;
	t->params = &p->net->params;
	hp_net_init(p->net, t->setup->seed);
	start_from_vectors(p, (size_t)t->hyper.word_dim);
	if (p->init && hp_from_model_params(p->init, &t->hyper, &p->lexicon, t->params, &t->data_hash, err) != 0)
		return HP_FAIL;
	hp_from_model_close(p->init);
	p->init = NULL;
	return 0;
}

static int open_parser(hp_trainer *t, hp_error *err)
{
	hp_parser *p = t->work = calloc(1, sizeof *p);

	if (!p)
		return hp_fail_memory(err);
	p->kind = t->hyper.task == HP_TASK_RST ? &hp_trees_rst : &hp_trees_dep;
	return read_data(t, err) != 0 ? HP_FAIL : make_net(t, err);
}

static void close_parser(hp_trainer *t)
{
	hp_parser *p = t->work;

	if (!p)
		return;
	hp_from_model_close(p->init);
	hp_net_destroy(p->net);
	free(p->rows);
	hp_corpus_free(&p->train);
	hp_corpus_free(&p->dev);
	hp_treebank_free(&p->test_bank);
	hp_treebank_free(&p->dev_bank);
	hp_treebank_free(&p->train_bank);
	hp_lexicon_free(&p->lexicon);
	free(p);
}

/* ---- a step ---- */

static hp_dropout dropout_of(const hp_trainer *t)
{
	const hp_hyper *h = &t->hyper;

	return (hp_dropout){.word = h->drop_embeddings,
	                    .character = h->drop_embeddings,
	                    .pos = h->drop_embeddings,
	                    .lstm_hidden = h->drop_lstm_hidden,
	                    .lstm_layers = h->drop_lstm_layers,
	                    .mlp = h->drop_mlp,
	                    .input = h->drop_input,
	                    .encoder = h->drop_encoder,
	                    .decoder = h->drop_decoder,
	                    .classifier = h->drop_classifier,
	                    .seed = t->setup->seed,
	                    .batch = (uint64_t)t->progress.step};
}

static int step(hp_trainer *t, int count, const int *sentence, hp_train_loss *out, hp_error *err)
{
	const hp_progress *at = &t->progress;
	hp_parser *p = t->work;
	hp_dropout dropout = dropout_of(t);
	hp_taken taken;
	hp_loss loss;
	hp_rng rng;

	if (hp_corpus_take(&p->train, t->scratch, count, sentence, &taken, err) != 0)
		return HP_FAIL;
	hp_rng_seed(&rng, t->setup->seed, HP_STREAM(HP_PURPOSE_HIDE, at->epoch, at->batch));
	for (int i = 0; i < count; i++)
		if (hp_hide(&p->lexicon, &t->hyper, &rng, t->scratch, &p->train.tokens[sentence[i]], &taken.tokens[i], err) !=
		    0)
			return HP_FAIL;
	taken.in.vectors = p->lexicon.vectors.values;
	/* The gradient is that of the mean over the batch's sentences. */
	if (hp_train(p->net, t->pool, t->scratch, &taken.in, &dropout, 1.0f / (float)count, &loss, err) != 0)
		return HP_FAIL;
	*out = (hp_train_loss){.part = {loss.structure, loss.label}, .steps = loss.steps};
	for (int i = 0; i < count; i++)
		out->words += taken.in.sample[i].rows - p->net->grammar->root; /* losses are told by word, as speed is */
	return 0;
}

const hp_train_task hp_train_dep = {
	.scores = 2,
	.score = {"UAS", "LAS"},
	.column = {"dev_uas", "dev_las", "dev_las_without_tags"},
	.loss = {"structure_loss", "label_loss"},
	.item = "words",
	.open = open_parser,
	.close = close_parser,
	.step = step,
	.score_dev = hp_parser_score_dev,
	.score_without_tags = hp_parser_score_without_tags,
	.store = hp_parser_store,
	.test = hp_parser_test,
};

const hp_train_task hp_train_rst = {
	.scores = 3,
	.score = {"Span", "Nuclearity", "Relation"},
	.column = {"dev_span", "dev_nuclearity", "dev_relation"},
	.loss = {"structure_loss", "label_loss"},
	.item = "splits",
	.two_models = true,
	.none = -1,
	.open = open_parser,
	.close = close_parser,
	.step = step,
	.score_dev = hp_parser_score_dev,
	.store = hp_parser_store,
	.test = hp_parser_test,
};
