/* rst_svg.c: a rhetorical tree as SVG, in the manner of rstWeb: spans are lines, a nucleus hangs on a bar, satellites point
 * to it with their relations, several nuclei spread from their relation. */
#include "draw/draw.h"
#include "draw/markup.h"
#include "draw/outline.h"
#include "draw/spans.h"

enum { CAPTION = 22, LONGEST_CAPTION = 600, EDU_FONT = 12, EDU_LINE = 16, PADDING = 6, MOST_LINES = 60, SEEN = 300 };

typedef struct drawing {
	const hp_rst_tree *tree;
	const hp_rst_difference *differ; /* NULL: there is no other tree */
	FILE *out;
	hp_spans s;
	bool right_to_left;
	int bottom;
} drawing;

static int x_of(const drawing *d, int x)
{
	return d->right_to_left ? d->s.width - x : x;
}

/* Behind the class of node I's elements. */
static const char *wrong_class(const drawing *d, int i)
{
	return hp_rst_is_wrong(d->differ, i) ? " wrong" : "";
}

/* What the other tree makes of node I, for who points at it. */
static void put_other(const drawing *d, int i)
{
	if (!hp_rst_is_wrong(d->differ, i))
		return;
	fputs("<title>≠", d->out);
	hp_put_xml(d->out, hp_slice_of(d->differ[i].other));
	fputs("</title>", d->out);
}

static void put_relation(const drawing *d, int i, int x, int y)
{
	fprintf(d->out, "<text x=\"%d\" y=\"%d\">", x_of(d, x), y);
	hp_put_xml_cut(d->out, hp_outline_relation(&d->tree->node[i]), HP_SPAN_FONT, HP_SPAN_LONG);
	fputs("</text>", d->out);
}

/* Where the relation on the arc from X to END stands: in the middle, but where one sees the satellite as well. */
static int middle(int x, int end)
{
	int half = (end - x) / 2;

	return x + (half > SEEN ? SEEN : half < -SEEN ? -SEEN : half);
}

/* From the satellite's number up, along and down to that of its nucleus. */
static void draw_satellite(const drawing *d, int i)
{
	const hp_span *s = &d->s.span[i], *nucleus = &d->s.span[s->nucleus];
	int base = s->y - HP_SPAN_NUMBER, y = base - 8 - s->level * HP_SPAN_STEP, end = nucleus->x + s->port;
	int from = x_of(d, s->x), to = x_of(d, end), r = to > from ? 10 : -10;

	fprintf(d->out, "<g class=\"arc%s\">", wrong_class(d, i));
	put_other(d, i);
	fprintf(d->out, "<path d=\"M%d,%dV%dQ%d,%d %d,%dH%dQ%d,%d %d,%dV%d\"/><path class=\"tip\" d=\"M%d,%dl-3,-8h6z\"/>",
	        from, base, y + 10, from, y, from + r, y, to - r, to, y, to, y + 10, base - 5, to, base);
	put_relation(d, i, middle(s->x, end), y - 5);
	fputs("</g>\n", d->out);
}

static void draw_children(const drawing *d, int i)
{
	const hp_rst_tree *t = d->tree;
	const hp_span *s = &d->s.span[i];
	int named = -1;

	for (int c = i + 1; c < i + t->node[i].size; c += t->node[c].size) {
		const hp_span *child = &d->s.span[c];

		if (child->nucleus >= 0) {
			draw_satellite(d, c);
			continue;
		}
		if (s->group && named < 0)
			named = c;
		fprintf(d->out, "<path class=\"nucleus%s\" d=\"M%d,%dL%d,%d\"/>\n", wrong_class(d, c), x_of(d, s->x),
		        s->y + (s->group ? 20 : 0), x_of(d, child->x), child->y - HP_SPAN_NUMBER);
	}
	if (named >= 0) {
		fprintf(d->out, "<g class=\"group%s\">", wrong_class(d, named));
		put_other(d, named);
		put_relation(d, named, s->x, s->y + 15);
		fputs("</g>\n", d->out);
	}
}

