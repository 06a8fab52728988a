/* beam.c: the beam search: which hypotheses survive, and the trees of the best ones.  Hypotheses of a sentence are compared
 * after equal numbers of moves. */
#include <string.h>

#include "nn/packed.h"
#include "pointer/members.h"
#include "pointer/parse.h"
#include "pointer/search.h"

enum { MOST_ROWS = 256 }; /* hypotheses decoded at a time, if one sentence does not need more */

int hp_offer(hp_choice *list, int count, int width, hp_choice c)
{
	int i = count;
	if (i == width) {
		if (!(c.score > list[i - 1].score))
			return count;
		i--;
	} else {
		count++;
	}
	for (; i > 0 && c.score > list[i - 1].score; i--)
		list[i] = list[i - 1];
	list[i] = c;
	return count;
}

/* ---- what hypotheses share ---- */

int hp_push(hp_search *s, hp_frame f)
{
	int frame = hp_slab_new(&s->frames);
	if (frame < 0)
		return -1;
	*hp_frame_at(s, frame) = f;
	hp_slab_keep(&s->states, f.made);
	hp_slab_keep(&s->states, f.sibling);
	return frame;
}

/* A reference to the hidden state of row ROW, which the row's hypotheses share; -1: out of memory. */
static int keep_hidden(hp_search *s, int row)
{
	size_t Q = s->net->s.Q, at = (size_t)row * s->net->s.P * Q;
	int piece = s->recorded[row];
	if (piece >= 0) {
		hp_slab_keep(&s->hidden, piece);
		return piece;
	}
	piece = hp_slab_new(&s->hidden);
	for (size_t m = 0; piece >= 0 && m < s->net->s.M; m++)
		memcpy((float *)hp_slab_at(&s->hidden, piece) + m * Q, s->member[m].state + at, Q * sizeof(float));
	return s->recorded[row] = piece;
}

int hp_record(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from, hp_deed deed, bool hidden)
{
	int number = hp_slab_new(&s->deeds);
	deed.before = to->history; /* FROM's; the reference is the deed's now */
	deed.hidden = hidden ? keep_hidden(s, from->row) : -1;
	if (number < 0 || (hidden && deed.hidden < 0))
		return HP_FAIL;
	*hp_deed_at(s, number) = deed;
	to->history = number;
	to->deeds = from->deeds + 1;
	return 0;
}

int hp_state_made(const hp_search *s, const hp_hypothesis *from, bool asked)
{
	if (from->row < 0)
		return -1;
	s->asked[from->row] |= asked;
	return s->kept[from->row];
}

static void drop_frame(hp_search *s, int frame)
{
	while (frame >= 0) {
		hp_frame f = *hp_frame_at(s, frame);
		if (!hp_slab_drop(&s->frames, frame))
			return;
		hp_slab_drop(&s->states, f.made);
		hp_slab_drop(&s->states, f.sibling);
		frame = f.below;
	}
}

static void drop_deed(hp_search *s, int deed)
{
	while (deed >= 0) {
		hp_deed d = *hp_deed_at(s, deed);
		if (!hp_slab_drop(&s->deeds, deed))
			return;
		hp_slab_drop(&s->hidden, d.hidden);
		deed = d.before;
	}
}

/* ---- survivors ---- */

static void choose_task(void *arg, int i)
{
	const hp_search *s = arg;
	hp_beam *b = &s->beams[s->active[i]];
	b->choices = 0;
	for (int k = 0; k < b->count; k++) {
		int row = b->hyp[k].row;
		s->net->grammar->offer(s, b, k, row < 0 ? NULL : s->scores + (size_t)row * (size_t)s->longest);
	}
}

/* Keeps the state that row ROW has just made as a piece of the slab. */
static int keep_state(hp_search *s, int row)
{
	size_t width = s->net->s.P * s->net->s.Q;
	if (row < 0 || s->kept[row] >= 0)
		return 0;
	if ((s->kept[row] = hp_slab_new(&s->states)) < 0)
		return HP_FAIL;
	for (size_t m = 0; m < s->net->s.M; m++)
		memcpy(hp_state_at(s, s->kept[row], m), s->member[m].state + (size_t)row * width, width * sizeof(float));
	return 0;
}

