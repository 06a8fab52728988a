/* rs3.c: the tree that an .rs3 file describes.  Every step takes time in proportion to the number of nodes, and none
 * recurses, whatever hangs below what. */
#include "rst/rs3.h"

#include <stdlib.h>
#include <string.h>
#include "rst/build.h"
#include "rst/rs3_file.h"

typedef enum mode { BUILD, CONTENT, CLOSE } mode;

/* A node to be written: with its satellites, without, or its end. */
typedef struct item {
	int32_t node;
	mode mode;
	hp_rst_role role;
	int relation; /* -1: "span" or, for the root, none */
} item;

typedef struct graph {
	const hp_rs3_file *f;
	const char *name;
	hp_error *err;
	int n, edus;
	int32_t *parent; /* [n] node or -1 */
	int32_t *edu; /* [n] number of a segment, from 0; -1 for a group */
	int32_t *kids, *kids_at; /* the children of i are kids[kids_at[i]] ... kids[kids_at[i + 1] - 1] */
	int32_t *order; /* [n] parents before children */
	int32_t *content, *first; /* [n] first EDU of the node's own content; of it with its satellites; -1: nothing */
	int32_t *by_first; /* [n] scratch */
	bool *nucleus; /* [n] of its parent */
	item *stack;
} graph;

static const char *id_of(const graph *g, int32_t i)
{
	size_t size;

	return hp_vocab_at(g->f->ids, g->f->node[i].id, &size);
}

static int fail_node(const graph *g, int32_t i, const char *what)
{
	return hp_fail_at(g->err, g->name, g->f->node[i].line, "node %.40s %s", id_of(g, i), what);
}

static int allocate(graph *g)
{
	size_t n = (size_t)g->n;
	int32_t *numbers = calloc(9 * n + 2, sizeof(*numbers));

	g->parent = numbers;
	g->nucleus = calloc(n + 1, sizeof(*g->nucleus));
	g->stack = calloc(5 * n + 8, sizeof(*g->stack));
	if (!numbers || !g->nucleus || !g->stack)
		return hp_fail_memory(g->err);
	g->edu = numbers + n;
	g->kids = numbers + 2 * n;
	g->order = numbers + 3 * n;
	g->content = numbers + 4 * n;
	g->first = numbers + 5 * n;
	g->by_first = numbers + 6 * n;
	g->kids_at = numbers + 7 * n; /* [n + 1] and as many for filling */
	return 0;
}

static void release(graph *g)
{
	free(g->parent);
	free(g->nucleus);
	free(g->stack);
}

/* Resolves the names of parents. */
static int find_parents(graph *g)
{
	int ids = hp_vocab_count(g->f->ids), status = 0;
	int32_t *node_of = calloc((size_t)ids + 1, sizeof(*node_of)); /* from 1; 0: none */

	if (!node_of)
		return hp_fail_memory(g->err);
	for (int i = 0; i < g->n && status == 0; i++) {
		int32_t *slot = &node_of[g->f->node[i].id];

		if (*slot > 0)
			status = hp_fail_at(g->err, g->name, g->f->node[i].line, "a second node %.40s, the first is in line %ld",
			                    id_of(g, i), g->f->node[*slot - 1].line);
		*slot = i + 1;
	}
	for (int i = 0; i < g->n && status == 0; i++) {
		int parent = g->f->node[i].parent;
		size_t size;

		g->parent[i] = parent < 0 ? -1 : node_of[parent] - 1;
		if (parent >= 0 && g->parent[i] < 0)
			status = hp_fail_at(g->err, g->name, g->f->node[i].line, "the parent of node %.40s, node %.40s, does not exist",
			                    id_of(g, i), hp_vocab_at(g->f->ids, parent, &size));
	}
	free(node_of);
	return status;
}

/* The number that ID is, if it is written as rstWeb writes it; else 0. */
static int plain_number(const char *id)
{
	int value = 0;

	if (*id == '0' || strlen(id) > 8)
		return 0;
	for (; *id; id++) {
		if (*id < '0' || *id > '9')
			return 0;
		value = 10 * value + (*id - '0');
	}
	return value;
}

