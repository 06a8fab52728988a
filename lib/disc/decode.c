/* decode.c: beam search over split log-probabilities (DESIGN section 4): which hypotheses survive, and the tree of the
 * best one.  Hypotheses are compared after equal numbers of splits. */
#include "disc/search.h"

#include <string.h>

#include "nn/gemm.h"

enum { MOST_ROWS = 256 }; /* hypotheses decoded at a time, if one sentence does not need more */

static hp_rst_span *span_at(const hp_rst_search *s, int span)
{
	return hp_slab_at(&s->spans, span);
}

static hp_rst_done *split_at(const hp_rst_search *s, int split)
{
	return hp_slab_at(&s->splits, split);
}

static void drop_span(hp_rst_search *s, int span)
{
	while (span >= 0) {
		hp_rst_span f = *span_at(s, span);
		if (!hp_slab_drop(&s->spans, span))
			return;
		hp_slab_drop(&s->states, f.made);
		hp_slab_drop(&s->states, f.sibling_made);
		span = f.below;
	}
}

static void drop_split(hp_rst_search *s, int split)
{
	while (split >= 0) {
		int before = split_at(s, split)->before;
		if (!hp_slab_drop(&s->splits, split))
			return;
		split = before;
	}
}

/* Refers to its states and takes over the caller's reference to the span below.  -1: out of memory. */
static int new_span(hp_rst_search *s, hp_rst_span f)
{
	int span = hp_slab_new(&s->spans);
	if (span < 0)
		return -1;
	*span_at(s, span) = f;
	hp_slab_keep(&s->states, f.made);
	hp_slab_keep(&s->states, f.sibling_made);
	return span;
}

static void choose_task(void *arg, int i)
{
	const hp_rst_search *s = arg;
	hp_rst_beam *b = &s->beams[s->active[i]];
	b->choices = 0;
	for (int k = 0; k < b->count; k++) {
		const hp_rst_hypothesis *h = &b->hyp[k];
		const hp_rst_span *f = span_at(s, h->top);
		if (h->row < 0) {
			b->choices = hp_offer(b->choice, b->choices, b->width, (hp_choice){h->score, 0.0f, k, f->first});
			continue;
		}
		const float *logp = s->scores + (size_t)h->row * (size_t)s->longest;
		for (int mid = f->first; mid < f->last; mid++) {
			float p = logp[mid - f->first];
			b->choices = hp_offer(b->choice, b->choices, b->width, (hp_choice){h->score + (double)p, p, k, mid});
		}
	}
}

/* ---- survivors ---- */

/* The state that row ROW has just made, as a piece of the slab, made when first asked for. */
static int keep_state(hp_rst_search *s, int row)
{
	if (s->row_state[row] < 0) {
		int state = hp_slab_new(&s->states);
		if (state < 0)
			return -1;
		size_t width = s->L * s->H;
		memcpy(hp_slab_at(&s->states, state), s->state + (size_t)row * width, width * sizeof(float));
		s->row_state[row] = state;
	}
	return s->row_state[row];
}

/* The stack below span F once that was split by a step that made STATE (-1: no step); its right sibling gets to know. */
static int below(hp_rst_search *s, const hp_rst_span *f, int state)
{
	if (!f->left || state < 0) {
		hp_slab_keep(&s->spans, f->below);
		return f->below;
	}
	hp_rst_span sibling = *span_at(s, f->below);
	sibling.sibling_made = state;
	hp_slab_keep(&s->spans, sibling.below);
	return new_span(s, sibling);
}

/* Puts the halves that can be split on the stack. */
static int push_halves(hp_rst_search *s, hp_rst_hypothesis *to, const hp_rst_span *f, int mid, int state)
{
	bool right = f->last > mid + 1, left = mid > f->first;
	to->top = below(s, f, state);
	if (f->left && to->top < 0)
		return HP_FAIL;
	if (right && (to->top = new_span(s, (hp_rst_span){mid + 1, f->last, f->last, mid, state, -1, false, to->top})) < 0)
		return HP_FAIL;
	if (left && (to->top = new_span(s, (hp_rst_span){f->first, mid, f->last, -1, state, -1, right, to->top})) < 0)
		return HP_FAIL;
	return 0;
}

static int split(hp_rst_search *s, hp_rst_hypothesis *to, const hp_rst_hypothesis *from, const hp_choice *c)
{
	const hp_rst_span f = *span_at(s, from->top);
	int state = from->row < 0 ? -1 : keep_state(s, from->row), done = hp_slab_new(&s->splits);
	if ((from->row >= 0 && state < 0) || done < 0)
		return HP_FAIL;
	hp_slab_keep(&s->splits, from->history);
	*split_at(s, done) = (hp_rst_done){from->history, f.first, c->action, f.last, c->logp};
	*to = (hp_rst_hypothesis){c->score, -1, state < 0 ? from->previous : state, done, -1};
	hp_slab_keep(&s->states, to->previous);
	return push_halves(s, to, &f, c->action, state);
}

