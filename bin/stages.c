/* stages.c: what each stage computes of a batch, by the library's functions of the same names, from columns to columns. */
#include "filter.h"

/* The batch as the network sees it; sample is NULL after failure. */
static hp_sentences sentences(const filter *f, hp_error *err)
{
	const filter_batch *b = &f->batch;
	hp_sample *sample = HP_NEW0(f->arena, hp_sample, b->count), *next = sample;
	const int32_t *ends = b->column[RECORD_ENDS].whole, *fixed = b->column[RECORD_FIXED].whole;
	const int32_t *sent_end = b->column[RECORD_SENT_END].whole, *paragraph = b->column[RECORD_PARAGRAPH].whole;

	if (!sample)
		(void)hp_fail_memory(err);
	for (int i = 0; i < b->items && sample; i++) {
		const filter_item *item = &b->item[i];

		if (item->n == 0)
			continue;
		*next = (hp_sample){.rows = item->n, .units = filter_task_of(f)->root ? item->n : item->edus.edus};
		for (int k = 0; fixed && k < next->units && !next->fixed; k++)
			next->fixed = fixed[k] >= 0 ? fixed : NULL;
		fixed = fixed ? fixed + next->units : NULL;
		if (!filter_task_of(f)->root) {
			next->ends = ends;
			ends += item->edus.edus;
			next->paragraph = paragraph;
			paragraph = paragraph ? paragraph + item->edus.edus : NULL;
			next->sents = sent_end ? item->edus.sents : 0; /* only encoding looks at sentences */
			next->sent_end = sent_end;
			sent_end = sent_end ? sent_end + next->sents : NULL;
		}
		next++;
	}
	return (hp_sentences){.count = b->count, .sample = sample};
}

static hp_parsing how_to_parse(const filter *f)
{
	return (hp_parsing){.net = f->model->net,
	                    .special = f->model->special,
	                    .beam = f->beam ? f->beam : f->model->beam,
	                    .pool = f->pool,
	                    .nbest = f->nbest};
}

/* The tree's column, and what goes with it. */
static hp_trees trees(const filter *f)
{
	const record_column *c = f->batch.column;
	bool dep = filter_task_of(f)->root;

	return (hp_trees){.tree = c[dep ? RECORD_HEADS : RECORD_SPLITS].whole,
	                  .logp = c[RECORD_LOGP].real,
	                  .d = dep ? c[RECORD_D].real : NULL,
	                  .score = c[RECORD_SCORE].real};
}

/* FOUND: trees of each sentence. */
static void keep_found(filter_batch *b, const int *found)
{
	for (int i = 0; i < b->items; i++)
		if (b->item[i].n > 0)
			b->item[i].found = *found++;
}

/* How many of the tags the model knows. */
static void count_tags(filter *f, const hp_sentence *s, const int32_t *tags)
{
	int column = hp_tag_column(f->model->pos);

	for (int i = 0; i < s->words && f->model->pos != HP_POS_NONE; i++) {
		f->embed.tags += s->word[i].len[column] != 1 || *s->word[i].col[column] != '_';
		f->embed.known_tags += tags[i] > HP_ID_UNKNOWN;
	}
}

int stage_embed(filter *f, hp_error *err)
{
	const hp_parsing how = how_to_parse(f);
	const filter_batch *b = &f->batch;
	int root = filter_task_of(f)->root;
	hp_tokens *tokens = HP_NEW(f->arena, hp_tokens, b->count), *next = tokens;
	hp_sentences in = {.count = b->count, .tokens = tokens};
	const hp_look_up look = hp_model_look_up(f->model);

	if (!tokens)
		return hp_fail_memory(err);
	for (int i = 0; i < b->items; i++) {
		const hp_sentence *s = &b->item[i].sentence;

		if (b->item[i].n == 0)
			continue;
		if (hp_look_up_tokens(&look, f->arena, s, next, err) != 0)
			return HP_FAIL;
		if (root)
			count_tags(f, s, next->pos + root);
		hp_coverage_add(&f->embed.coverage, &look, s, next);
		next++;
	}
	return hp_embed(&how, f->arena, &in, b->column[RECORD_X].real, err);
}

int stage_encode(filter *f, hp_error *err)
{
	const hp_parsing how = how_to_parse(f);
	hp_sentences in = sentences(f, err);
	const record_column *c = f->batch.column;

	if (!in.sample)
		return HP_FAIL;
	return hp_encode(&how, f->arena, &in, c[RECORD_X].real, c[RECORD_H].real, c[RECORD_INIT].real, err);
}

int stage_decode(filter *f, hp_error *err)
{
	const hp_parsing how = how_to_parse(f);
	hp_sentences in = sentences(f, err);
	hp_trees out = trees(f);
	const record_column *c = f->batch.column;

	if (!in.sample)
		return HP_FAIL;
	out.found = HP_NEW(f->arena, int, f->batch.count);
	if (!out.found)
		return hp_fail_memory(err);
	if (hp_decode(&how, f->arena, &in, c[RECORD_H].real, c[RECORD_INIT].real, &out, err) != 0)
		return HP_FAIL;
	keep_found(&f->batch, out.found);
	return 0;
}

int stage_label(filter *f, hp_error *err)
{
	const hp_parsing how = how_to_parse(f);
	hp_sentences in = sentences(f, err);
	hp_trees tree = trees(f);
	const record_column *c = f->batch.column;

	if (!in.sample)
		return HP_FAIL;
	return hp_label(&how, f->arena, &in, c[RECORD_H].real, &tree, c[RECORD_LABELS].whole, c[RECORD_LABEL_LOGP].real,
	                err);
}
