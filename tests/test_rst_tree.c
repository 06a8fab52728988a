/* test_rst_tree.c: the .dis notation, binarisation and lists of splits. */
#include <unistd.h>

#include "rst.h"
#include "rst/binarize.h"
#include "unit.h"

#define N "Nucleus"
#define S "Satellite"

static void parses(const char *text, const char *expected)
{
	hp_rst_tree t;
	hp_error err = {""};
	char *got;

	hp_rst_tree_init(&t);
	if (hp_dis_parse(&t, text, strlen(text), "f", 1, &err) != 0)
		fail_msg("%s", err.text);
	got = drawn(&t);
	assert_string_equal(got, expected);
	free(got);
	hp_rst_tree_free(&t);
}

static void refuses(const char *text, const char *message)
{
	hp_rst_tree t;
	hp_error err = {""};

	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, text, strlen(text), "f", 1, &err), HP_FAIL);
	assert_string_equal(err.text, message);
	assert_int_equal(t.edus, 0);
	hp_rst_tree_free(&t);
}

/* clang-format off */
static const char three[] = "( Root (span 1 3)\n"
	"  " LEAF(S, 1, "Contrast", "Although it rained ,") "\n"
	"  ( Nucleus (span 2 3) (rel2par span)\n"
	"    " LEAF(N, 2, "span", "we left (early)") "\n"
	"    " LEAF(S, 3, "Purpose", "to be \"home\" ._ !") "\n"
	"  )\n"
	")\n";
/* clang-format on */

TEST(read_and_written)
{
	hp_rst_tree t;
	hp_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, three, strlen(three), "f", 7, &err), 0);
	assert_int_equal(t.line, 7);
	assert_int_equal(t.edus, 3);
	assert_string_equal(t.edu[1].text, "we left (early)");
	assert_int_equal(t.edu[1].size, 15);
	assert_int_equal(t.edu[2].line, 11);
	assert_int_equal(t.node[2].line, 9);
	assert_null(t.id);
	assert_int_equal(hp_dis_write(&t, out, &err), 0);
	fclose(out);
	assert_memory_equal(text, three, strlen(three));
	assert_string_equal(text + strlen(three), "\n");
	free(text);
	hp_rst_tree_free(&t);
}

/* What the RST Discourse Treebank's files and others' look like. */
TEST(any_notation)
{
	parses(three, "R(S:Contrast:1 N:span(N:span:2 S:Purpose:3))");
	parses("(Root(span 1 2)(Nucleus(leaf 1)(rel2par List)(text _!a_!))(Nucleus(leaf 2)(rel2par List)(text _!b_!)))",
	       "R(N:List:1 N:List:2)");
	parses("( Root\n( span\n1 2 )\r\n\t( Satellite ( text _!a\nb_!\n) ( rel2par x-e ) ( leaf 1 ) )//TT_ERR\n"
	       "( nucleus ( leaf 2 )//TT_ERR ( rel2par span ) ( text _!c<P>_! ) ) )//TT_ERR\n",
	       "R(S:x-e:1 N:span:2)");
	parses("# a comment ( Root\n#\n\n( Root (leaf 1) (text _!one_!) )", "R1");
	parses("\xEF\xBB\xBF( Root (span 1 1) (leaf 1) (text _!one_!) )", "R1");
	parses("( Root (span 1 1) " LEAF(N, 1, "span", "one") " )", "R1");
	/* a node with a single child makes way for it, which stays what the node was */
	parses("( Root (span 1 3) ( Nucleus (span 1 2) (rel2par List) ( Nucleus (span 1 2) (rel2par span) " LEAF(
			   N, 1, "span", "a") LEAF(S, 2, "Cause", "b") ") )" LEAF(N, 3, "List", "c") ")",
	       "R(N:List(N:span:1 S:Cause:2) N:List:3)");
	/* brackets, quotes and single marks in the text are text */
	parses("( Root (span 1 2)" LEAF(N, 1, "List", ") ( Root ( \" _ ! !_") LEAF(N, 2, "List", "))))") ")",
	       "R(N:List:1 N:List:2)");
}

