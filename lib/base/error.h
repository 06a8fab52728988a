/* error.h: how libhp reports trouble.
 *
 * The library never prints and never exits.  A function that can fail returns 0 on success and HP_FAIL
 * otherwise, and then leaves one line of text, without a newline, in the caller's hp_error: what is wrong and
 * what was expected, beginning with "FILE:LINE: " where a place in the input is to blame.  The program puts
 * its own name before it.  ERR may be NULL where the caller does not care. */
#ifndef HP_ERROR_H
#define HP_ERROR_H

#define HP_FAIL (-1)
#define HP_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define HP_USE_RESULT __attribute__((warn_unused_result))

typedef struct hp_error {
	char text[1024];
} hp_error;

/* For whoever is to be told of what is wrong but did not stop the work; WHAT is a line as above, ARG the caller's own. */
typedef void hp_warn(void *arg, const hp_error *what);

/* Each sets ERR->text (cut at its size, invalid bytes and control characters shown as \xNN) and returns HP_FAIL. */
int hp_fail(hp_error *err, const char *fmt, ...) HP_PRINTF(2, 3);
int hp_fail_at(hp_error *err, const char *file, long line, const char *fmt, ...) HP_PRINTF(4, 5);
int hp_fail_memory(hp_error *err); /* "out of memory" */
int hp_fail_errno(hp_error *err, const char *file); /* "FILE: strerror(errno)" */

/* For messages: "1 word", "2 words". */
static inline const char *hp_plural(long count)
{
	return count == 1 ? "" : "s";
}

#endif
