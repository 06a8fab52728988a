/* graph.c: makes of a sentence's rows what is drawn. */
#include "draw/graph.h"

#include <string.h>
#include <utf8proc.h>
#include "base/utf8.h"
#include "draw/title.h"

enum { SHOWN = 40 };

typedef struct maker {
	const hp_graph_source *source;
	hp_graph *g;
	int *place; /* [words + 1] of each word; place[0] is that of empty nodes before the first one, -1 */
	hp_error *err;
} maker;

static hp_slice column(const hp_word *row, int c)
{
	return (hp_slice){row->col[c], row->len[c]};
}

static bool is_none(hp_slice text)
{
	return text.size == 0 || (text.size == 1 && text.s[0] == '_');
}

static bool same(hp_slice a, hp_slice b)
{
	return a.size == b.size && memcmp(a.s, b.s, a.size) == 0;
}

/* A whole number at the beginning of TEXT, which is cut; -1: none, or above MOST. */
static int take_number(hp_slice *text, int most)
{
	int64_t value = text->size > 0 && text->s[0] >= '0' && text->s[0] <= '9' ? 0 : -1;

	for (; text->size > 0 && text->s[0] >= '0' && text->s[0] <= '9'; text->s++, text->size--)
		if (value <= most)
			value = value * 10 + (text->s[0] - '0');
	return value <= most ? (int)value : -1;
}

static bool take_char(hp_slice *text, char c)
{
	if (text->size == 0 || text->s[0] != c)
		return false;
	text->s++;
	text->size--;
	return true;
}

/* ---- rows ---- */

/* The place of the word or empty node that TEXT names, "8" or "8.1", which is cut; HP_HEAD_ROOT for 0, HP_HEAD_NONE for
 * what is not there. */
static int take_place(const maker *m, hp_slice *text)
{
	int words = m->source->s->words, word = take_number(text, words), minor, place;
	hp_slice id = {NULL, 0};

	if (word < 0)
		return HP_HEAD_NONE;
	if (!take_char(text, '.'))
		return word == 0 ? HP_HEAD_ROOT : m->place[word];
	minor = take_number(text, m->g->nodes);
	place = m->place[word] + minor;
	if (minor < 1 || place >= m->g->nodes)
		return HP_HEAD_NONE;
	id = m->g->node[place].id;
	return m->g->node[place].empty && take_number(&id, words) == word && take_char(&id, '.') &&
	               take_number(&id, m->g->nodes) == minor
	           ? place
	           : HP_HEAD_NONE;
}

static int read_head(const maker *m, const hp_word *w, int own, int *head)
{
	hp_slice text = column(w, HP_HEAD), whole = text;
	int word;

	*head = HP_HEAD_NONE;
	if (is_none(text))
		return 0;
	word = take_number(&text, m->source->s->words);
	if (word < 0 || text.size > 0)
		return hp_fail_at(m->err, m->source->name, w->line, "HEAD \"%.*s\", expected a number from 0 to %d",
		                  (int)(whole.size < SHOWN ? whole.size : SHOWN), whole.s, m->source->s->words);
	if (word == 0)
		*head = HP_HEAD_ROOT;
	else if (m->place[word] != own)
		*head = m->place[word];
	return 0;
}

/* The arcs of DEPS, "4:nsubj|8.1:obj", of the node at place N that are none of the tree.  ARC NULL: only counts them. */
static int read_enhanced(const maker *m, int n, hp_slice deps, hp_graph_arc *arc)
{
	const hp_graph_node *node = &m->g->node[n];
	int count = 0;

	while (!is_none(deps)) {
		const char *bar = memchr(deps.s, '|', deps.size);
		hp_slice item = {deps.s, bar ? (size_t)(bar - deps.s) : deps.size};
		int head;

		deps.s += item.size;
		deps.size -= item.size;
		take_char(&deps, '|');
		head = take_place(m, &item);
		if (head == HP_HEAD_NONE || head == n || !take_char(&item, ':') ||
		    (head == node->head && same(item, node->relation)))
			continue;
		if (arc)
			arc[count] = (hp_graph_arc){head, n, item};
		count++;
	}
	return count;
}

static void add_range(hp_graph *g, const maker *m, const hp_word *row)
{
	hp_slice id = column(row, HP_ID);
	int words = m->source->s->words, first = take_number(&id, words), last;

	take_char(&id, '-');
	last = take_number(&id, words);
	if (first < 1 || last < first || (g->ranges > 0 && g->range[g->ranges - 1].last >= m->place[first]))
		return;
	g->range[g->ranges++] = (hp_graph_range){m->place[first], m->place[last], column(row, HP_FORM)};
}

enum row_kind { WORD, EMPTY, RANGE };

static enum row_kind kind_of(const hp_word *row)
{
	return hp_row_id_has(row, '-') ? RANGE : hp_row_id_has(row, '.') ? EMPTY : WORD;
}

