/* brackets.h: trees as published parsers print them, a line each, without the EDUs' texts:
 *
 *	# newdoc id = NAME
 *	(1:Nucleus=span:1,2:Satellite=Elaboration:3) (2:Nucleus=List:2,3:Nucleus=List:3)
 *
 * A bracket for each inner node, from the top, the left child's before the right one's; in it the children, with their
 * first EDU, role, relation, last EDU.  A tree of one EDU is NONE.  Comments are those of .dis notation. */
#ifndef HP_BRACKETS_H
#define HP_BRACKETS_H
#include <stdio.h>
#include "io/input.h"
#include "rst/tree.h"

typedef struct hp_brackets hp_brackets;

/* EDUS holds the texts: an EDU a line, those of all trees one after another, blank lines between trees; blank lines
 * within a tree end sentences, a comment before it may name it; an EDU that reads like one stands after a blank.  Borrows
 * both. */
int hp_brackets_new(hp_input *in, hp_input *edus, hp_brackets **out, hp_error *err) HP_USE_RESULT;
void hp_brackets_destroy(hp_brackets *b); /* accepts NULL */
/* The next tree into T (reused).  Returns 1, 0 at the end of both files, HP_FAIL with file and line: nothing can be read
 * after that. */
int hp_brackets_read(hp_brackets *b, hp_rst_tree *t, hp_error *err) HP_USE_RESULT;

int hp_brackets_write(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT;
/* The texts that belong to them, in the same order. */
int hp_brackets_write_edus(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT;

#endif
