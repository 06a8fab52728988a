/* task-tag.c: hp-tag: words get tags and lemmas; hp-segment: which of them begin elementary discourse units. */
#include "filter.h"
#include "text/marks.h"
#include "text/values.h"

int tag_open(filter *f, hp_error *err)
{
	if (hp_tag_model_open(f->model_name, f->stage == FILTER_TAG ? HP_TASK_TAG : HP_TASK_SEGMENT, &f->tagging.model,
	                      err) != 0 ||
	    filter_check_model(f, err) != 0)
		return HP_FAIL;
	return (f->int8 ? hp_tag_model_round : hp_tag_model_split)(f->tagging.model, err);
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
	size_t words = 0;
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
		words += (size_t)s->words;
	}
	if (f->stage == FILTER_SEGMENT) {
		float *prob = HP_NEW(f->arena, float, words);
		f->tagging.next_prob = prob;
		return prob ? hp_segment_sentences(&tagging, f->arena, n, tokens, prob, err) : hp_fail_memory(err);
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

static int print_edus(filter *f, filter_item *item, hp_error *err)
{
	const hp_sentence *s = &item->sentence;
	const float *prob = f->tagging.next_prob;
	bool *begins = HP_NEW(f->arena, bool, (size_t)s->words);
	float *chosen = HP_NEW(f->arena, float, (size_t)s->words);

	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	f->tagging.next_prob += s->words;
	for (int i = 0; i < s->words; i++) {
		begins[i] = prob[i] >= HP_SEGMENT_LEAST;
		chosen[i] = begins[i] ? prob[i] : 1 - prob[i];
	}
	if (f->tagging.keep && hp_marks_any(s))
		hp_marks_read(s, begins);
	return f->tagging.edus ? hp_marks_write_edus(s, begins, stdout, err)
	                       : hp_marks_write(s, f->input, begins, f->scores ? chosen : NULL, stdout, err);
}

const filter_task filter_segment = {
	.size = size, .begin = begin, .step = {[FILTER_SEGMENT] = {.compute = compute, .print = print_edus}}};
