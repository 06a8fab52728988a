/* rs3_graph.h: which node of an .rs3 file hangs below which, and as what.  Private to lib/rst. */
#ifndef HP_RS3_GRAPH_H
#define HP_RS3_GRAPH_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "rst/rs3_file.h"
#include "rst/tree.h"

typedef struct hp_rs3_graph {
	const hp_rs3_file *f; /* borrowed */
	const char *name;
	hp_error *err;
	int n, edus;
	int32_t *parent; /* [n] node or -1 */
	int32_t *root; /* [n] the root that it hangs below, or is */
	int32_t *edu; /* [n] number of a segment with text, from 0 in the order of the file; -1 for all else */
	int32_t *kids,
		*kids_at; /* the children of i are kids[kids_at[i]] ... kids[kids_at[i + 1] - 1], by their first EDUs */
	int32_t *content, *first; /* [n] first EDU of the node's own content; of it with its satellites; -1: nothing */
	int32_t *by_first; /* [n] the nodes by their first EDUs, those without any at the end */
	bool *nucleus; /* [n] of its parent */
	int32_t *order; /* [n] parents before children */
} hp_rs3_graph;

/* The graph of F, whose file is NAME; both must outlive it.  G is to be freed even after a failure. */
int hp_rs3_graph_make(const hp_rs3_file *f, const char *name, hp_rs3_graph *g, hp_error *err) HP_USE_RESULT;
void hp_rs3_graph_free(hp_rs3_graph *g);
/* Gives T, which was made of G, what the file says besides: all that is about nodes that T has. */
int hp_rs3_place_extras(const hp_rs3_graph *g, hp_rst_tree *t) HP_USE_RESULT;
const char *hp_rs3_graph_id(const hp_rs3_graph *g, int32_t i); /* what the file calls node I */

#endif
