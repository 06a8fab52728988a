/* forest.c: puts the trees of a document into the order of its text. */
#include "rst/forest.h"

#include <stdlib.h>
#include <string.h>

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

/* Copies the tree of node I to OUT [at ...]; its first EDU is the FIRST of the text.  Returns how many nodes. */
static int copy_tree(const hp_rst_tree *t, int i, int32_t first, hp_rst_node *out, int at)
{
	int32_t shift = first - t->node[i].first;

	for (int k = 0; k < t->node[i].size; k++) {
		out[at + k] = t->node[i + k];
		out[at + k].first += shift;
		out[at + k].last += shift;
		out[at + k].parent += at - i;
	}
	out[at].parent = -1;
	out[at].role = HP_RST_ROOT;
	out[at].relation = "";
	return t->node[i].size;
}

/* TOP_AT [edus] is the tree that begins with each EDU; the others hold -1. */
static void sort_trees(hp_rst_tree *t, const int32_t *edu_of, const int32_t *top_at, hp_rst_node *node, hp_rst_edu *edu)
{
	int nodes = 0;

	for (int32_t e = 0; e < t->edus; e++) {
		if (top_at[e] >= 0)
			nodes += copy_tree(t, top_at[e], e, node, nodes);
		edu[edu_of[e]] = t->edu[e];
	}
	memcpy(t->node, node, nodes * sizeof(*node));
	memcpy(t->edu, edu, t->edus * sizeof(*edu));
	t->nodes = nodes;
}

/* Finds the trees: the highest nodes without a gap. */
static void find_tops(const hp_rst_tree *t, const int32_t *edu_of, int32_t *top_at)
{
	for (int32_t e = 0; e < t->edus; e++)
		top_at[e] = -1;
	for (int i = 0; i < t->nodes;) {
		bool whole = is_whole(&t->node[i], edu_of);

		if (whole)
			top_at[edu_of[t->node[i].first]] = i;
		i += whole ? t->node[i].size : 1;
	}
}

int hp_rst_forest_settle(hp_rst_tree *t, const int32_t *edu_of, hp_error *err)
{
	int32_t *numbers;
	hp_rst_node *node;
	hp_rst_edu *edu;
	int status = 0;

	if (t->nodes == 0 || t->node[0].size == t->nodes)
		return 0;
	numbers = malloc(t->edus * sizeof(*numbers));
	node = malloc(t->nodes * sizeof(*node));
	edu = malloc(t->edus * sizeof(*edu));
	if (!numbers || !node || !edu) {
		status = hp_fail_memory(err);
	} else {
		end_paragraphs(t, edu_of, numbers);
		find_tops(t, edu_of, numbers);
		sort_trees(t, edu_of, numbers, node, edu);
	}
	free(numbers);
	free(node);
	free(edu);
	return status;
}
