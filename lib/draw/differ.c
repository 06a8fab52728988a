/* differ.c: nodes of the same EDUs, side by side. */
#include "draw/differ.h"

#include <stdio.h>
#include <string.h>
#include "rst/binarize.h"

/* ---- the same EDUs ---- */

static int check_edus(hp_rst_source a, hp_rst_source b, hp_error *err)
{
	const hp_rst_tree *s = a.tree, *t = b.tree;

	for (int i = 0; i < s->edus && i < t->edus; i++)
		if (!hp_rst_same_text(&s->edu[i], &t->edu[i]))
			return hp_fail_at(err, b.name, t->edu[i].line, "EDU %d is not that of %s:%ld", i + 1, a.name,
			                  s->edu[i].line);
	return s->edus == t->edus ? 0
	                          : hp_fail_at(err, b.name, t->line, "a tree of %d EDUs, expected the %d of %s:%ld",
	                                       t->edus, s->edus, a.name, s->line);
}

/* ---- nodes ---- */

/* What NODE is, said to somebody who thinks that its role is ROLE. */
static const char *describe(const hp_rst_node *node, hp_rst_role role, hp_arena *arena)
{
	static const char *const roles[] = {"root", "nucleus", "satellite"};
	size_t size = strlen(node->relation) + 16;
	bool plain = node->role == HP_RST_ROOT || (node->role == HP_RST_NUCLEUS && strcmp(node->relation, "span") == 0);
	char *text = HP_NEW(arena, char, size);

	if (!text)
		return NULL;
	if (node->role == role)
		snprintf(text, size, "%s", node->relation);
	else
		snprintf(text, size, "%s%s%s", roles[node->role], plain ? "" : ":", plain ? "" : node->relation);
	return text;
}

/* Nodes that begin with one EDU stand one behind the other in preorder, and end ever earlier: so NEXT, of the second tree's
 * nodes that begin with each EDU the first that may be the one, only moves on. */
static int find_node(const hp_rst_tree *t, const hp_rst_node *like, int *next)
{
	int *i = &next[like->first];

	while (*i < t->nodes && t->node[*i].first == like->first && t->node[*i].last > like->last)
		++*i;
	return *i < t->nodes && t->node[*i].first == like->first && t->node[*i].last == like->last ? *i : -1;
}

static bool differ(const hp_rst_tree *s, const hp_rst_tree *t, hp_arena *arena, hp_rst_difference *out)
{
	int *next = HP_NEW(arena, int, t->edus);

	for (int i = t->nodes - 1; next && i >= 0; i--)
		next[t->node[i].first] = i;
	for (int i = 0; next && i < s->nodes; i++) {
		const hp_rst_node *node = &s->node[i];
		int found = find_node(t, node, next);

		out[i] = (hp_rst_difference){.other = ""};
		out[i].wrong =
			found < 0 || t->node[found].role != node->role || strcmp(t->node[found].relation, node->relation) != 0;
		if (out[i].wrong && found >= 0)
			out[i].other = describe(&t->node[found], node->role, arena);
	}
	return !hp_arena_failed(arena);
}

int hp_rst_differ(hp_rst_source a, hp_rst_source b, hp_arena *arena, hp_rst_difference **out, hp_error *err)
{
	hp_rst_tree made;
	int status = check_edus(a, b, err);

	hp_rst_tree_init(&made);
	*out = HP_NEW(arena, hp_rst_difference, a.tree->nodes);
	if (status == 0 && hp_rst_is_binary(a.tree) && !hp_rst_is_binary(b.tree)) {
		status = hp_rst_binarize(b.tree, &made, err);
		b.tree = &made;
	}
	if (status == 0 && (!*out || !differ(a.tree, b.tree, arena, *out)))
		status = hp_fail_memory(err);
	hp_rst_tree_free(&made);
	return status;
}
