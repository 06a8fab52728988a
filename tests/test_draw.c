/* test_draw.c: widths, levels, brackets and arcs, by values that were worked out by hand. */
#include "unit.h"
#include "draw/arcs.h"
#include "draw/brackets.h"
#include "draw/levels.h"
#include "draw/outline.h"
#include "draw/terminal.h"
#include "draw/title.h"
#include "draw/width.h"

static hp_arena *arena;

HOOK(before)
{
	arena = hp_arena_new();
	assert_non_null(arena);
}

HOOK(after)
{
	hp_arena_destroy(arena);
}

static hp_slice slice(const char *s)
{
	return (hp_slice){s, strlen(s)};
}

/* ---- widths ---- */

typedef struct width_case {
	const char *name, *text;
	int columns;
} width_case;

static const width_case widths[] = {{"empty", "", 0},
                                    {"ascii", "word", 4},
                                    {"accents in one character", "\xc3\xa9t\xc3\xa9", 3},
                                    {"combining marks", "e\xcc\x81t", 2},
                                    {"chinese", "\xe6\xbc\xa2\xe5\xad\x97", 4},
                                    {"half-width katakana", "\xef\xbd\xb6", 1},
                                    {"an emoji", "\xf0\x9f\x98\x80", 2},
                                    {"a control character, shown as another", "\x1b", 1},
                                    {"no utf-8, shown as another", "\xff", 1},
                                    {"right-to-left override, shown as another", "\xe2\x80\xae", 1},
                                    {"zero-width joiner", "a\xe2\x80\x8d", 1}};

static void check_width(const void *row)
{
	const width_case *c = row;

	assert_int_equal(hp_draw_columns(slice(c->text)), c->columns);
}

CASES(widths, check_width)

TEST(what_fits_is_whole_characters_with_their_marks)
{
	int used;

	assert_int_equal(hp_draw_fit(slice("\xe6\xbc\xa2\xe5\xad\x97"), 3, &used), 3);
	assert_int_equal(used, 2);
	assert_int_equal(hp_draw_fit(slice("ae\xcc\x81x"), 2, &used), 4);
	assert_int_equal(used, 2);
	assert_int_equal(hp_draw_fit(slice("abc"), 0, &used), 0);
}

TEST(pixels_are_those_of_a_wide_font)
{
	/* m and i of DejaVu Sans have 974 and 278 thousandths of the font's size, and 25 are added. */
	assert_int_equal(hp_draw_pixels(slice("mi"), 100), (999 + 303 + 9) / 10);
	assert_int_equal(hp_draw_pixels(slice("e\xcc\x81"), 100), hp_draw_pixels(slice("e"), 100));
	assert_true(hp_draw_pixels(slice("\xe6\xbc\xa2"), 100) >= 100);
	assert_int_equal(hp_draw_fit_pixels(slice("mmm"), 100, 200), 2);
	assert_int_equal(hp_draw_fit_pixels(slice("mmm"), 100, 199), 1);
}

static size_t fit(hp_slice t, int size)
{
	return t.size < (size_t)size ? t.size : (size_t)size;
}

TEST(lines_end_at_blanks_and_long_words_anywhere)
{
	hp_slice text = slice("ab cd efghij");
	static const char *const expected[] = {"ab cd", "efghi", "j"};

	for (int i = 0; i < 3; i++) {
		hp_slice line = hp_outline_line(&text, 5, fit);

		assert_int_equal(line.size, strlen(expected[i]));
		assert_memory_equal(line.s, expected[i], line.size);
	}
	assert_int_equal(text.size, 0);
}

/* Tokens of closing punctuation stay with what is before them, opening ones with what is behind. */
TEST(lines_do_not_begin_with_closing_punctuation)
{
	hp_slice text = slice("a glass \xc2\xbb , but ( it )");
	static const char *const expected[] = {"a", "glass \xc2\xbb ,", "but ( it", ")"};
	hp_slice short_text = slice("abcdef .");

	for (int i = 0; i < 2; i++) {
		hp_slice line = hp_outline_line(&text, 11, fit);

		assert_int_equal(line.size, strlen(expected[i]));
		assert_memory_equal(line.s, expected[i], line.size);
	}
	assert_int_equal(hp_outline_line(&text, 9, fit).size, strlen("but ("));
	assert_int_equal(text.size, strlen("it )"));
	/* Where there is no other blank, they do. */
	assert_int_equal(hp_outline_line(&short_text, 7, fit).size, 6);
	assert_int_equal(short_text.size, 1);
}

/* ---- titles ---- */