/* Gives each segment its number: by its id if the ids are 1 ... count (they are unique), else as they come. */
static void number_segments(graph *g)
{
	bool by_id = true;

	g->edus = 0;
	for (int i = 0; i < g->n; i++)
		g->edus += g->f->node[i].kind == HP_RS3_SEGMENT;
	for (int i = 0; i < g->n && by_id; i++) {
		int number = plain_number(id_of(g, i));

		if (g->f->node[i].kind == HP_RS3_SEGMENT)
			by_id = number >= 1 && number <= g->edus;
	}
	for (int i = 0, next = 0; i < g->n; i++) {
		g->edu[i] = -1;
		if (g->f->node[i].kind == HP_RS3_SEGMENT)
			g->edu[i] = by_id ? plain_number(id_of(g, i)) - 1 : next++;
	}
}

/* Lists every node's children, in the order in which the nodes stand in LIST. */
static void list_kids(graph *g, const int32_t *list)
{
	int32_t *fill = g->kids_at + g->n + 1;

	memset(g->kids_at, 0, ((size_t)g->n + 1) * sizeof(*g->kids_at));
	for (int i = 0; i < g->n; i++) {
		if (g->parent[i] >= 0)
			g->kids_at[g->parent[i] + 1]++;
	}
	for (int i = 0; i < g->n; i++) {
		g->kids_at[i + 1] += g->kids_at[i];
		fill[i] = g->kids_at[i];
	}
	for (int i = 0; i < g->n; i++) {
		int32_t k = list[i];

		if (g->parent[k] >= 0)
			g->kids[fill[g->parent[k]]++] = k;
	}
}

/* Puts parents before children; what cannot be reached from a root hangs in a cycle. */
static int find_order(graph *g)
{
	int done = 0;

	for (int i = 0; i < g->n; i++) {
		if (g->parent[i] < 0)
			g->order[done++] = i;
	}
	for (int next = 0; next < done; next++) {
		int32_t i = g->order[next];

		for (int32_t k = g->kids_at[i]; k < g->kids_at[i + 1]; k++)
			g->order[done++] = g->kids[k];
	}
	if (done == g->n)
		return 0;
	memset(g->first, 0, (size_t)g->n * sizeof(*g->first));
	for (int next = 0; next < done; next++)
		g->first[g->order[next]] = 1;
	for (int i = 0; i < g->n; i++) {
		if (!g->first[i])
			return fail_node(g, i, "hangs in a cycle, expected a way from it to a root");
	}
	return 0;
}

static bool is_span(const graph *g, int32_t k)
{
	size_t size;

	return strcmp(hp_vocab_at(g->f->relations, g->f->node[k].relation, &size), "span") == 0;
}

static int declared(const graph *g, int32_t k)
{
	int relation = g->f->node[k].relation;

	return relation < g->f->types ? g->f->type[relation] : 0;
}

/* Which children of multinuc I are nuclei.  SEEN [relations] is all 0 before and after. */
static void choose_nuclei(graph *g, int32_t i, int32_t *seen)
{
	int32_t from = g->kids_at[i], to = g->kids_at[i + 1];
	int sure = 0;

	for (int32_t k = from; k < to; k++)
		seen[g->f->node[g->kids[k]].relation]++;
	for (int32_t k = from; k < to; k++) {
		int32_t kid = g->kids[k];
		int type = declared(g, kid);
		bool known = type == HP_RS3_DECLARED_RST || type == HP_RS3_DECLARED_MULTINUC;

		g->nucleus[kid] = is_span(g, kid) ||
			(known ? type == HP_RS3_DECLARED_MULTINUC : seen[g->f->node[kid].relation] > 1);
		sure += g->nucleus[kid];
	}
	for (int32_t k = from; k < to; k++) {
		seen[g->f->node[g->kids[k]].relation] = 0;
		if (sure == 0 && declared(g, g->kids[k]) != HP_RS3_DECLARED_RST)
			g->nucleus[g->kids[k]] = true;
	}
}

