/* dis.h: trees in the notation of the RST Discourse Treebank (.dis, .lisp):
 *
 *	# sent_id = DOCUMENT-SENTENCE
 *	( Root (span 1 2)
 *	  ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )
 *	  ( Satellite (leaf 2) (rel2par Temporal) (text _!when she came ._!) )
 *	)
 *
 * Read is any spacing, any number of children, any order of span, leaf, rel2par and text, //TT_ERR and the like behind
 * a bracket, <P> at the end of a text; comments begin with # at the start of a line between trees.  A sentence of one
 * EDU is ( Root (leaf 1) (text _!...._!) ), also with (span 1 1). */
#ifndef HP_DIS_H
#define HP_DIS_H
#include <stdbool.h>
#include <stdio.h>
#include "io/input.h"
#include "rst/tree.h"

typedef struct hp_dis_reader hp_dis_reader;

int hp_dis_reader_new(hp_input *in, hp_dis_reader **out, hp_error *err) HP_USE_RESULT; /* borrows IN */
void hp_dis_reader_destroy(hp_dis_reader *r); /* accepts NULL */
/* The next tree into T (reused).  Returns 1, 0 at the end, HP_FAIL with file and line.  A tree is complete with its last
 * bracket and the end of that line: nothing behind it is waited for. */
int hp_dis_read(hp_dis_reader *r, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;
/* Whether hp_dis_read would return without waiting. */
int hp_dis_ready(hp_dis_reader *r, bool *ready, hp_error *err) HP_USE_RESULT;
/* One tree that is in memory already, such as the stream's `text`; LINE is where it begins in file NAME. */
int hp_dis_parse(hp_rst_tree *t, const char *text, size_t size, const char *name, long line, hp_error *err) HP_USE_RESULT;

/* Writes the id comment (where there is an id), the tree, a blank line. */
int hp_dis_write(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT;
int hp_dis_write_binary(const hp_rst_binary *b, FILE *out, hp_error *err) HP_USE_RESULT;

#endif
