/* hp-cat: what is in a tensor stream or a model. */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/model.h"
#include "io/checksum.h"
#include "io/record.h"
#include "io/stream.h"
#include "options.h"
#include "show.h"

enum { LISTING, KEY, TEXT, CSV, JSON, QUIET, CHECK }; /* forms */

enum { PREVIEW = 48 };

typedef struct settings {
	int form;
	bool values, stats;
	const char *key, *output;
	long from, to; /* records */
	const char **tensors; /* patterns; NULL: all */
} settings;

static settings set;
static struct {
	bool key, record;
	bool *tensor; /* [of set.tensors] */
} seen;

static bool wanted(const char *name)
{
	bool found = !set.tensors;

	for (int i = 0; set.tensors && set.tensors[i]; i++) {
		if (strcmp(set.tensors[i], name) == 0 || fnmatch(set.tensors[i], name, 0) == 0)
			seen.tensor[i] = found = true;
	}
	return found;
}

static void list_metadata(const hp_safetensors *st)
{
	for (int i = 0; i < hp_safetensors_meta_count(st); i++) {
		const char *key, *value;

		hp_safetensors_meta_at(st, i, &key, &value);
		fputs("  ", stdout);
		show_text(stdout, key, strlen(key), SIZE_MAX);
		fputs(" = ", stdout);
		show_text(stdout, value, strlen(value), SIZE_MAX);
		putchar('\n');
	}
}

static void list_tensor(const hp_tensor *t)
{
	fputs("  ", stdout);
	show_text(stdout, t->name, strlen(t->name), SIZE_MAX);
	printf(" %s ", hp_dtype_name(t->dtype));
	show_shape(stdout, t);
	if (show_is_text(t)) {
		fputs(" \"", stdout);
		show_text(stdout, t->data, t->bytes, set.values ? SIZE_MAX : PREVIEW);
		putchar('"');
	} else if (set.stats) {
		putchar(' ');
		show_stats(stdout, t);
	}
	putchar('\n');
	if (set.values && !show_is_text(t))
		show_values(stdout, t, "    ", ' ', 6);
}

/* NAME and KIND head the list; with --tensor a record without such tensors is not shown. */
static void list(const char *file, long number, const char *kind, const hp_safetensors *st)
{
	bool headed = false;

	for (int i = -1; i < hp_safetensors_count(st); i++) {
		if (i < 0 ? set.tensors != NULL : !wanted(hp_safetensors_at(st, i)->name))
			continue;
		if (!headed) {
			show_text(stdout, file, strlen(file), SIZE_MAX);
			if (number > 0)
				printf(": record %ld", number);
			printf(": %s\n", kind);
			headed = true;
		}
		if (i < 0)
			list_metadata(st);
		else
			list_tensor(hp_safetensors_at(st, i));
	}
}

static void print_bare(const hp_safetensors *st)
{
	for (int i = 0; i < hp_safetensors_count(st); i++) {
		const hp_tensor *t = hp_safetensors_at(st, i);

		if (!wanted(t->name))
			continue;
		if (set.form == CSV)
			show_values(stdout, t, "", ',', 0);
		else if (t->dtype == HP_U8 && t->bytes > 0)
			fwrite(t->data, 1, t->bytes, stdout);
	}
}

static int check(const char *file, const hp_safetensors *st)
{
	bool has;
	hp_error err;

	if (hp_safetensors_verify(st, &has, &err) != 0)
		return cli_fail(&err);
	if (!has)
		return cli_error("%s: no checksum: not written by hp-train, or by one that made none yet", file);
	show_text(stdout, file, strlen(file), SIZE_MAX);
	printf(": undamaged, checksum %s\n", hp_safetensors_meta(st, HP_CHECKSUM_KEY));
	return CLI_OK;
}

