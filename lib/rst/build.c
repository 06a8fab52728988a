/* build.c: makes a tree, node by node in preorder. */
#include "rst/build.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/grow.h"

void hp_rst_build_start(hp_rst_build *b, hp_rst_tree *t, const char *name)
{
	b->t = t;
	b->name = name;
	b->current = -1;
	b->failed = false;
	if (!t->arena)
		t->arena = hp_arena_new();
	if (t->arena)
		hp_arena_reset(t->arena);
	else
		b->failed = true;
	t->id = NULL;
	t->document = false;
	t->nbest = 0;
	t->score = NULL;
	t->unparsed = false;
	t->sents = 0;
	t->sent_end = NULL;
	t->line = 0;
	t->edus = 0;
	t->nodes = 0;
	t->secedges = t->signals = 0;
	t->extras = (hp_rst_extras){0};
	t->gaps = (hp_rst_gaps){0};
}

const char *hp_rst_copy(hp_rst_tree *t, const char *s, size_t size)
{
	char *copy = hp_arena_alloc(t->arena, size + 1, 1);

	if (!copy)
		return NULL;
	if (size > 0)
		memcpy(copy, s, size);
	copy[size] = '\0';
	return copy;
}

int hp_rst_set_sentences(hp_rst_tree *t, int sents, const int32_t *sent_end, hp_error *err)
{
	int32_t *copy = hp_arena_alloc(t->arena, (size_t)sents + 1, sizeof(*copy));

	if (!copy)
		return hp_fail_memory(err);
	if (sents > 0)
		memcpy(copy, sent_end, (size_t)sents * sizeof(*copy));
	t->sents = sents;
	t->sent_end = copy;
	return 0;
}

int hp_rst_copy_heading(const hp_rst_tree *t, hp_rst_tree *out, hp_error *err)
{
	out->line = t->line;
	out->document = t->document;
	if (t->id && !(out->id = hp_rst_copy(out, t->id, strlen(t->id))))
		return hp_fail_memory(err);
	return t->sents > 0 ? hp_rst_set_sentences(out, t->sents, t->sent_end, err) : 0;
}

void hp_rst_build_open(hp_rst_build *b, hp_rst_role role, const char *relation, size_t size, long line)
{
	hp_rst_tree *t = b->t;
	hp_rst_node *node;

	if (b->failed || !hp_grow(&t->node, &t->node_capacity, t->nodes + 1, sizeof(*t->node))) {
		b->failed = true;
		return;
	}
	node = &t->node[t->nodes];
	node->parent = b->current;
	node->size = 1;
	node->first = node->last = t->edus;
	node->role = role;
	node->relation = "";
	node->line = line;
	b->current = t->nodes++;
	if (size > 0)
		hp_rst_build_relation(b, relation, size);
}

void hp_rst_build_relation(hp_rst_build *b, const char *relation, size_t size)
{
	hp_rst_tree *t = b->t;
	const char *copy;

	if (b->failed)
		return;
	copy = hp_rst_copy(t, relation, size);
	if (copy)
		t->node[b->current].relation = copy;
	else
		b->failed = true;
}

void hp_rst_build_edu(hp_rst_build *b, const char *text, size_t size, bool paragraph, long line)
{
	hp_rst_tree *t = b->t;
	hp_rst_edu *edu;

	if (b->failed || !hp_grow(&t->edu, &t->edu_capacity, t->edus + 1, sizeof(*t->edu))) {
		b->failed = true;
		return;
	}
	edu = &t->edu[t->edus++];
	edu->text = hp_rst_copy(t, text, size);
	edu->size = size;
	edu->paragraph = paragraph;
	edu->apart = false;
	edu->line = line;
	b->failed = !edu->text;
}

void hp_rst_build_close(hp_rst_build *b)
{
	hp_rst_tree *t = b->t;
	hp_rst_node *node;

	if (b->failed)
		return;
	node = &t->node[b->current];
	node->size = t->nodes - b->current;
	node->last = t->edus - 1;
	b->current = node->parent;
}

/* Takes out the nodes with a single child, which keeps what its parent was to the rest of the tree: role and
 * relation.  One pass, however deep they nest.  A node's new parent is the newest node still open when it is met. */
static void drop_single(hp_rst_tree *t)
{
	int kept = 0;
	int32_t open = -1; /* in the new numbering */

	for (int i = 0; i < t->nodes; i++) {
		hp_rst_node top = t->node[i];

		while (t->node[i].size > 1 && t->node[i + 1].size == t->node[i].size - 1)
			i++;
		top.size = t->node[i].size;
		/* The open node's EDUs end before this one's begin: it is complete, so is its parent perhaps. */
		while (open >= 0 && t->node[open].last < top.first)
			open = t->node[open].parent;
		top.parent = open;
		t->node[kept] = top;
		open = kept++;
	}
	t->nodes = kept;
	for (int i = 0; i < kept; i++)
		t->node[i].size = 1;
	for (int i = kept - 1; i > 0; i--) {
		if (t->node[i].parent >= 0)
			t->node[t->node[i].parent].size += t->node[i].size;
	}
}

int hp_rst_build_end(hp_rst_build *b, hp_error *err)
{
	hp_rst_tree *t = b->t;

	if (b->failed)
		return hp_fail_memory(err);
	drop_single(t);
	for (int i = 0; i < t->nodes; i++) {
		int nuclei;

		if (t->node[i].size > 1 && (hp_rst_children(t, i, &nuclei), nuclei == 0))
			return hp_fail_at(err, b->name, t->node[i].line, "the node of EDUs %d to %d has no nucleus",
			                  t->node[i].first + 1, t->node[i].last + 1);
	}
	return 0;
}

size_t hp_rst_squeeze(const char *s, size_t size, char *out)
{
	size_t length = 0;

	for (size_t i = 0; i < size; i++) {
		if (!hp_is_white(s[i]))
			out[length++] = s[i];
		else if (length > 0 && out[length - 1] != ' ')
			out[length++] = ' ';
	}
	return length > 0 && out[length - 1] == ' ' ? length - 1 : length;
}
