/* rels_write.c: a tree as a table of the relations between its EDUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "rst/notation.h"

/* How an EDU depends on another. */
typedef struct edge {
	int32_t head; /* -1: on none */
	const char *relation;
	bool part; /* of the same unit */
	int32_t parts, next; /* the first of the parts that depend on it; the next one of its head; -1: none */
} edge;

typedef struct table {
	const hp_rst_tree *t;
	FILE *out;
	edge *edge; /* [edus] */
	int32_t *head; /* [nodes] EDUs */
	int32_t *start; /* [edus + 1] tokens: hp_rst_count_tokens */
	int32_t *sent; /* [edus] the first EDU of each one's sentence; -1: unknown */
	int32_t *sent_last; /* [edus] of the sentence that each begins */
	int32_t *unit[2]; /* [edus] the EDUs of both units of a row */
} table;

/* ---- who depends on whom ---- */

/* same-unit, Same-Unit, sameunit, same_unit, and with more behind a hyphen. */
static bool is_same_unit(const char *relation)
{
	static const char word[] = "sameunit";
	size_t found = 0;

	for (; *relation && word[found]; relation++) {
		if (*relation == '-' || *relation == '_')
			continue;
		if ((*relation | ' ') != word[found++])
			return false;
	}
	return !word[found] && (*relation == '\0' || *relation == '-');
}

static void depend(table *w, int32_t edu, int32_t head, const char *relation)
{
	w->edge[edu].head = head;
	w->edge[edu].relation = relation;
	w->edge[edu].part = is_same_unit(relation);
}

/* The children of inner node I, whose heads are known. */
static void link_children(table *w, int i)
{
	const hp_rst_node *node = w->t->node;
	int nuclei, first = 0, before = 0,
				left; /* nuclei: the first one; the one to the left; those that are still to come */

	(void)hp_rst_children(w->t, i, &nuclei);
	for (int c = i + 1; c < i + node[i].size && first == 0; c += node[c].size)
		first = node[c].role == HP_RST_NUCLEUS || nuclei == 0 ? c : 0;
	w->head[i] = w->head[first];
	left = nuclei;
	for (int c = i + 1; c < i + node[i].size; c += node[c].size) {
		bool nucleus = node[c].role == HP_RST_NUCLEUS;

		left -= nucleus;
		if (c != first)
			depend(w, w->head[c], w->head[!nucleus && before > 0 && left > 0 ? before : first], node[c].relation);
		before = nucleus ? c : before;
	}
}

static void link_all(table *w)
{
	const hp_rst_tree *t = w->t;

	for (int e = 0; e < t->edus; e++)
		w->edge[e] = (edge){.head = -1, .parts = -1, .next = -1};
	for (int i = t->nodes - 1; i >= 0; i--) {
		if (t->node[i].size == 1)
			w->head[i] = t->node[i].first;
		else
			link_children(w, i);
	}
	for (int e = t->edus - 1; e >= 0; e--) {
		edge *head = w->edge[e].part ? &w->edge[w->edge[e].head] : NULL;

		if (!head)
			continue;
		w->edge[e].next = head->parts;
		head->parts = e;
	}
}

static void find_sentences(table *w)
{
	const hp_rst_tree *t = w->t;
	bool known = t->sents > 0 || !t->document;
	int32_t first = 0;

	for (int e = 0; e < t->edus; e++)
		w->sent[e] = known ? 0 : -1;
	for (int s = 0; s < t->sents; first = t->sent_end[s++] + 1) {
		w->sent_last[first] = t->sent_end[s];
		for (int32_t e = first; e <= t->sent_end[s]; e++)
			w->sent[e] = first;
	}
	if (known && t->sents == 0)
		w->sent_last[0] = t->edus - 1;
}

/* ---- a row ---- */

static int compare(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* EDU and its parts, and theirs, in the order of the text; returns how many. */
static int collect(const table *w, int32_t edu, int32_t *unit)
{
	int n = 0;

	unit[n++] = edu;
	for (int i = 0; i < n; i++) {
		for (int32_t part = w->edge[unit[i]].parts; part >= 0; part = w->edge[part].next)
			unit[n++] = part;
	}
	qsort(unit, (size_t)n, sizeof(*unit), compare);
	return n;
}

static void put_range(int32_t first, int32_t last, FILE *out)
{
	if (first == last)
		fprintf(out, "%d", first);
	else
		fprintf(out, "%d-%d", first, last);
}

static void put_unit_tokens(const table *w, const int32_t *unit, int n)
{
	for (int i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && unit[k] == unit[k - 1] + 1; k++)
			;
		fputs(i > 0 ? "," : "", w->out);
		put_range(w->start[unit[i]] + 1, w->start[unit[k - 1] + 1], w->out);
	}
	putc('\t', w->out);
}

