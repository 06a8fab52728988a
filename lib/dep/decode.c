/* decode.c: beam search over pointer log-probabilities (DESIGN section 4): which actions are allowed, which hypotheses
 * survive, and the tree of the best one. */
#include "dep/search.h"

#include <string.h>

#include "nn/gemm.h"
#include "nn/lstm.h"

enum { MOST_ROWS = 256 }; /* hypotheses decoded at a time, if one sentence does not need more */

static hp_frame *frame_at(const hp_search *s, int frame)
{
	return hp_slab_at(&s->frames, frame);
}

static hp_arc *arc_at(const hp_search *s, int arc)
{
	return hp_slab_at(&s->arcs, arc);
}

static void drop_frame(hp_search *s, int frame)
{
	while (frame >= 0) {
		hp_frame f = *frame_at(s, frame);
		if (!hp_slab_drop(&s->frames, frame))
			return;
		hp_slab_drop(&s->states, f.made);
		hp_slab_drop(&s->states, f.sibling);
		frame = f.below;
	}
}

static void drop_arc(hp_search *s, int arc)
{
	while (arc >= 0) {
		hp_arc a = *arc_at(s, arc);
		if (!hp_slab_drop(&s->arcs, arc))
			return;
		hp_slab_drop(&s->hidden, a.hidden);
		arc = a.before;
	}
}

/* The new frame takes over the references to its states and to the frame below. -1: out of memory. */
static int new_frame(hp_search *s, hp_frame f)
{
	int frame = hp_slab_new(&s->frames);
	if (frame >= 0)
		*frame_at(s, frame) = f;
	return frame;
}

/* ---- which actions ---- */

static void offer(hp_beam *b, int width, hp_choice c)
{
	b->choices = hp_offer(b->choice, b->choices, width, c);
}

static bool in_order(int head, int last, int word)
{
	if (!last)
		return true;
	if (last < head && word < head)
		return word < last;
	return word > (last > head ? last : head);
}

/* Offers the unattached words, all of them or those in inside-out order; returns how many. */
static int offer_words(const hp_search *s, hp_beam *b, int hypothesis, const hp_frame *f, const float *logp, bool all)
{
	const uint64_t *used = b->used + (size_t)hypothesis * (size_t)b->bits;
	int offered = 0;
	if (f->head == 0 && f->last)
		return 0; /* one child of the root */
	for (int i = 0; i < b->bits; i++) {
		uint64_t free = ~used[i];
		while (free) {
			int word = 64 * i + __builtin_ctzll(free);
			free &= free - 1;
			if (word >= b->n)
				break;
			if (all || in_order(f->head, f->last, word)) {
				offered++;
				offer(b, s->width,
				      (hp_choice){b->hyp[hypothesis].score + (double)logp[word], logp[word], hypothesis, word});
			}
		}
	}
	return offered;
}

static void choose_task(void *arg, int i)
{
	const hp_search *s = arg;
	hp_beam *b = &s->beams[s->active[i]];
	b->choices = 0;
	for (int k = 0; k < b->count; k++) {
		const hp_hypothesis *h = &b->hyp[k];
		const hp_frame *f = frame_at(s, h->top);
		const float *logp = s->scores + (size_t)(b->row + k) * (size_t)s->longest;
		bool pop = h->depth > 2 || h->attached == b->n - 1;
		int offered = offer_words(s, b, k, f, logp, false);
		if (pop)
			offer(b, s->width, (hp_choice){h->score + (double)logp[f->head], logp[f->head], k, f->head});
		else if (!offered)
			offer_words(s, b, k, f, logp, true); /* the order gives way */
	}
}

/* ---- survivors ---- */

/* The state that row ROW has just made, as a piece of the slab, made when first asked for. */
static int keep_state(hp_search *s, int row)
{
	if (s->row_state[row] < 0) {
		int state = hp_slab_new(&s->states);
		if (state < 0)
			return -1;
		size_t width = 2 * (size_t)s->net->c.decoder_hidden;
		memcpy(hp_slab_at(&s->states, state), s->state + (size_t)row * width, width * sizeof(float));
		s->row_state[row] = state;
	}
	return s->row_state[row];
}

