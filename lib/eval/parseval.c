/* parseval.c: compares the nodes of two trees of the same EDUs. */
#include "eval/parseval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const hp_metric hp_parseval_metrics[HP_PARSEVAL_METRICS] = {
	[HP_RST_PARSEVAL_SPAN] = {"Span", HP_KIND_F1},
	[HP_RST_PARSEVAL_NUCLEARITY] = {"Nuclearity", HP_KIND_F1},
	[HP_RST_PARSEVAL_RELATION] = {"Relation", HP_KIND_F1},
	[HP_RST_PARSEVAL_FULL] = {"Full", HP_KIND_F1},
	[HP_PARSEVAL_SPAN] = {"Parseval-Span", HP_KIND_F1},
	[HP_PARSEVAL_NUCLEARITY] = {"Parseval-Nuclearity", HP_KIND_F1},
	[HP_PARSEVAL_RELATION] = {"Parseval-Relation", HP_KIND_F1},
	[HP_PARSEVAL_FULL] = {"Parseval-Full", HP_KIND_F1},
	[HP_PARSEVAL_UCM] = {"UCM", HP_KIND_ACCURACY},
	[HP_PARSEVAL_LCM] = {"LCM", HP_KIND_ACCURACY},
};

/* ---- nodes ---- */

static bool is_inner(const hp_rst_tree *t, int i)
{
	return t->node[i].size > 1;
}

static bool has_parent(const hp_rst_tree *t, int i)
{
	(void)t;
	return i > 0;
}

/* The child of PARENT after CHILD, the first one for 0, or 0 after the last. */
static int next_child(const hp_rst_tree *t, int parent, int child)
{
	int next = child ? child + t->node[child].size : parent + 1;

	return next < parent + t->node[parent].size ? next : 0;
}

static bool same_roles(const hp_rst_tree *g, int i, const hp_rst_tree *s, int j)
{
	int gold = 0, system = 0;

	do {
		gold = next_child(g, i, gold);
		system = next_child(s, j, system);
	} while (gold && system && g->node[gold].role == s->node[system].role);
	return !gold && !system;
}

/* The child after CHILD whose relation is one of those of PARENT: a satellite, or the last nucleus where there is none.
 * 0: no more. */
static int next_related(const hp_rst_tree *t, int parent, int child)
{
	int last = 0;
	bool first = !child;

	while ((child = next_child(t, parent, child)) != 0) {
		if (t->node[child].role == HP_RST_SATELLITE)
			return child;
		last = child;
	}
	return first ? last : 0;
}

/* Behind a last nucleus that stands for the node nothing follows, so one loop serves both cases. */
static bool same_relations(const hp_rst_tree *g, int i, const hp_rst_tree *s, int j)
{
	int gold = 0, system = 0;

	do {
		gold = next_related(g, i, gold);
		system = next_related(s, j, system);
	} while (gold && system && !strcmp(g->node[gold].relation, s->node[system].relation));
	return !gold && !system;
}

/* A pair of nodes, one in each tree, over the same EDUs; begin with { -1, -1 }. */
typedef struct pair {
	int gold, system;
} pair;

/* The next pair of nodes that COUNTS; false after the last.  In preorder nodes are sorted, by their first EDU from the
 * left, then by their last one from the right, so two lists can be merged. */
static bool next_pair(const hp_rst_tree *g, const hp_rst_tree *s, bool (*counts)(const hp_rst_tree *, int), pair *p)
{
	int i = p->gold + 1, j = p->system + 1;

	while (i < g->nodes && j < s->nodes) {
		const hp_rst_node *a = &g->node[i], *b = &s->node[j];

		if (!counts(g, i)) {
			i++;
		} else if (!counts(s, j)) {
			j++;
		} else if (a->first != b->first) {
			a->first < b->first ? i++ : j++;
		} else if (a->last != b->last) {
			a->last > b->last ? i++ : j++;
		} else {
			*p = (pair){i, j};
			return true;
		}
	}
	return false;
}

static int64_t count_nodes(const hp_rst_tree *t, bool (*counts)(const hp_rst_tree *, int))
{
	int64_t n = 0;

	for (int i = 0; i < t->nodes; i++)
		n += counts(t, i);
	return n;
}

/* ---- scores ---- */

/* The four tallies that begin at OUT: span, nuclearity, relation, both. */
static void add_pair(hp_tally *out, bool nuclearity, bool relation)
{
	out[0].correct++;
	out[1].correct += nuclearity;
	out[2].correct += relation;
	out[3].correct += nuclearity && relation;
}