TEST(texts)
{
	static const char text[] =
		"( Root (span 1 2)" LEAF(N, 1, "List", "  a \n  (b)\t c <P>") LEAF(N, 2, "List", "x<P>y") ")";
	hp_rst_tree t;
	hp_error err;

	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, text, strlen(text), "f", 1, &err), 0);
	assert_string_equal(t.edu[0].text, "a (b) c");
	assert_true(t.edu[0].paragraph);
	assert_string_equal(t.edu[1].text, "x<P>y");
	assert_false(t.edu[1].paragraph);
	hp_rst_tree_free(&t);
}

/* The marks of the Instructional corpus; </s> ends a sentence. */
TEST(tagged)
{
	static const char text[] =
		"( Root (span 1 4)\n"
		"( Satellite (leaf 1) (rel2par preparation:act) (text <s><EDU> Before you climb ) ( Root ( (see page 8)</EDU>) )\n"
		"( Nucleus (leaf 2) (rel2par span) (text <edu>a <b> </EDU> c\n</EDU> </s> ) ) //TT_ERR\n"
		"( Satellite (leaf 3) (rel2par x<y) (text\n<s>d<P></s>) )\n"
		"( Satellite (leaf 4) (rel2par textual) (text _!<EDU>e</EDU>_!) ) )\n";
	static const char *const texts[] = {"Before you climb ) ( Root ( (see page 8)", "a <b> </EDU> c", "d",
	                                    "<EDU>e</EDU>"};
	static const bool ends[] = {false, true, true, false};
	hp_dis_reader *r;
	hp_rst_tree t;
	hp_input *in;
	hp_error err = {""};

	hp_rst_tree_init(&t);
	assert_int_equal(hp_input_from_memory(text, strlen(text), "f", &in, NULL), 0);
	assert_int_equal(hp_dis_reader_new(in, &r, NULL), 0);
	if (hp_dis_read(r, &t, &err) != 1)
		fail_msg("%s", err.text);
	for (int e = 0; e < 4; e++) {
		assert_string_equal(t.edu[e].text, texts[e]);
		assert_int_equal(t.edu[e].paragraph, ends[e]);
	}
	assert_int_equal(t.edu[2].line, 6);
	assert_int_equal(hp_dis_read(r, &t, &err), 0);
	hp_dis_reader_destroy(r);
	hp_input_close(in);
	hp_rst_tree_free(&t);
}

static void keep_warning(void *arg, const hp_error *what)
{
	char *all = arg;

	strcat(strcat(all, what->text), "\n");
}

/* Spans that contradict the leaves: these count, and a line for each tree tells. */
TEST(contradictions)
{
	static const char text[] = "( Root (span 1 3)" LEAF(N, 1, "List", "a") "\n" LEAF(
		N, 2, "List",
		"b") ")\n"
			 "( Root (span 1 2)" LEAF(N, 1, "List", "a")
				 LEAF(N, 2, "List",
	                  "b") ")\n"
						   "( Root (span 3 4)\n( Nucleus (span 7 8) (rel2par span)" LEAF(N, 1, "List", "a")
							   LEAF(N, 2, "List", "b") ")\n"
													   "( Satellite (span 2 2) (leaf 3) (rel2par x) (text _!c_!) ) )\n"
													   "( Root (span 2 2) " LEAF(N, 3, "List", "a") ")\n";
	char told[1000] = "";
	hp_dis_reader *r;
	hp_rst_tree t;
	hp_input *in;
	hp_error err = {""};

	hp_rst_tree_init(&t);
	assert_int_equal(hp_input_from_memory(text, strlen(text), "f", &in, NULL), 0);
	assert_int_equal(hp_dis_reader_new(in, &r, NULL), 0);
	hp_dis_on_warning(r, keep_warning, told);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(hp_dis_read(r, &t, &err), 1);
		assert_int_equal(t.edus, i < 2 ? 2 : 3);
		assert_int_equal(t.node[0].last, t.edus - 1);
	}
	assert_int_equal(hp_dis_read(r, &t, &err), HP_FAIL); /* an error is told, and no warning */
	assert_string_equal(err.text, "f:7: leaf 3, expected leaf 1");
	assert_string_equal(
		told,
		"f:1: span 1 3 of a node whose leaves are 1 to 2: the leaves count\n"
		"f:5: span 7 8 of a node whose leaves are 1 to 2: the leaves count, as they do for 2 more nodes of this tree\n");
	hp_dis_reader_destroy(r);
	hp_input_close(in);
	hp_rst_tree_free(&t);
	/* without anybody to be told */
	parses("( Root (span 1 9)" LEAF(N, 1, "List", "a") LEAF(N, 2, "List", "b") ")", "R(N:List:1 N:List:2)");
}

