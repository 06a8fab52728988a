/* report.c: makes tables of tallies. */
#include "eval/report.h"

#include <stdlib.h>
#include <string.h>
#include "eval/grid.h"
#include "eval/summary.h"

enum { COMPARISON_WIDTH = 17 };
static const char comparison_columns[] =
	"task name gold system1 system2 punct metric measure value1 value2 difference low high p "
	"sentences samples seed";

static bool is_empty(const hp_tally *tallies, int count)
{
	for (int m = 0; m < count; m++)
		if (tallies[m].gold || tallies[m].system)
			return false;
	return true;
}

static void add_percent(hp_grid *g, const hp_tally *tally, hp_measure measure)
{
	hp_grid_add(g, "%.2f", 100 * hp_tally_value(tally, measure));
}

static void add_count(hp_grid *g, int64_t count)
{
	hp_grid_add(g, "%lld", (long long)count);
}

static void add_texts(hp_grid *g, const char *const *texts, int count)
{
	for (int i = 0; i < count; i++)
		hp_grid_add(g, "%s", texts[i]);
}

/* Writes and destroys G. */
static int finish(hp_grid *g, bool csv, FILE *out, hp_error *err)
{
	int status = csv ? hp_grid_write_csv(g, out, err) : hp_grid_write_text(g, out, err);

	hp_grid_destroy(g);
	return status;
}

/* ---- CSV ---- */

static void add_rows(const hp_report *r, hp_grid *g, const char *by, const char *group, const hp_metric *metrics,
                     int count, const hp_tally *tallies)
{
	for (int m = 0; m < count; m++) {
		hp_measure measures[HP_MEASURES];
		int n = hp_metric_measures(metrics[m].kind, measures);

		for (int i = 0; i < n; i++) {
			const char *const texts[] = {r->task,      r->name,         r->gold,
			                             r->system[0], r->left_out,     by,
			                             group,        metrics[m].name, hp_measure_name(measures[i])};

			add_texts(g, texts, sizeof texts / sizeof *texts);
			hp_grid_add(g, "%.6f", 100 * hp_tally_value(&tallies[m], measures[i]));
			add_count(g, tallies[m].correct);
			add_count(g, tallies[m].gold);
			add_count(g, tallies[m].system);
		}
	}
}

/* A pair of values a row: the share of the gold value's that are taken for the other one. */
static int add_pairs(const hp_report *r, hp_grid *g, const hp_confusion *c, hp_error *err)
{
	for (const hp_group *pair = NULL; (pair = hp_breakdown_next(c->pairs, pair)) != NULL;) {
		const char *system = strchr(hp_group_name(pair), '\t') + 1;
		char *gold = strndup(hp_group_name(pair), (size_t)(system - 1 - hp_group_name(pair)));
		hp_tally t;
		int status = gold ? hp_confusion_find(c, gold, system, &t, err) : hp_fail_memory(err);

		if (!status) {
			const char *const texts[] = {r->task, r->name, r->gold, r->system[0], r->left_out};

			add_texts(g, texts, sizeof texts / sizeof *texts);
			hp_grid_add(g, "confusion-%s", c->of);
			hp_grid_add(g, "%s", gold);
			hp_grid_add(g, "%s", system);
			hp_grid_add(g, "share");
			hp_grid_add(g, "%.6f", 100 * hp_tally_value(&t, HP_RECALL));
			add_count(g, t.correct);
			add_count(g, t.gold);
			add_count(g, t.system);
		}
		free(gold);
		if (status)
			return HP_FAIL;
	}
	return 0;
}

int hp_report_csv(const hp_report *r, FILE *out, hp_error *err)
{
	int status = 0;
	hp_grid *g = hp_grid_new(HP_RESULT_WIDTH, 0);

	if (!g)
		return hp_fail_memory(err);
	hp_grid_header(g, HP_RESULT_COLUMNS);
	add_rows(r, g, "", "", r->metrics, r->count, r->totals);
	for (int i = 0; i < r->parts; i++) {
		const hp_report_part *p = &r->part[i];

		for (const hp_group *group = NULL; (group = hp_breakdown_next(p->groups, group)) != NULL;) {
			const hp_tally *t = hp_group_tallies(group);

			if (!is_empty(t, p->count))
				add_rows(r, g, p->by, hp_group_name(group), p->metrics, p->count, t);
		}
	}
	for (int i = 0; i < r->confusions && !status; i++)
		status = add_pairs(r, g, &r->confusion[i], err);
	if (!status)
		return finish(g, true, out, err);
	hp_grid_destroy(g);
	return HP_FAIL;
}

