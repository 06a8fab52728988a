/* binary.c: a binary tree as a list of splits. */
#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "rst/binarize.h"
#include "rst/build.h"
#include "rst/tree.h"
#include "base/utf8.h"
#include "text/edus.h"

static const char *const nuclearity_name[] = {"NS", "SN", "NN"};

/* Everything in one block: the struct, the arrays, the strings (STRINGS bytes, at *CHARS). */
static hp_rst_binary *allocate(int edus, int sents, size_t strings, char **chars)
{
	size_t n = edus, ends = (n + (size_t)sents) * sizeof(int32_t);
	size_t pointers = (2 * n - 1) * sizeof(char *), splits = (n - 1) * sizeof(hp_rst_split);
	hp_rst_binary *b = malloc(sizeof(*b) + pointers + splits + ends + strings);

	if (!b)
		return NULL;
	*b = (hp_rst_binary){.edus = edus, .sents = sents};
	b->text = (const char **)(b + 1);
	b->label = b->text + n;
	b->split = (hp_rst_split *)(b->label + (n - 1));
	b->paragraph = (int32_t *)(b->split + (n - 1));
	b->sent_end = b->paragraph + n;
	*chars = (char *)(b->sent_end + sents);
	return b;
}

static const char *put(char **chars, const char *s, size_t size)
{
	char *start = *chars;

	memcpy(start, s, size);
	start[size] = '\0';
	*chars += size + 1;
	return start;
}

/* Nuclearity and relation of the split of inner node I, whose right half is node R. */
static const char *relation_of(const hp_rst_tree *t, int i, int r, hp_rst_nuclearity *nuclearity)
{
	const hp_rst_node *left = &t->node[i + 1], *right = &t->node[r];

	if (left->role == HP_RST_NUCLEUS && right->role == HP_RST_NUCLEUS)
		*nuclearity = HP_RST_NN;
	else
		*nuclearity = left->role == HP_RST_NUCLEUS ? HP_RST_NS : HP_RST_SN;
	return *nuclearity == HP_RST_SN ? left->relation : right->relation;
}

/* T is binary. */
static int from_tree(const hp_rst_tree *t, hp_rst_binary **out, hp_error *err)
{
	size_t strings = t->id ? strlen(t->id) + 1 : 0;
	hp_rst_binary *b;
	char *chars;
	int splits = 0;

	for (int i = 0; i < t->edus; i++)
		strings += t->edu[i].size + 1;
	for (int i = 0; i < t->nodes; i++)
		strings += strlen(t->node[i].relation) + sizeof("_NS"); /* more than enough: inner nodes only need it */
	b = allocate(t->edus, t->sents, strings, &chars);
	if (!b)
		return hp_fail_memory(err);
	b->line = t->line;
	b->document = t->document;
	if (t->sents > 0)
		memcpy(b->sent_end, t->sent_end, (size_t)t->sents * sizeof(*b->sent_end));
	if (t->id)
		b->id = put(&chars, t->id, strlen(t->id));
	for (int i = 0; i < t->edus; i++) {
		b->text[i] = put(&chars, t->edu[i].text, t->edu[i].size);
		b->paragraph[i] = t->edu[i].paragraph;
	}
	for (int i = 0; i < t->nodes; i++) {
		int r = i + 1 + (t->node[i].size > 1 ? t->node[i + 1].size : 0);
		hp_rst_nuclearity nuclearity;
		const char *relation;

		if (t->node[i].size == 1)
			continue;
		relation = relation_of(t, i, r, &nuclearity);
		b->split[splits] = (hp_rst_split){t->node[i].first, t->node[i + 1].last, t->node[i].last};
		b->label[splits++] = put(&chars, relation, strlen(relation));
		chars[-1] = '_';
		put(&chars, nuclearity_name[nuclearity], 2);
	}
	*out = b;
	return 0;
}

int hp_rst_binary_new(const hp_rst_tree *t, hp_rst_binary **out, hp_error *err)
{
	hp_rst_tree binary;
	int status;

	*out = NULL;
	if (t->edus == 0)
		return hp_fail(err, "a tree without EDUs");
	if (hp_rst_is_binary(t))
		return from_tree(t, out, err);
	hp_rst_tree_init(&binary);
	status = hp_rst_binarize(t, &binary, err);
	if (status == 0)
		status = from_tree(&binary, out, err);
	hp_rst_tree_free(&binary);
	return status;
}

bool hp_rst_label_parts(const char *label, size_t *size, hp_rst_nuclearity *nuclearity)
{
	size_t length = strlen(label);

	if (length < 4 || label[length - 3] != '_')
		return false;
	for (int k = 0; k < 3; k++) {
		if (strcmp(label + length - 2, nuclearity_name[k]) == 0) {
			*size = length - 3;
			*nuclearity = (hp_rst_nuclearity)k;
			return true;
		}
	}
	return false;
}

bool hp_rst_is_name(const char *s, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (hp_is_white(s[i]) || s[i] == '(' || s[i] == ')' || s[i] == '\0')
			return false;
	}
	return size > 0 && hp_utf8_valid_prefix(s, size) == size && !memmem(s, size, "_!", 2) &&
	       (size < 2 || memcmp(s, "//", 2) != 0);
}

/* Checks that the splits are what a walk through a tree meets.  STACK [edus]: spans still to be split, the next one
 * on top; it never runs empty, because what is on it needs as many splits as are left. */
