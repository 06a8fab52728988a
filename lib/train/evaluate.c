/* evaluate.c: scoring a training's network on dev, and saving it if it is the best so far. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "train/store.h"
#include "train/trainer.h"

static void swap_average(hp_trainer *t)
{
	for (size_t i = 0; t->adam.average && i < t->params->total; i++) {
		float value = t->params->values[i];
		t->params->values[i] = t->adam.average[i];
		t->adam.average[i] = value;
	}
}

enum { OWN_META = 8 + HP_SCORES };

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
	META("train.precision", "%s", hp_trainer_precision(t));
	META("train.data", "%016" PRIx64, t->data_hash);
	META("train.batches", "%" PRId64, t->progress.step);
	META("train.epochs", "%d", t->progress.epoch + hp_trainer_epoch_ended(t));
	for (int i = 0; i <= HP_SCORES && t->task->column[i]; i++) {
		bool hidden = i >= t->task->scores && tried->without_tags.words;
		const hp_score *from = hidden ? &tried->without_tags : &tried->dev;
		/* "dev_uas" of the log is "dev.uas" here. */
		double percent = from->percent[i < t->task->scores ? i : t->task->scores - 1];
		if (isnan(percent))
			continue;
		snprintf(name[at], sizeof name[at], "dev.%s", t->task->column[i] + strlen("dev_"));
		snprintf(text[at++], HP_HYPER_TEXT, "%.2f", percent);
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
	const hp_store_notes notes = {s->id, at, key, value};
	status = t->task->store(t, path, &notes, err);
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

static int keep_one(hp_trainer *t, hp_tried *out, hp_error *err)
{
	hp_progress *p = &t->progress;

	out->better = above(out->dev.percent[t->task->scores - 1], p->best_last, out->dev.percent[0] > p->best_first);
	if (!out->better)
		return 0;
	if (t->task->score_without_tags && t->task->score_without_tags(t, &out->without_tags, err) != 0)
		return HP_FAIL;
	if (save_model(t, t->setup->output, out, err) != 0)
		return HP_FAIL;
	p->best_last = out->dev.percent[t->task->scores - 1];
	p->best_first = isnan(out->dev.percent[0]) ? -1 : out->dev.percent[0];
	p->best_step = p->step;
	return 0;
}

/* One model by the first score (Span), another one by the last one (Relation). */
static int keep_two(hp_trainer *t, hp_tried *out, hp_error *err)
{
	const hp_trainer_setup *s = t->setup;
	const hp_score *dev = &out->dev;
	hp_progress *p = &t->progress;

	out->span = above(dev->percent[0], p->best_first,
	                  above(dev->percent[2], p->span_relation, dev->percent[1] > p->span_nuclearity));
	out->relation = above(dev->percent[2], p->best_last, dev->percent[0] > p->relation_span);
	out->better = out->span || out->relation;
	if (out->span && save_model(t, s->output, out, err) != 0)
		return HP_FAIL;
	if (out->relation && s->output_relation && save_model(t, s->output_relation, out, err) != 0)
		return HP_FAIL;
	if (out->span) {
		p->best_first = dev->percent[0];
		p->span_relation = dev->percent[2];
		p->span_nuclearity = dev->percent[1];
		p->best_step = p->step;
	}
	if (out->relation) {
		p->best_last = dev->percent[2];
		p->relation_span = dev->percent[0];
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
	status = t->task->score_dev(t, &out->dev, err);
	if (status == 0)
		status = t->task->two_models ? keep_two(t, out, err) : keep_one(t, out, err);
	hp_arena_reset(t->scratch);
	swap_average(t);
	hp_schedule_evaluated(&t->schedule, &t->hyper, out->better);
	return status;
}
