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
#include <sys/stat.h>
#include <unistd.h>

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

void cli_start(const char *program)
{
	program_name = program;
	occupy_standard_streams();
	/* A filter whose reader has gone ends quietly, also where the parent process ignores SIGPIPE. */
	signal(SIGPIPE, SIG_DFL);
	/* A file as large as ulimit allows: the write fails, with its message. */
	signal(SIGXFSZ, SIG_IGN);
}

static void print_line(const char *fmt, va_list args)
{
	char text[2048];

	/* What was written before comes first where both go to the same place. */
	fflush(stdout);
	vsnprintf(text, sizeof(text), fmt, args);
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

int cli_usage(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line(fmt, args);
	va_end(args);
	return cli_bad_option();
}

int cli_bad_option(void)
{
	fprintf(stderr, "Try '%s --help' for more information.\n", program_name);
	return CLI_USAGE;
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

int cli_check_inputs(int count, char *const *paths)
{
	struct stat out, in;

	if (fstat(STDOUT_FILENO, &out) != 0 || !S_ISREG(out.st_mode))
		return CLI_OK;
	for (int i = 0; i < count || i == 0; i++) {
		bool standard = count == 0 || strcmp(paths[i], "-") == 0;

		if ((standard ? fstat(STDIN_FILENO, &in) : stat(paths[i], &in)) == 0 && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return cli_error("%s: standard output is the same file", standard ? "<stdin>" : paths[i]);
	}
	return CLI_OK;
}

int cli_finish(int status)
{
	int had_error = ferror(stdout);

	errno = 0;
	if (fclose(stdout) != 0 || had_error) {
		if (errno == EPIPE)
			return CLI_FAILED;
		return errno != 0 ? cli_error("standard output: %m") : cli_error("standard output: write error");
	}
	return status;
}
