/* keep.c: trees get what an annotator has said of their documents. */
#include "rst/keep.h"

#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "rst/build.h"
#include "rst/documents.h"
#include "rst/spans.h"

struct hp_rst_keep {
	char *name; /* the file's */
	int trees, applied;
	hp_rst_tree *tree; /* [trees] */
	size_t capacity;
};

static int read_all(hp_rst_keep *k, hp_rst_documents *docs, hp_error *err)
{
	for (;;) {
		if (!hp_grow(&k->tree, &k->capacity, (size_t)k->trees + 1, sizeof(*k->tree)))
			return hp_fail_memory(err);
		hp_rst_tree *t = &k->tree[k->trees++];
		hp_rst_tree_init(t);
		int status = hp_rst_documents_next(docs, t, err);
		if (status != 1) {
			hp_rst_tree_free(&k->tree[--k->trees]);
			return status;
		}
	}
}

int hp_rst_keep_read(hp_input *in, hp_warn *warn, void *arg, hp_rst_keep **out, hp_error *err)
{
	hp_rst_keep *k = calloc(1, sizeof(*k));
	hp_rst_documents *docs = NULL;
	int status;

	*out = NULL;
	if (!k || !(k->name = strdup(hp_input_name(in)))) {
		free(k);
		return hp_fail_memory(err);
	}
	status = hp_rst_documents_new(in, NULL, &docs, err);
	if (status == 0) {
		hp_rst_documents_on_warning(docs, warn, arg);
		status = read_all(k, docs, err);
	}
	hp_rst_documents_destroy(docs);
	if (status == 0)
		*out = k;
	else
		hp_rst_keep_destroy(k);
	return status;
}

void hp_rst_keep_destroy(hp_rst_keep *k)
{
	if (!k)
		return;
	for (int i = 0; i < k->trees; i++)
		hp_rst_tree_free(&k->tree[i]);
	free(k->tree);
	free(k->name);
	free(k);
}

/* ---- the document ---- */

/* The one of the same name, or else the one in T's place; NULL: there is none. */
static const hp_rst_tree *find_document(const hp_rst_keep *k, const hp_rst_tree *t, int place)
{
	for (int i = 0; i < k->trees; i++) {
		if (strcmp(k->tree[i].id, t->id) == 0)
			return &k->tree[i];
	}
	return place < k->trees ? &k->tree[place] : NULL;
}

/* T gets FROM's texts, which may have white space elsewhere. */
static int take_edus(const hp_rst_keep *k, const hp_rst_tree *from, hp_rst_tree *t, hp_error *err)
{
	if (from->edus != t->edus)
		return hp_fail(err, "'%.80s' has %d EDUs, but '%.80s' of %s, which is to be kept, %d", t->id, t->edus, from->id,
		               k->name, from->edus);
	for (int e = 0; e < t->edus; e++) {
		hp_rst_edu *a = &t->edu[e];
		const hp_rst_edu *b = &from->edu[e];

		if (!hp_rst_same_text(a, b))
			return hp_fail(err, "EDU %d of '%.80s' is '%.40s', but of '%.80s' of %s, which is to be kept, '%.40s'",
			               e + 1, t->id, a->text, from->id, k->name, b->text);
		a->text = hp_rst_copy(t, b->text, b->size);
		a->size = b->size;
		if (!a->text)
			return hp_fail_memory(err);
	}
	return 0;
}

/* ---- nodes ---- */

typedef struct mending {
	const hp_rst_tree *from;
	hp_rst_tree *t;
	const char **relation; /* [t->nodes] what a node gets, from FROM; NULL: it keeps its own */
	hp_rst_role *role; /* [t->nodes] with it */
	bool *drop; /* [t->nodes] */
} mending;

/* Node I of FROM, if it has children that T has as well. */
static void mend_node(mending *m, const hp_rst_spans *spans, int i)
{
	const hp_rst_node *node = m->from->node;
	int end = i + node[i].size, above = hp_rst_spans_find(spans, node[i].first, node[i].last);

	if (above < 0 || node[i].size == 1)
		return;
	for (int c = i + 1; c < end; c += node[c].size) {
		if (hp_rst_spans_find(spans, node[c].first, node[c].last) < 0)
			return;
	}
	for (int c = i + 1; c < end; c += node[c].size) {
		int k = hp_rst_spans_find(spans, node[c].first, node[c].last);

		m->relation[k] = node[c].relation;
		m->role[k] = node[c].role;
	}
	for (int k = above + 1; k < above + m->t->node[above].size;) {
		m->drop[k] = !m->relation[k];
		k += m->drop[k] ? 1 : m->t->node[k].size;
	}
}

/* Takes out what is to be dropped, and gives the others roles and relations. */
static int rebuild(mending *m, hp_error *err)
{
	hp_rst_tree *t = m->t;
	int kept = 0, open = -1; /* in the new numbering */

	for (int i = 0; i < t->nodes; i++) {
		hp_rst_node node = t->node[i];

		if (m->drop[i])
			continue;
		while (open >= 0 && t->node[open].last < node.first)
			open = t->node[open].parent;
		node.parent = open;
		node.size = 1;
		if (m->relation[i]) {
			node.role = m->role[i];
			node.relation = hp_rst_copy(t, m->relation[i], strlen(m->relation[i]));
			if (!node.relation)
				return hp_fail_memory(err);
		}
		t->node[kept] = node;
		open = kept++;
	}
	t->nodes = kept;
	for (int i = kept - 1; i > 0; i--) {
		if (t->node[i].parent >= 0)
			t->node[t->node[i].parent].size += t->node[i].size;
	}
	return 0;
}

static int mend(const hp_rst_tree *from, hp_rst_tree *t, hp_error *err)
{
	size_t n = (size_t)t->nodes;
	mending m = {.from = from,
	             .t = t,
	             .relation = calloc(n, sizeof(*m.relation)),
	             .role = calloc(n, sizeof(*m.role)),
	             .drop = calloc(n, sizeof(*m.drop))};
	hp_rst_spans spans = {0};
	int status = m.relation && m.role && m.drop ? hp_rst_spans_make(t, &spans, err) : hp_fail_memory(err);

	for (int i = 0; i < from->nodes && status == 0; i++)
		mend_node(&m, &spans, i);
	if (status == 0)
		status = rebuild(&m, err);
	hp_rst_spans_free(&spans);
	free(m.relation);
	free(m.role);
	free(m.drop);
	return status;
}

int hp_rst_keep_apply(hp_rst_keep *k, hp_rst_tree *t, hp_error *err)
{
	const hp_rst_tree *from = find_document(k, t, k->applied++);

	if (!from)
		return hp_fail(err, "no document '%.80s' in %s, which is to be kept", t->id, k->name);
	return take_edus(k, from, t, err) == 0 ? mend(from, t, err) : HP_FAIL;
}
