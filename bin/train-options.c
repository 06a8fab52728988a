/* train-options.c: the options of hp-train. */
#include "train.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"
#include "base/utf8.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static const char help[] = "Usage: hp-train [OPTION]... --train FILE --dev FILE -o MODEL\n"
						   "Train a dependency parser on a CoNLL-U treebank.  MODEL becomes the best model\n"
						   "by labelled attachment score on the dev treebank, each time there is a better\n"
						   "one.  With --task=rst: a discourse parser on sentences' rhetorical trees (.dis),\n"
						   "the best by Span.\n"
						   "\n"
						   "      --task=TASK          dep (default) or rst\n"
						   "  -t, --train=FILE         treebank to train on; several make one\n"
						   "  -d, --dev=FILE           treebank to choose the best model by; with --task=rst\n"
						   "                           a tenth of the training data where none is given\n"
						   "      --test=FILE          treebank to score the best model on at the end\n"
						   "      --train-stream=FILE  --task=rst: a tensor stream with the embeddings of\n"
						   "                           the training data's words, which the model then reads\n"
						   "                           in place of words\n"
						   "      --dev-stream=FILE, --test-stream=FILE   the same of dev and test\n"
						   "      --train-tags=FILE    --task=rst, with --pos: CoNLL-U with the tags of the\n"
						   "                           training data's words\n"
						   "      --dev-tags=FILE, --test-tags=FILE   the same of dev and test\n"
						   "  -v, --vectors=FILE       word vectors (GloVe, word2vec or fastText form)\n"
						   "  -o, --output=MODEL       the model file\n"
						   "  -i, --init=MODEL         start from the parameters of this model, not from\n"
						   "                           random ones\n"
						   "      --output-relation=MODEL  --task=rst: the best model by Relation as well\n"
						   "  -y, --hyper=FILE         hyper-parameters from a CSV table\n"
						   "  -s, --set=NAME=VALUE     a single hyper-parameter\n"
						   "  -f, --fusion=WHICH       T, P, PS or PST (default); same as --set fusion=WHICH\n"
						   "  -g, --gate=WHICH         dependencies: none, gate or sgate (default); same as\n"
						   "                           --set gate=WHICH\n"
						   "  -p, --pos=COLUMN         upos (default), xpos or none (default of --task=rst);\n"
						   "                           same as --set pos=COLUMN\n"
						   "      --f16                store half precision; same as --set store_half=yes\n"
						   "      --print-hyper        print the table of hyper-parameters and exit\n"
						   "  -S, --seed=N             of all random choices (default 1)\n"
						   "  -e, --epochs=N           passes over the treebank (default 40)\n"
						   "  -T, --time=MINUTES       stop after so many minutes instead\n"
						   "      --plan=PLAN          stop as an earlier training did; see its log\n"
						   "  -j, --threads=N          threads (default: all processors); the result is the\n"
						   "                           same\n"
						   "  -l, --log=FILE           CSV log, a row an epoch\n"
						   "  -c, --checkpoint=FILE    save the state of the training every few minutes, at\n"
						   "                           the end, and at SIGINT, SIGTERM and SIGHUP\n"
						   "      --checkpoint-every=MINUTES   how often (default 5)\n"
						   "  -r, --resume             go on from the checkpoint, if there is one\n"
						   "      --id=ID              id of the model (default: derived from its contents)\n"
						   "  -w, --max-words=N        refuse longer sentences (default 20000)\n"
						   "  -q, --quiet              no progress on standard error\n"
						   "  -h, --help               show this help and exit\n"
						   "  -V, --version            show the version and exit\n"
						   "\n"
						   "Exit status is 0, 1 after an error, 2 for wrong usage, and 130, 143 or 129 after\n"
						   "SIGINT, SIGTERM or SIGHUP.\n";

enum {
	OPT_F16 = 256,
	OPT_PRINT,
	OPT_PLAN,
	OPT_EVERY,
	OPT_ID,
	OPT_TASK,
	OPT_RELATION,
	OPT_TRAIN_STREAM,
	OPT_DEV_STREAM,
	OPT_TRAIN_TAGS,
	OPT_DEV_TAGS,
	OPT_TEST,
	OPT_TEST_STREAM,
	OPT_TEST_TAGS
};

