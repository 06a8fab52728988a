/* hp-eval.c: scores parser output against a gold standard. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdlib.h>
#include <string.h>
#include "eval.h"
#include "eval/summary.h"
#include "options.h"
#include "io/sniff.h"

/* ---- options ---- */

static int unknown(const char *option, const char *arg, const char *const *names)
{
	char list[256] = "";
	int size = 0;

	for (; *names && size < (int)sizeof(list); names++)
		size += snprintf(list + size, sizeof(list) - (size_t)size, "%s%s", size ? ", " : "", *names);
	return cli_usage("--%s: unknown '%s', expected one of %s", option, arg, list);
}

/* The place of ARG among the names, from 1; 0: it is none of them. */
static int place(const char *arg, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(arg, names[i]))
			return i + 1;
	return 0;
}

static int take_word(void *into, const option_row *row, char *arg)
{
	int chosen = place(arg, row->words);

	*(int *)((char *)into + row->at) = chosen;
	return chosen ? CLI_OK : unknown(row->name, arg, row->words);
}

static const char *by_name(int by)
{
	return by >= HP_BYS ? eval_rst_by(by) : hp_by_name((hp_by)by);
}

static int take_by(void *into, const option_row *row, char *arg)
{
	eval_options *o = into;
	const char *names[BYS + 1] = {NULL};

	for (int i = 0; i < BYS; i++)
		names[i] = by_name(i);
	for (char *what; (what = strsep(&arg, ",")) != NULL;) {
		bool twice = false;
		int by = place(what, names) - 1;

		if (by < 0)
			return unknown(row->name, what, names);
		for (int i = 0; i < o->bys; i++)
			twice |= o->by[i] == by;
		if (!twice)
			o->by[o->bys++] = by;
	}
	return CLI_OK;
}

/* At least `min`. */
static int take_bins(void *into, const option_row *row, char *arg)
{
	hp_bins *bins = (hp_bins *)((char *)into + row->at);
	hp_error err;

	return hp_bins_parse(arg, (int)row->min, bins, &err) ? cli_usage("--%s: %s", row->name, err.text) : CLI_OK;
}

static int take_tags(void *into, const option_row *row, char *arg)
{
	eval_options *o = into;
	bool upos = strcmp(row->name, "ignore-upos") == 0;
	hp_error err;
	int status = hp_ignore_list(upos ? &o->ignore.upos : &o->ignore.xpos, arg, upos ? ", " : " ", &err);

	return status ? cli_usage("--%s: %s", row->name, err.text) : CLI_OK;
}

static const char *const tasks[] = {"dep", "rst", "segment", NULL}, *const naries[] = {"binarize", "keep", NULL};
static const char *const puncts[] = {"keep", "upos", "xpos", "unicode", NULL};

#define INTO(field) OPTION_INTO(eval_options, field)

static const option_row any_tree[] = {{0, "task", "TASK", INTO(task), .words = tasks, .take = take_word,
                                       .help = "what the files hold: dep, dependency trees, rst,\n"
                                               "rhetorical trees (default: what GOLD looks like),\n"
                                               "or segment, discourse units marked in CoNLL-U"},
                                      {0, "by", "WHAT,...", .take = take_by,
                                       .help = "break down dependency trees by length, arc,\n"
                                               "depth, direction, relation or universal (relation\n"
                                               "without subtype), rhetorical ones by edus (of the\n"
                                               "tree), relation, depth or genre (in the name),\n"
                                               "discourse units by genre"},
                                      {0, "depth-bins", "N,...", .at = offsetof(eval_options, depth_bins), .min = 1,
                                       .take = take_bins,
                                       .help = "largest depth of each bin\n"
                                               "(default: 1,2,3,4,5,6,7,8,9,10)"},
                                      {0, "confusion", NULL, INTO(confusion),
                                       .help = "and what gold relations, sides and distances of\n"
                                               "heads, or nuclearities, are taken for"},
                                      {0}};

