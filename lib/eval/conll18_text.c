/* conll18_text.c: reads a text for the scores of the CoNLL 2018 shared task. */
#include "eval/conll18_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "eval/attachment.h"
#include "text/comments.h"

bool hp_conll18_same(hp_conll18_column a, hp_conll18_column b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

static bool is(hp_conll18_column c, const char *word)
{
	return hp_conll18_same(c, (hp_conll18_column){word, (uint32_t)strlen(word)});
}

static bool listed(hp_conll18_column word, const char *const *list)
{
	for (; *list; list++)
		if (is(word, *list))
			return true;
	return false;
}

bool hp_conll18_content(const hp_conll18_word *w)
{
	static const char *const content[] = {"nsubj",     "obj",      "iobj",       "csubj",      "ccomp", "xcomp",
	                                      "obl",       "vocative", "expl",       "dislocated", "advcl", "advmod",
	                                      "discourse", "nmod",     "appos",      "nummod",     "acl",   "amod",
	                                      "conj",      "fixed",    "flat",       "compound",   "list",  "parataxis",
	                                      "orphan",    "goeswith", "reparandum", "root",       "dep",   NULL};
	return listed(w->relation, content);
}

bool hp_conll18_functional(const hp_conll18_word *w)
{
	static const char *const functional[] = {"aux", "cop", "mark", "det", "clf", "case", "cc", NULL};
	return listed(w->relation, functional);
}

/* ---- a sentence ---- */

typedef struct adding {
	hp_conll18_text *t;
	const hp_sentence *s;
	const char *copy; /* of its text */
	long covered; /* the last word of the latest multiword token */
	bool multiword; /* the latest token is one */
} adding;

static hp_conll18_column column(const adding *a, const hp_word *row, int number)
{
	const char *text = row->col[number];
	if (text != hp_no_column)
		text = a->copy + (text - a->s->text);
	return (hp_conll18_column){text, row->len[number]};
}

static int add_token(adding *a, const hp_word *row, hp_error *err)
{
	hp_conll18_text *t = a->t;
	hp_conll18_token token = {{t->size, t->size}, column(a, row, HP_FORM), row->line};
	if (!hp_grow(&t->token, &t->token_room, (size_t)t->tokens + 1, sizeof *t->token) ||
	    !hp_grow(&t->characters, &t->character_room, t->size + token.form.length, 1))
		return hp_fail_memory(err);
	for (uint32_t i = 0; i < token.form.length;) {
		int space = hp_utf8_space(token.form.text + i, token.form.length - i);
		if (space)
			i += (uint32_t)space;
		else
			t->characters[t->size++] = token.form.text[i++];
	}
	token.span.end = t->size;
	if (token.span.begin == token.span.end)
		return hp_fail_at(err, t->name, row->line, "a FORM of nothing but space");
	t->token[t->tokens++] = token;
	return 0;
}

static int add_word(adding *a, const hp_word *row, hp_error *err)
{
	hp_conll18_text *t = a->t;
	if (!hp_grow(&t->word, &t->word_room, (size_t)t->words + 1, sizeof *t->word))
		return hp_fail_memory(err);
	hp_conll18_word *w = &t->word[t->words++];
	*w = (hp_conll18_word){
		.span = t->token[t->tokens - 1].span,
		.multiword = a->multiword,
		.head = HP_CONLL18_NO_HEAD,
		.dependant = -1,
		.sibling = -1,
		.form = column(a, row, HP_FORM),
		.lemma = column(a, row, HP_LEMMA),
		.upos = column(a, row, HP_UPOS),
		.xpos = column(a, row, HP_XPOS),
		.features = column(a, row, HP_FEATS),
		.relation = column(a, row, HP_DEPREL),
	};
	t->open += is(w->relation, "_");
	w->relation.length = hp_universal_length(w->relation.text, w->relation.length);
	return 0;
}

/* A number of digits only at S, before END; -1 if there is none. */
static long number(const char **s, const char *end)
{
	long n = -1;
	for (; *s < end && **s >= '0' && **s <= '9' && n < 100000000; (*s)++)
		n = (n < 0 ? 0 : n) * 10 + (**s - '0');
	return n;
}

/* A multiword token's line, a word, or an empty node, which is passed over. */
static int add_row(adding *a, const hp_word *row, hp_error *err)
{
	const char *s = row->col[HP_ID], *end = s + row->len[HP_ID];
	long first = number(&s, end);
	if (s < end && *s == '-') {
		s++;
		a->covered = number(&s, end);
		a->multiword = true;
		return add_token(a, row, err);
	}
	if (s != end)
		return 0;
	if (first > a->covered) {
		a->multiword = false;
		if (add_token(a, row, err))
			return HP_FAIL;
	}
	return add_word(a, row, err);
}

static bool has_heads(const hp_sentence *s)
{
	for (int i = 0; i < s->words; i++)
		if (s->word[i].len[HP_HEAD] != 1 || *s->word[i].col[HP_HEAD] != '_')
			return true;
	return false;
}

/* Heads of the words from FIRST on, and lists of functional dependants. */
static int add_tree(hp_conll18_text *t, const hp_sentence *s, int first, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(t->arena);
	int32_t *heads = HP_NEW(t->arena, int32_t, (size_t)s->words + 1);
	if (!heads)
		return hp_fail_memory(err);
	if (hp_sentence_tree(s, t->name, heads, err))
		return HP_FAIL;
	for (int i = s->words; i > 0; i--) {
		hp_conll18_word *w = &t->word[first + i - 1];
		w->head = heads[i] ? first + heads[i] - 1 : HP_CONLL18_ROOT;
		if (!heads[i] || !hp_conll18_functional(w))
			continue;
		w->sibling = t->word[w->head].dependant;
		t->word[w->head].dependant = first + i - 1;
	}
	hp_arena_restore(t->arena, mark);
	return 0;
}

int hp_conll18_text_add(hp_conll18_text *t, const hp_sentence *s, hp_error *err)
{
	hp_rows rows = hp_sentence_rows(s);
	hp_word row;
	int first = t->words;
	size_t begin = t->size;
	char *copy = HP_NEW(t->arena, char, s->size + 1);
	if (!copy || !hp_grow(&t->sentence, &t->sentence_room, (size_t)t->sentences + 1, sizeof *t->sentence))
		return hp_fail_memory(err);
	memcpy(copy, s->text, s->size);
	adding a = {.t = t, .s = s, .copy = copy};
	while (hp_rows_next(&rows, &row))
		if (add_row(&a, &row, err))
			return HP_FAIL;
	t->sentence[t->sentences++] = (hp_conll18_span){begin, t->size};
	if (t->words_only)
		return 0;
	if (!has_heads(s))
		t->treeless++;
	else if (hp_is_unparsed(s))
		t->unparsed++;
	else
		return add_tree(t, s, first, err);
	return 0;
}

/* ---- a text ---- */

int hp_conll18_text_init(hp_conll18_text *t, const char *name, hp_error *err)
{
	*t = (hp_conll18_text){.name = name, .arena = hp_arena_new()};
	return t->arena ? 0 : hp_fail_memory(err);
}

void hp_conll18_text_free(hp_conll18_text *t)
{
	hp_arena_destroy(t->arena);
	free(t->characters);
	free(t->token);
	free(t->word);
	free(t->sentence);
	*t = (hp_conll18_text){0};
}

int hp_conll18_text_read(hp_conll18_text *t, hp_input *in, int max_words, hp_error *err)
{
	hp_conllu_reader *reader = NULL;
	hp_sentence s;
	int got;
	hp_sentence_init(&s);
	got = hp_conllu_reader_new(in, HP_TEXT_CONLLU, max_words, &reader, err);
	while (!got && (got = hp_conllu_read(reader, &s, err)) > 0)
		got = s.words ? hp_conll18_text_add(t, &s, err) : 0;
	if (!got && !t->sentences)
		got = hp_fail(err, "%s: no sentences", t->name);
	hp_conllu_reader_destroy(reader);
	hp_sentence_free(&s);
	return got ? HP_FAIL : 0;
}
