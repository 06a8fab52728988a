/* test_rst_rs3.c: what .rs3 files say, in whatever order and encoding they say it. */
#include "rst.h"
#include "rst/binarize.h"
#include "rst/rs3.h"
#include "unit.h"

#define RST(relations, body) \
	"<rst><header><relations>" relations "</relations></header>\n<body>\n" body "</body></rst>\n"
#define REL(name, type) "<rel name=\"" name "\" type=\"" type "\"/>"
#define SEGMENT(id, parent, relation, text) \
	"<segment id=\"" id "\" parent=\"" parent "\" relname=\"" relation "\">" text "</segment>\n"
#define GROUP(id, type, parent, relation) \
	"<group id=\"" id "\" type=\"" type "\" parent=\"" parent "\" relname=\"" relation "\"/>\n"
#define ROOT(id, type) "<group id=\"" id "\" type=\"" type "\"/>\n"
#define USUAL REL("cause", "rst") REL("elab", "rst") REL("list", "multinuc") REL("same-unit", "multinuc")

static int read_bytes(const char *text, size_t size, hp_rst_tree *t, hp_error *err)
{
	hp_input *in;
	int status;

	hp_rst_tree_init(t);
	assert_int_equal(hp_input_from_memory(text, size, "f", &in, NULL), 0);
	status = hp_rs3_read(in, t, err);
	hp_input_close(in);
	return status;
}

static void reads(const char *text, const char *expected)
{
	hp_error err = {""};
	hp_rst_tree t;
	char *got;

	if (read_bytes(text, strlen(text), &t, &err) != 0)
		fail_msg("%s", err.text);
	got = drawn(&t);
	assert_string_equal(got, expected);
	free(got);
	hp_rst_tree_free(&t);
}

static void refuses(const char *text, const char *message)
{
	hp_error err = {""};
	hp_rst_tree t;

	assert_int_equal(read_bytes(text, strlen(text), &t, &err), HP_FAIL);
	assert_string_equal(err.text, message);
	assert_int_equal(t.edus, 0);
	hp_rst_tree_free(&t);
}

static void reads_bytes(const char *text, size_t size, const char *first_edu)
{
	hp_error err = {""};
	hp_rst_tree t;

	if (read_bytes(text, size, &t, &err) != 0)
		fail_msg("%s", err.text);
	assert_string_equal(t.edu[0].text, first_edu);
	hp_rst_tree_free(&t);
}

static void reads_text(const char *text, const char *first_edu)
{
	reads_bytes(text, strlen(text), first_edu);
}

