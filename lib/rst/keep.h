/* keep.h: what an annotator has said of documents whose trees were found anew, as by hp-parse --constraints: which children a node
 * has, and what these are to it. */
#ifndef HP_RST_KEEP_H
#define HP_RST_KEEP_H
#include "io/input.h"
#include "rst/tree.h"

typedef struct hp_rst_keep hp_rst_keep;

/* Reads the trees of IN to its end; WARN as in documents.h. */
int hp_rst_keep_read(hp_input *in, hp_warn *warn, void *arg, hp_rst_keep **out, hp_error *err) HP_USE_RESULT;
void hp_rst_keep_destroy(hp_rst_keep *k); /* accepts NULL */
/* T is the document of its name, or else the one in its place among the T's.  A node of that, of any tree of a forest, whose EDUs
 * are a node's of T and whose children's are, too, gives this one its children, with roles and relations; what T has between them,
 * as binary trees have between a node and its third child, is taken out.  EDUs may differ in white space, and get the texts of that
 * document.  Refused: one that was not read, or of other EDUs. */
int hp_rst_keep_apply(hp_rst_keep *k, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;

#endif
