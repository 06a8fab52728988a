/* pipe.c: runs a pipeline and says how long it took from start to end and how much memory each of its programs used. */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_COMMANDS = 16 };

typedef struct pipeline {
	const char *input, *output;
	int count;
	char **command[MAX_COMMANDS]; /* NULL-terminated argument lists */
	long memory[MAX_COMMANDS]; /* largest resident set, KiB */
	long faults; /* of pages, minor ones, by all of them; the last run's */
} pipeline;

/* Cuts the arguments at ",". */
static void split(int argc, char **argv, pipeline *p)
{
	int start = 0;

	for (int i = 0; i <= argc; i++) {
		if (i < argc && strcmp(argv[i], ",") != 0)
			continue;
		if (i == start || p->count == MAX_COMMANDS)
			bench_die("pipe: expected 1 to %d commands with \",\" between them", MAX_COMMANDS);
		p->command[p->count] = bench_need(calloc((size_t)(i - start) + 1, sizeof(char *)));
		memcpy(p->command[p->count++], argv + start, (size_t)(i - start) * sizeof(char *));
		start = i + 1;
	}
}

static int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);

	if (fd < 0)
		bench_die("%s: %s", path, strerror(errno));
	return fd;
}

static pid_t start_command(char **command, int in, int out)
{
	pid_t pid = fork();

	if (pid < 0)
		bench_die("fork: %s", strerror(errno));
	if (pid == 0) {
		if (dup2(in, 0) < 0 || dup2(out, 1) < 0)
			_exit(127);
		execvp(command[0], command);
		fprintf(stderr, "bench: %s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	close(in);
	close(out);
	return pid;
}

static double run_once(pipeline *p)
{
	pid_t pid[MAX_COMMANDS];
	int in = open_or_die(p->input, O_RDONLY), ends[2];
	double start = bench_now();

	p->faults = 0;
	for (int i = 0; i < p->count; i++) {
		int out;
		if (i == p->count - 1) {
			ends[0] = -1;
			out = open_or_die(p->output, O_WRONLY | O_CREAT | O_TRUNC);
		} else {
			if (pipe2(ends, O_CLOEXEC) != 0)
				bench_die("pipe: %s", strerror(errno));
			out = ends[1];
		}
		pid[i] = start_command(p->command[i], in, out);
		in = ends[0];
	}
	for (int i = 0; i < p->count; i++) {
		struct rusage use;
		int status;

		if (wait4(pid[i], &status, 0, &use) < 0)
			bench_die("wait: %s", strerror(errno));
		if (status != 0)
			bench_die("%s failed", p->command[i][0]);
		p->memory[i] = use.ru_maxrss > p->memory[i] ? use.ru_maxrss : p->memory[i];
		p->faults += use.ru_minflt;
	}
	return bench_now() - start;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int bench_pipe(const bench_options *o)
{
	pipeline p = {.input = o->argv[0], .output = o->output != NULL ? o->output : "/dev/null"};
	double *seconds = bench_need(malloc((size_t)o->times * sizeof(*seconds)));

	split(o->argc - 1, o->argv + 1, &p);
	for (int i = 0; i < o->times; i++)
		seconds[i] = run_once(&p);
	qsort(seconds, (size_t)o->times, sizeof(*seconds), by_value);
	printf("seconds=%.4f fastest=%.4f times=%d faults=%ld", seconds[o->times / 2], seconds[0], o->times, p.faults);
	for (int i = 0; i < p.count; i++) {
		const char *slash = strrchr(p.command[i][0], '/');
		printf(" kib.%s=%ld", slash != NULL ? slash + 1 : p.command[i][0], p.memory[i]);
		free(p.command[i]);
	}
	putchar('\n');
	free(seconds);
	return 0;
}