/* Nodes without heads, and ranges. */
static void read_rows(maker *m, bool enhanced)
{
	hp_graph *g = m->g;
	hp_word row;
	int words = 0;

	m->place[0] = -1;
	for (hp_rows r = hp_sentence_rows(m->source->s); hp_rows_next(&r, &row);) {
		enum row_kind kind = kind_of(&row);

		if (kind == RANGE || (kind == EMPTY && !enhanced))
			continue;
		if (kind == WORD)
			m->place[++words] = g->nodes;
		g->node[g->nodes++] = (hp_graph_node){.id = column(&row, HP_ID),
		                                      .form = column(&row, HP_FORM),
		                                      .lemma = column(&row, HP_LEMMA),
		                                      .upos = column(&row, HP_UPOS),
		                                      .feats = column(&row, HP_FEATS),
		                                      .relation = column(&row, HP_DEPREL),
		                                      .empty = kind == EMPTY,
		                                      .head = HP_HEAD_NONE};
		if (is_none(g->node[g->nodes - 1].upos))
			g->node[g->nodes - 1].upos = column(&row, HP_XPOS);
	}
	for (hp_rows r = hp_sentence_rows(m->source->s); hp_rows_next(&r, &row);)
		if (kind_of(&row) == RANGE)
			add_range(g, m, &row);
}

static void read_deps(const maker *m, hp_arena *arena)
{
	hp_graph *g = m->g;
	hp_word row;

	for (int pass = 0; pass < 2; pass++) {
		int n = 0, count = 0;

		for (hp_rows r = hp_sentence_rows(m->source->s); hp_rows_next(&r, &row);) {
			if (kind_of(&row) == RANGE)
				continue;
			count += read_enhanced(m, n, column(&row, HP_DEPS), pass ? g->arc + count : NULL);
			n++;
		}
		if (pass == 0)
			g->arc = HP_NEW(arena, hp_graph_arc, (size_t)count + 1);
		if (!g->arc)
			return;
		g->enhanced = count;
	}
}

static int read_heads(const maker *m)
{
	const hp_sentence *s = m->source->s;

	if (hp_sentence_needs_tree(s, m->source->name, m->err) != 0)
		return HP_FAIL;
	for (int w = 0; w < s->words; w++)
		if (read_head(m, &s->word[w], m->place[w + 1], &m->g->node[m->place[w + 1]].head) != 0)
			return HP_FAIL;
	return 0;
}

/* ---- the second tree ---- */

static int compare(const maker *m, const hp_graph_source *gold)
{
	const hp_sentence *s = m->source->s;
	const maker other = {gold, m->g, m->place, m->err};

	if (hp_sentence_needs_tree(gold->s, gold->name, m->err) != 0)
		return HP_FAIL;
	for (int w = 0; w < s->words || w < gold->s->words; w++) {
		hp_graph_node *node;
		const hp_word *here = w < s->words ? &s->word[w] : NULL, *there = w < gold->s->words ? &gold->s->word[w] : NULL;

		if (!here || !there ||
		    !hp_utf8_same(here->col[HP_FORM], here->len[HP_FORM], there->col[HP_FORM], there->len[HP_FORM]))
			return hp_fail_at(m->err, gold->name, there ? there->line : gold->s->line,
			                  "word %d of the sentence is not that of %s:%ld", w + 1, m->source->name,
			                  here ? here->line : s->line);
		node = &m->g->node[m->place[w + 1]];
		if (read_head(&other, there, m->place[w + 1], &node->gold_head) != 0)
			return HP_FAIL;
		node->gold_relation = column(there, HP_DEPREL);
		node->wrong = node->head != node->gold_head || !same(node->relation, node->gold_relation);
	}
	return 0;
}

bool hp_draw_is_right_to_left(hp_slice text)
{
	long right = 0, left = 0;

	for (size_t at = 0; at < text.size;) {
		int32_t code;
		int length = hp_utf8_decode(text.s + at, text.size - at, &code);
		const utf8proc_property_t *p = length ? utf8proc_get_property(code) : NULL;

		right += p && (p->bidi_class == UTF8PROC_BIDI_CLASS_R || p->bidi_class == UTF8PROC_BIDI_CLASS_AL);
		left += p && p->bidi_class == UTF8PROC_BIDI_CLASS_L;
		at += length ? length : 1;
	}
	return right > left;
}

static bool forms_right_to_left(const hp_graph *g)
{
	int right = 0;

	for (int i = 0; i < g->nodes; i++)
		right += hp_draw_is_right_to_left(g->node[i].form);
	return right * 2 > g->nodes;
}

int hp_graph_make(const hp_graph_source *source, const hp_graph_source *gold, bool enhanced, hp_arena *arena,
                  hp_graph *g, hp_error *err)
{
	maker m = {source, g, HP_NEW(arena, int, (size_t)source->s->words + 1), err};
	hp_word row;
	size_t rows = 0;

	*g = (hp_graph){0};
	for (hp_rows r = hp_sentence_rows(source->s); hp_rows_next(&r, &row);)
		rows++;
	g->node = HP_NEW(arena, hp_graph_node, rows + 1);
	g->range = HP_NEW(arena, hp_graph_range, rows + 1);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	g->text = hp_draw_comment((hp_slice){source->s->text, source->s->size}, "text");
	read_rows(&m, enhanced);
	if (read_heads(&m) != 0)
		return HP_FAIL;
	if (enhanced)
		read_deps(&m, arena);
	g->right_to_left = forms_right_to_left(g);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	return gold ? compare(&m, gold) : 0;
}
