/* outline.h: a rhetorical tree gone through in preorder, with what an outline of it needs to know of each node. */
#ifndef HP_DRAW_OUTLINE_H
#define HP_DRAW_OUTLINE_H
#include <stdbool.h>
#include "base/arena.h"
#include "draw/width.h"
#include "rst/tree.h"

typedef struct hp_outline {
	const hp_rst_tree *tree;
	int *depth; /* [nodes] 0: a root */
	bool *more; /* [nodes] whether there are siblings behind the node */
	int deepest;
} hp_outline;

bool hp_outline_make(const hp_rst_tree *tree, hp_arena *arena, hp_outline *o); /* false: out of memory */
/* What a node is to its parent, to be shown: size 0 for roots, and for the nucleus that satellites have. */
hp_slice hp_outline_relation(const hp_rst_node *node);
/* Whether the token of TEXT that begins at AT is closing punctuation, which no line begins with. */
bool hp_outline_closes(hp_slice text, size_t at);
/* The beginning of TEXT that fits in a line of SIZE units by FIT, broken at a blank where there is one, without it, and not before
 * closing punctuation where there is another one; *TEXT goes on behind it. */
hp_slice hp_outline_line(hp_slice *text, int size, size_t (*fit)(hp_slice text, int size));

#endif