static void set_totals(hp_tally *out, int64_t gold, int64_t system)
{
	for (int m = 0; m < 4; m++)
		out[m] = (hp_tally){.gold = gold, .system = system};
}

static bool is_complete(const hp_tally *t)
{
	return t->gold && t->correct == t->gold && t->correct == t->system;
}

/* The four of the original Parseval. */
static void score_inner(const hp_rst_tree *gold, const hp_rst_tree *system, hp_tally *out)
{
	pair p = {-1, -1};

	set_totals(out, count_nodes(gold, is_inner), count_nodes(system, is_inner));
	while (next_pair(gold, system, is_inner, &p))
		add_pair(out, same_roles(gold, p.gold, system, p.system), same_relations(gold, p.gold, system, p.system));
}

void hp_parseval_score(const hp_rst_tree *gold, const hp_rst_tree *system, hp_tally out[HP_PARSEVAL_METRICS])
{
	const hp_rst_node *g = gold->node, *s = system->node;
	pair p = {-1, -1};
	int64_t trees = gold->edus > 1;

	set_totals(out + HP_RST_PARSEVAL_SPAN, count_nodes(gold, has_parent), count_nodes(system, has_parent));
	while (next_pair(gold, system, has_parent, &p))
		add_pair(out + HP_RST_PARSEVAL_SPAN, g[p.gold].role == s[p.system].role,
		         !strcmp(g[p.gold].relation, s[p.system].relation));
	score_inner(gold, system, out + HP_PARSEVAL_SPAN);
	out[HP_PARSEVAL_UCM] =
		(hp_tally){.correct = trees && is_complete(&out[HP_RST_PARSEVAL_SPAN]), .gold = trees, .system = trees};
	out[HP_PARSEVAL_LCM] =
		(hp_tally){.correct = trees && is_complete(&out[HP_RST_PARSEVAL_FULL]), .gold = trees, .system = trees};
}

/* ---- end to end ---- */

const hp_metric hp_end_to_end_metrics[HP_END_TO_END_METRICS] = {
	[HP_END_TO_END_SEG] = {"Seg", HP_KIND_F1},
	[HP_END_TO_END_SPAN] = {"Parseval-Span", HP_KIND_F1},
	[HP_END_TO_END_NUCLEARITY] = {"Parseval-Nuclearity", HP_KIND_F1},
	[HP_END_TO_END_RELATION] = {"Parseval-Relation", HP_KIND_F1},
	[HP_END_TO_END_FULL] = {"Parseval-Full", HP_KIND_F1},
};

/* The leaf from node I on; T's nodes at the end. */
static int leaf_from(const hp_rst_tree *t, int i)
{
	while (i < t->nodes && is_inner(t, i))
		i++;
	return i;
}

static hp_tally score_ends(const hp_rst_tree *gold, const hp_rst_tree *system)
{
	hp_tally ends = {.gold = gold->edus - 1, .system = system->edus - 1};
	int i = leaf_from(gold, 0), j = leaf_from(system, 0);
	int64_t both = 0;

	while (i < gold->nodes && j < system->nodes) {
		int32_t a = gold->node[i].last, b = system->node[j].last;

		both += a == b;
		if (a <= b)
			i = leaf_from(gold, i + 1);
		if (b <= a)
			j = leaf_from(system, j + 1);
	}
	ends.correct = both - 1; /* not the text's own end */
	return ends;
}

void hp_end_to_end_score(const hp_rst_tree *gold, const hp_rst_tree *system, hp_tally out[HP_END_TO_END_METRICS])
{
	out[HP_END_TO_END_SEG] = score_ends(gold, system);
	score_inner(gold, system, out + HP_END_TO_END_SPAN);
}

int hp_parseval_score_binary(const hp_rst_binary *gold, const hp_rst_binary *system, hp_tally out[HP_PARSEVAL_METRICS],
                             hp_error *err)
{
	hp_rst_tree g, s;
	int status;

	hp_rst_tree_init(&g);
	hp_rst_tree_init(&s);
	status = hp_rst_binary_tree(gold, &g, err);
	if (!status)
		status = hp_rst_binary_tree(system, &s, err);
	if (!status)
		hp_parseval_score(&g, &s, out);
	hp_rst_tree_free(&g);
	hp_rst_tree_free(&s);
	return status;
}

/* ---- broken down ---- */

