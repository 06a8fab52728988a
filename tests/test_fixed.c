/* Spans of EDUs that are fixed, against a search that tries every binary tree: all sequences of splits, each scored by the
 * decoder itself, which is led along them.  Which trees have the spans is told by looking for each among a tree's nodes. */

#include "networks.h"
#include "random.h"
#include "pointer/search.h"
#include "pointer/splits.h"
#include "unit.h"

enum {
	EDUS = 7, /* at most */
	SPLITS = EDUS - 1,
	TREES = 132, /* over so many: Catalan's number */
	WIDE = 200, /* a beam that loses nothing */
	SPANS = 40,
	HIDDEN = 8,
	LAYERS = 2,
	LONGEST = 60
};

static hp_error err;

HOOK(before)
{
	hp_rng_seed(&rng, 5, 5);
}

static hp_net *random_net(void)
{
	static const hp_fusion fusions[] = {HP_FUSION_T, HP_FUSION_P, HP_FUSION_PS, HP_FUSION_PST};
	hp_rst_config config = {
		.input_dim = 5, .hidden = HIDDEN, .layers = LAYERS, .label_mlp = 5, .labels = 3, .fusion = fusions[below(4)]};
	hp_net *net;
	assert_int_equal(hp_rst_net_new(&config, false, &net, &err), 0);
	for (int i = 0; i < net->params.count; i++)
		fill(net->params.item[i].value, net->params.item[i].count, 0.5f);
	assert_int_equal(hp_net_prepare(net, HP_STAGE_DECODE, &err), 0);
	return net;
}

typedef struct text {
	int words, edus;
	int32_t ends[LONGEST];
	float h[2 * LONGEST * HIDDEN], init[LAYERS * HIDDEN];
} text;

static void random_text(text *t, int edus)
{
	t->edus = edus;
	t->words = 0;
	for (int e = 0; e < edus; e++)
		t->ends[e] = (t->words += 1 + below(2)) - 1;
	fill(t->h, sizeof t->h / sizeof *t->h, 1);
	fill(t->init, sizeof t->init / sizeof *t->init, 1);
}

static hp_sample sample_of(const text *t, const int32_t *fixed)
{
	return (hp_sample){.rows = t->words, .units = t->edus, .ends = t->ends, .fixed = fixed};
}

/* ---- all trees ---- */

typedef struct tree {
	int32_t split[3 * SPLITS];
	int32_t mid[EDUS]; /* of the splits, in the order made */
	float score;
} tree;

static tree all[TREES];
static int all_count;

/* All ways to go on from a tree of which MADE splits are there and whose spans on the STACK are to be split. */
static void list_all(int edus, const tree *t, int made, int stack[][2], int depth)
{
	if (depth == 0) {
		assert_int_equal(made, edus - 1);
		assert_true(all_count < TREES);
		all[all_count++] = *t;
		return;
	}
	int first = stack[depth - 1][0], last = stack[depth - 1][1];
	for (int mid = first; mid < last; mid++) {
		tree longer = *t;
		int next[EDUS + 1][2], top = depth - 1;
		memcpy(next, stack, sizeof next);
		longer.mid[made] = mid;
		longer.split[3 * made] = first;
		longer.split[3 * made + 1] = mid;
		longer.split[3 * made + 2] = last;
		if (last > mid + 1) {
			next[top][0] = mid + 1;
			next[top++][1] = last;
		}
		if (mid > first) {
			next[top][0] = first;
			next[top++][1] = mid;
		}
		list_all(edus, &longer, made + 1, next, top);
	}
}

/* The one split that the script, in place of what is fixed, says. */
static void offer_script(const hp_search *s, hp_beam *b, int k, const float *logp)
{
	const hp_hypothesis *h = &b->hyp[k];
	int mid = b->fixed[h->deeds];
	float p = logp ? logp[mid - hp_frame_at(s, h->top)->span.first] : 0;
	hp_choice c = {h->score + (double)p, p, k, mid};
	b->choices = hp_offer(b->choice, b->choices, b->width, c);
}

