/* cli.c: what all programs share. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static const char *program_name = "hp";

/* A standard stream that was closed (2>&-) would lend its number to the next file that is opened, and messages would
 * end up in that file.  What stands in for it fails as a closed one does. */
static void occupy_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			return;
}

static char cut_short[160];

/* A page of a mapped file is not there.  Of what a signal handler may do, this is all that is needed. */
static void on_bus_error(int number)
{
	(void)number;
	if (write(STDERR_FILENO, cut_short, strlen(cut_short)) < 0)
		_exit(CLI_FAILED);
	_exit(CLI_FAILED);
}

enum { STACK = 1 << 20 }; /* bytes: more than the kernels of lib/nn take for what they pack */

static void touch_stack(void)
{
	char room[STACK];
	volatile char *lowest = room;

	*lowest = 0; /* what is between is not touched */
}

/* The kernel kills a program whose stack cannot grow.  So it grows here, where there is the memory for it. */
static void reserve_stack(void)
{
	struct rlimit limit;
	void *room;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < 2 * STACK) {
		limit.rlim_cur = limit.rlim_max < 2 * STACK ? limit.rlim_max : 2 * STACK;
		if (limit.rlim_cur < 2 * STACK || setrlimit(RLIMIT_STACK, &limit) != 0)
			exit(cli_error("too small a stack (ulimit -s): expected %d KB", 2 * STACK / 1024));
	}
	room = mmap(NULL, 2 * STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		exit(cli_error("out of memory"));
	munmap(room, 2 * STACK);
	touch_stack();
}

void cli_start(const char *program)
{
	struct sigaction bus_error = {.sa_handler = on_bus_error};

	program_name = program;
	snprintf(cut_short, sizeof(cut_short),
	         "%s: a model was cut short, or could not be read any more, while it was in use\n", program);
	sigaction(SIGBUS, &bus_error, NULL);
	occupy_standard_streams();
	/* A filter whose reader has gone ends quietly, also where the parent process ignores SIGPIPE. */
	signal(SIGPIPE, SIG_DFL);
	/* A file as large as ulimit allows: the write fails, with its message. */
	signal(SIGXFSZ, SIG_IGN);
	reserve_stack();
}

static void print_line(const char *fmt, va_list args)
{
	char raw[2048], text[2 * sizeof(raw)];

	vsnprintf(raw, sizeof(raw), fmt, args); /* before errno, which FMT may want, changes */
	hp_escape(text, sizeof(text), raw);
	/* What was written before comes first where both go to the same place. */
	fflush(stdout);
	/* One piece: the programs of a pipe share standard error. */
	fprintf(stderr, "%s: %s\n", program_name, text);
}

int cli_fail(const hp_error *err)
{
	return cli_error("%s", err->text);
}

void cli_warn(void *unused, const hp_error *what)
{
	(void)unused;
	cli_fail(what);
}

int cli_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line(fmt, args);
	va_end(args);
	return CLI_FAILED;
}

static int try_help(void)
{
	fprintf(stderr, "Try '%s --help' for more information.\n", program_name);
	return CLI_USAGE;
}

int cli_usage(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line(fmt, args);
	va_end(args);
	return try_help();
}

int cli_whole(const char *option, const char *arg, long min, long max, long *out)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(arg, &end, 10);
	if (isspace((unsigned char)*arg) || end == arg || *end != '\0' || errno != 0 || value < min || value > max)
		return cli_usage("%s: '%s' is not a whole number from %ld to %ld", option, arg, min, max);
	*out = value;
	return CLI_OK;
}

int cli_real(const char *option, const char *arg, double min, double max, double *out)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(arg, &end);
	if (isspace((unsigned char)*arg))
		end = (char *)arg;
	/* Underflow (ERANGE with a tiny value) is as good as zero; NaN fails both comparisons. */
	if (end == arg || *end != '\0' || (errno == ERANGE && fabs(value) > 1.0) || !(value >= min && value <= max))
		return cli_usage("%s: '%s' is not a number from %g to %g", option, arg, min, max);
	*out = value;
	return CLI_OK;
}

