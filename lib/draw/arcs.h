/* arcs.h: where the words of a line and the arcs over them are in a picture, in pixels.  Arcs rise from their heads, run
 * level and come down on their dependants; several at one word stand beside each other in an order in which none crosses
 * another without need:
 *
 *	  .--------obj---------.        level 2
 *	  |  .-iobj-.   .-det--.|       level 1: ports of "gave" from left to right, of "book" too
 *	  gave     her  a      book */
#ifndef HP_DRAW_ARCS_H
#define HP_DRAW_ARCS_H
#include <stdbool.h>
#include "base/arena.h"
#include "draw/width.h"

typedef struct hp_arc {
	int head, node; /* places of words, or HP_HEAD_ROOT: a line from above */
	hp_slice label;
	int label_width; /* pixels */
	int kind; /* of whoever draws it */
	/* comes out */
	int level; /* from 1; roots have the highest */
	int x_head, x_node, x_label; /* pixels; x_label is the label's middle */
} hp_arc;

/* All arcs on one side of the line. */
typedef struct hp_arcs {
	int count;
	hp_arc *arc;
	int levels;
} hp_arcs;

typedef struct hp_line {
	int places;
	int *width; /* [places] of the word with what stands below it; comes out larger where arcs need it */
	int *x; /* [places] the middle; comes out */
	int total; /* width of all; comes out */
} hp_line;

/* A text that is to have room over several words. */
typedef struct hp_over {
	int first, last, width;
} hp_over;

/* Places the words from left to right, and the arcs of SIDES sides (at most two).  OVERS are in the order of the words.
 * In steps, about (places + arcs) * log.  False: out of memory. */
bool hp_arcs_place(hp_line *line, hp_arcs *side, int sides, const hp_over *over, int overs, hp_arena *arena);

#endif