static void score_all(const hp_net *net, hp_arena *arena, const text *t)
{
	hp_grammar led = hp_splits;
	hp_net copy = *net;
	int stack[EDUS + 1][2] = {{0, t->edus - 1}};
	size_t width = (size_t)t->words * HIDDEN, numbers = 3 * (size_t)(t->edus - 1);
	led.offer = offer_script;
	copy.grammar = &led;
	all_count = 0;
	list_all(t->edus, &(tree){.score = 0}, 0, stack, t->edus > 1);
	size_t count = (size_t)all_count;
	hp_sample *sample = calloc(count, sizeof *sample);
	float *h = malloc(count * width * sizeof *h), *init = malloc(count * sizeof t->init);
	float *score = malloc(count * sizeof *score);
	int32_t *splits = malloc(count * numbers * sizeof *splits + 1);
	for (size_t i = 0; i < count; i++) {
		sample[i] = sample_of(t, all[i].mid);
		memcpy(h + i * width, t->h, width * sizeof *h);
		memcpy(init + i * LAYERS * HIDDEN, t->init, sizeof t->init);
	}
	const hp_sentences in = {.count = all_count, .sample = sample};
	const hp_parsing how = {.net = &copy, .beam = 1};
	assert_int_equal(hp_decode(&how, arena, &in, h, init, &(hp_trees){.tree = splits, .score = score}, &err), 0);
	for (size_t i = 0; i < count; i++) {
		all[i].score = score[i];
		assert_memory_equal(splits + i * numbers, all[i].split, numbers * sizeof *splits);
	}
	free(sample);
	free(h);
	free(init);
	free(score);
	free(splits);
}

/* ---- spans ---- */

typedef struct spans {
	int count;
	int span[SPANS][2]; /* first and last EDU */
} spans;

static bool has_span(int edus, const int32_t *split, const int span[2])
{
	bool found = span[0] == span[1];
	for (int i = 0; i < edus - 1; i++)
		found |= split[3 * i] == span[0] && split[3 * i + 2] == span[1];
	return found;
}

static bool has_spans(int edus, const int32_t *split, const spans *s)
{
	for (int i = 0; i < s->count; i++)
		if (!has_span(edus, split, s->span[i]))
			return false;
	return true;
}

static void add_span(spans *s, int first, int last)
{
	assert_true(s->count < SPANS);
	s->span[s->count][0] = first;
	s->span[s->count++][1] = last;
}

/* Nodes of a random tree over EDUs FIRST ... LAST, of which PART in four are taken, some of them twice. */
static void random_spans(spans *s, int first, int last, int part)
{
	if (below(4) < part && s->count < SPANS)
		add_span(s, first, last);
	if (below(8) == 0 && s->count < SPANS && part > 0)
		add_span(s, first, last);
	if (first == last)
		return;
	int mid = first + below(last - first);
	random_spans(s, first, mid, part);
	random_spans(s, mid + 1, last, part);
}

static void count_spans(const spans *s, int edus, int32_t *fixed)
{
	for (int e = 0; e < edus; e++) {
		fixed[e] = e == edus - 1 ? below(9) : 0; /* it does not matter */
		for (int i = 0; e < edus - 1 && i < s->count; i++)
			fixed[e] += s->span[i][0] <= e && e + 1 <= s->span[i][1];
	}
}

/* Any numbers at all, which stand for these spans: all EDUs between which a number is at least so great. */
static void random_numbers(spans *s, int edus, int32_t *fixed)
{
	int range = 1 + below(5);
	s->count = 0;
	for (int e = 0; e < edus; e++)
		fixed[e] = below(range) - 1;
	for (int least = 0; least < range - 1; least++)
		for (int first = 0; first < edus - 1; first++) {
			int last = first;
			while (last < edus - 1 && fixed[last] >= least)
				last++;
			if (last > first && (first == 0 || fixed[first - 1] < least))
				add_span(s, first, last);
		}
}

