/* hp-eval.c: scores parser output against a gold standard. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "eval.h"
#include "eval/summary.h"
#include "io/sniff.h"

static const char help[] = "Usage: hp-eval [OPTION]... GOLD SYSTEM\n"
						   "       hp-eval [OPTION]... --compare GOLD SYSTEM1 SYSTEM2\n"
						   "       hp-eval [--csv] --summarize FILE.csv...\n"
						   "Score the trees of SYSTEM against those of GOLD: dependency trees in CoNLL-U,\n"
						   "or rhetorical trees in .dis notation, of which SYSTEM may have more, and in\n"
						   "another order.  One file may be '-', standard input.\n"
						   "\n"
						   "      --task=TASK           what the files hold: dep, dependency trees, or rst,\n"
						   "                            rhetorical trees (default: what GOLD looks like)\n"
						   "      --by=WHAT,...         break down dependency trees by length, arc,\n"
						   "                            direction, relation or universal (relation\n"
						   "                            without subtype), rhetorical ones by edus (of the\n"
						   "                            sentence) or relation\n"
						   "      --csv                 write CSV, a figure a row\n"
						   "  -o, --output=FILE         write into FILE, which is there when all of it is\n"
						   "      --name=TEXT           name of the experiment in the CSV rows\n"
						   "      --compare             paired bootstrap between two systems\n"
						   "      --samples=N           bootstrap samples (default: 10000)\n"
						   "      --seed=N              seed of the bootstrap (default: 1)\n"
						   "      --summarize           mean and standard deviation over runs, from\n"
						   "                            tables written with --csv\n"
						   "  -h, --help                print this help and exit\n"
						   "  -V, --version             print the version and exit\n"
						   "\n"
						   "Dependency trees:\n"
						   "      --conll               print what the CoNLL 2018 scorer prints\n"
						   "      --length-bins=N,...   largest sentence length of each bin\n"
						   "                            (default: 10,20,30,40,50)\n"
						   "      --arc-bins=N,...      largest arc length of each bin\n"
						   "                            (default: 1,2,3,4,5,6,7,8,9,10)\n"
						   "      --punct=HOW           punctuation: keep (default), or leave it out by\n"
						   "                            upos, xpos or unicode (category of the form)\n"
						   "      --ignore-upos=TAGS    leave these words out; commas or blanks between\n"
						   "      --ignore-xpos=TAGS    leave these words out; blanks between\n"
						   "      --max-words=N         longest sentence accepted (default: 20000)\n"
						   "\n"
						   "Rhetorical trees:\n"
						   "      --edu-bins=N,...      largest number of EDUs of each bin\n"
						   "                            (default: 2,3,4,5,6,7,8,9,10)\n"
						   "      --nary=HOW            nodes with more than two children: binarize them\n"
						   "                            (default), or keep them\n";

/* ---- options ---- */

static int unknown(const char *option, const char *arg, const char *const *names, int count)
{
	char list[256] = "";
	int size = 0;

	for (int i = 0; i < count && size < (int)sizeof(list); i++)
		if (*names[i])
			size += snprintf(list + size, sizeof(list) - (size_t)size, "%s%s", size ? ", " : "", names[i]);
	return cli_usage("%s: unknown '%s', expected one of %s", option, arg, list);
}

static int choose(const char *option, const char *arg, const char *const *names, int count, int *out)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(arg, names[i])) {
			*out = i;
			return CLI_OK;
		}
	return unknown(option, arg, names, count);
}

static const char *by_name(int by)
{
	return by == BY_EDUS ? hp_parseval_by_name(HP_PARSEVAL_BY_EDUS) : hp_by_name((hp_by)by);
}

static int parse_by(struct options *o, char *arg)
{
	const char *names[BYS];

	for (int i = 0; i < BYS; i++)
		names[i] = by_name(i);
	for (char *what; (what = strsep(&arg, ",")) != NULL;) {
		bool twice = false;
		int by = 0, status = choose("--by", what, names, BYS, &by);

		if (status)
			return status;
		for (int i = 0; i < o->bys; i++)
			twice |= o->by[i] == by;
		if (!twice)
			o->by[o->bys++] = by;
	}
	return CLI_OK;
}

static int parse_list(const char *option, int status, const hp_error *err)
{
	return status ? cli_usage("%s: %s", option, err->text) : CLI_OK;
}

/* Options that are for one kind of tree. */
static void note_task(struct options *o, int option)
{
	static const struct only {
		int option;
		const char *name;
		bool rst;
	} list[] = {
		{'C', "--conll", false},     {'l', "--length-bins", false}, {'a', "--arc-bins", false},
		{'p', "--punct", false},     {'u', "--ignore-upos", false}, {'x', "--ignore-xpos", false},
		{'w', "--max-words", false}, {'e', "--edu-bins", true},     {'N', "--nary", true},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].option == option)
			*(list[i].rst ? &o->only_rst : &o->only_dep) = list[i].name;
}