/* KIND is what it is called, NUMBER its place in the stream, from 1, or 0. */
static int show(const char *file, long number, const char *kind, const hp_safetensors *st)
{
	const char *value;

	for (int i = 0; set.tensors && i < hp_safetensors_count(st); i++)
		(void)wanted(hp_safetensors_at(st, i)->name); /* which are there, also where nothing is printed */
	switch (set.form) {
	case LISTING:
		list(file, number, kind, st);
		return CLI_OK;
	case KEY:
		value = hp_safetensors_meta(st, set.key);
		if (value)
			puts(value);
		seen.key |= value != NULL;
		return CLI_OK;
	case TEXT:
	case CSV:
		print_bare(st);
		return CLI_OK;
	case JSON:
		show_json(stdout, file, number, kind, st, wanted, set.values);
		return CLI_OK;
	case CHECK:
		return number > 0 ? CLI_OK : check(file, st);
	default:
		return CLI_OK;
	}
}

static const char *kind_name(hp_record_kind kind)
{
	return kind == HP_RECORD_FIRST ? "first" : kind == HP_RECORD_LAST ? "last" : "sentence";
}

/* All of the stream is read and checked, whichever records are shown. */
static int cat_stream(hp_input *in)
{
	hp_record_kind kind = HP_RECORD_FIRST;
	hp_stream_reader *r;
	int status = CLI_OK;
	hp_error err;

	if (hp_stream_reader_new(in, &r, &err) != 0)
		return cli_fail(&err);
	for (long number = 1; kind != HP_RECORD_END; number++) {
		hp_safetensors *record;

		if (hp_stream_read(r, &kind, &record, &err) != 0) {
			status = cli_fail(&err);
			break;
		}
		if (!record)
			break;
		bool in_range = number >= set.from && number <= set.to;
		seen.record |= in_range;
		if (in_range && show(hp_input_name(in), number, kind_name(kind), record) != CLI_OK)
			status = CLI_FAILED;
		if (kind == HP_RECORD_LAST && hp_record_error(record))
			status = cli_error("%s: ended early: %s", hp_safetensors_name(record), hp_record_error(record));
		hp_safetensors_close(record);
		if (ferror(stdout))
			break;
	}
	hp_stream_reader_destroy(r);
	if (status == CLI_OK && set.form == CHECK)
		status = cli_error("%s: no checksum: streams have none", hp_input_name(in));
	return status;
}

static int show_image(const char *file, hp_safetensors *st)
{
	int status = show(file, 0, "safetensors", st);

	seen.record = true;
	hp_safetensors_close(st);
	return status;
}

/* One image that is no stream, from something that cannot be mapped. */
static int cat_image(hp_input *in)
{
	hp_safetensors *st = NULL, *second = NULL;
	hp_record_reader *r;
	int status;
	hp_error err;

	if (hp_record_reader_new(in, false, &r, &err) != 0)
		return cli_fail(&err);
	if (hp_record_read(r, &st, &err) != 0 || (st && hp_record_read(r, &second, &err) != 0))
		status = cli_fail(&err);
	else if (!st)
		status = cli_error("%s: empty, expected a tensor stream or a model", hp_input_name(in));
	else if (second)
		status = cli_error("%s: several records, but the first is not a stream's first", hp_input_name(in));
	else
		status = show(hp_input_name(in), 0, "safetensors", st);
	hp_safetensors_close(second);
	hp_safetensors_close(st);
	hp_record_reader_destroy(r);
	return status;
}

