/* test_eval_rst.c: the counts behind hp-eval on rhetorical trees small enough to score by hand. */
#include "base/rng.h"
#include "eval/parseval.h"
#include "eval/aligned_edus.h"
#include "io/sniff.h"
#include "rst/dis.h"
#include "unit.h"

static hp_rst_tree tree(const char *text)
{
	hp_rst_tree t;
	hp_error err;

	hp_rst_tree_init(&t);
	if (hp_dis_parse(&t, text, strlen(text), "tree", 1, &err))
		fail_msg("%s", err.text);
	return t;
}

static void check(const hp_tally *t, int correct, int gold, int system)
{
	assert_int_equal(t->correct, correct);
	assert_int_equal(t->gold, gold);
	assert_int_equal(t->system, system);
}

/* Expected counts of correct nodes: span, nuclearity, relation, both. */
static void check_four(const hp_tally *t, const int correct[4], int gold, int system)
{
	for (int m = 0; m < 4; m++)
		check(&t[m], correct[m], gold, system);
}

/* Numbers in square brackets below are the EDUs of a node. */
static const char gold4[] = "( Root (span 1 4)"
							"  ( Satellite (leaf 1) (rel2par Background) (text _!a_!) )"
							"  ( Nucleus (span 2 4) (rel2par span)"
							"    ( Nucleus (leaf 2) (rel2par Joint) (text _!b_!) )"
							"    ( Nucleus (span 3 4) (rel2par Joint)"
							"      ( Nucleus (leaf 3) (rel2par span) (text _!c_!) )"
							"      ( Satellite (leaf 4) (rel2par Temporal) (text _!d_!) ) ) ) )";
static const char system4[] = "( Root (span 1 4)"
							  "  ( Nucleus (span 1 2) (rel2par Joint)"
							  "    ( Satellite (leaf 1) (rel2par Background) (text _!a_!) )"
							  "    ( Nucleus (leaf 2) (rel2par span) (text _!b_!) ) )"
							  "  ( Nucleus (span 3 4) (rel2par Joint)"
							  "    ( Nucleus (leaf 3) (rel2par Temporal) (text _!c_!) )"
							  "    ( Nucleus (leaf 4) (rel2par Temporal) (text _!d_!) ) ) )";

TEST(binary)
{
	hp_rst_tree gold = tree(gold4), system = tree(system4);
	hp_tally t[HP_PARSEVAL_METRICS];

	hp_parseval_score(&gold, &system, t);
	/* RST-Parseval.  Gold: [1] S Background, [2-4] N span, [2] N Joint, [3-4] N Joint, [3] N span, [4] S Temporal.
	 * System: [1-2] N Joint, [1] S Background, [2] N span, [3-4] N Joint, [3] N Temporal, [4] N Temporal.
	 * Spans: [1] [2] [3-4] [3] [4].  Nuclearity: not [4].  Relation: [1] [3-4] [4].  Both: [1] [3-4]. */
	check_four(t + HP_RST_PARSEVAL_SPAN, (const int[]){5, 4, 3, 2}, 6, 6);
	/* Parseval.  Gold: [1-4] SN Background, [2-4] NN Joint, [3-4] NS Temporal.  System: [1-4] NN Joint, [1-2] SN
	 * Background, [3-4] NN Temporal.  Spans: [1-4] [3-4].  Nuclearity: none.  Relation: [3-4]. */
	check_four(t + HP_PARSEVAL_SPAN, (const int[]){2, 0, 1, 0}, 3, 3);
	check(&t[HP_PARSEVAL_UCM], 0, 1, 1);
	check(&t[HP_PARSEVAL_LCM], 0, 1, 1);
	hp_parseval_score(&gold, &gold, t);
	for (int m = 0; m < 4; m++) {
		check(&t[HP_RST_PARSEVAL_SPAN + m], 6, 6, 6);
		check(&t[HP_PARSEVAL_SPAN + m], 3, 3, 3);
	}
	check(&t[HP_PARSEVAL_UCM], 1, 1, 1);
	check(&t[HP_PARSEVAL_LCM], 1, 1, 1);
	hp_rst_tree_free(&gold);
	hp_rst_tree_free(&system);
}