/* A sentence's name goes before its document's. */
TEST(names)
{
	static const char *const cases[][2] = {
		{"# newdoc id = a b \n", "a b"},
		{"#newdoc_id=d\r\n# other\n", "d"},
		{"# newdoc id = d\n# sent_id = d-1\n", "d-1"},
		{"# sent_id = d-1\n# newdoc id = d\n", "d-1"},
		{"# newdoc\n# newdocs id = x\n# newdoc id\n", NULL},
		{"# sent_id = x\n# sent_id = y", "y"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200];
		hp_rst_tree t;

		hp_rst_tree_init(&t);
		snprintf(text, sizeof(text), "%s\n( Root (leaf 1) (text _!a_!) )\n", cases[i][0]);
		assert_int_equal(hp_dis_parse(&t, text, strlen(text), "f", 1, NULL), 0);
		if (cases[i][1])
			assert_string_equal(t.id, cases[i][1]);
		else
			assert_null(t.id);
		hp_rst_tree_free(&t);
	}
}

/* What the comments say is written again, and the binary tree has it, too. */
TEST(documents)
{
	static const char text[] = "# newdoc id = a b\n# sent_ends = 1 3\n( Root (span 1 3)\n  " LEAF(
		N, 1, "List",
		"One .<P>") "\n  ( Nucleus (span 2 3) (rel2par List)\n    " LEAF(N, 2, "span",
	                                                                     "He came") "\n    " LEAF(S, 3, "Cause",
	                                                                                              "to see .") "\n  )\n)\n\n";
	static const char one[] = "# sent_id = x\n( Root (leaf 1) (text _!a_!) )";
	hp_rst_tree t, again;
	hp_rst_binary *b;
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	hp_rst_tree_init(&t);
	hp_rst_tree_init(&again);
	assert_int_equal(hp_dis_parse(&t, text, strlen(text), "f", 1, NULL), 0);
	assert_true(t.document);
	assert_string_equal(t.id, "a b");
	assert_int_equal(t.sents, 2);
	assert_int_equal(t.sent_end[0], 0);
	assert_int_equal(t.sent_end[1], 2);
	assert_string_equal(t.edu[0].text, "One .");
	assert_int_equal(hp_rst_binary_new(&t, &b, NULL), 0);
	assert_true(b->document);
	assert_string_equal(b->id, "a b");
	assert_int_equal(b->sents, 2);
	assert_memory_equal(b->sent_end, t.sent_end, 2 * sizeof(*b->sent_end));
	assert_int_equal(b->paragraph[0], 1);
	assert_int_equal(b->paragraph[1], 0);
	assert_int_equal(b->paragraph[2], 0);
	assert_int_equal(hp_rst_binary_tree(b, &again, NULL), 0);
	assert_int_equal(hp_dis_write(&again, out, NULL), 0);
	fclose(out);
	assert_string_equal(got, text);
	/* of a sentence, nothing is left of the tree before */
	assert_int_equal(hp_dis_parse(&t, one, strlen(one), "f", 1, NULL), 0);
	assert_false(t.document);
	assert_int_equal(t.sents, 0);
	free(got);
	hp_rst_binary_destroy(b);
	hp_rst_tree_free(&t);
	hp_rst_tree_free(&again);
}

