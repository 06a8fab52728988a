/* The n best trees and heads that are fixed, against a search that tries every way to every tree of short sentences: all
 * sequences of moves, each scored by the decoder itself, which is led along them. */

#include <math.h>

#include "networks.h"
#include "random.h"
#include "pointer/arcs.h"
#include "pointer/search.h"
#include "unit.h"

enum {
	WORDS = 5, /* of a short sentence at most */
	MOVES = 2 * WORDS + 1,
	WAYS = 1280, /* to them, in which the root's child finds its dependants in any order */
	TREES = 625, /* WORDS to the power of WORDS - 1: Cayley's number of trees with one child of the root */
	WIDE = 2048, /* a beam that loses nothing */
	HIDDEN = 12,
	WIDTH = 10,
	LONGEST = 40
};

static hp_error err;

HOOK(before)
{
	hp_rng_seed(&rng, 3, 3);
}

static hp_net *random_net(void)
{
	static const hp_fusion fusions[] = {HP_FUSION_T, HP_FUSION_P, HP_FUSION_PS, HP_FUSION_PST, HP_FUSION_PST};
	static const hp_gate gates[] = {HP_GATE_NONE, HP_GATE_GATE, HP_GATE_NONE, HP_GATE_GATE, HP_GATE_SGATE};
	int variant = below(5);
	hp_dep_config config = {.embedding = {30, 10, 12, 6, 10, 3, 7, 5, 1},
	                        .hidden = HIDDEN,
	                        .layers = 1,
	                        .decoder_hidden = WIDTH,
	                        .decoder_input = 9,
	                        .arc_mlp = 11,
	                        .label_mlp = 5,
	                        .labels = 5,
	                        .fusion = fusions[variant],
	                        .gate = gates[variant],
	                        .heads = below(2)};
	hp_net *net;
	assert_int_equal(hp_dep_net_new(&config, false, &net, &err), 0);
	for (int i = 0; i < net->params.count; i++)
		fill(net->params.item[i].value, net->params.item[i].count, hp_heads_param(&net->params.item[i]) ? 0.25f : 0.5f);
	assert_int_equal(hp_net_prepare(net, HP_STAGE_DECODE, &err), 0);
	return net;
}

/* ---- all ways to all trees ---- */

typedef struct way {
	int32_t move[MOVES]; /* positions; a head itself: pop */
	int32_t heads[WORDS + 1];
	float score;
} way;

typedef struct state { /* of a hypothesis, as DESIGN section 4 describes it */
	int head[WORDS + 1], last[WORDS + 1], depth; /* the stack */
	bool used[WORDS + 1];
	int attached;
} state;

static void begin(state *s)
{
	*s = (state){.depth = 1};
	s->used[0] = true;
}

static void make(state *s, int move)
{
	int top = s->depth - 1;
	if (move == s->head[top]) {
		s->depth--;
		return;
	}
	s->last[top] = move;
	s->head[s->depth] = move;
	s->last[s->depth++] = 0;
	s->used[move] = true;
	s->attached++;
}

/* Left ones nearest first, then right ones nearest first. */
static bool follows(int head, int last, int word)
{
	if (last == 0)
		return true;
	if (word < head)
		return last < head && word < last;
	return last < head || word > last;
}

/* Whether HEAD may take WORD, LAST being its dependant before. */
static bool may_take(const state *s, int words, const int32_t *fixed, int head, int word)
{
	if (s->used[word] || (fixed[word] >= 0 && fixed[word] != head))
		return false;
	for (int other = 1; other <= words; other++)
		if (!s->used[other] && other != word && fixed[other] == head && (head == 0 || !follows(head, word, other)))
			return false;
	return true;
}

static bool is_legal(const state *s, int words, const int32_t *fixed, int move)
{
	int head = s->head[s->depth - 1], last = s->last[s->depth - 1];
	bool any = false, pop = s->depth > 2 || s->attached == words;
	for (int w = 1; w <= words; w++) {
		pop = pop && (s->used[w] || fixed[w] != head);
		any = any || ((head > 0 || !last) && follows(head, last, w) && may_take(s, words, fixed, head, w));
	}
	if (move == head)
		return pop;
	if (head == 0 && last)
		return false;
	return may_take(s, words, fixed, head, move) && (follows(head, last, move) || (!any && !pop));
}