/* Makes the hypothesis that a choice leads to. */
static int follow(hp_search *s, const hp_beam *b, hp_hypothesis *to, const hp_choice *c)
{
	const hp_hypothesis *from = &b->hyp[c->hypothesis];
	uint64_t *used = to->used;
	if (keep_state(s, from->row))
		return HP_FAIL;
	*to = (hp_hypothesis){.score = c->score,
	                      .top = -1,
	                      .depth = from->depth,
	                      .history = from->history,
	                      .deeds = from->deeds,
	                      .row = -1,
	                      .used = used};
	hp_slab_keep(&s->deeds, to->history);
	to->previous = from->row < 0 ? from->previous : s->kept[from->row];
	hp_slab_keep(&s->states, to->previous);
	if (used)
		memcpy(used, from->used, ((size_t)b->units / 64 + 1) * sizeof *used);
	return s->net->grammar->apply(s, to, from, c);
}

/* Makes the chosen hypotheses of one sentence and drops the old ones. */
static int advance(hp_search *s, hp_beam *b)
{
	for (int i = 0; i < b->choices; i++)
		if (follow(s, b, &b->next[i], &b->choice[i]))
			return HP_FAIL;
	for (int k = 0; k < b->count; k++) {
		drop_frame(s, b->hyp[k].top);
		drop_deed(s, b->hyp[k].history);
		hp_slab_drop(&s->states, b->hyp[k].previous);
	}
	hp_hypothesis *hyp = b->hyp;
	b->hyp = b->next;
	b->next = hyp;
	b->count = b->choices;
	return 0;
}

/* The products of the states that were kept: all as "previous", some also as parent and sibling. */
static void project_new(hp_search *s)
{
	int count = 0;
	for (int r = 0; r < s->rows; r++)
		if (s->kept[r] >= 0 && s->asked[r])
			s->list[count++] = s->kept[r];
	hp_search_project(s, count, s->list, 1 << HP_FROM_PARENT | 1 << HP_FROM_SIBLING);
	count = 0;
	for (int r = 0; r < s->rows; r++)
		if (s->kept[r] >= 0)
			s->list[count++] = s->kept[r];
	hp_search_project(s, count, s->list, 1 << HP_FROM_PREVIOUS);
}

/* ---- from start to end ---- */

static int start_beam(hp_search *s, hp_beam *b, const float *init)
{
	int state = hp_slab_new(&s->states);
	if (state < 0)
		return HP_FAIL;
	for (size_t m = 0; m < s->net->s.M; m++)
		hp_member_take(s->net, m, s->net->s.Q, s->net->s.P, init, hp_state_at(s, state, m));
	hp_frame f = s->net->grammar->start(b->units);
	f.made = state;
	f.sibling = f.below = -1;
	b->hyp[0] = (hp_hypothesis){
		.top = hp_push(s, f), .depth = 1, .previous = state, .history = -1, .row = -1, .used = b->hyp[0].used};
	b->count = 1;
	if (s->net->grammar->marks) {
		memset(b->hyp[0].used, 0, ((size_t)b->units / 64 + 1) * sizeof(uint64_t));
		b->hyp[0].used[0] = 1;
	}
	return b->hyp[0].top < 0 ? HP_FAIL : 0;
}

static int start(hp_search *s, const float *init)
{
	size_t width = s->net->s.P * s->net->s.M * s->net->s.Q;
	for (int i = 0; i < s->count; i++) {
		if (start_beam(s, &s->beams[i], init + (size_t)i * width))
			return HP_FAIL;
		s->list[i] = s->beams[i].hyp[0].previous;
	}
	hp_search_project(s, s->count, s->list, 1 << HP_FROM_PREVIOUS | 1 << HP_FROM_PARENT);
	return 0;
}

/* Whether a sentence has moves left.  Once the only hypothesis has its whole tree, those that remain matter for the score
 * alone. */
static bool unfinished(const hp_search *s, const hp_beam *b, int move)
{
	if (s->width == 1 && !s->out->score && b->hyp[0].deeds == b->units - 1)
		return false;
	return move < s->net->grammar->moves(b->units);
}