TEST(sentence_ends)
{
	static const struct {
		const char *ends;
		int sents; /* 0: refused, for */
		const char *word;
	} cases[] = {
		{"# sent_ends = 1 3", 2, ""},
		{"#sent_ends=3\r", 1, ""},
		{"# sent_ends = 9\n# sent_ends = 1\t2 3 ", 3, ""},
		{"# sent_ends =", 0, ""},
		{"# sent_ends = 1 2", 0, ""},
		{"# sent_ends = 1 4", 0, "4"},
		{"# sent_ends = 1 1 3", 0, "1"},
		{"# sent_ends = 2 1 3", 0, "1"},
		{"# sent_ends = 0 3", 0, "0"},
		{"# sent_ends = -1 3", 0, "-1"},
		{"# sent_ends = 3 x", 0, "x"},
		{"# sent_ends = 3 4", 0, "4"},
		{"# sent_ends = 99999999999999999999 3", 0, "99999999999999999999"},
		{"# sent_ends_of = 3", -1, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[300], message[200];
		hp_error err = {""};
		hp_rst_tree t;

		hp_rst_tree_init(&t);
		snprintf(text, sizeof(text), "\n%s\n( Root (span 1 3)\n%s%s%s)\n", cases[i].ends, LEAF(N, 1, "List", "a"),
		         LEAF(N, 2, "List", "b"), LEAF(N, 3, "List", "c"));
		snprintf(message, sizeof(message),
		         "f:2: '%s' in sent_ends, expected the last EDU of each sentence, the last of them 3", cases[i].word);
		assert_int_equal(hp_dis_parse(&t, text, strlen(text), "f", 1, &err), cases[i].sents ? 0 : HP_FAIL);
		assert_string_equal(err.text, cases[i].sents ? "" : message);
		assert_int_equal(t.sents, cases[i].sents < 0 ? 0 : cases[i].sents);
		hp_rst_tree_free(&t);
	}
}

TEST(refused)
{
	refuses("", "f:1: no tree, expected ( Root");
	refuses("\n# sent_id = 1\n", "f:1: no tree, expected ( Root");
	refuses("hello", "f:1: 'hello', expected a tree that begins with ( Root");
	refuses("<rst>\n",
	        "f:1: '<rst>', expected a tree that begins with ( Root: rst-convert makes trees of .rs3 and .rs4");
	refuses("( Nucleus", "f:1: 'Nucleus', expected Root");
	refuses("( Root (leaf 1) (text _!a_!) ) )", "f:1: ')', expected nothing behind the tree");
	refuses("( Root (leaf 1)\n(text _!a_!)", "f:1: the tree that begins here has no end: 1 of its nodes are open");
	refuses("( Root (leaf 1) (text _!a )\n )", "f:1: the text that begins here has no end, expected _!)");
	refuses("( Root (leaf 1) (text a) )", "f:1: 'a)', expected _! or <EDU>");
	refuses("( Root (leaf 1) (text <P>a) )", "f:1: '<P>a)', expected _! or <EDU>");
	refuses("( Root (leaf 1)\n(text <EDU>a</EDU> b) )", "f:2: the text that begins here has no end, expected </EDU>)");
	refuses("( Root (leaf 1) (text <s><EDU> </EDU></s>) )", "f:1: the text of leaf 1 is empty");
	refuses("( Root (leaf 1) (text <EDU>a _! b</EDU>) )",
	        "f:1: the text of leaf 1 holds _!, expected it only at its end");
	refuses("( Root (leaf 1) (text _!a _! b_!) )", "f:1: the text of leaf 1 holds _!, expected it only at its end");
	refuses("( Root (leaf 1) (text _! <P>_!) )", "f:1: the text of leaf 1 is empty");
	refuses("( Root (leaf 1) )", "f:1: leaf 1 has no text, expected (text _!...._!)");
	refuses("( Root (leaf 2) (text _!a_!) )", "f:1: leaf 2, expected leaf 1");
	refuses("( Root (leaf 0) (text _!a_!) )", "f:1: '0)', expected the number of an EDU, from 1");
	refuses("( Root (leaf 99999999999) (text _!a_!) )", "f:1: '99999999999)', expected the number of an EDU, from 1");
	refuses("( Root (leaf 1) (leaf 1) (text _!a_!) )", "f:1: a second leaf in one node");
	refuses("( Root (leaf 1) (text _!a_!) (text _!a_!) )", "f:1: a second text in one node");
	refuses("( Root )", "f:1: a node without children, expected a leaf or two nodes");
	refuses("( Root (leaf 1) (text _!a_!) (promotion 1) )",
	        "f:1: 'promotion', expected Nucleus, Satellite, span, leaf, rel2par or text");
	refuses("( Root (leaf 1) (text _!a_!)\n" LEAF(N, 1, "span", "b") ")", "f:1: a leaf with children");
	refuses("( Root\n( Nucleus (leaf 1) (text _!a_!) ) )", "f:2: a node without rel2par");
	refuses("( Root ( Nucleus (leaf 1) (rel2par) (text _!a_!) ) )", "f:1: ')', expected the name of a relation");
	refuses("( Root (span 1 2)" LEAF(S, 1, "List", "a") LEAF(S, 2, "List", "b") ")",
	        "f:1: the node of EDUs 1 to 2 has no nucleus");
	refuses("( Root (span 1 2)\n" LEAF(N, 1, "List", "a\xff") ")", "f:2: invalid UTF-8");
	refuses("( Root stray", "f:1: 'stray', expected ( or )");
}

/* Many trees in one input; after a bad one reading goes on with the next. */
TEST(one_by_one)
{
	static const char text[] =
		"# sent_id = d-1\n( Root (leaf 1) (text _!a_!) ) ( Root (leaf 1)\n(text _!b_!) )\n"
		"# sent_id = d-3\n( Root (span 1 2)\n( Nucleus (leaf 1) (rel2par List) (text _!c )\n"
		"( Root (leaf 1) (text _!d_!) )\n( Root (leaf 7) (text _!e_!) )\n# sent_id =   d-5 \r\n\n( Root (leaf 1) (text _!f_!) )\n"
		"# the end\n";
	static const char *const messages[] = {"f:6: the text that begins here has no end, expected _!)",
	                                       "f:8: leaf 7, expected leaf 1"};
	static const char *const ids[] = {"d-1", NULL, NULL, "d-5"}, *const edus[] = {"a", "b", "d", "f"};
	hp_dis_reader *r;
	hp_rst_tree t;
	hp_input *in;
	hp_error err;
	size_t size;
	long line;
	int good = 0, bad = 0;

	hp_rst_tree_init(&t);
	assert_int_equal(hp_input_from_memory(text, strlen(text), "f", &in, NULL), 0);
	assert_int_equal(hp_dis_reader_new(in, &r, NULL), 0);
	for (int status; (status = hp_dis_read(r, &t, &err)) != 0;) {
		if (status == 1) {
			assert_true(good < 4);
			assert_string_equal(t.edu[0].text, edus[good]);
			if (ids[good])
				assert_string_equal(t.id, ids[good]);
			else
				assert_null(t.id);
			good++;
		} else {
			assert_true(bad < 2);
			assert_string_equal(err.text, messages[bad++]);
			if (bad == 1) {
				assert_memory_equal(hp_dis_text(r, &size, &line), "\n# sent_id = d-3\n( Root (span 1 2)\n", 34);
				assert_int_equal(line, 3);
			}
		}
	}
	assert_int_equal(good, 4);
	assert_int_equal(bad, 2);
	assert_false(hp_dis_broken(r));
	hp_dis_reader_destroy(r);
	hp_input_close(in);
	hp_rst_tree_free(&t);
}

/* From a pipe a tree is there as soon as its last bracket has come. */
TEST(not_waited_for)
{
	hp_dis_reader *r;
	hp_rst_tree t;
	hp_input *in;
	bool ready;
	int fd[2];

	hp_rst_tree_init(&t);
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(hp_input_from_fd(fd[0], "f", &in, NULL), 0);
	assert_int_equal(hp_dis_reader_new(in, &r, NULL), 0);
	assert_int_equal(write(fd[1], "( Root (leaf 1) (text _!a_", 26), 26);
	assert_int_equal(hp_dis_ready(r, &ready, NULL), 0);
	assert_false(ready);
	assert_int_equal(write(fd[1], "!) )", 4), 4);
	assert_int_equal(hp_dis_ready(r, &ready, NULL), 0);
	assert_true(ready);
	assert_int_equal(hp_dis_read(r, &t, NULL), 1);
	assert_string_equal(t.edu[0].text, "a");
	close(fd[1]);
	assert_int_equal(hp_dis_read(r, &t, NULL), 0);
	assert_int_equal(hp_dis_read(r, &t, NULL), 0);
	hp_dis_reader_destroy(r);
	hp_input_close(in);
	close(fd[0]);
	hp_rst_tree_free(&t);
}

static void binarizes(const char *text, const char *expected)
{
	hp_rst_tree t, binary;
	hp_error err = {""};
	char *got;

	hp_rst_tree_init(&t);
	hp_rst_tree_init(&binary);
	if (hp_dis_parse(&t, text, strlen(text), "f", 1, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(hp_rst_binarize(&t, &binary, &err), 0);
	assert_true(hp_rst_is_binary(&binary));
	got = drawn(&binary);
	assert_string_equal(got, expected);
	free(got);
	hp_rst_tree_free(&t);
	hp_rst_tree_free(&binary);
}

TEST(binarized)
{
	binarizes(three, "R(S:Contrast:1 N:span(N:span:2 S:Purpose:3))");
	binarizes("( Root " LEAF(N, 1, "List", "a") LEAF(N, 2, "List", "b") LEAF(N, 3, "List", "c")
	              LEAF(N, 4, "List", "d") ")",
	          "R(N:List:1 N:List(N:List:2 N:List(N:List:3 N:List:4)))");
	/* nearest first, of equally near ones the right one first: 4 5 is joined first, then 3, then 6, then 2, then 1 */
	binarizes("( Root " LEAF(S, 1, "A", "a") LEAF(S, 2, "B", "b") LEAF(S, 3, "C", "c") LEAF(N, 4, "span", "d")
	              LEAF(S, 5, "E", "e") LEAF(S, 6, "F", "f") ")",
	          "R(S:A:1 N:span(S:B:2 N:span(N:span(S:C:3 N:span(N:span:4 S:E:5)) S:F:6)))");
	/* a satellite between two nuclei joins the left one, as in a unit that it interrupts */
	binarizes("( Root " LEAF(N, 1, "same-unit", "a") LEAF(S, 2, "E", "b") LEAF(S, 3, "F", "c")
	              LEAF(N, 4, "same-unit", "d") ")",
	          "R(N:same-unit(N:span(N:span:1 S:E:2) S:F:3) N:same-unit:4)");
	/* those at the ends join all nuclei */
	binarizes("( Root " LEAF(S, 1, "A", "a") LEAF(N, 2, "List", "b") LEAF(N, 3, "List", "c") LEAF(N, 4, "List", "d")
	              LEAF(S, 5, "E", "e") ")",
	          "R(S:A:1 N:span(N:span(N:List:2 N:List(N:List:3 N:List:4)) S:E:5))");
	/* below the root a node's own role and relation go to the whole */
	binarizes("( Root " LEAF(N, 1, "span", "a") "( Satellite (span 2 4) (rel2par Cause) " LEAF(S, 2, "B", "b")
	              LEAF(N, 3, "span", "c") LEAF(S, 4, "D", "d") ") )",
	          "R(N:span:1 S:Cause(S:B:2 N:span(N:span:3 S:D:4)))");
	binarizes("( Root (leaf 1) (text _!a_!) )", "R1");
}

static const char four[] =
	"# sent_id = doc-7\n( Root (span 1 4) ( Satellite (span 1 2) (rel2par Attribution) " LEAF(N, 1, "span", "a")
		LEAF(S, 2, "Elaboration", "b") ") ( Nucleus (span 3 4) (rel2par span) " LEAF(N, 3, "Joint", "c")
			LEAF(N, 4, "Joint", "d") ") )";

TEST(splits)
{
	static const hp_rst_split split[] = {{0, 1, 3}, {0, 0, 1}, {2, 2, 3}};
	static const char *const label[] = {"Attribution_SN", "Elaboration_NS", "Joint_NN"};
	hp_rst_binary *b, *again;
	hp_rst_tree t;
	hp_error err;
	char *got;

	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, four, strlen(four), "f", 1, &err), 0);
	assert_int_equal(hp_rst_binary_new(&t, &b, &err), 0);
	assert_string_equal(b->id, "doc-7");
	assert_int_equal(b->line, 2);
	assert_int_equal(b->edus, 4);
	assert_string_equal(b->text[3], "d");
	for (int i = 0; i < 3; i++) {
		assert_memory_equal(&b->split[i], &split[i], sizeof(split[i]));
		assert_string_equal(b->label[i], label[i]);
	}
	assert_int_equal(hp_rst_binary_make("x", 4, b->text, split, label, &again, &err), 0);
	assert_int_equal(hp_rst_binary_tree(again, &t, &err), 0);
	got = drawn(&t);
	assert_string_equal(got, "R(S:Attribution(N:span:1 S:Elaboration:2) N:span(N:Joint:3 N:Joint:4))");
	assert_string_equal(t.id, "x");
	assert_string_equal(t.edu[2].text, "c");
	free(got);
	hp_rst_binary_destroy(b);
	hp_rst_binary_destroy(again);
	hp_rst_tree_free(&t);
}

TEST(no_splits)
{
	static const char text[] = "( Root (leaf 1) (text _!a_!) )";
	hp_rst_binary *b;
	hp_rst_tree t;
	char *got;

	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, text, strlen(text), "f", 1, NULL), 0);
	assert_int_equal(hp_rst_binary_new(&t, &b, NULL), 0);
	assert_int_equal(b->edus, 1);
	assert_null(b->id);
	assert_int_equal(hp_rst_binary_tree(b, &t, NULL), 0);
	got = drawn(&t);
	assert_string_equal(got, "R1");
	free(got);
	hp_rst_binary_destroy(b);
	hp_rst_binary_destroy(NULL);
	hp_rst_tree_free(&t);
}

