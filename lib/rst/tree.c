/* tree.c: rhetorical structure trees with any number of children a node. */
#include "rst/tree.h"

#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"
#include "rst/build.h"

static size_t pass_white(const hp_rst_edu *edu, size_t at)
{
	int length;

	while ((length = hp_utf8_white(edu->text + at, edu->size - at)) > 0)
		at += (size_t)length;
	return at;
}

/* Where the text begins: a mark of the order of bytes may stand before it. */
static size_t begin_text(const hp_rst_edu *edu)
{
	return edu->size >= 3 && memcmp(edu->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool hp_rst_same_text(const hp_rst_edu *a, const hp_rst_edu *b)
{
	for (size_t i = begin_text(a), k = begin_text(b);; i++, k++) {
		i = pass_white(a, i);
		k = pass_white(b, k);
		if (i == a->size || k == b->size)
			return i == a->size && k == b->size;
		if (a->text[i] != b->text[k])
			return false;
	}
}

void hp_rst_tree_init(hp_rst_tree *t)
{
	memset(t, 0, sizeof(*t));
}

void hp_rst_tree_free(hp_rst_tree *t)
{
	hp_arena_destroy(t->arena);
	free(t->edu);
	free(t->node);
	hp_rst_tree_init(t);
}

int hp_rst_children(const hp_rst_tree *t, int i, int *nuclei)
{
	int children = 0, found = 0;

	for (int c = i + 1; c < i + t->node[i].size; c += t->node[c].size) {
		children++;
		found += t->node[c].role == HP_RST_NUCLEUS;
	}
	if (nuclei)
		*nuclei = found;
	return children;
}

void hp_rst_name_nuclei(hp_rst_tree *t)
{
	for (int i = 0; i < t->nodes; i++) {
		int nuclei, children = hp_rst_children(t, i, &nuclei);

		for (int c = i + 1; nuclei == 1 && children > 1 && c < i + t->node[i].size; c += t->node[c].size)
			if (t->node[c].role == HP_RST_NUCLEUS)
				t->node[c].relation = "span";
	}
}

bool hp_rst_is_binary(const hp_rst_tree *t)
{
	for (int i = 0; i < t->nodes; i++) {
		int nuclei;

		if (t->node[i].size > 1 && (hp_rst_children(t, i, &nuclei) != 2 || nuclei == 0))
			return false;
	}
	return true;
}

int hp_rst_largest(const hp_rst_tree *t)
{
	int largest = 0;

	for (int i = 0; i < t->nodes; i += t->node[i].size) {
		if (t->node[i].last - t->node[i].first > t->node[largest].last - t->node[largest].first)
			largest = i;
	}
	return largest;
}

void hp_rst_held(const hp_rst_tree *t, int32_t *held)
{
	memset(held, 0, (size_t)t->edus * sizeof *held);
	for (int i = 0; i < t->nodes; i++) {
		held[t->node[i].first]++;
		held[t->node[i].last]--;
	}
	for (int e = 1; e < t->edus; e++)
		held[e] += held[e - 1];
}

/* Nodes FROM ... TO - 1 of T, trees side by side, go below the one that is open; the tops of these trees are ROLE and RELATION
 * to it. */
static void copy_trees(hp_rst_build *b, const hp_rst_tree *t, int from, int to, hp_rst_role role, const char *relation)
{
	int shift = from - b->t->nodes, above = b->current;

	for (int k = from; k < to; k++) {
		const hp_rst_node *node = &t->node[k];

		while (b->current > above && !b->failed && t->node[b->current + shift].last < node->first)
			hp_rst_build_close(b);
		const char *name = b->current == above ? relation : node->relation;
		hp_rst_build_open(b, b->current == above ? role : node->role, name, strlen(name), node->line);
		if (node->size == 1) {
			const hp_rst_edu *edu = &t->edu[node->first];

			hp_rst_build_edu(b, edu->text, edu->size, edu->paragraph, edu->line);
		}
	}
	while (b->current > above && !b->failed)
		hp_rst_build_close(b);
}

int hp_rst_subtree(const hp_rst_tree *t, int i, const char *id, hp_rst_tree *out, hp_error *err)
{
	hp_rst_build b;

	hp_rst_build_start(&b, out, "");
	copy_trees(&b, t, i, i + t->node[i].size, HP_RST_ROOT, "");
	if (hp_rst_build_end(&b, err) != 0)
		return HP_FAIL;
	out->line = t->node[i].line;
	if (id && !(out->id = hp_rst_copy(out, id, strlen(id))))
		return hp_fail_memory(err);
	return 0;
}

int hp_rst_join(const hp_rst_tree *t, const char *relation, hp_rst_tree *out, hp_error *err)
{
	hp_rst_build b;

	hp_rst_build_start(&b, out, "");
	hp_rst_build_open(&b, HP_RST_ROOT, "", 0, t->line);
	copy_trees(&b, t, 0, t->nodes, HP_RST_NUCLEUS, relation);
	hp_rst_build_close(&b);
	if (hp_rst_build_end(&b, err) != 0)
		return HP_FAIL;
	for (int e = 0; e < t->edus; e++)
		out->edu[e].apart = t->edu[e].apart;
	return hp_rst_copy_heading(t, out, err);
}
