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

static void put_row(const hp_graph *g, bool forms, FILE *out)
{
	for (int n = 0; n < g->nodes; n++) {
		hp_slice text = forms ? g->node[n].form : g->node[n].upos;

		fputs(n ? " \\& " : "", out);
		fputs(forms ? "{" : "{\\scriptsize ", out);
		if (forms || text.size != 1 || text.s[0] != '_')
			hp_put_tex(out, text);
		fputs("}", out);
	}
	fputs(" \\\\\n", out);
}

static void put_arc(FILE *out, const char *style, int head, int node, hp_slice relation)
{
	if (head == HP_HEAD_NONE)
		return;
	if (head == HP_HEAD_ROOT)
		fprintf(out, "\\deproot%s{%d}{", style, node + 1);
	else
		fprintf(out, "\\depedge%s{%d}{%d}{", style, head + 1, node + 1);
	hp_put_tex(out, relation);
	fputs("}\n", out);
}

void hp_draw_latex(const hp_graph *g, FILE *out)
{
	if (g->nodes == 0)
		return;
	if (g->sent_id.size > 0) {
		fputs("% ", out);
		hp_put_tex(out, g->sent_id);
		fputs("\n", out);
	}
	fputs("\\begin{dependency}\n\\begin{deptext}[column sep=1em]\n", out);
	put_row(g, true, out);
	put_row(g, false, out);
	fputs("\\end{deptext}\n", out);
	for (int n = 0; n < g->nodes; n++) {
		const hp_graph_node *node = &g->node[n];

		put_arc(out, node->wrong ? "[edge style={red}]" : "", node->head, n, node->relation);
		if (node->wrong)
			put_arc(out, "[edge below,edge style={green!50!black,dashed}]", node->gold_head, n, node->gold_relation);
	}
	for (int k = 0; k < g->enhanced; k++)
		put_arc(out, "[edge below,edge style={violet,densely dotted}]", g->arc[k].head, g->arc[k].node,
		        g->arc[k].relation);
	fputs("\\end{dependency}\n\n", out);
}