#define SHORT_OPTIONS "t:d:v:o:i:y:s:f:g:p:S:e:T:j:l:c:rw:qhV"

static const struct option long_options[] = {
	{"task", required_argument, NULL, OPT_TASK},
	{"train", required_argument, NULL, 't'},
	{"dev", required_argument, NULL, 'd'},
	{"test", required_argument, NULL, OPT_TEST},
	{"train-stream", required_argument, NULL, OPT_TRAIN_STREAM},
	{"dev-stream", required_argument, NULL, OPT_DEV_STREAM},
	{"test-stream", required_argument, NULL, OPT_TEST_STREAM},
	{"train-tags", required_argument, NULL, OPT_TRAIN_TAGS},
	{"dev-tags", required_argument, NULL, OPT_DEV_TAGS},
	{"test-tags", required_argument, NULL, OPT_TEST_TAGS},
	{"vectors", required_argument, NULL, 'v'},
	{"output", required_argument, NULL, 'o'},
	{"init", required_argument, NULL, 'i'},
	{"output-relation", required_argument, NULL, OPT_RELATION},
	{"hyper", required_argument, NULL, 'y'},
	{"set", required_argument, NULL, 's'},
	{"fusion", required_argument, NULL, 'f'},
	{"gate", required_argument, NULL, 'g'},
	{"pos", required_argument, NULL, 'p'},
	{"f16", no_argument, NULL, OPT_F16},
	{"print-hyper", no_argument, NULL, OPT_PRINT},
	{"seed", required_argument, NULL, 'S'},
	{"epochs", required_argument, NULL, 'e'},
	{"time", required_argument, NULL, 'T'},
	{"plan", required_argument, NULL, OPT_PLAN},
	{"threads", required_argument, NULL, 'j'},
	{"log", required_argument, NULL, 'l'},
	{"checkpoint", required_argument, NULL, 'c'},
	{"checkpoint-every", required_argument, NULL, OPT_EVERY},
	{"resume", no_argument, NULL, 'r'},
	{"id", required_argument, NULL, OPT_ID},
	{"max-words", required_argument, NULL, 'w'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};
static int set_hyper(train_options *o, const char *option, const char *key, const char *value)
{
	hp_error err;

	return hp_hyper_set(&o->setup.hyper, key, value, &err) == 0 ? CLI_OK : cli_usage("%s: %s", option, err.text);
}

/* NAME=VALUE */
static int set_pair(train_options *o, const char *arg)
{
	const char *equals = strchr(arg, '=');
	char key[64];

	if (!equals || (size_t)(equals - arg) >= sizeof key)
		return cli_usage("--set: '%s' is not NAME=VALUE", arg);
	snprintf(key, sizeof key, "%.*s", (int)(equals - arg), arg);
	return set_hyper(o, "--set", key, equals + 1);
}

static int read_hyper(train_options *o, const char *path)
{
	hp_error err;

	if (o->tables == TRAIN_TABLES)
		return cli_usage("--hyper: more than %d tables", TRAIN_TABLES);
	o->hyper[o->tables++] = path;
	return hp_hyper_read(&o->setup.hyper, path, &err) == 0 ? CLI_OK : cli_fail(&err);
}

static int whole_option(const char *name, long min, long max, int *out)
{
	long value;
	int status = cli_whole(name, optarg, min, max, &value);

	if (status == CLI_OK)
		*out = (int)value;
	return status;
}

/* ---- files ---- */

const char *const train_option[BANKS][KINDS] = {{"--train", "--train-stream", "--train-tags"},
                                                {"--dev", "--dev-stream", "--dev-tags"},
                                                {"--test", "--test-stream", "--test-tags"}};

/* Room for as many files of each kind as there are arguments. */
static int make_room(train_options *o, int argc)
{
	size_t n = (size_t)argc + 1;

	o->files = calloc(BANKS * KINDS * n, sizeof *o->files);
	for (int i = 0; o->files && i < BANKS * KINDS; i++)
		o->file[i / KINDS][i % KINDS] = o->files + (size_t)i * n;
	return o->files ? CLI_OK : cli_error("out of memory");
}

void train_options_free(train_options *o)
{
	free(o->files);
}

static int count_files(const char *const *file)
{
	int n = 0;

	while (file[n])
		n++;
	return n;
}

static int add_file(train_options *o, int bank, int kind)
{
	const char **file = o->file[bank][kind];

	file[count_files(file)] = optarg;
	return CLI_OK;
}

static int one_file(const char *option, const char **path)
{
	if (*path)
		return cli_usage("%s: one file at most", option);
	*path = optarg;
	return CLI_OK;
}

static hp_bank_files bank_files(const train_options *o, int bank)
{
	const char *const *trees = o->file[bank][TREES], *const *streams = o->file[bank][STREAMS],
					  *const *tags = o->file[bank][TAGS];

	return (hp_bank_files){*trees ? trees : NULL, *streams ? streams : NULL, *tags ? tags : NULL, cli_warn, NULL};
}

/* Takes one option; CLI_OK or the status to exit with. */
static int take(train_options *o, int c)
{
	long seed;
	int status;

	switch (c) {
	case 't':
		return add_file(o, TRAIN, TREES);
	case 'd':
		return add_file(o, DEV, TREES);
	case 'v':
		return one_file("--vectors", &o->setup.vectors);
	case 'o':
		o->setup.output = optarg;
		return CLI_OK;
	case 'i':
		return one_file("--init", &o->setup.init);
	case 'l':
		o->log = optarg;
		return CLI_OK;
	case 'c':
		o->checkpoint = optarg;
		return CLI_OK;
	case 'r':
		o->resume = true;
		return CLI_OK;
	case 'q':
		o->quiet = true;
		return CLI_OK;
	case OPT_TASK:
		return CLI_OK; /* find_task has seen to it */
	case OPT_RELATION:
		o->setup.output_relation = optarg;
		return CLI_OK;
	case OPT_TEST:
		return add_file(o, TEST, TREES);
	case OPT_TRAIN_STREAM:
		return add_file(o, TRAIN, STREAMS);
	case OPT_DEV_STREAM:
		return add_file(o, DEV, STREAMS);
	case OPT_TEST_STREAM:
		return add_file(o, TEST, STREAMS);
	case OPT_TRAIN_TAGS:
		return add_file(o, TRAIN, TAGS);
	case OPT_DEV_TAGS:
		return add_file(o, DEV, TAGS);
	case OPT_TEST_TAGS:
		return add_file(o, TEST, TAGS);
	case OPT_PLAN:
		o->plan = optarg;
		return CLI_OK;
	case OPT_ID:
		o->setup.id = optarg;
		return CLI_OK;
	case OPT_PRINT:
		o->print = true;
		return CLI_OK;
	case 'y':
		return read_hyper(o, optarg);
	case 's':
		return set_pair(o, optarg);
	case 'f':
		return set_hyper(o, "--fusion", "fusion", optarg);
	case 'g':
		return set_hyper(o, "--gate", "gate", optarg);
	case 'p':
		return set_hyper(o, "--pos", "pos", optarg);
	case OPT_F16:
		return set_hyper(o, "--f16", "store_half", "yes");
	case 'e':
		return whole_option("--epochs", 1, 1000000, &o->epochs);
	case 'j':
		return whole_option("--threads", 1, 1024, &o->setup.threads);
	case 'w':
		return whole_option("--max-words", 1, 100000000, &o->setup.max_words);
	case 'T':
		return cli_real("--time", optarg, 0.001, 1e6, &o->minutes);
	case OPT_EVERY:
		return cli_real("--checkpoint-every", optarg, 0, 1e6, &o->every);
	case 'S':
		status = cli_whole("--seed", optarg, 0, INT32_MAX, &seed);
		o->setup.seed = (uint64_t)seed;
		return status;
	default:
		return CLI_USAGE;
	}
}

/* The task, wherever it stands: what can be set depends on it. */
static int find_task(train_options *o, int argc, char **argv)
{
	int c;

	opterr = 0; /* wrong ones are reported the second time */
	while ((c = getopt_long(argc, argv, SHORT_OPTIONS, long_options, NULL)) != -1) {
		if (c != OPT_TASK)
			continue;
		if (strcmp(optarg, "dep") != 0 && strcmp(optarg, "rst") != 0)
			return cli_usage("--task: '%s' is unknown, expected dep or rst", optarg);
		hp_hyper_init_task(&o->setup.hyper, *optarg == 'r' ? HP_TASK_RST : HP_TASK_DEP);
	}
	optind = 0; /* once more, from the start */
	return CLI_OK;
}

/* What stands beside the treebanks, a KIND of file: for all data or for none, a file for each. */
static int check_beside(const train_options *o, int kind)
{
	int given = 0;

	for (int bank = 0; bank < BANKS; bank++)
		given += count_files(o->file[bank][kind]);
	if (given == 0)
		return CLI_OK;
	if (o->setup.hyper.task != HP_TASK_RST)
		return cli_usage("%s and %s are for --task=rst", train_option[TRAIN][kind], train_option[DEV][kind]);
	for (int bank = 0; bank < BANKS; bank++) {
		const char *name = train_option[bank][kind], *trees = train_option[bank][TREES];
		int beside = count_files(o->file[bank][kind]), files = count_files(o->file[bank][TREES]);

		if (beside > 0 && files == 0)
			return cli_usage("%s needs %s", name, trees);
		if (files > 0 && beside == 0)
			return bank == TRAIN
			           ? cli_usage("%s needs %s", train_option[o->file[DEV][kind][0] ? DEV : TEST][kind], name)
			           : cli_usage("%s and %s need %s", train_option[TRAIN][kind], trees, name);
		if (files != beside)
			return cli_usage("%d file%s of %s, %d of %s: expected one for each, in the same order", beside,
			                 hp_plural(beside), name, files, trees);
	}
	return CLI_OK;
}

static int check_rst_files(const train_options *o)
{
	const hp_trainer_setup *s = &o->setup;
	int status = check_beside(o, STREAMS);

	if (status == CLI_OK)
		status = check_beside(o, TAGS);
	if (status != CLI_OK || s->hyper.task != HP_TASK_RST)
		return status;
	if (s->train.streams && (s->vectors || s->train.tags))
		return cli_usage("only one of --%s and --train-stream can be given", s->vectors ? "vectors" : "train-tags");
	if (s->train.tags && !s->hyper.pos)
		return cli_usage("--train-tags needs --pos=upos or --pos=xpos");
	if (!s->train.tags && s->hyper.pos)
		return cli_usage("with --task=rst, tags (--pos) need --train-tags");
	return CLI_OK;
}

static int check_options(const train_options *o)
{
	bool rst = o->setup.hyper.task == HP_TASK_RST;

	if (o->print)
		return CLI_OK;
	if (!o->setup.train.trees || (!o->setup.dev.trees && !rst) || !o->setup.output)
		return cli_usage("%s is needed", !o->setup.train.trees ? "--train" : !o->setup.output ? "--output" : "--dev");
	if (o->setup.output_relation && !rst)
		return cli_usage("--output-relation is for --task=rst");
	if (o->resume && !o->checkpoint)
		return cli_usage("--resume needs --checkpoint");
	const char *id = o->setup.id;
	if (id && (*id == '\0' || hp_utf8_valid_prefix(id, strlen(id)) < strlen(id)))
		return cli_usage("--id: expected some characters of UTF-8");
	if ((o->epochs > 0) + (o->minutes > 0) + (o->plan != NULL) > 1)
		return cli_usage("only one of --epochs, --time and --plan can be given");
	return check_rst_files(o);
}

int train_options_parse(train_options *o, int argc, char **argv, bool *done)
{
	int c, status;

	*o = (train_options){.every = 5};
	*done = false;
	hp_hyper_init(&o->setup.hyper);
	status = make_room(o, argc);
	if (status == CLI_OK)
		status = find_task(o, argc, argv);
	if (status != CLI_OK)
		return status;
	o->setup.version = PACKAGE_VERSION;
	o->setup.seed = 1;
	o->setup.max_words = 20000;
	o->setup.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (o->setup.threads < 1)
		o->setup.threads = 1;
	while ((c = cli_option(argc, argv, SHORT_OPTIONS, long_options)) != -1) {
		*done = c == 'h' || c == 'V';
		if (*done)
			return c == 'h' ? cli_help(help) : cli_version();
		status = take(o, c);
		if (status != CLI_OK)
			return status;
	}
	if (optind < argc)
		return cli_usage("'%s' is neither an option nor the value of one", argv[optind]);
	o->setup.train = bank_files(o, TRAIN);
	o->setup.dev = bank_files(o, DEV);
	o->setup.test = bank_files(o, TEST);
	return check_options(o);
}