/* Lists the sentences with moves left, and the rows of the hypotheses that need a step. */
static void list_rows(hp_search *s, int move)
{
	s->actives = s->rows = 0;
	for (int i = 0; i < s->count; i++) {
		hp_beam *b = &s->beams[i];
		if (!unfinished(s, b, move))
			continue;
		s->active[s->actives++] = i;
		b->row = s->rows;
		for (int k = 0; k < b->count; k++) {
			if (!s->net->grammar->ask(s, b, k, &s->query[s->rows]))
				continue;
			s->at[s->rows] = b->at;
			s->kept[s->rows] = s->recorded[s->rows] = -1;
			s->asked[s->rows] = false;
			b->hyp[k].row = s->rows++;
		}
		b->rows = s->rows - b->row;
	}
}

static int run(hp_search *s)
{
	for (int move = 0;; move++) {
		list_rows(s, move);
		if (!s->actives)
			return 0;
		hp_search_step(s);
		hp_pool_run(s->pool, s->actives, choose_task, s);
		for (int i = 0; i < s->actives; i++)
			if (advance(s, &s->beams[s->active[i]]))
				return HP_FAIL;
		project_new(s);
		for (int r = 0; r < s->rows; r++)
			hp_slab_drop(&s->states, s->kept[r]);
	}
}

/* AT: number of the tree's first result. */
static void read_tree(const hp_search *s, const hp_hypothesis *h, size_t at)
{
	const hp_trees *out = s->out;
	const hp_grammar *grammar = s->net->grammar;
	int number = h->deeds;
	if (grammar->root) {
		out->tree[at] = 0;
		if (out->logp)
			out->logp[at] = 0;
		if (out->d)
			memset(out->d + at * s->net->s.M * s->net->s.Q, 0, s->net->s.M * s->net->s.Q * sizeof(float));
	}
	for (int i = h->history; i >= 0; i = hp_deed_at(s, i)->before)
		grammar->read(s, hp_deed_at(s, i), --number, at, out);
}

/* The trees of a sentence, whose results begin at AT, best first.  Where the order gave way, two hypotheses may have found
 * one tree by two ways: the better one has it. */
static void read_trees(const hp_search *s, const hp_beam *b, int sentence, size_t at)
{
	const hp_trees *out = s->out;
	int root = s->net->grammar->root, found = 0;
	size_t each = root ? 1 : 3, results = (size_t)(b->units - 1 + root), numbers = results * each;
	const int32_t *first = out->tree + at * each;
	for (int k = 0; k < b->count && found < s->nbest; k++) {
		int same = 0;
		read_tree(s, &b->hyp[k], at + (size_t)found * results);
		const int32_t *tree = first + (size_t)found * numbers;
		while (same < found && memcmp(first + (size_t)same * numbers, tree, numbers * sizeof *tree) != 0)
			same++;
		if (same < found)
			continue;
		if (out->score)
			out->score[sentence * s->nbest + found] = (float)b->hyp[k].score;
		found++;
	}
	if (out->found)
		out->found[sentence] = found;
}

/* The sentences that are decoded together. */
typedef struct group {
	int count;
	const int *sentence; /* [count] numbers in the caller's batch */
	const hp_sample *samples;
	const size_t *row_at, *result_at; /* by number: first row of h, first result */
} group;

static int alloc_beam(hp_beam *b, hp_arena *arena, bool marks)
{
	size_t width = (size_t)b->width, words = (size_t)b->units / 64 + 1;
	b->hyp = HP_NEW0(arena, hp_hypothesis, width);
	b->next = HP_NEW0(arena, hp_hypothesis, width);
	b->choice = HP_NEW(arena, hp_choice, width);
	uint64_t *used = marks ? HP_NEW(arena, uint64_t, 2 * width * words) : NULL;
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t k = 0; marks && k < width; k++) {
		b->hyp[k].used = used + 2 * k * words;
		b->next[k].used = used + (2 * k + 1) * words;
	}
	return 0;
}

