/* eval-segment.c: hp-eval on beginnings of elementary discourse units. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <string.h>
#include "eval.h"
#include "cli.h"
#include "eval/segments.h"

/* The group of the document that SENTENCE is of; --by takes nothing but genres. */
static int add_to_groups(eval_run *r, const hp_segments *gold, int sentence, const hp_tally *scores, hp_error *err)
{
	for (int i = 0; i < r->o->bys; i++) {
		size_t size;
		const char *genre = hp_genre(gold->document[sentence], &size);
		hp_tally *group = hp_breakdown_at(r->by[i], genre, size);

		if (!group)
			return hp_fail_memory(err);
		hp_tally_add(group, scores, HP_SEGMENTS_METRICS);
	}
	return 0;
}

static int score_read_texts(eval_run *r, const hp_segments *text, hp_arena *arena, hp_error *err)
{
	hp_tally(*by_system[HP_EVAL_FILES - 1])[HP_SEGMENTS_METRICS];

	for (int k = 0; k < r->systems; k++)
		if (hp_segments_score(text, &text[k + 1], arena, &by_system[k], err))
			return HP_FAIL;
	for (int i = 0; i < text->text.sentences; i++) {
		hp_tally scores[HP_EVAL_FILES - 1][MOST_METRICS];

		for (int k = 0; k < r->systems; k++)
			memcpy(scores[k], by_system[k][i], sizeof by_system[k][i]);
		if (add_to_groups(r, text, i, scores[0], err) || eval_add(r, scores, err))
			return HP_FAIL;
	}
	return 0;
}

static int score_files(eval_run *r, hp_error *err)
{
	hp_segments text[HP_EVAL_FILES] = {0};
	hp_arena *arena = hp_arena_new();
	int status = arena ? 0 : hp_fail_memory(err);

	for (int k = 0; !status && k <= r->systems; k++)
		status = hp_segments_read(&text[k], r->in[k], r->o->max_words, err);
	if (!status)
		status = score_read_texts(r, text, arena, err);
	for (int k = 0; k <= r->systems; k++)
		hp_segments_free(&text[k]);
	hp_arena_destroy(arena);
	return status;
}

static int count(eval_run *r, hp_error *err)
{
	r->report.metrics = hp_segments_metrics;
	r->report.count = HP_SEGMENTS_METRICS;
	r->report.task = "segment";
	r->left_out = strdup("");
	if (!r->left_out)
		return hp_fail_memory(err);
	for (int i = 0; i < r->o->bys; i++) {
		r->by[i] = hp_breakdown_new(HP_SEGMENTS_METRICS);
		if (!r->by[i])
			return hp_fail_memory(err);
		r->parts[i] = (hp_report_part){
			.by = "genre", .groups = r->by[i], .metrics = hp_segments_metrics, .count = HP_SEGMENTS_METRICS};
	}
	if (score_files(r, err))
		return HP_FAIL;
	for (int i = 0; i < r->o->bys; i++)
		hp_breakdown_sort(r->by[i]);
	return 0;
}

const eval_task eval_segment = {"segmented", count};
