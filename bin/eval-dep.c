/* eval-dep.c: hp-eval on dependency trees. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "eval.h"
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const hp_bins *bins_of(const eval_options *o, hp_by by)
{
	return by == HP_BY_LENGTH ? &o->length_bins : by == HP_BY_DEPTH ? &o->depth_bins : &o->arc_bins;
}

/* Words of the gold file. */
typedef struct gold_words {
	int64_t all, left_out;
	int64_t open; /* without a relation */
} gold_words;

static int score_sentence(eval_run *r, const hp_aligned_words *files, hp_arena *scratch, gold_words *words,
                          hp_error *err)
{
	const hp_dependencies *gold = hp_aligned_words_tree(files, 0);
	hp_tally scores[HP_EVAL_FILES - 1][MOST_METRICS];
	bool *counted;

	hp_arena_reset(scratch);
	counted = HP_NEW(scratch, bool, gold->s.words);
	if (!counted)
		return hp_fail_memory(err);
	hp_ignore_mark(&r->o->ignore, gold, counted);
	words->all += gold->s.words;
	for (int i = 0; i < gold->s.words; i++) {
		words->left_out += !counted[i];
		words->open += gold->s.word[i].len[HP_DEPREL] == 1 && *gold->s.word[i].col[HP_DEPREL] == '_';
	}
	for (int k = 0; k < r->systems; k++) {
		const hp_dependencies *system = hp_aligned_words_tree(files, k + 1);

		hp_attachment_score(gold, system, counted, scores[k]);
		for (int i = 0; i < r->o->bys; i++) {
			hp_by by = (hp_by)r->o->by[i];

			if (hp_by_add(by, bins_of(r->o, by), gold, system, counted, r->by[i], err))
				return HP_FAIL;
		}
	}
	if (r->report.confusions &&
	    hp_attachment_confuse(&r->o->arc_bins, gold, hp_aligned_words_tree(files, 1), counted, r->confusion, err))
		return HP_FAIL;
	return eval_add(r, scores, err);
}

static int tell_left_out(eval_run *r, int64_t words, hp_error *err)
{
	if (strcmp(r->left_out, "keep") == 0)
		return 0;
	if (asprintf(&r->note, "Left out: %" PRId64 " word%s (%s)", words, hp_plural(words), r->left_out) < 0) {
		r->note = NULL;
		return hp_fail_memory(err);
	}
	return 0;
}

static void tell_unparsed(const char *name, int64_t unparsed)
{
	eval_tell_unparsed(name, unparsed, "sentence", "no head and no relation");
}

/* Trees of the same words in the same sentences. */
static int score_trees(eval_run *r, gold_words *words, hp_error *err)
{
	hp_arena *scratch = hp_arena_new();
	hp_aligned_words *files = NULL;
	int got = scratch ? 0 : hp_fail_memory(err);

	if (!got)
		got = hp_aligned_words_new(r->in, 1 + r->systems, r->o->max_words, &files, err);
	while (!got && (got = hp_aligned_words_next(files, err)) > 0)
		got = score_sentence(r, files, scratch, words, err);
	for (int k = 1; !got && k <= r->systems; k++)
		tell_unparsed(hp_input_name(r->in[k]), hp_aligned_words_unparsed(files, k));
	hp_aligned_words_destroy(files);
	hp_arena_destroy(scratch);
	if (got < 0)
		return HP_FAIL;
	return r->sentences ? hp_ignore_check(&r->o->ignore, hp_input_name(r->in[0]), err) : 0;
}