/* Makes the chosen hypotheses of one sentence and drops the old ones. */
static int advance(hp_rst_search *s, hp_rst_beam *b)
{
	for (int i = 0; i < b->choices; i++)
		if (split(s, &b->next[i], &b->hyp[b->choice[i].hypothesis], &b->choice[i]))
			return HP_FAIL;
	for (int k = 0; k < b->count; k++) {
		drop_span(s, b->hyp[k].top);
		drop_split(s, b->hyp[k].history);
		hp_slab_drop(&s->states, b->hyp[k].previous);
	}
	hp_rst_hypothesis *hyp = b->hyp;
	b->hyp = b->next;
	b->next = hyp;
	b->count = b->choices;
	return 0;
}

/* ---- from start to end ---- */

static int start(hp_rst_search *s, const float *init)
{
	size_t width = s->L * s->H;
	for (int i = 0; i < s->count; i++) {
		hp_rst_beam *b = &s->beams[i];
		int state = hp_slab_new(&s->states), top = -1;
		if (state < 0)
			return HP_FAIL;
		memcpy(hp_slab_at(&s->states, state), init + (size_t)i * width, width * sizeof(float));
		if (b->edus > 1 && (top = new_span(s, (hp_rst_span){0, b->edus - 1, -1, -1, state, -1, false, -1})) < 0)
			return HP_FAIL;
		b->hyp[0] = (hp_rst_hypothesis){0.0, top, state, -1, -1};
		b->count = 1;
		s->gathered_state[i] = state;
	}
	hp_rst_search_project(s, s->count, s->gathered_state);
	return 0;
}

/* Lists the sentences with splits left, and the rows of the hypotheses that need a step. */
static void list_rows(hp_rst_search *s, int step)
{
	s->actives = s->rows = 0;
	for (int i = 0; i < s->count; i++) {
		hp_rst_beam *b = &s->beams[i];
		if (step >= b->edus - 1)
			continue;
		s->active[s->actives++] = i;
		for (int k = 0; k < b->count; k++) {
			const hp_rst_span *f = span_at(s, b->hyp[k].top);
			b->hyp[k].row = f->last - f->first > 1 ? s->rows++ : -1;
			if (b->hyp[k].row < 0)
				continue;
			s->row_span[b->hyp[k].row] = f;
			s->row_previous[b->hyp[k].row] = b->hyp[k].previous;
			s->row_at[b->hyp[k].row] = b->at;
			s->row_state[b->hyp[k].row] = -1;
		}
	}
}

static int run(hp_rst_search *s)
{
	for (int step = 0;; step++) {
		int kept = 0;
		list_rows(s, step);
		if (!s->actives)
			return 0;
		hp_rst_search_step(s);
		hp_pool_run(s->pool, s->actives, choose_task, s);
		for (int i = 0; i < s->actives; i++)
			if (advance(s, &s->beams[s->active[i]]))
				return HP_FAIL;
		for (int r = 0; r < s->rows; r++)
			if (s->row_state[r] >= 0)
				s->gathered_state[kept++] = s->row_state[r];
		hp_rst_search_project(s, kept, s->gathered_state);
		for (int r = 0; r < s->rows; r++)
			hp_slab_drop(&s->states, s->row_state[r]);
	}
}

typedef struct outputs {
	int32_t *splits;
	float *logp, *score;
} outputs;

/* AT: number of the sentence's first split. */
static void read_tree(const hp_rst_search *s, const hp_rst_beam *b, const outputs *o, int sentence, size_t at)
{
	size_t to = at + (size_t)b->edus - 1;
	if (o->score)
		o->score[sentence] = (float)b->hyp[0].score;
	for (int i = b->hyp[0].history; i >= 0; i = split_at(s, i)->before) {
		const hp_rst_done *d = split_at(s, i);
		to--;
		o->splits[3 * to] = d->first;
		o->splits[3 * to + 1] = d->mid;
		o->splits[3 * to + 2] = d->last;
		if (o->logp)
			o->logp[to] = d->logp;
	}
}

/* How many binary trees there are over so many EDUs, but not more than MOST: more hypotheses there cannot be. */
static int trees_over(int edus, int most)
{
	double trees = 1;
	for (int n = 1; n < edus - 1 && trees < (double)most; n++)
		trees = trees * 2 * (2 * n + 1) / (n + 2);
	return trees < (double)most ? (int)trees : most;
}

