/* dep_text.c: a dependency tree as text: its words across the terminal below brackets, or down it behind them. */
#include <stdlib.h>
#include <string.h>
#include "draw/brackets.h"
#include "draw/draw.h"
#include "draw/terminal.h"

enum {
	MOST_ACROSS = 40, /* levels of brackets */
	MOST_DOWN = 100,
	GAP = 2, /* columns between words */
	ENOUGH_LEVELS = 6, /* for which words and labels give way */
	FEW_LEVELS = 2,
	SHORT = 8, /* columns of words and labels that give way to brackets, */
	SHORTER = 4, /* of those that brackets give way to */
	SHORTEST = 2,
	LONGEST = 40, /* columns of a form */
	LONG = 24 /* and of what stands with it */
};

/* What stands with a word, a row each where words go across. */
enum { FORM, ID, UPOS, RELATION, GOLD, ROWS };

typedef struct drawing {
	const hp_graph *g;
	hp_terminal *t;
	hp_arena *arena;
	hp_brackets b;
	hp_slice *row[ROWS]; /* [nodes] */
	hp_slice *extra; /* [nodes] arcs of the enhanced graph */
	bool has[ROWS], has_extra;
	int *left, *width; /* [nodes] of words that go across */
} drawing;

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/* ---- what stands with a word ---- */

static hp_slice head_name(const hp_graph *g, int head)
{
	return head >= 0 ? g->node[head].id : head == HP_HEAD_ROOT ? (hp_slice){"0", 1} : (hp_slice){"_", 1};
}

/* BEFORE, a head's number, ":", a relation, appended to TEXT, which has room. */
static void append(hp_slice *text, const char *before, hp_slice head, hp_slice relation)
{
	char *p = (char *)text->s + text->size;

	p = stpcpy(p, before);
	p = mempcpy(p, head.s, head.size);
	*p++ = ':';
	p = mempcpy(p, relation.s, relation.size);
	text->size = p - text->s;
}

static hp_slice room(hp_arena *arena, size_t size)
{
	return (hp_slice){HP_NEW(arena, char, size + 1), 0};
}

static void describe_gold(drawing *d, int n)
{
	const hp_graph_node *node = &d->g->node[n];
	hp_slice head = head_name(d->g, node->gold_head);

	d->row[GOLD][n] = room(d->arena, head.size + node->gold_relation.size + 8);
	if (d->row[GOLD][n].s)
		append(&d->row[GOLD][n], d->t->ascii ? "!=" : "≠", head, node->gold_relation);
	d->has[GOLD] = true;
}

static void describe_enhanced(drawing *d)
{
	const hp_graph *g = d->g;

	for (int from = 0, to; from < g->enhanced; from = to) {
		int n = g->arc[from].node;
		size_t size = 0;

		for (to = from; to < g->enhanced && g->arc[to].node == n; to++)
			size += head_name(g, g->arc[to].head).size + g->arc[to].relation.size + 8;
		d->extra[n] = room(d->arena, size);
		for (int k = from; d->extra[n].s && k < to; k++)
			append(&d->extra[n], k > from ? " +" : "+", head_name(g, g->arc[k].head), g->arc[k].relation);
		d->has_extra = true;
	}
}

static bool describe(drawing *d)
{
	const hp_graph *g = d->g;

	for (int r = 0; r < ROWS; r++)
		d->row[r] = HP_NEW0(d->arena, hp_slice, g->nodes);
	d->extra = HP_NEW0(d->arena, hp_slice, g->nodes);
	d->left = HP_NEW0(d->arena, int, (size_t)g->nodes + 1);
	d->width = HP_NEW0(d->arena, int, g->nodes);
	if (hp_arena_failed(d->arena))
		return false;
	for (int n = 0; n < g->nodes; n++) {
		const hp_graph_node *node = &g->node[n];

		d->row[FORM][n] = node->form;
		d->row[ID][n] = node->id;
		d->row[UPOS][n] = node->upos;
		d->row[RELATION][n] = node->relation;
		for (int r = UPOS; r <= RELATION; r++) {
			if (d->row[r][n].size == 1 && d->row[r][n].s[0] == '_')
				d->row[r][n].size = 0;
			d->has[r] |= d->row[r][n].size > 0;
		}
		if (node->wrong)
			describe_gold(d, n);
	}
	d->has[FORM] = true;
	d->has[ID] = d->has[GOLD]; /* which refers to words by their numbers */
	describe_enhanced(d);
	return !hp_arena_failed(d->arena);
}