/* Texts that may be split in other ways. */
static int score_read_texts(eval_run *r, const hp_conll18_text *text, hp_arena *arena, hp_error *err)
{
	hp_tally(*by_system[HP_EVAL_FILES - 1])[HP_CONLL18_METRICS];

	for (int k = 0; k < r->systems; k++) {
		const hp_conll18_text *system = &text[k + 1];

		if (hp_conll18_score(text, system, arena, &by_system[k], err))
			return HP_FAIL;
		if (system->treeless)
			cli_error("%s: %d of %d sentences have no heads: nothing in their trees counts as right", system->name,
			          system->treeless, system->sentences);
		tell_unparsed(system->name, system->unparsed);
	}
	for (int i = 0; i < text->sentences; i++) {
		hp_tally scores[HP_EVAL_FILES - 1][MOST_METRICS];

		for (int k = 0; k < r->systems; k++)
			memcpy(scores[k], by_system[k][i], sizeof by_system[k][i]);
		if (eval_add(r, scores, err))
			return HP_FAIL;
	}
	return 0;
}

static int score_texts(eval_run *r, gold_words *words, hp_error *err)
{
	hp_conll18_text text[HP_EVAL_FILES] = {0};
	hp_arena *arena = hp_arena_new();
	int status = arena ? 0 : hp_fail_memory(err);

	for (int k = 0; !status && k <= r->systems; k++) {
		status = hp_conll18_text_init(&text[k], hp_input_name(r->in[k]), err);
		if (!status)
			status = hp_conll18_text_read(&text[k], r->in[k], r->o->max_words, err);
	}
	if (!status)
		status = score_read_texts(r, text, arena, err);
	words->all = text->words;
	words->open = text->open;
	for (int k = 0; k <= r->systems; k++)
		hp_conll18_text_free(&text[k]);
	hp_arena_destroy(arena);
	return status;
}

static int score_files(eval_run *r, hp_error *err)
{
	const char *name = hp_input_name(r->in[0]);
	gold_words words = {0};

	if (r->o->conll ? score_texts(r, &words, err) : score_trees(r, &words, err))
		return HP_FAIL;
	if (!r->sentences)
		return hp_fail(err, "%s: no sentences", name);
	if (words.open > 0)
		cli_error("%s: %" PRId64 " of %" PRId64
		          " words have no relation (\"_\"): LAS and LA count them as wrong where there is one",
		          name, words.open, words.all);
	return tell_left_out(r, words.left_out, err);
}

/* Relations by frequency; places of heads stay in their order. */
static void sort_confusions(hp_confusion *c)
{
	hp_breakdown_sort(c[HP_CONFUSED_RELATIONS].values);
	hp_breakdown_sort(c[HP_CONFUSED_RELATIONS].pairs);
	hp_breakdown_sort(c[HP_CONFUSED_HEADS].pairs);
}

static int count(eval_run *r, hp_error *err)
{
	r->report.metrics = r->o->conll ? hp_conll18_metrics : hp_attachment_metrics;
	r->report.count = r->o->conll ? HP_CONLL18_METRICS : HP_ATTACHMENT_METRICS;
	r->report.task = "dep";
	r->report.single = true;
	r->left_out = hp_ignore_text(&r->o->ignore);
	if (!r->left_out)
		return hp_fail_memory(err);
	for (int i = 0; i < r->o->bys; i++) {
		hp_by by = (hp_by)r->o->by[i];

		if (hp_by_new(by, bins_of(r->o, by), &r->by[i], err))
			return HP_FAIL;
		r->parts[i] = (hp_report_part){.by = hp_by_name(by), .groups = r->by[i]};
		r->parts[i].metrics = hp_by_metrics(by, &r->parts[i].count);
	}
	if (r->o->confusion && hp_attachment_confusions(&r->o->arc_bins, r->confusion, err))
		return HP_FAIL;
	r->report.confusions = r->o->confusion ? HP_ATTACHMENT_CONFUSIONS : 0;
	if (score_files(r, err))
		return HP_FAIL;
	if (r->o->confusion)
		sort_confusions(r->confusion);
	for (int i = 0; i < r->o->bys; i++)
		if (r->o->by[i] == HP_BY_RELATION || r->o->by[i] == HP_BY_UNIVERSAL)
			hp_breakdown_sort(r->by[i]);
	return 0;
}

const eval_task eval_dep = {"dependency trees", count};
