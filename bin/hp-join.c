/* hp-join: one model of several. */
#include <unistd.h>

#include "options.h"
#include "train/join.h"

static const char usage[] = "Usage: hp-join [OPTION]... MODEL...\n"
							"Make one model of several that were trained apart: they are its members, and\n"
							"what they find on average decides.  A single MODEL only changes the precision\n"
							"in which it is stored.\n"
							"\n";

typedef struct settings {
	bool mean, half, bytes;
	const char *output, *id;
} settings;

#define INTO(field) OPTION_INTO(settings, field)

static const option_row rows[] = {
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{'m', "mean", NULL, INTO(mean), .help = "no members: every number is the mean of the models'"},
	{0, "f16", NULL, INTO(half), .help = "store half precision"},
	{0, "f8", NULL, INTO(bytes), .help = "and matrices in a byte a number"},
	{0, "id", "ID", INTO(id), .help = "the model's id; otherwise derived from what it holds"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

static int run(const settings *s, int count, char **paths)
{
	const hp_join join = {.count = count,
	                      .paths = (const char *const *)paths,
	                      .mean = s->mean,
	                      .half = s->half || s->bytes,
	                      .bytes = s->bytes,
	                      .id = s->id,
	                      .version = PACKAGE_VERSION};
	hp_error err;

	if (cli_begin_output(s->output, count, paths) != CLI_OK)
		return CLI_FAILED;
	if (isatty(STDOUT_FILENO))
		return cli_error("%s: a model is never written to a terminal; hp-cat shows it", cli_output_name());
	return cli_finish(hp_join_models(&join, stdout, cli_output_name(), &err) != 0 ? cli_fail(&err) : CLI_OK);
}

int main(int argc, char **argv)
{
	settings s = {0};
	options o = {.usage = usage, .column = 21, .table = {{.row = rows, .into = &s}}};
	int status;

	cli_start("hp-join");
	status = options_parse(&o, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	if (optind == argc)
		return cli_usage("a MODEL is needed");
	status = s.id ? cli_id("--id", s.id) : CLI_OK;
	return status != CLI_OK ? status : run(&s, argc - optind, argv + optind);
}
