/* packed.c: packing of batches, and the walk over them. */
#include "nn/packed.h"

#include <string.h>

enum { GROUP = 256 }; /* sentences */

/* By insertion: batches are small. */
void hp_sort_lengths(int count, const int *lengths, int *order)
{
	for (int i = 0; i < count; i++) {
		int j = i;
		for (; j > 0 && lengths[order[j - 1]] < lengths[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
}

hp_packed hp_pack(hp_arena *arena, int count, const int *lengths)
{
	int steps = count ? lengths[0] : 0;
	int *active = HP_NEW(arena, int, (size_t)steps + 1);
	int *offset = HP_NEW(arena, int, (size_t)steps + 1);
	if (!active || !offset)
		return (hp_packed){0};
	int b = count, at = 0;
	for (int t = 0; t < steps; t++) {
		while (b > 0 && lengths[b - 1] <= t)
			b--;
		active[t] = b;
		offset[t] = at;
		at += b;
	}
	offset[steps] = at;
	return (hp_packed){count, steps, active, offset};
}

void hp_pack_rows(const hp_packed *p, const int *order, const size_t *at, size_t width, const float *rows,
                  float *packed)
{
	for (int t = 0; t < p->steps; t++)
		for (int b = 0; b < p->active[t]; b++)
			memcpy(packed + (size_t)(p->offset[t] + b) * width, rows + (at[order[b]] + (size_t)t) * width,
			       width * sizeof(float));
}

void hp_unpack_rows(const hp_packed *p, const int *order, const size_t *at, size_t width, const float *packed,
                    float *rows)
{
	for (int t = 0; t < p->steps; t++)
		for (int b = 0; b < p->active[t]; b++)
			memcpy(rows + (at[order[b]] + (size_t)t) * width, packed + (size_t)(p->offset[t] + b) * width,
			       width * sizeof(float));
}

int hp_each_group(hp_arena *scratch, int count, const int *lengths, hp_group_work *work, void *arg)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int *order = HP_NEW(scratch, int, (size_t)count), *sorted = HP_NEW(scratch, int, (size_t)count);
	size_t *at = HP_NEW(scratch, size_t, (size_t)count + 1);
	if (hp_arena_failed(scratch))
		return HP_FAIL;
	hp_sort_lengths(count, lengths, order);
	at[0] = 0;
	for (int s = 0; s < count; s++) {
		at[s + 1] = at[s] + (size_t)lengths[s];
		sorted[s] = lengths[order[s]];
	}
	for (int from = 0; from < count; from += GROUP) {
		hp_arena_mark group = hp_arena_save(scratch);
		if (work(arg, scratch, count - from < GROUP ? count - from : GROUP, order + from, sorted + from, at))
			return HP_FAIL;
		hp_arena_restore(scratch, group);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_walk_at(const hp_packed *p, int direction, int i)
{
	return direction == 0 ? i : p->steps - 1 - i;
}

int hp_walk_next(const hp_packed *p, int direction, int t, int way)
{
	int n = direction == 0 ? t + way : t - way;
	return n < 0 || n >= p->steps ? -1 : n;
}

int hp_packed_both(const hp_packed *p, int t, int u)
{
	if (u < 0)
		return 0;
	return p->active[t] < p->active[u] ? p->active[t] : p->active[u];
}
