/* tokenizer.c: training a tokeniser: the treebank's text, its slices, a step, the model file. */
#include "train/tokenizer.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "base/grow.h"
#include "base/hash.h"
#include "train/counter.h"
#include "train/multiwords.h"
#include "train/store.h"

/* ---- data ---- */

static int read_file(const char *path, int max_words, hp_tok_gold *out, hp_bank_facts *facts, hp_error *err)
{
	hp_input *in;
	hp_conllu_reader *reader = NULL;
	hp_sentence s;
	int status = hp_input_open(path, &in, err);

	hp_sentence_init(&s);
	if (status == 0)
		status = hp_conllu_reader_new(in, HP_TEXT_CONLLU, max_words, &reader, err);
	while (status == 0 && (status = hp_conllu_read(reader, &s, err)) > 0) {
		status = hp_tok_gold_add(out, &s, err);
		hp_masked_add(&facts->masked, &s);
		facts->words += s.words;
	}
	hp_sentence_free(&s);
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	return status;
}

static int read_bank(const hp_trainer *t, const hp_bank_files *files, hp_tok_gold *out, hp_bank_facts *facts,
                     hp_error *err)
{
	int status = hp_tok_gold_init(out, err);

	for (int i = 0; files->trees && files->trees[i] && status == 0; i++) {
		int64_t before = out->sentences;
		status = read_file(files->trees[i], t->setup->max_words, out, facts, err);
		if (status == 0 && out->sentences == before)
			status = hp_fail(err, "%s: no sentences", files->trees[i]);
	}
	facts->count = (int)out->sentences;
	return status;
}

static uint64_t hash_gold(uint64_t h, const hp_tok_gold *g)
{
	h = hp_hash(h, g->text.text, g->text.size);
	h = hp_hash(h, g->gold, (size_t)g->text.count);
	for (int i = 0; i < g->multi; i++) {
		size_t size;
		const char *line = hp_vocab_at(g->lines, g->multi_line[i], &size);
		h = hp_hash(h, line, size + 1);
	}
	return h;
}

static int make_alphabet(hp_tokenizer *w, int min, hp_error *err)
{
	const hp_signs *text = &w->train.text;
	hp_counter counter;
	hp_vocab *chars = NULL;
	int status = hp_counter_init(&counter, err);

	for (int i = 0; i < text->count && status == 0; i++)
		if (!hp_sign_is_white(&text->sign[i]))
			status =
				hp_counter_add(&counter, text->text + text->sign[i].at, hp_sign_end(text, i) - text->sign[i].at, err);
	if (status == 0)
		status = hp_counter_vocab(&counter, min, false, &chars, NULL, err);
	hp_counter_free(&counter);
	return status == 0 ? hp_tok_alphabet_new(chars, "characters", &w->alphabet, err) : HP_FAIL;
}

/* ---- slices ---- */

static int add_slice(hp_tokenizer *w, hp_tok_slice slice, hp_error *err)
{
	size_t count = (size_t)w->slices + 1;

	if (!hp_grow(&w->slice, &w->slice_capacity, count, sizeof *w->slice) ||
	    !hp_grow(&w->rows, &w->row_capacity, count, sizeof *w->rows))
		return hp_fail_memory(err);
	w->rows[w->slices] = slice.to - slice.from;
	w->slice[w->slices++] = slice;
	return 0;
}

/* Paragraphs, long ones cut into equal parts of up to SIZE signs. */
static int cut(hp_tokenizer *w, int size, hp_error *err)
{
	const hp_signs *text = &w->train.text;

	for (int from = 0, to; from < text->count; from = to + 1) {
		for (to = from; to < text->count && text->sign[to].kind != HP_SIGN_PARAGRAPH; to++)
			;
		int length = to - from, parts = (length + size - 1) / size;
		for (int i = 0; i < parts; i++) {
			int at = from + (int)((int64_t)length * i / parts), end = from + (int)((int64_t)length * (i + 1) / parts);
			if (add_slice(w, (hp_tok_slice){at, end, i == 0, i == parts - 1}, err) != 0)
				return HP_FAIL;
		}
	}
	return 0;
}

/* ---- opening ---- */

