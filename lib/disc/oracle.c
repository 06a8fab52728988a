#include "disc/oracle.h"

#include <string.h>

bool hp_rst_ends_ok(int words, int edus, const int32_t *ends)
{
	if (edus < 1 || ends[0] < 0)
		return false;
	for (int i = 1; i < edus; i++)
		if (ends[i] <= ends[i - 1])
			return false;
	return ends[edus - 1] == words - 1;
}

/* END holds, where a right half begins, its last EDU: with depth-first order no stack is needed. */
bool hp_rst_splits_ok(int edus, const int32_t *splits, int *end)
{
	int first = 0, last = edus - 1;
	for (int i = 0; i < edus - 1; i++) {
		const int32_t *s = splits + 3 * (size_t)i;
		if (s[0] != first || s[2] != last || s[1] < first || s[1] >= last)
			return false;
		end[s[1] + 1] = last;
		if (s[1] > first) {
			last = s[1]; /* next is the left half */
			continue;
		}
		for (first++; first < edus && end[first] == first; first++) /* halves of one EDU */
			;
		last = first < edus ? end[first] : 0;
	}
	return edus >= 1;
}

int hp_rst_oracle(int edus, const int32_t *splits, hp_rst_step *steps, hp_rst_frame *scratch)
{
	hp_rst_frame *stack = scratch;
	int depth = 0, made = 0;
	if (edus > 1)
		stack[depth++] = (hp_rst_frame){{0, 0, edus - 1, -1, -1, HP_RST_FROM_START, HP_RST_FROM_ZERO}, false};
	for (int i = 0; depth; i++) {
		hp_rst_frame f = stack[--depth];
		int mid = splits[3 * i + 1], from = HP_RST_FROM_START;
		if (f.step.last - f.step.first > 1) {
			f.step.mid = mid;
			from = made;
			steps[made++] = f.step;
			if (f.left && depth)
				stack[depth - 1].step.from_sibling = from;
		}
		bool right = f.step.last > mid + 1, left = mid > f.step.first;
		if (right)
			stack[depth++] = (hp_rst_frame){{mid + 1, 0, f.step.last, f.step.last, mid, from, HP_RST_FROM_ZERO}, false};
		if (left)
			stack[depth++] = (hp_rst_frame){{f.step.first, 0, mid, f.step.last, -1, from, HP_RST_FROM_ZERO}, right};
	}
	return made;
}

/* Smallest level at which the step's states are there; LEVEL holds those of the sentence's earlier steps. */
static int level_of(const hp_rst_step *s, int t, const int *level, hp_fusion fusion)
{
	int most = 0;
	int from[HP_SOURCES] = {t - 1, s->from_parent, s->from_sibling};
	for (int i = 0; i < HP_SOURCES; i++)
		if (hp_fusion_has(fusion, i) && from[i] >= 0 && level[from[i]] + 1 > most)
			most = level[from[i]] + 1;
	return most;
}

static void alloc(hp_rst_plan *p, hp_arena *arena, int count, const hp_rst_sent *const *sents)
{
	size_t sentences = (size_t)count + 1;
	int **by_sentence[] = {&p->edus, &p->at, &p->steps, &p->step_at, &p->split_at};
	for (size_t i = 0; i < sizeof by_sentence / sizeof *by_sentence; i++)
		*by_sentence[i] = HP_NEW0(arena, int, sentences);
	if (hp_arena_failed(arena))
		return;
	p->count = count;
	for (int s = 0; s < count; s++) {
		const hp_rst_sent *q = sents[s];
		p->edus[s] = q->edus;
		for (int i = 0; i < q->edus - 1; i++)
			p->steps[s] += q->splits[3 * i + 2] - q->splits[3 * i] > 1;
		p->at[s + 1] = p->at[s] + q->edus;
		p->step_at[s + 1] = p->step_at[s] + p->steps[s];
		p->split_at[s + 1] = p->split_at[s] + q->edus - 1;
	}
	p->rows = p->at[count];
	p->total = p->step_at[count];
	p->splits = p->split_at[count];
	int **by_step[] = {&p->last,      &p->parent, &p->sibling, &p->from[0], &p->from[1], &p->from[2],
	                   &p->order_row, &p->first,  &p->choices, &p->target,  &p->owner};
	for (size_t i = 0; i < sizeof by_step / sizeof *by_step; i++)
		*by_step[i] = HP_NEW(arena, int, (size_t)p->total + 1);
	int **by_split[] = {&p->left, &p->right, &p->label};
	for (size_t i = 0; i < sizeof by_split / sizeof *by_split; i++)
		*by_split[i] = HP_NEW(arena, int, (size_t)p->splits + 1);
	p->edu_owner = HP_NEW(arena, int, (size_t)p->rows + 1);
	p->level_at = HP_NEW0(arena, int, (size_t)p->total + 2);
}

