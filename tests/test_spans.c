/* Spans of EDUs in MISC, and the nodes of trees: how many hold each boundary, by looking at each; what is refused, with its
 * line; that many of them take no time. */
#include <time.h>

#include "base/rng.h"
#include "rst/dis.h"
#include "text/spans.h"
#include "unit.h"

enum { EDUS = 9, MOST = 12 };

static hp_rng rng;
static hp_error err;
static hp_arena *arena;
static hp_spans spans;

HOOK(before)
{
	hp_rng_seed(&rng, 7, 7);
	arena = hp_arena_new();
}

HOOK(after)
{
	hp_spans_free(&spans);
	hp_arena_destroy(arena);
}

static int below(int n)
{
	return (int)hp_rng_below(&rng, (uint64_t)n);
}

/* ROWS, the first one in line LINE. */
static int take(const char *rows, long line, int32_t **held)
{
	hp_sentence s;
	hp_sentence_init(&s);
	assert_int_equal(hp_sentence_parse(&s, NULL, rows, strlen(rows), "f", line, 0, &err), 0);
	int status = hp_spans_take(&spans, &s, "f", arena, held, &err);
	hp_sentence_free(&s);
	return status;
}

/* ---- the rows of MISC ---- */

#define ROW(id, misc) id "\tx\t_\t_\t_\t_\t_\t_\t_\t" misc "\n"
#define B "Seg=B-seg|"

TEST(rows)
{
	static const int32_t expected[] = {2, 1, 2, 2, 0};
	int32_t *held;
	assert_int_equal(take(ROW("1", "Span=5,2") ROW("2", B "A=b") ROW("3-4", B "Span=3") ROW("3", "_") ROW("4", "_")
	                          ROW("4.1", "Span=x") ROW("5", "Discourse=a|Span=1|XSpan=0") ROW("6", B "Span"),
	                      1, &held),
	                 0);
	assert_int_equal(spans.edus, 5);
	assert_memory_equal(held, expected, sizeof expected);
	assert_int_equal(spans.open, 0);
	assert_int_equal(hp_spans_end(&spans, "f", "sentence", &err), 0);
	/* Both the token and its first word; over two blocks. */
	assert_int_equal(take(ROW("1-2", "Span=2") ROW("1", "Span=3") ROW("2", "_") ROW("3", "_"), 1, &held), 0);
	assert_int_equal(held[0], 2);
	assert_int_equal(take(ROW("1", "_") ROW("2", B "Span=1"), 5, &held), 0);
	assert_int_equal(held[0], 1);
	assert_int_equal(held[1], 0);
	assert_int_equal(hp_spans_end(&spans, "f", "document", &err), 0);
}

static const struct refusal {
	const char *name, *rows, *expected;
} refusals[] = {
	{"zero", ROW("1", "Span=0"), "f:7: Span=0 of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"sign", ROW("1", "Span=-1"), "f:7: Span=-1 of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"empty", ROW("1", "Span="), "f:7: Span= of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"comma", ROW("1", "Span=1,"), "f:7: Span=1, of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"blank", ROW("1", "Span=1, 2"),
     "f:7: Span=1, 2 of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"huge", ROW("1", "Span=18446744073709551617"),
     "f:7: Span=18446744073709551617 of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"too large", ROW("1", "Span=1000000000"),
     "f:7: Span=1000000000 of word 1, expected numbers from 1 to 999999999, separated by commas"},
	{"twice", ROW("1", "_") ROW("2", B "Span=1|A|Span=1"), "f:8: word 2 has Span= twice"},
	{"inside", ROW("1", "_") ROW("2", "Span=1"), "f:8: word 2 has Span=, but begins no EDU"},
	{"token", ROW("1", "_") ROW("2-3", "Span=1") ROW("2", "_") ROW("3", "_"),
     "f:8: word 2-3 has Span=, but begins no EDU"},
	{"crossing", ROW("1", "Span=2") ROW("2", B "Span=2") ROW("3", B),
     "f:8: Span=2, EDUs 2 to 3, crosses Span=2 in line 7, EDUs 1 to 2"},
	{"crossing within", ROW("1", "Span=4,3") ROW("2", B) ROW("3", B "Span=2") ROW("4", B),
     "f:9: Span=2, EDUs 3 to 4, crosses Span=3 in line 7, EDUs 1 to 3"},
};

static void refuses(const void *row)
{
	const struct refusal *r = row;
	int32_t *held;
	assert_int_equal(take(r->rows, 7, &held), HP_FAIL);
	assert_string_equal(err.text, r->expected);
	/* Nothing was taken. */
	assert_int_equal(spans.edus, 0);
	assert_int_equal(hp_spans_end(&spans, "f", "sentence", &err), 0);
}
CASES(refusals, refuses)

TEST(end)
{
	int32_t *held;
	assert_int_equal(take(ROW("1", "_") ROW("2", B "Span=4,3"), 3, &held), 0);
	assert_int_equal(take(ROW("1", "Span=2"), 6, &held), 0);
	assert_int_equal(hp_spans_end(&spans, "f", "document", &err), HP_FAIL);
	assert_string_equal(err.text, "f:4: Span=4, but 2 EDUs from here to the end of the document");
	/* What comes then is a text of its own. */
	assert_int_equal(take(ROW("1", "Span=1"), 8, &held), 0);
	assert_int_equal(held[0], 0);
	assert_int_equal(hp_spans_end(&spans, "f", "document", &err), 0);
}

