/* rst_text.c: a rhetorical tree as an outline: nuclei on heavy lines, satellites on light ones.
 *
 *	1–3
 *	├─ Background   1 When the library opened again ,
 *	┕━ 2–3
 *	   ┝━           2 she returned the maps
 *	   └─ Elaboration  3 that she had borrowed in March . */
#include <stdio.h>
#include "draw/draw.h"
#include "draw/markup.h"
#include "draw/outline.h"

enum {
	INDENT = 3,
	LONG = 30 /* columns of a relation */,
	LEAST = 30 /* and those kept for what is behind the lines */
};

typedef struct drawing {
	hp_outline o;
	hp_terminal *t;
	bool *open; /* [depths] whether the line there goes on */
	int most; /* depths that are drawn */
	int digits; /* of the last EDU's number */
	int text; /* the column where EDUs begin; 0: right behind their relations */
} drawing;

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int count_digits(int n)
{
	int digits = 1;

	while ((n /= 10) > 0)
		digits++;
	return digits;
}

/* The lines of the depths above DEPTH, of which the outermost are left out where there are too many. */
static void draw_lines(const drawing *d, int depth)
{
	int first = depth > d->most ? depth - d->most : 0;

	if (first > 0)
		hp_terminal_sign(d->t, "»", ">", HP_FAINT);
	for (int k = first + 1; k <= depth; k++) {
		hp_terminal_lines(d->t, d->open[k] ? HP_UP | HP_DOWN : 0, 1);
		hp_terminal_blanks(d->t, INDENT - 1);
	}
}

static void draw_branch(const drawing *d, int i)
{
	const hp_rst_node *node = &d->o.tree->node[i];
	bool nucleus = node->role == HP_RST_NUCLEUS;

	if (d->o.depth[i] == 0)
		return;
	if (d->o.more[i])
		hp_terminal_sign(d->t, nucleus ? "┝━ " : "├─ ", nucleus ? "|= " : "|- ", HP_PLAIN);
	else
		hp_terminal_sign(d->t, nucleus ? "┕━ " : "└─ ", nucleus ? "`= " : "`- ", HP_PLAIN);
}

/* Columns before the EDU of node I. */
static int columns_before(const drawing *d, int i)
{
	int wide = min(hp_draw_columns(hp_outline_relation(&d->o.tree->node[i])), LONG);

	return (min(d->o.depth[i], d->most) + (d->o.depth[i] > d->most)) * INDENT + (wide ? wide + 2 : 0);
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
	int at = d->text ? d->text : d->t->column;
	char number[16];
	bool first = true;

	hp_terminal_to(d->t, at + d->digits - count_digits(node->first + 1));
	snprintf(number, sizeof number, "%d", node->first + 1);
	hp_terminal_word(d->t, number, HP_FAINT);
	at += d->digits + 1;
	do {
		if (!first)
			draw_lines(d, d->o.depth[i]);
		first = false;
		hp_terminal_to(d->t, at);
		hp_slice line = hp_outline_line(&text, d->t->width - at > 10 ? d->t->width - at : 10, fit_columns);
		hp_terminal_text(d->t, line, d->t->width, HP_PLAIN);
		if (hp_terminal_end_line(d->t, err) != 0)
			return HP_FAIL;
	} while (text.size > 0);
	return 0;
}

static int draw_node(const drawing *d, int i, hp_error *err)
{
	const hp_rst_node *node = &d->o.tree->node[i];
	hp_slice relation = hp_outline_relation(node);
	char span[32];

	draw_lines(d, d->o.depth[i] > 0 ? d->o.depth[i] - 1 : 0);
	draw_branch(d, i);
	if (relation.size > 0) {
		hp_terminal_text(d->t, relation, LONG, node->role == HP_RST_NUCLEUS ? HP_BLUE : HP_CYAN);
		hp_terminal_blanks(d->t, 2);
	}
	d->open[d->o.depth[i]] = d->o.more[i];
	if (node->size == 1)
		return draw_edu(d, i, err);
	snprintf(span, sizeof span, "%d%s%d", node->first + 1, d->t->ascii ? "-" : "–", node->last + 1);
	hp_terminal_word(d->t, span, HP_FAINT);
	return hp_terminal_end_line(d->t, err);
}

int hp_draw_rst_text(const hp_rst_tree *tree, hp_terminal *t, hp_arena *arena, hp_error *err)
{
	drawing d = {.t = t, .digits = count_digits(tree->edus)};

	if (!hp_outline_make(tree, arena, &d.o))
		return hp_fail_memory(err);
	d.open = HP_NEW0(arena, bool, (size_t)d.o.deepest + 1);
	if (!d.open)
		return hp_fail_memory(err);
	d.most = t->width > LEAST + 4 * INDENT ? (t->width - LEAST) / INDENT - 1 : 3;
	for (int i = 0; i < tree->nodes; i++)
		if (tree->node[i].size == 1 && columns_before(&d, i) > d.text)
			d.text = columns_before(&d, i);
	if (d.text > t->width * 2 / 5)
		d.text = 0;
	if (tree->id) {
		hp_terminal_text(t, hp_slice_of(tree->id), t->width, HP_FAINT);
		if (hp_terminal_end_line(t, err) != 0)
			return HP_FAIL;
	}
	for (int i = 0; i < tree->nodes; i++)
		if (draw_node(&d, i, err) != 0)
			return HP_FAIL;
	return hp_terminal_end_line(t, err);
}