TEST(parts_refused)
{
	static const char *const text[] = {"a_!", "b", "c <P>"}, *const empty[] = {"a", "", "d"};
	static const char *const label[] = {"Joint_NN", "Joint_NN"}, *const bare[] = {"Joint_NN", "Joint"};
	static const hp_rst_split good[] = {{0, 0, 2}, {1, 1, 2}}, order[] = {{1, 1, 2}, {0, 0, 2}};
	static const char *const bad[] = {"", " ", "a ", " a", "a  b", "a\tb", "a\fb", "\v"};
	static const hp_rst_split outside[] = {{0, 2, 2}, {1, 1, 2}};
	hp_rst_binary *b;
	hp_error err;

	assert_int_equal(hp_rst_binary_make(NULL, 3, text, order, label, &b, &err), HP_FAIL);
	assert_string_equal(err.text, "split 1 is (1, 1, 2), expected a split of EDUs 0 to 2, from 0");
	assert_int_equal(hp_rst_binary_make(NULL, 3, text, outside, label, &b, &err), HP_FAIL);
	assert_string_equal(err.text, "split 1 is (0, 2, 2), expected a split of EDUs 0 to 2, from 0");
	assert_int_equal(hp_rst_binary_make(NULL, 3, text, good, bare, &b, &err), HP_FAIL);
	assert_string_equal(err.text, "label 'Joint' does not end in _NS, _SN or _NN");
	assert_int_equal(hp_rst_binary_make(NULL, 3, empty, good, label, &b, &err), HP_FAIL);
	assert_string_equal(err.text, "the text of EDU 2 is empty or has more than single blanks");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(hp_rst_binary_make(NULL, 1, &bad[i], NULL, NULL, &b, NULL), HP_FAIL);
	assert_int_equal(hp_rst_binary_make(NULL, 3, text, good, label, &b, &err), 0);
	hp_rst_binary_destroy(b);
}

