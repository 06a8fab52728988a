/* levels.c: levels by a tree of maxima over the places. */
#include "draw/levels.h"

/* A node of the tree stands for a range of places. */
typedef struct range_node {
	int whole; /* the highest level of an interval that covers all of it */
	int any; /* and of one that covers some of it */
} range_node;

typedef struct range_tree {
	range_node *node; /* 1 is the root, the halves of n are 2n and 2n + 1 */
	hp_interval wanted;
} range_tree;

static int max(int a, int b)
{
	return a > b ? a : b;
}

/* The highest level at a place that is wanted; FIRST to LAST are those of node N. */
static int highest(const range_tree *t, int n, int first, int last)
{
	int middle = first + (last - first) / 2;

	if (t->wanted.last < first || last < t->wanted.first)
		return 0;
	if (t->wanted.first <= first && last <= t->wanted.last)
		return t->node[n].any;
	return max(t->node[n].whole, max(highest(t, 2 * n, first, middle), highest(t, 2 * n + 1, middle + 1, last)));
}

/* Raises the places that are wanted to LEVEL. */
static void raise(range_tree *t, int n, int first, int last, int level)
{
	int middle = first + (last - first) / 2;

	if (t->wanted.last < first || last < t->wanted.first)
		return;
	t->node[n].any = max(t->node[n].any, level);
	if (t->wanted.first <= first && last <= t->wanted.last) {
		t->node[n].whole = max(t->node[n].whole, level);
		return;
	}
	raise(t, 2 * n, first, middle, level);
	raise(t, 2 * n + 1, middle + 1, last, level);
}

int hp_draw_levels(const hp_interval *in, const int *order, int count, int places, int *level, hp_arena *arena)
{
	range_tree t = {.node = HP_NEW0(arena, range_node, (size_t)places * 4 + 4)};
	int most = 0;

	if (!t.node)
		return -1;
	for (int i = 0; i < count; i++) {
		t.wanted = in[order[i]];
		level[order[i]] = highest(&t, 1, 0, places - 1) + 1;
		raise(&t, 1, 0, places - 1, level[order[i]]);
		most = max(most, level[order[i]]);
	}
	return most;
}

bool hp_draw_sort(const int *key, int count, int most, int *order, hp_arena *arena)
{
	int *at = HP_NEW0(arena, int, (size_t)most + 2);

	if (!at)
		return false;
	for (int i = 0; i < count; i++)
		at[key[i] + 1]++;
	for (int k = 0; k <= most; k++)
		at[k + 1] += at[k];
	for (int i = 0; i < count; i++)
		order[at[key[i]]++] = i;
	return true;
}