static void check_title(const hp_title *t, long number, const char *label, const char *note)
{
	assert_int_equal(t->number, number);
	assert_int_equal(t->label.size, strlen(label));
	assert_memory_equal(t->label.s, label, t->label.size);
	assert_int_equal(t->note.size, strlen(note));
	assert_memory_equal(t->note.s, note, t->note.size);
}

TEST(comments_are_those_before_the_first_row)
{
	hp_slice block = slice("# sent_id = a\n\n#sent_id=b \n# sent_ids = c\n1\tx\n# sent_id = d\n");

	assert_int_equal(hp_draw_comment(block, "sent_id").size, 1);
	assert_memory_equal(hp_draw_comment(block, "sent_id").s, "b", 1);
	assert_int_equal(hp_draw_comment(block, "nbest").size, 0);
	assert_int_equal(hp_draw_comment(slice(""), "nbest").size, 0);
}

TEST(trees_of_a_sentence_share_its_number)
{
	static const char *const blocks[] = {"# nbest = 1\n# score = -0.5\n", "# nbest = 2\n", "# score = -3\n", "",
	                                     "# nbest = 1\n"};
	static const char *const notes[] = {"tree 1, score -0.5", "tree 2", "score -3", "", "tree 1"};
	static const char *const labels[] = {"1", "1", "2", "", "4"};
	static const long numbers[] = {1, 1, 2, 3, 4};
	long number = 0;
	hp_title t;

	for (int i = 0; i < 5; i++) {
		assert_true(hp_title_make(slice(""), slice(blocks[i]), &number, arena, &t));
		check_title(&t, numbers[i], labels[i], notes[i]);
	}
	assert_true(hp_title_make(slice("name"), slice(blocks[1]), &number, arena, &t));
	check_title(&t, 4, "name", "tree 2");
}

/* ---- levels ---- */

TEST(levels_are_above_all_that_share_a_place)
{
	/*	0 1 2 3 4 5 6
	 *	a-a   b-b         1
	 *	c-----c           2: shares 0, 1 with a, 3 with b
	 *	          d-d     1
	 *	        e-e       2: shares 4 with b, 5 with d */
	const hp_interval in[] = {{0, 1}, {3, 4}, {0, 3}, {5, 6}, {4, 5}};
	const int order[] = {0, 1, 2, 3, 4};
	int level[5];

	assert_int_equal(hp_draw_levels(in, order, 5, 7, level, arena), 2);
	assert_int_equal(level[0], 1);
	assert_int_equal(level[1], 1);
	assert_int_equal(level[2], 2);
	assert_int_equal(level[3], 1);
	assert_int_equal(level[4], 2);
}

TEST(levels_follow_the_order)
{
	const hp_interval in[] = {{0, 5}, {2, 3}};
	const int order[] = {0, 1};
	int level[2];

	assert_int_equal(hp_draw_levels(in, order, 2, 6, level, arena), 2);
	assert_int_equal(level[0], 1);
	assert_int_equal(level[1], 2);
	assert_int_equal(hp_draw_levels(in, order, 0, 6, level, arena), 0);
}

/* Against trying all pairs. */
TEST(levels_of_random_intervals_are_those_of_all_pairs)
{
	enum { COUNT = 200, PLACES = 37 };
	hp_interval in[COUNT];
	int order[COUNT], level[COUNT];
	unsigned seed = 1;

	for (int i = 0; i < COUNT; i++) {
		int a = (int)((seed = seed * 1103515245 + 12345) >> 16) % PLACES,
			b = (int)((seed = seed * 1103515245 + 12345) >> 16) % PLACES;

		in[i] = a < b ? (hp_interval){a, b} : (hp_interval){b, a};
		order[i] = i;
	}
	hp_draw_levels(in, order, COUNT, PLACES, level, arena);
	for (int i = 0; i < COUNT; i++) {
		int most = 0;

		for (int k = 0; k < i; k++)
			if (in[k].first <= in[i].last && in[i].first <= in[k].last && level[k] > most)
				most = level[k];
		assert_int_equal(level[i], most + 1);
	}
}

TEST(sorting_keeps_equal_ones_in_their_order)
{
	const int key[] = {2, 0, 2, 1, 0};
	const int expected[] = {1, 4, 3, 0, 2};
	int order[5];

	assert_true(hp_draw_sort(key, 5, 2, order, arena));
	assert_memory_equal(order, expected, sizeof order);
}

/* ---- brackets ---- */

static hp_graph graph(const int *heads, int nodes)
{
	hp_graph g = {.nodes = nodes, .node = HP_NEW0(arena, hp_graph_node, nodes)};

	for (int i = 0; i < nodes; i++)
		g.node[i].head = heads[i];
	return g;
}

