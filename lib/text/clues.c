/* clues.c: tags, relations, and which parts of a tree begin and end at a word. */
#include "text/clues.h"

#include <string.h>

enum { LONGEST = 100 }; /* bytes of a tag or relation: what is longer is none that a model has */

typedef struct tree {
	int n;
	int32_t *head; /* [n] from 0; -1: the root's */
	int32_t *waiting; /* [n] dependants whose parts are not known yet */
	int32_t *left, *right, *size; /* [n] first and last word below each, how many there are */
	int32_t *begins, *ends; /* [n] top of the largest part that begins, that ends at each; -1: none */
} tree;

static bool is_blank(const hp_word *w, int column)
{
	return w->len[column] == 0 || (w->len[column] == 1 && *w->col[column] == '_');
}

static bool make(tree *t, hp_arena *arena, int n)
{
	int32_t **arrays[] = {&t->head, &t->waiting, &t->left, &t->right, &t->size, &t->begins, &t->ends};

	t->n = n;
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		*arrays[i] = HP_NEW0(arena, int32_t, (size_t)n);
	return !hp_arena_failed(arena);
}

/* Adds up the parts of the tree from its leaves; BEGINS is a list of words until then.  False: there is a cycle. */
static bool add_up(tree *t)
{
	int32_t *list = t->begins;
	int found = 0;

	for (int32_t w = 0; w < t->n; w++) {
		t->left[w] = t->right[w] = w;
		t->size[w] = 1;
		if (t->head[w] >= 0)
			t->waiting[t->head[w]]++;
	}
	for (int32_t w = 0; w < t->n; w++)
		if (t->waiting[w] == 0)
			list[found++] = w;
	for (int i = 0; i < found; i++) {
		int32_t w = list[i], h = t->head[w];
		if (h < 0)
			continue;
		t->size[h] += t->size[w];
		t->left[h] = t->left[w] < t->left[h] ? t->left[w] : t->left[h];
		t->right[h] = t->right[w] > t->right[h] ? t->right[w] : t->right[h];
		if (--t->waiting[h] == 0)
			list[found++] = h;
	}
	return found == t->n;
}

static bool read_tree(tree *t, const hp_sentence *s)
{
	for (int i = 0; i < s->words; i++) {
		int32_t head;
		if (!hp_word_head(&s->word[i], s->words, &head))
			return false;
		t->head[i] = head - 1;
	}
	if (!add_up(t))
		return false;
	for (int i = 0; i < t->n; i++)
		t->begins[i] = t->ends[i] = -1;
	for (int32_t w = 0; w < t->n; w++) {
		int32_t *first = &t->begins[t->left[w]], *last = &t->ends[t->right[w]];
		if (*first < 0 || t->size[w] > t->size[*first])
			*first = w;
		if (*last < 0 || t->size[w] > t->size[*last])
			*last = w;
	}
	return true;
}

/* The letter KIND, then A's and B's text in these columns (negative: none), then MORE. */
static hp_clue make_clue(hp_arena *arena, char kind, const hp_word *a, int column, const hp_word *b, const char *more)
{
	const hp_clue none = {NULL, 0};
	size_t size = a->len[column], second = b ? b->len[HP_UPOS] : 0, rest = strlen(more);
	if (size > LONGEST || second > LONGEST)
		return none;
	char *text = HP_NEW(arena, char, size + second + rest + 2), *at = text;

	if (!text)
		return none;
	*at++ = kind;
	at = mempcpy(at, a->col[column], size);
	if (b) {
		*at++ = ' ';
		at = mempcpy(at, b->col[HP_UPOS], second);
	}
	at = mempcpy(at, more, rest);
	return (hp_clue){text, (size_t)(at - text)};
}

/* How far a head is: its side, and 1, 2, 3, 4 to 7, more. */
static const char *way(int32_t distance)
{
	static const char *const right[] = {">1", ">2", ">3", ">4", ">8"}, *const left[] = {"<1", "<2", "<3", "<4", "<8"};
	int32_t far = distance > 0 ? distance : -distance;

	return (distance > 0 ? right : left)[far < 4 ? far - 1 : far < 8 ? 3 : 4];
}

/* The part of the tree with the top TOP. */
static hp_clue part(const tree *t, const hp_sentence *s, hp_arena *arena, char kind, int32_t top)
{
	const hp_word *w = &s->word[top];

	if (t->head[top] < 0)
		return make_clue(arena, kind, w, HP_DEPREL, w, "");
	return make_clue(arena, kind, w, HP_DEPREL, w, t->head[top] < top ? "<" : ">");
}

static void add_tree(const tree *t, const hp_sentence *s, hp_arena *arena, int32_t i, hp_clue *out)
{
	const hp_word *w = &s->word[i];
	int32_t h = t->head[i];

	out[HP_CLUE_RELATION] = make_clue(arena, 'r', w, HP_DEPREL, NULL, "");
	if (h >= 0)
		out[HP_CLUE_HEAD] = make_clue(arena, 'h', &s->word[h], HP_UPOS, NULL, way(h - i));
	if (t->begins[i] >= 0)
		out[HP_CLUE_BEGINS] = part(t, s, arena, 'b', t->begins[i]);
	if (t->ends[i] >= 0)
		out[HP_CLUE_ENDS] = part(t, s, arena, 'e', t->ends[i]);
}

hp_clue *hp_clues_find(const hp_sentence *s, int each, hp_arena *arena)
{
	hp_clue *out = HP_NEW0(arena, hp_clue, (size_t)s->words * (size_t)each);
	tree t = {0};
	bool made = each == HP_CLUES && make(&t, arena, s->words) && read_tree(&t, s);

	for (int i = 0; i < s->words && !hp_arena_failed(arena); i++) {
		const hp_word *w = &s->word[i];
		hp_clue *clue = out + (size_t)i * (size_t)each;
		if (!is_blank(w, HP_UPOS))
			clue[HP_CLUE_UPOS] = make_clue(arena, 'u', w, HP_UPOS, NULL, "");
		if (!is_blank(w, HP_XPOS))
			clue[HP_CLUE_XPOS] = make_clue(arena, 'x', w, HP_XPOS, NULL, "");
		if (made)
			add_tree(&t, s, arena, i, clue);
	}
	return hp_arena_failed(arena) ? NULL : out;
}
