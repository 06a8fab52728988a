/* spelling.c: whether a token comes next in a document, and how it is spelled there. */
#include "extract/aligner.h"

#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"

/* White space, and what is not seen, either: soft hyphens, joiners, marks of direction; treebanks often lack these. */
static bool is_space(int32_t code)
{
	return code <= ' ' || code == 0x85 || code == 0xa0 || code == 0xad || code == 0x1680 ||
	       (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) ||
	       (code >= 0x205f && code <= 0x206f) || code == 0x3000 || code == 0xfeff;
}

static int decode(const char *s, size_t size, int32_t *code)
{
	int length = hp_utf8_decode(s, size, code);

	if (length == 0) { /* not reached: both sides were checked */
		length = 1;
		*code = (unsigned char)*s;
	}
	return length;
}

/* The next character that is no space at S[*AT]: its length, or 0 at the end. */
static int next(const char *s, size_t size, size_t *at, int32_t *code)
{
	while (*at < size) {
		int length = decode(s + *at, size - *at, code);

		if (!is_space(*code))
			return length;
		*at += length;
	}
	return 0;
}

int hp_place_next(const hp_rst_tree *t, hp_place *p, int32_t *code)
{
	for (; p->edu < t->edus; p->edu++, p->at = 0) {
		int length = next(t->edu[p->edu].text, t->edu[p->edu].size, &p->at, code);

		if (length > 0)
			return length;
	}
	return 0;
}

bool hp_place_begins(const hp_rst_tree *t, hp_place p)
{
	int32_t code;
	hp_place first;

	if (hp_place_next(t, &p, &code) == 0)
		return true;
	first = (hp_place){p.edu, 0};
	(void)hp_place_next(t, &first, &code);
	return first.edu == p.edu && first.at == p.at;
}

/* Length of the XML entity that S begins with, one of the five or a number; 0: none. */
static size_t entity(const char *s, size_t size, int32_t *code)
{
	static const struct {
		const char *name;
		int32_t code;
	} five[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
	const char *stop = size > 3 ? memchr(s, ';', size < 12 ? size : 12) : NULL;
	bool hex;
	char *end;
	long value;

	if (!stop || *s != '&')
		return 0;
	for (size_t i = 0; i < sizeof(five) / sizeof(five[0]); i++) {
		if (strncmp(s, five[i].name, strlen(five[i].name)) == 0) {
			*code = five[i].code;
			return strlen(five[i].name);
		}
	}
	hex = s[2] == 'x' || s[2] == 'X';
	if (s[1] != '#' || !strchr("0123456789abcdefABCDEF", s[hex ? 3 : 2]))
		return 0;
	value = strtol(s + (hex ? 3 : 2), &end, hex ? 16 : 10);
	if (end != stop || value < 1 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = (int32_t)value;
	return stop + 1 - s;
}

/* Whether the SIZE bytes at S, with the tokens from AFTER on behind them, go on with the LENGTH bytes at TEXT. */
static bool goes_on(const hp_aligner *a, const char *s, size_t size, int32_t after, const char *text, size_t length)
{
	for (;;) {
		size_t common = size < length ? size : length;

		if (memcmp(s, text, common) != 0)
			return false;
		if (common == length)
			return true;
		if (after >= a->end)
			return false;
		text += common;
		length -= common;
		s = a->s->text + a->s->token[after].at;
		size = a->s->token[after++].size;
	}
}

typedef struct character {
	int32_t code;
	size_t length;
} character;

/* Reads an entity that only one side has as what it stands for.  S [SIZE] and P are before characters WANTED and FOUND. */
static void resolve(const hp_aligner *a, const char *s, size_t size, int32_t after, const hp_place *p,
                    character *wanted, character *found)
{
	const char *here = a->t->edu[p->edu].text + p->at;
	size_t left = a->t->edu[p->edu].size - p->at;
	character mine = {0}, its = {0};

	if (wanted->code == '&')
		mine.length = entity(s, size, &mine.code);
	if (found->code == '&')
		its.length = entity(here, left, &its.code);
	if (its.length > 0 && !goes_on(a, s, size, after, here, its.length))
		*found = its;
	if (mine.length > 0 && (left < mine.length || memcmp(s, here, mine.length) != 0))
		*wanted = mine;
}

/* Moves *P over the characters of a text if they come there; AFTER is the token behind it.  With PUT, its pieces are
 * handed out by the EDUs they lie in. */
static bool match(const hp_aligner *a, const char *s, size_t size, int32_t after, hp_place *p, hp_aligner *out,
                  void (*put)(hp_aligner *a, int32_t edu, const char *piece, size_t size))
{
	size_t at = 0, piece = 0;
	character wanted, found;
	int32_t edu = -1;

	while ((wanted.length = next(s, size, &at, &wanted.code)) > 0) {
		found.length = hp_place_next(a->t, p, &found.code);
		if (found.length == 0)
			return false;
		if (wanted.code == '&' || found.code == '&')
			resolve(a, s + at, size - at, after, p, &wanted, &found);
		if (is_space(found.code)) {
			p->at += found.length;
			continue;
		}
		if (!(wanted.code == '\\' && found.code != '\\' && at + 1 < size && (s[at + 1] == '/' || s[at + 1] == '*'))) {
			if (wanted.code != found.code && !is_space(wanted.code))
				return false;
			if (put && edu >= 0 && edu != p->edu) {
				put(out, edu, s + piece, at - piece);
				piece = at;
			}
			edu = p->edu;
			p->at += wanted.code == found.code ? found.length : 0;
		}
		at += wanted.length;
	}
	if (put && edu >= 0)
		put(out, edu, s + piece, size - piece);
	return true;
}

void hp_cut(hp_aligner *a, const char *s, size_t size, int32_t after, hp_place *p,
            void (*put)(hp_aligner *a, int32_t edu, const char *piece, size_t size))
{
	(void)match(a, s, size, after, p, a, put);
}

/* As a treebank may have rewritten it. */
static const char *const pairs[][2] = {
	{"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"}, {"-LCB-", "{"},
	{"-RCB-", "}"}, {"``", "\""},   {"''", "\""},   {"`", "'"},
};

/* NULL if it has no other spelling. */
static const char *other_spelling(const char *s, size_t size)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (strlen(pairs[i][0]) == size && memcmp(pairs[i][0], s, size) == 0)
			return pairs[i][1];
	}
	return NULL;
}

