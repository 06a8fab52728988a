/* batch.c: a training batch's bookkeeping: order of sentences, packing, levels. */
#include <string.h>

#include "pointer/pieces.h"
#include "pointer/train.h"

/* Sorts by falling number of rows. */
static int sort_sentences(hp_batch *b, hp_arena *arena, const hp_sentences *in)
{
	size_t count = (size_t)in->count;
	b->count = in->count;
	b->order = HP_NEW(arena, int, count);
	b->sample = HP_NEW(arena, const hp_sample *, count);
	b->at = HP_NEW(arena, size_t, count + 1);
	b->row_at = HP_NEW(arena, int, count + 1);
	int *lengths = HP_NEW(arena, int, count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	b->at[0] = 0;
	for (int i = 0; i < b->count; i++) {
		lengths[i] = in->sample[i].rows;
		b->at[i + 1] = b->at[i] + (size_t)lengths[i];
	}
	hp_sort_lengths(b->count, lengths, b->order);
	b->row_at[0] = 0;
	for (int s = 0; s < b->count; s++) {
		b->sample[s] = &in->sample[b->order[s]];
		b->row_at[s + 1] = b->row_at[s] + b->sample[s]->rows;
	}
	b->rows = (int)b->at[count];
	return 0;
}

/* Sorted lengths in LENGTHS' place -> packing; ORDER: whose they were. */
static hp_packed pack_sorted(hp_arena *arena, int count, const int *lengths, int *order)
{
	int *sorted = HP_NEW(arena, int, (size_t)count);
	if (!sorted)
		return (hp_packed){0};
	hp_sort_lengths(count, lengths, order);
	for (int i = 0; i < count; i++)
		sorted[i] = lengths[order[i]];
	return hp_pack(arena, count, sorted);
}

static int pack_words(hp_trace *t, const hp_sentences *in)
{
	hp_batch *b = &t->batch;
	hp_pieces p;
	if (hp_pieces_make(&p, t->arena, t->net, in))
		return HP_FAIL;
	size_t count = (size_t)p.count;
	int *place = HP_NEW(t->arena, int, (size_t)b->count); /* of the caller's sentences, once sorted */
	b->piece = HP_NEW(t->arena, int, count);
	b->piece_at = HP_NEW(t->arena, size_t, count);
	b->packed_row = HP_NEW(t->arena, int, (size_t)b->rows);
	b->packed_owner = HP_NEW(t->arena, int, (size_t)b->rows);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	b->packed = pack_sorted(t->arena, p.count, p.rows, b->piece);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int s = 0; s < b->count; s++)
		place[b->order[s]] = s;
	for (int i = 0; i < p.count; i++) {
		int k = b->piece[i], s = place[p.sample[k]];
		b->piece_at[k] = b->at[p.sample[k]] + (size_t)p.first[k];
		for (int j = 0; j < p.rows[k]; j++) {
			int row = b->packed.offset[j] + i;
			b->packed_row[b->row_at[s] + p.first[k] + j] = row;
			b->packed_owner[row] = s;
		}
	}
	return 0;
}

static int pack_documents(hp_trace *t)
{
	hp_batch *b = &t->batch;
	b->document_sentence = HP_NEW(t->arena, int, (size_t)b->count);
	b->document_row = HP_NEW(t->arena, int, (size_t)b->levels.rows);
	b->unit_start = HP_NEW(t->arena, int, (size_t)b->levels.rows);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	b->document = pack_sorted(t->arena, b->count, b->levels.units, b->document_sentence);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int i = 0; i < b->count; i++) {
		int s = b->document_sentence[i];
		for (int k = 0; k < b->levels.units[s]; k++) {
			int start = k > 0 ? b->sample[s]->ends[k - 1] + 1 : 0;
			b->document_row[b->levels.at[s] + k] = b->document.offset[k] + i;
			b->unit_start[b->levels.at[s] + k] = b->packed_row[b->row_at[s] + start];
		}
	}
	return 0;
}

static int find_units(hp_batch *b, hp_arena *arena)
{
	b->unit_row = HP_NEW(arena, int, (size_t)b->levels.rows);
	if (!b->unit_row)
		return HP_FAIL;
	for (int s = 0; s < b->count; s++) {
		const int32_t *ends = b->sample[s]->ends;
		for (int i = 0; i < b->sample[s]->units; i++)
			b->unit_row[b->levels.at[s] + i] = b->packed_row[b->row_at[s] + (ends ? ends[i] : i)];
	}
	return 0;
}

int hp_batch_make(hp_trace *t, const hp_sentences *in, const hp_dropout *dropout)
{
	hp_batch *b = &t->batch;
	if (sort_sentences(b, t->arena, in) || pack_words(t, in) ||
	    hp_levels_make(&b->levels, t->arena, t->net->grammar, t->net->c.fusion, b->count, b->sample) ||
	    find_units(b, t->arena) || (t->net->c.document_layers && pack_documents(t)))
		return HP_FAIL;
	return hp_masks_draw(t, dropout);
}
