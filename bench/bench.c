/* bench: the measurements that `make bench` puts together; bench/run says which. */
#include "bench.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

static const char help[] = "Usage: bench peak|train|parse|model|corpus|count|pipe [OPTION]... [ARGUMENT]...\n"
						   "Measurements for `make bench`; each prints one line of NAME=VALUE.\n"
						   "\n"
						   "  peak               single-precision operations a second of OpenBLAS\n"
						   "  train FILE         training at full size on a CoNLL-U file\n"
						   "  parse FILE         parsing at full size, in memory\n"
						   "  model -o OUT FILE  write a full-size model of random numbers\n"
						   "  corpus             write a treebank of made-up words, lengths as in English EWT\n"
						   "  count FILE         sentences and words\n"
						   "  pipe IN COMMAND... [, COMMAND...]...\n"
						   "                     wall time and peak memory of a pipeline that reads IN\n"
						   "\n"
						   "  -j, --threads=N    (default 1)\n"
						   "  -n, --sentences=N  use the first N (default 640)\n"
						   "  -B, --batch=N      sentences of a batch (default 32)\n"
						   "  -b, --beam=N       (default 1)\n"
						   "  -s, --seconds=X    go on for so long (default: once through)\n"
						   "  -t, --times=N      pipe: run it so often, print the median (default 1)\n"
						   "  -d, --dropout=X    (default 0.33)\n"
						   "  -F, --fusion=NAME  T, P, PS or PST (default PST)\n"
						   "  -G, --gate=NAME    none, gate or sgate (default gate)\n"
						   "  -H, --half         model: store F16\n"
						   "  -8, --int8         parse: with matrices rounded to 8-bit integers\n"
						   "  -o, --output=FILE  of model and pipe\n"
						   "  -h, --help         show this help\n"
						   "  -V, --version      show the version\n";

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

static int whole(const char *option, const char *arg, int *out)
{
	long value;
	int status = cli_whole(option, arg, 1, 100000000, &value);

	if (status == CLI_OK)
		*out = (int)value;
	return status;
}

static int set_option(bench_options *o, int option, const char *arg)
{
	double real = 0;
	int status;

	switch (option) {
	case 'j':
		return whole("--threads", arg, &o->threads);
	case 'n':
		return whole("--sentences", arg, &o->sentences);
	case 'B':
		return whole("--batch", arg, &o->batch);
	case 'b':
		return whole("--beam", arg, &o->beam);
	case 't':
		return whole("--times", arg, &o->times);
	case 's':
		return cli_real("--seconds", arg, 0, 1e6, &o->seconds);
	case 'd':
		status = cli_real("--dropout", arg, 0, 0.99, &real);
		o->dropout = (float)real;
		return status;
	case 'F':
		return hp_fusion_parse(arg, &o->fusion) == 0 ? CLI_OK : cli_usage("--fusion: '%s' is unknown", arg);
	case 'G':
		return hp_gate_parse(arg, &o->gate) == 0 ? CLI_OK : cli_usage("--gate: '%s' is unknown", arg);
	case 'H':
		o->half = true;
		return CLI_OK;
	case '8':
		o->int8 = true;
		return CLI_OK;
	case 'o':
		o->output = arg;
		return CLI_OK;
	default:
		return CLI_USAGE;
	}
}

static int run(const char *what, const bench_options *o)
{
	static const struct {
		const char *name;
		int arguments; /* at least */
		int (*run)(const bench_options *o);
	} commands[] = {{"peak", 0, bench_peak},   {"train", 1, bench_train},   {"parse", 1, bench_parse},
	                {"model", 1, bench_model}, {"corpus", 0, bench_corpus}, {"count", 1, bench_count},
	                {"pipe", 2, bench_pipe}};

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(what, commands[i].name) == 0)
			return o->argc < commands[i].arguments ? cli_usage("%s: too few arguments", what) : commands[i].run(o);
	return cli_usage("'%s' is unknown", what);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"threads", required_argument, NULL, 'j'},
	                                        {"sentences", required_argument, NULL, 'n'},
	                                        {"batch", required_argument, NULL, 'B'},
	                                        {"beam", required_argument, NULL, 'b'},
	                                        {"seconds", required_argument, NULL, 's'},
	                                        {"times", required_argument, NULL, 't'},
	                                        {"dropout", required_argument, NULL, 'd'},
	                                        {"fusion", required_argument, NULL, 'F'},
	                                        {"gate", required_argument, NULL, 'G'},
	                                        {"half", no_argument, NULL, 'H'},
	                                        {"int8", no_argument, NULL, '8'},
	                                        {"output", required_argument, NULL, 'o'},
	                                        {"help", no_argument, NULL, 'h'},
	                                        {"version", no_argument, NULL, 'V'},
	                                        {NULL, 0, NULL, 0}};
	bench_options o = {.threads = 1,
	                   .batch = 32,
	                   .sentences = 640,
	                   .beam = 1,
	                   .times = 1,
	                   .dropout = 0.33f,
	                   .fusion = HP_FUSION_PST,
	                   .gate = HP_GATE_GATE};
	const char *what = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
	int c, status;

	cli_start("bench");
	optind = what != NULL ? 2 : 1;
	/* "+": the commands of a pipeline have options of their own. */
	while ((c = getopt_long(argc, argv, "+j:n:B:b:s:t:d:F:G:Ho:hV", options, NULL)) != -1) {
		if (c == 'h')
			return cli_help(help);
		if (c == 'V')
			return cli_version();
		if ((status = set_option(&o, c, optarg)) != CLI_OK)
			return status;
	}
	if (!what)
		return cli_usage("expected what to measure");
	o.argc = argc - optind;
	o.argv = argv + optind;
	return cli_finish(run(what, &o));
}