static bool way_is_legal(const way *w, int words, const int32_t *fixed)
{
	state s;
	begin(&s);
	for (int i = 0; i <= 2 * words; i++) {
		if (!is_legal(&s, words, fixed, w->move[i]))
			return false;
		make(&s, w->move[i]);
	}
	return true;
}

static way ways[WAYS];
static int way_count;

/* All sequences in which only the root's child may find its dependants out of order. */
static void list_ways(const state *s, int words, way *w, int made)
{
	int head = s->depth ? s->head[s->depth - 1] : 0, last = s->depth ? s->last[s->depth - 1] : 0;
	if (made == 2 * words + 1) {
		assert_true(way_count < WAYS);
		ways[way_count++] = *w;
		return;
	}
	for (int move = 0; move <= words; move++) {
		bool pop = move == head;
		if (pop ? s->depth < 3 && s->attached < words
		        : s->used[move] || (s->depth == 1 && last) || (s->depth > 2 && !follows(head, last, move)))
			continue;
		state next = *s;
		way longer = *w;
		make(&next, move);
		longer.move[made] = move;
		if (!pop)
			longer.heads[move] = head;
		list_ways(&next, words, &longer, made + 1);
	}
}

/* The one move that the script, in place of fixed heads, says. */
static void offer_script(const hp_search *s, hp_beam *b, int k, const float *logp)
{
	const hp_hypothesis *h = &b->hyp[k];
	int made = h->deeds + (h->deeds + 1 - h->depth), move = b->fixed[made];
	hp_choice c = {h->score + (double)logp[move], logp[move], k, move};
	(void)s;
	b->choices = hp_offer(b->choice, b->choices, b->width, c);
}

typedef struct sentence {
	int words;
	float h[(WORDS + 1) * 2 * HIDDEN], init[2 * WIDTH];
} sentence;

static void random_sentence(sentence *s, int words)
{
	s->words = words;
	fill(s->h, sizeof s->h / sizeof *s->h, 1);
	fill(s->init, sizeof s->init / sizeof *s->init, 1);
}

/* ---- what the words say, in double precision ---- */

static bool words_are_asked;
static double words_say[WORDS + 1][WORDS + 1]; /* logarithm of the probability that a word's head is another one */

/* y = ELU(W x + b) */
static void layer(hp_affine l, const float *x, double *y)
{
	int in = l.w->shape[1];
	for (int i = 0; i < l.w->shape[0]; i++) {
		y[i] = (double)l.b->value[i];
		for (int k = 0; k < in; k++)
			y[i] += (double)l.w->value[i * in + k] * (double)x[k];
		y[i] = y[i] < 0 ? exp(y[i]) - 1 : y[i];
	}
}

static void listen(const hp_net *net, const sentence *s)
{
	enum { A = 11 };
	words_are_asked = net->c.heads;
	for (int i = 1; net->c.heads && i <= s->words; i++) {
		double word[A], head[A], sum = 0;
		layer(net->heads_g1, s->h + i * 2 * HIDDEN, word);
		for (int k = 0; k <= s->words; k++) {
			layer(net->heads_g2, s->h + k * 2 * HIDDEN, head);
			words_say[i][k] = 0;
			for (int b = 0; b < A; b++) {
				double q = (double)net->heads_v->value[b];
				for (int a = 0; a < A; a++)
					q += word[a] * (double)net->heads_w->value[a * A + b];
				words_say[i][k] += q * head[b];
			}
			sum += exp(words_say[i][k]);
		}
		for (int k = 0; k <= s->words; k++)
			words_say[i][k] -= log(sum);
	}
}

/* Whether WORD comes before OTHER among the dependants of HEAD. */
static bool is_before(int head, int word, int other)
{
	if (word < head)
		return other > head || word > other;
	return other > head && word < other;
}