static int attach(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from, const hp_choice *c, int row)
{
	const hp_frame f = *frame_at(s, from->top);
	size_t Q = (size_t)s->net->c.decoder_hidden;
	int state = s->row_state[row], hidden = hp_slab_new(&s->hidden), arc = hp_slab_new(&s->arcs);
	if (hidden < 0 || arc < 0)
		return HP_FAIL;
	memcpy(hp_slab_at(&s->hidden, hidden), s->h + (size_t)row * Q, Q * sizeof(float));
	hp_slab_keep(&s->arcs, from->history);
	*arc_at(s, arc) = (hp_arc){from->history, c->action, f.head, c->logp, hidden};
	to->history = arc;
	int below = new_frame(s, (hp_frame){f.head, c->action, f.made, state, f.below});
	if (below < 0)
		return HP_FAIL;
	hp_slab_keep(&s->states, f.made);
	hp_slab_keep(&s->states, state);
	hp_slab_keep(&s->frames, f.below);
	to->top = new_frame(s, (hp_frame){c->action, 0, state, -1, below});
	if (to->top < 0)
		return HP_FAIL;
	hp_slab_keep(&s->states, state);
	to->depth = from->depth + 1;
	to->attached = from->attached + 1;
	return 0;
}

static void pop(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from)
{
	to->top = frame_at(s, from->top)->below;
	hp_slab_keep(&s->frames, to->top);
	hp_slab_keep(&s->arcs, from->history);
	to->history = from->history;
	to->depth = from->depth - 1;
	to->attached = from->attached;
}

/* Makes the chosen hypotheses of one sentence and drops the old ones. */
static int advance(hp_search *s, hp_beam *b)
{
	for (int i = 0; i < b->choices; i++) {
		const hp_choice *c = &b->choice[i];
		const hp_hypothesis *from = &b->hyp[c->hypothesis];
		hp_hypothesis *to = &b->next[i];
		int head = frame_at(s, from->top)->head, row = b->row + c->hypothesis;
		if (keep_state(s, row) < 0)
			return HP_FAIL;
		uint64_t *used = b->used_next + (size_t)i * (size_t)b->bits;
		memcpy(used, b->used + (size_t)c->hypothesis * (size_t)b->bits, (size_t)b->bits * sizeof *used);
		to->score = c->score;
		if (c->action == head) {
			pop(s, to, from);
		} else {
			if (attach(s, to, from, c, row))
				return HP_FAIL;
			used[c->action / 64] |= UINT64_C(1) << c->action % 64;
		}
		to->previous = s->row_state[row];
		hp_slab_keep(&s->states, to->previous);
	}
	for (int k = 0; k < b->count; k++) {
		drop_frame(s, b->hyp[k].top);
		drop_arc(s, b->hyp[k].history);
		hp_slab_drop(&s->states, b->hyp[k].previous);
	}
	hp_hypothesis *hyp = b->hyp;
	uint64_t *used = b->used;
	b->hyp = b->next;
	b->next = hyp;
	b->used = b->used_next;
	b->used_next = used;
	b->count = b->choices;
	return 0;
}

/* The products of the states that were kept: all as "previous", those that attached a word also as parent and sibling. */
static void project_new(hp_search *s)
{
	int *list = s->gathered_state, arcs = 0, all = 0;
	for (int i = 0; i < s->actives; i++) {
		const hp_beam *b = &s->beams[s->active[i]];
		for (int k = 0; k < b->count; k++) {
			int top = b->hyp[k].top, made = top < 0 ? -1 : frame_at(s, top)->made; /* no stack: finished */
			if (made == b->hyp[k].previous && (!arcs || list[arcs - 1] != made))
				list[arcs++] = made;
		}
	}
	/* several hypotheses may have attached different words from one state: made twice at worst, with the same result */
	hp_search_project(s, arcs, list, 1 << HP_FROM_PARENT | 1 << HP_FROM_SIBLING);
	for (int r = 0; r < s->rows; r++)
		if (s->row_state[r] >= 0)
			list[all++] = s->row_state[r];
	hp_search_project(s, all, list, 1 << HP_FROM_PREVIOUS);
}

/* ---- from start to end ---- */

