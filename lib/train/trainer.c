/* trainer.c: training batch by batch. */
#include "pointer/train.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nn/gemm.h"
#include "train/hash.h"
#include "train/from_model.h"
#include "train/hide.h"

enum { NOT_FINITE_LIMIT = 20, AVERAGE_TASKS = 64 };

/* ---- making ---- */

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
static int read_bank(hp_trainer *t, const hp_bank_files *files, hp_treebank *out, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	const hp_treebank *train = &t->train_bank;

	if (t->task->read(files, &t->hyper, s->max_words, out, err) != 0)
		return HP_FAIL;
	if (out->layers != train->layers || out->dim != train->dim)
		return hp_fail(err, "%s: `x` has %d layers of %d numbers a word, but in %s %d of %d", files->streams[0],
		               out->layers, out->dim, s->train.streams[0], train->layers, train->dim);
	return 0;
}

static int read_banks(hp_trainer *t, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	hp_treebank *train = &t->train_bank, *dev = &t->dev_bank, *test = &t->test_bank;

	if (read_bank(t, &s->train, train, err) != 0)
		return HP_FAIL;
	if ((s->dev.trees ? read_bank(t, &s->dev, dev, err)
	                  : hp_treebank_hold_out(train, s->train.trees[0], s->seed, dev, err)) != 0 ||
	    hp_treebank_shared(dev, train, &t->dev_known, err) != 0)
		return HP_FAIL;
	if (!s->test.trees)
		return 0;
	return read_bank(t, &s->test, test, err) != 0 ? HP_FAIL : hp_treebank_shared(test, train, &t->test_known, err);
}

static int read_data(hp_trainer *t, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	const hp_treebank *train = &t->train_bank, *dev = &t->dev_bank;
	int status = HP_FAIL;

	if (s->init &&
	    (hp_from_model_open(s->init, &t->init, err) != 0 || hp_from_model_hyper(t->init, &t->hyper, err) != 0))
		return HP_FAIL;
	if (read_banks(t, err) != 0)
		return HP_FAIL;
	t->masked = train->masked;
	t->dev_masked = dev->masked;
	t->open = train->open;
	t->data_hash = hp_hash(hp_hash(HP_HASH_START, &train->hash, sizeof train->hash), &dev->hash, sizeof dev->hash);
	if (hp_lexicon_build(train, &t->hyper, &t->lexicon, err) == 0 &&
	    (!s->vectors || hp_lexicon_read_vectors(&t->lexicon, s->vectors, &t->hyper, &t->vectors_skipped, err) == 0) &&
	    (!t->init || hp_from_model_lexicon(t->init, &t->lexicon, err) == 0) &&
	    hp_corpus_number(&t->lexicon, train, &t->train, err) == 0)
		status = hp_corpus_number(&t->lexicon, dev, &t->dev, err);
	if (status == 0 && s->vectors)
		t->data_hash = hash_vectors(t->data_hash, &t->lexicon.vectors);
	if (!train->tree) { /* all is in the corpora */
		hp_treebank_free(&t->dev_bank);
		hp_treebank_free(&t->train_bank);
	}
	return status;
}

/* Where there is a fixed vector the trained part starts from zero, and so does that of unknown words: words that
 * only the vectors know then look like the others. */
static void start_from_vectors(hp_trainer *t)
{
	hp_param *p = hp_params_find(t->params, "embed.word");
	size_t dim = (size_t)t->hyper.word_dim;

	if (!p || !t->lexicon.vector_of)
		return;
	for (int w = HP_ID_UNKNOWN; w < hp_vocab_count(t->lexicon.words); w++)
		if (w == HP_ID_UNKNOWN || t->lexicon.vector_of[w] >= 0)
			memset(p->value + (size_t)w * dim, 0, dim * sizeof *p->value);
}

/* Sizes of the network. */
static hp_net_config net_config(const hp_trainer *t)
{
	const hp_lexicon *lex = &t->lexicon;
	hp_net_config c = {.embedding = {.words = hp_vocab_count(lex->words), .chars = hp_vocab_count(lex->chars)},
	                   .labels = hp_vocab_count(lex->labels)};

	hp_hyper_config(&t->hyper, &c);
	if (t->hyper.task == HP_TASK_DEP || t->hyper.pos)
		c.embedding.tags = hp_vocab_count(lex->tags);
	for (int k = 0; lex->tagging[0] && k < HP_TAGGINGS; k++)
		c.auxiliary.values[k] = hp_vocab_count(k < HP_TAGGINGS - 1 ? lex->tagging[k] : lex->labels);
	if (t->train.x) {
		c.input = HP_INPUT_STREAM;
		c.input_dim = t->train_bank.dim;
		c.stream_layers = t->train_bank.layers;
	}
	return c;
}

