/* dep_svg.c: a dependency tree as SVG: words in a line, the tree's arcs above, those of other trees below. */
#include <limits.h>
#include "draw/arcs.h"
#include "draw/draw.h"
#include "draw/markup.h"

/* Pixels. */
enum {
	MARGIN = 14,
	CAPTION = 22,
	FORM_FONT = 16,
	SMALL_FONT = 11,
	STEP = 22, /* between levels */
	FIRST = 26, /* of the lowest arc above the words */
	FORM_HEIGHT = 20,
	UPOS_HEIGHT = 15,
	RANGE_HEIGHT = 28,
	LONGEST = 300, /* form */
	LONG = 200 /* label, tag */
};

enum { TREE, WRONG, GOLD, ENHANCED };
static const char *const kinds[] = {"tree", "wrong", "gold", "more"};

typedef struct drawing {
	const hp_graph *g;
	FILE *out;
	hp_line line;
	hp_arcs side[2]; /* above and below */
	int left, width; /* of the margin where the line begins; of the picture */
	int y; /* of the words' top */
} drawing;

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int pixels(hp_slice text, int font, int most)
{
	int width = hp_draw_pixels(text, font);

	return width < most ? width : most;
}

/* Right-to-left sentences are laid out as others and mirrored here. */
static int x_of(const drawing *d, int x)
{
	return d->g->right_to_left ? d->width - d->left - x : d->left + x;
}

/* ---- arcs ---- */

static void add(hp_arcs *s, int head, int node, hp_slice relation, int kind)
{
	if (head != HP_HEAD_NONE)
		s->arc[s->count++] = (hp_arc){.head = head,
		                              .node = node,
		                              .label = relation,
		                              .kind = kind,
		                              .label_width = pixels(relation, SMALL_FONT, LONG)};
}

static bool make_arcs(drawing *d, hp_arena *arena)
{
	const hp_graph *g = d->g;

	d->side[0] = (hp_arcs){.arc = HP_NEW(arena, hp_arc, g->nodes)};
	d->side[1] = (hp_arcs){.arc = HP_NEW(arena, hp_arc, (size_t)g->nodes + g->enhanced)};
	if (hp_arena_failed(arena))
		return false;
	for (int n = 0; n < g->nodes; n++) {
		const hp_graph_node *node = &g->node[n];

		add(&d->side[0], node->head, n, node->relation, node->wrong ? WRONG : TREE);
		if (node->wrong)
			add(&d->side[1], node->gold_head, n, node->gold_relation, GOLD);
	}
	for (int k = 0; k < g->enhanced; k++)
		add(&d->side[1], g->arc[k].head, g->arc[k].node, g->arc[k].relation, ENHANCED);
	return true;
}

/* Pixels from the words' top up, or their bottom down, to a level. */
static int rise(int level)
{
	return FIRST + (level - 1) * STEP;
}

/* BASE is where arcs end, UP -1 above the words and 1 below. */
static void draw_arc(const drawing *d, const hp_arc *a, int base, int up)
{
	int y = base + up * rise(a->level), from = x_of(d, a->x_head), to = x_of(d, a->x_node);
	int away = to > from ? 1 : -1, half = (to > from ? to - from : from - to) / 2, r = half < 8 ? half : 8;

	fprintf(d->out, "<g class=\"arc %s\"><path d=\"M%d,%d", kinds[a->kind], from, a->head == HP_HEAD_ROOT ? y : base);
	if (a->head != HP_HEAD_ROOT)
		fprintf(d->out, "V%dQ%d,%d %d,%dH%dQ%d,%d %d,%d", y - up * r, from, y, from + away * r, y, to - away * r, to, y,
		        to, y - up * r);
	fprintf(d->out, "V%d\"/><path class=\"tip\" d=\"M%d,%dl-3,%dh6z\"/>", base + up * 5, to, base, up * 8);
	fprintf(d->out, "<text x=\"%d\" y=\"%d\">", x_of(d, a->x_label), up < 0 ? y - 5 : y + 13);
	hp_put_xml_cut(d->out, a->label, SMALL_FONT, LONG);
	fputs("</text></g>\n", d->out);
}

static void draw_arcs(const drawing *d, const hp_arcs *s, int base, int up)
{
	for (int i = 0; i < s->count; i++)
		draw_arc(d, &s->arc[i], base, up);
}

/* ---- words ---- */

static bool is_none(hp_slice text)
{
	return text.size == 0 || (text.size == 1 && text.s[0] == '_');
}

static void put_title(FILE *out, const hp_graph_node *node)
{
	const hp_slice part[] = {node->id, node->form, node->lemma, node->upos, node->feats};

	fputs("<title>", out);
	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		if (i > 1 && is_none(part[i]))
			continue;
		fputs(i ? " " : "", out);
		hp_put_xml(out, part[i]);
	}
	fputs("</title>", out);
}

