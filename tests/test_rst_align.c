/* test_rst_align.c: sentences found in EDUs, relation maps, the sentences' subtrees. */
#include <limits.h>
#include <unistd.h>

#include "rst.h"
#include "extract/extract.h"
#include "rst/relations.h"
#include "text/conllu.h"
#include "rst/rs3.h"
#include "unit.h"

#define REST "\t_\t_\t_\t_\t_\t_\t_\t_\n"

static char path[] = "/tmp/hp-test-align-XXXXXX";

static void put_file(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* A tree of nuclei whose EDUs are the lines of TEXT. */
static void make_tree(const char *text, hp_rst_tree *t)
{
	char *dis = NULL;
	size_t size;
	FILE *out = open_memstream(&dis, &size);
	hp_error err = {""};
	int n = 0;

	fputs("( Root", out);
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (!strchr(p, '\n') && n == 0) {
			fprintf(out, " (leaf 1) (text _!%s_!)", p);
			break;
		}
		fprintf(out, "\n( Nucleus (leaf %d) (rel2par List) (text _!%.*s_!) )", ++n, (int)strcspn(p, "\n"), p);
	}
	fputs(" )", out);
	fclose(out);
	hp_rst_tree_init(t);
	if (hp_dis_parse(t, dis, size, "t", 1, &err) != 0)
		fail_msg("%s", err.text);
	free(dis);
}

/* EDUs and sentences as "first-last" with "x" where they share an EDU; then the new texts between bars. */
static char *aligned(const char *edus, const char *sentences, int differences, hp_error *err)
{
	hp_alignment found;
	hp_sentence_file s;
	hp_rst_tree t;
	char *text = NULL;
	size_t size;
	FILE *out;

	make_tree(edus, &t);
	put_file(sentences);
	assert_int_equal(hp_sentence_file_read(path, 0, &s, err), 0);
	if (hp_align(&t, "t", (hp_stretch){&s, 0, s.sentences, true}, differences, &found, err) == 0) {
		out = open_memstream(&text, &size);
		for (int i = 0; i < found.used; i++)
			fprintf(out, "%d-%d%s ", found.extent[i].first + 1, found.extent[i].last + 1,
			        found.extent[i].crossed ? "x" : "");
		if (found.left_out > 0)
			fprintf(out, "less %d ", found.left_out);
		for (int e = 0; e < t.edus; e++)
			fprintf(out, "|%s", t.edu[e].text);
		fclose(out);
		free(found.extent);
	}
	hp_sentence_file_free(&s);
	hp_rst_tree_free(&t);
	return text;
}

static void aligns_with(const char *edus, const char *sentences, int differences, const char *expected)
{
	hp_error err = {""};
	char *got = aligned(edus, sentences, differences, &err);

	if (!got)
		fail_msg("%s", err.text);
	assert_string_equal(got, expected);
	free(got);
}

static void parts(const char *edus, const char *sentences, int differences, const char *message)
{
	char expected[400];
	hp_error err = {""};

	assert_null(aligned(edus, sentences, differences, &err));
	snprintf(expected, sizeof(expected), message, path);
	assert_string_equal(err.text, expected);
}

TEST(raw_and_tokens)
{
	aligns_with("He left,\nwhen she came.\nNobody saw it.", "He left , when she came .\nNobody saw it .\n", 0,
	            "1-2 3-3 |He left ,|when she came .|Nobody saw it .");
	aligns_with("one", "one\n", 0, "1-1 |one");
	/* a no-break space, a blank inside a token, a token cut by the end of an EDU */
	aligns_with("a\u00a0b\nc d", "ab c d\n", 0, "1-2 |ab|c d");
	aligns_with("well-\nknown", "well-known\n", 0, "1-2 |well-|known");
	/* sentences that end inside an EDU: both of them share it; the third does not */
	aligns_with("A b. C d.\ne f\ng .", "A b .\nC d . e\nf\ng .\n", 0, "1-1x 1-2x 2-2x 3-3 |A b . C d .|e f|g .");
	/* other spellings of the Penn Treebank */
	aligns_with("He said \"(yes)\"\nand/or went to the U.S.",
	            "He said `` -LRB- yes -RRB- '' and\\/or went to the U.S. .\n", 0,
	            "1-2 |He said `` -LRB- yes -RRB- ''|and\\/or went to the U.S. .");
}

