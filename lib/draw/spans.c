/* spans.c: places spans: arcs' levels from the siblings' order, then columns, anchors from below, heights from above. */
#include "draw/spans.h"

#include "draw/levels.h"
#include "draw/outline.h"

enum { COLUMN = 150, SIDE = 8 /* between lines of neighbours */, PORT = 7, MOST_PORTS = 8 };

typedef struct maker {
	const hp_rst_tree *tree;
	hp_arena *arena;
	hp_span *span;
	/* of the node at work */
	int *child; /* nodes */
	int children;
} maker;

static int max(int a, int b)
{
	return a > b ? a : b;
}

static bool is_nucleus(const maker *m, int k)
{
	return m->tree->node[m->child[k]].role == HP_RST_NUCLEUS;
}

static bool list_children(maker *m, int i)
{
	const hp_rst_tree *t = m->tree;
	int count = hp_rst_children(t, i, NULL);

	m->child = HP_NEW(m->arena, int, count);
	m->children = 0;
	for (int c = i + 1; m->child && c < i + t->node[i].size; c += t->node[c].size)
		m->child[m->children++] = c;
	return m->child;
}

/* Which child each satellite hangs on: the nearest nucleus, of two the one before. */
static void find_nuclei(const maker *m, int *target)
{
	int last = -1;

	for (int k = 0; k < m->children; k++) {
		if (is_nucleus(m, k))
			last = k;
		target[k] = last;
	}
	last = -1;
	for (int k = m->children - 1; k >= 0; k--) {
		if (is_nucleus(m, k))
			last = k;
		if (last >= 0 && (target[k] < 0 || last - k < k - target[k]))
			target[k] = last;
	}
}

/* The arcs of the satellites among the children. */
static bool hang_satellites(maker *m)
{
	int *target = HP_NEW(m->arena, int, m->children), *key = HP_NEW(m->arena, int, m->children);
	int *order = HP_NEW(m->arena, int, m->children), *level = HP_NEW0(m->arena, int, m->children), count = 0;
	hp_interval *gaps = HP_NEW(m->arena, hp_interval, m->children);

	if (hp_arena_failed(m->arena))
		return false;
	find_nuclei(m, target);
	for (int k = 0; k < m->children; k++) {
		int other = target[k];

		gaps[k] = other < k ? (hp_interval){other, k - 1} : (hp_interval){k, other - 1};
		key[k] = other < 0 || other == k ? 0 : gaps[k].last - gaps[k].first + 1;
	}
	if (!hp_draw_sort(key, m->children, m->children, order, m->arena))
		return false;
	while (count < m->children && key[order[count]] == 0)
		count++;
	if (hp_draw_levels(gaps, order + count, m->children - count, m->children, level, m->arena) < 0)
		return false;
	for (int k = 0; k < m->children; k++) {
		hp_span *s = &m->span[m->child[k]], *nucleus;

		if (level[k] == 0)
			continue;
		nucleus = &m->span[m->child[target[k]]];
		s->nucleus = m->child[target[k]];
		s->level = level[k];
		nucleus->most[target[k] < k] = max(nucleus->most[target[k] < k], level[k]);
	}
	return true;
}

static bool find_levels(maker *m)
{
	for (int i = 0; i < m->tree->nodes; i++)
		m->span[i].nucleus = -1;
	for (int i = 0; i < m->tree->nodes; i++) {
		hp_arena_mark mark = hp_arena_save(m->arena);
		int nuclei;

		if (m->tree->node[i].size == 1)
			continue;
		hp_rst_children(m->tree, i, &nuclei);
		m->span[i].group = nuclei > 1;
		if (!list_children(m, i) || !hang_satellites(m))
			return false;
		hp_arena_restore(m->arena, mark);
	}
	return true;
}

/* Ports of arcs that come from farther are nearer to the anchor. */
static int find_port(const maker *m, int i)
{
	const hp_span *s = &m->span[i];
	bool right = s->nucleus < i;
	int most = m->span[s->nucleus].most[right], k = most - s->level + 1;

	if (most > MOST_PORTS)
		k = k * MOST_PORTS / most;
	return (right ? 1 : -1) * PORT * max(k, 1);
}

/* So wide that each relation has room on its arc, and between others. */
static int find_column(const maker *m)
{
	int column = COLUMN;

	for (int i = 0; i < m->tree->nodes; i++) {
		int wide = hp_draw_pixels(hp_outline_relation(&m->tree->node[i]), HP_SPAN_FONT);

		column = max(column, (wide < HP_SPAN_LONG ? wide : HP_SPAN_LONG) + 3 * SIDE);
	}
	return column + PORT * MOST_PORTS / 4;
}

static void find_anchor(const maker *m, const hp_spans *s, int i)
{
	const hp_rst_node *node = &m->tree->node[i];
	int first = -1, last = 0;

	m->span[i].left = HP_SPAN_MARGIN + node->first * s->column + SIDE;
	m->span[i].right = HP_SPAN_MARGIN + (node->last + 1) * s->column - SIDE;
	for (int c = i + 1; c < i + node->size; c += m->tree->node[c].size) {
		if (m->tree->node[c].role != HP_RST_NUCLEUS)
			continue;
		if (first < 0)
			first = m->span[c].x;
		last = m->span[c].x;
	}
	m->span[i].x = first < 0 ? (m->span[i].left + m->span[i].right) / 2 : (first + last) / 2;
}

/* From a node's line to those of its children. */
static int drop(const maker *m, int i)
{
	int levels = 0;

	for (int c = i + 1; c < i + m->tree->node[i].size; c += m->tree->node[c].size)
		levels = max(levels, m->span[c].level);
	return HP_SPAN_NUMBER + (levels ? levels * HP_SPAN_STEP + 26 : 0) + (m->span[i].group ? 40 : 14);
}

bool hp_spans_make(const hp_rst_tree *tree, int top, hp_arena *arena, hp_spans *s)
{
	maker m = {.tree = tree, .arena = arena, .span = HP_NEW0(arena, hp_span, tree->nodes)};

	if (!m.span || !find_levels(&m))
		return false;
	*s = (hp_spans){.column = find_column(&m), .span = m.span};
	s->width = 2 * HP_SPAN_MARGIN + tree->edus * s->column;
	for (int i = tree->nodes - 1; i >= 0; i--)
		find_anchor(&m, s, i);
	for (int i = 0; i < tree->nodes; i++) {
		if (tree->node[i].parent < 0)
			m.span[i].y = top;
		if (m.span[i].nucleus >= 0)
			m.span[i].port = find_port(&m, i);
		if (tree->node[i].size == 1)
			continue;
		int y = m.span[i].y + drop(&m, i);
		for (int c = i + 1; c < i + tree->node[i].size; c += tree->node[c].size)
			m.span[c].y = y;
	}
	return true;
}
