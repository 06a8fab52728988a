/* input.h: a file, a pipe or standard input, read in blocks, that knows whether more can be had without waiting.  Gzip data
 * is unpacked on the way: what is handed out then, and what "arrived" and "end" mean, is what it holds. */
#ifndef HP_INPUT_H
#define HP_INPUT_H
#include <stddef.h>
#include <stdbool.h>
#include "base/error.h"

typedef struct hp_input hp_input;

/* PATH "-" or NULL is standard input, called "<stdin>" in messages. */
int hp_input_open(const char *path, hp_input **out, hp_error *err) HP_USE_RESULT;
int hp_input_from_fd(int fd, const char *name, hp_input **out, hp_error *err) HP_USE_RESULT; /* does not close FD */
/* Borrows SIZE bytes of memory. */
int hp_input_from_memory(const void *data, size_t size, const char *name, hp_input **out, hp_error *err) HP_USE_RESULT;
void hp_input_close(hp_input *in); /* accepts NULL */
const char *hp_input_name(const hp_input *in);
bool hp_input_is_gzip(const hp_input *in); /* once something was peeked or read */
/* Makes at least WANT unread bytes available, if the input has so many; waits for them.
 * *DATA and *SIZE are all that is buffered (SIZE < WANT only at the end); valid until the next call. */
int hp_input_peek(hp_input *in, size_t want, const char **data, size_t *size, hp_error *err) HP_USE_RESULT;
/* The same, but without WAIT of what has arrived: *SIZE may be less than WANT though the end was not seen. */
int hp_input_gather(hp_input *in, size_t want, bool wait, const char **data, size_t *size, hp_error *err) HP_USE_RESULT;
void hp_input_skip(hp_input *in, size_t size); /* of what was peeked */
/* Makes the next line available, with its line feed if it has one; *SIZE is 0 at the end.  For small tables: line
 * NUMBER (from 1, without a byte-order mark) is refused if it has more than 1 MiB or a NUL byte. */
int hp_input_line(hp_input *in, long number, const char **line, size_t *size, hp_error *err) HP_USE_RESULT;
/* Moves up to SIZE bytes to DST, large blocks without passing through the buffer; *GOT is how many.  With WAIT it is
 * SIZE unless the input ends; without, what has arrived, perhaps nothing. */
int hp_input_read(hp_input *in, void *dst, size_t size, bool wait, size_t *got, hp_error *err) HP_USE_RESULT;
/* Reads whatever has arrived, without waiting.  *MORE is false if nothing new came (paused); end of input counts as news. */
int hp_input_poll(hp_input *in, bool *more, hp_error *err) HP_USE_RESULT;
/* Waits for something to arrive, or the end, at most so long; false: nothing did. */
bool hp_input_wait(const hp_input *in, int milliseconds);
bool hp_input_at_end(const hp_input *in); /* the end was seen and everything was consumed */
bool hp_input_eof_seen(const hp_input *in); /* the end was seen; bytes may still be buffered */

#endif
