/* forest.c: puts the trees of a document into the order of its text. */
#include "rst/forest.h"

#include <stdlib.h>
#include <string.h>
#include "base/grow.h"

/* Marks where the text goes over from one tree to another.  TREE_OF [edus] is scratch. */
static void end_paragraphs(hp_rst_tree *t, const int32_t *edu_of, int32_t *tree_of)
{
	for (int i = 0; i < t->nodes; i += t->node[i].size) {
		for (int32_t k = t->node[i].first; k <= t->node[i].last; k++)
			tree_of[edu_of[k]] = i;
	}
	for (int32_t k = 0; k < t->edus; k++) {
		int32_t e = edu_of[k];

		if (e + 1 < t->edus && tree_of[e] != tree_of[e + 1])
			t->edu[k].apart = true;
	}
}

static bool is_whole(const hp_rst_node *node, const int32_t *edu_of)
{
	return edu_of[node->last] - edu_of[node->first] == node->last - node->first;
}

/* A tree of the result: nodes FROM ... TO - 1, which are one tree, or several children of a node with a gap that get such a
 * node again. */
typedef struct piece {
	int32_t from, to; /* to 0: none begins here */
} piece;

static bool is_node(const hp_rst_tree *t, piece p)
{
	return t->node[p.from].size == p.to - p.from;
}

/* Copies nodes FROM ... TO - 1 to OUT [AT ...], LEAD EDUs further on. */
static void copy_nodes(const hp_rst_tree *t, piece p, int32_t lead, hp_rst_node *out, int at)
{
	for (int k = p.from; k < p.to; k++) {
		hp_rst_node *node = &out[at + k - p.from];

		*node = t->node[k];
		node->first += lead;
		node->last += lead;
		node->parent += at - p.from;
	}
}

/* The node that the children P get: what their parent was, but the top of a tree. */
static void make_top(const hp_rst_tree *t, piece p, hp_rst_node *out, int at)
{
	const hp_rst_node *above = &t->node[t->node[p.from].parent];
	int nuclei = 0, satellites = 0;

	for (int k = at + 1; k <= at + p.to - p.from; k += out[k].size) {
		out[k].parent = at;
		nuclei += out[k].role == HP_RST_NUCLEUS;
		satellites += out[k].role == HP_RST_SATELLITE;
	}
	for (int k = at + 1; nuclei == 1 && satellites > 0 && k <= at + p.to - p.from; k += out[k].size) {
		if (out[k].role == HP_RST_NUCLEUS)
			out[k].relation = "span";
	}
	out[at] = *above;
	out[at].size = p.to - p.from + 1;
	out[at].first = out[at + 1].first;
	out[at].last = out[at + p.to - p.from].last;
}

/* Copies P to OUT [AT ...]; its first EDU is the FIRST of the text.  Returns how many nodes. */
static int copy_piece(const hp_rst_tree *t, piece p, int32_t first, hp_rst_node *out, int at)
{
	int added = is_node(t, p) ? 0 : 1;

	copy_nodes(t, p, first - t->node[p.from].first, out, at + added);
	if (added > 0)
		make_top(t, p, out, at);
	out[at].parent = -1;
	out[at].role = HP_RST_ROOT;
	out[at].relation = "";
	return p.to - p.from + added;
}

/* NODE has place for the nodes of the result. */
static void sort_trees(hp_rst_tree *t, const int32_t *edu_of, const piece *piece_at, hp_rst_node *node, hp_rst_edu *edu)
{
	int nodes = 0;

	for (int32_t e = 0; e < t->edus; e++) {
		if (piece_at[e].to > 0)
			nodes += copy_piece(t, piece_at[e], e, node, nodes);
		edu[edu_of[e]] = t->edu[e];
	}
	memcpy(t->node, node, nodes * sizeof(*node));
	memcpy(t->edu, edu, t->edus * sizeof(*edu));
	t->nodes = nodes;
}

/* ---- what has gaps ---- */

/* The children of a node from C on, before END, that stand side by side without gaps; none if C has one itself. */
static piece find_run(const hp_rst_tree *t, const int32_t *edu_of, int32_t c, int32_t end)
{
	piece run = {c, c};

	while (run.to < end && is_whole(&t->node[run.to], edu_of) &&
	       (run.to == c || edu_of[t->node[run.to].first] == edu_of[t->node[run.to].first - 1] + 1))
		run.to += t->node[run.to].size;
	return run;
}

static bool has_nucleus(const hp_rst_tree *t, piece run)
{
	for (int32_t c = run.from; c < run.to; c += t->node[c].size) {
		if (t->node[c].role == HP_RST_NUCLEUS)
			return true;
	}
	return false;
}

/* The pieces that the children without gaps of node I make. */
static void take_apart(const hp_rst_tree *t, const int32_t *edu_of, int32_t i, piece *piece_at)
{
	int32_t end = i + t->node[i].size;

	for (int32_t c = i + 1; c < end;) {
		piece run = find_run(t, edu_of, c, end);

		if (run.to == c) { /* its children are pieces of their own */
			c += t->node[c].size;
		} else if (has_nucleus(t, run)) {
			piece_at[edu_of[t->node[c].first]] = run;
			c = run.to;
		} else {
			for (; c < run.to; c += t->node[c].size)
				piece_at[edu_of[t->node[c].first]] = (piece){c, c + t->node[c].size};
		}
	}
}

static void count_gap(hp_rst_tree *t, int32_t first, int32_t last)
{
	hp_rst_gaps *g = &t->gaps;

	if (g->nodes++ == 0 || last - first < g->last - g->first) {
		g->first = first;
		g->last = last;
	}
}

static void find_pieces(hp_rst_tree *t, const int32_t *edu_of, piece *piece_at)
{
	for (int32_t i = 0; i < t->nodes;) {
		const hp_rst_node *node = &t->node[i];

		if (!is_whole(node, edu_of)) {
			count_gap(t, edu_of[node->first], edu_of[node->last]);
			take_apart(t, edu_of, i++, piece_at);
			continue;
		}
		if (node->parent < 0)
			piece_at[edu_of[node->first]] = (piece){i, i + node->size};
		i += node->size;
	}
}

int hp_rst_forest_settle(hp_rst_tree *t, const int32_t *edu_of, hp_error *err)
{
	size_t most = 2 * (size_t)t->edus; /* nodes: every inner one has several children */
	int32_t *tree_of;
	piece *piece_at;
	hp_rst_node *node;
	hp_rst_edu *edu;
	int status = 0;

	if (t->nodes == 0 || t->node[0].size == t->nodes)
		return 0;
	tree_of = calloc(t->edus, sizeof(*tree_of));
	piece_at = calloc(t->edus, sizeof(*piece_at));
	node = calloc(most, sizeof(*node));
	edu = malloc(t->edus * sizeof(*edu));
	if (!tree_of || !piece_at || !node || !edu || !hp_grow(&t->node, &t->node_capacity, most, sizeof(*t->node))) {
		status = hp_fail_memory(err);
	} else {
		end_paragraphs(t, edu_of, tree_of);
		find_pieces(t, edu_of, piece_at);
		sort_trees(t, edu_of, piece_at, node, edu);
	}
	free(tree_of);
	free(piece_at);
	free(node);
	free(edu);
	return status;
}
