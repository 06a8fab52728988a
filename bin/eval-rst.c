/* eval-rst.c: hp-eval on rhetorical trees. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "eval.h"
#include "cli.h"
#include "eval/aligned_edus.h"
#include "text/vocab.h"

/* ---- groups ---- */

/* Whether nodes are in groups, not trees; then *OUT says how. */
static bool groups_nodes(int by, hp_parseval_by *out)
{
	*out = by == HP_BY_DEPTH ? HP_PARSEVAL_BY_DEPTH : HP_PARSEVAL_BY_RELATION;
	return by == HP_BY_DEPTH || by == HP_BY_RELATION;
}

static int new_group(eval_run *r, int i, hp_error *err)
{
	const hp_bins *bins = &r->o->edu_bins;
	hp_report_part *part = &r->parts[i];
	hp_parseval_by by;

	if (groups_nodes(r->o->by[i], &by)) {
		if (hp_parseval_by_new(by, &r->o->depth_bins, &r->by[i], err))
			return HP_FAIL;
		*part = (hp_report_part){.by = hp_parseval_by_name(by), .groups = r->by[i]};
		part->metrics = hp_parseval_by_metrics(by, &part->count);
		return 0;
	}
	r->by[i] = hp_breakdown_new(r->report.count);
	if (!r->by[i])
		return hp_fail_memory(err);
	*part = (hp_report_part){.by = eval_rst_by(r->o->by[i]), .groups = r->by[i], .metrics = r->report.metrics};
	part->count = r->report.count;
	part->single = r->report.single;
	return r->o->by[i] == BY_EDUS ? hp_breakdown_add_bins(r->by[i], bins, err) : 0;
}

const char *eval_rst_by(int by)
{
	return by == BY_GENRE ? "genre" : hp_parseval_by_name(HP_PARSEVAL_BY_EDUS);
}

/* The sentence or document with these SCORES goes into its group, or its nodes into theirs. */
static int add_to_group(eval_run *r, int i, const hp_rst_tree *gold, const hp_rst_tree *system, const hp_tally *scores,
                        hp_error *err)
{
	const hp_bins *bins = &r->o->edu_bins;
	hp_parseval_by by;
	hp_tally *group;
	size_t size;

	if (groups_nodes(r->o->by[i], &by))
		return hp_parseval_by_add(by, &r->o->depth_bins, gold, system, r->by[i], err);
	if (r->o->by[i] == BY_GENRE) {
		const char *genre = hp_genre(gold->id, &size);
		group = hp_breakdown_at(r->by[i], genre, size);
	} else {
		group = hp_breakdown_at_bin(r->by[i], bins, gold->edus);
	}
	if (!group)
		return hp_fail_memory(err);
	hp_tally_add(group, scores, r->report.count);
	return 0;
}

/* ---- relations that occur ---- */

/* Of a file. */
typedef struct relations {
	hp_vocab *names;
	int64_t *count; /* [names] how often each occurs */
	size_t capacity;
} relations;

static int new_relations(relations *of, int files, hp_error *err)
{
	for (int k = 0; k < files; k++)
		if (!(of[k].names = hp_vocab_new()))
			return hp_fail_memory(err);
	return 0;
}

static void free_relations(relations *of, int files)
{
	for (int k = 0; k < files; k++) {
		hp_vocab_destroy(of[k].names);
		free(of[k].count);
	}
}

static int note_relations(const hp_rst_tree *t, relations *of, hp_error *err)
{
	for (int i = 1; i < t->nodes; i++) {
		const char *name = t->node[i].relation;
		int known = hp_vocab_count(of->names), number;

		if (!*name || !strcmp(name, "span"))
			continue;
		number = hp_vocab_add(of->names, name, strlen(name));
		if (number < 0 || !hp_grow(&of->count, &of->capacity, (size_t)number + 1, sizeof *of->count))
			return hp_fail_memory(err);
		of->count[number] = number < known ? of->count[number] + 1 : 1;
	}
	return 0;
}

/* How many of A's occurrences have a name that B has; *ALL: how many there are. */
static int64_t common(const relations *a, const relations *b, int64_t *all)
{
	int64_t found = 0;

	*all = 0;
	for (int i = 0; i < hp_vocab_count(a->names); i++) {
		size_t size;
		const char *name = hp_vocab_at(a->names, i, &size);

		*all += a->count[i];
		found += hp_vocab_find(b->names, name, size) >= 0 ? a->count[i] : 0;
	}
	return found;
}

/* Relations of two maps, most likely. */
static void warn_of_relations(const eval_run *r, const relations *of)
{
	static const char advice[] = "rst-extract --documents --labels=MAP renames those of a file";

	for (int k = 1; k <= r->systems; k++) {
		const char *name = hp_input_name(r->in[k]), *gold = hp_input_name(r->in[0]);
		int64_t all, found = common(&of[k], &of[0], &all);

		if (found == 0)
			cli_error("%s: no relation that %s has; %s", name, gold, advice);
		else if (2 * found < all)
			cli_error("%s: %" PRId64 " of %" PRId64 " relations have names that %s does not have; %s", name,
			          all - found, all, gold, advice);
	}
}