TEST(conllu)
{
	/* the EDU has the words, or what is written */
	aligns_with("I do n't", "1\tI" REST "2-3\tdon't" REST "2\tdo" REST "3\tn't" REST, 0, "1-1 |I do n't");
	aligns_with("I don't", "1\tI" REST "2-3\tdon't" REST "2\tdo" REST "3\tn't" REST, 0, "1-1 |I do n't");
	aligns_with("il va au\nlac", "1\til" REST "2\tva" REST "3-4\tau" REST "3\tà" REST "4\tle" REST "5\tlac" REST, 0,
	            "1-2 |il va au|lac");
	/* empty nodes and comments are no words */
	aligns_with("a b", "# text = a b\n1\ta" REST "1.1\tx" REST "2\tb" REST, 0, "1-1 |a b");
}

/* Tokens that are white space to the comparison belong to no EDU. */
TEST(unusual_blanks)
{
	aligns_with("a\nb .\nc .", "a b .\n\u200b c .\n", 0, "1-2 3-3 |a|b .|c .");
	aligns_with("a\nb .\nc .", "a b .\n\u200b\nc .\n", 0, "1-2 0-0 3-3 |a|b .|c .");
	aligns_with("\u00a0\nb c .", "\u00a0\nb c .\n", 0, "0-0 2-2 |\u00a0|b c .");
	/* a second full stop that makes a sentence: the EDU is shared */
	aligns_with("a\nb .\nc .", "a b .\n.\nc .\n", 0, "1-2x 2-2x 3-3 |a|b . .|c .");
}

#define ADVICE "; --differences=N accepts up to N characters a document"

TEST(mismatches)
{
	parts("a", "a xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxyz\n", 0,
	      "t:1: the last EDU ends before 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' in %s:1" ADVICE);
	parts("He left .\nShe stayed .", "He left .\nShe went .\n", 0,
	      "t:3: EDU 2 has 'stayed .' where %s:2 has 'went'" ADVICE);
	parts("He left .", "He left .\nShe stayed .\n", 0, "t:1: the last EDU ends before 'She' in %s:2" ADVICE);
	parts("He left . So", "He left .\n", 0, "t:1: EDU 1 goes on with 'So' after the last sentence of %s" ADVICE);
	parts("He left .\nShe stayed .", "She went .\n", 0, "t:2: EDU 1 has 'He left .' where %s:1 has 'She'" ADVICE);
	parts("in Levan , A B", "in Lavan , a B\n", 1,
	      "t:1: EDU 1 has 'A B' where %s:1 has 'a'; that is more than --differences=1 accepts");
	aligns_with("in Levan , A B", "in Lavan , a B\n", 2, "1-1 |in Lavan , a B");
}

