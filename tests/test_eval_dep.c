/* test_eval_dep.c: the counts behind hp-eval, on trees small enough to score by hand. */
#include "base/utf8.h"
#include "eval/attachment.h"
#include "eval/bootstrap.h"
#include "eval/conll18.h"
#include "eval/ignore.h"
#include "unit.h"

/* A sentence from rows whose columns are separated by blanks here: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL. */
static hp_sentence block(const char *name, const char *const *rows)
{
	hp_sentence out;
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	hp_error err;

	assert_non_null(memory);
	for (; *rows; rows++) {
		for (const char *s = *rows; *s; s++)
			fputc(*s == ' ' ? '\t' : *s, memory);
		fputs("\t_\t_\n", memory);
	}
	fclose(memory);
	hp_sentence_init(&out);
	if (hp_sentence_parse(&out, NULL, text, size, name, 1, 100, &err))
		fail_msg("%s", err.text);
	free(text);
	return out;
}

static hp_dependencies tree(const char *name, const char *const *rows)
{
	hp_dependencies t = {.name = name, .s = block(name, rows)};
	hp_error err;

	t.heads = calloc(t.s.words + 1, sizeof *t.heads);
	assert_non_null(t.heads);
	if (hp_sentence_tree(&t.s, name, t.heads, &err))
		fail_msg("%s", err.text);
	return t;
}

static void drop(hp_dependencies *t)
{
	hp_sentence_free(&t->s);
	free(t->heads);
}

static const char *const dog_gold[] = {"1 The the DET DT Definite=Def 3 det",
                                       "2 old old ADJ JJ Degree=Pos 3 amod",
                                       "3 dog dog NOUN NN Number=Sing 7 nsubj",
                                       "4 ( ( PUNCT -LRB- _ 5 punct",
                                       "5 Rex Rex PROPN NNP Number=Sing 3 appos:name",
                                       "6 ) ) PUNCT -RRB- _ 5 punct",
                                       "7 sleeps sleep VERB VBZ Mood=Ind|Tense=Pres 0 root",
                                       "8 . . PUNCT . _ 7 punct",
                                       NULL};

/* What is wrong: the relation of 2; the subtypes of 3 and 5; the head of 4; tag and lemma of 5.  What is not, for the
 * CoNLL scorer: a language's own feature at 1, the order of the features at 7. */
static const char *const dog_system[] = {"1 The the DET DT Definite=Def|Own=Yes 3 det",
                                         "2 old old ADJ JJ Degree=Pos 3 nummod",
                                         "3 dog dog NOUN NN Number=Sing 7 nsubj:pass",
                                         "4 ( ( PUNCT -LRB- _ 3 punct",
                                         "5 Rex rex NOUN NNP Number=Sing 3 appos",
                                         "6 ) ) PUNCT -RRB- _ 5 punct",
                                         "7 sleeps sleep VERB VBZ Tense=Pres|Mood=Ind 0 root",
                                         "8 . . PUNCT . _ 7 punct",
                                         NULL};

static void check(const hp_tally *t, int correct, int gold, int system)
{
	assert_int_equal(t->correct, correct);
	assert_int_equal(t->gold, gold);
	assert_int_equal(t->system, system);
}

TEST(attachment)
{
	hp_dependencies gold = tree("gold", dog_gold), system = tree("system", dog_system);
	hp_tally t[HP_ATTACHMENT_METRICS];

	hp_attachment_score(&gold, &system, NULL, t);
	check(&t[HP_UAS], 7, 8, 8); /* all but 4 */
	check(&t[HP_LAS], 4, 8, 8); /* 1 6 7 8 */
	check(&t[HP_LAS_UNIVERSAL], 6, 8, 8); /* and 3 5 */
	check(&t[HP_LA], 5, 8, 8); /* 1 4 6 7 8 */
	check(&t[HP_ROOT], 1, 1, 1);
	check(&t[HP_UCM], 0, 1, 1);
	check(&t[HP_LCM], 0, 1, 1);
	drop(&gold);
	drop(&system);
}