/* The other half is the nucleus: the original Parseval sees the relation, RST-Parseval sees nothing right but spans. */
TEST(two_edus)
{
	hp_rst_tree gold = tree("(Root (span 1 2) (Nucleus (leaf 1) (rel2par span) (text _!a_!))"
	                        " (Satellite (leaf 2) (rel2par Cause) (text _!b_!)))");
	hp_rst_tree system = tree("(Root (span 1 2) (Satellite (leaf 1) (rel2par Cause) (text _!a_!))"
	                          " (Nucleus (leaf 2) (rel2par span) (text _!b_!)))");
	hp_tally t[HP_PARSEVAL_METRICS];

	hp_parseval_score(&gold, &system, t);
	check_four(t + HP_RST_PARSEVAL_SPAN, (const int[]){2, 0, 0, 0}, 2, 2);
	check_four(t + HP_PARSEVAL_SPAN, (const int[]){1, 0, 1, 0}, 1, 1);
	check(&t[HP_PARSEVAL_UCM], 1, 1, 1);
	check(&t[HP_PARSEVAL_LCM], 0, 1, 1);
	hp_rst_tree_free(&gold);
	hp_rst_tree_free(&system);
}

TEST(one_edu)
{
	hp_rst_tree one = tree("(Root (leaf 1) (text _!a_!))");
	hp_tally t[HP_PARSEVAL_METRICS];

	hp_parseval_score(&one, &one, t);
	for (int m = 0; m < HP_PARSEVAL_METRICS; m++)
		check(&t[m], 0, 0, 0);
	hp_rst_tree_free(&one);
}

/* As they stand: [1] S Cause, [2] N Joint, [3] N Joint, [4] S Purpose, [5] S Cause below one node, against
 * [1] S Cause, [2-5] N span; [2-3] N span, [4-5] S Purpose; [2] [3] N Joint; [4] N span, [5] S Cause. */
TEST(nary)
{
	hp_rst_tree gold = tree("( Root (span 1 5)"
	                        "( Satellite (leaf 1) (rel2par Cause) (text _!a_!) )"
	                        "( Nucleus (leaf 2) (rel2par Joint) (text _!b_!) )"
	                        "( Nucleus (leaf 3) (rel2par Joint) (text _!c_!) )"
	                        "( Satellite (leaf 4) (rel2par Purpose) (text _!d_!) )"
	                        "( Satellite (leaf 5) (rel2par Cause) (text _!e_!) ) )");
	hp_rst_tree system = tree("( Root (span 1 5) ( Satellite (leaf 1) (rel2par Cause) (text _!a_!) )"
	                          "( Nucleus (span 2 5) (rel2par span)"
	                          "  ( Nucleus (span 2 3) (rel2par span)"
	                          "    ( Nucleus (leaf 2) (rel2par Joint) (text _!b_!) )"
	                          "    ( Nucleus (leaf 3) (rel2par Joint) (text _!c_!) ) )"
	                          "  ( Satellite (span 4 5) (rel2par Purpose)"
	                          "    ( Nucleus (leaf 4) (rel2par span) (text _!d_!) )"
	                          "    ( Satellite (leaf 5) (rel2par Cause) (text _!e_!) ) ) ) )");
	hp_tally t[HP_PARSEVAL_METRICS];
	hp_breakdown *b;
	hp_bins none = {0};
	hp_error err;

	hp_parseval_score(&gold, &system, t);
	/* The leaves: [4] has another role and relation, all others agree. */
	check_four(t + HP_RST_PARSEVAL_SPAN, (const int[]){5, 4, 4, 4}, 5, 8);
	/* The root: SNNSS with Cause, Purpose, Cause; SN with Cause. */
	check_four(t + HP_PARSEVAL_SPAN, (const int[]){1, 0, 0, 0}, 1, 4);
	check(&t[HP_PARSEVAL_UCM], 0, 1, 1);
	assert_int_equal(hp_parseval_by_new(HP_PARSEVAL_BY_RELATION, &none, &b, &err), 0);
	assert_int_equal(hp_parseval_by_add(HP_PARSEVAL_BY_RELATION, &none, &gold, &system, b, &err), 0);
	check(hp_breakdown_at(b, "Cause+Purpose+Cause", 19), 0, 1, 0);
	check(hp_breakdown_at(b, "Cause", 5), 0, 0, 2); /* [1-5] [4-5] */
	check(hp_breakdown_at(b, "Joint", 5), 0, 0, 1);
	hp_breakdown_destroy(b);
	hp_rst_tree_free(&gold);
	hp_rst_tree_free(&system);
}