TEST(structures)
{
	/* a nucleus and its satellite, the group above */
	reads(RST(USUAL, SEGMENT("1", "3", "span", "a") SEGMENT("2", "1", "elab", "b") ROOT("3", "span")),
	      "R(N:span:1 S:elab:2)");
	/* no group above: the pair is the tree all the same */
	reads(RST(USUAL, "<segment id=\"1\">a</segment>" SEGMENT("2", "1", "elab", "b")), "R(N:span:1 S:elab:2)");
	/* several satellites of one nucleus, on both sides */
	reads(RST(USUAL, SEGMENT("1", "2", "cause", "a") SEGMENT("2", "9", "span", "b") SEGMENT("3", "2", "elab", "c")
	                     SEGMENT("4", "2", "cause", "d") ROOT("9", "span")),
	      "R(S:cause:1 N:span:2 S:elab:3 S:cause:4)");
	/* a multinuclear node with three nuclei, and a satellite of all three */
	reads(RST(USUAL, SEGMENT("1", "8", "list", "a") SEGMENT("2", "8", "list", "b") SEGMENT("3", "8", "list", "c")
	                     SEGMENT("4", "8", "elab", "d") GROUP("8", "multinuc", "9", "span") ROOT("9", "span")),
	      "R(N:span(N:list:1 N:list:2 N:list:3) S:elab:4)");
	/* same-unit, whose first part has a satellite; that nucleus has no group of its own */
	reads(RST(USUAL, SEGMENT("1", "9", "same-unit", "a") SEGMENT("2", "1", "elab", "b")
	                     SEGMENT("3", "9", "same-unit", "c") ROOT("9", "multinuc")),
	      "R(N:same-unit(N:span:1 S:elab:2) N:same-unit:3)");
	/* a document of one EDU, bare and below a group */
	reads(RST(USUAL, "<segment id=\"1\">a</segment>"), "R1");
	reads(RST(USUAL, SEGMENT("1", "2", "span", "a") ROOT("2", "span")), "R1");
	/* groups without any text are left over by editors */
	reads(RST(USUAL, SEGMENT("1", "3", "span", "a") SEGMENT("2", "1", "elab", "b") ROOT("3", "span") ROOT("4", "span")
	                     GROUP("5", "multinuc", "4", "span") GROUP("6", "span", "1", "elab")),
	      "R(N:span:1 S:elab:2)");
	/* several span children are nuclei of each other */
	reads(RST(USUAL, SEGMENT("1", "3", "span", "a") SEGMENT("2", "3", "span", "b") SEGMENT("4", "3", "elab", "c")
	                     ROOT("3", "span")),
	      "R(N:span(N:span:1 N:span:2) S:elab:3)");
	/* a multinuc that says it is a span */
	reads(RST(USUAL, SEGMENT("1", "3", "list", "a") SEGMENT("2", "3", "list", "b") SEGMENT("4", "3", "elab", "c")
	                     ROOT("3", "span")),
	      "R(N:span(N:list:1 N:list:2) S:elab:3)");
	/* parent 0 is none; not if a node is called so */
	reads(RST(USUAL, SEGMENT("1", "2", "cause", "a") SEGMENT("2", "0", "span", "b")), "R(S:cause:1 N:span:2)");
	reads(RST(USUAL, "<segment id=\"1\" parent=\"3\" relname=\"span\">a</segment>" SEGMENT(
						 "2", "1", "elab", "b") "<group id=\"3\" type=\"span\" parent=\"0\"/>"),
	      "R(N:span:1 S:elab:2)");
	reads(RST(USUAL, SEGMENT("2", "0", "elab", "a") "<segment id=\"0\">b</segment>"), "R(S:elab:1 N:span:2)");
	reads(RST(USUAL, "<segment id=\"1\" parent=\"\" relname=\"\">a</segment>"), "R1");
	/* empty segments are left over by editors, too */
	reads(RST(USUAL,
	          "<segment id=\"5\"/>" SEGMENT(
				  "1", "2", "cause",
				  "a") "<segment id=\"2\">b</segment><segment id=\"3\"> </segment>" SEGMENT("4", "2", "elab", "&lt;P>")
	              GROUP("6", "span", "2", "elab") SEGMENT("7", "6", "span", "")),
	      "R(S:cause:1 N:span:2)");
	/* a group that does not say its type */
	reads(RST(USUAL, SEGMENT("1", "3", "span", "a") SEGMENT("2", "1", "elab", "b") "<group id=\"3\"/>"),
	      "R(N:span:1 S:elab:2)");
	reads(RST(USUAL, SEGMENT("1", "3", "list", "a") SEGMENT("2", "3", "list", "b") "<group id=\"3\"/>"),
	      "R(N:list:1 N:list:2)");
}