/* Without punctuation by the gold tags the words 1 2 3 5 7 are left. */
TEST(without_punctuation)
{
	hp_dependencies gold = tree("gold", dog_gold), system = tree("system", dog_system);
	hp_tally t[HP_ATTACHMENT_METRICS];
	hp_ignore ig;
	hp_error err;
	bool counted[8];

	hp_ignore_init(&ig);
	assert_int_equal(hp_ignore_list(&ig.upos, "PUNCT,SYM", ",", &err), 0);
	hp_ignore_mark(&ig, &gold, counted);
	assert_int_equal(ig.left_out, 3);
	hp_attachment_score(&gold, &system, counted, t);
	check(&t[HP_UAS], 5, 5, 5);
	check(&t[HP_LAS], 2, 5, 5); /* 1 7 */
	check(&t[HP_LAS_UNIVERSAL], 4, 5, 5); /* 1 3 5 7 */
	check(&t[HP_LA], 2, 5, 5);
	check(&t[HP_ROOT], 1, 1, 1);
	check(&t[HP_UCM], 1, 1, 1);
	check(&t[HP_LCM], 0, 1, 1);
	memset(counted, false, sizeof counted); /* nothing left: no complete match to speak of */
	hp_attachment_score(&gold, &system, counted, t);
	check(&t[HP_UAS], 0, 0, 0);
	check(&t[HP_UCM], 0, 0, 0);
	hp_ignore_free(&ig);
	drop(&gold);
	drop(&system);
}

static int left_out(const hp_dependencies *t, const char *upos, const char *xpos, bool unicode)
{
	hp_ignore ig;
	hp_error err;
	bool counted[16];
	int n;

	hp_ignore_init(&ig);
	if (upos)
		assert_int_equal(hp_ignore_list(&ig.upos, upos, ", ", &err), 0);
	if (xpos)
		assert_int_equal(hp_ignore_list(&ig.xpos, xpos, " ", &err), 0);
	ig.unicode = unicode;
	hp_ignore_mark(&ig, t, counted);
	n = (int)ig.left_out;
	hp_ignore_free(&ig);
	return n;
}

TEST(ignore)
{
	hp_dependencies t = tree("gold", dog_gold);
	hp_ignore ig;
	hp_error err;
	bool counted[8];
	char *text;

	assert_int_equal(left_out(&t, NULL, NULL, false), 0);
	assert_int_equal(left_out(&t, "PUNCT", NULL, false), 3);
	assert_int_equal(left_out(&t, NULL, HP_IGNORE_XPOS, false), 1); /* brackets have tags of their own */
	assert_int_equal(left_out(&t, NULL, ". -LRB- -RRB-", false), 3);
	assert_int_equal(left_out(&t, NULL, NULL, true), 3);
	assert_int_equal(left_out(&t, "DET,PROPN ADJ", ".", false), 4);

	hp_ignore_init(&ig);
	assert_int_equal(hp_ignore_list(&ig.xpos, "  ", " ", &err), HP_FAIL);
	assert_string_equal(err.text, "no tags in '  '");
	assert_int_equal(hp_ignore_list(&ig.xpos, HP_IGNORE_XPOS, " ", &err), 0);
	assert_int_equal(hp_ignore_list(&ig.upos, "PUNCT", " ", &err), 0);
	ig.unicode = true;
	text = hp_ignore_text(&ig);
	assert_string_equal(text, "upos=PUNCT;xpos=`` '' : , .;unicode");
	free(text);
	hp_ignore_mark(&ig, &t, counted);
	assert_int_equal(hp_ignore_check(&ig, "gold", &err), 0);
	assert_int_equal(hp_ignore_list(&ig.upos, "DET ADJ NOUN PROPN VERB PUNCT", " ", &err), 0);
	ig.words = ig.left_out = 0;
	hp_ignore_mark(&ig, &t, counted);
	assert_int_equal(hp_ignore_check(&ig, "gold", &err), HP_FAIL);
	assert_string_equal(err.text, "gold: every word is left out");
	hp_ignore_free(&ig);
	text = hp_ignore_text(&ig);
	assert_string_equal(text, "keep");
	free(text);
	drop(&t);
}

