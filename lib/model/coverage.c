/* coverage.c: texts in another script or language than the model's.  Names, emoji and foreign words among others are
 * nothing to speak of, nor are digits and punctuation, which all scripts share. */
#include "model/coverage.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>
#include "base/utf8.h"
#include "text/vocab.h"

/* Of 50 words English has 14 at least among the 500 commonest of its treebank, French of 300 sentences has 15; Catalan
 * has 7 at most among the English ones, and with the French ones it cannot be told from French.  A model of fewer words than
 * that knows less of its own language. */
enum { FEW_WORDS = 20, MANY_WORDS = 50, COMMON = 500, COMMON_SHARE = 8, SMALL_SHARE = 20 };

static bool is_letter(int32_t code)
{
	utf8proc_category_t category = utf8proc_category(code);

	return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

/* Letters of FORM, and how many of them have the number of unknown characters. */
static void count_letters(const char *form, size_t size, const int32_t *chars, int *letters, int *unknown)
{
	int32_t code;

	*letters = *unknown = 0;
	for (size_t i = 0; i < size; chars++) {
		int length = hp_utf8_decode(form + i, size - i, &code);
		bool letter = length > 0 && (code < 0x80 ? isalpha((int)code) != 0 : is_letter(code));

		*letters += letter;
		*unknown += letter && *chars == HP_ID_UNKNOWN;
		i += length > 0 ? (size_t)length : 1;
	}
}

/* ---- text that is not split ---- */

static bool is_known(const hp_look_up *how, const char *form, size_t size)
{
	return hp_look_up_word(how, form, size) > HP_ID_UNKNOWN;
}

/* Where the apostrophe of a form begins, straight or round, and *LENGTH, its bytes; SIZE: it has none. */
static size_t find_apostrophe(const char *form, size_t size, size_t *length)
{
	for (size_t i = 0; i < size; i++) {
		*length = form[i] == '\'' ? 1 : size - i >= 3 && memcmp(form + i, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
		if (*length > 0)
			return i;
	}
	return size;
}

/* "l'homme", "dog's", "can't": an apostrophe within, and on one side of it, or of the letter before, a known word. */
static bool is_contraction(const hp_look_up *how, const char *form, size_t size)
{
	size_t length, at = find_apostrophe(form, size, &length), after = at + length;

	if (at == 0 || after >= size)
		return false;
	return (is_known(how, form, after) && is_known(how, form + after, size - after)) ||
	       (is_known(how, form, at) && is_known(how, form + at, size - at)) ||
	       (at > 1 && is_known(how, form + at - 1, size - at + 1));
}

/* Words that stand beside others in raw text; a full stop may belong to an abbreviation, but for the last one. */
static bool is_mark(const char *form, size_t size, bool last)
{
	return size == 1 && (strchr(",;:!?", *form) || (last && *form == '.'));
}

static void count_glued(hp_coverage *c, const hp_look_up *how, const hp_word *w, bool known, bool last)
{
	const char *form = w->col[HP_FORM];
	size_t size = w->len[HP_FORM], length;

	if (known) {
		c->apart += is_mark(form, size, last) || (size > 1 && find_apostrophe(form, size, &length) < size);
		return;
	}
	bool marked = size > 1 && is_mark(form + size - 1, 1, last) && !ispunct((unsigned char)form[size - 2]) &&
	              is_known(how, form, size - 1) && is_known(how, form + size - 1, 1);
	if (!marked && !is_contraction(how, form, size))
		return;
	c->glued++;
	if (*c->example == '\0' && size < sizeof c->example)
		memcpy(c->example, form, size);
}

void hp_coverage_add(hp_coverage *c, const hp_look_up *how, const hp_sentence *s, const hp_tokens *tokens)
{
	const int32_t *words = tokens->words + how->root, *chars = tokens->chars + how->root;

	c->share = hp_vocab_count(how->words) > COMMON ? COMMON_SHARE : SMALL_SHARE;
	for (int i = 0; i < s->words; i++) {
		const hp_word *w = &s->word[i];
		bool known = words[i] > HP_ID_UNKNOWN;
		int letters, unknown;

		count_letters(w->col[HP_FORM], w->len[HP_FORM], chars, &letters, &unknown);
		c->words += letters > 0;
		c->common += letters > 0 && known && words[i] <= HP_ID_UNKNOWN + COMMON;
		c->strange += 2 * unknown > letters;
		count_glued(c, how, w, known, i == s->words - 1);
		chars += tokens->char_lengths[how->root + i];
	}
}

int hp_coverage_check(const hp_coverage *c, const char *path, const char *splitter, hp_error *err)
{
	if (c->words >= FEW_WORDS && 2 * c->strange > c->words)
		return hp_fail(err,
		               "%s does not know the letters of %" PRId64 " of %" PRId64
		               " words: is the text in a script that it was not trained on?",
		               path, c->strange, c->words);
	if (c->words >= MANY_WORDS && c->share * c->common < c->words)
		return hp_fail(err,
		               "only %" PRId64 " of %" PRId64
		               " words are common ones of %s: is the text in a language that it was not trained on?",
		               c->common, c->words, path);
	if (c->glued > c->apart)
		return hp_fail(err,
		               "%" PRId64 " of %" PRId64
		               " words are two words each for %s, as \"%s\" is: is the text split into tokens?"
		               "  %s",
		               c->glued, c->words, path, c->example, splitter);
	return 0;
}