/* ---- for people ---- */

static int write_totals(const hp_report *r, FILE *out, hp_error *err)
{
	hp_grid *g = r->single ? hp_grid_new(4, 1) : hp_grid_new(7, 1);

	if (!g)
		return hp_fail_memory(err);
	hp_grid_header(g, r->single ? "Metric Score Correct Total" : "Metric Precision Recall F1 Correct Gold System");
	for (int m = 0; m < r->count; m++) {
		hp_grid_add(g, "%s", r->metrics[m].name);
		if (r->single) {
			add_percent(g, &r->totals[m], hp_metric_main(r->metrics[m].kind));
		} else {
			add_percent(g, &r->totals[m], HP_PRECISION);
			add_percent(g, &r->totals[m], HP_RECALL);
			add_percent(g, &r->totals[m], HP_F1);
		}
		add_count(g, r->totals[m].correct);
		add_count(g, r->totals[m].gold);
		if (!r->single)
			add_count(g, r->totals[m].system);
	}
	return finish(g, false, out, err);
}

static int shown_measures(const hp_report_part *p, int m, hp_measure out[HP_MEASURES])
{
	if (!p->single)
		return hp_metric_measures(p->metrics[m].kind, out);
	out[0] = hp_metric_main(p->metrics[m].kind);
	return 1;
}

/* A column a figure: P, R and F after a metric's name stand for precision, recall, F1. */
static int write_part(const hp_report_part *p, FILE *out, hp_error *err)
{
	static const char *const suffix[HP_MEASURES] = {"", "-P", "-R", "-F", ""};
	hp_measure measures[HP_MEASURES];
	int columns = 3;
	hp_grid *g;

	for (int m = 0; m < p->count; m++)
		columns += shown_measures(p, m, measures);
	g = hp_grid_new(columns, 1);
	if (!g)
		return hp_fail_memory(err);
	hp_grid_add(g, "%s", p->by);
	hp_grid_header(g, "Gold System");
	for (int m = 0; m < p->count; m++)
		for (int i = 0, n = shown_measures(p, m, measures); i < n; i++)
			hp_grid_add(g, "%s%s", p->metrics[m].name, p->single ? "" : suffix[measures[i]]);
	for (const hp_group *group = NULL; (group = hp_breakdown_next(p->groups, group)) != NULL;) {
		const hp_tally *t = hp_group_tallies(group);

		if (is_empty(t, p->count))
			continue;
		hp_grid_add(g, "%s", hp_group_name(group));
		add_count(g, t[0].gold);
		add_count(g, t[0].system);
		for (int m = 0; m < p->count; m++)
			for (int i = 0, n = shown_measures(p, m, measures); i < n; i++)
				add_percent(g, &t[m], measures[i]);
	}
	fputc('\n', out);
	return finish(g, false, out, err);
}

/* ---- confusion tables ---- */

enum { SHOWN = 99 }; /* values, at most */

/* The value after GROUP that there is; NULL after the last. */
static const hp_group *next_value(const hp_confusion *c, const hp_group *group)
{
	do
		group = hp_breakdown_next(c->values, group);
	while (group && is_empty(hp_group_tallies(group), 1));
	return group;
}

static int count_values(const hp_confusion *c)
{
	int n = 0;

	for (const hp_group *group = NULL; (group = next_value(c, group)) != NULL;)
		n++;
	return n;
}

/* The row of a gold value, the N-th. */
static int add_value(hp_grid *g, const hp_confusion *c, int shown, int n, const hp_group *gold, hp_error *err)
{
	const hp_group *system = NULL;

	hp_grid_add(g, shown > 9 ? "%2d %s" : "%d %s", n, hp_group_name(gold));
	for (int i = 0; i < shown; i++) {
		hp_tally t;

		system = next_value(c, system);
		if (hp_confusion_find(c, hp_group_name(gold), hp_group_name(system), &t, err))
			return HP_FAIL;
		if (t.correct)
			add_count(g, t.correct);
		else
			hp_grid_add(g, ".");
	}
	add_count(g, hp_group_tallies(gold)->gold);
	return 0;
}