static int make_net(hp_trainer *t, hp_error *err)
{
	hp_net_config c = net_config(t);

	if (hp_config_check(&c, t->train.x ? t->setup->train.streams[0] : "hyper-parameters", err) != 0 ||
	    hp_net_new(&c, true, &t->net, err) != 0)
		return HP_FAIL;
	t->params = &t->net->params;
	hp_net_init(t->net, t->setup->seed);
	start_from_vectors(t);
	if (t->init && hp_from_model_params(t->init, &t->hyper, &t->lexicon, t->params, &t->data_hash, err) != 0)
		return HP_FAIL;
	hp_from_model_close(t->init);
	t->init = NULL;
	if (hp_adam_init(&t->adam, t->params, err) != 0)
		return HP_FAIL;
	t->adam.beta1 = t->hyper.betas[0];
	t->adam.beta2 = t->hyper.betas[1];
	t->adam.epsilon = t->hyper.epsilon;
	t->adam.clip = t->hyper.clip;
	t->adam.l2 = t->hyper.l2;
	if (t->hyper.ema > 0) {
		size_t bytes = t->params->total * sizeof(float);
		t->average = aligned_alloc(64, (bytes + 63) / 64 * 64);
		if (!t->average)
			return hp_fail_memory(err);
		memcpy(t->average, t->params->values, bytes);
	}
	return 0;
}

static int order_epoch(hp_trainer *t, hp_error *err)
{
	hp_epoch_free(&t->current);
	return hp_epoch_make(&t->train, t->hyper.batch, t->hyper.batch_words, t->setup->seed, t->progress.epoch,
	                     &t->current, err);
}

int hp_trainer_new(const hp_trainer_setup *setup, hp_trainer **out, hp_error *err)
{
	hp_trainer *t = calloc(1, sizeof *t);

	if (!t)
		return hp_fail_memory(err);
	t->setup = setup;
	t->hyper = setup->hyper;
	t->hyper.stream = setup->train.streams != NULL;
	t->task = hp_train_task_of(setup->hyper.task);
	t->progress.best_label = -1;
	t->progress.best_structure = t->task->none;
	hp_schedule_init(&t->schedule);
	t->scratch = hp_arena_new();
	t->pool = hp_pool_new(setup->threads);
	if (!t->scratch || !t->pool)
		hp_fail_memory(err);
	else if (hp_gemm_open(setup->threads, err) == 0 && read_data(t, err) == 0 && make_net(t, err) == 0 &&
	         order_epoch(t, err) == 0) {
		*out = t;
		return 0;
	}
	hp_trainer_destroy(t);
	return HP_FAIL;
}

void hp_trainer_destroy(hp_trainer *t)
{
	if (!t)
		return;
	hp_from_model_close(t->init);
	hp_epoch_free(&t->current);
	hp_schedule_free(&t->schedule);
	free(t->average);
	hp_adam_free(&t->adam);
	hp_net_destroy(t->net);
	hp_corpus_free(&t->train);
	hp_corpus_free(&t->dev);
	hp_treebank_free(&t->test_bank);
	hp_treebank_free(&t->dev_bank);
	hp_treebank_free(&t->train_bank);
	hp_lexicon_free(&t->lexicon);
	hp_pool_destroy(t->pool);
	hp_arena_destroy(t->scratch);
	free(t);
}

/* ---- length ---- */

int hp_trainer_epochs(hp_trainer *t, int epochs, hp_error *err)
{
	int64_t total = 0;

	for (int e = 0; e < epochs; e++) {
		hp_epoch order;
		if (hp_epoch_make(&t->train, t->hyper.batch, t->hyper.batch_words, t->setup->seed, e, &order, err) != 0)
			return HP_FAIL;
		total += order.batches;
		hp_epoch_free(&order);
	}
	if (hp_schedule_total(&t->schedule, t->progress.step) == total)
		return 0;
	return hp_schedule_guess(&t->schedule, t->progress.step, total, err);
}

bool hp_trainer_done(const hp_trainer *t)
{
	int64_t total = hp_schedule_total(&t->schedule, t->progress.step);

	return total > 0 && t->progress.step >= total;
}