TEST(labels)
{
	hp_rst_nuclearity nuclearity;
	size_t size;

	assert_true(hp_rst_label_parts("Same-Unit_NN", &size, &nuclearity));
	assert_int_equal(size, 9);
	assert_int_equal(nuclearity, HP_RST_NN);
	assert_true(hp_rst_label_parts("a_SN_NS", &size, &nuclearity));
	assert_int_equal(size, 4);
	assert_int_equal(nuclearity, HP_RST_NS);
	assert_false(hp_rst_label_parts("_NS", &size, &nuclearity));
	assert_false(hp_rst_label_parts("List_SS", &size, &nuclearity));
	assert_false(hp_rst_label_parts("List", &size, &nuclearity));
}

TEST(subtrees)
{
	hp_rst_tree t, sub;
	int nuclei;
	char *got;

	hp_rst_tree_init(&t);
	hp_rst_tree_init(&sub);
	assert_int_equal(hp_dis_parse(&t, four, strlen(four), "f", 1, NULL), 0);
	/* preorder: root, 1-2, 1, 2, 3-4, 3, 4 */
	assert_int_equal(hp_rst_children(&t, 0, &nuclei), 2);
	assert_int_equal(nuclei, 1);
	assert_int_equal(hp_rst_subtree(&t, 4, "d-2", &sub, NULL), 0);
	got = drawn(&sub);
	assert_string_equal(got, "R(N:Joint:1 N:Joint:2)");
	assert_string_equal(sub.edu[0].text, "c");
	assert_string_equal(sub.id, "d-2");
	free(got);
	assert_int_equal(hp_rst_subtree(&t, 3, NULL, &sub, NULL), 0);
	got = drawn(&sub);
	assert_string_equal(got, "R1");
	assert_string_equal(sub.edu[0].text, "b");
	free(got);
	hp_rst_tree_free(&t);
	hp_rst_tree_free(&sub);
}