/* The text is in the order of the segments, whatever their ids. */
TEST(any_order)
{
	/* groups first; ids that are 1 ... n, but not in this order */
	reads(RST(USUAL, ROOT("4", "span") GROUP("5", "span", "4", "span") SEGMENT("3", "5", "elab", "c")
	                     SEGMENT("1", "5", "span", "a") SEGMENT("2", "1", "cause", "b")),
	      "R(S:elab:1 N:span(N:span:2 S:cause:3))");
	reads_text(RST(USUAL, SEGMENT("2", "1", "elab", "second id, first") "<segment id=\"1\">b</segment>"),
	           "second id, first");
	/* numbers with gaps, out of order; names */
	reads(RST(USUAL, SEGMENT("7", "2", "elab", "a") SEGMENT("2", "9", "span", "b") ROOT("9", "span")),
	      "R(S:elab:1 N:span:2)");
	reads(RST(USUAL, SEGMENT("b", "a", "elab", "a") SEGMENT("a", "x", "span", "b") ROOT("x", "span")),
	      "R(S:elab:1 N:span:2)");
	reads(RST(USUAL, SEGMENT("01", "1", "elab", "a") "<segment id=\"1\">b</segment>"), "R(S:elab:1 N:span:2)");
}

/* The trees of a forest, one behind another; "/" where a paragraph or a tree ends. */
static void reads_forest(const char *text, const char *expected)
{
	hp_error err = {""};
	hp_rst_tree t, one;
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);

	if (read_bytes(text, strlen(text), &t, &err) != 0)
		fail_msg("%s", err.text);
	hp_rst_tree_init(&one);
	for (int i = 0; i < t.nodes; i += t.node[i].size) {
		char *got;

		assert_int_equal(t.node[i].parent, -1);
		assert_int_equal(t.node[i].role, HP_RST_ROOT);
		assert_int_equal(hp_rst_subtree(&t, i, NULL, &one, NULL), 0);
		got = drawn(&one);
		fprintf(out, "%s@%d ", got, t.node[i].first + 1);
		free(got);
	}
	for (int e = 0; e < t.edus; e++)
		fprintf(out, "%s%s", t.edu[e].text, t.edu[e].paragraph || t.edu[e].apart ? "/" : "");
	fclose(out);
	assert_string_equal(all, expected);
	free(all);
	hp_rst_tree_free(&one);
	hp_rst_tree_free(&t);
}

#define LONE(id, text) "<segment id=\"" id "\">" text "</segment>\n"

TEST(forests)
{
	/* a headline */
	reads_forest(
		RST(USUAL, LONE("1", "a") SEGMENT("2", "4", "span", "b") SEGMENT("3", "2", "elab", "c") ROOT("4", "span")),
		"R1@1 R(N:span:1 S:elab:2)@2 a/bc");
	/* at the end; nothing hangs together */
	reads_forest(
		RST(USUAL, SEGMENT("2", "4", "span", "b") SEGMENT("3", "2", "elab", "c") LONE("1", "a") ROOT("4", "span")),
		"R(N:span:1 S:elab:2)@1 R1@3 bc/a");
	reads_forest(RST(USUAL, LONE("1", "a") LONE("2", "b") LONE("3", "c")), "R1@1 R1@2 R1@3 a/b/c");
	/* in the middle: what reaches over it is no node; what does not, is */
	reads_forest(RST(USUAL, SEGMENT("1", "6", "span", "a") SEGMENT("2", "1", "elab", "b") LONE("3", "h") SEGMENT(
								"4", "7", "span", "c") SEGMENT("5", "4", "cause", "d") GROUP("6", "span", "8", "list")
	                            GROUP("7", "span", "8", "list") ROOT("8", "multinuc")),
	             "R(N:span:1 S:elab:2)@1 R1@3 R(N:span:1 S:cause:2)@4 ab/h/cd");
	/* two trees in each other */
	reads_forest(
		RST(USUAL, LONE("1", "a") LONE("2", "b") SEGMENT("3", "1", "elab", "c") SEGMENT("4", "2", "elab", "d")),
		"R1@1 R1@2 R1@3 R1@4 a/b/c/d");
}

/* NODES are told of, the shortest of EDUs FIRST to LAST. */
static void reads_gaps(const char *text, const char *expected, int nodes, int32_t first, int32_t last)
{
	hp_rst_tree t;

	reads_forest(text, expected);
	assert_int_equal(read_bytes(text, strlen(text), &t, NULL), 0);
	assert_int_equal(t.gaps.nodes, nodes);
	assert_int_equal(t.gaps.first + 1, first);
	assert_int_equal(t.gaps.last + 1, last);
	hp_rst_tree_free(&t);
}