/* A node with one child has a twin over the same EDUs: [1-2] [1-2] [1] [2] against [1-2] [1-2] [1-2] [1] [2].  Readers
 * pass over such nodes; a tree that has them is scored all the same, each node with one other at most. */
TEST(twins)
{
	hp_rst_node nodes[2][5] = {
		{{-1, 4, 0, 1, HP_RST_ROOT, "", 0},
	     {0, 3, 0, 1, HP_RST_NUCLEUS, "span", 0},
	     {1, 1, 0, 0, HP_RST_NUCLEUS, "Joint", 0},
	     {1, 1, 1, 1, HP_RST_NUCLEUS, "Joint", 0}},
		{{-1, 5, 0, 1, HP_RST_ROOT, "", 0},
	     {0, 4, 0, 1, HP_RST_NUCLEUS, "span", 0},
	     {1, 3, 0, 1, HP_RST_NUCLEUS, "span", 0},
	     {2, 1, 0, 0, HP_RST_NUCLEUS, "Joint", 0},
	     {2, 1, 1, 1, HP_RST_NUCLEUS, "Joint", 0}},
	};
	hp_rst_tree gold = {.edus = 2, .nodes = 4, .node = nodes[0]};
	hp_rst_tree system = {.edus = 2, .nodes = 5, .node = nodes[1]};
	hp_tally t[HP_PARSEVAL_METRICS];

	hp_parseval_score(&gold, &system, t);
	check(&t[HP_RST_PARSEVAL_SPAN], 3, 3, 4);
	check(&t[HP_PARSEVAL_SPAN], 2, 2, 3);
	check(&t[HP_PARSEVAL_UCM], 0, 1, 1);
}

TEST(nuclei_are_named)
{
	hp_rst_tree t = tree("( Root (span 1 4)"
	                     " ( Nucleus (leaf 1) (rel2par Cause) (text _!a_!) )"
	                     " ( Satellite (span 2 4) (rel2par Cause)"
	                     "   ( Nucleus (leaf 2) (rel2par Joint) (text _!b_!) )"
	                     "   ( Nucleus (leaf 3) (rel2par Joint) (text _!c_!) )"
	                     "   ( Satellite (leaf 4) (rel2par Joint) (text _!d_!) ) ) )");

	hp_rst_name_nuclei(&t);
	assert_string_equal(t.node[1].relation, "span");
	assert_string_equal(t.node[2].relation, "Cause");
	for (int i = 3; i < 6; i++) /* two nuclei have a relation of their own */
		assert_string_equal(t.node[i].relation, "Joint");
	hp_rst_tree_free(&t);
}

/* ---- against a slower way ---- */

enum { MOST = 12 };

