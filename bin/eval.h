/* eval.h: hp-eval in three parts: what was asked for (hp-eval.c), counting dependency trees (eval-dep.c) and counting
 * rhetorical trees (eval-rst.c). */
#ifndef HP_BIN_EVAL_H
#define HP_BIN_EVAL_H
#include "cli.h"
#include "eval/aligned_words.h"
#include "eval/attachment.h"
#include "eval/conll18.h"
#include "eval/ignore.h"
#include "eval/parseval.h"
#include "eval/report.h"

enum { TASK_UNKNOWN, TASK_DEP, TASK_RST }; /* unknown: what the gold file looks like */
enum { PUNCT_UNSET, PUNCT_KEEP, PUNCT_UPOS, PUNCT_XPOS, PUNCT_UNICODE };
/* What --by names: hp_by as it is; then what only rhetorical trees have.  HP_BY_RELATION stands for both. */
enum { BY_EDUS = HP_BYS, BYS };
enum { MOST_METRICS = HP_CONLL18_METRICS }; /* of any task */

struct options {
	int task;
	bool conll, csv, compare, summarize, keep_nary;
	int punct;
	hp_ignore ignore;
	int by[BYS];
	int bys;
	hp_bins length_bins, arc_bins, edu_bins;
	const char *name, *output;
	long samples, seed, max_words;
	/* An option given that other modes do not have, or NULL. */
	const char *only_compare, *only_trees, *only_dep, *only_rst;
};

/* One evaluation under way. */
struct run {
	struct options *o; /* counts what is left out */
	const char *const *paths; /* gold, systems */
	hp_input *in[HP_EVAL_FILES];
	int systems;
	const hp_metric *metrics;
	int count;
	hp_tally totals[HP_EVAL_FILES - 1][MOST_METRICS];
	hp_breakdown *by[BYS];
	hp_bootstrap *bootstrap; /* --compare only */
	hp_report_part parts[BYS];
	hp_report report; /* complete but for what is the same for all tasks */
	int64_t sentences; /* that count */
	char *left_out; /* as text, for CSV */
	char *note; /* for people, or NULL */
};

/* Make the breakdowns, read all files and count; then R is ready to be printed. */
int eval_dep(struct run *r, hp_error *err) HP_USE_RESULT;
int eval_rst(struct run *r, hp_error *err) HP_USE_RESULT;
/* Adds a sentence: the tallies of every system. */
int eval_add(struct run *r, hp_tally scores[][MOST_METRICS], hp_error *err) HP_USE_RESULT;

#endif