/* Sentences from rows, a blank one between them, as a text. */
static void read_rows(hp_conll18_text *t, const char *name, const char *const *rows)
{
	hp_error err;

	assert_int_equal(hp_conll18_text_init(t, name, &err), 0);
	while (*rows) {
		const char *sentence[16] = {NULL};
		for (int n = 0; *rows && **rows; rows++)
			sentence[n++] = *rows;
		rows += *rows != NULL;
		hp_sentence s = block(name, sentence);
		if (hp_conll18_text_add(t, &s, &err))
			fail_msg("%s", err.text);
		hp_sentence_free(&s);
	}
}

/* The scores of all sentences together into OUT; or what was wrong. */
static const char *conll18_of(const char *const *gold, const char *const *system, hp_tally *out)
{
	static char message[sizeof(hp_error)];
	hp_tally(*scores)[HP_CONLL18_METRICS];
	hp_conll18_text g, s;
	hp_arena *arena = hp_arena_new();
	hp_error err = {0};

	memset(out, 0, HP_CONLL18_METRICS * sizeof *out);
	read_rows(&g, "gold", gold);
	read_rows(&s, "system", system);
	if (!hp_conll18_score(&g, &s, arena, &scores, &err))
		for (int i = 0; i < g.sentences; i++)
			hp_tally_add(out, scores[i], HP_CONLL18_METRICS);
	snprintf(message, sizeof message, "%s", err.text);
	hp_conll18_text_free(&g);
	hp_conll18_text_free(&s);
	hp_arena_destroy(arena);
	return message;
}

static void conll18(const char *const *gold, const char *const *system, hp_tally *out)
{
	assert_string_equal(conll18_of(gold, system, out), "");
}

static const char *conll18_error(const char *const *gold, const char *const *system)
{
	hp_tally t[HP_CONLL18_METRICS];
	return conll18_of(gold, system, t);
}

TEST(conll18)
{
	hp_tally t[HP_CONLL18_METRICS];

	conll18(dog_gold, dog_system, t);
	check(&t[HP_CONLL18_TOKENS], 8, 8, 8);
	check(&t[HP_CONLL18_SENTENCES], 1, 1, 1);
	check(&t[HP_CONLL18_WORDS], 8, 8, 8);
	check(&t[HP_CONLL18_UPOS], 7, 8, 8);
	check(&t[HP_CONLL18_XPOS], 8, 8, 8);
	check(&t[HP_CONLL18_UFEATS], 8, 8, 8);
	check(&t[HP_CONLL18_ALLTAGS], 7, 8, 8);
	check(&t[HP_CONLL18_LEMMAS], 7, 8, 8);
	check(&t[HP_CONLL18_UAS], 7, 8, 8);
	check(&t[HP_CONLL18_LAS], 6, 8, 8);
	check(&t[HP_CONLL18_CLAS], 3, 4, 4); /* amod nsubj appos root; the first is wrong */
	check(&t[HP_CONLL18_MLAS], 2, 4, 4); /* nsubj root; 5 has the wrong tag */
	check(&t[HP_CONLL18_BLEX], 2, 4, 4); /* nsubj root; 5 has the wrong lemma */
}

/* Functional dependants: an additional one, a missing one and one with another tag each cost their head its MLAS. */
TEST(functional)
{
	static const char *const g[] = {
		"1 I I PRON _ _ 3 nsubj",    "2 will will AUX _ _ 3 aux",  "3 go go VERB _ _ 0 root",
		"4 to to ADP _ _ 5 case",    "5 town town NOUN _ _ 3 obl", "6 by by ADP _ _ 7 case",
		"7 car car NOUN _ _ 5 nmod", "8 now _ ADV _ _ 3 advmod",   NULL};
	/* 1 aux for nsubj: content in gold only.  2 has no functional relation.  4 another tag.  6 as in gold.  8 as in
	 * gold but for the lemma, about which gold is silent. */
	static const char *const s[] = {
		"1 I I PRON _ _ 3 aux",         "2 will will AUX _ _ 3 nsubj",  "3 go go VERB _ _ 0 root",
		"4 to to PART _ _ 5 case",      "5 town town NOUN _ _ 3 obl",   "6 by by ADP _ _ 7 case",
		"7 car car NOUN _ _ 5 nmod:by", "8 now later ADV _ _ 3 advmod", NULL};
	hp_tally t[HP_CONLL18_METRICS];

	conll18(g, s, t);
	check(&t[HP_CONLL18_UAS], 8, 8, 8);
	check(&t[HP_CONLL18_LAS], 6, 8, 8);
	check(&t[HP_CONLL18_LEMMAS], 8, 8, 8);
	check(&t[HP_CONLL18_CLAS], 4, 5, 5); /* gold 1 3 5 7 8, system 2 3 5 7 8 */
	check(&t[HP_CONLL18_MLAS], 2, 5, 5); /* 7 8; 3 has other dependants, 5 one with another tag */
	check(&t[HP_CONLL18_BLEX], 4, 5, 5);
}

