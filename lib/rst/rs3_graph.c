/* rs3_graph.c: which node hangs below which.  Every step takes time in proportion to the number of nodes, and none
 * recurses, whatever hangs below what. */
#include "rst/rs3_graph.h"

#include <stdlib.h>
#include <string.h>

const char *hp_rs3_graph_id(const hp_rs3_graph *g, int32_t i)
{
	size_t size;

	return hp_vocab_at(g->f->ids, g->f->node[i].id, &size);
}

static int fail_node(const hp_rs3_graph *g, int32_t i, const char *what)
{
	return hp_fail_at(g->err, g->name, g->f->node[i].line, "node %.40s %s", hp_rs3_graph_id(g, i), what);
}

static int allocate(hp_rs3_graph *g)
{
	size_t n = g->n;
	int32_t *numbers = calloc(10 * n + 2, sizeof(*numbers));

	g->parent = numbers;
	g->nucleus = calloc(n + 1, sizeof(*g->nucleus));
	if (!numbers || !g->nucleus)
		return hp_fail_memory(g->err);
	g->edu = numbers + n;
	g->kids = numbers + 2 * n;
	g->order = numbers + 3 * n;
	g->content = numbers + 4 * n;
	g->first = numbers + 5 * n;
	g->by_first = numbers + 6 * n;
	g->root = numbers + 7 * n;
	g->kids_at = numbers + 8 * n; /* [n + 1] and as many for filling */
	return 0;
}

void hp_rs3_graph_free(hp_rs3_graph *g)
{
	free(g->parent);
	free(g->nucleus);
}

/* Whether a node's parent is 0 and means that it has none. */
static bool is_no_parent(const hp_rs3_graph *g, int parent, const int32_t *node_of)
{
	size_t size;

	return parent < 0 || (node_of[parent] == 0 && strcmp(hp_vocab_at(g->f->ids, parent, &size), "0") == 0);
}

/* Resolves the names of parents. */
static int find_parents(hp_rs3_graph *g)
{
	int ids = hp_vocab_count(g->f->ids), status = 0;
	int32_t *node_of = calloc((size_t)ids + 1, sizeof(*node_of)); /* from 1; 0: none */

	if (!node_of)
		return hp_fail_memory(g->err);
	for (int i = 0; i < g->n && status == 0; i++) {
		int32_t *slot = &node_of[g->f->node[i].id];

		if (*slot > 0)
			status = hp_fail_at(g->err, g->name, g->f->node[i].line, "a second node %.40s, the first is in line %ld",
			                    hp_rs3_graph_id(g, i), g->f->node[*slot - 1].line);
		*slot = i + 1;
	}
	for (int i = 0; i < g->n && status == 0; i++) {
		const hp_rs3_node *node = &g->f->node[i];
		int parent = node->parent;
		size_t size;

		g->parent[i] = -1;
		if (is_no_parent(g, parent, node_of))
			continue;
		g->parent[i] = node_of[parent] - 1;
		if (node->relation < 0)
			status = hp_fail_at(g->err, g->name, node->line, "a %s that has a parent but no relname",
			                    node->kind == HP_RS3_SEGMENT ? "segment" : "group");
		else if (g->parent[i] < 0)
			status = hp_fail_at(g->err, g->name, node->line, "the parent of node %.40s, node %.40s, does not exist",
			                    hp_rs3_graph_id(g, i), hp_vocab_at(g->f->ids, parent, &size));
	}
	free(node_of);
	return status;
}

static void number_segments(hp_rs3_graph *g)
{
	g->edus = 0;
	for (int i = 0; i < g->n; i++) {
		const hp_rs3_node *node = &g->f->node[i];

		g->edu[i] = node->kind == HP_RS3_SEGMENT && node->text_size > 0 ? g->edus++ : -1;
	}
}

/* Lists every node's children, in the order in which the nodes stand in LIST. */
static void list_kids(hp_rs3_graph *g, const int32_t *list)
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
static int find_order(hp_rs3_graph *g)
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
	memset(g->first, 0, g->n * sizeof(*g->first));
	for (int next = 0; next < done; next++)
		g->first[g->order[next]] = 1;
	for (int i = 0; i < g->n; i++) {
		if (!g->first[i])
			return fail_node(g, i, "hangs in a cycle, expected a way from it to a root");
	}
	return 0;
}

