/* json.h: JSON read from front to back, as far as safetensors headers need it: values are taken as they come, nothing
 * is built.  Strict: RFC 8259, valid UTF-8, no NUL in strings, whole numbers of 64 bits, a few levels deep.
 *
 *	hp_json_enter(j, '{');
 *	for (bool first = true; hp_json_more(j, '}', &first);) {
 *		const char *key = hp_json_key(j);
 *		...take one value...
 *	}
 *
 * After an error everything fails, and nothing is taken. */
#ifndef HP_JSON_H
#define HP_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hp_json {
	const char *start, *at, *end;
	char *text; /* where the next string goes */
	const char *why; /* what is wrong at AT; NULL: nothing so far */
} hp_json;

/* TEXT is room for all strings, SIZE bytes; they stay there, ended by NULs. */
void hp_json_begin(hp_json *j, const char *json, size_t size, char *text);
char hp_json_peek(hp_json *j); /* the first character of the next value; 0 at the end or after an error */
void hp_json_fail(hp_json *j, const char *why); /* keeps the first one */
bool hp_json_enter(hp_json *j, char bracket); /* '{' or '[' */
/* Whether another member or element comes; takes the comma, or the bracket CLOSE.  *FIRST is kept by it. */
bool hp_json_more(hp_json *j, char close, bool *first);
/* The next string, or that and a colon; "" after an error. */
const char *hp_json_string(hp_json *j);
const char *hp_json_key(hp_json *j);
bool hp_json_whole(hp_json *j,
                   int64_t *n); /* takes a number; false: it has a fraction or an exponent, or there is none */
void hp_json_skip(hp_json *j); /* any value */
bool hp_json_end(hp_json *j); /* whether nothing but blanks is left, and nothing went wrong */

#endif