enum { BY_RELATION, BY_FULL, BY_SPAN, RELATION_METRICS };
static const hp_metric relation_metrics[RELATION_METRICS] = {
	[BY_RELATION] = {"Parseval-Relation", HP_KIND_F1},
	[BY_FULL] = {"Parseval-Full", HP_KIND_F1},
	[BY_SPAN] = {"Parseval-Span", HP_KIND_ACCURACY},
};

static const hp_metric depth_metrics[4] = {
	{"Parseval-Span", HP_KIND_ACCURACY},
	{"Parseval-Nuclearity", HP_KIND_ACCURACY},
	{"Parseval-Relation", HP_KIND_ACCURACY},
	{"Parseval-Full", HP_KIND_ACCURACY},
};

const char *hp_parseval_by_name(hp_parseval_by by)
{
	static const char *const names[HP_PARSEVAL_BYS] = {"edus", "relation", "depth"};
	return names[by];
}

const hp_metric *hp_parseval_by_metrics(hp_parseval_by by, int *metrics)
{
	static const hp_metric *const of[HP_PARSEVAL_BYS] = {hp_parseval_metrics, relation_metrics, depth_metrics};
	static const int count[HP_PARSEVAL_BYS] = {HP_PARSEVAL_METRICS, RELATION_METRICS, 4};

	*metrics = count[by];
	return of[by];
}

int hp_parseval_by_new(hp_parseval_by by, const hp_bins *bins, hp_breakdown **out, hp_error *err)
{
	int metrics;

	hp_parseval_by_metrics(by, &metrics);
	*out = hp_breakdown_new(metrics);
	if (!*out)
		return hp_fail_memory(err);
	if (by == HP_PARSEVAL_BY_RELATION || !hp_breakdown_add_bins(*out, bins, err))
		return 0;
	hp_breakdown_destroy(*out);
	*out = NULL;
	return HP_FAIL;
}

/* The relation of inner node I: several ones joined into *JOINED, which is the caller's to free.  NULL: out of memory. */
static const char *relation_of(const hp_rst_tree *t, int i, char **joined)
{
	int child = next_related(t, i, 0);
	const char *only = t->node[child].relation;
	size_t size;
	FILE *out;

	*joined = NULL;
	if (t->node[child].role != HP_RST_SATELLITE || !next_related(t, i, child))
		return only;
	out = open_memstream(joined, &size);
	if (!out)
		return NULL;
	fputs(only, out);
	while ((child = next_related(t, i, child)) != 0)
		fprintf(out, "+%s", t->node[child].relation);
	if (!fclose(out))
		return *joined;
	free(*joined);
	*joined = NULL;
	return NULL;
}

/* Its tallies; NULL when out of memory. */
static hp_tally *relation_at(hp_breakdown *b, const hp_rst_tree *t, int i)
{
	char *joined;
	const char *name = relation_of(t, i, &joined);
	hp_tally *tallies = name ? hp_breakdown_at(b, name, strlen(name)) : NULL;

	free(joined);
	return tallies;
}

/* Every inner node of T becomes one of its relation's, in SYSTEM or in gold. */
static int add_nodes(hp_breakdown *b, const hp_rst_tree *t, bool system, hp_error *err)
{
	for (int i = 0; i < t->nodes; i++) {
		hp_tally *tallies;

		if (!is_inner(t, i))
			continue;
		tallies = relation_at(b, t, i);
		if (!tallies)
			return hp_fail_memory(err);
		if (system) {
			tallies[BY_RELATION].system++;
			tallies[BY_FULL].system++;
		} else {
			tallies[BY_RELATION].gold++;
			tallies[BY_FULL].gold++;
			tallies[BY_SPAN].gold++;
			tallies[BY_SPAN].system++;
		}
	}
	return 0;
}

static int add_by_relation(hp_breakdown *b, const hp_rst_tree *gold, const hp_rst_tree *system, hp_error *err)
{
	pair p = {-1, -1};

	if (add_nodes(b, gold, false, err) || add_nodes(b, system, true, err))
		return HP_FAIL;
	while (next_pair(gold, system, is_inner, &p)) {
		hp_tally *tallies = relation_at(b, gold, p.gold);
		bool relation = same_relations(gold, p.gold, system, p.system);

		if (!tallies)
			return hp_fail_memory(err);
		tallies[BY_SPAN].correct++;
		tallies[BY_RELATION].correct += relation;
		tallies[BY_FULL].correct += relation && same_roles(gold, p.gold, system, p.system);
	}
	return 0;
}

