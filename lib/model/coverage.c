/* coverage.c: texts in another script or language than the model's.  Names, emoji and foreign words among others are
 * nothing to speak of, nor are digits and punctuation, which all scripts share. */
#include "model/coverage.h"

#include <ctype.h>
#include <inttypes.h>
#include <utf8proc.h>
#include "base/utf8.h"
#include "text/vocab.h"

enum { FEW_WORDS = 20, MANY_WORDS = 100, KNOWN_SHARE = 20 };

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

void hp_coverage_add(hp_coverage *c, const hp_sentence *s, const int32_t *words, const int32_t *chars,
                     const int32_t *lengths)
{
	for (int i = 0; i < s->words; i++) {
		const hp_word *w = &s->word[i];
		int letters, unknown;

		count_letters(w->col[HP_FORM], w->len[HP_FORM], chars, &letters, &unknown);
		c->words += letters > 0;
		c->known += letters > 0 && words[i] > HP_ID_UNKNOWN;
		c->strange += 2 * unknown > letters;
		chars += lengths[i];
	}
}

int hp_coverage_check(const hp_coverage *c, const char *path, hp_error *err)
{
	if (c->words >= FEW_WORDS && 2 * c->strange > c->words)
		return hp_fail(err,
		               "%s does not know the letters of %" PRId64 " of %" PRId64
		               " words: is the text in a script that it was not trained on?",
		               path, c->strange, c->words);
	if (c->words >= MANY_WORDS && KNOWN_SHARE * c->known < c->words)
		return hp_fail(err,
		               "%s knows only %" PRId64 " of %" PRId64
		               " words: is the text in a language that it was not trained on?",
		               path, c->known, c->words);
	return 0;
}
