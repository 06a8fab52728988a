/* documents.h: the document trees of a file, whichever notation it is in. */
#ifndef HP_RST_DOCUMENTS_H
#define HP_RST_DOCUMENTS_H
#include "io/input.h"
#include "rst/tree.h"

typedef struct hp_rst_documents hp_rst_documents;

/* What begins with "<" (in UTF-8 or UTF-16) is XML and holds one tree; with "(" and a digit, or NONE: brackets, for which
 * EDUS is needed (brackets.h) and must be NULL else; all else is .dis notation.  Borrows both. */
int hp_rst_documents_new(hp_input *in, hp_input *edus, hp_rst_documents **out, hp_error *err) HP_USE_RESULT;
void hp_rst_documents_destroy(hp_rst_documents *d); /* accepts NULL */
/* Calls WARN (NULL: not) with ARG for what hp_dis_on_warning tells of, and for trees with gaps. */
void hp_rst_documents_on_warning(hp_rst_documents *d, hp_warn *warn, void *arg);
/* The next tree into T (reused).  Without an id of its own it gets the file's name, less folders, .dis, .lisp, .rs3,
 * .rs4, .brackets or .xml, and .out before that; the second tree has .2 after it, and so on.  Returns 1, 0 at the end, HP_FAIL;
 * then reading can go on, unless the input is broken. */
int hp_rst_documents_next(hp_rst_documents *d, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;
/* What was read last with the comments before it, as it stands in a .dis file; "" of other notations.  Valid until the next
 * call. */
const char *hp_rst_documents_text(const hp_rst_documents *d, size_t *size);
bool hp_rst_documents_broken(const hp_rst_documents *d);

#endif