/* A random binary tree of EDUS leaves; labels of two relations and three nuclearities. */
static hp_rst_binary *random_tree(hp_rng *rng, int edus)
{
	static const char *const labels[] = {"A_NS", "A_SN", "A_NN", "B_NS", "B_SN", "B_NN"};
	const char *text[MOST], *label[MOST];
	hp_rst_split split[MOST], stack[MOST] = {{0, 0, edus - 1}};
	int depth = 1, n = 0;
	hp_rst_binary *b;
	hp_error err;

	while (depth) {
		hp_rst_split s = stack[--depth];

		text[s.first] = "x";
		if (s.first == s.last)
			continue;
		s.mid = s.first + (int)hp_rng_below(rng, s.last - s.first);
		label[n] = labels[hp_rng_below(rng, 6)];
		split[n++] = s;
		stack[depth++] = (hp_rst_split){s.mid + 1, 0, s.last};
		stack[depth++] = (hp_rst_split){s.first, 0, s.mid};
	}
	if (hp_rst_binary_make(NULL, edus, text, split, label, &b, &err))
		fail_msg("%s", err.text);
	return b;
}

/* What split I of B says about its left half (0), its right half (1), itself (2): first, last, role, relation. */
static void fact(const hp_rst_binary *b, int i, int which, char out[64])
{
	const hp_rst_split *s = &b->split[i];
	const char *nuclearity = b->label[i] + 2;
	int first = which == 1 ? s->mid + 1 : s->first, last = which == 0 ? s->mid : s->last;
	char relation[] = {b->label[i][0], '\0'};

	if (which == 2)
		snprintf(out, 64, "%d %d %s %s", first, last, nuclearity, relation);
	else
		snprintf(out, 64, "%d %d %c %s", first, last, nuclearity[which],
		         nuclearity[which] == 'N' && strcmp(nuclearity, "NN") ? "span" : relation);
}

static int full_matches(const hp_rst_binary *gold, const hp_rst_binary *system, bool inner)
{
	int n = 0;

	for (int i = 0; i < gold->edus - 1; i++)
		for (int j = 0; j < system->edus - 1; j++)
			for (int a = inner ? 2 : 0; a < (inner ? 3 : 2); a++)
				for (int c = inner ? 2 : 0; c < (inner ? 3 : 2); c++) {
					char g[64], s[64];

					fact(gold, i, a, g);
					fact(system, j, c, s);
					n += !strcmp(g, s);
				}
	return n;
}

TEST(random)
{
	hp_rng rng;

	hp_rng_seed(&rng, 7, 0);
	for (int k = 0; k < 500; k++) {
		int edus = 2 + (int)hp_rng_below(&rng, MOST - 1);
		hp_rst_binary *gold = random_tree(&rng, edus), *system = random_tree(&rng, edus);
		hp_tally t[HP_PARSEVAL_METRICS];
		hp_error err;

		assert_int_equal(hp_parseval_score_binary(gold, system, t, &err), 0);
		check(&t[HP_RST_PARSEVAL_FULL], full_matches(gold, system, false), 2 * edus - 2, 2 * edus - 2);
		check(&t[HP_PARSEVAL_FULL], full_matches(gold, system, true), edus - 1, edus - 1);
		/* The same inner nodes in both ways of counting, all EDUs in the first, the root in the second only. */
		assert_int_equal(t[HP_RST_PARSEVAL_SPAN].correct, t[HP_PARSEVAL_SPAN].correct - 1 + edus);
		hp_rst_binary_destroy(gold);
		hp_rst_binary_destroy(system);
	}
}

/* ---- breakdowns ---- */

TEST(bins)
{
	hp_bins bins;
	char name[HP_BIN_NAME];
	hp_error err;

	assert_int_equal(hp_bins_parse("1,5", 2, &bins, &err), HP_FAIL);
	assert_string_equal(err.text, "'1,5' is no list of bins; expected rising numbers from 2 on, as 10,20,30");
	assert_int_equal(hp_bins_parse("2,5", 2, &bins, &err), 0);
	hp_bins_name(&bins, 0, name);
	assert_string_equal(name, "2");
	assert_int_equal(hp_bins_parse("4", 2, &bins, &err), 0);
	hp_bins_name(&bins, 0, name);
	assert_string_equal(name, "2-4");
	hp_bins_name(&bins, 1, name);
	assert_string_equal(name, "5+");
}

