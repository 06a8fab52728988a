/* hp-train: treebank in, model out. */
#include "cli.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "dep/model.h"
#include "text/utf8.h"
#include "train/log.h"
#include "train/pace.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static const char help[] =
	"Usage: hp-train [OPTION]... --train FILE --dev FILE -o MODEL\n"
	"Train a dependency parser on a CoNLL-U treebank.  MODEL becomes the best model\n"
	"by labelled attachment score on the dev treebank, each time there is a better\n"
	"one.  With --task=rst: a discourse parser on sentences' rhetorical trees (.dis),\n"
	"the best by Span.\n"
	"\n"
	"      --task=TASK          dep (default) or rst\n"
	"  -t, --train=FILE         treebank to train on\n"
	"  -d, --dev=FILE           treebank to choose the best model by; with --task=rst\n"
	"                           a tenth of the training data where none is given\n"
	"      --train-stream=FILE  --task=rst: a tensor stream with the embeddings of\n"
	"                           the training data's words, which the model then reads\n"
	"                           in place of words\n"
	"      --dev-stream=FILE    --task=rst: the same of the dev treebank\n"
	"      --train-tags=FILE    --task=rst, with --pos: CoNLL-U with the tags of the\n"
	"                           training data's words\n"
	"      --dev-tags=FILE      --task=rst: the same of the dev treebank\n"
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
	"                           the end, and at SIGINT and SIGTERM\n"
	"      --checkpoint-every=MINUTES   how often (default 5)\n"
	"  -r, --resume             go on from the checkpoint, if there is one\n"
	"      --id=ID              id of the model (default: derived from its contents)\n"
	"  -w, --max-words=N        refuse longer sentences (default 20000)\n"
	"  -q, --quiet              no progress on standard error\n"
	"  -h, --help               show this help and exit\n"
	"  -V, --version            show the version and exit\n"
	"\n"
	"Exit status is 0, 1 after an error, 2 for wrong usage, and 130 or 143 after\n"
	"SIGINT or SIGTERM.\n";

enum { OPT_F16 = 256, OPT_PRINT, OPT_PLAN, OPT_EVERY, OPT_ID, OPT_TASK, OPT_RELATION, OPT_TRAIN_STREAM, OPT_DEV_STREAM,
       OPT_TRAIN_TAGS, OPT_DEV_TAGS };

#define SHORT_OPTIONS "t:d:v:o:i:y:s:f:g:p:S:e:T:j:l:c:rw:qhV"

