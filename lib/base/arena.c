/* arena.c: chunks of memory that stay in a list. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HP_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HP_ASAN 1
#endif
#ifdef HP_ASAN
#include <sanitizer/asan_interface.h>
#define poison(start, size) __asan_poison_memory_region((start), (size))
#define unpoison(start, size) __asan_unpoison_memory_region((start), (size))
#else
#define poison(start, size) ((void)(start), (void)(size))
#define unpoison(start, size) ((void)(start), (void)(size))
#endif

#define ALIGNMENT ((size_t)64)
#define SMALLEST_CHUNK ((size_t)1 << 20)
#define LARGEST_STEP ((size_t)64 << 20)

/* Chunks stay in a list for good; those after the current one are free. */
typedef struct chunk {
	struct chunk *next;
	unsigned char *data;
	size_t size;
	size_t used;
} chunk;

struct hp_arena {
	chunk *first;
	chunk *current; /* NULL: nothing is allocated */
	size_t total;
	bool failed;
};

hp_arena *hp_arena_new(void)
{
	return calloc(1, sizeof(hp_arena));
}

void hp_arena_destroy(hp_arena *arena)
{
	if (!arena)
		return;
	for (chunk *c = arena->first, *next; c; c = next) {
		next = c->next;
		unpoison(c->data, c->size);
		free(c->data);
		free(c);
	}
	free(arena);
}

/* Chunks grow with the arena, so that their number stays small. */
static chunk *chunk_new(size_t wanted, size_t total)
{
	size_t size = total > LARGEST_STEP ? LARGEST_STEP : total;
	size_t alignment;
	chunk *c;

	if (size < SMALLEST_CHUNK)
		size = SMALLEST_CHUNK;
	if (size < wanted)
		size = wanted;
	alignment = size >= 2 * HP_HUGE_PAGE ? HP_HUGE_PAGE : ALIGNMENT;
	if (size > SIZE_MAX - alignment)
		return NULL;
	size = (size + alignment - 1) & ~(alignment - 1);
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->data = hp_pages_new(size);
	if (!c->data) {
		free(c);
		return NULL;
	}
	c->size = size;
	poison(c->data, c->size);
	return c;
}

/* Makes a chunk with room for SIZE bytes the current one: a free one if any is large enough, else a new one. */
static chunk *next_chunk(hp_arena *arena, size_t size)
{
	chunk **after = arena->current ? &arena->current->next : &arena->first;
	chunk **link = after;
	chunk *c;

	while (*link && (*link)->size < size)
		link = &(*link)->next;
	c = *link;
	if (c) {
		*link = c->next;
	} else {
		c = chunk_new(size, arena->total);
		if (!c)
			return NULL;
		arena->total += c->size;
	}
	c->next = *after;
	*after = c;
	c->used = 0;
	arena->current = c;
	return c;
}

void *hp_arena_alloc(hp_arena *arena, size_t count, size_t size)
{
	size_t bytes, rounded;
	chunk *c = arena->current;
	void *result;

	if (arena->failed)
		return NULL;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - ALIGNMENT) {
		arena->failed = true;
		return NULL;
	}
	if (bytes == 0)
		bytes = 1; /* a pointer of its own, and not NULL */
	rounded = (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	if (!c || c->size - c->used < rounded)
		c = next_chunk(arena, rounded);
	if (!c) {
		arena->failed = true;
		return NULL;
	}
	result = c->data + c->used;
	c->used += rounded;
	unpoison(result, bytes);
	return result;
}

void *hp_arena_zalloc(hp_arena *arena, size_t count, size_t size)
{
	void *result = hp_arena_alloc(arena, count, size);

	if (result)
		memset(result, 0, count * size);
	return result;
}

char *hp_arena_text(hp_arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = hp_arena_alloc(arena, size, 1);

	return copy != NULL ? memcpy(copy, text, size) : NULL;
}

bool hp_arena_failed(const hp_arena *arena)
{
	return arena->failed;
}

hp_arena_mark hp_arena_save(const hp_arena *arena)
{
	hp_arena_mark mark = {arena->current, arena->current ? arena->current->used : 0};

	return mark;
}

void hp_arena_restore(hp_arena *arena, hp_arena_mark mark)
{
	chunk *c = mark.chunk;

	arena->current = c;
	if (c) {
		c->used = mark.used;
		poison(c->data + c->used, c->size - c->used);
		c = c->next;
	} else {
		c = arena->first;
	}
	for (; c; c = c->next) {
		c->used = 0;
		poison(c->data, c->size);
	}
}

void hp_arena_reset(hp_arena *arena)
{
	hp_arena_mark start = {NULL, 0};

	hp_arena_restore(arena, start);
	arena->failed = false;
}