/* Multiword tokens: "dunno" over three words in gold, over the first two in the system's. */
TEST(tokens)
{
	static const char *const g[] = {"1-3 dunno _ _ _ _ _ _",
	                                "1 du _ _ _ _ 0 root",
	                                "2 n _ _ _ _ 1 dep",
	                                "3 no _ _ _ _ 1 dep",
	                                "3.1 void _ _ _ _ _ _",
	                                "4 me _ _ _ _ 1 dep",
	                                NULL};
	static const char *const s[] = {"1-2 dun _ _ _ _ _ _", "1 du _ _ _ _ 0 root", "2 n _ _ _ _ 1 dep",
	                                "3 no _ _ _ _ 1 dep",  "4 me _ _ _ _ 1 dep",  NULL};
	static const char *const other[] = {"1-2 don _ _ _ _ _ _", "1 du _ _ _ _ 0 root", "2 n _ _ _ _ 1 dep",
	                                    "3 no _ _ _ _ 1 dep",  "4 me _ _ _ _ 1 dep",  NULL};
	hp_tally t[HP_CONLL18_METRICS];

	conll18(g, s, t);
	check(&t[HP_CONLL18_TOKENS], 1, 2, 3); /* dunno me; dun no me */
	check(&t[HP_CONLL18_WORDS], 4, 4, 4); /* all overlap with "dunno" but the last, and are alike */
	assert_string_equal(conll18_error(g, other), "gold:1: token 'dunno' does not align with 'don' at system:1");
}

/* Two gold sentences are one of the system's, "a b" is one token there and another multiword token splits in another way;
 * a word of the system's hangs on one that is not in gold. */
TEST(other_words)
{
	static const char *const g[] = {
		"1 A a X _ _ 2 det",      "2 b b NOUN _ _ 0 root", "3 ! ! PUNCT _ _ 2 punct",   "",  "1-2 del _ _ _ _ _ _",
		"1 de de ADP _ _ 3 case", "2 el el DET _ _ 3 det", "3 dia dia NOUN _ _ 0 root", NULL};
	static const char *const s[] = {"1 Ab ab NOUN _ _ 0 root",
	                                "2 ! ! PUNCT _ _ 1 punct",
	                                "3-4 del _ _ _ _ _ _",
	                                "3 DE de ADP _ _ 5 case",
	                                "4 l l DET _ _ 5 det",
	                                "5 dia dia NOUN _ _ 1 dep",
	                                NULL};
	hp_tally t[HP_CONLL18_METRICS];

	conll18(g, s, t);
	check(&t[HP_CONLL18_TOKENS], 3, 5, 4); /* ! del dia */
	check(&t[HP_CONLL18_SENTENCES], 0, 2, 1); /* it begins with the first, but ends with the second */
	check(&t[HP_CONLL18_WORDS], 3, 6, 5); /* ! de dia: case does not matter, el is not l */
	check(&t[HP_CONLL18_LEMMAS], 3, 6, 5);
	check(&t[HP_CONLL18_UAS], 1, 6, 5); /* de; "!" hangs on "Ab", which is no gold word, dia on it too */
	check(&t[HP_CONLL18_LAS], 1, 6, 5);
	check(&t[HP_CONLL18_CLAS], 0, 2, 2); /* b, dia; Ab, dia */
	assert_int_equal(t[HP_CONLL18_LAS].aligned, 3);
	assert_int_equal(t[HP_CONLL18_CLAS].aligned, 1);
}

