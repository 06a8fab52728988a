/* title.h: what a tree is called: by the comments before it. */
#ifndef HP_DRAW_TITLE_H
#define HP_DRAW_TITLE_H
#include <stdbool.h>
#include "base/arena.h"
#include "draw/width.h"

typedef struct hp_title {
	long number; /* of the sentence or document, from 1; its n best trees share it */
	int rank; /* "# nbest = 2": among those; 0: it is alone */
	hp_slice name; /* size 0: it has none */
	hp_slice note; /* "tree 2, score -5.9972", either, or size 0 */
	hp_slice label; /* what stands before the note where there is no number: the name, or else that */
} hp_title;

/* What stands behind "# NAME = " in the lines of BLOCK before the first one that is neither a comment nor empty; the last one
 * of several.  Size 0: none. */
hp_slice hp_draw_comment(hp_slice block, const char *name);
/* BLOCK begins with the tree's comments; *NUMBER is that of the title before, and comes out as this one's.  False: out of
 * memory. */
bool hp_title_make(hp_slice name, hp_slice block, long *number, hp_arena *arena, hp_title *title);

#endif
