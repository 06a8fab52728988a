#include "dep/oracle.h"

#include <stdbool.h>
#include <string.h>

void hp_oracle(int n, const int32_t *heads, hp_step *steps, int *scratch)
{
	int *first = scratch, *next = scratch + n, *made = scratch + 2 * n, *stack = scratch + 3 * n;
	for (int h = 0; h < n; h++)
		first[h] = 0;
	/* Lists of dependants, built from their ends: the farthest right ones first, then right ones, then the
	 * farthest left ones: those nearest to the head end up in front. */
	for (int c = n - 1; c > 0; c--)
		if (heads[c] < c) {
			next[c] = first[heads[c]];
			first[heads[c]] = c;
		}
	for (int c = 1; c < n; c++)
		if (heads[c] > c) {
			next[c] = first[heads[c]];
			first[heads[c]] = c;
		}
	int depth = 0, sibling_step = HP_STATE_ZERO, last = 0;
	stack[depth++] = 0;
	made[0] = HP_STATE_START;
	for (int t = 0; t < 2 * n - 1; t++) {
		int h = stack[depth - 1], c = first[h];
		steps[t] = (hp_step){h, c ? c : h, last, h ? heads[h] : 0, made[h], sibling_step};
		if (c) {
			first[h] = next[c];
			made[c] = t;
			stack[depth++] = c;
			last = 0;
			sibling_step = HP_STATE_ZERO;
		} else {
			depth--;
			last = h; /* back at its head, whose last dependant it was */
			sibling_step = made[h];
		}
	}
}

/* Smallest level at which the step's states are there; LEVEL holds those of the sentence's earlier steps. */
static int level_of(const hp_step *s, int t, const int *level, hp_fusion fusion)
{
	int most = 0;
	int from[3] = {t - 1, s->from_parent, s->from_sibling};
	static const int bit[3] = {HP_FUSION_T, HP_FUSION_P, 4};
	for (int i = 0; i < 3; i++)
		if ((int)fusion & bit[i] && from[i] >= 0 && level[from[i]] + 1 > most)
			most = level[from[i]] + 1;
	return most;
}

static void alloc(hp_plan *p, hp_arena *arena, int count, const int *n)
{
	p->count = count;
	p->n = n;
	p->at = HP_NEW(arena, int, (size_t)count + 1);
	p->step_at = HP_NEW(arena, int, (size_t)count + 1);
	p->steps = HP_NEW(arena, int, (size_t)count + 1);
	if (hp_arena_failed(arena))
		return;
	p->at[0] = p->step_at[0] = 0;
	for (int s = 0; s < count; s++) {
		p->steps[s] = 2 * n[s] - 1;
		p->at[s + 1] = p->at[s] + n[s];
		p->step_at[s + 1] = p->step_at[s] + p->steps[s];
	}
	p->rows = p->at[count];
	p->total = p->step_at[count];
	int **by_step[] = {&p->sentence, &p->step_row, &p->head,    &p->sibling,   &p->grandparent, &p->child,
	                   &p->from[0],  &p->from[1],  &p->from[2], &p->order_row, &p->target,      &p->owner};
	for (size_t i = 0; i < sizeof by_step / sizeof *by_step; i++)
		*by_step[i] = HP_NEW(arena, int, (size_t)p->total + 1);
	p->position_owner = HP_NEW(arena, int, (size_t)p->rows + 1);
	p->level_at = HP_NEW0(arena, int, (size_t)p->total + 2);
	p->level_arcs = HP_NEW0(arena, int, (size_t)p->total + 2);
}

/* Counting sort of all steps by (level, pop or not), stable by sentence and step. */
static void sort_by_level(hp_plan *p, const hp_step *steps, const int *level, int *place)
{
	for (int r = 0; r < p->total; r++) {
		p->levels = level[r] + 1 > p->levels ? level[r] + 1 : p->levels;
		p->level_at[level[r] + 1]++;
		p->level_arcs[level[r]] += steps[r].child != steps[r].head;
	}
	for (int l = 0; l < p->levels; l++)
		p->level_at[l + 1] += p->level_at[l];
	for (int l = 0; l < p->levels; l++) {
		place[2 * l] = p->level_at[l];
		place[2 * l + 1] = p->level_at[l] + p->level_arcs[l];
	}
	for (int r = 0; r < p->total; r++)
		p->order_row[r] = place[2 * level[r] + (steps[r].child == steps[r].head)]++;
}

static int state_number(const hp_plan *p, int s, int step)
{
	if (step == HP_STATE_ZERO)
		return -1;
	return step == HP_STATE_START ? s : p->count + p->order_row[p->step_at[s] + step];
}

static void fill(hp_plan *p, const hp_step *steps)
{
	for (int s = 0; s < p->count; s++) {
		for (int i = 0; i < p->n[s]; i++)
			p->position_owner[p->at[s] + i] = s;
		for (int t = 0; t < p->steps[s]; t++) {
			int r = p->step_at[s] + t, o = p->order_row[r];
			const hp_step *q = &steps[r];
			p->owner[r] = p->sentence[o] = s;
			p->step_row[o] = r;
			p->target[r] = q->child;
			p->head[o] = p->at[s] + q->head;
			p->child[o] = p->at[s] + q->child;
			p->sibling[o] = q->sibling ? p->at[s] + q->sibling : -1;
			p->grandparent[o] = p->at[s] + q->grandparent;
			p->from[0][o] = state_number(p, s, t - 1);
			p->from[1][o] = state_number(p, s, q->from_parent);
			p->from[2][o] = state_number(p, s, q->from_sibling);
		}
	}
}

int hp_plan_make(hp_plan *p, hp_arena *arena, hp_fusion fusion, int count, const int *n, const int32_t *const *heads)
{
	*p = (hp_plan){0};
	alloc(p, arena, count, n);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_step *steps = HP_NEW(arena, hp_step, (size_t)p->total + 1);
	int *level = HP_NEW(arena, int, (size_t)p->total + 1);
	int *scratch = HP_NEW(arena, int, 4 * ((size_t)p->total + 1));
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < count; s++) {
		hp_step *first = steps + p->step_at[s];
		int *levels = level + p->step_at[s];
		hp_oracle(n[s], heads[s], first, scratch);
		for (int t = 0; t < p->steps[s]; t++)
			levels[t] = level_of(&first[t], t, levels, fusion);
	}
	sort_by_level(p, steps, level, scratch);
	fill(p, steps);
	return 0;
}