/* The sentences that are decoded together. */
typedef struct group {
	int count;
	const int *sentence; /* [count] numbers in the caller's batch */
	const hp_rst_sent *sents;
	const size_t *word_at, *split_at; /* by number: first word and first split */
} group;

static int alloc_beams(hp_rst_search *s, hp_arena *arena, const group *g, int beam)
{
	int edus = 0, rows = 0;
	s->beams = HP_NEW0(arena, hp_rst_beam, (size_t)s->count);
	s->active = HP_NEW(arena, int, (size_t)s->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int i = 0; i < s->count; i++) {
		hp_rst_beam *b = &s->beams[i];
		b->edus = g->sents[g->sentence[i]].edus;
		b->at = edus;
		b->width = trees_over(b->edus, beam);
		b->hyp = HP_NEW(arena, hp_rst_hypothesis, (size_t)b->width);
		b->next = HP_NEW(arena, hp_rst_hypothesis, (size_t)b->width);
		b->choice = HP_NEW(arena, hp_choice, (size_t)b->width);
		edus += b->edus;
		rows += b->width;
		s->longest = b->edus > s->longest ? b->edus : s->longest;
	}
	return hp_arena_failed(arena) ? HP_FAIL : hp_rst_search_alloc(s, arena, rows);
}

/* The group's EDUs and start states, one after another. */
static int gather(hp_rst_search *s, hp_arena *arena, const group *g, const float *h, const float *init, float **inits)
{
	const hp_rst_beam *last = &s->beams[s->count - 1];
	size_t width = s->L * s->H;
	float *e = HP_NEW(arena, float, (size_t)(last->at + last->edus) * s->H);
	*inits = HP_NEW(arena, float, (size_t)s->count * width);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int i = 0; i < s->count; i++) {
		int sentence = g->sentence[i];
		const int32_t *ends = g->sents[sentence].ends;
		for (int k = 0; k < s->beams[i].edus; k++)
			memcpy(e + (size_t)(s->beams[i].at + k) * s->H, h + (g->word_at[sentence] + (size_t)ends[k]) * s->H,
			       s->H * sizeof(float));
		memcpy(*inits + (size_t)i * width, init + (size_t)sentence * width, width * sizeof(float));
	}
	s->e = e;
	return 0;
}

static int decode_group(const hp_rst_net *net, hp_pool *pool, hp_arena *arena, const group *g, const float *h,
                        const float *init, int beam, const outputs *o)
{
	hp_rst_search s = {.net = net, .pool = pool, .count = g->count};
	s.H = (size_t)net->c.hidden;
	s.L = (size_t)net->c.layers;
	float *inits;
	int status = HP_FAIL;
	hp_slab_init(&s.states, hp_rst_state_floats(net) * sizeof(float));
	hp_slab_init(&s.spans, sizeof(hp_rst_span));
	hp_slab_init(&s.splits, sizeof(hp_rst_done));
	if (alloc_beams(&s, arena, g, beam) || gather(&s, arena, g, h, init, &inits) || start(&s, inits) || run(&s))
		goto done;
	for (int i = 0; i < g->count; i++)
		read_tree(&s, &s.beams[i], o, g->sentence[i], g->split_at[g->sentence[i]]);
	status = 0;
done:
	hp_slab_free(&s.states);
	hp_slab_free(&s.spans);
	hp_slab_free(&s.splits);
	return status;
}

/* Sentences of similar length are decoded together, so that few steps are made for few of them. */
int hp_rst_decode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                  const float *h, const float *init, int beam, int32_t *splits, float *logp, float *score,
                  hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int most = MOST_ROWS / beam > 0 ? MOST_ROWS / beam : 1;
	int *order = HP_NEW(scratch, int, (size_t)count), *edus = HP_NEW(scratch, int, (size_t)count);
	size_t *words = HP_NEW(scratch, size_t, (size_t)count + 1), *at = HP_NEW(scratch, size_t, (size_t)count + 1);
	outputs o = {splits, logp, score};
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	words[0] = at[0] = 0;
	for (int i = 0; i < count; i++) {
		edus[i] = sents[i].edus;
		words[i + 1] = words[i] + (size_t)sents[i].words;
		at[i + 1] = at[i] + (size_t)sents[i].edus - 1;
	}
	hp_sort_lengths(count, edus, order);
	for (int from = 0; from < count; from += most) {
		group g = {count - from < most ? count - from : most, order + from, sents, words, at};
		hp_arena_mark before = hp_arena_save(scratch);
		int status = decode_group(net, pool, scratch, &g, h, init, beam, &o);
		hp_arena_restore(scratch, before);
		if (status)
			return hp_fail_memory(err);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
