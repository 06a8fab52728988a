/* task-dep.c: the stages of a dependency model. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter.h"

static int64_t size(const filter *f, const filter_item *item, record_size what)
{
	const hp_net_config *c = &f->model->config;
	const int64_t members = hp_members(c->members); /* their rows are side by side */

	switch (what) {
	case SIZE_CHOICES:
		return item->n;
	case SIZE_INPUT:
		return (int64_t)hp_config_shape(c).X;
	case SIZE_STATE:
		return members * 2 * c->hidden;
	case SIZE_PARTS:
		return 2;
	case SIZE_START:
		return members * c->decoder_hidden;
	default: /* layers */
		return 0;
	}
}

/* Parses `text`, which must have n - 1 words, into item->sentence. */
static int parse_text(const filter *f, filter_item *item, hp_error *err)
{
	const char *names = hp_safetensors_meta(item->record, "columns");
	const hp_tensor *text;
	hp_columns columns;
	hp_error inner;

	if (record_text(f, item, &text, err) != 0)
		return HP_FAIL;
	if (item->unparsed || (item->n == 0 && text->bytes == 0))
		return 0;
	if ((names && hp_columns_parse(names, strlen(names), "columns", 0, &columns, &inner) != 0) ||
	    hp_sentence_parse(&item->sentence, names ? &columns : NULL, text->data, text->bytes, "text", 1, INT_MAX,
	                      &inner) != 0)
		return record_bad(f, item, err, "%s", inner.text);
	const hp_sentence *s = &item->sentence;
	if (f->scores && s->columns.count > 0 && s->columns.at[HP_MISC] < 0)
		return record_bad(f, item, err, "a text without a column MISC, into which --scores could write");
	if (item->n == 0 && s->words > 0)
		return record_bad(f, item, err, "`text` has %d word%s, but the record has no other tensor", s->words,
		                  hp_plural(s->words));
	if (item->n > 0 && s->words != item->n - 1)
		return record_bad(f, item, err, "`text` has %d word%s, the other tensors have %d", s->words,
		                  hp_plural(s->words), item->n - 1);
	return 0;
}

static int begin(filter *f, filter_item *item, hp_error *err)
{
	if (f->notation != HP_RST_DIS)
		return hp_fail(err, "--%s is for discourse models, but %s is for the task %s",
		               hp_rst_notation_name[f->notation], f->model->path, f->model->task);
	return f->text ? parse_text(f, item, err) : 0;
}

/* ---- trees as text ---- */

/* With --scores: N probabilities in place of their logarithms; NULL: there are none. */
static float *probabilities(const filter *f, record_field field, int n)
{
	float *p = f->scores ? record_reals(f, field) : NULL;

	if (!p || isnan(p[0]))
		return NULL;
	for (int i = 0; i < n; i++)
		p[i] = expf(p[i]);
	return p;
}

/* LABELS NULL: none. */
static hp_found_tree found_tree(const filter *f, const filter_item *item, const char *const *labels)
{
	return (hp_found_tree){.heads = record_wholes(f, RECORD_HEADS),
	                       .labels = labels,
	                       .arc_prob = probabilities(f, RECORD_LOGP, item->n),
	                       .label_prob = labels ? probabilities(f, RECORD_LABEL_LOGP, item->n) : NULL,
	                       .score = f->scores || item->rank > 0 ? record_reals(f, RECORD_SCORE) : NULL,
	                       .rank = item->rank};
}

static int print(filter *f, filter_item *item, hp_error *err)
{
	const hp_found_tree tree = found_tree(f, item, NULL);

	return hp_sentence_write(&item->sentence, &tree, stdout, err);
}

static int print_labelled(filter *f, filter_item *item, hp_error *err)
{
	const char **names = HP_NEW(f->arena, const char *, item->n);
	const int32_t *labels = record_wholes(f, RECORD_LABELS);
	const float *logp = record_reals(f, RECORD_LABEL_LOGP);

	if (!names)
		return hp_fail_memory(err);
	names[0] = NULL;
	for (int i = 1; i < item->n; i++) {
		names[i] = hp_vocab_at(f->model->labels, labels[i], NULL);
		if (names[i] && record_check(f, item, "the log-probability of a label", 1, logp + i, err) != 0)
			return HP_FAIL;
	}
	const hp_found_tree tree = found_tree(f, item, names);
	return hp_sentence_write(&item->sentence, &tree, stdout, err);
}

const filter_task filter_dep = {
	.root = 1,
	.size = size,
	.begin = begin,
	.step =
		{[FILTER_EMBED] = {.make = {RECORD_X, RECORD_FIXED, RECORD_TEXT}, .compute = stage_embed},
         [FILTER_ENCODE] = {.need = {{RECORD_X, RECORD_MUST}},
                            .make = {RECORD_H, RECORD_INIT},
                            .compute = stage_encode},
         [FILTER_DECODE] = {.need = {{RECORD_H, RECORD_MUST}, {RECORD_INIT, RECORD_MUST}, {RECORD_FIXED, RECORD_MAY}},
                            .make = {RECORD_D, RECORD_LOGP, RECORD_SCORE, RECORD_HEADS},
                            .compute = stage_decode,
                            .print = print},
         [FILTER_LABEL] = {.need = {{RECORD_HEADS, RECORD_MUST},
                                    {RECORD_H, RECORD_MUST},
                                    {RECORD_D, RECORD_MUST},
                                    {RECORD_SCORE, RECORD_SCORES},
                                    {RECORD_LOGP, RECORD_SCORES}},
                           .make = {RECORD_LABELS, RECORD_LABEL_LOGP},
                           .compute = stage_label,
                           .print = print_labelled}},
};