static size_t fit_pixels(hp_slice text, int pixels)
{
	return hp_draw_fit_pixels(text, EDU_FONT, pixels);
}

static void draw_edu(drawing *d, int i)
{
	const hp_span *s = &d->s.span[i];
	const hp_rst_edu *edu = &d->tree->edu[d->tree->node[i].first];
	hp_slice text = {edu->text, edu->size}, rest = text;
	int lines = 0, x = x_of(d, (s->left + s->right) / 2), left = x_of(d, d->right_to_left ? s->right : s->left);

	for (; rest.size > 0 && lines < MOST_LINES; lines++)
		(void)hp_outline_line(&rest, s->right - s->left - 2 * PADDING, fit_pixels);
	fprintf(d->out, "<g class=\"edu\"><title>");
	hp_put_xml(d->out, text);
	fprintf(d->out, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>", left, s->y + 4,
	        s->right - s->left, lines * EDU_LINE + PADDING);
	for (int k = 0; k < lines; k++) {
		bool cut = k == lines - 1 && rest.size > 0;
		hp_slice line = hp_outline_line(&text, s->right - s->left - 2 * PADDING, fit_pixels);

		fprintf(d->out, "<text x=\"%d\" y=\"%d\">", x, s->y + 4 + (k + 1) * EDU_LINE - 1);
		hp_put_xml(d->out, cut ? hp_slice_of("…") : line);
		fputs("</text>", d->out);
	}
	fputs("</g>\n", d->out);
	if (s->y + 4 + lines * EDU_LINE + PADDING > d->bottom)
		d->bottom = s->y + 4 + lines * EDU_LINE + PADDING;
}

static void draw_span(const drawing *d, int i)
{
	const hp_rst_node *node = &d->tree->node[i];
	const hp_span *s = &d->s.span[i];

	fprintf(d->out, "<g class=\"span%s\">", wrong_class(d, i));
	put_other(d, i);
	fprintf(d->out, "<path d=\"M%d,%dH%d\"/><text x=\"%d\" y=\"%d\">%d", x_of(d, s->left), s->y, x_of(d, s->right),
	        x_of(d, s->x), s->y - 4, node->first + 1);
	if (node->last > node->first)
		fprintf(d->out, "–%d", node->last + 1);
	fputs("</text></g>\n", d->out);
}

static bool is_right_to_left(const hp_rst_tree *tree)
{
	int right = 0;

	for (int i = 0; i < tree->edus; i++)
		right += hp_draw_is_right_to_left((hp_slice){tree->edu[i].text, tree->edu[i].size});
	return right * 2 > tree->edus;
}

int hp_draw_rst_svg(const hp_rst_tree *tree, const hp_rst_difference *differ, const hp_title *caption, FILE *out,
                    hp_picture *size, hp_arena *arena, hp_error *err)
{
	drawing d = {.tree = tree, .differ = differ, .out = out, .right_to_left = is_right_to_left(tree)};
	int least = 2 * HP_SPAN_MARGIN, top = HP_SPAN_MARGIN + HP_SPAN_NUMBER;

	if (caption && caption->label.size > 0) {
		least += hp_put_caption(out, caption, HP_SPAN_MARGIN, HP_SPAN_MARGIN + 10, HP_SPAN_FONT, LONGEST_CAPTION);
		top += CAPTION;
	}
	if (!hp_spans_make(tree, top, arena, &d.s))
		return hp_fail_memory(err);
	for (int i = 0; i < tree->nodes; i++) {
		draw_span(&d, i);
		if (tree->node[i].size > 1)
			draw_children(&d, i);
		else
			draw_edu(&d, i);
	}
	*size = (hp_picture){d.s.width > least ? d.s.width : least, d.bottom + HP_SPAN_MARGIN};
	return ferror(out) ? hp_fail_errno(err, "output") : 0;
}