/* Each move decides whose head the top of the stack is, and whose it is not. */
static double words_score(const way *w, int words, const int32_t *fixed)
{
	double sum = 0;
	state s;
	begin(&s);
	for (int i = 0; i <= 2 * words; i++) {
		int head = s.head[s.depth - 1], last = s.last[s.depth - 1], move = w->move[i];
		bool pop = move == head, late = !pop && !follows(head, last, move);
		for (int other = 1; other <= words; other++) {
			if (s.used[other] || fixed[other] >= 0)
				continue;
			if (other == move)
				sum += words_say[other][head];
			else if (follows(head, last, other) && !late && (pop || is_before(head, other, move)))
				sum += log(1 - exp(words_say[other][head]));
		}
		make(&s, move);
	}
	return sum;
}

static void score_ways(const hp_net *net, hp_arena *arena, const sentence *s)
{
	hp_grammar led = hp_arcs;
	hp_net copy = *net;
	state first;
	way none = {0};
	size_t rows = (size_t)s->words + 1;
	led.offer = offer_script;
	copy.grammar = &led;
	way_count = 0;
	listen(net, s);
	begin(&first);
	list_ways(&first, s->words, &none, 0);
	size_t count = (size_t)way_count, width = 2 * HIDDEN;
	hp_sample *sample = calloc(count, sizeof *sample);
	float *h = malloc(count * rows * width * sizeof *h), *init = malloc(count * 2 * WIDTH * sizeof *init);
	float *score = malloc(count * sizeof *score);
	int32_t *heads = malloc(count * rows * sizeof *heads);
	for (size_t i = 0; i < count; i++) {
		sample[i] = (hp_sample){.rows = (int)rows, .units = (int)rows, .fixed = ways[i].move};
		memcpy(h + i * rows * width, s->h, rows * width * sizeof *h);
		memcpy(init + i * 2 * WIDTH, s->init, sizeof s->init);
	}
	const hp_sentences in = {.count = way_count, .sample = sample};
	const hp_parsing how = {.net = &copy, .beam = 1};
	assert_int_equal(hp_decode(&how, arena, &in, h, init, &(hp_trees){.tree = heads, .score = score}, &err), 0);
	for (size_t i = 0; i < count; i++) {
		ways[i].score = score[i];
		assert_memory_equal(heads + i * rows, ways[i].heads, rows * sizeof *heads);
	}
	free(sample);
	free(h);
	free(init);
	free(score);
	free(heads);
}

static int by_score(const void *pa, const void *pb)
{
	const way *a = pa, *b = pb;
	return (a->score < b->score) - (a->score > b->score);
}

/* The trees that legal ways lead to, each by the best one, best first; returns how many. */
static int list_trees(int words, const int32_t *fixed, way *trees)
{
	size_t size = ((size_t)words + 1) * sizeof *ways[0].heads;
	int count = 0;
	for (int i = 0; i < way_count; i++) {
		int k = 0;
		way w = ways[i];
		if (!way_is_legal(&w, words, fixed))
			continue;
		if (words_are_asked)
			w.score += (float)words_score(&w, words, fixed);
		while (k < count && memcmp(trees[k].heads, w.heads, size) != 0)
			k++;
		assert_true(k < TREES);
		if (k == count || w.score > trees[k].score)
			trees[k] = w;
		count += k == count;
	}
	qsort(trees, (size_t)count, sizeof *trees, by_score);
	return count;
}

/* ---- the decoder ---- */

typedef struct found {
	int count;
	int32_t heads[TREES * (WORDS + 1)];
	float score[TREES], logp[TREES * (WORDS + 1)], d[TREES * (WORDS + 1) * WIDTH];
} found;

static void decode(const hp_net *net, hp_arena *arena, const sentence *s, const int32_t *fixed, int beam, found *out)
{
	const hp_sample sample = {.rows = s->words + 1, .units = s->words + 1, .fixed = fixed};
	const hp_sentences in = {.count = 1, .sample = &sample};
	const hp_parsing how = {.net = net, .beam = beam, .nbest = beam < TREES ? beam : TREES};
	const hp_trees trees = {out->heads, out->logp, out->d, out->score, &out->count};
	assert_int_equal(hp_decode(&how, arena, &in, s->h, s->init, &trees, &err), 0);
}