static const struct option long_options[] = {
	{ "task", required_argument, NULL, OPT_TASK },
	{ "train", required_argument, NULL, 't' },
	{ "dev", required_argument, NULL, 'd' },
	{ "train-stream", required_argument, NULL, OPT_TRAIN_STREAM },
	{ "dev-stream", required_argument, NULL, OPT_DEV_STREAM },
	{ "train-tags", required_argument, NULL, OPT_TRAIN_TAGS },
	{ "dev-tags", required_argument, NULL, OPT_DEV_TAGS },
	{ "vectors", required_argument, NULL, 'v' },
	{ "output", required_argument, NULL, 'o' },
	{ "init", required_argument, NULL, 'i' },
	{ "output-relation", required_argument, NULL, OPT_RELATION },
	{ "hyper", required_argument, NULL, 'y' },
	{ "set", required_argument, NULL, 's' },
	{ "fusion", required_argument, NULL, 'f' },
	{ "gate", required_argument, NULL, 'g' },
	{ "pos", required_argument, NULL, 'p' },
	{ "f16", no_argument, NULL, OPT_F16 },
	{ "print-hyper", no_argument, NULL, OPT_PRINT },
	{ "seed", required_argument, NULL, 'S' },
	{ "epochs", required_argument, NULL, 'e' },
	{ "time", required_argument, NULL, 'T' },
	{ "plan", required_argument, NULL, OPT_PLAN },
	{ "threads", required_argument, NULL, 'j' },
	{ "log", required_argument, NULL, 'l' },
	{ "checkpoint", required_argument, NULL, 'c' },
	{ "checkpoint-every", required_argument, NULL, OPT_EVERY },
	{ "resume", no_argument, NULL, 'r' },
	{ "id", required_argument, NULL, OPT_ID },
	{ "max-words", required_argument, NULL, 'w' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

enum { TABLES = 16 };

typedef struct options {
	hp_trainer_setup setup;
	const char *hyper[TABLES]; /* files of hyper-parameters */
	int tables;
	const char *plan, *log, *checkpoint;
	double minutes, every; /* 0: not limited by time */
	int epochs; /* 0: not given */
	bool resume, quiet, print;
} options;

/* ---- options ---- */

static int set_hyper(options *o, const char *option, const char *key, const char *value)
{
	hp_error err;

	return hp_hyper_set(&o->setup.hyper, key, value, &err) == 0 ? CLI_OK : cli_usage("%s: %s", option, err.text);
}

/* NAME=VALUE */
static int set_pair(options *o, const char *arg)
{
	const char *equals = strchr(arg, '=');
	char key[64];

	if (!equals || (size_t)(equals - arg) >= sizeof key)
		return cli_usage("--set: '%s' is not NAME=VALUE", arg);
	snprintf(key, sizeof key, "%.*s", (int)(equals - arg), arg);
	return set_hyper(o, "--set", key, equals + 1);
}

static int read_hyper(options *o, const char *path)
{
	hp_error err;

	if (o->tables == TABLES)
		return cli_usage("--hyper: more than %d tables", TABLES);
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

/* Takes one option; CLI_OK or the status to exit with. */
static int take(options *o, int c)
{
	long seed;
	int status;

	switch (c) {
	case 't': o->setup.train = optarg; return CLI_OK;
	case 'd': o->setup.dev = optarg; return CLI_OK;
	case 'v': o->setup.vectors = optarg; return CLI_OK;
	case 'o': o->setup.output = optarg; return CLI_OK;
	case 'i': o->setup.init = optarg; return CLI_OK;
	case 'l': o->log = optarg; return CLI_OK;
	case 'c': o->checkpoint = optarg; return CLI_OK;
	case 'r': o->resume = true; return CLI_OK;
	case 'q': o->quiet = true; return CLI_OK;
	case OPT_TASK: return CLI_OK; /* find_task has seen to it */
	case OPT_RELATION: o->setup.output_relation = optarg; return CLI_OK;
	case OPT_TRAIN_STREAM: o->setup.train_stream = optarg; return CLI_OK;
	case OPT_DEV_STREAM: o->setup.dev_stream = optarg; return CLI_OK;
	case OPT_TRAIN_TAGS: o->setup.train_tags = optarg; return CLI_OK;
	case OPT_DEV_TAGS: o->setup.dev_tags = optarg; return CLI_OK;
	case OPT_PLAN: o->plan = optarg; return CLI_OK;
	case OPT_ID: o->setup.id = optarg; return CLI_OK;
	case OPT_PRINT: o->print = true; return CLI_OK;
	case 'y': return read_hyper(o, optarg);
	case 's': return set_pair(o, optarg);
	case 'f': return set_hyper(o, "--fusion", "fusion", optarg);
	case 'g': return set_hyper(o, "--gate", "gate", optarg);
	case 'p': return set_hyper(o, "--pos", "pos", optarg);
	case OPT_F16: return set_hyper(o, "--f16", "store_half", "yes");
	case 'e': return whole_option("--epochs", 1, 1000000, &o->epochs);
	case 'j': return whole_option("--threads", 1, 1024, &o->setup.threads);
	case 'w': return whole_option("--max-words", 1, 100000000, &o->setup.max_words);
	case 'T': return cli_real("--time", optarg, 0.001, 1e6, &o->minutes);
	case OPT_EVERY: return cli_real("--checkpoint-every", optarg, 0, 1e6, &o->every);
	case 'S':
		status = cli_whole("--seed", optarg, 0, INT32_MAX, &seed);
		o->setup.seed = (uint64_t)seed;
		return status;
	default: return cli_bad_option();
	}
}

/* The task, wherever it stands: what can be set depends on it. */
static int find_task(options *o, int argc, char **argv)
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
	opterr = 1;
	return CLI_OK;
}

/* What stands beside the treebanks, a KIND of file: for all data or for none. */
static int check_beside(const hp_trainer_setup *s, const char *kind, const char *train, const char *dev)
{
	if (!train && !dev)
		return CLI_OK;
	if (s->hyper.task != HP_TASK_RST)
		return cli_usage("--train-%s and --dev-%s are for --task=rst", kind, kind);
	if (!train)
		return cli_usage("--dev-%s needs --train-%s", kind, kind);
	if (s->dev && !dev)
		return cli_usage("--train-%s and --dev need --dev-%s", kind, kind);
	return s->dev || !dev ? CLI_OK : cli_usage("--dev-%s needs --dev", kind);
}

static int check_rst_files(const hp_trainer_setup *s)
{
	int status = check_beside(s, "stream", s->train_stream, s->dev_stream);

	if (status == CLI_OK)
		status = check_beside(s, "tags", s->train_tags, s->dev_tags);
	if (status != CLI_OK || s->hyper.task != HP_TASK_RST)
		return status;
	if (s->train_stream && (s->vectors || s->train_tags))
		return cli_usage("only one of --%s and --train-stream can be given", s->vectors ? "vectors" : "train-tags");
	if (s->train_tags && !s->hyper.pos)
		return cli_usage("--train-tags needs --pos=upos or --pos=xpos");
	if (!s->train_tags && s->hyper.pos)
		return cli_usage("with --task=rst, tags (--pos) need --train-tags");
	return CLI_OK;
}

static int check_options(const options *o)
{
	bool rst = o->setup.hyper.task == HP_TASK_RST;

	if (o->print)
		return CLI_OK;
	if (!o->setup.train || (!o->setup.dev && !rst) || !o->setup.output)
		return cli_usage("%s is needed", !o->setup.train ? "--train" : !o->setup.output ? "--output" : "--dev");
	if (o->setup.output_relation && !rst)
		return cli_usage("--output-relation is for --task=rst");
	if (o->resume && !o->checkpoint)
		return cli_usage("--resume needs --checkpoint");
	const char *id = o->setup.id;
	if (id && (*id == '\0' || hp_utf8_valid_prefix(id, strlen(id)) < strlen(id)))
		return cli_usage("--id: expected some characters of UTF-8");
	if ((o->epochs > 0) + (o->minutes > 0) + (o->plan != NULL) > 1)
		return cli_usage("only one of --epochs, --time and --plan can be given");
	return check_rst_files(&o->setup);
}

/* ---- signals ---- */

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
	stop_signal = number;
}

/* The first signal asks to stop after the batch, a second one kills. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* ---- a run ---- */

typedef struct run {
	const options *o;
	hp_trainer *t;
	hp_train_log *log;
	hp_pace pace;
	hp_dep_loss before; /* epoch's sums at the last look, for the speed */
	double clock; /* when progress.seconds was last brought up to date */
	double saved, shown; /* when the last checkpoint was written, the bar drawn: progress.seconds */
	bool bar; /* standard error is a terminal */
} run;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Brings progress.seconds up to date; returns what was added. */
static double tick(run *r)
{
	double before = r->clock;

	r->clock = now();
	r->t->progress.seconds += r->clock - before;
	return r->clock - before;
}

static double words_per_second(const run *r)
{
	const hp_progress *p = &r->t->progress;

	return p->epoch_seconds > 0 ? (double)p->epoch_loss.arcs / p->epoch_seconds : 0;
}

static void clear_bar(const run *r)
{
	if (r->bar)
		fputs("\r\033[K", stderr);
}

static void draw_bar(run *r)
{
	enum { WIDTH = 24 };
	const hp_progress *p = &r->t->progress;
	int64_t total = hp_schedule_total(&r->t->schedule, p->step);
	double share = total > 0 ? (double)p->step / (double)total : 0, left;
	char bar[WIDTH + 1];

	if (!r->bar || p->seconds - r->shown < 0.2)
		return;
	r->shown = p->seconds;
	for (int i = 0; i < WIDTH; i++)
		bar[i] = (i + 0.5) / WIDTH < share ? '#' : '.';
	bar[WIDTH] = '\0';
	if (r->o->minutes > 0)
		left = r->o->minutes * 60 - p->seconds;
	else
		left = share > 0 ? p->seconds * (1 - share) / share : 0;
	left = left > 0 ? left : 0;
	fprintf(stderr, "\repoch %d [%s] %3.0f%%  %.0f words/s  loss %.4f  %d:%02d:%02d left\033[K", p->epoch + 1, bar,
	        100 * share, words_per_second(r), p->loss, (int)(left / 3600), (int)(left / 60) % 60, (int)left % 60);
}

static void show_epoch(const run *r, const hp_train_row *row)
{
	double words = row->loss.arcs ? (double)row->loss.arcs : 1;

	if (r->o->quiet)
		return;
	clear_bar(r);
	fprintf(stderr, "epoch %d: loss %.4f, %.0f words/s, %.0f s", row->epoch,
	        (row->loss.structure + row->loss.label) / words, row->words_per_second, row->seconds);
	if (row->tried && r->t->rst) {
		const hp_score *dev = &row->tried->dev;
		fprintf(stderr, ", dev Span %.2f Nuclearity %.2f Relation %.2f", dev->span, dev->nuclearity, dev->relation);
		if (row->tried->better)
			fprintf(stderr, ", best so far (%s)", hp_tried_name(row->tried));
	} else if (row->tried) {
		fprintf(stderr, ", dev UAS %.2f LAS %.2f", row->tried->dev.uas, row->tried->dev.las);
		if (row->tried->without_tags.words)
			fprintf(stderr, " (without tags %.2f)", row->tried->without_tags.las);
		if (row->tried->better)
			fputs(", best so far", stderr);
	}
	fputc('\n', stderr);
}

/* The log's row and the line on standard error after an epoch. */
static int report(run *r, const hp_tried *tried, hp_error *err)
{
	hp_progress *p = &r->t->progress;
	struct rusage usage;
	char *plan = hp_schedule_text(&r->t->schedule, p->logged, p->step);
	hp_train_row row = { .epoch = p->epoch + 1, .batches = p->step, .loss = p->epoch_loss, .tried = tried,
		             .learning_rate = hp_schedule_rate(&r->t->schedule, &r->t->hyper, p->step - 1),
		             .words_per_second = words_per_second(r), .seconds = p->seconds, .plan = plan };
	int status = 0;

	getrusage(RUSAGE_SELF, &usage);
	row.peak_memory = usage.ru_maxrss;
	if (!plan)
		return hp_fail_memory(err);
	show_epoch(r, &row);
	if (r->log)
		status = hp_train_log_add(r->log, &row, err);
	p->logged = p->step + 1;
	p->log_size = hp_train_log_size(r->log);
	free(plan);
	return status;
}

static int evaluate(run *r, hp_tried *tried, hp_error *err)
{
	if (hp_trainer_evaluate(r->t, tried, err) != 0)
		return HP_FAIL;
	hp_pace_evaluation(&r->pace, tick(r));
	return 0;
}

static int save_checkpoint(run *r, hp_error *err)
{
	r->saved = r->t->progress.seconds;
	return r->o->checkpoint ? hp_checkpoint_save(r->t, r->o->checkpoint, err) : 0;
}

/* One batch and whatever is due after it. */
static int advance(run *r, hp_error *err)
{
	hp_trainer *t = r->t;
	hp_tried tried;
	double seconds;
	bool due;

	if (hp_trainer_step(t, err) != 0)
		return HP_FAIL;
	seconds = tick(r);
	t->progress.epoch_seconds += seconds;
	hp_pace_batch(&r->pace, seconds);
	if (r->o->minutes > 0 && hp_pace_guess(&r->pace, t, err) != 0)
		return HP_FAIL;
	draw_bar(r);
	due = hp_trainer_due(t);
	if (due && evaluate(r, &tried, err) != 0)
		return HP_FAIL;
	if ((due || hp_trainer_epoch_ended(t)) && report(r, due ? &tried : NULL, err) != 0)
		return HP_FAIL;
	hp_trainer_next_epoch(t);
	if (r->o->every >= 0 && t->progress.seconds - r->saved >= 60 * r->o->every)
		return save_checkpoint(r, err);
	return 0;
}

static void show_end(const run *r)
{
	const hp_progress *p = &r->t->progress;
	char *plan;

	if (r->o->quiet)
		return;
	clear_bar(r);
	if (stop_signal)
		fprintf(stderr, "stopped after %lld batches%s%s\n", (long long)p->step,
		        p->best_las < 0 ? ", before there was a model" : "",
		        r->o->checkpoint ? "; --resume goes on" : "; nothing to go on from without --checkpoint");
	if (p->best_las >= 0 && r->t->rst)
		fprintf(stderr, "best: dev Span %.2f after batch %lld, Relation %.2f after %lld, %.0f s\n", p->best_uas,
		        (long long)p->best_step, p->best_las, (long long)p->relation_step, p->seconds);
	else if (p->best_las >= 0)
		fprintf(stderr, "best: dev UAS %.2f LAS %.2f after batch %lld, %.0f s\n", p->best_uas, p->best_las,
		        (long long)p->best_step, p->seconds);
	plan = hp_schedule_text(&r->t->schedule, 0, INT64_MAX);
	if (plan && r->o->minutes > 0 && !stop_signal)
		fprintf(stderr, "to repeat this training use --plan=%s instead of --time\n", plan);
	free(plan);
}

static int train(run *r, hp_error *err)
{
	int status = 0;

	r->clock = now();
	r->saved = r->t->progress.seconds;
	r->shown = r->saved - 1;
	while (status == 0 && !stop_signal && !hp_trainer_done(r->t))
		status = advance(r, err);
	if (status == 0)
		status = save_checkpoint(r, err);
	if (status == 0)
		show_end(r);
	return status;
}

/* ---- start ---- */

/* How long the training shall be. */
static int set_length(run *r, hp_error *err)
{
	hp_trainer *t = r->t;
	const hp_progress *p = &t->progress;

	if (r->o->plan) {
		if (hp_schedule_parse(&t->schedule, r->o->plan, err) != 0)
			return HP_FAIL;
		return hp_schedule_total(&t->schedule, INT64_MAX) > 0 ? 0 : hp_fail(err, "plan '%s' has no end", r->o->plan);
	}
	if (r->o->minutes > 0) {
		double limit = 60 * r->o->minutes;
		hp_pace_init(&r->pace, limit);
		/* A training that goes on is taken to be as fast as it was. */
		if (p->step > 0 && p->seconds > 0)
			return hp_schedule_guess(&t->schedule, p->step,
			        p->seconds < limit ? (int64_t)ceil((double)p->step * limit / p->seconds) : p->step,
			        err);
		return 0;
	}
	if (r->o->epochs == 0 && t->schedule.count > 0)
		return 0; /* as the checkpoint says */
	return hp_trainer_epochs(t, r->o->epochs ? r->o->epochs : 40, err);
}

/* A regular file that holds something, but no model (or checkpoint), is somebody's mistake. */
static bool holds_something_else(const char *path)
{
	struct stat info;
	char begin[9] = "";
	FILE *f;

	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 || !(f = fopen(path, "rb")))
		return false;
	size_t got = fread(begin, 1, sizeof begin, f);
	fclose(f);
	return got < sizeof begin || begin[8] != '{'; /* safetensors: eight bytes of length, then JSON */
}