static int make_net(hp_trainer *t, hp_error *err)
{
	hp_tokenizer *w = t->work;
	const hp_hyper *h = &t->hyper;
	hp_tok_sizes c = {.chars = hp_vocab_count(hp_tok_alphabet_chars(w->alphabet)) + 1,
	                  .dim = h->char_dim,
	                  .hidden = h->hidden,
	                  .layers = h->layers};

	if (hp_tok_net_make(&w->net, &c, err) != 0 || hp_params_alloc(&w->net.params, true, err) != 0)
		return HP_FAIL;
	hp_tok_net_init(&w->net, t->setup->seed);
	t->params = &w->net.params;
	return 0;
}

static int open_tokenizer(hp_trainer *t, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	hp_tokenizer *w = t->work = calloc(1, sizeof *w);

	if (!w)
		return hp_fail_memory(err);
	if (read_bank(t, &s->train, &w->train, &t->train, err) != 0 || read_bank(t, &s->dev, &w->dev, &t->dev, err) != 0 ||
	    read_bank(t, &s->test, &w->test, &t->test, err) != 0)
		return HP_FAIL;
	hp_hyper_derive(&t->hyper, t->train.count, t->train.words, &s->length);
	t->data_hash = hash_gold(hash_gold(HP_HASH_START, &w->train), &w->dev);
	if (make_alphabet(w, t->hyper.char_min, err) != 0 ||
	    hp_multiwords_learn(&w->train, s->train.trees[0], &w->expander, err) != 0 || cut(w, t->hyper.window, err) != 0)
		return HP_FAIL;
	t->items = w->slices;
	t->rows = w->rows;
	return make_net(t, err);
}

static void close_tokenizer(hp_trainer *t)
{
	hp_tokenizer *w = t->work;

	if (!w)
		return;
	hp_tok_gold_free(&w->train);
	hp_tok_gold_free(&w->dev);
	hp_tok_gold_free(&w->test);
	hp_tok_alphabet_destroy(w->alphabet);
	hp_expander_destroy(w->expander);
	hp_tok_net_free(&w->net);
	free(w->slice);
	free(w->rows);
	free(w);
}

/* ---- a step ---- */

/* How a slice is shown this time, so that what is learnt does not hang on it. */
typedef struct showing {
	bool small, large; /* all letters */
	int width; /* of lines, after which a blank is a line's end; 0: as they are */
} showing;

static showing choose(const hp_hyper *h, hp_rng *rng)
{
	float letters = hp_rng_uniform(rng);
	showing how = {.small = letters < h->recase / 2, .large = letters >= h->recase / 2 && letters < h->recase};

	if (hp_rng_uniform(rng) < h->rewrap)
		how.width = 40 + (int)hp_rng_below(rng, 60);
	return how;
}

static int32_t recased(const showing *how, int32_t code)
{
	return how->small ? utf8proc_tolower(code) : how->large ? utf8proc_toupper(code) : code;
}

/* Ends of slices within a paragraph are moved by the same number of signs wherever they meet. */
static hp_tok_slice moved(const hp_tokenizer *w, int i, int by)
{
	hp_tok_slice s = w->slice[i];

	s.from += s.first ? 0 : by;
	s.to += s.last ? 0 : by;
	return s;
}

static int make_window(const hp_trainer *t, hp_tok_slice slice, hp_rng *rng, hp_tok_window *out)
{
	const hp_tokenizer *w = t->work;
	int n = slice.to - slice.from, column = 0;
	int32_t *chr = HP_NEW(t->scratch, int32_t, (size_t)n);
	uint8_t *kind = HP_NEW(t->scratch, uint8_t, (size_t)n);
	showing how = choose(&t->hyper, rng);

	if (hp_arena_failed(t->scratch))
		return HP_FAIL;
	for (int i = 0; i < n; i++) {
		const hp_sign *sign = &w->train.text.sign[slice.from + i];
		int32_t code = recased(&how, sign->code);
		bool breaks = how.width && ++column >= how.width && sign->kind == HP_SIGN_BLANK;
		column = breaks ? 0 : column;
		kind[i] = breaks ? HP_SIGN_LINE : code != sign->code ? (uint8_t)utf8proc_category(code) : sign->kind;
		chr[i] = hp_rng_uniform(rng) < t->hyper.char_drop ? 0 : hp_tok_alphabet_row(w->alphabet, code);
	}
	*out = (hp_tok_window){.count = n, .chr = chr, .kind = kind, .gold = w->train.gold + slice.from};
	return 0;
}