TEST(by_edus)
{
	hp_rst_tree gold = tree(gold4), system = tree(system4);
	hp_bins bins = {2, {2, 3}, 2};
	hp_breakdown *b;
	const hp_group *group;
	hp_error err;

	assert_int_equal(hp_parseval_by_new(HP_PARSEVAL_BY_EDUS, &bins, &b, &err), 0);
	assert_int_equal(hp_parseval_by_add(HP_PARSEVAL_BY_EDUS, &bins, &gold, &system, b, &err), 0);
	assert_int_equal(hp_parseval_by_add(HP_PARSEVAL_BY_EDUS, &bins, &gold, &gold, b, &err), 0);
	group = hp_breakdown_next(b, NULL);
	assert_string_equal(hp_group_name(group), "2");
	check(hp_group_tallies(group), 0, 0, 0);
	group = hp_breakdown_next(b, group);
	assert_string_equal(hp_group_name(group), "3");
	group = hp_breakdown_next(b, group);
	assert_string_equal(hp_group_name(group), "4+");
	check(&hp_group_tallies(group)[HP_RST_PARSEVAL_SPAN], 5 + 6, 12, 12);
	check(&hp_group_tallies(group)[HP_PARSEVAL_UCM], 1, 2, 2);
	hp_breakdown_destroy(b);
	hp_rst_tree_free(&gold);
	hp_rst_tree_free(&system);
}

/* ---- what a file holds ---- */

static bool looks_like_dis(const char *text, size_t size)
{
	hp_input *in;
	bool is_dis;
	const char *data;
	size_t left;
	hp_error err;

	assert_int_equal(hp_input_from_memory(text, size, "text", &in, &err), 0);
	assert_int_equal(hp_sniff_dis(in, &is_dis, &err), 0);
	assert_int_equal(hp_input_peek(in, 1, &data, &left, &err), 0);
	assert_int_equal(left, size); /* nothing is consumed */
	hp_input_close(in);
	return is_dis;
}

/* A string literal, which may hold a zero byte. */
#define LOOKS(text) looks_like_dis(text, sizeof(text) - 1)

/* Where a text may begin with a bracket as well. */
TEST(looks_like_root)
{
	static const struct {
		const char *text;
		bool is;
	} rows[] = {{"( Root (span 1 2)", true},
	            {"\xef\xbb\xbf\n# a\n (\t Root", true},
	            {"(Root", true},
	            {"(root", false},
	            {"( Roo", false},
	            {"(", false},
	            {"", false},
	            {"\xef", false},
	            {"x ( Root", false}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		hp_input *in;
		bool is;
		assert_int_equal(hp_input_from_memory(rows[i].text, strlen(rows[i].text), "text", &in, NULL), 0);
		assert_int_equal(hp_sniff_root(in, &is, NULL), 0);
		assert_int_equal(is, rows[i].is);
		hp_input_close(in);
	}
}

TEST(looks)
{
	enum { LONG = 300000 };
	char *text = malloc(LONG + 3);

	assert_non_null(text);
	assert_true(LOOKS("( Root"));
	assert_true(LOOKS("\xef\xbb\xbf\r\n # x ( y\r\n\t(Root"));
	assert_true(LOOKS("# only\n# comments\n\n# then\n("));
	assert_false(LOOKS("# ( Root\n1\t(\t_\t_\t_\t_\t0\troot\t_\t_\n"));
	assert_false(LOOKS("1-2\t("));
	assert_false(LOOKS(""));
	assert_false(LOOKS("# comment ("));
	assert_false(LOOKS("\0("));
	memset(text, 'x', LONG);
	memcpy(text, "# ", 2);
	memcpy(text + LONG, "\n(\n", 3);
	assert_true(looks_like_dis(text, LONG + 3));
	assert_false(looks_like_dis(text, LONG));
	free(text);
}
