/* rst_text.c: a rhetorical tree as an outline: nuclei on heavy lines, satellites on light ones.
 *
 *	1–3
 *	├─ Background   1 When the library opened again ,
 *	┕━ 2–3
 *	   ┝━           2 she returned the maps
 *	   └─ Elaboration  3 that she had borrowed in March .
 *
 * A subtree that is too deep for the terminal is only named, "2–3 »", and drawn behind the outline, as an outline of its
 * own that begins with "» 2–3": so all in one outline have the same distance from its edge at the same depth. */
#include <stdio.h>
#include "draw/draw.h"
#include "draw/markup.h"
#include "draw/outline.h"

enum {
	INDENT = 3,
	LONG = 30, /* columns of a relation; of it with what another tree says, twice as many */
	LEAST = 30, /* and those kept for what is behind the lines, */
	LEAST_TEXT = 12 /* of which so many for an EDU's text beside its relation */
};

typedef struct drawing {
	hp_outline o;
	const hp_rst_difference *differ; /* NULL: there is no other tree */
	hp_terminal *t;
	int *depth; /* [nodes] in their outline, 0: it begins here */
	bool *open; /* [depths] whether the line there goes on */
	int digits; /* of the last EDU's number */
	int text; /* the column where EDUs begin; 0: right behind their relations */
} drawing;

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int count_digits(int n)
{
	int digits = 1;

	while ((n /= 10) > 0)
		digits++;
	return digits;
}

/* ---- what is said of a node ---- */

static int longest(const drawing *d)
{
	return d->differ ? 2 * LONG : LONG;
}

static const char *sign_of(const drawing *d)
{
	return d->t->ascii ? "!=" : "≠";
}

static hp_colour colour_of(const drawing *d, int i)
{
	return hp_rst_is_wrong(d->differ, i) ? HP_RED : d->o.tree->node[i].role == HP_RST_NUCLEUS ? HP_BLUE : HP_CYAN;
}

/* Columns of node I's relation and, behind "≠", of what the other tree says. */
static int label_columns(const drawing *d, int i)
{
	int wide = hp_draw_columns(hp_outline_relation(&d->o.tree->node[i]));

	if (hp_rst_is_wrong(d->differ, i))
		wide += hp_draw_columns(hp_slice_of(sign_of(d))) + hp_draw_columns(hp_slice_of(d->differ[i].other));
	return min(wide, longest(d));
}

/* The same in COLUMNS at most; of both, if they are too long, the ends are cut. */
static void put_label(const drawing *d, int i, int columns)
{
	hp_slice relation = hp_outline_relation(&d->o.tree->node[i]);
	bool wrong = hp_rst_is_wrong(d->differ, i);
	hp_slice other = hp_slice_of(wrong ? d->differ[i].other : "");
	hp_colour colour = colour_of(d, i);

	if (!wrong) {
		hp_terminal_text(d->t, relation, columns, colour);
		return;
	}
	columns -= hp_draw_columns(hp_slice_of(sign_of(d)));
	int behind = min(hp_draw_columns(other), max(columns / 2, columns - hp_draw_columns(relation)));
	hp_terminal_text(d->t, relation, max(columns - behind, 0), colour);
	hp_terminal_word(d->t, sign_of(d), colour);
	hp_terminal_text(d->t, other, max(behind, 0), colour);
}

/* ---- outlines ---- */

/* Whether node I, which is no root, is only named where it stands. */
static bool is_apart(const drawing *d, int i)
{
	return d->depth[i] == 0 && d->o.depth[i] > 0;
}