/* Of repeated words the earliest ones are taken; a word left over before a multiword token takes part in what overlaps. */
TEST(common_subsequence)
{
	static const char *const g[] = {"1-3 abab _ _ _ _ _ _", "1 a _ _ _ _ 0 root", "2 b _ _ _ _ 1 dep",
	                                "3 a _ _ _ _ 2 dep", NULL};
	static const char *const s[] = {"1-3 abab _ _ _ _ _ _", "1 b _ _ _ _ 0 root", "2 a _ _ _ _ 1 dep",
	                                "3 b _ _ _ _ 2 dep", NULL};
	static const char *const left[] = {"1 xa _ _ _ _ 0 root", "2-3 du _ _ _ _ _ _", "2 a _ _ _ _ 1 dep",
	                                   "3 le _ _ _ _ 1 dep", NULL};
	static const char *const over[] = {"1 x _ _ _ _ 0 root", "2 a _ _ _ _ 1 dep",  "3-4 du _ _ _ _ _ _",
	                                   "3 de _ _ _ _ 1 dep", "4 le _ _ _ _ 1 dep", NULL};
	hp_tally t[HP_CONLL18_METRICS];

	conll18(g, s, t);
	check(&t[HP_CONLL18_WORDS], 2, 3, 3); /* a b: 1 and 2 with 2 and 3; b a would be as long */
	check(&t[HP_CONLL18_UAS], 1, 3, 3); /* b on a; "a" is no root */
	conll18(left, over, t);
	check(&t[HP_CONLL18_TOKENS], 1, 2, 3);
	check(&t[HP_CONLL18_WORDS], 2, 3, 4); /* the "a" before the token counts as the one inside it; le */
}

/* Lower case as Python has it: the dotted capital I is two characters, a sigma at the end of a word another one. */
TEST(lower_case)
{
	static const char *const g[] = {"1-2 x _ _ _ _ _ _", "1 \u0130X _ _ _ _ 0 root", "2 \u039F\u03A3 _ _ _ _ 1 dep",
	                                NULL};
	static const char *const s[] = {"1-2 x _ _ _ _ _ _", "1 i\u0307x _ _ _ _ 0 root", "2 \u03BF\u03C2 _ _ _ _ 1 dep",
	                                NULL};
	static const char *const other[] = {"1-2 x _ _ _ _ _ _", "1 ix _ _ _ _ 0 root", "2 \u03BF\u03C3 _ _ _ _ 1 dep",
	                                    NULL};
	hp_tally t[HP_CONLL18_METRICS];

	conll18(g, s, t);
	check(&t[HP_CONLL18_WORDS], 2, 2, 2);
	conll18(g, other, t);
	check(&t[HP_CONLL18_WORDS], 0, 2, 2);
}

/* A tokeniser's output has no trees: what there is of it is scored. */
TEST(no_heads)
{
	static const char *const g[] = {"1 a _ X _ _ 0 root", "2 b _ Y _ _ 1 dep", NULL};
	static const char *const s[] = {"1 a _ X _ _ _ _", "2 b _ X _ _ _ _", NULL};
	hp_tally t[HP_CONLL18_METRICS];

	conll18(g, s, t);
	check(&t[HP_CONLL18_WORDS], 2, 2, 2);
	check(&t[HP_CONLL18_UPOS], 1, 2, 2);
	check(&t[HP_CONLL18_UAS], 0, 2, 2);
	conll18(s, s, t);
	check(&t[HP_CONLL18_UAS], 0, 2, 2);
}

static const hp_tally *group(const hp_breakdown *b, const char *name)
{
	for (const hp_group *g = NULL; (g = hp_breakdown_next(b, g)) != NULL;)
		if (!strcmp(hp_group_name(g), name))
			return hp_group_tallies(g);
	fail_msg("no group %s", name);
	return NULL;
}

static hp_breakdown *breakdown(hp_by by, const char *bins_text)
{
	hp_dependencies gold = tree("gold", dog_gold), system = tree("system", dog_system);
	hp_breakdown *b;
	hp_bins bins;
	hp_error err;

	assert_int_equal(hp_bins_parse(bins_text, 1, &bins, &err), 0);
	assert_int_equal(hp_by_new(by, &bins, &b, &err), 0);
	assert_int_equal(hp_by_add(by, &bins, &gold, &system, NULL, b, &err), 0);
	drop(&gold);
	drop(&system);
	return b;
}

