/* trainer.c: training batch by batch. */
#include "train/trainer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nn/gemm.h"
#include "train/hash.h"
#include "train/init.h"
#include "train/noise.h"
#include "train/store.h"

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
	int column = hp_tag_column((hp_pos_column)t->hyper.pos);

	if (t->hyper.task == HP_TASK_DEP)
		return hp_treebank_read(files, s->max_words, out, err);
	if (hp_treebank_read_rst(files, column, s->max_words, out, err) != 0)
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

	if (s->init && (hp_init_open(s->init, &t->init, err) != 0 || hp_init_hyper(t->init, &t->hyper, err) != 0))
		return HP_FAIL;
	if (read_banks(t, err) != 0)
		return HP_FAIL;
	t->masked = train->masked;
	t->dev_masked = dev->masked;
	t->open = train->open;
	t->data_hash = hp_hash(hp_hash(HP_HASH_START, &train->hash, sizeof train->hash), &dev->hash, sizeof dev->hash);
	if (hp_lexicon_build(train, &t->hyper, &t->lexicon, err) == 0 &&
	    (!s->vectors || hp_lexicon_read_vectors(&t->lexicon, s->vectors, &t->hyper, &t->vectors_skipped, err) == 0) &&
	    (!t->init || hp_init_lexicon(t->init, &t->lexicon, err) == 0) &&
	    hp_corpus_number(&t->lexicon, train, &t->train, err) == 0)
		status = hp_corpus_number(&t->lexicon, dev, &t->dev, err);
	if (status == 0 && s->vectors)
		t->data_hash = hash_vectors(t->data_hash, &t->lexicon.vectors);
	if (t->hyper.task == HP_TASK_DEP) {
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

static int make_dep_net(hp_trainer *t, hp_error *err)
{
	hp_dep_config config = {.embedding.words = hp_vocab_count(t->lexicon.words),
	                        .embedding.chars = hp_vocab_count(t->lexicon.chars),
	                        .embedding.tags = hp_vocab_count(t->lexicon.tags),
	                        .labels = hp_vocab_count(t->lexicon.labels)};

	hp_hyper_config(&t->hyper, &config);
	for (int k = 0; t->lexicon.tagging[0] && k < HP_DEP_TAGGINGS; k++)
		config.auxiliary.values[k] =
			hp_vocab_count(k < HP_DEP_TAGGINGS - 1 ? t->lexicon.tagging[k] : t->lexicon.labels);
	if (hp_dep_config_check(&config, "hyper-parameters", err) != 0 || hp_dep_net_new(&config, true, &t->net, err) != 0)
		return HP_FAIL;
	t->params = hp_dep_params(t->net);
	hp_dep_net_init(t->net, t->setup->seed);
	return 0;
}

static int make_rst_net(hp_trainer *t, hp_error *err)
{
	hp_rst_config config = {.embedding = {.words = hp_vocab_count(t->lexicon.words),
	                                      .chars = hp_vocab_count(t->lexicon.chars),
	                                      .tags = t->hyper.pos ? hp_vocab_count(t->lexicon.tags) : 0},
	                        .labels = hp_vocab_count(t->lexicon.labels)};

	hp_hyper_rst_config(&t->hyper, &config);
	if (t->train.x) {
		config.input = HP_RST_INPUT_STREAM;
		config.input_dim = t->train_bank.dim;
		config.stream_layers = t->train_bank.layers;
	}
	if (hp_rst_config_check(&config, t->train.x ? t->setup->train.streams[0] : "hyper-parameters", err) != 0 ||
	    hp_rst_net_new(&config, true, &t->rst, err) != 0)
		return HP_FAIL;
	t->params = hp_rst_params(t->rst);
	hp_rst_net_init(t->rst, t->setup->seed);
	return 0;
}

static int make_net(hp_trainer *t, hp_error *err)
{
	if ((t->hyper.task == HP_TASK_RST ? make_rst_net(t, err) : make_dep_net(t, err)) != 0)
		return HP_FAIL;
	start_from_vectors(t);
	if (t->init && hp_init_params(t->init, &t->hyper, &t->lexicon, t->params, &t->data_hash, err) != 0)
		return HP_FAIL;
	hp_init_close(t->init);
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

static int plan_epoch(hp_trainer *t, hp_error *err)
{
	hp_epoch_free(&t->plan);
	return hp_epoch_plan(&t->train, t->hyper.batch, t->hyper.batch_words, t->setup->seed, t->progress.epoch, &t->plan,
	                     err);
}

int hp_trainer_new(const hp_trainer_setup *setup, hp_trainer **out, hp_error *err)
{
	hp_trainer *t = calloc(1, sizeof *t);

	if (!t)
		return hp_fail_memory(err);
	t->setup = setup;
	t->hyper = setup->hyper;
	t->hyper.stream = setup->train.streams != NULL;
	t->progress.best_las = -1;
	t->progress.best_uas = setup->hyper.task == HP_TASK_RST ? -1 : 0;
	hp_schedule_init(&t->schedule);
	t->scratch = hp_arena_new();
	t->pool = hp_pool_new(setup->threads);
	if (!t->scratch || !t->pool)
		hp_fail_memory(err);
	else if (hp_gemm_open(setup->threads, err) == 0 && read_data(t, err) == 0 && make_net(t, err) == 0 &&
	         plan_epoch(t, err) == 0) {
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
	hp_init_close(t->init);
	hp_epoch_free(&t->plan);
	hp_schedule_free(&t->schedule);
	free(t->average);
	hp_adam_free(&t->adam);
	hp_dep_net_destroy(t->net);
	hp_rst_net_destroy(t->rst);
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
		hp_epoch plan;
		if (hp_epoch_plan(&t->train, t->hyper.batch, t->hyper.batch_words, t->setup->seed, e, &plan, err) != 0)
			return HP_FAIL;
		total += plan.batches;
		hp_epoch_free(&plan);
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
	return t->progress.batch >= t->plan.batches;
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
	hp_epoch_free(&t->plan); /* the next is made when its first batch is asked for */
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

static int train_rst(hp_trainer *t, const int *sentence, int count, const hp_dep_sent *sents, hp_dep_loss *loss,
                     hp_error *err)
{
	const hp_hyper *h = &t->hyper;
	hp_rst_dropout dropout = {h->drop_input,      h->drop_encoder, h->drop_decoder,
	                          h->drop_classifier, t->setup->seed,  (uint64_t)t->progress.step};
	hp_rst_sent *rst = HP_NEW(t->scratch, hp_rst_sent, (size_t)count);
	hp_tokens *tokens = HP_NEW(t->scratch, hp_tokens, (size_t)count);
	const float **x = HP_NEW(t->scratch, const float *, (size_t)count);
	float scale = 1.0f / (float)count;
	int status;
	hp_rst_loss sum = {0, 0, 0, 0};

	if (hp_arena_failed(t->scratch))
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++) {
		rst[i] = t->train.rst[sentence[i]];
		tokens[i] = hp_corpus_tokens(&sents[i]);
		x[i] = t->train.x ? t->train.x[sentence[i]] : NULL;
		loss->arcs += rst[i].words; /* losses are told by word, as speed is */
	}
	if (t->train.x)
		status = hp_rst_train_stream(t->rst, t->pool, t->scratch, count, rst, x, &dropout, scale, &sum, err);
	else
		status = hp_rst_train_words(t->rst, t->pool, t->scratch, count, rst, tokens, t->lexicon.vectors.values,
		                            &dropout, scale, &sum, err);
	loss->structure += sum.structure;
	loss->label += sum.label;
	loss->steps += sum.steps;
	return status;
}

static int train_batch(hp_trainer *t, const int *sentence, int count, hp_dep_loss *loss, hp_error *err)
{
	const hp_hyper *h = &t->hyper;
	hp_progress *p = &t->progress;
	hp_dep_dropout dropout = {h->drop_embeddings,  h->drop_embeddings, h->drop_embeddings, h->drop_lstm_hidden,
	                          h->drop_lstm_layers, h->drop_mlp,        t->setup->seed,     (uint64_t)p->step};
	hp_dep_sent *sents = HP_NEW(t->scratch, hp_dep_sent, (size_t)count);
	hp_rng rng;

	if (!sents)
		return hp_fail_memory(err);
	hp_rng_seed(&rng, t->setup->seed, HP_STREAM(HP_PURPOSE_NOISE, p->epoch, p->batch));
	for (int i = 0; i < count; i++)
		if (hp_noise(&t->lexicon, h, &rng, t->scratch, &t->train.sent[sentence[i]], &sents[i], err) != 0)
			return HP_FAIL;
	/* The gradient is that of the mean over the batch's sentences. */
	if (t->rst)
		return train_rst(t, sentence, count, sents, loss, err);
	return hp_dep_train(t->net, t->pool, t->scratch, count, sents, t->lexicon.vectors.values, &dropout,
	                    1.0f / (float)count, loss, err);
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
	hp_dep_loss loss = {0};
	double norm, per_word;
	float rate;

	if (!t->plan.order && plan_epoch(t, err) != 0)
		return HP_FAIL;
	const int *sentence = t->plan.order + t->plan.first[p->batch];
	int count = t->plan.first[p->batch + 1] - t->plan.first[p->batch];
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
	p->epoch_loss.arcs += loss.arcs;
	p->epoch_loss.steps += loss.steps;
	per_word = loss.arcs ? (loss.structure + loss.label) / (double)loss.arcs : 0;
	p->loss = p->step == 1 ? per_word : 0.95 * p->loss + 0.05 * per_word;
	return check_finite(t, norm, err);
}

/* ---- evaluation ---- */

static void swap_average(hp_trainer *t)
{
	for (size_t i = 0; t->average && i < t->params->total; i++) {
		float value = t->params->values[i];
		t->params->values[i] = t->average[i];
		t->average[i] = value;
	}
}

static int score(hp_trainer *t, bool hide_tags, hp_score *out, hp_error *err)
{
	hp_dep_labels special = hp_dep_find_labels(t->lexicon.labels);

	if (t->rst)
		return hp_score_rst(t->rst, t->pool, t->scratch, &t->dev, t->lexicon.vectors.values, t->lexicon.labels, out,
		                    err);
	return hp_score_corpus(t->net, t->pool, t->scratch, &t->dev, t->lexicon.vectors.values, special, hide_tags, out,
	                       err);
}

enum { OWN_META = 9 };

/* Saves the network as it is now, with all that is needed to train it again in the metadata. */
static int save_model(hp_trainer *t, const char *path, const hp_tried *tried, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	int n = OWN_META + hp_hyper_count(), at = 0;
	char(*name)[64] = calloc((size_t)n, sizeof *name), (*text)[HP_HYPER_TEXT] = calloc((size_t)n, sizeof *text);
	const char **key = calloc((size_t)n, sizeof *key), **value = calloc((size_t)n, sizeof *value);
	/* What was known when this batch was made, and the end if this is it. */
	char *plan = hp_schedule_text(&t->schedule, 0, t->progress.step - !hp_trainer_done(t));
	int status = HP_FAIL;

	if (!name || !text || !key || !value || !plan) {
		hp_fail_memory(err);
		goto cleanup;
	}
	for (int i = 0; i < n; i++) {
		key[i] = name[i];
		value[i] = text[i];
	}
#define META(label, ...) (strcpy(name[at], label), snprintf(text[at], HP_HYPER_TEXT, __VA_ARGS__), at++)
	META("hptools", "%s", s->version);
	META("train.seed", "%" PRIu64, s->seed);
	META("train.data", "%016" PRIx64, t->data_hash);
	META("train.batches", "%" PRId64, t->progress.step);
	META("train.epochs", "%d", t->progress.epoch + hp_trainer_epoch_ended(t));
	if (t->rst) {
		META("dev.span", "%.2f", tried->dev.span);
		META("dev.nuclearity", "%.2f", tried->dev.nuclearity);
		META("dev.relation", "%.2f", tried->dev.relation);
	} else {
		META("dev.uas", "%.2f", tried->dev.uas);
		META("dev.las", "%.2f", tried->dev.las);
		META("dev.las_without_tags", "%.2f", tried->without_tags.words ? tried->without_tags.las : tried->dev.las);
	}
	value[at] = plan;
	META("train.plan", "%s", "");
#undef META
	for (int i = 0; i < hp_hyper_count(); i++) {
		if (!hp_hyper_applies(&t->hyper, i))
			continue;
		snprintf(name[at], sizeof name[at], "train.%s", hp_hyper_key(i));
		hp_hyper_text(&t->hyper, i, text[at++]);
	}
	status = hp_model_store(path, t->net, t->rst, &t->lexicon, t->hyper.store_half, s->id, at, key, value, err);
cleanup:
	free(name);
	free(text);
	free(key);
	free(value);
	free(plan);
	return status;
}

/* Whether SCORE is better than BEST; where they are equal, TIE says so. */
static bool above(double score, double best, bool tie)
{
	return score > best || (score >= best && tie);
}

static int keep_dep(hp_trainer *t, hp_tried *out, hp_error *err)
{
	hp_progress *p = &t->progress;

	out->better = above(out->dev.las, p->best_las, out->dev.uas > p->best_uas);
	if (!out->better)
		return 0;
	if (t->lexicon.pos != HP_POS_NONE && t->hyper.tag_drop > 0 && score(t, true, &out->without_tags, err) != 0)
		return HP_FAIL;
	if (save_model(t, t->setup->output, out, err) != 0)
		return HP_FAIL;
	p->best_las = out->dev.las;
	p->best_uas = out->dev.uas;
	p->best_step = p->step;
	return 0;
}

/* One model by Span, one by Relation. */
static int keep_rst(hp_trainer *t, hp_tried *out, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	const hp_score *dev = &out->dev;
	hp_progress *p = &t->progress;

	out->span =
		above(dev->span, p->best_uas, above(dev->relation, p->span_relation, dev->nuclearity > p->span_nuclearity));
	out->relation = above(dev->relation, p->best_las, dev->span > p->relation_span);
	out->better = out->span || out->relation;
	if (out->span && save_model(t, s->output, out, err) != 0)
		return HP_FAIL;
	if (out->relation && s->output_relation && save_model(t, s->output_relation, out, err) != 0)
		return HP_FAIL;
	if (out->span) {
		p->best_uas = dev->span;
		p->span_relation = dev->relation;
		p->span_nuclearity = dev->nuclearity;
		p->best_step = p->step;
	}
	if (out->relation) {
		p->best_las = dev->relation;
		p->relation_span = dev->span;
		p->relation_step = p->step;
	}
	return 0;
}

const char *hp_tried_name(const hp_tried *tried)
{
	static const char *const names[] = {"", "span", "relation", "span relation"};

	return names[tried->span + 2 * tried->relation];
}

int hp_trainer_evaluate(hp_trainer *t, hp_tried *out, hp_error *err)
{
	int status;

	memset(out, 0, sizeof *out);
	swap_average(t);
	status = score(t, false, &out->dev, err);
	if (status == 0)
		status = t->rst ? keep_rst(t, out, err) : keep_dep(t, out, err);
	hp_arena_reset(t->scratch);
	swap_average(t);
	hp_schedule_evaluated(&t->schedule, &t->hyper, out->better);
	return status;
}
