/* cli.h: what all programs share: messages, strict numbers, --help and --version, a checked standard output. */
#ifndef HP_CLI_H
#define HP_CLI_H
#include <getopt.h>
#include "base/error.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 }; /* exit statuses */

void cli_start(const char *program); /* first thing in main; the name that messages begin with; handles SIGPIPE as usual for filters, SIGXFSZ as failed writes */
/* "program: TEXT" on standard error.  Returns CLI_FAILED. */
int cli_fail(const hp_error *err);
void cli_warn(void *unused, const hp_error *what); /* the same; to be handed to the library as its hp_warn */
int cli_error(const char *fmt, ...) HP_PRINTF(1, 2);
/* "program: ..." and "Try 'program --help' for more information."  Returns CLI_USAGE. */
int cli_usage(const char *fmt, ...) HP_PRINTF(1, 2);
/* The next option as getopt_long returns it (its value is in optarg), -1 after the last; '?': a wrong one, about which all
 * has been said: the program ends with CLI_USAGE. */
int cli_option(int argc, char **argv, const char *letters, const struct option *options);
/* Whole argument, in range; otherwise one line that names OPTION and the range, and CLI_USAGE. */
int cli_whole(const char *option, const char *arg, long min, long max, long *out);
int cli_real(const char *option, const char *arg, double min, double max, double *out);
int cli_help(const char *text); /* prints TEXT; CLI_OK, or CLI_FAILED if standard output fails */
int cli_version(void); /* "program (hptools) VERSION" */
/* Before anything is written: CLI_FAILED with a message if one of the files to be read (PATHS; "-", and COUNT 0, is
 * standard input) is standard output as well: it would feed on itself. */
int cli_check_inputs(int count, char *const *paths);
/* Flushes and closes standard output; CLI_FAILED with a message if that fails (full disk), else STATUS. */
int cli_finish(int status);

#endif
