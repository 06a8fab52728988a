/* fuzz_text.c: a text through all models of a language, as a library's caller gives it.  It is refused with a message if it is
 * no UTF-8; or every token stands where it says, in the text's order, nothing but white space lies between them, words belong to
 * their tokens, and each sentence has a tree with one root.  As a document it has the same sentences, its EDUs are all words in their
 * order, and each part of its tree is split into two. */
#include "fuzz.h"

#include <string.h>
#include "base/utf8.h"
#include "hp.h"
#include "tokenize/signs.h"

/* Behind the white space that FROM begins with. */
static const char *behind_space(const char *from, const char *to)
{
	int length;

	while ((length = hp_utf8_white(from, (size_t)(to - from))) > 0)
		from += length;
	return from;
}

static void check_string(const char *s)
{
	demand(s && *s && hp_utf8_valid_prefix(s, strlen(s)) == strlen(s));
	demand(!strpbrk(s, "\t\n"));
}

static void check_tree(const hp_tree *t, int words)
{
	int roots = 0;

	demand(t && t->words == words);
	for (int w = 1; w <= words; w++) {
		int steps = 0;

		roots += t->heads[w] == 0;
		for (int at = w; at != 0; at = t->heads[at])
			demand(t->heads[at] >= 0 && t->heads[at] <= words && ++steps <= words);
		check_string(t->labels[w]);
	}
	demand(roots == 1);
}

static void check_sentence(const hp_text_sentence *s, const char *text, const char **at, const char *end)
{
	int words = 0;

	demand(s->tokens > 0);
	for (int t = 0; t < s->tokens; t++) {
		const hp_text_token *token = &s->token[t];

		demand(token->from < token->to && token->to <= (size_t)(end - text));
		demand(text + token->from >= *at && behind_space(*at, text + token->from) == text + token->from);
		demand(token->first == words + 1 && token->words > 0);
		for (int k = 0; k < token->words; k++)
			demand(s->word[++words].token == t);
		*at = text + token->to;
	}
	demand(words == s->words);
	for (int w = 1; w <= words; w++) {
		const hp_text_word *word = &s->word[w];

		check_string(word->form), check_string(word->lemma), check_string(word->upos);
		check_string(word->xpos), check_string(word->feats);
	}
	check_tree(s->tree, words);
}

/* Splits from the top, each one's left half before its right half, as far as the part FIRST to LAST goes. */
static const hp_edu_split *check_part(const hp_edu_split *s, int first, int last)
{
	while (first < last) {
		int mid = s->mid;

		demand(s->first == first && s->last == last && mid >= first && mid < last);
		demand(!strcmp(s->nuclearity, "NS") || !strcmp(s->nuclearity, "SN") || !strcmp(s->nuclearity, "NN"));
		check_string(s->relation);
		s = check_part(s + 1, first, mid);
		first = mid + 1;
	}
	return s;
}

static void check_document(const hp_document *d, int count, const hp_text_sentence *sentence)
{
	int edu = 0;

	demand(d->sentences == count);
	for (int i = 0; i < count; i++) {
		int next = 1;

		demand(d->sentence[i].words == sentence[i].words);
		for (; edu < d->edus && d->edu[edu].sentence == i; next += d->edu[edu++].words)
			demand(d->edu[edu].first == next && d->edu[edu].words > 0 && d->edu[edu].from < d->edu[edu].to);
		demand(next == sentence[i].words + 1);
	}
	demand(edu == d->edus && d->tree->edus == edu);
	demand(check_part(d->tree->split, 0, edu - 1) == d->tree->split + edu - 1);
}

enum { LONGEST_DOCUMENT = 1000 }; /* bytes: all is parsed a second time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static hp_parser *parser, *whole;
	const char *text = (const char *)data, *at = text, *end = text + size;
	const hp_text_sentence *s;
	const hp_document *document;
	hp_error err = {""};
	int count;

	if (!parser) {
		char *language = fuzz_beside("models/language");
		demand(hp_open_text(language, &parser, &err) == 0 && hp_open_document(language, &whole, &err) == 0);
		free(language);
	}
	if (hp_parse_text(parser, text, size, &count, &s, &err) != 0) {
		fuzz_refused(&err);
		demand(count == 0 && !s);
		demand(hp_utf8_valid_prefix(text, size) < size || memchr(text, 0, size));
		demand(hp_parse_document(whole, text, size, &document, NULL) != 0 && !document);
		return 0;
	}
	for (int i = 0; i < count; i++)
		check_sentence(&s[i], text, &at, end);
	demand(behind_space(at, end) == end);
	if (size > LONGEST_DOCUMENT)
		return 0;
	demand(hp_parse_document(whole, text, size, &document, &err) == 0 && (count > 0) == (document != NULL));
	if (document)
		check_document(document, count, s);
	return 0;
}
