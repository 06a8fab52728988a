/* blank.h: white space of ASCII, in any locale; that of Unicode is in utf8.h. */
#ifndef HP_BLANK_H
#define HP_BLANK_H
#include <stdbool.h>

/* What stands between the fields of a line. */
static inline bool hp_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* With the ends of lines: what C's isspace knows. */
static inline bool hp_is_white(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