static void check_same(const found *got, int words, const way *expected, int count)
{
	size_t n = (size_t)words + 1;
	float near = words_are_asked ? 1e-4f : 0;
	assert_int_equal(got->count, count);
	for (int k = 0; k < count; k++) {
		bool tie = (k > 0 && expected[k - 1].score - expected[k].score <= near) ||
		           (k < count - 1 && expected[k].score - expected[k + 1].score <= near);
		if (!(fabsf(got->score[k] - expected[k].score) <= near))
			fail_msg("tree %d of %d scores %g, expected %g", k, count, (double)got->score[k],
			         (double)expected[k].score);
		if (!tie)
			assert_memory_equal(got->heads + (size_t)k * n, expected[k].heads, n * sizeof *got->heads);
	}
}

/* A tree with one child of the root and the heads that are fixed. */
static void check_tree(int words, const int32_t *heads, const int32_t *fixed)
{
	int roots = 0;
	for (int w = 1; w <= words; w++) {
		int at = w, climbed = 0;
		assert_in_range(heads[w], 0, words);
		while (at && climbed++ <= words)
			at = heads[at];
		assert_int_equal(at, 0);
		roots += heads[w] == 0;
		if (fixed && fixed[w] >= 0)
			assert_int_equal(heads[w], fixed[w]);
	}
	assert_int_equal(roots, 1);
}

static void random_tree(int words, int32_t *heads)
{
	int order[LONGEST + 1];
	for (int i = 1; i <= words; i++) {
		int j = 1 + below(i);
		order[i] = order[j];
		order[j] = i;
	}
	heads[0] = -1;
	for (int i = 1; i <= words; i++)
		heads[order[i]] = i == 1 ? 0 : order[1 + below(i - 1)];
}

static int power(int base, int exponent)
{
	return exponent > 0 ? base * power(base, exponent - 1) : 1;
}

/* Whether a tree has the heads FIXED, by trying all. */
static bool is_possible(int words, const int32_t *fixed)
{
	for (int i = 0; i < way_count; i++) {
		int w = 1;
		while (w <= words && (fixed[w] == -1 || fixed[w] == ways[i].heads[w]))
			w++;
		if (w > words)
			return true;
	}
	return false;
}

/* Some heads of a random tree, or heads at random. */
static void random_fixed(int words, int32_t *fixed)
{
	bool tree = below(4) > 0;
	int part = 1 + below(4);
	random_tree(words, fixed);
	for (int w = 1; w <= words; w++) {
		if (!tree)
			fixed[w] = below(words + 3) - 1;
		if (below(4) >= part)
			fixed[w] = -1;
	}
}

TEST(all_ways)
{
	static found got;
	static way trees[TREES];
	hp_arena *arena = hp_arena_new();
	int cases = 0, refused = 0;
	for (int trial = 0; cases < 1000; trial++) {
		sentence s;
		hp_net *net = random_net();
		int32_t fixed[WORDS + 1], work[WORDS + 1];
		random_sentence(&s, trial % 16 == 0 ? WORDS : 1 + below(WORDS - 1));
		score_ways(net, arena, &s);
		/* Nothing is fixed: all trees there are. */
		memset(fixed, -1, sizeof fixed);
		int count = list_trees(s.words, fixed, trees);
		assert_int_equal(count, power(s.words, s.words - 1));
		decode(net, arena, &s, trial % 2 ? fixed : NULL, WIDE, &got);
		check_same(&got, s.words, trees, count);
		for (int i = 0; i < 20; i++) {
			int word;
			random_fixed(s.words, fixed);
			bool possible = hp_fixed_check(s.words + 1, fixed, work, &word, &err) == 0;
			assert_int_equal(possible, is_possible(s.words, fixed));
			refused += !possible;
			if (!possible) {
				assert_in_range(word, 1, s.words);
				continue;
			}
			cases++;
			count = list_trees(s.words, fixed, trees);
			decode(net, arena, &s, fixed, WIDE, &got);
			check_same(&got, s.words, trees, count);
			for (int beam = 1; beam <= 4; beam += 3) {
				decode(net, arena, &s, fixed, beam, &got);
				assert_in_range(got.count, 1, beam);
				for (int k = 0; k < got.count; k++)
					check_tree(s.words, got.heads + k * (s.words + 1), fixed);
			}
		}
		hp_net_destroy(net);
	}
	assert_true(refused > 20);
	hp_arena_destroy(arena);
}

/* ---- longer sentences, several at a time ---- */

enum { SENTENCES = 5, NBEST = 7 };