/* Fails now rather than after hours if a file could not be written, or would take the place of another one. */
static int check_files(const options *o, hp_error *err)
{
	enum { INPUTS = 8, LOG = 11, FILES = 12 };
	const struct {
		const char *option, *path;
	} file[FILES] = { { "--train", o->setup.train }, { "--dev", o->setup.dev }, { "--vectors", o->setup.vectors },
		          { "--train-stream", o->setup.train_stream }, { "--dev-stream", o->setup.dev_stream },
		          { "--train-tags", o->setup.train_tags }, { "--dev-tags", o->setup.dev_tags },
		          { "--init", o->setup.init }, { "--output", o->setup.output },
		          { "--output-relation", o->setup.output_relation }, { "--checkpoint", o->checkpoint }, { "--log", o->log } };

	for (int i = INPUTS; i < FILES; i++) {
		for (int k = 0; k < o->tables; k++)
			if (file[i].path && hp_file_same(file[i].path, o->hyper[k]))
				return hp_fail(err, "--hyper and %s are the same file: %s", file[i].option, file[i].path);
		if (i < LOG && file[i].path && hp_file_check(file[i].path, err) != 0) /* the log is opened at once */
			return HP_FAIL;
		for (int k = 0; k < i; k++)
			if (file[i].path && file[k].path && hp_file_same(file[i].path, file[k].path))
				return hp_fail(err, "%s and %s are the same file: %s", file[k].option, file[i].option,
				        file[i].path);
		if (i < LOG && file[i].path && holds_something_else(file[i].path))
			return hp_fail(err, "%s: %s is there already and is no safetensors file: expected another name",
			               file[i].option, file[i].path);
	}
	return 0;
}

