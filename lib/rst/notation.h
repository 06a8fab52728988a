/* notation.h: the notations that rhetorical trees are written in, as a table, for all programs that write them. */
#ifndef HP_RST_NOTATION_H
#define HP_RST_NOTATION_H
#include <stdio.h>
#include "rst/tree.h"

typedef enum hp_rst_notation {
	HP_RST_DIS,
	HP_RST_LISP, /* the same */
	HP_RST_RS3,
	HP_RST_RS4,
	HP_RST_BRACKETS,
	HP_RST_EDUS, /* texts only */
	HP_RST_JSON,
	HP_RST_RELS,
	HP_RST_NOTATIONS
} hp_rst_notation;

extern const char *const hp_rst_notation_name[HP_RST_NOTATIONS + 1]; /* as files' names end; NULL behind the last */

/* What of a tree a notation has a place for. */
typedef struct hp_rst_place {
	bool single; /* one document a file */
	bool forest; /* all of a forest's trees */
	bool sentences; /* where they end */
	bool paragraphs; /* likewise, or their EDUs' texts have it, which are elsewhere */
	bool extras; /* secondary edges and signals */
	bool remarks; /* lines of comments, or of what is no tree, between trees */
} hp_rst_place;
hp_rst_place hp_rst_notation_place(hp_rst_notation n);

/* Writes T into OUT, where BEFORE trees of the same notation stand already.  Refused: what dis.h, brackets.h and rs3.h say; a
 * second tree where the notation has place for one.  Of that one, nothing is written unless all can be. */
int hp_rst_write(hp_rst_notation n, const hp_rst_tree *t, int64_t before, FILE *out, hp_error *err) HP_USE_RESULT;

/* ---- within lib/rst: json_write.c, rels_write.c ---- */

/* One line, one object:
 *
 *	{"id": "doc", "document": true, "sentences": [[1,2]],
 *	 "edus": [{"text": "He left", "tokens": [1,2]}, {"text": "as it rained .", "tokens": [3,6], "paragraph": true}],
 *	 "nodes": [{"edus": [1,2], "parent": 0, "role": "Root", "relation": null},
 *	           {"edus": [1,1], "parent": 1, "role": "Nucleus", "relation": "span"}, ...]}
 *
 * without the blanks between.  All numbers count from 1, ranges include their ends; nodes stand parents first, from left to
 * right.  A list, not objects one in another: many readers of JSON refuse what is nested a few hundred deep. */
int hp_json_write_tree(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT;

/* Relations between EDUs in the twelve columns of DISRPT's .rels.  A node's head is that of its first nucleus; all other
 * children depend on it, but a satellite between two nuclei on the one to its left.  Parts of a unit (relation same-unit, however
 * spelt) that depend on an EDU belong to it: their relation is no row. */
#define HP_RELS_HEADING \
	"doc\tunit1_toks\tunit2_toks\tunit1_txt\tunit2_txt\ts1_toks\ts2_toks\tunit1_sent\tunit2_sent\tdir\torig_label\tlabel\n"
int hp_rels_write(const hp_rst_tree *t, FILE *out, hp_error *err) HP_USE_RESULT;
/* The tokens of EDU I are START[I] + 1 ... START[I + 1]: [edus + 1], malloc'ed; NULL: out of memory. */
int32_t *hp_rst_count_tokens(const hp_rst_tree *t);

#endif
