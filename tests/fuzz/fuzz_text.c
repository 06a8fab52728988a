/* fuzz_text.c: a text through all models of a language, as a library's caller gives it.  It is refused with a message if it is
 * no UTF-8; or every token stands where it says, in the text's order, nothing but white space lies between them, words belong to
 * their tokens, and each sentence has a tree with one root. */
#include "fuzz.h"

#include <string.h>
#include "base/utf8.h"
#include "hp.h"
#include "tokenize/signs.h"

/* Behind the white space that FROM begins with. */
static const char *behind_space(const char *from, const char *to)
{
	int length;

	while ((length = hp_white_space(from, (size_t)(to - from))) > 0)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static hp_parser *parser;
	const char *text = (const char *)data, *at = text, *end = text + size;
	const hp_text_sentence *s;
	hp_error err = {""};
	int count;

	if (!parser) {
		char *language = fuzz_beside("models/language");
		demand(hp_open_text(language, &parser, &err) == 0);
		free(language);
	}
	if (hp_parse_text(parser, text, size, &count, &s, &err) != 0) {
		fuzz_refused(&err);
		demand(count == 0 && !s);
		demand(hp_utf8_valid_prefix(text, size) < size || memchr(text, 0, size));
		return 0;
	}
	for (int i = 0; i < count; i++)
		check_sentence(&s[i], text, &at, end);
	demand(behind_space(at, end) == end);
	return 0;
}