static bool is_regular(const char *path)
{
	struct stat info;

	return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static int cat(const char *path)
{
	hp_safetensors *st;
	hp_input *in;
	bool stream;
	int status;
	hp_error err;

	if (hp_input_open(path, &in, &err) != 0)
		return cli_fail(&err);
	if (hp_stream_detect(in, &stream, &err) != 0)
		status = cli_fail(&err);
	else if (stream)
		status = cat_stream(in);
	else if (!is_regular(path) || hp_input_is_gzip(in))
		status = cat_image(in);
	else
		status = hp_safetensors_open(path, &st, &err) == 0 ? show_image(path, st) : cli_fail(&err);
	hp_input_close(in);
	return status;
}

/* A file, or else the model of that name. */
static int cat_named(const char *name)
{
	char *model = NULL;
	int status;

	if (strcmp(name, "-") != 0 && !strchr(name, '/') && access(name, F_OK) != 0)
		model = hp_model_find(name, "dep", NULL);
	status = cat(model ? model : name);
	free(model);
	return status;
}

/* What was asked for by name must have been somewhere. */
static int check_seen(int status)
{
	if (status != CLI_OK)
		return status;
	if (set.from > 1 && !seen.record)
		return cli_error("no record %ld", set.from);
	if (set.form == KEY && !seen.key)
		return cli_error("no metadata '%s'", set.key);
	for (int i = 0; set.tensors && set.form != KEY && set.tensors[i]; i++)
		if (!seen.tensor[i])
			return cli_error("no tensor '%s'", set.tensors[i]);
	return CLI_OK;
}

/* ---- options ---- */

static int take_range(void *unused, const option_row *row, char *arg)
{
	const char *dash = strchr(arg, '-');
	char first[24] = "";

	(void)unused;
	(void)row;
	if (!dash) {
		int status = cli_whole("--records", arg, 1, LONG_MAX, &set.from);

		set.to = set.from;
		return status;
	}
	if (dash - arg >= (long)sizeof(first) || strlen(arg) == 1)
		return cli_usage("--records: '%s' is not N, A-B, A- or -B", arg);
	memcpy(first, arg, (size_t)(dash - arg));
	set.from = 1;
	set.to = LONG_MAX;
	if (*first && cli_whole("--records", first, 1, LONG_MAX, &set.from) != CLI_OK)
		return CLI_USAGE;
	if (dash[1] && cli_whole("--records", dash + 1, set.from, LONG_MAX, &set.to) != CLI_OK)
		return CLI_USAGE;
	return CLI_OK;
}

static int take_key(void *unused, const option_row *row, char *arg)
{
	(void)unused;
	(void)row;
	set.form = KEY;
	set.key = arg;
	return CLI_OK;
}

static const char usage[] = "Usage: hp-cat [OPTION]... [FILE]...\n"
							"Show what is in tensor streams and models (safetensors): names, types, shapes,\n"
							"values and metadata.  Without FILE, or when FILE is -, read standard input.\n"
							"\n";

#define INTO(field) OPTION_INTO(settings, field)

static const option_row rows[] = {
	{'t', "tensor", "NAME", INTO(tensors), .help = "only this tensor; a shell pattern; may be repeated"},
	{'n', "records", "RANGE", .take = take_range, .help = "only these records of a stream: N, A-B, A- or -B"},
	{'v', "values", NULL, INTO(values), .help = "print the numbers too"},
	{'s', "stats", NULL, INTO(stats), .help = "print least, mean and largest number too"},
	{'k', "key", "KEY", .take = take_key, .help = "print nothing but this metadata's value"},
	{'T', "text", NULL, INTO(form), .min = TEXT, .help = "print nothing but the bytes of U8 tensors, as they are"},
	{'c', "csv", NULL, INTO(form), .min = CSV, .help = "print nothing but the numbers, a line a row"},
	{'j', "json", NULL, INTO(form), .min = JSON, .help = "a JSON object a record (numbers with --values)"},
	{'q', "quiet", NULL, INTO(form), .min = QUIET, .help = "print nothing, only check"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{'C', "check", NULL, INTO(form), .min = CHECK, .help = "compare the checksum of a model with what it holds"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

int main(int argc, char **argv)
{
	options o = {.usage = usage, .column = 22, .table = {{.row = rows, .into = &set}}};
	int status;

	cli_start("hp-cat");
	set = (settings){.from = 1, .to = LONG_MAX};
	seen.tensor = calloc((size_t)argc, sizeof(*seen.tensor));
	status = seen.tensor ? options_parse(&o, argc, argv) : cli_error("out of memory");
	if (status == CLI_GO_ON && cli_begin_output(set.output, argc - optind, argv + optind) != CLI_OK)
		status = CLI_FAILED;
	if (status == CLI_GO_ON) {
		status = CLI_OK;
		if (optind == argc)
			status = cat("-");
		for (int i = optind; i < argc; i++)
			if (cat_named(argv[i]) != CLI_OK)
				status = CLI_FAILED;
		status = cli_finish(check_seen(status));
	}
	free(set.tensors);
	free(seen.tensor);
	return status;
}
