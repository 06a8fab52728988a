/* Lines of EDUs: what comes of them, and what is refused. */
#include "text/edus.h"
#include "unit.h"

static hp_arena *arena;
static hp_error err;

static int parse(const char *lines, int max_words, hp_edus *e, hp_sentence *s)
{
	return hp_edus_parse(lines, strlen(lines), (hp_edus_source){"f", 7, 1, max_words}, arena, e, s, &err);
}

TEST(parse)
{
	hp_edus e;
	hp_sentence s;
	hp_sentence_init(&s);
	assert_int_equal(parse("# sent_id = doc-3\n  He \t left ,\nbecause\r\n# it rained", 7, &e, &s), 0);
	assert_string_equal(e.id, "doc-3");
	assert_int_equal(e.edus, 3);
	assert_string_equal(e.text[0], "He left ,");
	assert_string_equal(e.text[1], "because");
	assert_string_equal(e.text[2], "# it rained");
	assert_int_equal(e.ends[0], 2);
	assert_int_equal(e.ends[1], 3);
	assert_int_equal(e.ends[2], 6);
	assert_int_equal(s.words, 7);
	hp_sentence_free(&s);
}

TEST(words)
{
	hp_edus e;
	hp_sentence s;
	hp_sentence_init(&s);
	assert_int_equal(parse("He  left ,\nbecause\n# it\n", 6, &e, &s), 0);
	assert_null(e.id);
	assert_int_equal(s.words, 6);
	assert_memory_equal(s.word[0].col[HP_FORM], "He", 2);
	assert_int_equal(s.word[3].len[HP_FORM], 7);
	assert_memory_equal(s.word[4].col[HP_FORM], "#", 1);
	assert_int_equal(parse("a b c\nd e f\n", 5, &e, &s), HP_FAIL);
	assert_string_equal(err.text, "f:8: a sentence of more than 5 words");
	hp_sentence_free(&s);
}

/* As they are read back from a tree in .dis notation. */
TEST(white_space)
{
	static const char *const expected[] = {"a b", "c", "d", "e <P> f"};
	hp_edus e;
	hp_sentence s;
	hp_sentence_init(&s);
	assert_int_equal(parse("a\fb <P>\nc<P> <P> \n\vd\ne <P> f\n", 0, &e, &s), 0);
	assert_int_equal(e.edus, 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(e.text[i], expected[i]);
	assert_int_equal(e.ends[0], 1);
	assert_int_equal(e.ends[3], 6);
	assert_int_equal(s.words, 7);
	hp_sentence_free(&s);
}

TEST(refused)
{
	static const struct {
		const char *lines, *message;
	} bad[] = {{"", "f:7: a sentence without EDUs"},
	           {"# sent_id = x\n", "f:7: a sentence without EDUs"},
	           {"a\n \t\nb\n", "f:8: an EDU without tokens"},
	           {"a\n\nb\n", "f:8: an EDU without tokens"},
	           {"a\n\f\v\nb\n", "f:8: an EDU without tokens"},
	           {"a\n <P>\nb\n", "f:8: an EDU without tokens"},
	           {"a\nb\xff\n", "f:8: invalid UTF-8"}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		hp_edus e;
		assert_int_equal(parse(bad[i].lines, 0, &e, NULL), HP_FAIL);
		assert_string_equal(err.text, bad[i].message);
	}
	hp_edus e;
	assert_int_equal(hp_edus_parse("a\0b\n", 4, (hp_edus_source){"f", 7, 1, 0}, arena, &e, NULL, &err), HP_FAIL);
	assert_string_equal(err.text, "f:7: a NUL byte, expected text");
}

TEST(lines)
{
	const char *text[] = {"He left ,", "because"};
	size_t size;
	char *lines = hp_edus_lines(&(hp_edus){.id = "d-1", .edus = 2, .text = text}, arena, &size);
	assert_string_equal(lines, "# sent_id = d-1\nHe left ,\nbecause\n");
	assert_int_equal(size, strlen(lines));
	hp_edus e;
	assert_int_equal(parse(lines, 0, &e, NULL), 0);
	assert_string_equal(e.id, "d-1");
	assert_string_equal(e.text[1], "because");
}

/* A text that ends like the mark of a paragraph has a word joiner (U+2060) behind it in lines. */
TEST(texts_like_marks)
{
	const char *text[] = {"a <P>", "<P>\u2060\u2060", "b\u2060", "<P> c"};
	const int32_t paragraph[] = {0, 1, 0, 0};
	hp_edus e;
	size_t size;
	assert_int_equal(hp_edus_take(4, text, (hp_edus_source){"f", 7, 1, 0}, arena, &e, NULL, &err), 0);
	assert_string_equal(e.text[0], "a <P>");
	memcpy(e.paragraph, paragraph, sizeof paragraph);
	e.id = "x";
	e.document = true;
	char *lines = hp_edus_lines(&e, arena, &size);
	assert_string_equal(lines, "# newdoc id = x\na <P>\u2060\n<P>\u2060\u2060\u2060<P>\nb\u2060\n<P> c\n");
	assert_int_equal(size, strlen(lines));
	assert_int_equal(parse(lines, 0, &e, NULL), 0);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(e.text[i], text[i]);
		assert_int_equal(e.paragraph[i], paragraph[i]);
	}
}

