/* train-options.c: the options of hp-train. */
#include "train.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "base/pool.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* ---- hyper-parameters ---- */

static int set_hyper(train_options *o, const char *option, const char *key, const char *value)
{
	hp_error err;

	return hp_hyper_set(&o->setup.hyper, key, value, &err) == 0 ? CLI_OK : cli_usage("--%s: %s", option, err.text);
}

static int take_hyper(void *into, const option_row *row, char *arg)
{
	return set_hyper(into, row->name, row->name, arg);
}

static int take_f16(void *into, const option_row *row, char *unused)
{
	(void)unused;
	return set_hyper(into, row->name, "store_half", "yes");
}

static int take_f8(void *into, const option_row *row, char *unused)
{
	int status = take_f16(into, row, unused);

	return status == CLI_OK ? set_hyper(into, row->name, "store_bytes", "yes") : status;
}

/* NAME=VALUE */
static int take_pair(void *into, const option_row *row, char *arg)
{
	const char *equals = strchr(arg, '=');
	char key[64];

	if (!equals || (size_t)(equals - arg) >= sizeof key)
		return cli_usage("--%s: '%s' is not NAME=VALUE", row->name, arg);
	snprintf(key, sizeof key, "%.*s", (int)(equals - arg), arg);
	return set_hyper(into, row->name, key, equals + 1);
}

static int take_table(void *into, const option_row *row, char *path)
{
	train_options *o = into;
	hp_error err;

	if (o->tables == TRAIN_TABLES)
		return cli_usage("--%s: more than %d tables", row->name, TRAIN_TABLES);
	o->hyper[o->tables++] = path;
	return hp_hyper_read(&o->setup.hyper, path, &err) == 0 ? CLI_OK : cli_fail(&err);
}

/* ---- the table ---- */

static const char usage[] = "Usage: hp-train [OPTION]... --train FILE --dev FILE -o MODEL\n"
							"Train a dependency parser on a CoNLL-U treebank.  MODEL becomes the best model\n"
							"by labelled attachment score on the dev treebank, each time there is a better\n"
							"one.  With --task=rst: a discourse parser on sentences' rhetorical trees (.dis),\n"
							"the best by Span.  With --task=tokenize: a tokeniser for hp-tokenize, the best\n"
							"by F1 of tokens, words and sentences together.  With --task=tag: a tagger for\n"
							"hp-tag, the best by the mean of UPOS, XPOS, FEATS and lemmas.  With\n"
							"--task=segment: a segmenter for hp-segment, the best by F1.\n"
							"\n";

static const char end[] = "\n"
						  "Exit status is 0, 1 after an error, 2 for wrong usage, and 130, 143 or 129 after\n"
						  "SIGINT, SIGTERM or SIGHUP.\n";

static const char *const tasks[] = {"dep", "rst", "tokenize", "tag", "segment", NULL}; /* in the order of hp_task */

#define INTO(field) OPTION_INTO(train_options, field)

