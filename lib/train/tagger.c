/* tagger.c: training a tagger or a segmenter. */
#include "train/tagger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nn/digits.h"
#include "train/hide.h"
#include "train/store_words.h"

enum { MEAN = HP_TAG_COLUMNS }; /* the score of all columns, by which the best model is chosen */

static int read_words(const hp_bank_files *files, const hp_hyper *h, int max_words, hp_treebank *out, hp_error *err)
{
	return h->task == HP_TASK_SEGMENT ? hp_treebank_read_units(files, h->trees, max_words, out, err)
	                                  : hp_treebank_read_words(files, max_words, out, err);
}

static hp_tag_config net_config(const hp_trainer *t)
{
	const hp_tagger *g = t->work;
	const hp_lexicon *lex = &g->data.lexicon;
	const hp_hyper *h = &t->hyper;
	bool segment = h->task == HP_TASK_SEGMENT;
	hp_tag_config c = {.task = h->task,
	                   .embedding = {.words = hp_vocab_count(lex->words),
	                                 .word_dim = h->word_dim,
	                                 .chars = hp_vocab_count(lex->chars),
	                                 .char_dim = h->char_dim,
	                                 .char_filters = h->char_filters,
	                                 .char_window = h->char_window,
	                                 .tags = segment ? hp_vocab_count(lex->tags) : 0,
	                                 .pos_dim = segment ? h->pos_dim : 0,
	                                 .tags_each = lex->clues},
	                   .members = h->members > 1 ? h->members : 0,
	                   .own_embeddings = h->own_embeddings,
	                   .hidden = h->hidden,
	                   .layers = h->layers};

	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		c.values[k] = g->values.name[k] ? hp_vocab_count(g->values.name[k]) : 0;
	if (segment)
		c.values[0] = 2;
	return c;
}

int hp_tagger_open(hp_trainer *t, hp_error *err)
{
	hp_tagger *g = t->work = calloc(1, sizeof *g);

	if (!g || !(g->arena = hp_arena_new()))
		return hp_fail_memory(err);
	if (t->setup->init)
		return hp_fail(err, "--init is for parsers");
	if (hp_train_data_read(t, read_words, &g->data, err) != 0)
		return HP_FAIL;
	if (!(g->words = hp_lexicon_all_words(&g->data.lexicon)))
		return hp_fail_memory(err);
	if ((t->hyper.task == HP_TASK_SEGMENT ? hp_segmenter_gold(g, err) : hp_tagger_values(g, t->scratch, err)) != 0)
		return HP_FAIL;
	hp_treebank_free(&g->data.train_bank);
	hp_tag_config c = net_config(t);
	if (hp_tag_config_check(&c, t->setup->train.trees[0], err) != 0 || hp_tag_net_new(&c, &g->net, err) != 0)
		return HP_FAIL;
	t->params = &g->net->params;
	hp_tag_net_init(g->net, t->setup->seed);
	hp_train_data_start(&g->data, t->params);
	return 0;
}

void hp_tagger_close(hp_trainer *t)
{
	hp_tagger *g = t->work;

	if (!g)
		return;
	hp_tag_net_destroy(g->net);
	hp_vocab_destroy(g->words);
	hp_tag_values_free(&g->values);
	hp_train_data_free(&g->data);
	hp_arena_destroy(g->arena);
	free(g);
}

/* ---- a step ---- */

int hp_tagger_step(hp_trainer *t, int count, const int *sentence, hp_train_loss *out, hp_error *err)
{
	const hp_progress *at = &t->progress;
	const hp_hyper *h = &t->hyper;
	hp_tagger *g = t->work;
	const hp_tag_dropout dropout = {.word = h->drop_embeddings,
	                                .character = h->drop_embeddings,
	                                .tags = h->drop_embeddings,
	                                .hidden = h->drop_lstm_hidden,
	                                .layers = h->drop_lstm_layers,
	                                .seed = t->setup->seed,
	                                .batch = (uint64_t)at->step};
	const int32_t *const **gold = HP_NEW(t->scratch, const int32_t *const *, (size_t)count);
	double loss[HP_TAG_COLUMNS];
	hp_taken taken;
	hp_rng rng;

	*out = (hp_train_loss){0};
	if (!gold)
		return hp_fail_memory(err);
	if (hp_corpus_take(&g->data.train, t->scratch, count, sentence, &taken, err) != 0)
		return HP_FAIL;
	hp_rng_seed(&rng, t->setup->seed, HP_STREAM(HP_PURPOSE_HIDE, at->epoch, at->batch));
	for (int i = 0; i < count; i++) {
		const hp_tokens *whole = &g->data.train.tokens[sentence[i]];
		gold[i] = (const int32_t *const *)g->gold[sentence[i]];
		if (hp_hide(&g->data.lexicon, h, &rng, t->scratch, whole, &taken.tokens[i], err) != 0)
			return HP_FAIL;
		out->words += whole->n;
	}
	const hp_tag_batch batch = {count, taken.tokens, gold, g->data.lexicon.vectors.values, h->label_smoothing};
	/* The gradient is that of the mean over the batch's sentences. */
	if (hp_tag_train(g->net, t->pool, t->scratch, &batch, &dropout, 1.0f / (float)count, loss, err) != 0)
		return HP_FAIL;
	/* The loss told is that of one member. */
	out->part[0] = (loss[HP_TAG_UPOS] + loss[HP_TAG_XPOS] + loss[HP_TAG_FEATS]) / g->net->members;
	out->part[1] = loss[HP_TAG_LEMMA] / g->net->members;
	out->steps = out->words;
	return 0;
}

