/* hp-eval.c: scores parser output against a gold standard. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli.h"
#include "eval/attachment.h"
#include "eval/conll18.h"
#include "eval/ignore.h"
#include "eval/report.h"
#include "eval/summary.h"

static const char help[] =
	"Usage: hp-eval [OPTION]... GOLD SYSTEM\n"
	"       hp-eval [OPTION]... --compare GOLD SYSTEM1 SYSTEM2\n"
	"       hp-eval [--csv] --summarize FILE.csv...\n"
	"Score the dependency trees of SYSTEM against those of GOLD, both CoNLL-U.\n"
	"One file may be '-', standard input.\n"
	"\n"
	"      --task=dep            what the files hold: dependency trees (default)\n"
	"      --conll               print what the CoNLL 2018 scorer prints\n"
	"      --by=WHAT,...         break down by length, arc, direction, relation\n"
	"                            or universal (relation without subtype)\n"
	"      --length-bins=N,...   largest sentence length of each bin\n"
	"                            (default: 10,20,30,40,50)\n"
	"      --arc-bins=N,...      largest arc length of each bin\n"
	"                            (default: 1,2,3,4,5,6,7,8,9,10)\n"
	"      --punct=HOW           punctuation: keep (default), or leave it out by\n"
	"                            upos, xpos or unicode (category of the form)\n"
	"      --ignore-upos=TAGS    leave these words out; commas or blanks between\n"
	"      --ignore-xpos=TAGS    leave these words out; blanks between\n"
	"      --csv                 write CSV, a figure a row\n"
	"      --name=TEXT           name of the experiment in the CSV rows\n"
	"      --compare             paired bootstrap between two systems\n"
	"      --samples=N           bootstrap samples (default: 10000)\n"
	"      --seed=N              seed of the bootstrap (default: 1)\n"
	"      --summarize           mean and standard deviation over runs, from\n"
	"                            tables written with --csv\n"
	"      --max-words=N         longest sentence accepted (default: 20000)\n"
	"      --help                print this help and exit\n"
	"      --version             print the version and exit\n";

enum { PUNCT_UNSET, PUNCT_KEEP, PUNCT_UPOS, PUNCT_XPOS, PUNCT_UNICODE };
enum { MOST_METRICS = HP_CONLL18_METRICS }; /* of any task */

struct options {
	bool conll, csv, compare, summarize;
	int punct;
	hp_ignore ignore;
	hp_by by[HP_BYS];
	int bys;
	hp_bins length_bins, arc_bins;
	const char *name;
	long samples, seed, max_words;
	const char *only_compare, *only_trees; /* an option given that other modes do not have, or NULL */
};

/* One evaluation under way. */
struct run {
	struct options *o;
	const char *const *paths; /* gold, systems */
	int systems;
	const hp_metric *metrics;
	int count;
	hp_tally totals[HP_ALIGNED_FILES - 1][MOST_METRICS];
	hp_breakdown *by[HP_BYS];
	hp_bootstrap *bootstrap; /* --compare only */
	hp_aligned *files;
	hp_arena *scratch;
	char *punct; /* as text, for CSV */
};

/* ---- options ---- */

static int choose(const char *option, const char *arg, const char *const *names, int count, int *out)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(arg, names[i])) {
			*out = i;
			return CLI_OK;
		}
	return cli_usage("%s: unknown '%s'", option, arg);
}

static int parse_by(struct options *o, char *arg)
{
	const char *names[HP_BYS];

	for (int i = 0; i < HP_BYS; i++)
		names[i] = hp_by_name(i);
	for (char *what; (what = strsep(&arg, ",")) != NULL;) {
		bool twice = false;
		int by = 0, status = choose("--by", what, names, HP_BYS, &by);

		if (status)
			return status;
		for (int i = 0; i < o->bys; i++)
			twice |= o->by[i] == (hp_by)by;
		if (!twice)
			o->by[o->bys++] = by;
	}
	return CLI_OK;
}

static int parse_list(const char *option, int status, const hp_error *err)
{
	return status ? cli_usage("%s: %s", option, err->text) : CLI_OK;
}