bool cli_ends_in(const char *name, const char *ending)
{
	size_t size = strlen(name), length = strlen(ending);

	return size > length && name[size - length - 1] == '.' && strcmp(name + size - length, ending) == 0;
}

int cli_id(const char *option, const char *id)
{
	if (*id == '\0' || hp_utf8_valid_prefix(id, strlen(id)) < strlen(id))
		return cli_usage("%s: expected some characters of UTF-8", option);
	return CLI_OK;
}

int cli_help(const char *text)
{
	fputs(text, stdout);
	return cli_finish(CLI_OK);
}

int cli_version(void)
{
	printf("%s (hptools) %s\n", program_name, PACKAGE_VERSION);
	return cli_finish(CLI_OK);
}

int cli_die(int number)
{
	sigset_t only;

	fflush(NULL);
	signal(number, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	return 128 + number;
}

/* ---- standard output ---- */

static struct {
	hp_file *file; /* what standard output goes into; NULL: standard output itself */
	const char *name;
	char *temporary; /* what the file is called as yet, or NULL */
	bool complete;
} output = {.name = "<stdout>"};

static bool is_standard(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* Whether an input is the file that standard output is directed to. */
static bool is_redirected(const char *input)
{
	struct stat out, in;

	return fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode) &&
	       (is_standard(input) ? fstat(STDIN_FILENO, &in) : stat(input, &in)) == 0 && in.st_dev == out.st_dev &&
	       in.st_ino == out.st_ino;
}

int cli_check_output(const char *path, int count, char *const *inputs)
{
	for (int i = 0; i < count || i == 0; i++) {
		const char *input = count > 0 ? inputs[i] : "-", *name = is_standard(input) ? "<stdin>" : input;

		if (is_standard(path) && is_redirected(input))
			return cli_error("%s: standard output is the same file", name);
		if (!is_standard(path) && hp_file_same(is_standard(input) ? "/dev/stdin" : input, path))
			return cli_error("%s: input and output are the same file", name);
	}
	return CLI_OK;
}

/* However the program ends, nothing half is left beside the file. */
static void drop_output(void)
{
	hp_file_abort(output.file);
	output.file = NULL;
}

static void drop_and_die(int number)
{
	unlink(output.temporary);
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_output(void)
{
	static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
	struct sigaction action = {.sa_handler = drop_and_die}, before;

	atexit(drop_output);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; output.temporary != NULL && i < sizeof(ends) / sizeof(*ends); i++)
		if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}

int cli_begin_output(const char *path, int count, char *const *inputs)
{
	const char *temporary;
	hp_error err;

	if (cli_check_output(path, count, inputs) != CLI_OK)
		return CLI_FAILED;
	if (is_standard(path))
		return CLI_OK;
	hp_file_clean(path);
	if (hp_file_begin(path, &output.file, &err) != 0)
		return cli_fail(&err);
	temporary = hp_file_temporary(output.file);
	output.name = path;
	output.temporary = temporary != NULL ? strdup(temporary) : NULL;
	watch_output();
	return dup2(fileno(hp_file_stream(output.file)), STDOUT_FILENO) < 0 ? cli_error("%s: %m", path) : CLI_OK;
}

const char *cli_output_name(void)
{
	return output.name;
}

void cli_output_complete(void)
{
	output.complete = true;
}

static int close_output(void)
{
	const char *name = output.file != NULL ? output.name : "standard output";
	int had_error = ferror(stdout), why = had_error ? errno : 0;

	errno = 0;
	if (fclose(stdout) == 0 && !had_error)
		return CLI_OK;
	if (errno == 0) /* nothing was left to write: what failed last before says why */
		errno = why;
	if (errno == EPIPE)
		return CLI_FAILED;
	return errno != 0 ? cli_error("%s: %m", name) : cli_error("%s: write error", name);
}

int cli_finish(int status)
{
	hp_file *file = output.file;
	hp_error err;

	if (close_output() != CLI_OK)
		return CLI_FAILED;
	if (!file || (status != CLI_OK && !output.complete))
		return status;
	output.file = NULL;
	return hp_file_commit(file, &err) != 0 ? cli_fail(&err) : status;
}
