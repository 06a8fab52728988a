/* gold.c: a treebank becomes a text. */
#include "tokenize/gold.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "text/comments.h"
#include "text/values.h"

int hp_tok_gold_init(hp_tok_gold *g, hp_error *err)
{
	*g = (hp_tok_gold){.lines = hp_vocab_new()};
	hp_signs_init(&g->text, false);
	return g->lines ? 0 : hp_fail_memory(err);
}

void hp_tok_gold_free(hp_tok_gold *g)
{
	hp_signs_free(&g->text);
	hp_vocab_destroy(g->lines);
	free(g->gold);
	free(g->multi_at);
	free(g->multi_line);
	*g = (hp_tok_gold){0};
}

static int add(hp_tok_gold *g, const char *bytes, size_t size, hp_error *err)
{
	int from = g->text.count;
	if (hp_signs_add(&g->text, bytes, size, err))
		return HP_FAIL;
	if (!hp_grow(&g->gold, &g->capacity, (size_t)g->text.count + 1, 1))
		return hp_fail_memory(err);
	for (int i = from; i < g->text.count; i++)
		g->gold[i] = hp_sign_is_white(&g->text.sign[i]) ? -1 : HP_TOK_INSIDE;
	return 0;
}

static int add_escaped(hp_tok_gold *g, const char *spaces, size_t size, hp_error *err)
{
	char *plain = malloc(size + 1);
	int status = plain ? add(g, plain, hp_spaces_unescape(spaces, size, plain), err) : hp_fail_memory(err);
	free(plain);
	return status;
}

/* Where TOKEN ends in the rest of the sentence's text, or NULL. */
static const char *find_end(const char *text, const char *end, const hp_surface_token *token)
{
	size_t size = token->row.len[HP_FORM];
	int white;
	while (text && text < end && (white = hp_utf8_white(text, (size_t)(end - text))) > 0)
		text += white;
	return text && (size_t)(end - text) >= size && !memcmp(text, token->row.col[HP_FORM], size) ? text + size : NULL;
}

/* TEXT is what stands behind the token in the sentence's text, to END; NULL: not known. */
static int add_space(hp_tok_gold *g, const hp_surface_token *token, const char *text, const char *end, hp_error *err)
{
	size_t size;
	const char *spaces = hp_misc_find(&token->row, "SpacesAfter", &size);
	if (spaces)
		return add_escaped(g, spaces, size, err);
	const char *after = hp_misc_find(&token->row, "SpaceAfter", &size);
	bool none = after && size == 2 && !memcmp(after, "No", 2);
	if (text && text < end)
		none = !hp_utf8_white(text, (size_t)(end - text));
	return none ? 0 : add(g, " ", 1, err);
}

static int add_token(hp_tok_gold *g, const hp_surface_token *token, hp_error *err)
{
	const hp_word *row = &token->row;
	size_t size;
	const char *inside = hp_misc_find(row, "SpacesInToken", &size);
	int from = g->text.count;
	if (inside ? add_escaped(g, inside, size, err) : add(g, row->col[HP_FORM], row->len[HP_FORM], err))
		return HP_FAIL;
	for (int i = from; i < g->text.count; i++)
		g->spaces |= i > from && hp_sign_is_white(&g->text.sign[i]);
	return 0;
}

/* The line of a multiword token, whose words are those of S from FIRST on, COUNT of them; -1: out of memory. */
static int line_of(hp_tok_gold *g, const hp_sentence *s, const hp_word *row, long first, long count)
{
	size_t size = row->len[HP_FORM] + 1;
	for (long i = 0; i < count; i++)
		size += s->word[first + i].len[HP_FORM] + 1;
	char *line = malloc(size), *to = line;
	if (!line)
		return -1;
	to = mempcpy(to, row->col[HP_FORM], row->len[HP_FORM]);
	for (long i = 0; i < count; i++) {
		*to++ = '\t';
		to = mempcpy(to, s->word[first + i].col[HP_FORM], s->word[first + i].len[HP_FORM]);
	}
	int id = hp_vocab_add(g->lines, line, (size_t)(to - line));
	free(line);
	return id;
}

/* Keeps what the token that ends with sign AT consists of.  A range of one word, or of very many, is none. */
static int keep_words(hp_tok_gold *g, const hp_sentence *s, const hp_surface_token *token, int at, hp_error *err)
{
	const hp_word *row = &token->row;
	const char *range = memchr(row->col[HP_ID], '-', row->len[HP_ID]);
	long first = strtol(row->col[HP_ID], NULL, 10), last = range ? strtol(range + 1, NULL, 10) : first;
	if (first < 1 || last <= first || last > s->words || last - first >= HP_MOST_WORDS)
		return 0;
	if (!hp_grow(&g->multi_at, &g->at_capacity, (size_t)g->multi + 1, sizeof *g->multi_at) ||
	    !hp_grow(&g->multi_line, &g->line_capacity, (size_t)g->multi + 1, sizeof *g->multi_line))
		return hp_fail_memory(err);
	int line = line_of(g, s, row, first - 1, last - first + 1);
	if (line < 0)
		return hp_fail_memory(err);
	g->multi_at[g->multi] = at;
	g->multi_line[g->multi++] = line;
	g->gold[at] = HP_TOK_MULTI;
	return 0;
}

int hp_tok_gold_add(hp_tok_gold *g, const hp_sentence *s, hp_error *err)
{
	size_t size;
	const char *text = hp_comment_find(s, "text = ", &size), *end = text ? text + size : NULL;
	hp_surface surface = hp_surface_of(s);
	hp_surface_token token;
	int last = -1;
	if (g->sentences && (hp_comment_has(s, "newdoc") || hp_comment_has(s, "newpar")) && add(g, "\n\n", 2, err))
		return HP_FAIL;
	while (hp_surface_next(&surface, &token)) {
		if (add_token(g, &token, err))
			return HP_FAIL;
		last = g->text.count - 1;
		g->gold[last] = HP_TOK_TOKEN;
		g->tokens++;
		if (token.multi && keep_words(g, s, &token, last, err))
			return HP_FAIL;
		text = find_end(text, end, &token);
		if (add_space(g, &token, text, end, err))
			return HP_FAIL;
	}
	if (last < 0)
		return 0;
	g->gold[last] = g->gold[last] == HP_TOK_MULTI ? HP_TOK_SENTENCE_MULTI : HP_TOK_SENTENCE;
	g->sentences++;
	return 0;
}