/* The least number of characters that are others, missing or inserted, counted by hand. */
TEST(differences)
{
	static const struct {
		const char *edus, *sentences;
		int least;
		const char *expected;
	} cases[] = {
		/* at the beginning, in the middle, at the end */
		{"> He --- gained\nas it snowed . . .", "He -- gained as it snowed ...\n", 2,
	     "1-2 |He -- gained|as it snowed ..."},
		{"He gained\nas it snowed .", "Well He gained as it snowed .\n", 4, "1-2 |Well He gained|as it snowed ."},
		{"He gained\nas it snowed .", "He had gained as it snowed .\n", 3, "1-2 |He had gained|as it snowed ."},
		{"He gained\nas it snowed", "He gained as it snowed again .\n", 6, "1-2 |He gained|as it snowed again ."},
		{"He gained\nas it snowed again .", "He gained as it snowed .\n", 5, "1-2 |He gained|as it snowed ."},
		{"a b", "a\n", 1, "1-1 |a"},
		/* kitten and sitting */
		{"the kitten slept\non the mat all day .", "the sitting slept on the mat all day .\n", 3,
	     "1-2 |the sitting slept|on the mat all day ."},
		/* an EDU's end in a word that differs */
		{"one time well-\nknown to all of us", "one time wel-known to all of us\n", 1,
	     "1-2 |one time wel-|known to all of us"},
		/* other words beside an EDU's end: a token is not cut where the document does not */
		{"He went to the house\ntoday and slept well .", "He went to the houseboat today and slept well .\n", 4,
	     "1-2 |He went to the houseboat|today and slept well ."},
		{"He lives in a house\nby the sea for long .", "He lives in a houseboat by the sea for long .\n", 4,
	     "1-2 |He lives in a houseboat|by the sea for long ."},
		{"He lives in a houseboat\nby the sea for long .", "He lives in a house by the sea for long .\n", 4,
	     "1-2 |He lives in a house|by the sea for long ."},
		/* whole words and a sentence's end among them; a sentence that is not there has no EDU */
		{"He left early .\nShe stayed for long .", "He left early .\nOh .\nShe stayed for long .\n", 3,
	     "1-1 0-0 2-2 |He left early .|She stayed for long ."},
		{"He left early , oh\nShe stayed for long .", "He left early .\nShe stayed for long .\n", 3,
	     "1-1 2-2 |He left early .|She stayed for long ."},
		/* other spellings cost nothing */
		{"xx (a) \"b\" 1/2 &lt;c> and so on and on", "-LRB- a -RRB- `` b '' 1\\/2 < c &gt; and so on and on\n", 2,
	     "1-1 |-LRB- a -RRB- `` b '' 1\\/2 < c &gt; and so on and on"},
		/* behind the last sentence, in its EDU */
		{"He left .xy\nFooter", "He left .\n", 2, "1-1 less 1 |He left .|Footer"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hp_error err;

		aligns_with(cases[i].edus, cases[i].sentences, cases[i].least, cases[i].expected);
		aligns_with(cases[i].edus, cases[i].sentences, INT_MAX, cases[i].expected);
		if (aligned(cases[i].edus, cases[i].sentences, cases[i].least - 1, &err))
			fail_msg("case %zu needs less than %d", i + 1, cases[i].least);
	}
}

/* Thousands of differences, in many places and in one: bounded time and memory. */
TEST(many_differences)
{
	enum { WORDS = 4000 };
	char *edus = NULL, *sentences = NULL, *got;
	size_t size;
	FILE *a = open_memstream(&edus, &size), *b = open_memstream(&sentences, &size);
	hp_error err = {""};

	for (int i = 0; i < WORDS; i++) {
		fprintf(a, "word%d is here\n", i);
		fprintf(b, "vord%d is here\n", i);
	}
	fclose(a);
	fclose(b);
	got = aligned(edus, sentences, WORDS, &err);
	if (!got)
		fail_msg("%s", err.text);
	free(got);
	assert_null(aligned(edus, sentences, WORDS - 1, &err));
	free(edus);
	free(sentences);
	/* nothing in common */
	a = open_memstream(&edus, &size);
	b = open_memstream(&sentences, &size);
	for (int i = 0; i < WORDS; i++) {
		fprintf(a, "a%d\n", i % 7);
		fprintf(b, "%d %d b ", i % 5, i % 3);
	}
	fclose(a);
	fclose(b);
	assert_null(aligned(edus, sentences, INT_MAX, &err));
	free(edus);
	free(sentences);
}

/* EDUs that the sentences lack. */
TEST(left_out)
{
	aligns_with("He left .\nShe stayed .", "He left .\n", 0, "1-1 less 1 |He left .|She stayed .");
	/* in the middle and at the beginning, before a whole sentence */
	aligns_with("Headline\nHe left\nwhen she came .\nBy the way\nNobody saw it .\n(page 3)",
	            "He left when she came .\nNobody saw it .\n", 0,
	            "2-3 5-5 less 3 |Headline|He left|when she came .|By the way|Nobody saw it .|(page 3)");
	/* not inside of one, nor behind the beginning of an EDU */
	parts("He left\nby the way\nwhen she came .", "He left when she came .\n", 0,
	      "t:3: EDU 2 has 'by the way' where %s:1 has 'when'" ADVICE);
	parts("He left . By\nNobody saw it .", "He left .\nNobody saw it .\n", 0,
	      "t:2: EDU 1 has 'By' where %s:2 has 'Nobody'" ADVICE);
	/* a short sentence is not enough to go by */
	parts("Yes .\nNo .\nOh .\nMaybe they will .", "Yes .\nOh .\nNo .\n", 0,
	      "t:3: EDU 2 has 'No .' where %s:2 has 'Oh'" ADVICE);
}

/* Entities match what they stand for, whichever side has them. */
TEST(entities)
{
	aligns_with("AT&amp;T gained\nas it snowed .", "AT&T gained as it snowed .\n", 0,
	            "1-2 |AT&T gained|as it snowed .");
	aligns_with("AT&T gained .", "AT&amp;T gained .\n", 0, "1-1 |AT&amp;T gained .");
	aligns_with("AT&amp;T &lt;a&gt; .", "AT & T < a > .\n", 0, "1-1 |AT & T < a > .");
	aligns_with("&quot;it&apos;s&quot; &#8211; &#x2014;&#XE9; .", "\" it 's \" \u2013 \u2014 \u00e9 .\n", 0,
	            "1-1 |\" it 's \" \u2013 \u2014 \u00e9 .");
	aligns_with("&quot;a&quot;", "`` a ''\n", 0, "1-1 |`` a ''");
	/* written the same way on both sides, cut by the tokens or not */
	aligns_with("a &amp; b", "a &amp; b\n", 0, "1-1 |a &amp; b");
	aligns_with("a &amp; b", "a & amp ; b\n", 0, "1-1 |a & amp ; b");
	aligns_with("a &amp; b", "a &amp ; b\n", 0, "1-1 |a &amp ; b");
	aligns_with("a&nbsp;b & c &;", "a&nbsp;b & c &;\n", 0, "1-1 |a&nbsp;b & c &;");
	aligns_with("a&#160;b", "ab\n", 0, "1-1 |ab");
	aligns_with("&#38; &amp;", "&amp; &#38;\n", 0, "1-1 |&amp; &#38;");
	parts("a &eacute; b", "a \u00e9 b\n", 0, "t:1: EDU 1 has '&eacute; b' where %s:1 has '\u00e9'" ADVICE);
	parts("a &#1114112; b", "a & b\n", 0, "t:1: EDU 1 has '#1114112; b' where %s:1 has 'b'" ADVICE);
	/* what is not seen does not count */
	aligns_with("\u0645\u06cc\u200c\u06a9\u0646\u062f co\u00adop", "\u0645\u06cc\u06a9\u0646\u062f coop\n", 0,
	            "1-1 |\u0645\u06cc\u06a9\u0646\u062f coop");
}

/* The tags of the tokens that T gets from the next sentences, and how far S is then; else the message. */
static char *next_tags(const char *edus, const hp_sentence_file *s, int *from)
{
	const int32_t *token;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	hp_rst_tree t;
	hp_error err;
	int tokens;

	make_tree(edus, &t);
	if (hp_align_next(&t, "t", s, from, &token, &tokens, &err) != 0) {
		fputs(err.text, out);
	} else {
		for (int i = 0; i < tokens; i++)
			fprintf(out, "%.*s ", (int)s->token[token[i]].tag_size, s->text + s->token[token[i]].tag);
		for (int e = 0; e < t.edus; e++)
			fprintf(out, "|%s", t.edu[e].text);
		fprintf(out, " %d", *from);
	}
	fclose(out);
	hp_rst_tree_free(&t);
	return text;
}

static void goes_on(const char *edus, const hp_sentence_file *s, int *from, const char *expected)
{
	char *got = next_tags(edus, s, from), wanted[400];

	snprintf(wanted, sizeof(wanted), expected, path);
	assert_string_equal(got, wanted);
	free(got);
}

TEST(tagged_sentences)
{
#define W(number, form, upos, xpos) number "\t" form "\t_\t" upos "\t" xpos "\t_\t_\t_\t_\t_\n"
	static const char text[] = W("1", "He", "P", "x")
		W("2", "left", "V", "x") "\n" W("1", "No", "N", "x") "\n" W("1", "He", "P2", "x") W("2", "left", "V2", "x")
			W("3", "early", "A", "x") "\n" W("1", "1 000", "NUM", "x") "2-3\tdon't" REST W("2", "do", "AUX", "x")
				W("3", "n't", "PART", "x")
					W("4", "goon", "V", "x") "\n" W("1", ".", "_", "x") "\n" W("1", "du", "D", "x") "\n";
	hp_sentence_file s;
	hp_error err;
	int from = 0;

	put_file(text);
	assert_int_equal(hp_sentence_file_read(path, HP_UPOS, &s, &err), 0);
	/* those between are passed over; the beginning of a sentence is not one */
	goes_on("He\nleft early", &s, &from, "P2 V2 A |He|left early 3");
	/* nothing was taken where none fits */
	goes_on("1000 do\nnot", &s, &from, "t:3: EDU 2 has 'not' where %s:13 has 'n't'");
	goes_on("1000", &s, &from, "t:1: the last EDU ends before 'do' in %s:12");
	/* a blank in a word, a multiword token, a token that an EDU cuts, two sentences */
	goes_on("1 000 don't go\non.", &s, &from, "NUM AUX PART V V _ |1000 do n't go|on . 5");
	goes_on("He left", &s, &from, "t:1: EDU 1 has 'He left' where %s:18 has 'du'");
	goes_on("du", &s, &from, "D |du 6");
	goes_on("du", &s, &from, "t:1: a tree after the last sentence of %s");
	hp_sentence_file_free(&s);
	from = 0;
	assert_int_equal(hp_sentence_file_read(path, HP_XPOS, &s, &err), 0);
	goes_on("He left", &s, &from, "x x |He left 1");
	hp_sentence_file_free(&s);
#undef W
}

TEST(documents)
{
	hp_sentence_file s;
	hp_error err;

	put_file("# newdoc id = one\n# sent_id = 1\n1\ta" REST "\n1\tb" REST "\n# newdoc id = two\n1\tc" REST "\n");
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), 0);
	assert_int_equal(s.docs, 2);
	assert_int_equal(hp_sentence_file_find(&s, "two")->first, 2);
	assert_int_equal(hp_sentence_file_find(&s, "two")->sentences, 1);
	assert_int_equal(hp_sentence_file_find(&s, "one")->sentences, 2);
	assert_null(hp_sentence_file_find(&s, "three"));
	hp_sentence_file_free(&s);
	put_file("# newdoc id = one\n1\ta" REST);
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), 0);
	assert_non_null(hp_sentence_file_find(&s, "one"));
	assert_non_null(hp_sentence_file_find(&s, "two")); /* a single one, whatever its name: the text decides */
	hp_sentence_file_free(&s);
	put_file("a\n");
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), 0);
	assert_non_null(hp_sentence_file_find(&s, "two"));
	hp_sentence_file_free(&s);
	put_file("#newdoc id=one\n1\ta" REST "\n#  newdoc  id\t=  two words \r\n1\tc" REST
	         "\n# newdoc =x\n# newdocs id = y\n# newdoc id =\n"
	         "# newdoc _id = z\n1\td" REST);
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), 0);
	assert_int_equal(s.docs, 2);
	assert_int_equal(hp_sentence_file_find(&s, "one")->sentences, 1);
	assert_int_equal(hp_sentence_file_find(&s, "two words")->sentences, 2);
	hp_sentence_file_free(&s);
	put_file("# newdoc_id = one\n1\ta" REST "\n#newdoc_id=two\n1\tb" REST);
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), 0);
	assert_int_equal(s.docs, 2);
	assert_int_equal(hp_sentence_file_find(&s, "two")->first, 1);
	hp_sentence_file_free(&s);
	put_file("# only a comment\n");
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), 0); /* of a text: a line like any other */
	assert_int_equal(s.sentences, 1);
	hp_sentence_file_free(&s);
	put_file("\n\n");
	assert_int_equal(hp_sentence_file_read(path, 0, &s, &err), HP_FAIL);
}