/* ---- at random ---- */

typedef struct span {
	int first, last;
} span;

static bool cross(span a, span b)
{
	return (a.first < b.first && b.first <= a.last && a.last < b.last) ||
	       (b.first < a.first && a.first <= b.last && b.last < a.last);
}

/* The rows of EDUs FROM ... TO - 1, of one word each. */
static void write_rows(const span *s, int count, int from, int to, char *out)
{
	for (int e = from; e < to; e++) {
		const char *before = "Span=";
		out += sprintf(out, "%d\tx\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg|", e - from + 1);
		for (int i = 0; i < count; i++)
			if (s[i].first == e) {
				out += sprintf(out, "%s%d", before, s[i].last - s[i].first + 1);
				before = ",";
			}
		out += sprintf(out, "\n");
	}
}

TEST(random_spans)
{
	int refused = 0, taken = 0;
	for (int trial = 0; trial < 4000; trial++) {
		span s[MOST];
		int count = below(trial % 2 ? 4 : MOST), edus = 1 + below(EDUS), status = 0, done = 0;
		bool crossing = false, beyond = false;
		for (int i = 0; i < count; i++) {
			s[i].first = below(edus);
			s[i].last = s[i].first + below(edus - s[i].first + (trial % 16 == 0));
			beyond |= s[i].last >= edus;
			for (int k = 0; k < i; k++)
				crossing |= cross(s[i], s[k]);
		}
		while (status == 0 && done < edus) {
			char rows[4096];
			int to = done + 1 + below(edus - done);
			int32_t *held;
			write_rows(s, count, done, to, rows);
			status = take(rows, 1, &held);
			for (int e = done; status == 0 && e < to; e++) {
				int expected = 0;
				for (int i = 0; i < count; i++)
					expected += s[i].first <= e && s[i].last > e;
				assert_int_equal(held[e - done], expected);
			}
			done = status == 0 ? to : done;
		}
		assert_int_equal(status != 0, crossing);
		bool ended = hp_spans_end(&spans, "f", "document", &err) == 0;
		assert_true(status != 0 || ended != beyond);
		refused += status != 0;
		taken += status == 0 && count > 1;
		hp_arena_reset(arena);
	}
	assert_true(refused > 500 && taken > 500);
}

/* As long ones as there can be, one in another, and as many of them as EDUs; then side by side. */
TEST(many)
{
	enum { MANY = 100000 };
	char *rows = malloc((size_t)MANY * 64), *at = rows;
	for (int e = 0; e < MANY; e++)
		at += sprintf(at, "%d\tx\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg|Span=%d\n", e + 1, e < MANY / 2 ? MANY - 2 * e : 1);
	clock_t before = clock();
	int32_t *held;
	assert_int_equal(take(rows, 1, &held), 0);
	assert_int_equal(hp_spans_end(&spans, "f", "document", &err), 0);
	for (int e = 0; e < MANY / 2 - 1; e++)
		assert_int_equal(held[e], e + 1);
	at = rows;
	at += sprintf(at, "1\tx\t_\t_\t_\t_\t_\t_\t_\tSpan=1");
	for (int e = MANY; e > 1; e--)
		at += sprintf(at, ",%d", e);
	for (int e = 1; e < MANY; e++)
		at += sprintf(at, "\n%d\tx\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg", e + 1);
	sprintf(at, "\n");
	assert_int_equal(take(rows, 1, &held), 0);
	assert_int_equal(hp_spans_end(&spans, "f", "document", &err), 0);
	for (int e = 0; e < MANY; e++)
		assert_int_equal(held[e], MANY - 1 - e);
	/* A quadratic way would take minutes. */
	assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 20);
	free(rows);
}

/* ---- trees ---- */

TEST(nodes)
{
	static const char text[] =
		"( Root (span 1 6) ( Nucleus (span 1 3) (rel2par span)\n"
		"( Nucleus (leaf 1) (rel2par L) (text _!a_!) ) ( Nucleus (leaf 2) (rel2par L) (text _!b_!) )\n"
		"( Nucleus (leaf 3) (rel2par L) (text _!c_!) ) )\n"
		"( Satellite (leaf 4) (rel2par X) (text _!d_!) )\n"
		"( Satellite (span 5 6) (rel2par X) ( Nucleus (leaf 5) (rel2par span) (text _!e_!) )\n"
		"( Satellite (leaf 6) (rel2par Y) (text _!f_!) ) ) )\n";
	static const int32_t expected[] = {2, 2, 1, 1, 2, 0};
	int32_t held[6];
	hp_rst_tree t;
	hp_rst_tree_init(&t);
	assert_int_equal(hp_dis_parse(&t, text, sizeof text - 1, "f", 1, &err), 0);
	hp_rst_held(&t, held);
	assert_memory_equal(held, expected, sizeof held);
	hp_rst_tree_free(&t);
}
