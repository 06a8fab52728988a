/* dep_latex.c: dependency trees for the LaTeX package tikz-dependency. */
#include "draw/draw.h"
#include "draw/markup.h"

void hp_draw_latex_begin(FILE *out)
{
	fputs(
		"\\documentclass[multi=dependency,border=6pt]{standalone}\n"
		"\\usepackage{iftex}\n"
		"\\ifPDFTeX\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage{textcomp}\\else\\usepackage{fontspec}\\fi\n"
		"\\usepackage{tikz-dependency}\n"
		"\\begin{document}\n",
		out);
}

void hp_draw_latex_end(FILE *out)
{
	fputs("\\end{document}\n", out);
}

/* The column of the word at place N, from 1: that of a sentence's first word is on the side where its script begins. */
static int column_of(const hp_graph *g, int n)
{
	return g->right_to_left ? g->nodes - n : n + 1;
}

static void put_row(const hp_graph *g, bool forms, FILE *out)
{
	for (int k = 0; k < g->nodes; k++) {
		const hp_graph_node *node = &g->node[g->right_to_left ? g->nodes - 1 - k : k];
		hp_slice text = forms ? node->form : node->upos;

		fputs(k ? " \\& " : "", out);
		fputs(forms ? "{" : "{\\scriptsize ", out);
		if (forms || text.size != 1 || text.s[0] != '_')
			hp_put_tex(out, text);
		fputs("}", out);
	}
	fputs(" \\\\\n", out);
}

static void put_arc(const hp_graph *g, const char *style, int head, int node, hp_slice relation, FILE *out)
{
	if (head == HP_HEAD_NONE)
		return;
	if (head == HP_HEAD_ROOT)
		fprintf(out, "\\deproot%s{%d}{", style, column_of(g, node));
	else
		fprintf(out, "\\depedge%s{%d}{%d}{", style, column_of(g, head), column_of(g, node));
	hp_put_tex(out, relation);
	fputs("}\n", out);
}

static void put_title(const hp_title *title, FILE *out)
{
	if (title->label.size == 0)
		return;
	fputs("\\node[anchor=south west,font=\\scriptsize] at (current bounding box.north west) {", out);
	hp_put_tex(out, title->label);
	if (title->note.size > 0) {
		fputs("\\quad ", out);
		hp_put_tex(out, title->note);
	}
	fputs("};\n", out);
}

void hp_draw_latex(const hp_graph *g, const hp_title *title, FILE *out)
{
	if (g->nodes == 0)
		return;
	fputs("\\begin{dependency}\n\\begin{deptext}[column sep=1em]\n", out);
	put_row(g, true, out);
	put_row(g, false, out);
	fputs("\\end{deptext}\n", out);
	for (int n = 0; n < g->nodes; n++) {
		const hp_graph_node *node = &g->node[n];

		put_arc(g, node->wrong ? "[edge style={red}]" : "", node->head, n, node->relation, out);
		if (node->wrong)
			put_arc(g, "[edge below,edge style={green!50!black,dashed}]", node->gold_head, n, node->gold_relation, out);
	}
	for (int k = 0; k < g->enhanced; k++)
		put_arc(g, "[edge below,edge style={violet,densely dotted}]", g->arc[k].head, g->arc[k].node,
		        g->arc[k].relation, out);
	put_title(title, out);
	fputs("\\end{dependency}\n\n", out);
}