static void put_edu(const table *w, int32_t edu)
{
	fwrite(w->t->edu[edu].text, 1, w->t->edu[edu].size, w->out);
}

static void put_unit_text(const table *w, const int32_t *unit, int n)
{
	for (int i = 0; i < n; i++) {
		if (i > 0)
			fputs(unit[i] == unit[i - 1] + 1 ? " " : " <*> ", w->out);
		put_edu(w, unit[i]);
	}
	putc('\t', w->out);
}

static void put_sentence_tokens(const table *w, int32_t edu)
{
	int32_t first = w->sent[edu];

	if (first < 0)
		putc('_', w->out);
	else
		put_range(w->start[first] + 1, w->start[w->sent_last[first] + 1], w->out);
	putc('\t', w->out);
}

static void put_sentence_text(const table *w, int32_t edu)
{
	int32_t first = w->sent[edu];

	if (first < 0)
		putc('_', w->out);
	for (int32_t e = first; first >= 0 && e <= w->sent_last[first]; e++) {
		fputs(e > first ? " " : "", w->out);
		put_edu(w, e);
	}
	putc('\t', w->out);
}

/* The class is what stands before a hyphen that a small letter follows: joint-list, but Topic-Comment. */
static size_t class_size(const char *relation)
{
	const char *hyphen = strchr(relation, '-');

	return hyphen && hyphen > relation && hyphen[1] >= 'a' && hyphen[1] <= 'z' ? (size_t)(hyphen - relation)
	                                                                           : strlen(relation);
}

static void put_row(const table *w, int32_t edu)
{
	const edge *e = &w->edge[edu];
	int n[2] = {collect(w, edu, w->unit[0]), collect(w, e->head, w->unit[1])};
	int first = w->unit[0][0] < w->unit[1][0] ? 0 : 1; /* the dependent's is unit 1 */
	const int32_t *one = w->unit[first], *two = w->unit[1 - first];
	int size1 = n[first], size2 = n[1 - first];

	for (const char *p = w->t->id ? w->t->id : "_"; *p; p++)
		putc((unsigned char)*p < ' ' ? ' ' : *p, w->out);
	putc('\t', w->out);
	put_unit_tokens(w, one, size1);
	put_unit_tokens(w, two, size2);
	put_unit_text(w, one, size1);
	put_unit_text(w, two, size2);
	put_sentence_tokens(w, one[0]);
	put_sentence_tokens(w, two[0]);
	put_sentence_text(w, one[0]);
	put_sentence_text(w, two[0]);
	fprintf(w->out, "%s\t%s\t%.*s\n", first == 0 ? "1>2" : "1<2", e->relation, (int)class_size(e->relation),
	        e->relation);
}

int hp_rels_write(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	size_t n = (size_t)t->edus;
	table w = {.t = t, .out = out, .start = hp_rst_count_tokens(t)};
	int32_t *numbers = calloc(4 * n + (size_t)t->nodes + 1, sizeof(*numbers));
	int status = 0;

	errno = 0;
	w.edge = calloc(n + 1, sizeof(*w.edge));
	if (w.start && w.edge && numbers) {
		w.sent = numbers;
		w.sent_last = numbers + n;
		w.unit[0] = numbers + 2 * n;
		w.unit[1] = numbers + 3 * n;
		w.head = numbers + 4 * n;
		link_all(&w);
		find_sentences(&w);
		for (int32_t e = 0; e < t->edus; e++) {
			if (w.edge[e].head >= 0 && !w.edge[e].part)
				put_row(&w, e);
		}
		status = ferror(out) ? hp_fail(err, "write error: %s", strerror(errno)) : 0;
	} else {
		status = hp_fail_memory(err);
	}
	free(w.start);
	free(w.edge);
	free(numbers);
	return status;
}