/* Parts off what is deeper than MOST, in subtrees as large as half an outline is deep. */
static bool part(drawing *d, int most, hp_arena *arena)
{
	const hp_rst_tree *tree = d->o.tree;
	int *height = HP_NEW0(arena, int, tree->nodes);

	d->depth = HP_NEW(arena, int, tree->nodes);
	d->open = HP_NEW0(arena, bool, (size_t)most + 1);
	if (hp_arena_failed(arena))
		return false;
	for (int i = tree->nodes - 1; i >= 0; i--)
		if (tree->node[i].parent >= 0)
			height[tree->node[i].parent] = max(height[tree->node[i].parent], height[i] + 1);
	for (int i = 0; i < tree->nodes; i++) {
		int parent = tree->node[i].parent, depth = parent >= 0 ? d->depth[parent] + 1 : 0;

		d->depth[i] = height[i] > 0 && depth >= (most + 1) / 2 && depth + height[i] > most ? 0 : depth;
	}
	return true;
}

/* Columns before the EDU of node I, if it stands in the line of its relation. */
static int columns_before(const drawing *d, int i)
{
	int wide = label_columns(d, i);

	return d->depth[i] * INDENT + (wide ? wide + 2 : 0);
}

static bool beside_relation(const drawing *d, int i)
{
	return columns_before(d, i) + d->digits + 1 + LEAST_TEXT <= d->t->width;
}

/* One column for all EDUs of the outline of node ROOT, if that is not far to the right. */
static void find_text(drawing *d, int root)
{
	const hp_rst_node *node = d->o.tree->node;

	d->text = 0;
	for (int i = root; i < root + node[root].size; i++) {
		if (i > root && is_apart(d, i))
			i += node[i].size - 1;
		else if (node[i].size == 1 && beside_relation(d, i))
			d->text = max(d->text, columns_before(d, i));
	}
	if (d->text > d->t->width * 2 / 5)
		d->text = 0;
}

/* ---- lines ---- */

static void draw_lines(const drawing *d, int depth)
{
	for (int k = 1; k <= depth; k++) {
		hp_terminal_lines(d->t, d->open[k] ? HP_UP | HP_DOWN : 0, 1);
		hp_terminal_blanks(d->t, INDENT - 1);
	}
}

static void draw_branch(const drawing *d, int i)
{
	bool nucleus = d->o.tree->node[i].role == HP_RST_NUCLEUS;

	if (d->o.more[i])
		hp_terminal_sign(d->t, nucleus ? "┝━ " : "├─ ", nucleus ? "|= " : "|- ", HP_PLAIN);
	else
		hp_terminal_sign(d->t, nucleus ? "┕━ " : "└─ ", nucleus ? "`= " : "`- ", HP_PLAIN);
}

/* The relation of node I before what takes BEHIND columns, or in a line above it.  DEPTH: of the lines before it. */
static int draw_relation(const drawing *d, int i, int depth, int behind, hp_error *err)
{
	int wide = label_columns(d, i);

	if (wide == 0)
		return 0;
	put_label(d, i, min(longest(d), d->t->width - d->t->column));
	if (depth * INDENT + wide + 2 + behind <= d->t->width) {
		hp_terminal_blanks(d->t, 2);
		return 0;
	}
	if (hp_terminal_end_line(d->t, err) != 0)
		return HP_FAIL;
	draw_lines(d, depth);
	return 0;
}

static size_t fit_columns(hp_slice text, int columns)
{
	int used;

	return hp_draw_fit(text, columns, &used);
}

static int draw_edu(const drawing *d, int i, hp_error *err)
{
	const hp_rst_node *node = &d->o.tree->node[i];
	const hp_rst_edu *edu = &d->o.tree->edu[node->first];
	hp_slice text = {edu->text, edu->size};
	int at;
	char number[16];
	bool first = true;

	if (draw_relation(d, i, d->depth[i], d->digits + 1 + LEAST_TEXT, err) != 0)
		return HP_FAIL;
	at = d->text && beside_relation(d, i) ? d->text : d->t->column;
	hp_terminal_to(d->t, at + d->digits - count_digits(node->first + 1));
	snprintf(number, sizeof number, "%d", node->first + 1);
	hp_terminal_word(d->t, number, HP_FAINT);
	at += d->digits + 1;
	do {
		if (!first)
			draw_lines(d, d->depth[i]);
		first = false;
		hp_terminal_to(d->t, at);
		hp_slice line = hp_outline_line(&text, max(d->t->width - at, 2), fit_columns);
		hp_terminal_text(d->t, line, d->t->width, HP_PLAIN);
		if (hp_terminal_end_line(d->t, err) != 0)
			return HP_FAIL;
	} while (text.size > 0);
	return 0;
}

