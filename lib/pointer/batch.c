/* batch.c: a training batch's bookkeeping: order of sentences, packing, levels. */
#include <string.h>

#include "pointer/train.h"

/* Sorts by falling number of rows. */
static int sort_sentences(hp_batch *b, hp_arena *arena, const hp_sentences *in)
{
	size_t count = (size_t)in->count;
	b->count = in->count;
	b->order = HP_NEW(arena, int, count);
	b->sample = HP_NEW(arena, const hp_sample *, count);
	b->at = HP_NEW(arena, size_t, count + 1);
	int *lengths = HP_NEW(arena, int, count), *sorted = HP_NEW(arena, int, count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	b->at[0] = 0;
	for (int i = 0; i < b->count; i++) {
		lengths[i] = in->sample[i].rows;
		b->at[i + 1] = b->at[i] + (size_t)lengths[i];
	}
	hp_sort_lengths(b->count, lengths, b->order);
	for (int s = 0; s < b->count; s++) {
		b->sample[s] = &in->sample[b->order[s]];
		sorted[s] = lengths[b->order[s]];
	}
	b->rows = (int)b->at[count];
	b->packed = hp_pack(arena, b->count, sorted);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static void map_rows(hp_batch *b)
{
	int row = 0;
	for (int s = 0; s < b->count; s++) {
		for (int i = 0; i < b->sample[s]->rows; i++) {
			b->packed_row[row] = b->packed.offset[i] + s;
			b->packed_owner[b->packed_row[row++]] = s;
		}
		const int32_t *ends = b->sample[s]->ends;
		for (int i = 0; i < b->sample[s]->units; i++)
			b->unit_row[b->levels.at[s] + i] = b->packed.offset[ends ? ends[i] : i] + s;
	}
}

int hp_batch_make(hp_trace *t, const hp_sentences *in, const hp_dropout *dropout)
{
	hp_batch *b = &t->batch;
	if (sort_sentences(b, t->arena, in) ||
	    hp_levels_make(&b->levels, t->arena, t->net->grammar, t->net->c.fusion, b->count, b->sample))
		return HP_FAIL;
	b->packed_row = HP_NEW(t->arena, int, (size_t)b->rows);
	b->packed_owner = HP_NEW(t->arena, int, (size_t)b->rows);
	b->unit_row = HP_NEW(t->arena, int, (size_t)b->levels.rows);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	map_rows(b);
	return hp_masks_draw(t, dropout);
}