/* She gave her old friend: 2 0 5 5 2. */
TEST(brackets_of_a_small_tree)
{
	const int heads[] = {1, HP_HEAD_ROOT, 4, 4, 1};
	hp_graph g = graph(heads, 5);
	hp_brackets b;

	assert_true(hp_brackets_make(&g, 10, arena, &b));
	assert_int_equal(b.levels, 2);
	assert_int_equal(b.own[1], 2);
	assert_int_equal(b.own[4], 1);
	assert_int_equal(b.above[0], 2);
	assert_int_equal(b.above[1], 0);
	assert_int_equal(b.above[2], 1);
	assert_int_equal(hp_brackets_at(&b, 0, 2), HP_RIGHT | HP_DOWN);
	assert_int_equal(hp_brackets_at(&b, 1, 2), HP_LEFT | HP_RIGHT | HP_DOWN);
	assert_int_equal(hp_brackets_at(&b, 2, 2), HP_LEFT | HP_RIGHT);
	assert_int_equal(hp_brackets_at(&b, 4, 2), HP_LEFT | HP_DOWN);
	assert_int_equal(hp_brackets_at(&b, 4, 1), HP_LEFT | HP_UP | HP_DOWN);
	assert_int_equal(hp_brackets_at(&b, 0, 1), HP_UP | HP_DOWN);
}

TEST(brackets_without_room_are_left_out)
{
	const int heads[] = {1, HP_HEAD_ROOT, 4, 4, 1};
	hp_graph g = graph(heads, 5);
	hp_brackets b;

	assert_true(hp_brackets_make(&g, 1, arena, &b));
	assert_int_equal(b.levels, 1);
	assert_int_equal(b.own[1], 0);
	assert_int_equal(b.above[4], 0);
	assert_int_equal(b.above[3], 1);
}

TEST(brackets_of_cycles)
{
	const int heads[] = {1, 2, 0, HP_HEAD_NONE};
	hp_graph g = graph(heads, 4);
	hp_brackets b;

	assert_true(hp_brackets_make(&g, 10, arena, &b));
	assert_int_equal(b.levels, 3);
	assert_int_equal(hp_brackets_at(&b, 3, 1), 0);
}

/* ---- arcs ---- */

/* She gave it: both arcs at level 1, the root above; "gave" has three ports, 8 pixels apart. */
TEST(arcs_of_a_small_tree)
{
	hp_arc arc[] = {{.head = 1, .node = 0, .label_width = 10},
	                {.head = HP_HEAD_ROOT, .node = 1, .label_width = 10},
	                {.head = 1, .node = 2, .label_width = 100}};
	hp_arcs side = {3, arc, 0};
	int width[] = {30, 40, 20}, x[3];
	hp_line line = {3, width, x, 0};

	assert_true(hp_arcs_place(&line, &side, 1, NULL, 0, arena));
	assert_int_equal(side.levels, 2);
	assert_int_equal(arc[0].level, 1);
	assert_int_equal(arc[1].level, 2);
	assert_int_equal(arc[2].level, 1);
	/* Words: half of 30; 15 + 14 + 20 behind it; the label's 100, its corners and the port: 100 + 18 + 8. */
	assert_int_equal(x[0], 15);
	assert_int_equal(x[1], 15 + 15 + 14 + 20);
	assert_int_equal(x[2], x[1] + 126);
	assert_int_equal(line.total, x[2] + 10 + 1);
	assert_int_equal(arc[0].x_head, x[1] - 8);
	assert_int_equal(arc[0].x_node, x[0]);
	assert_int_equal(arc[1].x_node, x[1]);
	assert_int_equal(arc[2].x_head, x[1] + 8);
	assert_int_equal(arc[2].x_label, (x[1] + 8 + x[2]) / 2);
}

/* An arc whose word lies below another's label moves it aside. */
TEST(labels_make_way_for_arcs_that_cross)
{
	/* 0-4 at level 1 or 2, 2-6 above it comes down on 2, in the middle of the first. */
	hp_arc arc[] = {{.head = 0, .node = 4, .label_width = 30}, {.head = 6, .node = 2, .label_width = 30}};
	hp_arcs side = {2, arc, 0};
	int width[] = {40, 40, 40, 40, 40, 40, 40}, x[7];
	hp_line line = {7, width, x, 0};

	assert_true(hp_arcs_place(&line, &side, 1, NULL, 0, arena));
	assert_int_equal(arc[0].level, 1);
	assert_int_equal(arc[1].level, 2);
	assert_true(arc[0].x_label + 15 < x[2] || arc[0].x_label - 15 > x[2]);
	assert_true(arc[0].x_label - 15 > x[0] && arc[0].x_label + 15 < x[4]);
}
