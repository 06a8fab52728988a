/* brackets.c: levels of brackets, and what meets where. */
#include "draw/brackets.h"

#include "draw/levels.h"
#include "draw/terminal.h"

enum { UNKNOWN = -1, ON_PATH = -2 };

/* Steps up to the root, or to a cycle, whose nodes have depth 0. */
static void measure_depths(const hp_graph *g, int *depth, int *path)
{
	for (int i = 0; i < g->nodes; i++)
		depth[i] = UNKNOWN;
	for (int i = 0; i < g->nodes; i++) {
		int length = 0, n = i, d;

		for (; n >= 0 && depth[n] == UNKNOWN; n = g->node[n].head) {
			path[length++] = n;
			depth[n] = ON_PATH;
		}
		d = n >= 0 && depth[n] >= 0 ? depth[n] + 1 : 0;
		while (length > 0)
			depth[path[--length]] = d++;
	}
}

/* Dependants' brackets come first, so that they are nearer to the words. */
static bool order_heads(const hp_graph *g, int *order, hp_arena *arena)
{
	int *key = HP_NEW(arena, int, g->nodes), *path = HP_NEW(arena, int, g->nodes);

	if (!key || !path)
		return false;
	measure_depths(g, key, path);
	for (int i = 0; i < g->nodes; i++)
		key[i] = g->nodes - 1 - key[i];
	return hp_draw_sort(key, g->nodes, g->nodes, order, arena);
}

static bool find_levels(const hp_graph *g, hp_interval *in, hp_brackets *b, hp_arena *arena)
{
	int *order = HP_NEW(arena, int, g->nodes), count = 0;

	if (!order || !order_heads(g, order, arena))
		return false;
	for (int i = 0; i < g->nodes; i++)
		in[i] = (hp_interval){i, i};
	for (int i = 0; i < g->nodes; i++) {
		int h = g->node[i].head;

		if (h < 0)
			continue;
		in[h].first = i < in[h].first ? i : in[h].first;
		in[h].last = i > in[h].last ? i : in[h].last;
	}
	for (int i = 0; i < g->nodes; i++)
		if (in[order[i]].first < in[order[i]].last)
			order[count++] = order[i];
	b->levels = hp_draw_levels(in, order, count, g->nodes, b->own, arena);
	return b->levels >= 0;
}

bool hp_brackets_make(const hp_graph *g, int most, hp_arena *arena, hp_brackets *b)
{
	hp_interval *in = HP_NEW(arena, hp_interval, g->nodes);

	*b = (hp_brackets){.nodes = g->nodes, .own = HP_NEW0(arena, int, g->nodes), .above = HP_NEW0(arena, int, g->nodes)};
	if (hp_arena_failed(arena) || !find_levels(g, in, b, arena))
		return false;
	b->levels = b->levels < most ? b->levels : most;
	b->passes = hp_arena_zalloc(arena, (size_t)b->levels * g->nodes + 1, 1);
	if (!b->passes)
		return false;
	for (int i = 0; i < g->nodes; i++) {
		if (b->own[i] > b->levels)
			b->own[i] = 0;
		for (int k = in[i].first; b->own[i] && k < in[i].last; k++)
			b->passes[(size_t)(b->own[i] - 1) * g->nodes + k] = 1;
	}
	for (int i = 0; i < g->nodes; i++)
		b->above[i] = g->node[i].head >= 0 ? b->own[g->node[i].head] : 0;
	return true;
}

int hp_brackets_at(const hp_brackets *b, int n, int level)
{
	const unsigned char *passes = b->passes + (size_t)(level - 1) * b->nodes;
	int top = b->own[n] > b->above[n] ? b->own[n] : b->above[n], lines = 0;
	bool joined = level == b->own[n] || level == b->above[n];

	if (n > 0 && passes[n - 1])
		lines |= HP_LEFT;
	if (passes[n])
		lines |= HP_RIGHT;
	if (!joined && lines) /* another's bracket goes by */
		return lines;
	return lines | (top > level ? HP_UP : 0) | (top >= level ? HP_DOWN : 0);
}
