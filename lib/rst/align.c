/* align.c: walks through EDUs and tokens side by side. */
#include "rst/align.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "rst/build.h"
#include "text/utf8.h"

/* Between two characters of the document. */
typedef struct place {
	int32_t edu;
	size_t at;
} place;

typedef struct aligner {
	hp_rst_tree *t;
	const char *name;
	const hp_rst_sentences *s;
	place here;
	int left; /* differences still allowed */
	/* The new texts, one after another. */
	char *out;
	size_t size;
	size_t *start, *end; /* [edus] in out */
	int32_t edu; /* that is being written; -1 at first */
	int32_t first; /* that the sentence has written to; -1 before */
	bool stop; /* the last token ended in a full stop */
	int32_t current; /* the token that is being taken */
	int32_t *token; /* [tokens] which one each of the new texts' is from */
	int tokens;
} aligner;

static bool is_space(int32_t code)
{
	return code <= ' ' || code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200b) ||
		code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000 || code == 0xfeff;
}

/* The next character that is no space at S[*AT]: its length, or 0 at the end. */
static int next(const char *s, size_t size, size_t *at, int32_t *code)
{
	while (*at < size) {
		int length = hp_utf8_decode(s + *at, size - *at, code);

		if (length == 0) { /* not reached: both sides were checked */
			length = 1;
			*code = (unsigned char)s[*at];
		}
		if (!is_space(*code))
			return length;
		*at += (size_t)length;
	}
	return 0;
}

/* The same for the document, going on to the next EDU. */
static int next_in_tree(const hp_rst_tree *t, place *p, int32_t *code)
{
	for (; p->edu < t->edus; p->edu++, p->at = 0) {
		int length = next(t->edu[p->edu].text, t->edu[p->edu].size, &p->at, code);

		if (length > 0)
			return length;
	}
	return 0;
}

static void put(aligner *a, int32_t edu, const char *piece, size_t size)
{
	if (size == 0)
		return;
	if (edu != a->edu)
		a->start[edu] = a->size;
	else
		a->out[a->size++] = ' ';
	a->edu = edu;
	if (a->first < 0)
		a->first = edu;
	/* Blanks inside a token would make two of it. */
	for (size_t i = 0; i < size; i++) {
		if (piece[i] != ' ' && !(piece[i] >= '\t' && piece[i] <= '\r'))
			a->out[a->size++] = piece[i];
	}
	a->end[edu] = a->size;
	a->token[a->tokens++] = a->current;
}

/* Moves *P over the characters of a token if they come there, with at most *LEFT others.  With A, the token is written
 * to the EDUs it lies in. */
static bool match(const hp_rst_tree *t, const char *s, size_t size, place *p, int *left, aligner *a)
{
	size_t at = 0, piece = 0;
	int32_t wanted, found, edu = -1;

	for (int length; (length = next(s, size, &at, &wanted)) > 0; at += (size_t)length) {
		int there = next_in_tree(t, p, &found);

		if (there == 0)
			return false;
		if (wanted == '\\' && found != '\\' && at + 1 < size && (s[at + 1] == '/' || s[at + 1] == '*'))
			continue;
		if (wanted != found && --*left < 0)
			return false;
		if (a && edu >= 0 && edu != p->edu) {
			put(a, edu, s + piece, at - piece);
			piece = at;
		}
		edu = p->edu;
		p->at += (size_t)there;
	}
	if (a && edu >= 0)
		put(a, edu, s + piece, size - piece);
	return true;
}