typedef struct results {
	int found[SENTENCES];
	int32_t heads[SENTENCES * NBEST * (LONGEST + 1)];
	float score[SENTENCES * NBEST], logp[SENTENCES * NBEST * (LONGEST + 1)],
		d[SENTENCES * NBEST * (LONGEST + 1) * WIDTH];
} results;

/* Sentences FROM ... FROM + COUNT - 1, H beginning with the first one's; into OUT from row AT on. */
static void decode_some(hp_parsing how, hp_arena *arena, const hp_sample *sample, int from, int count, const float *h,
                        size_t at, results *out)
{
	const hp_sentences in = {.count = count, .sample = sample + from};
	float init[SENTENCES * 2 * WIDTH];
	size_t most = (size_t)hp_most_trees(&how), row = most * at;
	for (int i = 0; i < count * 2 * WIDTH; i++)
		init[i] = 0.1f * (float)(i % 7);
	const hp_trees trees = {out->heads + row, out->logp + row, out->d + row * WIDTH, out->score + from * (int)most,
	                        out->found + from};
	assert_int_equal(hp_decode(&how, arena, &in, h + at * 2 * HIDDEN, init, &trees, &err), 0);
}

static void check_results(const results *r, const hp_sample *sample)
{
	size_t at = 0;
	for (int s = 0; s < SENTENCES; s++) {
		size_t n = (size_t)sample[s].units;
		assert_in_range(r->found[s], 1, NBEST);
		for (int k = 0; k < r->found[s]; k++) {
			const int32_t *heads = r->heads + at + (size_t)k * n;
			check_tree((int)n - 1, heads, sample[s].fixed);
			assert_true(k == 0 || r->score[s * NBEST + k] <= r->score[s * NBEST + k - 1]);
			for (int other = 0; other < k; other++)
				assert_memory_not_equal(r->heads + at + (size_t)other * n, heads, n * sizeof *heads);
		}
		at += NBEST * n;
	}
}

/* The n best are those of any batch; the first one is that of the same beam alone. */
TEST(batches)
{
	static const int words[SENTENCES] = {11, 1, LONGEST, 3, 20};
	static results all, one, best;
	static float h[SENTENCES * (LONGEST + 1) * 2 * HIDDEN];
	hp_arena *arena = hp_arena_new();
	hp_pool *pool = hp_pool_new(2);
	for (int trial = 0; trial < 20; trial++) {
		hp_net *net = random_net();
		hp_sample sample[SENTENCES];
		int32_t fixed[SENTENCES][LONGEST + 1];
		size_t at = 0;
		fill(h, sizeof h / sizeof *h, 1);
		for (int s = 0; s < SENTENCES; s++) {
			sample[s] = (hp_sample){.rows = words[s] + 1, .units = words[s] + 1};
			random_tree(words[s], fixed[s]);
			for (int w = 1; w <= words[s]; w++)
				fixed[s][w] = below(4) <= trial % 4 ? fixed[s][w] : -1;
			sample[s].fixed = trial >= 8 ? fixed[s] : NULL;
		}
		int beam = 1 + trial % 3 * 9;
		memset(&all, 0, sizeof all);
		memset(&one, 0, sizeof one);
		decode_some((hp_parsing){.net = net, .beam = beam, .nbest = NBEST, .pool = pool}, arena, sample, 0, SENTENCES,
		            h, 0, &all);
		check_results(&all, sample);
		decode_some((hp_parsing){.net = net, .beam = beam > NBEST ? beam : NBEST}, arena, sample, 0, SENTENCES, h, 0,
		            &best);
		for (int s = 0; s < SENTENCES; s++) {
			size_t n = (size_t)sample[s].units;
			assert_true(all.score[s * NBEST] == best.score[s]);
			assert_memory_equal(all.heads + NBEST * at, best.heads + at, n * sizeof *all.heads);
			assert_memory_equal(all.logp + NBEST * at, best.logp + at, n * sizeof *all.logp);
			assert_memory_equal(all.d + NBEST * at * WIDTH, best.d + at * WIDTH, n * WIDTH * sizeof *all.d);
			at += n;
		}
		hp_net_destroy(net);
	}
	hp_pool_destroy(pool);
	hp_arena_destroy(arena);
}
