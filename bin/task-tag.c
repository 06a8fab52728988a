/* task-tag.c: hp-tag: words get tags and lemmas. */
#include "filter.h"
#include "text/values.h"

int tag_open(filter *f, hp_error *err)
{
	if (hp_tag_model_open(f->model_name, &f->tagging.model, err) != 0 || filter_check_model(f, err) != 0)
		return HP_FAIL;
	return f->int8 ? hp_tag_model_round(f->tagging.model, err) : 0;
}

/* Nothing of a tagged sentence is a tensor. */
static int64_t size(const filter *f, const filter_item *item, record_size what)
{
	(void)f;
	(void)item;
	(void)what;
	return 0;
}

static int begin(filter *f, filter_item *item, hp_error *err)
{
	(void)f;
	(void)item;
	(void)err;
	return 0;
}

static int compute(filter *f, hp_error *err)
{
	const filter_batch *b = &f->batch;
	const hp_tag_model *m = f->tagging.model;
	const hp_look_up how = hp_tag_model_look_up(m);
	const hp_tagging tagging = {.net = m->net, .values = &m->values, .pool = f->pool, .keep = f->tagging.keep};
	hp_tokens *tokens = HP_NEW(f->arena, hp_tokens, b->count);
	const hp_sentence **sentence = HP_NEW(f->arena, const hp_sentence *, b->count);
	hp_new_value *values;
	int n = 0;

	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	for (int i = 0; i < b->items; i++) {
		const hp_sentence *s = &b->item[i].sentence;

		if (b->item[i].n == 0)
			continue;
		if (hp_look_up_tokens(&how, f->arena, s, &tokens[n], err) != 0)
			return HP_FAIL;
		hp_coverage_add(&f->embed.coverage, &how, s, &tokens[n]);
		sentence[n++] = s;
	}
	if (hp_tag_sentences(&tagging, f->arena, n, sentence, tokens, &values, err) != 0)
		return HP_FAIL;
	f->tagging.next = values;
	return 0;
}

static int print(filter *f, filter_item *item, hp_error *err)
{
	static const hp_new_column columns[HP_TAG_COLUMNS] = {
		{HP_UPOS, "UPOSProb"}, {HP_XPOS, "XPOSProb"}, {HP_FEATS, "FeatsProb"}, {HP_LEMMA, "LemmaProb"}};
	const hp_new_value *values = f->tagging.next;

	f->tagging.next += (size_t)item->n * HP_TAG_COLUMNS;
	return hp_sentence_write_values(&item->sentence, HP_TAG_COLUMNS, columns, values, f->scores, stdout, err);
}

const filter_task filter_tag = {
	.size = size, .begin = begin, .step = {[FILTER_TAG] = {.compute = compute, .print = print}}};
