/* test_place.c: tags with places in dependency trees, by hand. */
#include "text/edus.h"
#include "text/place.h"
#include "unit.h"

#define W(id, form, upos, head, rel) id "\t" form "\t_\t" upos "\tX\t_\t" head "\t" rel "\t_\t_\n"

/* "Although it rained | we left | because | somebody sang ." */
static const char text[] = W("1", "Although", "SCONJ", "3", "mark") W("2", "it", "PRON", "3", "nsubj:expl")
	W("3", "rained", "VERB", "5", "advcl") W("4", "we", "PRON", "5", "nsubj") W("5", "left", "VERB", "0", "root")
		W("6", "because", "SCONJ", "8", "mark") W("7", "somebody", "_", "8", "nsubj")
			W("8", "sang", "VERB", "5", "advcl") W("9", ".", "PUNCT", "3", "punct") W("10", "x", "X", "_", "dep")
				W("11", "y", "X", "12", "dep") W("12", "z", "X", "5", "_");
static const int32_t unit[] = {0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 3, 3};
static const char *const expected[] = {"SCONJ mark",   "PRON nsubj",  "VERB advcl+", "PRON nsubj",
                                       "VERB root0",   "SCONJ mark+", "_ nsubj",     "VERB advcl<",
                                       "PUNCT punct<", "X",           "X dep",       "X"};

TEST(places_of_words)
{
	hp_arena *arena = hp_arena_new();
	hp_sentence s;
	hp_error err;

	assert_non_null(arena);
	hp_sentence_init(&s);
	if (hp_sentence_parse(&s, NULL, text, strlen(text), "test", 1, 0, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(s.words, 12);
	for (int i = 0; i < s.words; i++) {
		const char *want = expected[i];
		size_t size = 0;
		const char *place = hp_place_of(&s, unit, i, arena, &size);
		assert_non_null(place);
		assert_int_equal(size, strlen(want));
		assert_memory_equal(place, want, size);
		assert_int_equal(hp_place_tag_size(place, size), strcspn(want, " "));
	}
	hp_sentence_free(&s);
	hp_arena_destroy(arena);
}

static const struct direction {
	const char *name;
	int unit, head;
	const char *text;
} directions[] = {{"same", 4, 4, "T r"},
                  {"before", 4, 3, "T r-"},
                  {"next", 4, 5, "T r+"},
                  {"left", 4, 2, "T r<"},
                  {"first", 4, 0, "T r<"},
                  {"right", 4, 6, "T r>"},
                  {"root", 0, HP_PLACE_ROOT, "T r0"},
                  {"unknown", 4, HP_PLACE_UNKNOWN, "T"}};

static void check_direction(const void *row)
{
	const struct direction *c = row;
	const hp_place place = {
		.tag = "Tag", .relation = "r:sub", .tag_size = 1, .relation_size = 5, .unit = c->unit, .head = c->head};
	hp_arena *arena = hp_arena_new();
	size_t size = 0;

	assert_non_null(arena);
	const char *got = hp_place_text(&place, arena, &size);
	assert_non_null(got);
	assert_int_equal(size, strlen(c->text));
	assert_memory_equal(got, c->text, size);
	hp_arena_destroy(arena);
}
CASES(directions, check_direction)

/* Tokens 0-2, 3, 4-5. */
TEST(edus_of_tokens)
{
	int32_t ends[] = {2, 3, 5};
	const hp_edus edus = {.edus = 3, .ends = ends};
	static const int want[] = {0, 0, 0, 1, 2, 2, 3};

	for (int i = 0; i < 7; i++)
		assert_int_equal(hp_edus_of(&edus, i), want[i]);
}