/* By RST-DT's marks: a paragraph, a full stop unless a small letter follows. */
TEST(marks)
{
	static const char edus[] = "The end of the U.S.\nas it was.\nHeading<P>\n\"Why?\"\nhe asked.)\nNobody knew\nNext";
	static const int32_t expected[][2] = {{0, 1}, {2, 2}, {3, 4}, {5, 6}};
	hp_extent *extent;
	hp_rst_tree t;
	int count;

	make_tree(edus, &t);
	assert_int_equal(hp_align_by_marks(&t, &extent, &count, NULL), 0);
	assert_int_equal(count, 4);
	for (int i = 0; i < count; i++) {
		assert_int_equal(extent[i].first, expected[i][0]);
		assert_int_equal(extent[i].last, expected[i][1]);
		assert_false(extent[i].crossed);
	}
	free(extent);
	hp_rst_tree_free(&t);
}

/* Whether an EDU's end is a sentence's, whatever follows but a small letter. */
static bool ends(const char *text)
{
	char edus[200];
	hp_extent *extent;
	hp_rst_tree t;
	int count;

	snprintf(edus, sizeof(edus), "%s\nNext", text);
	make_tree(edus, &t);
	assert_int_equal(hp_align_by_marks(&t, &extent, &count, NULL), 0);
	free(extent);
	hp_rst_tree_free(&t);
	return count == 2;
}