static int parse_option(struct options *o, int option, char *arg)
{
	static const char *const tasks[] = {"dep", "rst"}, *const naries[] = {"binarize", "keep"};
	static const char *const puncts[] = {"", "keep", "upos", "xpos", "unicode"};
	hp_error err;
	int chosen = 0, status;

	if (option != 'c' && option != 'S' && option != 'o')
		o->only_trees = "options about trees";
	note_task(o, option);
	switch (option) {
	case 't':
		status = choose("--task", arg, tasks, 2, &chosen);
		o->task = TASK_DEP + chosen;
		return status;
	case 'C':
		o->conll = true;
		return CLI_OK;
	case 'b':
		return parse_by(o, arg);
	case 'l':
		return parse_list("--length-bins", hp_bins_parse(arg, 1, &o->length_bins, &err), &err);
	case 'a':
		return parse_list("--arc-bins", hp_bins_parse(arg, 1, &o->arc_bins, &err), &err);
	case 'e':
		return parse_list("--edu-bins", hp_bins_parse(arg, 2, &o->edu_bins, &err), &err);
	case 'N':
		status = choose("--nary", arg, naries, 2, &chosen);
		o->keep_nary = chosen;
		return status;
	case 'p':
		return *arg ? choose("--punct", arg, puncts, 5, &o->punct) : unknown("--punct", arg, puncts, 5);
	case 'u':
		return parse_list("--ignore-upos", hp_ignore_list(&o->ignore.upos, arg, ", ", &err), &err);
	case 'x':
		return parse_list("--ignore-xpos", hp_ignore_list(&o->ignore.xpos, arg, " ", &err), &err);
	case 'c':
		o->csv = true;
		return CLI_OK;
	case 'o':
		o->output = arg;
		return *arg ? CLI_OK : cli_usage("--output: expected the name of a file");
	case 'n':
		o->name = arg;
		return CLI_OK;
	case 'B':
		o->compare = true;
		return CLI_OK;
	case 's':
		o->only_compare = "--samples";
		return cli_whole("--samples", arg, 1, 1000000, &o->samples);
	case 'r':
		o->only_compare = "--seed";
		return cli_whole("--seed", arg, 0, INT32_MAX, &o->seed);
	case 'S':
		o->summarize = true;
		return CLI_OK;
	case 'w':
		return cli_whole("--max-words", arg, 1, INT32_MAX / 2, &o->max_words);
	default:
		return CLI_USAGE;
	}
}

/* The lists of tags that --punct stands for. */
static int apply_punct(struct options *o)
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
	return status ? cli_fail(&err) : CLI_OK;
}

/* Once the task is known: whether all options are for it. */
static int check_task(const struct options *o)
{
	bool rst = o->task == TASK_RST;
	const char *other = rst ? o->only_dep : o->only_rst, *kind = rst ? "dependency" : "rhetorical";

	if (other)
		return cli_usage("%s is for %s trees", other, kind);
	for (int i = 0; i < o->bys; i++)
		if (o->by[i] != HP_BY_RELATION && rst != (o->by[i] == BY_EDUS))
			return cli_usage("--by=%s is for %s trees", by_name(o->by[i]), kind);
	return CLI_OK;
}

static int check_options(const struct options *o, int files, char *const *paths)
{
	int standard = 0;

	for (int i = 0; i < files; i++)
		standard += !strcmp(paths[i], "-");
	if (standard > 1)
		return cli_usage("only one file can be standard input");
	if (o->summarize) {
		if (o->only_trees)
			return cli_usage("--summarize takes no options but --csv and --output");
		return files ? CLI_OK : cli_usage("--summarize needs at least one FILE.csv");
	}
	if (o->conll && (o->ignore.upos || o->ignore.xpos || o->ignore.unicode))
		return cli_usage("--conll counts every word; it cannot leave out punctuation");
	if (o->bys && (o->conll || o->compare))
		return cli_usage("--by cannot be combined with --conll or --compare");
	if (o->only_compare && !o->compare)
		return cli_usage("%s needs --compare", o->only_compare);
	if (o->task && check_task(o))
		return CLI_USAGE;
	if (o->compare)
		return files == 3 ? CLI_OK : cli_usage("expected three files, GOLD SYSTEM1 SYSTEM2; got %d", files);
	return files == 2 ? CLI_OK : cli_usage("expected two files, GOLD and SYSTEM; got %d", files);
}

/* ---- results ---- */

static int print_comparison(const struct run *r, hp_error *err)
{
	hp_report_samples how = {r->sentences, r->o->samples, r->o->seed};
	hp_difference differences[MOST_METRICS];

	if (hp_bootstrap_run(r->bootstrap, (int)how.samples, (uint64_t)how.seed, differences, err))
		return HP_FAIL;
	return hp_report_comparison(&r->report, differences, &how, r->o->csv, stdout, err);
}

