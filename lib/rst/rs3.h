/* rs3.h: the XML of RSTTool and rstWeb (.rs3, .rs4): a document's tree.
 *
 * What a file says is which node hangs below which; the tree is made from that.  A node's own content is its text (a
 * segment), its one child with relation "span" (a group of type span) or the children that are nuclei (a group of type
 * multinuc).  All other children are its satellites; they and the node, as their nucleus, are children of one node, so a
 * nucleus with several satellites makes a node of more than two children (binarize.h tells how they are paired).
 *
 * A child of a multinuc is a nucleus if its relation is declared as multinuc.  Where the header does not declare it, or
 * declares it in both ways, it is a nucleus unless other children must be the nuclei: those whose relation at least two of
 * them have.  Segments are in the order of the text if their ids are not 1, 2, ... n, which rstWeb gives; then in that
 * order. */
#ifndef HP_RS3_H
#define HP_RS3_H
#include "io/input.h"
#include "rst/tree.h"

/* The one tree of IN, which is read to its end.  In any encoding that the file declares and iconv knows.  Refused, with
 * file and line: XML that is not well-formed or declares entities, duplicate and unknown ids, a second root, cycles, spans
 * that are not continuous, segments without text. */
int hp_rs3_read(hp_input *in, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;

#endif
