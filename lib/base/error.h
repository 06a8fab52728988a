/* error.h: how libhp reports trouble (see status.h).  ERR may be NULL where the caller does not care. */
#ifndef HP_ERROR_H
#define HP_ERROR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define HP_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* For whoever is to be told of what is wrong but did not stop the work; WHAT is a line as above, ARG the caller's own. */
typedef void hp_warn(void *arg, const hp_error *what);

/* Each sets ERR->text (RAW as hp_escape shows it) and returns HP_FAIL. */
int hp_fail(hp_error *err, const char *fmt, ...) HP_PRINTF(2, 3);
int hp_fail_at(hp_error *err, const char *file, long line, const char *fmt, ...) HP_PRINTF(4, 5);
/* "NAME: KEY is VALUE: expected LEAST to MOST", or one number where these are the same. */
int hp_fail_range(hp_error *err, const char *name, const char *key, int value, int least, int most);
int hp_fail_memory(hp_error *err); /* "out of memory" */
int hp_fail_errno(hp_error *err, const char *file); /* "FILE: strerror(errno)" */

/* Whether a character has no place in a message: C0, DEL and C1, which a terminal may take for commands, and those that
 * end a line or turn its direction around, so that a message reads other than it is. */
static inline bool hp_is_control(int32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* RAW as it can be shown: valid UTF-8 without control characters, whose bytes, like invalid ones, become \xNN.  OUT has
 * room for SIZE bytes, the closing NUL among them; what does not fit is left out, whole characters only. */
void hp_escape(char *out, size_t size, const char *raw);

/* For messages: "1 word", "2 words". */
static inline const char *hp_plural(long count)
{
	return count == 1 ? "" : "s";
}

#endif
