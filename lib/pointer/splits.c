/* splits.c: binary trees over elementary discourse units (EDUs): a step looks at the span on top of the stack and points to
 * the last EDU of its left half.  Top-down, depth-first, left first; spans of two EDUs need no step. */
#include <string.h>

#include "pointer/reach.h"
#include "pointer/search.h"
#include "pointer/splits.h"

bool hp_ends_ok(int words, int edus, const int32_t *ends)
{
	if (edus < 1 || ends[0] < 0)
		return false;
	for (int i = 1; i < edus; i++)
		if (ends[i] <= ends[i - 1])
			return false;
	return ends[edus - 1] == words - 1;
}

/* END holds, where a right half begins, its last EDU: with depth-first order no stack is needed. */
bool hp_splits_ok(int edus, const int32_t *splits, int *end)
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

/* ---- gold trees ---- */

typedef struct span {
	int first, last, parent, sibling; /* as in hp_frame */
	int from_parent, from_sibling; /* steps */
	bool left;
} span;

static int gold(hp_arena *scratch, const hp_sample *sample, hp_step *steps)
{
	span *stack = HP_NEW(scratch, span, (size_t)sample->units);
	int depth = 0, made = 0;
	if (hp_arena_failed(scratch))
		return -1;
	if (sample->units > 1)
		stack[depth++] = (span){0, sample->units - 1, -1, -1, HP_STATE_START, HP_STATE_ZERO, false};
	for (int i = 0; depth; i++) {
		span f = stack[--depth];
		int mid = sample->tree[3 * i + 1], from = HP_STATE_START;
		if (f.last - f.first > 1) {
			from = made;
			steps[made++] = (hp_step){.input = {f.last, f.parent, f.sibling},
			                          .from_parent = f.from_parent,
			                          .from_sibling = f.from_sibling,
			                          .first = f.first,
			                          .choices = f.last - f.first,
			                          .target = mid - f.first,
			                          .kept = true};
			if (f.left && depth)
				stack[depth - 1].from_sibling = from;
		}
		bool right = f.last > mid + 1, left = mid > f.first;
		if (right)
			stack[depth++] = (span){mid + 1, f.last, f.last, mid, from, HP_STATE_ZERO, false};
		if (left)
			stack[depth++] = (span){f.first, mid, f.last, -1, from, HP_STATE_ZERO, right};
	}
	return made;
}

static void pairs(const hp_sample *sample, int count, const hp_step *steps, hp_pair *pair)
{
	(void)count;
	(void)steps;
	for (int i = 0; i < sample->units - 1; i++) {
		const int32_t *split = sample->tree + 3 * i;
		pair[i] = (hp_pair){.left = split[1], .right = split[2], .first = split[0], .label = sample->labels[i]};
	}
}

/* ---- search ---- */

static int moves(int units)
{
	return units - 1;
}

static hp_frame start(int units)
{
	return (hp_frame){.span = {0, units - 1, -1, -1, false}};
}

/* How many binary trees there are over so many EDUs: Catalan numbers. */
static int width(int units, int beam)
{
	double trees = 1;
	for (int n = 1; n < units - 1 && trees < (double)beam; n++)
		trees = trees * 2 * (2 * n + 1) / (n + 2);
	return trees < (double)beam ? (int)trees : beam;
}

static bool ask(const hp_search *s, const hp_beam *b, int k, hp_query *q)
{
	const hp_frame *f = hp_frame_at(s, b->hyp[k].top);
	*q = (hp_query){.input = {f->span.last, f->span.parent, f->span.sibling},
	                .from = {b->hyp[k].previous, f->made, f->sibling},
	                .first = f->span.first,
	                .choices = f->span.last - f->span.first};
	return q->choices > 1;
}

/* Where fixed spans hold the boundaries of a span least often, it may be split. */
static int32_t least_held(const int32_t *fixed, int first, int last)
{
	int32_t least = INT32_MAX;
	for (int mid = first; fixed && mid < last; mid++)
		least = fixed[mid] < least ? fixed[mid] : least;
	return least;
}

static void offer(const hp_search *s, hp_beam *b, int k, const float *logp)
{
	const hp_frame *f = hp_frame_at(s, b->hyp[k].top);
	const int32_t least = least_held(b->fixed, f->span.first, f->span.last);
	float *reach = s->reach ? s->reach + (size_t)(b - s->beams) * (size_t)s->longest : NULL;
	if (reach)
		hp_reach_decisions(s, b, f->span.first, f->span.last, reach);
	for (int mid = f->span.first; mid < f->span.last; mid++) {
		if (b->fixed && b->fixed[mid] > least)
			continue;
		float p = logp ? logp[mid - f->span.first] : 0.0f; /* two EDUs can be split in one way */
		double score = b->hyp[k].score + (double)p + (reach ? (double)reach[mid - f->span.first] : 0);
		hp_choice c = {score, p, k, mid};
		b->choices = hp_offer(b->choice, b->choices, b->width, c);
	}
}

/* The stack below span F once that was split by a step that made STATE (-1: no step); its right sibling gets to know. */
static int below(hp_search *s, const hp_frame *f, int state)
{
	if (!f->span.left || state < 0) {
		hp_slab_keep(&s->frames, f->below);
		return f->below;
	}
	hp_frame sibling = *hp_frame_at(s, f->below);
	sibling.sibling = state;
	hp_slab_keep(&s->frames, sibling.below);
	return hp_push(s, sibling);
}

static int apply(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from, const hp_choice *c)
{
	const hp_frame f = *hp_frame_at(s, from->top);
	int first = f.span.first, mid = c->move, last = f.span.last, state = hp_state_made(s, from, true);
	bool right = last > mid + 1, left = mid > first;
	if (hp_record(s, to, from, (hp_deed){.unit = {first, mid, last}, .logp = c->logp}, false))
		return HP_FAIL;
	to->top = below(s, &f, state);
	if (f.span.left && to->top < 0)
		return HP_FAIL;
	if (right &&
	    (to->top = hp_push(
			 s, (hp_frame){
					.span = {mid + 1, last, last, mid, false}, .made = state, .sibling = -1, .below = to->top})) < 0)
		return HP_FAIL;
	if (left &&
	    (to->top = hp_push(
			 s, (hp_frame){.span = {first, mid, last, -1, right}, .made = state, .sibling = -1, .below = to->top})) < 0)
		return HP_FAIL;
	return 0;
}

static void read(const hp_search *s, const hp_deed *deed, int number, size_t at, const hp_trees *out)
{
	size_t row = at + (size_t)number;
	(void)s;
	for (int i = 0; i < 3; i++)
		out->tree[3 * row + (size_t)i] = deed->unit[i];
	if (out->logp)
		out->logp[row] = deed->logp;
}

const hp_grammar hp_splits = {.gold = gold,
                              .pairs = pairs,
                              .moves = moves,
                              .start = start,
                              .width = width,
                              .ask = ask,
                              .offer = offer,
                              .apply = apply,
                              .read = read};