/* Sets *UNITS to their number in all sentences. */
static int alloc_beams(hp_search *s, hp_arena *arena, const group *g, int *units)
{
	const hp_grammar *grammar = s->net->grammar;
	int rows = 0;
	s->beams = HP_NEW0(arena, hp_beam, (size_t)s->count);
	s->active = HP_NEW(arena, int, (size_t)s->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	*units = 0;
	for (int i = 0; i < s->count; i++) {
		hp_beam *b = &s->beams[i];
		b->units = g->samples[g->sentence[i]].units;
		b->fixed = g->samples[g->sentence[i]].fixed;
		b->at = *units;
		b->width = grammar->width(b->units, s->width);
		if (alloc_beam(b, arena, grammar->marks))
			return HP_FAIL;
		*units += b->units;
		rows += b->width;
		s->longest = b->units > s->longest ? b->units : s->longest;
	}
	return hp_search_alloc(s, arena, rows, *units);
}

/* The group's units and start states, one after another. */
static int gather(hp_search *s, hp_arena *arena, const group *g, const float *h, const float *init, float **inits)
{
	size_t W = s->net->s.W, M = s->net->s.M, width = s->net->s.P * M * s->net->s.Q;
	*inits = HP_NEW(arena, float, (size_t)s->count * width);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int i = 0; i < g->count; i++) {
		int sentence = g->sentence[i];
		const int32_t *ends = g->samples[sentence].ends;
		for (int k = 0; k < s->beams[i].units; k++) {
			const float *row = h + (g->row_at[sentence] + (size_t)(ends ? ends[k] : k)) * M * W;
			for (size_t m = 0; m < M; m++)
				hp_member_take(s->net, m, W, 1, row, s->member[m].unit + (size_t)(s->beams[i].at + k) * W);
		}
		memcpy(*inits + (size_t)i * width, init + (size_t)sentence * width, width * sizeof(float));
	}
	return 0;
}

static int decode_group(hp_search *s, hp_arena *arena, const group *g, const float *h, const float *init)
{
	float *inits;
	int status = HP_FAIL, units;
	hp_slab_init(&s->states, s->net->s.M * hp_state_floats(s->net) * sizeof(float));
	hp_slab_init(&s->hidden, s->net->s.M * s->net->s.Q * sizeof(float));
	hp_slab_init(&s->frames, sizeof(hp_frame));
	hp_slab_init(&s->deeds, sizeof(hp_deed));
	if (alloc_beams(s, arena, g, &units) || gather(s, arena, g, h, init, &inits) ||
	    hp_search_prepare(s, arena, units) || start(s, inits) || run(s))
		goto done;
	for (int i = 0; i < g->count; i++)
		read_trees(s, &s->beams[i], g->sentence[i], g->result_at[g->sentence[i]]);
	status = 0;
done:
	hp_slab_free(&s->states);
	hp_slab_free(&s->hidden);
	hp_slab_free(&s->frames);
	hp_slab_free(&s->deeds);
	return status;
}

/* Sentences of similar length are decoded together, so that few steps are made for few of them. */
int hp_decode(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *h, const float *init,
              const hp_trees *out, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int nbest = hp_most_trees(how), width = how->beam > nbest ? how->beam : nbest, count = in->count;
	int most = MOST_ROWS / width > 0 ? MOST_ROWS / width : 1;
	int *order = HP_NEW(scratch, int, (size_t)count), *units = HP_NEW(scratch, int, (size_t)count);
	size_t *rows = HP_NEW(scratch, size_t, (size_t)count + 1), *results = HP_NEW(scratch, size_t, (size_t)count + 1);
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	rows[0] = results[0] = 0;
	for (int i = 0; i < count; i++) {
		units[i] = in->sample[i].units;
		rows[i + 1] = rows[i] + (size_t)in->sample[i].rows;
		results[i + 1] = results[i] + (size_t)nbest * (size_t)(units[i] - 1 + how->net->grammar->root);
	}
	hp_sort_lengths(count, units, order);
	for (int from = 0; from < count; from += most) {
		group g = {count - from < most ? count - from : most, order + from, in->sample, rows, results};
		hp_search s = {
			.net = how->net, .pool = how->pool, .width = width, .nbest = nbest, .count = g.count, .out = out};
		hp_arena_mark before = hp_arena_save(scratch);
		int status = decode_group(&s, scratch, &g, h, init);
		hp_arena_restore(scratch, before);
		if (status)
			return hp_fail_memory(err);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}
