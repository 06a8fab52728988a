/* pipe.h: programs of this folder run as a pipe, all at once, which end together.
 *
 *	pipe_line line = { .count = 0 };
 *	pipe_stage *stage = pipe_add(&line, "hp-embed");
 *	pipe_argument(stage, "--threads=%d", 2);
 *	pipe_add(&line, "hp-encode");
 *	return pipe_run(&line);
 *
 * A stage is the program of that name beside this one, else the one in PATH. */
#ifndef PIPE_H
#define PIPE_H
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "base/error.h"

enum { PIPE_STAGES = 12 /* at most */ };

typedef struct pipe_stage {
	const char *program;
	char **argv; /* [argc], and NULL; owned */
	int argc;
	bool failed; /* out of memory */
	pid_t pid; /* 0: not running */
	int status; /* as wait gives it */
	int told; /* the last signal that we sent it to end it, or 0 */
} pipe_stage;

typedef struct pipe_line {
	pipe_stage stage[PIPE_STAGES];
	int count;
	int signal; /* after pipe_run: what ended this program, but for dying of it; or 0 */
	/* internal: */
	bool held;
	sigset_t awaited, mask;
} pipe_line;

pipe_stage *pipe_add(pipe_line *line, const char *program); /* the next stage, without arguments; it belongs to LINE */
void pipe_argument(pipe_stage *stage, const char *fmt, ...) HP_PRINTF(2, 3); /* of out of memory pipe_run tells */
/* From now on TERM, INT and HUP wait for pipe_run: for callers that have something to clean up when it has ended. */
void pipe_hold(pipe_line *line);
/* Runs the stages, from standard input to standard output, and waits for all.  TERM, INT and HUP end them at once, and so
 * does the end of the last stage.  Returns the exit status: that of the last stage, which notices if one before it failed;
 * 128 + N if signal N ended it, or this program. */
int pipe_run(pipe_line *line);
void pipe_free(pipe_line *line);

#endif
