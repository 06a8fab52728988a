/* options.c: a table of options: getopt's arrays, values, --help. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Row INDEX of all tables together, or NULL; *TABLE: the table that it is in. */
static const option_row *row_at(const options *o, int index, int *table)
{
	for (int t = 0; t < OPTION_TABLES && o->table[t].row && index < OPTIONS_MOST; t++)
		for (const option_row *row = o->table[t].row; row->name; row++)
			if (index-- == 0) {
				*table = t;
				return row;
			}
	return NULL;
}

/* ---- --help ---- */

static void print_rows(const option_table *t, int column)
{
	int at = 0;

	for (const option_row *row = t->row; row->name; row++) {
		if (at > 0)
			at += printf(", ");
		else
			at = row->letter ? printf("  -%c, ", row->letter) : printf("      ");
		at += printf("--%s%s%s", row->name, row->argument ? "=" : "", row->argument ? row->argument : "");
		if (!row->help)
			continue;
		for (const char *line = row->help; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			printf("%*s%.*s\n", at < column ? column - at : 0, "", (int)strcspn(line, "\n"), line);
			at = 0;
		}
	}
}

static int print_help(const options *o)
{
	fputs(o->usage, stdout);
	for (int headed = 0; headed < 2; headed++)
		for (const option_table *t = o->table; t < o->table + OPTION_TABLES && t->row; t++)
			if (!t->heading == !headed) {
				if (t->heading)
					printf("\n%s:\n", t->heading);
				print_rows(t, o->column);
			}
	if (o->end)
		fputs(o->end, stdout);
	return cli_finish(CLI_OK);
}

/* ---- values ---- */

static int take_whole(const option_row *row, const char *option, const char *argument, int *out)
{
	long value = (long)row->min;

	if (argument && cli_whole(option, argument, value, (long)row->max, &value) != CLI_OK)
		return CLI_USAGE;
	*out = (int)value;
	return CLI_OK;
}

static int take_word(const option_row *row, const char *option, const char *argument, int *out)
{
	char list[128] = "";

	for (int i = 0; row->words[i]; i++) {
		const char *before = i == 0 ? "" : row->words[i + 1] ? ", " : " or ";
		size_t used = strlen(list);

		if (strcmp(argument, row->words[i]) == 0) {
			*out = i + 1;
			return CLI_OK;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s", before, row->words[i]);
	}
	return cli_usage("%s: '%s' is unknown, expected %s", option, argument, list);
}

static int take_text(const option_row *row, const char *option, const char *argument, const char **out)
{
	if (row->named && *argument == '\0')
		return cli_usage("%s: expected the name of a %s", option,
		                 strcmp(row->argument, "MODEL") == 0 ? "model" : "file");
	if (row->written && (*argument == '\0' || strcmp(argument, "-") == 0))
		return cli_usage("%s: '%s' is no name of a file to write", option, argument);
	if (row->once && *out)
		return cli_usage("%s: one file at most", option);
	*out = argument;
	return CLI_OK;
}

static int take_more(const char *argument, const char ***list)
{
	size_t n = 0;
	const char **grown;

	while (*list && (*list)[n])
		n++;
	grown = realloc(*list, (n + 2) * sizeof(*grown));
	if (!grown)
		return cli_error("out of memory");
	grown[n] = argument;
	grown[n + 1] = NULL;
	*list = grown;
	return CLI_OK;
}

static int take(const option_row *row, void *into, char *argument)
{
	void *at = (char *)into + row->at;
	char option[64];

	snprintf(option, sizeof(option), "--%s", row->name);
	if (row->take)
		return row->take(into, row, argument);
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return CLI_OK;
	case OPTION_WHOLE:
		return (row->words ? take_word : take_whole)(row, option, argument, at);
	case OPTION_REAL:
		return cli_real(option, argument, row->min, row->max, at);
	case OPTION_TEXT:
		return take_text(row, option, argument, at);
	case OPTION_LIST:
		return take_more(argument, at);
	default:
		return CLI_OK;
	}
}

/* ---- getopt ---- */

/* What getopt_long returns for row INDEX. */
static int code_of(const option_row *row, int index)
{
	return row->letter ? row->letter : 256 + index;
}

static void make_arrays(const options *o, struct option *longs, char *letters)
{
	const option_row *row;
	int table, i;

	for (i = 0; (row = row_at(o, i, &table)); i++) {
		longs[i] = (struct option){row->name, row->argument ? required_argument : no_argument, NULL, code_of(row, i)};
		if (row->letter)
			letters += sprintf(letters, "%c%s", row->letter, row->argument ? ":" : "");
	}
	longs[i] = (struct option){NULL, 0, NULL, 0};
}