static void draw_word(const drawing *d, int n)
{
	const hp_graph_node *node = &d->g->node[n];
	int x = x_of(d, d->line.x[n]);

	fprintf(d->out, "<g class=\"word%s\">", node->empty ? " empty" : "");
	put_title(d->out, node);
	fprintf(d->out, "<text x=\"%d\" y=\"%d\">", x, d->y + FORM_HEIGHT - 3);
	hp_put_xml_cut(d->out, node->form, FORM_FONT, LONGEST);
	fputs("</text>", d->out);
	if (!is_none(node->upos)) {
		fprintf(d->out, "<text class=\"tag\" x=\"%d\" y=\"%d\">", x, d->y + FORM_HEIGHT + UPOS_HEIGHT - 4);
		hp_put_xml_cut(d->out, node->upos, SMALL_FONT, LONG);
		fputs("</text>", d->out);
	}
	fputs("</g>\n", d->out);
}

static void draw_range(const drawing *d, const hp_graph_range *r)
{
	int a = x_of(d, d->line.x[r->first] - d->line.width[r->first] / 2), y = d->y + FORM_HEIGHT + UPOS_HEIGHT + 2;
	int b = x_of(d, d->line.x[r->last] + d->line.width[r->last] / 2);

	fprintf(d->out, "<g class=\"token\"><path d=\"M%d,%dv4H%dv-4\"/><text x=\"%d\" y=\"%d\">", a, y, b, (a + b) / 2,
	        y + 20);
	hp_put_xml_cut(d->out, r->form, SMALL_FONT + 2, LONGEST);
	fputs("</text></g>\n", d->out);
}

static bool place(drawing *d, hp_arena *arena)
{
	const hp_graph *g = d->g;
	hp_over *over = HP_NEW(arena, hp_over, (size_t)g->ranges + 1);

	d->line = (hp_line){.places = g->nodes, .width = HP_NEW(arena, int, g->nodes), .x = HP_NEW(arena, int, g->nodes)};
	if (hp_arena_failed(arena) || !make_arcs(d, arena))
		return false;
	for (int n = 0; n < g->nodes; n++)
		d->line.width[n] = max(pixels(g->node[n].form, FORM_FONT, LONGEST), pixels(g->node[n].upos, SMALL_FONT, LONG));
	for (int k = 0; k < g->ranges; k++) {
		const hp_graph_range *r = &g->range[k];

		over[k] = (hp_over){r->first, r->last, pixels(r->form, SMALL_FONT + 2, LONGEST)};
		if (r->first == r->last)
			d->line.width[r->first] = max(d->line.width[r->first], over[k].width);
	}
	return hp_arcs_place(&d->line, d->side, 2, over, g->ranges, arena);
}

/* What labels of roots, which stand alone, need at the sides. */
static void find_sides(drawing *d, int *left, int *right)
{
	*left = *right = 0;
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < d->side[s].count; i++) {
			const hp_arc *a = &d->side[s].arc[i];

			*left = max(*left, a->label_width / 2 - a->x_label);
			*right = max(*right, a->x_label + a->label_width / 2 - d->line.total);
		}
}

int hp_draw_svg(const hp_graph *g, const hp_title *caption, FILE *out, hp_picture *size, hp_arena *arena, hp_error *err)
{
	drawing d = {.g = g, .out = out};
	int left, right, base, bottom;

	if (caption && caption->label.size == 0)
		caption = NULL;
	if (!place(&d, arena))
		return hp_fail_memory(err);
	find_sides(&d, &left, &right);
	d.left = MARGIN + left;
	d.width = 2 * MARGIN + left + d.line.total + right;
	if (caption)
		d.width = max(d.width, 2 * MARGIN + hp_put_caption(out, caption, MARGIN, MARGIN + 10, SMALL_FONT, 2 * LONGEST));
	d.y = MARGIN + (caption ? CAPTION : 0) + (d.side[0].levels ? rise(d.side[0].levels) + SMALL_FONT : 0) + 4;
	bottom = d.y + FORM_HEIGHT + UPOS_HEIGHT + (g->ranges ? RANGE_HEIGHT : 0);
	base = bottom + 4;
	bottom += (d.side[1].levels ? rise(d.side[1].levels) + SMALL_FONT + 8 : 0) + MARGIN;
	*size = (hp_picture){d.width, bottom};
	draw_arcs(&d, &d.side[0], d.y, -1);
	draw_arcs(&d, &d.side[1], base, 1);
	for (int n = 0; n < g->nodes; n++)
		draw_word(&d, n);
	for (int k = 0; k < g->ranges; k++)
		draw_range(&d, &g->range[k]);
	return ferror(out) ? hp_fail_errno(err, "output") : 0;
}
