/* binarize.h: makes a tree binary.
 *
 * Several nuclei become right-branching, (a (b (c d))), each inner node a nucleus of the same relation.  Satellites of a
 * single nucleus join it nearest first, of equally near ones (as many children lie between) the right one first.  Where
 * a node has several nuclei, a satellite between two of them joins the one on its left (as in "the man -- who came late
 * -- left"), those at the ends join all nuclei together in the order just told. */
#ifndef HP_BINARIZE_H
#define HP_BINARIZE_H
#include "rst/tree.h"

/* OUT, another tree, becomes T, or every tree of forest T, in binary form. */
int hp_rst_binarize(const hp_rst_tree *t, hp_rst_tree *out, hp_error *err) HP_USE_RESULT;

#endif
