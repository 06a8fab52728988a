/* rs3.h: the XML of RSTTool and rstWeb (.rs3, .rs4): a document's tree.
 *
 * What a file says is which node hangs below which; the tree is made from that.  A node's own content is its text (a
 * segment), its children with relation "span" or, where there are none, the children that are nuclei of each other.  All
 * other children are its satellites; they and the node, as their nucleus, are children of one node, so a nucleus with
 * several satellites makes a node of more than two children (binarize.h tells how they are paired).
 *
 * A group's child is such a nucleus if its relation is declared as multinuc.  Where the header does not declare it, or
 * not as what, or in both ways, it is a nucleus unless other children must be the nuclei: those whose relation at least
 * two of them have.
 *
 * The text is the segments in the order of the file, whatever their ids.  What is empty and carries nothing is left out.
 * Parent 0 is none, where no node is called so.  Nodes without parent are roots: of a document with several, which
 * headlines that hang nowhere make, the result is a forest (tree.h). */
#ifndef HP_RS3_H
#define HP_RS3_H
#include <stdio.h>
#include "io/input.h"
#include "rst/tree.h"

/* The tree of IN, which is read to its end.  In any encoding that the file declares and iconv knows.  Refused, with file
 * and line: XML that is not well-formed or declares entities, duplicate and unknown ids, cycles, trees whose spans are not
 * continuous, satellites without a nucleus. */
int hp_rs3_read(hp_input *in, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;

/* Writes T, a tree or a forest, with RS4 as .rs4, with its secondary edges and signals.  A satellite between several
 * nuclei belongs to the one on its left, those at the ends to all of them.  Refused: a satellite with the relation "span";
 * nuclei of one node with several relations, one of which is a satellite's elsewhere; characters that XML does not have. */
int hp_rs3_write(const hp_rst_tree *t, bool rs4, FILE *out, hp_error *err) HP_USE_RESULT;

#endif