bool hp_trainer_epoch_ended(const hp_trainer *t)
{
	return t->progress.batch >= t->current.batches;
}

bool hp_trainer_due(const hp_trainer *t)
{
	return hp_trainer_done(t) || (hp_trainer_epoch_ended(t) && (t->progress.epoch + 1) % t->hyper.eval_every == 0);
}

void hp_trainer_next_epoch(hp_trainer *t)
{
	hp_progress *p = &t->progress;

	if (!hp_trainer_epoch_ended(t))
		return;
	p->epoch++;
	p->batch = 0;
	p->epoch_seconds = 0;
	memset(&p->epoch_loss, 0, sizeof p->epoch_loss);
	hp_epoch_free(&t->current); /* the next is made when its first batch is asked for */
}

/* ---- a batch ---- */

static void average_task(void *arg, int task)
{
	const hp_trainer *t = arg;
	size_t total = t->params->total, first = total * (size_t)task / AVERAGE_TASKS,
		   end = total * ((size_t)task + 1) / AVERAGE_TASKS;
	double steps = (double)t->progress.step, early = (1 + steps) / (10 + steps);
	float keep = t->hyper.ema < (float)early ? t->hyper.ema : (float)early;
	const float *value = t->params->values;

	for (size_t i = first; i < end; i++)
		t->average[i] = value[i] + keep * (t->average[i] - value[i]);
}

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

static int train_batch(hp_trainer *t, const int *sentence, int count, hp_train_loss *out, hp_error *err)
{
	const hp_progress *p = &t->progress;
	hp_dropout dropout = dropout_of(t);
	hp_taken taken;
	hp_loss loss;
	hp_rng rng;

	if (hp_corpus_take(&t->train, t->scratch, count, sentence, &taken, err) != 0)
		return HP_FAIL;
	hp_rng_seed(&rng, t->setup->seed, HP_STREAM(HP_PURPOSE_HIDE, p->epoch, p->batch));
	for (int i = 0; i < count; i++)
		if (hp_hide(&t->lexicon, &t->hyper, &rng, t->scratch, &t->train.tokens[sentence[i]], &taken.tokens[i], err) !=
		    0)
			return HP_FAIL;
	taken.in.vectors = t->lexicon.vectors.values;
	/* The gradient is that of the mean over the batch's sentences. */
	if (hp_train(t->net, t->pool, t->scratch, &taken.in, &dropout, 1.0f / (float)count, &loss, err) != 0)
		return HP_FAIL;
	*out = (hp_train_loss){.structure = loss.structure, .label = loss.label, .steps = loss.steps};
	for (int i = 0; i < count; i++)
		out->words += taken.in.sample[i].rows - t->net->grammar->root; /* losses are told by word, as speed is */
	return 0;
}

static int check_finite(hp_trainer *t, double norm, hp_error *err)
{
	if (isfinite(norm)) {
		t->progress.not_finite = 0;
		return 0;
	}
	if (++t->progress.not_finite < NOT_FINITE_LIMIT)
		return 0;
	return hp_fail(err, "training has diverged: no finite gradient in %d batches in a row; try a smaller learning_rate",
	               NOT_FINITE_LIMIT);
}

int hp_trainer_step(hp_trainer *t, hp_error *err)
{
	hp_progress *p = &t->progress;
	hp_train_loss loss;
	double norm, per_word;
	float rate;

	if (!t->current.order && order_epoch(t, err) != 0)
		return HP_FAIL;
	const int *sentence = t->current.order + t->current.first[p->batch];
	int count = t->current.first[p->batch + 1] - t->current.first[p->batch];
	int status = train_batch(t, sentence, count, &loss, err);
	hp_arena_reset(t->scratch);
	if (status != 0)
		return HP_FAIL;
	rate = hp_schedule_rate(&t->schedule, &t->hyper, p->step);
	norm = hp_adam_step(&t->adam, t->params, rate, t->pool);
	if (t->average)
		hp_pool_run(t->pool, AVERAGE_TASKS, average_task, t);
	p->step++;
	p->batch++;
	p->epoch_loss.structure += loss.structure;
	p->epoch_loss.label += loss.label;
	p->epoch_loss.words += loss.words;
	p->epoch_loss.steps += loss.steps;
	per_word = loss.words ? (loss.structure + loss.label) / (double)loss.words : 0;
	p->loss = p->step == 1 ? per_word : 0.95 * p->loss + 0.05 * per_word;
	return check_finite(t, norm, err);
}