/* The EDUs of node I, which has several; APART: drawn elsewhere. */
static int draw_span(const drawing *d, int i, int depth, bool apart, hp_error *err)
{
	const hp_rst_node *node = &d->o.tree->node[i];
	const char *sign = d->t->ascii ? " >" : " »";
	char span[48];

	snprintf(span, sizeof span, "%d%s%d%s", node->first + 1, d->t->ascii ? "-" : "–", node->last + 1,
	         apart ? sign : "");
	if (draw_relation(d, i, depth, hp_draw_columns(hp_slice_of(span)), err) != 0)
		return HP_FAIL;
	hp_terminal_word(d->t, span, HP_FAINT);
	return hp_terminal_end_line(d->t, err);
}

/* A node below its outline's first one. */
static int draw_node(const drawing *d, int i, hp_error *err)
{
	const hp_rst_node *node = &d->o.tree->node[i];
	int depth = d->depth[node->parent] + 1;

	draw_lines(d, depth - 1);
	draw_branch(d, i);
	d->open[depth] = d->o.more[i];
	return node->size == 1 ? draw_edu(d, i, err) : draw_span(d, i, depth, is_apart(d, i), err);
}

/* The first line of an outline: a root, or "» 15–57  relation". */
static int draw_first(const drawing *d, int i, hp_error *err)
{
	const hp_rst_node *node = &d->o.tree->node[i];
	char span[48];

	if (!is_apart(d, i))
		return node->size == 1 ? draw_edu(d, i, err) : draw_span(d, i, 0, false, err);
	if (hp_terminal_end_line(d->t, err) != 0)
		return HP_FAIL;
	snprintf(span, sizeof span, "%s %d%s%d", d->t->ascii ? ">" : "»", node->first + 1, d->t->ascii ? "-" : "–",
	         node->last + 1);
	hp_terminal_word(d->t, span, HP_FAINT);
	if (label_columns(d, i) > 0 && d->t->column + 3 < d->t->width) {
		hp_terminal_blanks(d->t, 2);
		put_label(d, i, d->t->width - d->t->column);
	}
	return hp_terminal_end_line(d->t, err);
}

static int draw_outline(drawing *d, int root, hp_error *err)
{
	const hp_rst_node *node = d->o.tree->node;

	find_text(d, root);
	if (draw_first(d, root, err) != 0)
		return HP_FAIL;
	for (int i = root + 1; i < root + node[root].size; i++) {
		if (draw_node(d, i, err) != 0)
			return HP_FAIL;
		if (is_apart(d, i))
			i += node[i].size - 1;
	}
	return 0;
}

int hp_draw_rst_text(const hp_rst_tree *tree, const hp_rst_difference *differ, const hp_title *title, hp_terminal *t,
                     hp_arena *arena, hp_error *err)
{
	drawing d = {.differ = differ, .t = t, .digits = count_digits(tree->edus)};
	int kept = max(min(LEAST, t->width / 2), 2 * d.digits + 3); /* "15–57 »" */
	bool apart = false;

	if (!hp_outline_make(tree, arena, &d.o) || !part(&d, max((t->width - kept) / INDENT, 1), arena))
		return hp_fail_memory(err);
	if (hp_terminal_title(t, title, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < tree->nodes; i++) {
		if (d.depth[i] > 0)
			continue;
		if (apart && !is_apart(&d, i) && hp_terminal_end_line(t, err) != 0) /* a forest's next tree */
			return HP_FAIL;
		apart = is_apart(&d, i);
		if (draw_outline(&d, i, err) != 0)
			return HP_FAIL;
	}
	return hp_terminal_end_line(t, err);
}
