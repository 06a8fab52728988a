/* test_arena.c: alignment, reuse, marks, failure that is remembered. */
#include "base/arena.h"
#include "unit.h"

/* For the allocation that must fail, when built with -fsanitize=address. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

TEST(alignment)
{
	hp_arena *arena = hp_arena_new();
	unsigned char *before = NULL;
	size_t sizes[] = {0, 1, 63, 64, 65, 1000, 3 << 20, 7, 5 << 20, 1};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned char *p = hp_arena_alloc(arena, sizes[i], 1);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 64, 0);
		assert_ptr_not_equal(p, before);
		memset(p, 0xa5, sizes[i]);
		before = p;
	}
	hp_arena_destroy(arena);
	hp_arena_destroy(NULL);
}

/* Nothing overlaps: every block keeps its own pattern. */
TEST(apart)
{
	hp_arena *arena = hp_arena_new();
	unsigned char *blocks[300];

	for (int i = 0; i < 300; i++) {
		blocks[i] = HP_NEW(arena, unsigned char, (size_t)i * 97);
		memset(blocks[i], i, (size_t)i * 97);
	}
	for (int i = 0; i < 300; i++)
		for (size_t j = 0; j < (size_t)i * 97; j++)
			assert_int_equal(blocks[i][j], i & 0xff);
	hp_arena_destroy(arena);
}

TEST(zalloc)
{
	hp_arena *arena = hp_arena_new();

	memset(hp_arena_alloc(arena, 4096, 1), 0xff, 4096);
	hp_arena_reset(arena);
	for (int round = 0; round < 2; round++) {
		const int *zero = HP_NEW0(arena, int, 1024);

		for (int i = 0; i < 1024; i++)
			assert_int_equal(zero[i], 0);
	}
	hp_arena_destroy(arena);
}

TEST(reset_reuses)
{
	hp_arena *arena = hp_arena_new();
	void *first, *second;

	first = hp_arena_alloc(arena, 100, 1);
	second = hp_arena_alloc(arena, 10 << 20, 1);
	for (int i = 0; i < 1000; i++) { /* 10 GB if nothing were reused */
		hp_arena_reset(arena);
		assert_ptr_equal(hp_arena_alloc(arena, 100, 1), first);
		assert_ptr_equal(hp_arena_alloc(arena, 10 << 20, 1), second);
	}
	/* a chunk that is large enough is found behind one that is not */
	hp_arena_reset(arena);
	assert_ptr_equal(hp_arena_alloc(arena, 10 << 20, 1), second);
	hp_arena_destroy(arena);
}

TEST(marks)
{
	hp_arena *arena = hp_arena_new();
	hp_arena_mark empty = hp_arena_save(arena), mark;
	char *kept = HP_NEW(arena, char, 10);
	void *after;

	strcpy(kept, "kept");
	mark = hp_arena_save(arena);
	after = hp_arena_alloc(arena, 5, 1);
	memset(hp_arena_alloc(arena, 8 << 20, 1), 1, 8 << 20); /* in another chunk */
	hp_arena_restore(arena, mark);
	assert_ptr_equal(hp_arena_alloc(arena, 5, 1), after);
	assert_string_equal(kept, "kept");
	hp_arena_restore(arena, empty);
	assert_ptr_equal(hp_arena_alloc(arena, 10, 1), kept);
	hp_arena_destroy(arena);
}

TEST(failure)
{
	hp_arena *arena = hp_arena_new();

	assert_false(hp_arena_failed(arena));
	assert_null(hp_arena_alloc(arena, SIZE_MAX / 2, 3)); /* the product wraps to something small */
	assert_true(hp_arena_failed(arena));
	assert_null(hp_arena_alloc(arena, 1, 1)); /* remembered */
	assert_null(HP_NEW0(arena, int, 1));
	hp_arena_reset(arena);
	assert_false(hp_arena_failed(arena));
	assert_non_null(hp_arena_alloc(arena, 1, 1));
	assert_null(hp_arena_alloc(arena, SIZE_MAX, 1));
	hp_arena_reset(arena);
	assert_null(hp_arena_alloc(arena, (size_t)PTRDIFF_MAX - 64, 1)); /* no wrap, but no such memory either */
	assert_true(hp_arena_failed(arena));
	hp_arena_destroy(arena);
}