/* ---- the decoder ---- */

typedef struct found {
	int count;
	int32_t split[WIDE * 3 * SPLITS];
	float score[WIDE], logp[WIDE * SPLITS];
} found;

static int by_score(const void *pa, const void *pb)
{
	const tree *a = pa, *b = pb;
	return (a->score < b->score) - (a->score > b->score);
}

static int list_kept(int edus, const spans *s, tree *kept)
{
	int count = 0;
	for (int i = 0; i < all_count; i++)
		if (has_spans(edus, all[i].split, s))
			kept[count++] = all[i];
	qsort(kept, (size_t)count, sizeof *kept, by_score);
	return count;
}

static void decode(const hp_net *net, hp_arena *arena, const text *t, const int32_t *fixed, int beam, found *out)
{
	const hp_sample sample = sample_of(t, fixed);
	const hp_sentences in = {.count = 1, .sample = &sample};
	const hp_parsing how = {.net = net, .beam = beam, .nbest = beam};
	const hp_trees trees = {out->split, out->logp, NULL, out->score, &out->count};
	assert_int_equal(hp_decode(&how, arena, &in, t->h, t->init, &trees, &err), 0);
}

/* All trees that there are, the best first, with the sums of their own splits. */
static void check_all(const found *got, int edus, const tree *kept, int count)
{
	assert_int_equal(got->count, count);
	for (int k = 0; k < count; k++) {
		bool tie =
			(k > 0 && kept[k - 1].score == kept[k].score) || (k < count - 1 && kept[k + 1].score == kept[k].score);
		double sum = 0;
		assert_true(got->score[k] == kept[k].score);
		if (!tie)
			assert_memory_equal(got->split + (size_t)(3 * k * (edus - 1)), kept[k].split,
			                    (size_t)(3 * (edus - 1)) * sizeof *got->split);
		for (int i = 0; i < edus - 1; i++)
			sum += (double)got->logp[k * (edus - 1) + i];
		assert_true((float)sum == got->score[k]);
	}
}

static void check_few(const found *got, int edus, const spans *s, int beam)
{
	int work[EDUS];
	assert_in_range(got->count, 1, beam);
	for (int k = 0; k < got->count; k++) {
		const int32_t *split = got->split + (size_t)(3 * k * (edus - 1));
		assert_true(hp_splits_ok(edus, split, work));
		assert_true(has_spans(edus, split, s));
		assert_true(k == 0 || got->score[k] <= got->score[k - 1]);
		for (int other = 0; other < k; other++)
			assert_memory_not_equal(got->split + (size_t)(3 * other * (edus - 1)), split,
			                        (size_t)(3 * (edus - 1)) * sizeof *split);
	}
}

TEST(all_trees)
{
	static const int catalan[EDUS + 1] = {0, 1, 1, 2, 5, 14, 42, 132};
	static found got;
	static tree kept[TREES];
	hp_arena *arena = hp_arena_new();
	int cases = 0, few = 0;
	for (int trial = 0; trial < 150; trial++) {
		static text t;
		hp_net *net = random_net();
		random_text(&t, trial % 8 == 0 ? EDUS : 1 + below(EDUS));
		score_all(net, arena, &t);
		assert_int_equal(all_count, catalan[t.edus]);
		for (int i = 0; i < 12; i++) {
			spans s = {.count = 0};
			int32_t fixed[EDUS];
			if (i < 8) {
				random_spans(&s, 0, t.edus - 1, i % 4);
				count_spans(&s, t.edus, fixed);
			} else {
				random_numbers(&s, t.edus, fixed);
			}
			int count = list_kept(t.edus, &s, kept);
			assert_true(count > 0);
			few += count > 1 && count < all_count;
			cases++;
			decode(net, arena, &t, s.count == 0 && i % 2 ? NULL : fixed, WIDE, &got);
			check_all(&got, t.edus, kept, count);
			for (int beam = 1; beam <= 5; beam += 2) {
				decode(net, arena, &t, fixed, beam, &got);
				check_few(&got, t.edus, &s, beam);
			}
		}
		hp_net_destroy(net);
	}
	assert_true(cases >= 1000 && few >= 500);
	hp_arena_destroy(arena);
}

