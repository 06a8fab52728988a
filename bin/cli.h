/* cli.h: what all programs share: messages, strict numbers, --help and --version, a checked standard output. */
#ifndef HP_CLI_H
#define HP_CLI_H
#include <stdbool.h>
#include "base/error.h"

/* Exit statuses, and what functions of options return if the program is not to exit yet. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_GO_ON = -1 };

/* First thing in main: PROGRAM begins its messages; SIGPIPE ends it, as usual for filters; SIGXFSZ is a failed write. */
void cli_start(const char *program);
/* "program: TEXT" on standard error.  Returns CLI_FAILED. */
int cli_fail(const hp_error *err);
void cli_warn(void *unused, const hp_error *what); /* the same; to be handed to the library as its hp_warn */
int cli_error(const char *fmt, ...) HP_PRINTF(1, 2);
/* "program: ..." and "Try 'program --help' for more information."  Returns CLI_USAGE. */
int cli_usage(const char *fmt, ...) HP_PRINTF(1, 2);
/* Whole argument, in range; otherwise one line that names OPTION and the range, and CLI_USAGE. */
int cli_whole(const char *option, const char *arg, long min, long max, long *out);
int cli_real(const char *option, const char *arg, double min, double max, double *out);
bool cli_ends_in(const char *name, const char *ending); /* whether a file's NAME ends in a dot and ENDING */
int cli_id(const char *option, const char *id); /* a model's: some characters of UTF-8; otherwise CLI_USAGE */
int cli_help(const char *text); /* prints TEXT; CLI_OK, or CLI_FAILED if standard output fails */
int cli_version(void); /* "program (hptools) VERSION" */
/* Ends the program by a signal, as whoever started it may want to know: a shell's loop ends with a command that died of
 * SIGINT, not with one that exits.  Returns 128 + NUMBER where nothing can kill it, as process 1. */
int cli_die(int number);

/* ---- standard output ----
 * CLI_FAILED with a message if one of the files to be read (INPUTS; "-", and COUNT 0, is standard input) is OUTPUT as well:
 * it would feed on itself.  OUTPUT NULL or "-" is standard output. */
int cli_check_output(const char *output, int count, char *const *inputs);
/* The same, and from now on standard output goes into the file OUTPUT, which is there, all of it, after cli_finish. */
int cli_begin_output(const char *output, int count, char *const *inputs);
const char *cli_output_name(void); /* for messages: "<stdout>", or OUTPUT */
void cli_output_complete(void); /* the file is to be kept whatever the exit status */
/* Flushes and closes standard output; CLI_FAILED with a message if that fails (full disk), else STATUS.  The file of
 * cli_begin_output is kept if STATUS is CLI_OK, or it is complete all the same. */
int cli_finish(int status);

#endif
