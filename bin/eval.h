/* eval.h: within hp-eval: what was asked for, an evaluation under way, and the tasks: hp-eval.c runs those of
 * eval-dep.c, eval-rst.c and eval-segment.c, which know nothing but this. */
#ifndef HP_BIN_EVAL_H
#define HP_BIN_EVAL_H
#include "eval/aligned_words.h"
#include "eval/attachment.h"
#include "eval/conll18.h"
#include "eval/ignore.h"
#include "eval/parseval.h"
#include "eval/report.h"

enum {
	TASK_UNKNOWN,
	TASK_DEP,
	TASK_RST,
	TASK_SEGMENT
}; /* places among --task's words; unknown: what the gold file looks like */
enum { PUNCT_KEEP = 1, PUNCT_UPOS, PUNCT_XPOS, PUNCT_UNICODE }; /* 0: not given */
enum { NARY_BINARIZE = 1, NARY_KEEP };
/* What --by names: hp_by as it is; then what rhetorical trees have, for which HP_BY_RELATION
 * stands as well, and discourse units BY_GENRE. */
enum { BY_EDUS = HP_BYS, BY_GENRE, BYS };
enum { MOST_METRICS = HP_CONLL18_METRICS, CONFUSIONS = 2 }; /* of any task */

typedef struct eval_options {
	int task;
	bool conll, csv, compare, summarize, end_to_end, confusion;
	int punct, nary;
	hp_ignore ignore;
	int by[BYS];
	int bys;
	hp_bins length_bins, arc_bins, depth_bins, edu_bins;
	const char *name, *output;
	int samples, seed, max_words;
} eval_options;

/* One evaluation under way. */
typedef struct eval_run {
	eval_options *o; /* counts what is left out */
	hp_input *in[HP_EVAL_FILES];
	int systems;
	hp_tally totals[HP_EVAL_FILES - 1][MOST_METRICS];
	hp_breakdown *by[BYS];
	hp_confusion confusion[CONFUSIONS]; /* --confusion only */
	hp_bootstrap *bootstrap; /* --compare only */
	hp_report_part parts[BYS];
	hp_report report; /* the task sets its name, metrics and their count, `single` */
	int64_t sentences; /* that count */
	char *left_out; /* as text, for CSV */
	char *note; /* for people, or NULL */
} eval_run;

/* Adds a sentence: the tallies of every system. */
int eval_add(eval_run *r, hp_tally scores[][MOST_METRICS], hp_error *err) HP_USE_RESULT;
/* That in a system's FILE so many trees (0: says nothing), each a WHAT, were not parsed, and that NOTHING of them is right. */
void eval_tell_unparsed(const char *file, int64_t unparsed, const char *what, const char *nothing);

typedef struct eval_task {
	const char *kind; /* of what is scored */
	/* Makes the breakdowns, reads all files and counts; then R is ready to be printed. */
	int (*count)(eval_run *r, hp_error *err);
} eval_task;

extern const eval_task eval_dep, eval_rst, eval_segment;
const char *eval_rst_by(int by); /* BY_EDUS or BY_GENRE as on the command line */

#endif
