/* test_hp_text.c: raw text by the library: where tokens stand, what belongs to what, what is refused. */
#include "hp.h"
#include "unit.h"

static char folder[] = "/tmp/hp-test-XXXXXX", language[64], bare[64];
static hp_error err;

HOOK(begin)
{
	assert_non_null(mkdtemp(folder));
	snprintf(language, sizeof language, "%s/en", folder);
	snprintf(bare, sizeof bare, "%s/bare", folder);
	shell("cp \"${builddir:-.}\"/tests/models/en-t*.safetensors %s", folder);
	shell("\"${builddir:-.}/tests/make-model\" %s-dep.safetensors", language);
	shell("\"${builddir:-.}/tests/make-model\" -p %s-dep.safetensors", bare);
	shell("cp \"${builddir:-.}\"/tests/models/en-tok.safetensors %s-tok.safetensors", bare);
}

HOOK(end)
{
	shell("rm -r %s", folder);
}

static hp_parser *open_text(const char *name)
{
	hp_parser *p;

	if (hp_open_text(name, &p, &err) != 0)
		fail_msg("%s", err.text);
	return p;
}

static int parse(hp_parser *p, const char *text, const hp_text_sentence **s)
{
	int count;

	if (hp_parse_text(p, text, strlen(text), &count, s, &err) != 0)
		fail_msg("%s", err.text);
	return count;
}

/* Tokens in their order, words and trees that belong to them. */
static void check(const char *text, int count, const hp_text_sentence *s)
{
	size_t at = 0;

	for (int i = 0; i < count; i++) {
		int words = 0;

		for (int t = 0; t < s[i].tokens; t++) {
			const hp_text_token *token = &s[i].token[t];

			assert_true(token->from >= at && token->to > token->from && token->to <= strlen(text));
			for (; at < token->from; at++)
				assert_non_null(strchr(" \t\n", text[at]));
			at = token->to;
			assert_int_equal(token->first, words + 1);
			for (int k = 0; k < token->words; k++)
				assert_int_equal(s[i].word[++words].token, t);
			if (token->words == 1)
				assert_memory_equal(s[i].word[words].form, text + token->from, token->to - token->from);
		}
		assert_int_equal(words, s[i].words);
		assert_int_equal(words, s[i].tree->words);
		assert_int_equal(s[i].word[0].token, -1);
		assert_string_equal(s[i].word[0].form, "_");
	}
	assert_int_equal(strspn(text + at, " \t\n"), strlen(text + at));
}

TEST(sentences)
{
	static const char text[] = "  She gave her brother a book.  It isn't new.\n\n The dog barks (caf\xc3\xa9).\n";
	const hp_text_sentence *s;
	hp_parser *p = open_text(language);
	int count = parse(p, text, &s), multi = 0, paragraphs = 0;

	assert_true(count > 1);
	check(text, count, s);
	for (int i = 0; i < count; i++) {
		paragraphs += s[i].paragraph;
		for (int t = 0; t < s[i].tokens; t++)
			multi += s[i].token[t].words == 2;
	}
	assert_true(s[0].paragraph);
	assert_int_equal(paragraphs, 2);
	assert_int_equal(multi, 1);
	assert_string_not_equal(s[0].word[1].upos, "_");
	assert_string_equal(s[0].word[1].form, "She");
	assert_int_equal(parse(p, "", &s), 0);
	assert_int_equal(parse(p, " \n\n ", &s), 0);
	hp_close(p);
	p = open_text(bare);
	count = parse(p, text, &s);
	check(text, count, s);
	assert_string_equal(s[0].word[1].upos, "_");
	hp_close(p);
}

/* Many paragraphs at once are what they are alone, and as tokens with their tags. */
TEST(batches)
{
	enum { TIMES = 400 };
	static const char *const part[] = {"The dog barks.\n\n", "She reads a book, a new one.\n\n",
	                                   "It isn't (at all) what she can read!\n\n"};
	static char text[TIMES * 128];
	hp_parser *all = open_text(language), *one = open_text(language);
	const hp_text_sentence *s, *t;
	int done = 0;

	for (int i = 0; i < TIMES; i++)
		strcat(text, part[i * i % 3]);
	assert_int_equal(hp_set_threads(all, 2, &err), 0);
	int count = parse(all, text, &s);
	check(text, count, s);
	for (int i = 0; i < TIMES; i++) {
		int alone = parse(one, part[i * i % 3], &t);

		for (int k = 0; k < alone; k++, done++) {
			assert_true(done < count);
			assert_int_equal(t[k].words, s[done].words);
			for (int w = 1; w <= t[k].words; w++) {
				assert_string_equal(t[k].word[w].form, s[done].word[w].form);
				assert_string_equal(t[k].word[w].lemma, s[done].word[w].lemma);
				assert_string_equal(t[k].word[w].upos, s[done].word[w].upos);
				assert_string_equal(t[k].word[w].feats, s[done].word[w].feats);
				assert_int_equal(t[k].tree->heads[w], s[done].tree->heads[w]);
				assert_string_equal(t[k].tree->labels[w], s[done].tree->labels[w]);
			}
			assert_memory_equal(&t[k].tree->score, &s[done].tree->score, sizeof(float));
		}
	}
	assert_int_equal(done, count);
	const char *forms[100], *tags[100];
	for (int w = 0; w < s[0].words; w++) {
		forms[w] = s[0].word[w + 1].form;
		tags[w] = s[0].word[w + 1].upos;
	}
	const hp_tree *tree;
	assert_int_equal(hp_parse(one, s[0].words, forms, tags, &tree, &err), 0);
	assert_memory_equal(&tree->score, &s[0].tree->score, sizeof(float));
	assert_int_equal(hp_set_int8(all, &err), 0);
	count = parse(all, text, &s);
	check(text, count, s);
	hp_close(all);
	hp_close(one);
}

static void refused(int status, const char *why)
{
	assert_int_equal(status, HP_FAIL);
	if (!strstr(err.text, why))
		fail_msg("%s, expected %s", err.text, why);
}

TEST(arguments)
{
	hp_parser *p = open_text(language), *none = NULL;
	const hp_text_sentence *s;
	int count;
	char path[128];

	refused(hp_open_text(language, NULL, &err), "hp_open_text: out is NULL");
	refused(hp_open_text("", &none, &err), "the name of the language is empty");
	refused(hp_open_text("none", &none, &err), "no model 'none'");
	assert_null(none);
	refused(hp_parse_text(NULL, "a", 1, &count, &s, &err), "hp_parse_text: parser is NULL");
	refused(hp_parse_text(p, NULL, 1, &count, &s, &err), "hp_parse_text: text is NULL");
	refused(hp_parse_text(p, "a", 1, NULL, &s, &err), "hp_parse_text: count is NULL");
	refused(hp_parse_text(p, "a", 1, &count, NULL, &err), "hp_parse_text: sentences is NULL");
	assert_int_equal(hp_parse_text(p, NULL, 0, &count, &s, &err), 0);
	refused(hp_parse_text(p, "The\ndog \xff", 9, &count, &s, &err),
	        "text:2: invalid UTF-8, byte 9 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1");
	assert_int_equal(count, 0);
	assert_null(s);
	refused(hp_parse_text(p, "a\0b", 3, &count, &s, &err), "text:1: a NUL byte");
	hp_close(p);
	snprintf(path, sizeof path, "%s-dep.safetensors", language);
	assert_int_equal(hp_open(path, &p, &err), 0);
	refused(hp_parse_text(p, "a", 1, &count, &s, &err), "opened by hp_open, expected hp_open_text");
	hp_close(p);
}