TEST(breakdowns)
{
	hp_breakdown *b = breakdown(HP_BY_ARC, "1,2,3");

	/* Arcs, gold: 1-3 2-3 3-7 4-5 5-3 6-5 root 8-7, system: 4-3 for 4-5, so that all but "1" are alike. */
	check(&group(b, "root")[0], 1, 1, 1);
	check(&group(b, "1")[0], 3, 4, 4); /* gold 2-3 4-5 6-5 8-7, system 2-3 4-3 6-5 8-7 */
	check(&group(b, "1")[1], 2, 4, 4); /* labels: 6-5 8-7 */
	check(&group(b, "2")[0], 2, 2, 2); /* 1-3 5-3 */
	check(&group(b, "2")[1], 1, 2, 2);
	check(&group(b, "3")[0], 0, 0, 0);
	check(&group(b, "4+")[0], 1, 1, 1); /* 3-7 */
	check(&group(b, "4+")[1], 0, 1, 1);
	hp_breakdown_destroy(b);

	b = breakdown(HP_BY_DEPTH, "1,2,3"); /* by the gold tree: 7, below it 3 8, below 3 1 2 5, below 5 4 6 */
	check(&group(b, "1")[0], 1, 1, 1);
	check(&group(b, "1")[1], 1, 1, 1);
	check(&group(b, "2")[0], 2, 2, 2);
	check(&group(b, "2")[1], 1, 2, 2); /* 8 */
	check(&group(b, "3")[0], 3, 3, 3);
	check(&group(b, "3")[1], 1, 3, 3); /* 1 */
	check(&group(b, "4+")[0], 1, 2, 2); /* 6 */
	check(&group(b, "4+")[1], 1, 2, 2);
	hp_breakdown_destroy(b);

	b = breakdown(HP_BY_DIRECTION, "1");
	check(&group(b, "left")[0], 3, 4, 3); /* gold 1 2 3 4, system 1 2 3 */
	check(&group(b, "right")[0], 3, 3, 4); /* gold 5 6 8, system 4 5 6 8 */
	hp_breakdown_destroy(b);

	b = breakdown(HP_BY_LENGTH, "7,8,20");
	check(&group(b, "1-7")[HP_UAS], 0, 0, 0);
	check(&group(b, "8")[HP_UAS], 7, 8, 8);
	check(&group(b, "8")[HP_LCM], 0, 1, 1);
	check(&group(b, "9-20")[HP_UAS], 0, 0, 0);
	check(&group(b, "21+")[HP_UAS], 0, 0, 0);
	hp_breakdown_destroy(b);

	b = breakdown(HP_BY_RELATION, "1"); /* the metrics are LA, LAS, UAS */
	check(&group(b, "punct")[0], 3, 3, 3);
	check(&group(b, "punct")[1], 2, 3, 3);
	check(&group(b, "punct")[2], 2, 3, 3);
	check(&group(b, "nsubj")[0], 0, 1, 0);
	check(&group(b, "nsubj")[2], 1, 1, 1);
	check(&group(b, "nsubj:pass")[0], 0, 0, 1);
	check(&group(b, "appos:name")[1], 0, 1, 0);
	hp_breakdown_sort(b);
	assert_string_equal(hp_group_name(hp_breakdown_next(b, NULL)), "punct");
	hp_breakdown_destroy(b);

	b = breakdown(HP_BY_UNIVERSAL, "1");
	check(&group(b, "nsubj")[1], 1, 1, 1);
	check(&group(b, "appos")[1], 1, 1, 1);
	check(&group(b, "amod")[1], 0, 1, 0);
	check(&group(b, "nummod")[1], 0, 0, 1);
	hp_breakdown_destroy(b);
	hp_breakdown_destroy(NULL);
}

