/* spans.h: spans of elementary discourse units that CoNLL-U fixes: "Span=3" in MISC of an EDU's first word says that the
 * three EDUs from this one on are a node of the tree; several spans by commas, "Span=2,5".  As a mark of the EDU (marks.h) it
 * may stand on a multiword token right before the word instead.
 *
 * A text comes a block at a time, and its spans may reach over blocks:
 *
 *	EDU         0  1  2  3  4       Span=2,5 on EDU 0, Span=3 on EDU 2
 *	span        [--]  [-----]
 *	span        [-----------]
 *	behind it   2  1  2  2  0       spans that hold this EDU and the next one */
#ifndef HP_TEXT_SPANS_H
#define HP_TEXT_SPANS_H
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "text/conllu.h"

typedef struct hp_span {
	int64_t first, last; /* EDUs of the text, from 0 */
	long line; /* in the file */
} hp_span;

typedef struct hp_spans {
	int64_t edus; /* of the text so far */
	size_t open; /* spans that hold the next EDU as well, */
	hp_span *span; /* [open] each within the one before */
	/* private */
	hp_span *read; /* those of a block */
	size_t capacity, read_capacity;
} hp_spans; /* begins as zeros */

/* Takes the EDUs of BLOCK, as hp_marks_read tells them: *HELD, in ARENA, is for each how many spans hold the boundary behind
 * it inside.  Refused, with the line in file NAME: a number that is none from 1, a word that begins no EDU, a span that crosses
 * another one.  Then nothing was taken. */
int hp_spans_take(hp_spans *s, const hp_sentence *block, const char *name, hp_arena *arena, int32_t **held,
                  hp_error *err) HP_USE_RESULT;
/* The text, WHOLE being its kind ("sentence"), ends, and another one begins.  Refused: a span that goes on. */
int hp_spans_end(hp_spans *s, const char *name, const char *whole, hp_error *err) HP_USE_RESULT;
bool hp_spans_any(const hp_sentence *s); /* whether a word has one */
void hp_spans_free(hp_spans *s);

#endif
