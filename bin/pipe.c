/* pipe.c: programs run as a pipe, which end together. */
#include "pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { PATIENCE = 2 /* seconds that a stage is given to end when it is asked to */ };

/* ---- making it ---- */

pipe_stage *pipe_add(pipe_line *line, const char *program)
{
	pipe_stage *stage = &line->stage[line->count++];

	*stage = (pipe_stage){ .program = program };
	pipe_argument(stage, "%s", program);
	return stage;
}

void pipe_argument(pipe_stage *stage, const char *fmt, ...)
{
	char **argv = realloc(stage->argv, ((size_t)stage->argc + 2) * sizeof(*argv));
	va_list args;

	if (argv == NULL) {
		stage->failed = true;
		return;
	}
	stage->argv = argv;
	va_start(args, fmt);
	if (vasprintf(&argv[stage->argc], fmt, args) < 0)
		stage->failed = true;
	else
		stage->argc++;
	va_end(args);
	argv[stage->argc] = NULL;
}

void pipe_free(pipe_line *line)
{
	for (int i = 0; i < line->count; i++) {
		for (int k = 0; k < line->stage[i].argc; k++)
			free(line->stage[i].argv[k]);
		free(line->stage[i].argv);
	}
	line->count = 0;
}

/* ---- starting ---- */

/* PROGRAM beside this one in PATH [PATH_MAX]; its mere name, for $PATH, if there is none. */
static void find_program(const char *program, char *path)
{
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash;

	if (size > 0 && size < PATH_MAX) {
		path[size] = '\0';
		slash = strrchr(path, '/');
		if (slash != NULL && (size_t)(slash + 1 - path) + strlen(program) < PATH_MAX) {
			strcpy(slash + 1, program);
			if (access(path, X_OK) == 0)
				return;
		}
	}
	snprintf(path, PATH_MAX, "%s", program);
}

/* In the new process; IN and OUT become its standard input and output, MASK its signals that wait.  Does not return. */
static void become(const pipe_stage *stage, const char *path, pid_t parent, int in, int out, const sigset_t *mask)
{
	/* Whatever ends us ends the stages; should it have done so already, no signal comes any more. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(CLI_FAILED);
	if ((in != STDIN_FILENO && dup2(in, STDIN_FILENO) < 0) || (out != STDOUT_FILENO && dup2(out, STDOUT_FILENO) < 0)) {
		cli_error("%s: %s", stage->program, strerror(errno));
		_exit(CLI_FAILED);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(path, stage->argv);
	cli_error("%s: %s", path, strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Starts all stages; those that run when one cannot be started are ended by the caller. */
static int start(pipe_line *line, const sigset_t *mask)
{
	pid_t parent = getpid();
	int in = STDIN_FILENO, status = CLI_OK;

	for (int i = 0; i < line->count && status == CLI_OK; i++) {
		pipe_stage *stage = &line->stage[i];
		bool last = i == line->count - 1;
		int ends[2] = { -1, STDOUT_FILENO };
		char path[PATH_MAX];

		find_program(stage->program, path);
		if (!last && pipe2(ends, O_CLOEXEC) != 0)
			status = cli_error("%s: %s", stage->program, strerror(errno));
		else if ((stage->pid = fork()) == 0)
			become(stage, path, parent, in, ends[1], mask);
		else if (stage->pid < 0)
			status = cli_error("%s: %s", stage->program, strerror(errno));
		if (in != STDIN_FILENO)
			close(in);
		if (ends[1] != STDOUT_FILENO && ends[1] >= 0)
			close(ends[1]);
		in = ends[0];
	}
	if (in > STDIN_FILENO && status != CLI_OK)
		close(in);
	/* Whoever writes into our standard input, or reads our output, shall notice when the stages have gone. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	return status;
}

/* ---- waiting ---- */

static int running(const pipe_line *line)
{
	int count = 0;

	for (int i = 0; i < line->count; i++)
		count += line->stage[i].pid > 0;
	return count;
}

static void reap(pipe_line *line)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (int i = 0; i < line->count; i++)
			if (line->stage[i].pid == pid) {
				line->stage[i].pid = 0;
				line->stage[i].status = status;
			}
}

/* The last one first: a stage without its reader says nothing, but one without its writer tells of a stream cut off. */
static void signal_all(const pipe_line *line, int number)
{
	for (int i = line->count - 1; i >= 0; i--)
		if (line->stage[i].pid > 0)
			kill(line->stage[i].pid, number);
}

/* Ends the stages that run, also stopped ones and those that do not listen. */
static void end_all(pipe_line *line)
{
	struct timespec patience = { .tv_sec = PATIENCE };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	signal_all(line, SIGTERM);
	signal_all(line, SIGCONT);
	for (reap(line); running(line) > 0; reap(line))
		if (sigtimedwait(&child, NULL, &patience) < 0 && errno != EINTR)
			signal_all(line, SIGKILL);
}

/* Waits until all have ended; returns the signal that told us to end them, or 0. */
static int wait_all(pipe_line *line, const sigset_t *awaited)
{
	const struct timespec at_once = { 0 };
	int number;

	for (reap(line); running(line) > 0; reap(line)) {
		number = sigwaitinfo(awaited, NULL);
		if (number > 0 && number != SIGCHLD) {
			end_all(line);
			return number;
		}
	}
	/* A terminal's signal ends the stages and comes to us too. */
	while ((number = sigtimedwait(awaited, NULL, &at_once)) == SIGCHLD)
		;
	return number > 0 ? number : 0;
}

/* What the stages' ends come to.  SIGPIPE means that the reader has gone, of which nobody needs to be told. */
static int judge(const pipe_line *line)
{
	int result = CLI_OK;

	for (int i = 0; i < line->count; i++) {
		const pipe_stage *stage = &line->stage[i];
		bool last = i == line->count - 1, killed = WIFSIGNALED(stage->status);
		int number = killed ? WTERMSIG(stage->status) : 0;
		int status = killed ? 128 + number : WEXITSTATUS(stage->status);

		if (killed && number != SIGPIPE)
			cli_error("%s: ended by signal %d (%s)", stage->program, number, strsignal(number));
		if (status != CLI_OK && (last || number != SIGPIPE))
			result = status;
	}
	return result;
}

/* The signals that end us, but for those that we were told to ignore, as by nohup, and the news of a child. */
static void awaited_signals(sigset_t *set)
{
	static const int ending[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction action;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	signal(SIGCHLD, SIG_DFL); /* were it ignored, the children's statuses would be lost */
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
}

int pipe_run(pipe_line *line)
{
	sigset_t awaited, mask;
	int status, number;

	for (int i = 0; i < line->count; i++)
		if (line->stage[i].failed)
			return cli_error("out of memory");
	awaited_signals(&awaited);
	sigprocmask(SIG_BLOCK, &awaited, &mask);
	status = start(line, &mask);
	if (status != CLI_OK)
		end_all(line);
	number = wait_all(line, &awaited);
	if (number > 0)
		return 128 + number;
	return status != CLI_OK ? status : judge(line);
}