/* The depth of each node, the caller's to free; NULL when out of memory. */
static int *depths_of(const hp_rst_tree *t)
{
	int *depth = malloc((size_t)t->nodes * sizeof *depth);

	for (int i = 0; depth && i < t->nodes; i++)
		depth[i] = i > 0 ? depth[t->node[i].parent] + 1 : 1;
	return depth;
}

/* The groups of all bins are there. */
static int add_by_depth(hp_breakdown *b, const hp_bins *bins, const hp_rst_tree *gold, const hp_rst_tree *system,
                        hp_error *err)
{
	int *depth = depths_of(gold), *taken = depths_of(system);
	pair p = {-1, -1};

	for (int i = 0; depth && taken && i < gold->nodes; i++)
		for (int m = 0; is_inner(gold, i) && m < 4; m++)
			hp_breakdown_at_bin(b, bins, depth[i])[m].gold++;
	for (int i = 0; depth && taken && i < system->nodes; i++)
		for (int m = 0; is_inner(system, i) && m < 4; m++)
			hp_breakdown_at_bin(b, bins, taken[i])[m].system++;
	while (depth && taken && next_pair(gold, system, is_inner, &p))
		add_pair(hp_breakdown_at_bin(b, bins, depth[p.gold]), same_roles(gold, p.gold, system, p.system),
		         same_relations(gold, p.gold, system, p.system));
	int status = depth && taken ? 0 : hp_fail_memory(err);
	free(depth);
	free(taken);
	return status;
}

int hp_parseval_by_add(hp_parseval_by by, const hp_bins *bins, const hp_rst_tree *gold, const hp_rst_tree *system,
                       hp_breakdown *breakdown, hp_error *err)
{
	hp_tally scores[HP_PARSEVAL_METRICS], *group;

	if (by == HP_PARSEVAL_BY_RELATION)
		return add_by_relation(breakdown, gold, system, err);
	if (by == HP_PARSEVAL_BY_DEPTH)
		return add_by_depth(breakdown, bins, gold, system, err);
	group = hp_breakdown_at_bin(breakdown, bins, gold->edus);
	if (!group)
		return hp_fail_memory(err);
	hp_parseval_score(gold, system, scores);
	hp_tally_add(group, scores, HP_PARSEVAL_METRICS);
	return 0;
}

/* ---- what is taken for what ---- */

int hp_parseval_confusions(hp_confusion out[HP_PARSEVAL_CONFUSIONS], hp_error *err)
{
	return hp_confusion_init(&out[HP_CONFUSED_RELATION], "relation", err) ||
	               hp_confusion_init(&out[HP_CONFUSED_NUCLEARITY], "nuclearity", err)
	           ? HP_FAIL
	           : 0;
}

/* "NS" and the like, the caller's to free; NULL when out of memory. */
static char *roles_of(const hp_rst_tree *t, int i)
{
	char *roles = malloc((size_t)t->node[i].size), *end = roles;

	if (!roles)
		return NULL;
	for (int child = 0; (child = next_child(t, i, child)) != 0;)
		*end++ = t->node[child].role == HP_RST_SATELLITE ? 'S' : 'N';
	*end = '\0';
	return roles;
}

static int add_texts(hp_confusion *c, const char *gold, const char *system, hp_error *err)
{
	return gold && system ? hp_confusion_add(c, gold, strlen(gold), system, strlen(system), err) : hp_fail_memory(err);
}

static int confuse(const hp_rst_tree *gold, const hp_rst_tree *system, pair p, hp_confusion *out, hp_error *err)
{
	char *roles[2] = {roles_of(gold, p.gold), roles_of(system, p.system)}, *joined[2];
	const char *relation = relation_of(gold, p.gold, &joined[0]), *taken = relation_of(system, p.system, &joined[1]);
	int status = add_texts(&out[HP_CONFUSED_RELATION], relation, taken, err);

	if (!status)
		status = add_texts(&out[HP_CONFUSED_NUCLEARITY], roles[0], roles[1], err);
	for (int k = 0; k < 2; k++) {
		free(roles[k]);
		free(joined[k]);
	}
	return status;
}

int hp_parseval_confuse(const hp_rst_tree *gold, const hp_rst_tree *system, hp_confusion out[HP_PARSEVAL_CONFUSIONS],
                        hp_error *err)
{
	pair p = {-1, -1};

	while (next_pair(gold, system, is_inner, &p))
		if (confuse(gold, system, p, out, err))
			return HP_FAIL;
	return 0;
}
