/* task-rst.c: the stages of a discourse model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter.h"

/* Layers of x: a model's own embeddings have no such dimension. */
static int layers(const filter *f)
{
	const hp_net_config *c = &f->model->config;

	return f->stage == FILTER_EMBED ? 0 : c->input == HP_INPUT_STREAM ? c->stream_layers : 1;
}

static int64_t size(const filter *f, const filter_item *item, record_size what)
{
	const hp_elmo *elmo = f->embed.elmo;
	static const hp_net_config none = {0}; /* ELMo needs no model */
	const hp_net_config *c = elmo ? &none : &f->model->config;

	switch (what) {
	case SIZE_CHOICES:
		return item->edus.edus - 1;
	case SIZE_LAYERS:
		return elmo ? hp_elmo_layers(elmo) + 1 : layers(f);
	case SIZE_INPUT:
		return elmo ? hp_elmo_width(elmo) : (int64_t)hp_config_shape(c).X;
	case SIZE_PARTS:
		return c->layers;
	default: /* state, start */
		return (int64_t)hp_members(c->members) * c->hidden;
	}
}

/* `text`: EDUs as `ends` has them. */
static int parse_text(const filter *f, filter_item *item, hp_error *err)
{
	const record_column *c = &f->batch.column[RECORD_ENDS];
	int edus = item->edus.edus;
	const int32_t *ends = c->whole + c->used - edus;
	const hp_tensor *text;
	hp_error inner;

	if (record_text(f, item, &text, err) != 0)
		return HP_FAIL;
	if (hp_edus_parse(text->data, text->bytes, (hp_edus_source){"text", 1, 1, 0}, f->arena, &item->edus, NULL,
	                  &inner) != 0)
		return record_bad(f, item, err, "%s", inner.text);
	if (item->edus.edus != edus)
		return record_bad(f, item, err, "`text` has %d EDUs, `ends` has %d", item->edus.edus, edus);
	if (memcmp(item->edus.ends, ends, (size_t)edus * sizeof(int32_t)) != 0)
		return record_bad(f, item, err, "the EDUs of `text` do not have as many words as `ends` says");
	return 0;
}

/* A record with `text` alone: remarks, or what could not be parsed; else its tree is missing. */
static int check_alone(const filter *f, filter_item *item, hp_error *err)
{
	const hp_tensor *text;

	if (record_text(f, item, &text, err) != 0)
		return HP_FAIL;
	const char *p = text->data, *end = p + text->bytes, *stop;
	for (; p < end && !item->unparsed; p = stop ? stop + 1 : end) {
		if (*p != '#' && *p != '\n')
			return record_bad(f, item, err, "`text` has EDUs, but the record has no other tensor");
		stop = memchr(p, '\n', (size_t)(end - p));
	}
	return 0;
}

static int begin(filter *f, filter_item *item, hp_error *err)
{
	static const record_need ends[] = {{RECORD_ENDS, RECORD_MUST}, {RECORD_NONE, RECORD_MUST}};
	static const record_need both[] = {{RECORD_ENDS, RECORD_MUST},
	                                   {RECORD_SENT_END, RECORD_MAY},
	                                   {RECORD_PARAGRAPH, RECORD_MAY},
	                                   {RECORD_NONE, RECORD_MUST}};

	if (item->n == 0)
		return f->text ? check_alone(f, item, err) : 0;
	if (record_take(f, item, f->stage == FILTER_ENCODE ? both : ends, err) != 0)
		return HP_FAIL;
	return f->text ? parse_text(f, item, err) : 0;
}

/* ---- embed ---- */

/* By ELMo: x of each sentence [layers × words × width], one after another. */
static int embed_elmo(filter *f, hp_error *err)
{
	const filter_batch *b = &f->batch;
	const hp_elmo *elmo = f->embed.elmo;
	hp_elmo_sentence *sentences = HP_NEW(f->arena, hp_elmo_sentence, b->count), *next = sentences;
	hp_elmo_word *words = HP_NEW(f->arena, hp_elmo_word, b->rows);
	size_t numbers = (size_t)(hp_elmo_layers(elmo) + 1) * (size_t)hp_elmo_width(elmo);
	float *x = b->column[RECORD_X].real;

	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	for (int i = 0; i < b->items; i++) {
		const filter_item *item = &b->item[i];

		if (item->n == 0)
			continue;
		*next++ = (hp_elmo_sentence){item->n, words, x};
		for (int k = 0; k < item->n; k++) {
			const hp_word *word = &item->sentence.word[k];
			*words++ = (hp_elmo_word){word->col[HP_FORM], word->len[HP_FORM]};
		}
		x += (size_t)item->n * numbers;
	}
	return hp_elmo_run(elmo, f->pool, f->arena, f->embed.carried, b->count, sentences, err);
}

