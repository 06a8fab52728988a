/* test_vocab.c: numbers stay, strings stay, the stored form is one and only one. */
#include "text/vocab.h"
#include "unit.h"

TEST(add)
{
	hp_vocab *v = hp_vocab_new();
	const char *at;
	size_t size = 99;

	assert_non_null(v);
	assert_int_equal(hp_vocab_count(v), 0);
	assert_int_equal(hp_vocab_find(v, "a", 1), -1);
	assert_int_equal(hp_vocab_add(v, HP_ROOT_NAME, 6), HP_ID_ROOT);
	assert_int_equal(hp_vocab_add(v, HP_UNKNOWN_NAME, 5), HP_ID_UNKNOWN);
	assert_int_equal(hp_vocab_add(v, "word", 4), 2);
	assert_int_equal(hp_vocab_add(v, "word", 4), 2);
	assert_int_equal(hp_vocab_add(v, "wordy", 5), 3);
	assert_int_equal(hp_vocab_add(v, "w\0rd", 4), 4);
	assert_int_equal(hp_vocab_find(v, "word", 4), 2);
	assert_int_equal(hp_vocab_find(v, "wor", 3), -1);
	assert_int_equal(hp_vocab_find(v, "w\0rd", 4), 4);
	assert_int_equal(hp_vocab_find(v, "w\0re", 4), -1);
	assert_int_equal(hp_vocab_add(v, "a\nb", 3), -1);
	assert_int_equal(hp_vocab_add(v, "", 0), -1);
	assert_int_equal(hp_vocab_count(v), 5);
	at = hp_vocab_at(v, 3, &size);
	assert_string_equal(at, "wordy");
	assert_int_equal(size, 5);
	assert_null(hp_vocab_at(v, 5, &size));
	assert_null(hp_vocab_at(v, -1, NULL));
	hp_vocab_destroy(v);
	hp_vocab_destroy(NULL);
}

/* Many strings, some longer than a block: pointers given early still hold at the end. */
TEST(many)
{
	enum { MANY = 200000, LONG = 100000 };
	hp_vocab *v = hp_vocab_new(), *again;
	char s[32], *text, *big = malloc(LONG);
	const char *first;
	size_t size;

	assert_non_null(v);
	assert_non_null(big);
	memset(big, 'x', LONG);
	assert_int_equal(hp_vocab_add(v, "first", 5), 0);
	first = hp_vocab_at(v, 0, NULL);
	assert_int_equal(hp_vocab_add(v, big, LONG), 1);
	for (int i = 2; i < MANY; i++)
		assert_int_equal(hp_vocab_add(v, s, (size_t)sprintf(s, "w%d", i)), i);
	assert_ptr_equal(hp_vocab_at(v, 0, NULL), first);
	assert_string_equal(first, "first");
	assert_int_equal(hp_vocab_find(v, big, LONG), 1);
	assert_int_equal(hp_vocab_find(v, big, LONG - 1), -1);
	text = hp_vocab_text(v, &size);
	assert_non_null(text);
	assert_int_equal(hp_vocab_parse(text, size, "m", &again, NULL), 0);
	free(text);
	assert_int_equal(hp_vocab_count(again), MANY);
	for (int i = 2; i < MANY; i++) {
		int length = sprintf(s, "w%d", i);

		assert_int_equal(hp_vocab_find(again, s, (size_t)length), i);
		assert_string_equal(hp_vocab_at(again, i, NULL), s);
	}
	assert_int_equal(hp_vocab_add(again, "new", 3), MANY);
	assert_int_equal(hp_vocab_find(again, "new", 3), MANY);
	hp_vocab_destroy(again);
	hp_vocab_destroy(v);
	free(big);
}

TEST(text)
{
	static const char stored[] = "a\nb c\n\xC3\xA9";
	hp_vocab *v;
	char *text;
	size_t size;

	assert_int_equal(hp_vocab_parse(stored, strlen(stored), "m", &v, NULL), 0);
	assert_int_equal(hp_vocab_count(v), 3);
	assert_int_equal(hp_vocab_find(v, "b c", 3), 1);
	assert_string_equal(hp_vocab_at(v, 0, NULL), "a");
	assert_string_equal(hp_vocab_at(v, 2, &size), "\xC3\xA9");
	assert_int_equal(size, 2);
	text = hp_vocab_text(v, &size);
	assert_string_equal(text, stored);
	assert_int_equal(size, strlen(stored));
	free(text);
	hp_vocab_destroy(v);

	assert_int_equal(hp_vocab_parse("", 0, "m", &v, NULL), 0);
	assert_int_equal(hp_vocab_count(v), 0);
	text = hp_vocab_text(v, &size);
	assert_int_equal(size, 0);
	free(text);
	hp_vocab_destroy(v);
}

static void refused(const char *stored, size_t size, const char *message)
{
	hp_vocab *v;
	hp_error err;

	assert_int_equal(hp_vocab_parse(stored, size, "m", &v, &err), HP_FAIL);
	assert_null(v);
	assert_string_equal(err.text, message);
}

TEST(refused)
{
	refused("a\nb\na", 5, "m:3: a second \"a\" in a vocabulary");
	refused("a\n", 2, "m:2: an empty line in a vocabulary");
	refused("\n", 1, "m:1: an empty line in a vocabulary");
	refused("a\n\nb", 4, "m:2: an empty line in a vocabulary");
	refused("a\nb\xFF", 4, "m:2: invalid UTF-8 in a vocabulary");
}
