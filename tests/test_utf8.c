/* test_utf8.c: decoding, validity, punctuation and look-up keys. */
#include "base/utf8.h"
#include "unit.h"

static void decodes(const char *bytes, size_t size, int length, int32_t code)
{
	int32_t got = -1;

	assert_int_equal(hp_utf8_decode(bytes, size, &got), length);
	if (length > 0)
		assert_int_equal(got, code);
}

TEST(decode)
{
	decodes("a", 1, 1, 'a');
	decodes("\0", 1, 1, 0);
	decodes("\x7F", 1, 1, 0x7F);
	decodes("\xC2\x80", 2, 2, 0x80);
	decodes("\xDF\xBF", 2, 2, 0x7FF);
	decodes("\xE0\xA0\x80", 3, 3, 0x800);
	decodes("\xED\x9F\xBF", 3, 3, 0xD7FF);
	decodes("\xEE\x80\x80", 3, 3, 0xE000);
	decodes("\xE2\x80\xA8", 3, 3, 0x2028);
	decodes("\xF0\x90\x80\x80", 4, 4, 0x10000);
	decodes("\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF);
}

TEST(invalid)
{
	decodes("", 0, 0, 0);
	decodes("\x80", 1, 0, 0);
	decodes("\xC1\xBF", 2, 0, 0); /* overlong */
	decodes("\xE0\x9F\xBF", 3, 0, 0); /* overlong */
	decodes("\xF0\x8F\xBF\xBF", 4, 0, 0); /* overlong */
	decodes("\xED\xA0\x80", 3, 0, 0); /* surrogates */
	decodes("\xED\xBF\xBF", 3, 0, 0);
	decodes("\xF4\x90\x80\x80", 4, 0, 0); /* past U+10FFFF */
	decodes("\xF5\x80\x80\x80", 4, 0, 0);
	decodes("\xFF", 1, 0, 0);
	decodes("\xC3", 1, 0, 0); /* cut off */
	decodes("\xE2\x80\xA8", 2, 0, 0);
	decodes("\xF0\x90\x80\x80", 3, 0, 0);
	decodes("\xC3(", 2, 0, 0);
	decodes("\xE2(\xA8", 3, 0, 0);
	decodes("\xE2\x80(", 3, 0, 0);
	decodes("\xF0\x90\x80(", 4, 0, 0);
}

TEST(valid_prefix)
{
	char text[64];

	assert_int_equal(hp_utf8_valid_prefix("", 0), 0);
	/* A bad byte in every place of an ASCII text and after a character of three bytes. */
	for (size_t at = 0; at < 40; at++) {
		memset(text, 'x', sizeof(text));
		assert_int_equal(hp_utf8_valid_prefix(text, 40), 40);
		text[at] = '\xFF';
		assert_int_equal(hp_utf8_valid_prefix(text, 40), at);
		if (at >= 3) {
			memcpy(text + at - 3, "\xE2\x80\xA8", 3);
			assert_int_equal(hp_utf8_valid_prefix(text, 40), at);
		}
	}
	assert_int_equal(hp_utf8_valid_prefix("caf\xC3\xA9", 5), 5);
	assert_int_equal(hp_utf8_valid_prefix("caf\xC3\xA9", 4), 3);
}

static void punctuation(const char *s, bool expected)
{
	assert_int_equal(hp_utf8_is_punctuation(s, strlen(s)), expected);
}

TEST(punctuation)
{
	punctuation(".", true);
	punctuation("...", true);
	punctuation("_", true); /* Pc */
	punctuation("-LRB-", false);
	punctuation("(", true);
	punctuation("\xC2\xAB", true); /* left guillemet, Pi */
	punctuation("\xE2\x80\x99", true); /* right single quote, Pf */
	punctuation("\xE3\x80\x82", true); /* ideographic full stop */
	punctuation("", false);
	punctuation("$", false); /* Sc */
	punctuation("+", false); /* Sm */
	punctuation("`", false); /* Sk */
	punctuation(".a", false);
	punctuation("\xFF", false);
}

static void typed(const char *s, const char *expected)
{
	char out[64];
	size_t size = hp_utf8_typed_text(s, strlen(s), out);

	assert_int_equal(size, strlen(expected));
	assert_memory_equal(out, expected, size);
}

TEST(typed)
{
	typed("l\u2019eau", "l'eau");
	typed("\u2018a\u2019 \u201cb\u201d \u00abc\u00bb \u201ed\u201f", "'a' \"b\" \"c\" \"d\"");
	typed("a\u2013b\u2014c\u2212\u2010", "a-b-c--");
	typed("5\u20326\u2033", "5'6\"");
	typed("\xff\u2019\u00e9", "\xff'\u00e9"); /* what is no UTF-8 stays */
	typed("l'eau", ""); /* none */
	typed("\u2026\u00b4", "");
	typed("", "");
	assert_int_equal(hp_utf8_typed(0x2019), '\'');
	assert_int_equal(hp_utf8_typed('a'), 'a');
	assert_int_equal(hp_utf8_typed(0x2016), 0x2016);
}

static void key(const char *s, bool lower, const char *expected)
{
	char out[64];
	size_t size = hp_utf8_key(s, strlen(s), lower, out, sizeof(out));

	assert_int_equal(size, strlen(expected));
	assert_memory_equal(out, expected, size);
}

TEST(key)
{
	key("", true, "");
	key("Hello", false, "Hello");
	key("HeLLo-[Z]", true, "hello-[z]");
	key("Cafe\xCC\x81", false, "Caf\xC3\xA9"); /* e + combining acute */
	key("CAFE\xCC\x81", true, "caf\xC3\xA9");
	key("\xC3\x89", true, "\xC3\xA9");
	key("\xCE\xA3", true, "\xCF\x83"); /* sigma */
	key("\xE1\xBA\x9E", true, "\xC3\x9F"); /* capital sharp s */
	key("q\xCC\x81", false, "q\xCC\x81"); /* has no composed form */
	key("J\xCC\x8C", false, "J\xCC\x8C");
	key("J\xCC\x8C", true, "\xC7\xB0"); /* composed only in lower case */
	key("a\xCC\x81\xCC\xA3", false, "\xE1\xBA\xA1\xCC\x81"); /* marks put in order */
	key("\xE1\x84\x80\xE1\x85\xA1", false, "\xEA\xB0\x80"); /* Hangul */
	key("\xEF\xAC\x81", true, "\xEF\xAC\x81"); /* a ligature is no NFC matter */
	key("A\xFF"
	    "B",
	    true,
	    "A\xFF"
	    "B"); /* invalid: unchanged */
}

TEST(key_capacity)
{
	char out[8] = "........";

	assert_int_equal(hp_utf8_key("ABCDE", 5, true, out, 3), 5);
	assert_memory_equal(out, "abc.....", 8);
	assert_int_equal(hp_utf8_key("\xC3\x89\xC3\x89", 4, true, NULL, 0), 4);
	assert_int_equal(hp_utf8_key("\xC3\x89\xC3\x89", 4, true, out, 3), 4);
	assert_memory_equal(out,
	                    "\xC3\xA9"
	                    "c.....",
	                    8); /* no half character */
}

/* Every character: its key is valid, and the key of the key is the key again. */
TEST(key_stable)
{
	for (int32_t code = 0x80; code <= 0x10FFFF; code++) {
		char s[4], once[64], twice[64];
		size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4, n;

		for (size_t i = size - 1, rest = (size_t)code; i > 0; i--, rest >>= 6)
			s[i] = (char)(0x80 | (rest & 0x3F));
		s[0] = (char)(size == 2 ? 0xC0 | code >> 6 : size == 3 ? 0xE0 | code >> 12 : 0xF0 | code >> 18);
		for (int lower = 0; lower < 2; lower++) {
			n = hp_utf8_key(s, size, lower, once, sizeof(once));
			assert_in_range(n, 1, sizeof(once));
			if (code < 0xD800 || code > 0xDFFF)
				assert_int_equal(hp_utf8_valid_prefix(once, n), n);
			assert_int_equal(hp_utf8_key(once, n, lower, twice, sizeof(twice)), n);
			assert_memory_equal(once, twice, n);
		}
	}
}

TEST(key_long)
{
	enum { CHARACTERS = 100000 };
	char *word = malloc(CHARACTERS * 3), *out = malloc(CHARACTERS * 2);

	assert_non_null(word);
	assert_non_null(out);
	for (int i = 0; i < CHARACTERS; i++)
		memcpy(word + 3 * i, "E\xCC\x81", 3);
	assert_int_equal(hp_utf8_key(word, CHARACTERS * 3, true, out, CHARACTERS * 2), CHARACTERS * 2);
	for (int i = 0; i < CHARACTERS; i++)
		assert_memory_equal(out + 2 * i, "\xC3\xA9", 2);
	free(word);
	free(out);
}
