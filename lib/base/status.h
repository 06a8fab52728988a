/* status.h: what a function of libhp that can fail returns: 0, or HP_FAIL, and then leaves one line of text, without a
 * newline, in the caller's hp_error: what is wrong and what was expected, beginning with "FILE:LINE: " where a place in the
 * input is to blame.  The library never prints and never exits; a program puts its own name before the line. */
#ifndef HP_STATUS_H
#define HP_STATUS_H

#define HP_FAIL (-1)
#define HP_USE_RESULT __attribute__((warn_unused_result))

typedef struct hp_error {
	char text[1024];
} hp_error;

#endif