/* Stops of other scripts, and what may stand behind one. */
TEST(stops)
{
	static const char *const yes[] = {
		"道路 关闭 。", "a．",      "a！",         "a？",      "ｱ｡",   "آمد؟",     "آیا۔",    "है।",    "है॥",
		"եկավ։",        "መጣ።",      "መጣ፧",         "a…",       "a...", "a⁈",       "a။",      "a។",    "「雪 。」",
		"『雪 。』",    "（雪。）", "\"a.\"",      "a.”",      "a.’",  "»a.«",     "«a. »",   "„a.“",  "a.) ]",
		"a.\u00a0",     "a.\u3000", "a. -RRB- ''", "a. -RSB-", "a?!",  "a.\u200f", "【a。】", "a。＂", "a. ''",
	};
	static const char *const no[] = {"因为 下雪 ，", "a、",    "a,",  "a;",   "a:",  "a·", "」", "\"",
	                                 "-RRB-",        "a-RRB-", "a -", "a。b", "3.5", "a٫", "a،"};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!ends(yes[i]))
			fail_msg("%s ends no sentence", yes[i]);
	}
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		if (ends(no[i]))
			fail_msg("%s ends a sentence", no[i]);
	}
}

static void bad_map(const char *text, const char *message)
{
	char expected[400];
	hp_relations *map;
	hp_error err;

	put_file(text);
	assert_int_equal(hp_relations_read(path, &map, &err), HP_FAIL);
	snprintf(expected, sizeof(expected), "%s%s", path, message);
	assert_string_equal(err.text, expected);
}

