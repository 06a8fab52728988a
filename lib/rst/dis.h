/* dis.h: trees in the notation of the RST Discourse Treebank (.dis, .lisp):
 *
 *	# sent_id = DOCUMENT-SENTENCE
 *	( Root (span 1 2)
 *	  ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )
 *	  ( Satellite (leaf 2) (rel2par Temporal) (text _!when she came ._!) )
 *	)
 *
 * Any spacing is read, any number of children, span, leaf, rel2par and text in any order, //TT_ERR and the like after
 * a bracket, <P> at the end of a text; lines that begin with # between trees are comments.  A document's tree is named by
 * # newdoc id = NAME, and # sent_ends = 3 7 ... may give the last EDU of each of its sentences.  Brackets in a text are no brackets: it goes up to "_!" with ")" after it.  Instead of the marks _! a
 * text may have those of the Instructional corpus: <EDU>....</EDU>, with <s> or </s> around it where a sentence begins
 * or ends.  A sentence of one EDU is ( Root (span 1 1) (leaf 1) (text _!...._!) ); its span may be missing.  Spans
 * repeat what the leaves say; where they contradict them, the leaves count. */
#ifndef HP_DIS_H
#define HP_DIS_H
#include <stdbool.h>
#include <stdio.h>
#include "io/input.h"
#include "rst/tree.h"

typedef struct hp_dis_reader hp_dis_reader;

int hp_dis_reader_new(hp_input *in, hp_dis_reader **out, hp_error *err) HP_USE_RESULT; /* borrows IN */
void hp_dis_reader_destroy(hp_dis_reader *r); /* accepts NULL */
/* From now on nodes need no rel2par: the trees are read for their EDUs. */
void hp_dis_unlabelled(hp_dis_reader *r);
/* Who is to be told, in one line for a tree, of spans that contradict its leaves. */
void hp_dis_on_warning(hp_dis_reader *r, hp_warn *warn, void *arg);
/* The next tree into T (reused).  Returns 1, 0 at the end, HP_FAIL with file and line: then reading can go on after
 * the offending tree (which ends with its last bracket or before the next line that begins with "( Root"), unless
 * hp_dis_broken says that the input itself failed, that it is another kind of file (io/sniff.h), or that a tree has
 * more than 64 MiB.  A tree is complete with its last bracket: nothing after it is waited for. */
int hp_dis_read(hp_dis_reader *r, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;
bool hp_dis_broken(const hp_dis_reader *r);
/* What was read last, tree or not, with the comments before it, as it stands in the file; valid until the next call.
 * LINE (may be NULL) is where it begins. */
const char *hp_dis_text(const hp_dis_reader *r, size_t *size, long *line);
/* Whether hp_dis_read would return without waiting. */
int hp_dis_ready(hp_dis_reader *r, bool *ready, hp_error *err) HP_USE_RESULT;
/* One tree that is in memory already, such as the stream's `text`; LINE is where it begins in file NAME. */
int hp_dis_parse(hp_rst_tree *t, const char *text, size_t size, const char *name, long line,
                 hp_error *err) HP_USE_RESULT;

/* Writes the comments (where there is an id, sentences), the tree, of a sentence without <P>, a blank line. */
int hp_dis_write(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT;
int hp_dis_write_marked(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT; /* the same with <P> */

#endif