/* How many long options WORD, "--name" or "--name=value", is a beginning of; *FOUND is the last of them, or the one that
 * it names in full; NAMES [room] lists them. */
static int count_options(const char *word, const struct option *longs, const struct option **found, char *names,
                         size_t room)
{
	const char *name = word + 2;
	size_t size = strcspn(name, "="), used = 0;
	int count = 0;

	for (const struct option *o = longs; o->name; o++) {
		if (strncmp(o->name, name, size) != 0)
			continue;
		*found = o;
		if (o->name[size] == '\0')
			return 1;
		count++;
		if (used < room)
			used += (size_t)snprintf(names + used, room - used, " '--%s'", o->name);
	}
	return count;
}

/* After getopt_long refused something: WORD is the argument before the one that it would look at next. */
static int refuse(int c, const char *word, const struct option *longs)
{
	const struct option *found = NULL;
	char names[512] = "";
	int count = strncmp(word, "--", 2) == 0 ? count_options(word, longs, &found, names, sizeof(names)) : 0;

	if (optopt == 0 && count > 1)
		return cli_usage("option '%s' is ambiguous; possibilities:%s", word, names);
	if (optopt == 0)
		return cli_usage("unrecognized option '%s'", word);
	if (count == 1 && found->val == optopt && c == ':')
		return cli_usage("option '--%s' requires an argument", found->name);
	if (count == 1 && found->val == optopt && strchr(word, '='))
		return cli_usage("option '--%s' doesn't allow an argument", found->name);
	return c == ':' ? cli_usage("option requires an argument -- '%c'", optopt)
	                : cli_usage("invalid option -- '%c'", optopt);
}

/* Takes the option, number NUMBER, that getopt_long returned as CODE, if it is called NAME (NULL: whatever it is called). */
static int take_code(options *o, int code, int number, const char *name)
{
	const option_row *row;
	int table, i = 0, status;

	while ((row = row_at(o, i, &table)) && code_of(row, i) != code)
		i++;
	if (!row || (name && strcmp(row->name, name) != 0))
		return CLI_GO_ON;
	if (row->kind == OPTION_HELP)
		return print_help(o);
	if (row->kind == OPTION_VERSION)
		return cli_version();
	o->given[i] = number;
	status = take(row, o->table[table].into, optarg);
	return status == CLI_OK ? CLI_GO_ON : status;
}

/* All options; NAME: only the one of that name, and what is wrong with others is not told. */
static int walk(options *o, int argc, char **argv, const char *name)
{
	struct option longs[OPTIONS_MOST + 1];
	char letters[2 * OPTIONS_MOST + 2] = ":"; /* what is missing is told from what is unknown */
	int code, number = 0, status = CLI_GO_ON;

	make_arrays(o, longs, letters + 1);
	opterr = 0;
	while (status == CLI_GO_ON && (code = getopt_long(argc, argv, letters, longs, NULL)) != -1)
		if (name || (code != '?' && code != ':'))
			status = take_code(o, code, ++number, name);
		else
			status = refuse(code, argv[optind - 1], longs);
	return status;
}

int options_parse(options *o, int argc, char **argv)
{
	return walk(o, argc, argv, NULL);
}

int options_peek(options *o, int argc, char **argv, const char *name)
{
	int status = walk(o, argc, argv, name);

	optind = 0; /* once more, from the start */
	return status;
}

/* ---- what was given ---- */

int options_given(const options *o, const char *name)
{
	const option_row *row;
	int table;

	for (int i = 0; (row = row_at(o, i, &table)); i++)
		if (strcmp(row->name, name) == 0)
			return o->given[i];
	return 0;
}

int options_count(const options *o)
{
	int count = 0;

	for (int i = 0; i < OPTIONS_MOST; i++)
		count += o->given[i] > 0;
	return count;
}

const option_row *options_last(const options *o, int table)
{
	const option_row *row, *last = NULL;
	int in, latest = 0;

	for (int i = 0; (row = row_at(o, i, &in)); i++)
		if (in == table && o->given[i] > latest) {
			latest = o->given[i];
			last = row;
		}
	return last;
}

int options_check(const options *o, const option_pair *pairs)
{
	for (const option_pair *p = pairs; p->name; p++)
		if (options_given(o, p->name) && !options_given(o, p->other) == p->needs)
			return cli_usage("%s", p->message);
	return CLI_GO_ON;
}
