/* binarize.c: makes a tree binary: from the leaves up as a pool of pairs, which are then written out in preorder. */
#include "rst/binarize.h"

#include <stdlib.h>
#include <string.h>
#include "rst/build.h"

typedef struct pair {
	int32_t left, right; /* -1: a leaf */
	int32_t edu; /* of a leaf */
	hp_rst_role role; /* to what it is joined to */
	const char *relation;
	long line;
} pair;

typedef struct pool {
	const hp_rst_tree *t;
	pair *pair;
	int32_t count;
	int32_t *top; /* [nodes of t] the pair that stands for each node */
	int32_t *nucleus, *satellite; /* [edus] of the node being worked on */
} pool;

static int32_t add(pool *p, int32_t left, int32_t right, const pair *as)
{
	pair *new = &p->pair[p->count];

	*new = *as;
	new->left = left;
	new->right = right;
	return p->count++;
}

static void make_nucleus(pair *p)
{
	p->role = HP_RST_NUCLEUS;
	p->relation = "span";
}

/* The nucleus and its satellite take the nucleus' place. */
static int32_t join(pool *p, int32_t left, int32_t right, bool right_nucleus)
{
	int32_t nucleus = right_nucleus ? right : left;
	int32_t joined = add(p, left, right, &p->pair[nucleus]);

	make_nucleus(&p->pair[nucleus]);
	return joined;
}

/* Right-branching: from the last nucleus to the first. */
static int32_t join_nuclei(pool *p, int count)
{
	int32_t core = p->nucleus[count - 1];

	for (int i = count - 2; i >= 0; i--)
		core = add(p, p->nucleus[i], core, &p->pair[core]);
	return core;
}

/* Makes the pairs of node I, whose children have theirs. */
static void join_children(pool *p, int i)
{
	const hp_rst_node *node = p->t->node;
	int before = 0, nuclei = 0, waiting = 0; /* satellites[before ... before + waiting - 1] follow the last nucleus */
	int32_t core;

	for (int c = i + 1; c < i + node[i].size; c += node[c].size) {
		if (node[c].role == HP_RST_SATELLITE) {
			p->satellite[before + waiting] = p->top[c];
			*(nuclei == 0 ? &before : &waiting) += 1;
			continue;
		}
		for (int s = 0; s < waiting; s++)
			p->nucleus[nuclei - 1] = join(p, p->nucleus[nuclei - 1], p->satellite[before + s], false);
		waiting = 0;
		p->nucleus[nuclei++] = p->top[c];
	}
	core = join_nuclei(p, nuclei);
	for (int s = 0; s < before || s < waiting; s++) {
		if (s < waiting)
			core = join(p, core, p->satellite[before + s], false);
		if (s < before)
			core = join(p, p->satellite[before - 1 - s], core, true);
	}
	p->top[i] = core;
	p->pair[core].role = node[i].role;
	p->pair[core].relation = node[i].relation;
	p->pair[core].line = node[i].line;
}

static void make_pairs(pool *p)
{
	for (int i = p->t->nodes - 1; i >= 0; i--) {
		const hp_rst_node *node = &p->t->node[i];
		pair leaf = {-1, -1, node->first, node->role, node->relation, node->line};

		if (node->size > 1)
			join_children(p, i);
		else
			p->top[i] = add(p, -1, -1, &leaf);
	}
}

/* The tree of ROOT, in preorder by a stack; -1 on it closes a node. */
static void write_out(const pool *p, int32_t root, int32_t *stack, hp_rst_build *b)
{
	int depth = 0;

	stack[depth++] = root;
	while (depth > 0) {
		int32_t i = stack[--depth];
		const pair *top = i < 0 ? NULL : &p->pair[i];

		if (!top) {
			hp_rst_build_close(b);
			continue;
		}
		hp_rst_build_open(b, top->role, top->relation, strlen(top->relation), top->line);
		stack[depth++] = -1;
		if (top->left < 0) {
			const hp_rst_edu *edu = &p->t->edu[top->edu];

			hp_rst_build_edu(b, edu->text, edu->size, edu->paragraph, edu->line);
		} else {
			stack[depth++] = top->right;
			stack[depth++] = top->left;
		}
	}
}

int hp_rst_binarize(const hp_rst_tree *t, hp_rst_tree *out, hp_error *err)
{
	size_t edus = t->edus;
	pool p = {.t = t};
	int32_t *numbers = calloc((size_t)t->nodes + 2 * edus + 4 * edus, sizeof(*numbers));
	hp_rst_build b;
	int status = HP_FAIL;

	hp_rst_build_start(&b, out, "");
	p.pair = calloc(2 * edus, sizeof(*p.pair));
	if (numbers && p.pair && t->nodes > 0) {
		p.top = numbers;
		p.nucleus = numbers + t->nodes;
		p.satellite = p.nucleus + edus;
		make_pairs(&p);
		for (int i = 0; i < t->nodes; i += t->node[i].size)
			write_out(&p, p.top[i], p.satellite + edus, &b);
	} else if (t->nodes > 0) {
		b.failed = true;
	}
	status = hp_rst_build_end(&b, err);
	free(numbers);
	free(p.pair);
	return status == 0 ? hp_rst_copy_heading(t, out, err) : HP_FAIL;
}