/* Whether a text comes at P; moves it there. */
static bool comes(const hp_aligner *a, const char *s, size_t size, int32_t after, hp_place *p)
{
	hp_place q = *p;

	if (!match(a, s, size, after, &q, NULL, NULL))
		return false;
	*p = q;
	return true;
}

hp_spelling hp_spell(const hp_aligner *a, int32_t i, bool stop, hp_place *p, int *taken)
{
	const hp_token *token = &a->s->token[i];
	const char *s = a->s->text + token->at, *other = other_spelling(s, token->size);
	hp_place q = *p;

	*taken = 1;
	if (token->surface_size > 0) {
		const hp_token *last = token + token->covers - 1;

		/* The words of a multiword token stand one behind the other. */
		if (!comes(a, s, last->at + last->size - token->at, i + token->covers, &q) &&
		    comes(a, a->s->text + token->surface, token->surface_size, i + token->covers, p)) {
			*taken = token->covers;
			return HP_SPELLING_SURFACE;
		}
	}
	if (comes(a, s, token->size, i + 1, p))
		return HP_SPELLING_OWN;
	if (other && comes(a, other, strlen(other), i + 1, p))
		return HP_SPELLING_OTHER;
	return token->size == 1 && *s == '.' && stop ? HP_SPELLING_ABSENT : HP_SPELLING_NONE;
}

size_t hp_plain(const char *s, size_t size, size_t *at, int32_t *code)
{
	while (*at < size) {
		const char *here = s + *at;
		size_t left = size - *at, length = *here == '&' ? entity(here, left, code) : 0;

		if (length == 0 && *here == '\\' && left > 1 && (here[1] == '/' || here[1] == '*')) {
			*code = here[1];
			return 2;
		}
		for (size_t i = 0; length == 0 && i < sizeof(pairs) / sizeof(pairs[0]); i++) {
			size_t spelled = strlen(pairs[i][0]);

			if (left >= spelled && memcmp(here, pairs[i][0], spelled) == 0) {
				*code = pairs[i][1][0];
				return spelled;
			}
		}
		if (length == 0)
			length = decode(here, left, code);
		if (!is_space(*code))
			return length;
		*at += length;
	}
	return 0;
}
