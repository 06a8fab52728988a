/* rs3.c: the trees that an .rs3 file describes.  Nothing recurses, whatever hangs below what. */
#include "rst/rs3.h"

#include <stdlib.h>
#include "rst/build.h"
#include "rst/forest.h"
#include "rst/rs3_graph.h"

typedef enum mode { BUILD, CONTENT, CLOSE } mode;

/* A node to be written: with its satellites, without, or its end. */
typedef struct item {
	int32_t node;
	mode mode;
	hp_rst_role role;
	int relation; /* -1: "span" or, for the root, none */
} item;

typedef struct writer {
	const hp_rs3_graph *g;
	hp_rst_build b;
	item *stack;
	int32_t *segment; /* [edus] the node of each EDU, tree by tree, in the order of the text within one */
	int32_t *written; /* [edus] which EDU each leaf is, in the order in which they are written */
	int leaves; /* so far */
} writer;

static void open_node(writer *w, const item *it)
{
	size_t size = it->role == HP_RST_ROOT ? 0 : 4;
	const char *relation = "span";

	if (it->relation >= 0)
		relation = hp_vocab_at(w->g->f->relations, it->relation, &size);
	hp_rst_build_open(&w->b, it->role, relation, size, w->g->f->node[it->node].line);
}

/* Turns what was pushed from BOTTOM on around: first in, first out. */
static void reverse(item *stack, int bottom, int depth)
{
	for (int a = bottom, z = depth - 1; a < z; a++, z--) {
		item swap = stack[a];

		stack[a] = stack[z];
		stack[z] = swap;
	}
}

/* A node with its satellites: those, and its content where it belongs among them. */
static int push_build(writer *w, const item *it, int depth)
{
	const hp_rs3_graph *g = w->g;
	item content = {it->node, CONTENT, HP_RST_NUCLEUS, -1};
	bool pushed = false;
	int bottom = depth + 1;

	w->stack[depth++] = (item){it->node, CLOSE, HP_RST_NUCLEUS, -1};
	for (int32_t k = g->kids_at[it->node]; k < g->kids_at[it->node + 1]; k++) {
		int32_t kid = g->kids[k];

		if (g->nucleus[kid] || g->first[kid] < 0)
			continue;
		if (!pushed && g->first[kid] > g->content[it->node]) {
			w->stack[depth++] = content;
			pushed = true;
		}
		w->stack[depth++] = (item){kid, BUILD, HP_RST_SATELLITE, g->f->node[kid].relation};
	}
	if (depth == bottom) { /* no satellites */
		content.role = it->role;
		content.relation = it->relation;
		w->stack[bottom - 1] = content;
		return depth;
	}
	if (!pushed)
		w->stack[depth++] = content;
	open_node(w, it);
	reverse(w->stack, bottom, depth);
	return depth;
}

static int push_content(writer *w, const item *it, int depth)
{
	const hp_rs3_graph *g = w->g;
	int bottom = depth + 1;

	w->stack[depth++] = (item){it->node, CLOSE, HP_RST_NUCLEUS, -1};
	for (int32_t k = g->kids_at[it->node]; k < g->kids_at[it->node + 1]; k++) {
		int32_t kid = g->kids[k];

		if (g->nucleus[kid] && g->first[kid] >= 0)
			w->stack[depth++] = (item){kid, BUILD, HP_RST_NUCLEUS, g->f->node[kid].relation};
	}
	if (depth == bottom + 1) { /* a single nucleus takes the node's place */
		w->stack[bottom].role = it->role;
		w->stack[bottom].relation = it->relation;
		w->stack[bottom - 1] = w->stack[bottom];
		return bottom;
	}
	open_node(w, it);
	reverse(w->stack, bottom, depth);
	return depth;
}

static int add_leaf(writer *w, const item *it)
{
	const hp_rs3_graph *g = w->g;
	const hp_rs3_node *node = &g->f->node[it->node];
	int32_t expected = w->segment[w->leaves];

	if (expected != it->node)
		return hp_fail_at(
			g->err, g->name, node->line,
			"the spans of the tree are not continuous: segment %.40s, EDU %d, comes where EDU %d was expected",
			hp_rs3_graph_id(g, it->node), g->edu[it->node] + 1, g->edu[expected] + 1);
	w->written[w->leaves++] = g->edu[it->node];
	open_node(w, it);
	hp_rst_build_edu(&w->b, g->f->text + node->text, node->text_size, node->paragraph, node->line);
	hp_rst_build_close(&w->b);
	return 0;
}

static int write_tree(writer *w, int32_t root)
{
	int depth = 0;

	w->stack[depth++] = (item){root, BUILD, HP_RST_ROOT, -1};
	while (depth > 0 && !w->b.failed) {
		item it = w->stack[--depth];

		if (it.mode == CLOSE)
			hp_rst_build_close(&w->b);
		else if (it.mode == BUILD)
			depth = push_build(w, &it, depth);
		else if (w->g->f->node[it.node].kind != HP_RS3_SEGMENT)
			depth = push_content(w, &it, depth);
		else if (add_leaf(w, &it) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* Fills SEGMENT; the trees stand in the order of their first EDUs.  START [n] is scratch, all 0. */
static void sort_segments(writer *w, int32_t *start)
{
	const hp_rs3_graph *g = w->g;
	int32_t next = 0;

	for (int i = 0; i < g->n; i++)
		start[g->root[i]] += g->edu[i] >= 0;
	for (int i = 0; i < g->n; i++) {
		int32_t node = g->by_first[i], edus = start[node];

		if (g->parent[node] >= 0)
			continue;
		start[node] = next;
		next += edus;
	}
	for (int i = 0; i < g->n; i++) {
		if (g->edu[i] >= 0)
			w->segment[start[g->root[i]]++] = i;
	}
}

static int write_trees(writer *w)
{
	const hp_rs3_graph *g = w->g;
	size_t n = g->n;
	int32_t *start = calloc(3 * n + 1, sizeof(*start));
	int status = 0;

	w->stack = calloc(5 * n + 8, sizeof(*w->stack));
	if (!start || !w->stack) {
		free(start);
		return hp_fail_memory(g->err);
	}
	w->segment = start + n;
	w->written = start + 2 * n;
	sort_segments(w, start);
	for (int i = 0; i < g->n && status == 0; i++) {
		int32_t node = g->by_first[i];

		if (g->parent[node] < 0 && g->first[node] >= 0)
			status = write_tree(w, node);
	}
	if (status == 0)
		status = hp_rst_build_end(&w->b, g->err);
	if (status == 0)
		status = hp_rst_forest_settle(w->b.t, w->written, g->err);
	free(start);
	return status;
}

int hp_rs3_read(hp_input *in, hp_rst_tree *t, hp_error *err)
{
	hp_rs3_file f;
	hp_rs3_graph g = {0};
	writer w = {.g = &g};
	int status;

	hp_rst_build_start(&w.b, t, hp_input_name(in));
	status = hp_rs3_file_read(in, &f, err);
	if (status == 0)
		status = hp_rs3_graph_make(&f, hp_input_name(in), &g, err);
	if (status == 0)
		status = write_trees(&w);
	if (status == 0)
		status = hp_rs3_place_extras(&g, t);
	free(w.stack);
	hp_rs3_graph_free(&g);
	if (status != 0) {
		t->edus = t->nodes = 0;
	} else {
		t->line = 1;
		t->secedges = f.secedges;
		t->signals = f.signals;
	}
	hp_rs3_file_free(&f);
	return status;
}
