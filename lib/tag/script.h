/* script.h: how a lemma is made of its form: change the case, cut characters off at both ends, put others there.
 *
 *	form     lemma   script, tabs as \t
 *	Flies    fly     l\t0\t\t3\ty
 *	unlike   like    l\t2\t\t0\t
 *	PARIS    Paris   c\t0\t\t0\t
 *	12,000   12000   n\t0\t\t0\t
 *	is       be      =\tbe
 *
 * The case: l lower, k kept, c the first character upper and the others lower, u upper, each character by itself; n a number's,
 * kept, without its commas, which do not count.  Then how many characters are cut from the beginning, what comes there, how
 * many are cut from the end, what comes there.  =: the lemma whatever the form is. */
#ifndef HP_SCRIPT_H
#define HP_SCRIPT_H
#include <stddef.h>
#include "base/arena.h"
#include "base/error.h"

typedef struct hp_script { /* strings are those of the text that was read */
	char how; /* 'l', 'k', 'c', 'u', 'n', '=' */
	int cut_first, cut_last; /* characters */
	const char *first, *last; /* what is put there; of '=' FIRST is the lemma */
	size_t first_size, last_size;
} hp_script;

/* The script that makes LEMMA of FORM, both valid UTF-8 without tabs, as text in ARENA: the one that keeps most of the form;
 * of equal ones the first in the order l, k, c, u, n.  NULL: out of memory. */
const char *hp_script_make(hp_arena *arena, const char *form, size_t size, const char *lemma, size_t lemma_size);
/* Fails if TEXT is no script; NAME begins the message. */
int hp_script_read(const char *text, size_t size, const char *name, hp_script *out, hp_error *err) HP_USE_RESULT;
/* The share of FORM's characters, valid UTF-8, that the script keeps; of '=' 0. */
float hp_script_kept(const hp_script *s, const char *form, size_t size);
/* Writes at most CAPACITY bytes of the lemma of FORM, valid UTF-8, and returns how many it has; 0: the form is too short, or
 * nothing would be left. */
size_t hp_script_apply(const hp_script *s, const char *form, size_t size, char *out, size_t capacity);

#endif