static int start_beam(hp_search *s, hp_beam *b, const float *init)
{
	size_t width = 2 * (size_t)s->net->c.decoder_hidden;
	int state = hp_slab_new(&s->states);
	if (state < 0)
		return HP_FAIL;
	memcpy(hp_slab_at(&s->states, state), init, width * sizeof(float));
	int frame = new_frame(s, (hp_frame){0, 0, state, -1, -1});
	if (frame < 0)
		return HP_FAIL;
	hp_slab_keep(&s->states, state);
	b->hyp[0] = (hp_hypothesis){0.0, frame, 1, state, -1, 0};
	b->count = 1;
	memset(b->used, 0, (size_t)b->bits * sizeof *b->used);
	b->used[0] = 1; /* the root is nobody's dependant */
	return 0;
}

static int start(hp_search *s, const float *init)
{
	size_t width = 2 * (size_t)s->net->c.decoder_hidden;
	for (int i = 0; i < s->count; i++) {
		if (start_beam(s, &s->beams[i], init + (size_t)i * width))
			return HP_FAIL;
		s->gathered_state[i] = s->beams[i].hyp[0].previous;
	}
	hp_search_project(s, s->count, s->gathered_state, 1 << HP_FROM_PREVIOUS | 1 << HP_FROM_PARENT);
	return 0;
}

/* Whether a sentence has steps left.  Once the only hypothesis has attached every word, pops remain, which matter for the
 * score alone. */
static bool unfinished(const hp_search *s, const hp_beam *b, int step)
{
	if (s->width == 1 && !s->want_score && b->hyp[0].attached == b->n - 1)
		return false;
	return step < 2 * b->n - 1;
}

/* Lists the sentences with steps left and their hypotheses' rows. */
static void list_rows(hp_search *s, int step)
{
	s->actives = s->rows = 0;
	for (int i = 0; i < s->count; i++) {
		hp_beam *b = &s->beams[i];
		if (!unfinished(s, b, step))
			continue;
		s->active[s->actives++] = i;
		b->row = s->rows;
		for (int k = 0; k < b->count; k++, s->rows++) {
			s->row_frame[s->rows] = frame_at(s, b->hyp[k].top);
			s->row_previous[s->rows] = b->hyp[k].previous;
			s->row_at[s->rows] = b->at;
			s->row_state[s->rows] = -1;
		}
	}
}

static int run(hp_search *s)
{
	for (int step = 0;; step++) {
		list_rows(s, step);
		if (!s->actives)
			return 0;
		hp_search_step(s);
		hp_pool_run(s->pool, s->actives, choose_task, s);
		for (int i = 0; i < s->actives; i++)
			if (advance(s, &s->beams[s->active[i]]))
				return HP_FAIL;
		project_new(s);
		for (int r = 0; r < s->rows; r++)
			hp_slab_drop(&s->states, s->row_state[r]);
	}
}

typedef struct outputs {
	int32_t *heads;
	float *d, *logp, *score;
} outputs;

static void read_tree(const hp_search *s, const hp_beam *b, const outputs *o, int sentence, size_t at)
{
	size_t Q = (size_t)s->net->c.decoder_hidden;
	const hp_hypothesis *best = &b->hyp[0];
	if (o->score)
		o->score[sentence] = (float)best->score;
	o->heads[at] = 0;
	if (o->logp)
		o->logp[at] = 0;
	if (o->d)
		memset(o->d + at * Q, 0, Q * sizeof(float));
	for (int i = best->history; i >= 0; i = arc_at(s, i)->before) {
		const hp_arc *a = arc_at(s, i);
		size_t row = at + (size_t)a->child;
		o->heads[row] = a->head;
		if (o->logp)
			o->logp[row] = a->logp;
		if (o->d)
			memcpy(o->d + row * Q, hp_slab_at(&s->hidden, a->hidden), Q * sizeof(float));
	}
}

/* The sentences that are decoded together: numbers in the caller's batch, and where the rows of those begin. */
typedef struct group {
	int count;
	const int *sentence; /* [count] */
	const int *n;
	const size_t *at;
	int positions;
} group;

