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

	*stage = (pipe_stage){.program = program};
	pipe_argument(stage, "%s", program);
	return stage;
}

void pipe_argument(pipe_stage *stage, const char *fmt, ...)
{
	char **argv = realloc(stage->argv, ((size_t)stage->argc + 2) * sizeof(*argv));
	va_list args;

	if (!argv) {
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
		if (slash && (size_t)(slash + 1 - path) + strlen(program) < PATH_MAX) {
			strcpy(slash + 1, program);
			if (access(path, X_OK) == 0)
				return;
		}
	}
	snprintf(path, PATH_MAX, "%s", program);
}

/* In the new process; IN and OUT become its standard input and output, MASK its signals that wait.  Does not return: tells
 * FAILED, which closes when the program has begun, why it has not. */
static void become(const pipe_stage *stage, pid_t parent, int in, int out, const sigset_t *mask, int failed)
{
	char path[PATH_MAX];
	int reason;

	find_program(stage->program, path);
	/* Whatever ends us ends the stages; should it have done so already, no signal comes any more. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(CLI_FAILED);
	if ((in == STDIN_FILENO || dup2(in, STDIN_FILENO) >= 0) &&
	    (out == STDOUT_FILENO || dup2(out, STDOUT_FILENO) >= 0)) {
		sigprocmask(SIG_SETMASK, mask, NULL);
		(strchr(path, '/') ? execv : execvp)(path, stage->argv);
	}
	reason = errno;
	(void)!write(failed, &reason, sizeof(reason));
	_exit(CLI_FAILED);
}

/* CLI_FAILED with a message if the program cannot be run. */
static int start_stage(pipe_stage *stage, int in, int out, const sigset_t *mask)
{
	pid_t parent = getpid();
	int failed[2], reason = 0;

	if (pipe2(failed, O_CLOEXEC) != 0)
		return cli_error("%s: %m", stage->program);
	stage->pid = fork();
	if (stage->pid == 0)
		become(stage, parent, in, out, mask, failed[1]);
	if (stage->pid < 0)
		reason = errno;
	close(failed[1]);
	while (reason == 0 && read(failed[0], &reason, sizeof(reason)) < 0 && errno == EINTR)
		;
	close(failed[0]);
	errno = reason;
	return reason != 0 ? cli_error("%s: %m", stage->program) : CLI_OK;
}

/* Starts all stages; those that run when one cannot be started are ended by the caller. */
static int start(pipe_line *line, const sigset_t *mask)
{
	int in = STDIN_FILENO, status = CLI_OK;

	for (int i = 0; i < line->count && status == CLI_OK; i++) {
		int ends[2] = {-1, STDOUT_FILENO};

		if (i < line->count - 1 && pipe2(ends, O_CLOEXEC) != 0)
			return cli_error("%s: %m", line->stage[i].program);
		status = start_stage(&line->stage[i], in, ends[1], mask);
		if (in != STDIN_FILENO)
			close(in);
		if (ends[1] != STDOUT_FILENO)
			close(ends[1]);
		in = ends[0];
	}
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
static void signal_all(pipe_line *line, int number)
{
	for (int i = line->count - 1; i >= 0; i--) {
		if (line->stage[i].pid <= 0)
			continue;
		line->stage[i].told = number;
		kill(line->stage[i].pid, number);
		kill(line->stage[i].pid, SIGCONT);
	}
}

/* Ends the stages that run by a signal, also stopped ones and those that do not listen. */
static void end_all(pipe_line *line, int signal)
{
	struct timespec patience = {.tv_sec = PATIENCE};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	signal_all(line, signal);
	for (reap(line); running(line) > 0; reap(line))
		if (sigtimedwait(&child, NULL, &patience) < 0 && errno != EINTR)
			signal_all(line, SIGKILL);
}

/* The last stage has ended: nobody reads what the others write.  If all is well they are at their end as well. */
static void finish_all(pipe_line *line)
{
	const pipe_stage *last = &line->stage[line->count - 1];

	end_all(line, last->status == 0 ? 0 : SIGPIPE);
}

/* Waits until all have ended; returns the signal that told us to end them, or 0. */
static int wait_all(pipe_line *line, const sigset_t *awaited)
{
	const struct timespec at_once = {0};
	int number;

	for (reap(line); running(line) > 0; reap(line)) {
		if (line->stage[line->count - 1].pid == 0) {
			finish_all(line);
			break;
		}
		number = sigwaitinfo(awaited, NULL);
		if (number > 0 && number != SIGCHLD) {
			end_all(line, SIGTERM);
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
		int number = WIFSIGNALED(stage->status) ? WTERMSIG(stage->status) : 0;
		int status = number != 0 ? 128 + number : WEXITSTATUS(stage->status);
		bool expected = number != 0 && (number == SIGPIPE || number == stage->told);

		if (number != 0 && !expected)
			cli_error("%s: ended by signal %d (%s)", stage->program, number, strsignal(number));
		if (status != CLI_OK && (i == line->count - 1 || !expected))
			result = status;
	}
	return result;
}

/* The signals that end us, but for those that we were told to ignore, as by nohup, and the news of a child. */
static void awaited_signals(sigset_t *set)
{
	static const int ending[] = {SIGTERM, SIGINT, SIGHUP};
	struct sigaction action;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	signal(SIGCHLD, SIG_DFL); /* were it ignored, the children's statuses would be lost */
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
}

void pipe_hold(pipe_line *line)
{
	if (line->held)
		return;
	awaited_signals(&line->awaited);
	sigprocmask(SIG_BLOCK, &line->awaited, &line->mask);
	line->held = true;
}

int pipe_run(pipe_line *line)
{
	int status, number;

	for (int i = 0; i < line->count; i++)
		if (line->stage[i].failed)
			return cli_error("out of memory");
	pipe_hold(line);
	status = start(line, &line->mask);
	if (status != CLI_OK)
		end_all(line, SIGKILL);
	number = wait_all(line, &line->awaited);
	if (number <= 0 && status == CLI_OK)
		status = judge(line);
	if (number > 0 || status == 128 + SIGPIPE)
		line->signal = number > 0 ? number : SIGPIPE;
	return line->signal != 0 ? 128 + line->signal : status;
}
