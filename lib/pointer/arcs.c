/* arcs.c: dependency trees: a step looks at the head on top of the stack and points to its next dependant, or to itself,
 * which pops it.  Dependants are found inside-out: left ones nearest first, then right ones nearest first. */
#include <string.h>

#include "pointer/arcs.h"
#include "pointer/heads.h"
#include "pointer/search.h"

int hp_fixed_check(int units, const int32_t *fixed, int32_t *seen, int *word, hp_error *err)
{
	int root = 0;
	for (int w = 1; w < units; w++) {
		*word = w;
		seen[w] = 0;
		if (fixed[w] < -1 || fixed[w] >= units)
			return hp_fail(err, "head %d of word %d, expected 0 to %d", (int)fixed[w], w, units - 1);
		if (fixed[w] == 0 && root)
			return hp_fail(err, "words %d and %d both have head 0, expected one", root, w);
		root = fixed[w] == 0 ? w : root;
	}
	for (int w = 1; w < units; w++) {
		int at = w;
		for (; at > 0 && !seen[at]; at = fixed[at])
			seen[at] = w;
		*word = at;
		if (at > 0 && seen[at] == w)
			return hp_fail(err, "cycle: word %d is above itself, by its head %d", at, (int)fixed[at]);
	}
	return 0;
}

const char *hp_heads_fault(int units, const int32_t *heads, int32_t *seen)
{
	int roots = 0;
	if (heads[0] != 0)
		return "`heads` does not begin with 0";
	for (int w = 1; w < units; w++) {
		if (heads[w] < 0 || heads[w] >= units)
			return "`heads` has a head beyond the sentence";
		roots += heads[w] == 0;
		seen[w] = 0;
	}
	if (roots != 1)
		return "`heads` is no tree: expected one child of the root";
	seen[0] = -1;
	for (int w = 1; w < units; w++) {
		int at = w;
		for (; seen[at] == 0; at = heads[at])
			seen[at] = w;
		if (seen[at] == w)
			return "`heads` is no tree: it has a cycle";
	}
	return NULL;
}

/* ---- gold trees ---- */

/* FIRST, NEXT [n]: each head's list of dependants, inside-out. */
static void list_dependants(int n, const int32_t *heads, int *first, int *next)
{
	memset(first, 0, (size_t)n * sizeof *first);
	/* Lists are built from their ends: the farthest right ones first, then right ones, then the farthest left ones: those
	 * nearest to the head end up in front. */
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
}

static int gold(hp_arena *scratch, const hp_sample *sample, hp_step *steps)
{
	size_t n = (size_t)sample->units;
	const int32_t *heads = sample->tree;
	int *first = HP_NEW(scratch, int, n), *next = HP_NEW(scratch, int, n);
	int *made = HP_NEW(scratch, int, n), *stack = HP_NEW(scratch, int, n);
	if (hp_arena_failed(scratch))
		return -1;
	list_dependants(sample->units, heads, first, next);
	int depth = 0, sibling_step = HP_STATE_ZERO, last = -1;
	stack[depth++] = 0;
	made[0] = HP_STATE_START;
	for (int t = 0; t < 2 * sample->units - 1; t++) {
		int h = stack[depth - 1], c = first[h];
		steps[t] = (hp_step){.input = {h, last, h ? heads[h] : 0},
		                     .from_parent = made[h],
		                     .from_sibling = sibling_step,
		                     .choices = sample->units,
		                     .target = c ? c : h,
		                     .kept = c};
		if (c) {
			first[h] = next[c];
			made[c] = t;
			stack[depth++] = c;
			last = -1;
			sibling_step = HP_STATE_ZERO;
		} else {
			depth--;
			last = h; /* back at its head, whose last dependant it was */
			sibling_step = made[h];
		}
	}
	return 2 * sample->units - 1;
}

static void pairs(const hp_sample *sample, int count, const hp_step *steps, hp_pair *pair)
{
	for (int t = 0; t < count; t++)
		if (steps[t].kept)
			*pair++ = (hp_pair){.left = t, .right = steps[t].target, .label = sample->labels[steps[t].target]};
}

/* ---- search ---- */

static int moves(int units)
{
	return 2 * units - 1;
}

static hp_frame start(int units)
{
	(void)units;
	return (hp_frame){.arc = {.head = 0, .last = 0}};
}

static int width(int units, int beam)
{
	(void)units;
	return beam;
}

static bool ask(const hp_search *s, const hp_beam *b, int k, hp_query *q)
{
	const hp_frame *f = hp_frame_at(s, b->hyp[k].top);
	int grandparent = f->below < 0 ? 0 : hp_frame_at(s, f->below)->arc.head;
	*q = (hp_query){.input = {f->arc.head, f->arc.last ? f->arc.last : -1, grandparent},
	                .from = {b->hyp[k].previous, f->made, f->sibling},
	                .choices = b->units};
	return true;
}

/* What the network says of the moves: LOGP of the decoder, WORDS of the words themselves (heads.h), or NULL; by unit. */
typedef struct said {
	const float *logp, *words;
} opinions;

static void offer_move(hp_beam *b, int k, int move, opinions said)
{
	double score = b->hyp[k].score + (double)said.logp[move] + (said.words ? (double)said.words[move] : 0);
	hp_choice c = {score, said.logp[move], k, move};
	b->choices = hp_offer(b->choice, b->choices, b->width, c);
}