static int find_nuclei(graph *g)
{
	int32_t *seen = calloc((size_t)hp_vocab_count(g->f->relations) + 1, sizeof(*seen));
	int status = seen ? 0 : hp_fail_memory(g->err);

	for (int i = 0; i < g->n && status == 0; i++) {
		hp_rs3_kind kind = g->f->node[i].kind;
		int spans = 0;

		for (int32_t k = g->kids_at[i]; k < g->kids_at[i + 1]; k++) {
			g->nucleus[g->kids[k]] = is_span(g, g->kids[k]);
			spans += g->nucleus[g->kids[k]];
		}
		if (kind == HP_RS3_SEGMENT && spans > 0)
			status = fail_node(g, i, "is a segment with a span child, expected a group");
		else if (kind != HP_RS3_MULTINUC && spans > 1)
			status = fail_node(g, i, "has several span children, expected one");
		else if (kind == HP_RS3_MULTINUC || (kind == HP_RS3_GROUP && spans == 0))
			choose_nuclei(g, i, seen);
	}
	free(seen);
	return status;
}

/* Finds where every node begins, from the leaves up. */
static int find_firsts(graph *g)
{
	for (int i = 0; i < g->n; i++)
		g->content[i] = g->first[i] = g->edu[i];
	for (int next = g->n - 1; next >= 0; next--) {
		int32_t i = g->order[next], parent = g->parent[i];

		if (g->content[i] < 0 && g->first[i] >= 0)
			return fail_node(g, i, "has satellites, but no nucleus");
		if (g->first[i] < 0 || parent < 0)
			continue;
		if (g->nucleus[i] && (g->content[parent] < 0 || g->content[parent] > g->first[i]))
			g->content[parent] = g->first[i];
		if (g->first[parent] < 0 || g->first[parent] > g->first[i])
			g->first[parent] = g->first[i];
	}
	return 0;
}

/* The nodes in order of their first EDUs, those without any at the end. */
static int sort_by_first(graph *g)
{
	int32_t *count = calloc((size_t)g->edus + 2, sizeof(*count));

	if (!count)
		return hp_fail_memory(g->err);
	for (int i = 0; i < g->n; i++)
		count[(g->first[i] < 0 ? g->edus : g->first[i]) + 1]++;
	for (int e = 0; e < g->edus; e++)
		count[e + 1] += count[e];
	for (int i = 0; i < g->n; i++)
		g->by_first[count[g->first[i] < 0 ? g->edus : g->first[i]]++] = i;
	free(count);
	return 0;
}

static int find_root(const graph *g, int32_t *root)
{
	*root = -1;
	for (int i = 0; i < g->n; i++) {
		if (g->parent[i] >= 0 || g->first[i] < 0)
			continue;
		if (*root >= 0)
			return hp_fail_at(g->err, g->name, g->f->node[i].line, "a second root, node %.40s, beside node %.40s", id_of(g, i),
			                  id_of(g, *root));
		*root = i;
	}
	return *root >= 0 ? 0 : hp_fail_at(g->err, g->name, 1, "no segments");
}