/* Counting sort of all steps by level, stable by sentence and step. */
static void sort_by_level(hp_rst_plan *p, const int *level, int *place)
{
	for (int r = 0; r < p->total; r++) {
		p->levels = level[r] + 1 > p->levels ? level[r] + 1 : p->levels;
		p->level_at[level[r] + 1]++;
	}
	for (int l = 0; l < p->levels; l++)
		p->level_at[l + 1] += p->level_at[l];
	memcpy(place, p->level_at, (size_t)p->levels * sizeof *place);
	for (int r = 0; r < p->total; r++)
		p->order_row[r] = place[level[r]]++;
}

static int state_number(const hp_rst_plan *p, int s, int step)
{
	if (step == HP_RST_FROM_ZERO)
		return -1;
	return step == HP_RST_FROM_START ? s : p->count + p->order_row[p->step_at[s] + step];
}

static void fill_steps(hp_rst_plan *p, int s, const hp_rst_step *steps)
{
	int at = p->at[s];
	for (int t = 0; t < p->steps[s]; t++) {
		int r = p->step_at[s] + t, o = p->order_row[r];
		const hp_rst_step *q = &steps[t];
		p->owner[r] = s;
		p->first[r] = q->first;
		p->choices[r] = q->last - q->first;
		p->target[r] = q->mid - q->first;
		p->last[o] = at + q->last;
		p->parent[o] = q->parent < 0 ? -1 : at + q->parent;
		p->sibling[o] = q->sibling < 0 ? -1 : at + q->sibling;
		p->from[HP_FROM_PREVIOUS][o] = state_number(p, s, t - 1);
		p->from[HP_FROM_PARENT][o] = state_number(p, s, q->from_parent);
		p->from[HP_FROM_SIBLING][o] = state_number(p, s, q->from_sibling);
	}
}

static void fill_splits(hp_rst_plan *p, int s, const hp_rst_sent *sent)
{
	for (int i = 0; i < p->edus[s]; i++)
		p->edu_owner[p->at[s] + i] = s;
	for (int i = 0; i < p->edus[s] - 1; i++) {
		int r = p->split_at[s] + i;
		p->left[r] = p->at[s] + sent->splits[3 * i + 1];
		p->right[r] = p->at[s] + sent->splits[3 * i + 2];
		p->label[r] = sent->labels[i];
	}
}

int hp_rst_plan_make(hp_rst_plan *p, hp_arena *arena, hp_fusion fusion, int count, const hp_rst_sent *const *sents)
{
	*p = (hp_rst_plan){0};
	alloc(p, arena, count, sents);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	size_t total = (size_t)p->total + 1;
	hp_rst_step *steps = HP_NEW(arena, hp_rst_step, total);
	hp_rst_frame *frames = HP_NEW(arena, hp_rst_frame, (size_t)p->rows + 1);
	int *level = HP_NEW(arena, int, total), *place = HP_NEW(arena, int, total);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < count; s++) {
		hp_rst_step *first = steps + p->step_at[s];
		int *levels = level + p->step_at[s];
		hp_rst_oracle(p->edus[s], sents[s]->splits, first, frames);
		for (int t = 0; t < p->steps[s]; t++)
			levels[t] = level_of(&first[t], t, levels, fusion);
	}
	sort_by_level(p, level, place);
	for (int s = 0; s < count; s++) {
		fill_steps(p, s, steps + p->step_at[s]);
		fill_splits(p, s, sents[s]);
	}
	return 0;
}
