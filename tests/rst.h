/* rst.h: trees in a notation that can be written by hand, shared by the tests of lib/rst.
 *
 * A leaf is ROLE:RELATION:EDU, an inner node ROLE:RELATION(child child ...); the root is R, without a relation. */
#ifndef HP_TEST_RST_H
#define HP_TEST_RST_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rst/dis.h"

/* Whether a node's parent, size and span are what its children say. */
static inline int node_is_sound(const hp_rst_tree *t, int i)
{
	int first = -1, last = -1, c;

	if (t->node[i].size == 1)
		return t->node[i].first == t->node[i].last;
	for (c = i + 1; c < i + t->node[i].size; c += t->node[c].size) {
		if (t->node[c].parent != i || t->node[c].size < 1)
			return 0;
		if (first < 0)
			first = t->node[c].first;
		else if (t->node[c].first != last + 1)
			return 0;
		last = t->node[c].last;
	}
	return c == i + t->node[i].size && t->node[i].first == first && t->node[i].last == last;
}

/* malloc'ed; "unsound" where the numbers in the nodes contradict each other. */
static inline char *drawn(const hp_rst_tree *t)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int sound = t->nodes > 0 && t->node[0].parent == -1;

	for (int i = 0; i < t->nodes; i++) {
		const hp_rst_node *node = &t->node[i];

		sound = sound && node_is_sound(t, i);
		if (i > 0 && node->parent != i - 1)
			fputc(' ', out);
		fprintf(out, "%c", "RNS"[node->role]);
		if (i > 0)
			fprintf(out, ":%s", node->relation);
		if (node->size > 1)
			fputc('(', out);
		else
			fprintf(out, "%s%d", i > 0 ? ":" : "", node->first + 1);
		for (int up = node->size == 1 ? node->parent : -1; up >= 0 && t->node[up].last == node->last;
		     up = t->node[up].parent)
			fputc(')', out);
	}
	fclose(out);
	if (sound)
		return text;
	free(text);
	return strdup("unsound");
}

#define LEAF(role, n, relation, text) "( " role " (leaf " #n ") (rel2par " relation ") (text _!" text "_!) )"

#endif
