/* rs3_extras.c: which EDUs the secondary edges and signals of .rs4 are about. */
#include <stdlib.h>
#include <string.h>
#include "rst/build.h"
#include "rst/rs3_graph.h"
#include "rst/spans.h"

typedef struct placing {
	const hp_rs3_graph *g;
	hp_rst_tree *t;
	hp_rst_spans spans;
	int32_t *content_last, *last; /* [n] of the graph: as content and first there */
	int32_t *node_of, *edge_of; /* [ids] from 1; 0: none */
} placing;

static int allocate(placing *p)
{
	size_t n = p->g->n, ids = hp_vocab_count(p->g->f->ids);
	hp_rst_extras *x = &p->t->extras;

	p->content_last = calloc(2 * n + 2 * ids + 1, sizeof(*p->content_last));
	x->edge = hp_arena_alloc(p->t->arena, (size_t)p->g->f->extras + 1, sizeof(*x->edge));
	x->signal = hp_arena_alloc(p->t->arena, (size_t)p->g->f->extras + 1, sizeof(*x->signal));
	x->type = hp_arena_alloc(p->t->arena, (size_t)p->g->f->extras + 1, sizeof(*x->type));
	if (!p->content_last || !x->edge || !x->signal || !x->type)
		return hp_fail_memory(p->g->err);
	p->last = p->content_last + n;
	p->node_of = p->last + n;
	p->edge_of = p->node_of + ids;
	return 0;
}

/* Where every node ends, from the leaves up. */
static void find_lasts(placing *p)
{
	const hp_rs3_graph *g = p->g;

	for (int i = 0; i < g->n; i++)
		p->content_last[i] = p->last[i] = g->edu[i];
	for (int next = g->n - 1; next >= 0; next--) {
		int32_t i = g->order[next], parent = g->parent[i];

		if (parent < 0)
			continue;
		if (g->nucleus[i] && p->content_last[parent] < p->last[i])
			p->content_last[parent] = p->last[i];
		if (p->last[parent] < p->last[i])
			p->last[parent] = p->last[i];
	}
}

/* A nucleus with satellites has none to its parent. */
static bool has_relation(const hp_rs3_file *f, int32_t i)
{
	size_t size;

	return f->node[i].relation >= 0 && strcmp(hp_vocab_at(f->relations, f->node[i].relation, &size), "span") != 0;
}

/* The EDUs of what the file calls ID: its own content or, AS_CHILD, what hangs below its parent.  False if the tree has no
 * such node. */
static bool find(const placing *p, int id, bool as_child, int32_t *first, int32_t *last)
{
	int32_t i = id < 0 ? -1 : p->node_of[id] - 1;

	if (i < 0)
		return false;
	as_child = as_child && has_relation(p->g->f, i);
	*first = as_child ? p->g->first[i] : p->g->content[i];
	*last = as_child ? p->last[i] : p->content_last[i];
	return hp_rst_spans_find(&p->spans, *first, *last) >= 0;
}

static int add(placing *p, const hp_rs3_extra *e)
{
	const hp_rs3_file *f = p->g->f;
	hp_rst_extras *x = &p->t->extras;
	const char *attributes = f->text + e->attributes, *relation;
	hp_rst_edge *edge = &x->edge[x->edges];
	hp_rst_signal *signal = &x->signal[x->signals];
	size_t size;

	attributes = hp_rst_copy(p->t, attributes, strlen(attributes));
	if (!attributes)
		return hp_fail_memory(p->g->err);
	if (e->kind == HP_RS3_SIGNAL_TYPE) {
		x->type[x->types++] = attributes;
	} else if (e->kind == HP_RS3_SIGNAL) {
		*signal = (hp_rst_signal){.edge = -1, .attributes = attributes};
		if (e->source >= 0 && p->node_of[e->source] == 0)
			signal->edge = p->edge_of[e->source] - 1;
		x->signals += signal->edge >= 0 || find(p, e->source, true, &signal->first, &signal->last);
	} else if (e->relation >= 0 && find(p, e->source, false, &edge->first, &edge->last) &&
	           find(p, e->target, false, &edge->to_first, &edge->to_last)) {
		relation = hp_vocab_at(f->relations, e->relation, &size);
		edge->relation = hp_rst_copy(p->t, relation, size);
		edge->attributes = attributes;
		if (!edge->relation)
			return hp_fail_memory(p->g->err);
		x->edges++;
		if (e->id >= 0 && p->edge_of[e->id] == 0)
			p->edge_of[e->id] = x->edges;
	}
	return 0;
}

static int add_all(placing *p)
{
	const hp_rs3_file *f = p->g->f;
	int status = 0;

	for (int i = 0; i < p->g->n; i++)
		p->node_of[f->node[i].id] = i + 1;
	/* signals may come before the edges that they are of */
	for (int i = 0; i < f->extras && status == 0; i++) {
		if (f->extra[i].kind == HP_RS3_EDGE)
			status = add(p, &f->extra[i]);
	}
	for (int i = 0; i < f->extras && status == 0; i++) {
		if (f->extra[i].kind != HP_RS3_EDGE)
			status = add(p, &f->extra[i]);
	}
	return status;
}

int hp_rs3_place_extras(const hp_rs3_graph *g, hp_rst_tree *t)
{
	placing p = {.g = g, .t = t};
	int status;

	if (g->f->extras == 0)
		return 0;
	status = hp_rst_spans_make(t, &p.spans, g->err);
	if (status == 0)
		status = allocate(&p);
	if (status == 0) {
		find_lasts(&p);
		status = add_all(&p);
	}
	free(p.content_last);
	hp_rst_spans_free(&p.spans);
	return status;
}