TEST(gaps)
{
	/* a nucleus keeps the satellite beside it */
	reads_gaps(RST(USUAL, SEGMENT("1", "4", "cause", "a") LONE("2", "b") LONE("3", "c") LONE("4", "d")
	                          SEGMENT("5", "4", "elab", "e")),
	           "R1@1 R1@2 R1@3 R(N:span:1 S:elab:2)@4 a/b/c/de", 1, 1, 5);
	/* nuclei on both sides stay together there */
	reads_gaps(RST(USUAL, SEGMENT("1", "6", "list", "a") SEGMENT("2", "6", "list", "b") LONE("3", "h")
	                          SEGMENT("4", "6", "list", "c") SEGMENT("5", "6", "list", "d") ROOT("6", "multinuc")),
	           "R(N:list:1 N:list:2)@1 R1@3 R(N:list:1 N:list:2)@4 ab/h/cd", 1, 1, 5);
	/* satellites by themselves do not */
	reads_gaps(RST(USUAL, SEGMENT("1", "4", "cause", "a") SEGMENT("2", "4", "elab", "b") LONE("3", "h") LONE("4", "d")),
	           "R1@1 R1@2 R1@3 R1@4 ab/h/d", 1, 1, 4);
	/* above a node with a gap, below it, and beside it */
	reads_gaps(RST(USUAL, SEGMENT("1", "8", "list", "a") LONE("2", "h") SEGMENT("3", "7", "same-unit", "b")
	                          SEGMENT("4", "7", "same-unit", "c") SEGMENT("5", "9", "list", "d")
	                              SEGMENT("6", "9", "list", "e") GROUP("7", "multinuc", "8", "list")
	                                  GROUP("8", "multinuc", "9", "list") ROOT("9", "multinuc")),
	           "R1@1 R1@2 R(N:same-unit:1 N:same-unit:2)@3 R(N:list:1 N:list:2)@5 a/h/bcde", 2, 1, 4);
	/* no gap */
	reads_gaps(RST(USUAL, LONE("1", "a") LONE("2", "b") SEGMENT("3", "2", "elab", "c")),
	           "R1@1 R(N:span:1 S:elab:2)@2 a/bc", 0, 1, 1);
}

TEST(relations)
{
	/* not declared: a multinuc's children are its nuclei */
	reads(RST("", SEGMENT("1", "3", "x", "a") SEGMENT("2", "3", "y", "b") ROOT("3", "multinuc")), "R(N:x:1 N:y:2)");
	/* unless others must be */
	reads(RST("", SEGMENT("1", "4", "x", "a") SEGMENT("2", "4", "x", "b") SEGMENT("3", "4", "y", "c")
	                  ROOT("4", "multinuc")),
	      "R(N:span(N:x:1 N:x:2) S:y:3)");
	reads(RST(REL("x", "multinuc"), SEGMENT("1", "4", "x", "a") SEGMENT("2", "4", "x", "b") SEGMENT("3", "4", "y", "c")
	                                    ROOT("4", "multinuc")),
	      "R(N:span(N:x:1 N:x:2) S:y:3)");
	/* declared twice, once in each way */
	reads(RST(REL("r", "rst") REL("r", "multinuc"),
	          SEGMENT("1", "4", "r", "a") SEGMENT("2", "4", "r", "b") SEGMENT("3", "5", "r", "c")
	              GROUP("4", "multinuc", "5", "span") ROOT("5", "span")),
	      "R(N:span(N:r:1 N:r:2) S:r:3)");
	/* declared, but not as what */
	reads(RST("<rel name=\"x\"/><rel name=\"y\" type=\"\"/>" REL("elab", "RST"),
	          SEGMENT("1", "4", "x", "a") SEGMENT("2", "4", "x", "b") SEGMENT("3", "4", "elab", "c")
	              ROOT("4", "multinuc")),
	      "R(N:span(N:x:1 N:x:2) S:elab:3)");
	reads(RST(REL("x", "MultiNuc"), SEGMENT("1", "4", "x", "a") SEGMENT("2", "4", "y", "b") ROOT("4", "multinuc")),
	      "R(N:span:1 S:y:2)"); /* a single nucleus of its kind */
	/* declared, but used nowhere */
	reads(RST(USUAL REL("never", "rst"), "<segment id=\"1\">a</segment>"), "R1");
	/* no header at all; .rs4's additions */
	reads("<rst><body>" SEGMENT("1", "3", "span", "a") SEGMENT("2", "1", "elab", "b") ROOT(
			  "3",
			  "span") "<secedges><secedge id=\"2-1\" source=\"2\" target=\"1\" relname=\"cause\"/></secedges>"
	                  "<signals><signal source=\"2\" type=\"dm\" subtype=\"dm\" tokens=\"1\"/></signals></body></rst>",
	      "R(N:span:1 S:elab:2)");
}