/* What reads like an id is an EDU where EDUs are taken as they are, and stays one in lines. */
TEST(take)
{
	const char *text[] = {"# sent_id =  x", "because\tit"};
	hp_edus e;
	hp_sentence s;
	size_t size;
	hp_sentence_init(&s);
	assert_int_equal(hp_edus_take(2, text, (hp_edus_source){"f", 7, 2, 6}, arena, &e, &s, &err), 0);
	assert_null(e.id);
	assert_int_equal(e.edus, 2);
	assert_string_equal(e.text[0], "# sent_id = x");
	assert_string_equal(e.text[1], "because it");
	assert_int_equal(e.ends[0], 3);
	assert_int_equal(e.ends[1], 5);
	assert_int_equal(s.words, 6);
	assert_int_equal(hp_edus_take(2, text, (hp_edus_source){"f", 7, 2, 5}, arena, &e, &s, &err), HP_FAIL);
	assert_string_equal(err.text, "f:9: a sentence of more than 5 words");
	hp_sentence_free(&s);
	char *lines = hp_edus_lines(&(hp_edus){.edus = 2, .text = text}, arena, &size);
	assert_string_equal(lines, " # sent_id =  x\nbecause\tit\n");
	assert_int_equal(size, strlen(lines));
	assert_int_equal(parse(lines, 0, &e, NULL), 0);
	assert_null(e.id);
	assert_int_equal(e.edus, 2);
	assert_string_equal(e.text[0], "# sent_id = x");
}

HOOK(begin)
{
	arena = hp_arena_new();
	assert_non_null(arena);
}

HOOK(end)
{
	hp_arena_destroy(arena);
}

/* Empty lines end sentences, in documents only; ids of sentences are passed over. */
TEST(document)
{
	static const char *const lines = "# newdoc id = d\n# sent_id = d-1\na b\nc\n\n\n# sent_id = d-2\nd\n\ne\n\n";
	hp_edus e;
	size_t size;
	assert_int_equal(parse(lines, 0, &e, NULL), 0);
	assert_true(e.document);
	assert_string_equal(e.id, "d");
	assert_int_equal(e.edus, 4);
	assert_int_equal(e.sents, 3);
	static const int32_t sent_end[] = {1, 2, 3}, ends[] = {1, 2, 3, 4};
	assert_memory_equal(e.sent_end, sent_end, sizeof sent_end);
	assert_memory_equal(e.ends, ends, sizeof ends);
	assert_string_equal(hp_edus_lines(&e, arena, &size), "# newdoc id = d\na b\nc\n\nd\n\ne\n");
	static const int32_t paragraph[] = {0, 1, 0, 1};
	assert_int_equal(parse("# newdoc id = d\na b\nc <P>\n\nd\ne<P> <P>\n", 0, &e, NULL), 0);
	assert_int_equal(e.edus, 4);
	assert_memory_equal(e.paragraph, paragraph, sizeof paragraph);
	assert_string_equal(hp_edus_lines(&e, arena, &size), "# newdoc id = d\na b\nc<P>\n\nd\ne<P>\n");
	e.document = false;
	e.id = NULL;
	assert_null(strstr(hp_edus_lines(&e, arena, &size), "<P>"));
	assert_int_equal(parse("# newdoc id = d\na\nb\n", 0, &e, NULL), 0);
	assert_int_equal(e.sents, 0);
	assert_int_equal(parse("# newdoc id = d\na\nb\n\n", 0, &e, NULL), 0);
	assert_int_equal(e.sents, 0);
	assert_int_equal(parse("a\n\nb\n", 0, &e, NULL), HP_FAIL);
	assert_string_equal(err.text, "f:8: an EDU without tokens");
	assert_int_equal(parse("# newdoc id = d\n\n", 0, &e, NULL), HP_FAIL);
}

/* What reads like a line of ids at a sentence's beginning stays an EDU. */
TEST(document_like_ids)
{
	const char *text[] = {"# sent_id = x", "# newdoc id = y", "# sent_id = z"};
	int32_t sent_end[] = {0, 2};
	hp_edus e = {.id = "d", .document = true, .sents = 2, .sent_end = sent_end, .edus = 3, .text = text};
	size_t size;
	char *lines = hp_edus_lines(&e, arena, &size);
	assert_string_equal(lines, "# newdoc id = d\n # sent_id = x\n\n # newdoc id = y\n# sent_id = z\n");
	assert_int_equal(size, strlen(lines));
	assert_int_equal(parse(lines, 0, &e, NULL), 0);
	assert_int_equal(e.edus, 3);
	assert_int_equal(e.sents, 2);
	assert_string_equal(e.text[0], "# sent_id = x");
}
