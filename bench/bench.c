/* bench: the measurements that `make bench` puts together; bench/run says which. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"

#define INTO(field) OPTION_INTO(bench_options, field)

static const char usage[] = "Usage: bench WHAT [OPTION]... [ARGUMENT]...\n"
							"Measurements for `make bench`; each prints lines of NAME=VALUE.  WHAT is one of\n"
							"\n"
							"  peak LIBRARY       products of one core and of --threads: of the \"processor\"\n"
							"                     itself, \"openblas\", \"onednn\" or \"ours\"\n"
							"  train FILE         training at full size on a CoNLL-U file\n"
							"  parse FILE         parsing at full size, in memory\n"
							"  model -o OUT FILE  write a full-size model of random numbers\n"
							"  corpus             write a treebank of made-up words, lengths as in English EWT\n"
							"  count FILE         sentences and words\n"
							"  pipe -- IN COMMAND... [, COMMAND...]...\n"
							"                     wall time, page faults and peak memory of a pipeline that reads IN\n"
							"\n";

static int take_fusion(void *into, const option_row *row, char *name)
{
	(void)row;
	return hp_fusion_parse(name, &((bench_options *)into)->fusion) == 0 ? CLI_OK
	                                                                    : cli_usage("--fusion: '%s' is unknown", name);
}

static int take_gate(void *into, const option_row *row, char *name)
{
	(void)row;
	return hp_gate_parse(name, &((bench_options *)into)->gate) == 0 ? CLI_OK
	                                                                : cli_usage("--gate: '%s' is unknown", name);
}

static int take_precision(void *into, const option_row *row, char *name)
{
	bool bf16 = strcmp(name, "bf16") == 0;

	(void)row;
	if (!bf16 && strcmp(name, "f32") != 0)
		return cli_usage("--precision: '%s' is unknown", name);
	((bench_options *)into)->bf16 = bf16;
	return CLI_OK;
}

enum { MOST = 100000000 };
static const option_row rows[] = {
	{'j', "threads", "N", INTO(threads), .min = 1, .max = 1024, .help = "(default 1)"},
	{'n', "sentences", "N", INTO(sentences), .min = 1, .max = MOST, .help = "use or make the first N (default 640)"},
	{'l', "length", "N", INTO(length), .min = 1, .max = BENCH_MAX_LENGTH,
     .help = "corpus: sentences of N words, all of them"},
	{'B', "batch", "N", INTO(batch), .min = 1, .max = MOST, .help = "sentences of a batch (default 32)"},
	{'b', "beam", "N", INTO(beam), .min = 1, .max = 1000, .help = "(default 1)"},
	{'s', "seconds", "X", INTO(seconds), .max = 1e6, .help = "go on for so long (default: once through)"},
	{'t', "times", "N", INTO(times), .min = 1, .max = MOST,
     .help = "pipe: run it so often, print the median (default 1)"},
	{'d', "dropout", "X", INTO(dropout), .max = 0.99, .help = "(default 0.33)"},
	{'F', "fusion", "NAME", .take = take_fusion, .help = "T, P, PS or PST (default PST)"},
	{'G', "gate", "NAME", .take = take_gate, .help = "none, gate or sgate (default gate)"},
	{'8', "int8", NULL, INTO(int8), .help = "parse: with matrices rounded to 8-bit integers"},
	{0, "precision", "NAME", .take = take_precision, .help = "train: f32 or bf16 (default f32)"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "of model and pipe"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

void bench_die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("bench: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	exit(CLI_FAILED);
}

void bench_check(int result, const hp_error *err)
{
	if (result != 0)
		bench_die("%s", err->text);
}

void *bench_need(void *memory)
{
	if (!memory)
		bench_die("out of memory");
	return memory;
}

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const char *what, const bench_options *o)
{
	static const struct {
		const char *name;
		int arguments; /* at least */
		int (*run)(const bench_options *o);
	} commands[] = {{"peak", 1, bench_peak},   {"train", 1, bench_train},   {"parse", 1, bench_parse},
	                {"model", 1, bench_model}, {"corpus", 0, bench_corpus}, {"count", 1, bench_count},
	                {"pipe", 2, bench_pipe}};

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(what, commands[i].name) == 0)
			return o->argc < commands[i].arguments ? cli_usage("%s: too few arguments", what) : commands[i].run(o);
	return cli_usage("'%s' is unknown", what);
}

int main(int argc, char **argv)
{
	bench_options b = {.threads = 1,
	                   .batch = 32,
	                   .sentences = 640,
	                   .beam = 1,
	                   .times = 1,
	                   .dropout = 0.33,
	                   .fusion = HP_FUSION_PST,
	                   .gate = HP_GATE_GATE};
	options o = {.usage = usage, .column = 21, .table = {{.row = rows, .into = &b}}};

	cli_start("bench");
	int status = options_parse(&o, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	if (optind == argc)
		return cli_usage("expected what to measure");
	b.argc = argc - optind - 1;
	b.argv = argv + optind + 1;
	return cli_finish(run(argv[optind], &b));
}
