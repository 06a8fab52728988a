/* options.h: the options of a program as a table, a row an option: getopt's arrays, the values in the program's struct and
 * the lines of --help all come from it.
 *
 *	typedef struct settings { bool text; int beam; const char *output; } settings;
 *
 *	#define INTO(field) OPTION_INTO(settings, field)
 *	static const option_row rows[] = {
 *		{'b', "beam", "N", INTO(beam), .min = 1, .max = 1000, .help = "keep N hypotheses\nat each step"},
 *		{'t', "text", NULL, INTO(text), .help = "write trees"},
 *		{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE"},
 *		{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
 *		{0}};
 *	static const option_pair pairs[] = {{"beam", "text", true, "--beam needs --text"}, {0}};
 *
 *	settings s = {.beam = 1};
 *	options o = {.usage = "Usage: ...\n", .column = 21, .table = {{.row = rows, .into = &s}}};
 *	int status = options_parse(&o, argc, argv);
 *	if (status == CLI_GO_ON)
 *		status = options_check(&o, pairs); // then argv + optind are the operands */
#ifndef HP_OPTIONS_H
#define HP_OPTIONS_H
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include "cli.h"

enum { OPTION_TABLES = 4, OPTIONS_MOST = 48 };

typedef enum option_kind {
	OPTION_FLAG, /* bool: true */
	OPTION_WHOLE, /* int: from `min` to `max`, or, of `words`, the place from 1; an option without argument sets it to `min` */
	OPTION_REAL, /* double */
	OPTION_TEXT, /* const char *: the argument itself */
	OPTION_LIST, /* const char **: all arguments in their order and NULL, to be freed by the program; NULL: not given */
	OPTION_HELP,
	OPTION_VERSION
} option_kind;

/* Where the value goes, and by its type what kind it is. */
#define OPTION_INTO(type, field) \
	.at = offsetof(type, field), \
	.kind = _Generic(((type *)NULL)->field, \
		bool: OPTION_FLAG, \
		int: OPTION_WHOLE, \
		double: OPTION_REAL, \
		const char *: OPTION_TEXT, \
		const char **: OPTION_LIST)

typedef struct option_row option_row;
struct option_row {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* what --help calls it; NULL: none */
	const char *help; /* lines, without the last newline; NULL: the option stands before the next one, in its line */
	option_kind kind;
	size_t at; /* in the table's struct */
	double min, max;
	const char *const *words; /* NULL-terminated */
	bool named; /* text that must not be empty: the name of what ARGUMENT says */
	bool written; /* text that names a file which cannot be standard output: neither empty nor "-" */
	bool once; /* text that may be given once */
	/* In place of what KIND does; NULL: nothing.  Returns CLI_OK, or the status to exit with once all has been said. */
	int (*take)(void *into, const option_row *row, char *argument);
};

typedef struct option_table {
	const option_row *row; /* ends with one that has no name */
	void *into; /* the struct of the rows' values */
	const char *heading; /* NULL: in --help the table stands before those that have one */
} option_table;

typedef struct options {
	const char *usage; /* --help: what comes before the options */
	const char *end; /* and behind them, or NULL */
	int column; /* of --help, where an option's text begins */
	option_table table[OPTION_TABLES]; /* in the order in which an ambiguous option's possibilities are told */
	int given[OPTIONS_MOST]; /* of the rows of all tables: as which option it was last given, from 1; 0: not given */
} options;

/* Two options of which the first NEEDS the second, or else excludes it. */
typedef struct option_pair {
	const char *name, *other;
	bool needs;
	const char *message;
} option_pair;

/* Takes all options; optind is then the first operand.  CLI_GO_ON, or the status to exit with, all said: wrong usage, or
 * --help and --version, done. */
int options_parse(options *o, int argc, char **argv);
/* Before that: only option NAME, wherever it stands. */
int options_peek(options *o, int argc, char **argv, const char *name);
/* CLI_GO_ON, or CLI_USAGE with the message of the first pair (the last one has no name) that does not hold. */
int options_check(const options *o, const option_pair *pairs);
/* As which option, from 1, NAME was given last; 0: not at all. */
int options_given(const options *o, const char *name);
int options_count(const options *o); /* options that were given, each once */
/* The option of table number TABLE that was given last, or NULL. */
const option_row *options_last(const options *o, int table);

#endif