static int columns(hp_slice text, int most)
{
	return min(hp_draw_columns(text), most);
}

static hp_colour colour_of(const drawing *d, int r, int n)
{
	const hp_graph_node *node = &d->g->node[n];

	switch (r) {
	case FORM:
		return node->empty ? HP_FAINT : node->head == HP_HEAD_ROOT ? HP_BOLD : HP_PLAIN;
	case ID:
	case UPOS:
		return HP_FAINT;
	case RELATION:
		return node->wrong ? HP_RED : HP_CYAN;
	default:
		return HP_GREEN;
	}
}

/* ---- across ---- */

/* Places of the columns; false if they are wider than the terminal. */
static bool place_across(drawing *d)
{
	const hp_graph *g = d->g;
	int64_t left = 1;

	for (int n = 0; n < g->nodes; n++) {
		d->width[n] = 1;
		for (int r = 0; r < ROWS; r++)
			d->width[n] = max(d->width[n], columns(d->row[r][n], r == FORM ? LONGEST : LONG));
	}
	for (int k = 0; k < g->ranges; k++) { /* a multiword token has room above its words */
		const hp_graph_range *range = &g->range[k];
		int sum = -GAP;

		for (int n = range->first; n <= range->last; n++)
			sum = min(sum + d->width[n] + GAP, LONGEST);
		d->width[range->last] += max(0, columns(range->form, LONGEST) + 2 - sum);
	}
	for (int n = 0; n < g->nodes; n++) {
		d->left[n] = (int)left;
		left += d->width[n] + GAP;
		if (left - GAP > d->t->width)
			return false;
	}
	return true;
}

static int middle(const drawing *d, int n)
{
	return d->left[n] + (d->width[n] - 1) / 2;
}

static int draw_levels_across(const drawing *d, hp_error *err)
{
	for (int level = d->b.levels; level >= 1; level--) {
		for (int n = 0; n < d->g->nodes; n++) {
			int lines = hp_brackets_at(&d->b, n, level);

			hp_terminal_to(d->t, middle(d, n));
			hp_terminal_lines(d->t, lines, 1);
			if (lines & HP_RIGHT)
				hp_terminal_lines(d->t, HP_LEFT | HP_RIGHT, middle(d, n + 1) - d->t->column);
		}
		if (hp_terminal_end_line(d->t, err) != 0)
			return HP_FAIL;
	}
	for (int n = 0; n < d->g->nodes && d->b.levels > 0; n++) {
		hp_terminal_to(d->t, middle(d, n));
		if (d->g->node[n].head >= 0)
			hp_terminal_sign(d->t, "▼", "v", d->g->node[n].wrong ? HP_RED : HP_PLAIN);
		else if (d->b.own[n])
			hp_terminal_lines(d->t, HP_UP | HP_DOWN, 1);
	}
	return d->b.levels ? hp_terminal_end_line(d->t, err) : 0;
}

/* Texts stand in the middle of their columns, but their own middle is to be below the line. */
static int draw_row_across(const drawing *d, int r, hp_error *err)
{
	for (int n = 0; n < d->g->nodes; n++) {
		int wide = columns(d->row[r][n], r == FORM ? LONGEST : LONG);

		hp_terminal_to(d->t, middle(d, n) - (wide - 1) / 2);
		hp_terminal_text(d->t, d->row[r][n], wide, colour_of(d, r, n));
	}
	return hp_terminal_end_line(d->t, err);
}

/* Multiword tokens below their words: └─du──┘ */
static int draw_ranges_across(const drawing *d, hp_error *err)
{
	for (int k = 0; k < d->g->ranges; k++) {
		const hp_graph_range *range = &d->g->range[k];
		int from = d->left[range->first], to = d->left[range->last] + d->width[range->last] - 1;
		int wide = min(columns(range->form, LONGEST), to - from - 1);

		hp_terminal_to(d->t, from);
		hp_terminal_lines(d->t, HP_UP | HP_RIGHT, 1);
		hp_terminal_lines(d->t, HP_LEFT | HP_RIGHT, (from + to - wide + 1) / 2 - d->t->column);
		hp_terminal_text(d->t, range->form, wide, HP_BOLD);
		hp_terminal_lines(d->t, HP_LEFT | HP_RIGHT, to - d->t->column);
		hp_terminal_lines(d->t, HP_UP | HP_LEFT, 1);
	}
	return hp_terminal_end_line(d->t, err);
}