TEST(bins)
{
	static const char *const wrong[] = {"", "a", "0", "-1", "+1", " 1", "2,1", "3,3", "1,", ",1", "1;2", "99999999999"};
	hp_bins bins;
	hp_error err;
	char name[HP_BIN_NAME];

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(hp_bins_parse(wrong[i], 1, &bins, &err), HP_FAIL);
	assert_int_equal(hp_bins_parse("1,4,9", 1, &bins, &err), 0);
	assert_int_equal(hp_bins_find(&bins, 1), 0);
	assert_int_equal(hp_bins_find(&bins, 2), 1);
	assert_int_equal(hp_bins_find(&bins, 4), 1);
	assert_int_equal(hp_bins_find(&bins, 9), 2);
	assert_int_equal(hp_bins_find(&bins, 10), 3);
	hp_bins_name(&bins, 0, name);
	assert_string_equal(name, "1");
	hp_bins_name(&bins, 1, name);
	assert_string_equal(name, "2-4");
	hp_bins_name(&bins, 3, name);
	assert_string_equal(name, "10+");
}

TEST(values)
{
	hp_tally t = {.correct = 3, .gold = 4, .system = 6, .aligned = 5}, none = {0};

	assert_true(hp_tally_value(&t, HP_PRECISION) == 0.5);
	assert_true(hp_tally_value(&t, HP_RECALL) == 0.75);
	assert_true(hp_tally_value(&t, HP_ALIGNED) == 0.6);
	assert_true(hp_tally_value(&t, HP_F1) == 0.6);
	for (int m = 0; m < HP_MEASURES; m++)
		assert_true(hp_tally_value(&none, m) == 0);
}

TEST(forms)
{
	assert_true(hp_utf8_same("10 000", 6, "10000", 5));
	assert_true(hp_utf8_same("10\xc2\xa0"
	                         "000",
	                         7, "10 000 ", 7)); /* a no-break space */
	assert_false(hp_utf8_same("10 000", 6, "10 001", 6));
	assert_false(hp_utf8_same("a", 1, "ab", 2));
	assert_false(hp_utf8_same("\xe2\x80\xa8", 3, "", 0)); /* a line separator is no blank */
	assert_int_equal(hp_utf8_shown("short", 5), 5);
	assert_int_equal(hp_utf8_shown("123456789012345678901234567890123456789\xc3\xa9", 41),
	                 39); /* not half an e acute */
}

static hp_difference difference(const hp_tally *first, const hp_tally *second, int sentences, int samples,
                                uint64_t seed)
{
	hp_bootstrap *b = hp_bootstrap_new(hp_attachment_metrics, 1);
	hp_difference d;
	hp_error err;

	for (int i = 0; i < sentences; i++)
		assert_int_equal(hp_bootstrap_add(b, &first[i], &second[i], &err), 0);
	assert_int_equal(hp_bootstrap_run(b, samples, seed, &d, &err), 0);
	hp_bootstrap_destroy(b);
	return d;
}

TEST(bootstrap)
{
	static const hp_tally right = {.correct = 1, .gold = 1, .system = 1}, wrong = {.gold = 1, .system = 1};
	hp_difference d, again;

	/* One sentence: every sample is the sentence itself. */
	d = difference(&wrong, &right, 1, 99, 1);
	assert_true(d.value[0] == 0 && d.value[1] == 1 && d.difference == 1 && d.low == 1 && d.high == 1);
	assert_true(d.p == 0.01);
	/* Two sentences, one for each system: no difference, and samples from -1 to 1, a quarter each at the ends. */
	d = difference((hp_tally[]){right, wrong}, (hp_tally[]){wrong, right}, 2, 999, 1);
	assert_true(d.difference == 0 && d.p == 1 && d.low == -1 && d.high == 1);
	/* Two sentences, one better: samples of 0 (1/4), 1/2 (1/2) and 1 (1/4); the ends are as far from 1/2 as that
	 * is from 0, so p is 1/2 but for chance (standard error 0.005). */
	d = difference((hp_tally[]){wrong, right}, (hp_tally[]){right, right}, 2, 10000, 7);
	assert_true(d.difference == 0.5 && d.low == 0 && d.high == 1 && d.p > 0.47 && d.p < 0.53);
	again = difference((hp_tally[]){wrong, right}, (hp_tally[]){right, right}, 2, 10000, 7);
	assert_true(again.p == d.p);
	again = difference((hp_tally[]){wrong, right}, (hp_tally[]){right, right}, 2, 10000, 8);
	assert_true(again.p != d.p);
	hp_bootstrap_destroy(NULL);
}