static int write_confusion(const hp_confusion *c, FILE *out, hp_error *err)
{
	int all = count_values(c), shown = all < SHOWN ? all : SHOWN, status = 0;
	hp_grid *g = hp_grid_new(shown + 2, 1);
	const hp_group *group = NULL, *pair = NULL;
	int64_t total = 0;

	if (!g)
		return hp_fail_memory(err);
	hp_grid_add(g, "%s", "");
	for (int i = 1; i <= shown; i++)
		hp_grid_add(g, "%d", i);
	hp_grid_add(g, "Gold");
	for (int i = 1; i <= shown && !status; i++) {
		group = next_value(c, group);
		status = add_value(g, c, shown, i, group, err);
	}
	hp_grid_add(g, "System");
	group = NULL;
	for (int i = 0; i < shown; i++) {
		group = next_value(c, group);
		add_count(g, hp_group_tallies(group)->system);
	}
	while ((pair = hp_breakdown_next(c->pairs, pair)) != NULL)
		total += hp_group_tallies(pair)->gold;
	add_count(g, total);
	if (status) {
		hp_grid_destroy(g);
		return HP_FAIL;
	}
	fprintf(out, "\n%s: rows are gold, columns the system's", c->of);
	fprintf(out, all > shown ? "; %d more, which --csv has\n" : "\n", all - shown);
	return finish(g, false, out, err);
}

static void write_note(const hp_report *r, FILE *out)
{
	if (r->note)
		fprintf(out, "\n%s\n", r->note);
}

int hp_report_text(const hp_report *r, FILE *out, hp_error *err)
{
	int status = write_totals(r, out, err);

	write_note(r, out);
	for (int i = 0; i < r->parts && !status; i++)
		status = write_part(&r->part[i], out, err);
	for (int i = 0; i < r->confusions && !status; i++)
		status = write_confusion(&r->confusion[i], out, err);
	return status;
}

/* ---- comparisons ---- */

static void add_difference_csv(const hp_report *r, hp_grid *g, const hp_metric *metric, const hp_difference *d)
{
	const char *const texts[] = {
		r->task,      r->name,     r->gold,      r->system[0],
		r->system[1], r->left_out, metric->name, hp_measure_name(hp_metric_main(metric->kind))};
	const double figures[] = {100 * d->value[0], 100 * d->value[1], 100 * d->difference,
	                          100 * d->low,      100 * d->high,     d->p};

	add_texts(g, texts, sizeof texts / sizeof *texts);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		hp_grid_add(g, "%.6f", figures[i]);
}

static void add_difference_text(hp_grid *g, const hp_metric *metric, const hp_difference *d)
{
	hp_grid_add(g, "%s", metric->name);
	hp_grid_add(g, "%.2f", 100 * d->value[0]);
	hp_grid_add(g, "%.2f", 100 * d->value[1]);
	hp_grid_add(g, "%+.2f", 100 * d->difference);
	hp_grid_add(g, "%+.2f", 100 * d->low);
	hp_grid_add(g, "%+.2f", 100 * d->high);
	hp_grid_add(g, "%.4f", d->p);
}

int hp_report_comparison(const hp_report *r, const hp_difference *differences, const hp_report_samples *samples,
                         bool csv, FILE *out, hp_error *err)
{
	hp_grid *g = csv ? hp_grid_new(COMPARISON_WIDTH, 0) : hp_grid_new(7, 1);

	if (!g)
		return hp_fail_memory(err);
	hp_grid_header(g, csv ? comparison_columns : "Metric System1 System2 Difference Low High p");
	for (int m = 0; m < r->count; m++) {
		if (!csv) {
			add_difference_text(g, &r->metrics[m], &differences[m]);
			continue;
		}
		add_difference_csv(r, g, &r->metrics[m], &differences[m]);
		add_count(g, samples->sentences);
		add_count(g, samples->samples);
		add_count(g, samples->seed);
	}
	if (finish(g, csv, out, err))
		return HP_FAIL;
	if (!csv)
		write_note(r, out);
	return 0;
}
