/* signs.h: a text as the tokeniser's network sees it: a sign for each character, and one for each run of white space. */
#ifndef HP_SIGNS_H
#define HP_SIGNS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

/* Kinds of signs: Unicode's general categories as utf8proc counts them, and white space: without a line's end in it, with
 * one, and what ends a paragraph: a blank line. */
enum { HP_SIGN_BLANK = 30, HP_SIGN_LINE, HP_SIGN_PARAGRAPH, HP_SIGN_KINDS = HP_SIGN_PARAGRAPH };

typedef struct hp_sign {
	uint32_t at; /* its first byte in the text */
	int32_t code; /* of the character; white space: ' ' or '\n' */
	uint8_t kind;
	bool joined; /* the next sign belongs to the same character as readers see it (grapheme cluster) */
} hp_sign;

typedef struct hp_signs {
	char *text; /* what was added and not dropped */
	size_t size, text_capacity;
	hp_sign *sign;
	int count;
	size_t capacity;
	/* private */
	bool lines; /* a line's end is a paragraph's */
	bool begun; /* something was added */
	bool open; /* the last sign is white space that may go on */
	int ends; /* lines that end in it */
	bool returned; /* its last character is a carriage return */
	int32_t grapheme; /* utf8proc's state */
} hp_signs;

static inline bool hp_sign_is_white(const hp_sign *s)
{
	return s->kind >= HP_SIGN_BLANK;
}
/* Of sign I: its first byte behind it. */
static inline size_t hp_sign_end(const hp_signs *s, int i)
{
	return i + 1 < s->count ? s->sign[i + 1].at : s->size;
}

/* LINES: a sentence a line. */
void hp_signs_init(hp_signs *s, bool lines);
void hp_signs_free(hp_signs *s); /* frees the contents */
/* BYTES: whole characters, valid UTF-8.  A byte-order mark that the text begins with counts as white space. */
int hp_signs_add(hp_signs *s, const char *bytes, size_t size, hp_error *err) HP_USE_RESULT;
void hp_signs_end(hp_signs *s); /* nothing will be added for now: white space that came last ends a paragraph */
bool hp_signs_at_line_end(
	const hp_signs *s); /* the last thing added is a line feed, and there is something before it */
void hp_signs_drop(hp_signs *s, int count); /* the first COUNT, and their text */
void hp_signs_restart(hp_signs *s); /* what comes next is another text; all was dropped */

uint8_t hp_sign_kind(int32_t code); /* of a character that is no white space */
int hp_line_ends(const char *s, size_t size); /* how many lines end in S */

#endif
