/* graph.h: a sentence as it is drawn: its words, the arcs between them, and how they differ from a second tree. */
#ifndef HP_DRAW_GRAPH_H
#define HP_DRAW_GRAPH_H
#include <stdbool.h>
#include "base/arena.h"
#include "draw/width.h"
#include "text/conllu.h"

/* Heads that are no places. */
enum { HP_HEAD_ROOT = -1, HP_HEAD_NONE = -2 };

/* A word or an empty node.  Its place is its index in the graph, from 0. */
typedef struct hp_graph_node {
	hp_slice id, form, lemma, upos, feats;
	int head; /* a place; HP_HEAD_ROOT; HP_HEAD_NONE: no tree, an empty node, its own head */
	hp_slice relation;
	bool empty; /* an empty node */
	bool wrong; /* head or relation differ from these two: */
	int gold_head;
	hp_slice gold_relation;
} hp_graph_node;

/* An arc of the enhanced graph that is none of the tree. */
typedef struct hp_graph_arc {
	int head, node; /* head: a place or HP_HEAD_ROOT */
	hp_slice relation;
} hp_graph_arc;

typedef struct hp_graph_range { /* a multiword token */
	int first, last; /* places */
	hp_slice form;
} hp_graph_range;

/* Texts belong to the sentences, arrays to the arena. */
typedef struct hp_graph {
	hp_slice text; /* of the comment; size 0: none */
	int nodes;
	hp_graph_node *node;
	int enhanced;
	hp_graph_arc *arc; /* [enhanced], in the order of their nodes */
	int ranges;
	hp_graph_range *range; /* in the order of the words, never within one another */
	bool right_to_left; /* its script */
} hp_graph;

typedef struct hp_graph_source {
	const hp_sentence *s;
	const char *name; /* of its file, for messages */
} hp_graph_source;

/* ENHANCED: with empty nodes and the arcs of DEPS.  GOLD (NULL: none) has the same words.  HEAD may be "_", there may be
 * several roots, and cycles: this is for looking at.  Refused: a HEAD that is no number or no word's, other words in GOLD. */
int hp_graph_make(const hp_graph_source *source, const hp_graph_source *gold, bool enhanced, hp_arena *arena,
                  hp_graph *g, hp_error *err) HP_USE_RESULT;
/* Whether most letters of TEXT are of a script that is written from right to left. */
bool hp_draw_is_right_to_left(hp_slice text);

#endif
