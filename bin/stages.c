/* stages.c: what each stage computes of a batch, by the library's functions of the same names, from columns to columns. */
#include "filter.h"

/* The batch as the network sees it; sample is NULL after failure. */
static hp_sentences sentences(const filter *f, hp_error *err)
{
	const filter_batch *b = &f->batch;
	hp_sample *sample = HP_NEW0(f->arena, hp_sample, b->count), *next = sample;
	const int32_t *ends = b->column[RECORD_ENDS].whole;

	if (!sample)
		(void)hp_fail_memory(err);
	for (int i = 0; i < b->items && sample; i++) {
		const filter_item *item = &b->item[i];

		if (item->n == 0)
			continue;
		*next = (hp_sample){.rows = item->n, .units = item->n};
		if (!filter_task_of(f)->root) {
			next->units = item->edus.edus;
			next->ends = ends;
			ends += item->edus.edus;
		}
		next++;
	}
	return (hp_sentences){.count = b->count, .sample = sample};
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

int filter_look_up(filter *f, const hp_tokens *tokens, hp_error *err)
{
	hp_sentences in = {.count = f->batch.count, .tokens = tokens};

	return hp_embed(f->model->net, f->pool, f->arena, &in, f->batch.column[RECORD_X].real, err);
}

int filter_encode(filter *f, hp_error *err)
{
	hp_sentences in = sentences(f, err);
	const record_column *c = f->batch.column;

	if (!in.sample)
		return HP_FAIL;
	return hp_encode(f->model->net, f->pool, f->arena, &in, c[RECORD_X].real, c[RECORD_H].real, c[RECORD_INIT].real,
	                 err);
}

int filter_decode(filter *f, hp_error *err)
{
	hp_sentences in = sentences(f, err);
	hp_trees out = trees(f);
	const record_column *c = f->batch.column;

	if (!in.sample)
		return HP_FAIL;
	return hp_decode(f->model->net, f->pool, f->arena, &in, c[RECORD_H].real, c[RECORD_INIT].real, f->beam, &out, err);
}

int filter_label(filter *f, hp_error *err)
{
	hp_sentences in = sentences(f, err);
	hp_trees tree = trees(f);
	const record_column *c = f->batch.column;

	if (!in.sample)
		return HP_FAIL;
	return hp_label(f->model->net, f->pool, f->arena, &in, c[RECORD_H].real, &tree, f->model->special,
	                c[RECORD_LABELS].whole, c[RECORD_LABEL_LOGP].real, err);
}