static int parse_option(struct options *o, int option, char *arg)
{
	static const char *const tasks[] = { "dep" };
	static const char *const puncts[] = { "", "keep", "upos", "xpos", "unicode" };
	hp_error err;
	int ignored;

	if (option != 'c' && option != 'S')
		o->only_trees = "options about trees";
	switch (option) {
	case 't':
		return choose("--task", arg, tasks, 1, &ignored);
	case 'C':
		o->conll = true;
		return CLI_OK;
	case 'b':
		return parse_by(o, arg);
	case 'l':
		return parse_list("--length-bins", hp_bins_parse(arg, &o->length_bins, &err), &err);
	case 'a':
		return parse_list("--arc-bins", hp_bins_parse(arg, &o->arc_bins, &err), &err);
	case 'p':
		return *arg ? choose("--punct", arg, puncts, 5, &o->punct) : cli_usage("--punct: unknown ''");
	case 'u':
		return parse_list("--ignore-upos", hp_ignore_list(&o->ignore.upos, arg, ", ", &err), &err);
	case 'x':
		return parse_list("--ignore-xpos", hp_ignore_list(&o->ignore.xpos, arg, " ", &err), &err);
	case 'c':
		o->csv = true;
		return CLI_OK;
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
		return cli_bad_option();
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

static int check_options(const struct options *o, int files, char *const *paths)
{
	int standard = 0;

	for (int i = 0; i < files; i++)
		standard += !strcmp(paths[i], "-");
	if (standard > 1)
		return cli_usage("only one file can be standard input");
	if (o->summarize) {
		if (o->only_trees)
			return cli_usage("--summarize takes no option but --csv");
		return files ? CLI_OK : cli_usage("--summarize needs at least one FILE.csv");
	}
	if (o->conll && (o->ignore.upos || o->ignore.xpos || o->ignore.unicode))
		return cli_usage("--conll counts every word; it cannot leave out punctuation");
	if (o->bys && (o->conll || o->compare))
		return cli_usage("--by cannot be combined with --conll or --compare");
	if (o->only_compare && !o->compare)
		return cli_usage("%s needs --compare", o->only_compare);
	if (o->compare)
		return files == 3 ? CLI_OK : cli_usage("expected three files, GOLD SYSTEM1 SYSTEM2; got %d", files);
	return files == 2 ? CLI_OK : cli_usage("expected two files, GOLD and SYSTEM; got %d", files);
}

/* ---- counting ---- */

static const hp_bins *bins_of(const struct options *o, hp_by by)
{
	return by == HP_BY_LENGTH ? &o->length_bins : &o->arc_bins;
}

static int run_open(struct run *r, hp_error *err)
{
	r->metrics = r->o->conll ? hp_conll18_metrics : hp_attachment_metrics;
	r->count = r->o->conll ? HP_CONLL18_METRICS : HP_ATTACHMENT_METRICS;
	r->scratch = hp_arena_new();
	r->punct = hp_ignore_text(&r->o->ignore);
	if (r->o->compare)
		r->bootstrap = hp_bootstrap_new(r->metrics, r->count);
	if (!r->scratch || !r->punct || (r->o->compare && !r->bootstrap))
		return hp_fail_memory(err);
	for (int i = 0; i < r->o->bys; i++)
		if (hp_by_new(r->o->by[i], bins_of(r->o, r->o->by[i]), &r->by[i], err))
			return HP_FAIL;
	return hp_aligned_open(r->paths, 1 + r->systems, (int)r->o->max_words, &r->files, err);
}

static void run_close(struct run *r)
{
	hp_aligned_close(r->files);
	hp_bootstrap_destroy(r->bootstrap);
	for (int i = 0; i < r->o->bys; i++)
		hp_breakdown_destroy(r->by[i]);
	hp_arena_destroy(r->scratch);
	free(r->punct);
}

static int score_sentence(struct run *r, hp_error *err)
{
	const hp_tree *gold = hp_aligned_tree(r->files, 0);
	hp_tally scores[HP_ALIGNED_FILES - 1][MOST_METRICS];
	bool *counted;

	hp_arena_reset(r->scratch);
	counted = HP_NEW(r->scratch, bool, gold->s.words);
	if (!counted)
		return hp_fail_memory(err);
	hp_ignore_mark(&r->o->ignore, gold, counted);
	for (int k = 0; k < r->systems; k++) {
		const hp_tree *system = hp_aligned_tree(r->files, k + 1);

		if (!r->o->conll)
			hp_attachment_score(gold, system, counted, scores[k]);
		else if (hp_conll18_score(gold, system, r->scratch, scores[k], err))
			return HP_FAIL;
		hp_tally_add(r->totals[k], scores[k], r->count);
		for (int i = 0; i < r->o->bys; i++)
			if (hp_by_add(r->o->by[i], bins_of(r->o, r->o->by[i]), gold, system, counted, r->by[i], err))
				return HP_FAIL;
	}
	return r->bootstrap ? hp_bootstrap_add(r->bootstrap, scores[0], scores[1], err) : 0;
}

static int score_files(struct run *r, hp_error *err)
{
	const char *name = hp_aligned_tree(r->files, 0)->name;
	int got;

	while ((got = hp_aligned_next(r->files, err)) > 0)
		if (score_sentence(r, err))
			return HP_FAIL;
	if (got < 0)
		return HP_FAIL;
	if (!hp_aligned_sentences(r->files))
		return hp_fail(err, "%s: no sentences", name);
	for (int i = 0; i < r->o->bys; i++)
		if (r->o->by[i] == HP_BY_RELATION || r->o->by[i] == HP_BY_UNIVERSAL)
			hp_breakdown_sort(r->by[i]);
	return hp_ignore_check(&r->o->ignore, name, err);
}

/* ---- results ---- */

static int print_comparison(const struct run *r, const hp_report *report, hp_error *err)
{
	hp_report_samples how = { hp_aligned_sentences(r->files), r->o->samples, r->o->seed };
	hp_difference differences[MOST_METRICS];

	if (hp_bootstrap_run(r->bootstrap, (int)how.samples, (uint64_t)how.seed, differences, err))
		return HP_FAIL;
	return hp_report_comparison(report, differences, &how, r->o->csv, stdout, err);
}

static int print_results(const struct run *r, hp_error *err)
{
	hp_report_part parts[HP_BYS];
	hp_report report = {
		.task = "dep", .name = r->o->name, .gold = r->paths[0],
		.system = { r->paths[1], r->systems > 1 ? r->paths[2] : NULL }, .left_out = r->punct,
		.metrics = r->metrics, .count = r->count, .totals = r->totals[0], .parts = r->o->bys, .part = parts,
	};

	for (int i = 0; i < r->o->bys; i++) {
		parts[i] = (hp_report_part){ .by = hp_by_name(r->o->by[i]), .groups = r->by[i] };
		parts[i].metrics = hp_by_metrics(r->o->by[i], &parts[i].count);
	}
	if (r->bootstrap)
		return print_comparison(r, &report, err);
	if (r->o->csv)
		return hp_report_csv(&report, stdout, err);
	if (!r->o->conll)
		return hp_report_text(&report, stdout, err);
	hp_conll18_print(r->totals[0], stdout);
	return 0;
}

/* ---- the two jobs ---- */

static int evaluate(struct options *o, char *const *paths)
{
	struct run r = { .o = o, .paths = (const char *const *)paths, .systems = o->compare ? 2 : 1 };
	hp_error err;
	int status = run_open(&r, &err);

	if (!status)
		status = score_files(&r, &err);
	if (!status)
		status = print_results(&r, &err);
	run_close(&r);
	return status ? cli_fail(&err) : CLI_OK;
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
	static const struct option longs[] = {
		{ "task", required_argument, NULL, 't' }, { "conll", no_argument, NULL, 'C' },
		{ "by", required_argument, NULL, 'b' }, { "length-bins", required_argument, NULL, 'l' },
		{ "arc-bins", required_argument, NULL, 'a' }, { "punct", required_argument, NULL, 'p' },
		{ "ignore-upos", required_argument, NULL, 'u' }, { "ignore-xpos", required_argument, NULL, 'x' },
		{ "csv", no_argument, NULL, 'c' }, { "name", required_argument, NULL, 'n' },
		{ "compare", no_argument, NULL, 'B' }, { "samples", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' }, { "summarize", no_argument, NULL, 'S' },
		{ "max-words", required_argument, NULL, 'w' }, { "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 }
	};
	struct options o = {
		.length_bins = { 5, { 10, 20, 30, 40, 50 } }, .arc_bins = { 10, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } },
		.name = "", .samples = 10000, .seed = 1, .max_words = 20000,
	};
	int option, files, status = CLI_OK;

	cli_start("hp-eval");
	while (!status && (option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
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
		status = cli_finish(o.summarize ? summarize(&o, files, argv + optind) : evaluate(&o, argv + optind));
	hp_ignore_free(&o.ignore);
	return status;
}