static void open_node(const graph *g, hp_rst_build *b, const item *it)
{
	size_t size = it->role == HP_RST_ROOT ? 0 : 4;
	const char *relation = "span";

	if (it->relation >= 0)
		relation = hp_vocab_at(g->f->relations, it->relation, &size);
	hp_rst_build_open(b, it->role, relation, size, g->f->node[it->node].line);
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
static int push_build(const graph *g, const item *it, int depth, hp_rst_build *b)
{
	item content = { it->node, CONTENT, HP_RST_NUCLEUS, -1 };
	bool pushed = false;
	int bottom = depth + 1;

	g->stack[depth++] = (item){ it->node, CLOSE, HP_RST_NUCLEUS, -1 };
	for (int32_t k = g->kids_at[it->node]; k < g->kids_at[it->node + 1]; k++) {
		int32_t kid = g->kids[k];

		if (g->nucleus[kid] || g->first[kid] < 0)
			continue;
		if (!pushed && g->first[kid] > g->content[it->node]) {
			g->stack[depth++] = content;
			pushed = true;
		}
		g->stack[depth++] = (item){ kid, BUILD, HP_RST_SATELLITE, g->f->node[kid].relation };
	}
	if (depth == bottom) { /* no satellites */
		content.role = it->role;
		content.relation = it->relation;
		g->stack[bottom - 1] = content;
		return depth;
	}
	if (!pushed)
		g->stack[depth++] = content;
	open_node(g, b, it);
	reverse(g->stack, bottom, depth);
	return depth;
}

static int push_content(const graph *g, const item *it, int depth, hp_rst_build *b)
{
	int bottom = depth + 1;

	g->stack[depth++] = (item){ it->node, CLOSE, HP_RST_NUCLEUS, -1 };
	for (int32_t k = g->kids_at[it->node]; k < g->kids_at[it->node + 1]; k++) {
		int32_t kid = g->kids[k];

		if (g->nucleus[kid] && g->first[kid] >= 0)
			g->stack[depth++] = (item){ kid, BUILD, HP_RST_NUCLEUS, g->f->node[kid].relation };
	}
	if (depth == bottom + 1) { /* a single nucleus takes the node's place */
		g->stack[bottom].role = it->role;
		g->stack[bottom].relation = it->relation;
		g->stack[bottom - 1] = g->stack[bottom];
		return bottom;
	}
	open_node(g, b, it);
	reverse(g->stack, bottom, depth);
	return depth;
}

static int add_leaf(const graph *g, const item *it, hp_rst_build *b)
{
	const hp_rs3_node *node = &g->f->node[it->node];

	if (!b->failed && g->edu[it->node] != b->t->edus)
		return hp_fail_at(g->err, g->name, node->line,
		                  "the spans of the tree are not continuous: segment %.40s, EDU %d, comes where EDU %d was expected",
		                  id_of(g, it->node), g->edu[it->node] + 1, b->t->edus + 1);
	open_node(g, b, it);
	hp_rst_build_edu(b, g->f->text + node->text, node->text_size, node->paragraph, node->line);
	hp_rst_build_close(b);
	return 0;
}

static int write_tree(const graph *g, int32_t root, hp_rst_build *b)
{
	int depth = 0;

	g->stack[depth++] = (item){ root, BUILD, HP_RST_ROOT, -1 };
	while (depth > 0 && !b->failed) {
		item it = g->stack[--depth];

		if (it.mode == CLOSE)
			hp_rst_build_close(b);
		else if (it.mode == BUILD)
			depth = push_build(g, &it, depth, b);
		else if (g->f->node[it.node].kind != HP_RS3_SEGMENT)
			depth = push_content(g, &it, depth, b);
		else if (add_leaf(g, &it, b) != 0)
			return HP_FAIL;
	}
	return 0;
}

static int make_tree(graph *g, hp_rst_build *b)
{
	int32_t root;

	if (allocate(g) != 0 || find_parents(g) != 0)
		return HP_FAIL;
	number_segments(g);
	for (int i = 0; i < g->n; i++)
		g->by_first[i] = i;
	list_kids(g, g->by_first);
	if (find_order(g) != 0 || find_nuclei(g) != 0 || find_firsts(g) != 0 || find_root(g, &root) != 0)
		return HP_FAIL;
	if (sort_by_first(g) != 0)
		return HP_FAIL;
	list_kids(g, g->by_first);
	if (write_tree(g, root, b) != 0)
		return HP_FAIL;
	return hp_rst_build_end(b, g->err);
}

int hp_rs3_read(hp_input *in, hp_rst_tree *t, hp_error *err)
{
	hp_rs3_file f;
	hp_rst_build b;
	int status;

	hp_rst_build_start(&b, t, hp_input_name(in));
	status = hp_rs3_file_read(in, &f, err);
	if (status == 0) {
		graph g = { .f = &f, .name = hp_input_name(in), .err = err, .n = f.nodes };

		status = make_tree(&g, &b);
		release(&g);
	}
	hp_rs3_file_free(&f);
	if (status != 0)
		t->edus = t->nodes = 0;
	else
		t->line = 1;
	return status;
}