static int check_splits(const hp_rst_split *split, int edus, hp_rst_split *stack, hp_error *err)
{
	int depth = 0;

	stack[depth++] = (hp_rst_split){0, 0, edus - 1};
	for (int i = 0; i < edus - 1; i++) {
		const hp_rst_split *span = &stack[--depth];

		if (split[i].first != span->first || split[i].last != span->last || split[i].mid < span->first ||
		    split[i].mid >= span->last)
			return hp_fail(err, "split %d is (%d, %d, %d), expected a split of EDUs %d to %d, from 0", i + 1,
			               split[i].first, split[i].mid, split[i].last, span->first, span->last);
		if (split[i].mid + 1 < split[i].last)
			stack[depth++] = (hp_rst_split){split[i].mid + 1, 0, split[i].last};
		if (split[i].first < split[i].mid)
			stack[depth++] = (hp_rst_split){split[i].first, 0, split[i].mid};
	}
	return 0;
}

/* Whether S is read back as it is written. */
static bool is_text(const char *s)
{
	size_t size = strlen(s);

	for (size_t i = 0; i < size; i++) {
		if ((s[i] >= '\t' && s[i] <= '\r') || (s[i] == ' ' && (i == 0 || i + 1 == size || s[i + 1] == ' ')))
			return false;
	}
	return size > 0;
}

static int check_parts(int edus, const char *const *text, const hp_rst_split *split, const char *const *label,
                       hp_error *err)
{
	hp_rst_split *stack;
	int status;

	if (edus < 1)
		return hp_fail(err, "a tree without EDUs");
	for (int i = 0; i < edus; i++) {
		if (!is_text(text[i]))
			return hp_fail(err, "the text of EDU %d is empty or has more than single blanks", i + 1);
	}
	for (int i = 0; i < edus - 1; i++) {
		hp_rst_nuclearity nuclearity;
		size_t size;

		if (!hp_rst_label_parts(label[i], &size, &nuclearity))
			return hp_fail(err, "label '%s' does not end in _NS, _SN or _NN", label[i]);
	}
	stack = malloc(edus * sizeof(*stack));
	status = stack ? check_splits(split, edus, stack, err) : hp_fail_memory(err);
	free(stack);
	return status;
}

int hp_rst_binary_make(const char *id, int edus, const char *const *text, const hp_rst_split *split,
                       const char *const *label, hp_rst_binary **out, hp_error *err)
{
	size_t strings = id ? strlen(id) + 1 : 0;
	hp_rst_binary *b;
	char *chars;

	*out = NULL;
	if (check_parts(edus, text, split, label, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < edus; i++)
		strings += strlen(text[i]) + 1;
	for (int i = 0; i < edus - 1; i++)
		strings += strlen(label[i]) + 1;
	b = allocate(edus, 0, strings, &chars);
	if (!b)
		return hp_fail_memory(err);
	if (id)
		b->id = put(&chars, id, strlen(id));
	for (int i = 0; i < edus; i++) {
		b->text[i] = put(&chars, text[i], strlen(text[i]));
		b->paragraph[i] = 0;
	}
	for (int i = 0; i < edus - 1; i++) {
		b->split[i] = split[i];
		b->label[i] = put(&chars, label[i], strlen(label[i]));
	}
	*out = b;
	return 0;
}

/* A span whose node is to be opened, or (first < 0) the end of one. */
typedef struct span {
	int32_t first, last;
	const char *from; /* the label of the split that made it; NULL: the root */
	bool right; /* it is that split's right half */
} span;

static void open_span(hp_rst_build *b, const span *s)
{
	hp_rst_nuclearity nuclearity = HP_RST_NN;
	size_t size = 0;

	if (!s->from) {
		hp_rst_build_open(b, HP_RST_ROOT, "", 0, 0);
		return;
	}
	(void)hp_rst_label_parts(s->from, &size, &nuclearity);
	if (nuclearity == HP_RST_NN)
		hp_rst_build_open(b, HP_RST_NUCLEUS, s->from, size, 0);
	else if (nuclearity == (s->right ? HP_RST_NS : HP_RST_SN))
		hp_rst_build_open(b, HP_RST_SATELLITE, s->from, size, 0);
	else
		hp_rst_build_open(b, HP_RST_NUCLEUS, "span", 4, 0);
}

static void build_nodes(const hp_rst_binary *b, span *stack, hp_rst_build *build)
{
	int depth = 0, next = 0; /* split */

	stack[depth++] = (span){0, b->edus - 1, NULL, false};
	while (depth > 0 && !build->failed) {
		span top = stack[--depth];

		if (top.first < 0) {
			hp_rst_build_close(build);
			continue;
		}
		open_span(build, &top);
		stack[depth++] = (span){-1, -1, NULL, false};
		if (top.first == top.last) {
			hp_rst_build_edu(build, b->text[top.first], strlen(b->text[top.first]), b->paragraph[top.first], 0);
			continue;
		}
		stack[depth++] = (span){b->split[next].mid + 1, top.last, b->label[next], true};
		stack[depth++] = (span){top.first, b->split[next].mid, b->label[next], false};
		next++;
	}
}

int hp_rst_binary_tree(const hp_rst_binary *b, hp_rst_tree *out, hp_error *err)
{
	span *stack = malloc((2 * (size_t)b->edus + 2) * sizeof(*stack));
	hp_rst_build build;

	hp_rst_build_start(&build, out, "");
	if (stack)
		build_nodes(b, stack, &build);
	else
		build.failed = true;
	free(stack);
	if (hp_rst_build_end(&build, err) != 0)
		return HP_FAIL;
	out->line = b->line;
	out->document = b->document;
	if (b->id && !(out->id = hp_rst_copy(out, b->id, strlen(b->id))))
		return hp_fail_memory(err);
	return b->sents > 0 ? hp_rst_set_sentences(out, b->sents, b->sent_end, err) : 0;
}

void hp_rst_binary_destroy(hp_rst_binary *b)
{
	free(b);
}