static int step(hp_trainer *t, int count, const int *slice, hp_train_loss *out, hp_error *err)
{
	const hp_progress *at = &t->progress;
	hp_tokenizer *w = t->work;
	hp_tok_window *windows = HP_NEW(t->scratch, hp_tok_window, (size_t)count);
	hp_tok_loss loss = {0};
	hp_rng rng, epoch;

	if (!windows)
		return hp_fail_memory(err);
	hp_rng_seed(&epoch, t->setup->seed, HP_STREAM(HP_PURPOSE_HIDE, at->epoch, (1 << 28) - 1));
	hp_rng_seed(&rng, t->setup->seed, HP_STREAM(HP_PURPOSE_HIDE, at->epoch, at->batch));
	int by = (int)hp_rng_below(&epoch, (uint64_t)t->hyper.window / 4 + 1) - t->hyper.window / 8;
	for (int i = 0; i < count; i++)
		if (make_window(t, moved(w, slice[i], by), &rng, &windows[i]) != 0)
			return hp_fail_memory(err);
	const hp_tok_training training = {
		.net = &w->net, .pool = t->pool, .arena = t->scratch, .drop = t->hyper.drop_lstm_layers, .rng = &rng};
	if (hp_tok_learn(&training, count, windows, &loss, err) != 0)
		return HP_FAIL;
	*out = (hp_train_loss){.part = {loss.inside, loss.end}, .words = loss.tokens, .steps = loss.signs};
	return 0;
}

/* ---- the model file ---- */

static int store_number(hp_storing *s, const char *key, int number, hp_error *err)
{
	char text[16];

	snprintf(text, sizeof text, "%d", number);
	return hp_storing_meta(s, key, text, err);
}

static int store_all(const hp_tokenizer *w, hp_storing *s, const hp_store_notes *notes, hp_error *err)
{
	const hp_tok_sizes *c = &w->net.c;

	if (hp_storing_meta(s, "task", "tokenize", err) != 0 || store_number(s, "dim", c->dim, err) != 0 ||
	    store_number(s, "hidden", c->hidden, err) != 0 || store_number(s, "layers", c->layers, err) != 0 ||
	    store_number(s, "spaces", w->train.spaces, err) != 0 || hp_storing_notes(s, notes, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < w->net.params.count; i++)
		if (hp_storing_param(s, &w->net.params.item[i], err) != 0)
			return HP_FAIL;
	return hp_storing_vocab(s, "vocab.char", hp_tok_alphabet_chars(w->alphabet), err) != 0 ||
	               hp_storing_vocab(s, "multiword.table", hp_expander_table(w->expander), err) != 0 ||
	               hp_storing_vocab(s, "multiword.endings", hp_expander_endings(w->expander), err) != 0 ||
	               hp_storing_vocab(s, "multiword.sure", hp_expander_sure(w->expander), err) != 0
	           ? HP_FAIL
	           : 0;
}

static int store(const hp_trainer *t, const char *path, const hp_store_notes *notes, hp_error *err)
{
	hp_storing *s;

	if (hp_storing_new(t->hyper.store_half, false, &s, err) != 0)
		return HP_FAIL;
	int status = store_all(t->work, s, notes, err);
	if (status == 0)
		status = hp_storing_save(s, notes->id, path, err);
	hp_storing_destroy(s);
	return status;
}

const hp_train_task hp_train_tokenize = {
	.scores = 4,
	.score = {"Tokens", "Words", "Sentences", "all"},
	.column = {"dev_tokens", "dev_words", "dev_sentences", "dev_all"},
	.loss = {"inside_loss", "end_loss"},
	.item = "tokens",
	.open = open_tokenizer,
	.close = close_tokenizer,
	.step = step,
	.score_dev = hp_tokenizer_score_dev,
	.store = store,
	.test = hp_tokenizer_test,
};