/* ---- scores ---- */

/* Counts what is right; as in the CoNLL 2018 scorer anything is right where the treebank has the lemma "_". */
static void count_right(const hp_sentence *s, const hp_new_value *value, int64_t right[HP_TAG_COLUMNS])
{
	for (int i = 0; i < s->words; i++, value += HP_TAG_COLUMNS)
		for (int k = 0; k < HP_TAG_COLUMNS; k++) {
			const char *gold = s->word[i].col[hp_tagged_column[k]];
			size_t size = s->word[i].len[hp_tagged_column[k]];
			right[k] += (k == HP_TAG_LEMMA && size == 1 && *gold == '_') ||
			            (value[k].size == size && memcmp(value[k].text, gold, size) == 0);
		}
}

/* Sentences FIRST ... END - 1. */
static int score_some(const hp_tagging *how, hp_arena *scratch, const hp_treebank *bank, const hp_corpus *c, int first,
                      int end, int64_t right[HP_TAG_COLUMNS], hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	const hp_sentence **sentence = HP_NEW(scratch, const hp_sentence *, (size_t)(end - first));
	hp_new_value *value;

	if (!sentence)
		return hp_fail_memory(err);
	for (int i = first; i < end; i++)
		sentence[i - first] = &bank->sent[i];
	if (hp_tag_sentences(how, scratch, end - first, sentence, c->tokens + first, &value, err) != 0)
		return HP_FAIL;
	for (int i = first; i < end; i++) {
		count_right(&bank->sent[i], value, right);
		value += (size_t)bank->sent[i].words * HP_TAG_COLUMNS;
	}
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_tagger_batch_end(const hp_treebank *bank, int first)
{
	int64_t words = 0;
	int end = first;

	do
		words += bank->sent[end++].words;
	while (end < bank->count && end - first < HP_BATCH_SENTENCES && words + bank->sent[end].words <= HP_BATCH_ROWS);
	return end;
}

int hp_tagger_score_tags(const hp_tagging *how, hp_arena *scratch, const hp_treebank *bank, const hp_corpus *c,
                         hp_score *out, hp_error *err)
{
	int64_t right[HP_TAG_COLUMNS] = {0};
	int columns = 0;
	double sum = 0;

	for (int first = 0, end; first < bank->count; first = end) {
		end = hp_tagger_batch_end(bank, first);
		if (score_some(how, scratch, bank, c, first, end, right, err) != 0)
			return HP_FAIL;
	}
	*out = (hp_score){.words = bank->words};
	for (int k = 0; k < HP_TAG_COLUMNS; k++) {
		out->percent[k] = how->values->name[k] ? 100.0 * (double)right[k] / (double)bank->words : NAN;
		sum += how->values->name[k] ? out->percent[k] : 0;
		columns += how->values->name[k] != NULL;
	}
	out->percent[MEAN] = sum / columns;
	return 0;
}

static hp_tagger_score *score_of(const hp_trainer *t)
{
	return t->hyper.task == HP_TASK_SEGMENT ? hp_segmenter_score : hp_tagger_score_tags;
}

int hp_tagger_score_dev(hp_trainer *t, hp_score *out, hp_error *err)
{
	hp_tagger *g = t->work;
	const hp_tagging how = {
		.net = g->net, .values = &g->values, .vectors = g->data.lexicon.vectors.values, .pool = t->pool};
	int status = HP_FAIL;

	if (hp_tag_net_prepare(g->net, err) == 0 && hp_params_split(&g->net->params, err) == 0)
		status = score_of(t)(&how, t->scratch, &g->data.dev_bank, &g->data.dev, out, err);
	hp_params_unsplit(&g->net->params);
	return status;
}

static int score_test(hp_trainer *t, const hp_tag_model *m, hp_score *out, hp_error *err)
{
	const hp_tagger *g = t->work;
	const hp_tagging how = {.net = m->net, .values = &m->values, .pool = t->pool};
	hp_lexicon lex = {.words = m->words,
	                  .chars = m->chars,
	                  .tags = m->tags,
	                  .clues = m->net->c.embedding.tags_each,
	                  .lower = m->lower};
	hp_corpus test;
	int status = hp_corpus_number(&lex, &g->data.test_bank, &test, err);

	if (status == 0)
		status = score_of(t)(&how, t->scratch, &g->data.test_bank, &test, out, err);
	hp_arena_reset(t->scratch);
	hp_corpus_free(&test);
	return status;
}

int hp_tagger_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err)
{
	hp_tag_model *model = NULL;
	char *name = hp_model_file(path);
	int status = HP_FAIL;

	if (!name)
		return hp_fail_memory(err);
	if (hp_tag_model_open(name, t->hyper.task, &model, err) == 0 && hp_tag_model_split(model, err) == 0)
		status = score_test(t, model, out, err);
	hp_tag_model_close(model);
	free(name);
	return status;
}