/* ---- sentences ---- */

static int score_sentence(eval_run *r, const hp_aligned_edus *files, relations *of, hp_error *err)
{
	const hp_rst_tree *gold = hp_aligned_edus_tree(files, 0);
	hp_tally scores[HP_EVAL_FILES - 1][MOST_METRICS];

	for (int k = 0; k <= r->systems; k++)
		if (note_relations(hp_aligned_edus_tree(files, k), &of[k], err))
			return HP_FAIL;
	for (int k = 0; k < r->systems; k++) {
		const hp_rst_tree *system = hp_aligned_edus_tree(files, k + 1);

		if (r->o->end_to_end)
			hp_end_to_end_score(gold, system, scores[k]);
		else
			hp_parseval_score(gold, system, scores[k]);
		for (int i = 0; i < r->o->bys; i++)
			if (add_to_group(r, i, gold, system, scores[k], err))
				return HP_FAIL;
	}
	if (r->report.confusions && hp_parseval_confuse(gold, hp_aligned_edus_tree(files, 1), r->confusion, err))
		return HP_FAIL;
	return eval_add(r, scores, err);
}

static void tell_left(const eval_run *r, const hp_aligned_edus *files)
{
	for (int k = 1; k <= r->systems; k++) {
		int64_t left = hp_aligned_edus_left(files, k);

		if (left)
			cli_error("%s: left out %" PRId64 " sentence%s that %s does not have", hp_input_name(r->in[k]), left,
			          hp_plural(left), hp_input_name(r->in[0]));
	}
}

static int tell_single(eval_run *r, int64_t single, hp_error *err)
{
	const char *noun = single == 1 ? "sentence" : "sentences";

	if (asprintf(&r->left_out, "one-EDU=%" PRId64, single) < 0) {
		r->left_out = NULL;
		return hp_fail_memory(err);
	}
	if (r->o->end_to_end) /* nothing was */
		return 0;
	if (asprintf(&r->note, "Left out: %" PRId64 " %s of one EDU", single, noun) < 0) {
		r->note = NULL;
		return hp_fail_memory(err);
	}
	return 0;
}

static int score_files(eval_run *r, hp_error *err)
{
	const char *name = hp_input_name(r->in[0]);
	relations of[HP_EVAL_FILES] = {{0}};
	hp_aligned_edus *files = NULL;
	int64_t single;
	int got = new_relations(of, 1 + r->systems, err);

	if (!got)
		got = hp_aligned_edus_new(r->in, 1 + r->systems, r->o->nary == NARY_KEEP, &files, err);
	if (!got)
		hp_aligned_edus_on_warning(files, cli_warn, NULL);
	if (!got && r->o->end_to_end)
		hp_aligned_edus_end_to_end(files);
	while (!got && (got = hp_aligned_edus_next(files, err)) > 0)
		got = score_sentence(r, files, of, err);
	if (!got && r->sentences) {
		tell_left(r, files);
		for (int k = 1; k <= r->systems; k++)
			eval_tell_unparsed(hp_input_name(r->in[k]), hp_aligned_edus_unparsed(files, k), "tree", "no node");
		warn_of_relations(r, of);
	}
	free_relations(of, 1 + r->systems);
	single = got < 0 ? 0 : hp_aligned_edus_single(files);
	hp_aligned_edus_destroy(files);
	if (got < 0)
		return HP_FAIL;
	if (!r->sentences)
		return single ? hp_fail(err, "%s: every sentence has one EDU only", name)
		              : hp_fail(err, "%s: no sentences", name);
	return tell_single(r, single, err);
}

static int count(eval_run *r, hp_error *err)
{
	r->report.metrics = r->o->end_to_end ? hp_end_to_end_metrics : hp_parseval_metrics;
	r->report.count = r->o->end_to_end ? HP_END_TO_END_METRICS : HP_PARSEVAL_METRICS;
	r->report.task = "rst";
	r->report.single = r->o->nary != NARY_KEEP && !r->o->end_to_end;
	for (int i = 0; i < r->o->bys; i++)
		if (new_group(r, i, err))
			return HP_FAIL;
	if (r->o->confusion && hp_parseval_confusions(r->confusion, err))
		return HP_FAIL;
	r->report.confusions = r->o->confusion ? HP_PARSEVAL_CONFUSIONS : 0;
	if (score_files(r, err))
		return HP_FAIL;
	for (int i = 0; i < r->report.confusions; i++) {
		hp_breakdown_sort(r->confusion[i].values);
		hp_breakdown_sort(r->confusion[i].pairs);
	}
	for (int i = 0; i < r->o->bys; i++)
		if (r->o->by[i] != BY_EDUS && r->o->by[i] != HP_BY_DEPTH)
			hp_breakdown_sort(r->by[i]);
	return 0;
}

const eval_task eval_rst = {"rhetorical trees", count};