static bool in_order(int head, int last, int word)
{
	if (!last)
		return true;
	if (last < head && word < head)
		return word < last;
	return word > (last > head ? last : head);
}

/* What is fixed and not yet done: of a head's dependants the rightmost one on its left (0: none) and the leftmost one on its
 * right (units: none). */
typedef struct owed {
	int left, right;
} owed;

static owed owed_to(const hp_beam *b, const uint64_t *used, int head)
{
	owed o = {0, b->units};
	for (int word = 1; b->fixed && word < b->units; word++) {
		if (b->fixed[word] != head || used[word / 64] >> word % 64 & 1)
			continue;
		if (word < head)
			o.left = word;
		else if (o.right == b->units)
			o.right = word;
	}
	return o;
}

/* Whether HEAD may take WORD by what is fixed: not if that belongs to another head, nor if one that HEAD still owes itself
 * would come too late afterwards. */
static bool allowed(const hp_beam *b, int head, owed o, int word)
{
	if (!b->fixed)
		return true;
	if (b->fixed[word] >= 0 && b->fixed[word] != head)
		return false;
	if (word < head)
		return word >= o.left;
	if (head == 0)
		return word == o.right || o.right == b->units;
	return o.left == 0 && word <= o.right;
}

/* Offers the unattached words, all that are allowed or those in inside-out order; returns how many. */
static int offer_words(hp_beam *b, int k, const hp_frame *f, opinions said, owed o, bool all)
{
	int offered = 0;
	if (f->arc.head == 0 && f->arc.last)
		return 0; /* one child of the root */
	for (int i = 0; i <= b->units / 64; i++) {
		uint64_t free = ~b->hyp[k].used[i];
		while (free) {
			int word = 64 * i + __builtin_ctzll(free);
			free &= free - 1;
			if (word >= b->units)
				break;
			if ((all || in_order(f->arc.head, f->arc.last, word)) && allowed(b, f->arc.head, o, word)) {
				offered++;
				offer_move(b, k, word, said);
			}
		}
	}
	return offered;
}

/* Popping is allowed but to heads that have not found all dependants that are fixed, and to the root's child, which must not
 * leave words behind.  If nothing is allowed the order gives way: by then the root's child owes nothing, and a word that is
 * left and whose head is fixed hangs, by one or more heads that are left too, on a word that is free to be taken. */
static void offer(const hp_search *s, hp_beam *b, int k, const float *logp)
{
	const hp_hypothesis *h = &b->hyp[k];
	const hp_frame *f = hp_frame_at(s, h->top);
	owed o = owed_to(b, h->used, f->arc.head);
	bool pop = (h->depth > 2 || h->deeds == b->units - 1) && o.left == 0 && o.right == b->units;
	float *words = s->heads ? s->heads + (size_t)h->row * (size_t)s->longest : NULL;
	opinions said = {logp, words};
	if (words)
		hp_heads_decisions(b, h->used, f->arc.head, f->arc.last, words);
	int offered = offer_words(b, k, f, said, o, false);
	if (pop)
		offer_move(b, k, f->arc.head, said);
	else if (!offered)
		offer_words(b, k, f, said, o, true);
}

static int attach(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from, const hp_frame *f, const hp_choice *c)
{
	int state = hp_state_made(s, from, true);
	hp_deed arc = {.unit = {f->arc.head, c->move}, .logp = c->logp};
	if (hp_record(s, to, from, arc, s->out->d))
		return HP_FAIL;
	to->used[c->move / 64] |= UINT64_C(1) << c->move % 64;
	hp_slab_keep(&s->frames, f->below);
	to->top =
		hp_push(s, (hp_frame){.arc = {f->arc.head, c->move}, .made = f->made, .sibling = state, .below = f->below});
	if (to->top < 0)
		return HP_FAIL;
	to->top = hp_push(s, (hp_frame){.arc = {c->move, 0}, .made = state, .sibling = -1, .below = to->top});
	to->depth = from->depth + 1;
	return to->top < 0 ? HP_FAIL : 0;
}

static int apply(hp_search *s, hp_hypothesis *to, const hp_hypothesis *from, const hp_choice *c)
{
	const hp_frame f = *hp_frame_at(s, from->top);
	if (c->move != f.arc.head)
		return attach(s, to, from, &f, c);
	to->top = f.below;
	to->depth = from->depth - 1;
	hp_slab_keep(&s->frames, to->top);
	return 0;
}

static void read(const hp_search *s, const hp_deed *deed, int number, size_t at, const hp_trees *out)
{
	size_t Q = s->net->s.M * s->net->s.Q, row = at + (size_t)deed->unit[1];
	(void)number;
	out->tree[row] = deed->unit[0];
	if (out->logp)
		out->logp[row] = deed->logp;
	if (out->d)
		memcpy(out->d + row * Q, hp_slab_at(&s->hidden, deed->hidden), Q * sizeof(float));
}

const hp_grammar hp_arcs = {.marks = true,
                            .root = 1,
                            .left_is_step = true,
                            .gold = gold,
                            .pairs = pairs,
                            .moves = moves,
                            .start = start,
                            .width = width,
                            .ask = ask,
                            .offer = offer,
                            .apply = apply,
                            .read = read};