static int start(run *r, hp_error *err)
{
	const options *o = r->o;
	struct stat info;

	if (check_files(o, err) != 0)
		return HP_FAIL;
	/* Hours of work, perhaps; /dev/null and the like are none. */
	if (o->checkpoint && !o->resume && stat(o->checkpoint, &info) == 0 && S_ISREG(info.st_mode))
		return hp_fail(err, "%s: this checkpoint is there already, expected --resume to go on from it, or another file",
		               o->checkpoint);
	if (hp_trainer_new(&o->setup, &r->t, err) != 0)
		return HP_FAIL;
	if (r->t->vectors_skipped && !o->quiet)
		cli_error("%s: %ld words that are not UTF-8 were left out", o->setup.vectors, r->t->vectors_skipped);
	if (!o->setup.dev && !o->quiet)
		fprintf(stderr, "held out as dev: %d of %d sentences\n", r->t->dev.count, r->t->train.count + r->t->dev.count);
	if (r->t->rst && !hp_corpus_knows_labels(&r->t->dev))
		cli_error("%s: no relation that the training data has", o->setup.dev ? o->setup.dev : "dev");
	if (o->resume && access(o->checkpoint, F_OK) == 0 && hp_checkpoint_load(r->t, o->checkpoint, err) != 0)
		return HP_FAIL;
	if (o->log && hp_train_log_open(o->log, o->setup.hyper.task, r->t->progress.log_size, &r->log, err) != 0)
		return HP_FAIL;
	return set_length(r, err);
}