static const option_row dependency[] = {
	{0, "conll", NULL, INTO(conll), .help = "print what the CoNLL 2018 scorer prints"},
	{0, "length-bins", "N,...", .at = offsetof(eval_options, length_bins), .min = 1, .take = take_bins,
     .help = "largest sentence length of each bin\n"
             "(default: 10,20,30,40,50)"},
	{0, "arc-bins", "N,...", .at = offsetof(eval_options, arc_bins), .min = 1, .take = take_bins,
     .help = "largest arc length of each bin\n"
             "(default: 1,2,3,4,5,6,7,8,9,10)"},
	{0, "punct", "HOW", INTO(punct), .words = puncts, .take = take_word,
     .help = "punctuation: keep (default), or leave it out by\n"
             "upos, xpos or unicode (category of the form)"},
	{0, "ignore-upos", "TAGS", .take = take_tags, .help = "leave these words out; commas or blanks between"},
	{0, "ignore-xpos", "TAGS", .take = take_tags, .help = "leave these words out; blanks between"},
	{0, "max-words", "N", INTO(max_words), .min = 1, .max = INT32_MAX / 2,
     .help = "longest sentence accepted (default: 20000)"},
	{0}};

static const option_row general[] = {
	{0, "csv", NULL, INTO(csv), .help = "write CSV, a figure a row"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{0, "name", "TEXT", INTO(name), .help = "name of the experiment in the CSV rows"},
	{0, "compare", NULL, INTO(compare), .help = "paired bootstrap between two systems"},
	{0, "samples", "N", INTO(samples), .min = 1, .max = 1000000, .help = "bootstrap samples (default: 10000)"},
	{0, "seed", "N", INTO(seed), .min = 0, .max = INT32_MAX, .help = "seed of the bootstrap (default: 1)"},
	{0, "summarize", NULL, INTO(summarize),
     .help = "mean and standard deviation over runs, from\n"
             "tables written with --csv"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "print this help and exit"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "print the version and exit"},
	{0}};

static const option_row rhetorical[] = {{0, "edu-bins", "N,...", .at = offsetof(eval_options, edu_bins), .min = 2,
                                         .take = take_bins,
                                         .help = "largest number of EDUs of each bin\n"
                                                 "(default: 2,3,4,5,6,7,8,9,10)"},
                                        {0, "end-to-end", NULL, INTO(end_to_end),
                                         .help = "the systems have EDUs of their own: nodes are right\n"
                                                 "that have the same characters"},
                                        {0, "nary", "HOW", INTO(nary), .words = naries, .take = take_word,
                                         .help = "nodes with more than two children: binarize them\n"
                                                 "(default), or keep them"},
                                        {0}};

static const char usage[] = "Usage: hp-eval [OPTION]... GOLD SYSTEM\n"
							"       hp-eval [OPTION]... --compare GOLD SYSTEM1 SYSTEM2\n"
							"       hp-eval [--csv] --summarize FILE.csv...\n"
							"Score the trees of SYSTEM against those of GOLD: dependency trees in CoNLL-U,\n"
							"or rhetorical trees in .dis notation, of which SYSTEM may have more, and in\n"
							"another order; or the places where discourse units begin, in CoNLL-U of the\n"
							"same text.  One file may be '-', standard input.\n"
							"\n";

enum { DEPENDENCY = 1, RHETORICAL = 3 }; /* tables */

static const option_pair pairs[] = {
	{"by", "conll", false, "--by cannot be combined with --conll or --compare"},
	{"by", "compare", false, "--by cannot be combined with --conll or --compare"},
	{"confusion", "conll", false, "--confusion cannot be combined with --conll or --compare"},
	{"confusion", "compare", false, "--confusion cannot be combined with --conll or --compare"},
	{0}};

/* The lists of tags that --punct stands for. */
static int apply_punct(eval_options *o)
{
	hp_error err;
	int status = 0;

	if (o->punct == PUNCT_KEEP && (o->ignore.upos || o->ignore.xpos))
		return cli_usage("--punct=keep contradicts --ignore-upos and --ignore-xpos");
	if (o->punct == PUNCT_UPOS && !o->ignore.upos)
		status = hp_ignore_list(&o->ignore.upos, HP_IGNORE_UPOS, " ", &err);
	if (o->punct == PUNCT_XPOS && !o->ignore.xpos)
		status = hp_ignore_list(&o->ignore.xpos, HP_IGNORE_XPOS, " ", &err);
	o->ignore.unicode = o->punct == PUNCT_UNICODE;
	return status ? cli_fail(&err) : CLI_GO_ON;
}

static bool breaks_down(int task, int by)
{
	switch (task) {
	case TASK_DEP:
		return by < HP_BYS;
	case TASK_RST:
		return by >= HP_BYS || by == HP_BY_RELATION || by == HP_BY_DEPTH;
	default:
		return by == BY_GENRE;
	}
}

/* Once the task is known: whether all options are for it. */
static int check_task(const options *p, const eval_options *o)
{
	const option_row *dep = o->task == TASK_DEP ? NULL : options_last(p, DEPENDENCY);
	const option_row *rst = o->task == TASK_RST ? NULL : options_last(p, RHETORICAL);

	if (dep || rst)
		return cli_usage("--%s is for %s", (dep ? dep : rst)->name, (dep ? &eval_dep : &eval_rst)->kind);
	for (int i = 0; i < o->bys; i++)
		if (!breaks_down(o->task, o->by[i]))
			return cli_usage("--by=%s is for %s", by_name(o->by[i]), (o->by[i] < HP_BYS ? &eval_dep : &eval_rst)->kind);
	return o->confusion && o->task == TASK_SEGMENT ? cli_usage("--confusion is for trees") : CLI_GO_ON;
}

static int check_summary(const options *p, int files)
{
	int taken = 1 + (options_given(p, "csv") > 0) + (options_given(p, "output") > 0);

	if (options_count(p) > taken)
		return cli_usage("--summarize takes no options but --csv and --output");
	return files ? CLI_GO_ON : cli_usage("--summarize needs at least one FILE.csv");
}

static int check_options(const options *p, const eval_options *o, int files, char *const *paths)
{
	int samples = options_given(p, "samples"), seed = options_given(p, "seed"), standard = 0;

	for (int i = 0; i < files; i++)
		standard += !strcmp(paths[i], "-");
	if (standard > 1)
		return cli_usage("only one file can be standard input");
	if (o->summarize)
		return check_summary(p, files);
	if (o->conll && (o->ignore.upos || o->ignore.xpos || o->ignore.unicode))
		return cli_usage("--conll counts every word; it cannot leave out punctuation");
	if (options_check(p, pairs) != CLI_GO_ON)
		return CLI_USAGE;
	if ((samples || seed) && !o->compare)
		return cli_usage("%s needs --compare", seed > samples ? "--seed" : "--samples");
	if (o->task && check_task(p, o) != CLI_GO_ON)
		return CLI_USAGE;
	if (o->compare)
		return files == 3 ? CLI_GO_ON : cli_usage("expected three files, GOLD SYSTEM1 SYSTEM2; got %d", files);
	return files == 2 ? CLI_GO_ON : cli_usage("expected two files, GOLD and SYSTEM; got %d", files);
}

/* ---- results ---- */

static int print_comparison(const eval_run *r, hp_error *err)
{
	hp_report_samples how = {r->sentences, r->o->samples, r->o->seed};
	hp_difference differences[MOST_METRICS];

	if (hp_bootstrap_run(r->bootstrap, (int)how.samples, (uint64_t)how.seed, differences, err))
		return HP_FAIL;
	return hp_report_comparison(&r->report, differences, &how, r->o->csv, stdout, err);
}

static int print_results(eval_run *r, hp_error *err)
{
	hp_report *report = &r->report;

	report->left_out = r->left_out;
	report->note = r->note;
	report->totals = r->totals[0];
	report->part = r->parts;
	report->confusion = r->confusion;
	if (r->bootstrap)
		return print_comparison(r, err);
	if (r->o->csv)
		return hp_report_csv(report, stdout, err);
	if (!r->o->conll)
		return hp_report_text(report, stdout, err);
	hp_conll18_print(r->totals[0], stdout);
	return 0;
}

/* ---- the two jobs ---- */

static int open_files(eval_run *r, char *const *paths, hp_error *err)
{
	bool is_dis = false;

	for (int i = 0; i <= r->systems; i++)
		if (hp_input_open(paths[i], &r->in[i], err))
			return HP_FAIL;
	if (r->o->task)
		return 0;
	if (hp_sniff_dis(r->in[0], &is_dis, err))
		return HP_FAIL;
	r->o->task = is_dis ? TASK_RST : TASK_DEP;
	return 0;
}

static void run_close(eval_run *r)
{
	for (int i = 0; i <= r->systems; i++)
		hp_input_close(r->in[i]);
	hp_bootstrap_destroy(r->bootstrap);
	for (int i = 0; i < CONFUSIONS; i++)
		hp_confusion_free(&r->confusion[i]);
	for (int i = 0; i < r->o->bys; i++)
		hp_breakdown_destroy(r->by[i]);
	free(r->left_out);
	free(r->note);
}

static int evaluate(const options *p, eval_options *o, char *const *paths)
{
	static const eval_task *const task[] = {
		[TASK_DEP] = &eval_dep, [TASK_RST] = &eval_rst, [TASK_SEGMENT] = &eval_segment};
	eval_run r = {
		.o = o,
		.systems = o->compare ? 2 : 1,
		.report = {
			.name = o->name, .gold = paths[0], .system = {paths[1], o->compare ? paths[2] : NULL}, .parts = o->bys}};
	hp_error err;
	bool fits = true;
	int status = open_files(&r, paths, &err);

	if (!status)
		fits = check_task(p, o) == CLI_GO_ON;
	if (!status && fits)
		status = task[o->task]->count(&r, &err);
	if (!status && fits)
		status = print_results(&r, &err);
	run_close(&r);
	return status ? cli_fail(&err) : fits ? CLI_OK : CLI_USAGE;
}

static int summarize(const eval_options *o, int files, char *const *paths)
{
	hp_summary *s = hp_summary_new();
	hp_grid *g = NULL;
	hp_error err;
	int status = s ? 0 : hp_fail_memory(&err);

	for (int i = 0; i < files && !status; i++)
		status = hp_summary_read(s, paths[i], &err);
	if (!status)
		status = hp_summary_grid(s, o->csv, &g, &err);
	if (!status)
		status = o->csv ? hp_grid_write_csv(g, stdout, &err) : hp_grid_write_text(g, stdout, &err);
	hp_grid_destroy(g);
	hp_summary_destroy(s);
	return status ? cli_fail(&err) : CLI_OK;
}

int main(int argc, char **argv)
{
	eval_options o = {
		.length_bins = {5, {10, 20, 30, 40, 50}, 1},
		.arc_bins = {10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1},
		.depth_bins = {10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1},
		.edu_bins = {9, {2, 3, 4, 5, 6, 7, 8, 9, 10}, 2},
		.name = "",
		.samples = 10000,
		.seed = 1,
		.max_words = 20000,
	};
	options p = {.usage = usage,
	             .column = 28,
	             .table = {{.row = any_tree, .into = &o},
	                       {.row = dependency, .into = &o, .heading = "Dependency trees"},
	                       {.row = general, .into = &o},
	                       {.row = rhetorical, .into = &o, .heading = "Rhetorical trees"}}};
	int status, files;

	cli_start("hp-eval");
	status = options_parse(&p, argc, argv);
	files = argc - optind;
	if (status == CLI_GO_ON)
		status = apply_punct(&o);
	if (status == CLI_GO_ON)
		status = check_options(&p, &o, files, argv + optind);
	if (status == CLI_GO_ON && cli_begin_output(o.output, files, argv + optind) != CLI_OK)
		status = CLI_FAILED;
	if (status == CLI_GO_ON)
		status = cli_finish(o.summarize ? summarize(&o, files, argv + optind) : evaluate(&p, &o, argv + optind));
	hp_ignore_free(&o.ignore);
	return status;
}