static const option_row rows[] = {
	{0, "task", "TASK", INTO(task), .words = tasks,
     .help = "dep (default), rst, tokenize, tag or\n"
             "segment"},
	{'t', "train", "FILE", INTO(file[TRAIN][TREES]), .help = "treebank to train on; several make one"},
	{'d', "dev", "FILE", INTO(file[DEV][TREES]),
     .help = "treebank to choose the best model by; with --task=rst\n"
             "a tenth of the training data where none is given"},
	{0, "test", "FILE", INTO(file[TEST][TREES]), .help = "treebank to score the best model on at the end"},
	{0, "train-stream", "FILE", INTO(file[TRAIN][STREAMS]),
     .help = "--task=rst: a tensor stream with the embeddings of\n"
             "the training data's words, which the model then reads\n"
             "in place of words"},
	{0, "dev-stream", "FILE", INTO(file[DEV][STREAMS])},
	{0, "test-stream", "FILE", INTO(file[TEST][STREAMS]), .help = "   the same of dev and test"},
	{0, "train-tags", "FILE", INTO(file[TRAIN][TAGS]),
     .help = "--task=rst, with --pos: CoNLL-U with the tags of the\n"
             "training data's words"},
	{0, "dev-tags", "FILE", INTO(file[DEV][TAGS])},
	{0, "test-tags", "FILE", INTO(file[TEST][TAGS]), .help = "   the same of dev and test"},
	{'v', "vectors", "FILE", INTO(setup.vectors), .once = true,
     .help = "word vectors (GloVe, word2vec or fastText form)"},
	{'o', "output", "MODEL", INTO(setup.output), .written = true, .help = "the model file"},
	{'i', "init", "MODEL", INTO(setup.init), .once = true,
     .help = "start from the parameters of this model, not from\n"
             "random ones"},
	{0, "output-relation", "MODEL", INTO(setup.output_relation), .written = true,
     .help = "  --task=rst: the best model by Relation as well"},
	{'y', "hyper", "FILE", .take = take_table, .help = "hyper-parameters from a CSV table"},
	{'s', "set", "NAME=VALUE", .take = take_pair, .help = "a single hyper-parameter"},
	{'f', "fusion", "WHICH", .take = take_hyper, .help = "T, P, PS or PST (default); same as --set fusion=WHICH"},
	{'g', "gate", "WHICH", .take = take_hyper,
     .help = "dependencies: none, gate or sgate (default); same as\n"
             "--set gate=WHICH"},
	{'p', "pos", "COLUMN", .take = take_hyper,
     .help = "upos (default), xpos or none (default of --task=rst),\n"
             "or with --task=rst tree: upos, relation and where the\n"
             "head is; same as --set pos=COLUMN"},
	{0, "f16", NULL, .take = take_f16, .help = "store half precision; same as --set store_half=yes"},
	{0, "f8", NULL, .take = take_f8, .help = "and matrices in a byte a number (store_bytes=yes)"},
	{0, "print-hyper", NULL, INTO(print),
     .help = "print the table of hyper-parameters, with --train as\n"
             "they follow from its size, and exit"},
	{'S', "seed", "N", INTO(seed), .min = 0, .max = INT32_MAX, .help = "of all random choices (default 1)"},
	{'e', "epochs", "N", INTO(setup.length.epochs), .min = 1, .max = 1000000,
     .help = "passes over the treebank (default by its size)"},
	{'T', "time", "MINUTES", INTO(setup.length.minutes), .min = 0.001, .max = 1e6,
     .help = "stop after so many minutes instead"},
	{0, "plan", "PLAN", INTO(plan),
     .help = "stop as an earlier training with --time did; see its\n"
             "log"},
	{0, "precision", "WHICH", INTO(setup.precision), .words = hp_precision_names,
     .help = "of matrix products: f32, bf16 or auto (default):\n"
             "bf16 where it is faster"},
	{'j', "threads", "N", INTO(setup.threads), .min = 1, .max = 1024,
     .help = "threads (default: all processors it may use); the\n"
             "result is the same"},
	{'l', "log", "FILE", INTO(log), .written = true, .help = "CSV log, a row an epoch"},
	{'c', "checkpoint", "FILE", INTO(checkpoint), .written = true,
     .help = "save the state of the training every few minutes, at\n"
             "the end, and at SIGINT, SIGTERM and SIGHUP"},
	{0, "checkpoint-every", "MINUTES", INTO(every), .min = 0, .max = 1e6, .help = "   how often (default 5)"},
	{'r', "resume", NULL, INTO(resume), .help = "go on from the checkpoint, if there is one"},
	{0, "id", "ID", INTO(setup.id), .help = "id of the model (default: derived from its contents)"},
	{'w', "max-words", "N", INTO(setup.max_words), .min = 1, .max = 100000000,
     .help = "refuse longer sentences (default 20000)"},
	{'q', "quiet", NULL, INTO(quiet), .help = "no progress on standard error"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help and exit"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version and exit"},
	{0}};

/* ---- files ---- */

const char *const train_option[BANKS][KINDS] = {{"--train", "--train-stream", "--train-tags"},
                                                {"--dev", "--dev-stream", "--dev-tags"},
                                                {"--test", "--test-stream", "--test-tags"}};

void train_options_free(train_options *o)
{
	for (int i = 0; i < BANKS * KINDS; i++)
		free(o->file[i / KINDS][i % KINDS]);
}

static int count_files(const char *const *file)
{
	int n = 0;

	while (file && file[n])
		n++;
	return n;
}

static hp_bank_files bank_files(const train_options *o, int bank)
{
	return (hp_bank_files){o->file[bank][TREES], o->file[bank][STREAMS], o->file[bank][TAGS], cli_warn, NULL};
}