/* --init names a file or, where there is none, an installed model. */
static int find_init(options *o, char **found, hp_error *err)
{
	const char *init = o->setup.init;

	if (!init || strchr(init, '/') || access(init, F_OK) == 0)
		return 0;
	o->setup.init = *found = hp_model_find(init, err);
	return *found ? 0 : HP_FAIL;
}

static int run_training(options *o)
{
	run r = { .o = o, .bar = !o->quiet && isatty(STDERR_FILENO) };
	char *init = NULL;
	hp_error err;
	int status = find_init(o, &init, &err) == 0 ? start(&r, &err) : HP_FAIL;

	if (status == 0) {
		catch_signals();
		status = train(&r, &err);
	}
	if (status != 0)
		clear_bar(&r);
	if (hp_train_log_close(r.log, status == 0 ? &err : NULL) != 0)
		status = HP_FAIL;
	hp_trainer_destroy(r.t);
	free(init);
	if (status != 0)
		return cli_fail(&err);
	return stop_signal ? 128 + stop_signal : CLI_OK;
}

static int print_table(const hp_hyper *h)
{
	hp_error err;

	return hp_hyper_write(h, stdout, &err) == 0 ? cli_finish(CLI_OK) : cli_fail(&err);
}

int main(int argc, char **argv)
{
	options o = { .every = 5 };
	int c, status;

	cli_start("hp-train");
	hp_hyper_init(&o.setup.hyper);
	status = find_task(&o, argc, argv);
	if (status != CLI_OK)
		return status;
	o.setup.version = PACKAGE_VERSION;
	o.setup.seed = 1;
	o.setup.max_words = 20000;
	o.setup.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (o.setup.threads < 1)
		o.setup.threads = 1;
	while ((c = getopt_long(argc, argv, SHORT_OPTIONS, long_options, NULL)) != -1) {
		if (c == 'h')
			return cli_help(help);
		if (c == 'V')
			return cli_version();
		status = take(&o, c);
		if (status != CLI_OK)
			return status;
	}
	if (optind < argc)
		return cli_usage("'%s' is neither an option nor the value of one", argv[optind]);
	status = check_options(&o);
	if (status != CLI_OK)
		return status;
	return o.print ? print_table(&o.setup.hyper) : run_training(&o);
}
