/* build.h: makes a tree, node by node in preorder.  Also for lib/extract.
 *
 * Out-of-memory is remembered and told by hp_rst_build_end, so what comes before need not be checked. */
#ifndef HP_RST_BUILD_H
#define HP_RST_BUILD_H
#include "rst/tree.h"

typedef struct hp_rst_build {
	hp_rst_tree *t;
	const char *name; /* of the file, for messages; borrowed */
	int32_t current; /* the node that is open, -1 before the first and after the last */
	bool failed; /* out of memory */
} hp_rst_build;

void hp_rst_build_start(hp_rst_build *b, hp_rst_tree *t, const char *name); /* empties T */
/* Opens a node below the one that is open.  RELATION is copied. */
void hp_rst_build_open(hp_rst_build *b, hp_rst_role role, const char *relation, size_t size, long line);
void hp_rst_build_relation(hp_rst_build *b, const char *relation, size_t size); /* of the open node */
/* Makes the open node a leaf.  TEXT is copied as it is. */
void hp_rst_build_edu(hp_rst_build *b, const char *text, size_t size, bool paragraph, long line);
void hp_rst_build_close(hp_rst_build *b);
/* All nodes are closed.  Nodes with a single child make way for it.  Refused: an inner node without a nucleus. */
int hp_rst_build_end(hp_rst_build *b, hp_error *err) HP_USE_RESULT;

/* OUT gets the id and the sentences of T, which has the same EDUs, and its line. */
int hp_rst_copy_heading(const hp_rst_tree *t, hp_rst_tree *out, hp_error *err) HP_USE_RESULT;
/* Copies the numbers SENT_END [sents]. */
int hp_rst_set_sentences(hp_rst_tree *t, int sents, const int32_t *sent_end, hp_error *err) HP_USE_RESULT;
/* A copy of SIZE bytes in T's memory, or NULL. */
const char *hp_rst_copy(hp_rst_tree *t, const char *s, size_t size);
/* SIZE bytes at S, white space at the ends cut and every run of it elsewhere made one blank, into OUT, which has
 * room for SIZE bytes.  Returns the length. */
size_t hp_rst_squeeze(const char *s, size_t size, char *out);

#endif
