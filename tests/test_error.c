/* test_error.c: messages are one line of valid UTF-8, whatever is put into them. */
#include <errno.h>

#include "base/error.h"
#include "base/utf8.h"
#include "unit.h"

TEST(plain)
{
	hp_error err;

	assert_int_equal(hp_fail(&err, "%s: %d of %d", "file", 3, 4), HP_FAIL);
	assert_string_equal(err.text, "file: 3 of 4");
	assert_int_equal(hp_fail_at(&err, "a.conllu", 12, "bad ID '%s'", "x"), HP_FAIL);
	assert_string_equal(err.text, "a.conllu:12: bad ID 'x'");
	assert_int_equal(hp_fail_memory(&err), HP_FAIL);
	assert_string_equal(err.text, "out of memory");
	errno = ENOENT;
	assert_int_equal(hp_fail_errno(&err, "dir/file"), HP_FAIL);
	assert_string_equal(err.text, "dir/file: No such file or directory");
}

TEST(nobody_listens)
{
	assert_int_equal(hp_fail(NULL, "%s", "x"), HP_FAIL);
	assert_int_equal(hp_fail_at(NULL, "f", 1, "x"), HP_FAIL);
	assert_int_equal(hp_fail_memory(NULL), HP_FAIL);
	assert_int_equal(hp_fail_errno(NULL, "f"), HP_FAIL);
}

/* A message may be made from the one that is there. */
TEST(wrapped)
{
	hp_error err;

	hp_fail(&err, "inner");
	hp_fail(&err, "outer: %s", err.text);
	assert_string_equal(err.text, "outer: inner");
}

TEST(escaped)
{
	hp_error err;

	hp_fail(&err, "%s", "a\nb\tc\x1b[31m\x7f");
	assert_string_equal(err.text, "a\\x0Ab\\x09c\\x1B[31m\\x7F");
	hp_fail(&err, "%s", "gr\xc3\xbc\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x98\x80"); /* well-formed: as it is */
	assert_string_equal(err.text, "gr\xc3\xbc\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x98\x80");
	hp_fail(&err, "%s",
	        "\xff \xc3( \xc0\x80 \xed\xa0\x80 \xe2\x82"); /* stray, cut, overlong, surrogate, cut at the end */
	assert_string_equal(err.text, "\\xFF \\xC3( \\xC0\\x80 \\xED\\xA0\\x80 \\xE2\\x82");
	hp_fail(&err, "%s", "\xc2\x9b"); /* C1: a terminal may obey it */
	assert_string_equal(err.text, "\\xC2\\x9B");
	/* Arabic letter mark, marks, separators, embeddings and isolates: a message must read as it is. */
	hp_fail(&err, "%s",
	        "\xd8\x9c \xe2\x80\x8e\xe2\x80\x8f \xe2\x80\xa8\xe2\x80\xaa\xe2\x80\xae \xe2\x81\xa6\xe2\x81\xa9");
	assert_string_equal(err.text,
	                    "\\xD8\\x9C \\xE2\\x80\\x8E\\xE2\\x80\\x8F \\xE2\\x80\\xA8\\xE2\\x80\\xAA\\xE2\\x80\\xAE "
	                    "\\xE2\\x81\\xA6\\xE2\\x81\\xA9");
	hp_fail(&err, "%s",
	        "\xd8\x9b \xe2\x80\x8d \xe2\x80\xa7\xe2\x80\xaf \xe2\x81\xa5\xe2\x81\xaa"); /* their neighbours */
	assert_string_equal(err.text, "\xd8\x9b \xe2\x80\x8d \xe2\x80\xa7\xe2\x80\xaf \xe2\x81\xa5\xe2\x81\xaa");
	hp_fail(&err, "%s", "\xf4\x90\x80\x80");
	assert_string_equal(err.text, "\\xF4\\x90\\x80\\x80");
}

/* Cut between characters and never within an escape, at every length. */
TEST(cut)
{
	static const char *const pieces[] = {"\xe2\x82\xac", "\x01", "\xf0\x9f\x98\x80", "x"};
	char text[3000];
	hp_error err;

	for (size_t p = 0; p < 4; p++) {
		for (size_t shift = 0; shift < 8; shift++) {
			size_t size = strlen(pieces[p]), length = shift;

			memset(text, 'a', shift);
			while (length + size < sizeof(text) - 1) {
				memcpy(text + length, pieces[p], size);
				length += size;
			}
			text[length] = '\0';
			memset(&err, 0x55, sizeof(err));
			hp_fail(&err, "%s", text);
			length = strnlen(err.text, sizeof(err.text));
			assert_in_range(length, sizeof(err.text) - 5, sizeof(err.text) - 1);
			assert_int_equal(hp_utf8_valid_prefix(err.text, length), length);
			if (p == 1)
				assert_int_equal((length - shift) % 4, 0);
			hp_fail_at(&err, text, 7, "x"); /* the place alone fills it */
			assert_true(strlen(err.text) < sizeof(err.text));
		}
	}
}