/* 100,000 nodes below one another, in each of the shapes; nothing recurses, nothing takes quadratic time. */
TEST(deep)
{
	enum { DEPTH = 100000 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	hp_rst_tree t, binary;
	hp_rst_binary *b;
	hp_error err = {""};

	hp_rst_tree_init(&t);
	hp_rst_tree_init(&binary);
	fputs("( Root ", out);
	for (int i = 1; i < DEPTH; i++)
		fprintf(out,
		        "( Satellite (leaf %d) (rel2par A) (text _!x_!) ) ( Nucleus (rel2par span) ( Nucleus (rel2par span) ",
		        i);
	fprintf(out, "( Nucleus (leaf %d) (rel2par span) (text _!x_!) )", DEPTH);
	for (int i = 1; i < DEPTH; i++)
		fputs(") )", out);
	fputs(")", out);
	fclose(out);
	if (hp_dis_parse(&t, text, size, "f", 1, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(t.nodes, 2 * DEPTH - 1);
	assert_int_equal(hp_rst_binarize(&t, &binary, &err), 0);
	assert_int_equal(hp_rst_binary_new(&binary, &b, &err), 0);
	assert_int_equal(b->edus, DEPTH);
	assert_int_equal(b->split[DEPTH - 2].first, DEPTH - 2);
	assert_int_equal(hp_rst_binary_tree(b, &t, &err), 0);
	assert_int_equal(t.nodes, 2 * DEPTH - 1);
	out = fopen("/dev/null", "w");
	assert_int_equal(hp_dis_write(&t, out, &err), 0);
	fclose(out);
	hp_rst_binary_destroy(b);
	hp_rst_tree_free(&t);
	hp_rst_tree_free(&binary);
	free(text);
}