/* As a treebank may have rewritten it; NULL if it has no other spelling. */
static const char *other_spelling(const char *s, size_t size)
{
	static const char *const pairs[][2] = {
		{ "-LRB-", "(" }, { "-RRB-", ")" }, { "-LSB-", "[" }, { "-RSB-", "]" }, { "-LCB-", "{" }, { "-RCB-", "}" },
		{ "``", "\"" }, { "''", "\"" }, { "`", "'" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (strlen(pairs[i][0]) == size && memcmp(pairs[i][0], s, size) == 0)
			return pairs[i][1];
	}
	return NULL;
}

/* Whether a text comes next, without differences; moves there. */
static bool comes(aligner *a, const char *s, size_t size)
{
	place p = a->here;
	int none = 0;

	if (!match(a->t, s, size, &p, &none, NULL))
		return false;
	a->here = p;
	return true;
}

/* Takes the token, or all words of a multiword token written in one; *TAKEN is how many.  False if it does not come. */
static bool take_token(aligner *a, const hp_rst_token *token, int *taken)
{
	const char *s = a->s->text + token->at, *other = other_spelling(s, token->size);
	place p = a->here;
	int left = 0;

	a->current = (int32_t)(token - a->s->token);
	*taken = 1;
	if (token->surface_size > 0) {
		const hp_rst_token *last = token + token->covers - 1;

		/* The words of a multiword token stand one behind the other. */
		if (!match(a->t, s, last->at + last->size - token->at, &p, &left, NULL) &&
			(p = a->here, left = 0, match(a->t, a->s->text + token->surface, token->surface_size, &p, &left, NULL))) {
			*taken = token->covers;
			s = a->s->text + token->surface;
			left = 0;
			return match(a->t, s, token->surface_size, &a->here, &left, a);
		}
	}
	p = a->here;
	left = 0;
	if (match(a->t, s, token->size, &p, &left, NULL)) {
		left = 0;
		return match(a->t, s, token->size, &a->here, &left, a);
	}
	if (other && comes(a, other, strlen(other))) {
		put(a, a->here.edu, s, token->size);
		return true;
	}
	if (token->size == 1 && *s == '.' && a->stop)
		return put(a, a->edu, s, 1), true;
	p = a->here;
	left = a->left;
	if (!match(a->t, s, token->size, &p, &left, NULL))
		return false;
	left = a->left;
	(void)match(a->t, s, token->size, &a->here, &left, a);
	a->left = left;
	return true;
}

/* Bytes to show of a text: at most 30, whole characters. */
static int shown(const char *s, size_t size)
{
	return (int)hp_utf8_valid_prefix(s, size < 30 ? size : 30);
}

static int mismatch(const aligner *a, const hp_rst_token *token, hp_error *err)
{
	place p = a->here;
	int32_t code;
	const hp_rst_edu *edu;

	if (next_in_tree(a->t, &p, &code) == 0) {
		edu = &a->t->edu[a->t->edus - 1];
		return hp_fail_at(err, a->name, edu->line, "the last EDU ends before '%.*s' in %s:%ld",
		                  shown(a->s->text + token->at, token->size), a->s->text + token->at, a->s->name, token->line);
	}
	edu = &a->t->edu[p.edu];
	return hp_fail_at(err, a->name, edu->line, "EDU %d has '%.*s' where %s:%ld has '%.*s'", p.edu + 1,
	                  shown(edu->text + p.at, edu->size - p.at), edu->text + p.at, a->s->name, token->line,
	                  shown(a->s->text + token->at, token->size), a->s->text + token->at);
}

static int take_sentence(aligner *a, const hp_rst_sentence *sent, hp_rst_extent *out, hp_error *err)
{
	int taken;

	a->first = -1;
	for (int32_t i = sent->first; i < sent->first + sent->tokens; i += taken) {
		const hp_rst_token *token = &a->s->token[i];

		if (!take_token(a, token, &taken))
			return mismatch(a, token, err);
		a->stop = a->size > 0 && a->out[a->size - 1] == '.';
	}
	*out = (hp_rst_extent){ a->first, a->first < 0 ? -1 : a->edu, false, sent->line };
	return 0;
}

/* Room for the new texts: every token with a blank, and the pieces in which EDUs cut them. */
static int prepare(aligner *a, int from, int count, hp_error *err)
{
	size_t edus = (size_t)a->t->edus, size = 2 * edus + 16, tokens = edus;

	for (int i = from; i < from + count; i++) {
		const hp_rst_sentence *sent = &a->s->sentence[i];

		tokens += (size_t)sent->tokens;
		for (int32_t k = sent->first; k < sent->first + sent->tokens; k++)
			size += a->s->token[k].size + a->s->token[k].surface_size + 2;
	}
	a->out = malloc(size);
	a->start = calloc(2 * edus, sizeof(*a->start));
	a->token = malloc(tokens * sizeof(*a->token));
	if (!a->out || !a->start || !a->token)
		return hp_fail_memory(err);
	a->end = a->start + edus;
	return 0;
}

static int replace_texts(aligner *a, hp_error *err)
{
	for (int e = 0; e < a->t->edus; e++) {
		hp_rst_edu *edu = &a->t->edu[e];
		size_t size = a->end[e] - a->start[e];
		const char *copy;

		if (size == 0) /* nothing but unusual blanks */
			continue;
		if (hp_rst_holds_mark(a->out + a->start[e], size))
			return hp_fail_at(err, a->name, edu->line, "the tokens of EDU %d hold _!", e + 1);
		copy = hp_rst_copy(a->t, a->out + a->start[e], size);
		if (!copy)
			return hp_fail_memory(err);
		edu->text = copy;
		edu->size = size;
	}
	return 0;
}

static int align(aligner *a, int from, int count, bool exact, hp_rst_extent *out, int *used, hp_error *err)
{
	hp_rst_extent *before = NULL; /* the last one that is not empty */
	place p;
	int32_t code;

	for (*used = 0; *used < count; ++*used) {
		p = a->here;
		if (!exact && next_in_tree(a->t, &p, &code) == 0)
			break;
		if (take_sentence(a, &a->s->sentence[from + *used], &out[*used], err) != 0)
			return HP_FAIL;
		if (out[*used].first < 0)
			continue;
		if (before && before->last == out[*used].first)
			before->crossed = out[*used].crossed = true;
		before = &out[*used];
	}
	p = a->here;
	if (next_in_tree(a->t, &p, &code) > 0) {
		const hp_rst_edu *edu = &a->t->edu[p.edu];

		return hp_fail_at(err, a->name, edu->line, "EDU %d goes on with '%.*s' after the last sentence of %s", p.edu + 1,
		                  shown(edu->text + p.at, edu->size - p.at), edu->text + p.at, a->s->name);
	}
	return replace_texts(a, err);
}

/* All of hp_rst_align; A->token is the caller's to free. */
static int run(aligner *a, int from, int count, bool exact, hp_rst_extent **out, int *used, hp_error *err)
{
	size_t bytes = 0;
	int status;

	/* No document has more sentences than characters; what comes after it may be long. */
	for (int e = 0; e < a->t->edus; e++)
		bytes += a->t->edu[e].size;
	if (!exact && (size_t)count > bytes)
		count = (int)bytes;
	*out = calloc((size_t)count + 1, sizeof(**out));
	status = *out ? prepare(a, from, count, err) : hp_fail_memory(err);
	if (status == 0)
		status = align(a, from, count, exact, *out, used, err);
	free(a->out);
	free(a->start);
	if (status != 0) {
		free(*out);
		*out = NULL;
	}
	return status;
}

int hp_rst_align(hp_rst_tree *t, const char *name, const hp_rst_sentences *s, int from, int count, bool exact,
	int differences, hp_rst_extent **out, int *used, hp_error *err)
{
	aligner a = { .t = t, .name = name, .s = s, .left = differences, .edu = -1 };
	int status = run(&a, from, count, exact, out, used, err);

	free(a.token);
	return status;
}

static bool is_further(place a, place b)
{
	return a.edu != b.edu ? a.edu > b.edu : a.at > b.at;
}

int hp_rst_align_next(hp_rst_tree *t, const char *name, const hp_rst_sentences *s, int *from, const int32_t **token,
	int *tokens, hp_error *err)
{
	place furthest = { -1, 0 };
	hp_error inner;

	if (*from >= s->sentences)
		return hp_fail_at(err, name, t->line, "a tree after the last sentence of %s", s->name);
	for (int i = *from; i < s->sentences; i++) {
		aligner a = { .t = t, .name = name, .s = s, .edu = -1 };
		hp_rst_extent *extent;
		int used, status = run(&a, i, s->sentences - i, false, &extent, &used, &inner);

		if (status == 0) {
			*tokens = a.tokens;
			*token = (const int32_t *)hp_rst_copy(t, (const char *)a.token, (size_t)a.tokens * sizeof(*a.token));
			*from = i + used;
		} else if (err && is_further(a.here, furthest)) {
			furthest = a.here;
			*err = inner;
		}
		free(extent);
		free(a.token);
		if (status == 0)
			return *token ? 0 : hp_fail_memory(err);
	}
	return HP_FAIL;
}