/* ---- the model file ---- */

static int put_meta(void *arg, const char *key, const char *value, hp_error *err)
{
	return hp_storing_meta(arg, key, value, err);
}

static int add_params(hp_storing *s, const hp_tagger *g, hp_error *err)
{
	for (int i = 0; i < g->net->params.count; i++) {
		const hp_param *p = &g->net->params.item[i];
		if (strcmp(hp_param_role(p), "embed.word") == 0 ? hp_storing_words(s, &g->data.lexicon, p, g->words, err) != 0
		                                                : hp_storing_param(s, p, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

static int add_values(hp_storing *s, const hp_tagger *g, hp_error *err)
{
	static const char *const names[HP_TAG_COLUMNS] = {"vocab.upos", "vocab.xpos", "vocab.feats", "vocab.script"};
	const hp_tag_values *v = &g->values;

	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		if (v->name[k] && hp_storing_vocab(s, names[k], v->name[k], err) != 0)
			return HP_FAIL;
	if (v->sets > 0 && hp_storing_numbers(s, "tag.set", *v->set, HP_TAG_LEMMA * v->sets, err) != 0)
		return HP_FAIL;
	if (!v->name[HP_TAG_LEMMA])
		return 0;
	return hp_storing_vocab(s, "lemma.word", v->word, err) != 0
	           ? HP_FAIL
	           : hp_storing_numbers(s, "lemma.script", v->word_script, hp_vocab_count(v->word), err);
}

static int add_all(hp_storing *s, const hp_tagger *g, const hp_store_notes *notes, hp_error *err)
{
	hp_tag_config c = g->net->c;

	c.embedding.words = hp_vocab_count(g->words);
	if (hp_tag_config_write(&c, put_meta, s, err) != 0 || hp_storing_meta(s, "task", hp_task_name(c.task), err) != 0 ||
	    hp_storing_meta(s, "lower", g->data.lexicon.lower ? "1" : "0", err) != 0 ||
	    hp_storing_notes(s, notes, err) != 0 || add_params(s, g, err) != 0 ||
	    hp_storing_vocab(s, "vocab.word", g->words, err) != 0 ||
	    hp_storing_vocab(s, "vocab.char", g->data.lexicon.chars, err) != 0)
		return HP_FAIL;
	return c.task == HP_TASK_SEGMENT ? hp_storing_vocab(s, "vocab.tag", g->data.lexicon.tags, err)
	                                 : add_values(s, g, err);
}

int hp_tagger_store(const hp_trainer *t, const char *path, const hp_store_notes *notes, hp_error *err)
{
	const hp_tagger *g = t->work;
	hp_storing *s = NULL;
	int status = hp_storing_new(t->hyper.store_half, t->hyper.store_bytes, &s, err);

	if (status == 0)
		status = add_all(s, g, notes, err);
	if (status == 0)
		status = hp_storing_save(s, notes->id, path, err);
	hp_storing_destroy(s);
	return status;
}

const hp_train_task hp_train_tag = {
	.scores = 5,
	.score = {"UPOS", "XPOS", "UFeats", "Lemmas", "Mean"},
	.column = {"dev_upos", "dev_xpos", "dev_feats", "dev_lemmas", "dev_mean"},
	.loss = {"tag_loss", "lemma_loss"},
	.item = "words",
	.open = hp_tagger_open,
	.close = hp_tagger_close,
	.step = hp_tagger_step,
	.score_dev = hp_tagger_score_dev,
	.store = hp_tagger_store,
	.test = hp_tagger_test,
};
