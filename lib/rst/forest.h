/* forest.h: the trees of a document whose segments do not all hang together.  Private to lib/rst. */
#ifndef HP_FOREST_H
#define HP_FOREST_H
#include "rst/tree.h"

/* T's trees stand one after another, its EDUs in the order of their leaves.  Puts both into the order of the text, where
 * leaf k is EDU EDU_OF[k]; within a tree these numbers rise.
 *
 * A node with EDUs of another tree between its own is taken apart, and T->gaps tells so.  Those of its children that are whole
 * and stand side by side become a tree below a node like it, if one of them is a nucleus, or else each one by itself:
 *
 *	1 (S) -> 4 (N) <- 5 (S), 2 and 3 apart:    1    2    3    4 (N) <- 5 (S)
 *
 * Where one tree ends and another begins, EDUs are marked as apart. */
int hp_rst_forest_settle(hp_rst_tree *t, const int32_t *edu_of, hp_error *err) HP_USE_RESULT;

#endif