static int embed(filter *f, hp_error *err)
{
	return f->embed.elmo ? embed_elmo(f, err) : stage_embed(f, err);
}

/* ---- trees as text ---- */

/* LABEL_LOGP NULL: without relations. */
static void print_scores(const filter *f, const hp_rst_split *split, int n, const float *label_logp)
{
	const float *logp = record_reals(f, RECORD_LOGP);

	for (int i = 0; i < n; i++) {
		printf("# split %d-%d-%d", split[i].first + 1, split[i].mid + 1, split[i].last + 1);
		if (!isnan(logp[i]))
			printf(" SplitProb=%.4f", (double)expf(logp[i]));
		if (label_logp)
			printf(" LabelProb=%.4f", (double)expf(label_logp[i]));
		putchar('\n');
	}
}

/* In the notation that is asked for.  A sentence's brackets are a line without comments, as published parsers print them. */
static int write_tree(filter *f, const filter_item *item, const hp_rst_binary *b, hp_error *err)
{
	hp_rst_tree t;
	hp_error why;
	int status;

	hp_rst_tree_init(&t);
	status = hp_rst_binary_tree(b, &t, &why);
	if (f->notation == HP_RST_BRACKETS && !t.document)
		t.id = NULL;
	if (status == 0)
		status = hp_rst_write((hp_rst_notation)f->notation, &t, f->written++, stdout, &why);
	hp_rst_tree_free(&t);
	return status == 0 ? 0 : ferror(stdout) ? hp_fail(err, "%s", why.text) : record_bad(f, item, err, "%s", why.text);
}

/* LABELS NULL: without relations. */
static int print_tree(filter *f, const filter_item *item, const int32_t *labels, const float *label_logp, hp_error *err)
{
	int n = item->edus.edus - 1;
	const int32_t *splits = record_wholes(f, RECORD_SPLITS);
	hp_rst_split *split = HP_NEW(f->arena, hp_rst_split, n + 1);
	const char **label = HP_NEW(f->arena, const char *, n + 1);
	hp_rst_binary *b;

	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	for (int i = 0; i < n; i++) {
		split[i] = (hp_rst_split){splits[3 * i], splits[3 * i + 1], splits[3 * i + 2]};
		label[i] = labels ? hp_vocab_at(f->model->labels, labels[i], NULL) : "__NN";
	}
	if (hp_rst_binary_make(item->edus.id, n + 1, item->edus.text, split, label, &b, err) != 0)
		return HP_FAIL;
	b->document = item->edus.document;
	b->sents = item->edus.sents;
	b->sent_end = item->edus.sent_end;
	if (item->edus.document)
		b->paragraph = item->edus.paragraph;
	if (f->scores || item->rank > 0)
		hp_score_write(stdout, item->rank, record_reals(f, RECORD_SCORE));
	if (f->scores)
		print_scores(f, split, n, label_logp);
	int result = write_tree(f, item, b, err);
	hp_rst_binary_destroy(b);
	return result;
}

static int print(filter *f, filter_item *item, hp_error *err)
{
	return print_tree(f, item, NULL, NULL, err);
}

static int print_labelled(filter *f, filter_item *item, hp_error *err)
{
	const float *logp = record_reals(f, RECORD_LABEL_LOGP);

	if (record_check(f, item, "the log-probability of a label", (size_t)item->edus.edus - 1, logp, err) != 0)
		return HP_FAIL;
	return print_tree(f, item, record_wholes(f, RECORD_LABELS), logp, err);
}

const filter_task filter_rst = {
	.root = 0,
	.size = size,
	.begin = begin,
	.step =
		{[FILTER_EMBED] = {.make = {RECORD_X, RECORD_FIXED, RECORD_ENDS, RECORD_SENT_END, RECORD_PARAGRAPH,
                                    RECORD_TEXT},
                           .compute = embed},
         [FILTER_ENCODE] = {.need = {{RECORD_X, RECORD_MUST}},
                            .make = {RECORD_H, RECORD_INIT},
                            .compute = stage_encode},
         [FILTER_DECODE] = {.need = {{RECORD_INIT, RECORD_MUST}, {RECORD_H, RECORD_MUST}, {RECORD_FIXED, RECORD_MAY}},
                            .make = {RECORD_LOGP, RECORD_SCORE, RECORD_SPLITS},
                            .compute = stage_decode,
                            .print = print},
         [FILTER_LABEL] = {.need = {{RECORD_SPLITS, RECORD_MUST},
                                    {RECORD_LOGP, RECORD_MAY},
                                    {RECORD_H, RECORD_MUST},
                                    {RECORD_SCORE, RECORD_SCORES}},
                           .make = {RECORD_LABELS, RECORD_LABEL_LOGP},
                           .compute = stage_label,
                           .print = print_labelled}},
};