/* What stands beside the treebanks, a KIND of file: for all data or for none, a file for each. */
static int check_beside(const train_options *o, int kind)
{
	int given = 0;

	for (int bank = 0; bank < BANKS; bank++)
		given += count_files(o->file[bank][kind]);
	if (given == 0)
		return CLI_GO_ON;
	if (o->setup.hyper.task != HP_TASK_RST)
		return cli_usage("%s and %s are for --task=rst", train_option[TRAIN][kind], train_option[DEV][kind]);
	for (int bank = 0; bank < BANKS; bank++) {
		const char *name = train_option[bank][kind], *trees = train_option[bank][TREES];
		int beside = count_files(o->file[bank][kind]), files = count_files(o->file[bank][TREES]);

		if (beside > 0 && files == 0)
			return cli_usage("%s needs %s", name, trees);
		if (files > 0 && beside == 0)
			return bank == TRAIN ? cli_usage("%s needs %s", train_option[o->file[DEV][kind] ? DEV : TEST][kind], name)
			                     : cli_usage("%s and %s need %s", train_option[TRAIN][kind], trees, name);
		if (files != beside)
			return cli_usage("%d file%s of %s, %d of %s: expected one for each, in the same order", beside,
			                 hp_plural(beside), name, files, trees);
	}
	return CLI_GO_ON;
}

static int check_rst_files(const train_options *o)
{
	const hp_trainer_setup *s = &o->setup;
	int status = check_beside(o, STREAMS);

	if (status == CLI_GO_ON)
		status = check_beside(o, TAGS);
	if (status != CLI_GO_ON || s->hyper.task != HP_TASK_RST)
		return status;
	if (s->train.streams && (s->vectors || s->train.tags))
		return cli_usage("only one of --%s and --train-stream can be given", s->vectors ? "vectors" : "train-tags");
	if (s->train.tags && !s->hyper.pos)
		return cli_usage("--train-tags needs --pos=upos, --pos=xpos or --pos=tree");
	if (!s->train.tags && s->hyper.pos)
		return cli_usage("with --task=rst, tags (--pos) need --train-tags");
	return CLI_GO_ON;
}

static int check_options(const train_options *o)
{
	const hp_trainer_setup *s = &o->setup;
	bool rst = s->hyper.task == HP_TASK_RST;

	if (o->print)
		return CLI_GO_ON;
	if (!s->train.trees || (!s->dev.trees && !rst) || !s->output)
		return cli_usage("%s is needed", !s->train.trees ? "--train" : !s->output ? "--output" : "--dev");
	if (!rst && s->hyper.pos == HP_POS_TREE)
		return cli_usage("--pos=tree is for --task=rst");
	if (s->hyper.task == HP_TASK_TOKENIZE && (s->vectors || s->init))
		return cli_usage("--%s is not for --task=tokenize", s->vectors ? "vectors" : "init");
	if (s->output_relation && !rst)
		return cli_usage("--output-relation is for --task=rst");
	if (o->resume && !o->checkpoint)
		return cli_usage("--resume needs --checkpoint");
	if (s->id && cli_id("--id", s->id) != CLI_OK)
		return CLI_USAGE;
	if (s->length.epochs > 0 && s->length.minutes > 0)
		return cli_usage("only one of --epochs and --time can be given");
	return check_rst_files(o);
}

/* What is not given, once the task is known. */
static void set_defaults(train_options *o)
{
	hp_trainer_setup *s = &o->setup;

	hp_hyper_init_task(&s->hyper, o->task ? (hp_task)(o->task - 1) : HP_TASK_DEP);
	s->version = PACKAGE_VERSION;
	s->max_words = 20000;
	s->threads = hp_processors();
}

int train_options_parse(train_options *o, int argc, char **argv)
{
	options p = {.usage = usage, .end = end, .column = 27, .table = {{.row = rows, .into = o}}};
	int status;

	*o = (train_options){.every = 5, .seed = 1};
	status = options_peek(&p, argc, argv, "task"); /* what can be set depends on it */
	if (status != CLI_GO_ON)
		return status;
	set_defaults(o);
	status = options_parse(&p, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	if (optind < argc)
		return cli_usage("'%s' is neither an option nor the value of one", argv[optind]);
	o->setup.seed = (uint64_t)o->seed;
	o->minutes = o->plan ? 0 : o->setup.length.minutes;
	o->setup.train = bank_files(o, TRAIN);
	o->setup.dev = bank_files(o, DEV);
	o->setup.test = bank_files(o, TEST);
	return check_options(o);
}