/* ---- longer texts, several at a time ---- */

enum { TEXTS = 5, NBEST = 6 };

typedef struct results {
	int found[TEXTS];
	int32_t split[TEXTS * NBEST * 3 * LONGEST];
	float score[TEXTS * NBEST], logp[TEXTS * NBEST * LONGEST];
} results;

/* Texts FROM ... FROM + COUNT - 1 into OUT from split AT on. */
static void decode_some(hp_parsing how, hp_arena *arena, const text *t, const hp_sample *sample, int from, int count,
                        size_t at, results *out)
{
	static float h[TEXTS * 2 * LONGEST * HIDDEN], init[TEXTS * LAYERS * HIDDEN];
	const hp_sentences in = {.count = count, .sample = sample + from};
	const hp_trees trees = {out->split + 3 * at, out->logp + at, NULL, out->score + from * NBEST, out->found + from};
	size_t rows = 0;
	for (int i = 0; i < count; i++) {
		memcpy(h + rows * HIDDEN, t[from + i].h, (size_t)t[from + i].words * HIDDEN * sizeof *h);
		memcpy(init + (size_t)i * LAYERS * HIDDEN, t[from + i].init, sizeof t->init);
		rows += (size_t)t[from + i].words;
	}
	assert_int_equal(hp_decode(&how, arena, &in, h, init, &trees, &err), 0);
}

/* What is fixed holds, and is the same alone and among others. */
TEST(batches)
{
	static const int edus[TEXTS] = {11, 1, LONGEST, 3, 40};
	static results together, alone;
	static text t[TEXTS];
	hp_arena *arena = hp_arena_new();
	hp_pool *pool = hp_pool_new(2);
	for (int trial = 0; trial < 12; trial++) {
		hp_net *net = random_net();
		hp_sample sample[TEXTS];
		spans s[TEXTS] = {{.count = 0}};
		int32_t fixed[TEXTS][LONGEST];
		int work[LONGEST];
		size_t at = 0;
		memset(&together, 0, sizeof together);
		memset(&alone, 0, sizeof alone);
		for (int i = 0; i < TEXTS; i++) {
			random_text(&t[i], edus[i]);
			random_spans(&s[i], 0, edus[i] - 1, 1);
			count_spans(&s[i], edus[i], fixed[i]);
			bool free_one = (trial + i) % 3 == 0;
			s[i].count = free_one ? 0 : s[i].count;
			sample[i] = sample_of(&t[i], free_one ? NULL : fixed[i]);
		}
		const hp_parsing how = {.net = net, .beam = 1 + trial % 3 * 4, .nbest = NBEST};
		hp_parsing threads = how;
		threads.pool = pool;
		decode_some(threads, arena, t, sample, 0, TEXTS, 0, &together);
		for (int i = 0; i < TEXTS; i++) {
			decode_some(how, arena, t, sample, i, 1, at, &alone);
			for (int k = 0; k < together.found[i]; k++) {
				const int32_t *split = together.split + 3 * (at + (size_t)(k * (edus[i] - 1)));
				assert_true(hp_splits_ok(edus[i], split, work));
				assert_true(has_spans(edus[i], split, &s[i]));
			}
			at += (size_t)(NBEST * (edus[i] - 1));
		}
		assert_memory_equal(&together, &alone, sizeof alone);
		hp_net_destroy(net);
	}
	hp_pool_destroy(pool);
	hp_arena_destroy(arena);
}