static int print_results(struct run *r, hp_error *err)
{
	hp_report *report = &r->report; /* task and `single` are there already */

	report->name = r->o->name;
	report->gold = r->paths[0];
	report->system[0] = r->paths[1];
	report->system[1] = r->systems > 1 ? r->paths[2] : NULL;
	report->left_out = r->left_out;
	report->note = r->note;
	report->metrics = r->metrics;
	report->count = r->count;
	report->totals = r->totals[0];
	report->parts = r->o->bys;
	report->part = r->parts;
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

int eval_add(struct run *r, hp_tally scores[][MOST_METRICS], hp_error *err)
{
	for (int k = 0; k < r->systems; k++)
		hp_tally_add(r->totals[k], scores[k], r->count);
	r->sentences++;
	if (!r->o->compare)
		return 0;
	if (!r->bootstrap)
		r->bootstrap = hp_bootstrap_new(r->metrics, r->count);
	return r->bootstrap ? hp_bootstrap_add(r->bootstrap, scores[0], scores[1], err) : hp_fail_memory(err);
}

static int open_files(struct run *r, struct options *o, hp_error *err)
{
	bool is_dis = false;

	for (int i = 0; i <= r->systems; i++)
		if (hp_input_open(r->paths[i], &r->in[i], err))
			return HP_FAIL;
	if (o->task)
		return 0;
	if (hp_sniff_dis(r->in[0], &is_dis, err))
		return HP_FAIL;
	o->task = is_dis ? TASK_RST : TASK_DEP;
	return 0;
}

static void run_close(struct run *r)
{
	for (int i = 0; i <= r->systems; i++)
		hp_input_close(r->in[i]);
	hp_bootstrap_destroy(r->bootstrap);
	for (int i = 0; i < r->o->bys; i++)
		hp_breakdown_destroy(r->by[i]);
	free(r->left_out);
	free(r->note);
}

static int evaluate(struct options *o, char *const *paths)
{
	struct run r = {.o = o, .paths = (const char *const *)paths, .systems = o->compare ? 2 : 1};
	hp_error err;
	int usage = CLI_OK, status = open_files(&r, o, &err);

	if (!status)
		usage = check_task(o);
	if (!status && !usage)
		status = o->task == TASK_RST ? eval_rst(&r, &err) : eval_dep(&r, &err);
	if (!status && !usage)
		status = print_results(&r, &err);
	run_close(&r);
	return status ? cli_fail(&err) : usage;
}

static int summarize(const struct options *o, int files, char *const *paths)
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
	static const struct option longs[] = {{"task", required_argument, NULL, 't'},
	                                      {"conll", no_argument, NULL, 'C'},
	                                      {"by", required_argument, NULL, 'b'},
	                                      {"length-bins", required_argument, NULL, 'l'},
	                                      {"arc-bins", required_argument, NULL, 'a'},
	                                      {"punct", required_argument, NULL, 'p'},
	                                      {"ignore-upos", required_argument, NULL, 'u'},
	                                      {"ignore-xpos", required_argument, NULL, 'x'},
	                                      {"csv", no_argument, NULL, 'c'},
	                                      {"output", required_argument, NULL, 'o'},
	                                      {"name", required_argument, NULL, 'n'},
	                                      {"compare", no_argument, NULL, 'B'},
	                                      {"samples", required_argument, NULL, 's'},
	                                      {"seed", required_argument, NULL, 'r'},
	                                      {"summarize", no_argument, NULL, 'S'},
	                                      {"max-words", required_argument, NULL, 'w'},
	                                      {"edu-bins", required_argument, NULL, 'e'},
	                                      {"nary", required_argument, NULL, 'N'},
	                                      {"help", no_argument, NULL, 'h'},
	                                      {"version", no_argument, NULL, 'V'},
	                                      {NULL, 0, NULL, 0}};
	struct options o = {
		.length_bins = {5, {10, 20, 30, 40, 50}, 1},
		.arc_bins = {10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1},
		.edu_bins = {9, {2, 3, 4, 5, 6, 7, 8, 9, 10}, 2},
		.name = "",
		.samples = 10000,
		.seed = 1,
		.max_words = 20000,
	};
	int option, files, status = CLI_OK;

	cli_start("hp-eval");
	while (!status && (option = cli_option(argc, argv, "o:hV", longs)) != -1) {
		if (option == 'h' || option == 'V') {
			hp_ignore_free(&o.ignore);
			return option == 'h' ? cli_help(help) : cli_version();
		}
		status = parse_option(&o, option, optarg);
	}
	files = argc - optind;
	if (!status)
		status = apply_punct(&o);
	if (!status)
		status = check_options(&o, files, argv + optind);
	if (!status)
		status = cli_begin_output(o.output, files, argv + optind);
	if (!status)
		status = cli_finish(o.summarize ? summarize(&o, files, argv + optind) : evaluate(&o, argv + optind));
	hp_ignore_free(&o.ignore);
	return status;
}