static int alloc_beams(hp_search *s, hp_arena *arena, const group *g)
{
	s->beams = HP_NEW0(arena, hp_beam, (size_t)s->count);
	s->active = HP_NEW(arena, int, (size_t)s->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	int at = 0;
	for (int i = 0; i < s->count; i++) {
		hp_beam *b = &s->beams[i];
		size_t width = (size_t)s->width;
		int n = g->n[g->sentence[i]];
		*b = (hp_beam){.n = n, .at = at, .bits = n / 64 + 1};
		b->hyp = HP_NEW(arena, hp_hypothesis, width);
		b->next = HP_NEW(arena, hp_hypothesis, width);
		b->choice = HP_NEW(arena, hp_choice, width);
		b->used = HP_NEW(arena, uint64_t, width * (size_t)b->bits);
		b->used_next = HP_NEW(arena, uint64_t, width * (size_t)b->bits);
		at += n;
		s->longest = n > s->longest ? n : s->longest;
	}
	return hp_arena_failed(arena) || hp_search_alloc(s, arena, s->count * s->width, at) ? HP_FAIL : 0;
}

/* The group's rows of h and start states, one after another. */
static int gather(const hp_search *s, hp_arena *arena, const group *g, const float *h, const float *init, float **hs,
                  float **inits)
{
	size_t H2 = 2 * (size_t)s->net->c.hidden, Q2 = 2 * (size_t)s->net->c.decoder_hidden;
	*hs = HP_NEW(arena, float, (size_t)g->positions * H2);
	*inits = HP_NEW(arena, float, (size_t)g->count * Q2);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int i = 0; i < g->count; i++) {
		int sentence = g->sentence[i];
		memcpy(*hs + (size_t)s->beams[i].at * H2, h + g->at[sentence] * H2, (size_t)s->beams[i].n * H2 * sizeof(float));
		memcpy(*inits + (size_t)i * Q2, init + (size_t)sentence * Q2, Q2 * sizeof(float));
	}
	return 0;
}

static int decode_group(const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const group *g, const float *h,
                        const float *init, int beam, const outputs *o)
{
	hp_search s = {.net = net, .pool = pool, .width = beam, .count = g->count, .want_score = o->score != NULL};
	float *hs, *inits;
	int status = HP_FAIL;
	hp_slab_init(&s.states, hp_state_floats(net) * sizeof(float));
	hp_slab_init(&s.hidden, (size_t)net->c.decoder_hidden * sizeof(float));
	hp_slab_init(&s.frames, sizeof(hp_frame));
	hp_slab_init(&s.arcs, sizeof(hp_arc));
	if (alloc_beams(&s, arena, g) || gather(&s, arena, g, h, init, &hs, &inits) ||
	    hp_search_prepare(&s, arena, g->positions, hs) || start(&s, inits) || run(&s))
		goto done;
	for (int i = 0; i < g->count; i++)
		read_tree(&s, &s.beams[i], o, g->sentence[i], g->at[g->sentence[i]]);
	status = 0;
done:
	hp_slab_free(&s.states);
	hp_slab_free(&s.hidden);
	hp_slab_free(&s.frames);
	hp_slab_free(&s.arcs);
	return status;
}

/* Sentences of similar length are decoded together, so that few steps are made for few of them. */
int hp_dep_decode(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                  const float *init, int beam, int32_t *heads, float *d, float *logp, float *score, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int most = MOST_ROWS / beam > 0 ? MOST_ROWS / beam : 1;
	int *order = HP_NEW(scratch, int, (size_t)count);
	size_t *at = HP_NEW(scratch, size_t, (size_t)count + 1);
	outputs o = {heads, d, logp, score};
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	hp_sort_lengths(count, n, order);
	at[0] = 0;
	for (int i = 0; i < count; i++)
		at[i + 1] = at[i] + (size_t)n[i];
	for (int from = 0; from < count; from += most) {
		group g = {count - from < most ? count - from : most, order + from, n, at, 0};
		for (int i = 0; i < g.count; i++)
			g.positions += n[g.sentence[i]];
		hp_arena_mark before = hp_arena_save(scratch);
		int status = decode_group(net, pool, scratch, &g, h, init, beam, &o);
		hp_arena_restore(scratch, before);
		if (status)
			return hp_fail_memory(err);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
