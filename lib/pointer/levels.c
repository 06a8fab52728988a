/* levels.c: steps of a batch, sorted by levels. */
#include "pointer/levels.h"

#include <string.h>

/* Smallest level at which the step's states are there; LEVEL holds those of the sentence's earlier steps. */
static int level_of(const hp_step *s, int t, const int *level, hp_fusion fusion)
{
	int most = 0;
	int from[HP_SOURCES] = {t - 1, s->from_parent, s->from_sibling};
	for (int i = 0; i < HP_SOURCES; i++)
		if (hp_fusion_has(fusion, i) && from[i] >= 0 && level[from[i]] + 1 > most)
			most = level[from[i]] + 1;
	return most;
}

static int alloc_sentences(hp_levels *p, hp_arena *arena, int count, const hp_sample *const *samples)
{
	int **by_sentence[] = {&p->units, &p->at, &p->steps, &p->step_at, &p->pair_at};
	for (size_t i = 0; i < sizeof by_sentence / sizeof *by_sentence; i++)
		*by_sentence[i] = HP_NEW0(arena, int, (size_t)count + 1);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	p->count = count;
	for (int s = 0; s < count; s++) {
		p->units[s] = samples[s]->units;
		p->at[s + 1] = p->at[s] + p->units[s];
		p->pair_at[s + 1] = p->pair_at[s] + p->units[s] - 1;
	}
	p->rows = p->at[count];
	p->pairs = p->pair_at[count];
	return 0;
}

static int alloc_rows(hp_levels *p, hp_arena *arena)
{
	int **by_step[] = {&p->sentence, &p->input[0],  &p->input[1], &p->input[2], &p->from[0], &p->from[1],
	                   &p->from[2],  &p->order_row, &p->first,    &p->choices,  &p->target,  &p->owner};
	for (size_t i = 0; i < sizeof by_step / sizeof *by_step; i++)
		*by_step[i] = HP_NEW(arena, int, (size_t)p->total + 1);
	p->pair = HP_NEW(arena, hp_pair, (size_t)p->pairs + 1);
	p->unit_owner = HP_NEW(arena, int, (size_t)p->rows + 1);
	p->level_at = HP_NEW0(arena, int, (size_t)p->total + 2);
	p->level_kept = HP_NEW0(arena, int, (size_t)p->total + 2);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* Counting sort of all steps by level, stable by sentence and step; PLACE [2 × levels]. */
static void sort_by_level(hp_levels *p, const hp_step *steps, const int *level, int *place)
{
	for (int r = 0; r < p->total; r++) {
		p->levels = level[r] + 1 > p->levels ? level[r] + 1 : p->levels;
		p->level_at[level[r] + 1]++;
		p->level_kept[level[r]] += steps[r].kept;
	}
	for (int l = 0; l < p->levels; l++)
		p->level_at[l + 1] += p->level_at[l];
	for (int l = 0; l < p->levels; l++) {
		place[2 * l] = p->level_at[l];
		place[2 * l + 1] = p->level_at[l] + p->level_kept[l];
	}
	for (int r = 0; r < p->total; r++)
		p->order_row[r] = place[2 * level[r] + !steps[r].kept]++;
}

static int state_number(const hp_levels *p, int s, int step)
{
	if (step == HP_STATE_ZERO)
		return -1;
	return step == HP_STATE_START ? s : p->count + p->order_row[p->step_at[s] + step];
}

static void fill_steps(hp_levels *p, int s, const hp_step *steps)
{
	for (int t = 0; t < p->steps[s]; t++) {
		int r = p->step_at[s] + t, o = p->order_row[r];
		const hp_step *q = &steps[t];
		p->owner[r] = p->sentence[o] = s;
		p->first[r] = q->first;
		p->choices[r] = q->choices;
		p->target[r] = q->target;
		for (int i = 0; i < HP_INPUTS; i++)
			p->input[i][o] = q->input[i] < 0 ? -1 : p->at[s] + q->input[i];
		p->from[HP_FROM_PREVIOUS][o] = state_number(p, s, t - 1);
		p->from[HP_FROM_PARENT][o] = state_number(p, s, q->from_parent);
		p->from[HP_FROM_SIBLING][o] = state_number(p, s, q->from_sibling);
	}
}

static void fill_pairs(hp_levels *p, int s, const hp_grammar *grammar, const hp_sample *sample, const hp_step *steps)
{
	hp_pair *pair = p->pair + p->pair_at[s];
	for (int i = 0; i < p->units[s]; i++)
		p->unit_owner[p->at[s] + i] = s;
	grammar->pairs(sample, p->steps[s], steps, pair);
	for (int i = 0; i < p->units[s] - 1; i++) {
		pair[i].left += grammar->left_is_step ? p->step_at[s] : p->at[s];
		pair[i].right += p->at[s];
		pair[i].first += p->at[s];
	}
}

int hp_levels_make(hp_levels *p, hp_arena *arena, const hp_grammar *grammar, hp_fusion fusion, int count,
                   const hp_sample *const *samples)
{
	*p = (hp_levels){0};
	if (alloc_sentences(p, arena, count, samples))
		return HP_FAIL;
	size_t most = 2 * (size_t)p->rows + 1; /* steps */
	hp_step *steps = HP_NEW(arena, hp_step, most);
	int *level = HP_NEW(arena, int, most), *place = HP_NEW(arena, int, 2 * most);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < count; s++) {
		hp_step *first = steps + p->step_at[s];
		hp_arena_mark mark = hp_arena_save(arena);
		p->steps[s] = grammar->gold(arena, samples[s], first);
		hp_arena_restore(arena, mark);
		if (p->steps[s] < 0)
			return HP_FAIL;
		for (int t = 0; t < p->steps[s]; t++)
			level[p->step_at[s] + t] = level_of(&first[t], t, level + p->step_at[s], fusion);
		p->step_at[s + 1] = p->step_at[s] + p->steps[s];
	}
	p->total = p->step_at[count];
	if (alloc_rows(p, arena))
		return HP_FAIL;
	sort_by_level(p, steps, level, place);
	for (int s = 0; s < count; s++) {
		fill_steps(p, s, steps + p->step_at[s]);
		fill_pairs(p, s, grammar, samples[s], steps + p->step_at[s]);
	}
	return 0;
}
