/* parser.c: training a parser: its network, a step. */
#include "train/parser.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "pointer/train.h"
#include "train/hide.h"

/* ---- the network ---- */

/* Sizes of the network. */
static hp_net_config net_config(const hp_trainer *t)
{
	const hp_parser *p = t->work;
	const hp_lexicon *lex = &p->data.lexicon;
	hp_net_config c = {.embedding = {.words = hp_vocab_count(lex->words), .chars = hp_vocab_count(lex->chars)},
	                   .labels = hp_vocab_count(lex->labels)};

	hp_hyper_config(&t->hyper, &c);
	if (t->hyper.task == HP_TASK_DEP || t->hyper.pos)
		c.embedding.tags = hp_vocab_count(lex->tags);
	for (int k = 0; lex->tagging[0] && k < HP_TAGGINGS; k++)
		c.auxiliary.values[k] = hp_vocab_count(k < HP_TAGGINGS - 1 ? lex->tagging[k] : lex->labels);
	if (p->data.train.x) {
		c.input = HP_INPUT_STREAM;
		c.input_dim = p->data.train_bank.dim;
		c.stream_layers = p->data.train_bank.layers;
	}
	return c;
}

static int make_net(hp_trainer *t, hp_error *err)
{
	hp_parser *p = t->work;
	hp_net_config c = net_config(t);

	if (hp_config_check(&c, p->data.train.x ? t->setup->train.streams[0] : "hyper-parameters", err) != 0 ||
	    hp_net_new(&c, true, &p->net, err) != 0)
		return HP_FAIL;
	t->params = &p->net->params;
	hp_net_init(p->net, t->setup->seed);
	hp_train_data_start(&p->data, t->params);
	if (p->data.init &&
	    hp_from_model_params(p->data.init, &t->hyper, &p->data.lexicon, t->params, &t->data_hash, err) != 0)
		return HP_FAIL;
	hp_from_model_close(p->data.init);
	p->data.init = NULL;
	return 0;
}

static int open_parser(hp_trainer *t, hp_error *err)
{
	hp_parser *p = t->work = calloc(1, sizeof *p);

	if (!p)
		return hp_fail_memory(err);
	p->kind = t->hyper.task == HP_TASK_RST ? &hp_trees_rst : &hp_trees_dep;
	if (hp_train_data_read(t, p->kind->read, &p->data, err) != 0)
		return HP_FAIL;
	t->dev.no_labels = t->hyper.task == HP_TASK_RST && !hp_corpus_knows_labels(&p->data.dev);
	if (!p->data.train_bank.tree) { /* all is in the corpora */
		hp_treebank_free(&p->data.dev_bank);
		hp_treebank_free(&p->data.train_bank);
	}
	return make_net(t, err);
}

static void close_parser(hp_trainer *t)
{
	hp_parser *p = t->work;

	if (!p)
		return;
	hp_net_destroy(p->net);
	hp_train_data_free(&p->data);
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

	if (hp_corpus_take(&p->data.train, t->scratch, count, sentence, &taken, err) != 0)
		return HP_FAIL;
	hp_rng_seed(&rng, t->setup->seed, HP_STREAM(HP_PURPOSE_HIDE, at->epoch, at->batch));
	for (int i = 0; i < count; i++)
		if (hp_hide(&p->data.lexicon, &t->hyper, &rng, t->scratch, &p->data.train.tokens[sentence[i]], &taken.tokens[i],
		            err) != 0)
			return HP_FAIL;
	taken.in.vectors = p->data.lexicon.vectors.values;
	/* The gradient is that of the mean over the batch's sentences. */
	if (hp_train(p->net, t->pool, t->scratch, &taken.in, &dropout, 1.0f / (float)count, &loss, err) != 0)
		return HP_FAIL;
	const double members = (double)p->net->s.M; /* the loss told is that of one of them */
	*out = (hp_train_loss){.part = {loss.structure / members, loss.label / members}, .steps = loss.steps};
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