static bool is_span(const hp_rs3_graph *g, int32_t k)
{
	size_t size;

	return strcmp(hp_vocab_at(g->f->relations, g->f->node[k].relation, &size), "span") == 0;
}

static int declared(const hp_rs3_graph *g, int32_t k)
{
	int relation = g->f->node[k].relation;

	return relation < g->f->types ? g->f->type[relation] : 0;
}

/* Which children of group I are nuclei of each other.  SEEN [relations] is all 0 before and after. */
static void choose_nuclei(hp_rs3_graph *g, int32_t i, int32_t *seen)
{
	int32_t from = g->kids_at[i], to = g->kids_at[i + 1];
	int sure = 0;

	for (int32_t k = from; k < to; k++)
		seen[g->f->node[g->kids[k]].relation]++;
	for (int32_t k = from; k < to; k++) {
		int32_t kid = g->kids[k];
		int type = declared(g, kid);
		bool known = type == HP_RS3_DECLARED_RST || type == HP_RS3_DECLARED_MULTINUC;

		g->nucleus[kid] =
			is_span(g, kid) || (known ? type == HP_RS3_DECLARED_MULTINUC : seen[g->f->node[kid].relation] > 1);
		sure += g->nucleus[kid];
	}
	for (int32_t k = from; k < to; k++) {
		seen[g->f->node[g->kids[k]].relation] = 0;
		if (sure == 0 && declared(g, g->kids[k]) != HP_RS3_DECLARED_RST)
			g->nucleus[g->kids[k]] = true;
	}
}

static int find_nuclei(hp_rs3_graph *g)
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
		else if (kind == HP_RS3_MULTINUC || (kind != HP_RS3_SEGMENT && spans == 0))
			choose_nuclei(g, i, seen);
	}
	free(seen);
	return status;
}

/* Finds where every node begins, from the leaves up. */
static int find_firsts(hp_rs3_graph *g)
{
	for (int i = 0; i < g->n; i++)
		g->content[i] = g->first[i] = g->edu[i];
	for (int next = g->n - 1; next >= 0; next--) {
		int32_t i = g->order[next], parent = g->parent[i];

		if (g->content[i] < 0 && g->first[i] >= 0)
			return fail_node(g, i,
			                 g->f->node[i].kind == HP_RS3_SEGMENT
			                     ? "is a segment without text, but other nodes hang below it"
			                     : "has satellites, but no nucleus");
		if (g->first[i] < 0 || parent < 0)
			continue;
		if (g->nucleus[i] && (g->content[parent] < 0 || g->content[parent] > g->first[i]))
			g->content[parent] = g->first[i];
		if (g->first[parent] < 0 || g->first[parent] > g->first[i])
			g->first[parent] = g->first[i];
	}
	return 0;
}

static int sort_by_first(hp_rs3_graph *g)
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

static void find_roots(hp_rs3_graph *g)
{
	for (int next = 0; next < g->n; next++) {
		int32_t i = g->order[next];

		g->root[i] = g->parent[i] < 0 ? i : g->root[g->parent[i]];
	}
}

int hp_rs3_graph_make(const hp_rs3_file *f, const char *name, hp_rs3_graph *g, hp_error *err)
{
	*g = (hp_rs3_graph){.f = f, .name = name, .err = err, .n = f->nodes};
	if (allocate(g) != 0 || find_parents(g) != 0)
		return HP_FAIL;
	number_segments(g);
	if (g->edus == 0)
		return hp_fail_at(err, name, 1, "no segments with text");
	for (int i = 0; i < g->n; i++)
		g->by_first[i] = i;
	list_kids(g, g->by_first);
	if (find_order(g) != 0 || find_nuclei(g) != 0 || find_firsts(g) != 0 || sort_by_first(g) != 0)
		return HP_FAIL;
	find_roots(g);
	list_kids(g, g->by_first);
	return 0;
}