TEST(maps)
{
	hp_relations *map;
	hp_error err;

	put_file("relation,class\n# a comment, \"whatever\n\nPurpose-E,Enablement\n\"list\",Joint\n");
	assert_int_equal(hp_relations_read(path, &map, &err), HP_FAIL); /* CSV: a quote opens a field also in a comment */
	put_file("Relation,Class\r\n# a comment\n\nPurpose-E,Enablement\n\"list\",Joint");
	assert_int_equal(hp_relations_read(path, &map, &err), 0);
	assert_string_equal(hp_relations_find(map, "purpose-e"), "Enablement");
	assert_string_equal(hp_relations_find(map, "LIST"), "Joint");
	assert_null(hp_relations_find(map, "relation"));
	assert_null(hp_relations_find(map, "purpose"));
	hp_relations_destroy(map);
	put_file("a,A\n*,Other\n");
	assert_int_equal(hp_relations_read(path, &map, &err), 0);
	assert_string_equal(hp_relations_find(map, "a"), "A");
	assert_string_equal(hp_relations_find(map, "b"), "Other");
	hp_relations_destroy(map);
	hp_relations_destroy(NULL);
	bad_map("a,A\nb\n", ":2: expected two fields, relation and class");
	bad_map("a,A,A\n", ":1: expected two fields, relation and class");
	bad_map("a,A\n\nA,B\n", ":3: the relation has a row already");
	bad_map("a,\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
	bad_map("a b,C\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
	bad_map("a,(C)\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
	bad_map("a,//C\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
	bad_map("a,b\vC\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
	bad_map("a,b\xff\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
	bad_map("a\f,C\n", ":1: expected names in UTF-8 without blanks, brackets, _! and a leading //");
}

TEST(applied)
{
	static const char text[] = "( Root " LEAF("Nucleus", 1, "span", "a") "\n" LEAF("Satellite", 2, "Purpose", "b") ")";
	hp_relations *map;
	hp_rst_tree t;
	hp_error err;
	char message[400], *got;

	hp_rst_tree_init(&t);
	put_file("purpose,Enablement\n");
	assert_int_equal(hp_relations_read(path, &map, &err), 0);
	assert_int_equal(hp_dis_parse(&t, text, strlen(text), "t", 1, &err), 0);
	assert_int_equal(hp_relations_apply(map, &t, "t", &err), 0);
	got = drawn(&t);
	assert_string_equal(got, "R(N:span:1 S:Enablement:2)");
	free(got);
	/* what the map does not know; classes are no relations unless it says so */
	assert_int_equal(hp_relations_apply(map, &t, "t", &err), HP_FAIL);
	snprintf(message, sizeof(message),
	         "t:2: the relation 'Enablement' is not in %s; --labels names another map, or none", path);
	assert_string_equal(err.text, message);
	hp_relations_destroy(map);
	hp_rst_tree_free(&t);
}

/* EDUs 1 and 2-3 are sentences with subtrees; 4-5 not, because 5 hangs elsewhere; 6 is shared. */
TEST(extracted)
{
	static const char text[] =
		"( Root (span 1 7)"
		"( Nucleus (span 1 4) (rel2par List) " LEAF(
			"Nucleus", 1, "List", "a") "( Nucleus (span 2 3) (rel2par List)" LEAF("Nucleus", 2, "span", "b")
			LEAF("Satellite", 3, "Cause", "c") ")" LEAF(
				"Nucleus", 4, "List", "d") ")"
										   "( Nucleus (span 5 7) (rel2par List) " LEAF("Nucleus", 5, "List", "e")
											   LEAF("Nucleus", 6, "List", "f") LEAF("Nucleus", 7, "List", "g") ") )";
	static const hp_extent sentence[] = {
		{0, 0, false, 1}, {1, 2, false, 2}, {3, 4, false, 3}, {5, 5, true, 4}, {5, 6, true, 5}};
	static const char expected[] =
		"# sent_id = doc-2\n( Root (span 1 2)\n"
		"  ( Nucleus (leaf 1) (rel2par span) (text _!b_!) )\n  ( Satellite (leaf 2) (rel2par Cause) (text _!c_!) )\n)\n\n";
	hp_extract_options options = {.min_edus = 2};
	hp_extract_counts counts = {0};
	hp_rst_tree t;
	char *got = NULL;
	size_t size;
	hp_extract_output out = {.trees = open_memstream(&got, &size)}, none = {0};

	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, text, strlen(text), "t", 1, NULL), 0);
	assert_int_equal(hp_extract(&t, "doc", sentence, 5, &options, &counts, &out, NULL), 0);
	assert_int_equal(hp_extract(&t, "doc", sentence, 1, &options, &counts, &none, NULL), 0);
	fclose(out.trees);
	assert_string_equal(got, expected);
	assert_int_equal(counts.documents, 2);
	assert_int_equal(counts.edus, 14);
	assert_int_equal(counts.sentences, 6);
	assert_int_equal(counts.single, 2);
	assert_int_equal(counts.several, 2);
	assert_int_equal(counts.complete, 1);
	assert_int_equal(counts.no_subtree, 1);
	assert_int_equal(counts.crossed, 2);
	assert_int_equal(counts.written, 1);
	free(got);
	hp_rst_tree_free(&t);
}

/* A forest: the tree of EDUs 3 to 6, the others left out.  Sentences in it: a part of 3 behind another tree's (4 is no
 * sentence's), 5, and two that end in 6. */
TEST(whole_documents)
{
	static const char xml[] =
		"<rst><body><segment id='1'>a</segment><segment id='2'>b</segment>"
		"<segment id='3' parent='9' relname='List'>c</segment><segment id='4' parent='9' relname='List'>d</segment>"
		"<segment id='5' parent='9' relname='List'>e</segment><segment id='6' parent='9' relname='List'>f</segment>"
		"<group id='9' type='multinuc'/></body></rst>";
	static const hp_extent sentence[] = {{0, 1, false, 1}, {1, 2, true, 2}, {4, 4, false, 3},
	                                     {5, 5, true, 4},  {5, 5, true, 5}, {-1, -1, false, 6}};
	static const char expected[] = "# newdoc id = doc\n# sent_ends = 1 2 3 4\n( Root (span 1 4)\n"
								   "  ( Nucleus (leaf 1) (rel2par List) (text _!c_!) )\n"
								   "  ( Nucleus (leaf 2) (rel2par List) (text _!d_!) )\n"
								   "  ( Nucleus (leaf 3) (rel2par List) (text _!e_!) )\n"
								   "  ( Nucleus (leaf 4) (rel2par List) (text _!f_!) )\n)\n\n";
	hp_extract_options options = {.nary = true, .min_edus = 1, .documents = true};
	hp_extract_counts counts = {0};
	hp_rst_tree t;
	hp_input *in;
	char *got = NULL;
	size_t size;
	hp_extract_output out = {.trees = open_memstream(&got, &size)};

	hp_rst_tree_init(&t);
	assert_int_equal(hp_input_from_memory(xml, strlen(xml), "f", &in, NULL), 0);
	assert_int_equal(hp_rs3_read(in, &t, NULL), 0);
	assert_int_equal(hp_extract(&t, "doc", sentence, 6, &options, &counts, &out, NULL), 0);
	fclose(out.trees);
	assert_string_equal(got, expected);
	assert_int_equal(counts.written, 1);
	assert_int_equal(counts.forests, 1);
	assert_int_equal(counts.trees_left, 2);
	assert_int_equal(counts.edus_left, 2);
	free(got);
	hp_input_close(in);
	hp_rst_tree_free(&t);
}

HOOK(begin)
{
	assert_int_equal(close(mkstemp(path)), 0);
}

HOOK(end)
{
	unlink(path);
}
