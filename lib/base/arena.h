/* arena.h: memory that is released all at once, for one batch's or one sentence's work.
 *
 * Allocations are 64-byte aligned.  If memory runs out the arena remembers it: hp_arena_alloc returns NULL from
 * then on, so a function may make all its allocations first and ask hp_arena_failed once. */
#ifndef HP_ARENA_H
#define HP_ARENA_H
#include <stddef.h>
#include <stdbool.h>

typedef struct hp_arena hp_arena;
typedef struct hp_arena_mark {
	void *chunk;
	size_t used;
} hp_arena_mark;

hp_arena *hp_arena_new(void); /* NULL when out of memory */
void hp_arena_destroy(hp_arena *arena); /* accepts NULL */
void *hp_arena_alloc(hp_arena *arena, size_t count, size_t size); /* uninitialised; overflow counts as failure */
void *hp_arena_zalloc(hp_arena *arena, size_t count, size_t size); /* zeroed */
char *hp_arena_text(hp_arena *arena, const char *text); /* a copy */
bool hp_arena_failed(const hp_arena *arena);
hp_arena_mark hp_arena_save(const hp_arena *arena);
void hp_arena_restore(hp_arena *arena, hp_arena_mark mark); /* frees what came after the mark */
void hp_arena_reset(hp_arena *arena); /* frees everything, keeps the pages for reuse, forgets a failure */

#define HP_NEW(arena, type, count) ((type *)hp_arena_alloc((arena), (count), sizeof(type)))
#define HP_NEW0(arena, type, count) ((type *)hp_arena_zalloc((arena), (count), sizeof(type)))

#endif