static int draw_across(const drawing *d, hp_error *err)
{
	if (draw_levels_across(d, err) != 0)
		return HP_FAIL;
	for (int r = 0; r < ROWS; r++) {
		if (d->has[r] && draw_row_across(d, r, err) != 0)
			return HP_FAIL;
		if (r == FORM && d->g->ranges > 0 && draw_ranges_across(d, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* ---- down ---- */

/* Columns of the brackets and of the table beside them; 0: left out. */
typedef struct table {
	int levels;
	int id, row[ROWS], range /* a token's form */, extra;
	int needed; /* levels that all brackets would take: with fewer some heads are told by their numbers */
	int gap; /* between two columns */
} table;

static table measure(const drawing *d)
{
	table w = {.levels = min(d->b.levels, MOST_DOWN), .needed = d->b.levels, .gap = GAP};

	for (int n = 0; n < d->g->nodes; n++) {
		w.id = max(w.id, columns(d->g->node[n].id, LONG));
		w.extra = max(w.extra, hp_draw_columns(d->extra[n]));
		for (int r = 0; r < ROWS; r++)
			if (r != ID)
				w.row[r] = max(w.row[r], columns(d->row[r][n], r == FORM ? LONGEST : LONG));
	}
	for (int k = 0; k < d->g->ranges; k++)
		w.range = max(w.range, columns(d->g->range[k].form, LONG));
	return w;
}

static int columns_of_brackets(const table *w)
{
	return w->levels == 0 && w->gap < GAP ? 0 : 2 * w->levels + 3;
}

static int64_t columns_of_table(const table *w)
{
	int64_t sum = columns_of_brackets(w) + w->id + 1;

	if (w->levels < w->needed)
		sum += w->id + 2;
	for (int r = 0; r < ROWS; r++)
		sum += w->row[r] ? w->row[r] + w->gap : 0;
	return sum + (w->range ? w->range + 3 : 0) + (w->extra ? w->extra + w->gap : 0);
}

/* Takes a column from the widest text that has more than LEAST; false if none has. */
static bool shorten(table *w, int least)
{
	int *widest = &w->extra;

	for (int r = 0; r < ROWS; r++)
		widest = w->row[r] > *widest ? &w->row[r] : widest;
	if (w->range > *widest)
		widest = &w->range;
	if (*widest <= least)
		return false;
	--*widest;
	return true;
}

static bool take_level(table *w, int least)
{
	if (w->levels <= least)
		return false;
	w->levels--;
	return true;
}

static bool leave_out(int *column)
{
	bool had = *column > 0;

	*column = 0;
	return had;
}

/* Makes room in the order of what is missed least; false if there is nothing left to take. */
static bool make_room(table *w)
{
	if (take_level(w, ENOUGH_LEVELS) || shorten(w, SHORT))
		return true;
	if (w->gap > 1) {
		w->gap = 1;
		return true;
	}
	return leave_out(&w->row[UPOS]) || take_level(w, FEW_LEVELS) || shorten(w, SHORTER) || take_level(w, 0) ||
	       shorten(w, SHORTEST) || leave_out(&w->extra) || leave_out(&w->range) || leave_out(&w->row[GOLD]);
}

/* The lines of a cell, turned so that the words, which were below, are on the right. */
static int turned(int lines)
{
	return (lines & HP_UP ? HP_LEFT : 0) | (lines & HP_DOWN ? HP_RIGHT : 0) | (lines & HP_LEFT ? HP_UP : 0) |
	       (lines & HP_RIGHT ? HP_DOWN : 0);
}

static void draw_levels_down(const drawing *d, int n)
{
	const hp_graph_node *node = &d->g->node[n];
	int top = max(d->b.own[n], d->b.above[n]);

	for (int level = d->b.levels; level >= 1; level--) {
		hp_terminal_lines(d->t, turned(hp_brackets_at(&d->b, n, level)), 1);
		hp_terminal_lines(d->t, top >= level ? HP_LEFT | HP_RIGHT : 0, 1);
	}
	if (d->b.above[n])
		hp_terminal_sign(d->t, "►", ">", node->wrong ? HP_RED : HP_PLAIN);
	else
		hp_terminal_lines(d->t, top ? HP_LEFT | HP_RIGHT : 0, 1);
}

static void draw_range_down(const drawing *d, const table *w, int n, const hp_graph_range *range)
{
	int first = n == range->first, last = n == range->last;

	hp_terminal_lines(d->t, HP_LEFT | (first ? 0 : HP_UP) | (last ? 0 : HP_DOWN), 1);
	hp_terminal_blanks(d->t, 1);
	if (first)
		hp_terminal_text(d->t, range->form, w->range, HP_BOLD);
}

/* One row of the table; forms of scripts that are written from right to left stand last, where a terminal that turns them
 * around moves nothing else. */
static void draw_table_row(const drawing *d, const table *w, int n, const hp_graph_range *range)
{
	int order[] = {FORM, UPOS, RELATION, GOLD}, at = columns_of_brackets(w);
	const hp_graph_node *node = &d->g->node[n];

	if (d->g->right_to_left)
		memcpy(order, (int[]){UPOS, RELATION, GOLD, FORM}, sizeof order);
	hp_terminal_to(d->t, at + w->id - columns(node->id, LONG));
	hp_terminal_text(d->t, node->id, LONG, HP_FAINT);
	at += w->id + 1;
	if (w->levels < w->needed) {
		hp_terminal_to(d->t, at);
		if (node->head >= 0 && !d->b.above[n]) { /* its arc had no room */
			hp_terminal_sign(d->t, "←", "<", HP_BOLD);
			hp_terminal_text(d->t, d->g->node[node->head].id, LONG, HP_BOLD);
		}
		at += w->id + 2;
	}
	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		int r = order[k];

		if (w->row[r] == 0)
			continue;
		hp_terminal_to(d->t, at);
		hp_terminal_text(d->t, d->row[r][n], w->row[r], colour_of(d, r, n));
		at += w->row[r] + w->gap;
		if (r == FORM && w->range) {
			hp_terminal_to(d->t, at - w->gap + 1);
			if (range && range->first <= n)
				draw_range_down(d, w, n, range);
			at += w->range + 3;
		}
	}
	if (w->extra) {
		hp_terminal_to(d->t, at);
		hp_terminal_text(d->t, d->extra[n], w->extra, HP_MAGENTA);
	}
}

static int draw_rows(const drawing *d, const table *w, hp_error *err)
{
	for (int n = 0, k = 0; n < d->g->nodes; n++) {
		while (k < d->g->ranges && d->g->range[k].last < n)
			k++;
		if (columns_of_brackets(w) > 0) {
			hp_terminal_blanks(d->t, 1);
			draw_levels_down(d, n);
		}
		draw_table_row(d, w, n, k < d->g->ranges ? &d->g->range[k] : NULL);
		if (hp_terminal_end_line(d->t, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

static int draw_down(drawing *d, hp_error *err)
{
	table w = measure(d);

	while (columns_of_table(&w) - w.gap > d->t->width && make_room(&w))
		;
	if (w.levels < w.needed && !hp_brackets_make(d->g, w.levels, d->arena, &d->b))
		return hp_fail_memory(err);
	return draw_rows(d, &w, err);
}

int hp_draw_text(const hp_graph *g, const hp_title *title, bool down, hp_terminal *t, hp_arena *arena, hp_error *err)
{
	drawing d = {.g = g, .t = t, .arena = arena};

	if (g->nodes == 0)
		return 0;
	if (!describe(&d) || !hp_brackets_make(g, MOST_DOWN + 1, arena, &d.b))
		return hp_fail_memory(err);
	if (hp_terminal_title(t, title, err) != 0)
		return HP_FAIL;
	down |= g->right_to_left || d.has_extra || d.b.levels > MOST_ACROSS || !place_across(&d);
	if ((down ? draw_down(&d, err) : draw_across(&d, err)) != 0)
		return HP_FAIL;
	return hp_terminal_end_line(t, err);
}