TEST(encodings)
{
	static const char utf16[] = "\xff\xfe<\0r\0s\0t\0>\0<\0s\0e\0g\0m\0e\0n\0t\0 \0i\0d\0=\0\"\0"
								"1\0\"\0>\0\xe9\0<\0/\0s\0"
								"e\0g\0m\0e\0n\0t\0>\0<\0/\0r\0s\0t\0>\0";
#define UNDECLARED(line) \
	"f:" line ": bytes that are not UTF-8, and no encoding is declared; expected a first line such as " \
	"<?xml version=\"1.0\" encoding=\"windows-1252\"?>"
#define IN(encoding, text) \
	"<?xml version=\"1.0\" encoding=\"" encoding "\"?><rst><segment id=\"1\">" text "</segment></rst>"
	static const struct {
		const char *file, *text;
	} cases[] = {
		{IN("UTF-8", " caf\xc3\xa9 \n &amp; &lt;b&gt; &#233;"), "caf\xc3\xa9 & <b> \xc3\xa9"},
		{IN("iso-8859-1", "caf\xe9"), "caf\xc3\xa9"},
		{IN("ISO-8859-15", "\xa4"), "\xe2\x82\xac"},
		{IN("iso-8859-5", "\xd0"), "\xd0\xb0"},
		{IN("windows-1252", "\x80 \x93"
	                        "a\x94"),
	     "\xe2\x82\xac \xe2\x80\x9c"
	     "a\xe2\x80\x9d"},
		{IN("windows-1251", "\xe0"), "\xd0\xb0"},
		{IN("koi8-r", "\xc1"), "\xd0\xb0"},
		{IN("EUC-KR", "\xb0\xa1"), "\xea\xb0\x80"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		reads_text(cases[i].file, cases[i].text);
	reads_bytes(utf16, sizeof(utf16) - 1, "\xc3\xa9");
	refuses(IN("no-such", "a"), "f:1: XML: unknown encoding");
	refuses(IN("windows-1252", "a\x81"), "f:1: XML: not well-formed (invalid token)");
	refuses(IN("UTF-8", "caf\xe9"), "f:1: bytes that are not UTF-8, which is declared");
	refuses("<rst>\n<segment id=\"1\">caf\xe9 or</segment></rst>", UNDECLARED("2"));
	refuses("<?xml version=\"1.0\"?>\n<rst><segment id=\"caf\xe9\">a</segment></rst>", UNDECLARED("2"));
	refuses("<rst><segment id=\"1\">caf\xc3\xa9 \x01</segment></rst>", "f:1: XML: not well-formed (invalid token)");
}

/* What else XML may hold. */
TEST(markup)
{
	hp_error err = {""};
	hp_rst_tree t;
	const char *rs4 = "<rst><segment id=\"1\">a</segment><secedges><secedge id=\"1-1\"/><secedge id=\"2\"/></secedges>"
					  "<signals><signal source=\"1\"/></signals></rst>";

	reads_text(
		"\xef\xbb\xbf<?xml version=\"1.0\"?>\r\n<!DOCTYPE rst>\r\n<rst>\r\n<segment id=\"1\">a\r\nb<!-- c --> <![CDATA[<d> & e]]>"
		"<b>f</b><?x y?>&#x67;&quot;\r\n</segment></rst>\r\n",
		"a b <d> & ef"
		"g\"");
	assert_int_equal(read_bytes(rs4, strlen(rs4), &t, &err), 0);
	assert_int_equal(t.secedges, 2);
	assert_int_equal(t.signals, 1);
	hp_rst_tree_free(&t);
}

/* RST-DT's mark of a paragraph's end, which conversions leave in the text. */
TEST(paragraphs)
{
	const char *text = "<rst><segment id=\"1\">a &lt;P>b&lt;P> &lt;P></segment></rst>";
	hp_error err = {""};
	hp_rst_tree t;

	assert_int_equal(read_bytes(text, strlen(text), &t, &err), 0);
	assert_string_equal(t.edu[0].text, "a <P>b");
	assert_true(t.edu[0].paragraph);
	hp_rst_tree_free(&t);
}

TEST(refused)
{
	refuses("", "f:1: XML: no element found");
	refuses("<rst>\n<body>", "f:2: XML: no element found");
	refuses("<rst></body>", "f:1: XML: mismatched tag");
	refuses("<html/>", "f:1: the outermost element is <html>, expected <rst>");
	refuses("<rst/>", "f:1: no segments with text");
	refuses(RST(USUAL, "<segment id=\"1\"> </segment>"), "f:1: no segments with text");
	refuses(RST(USUAL, "<segment id=\"1\"/>\n" SEGMENT("2", "1", "elab", "a")),
	        "f:3: node 1 is a segment without text, but other nodes hang below it");
	refuses(RST(USUAL, "<segment id=\"0\">a</segment>\n<segment id=\"1\" parent=\"0\">b</segment>"),
	        "f:4: a segment that has a parent but no relname");
	refuses(RST(USUAL, "<group id=\"1\" parent=\"2\"/>" ROOT("2", "span")),
	        "f:3: a group that has a parent but no relname");
	refuses(RST(USUAL, "<segment>a</segment>"), "f:3: a segment without id");
	refuses(RST(USUAL, "<segment id=\"1\" parent=\"2\">a</segment>"),
	        "f:3: a segment that has a parent but no relname");
	refuses(RST(USUAL, SEGMENT("1", "2", "a b", "a")),
	        "f:3: relname 'a b', expected a name without blanks, brackets or a leading //");
	refuses(RST(USUAL, SEGMENT("1", "2", "//a", "a")),
	        "f:3: relname '//a', expected a name without blanks, brackets or a leading //");
	refuses(RST(USUAL, "<segment id=\"1\">&lt;P> &lt;P></segment>"), "f:1: no segments with text");
	refuses(RST(USUAL, SEGMENT("1", "2", "elab", "a")), "f:3: the parent of node 1, node 2, does not exist");
	refuses(RST(USUAL, ROOT("1", "span") ROOT("1", "span")), "f:4: a second node 1, the first is in line 3");
	refuses(RST(USUAL, SEGMENT("1", "1", "elab", "a")),
	        "f:3: node 1 hangs in a cycle, expected a way from it to a root");
	refuses(RST(USUAL, "<segment id=\"1\">a</segment>\n" SEGMENT("2", "3", "span", "b") GROUP("3", "span", "4", "span")
	                       GROUP("4", "span", "3", "elab")),
	        "f:4: node 2 hangs in a cycle, expected a way from it to a root");
	refuses(RST(USUAL, SEGMENT("1", "3", "elab", "a") ROOT("3", "span")), "f:4: node 3 has satellites, but no nucleus");
	refuses(RST(USUAL, SEGMENT("1", "3", "elab", "a") SEGMENT("2", "3", "cause", "b") ROOT("3", "multinuc")),
	        "f:5: node 3 has satellites, but no nucleus");
	refuses(RST(USUAL, "<segment id=\"1\">a</segment>\n" SEGMENT("2", "1", "span", "b")),
	        "f:3: node 1 is a segment with a span child, expected a group");
	/* 1 with satellite 3, 2 beside them: the spans cross */
	refuses(RST(USUAL, SEGMENT("1", "4", "list", "a") SEGMENT("2", "4", "list", "b") SEGMENT("3", "1", "elab", "c")
	                       ROOT("4", "multinuc")),
	        "f:5: the spans of the tree are not continuous: segment 3, EDU 3, comes where EDU 2 was expected");
	/* the same behind a headline */
	refuses(RST(USUAL, LONE("h", "h") SEGMENT("1", "4", "list", "a") SEGMENT("2", "4", "list", "b")
	                       SEGMENT("3", "1", "elab", "c") ROOT("4", "multinuc")),
	        "f:6: the spans of the tree are not continuous: segment 3, EDU 4, comes where EDU 3 was expected");
}

TEST(attacks)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	refuses(
		"<!DOCTYPE rst [\n<!ENTITY a \"aaaa\">\n<!ENTITY b \"&a;&a;&a;\">\n]>\n<rst><segment id=\"1\">&b;</segment></rst>",
		"f:2: the entity 'a' is declared, which is not accepted");
	refuses("<!DOCTYPE rst [\n<!ENTITY a SYSTEM \"/etc/hostname\">]>\n<rst><segment id=\"1\">&a;</segment></rst>",
	        "f:2: the entity 'a' is declared, which is not accepted");
	refuses("<!DOCTYPE rst [<!ENTITY % p SYSTEM \"x\">]><rst/>",
	        "f:1: the entity 'p' is declared, which is not accepted");
	/* elements in elements in elements */
	fputs("<rst>", out);
	for (int i = 0; i < 100000; i++)
		fputs("<a>", out);
	fclose(out);
	refuses(text, "f:1: elements nest more than 100 deep");
	free(text);
}

/* A chain of 50,000 groups, each with a satellite; a multinuc of 50,000 nuclei whose relations nobody declared. */
TEST(large)
{
	enum { SIZE = 50000 };
	hp_rst_tree t, binary;
	char *text = NULL;
	hp_error err = {""};
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "<rst><segment id=\"0\" parent=\"g0\" relname=\"span\">a</segment>");
	for (int i = 1; i < SIZE; i++)
		fprintf(out,
		        "<segment id=\"%d\" parent=\"g%d\" relname=\"elab\">b</segment>"
		        "<group id=\"g%d\" type=\"span\" parent=\"g%d\" relname=\"span\"/>",
		        i, i - 1, i - 1, i);
	fprintf(out, "<group id=\"g%d\" type=\"span\"/></rst>", SIZE - 1);
	fclose(out);
	if (read_bytes(text, size, &t, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(t.nodes, 2 * SIZE - 1);
	hp_rst_tree_free(&t);
	free(text);

	out = open_memstream(&text, &size);
	fputs("<rst><group id=\"g\" type=\"multinuc\"/>", out);
	for (int i = 1; i <= SIZE; i++)
		fprintf(out, "<segment id=\"%d\" parent=\"g\" relname=\"r%d\">b</segment>", i, i);
	fputs("</rst>", out);
	fclose(out);
	if (read_bytes(text, size, &t, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(t.nodes, SIZE + 1);
	hp_rst_tree_init(&binary);
	assert_int_equal(hp_rst_binarize(&t, &binary, &err), 0);
	assert_int_equal(binary.nodes, 2 * SIZE - 1);
	hp_rst_tree_free(&binary);
	hp_rst_tree_free(&t);
	free(text);
}
