/* test_tag.c: scripts for lemmas, by hand; the tagger's gradient by finite differences; scores that do not depend on
 * neighbours; values written into columns. */
#include <math.h>

#include "members.h"
#include "gradient.h"
#include "io/input.h"
#include "tag/values.h"
#include "unit.h"

/* ---- scripts ---- */

static const struct scripted {
	const char *name, *form, *lemma, *script;
	const char *other, *made; /* what the script makes of another form; NULL: nothing */
} scripted[] = {
	{"as it is", "the", "the", "l\t0\t\t0\t", "The", "the"},
	{"lower case", "The", "the", "l\t0\t\t0\t", "DOG", "dog"},
	{"name", "Paris", "Paris", "k\t0\t\t0\t", "McCain", "McCain"},
	{"capitals", "PARIS", "Paris", "c\t0\t\t0\t", "ROMA", "Roma"},
	{"abbreviation", "Nato", "NATO", "u\t0\t\t0\t", "Usa", "USA"},
	{"ending", "Flies", "fly", "l\t0\t\t3\ty", "ladies", "lady"},
	{"beginning", "unlike", "like", "l\t2\t\t0\t", "UNDO", "do"},
	{"both ends", "gesagt", "sagen", "l\t2\t\t1\ten", "gemacht", "machen"},
	{"something before", "'s", "is", "l\t1\ti\t0\t", "n't", "i't"},
	{"nothing in common", "went", "go", "=\tgo", "Wenting", "go"},
	{"no lemma", "up", "_", "=\t_", "x", "_"},
	{"underscore", "_", "_", "l\t0\t\t0\t", "_", "_"},
	{"too short", "ladies", "lady", "l\t0\t\t3\ty", "es", NULL},
	{"nothing left", "x's", "x", "l\t0\t\t2\t", "'s", NULL},
	{"i with a dot", "\u0130zmir", "\u0130zmir", "k\t0\t\t0\t", "\u0130N", "\u0130N"},
	{"i with a dot, lower", "\u0130STE", "iste", "l\t0\t\t0\t", "\u0130", "i"},
	{"sharp s", "STRA\u1e9eE", "stra\u00dfe", "l\t0\t\t0\t", "STRASSE", "strasse"},
	{"umlaut", "H\u00e4user", "Haus", "l\t2\tHa\t2\t", NULL, NULL},
	{"Greek", "\u039b\u039f\u0393\u039f\u03a5\u03a3", "\u03bb\u03cc\u03b3\u03bf\u03c2", NULL, NULL, NULL},
	{"a space", "mm", "mm hm", "l\t0\t\t0\t hm", "hm", "hm hm"},
	{"a number", "12,000", "12000", "n\t0\t\t0\t", "1,234,567", "1234567"},
	{"a number, both ends", "$1,500s", "1500", "n\t1\t\t1\t", "x2,30,0,y", "2300"},
	{"nothing but commas", "1,0", "10", "n\t0\t\t0\t", ",,", NULL},
	{"a comma that stays", "1,5", "1,5", "l\t0\t\t0\t", "A,B", "a,b"},
	{"four bytes", "\U0001F600s", "\U0001F600", "l\t0\t\t1\t", "as", "a"},
};

static void check_scripted(const void *row)
{
	const struct scripted *c = row;
	hp_arena *arena = hp_arena_new();
	const char *text = hp_script_make(arena, c->form, strlen(c->form), c->lemma, strlen(c->lemma));
	hp_script script;
	char out[64];

	assert_non_null(text);
	if (c->script)
		assert_string_equal(text, c->script);
	assert_int_equal(hp_script_read(text, strlen(text), "test", &script, NULL), 0);
	assert_int_equal(hp_script_apply(&script, c->form, strlen(c->form), out, sizeof out), strlen(c->lemma));
	assert_memory_equal(out, c->lemma, strlen(c->lemma));
	if (c->other) {
		size_t size = hp_script_apply(&script, c->other, strlen(c->other), out, sizeof out);
		assert_int_equal(size, c->made ? strlen(c->made) : 0);
		assert_memory_equal(out, c->made ? c->made : "", size);
	}
	hp_arena_destroy(arena);
}
CASES(scripted, check_scripted)

static const struct refused {
	const char *name, *text;
} refused[] = {
	{"nothing", ""},
	{"no fields", "l"},
	{"another case", "x\t0\t\t0\t"},
	{"no number", "l\t\t\t0\t"},
	{"minus", "l\t-1\t\t0\t"},
	{"a field too few", "l\t0\t\t0"},
	{"a field too many", "l\t0\t\t0\t\t"},
	{"large", "l\t10000\t\t0\t"},
	{"empty lemma", "=\t"},
	{"lemma with a tab", "=\ta\tb"},
};

static void check_refused(const void *row)
{
	const struct refused *c = row;
	hp_error err = {""};
	hp_script script;

	assert_int_equal(hp_script_read(c->text, strlen(c->text), "test", &script, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "is no script for lemmas"));
}
CASES(refused, check_refused)

/* A word of 100,000 characters. */
TEST(long_words)
{
	enum { SIZE = 100000 };
	hp_arena *arena = hp_arena_new();
	char *form = malloc(SIZE);

	assert_non_null(form);
	memset(form, 'a', SIZE);
	assert_string_equal(hp_script_make(arena, form, SIZE, form, SIZE), "k\t0\t\t0\t");
	assert_string_equal(hp_script_make(arena, form, SIZE, "b", 1), "=\tb");
	free(form);
	hp_arena_destroy(arena);
}

/* ---- the network ---- */

enum { SENTENCES = 3, MOST = 4, WORDS = 9, CHARS = 7, DIM = 3 };
static const int lengths[SENTENCES] = {2, 4, 3};

typedef struct net_case {
	hp_tag_net *net;
	hp_tokens tokens[SENTENCES];
	int32_t words[SENTENCES][MOST], rows[SENTENCES][MOST], chars[SENTENCES][2 * MOST], sizes[SENTENCES][MOST];
	int32_t gold[SENTENCES][HP_TAG_COLUMNS][MOST];
	const int32_t *columns[SENTENCES][HP_TAG_COLUMNS];
	const int32_t *const *sentence[SENTENCES];
	float vectors[5 * DIM];
	hp_tag_dropout dropout;
	bool drops;
	int members, own; /* embeddings */
	hp_arena *arena;
} net_case;

static void make_net(net_case *c)
{
	const hp_tag_config config = {
		.members = c->members,
		.own_embeddings = c->own,
		.embedding =
			{.words = WORDS, .word_dim = DIM, .chars = CHARS, .char_dim = 2, .char_filters = 4, .char_window = 3},
		.hidden = 5,
		.layers = 2,
		.values = {3, 0, 4, 6}};
	assert_int_equal(hp_tag_net_new(&config, &c->net, NULL), 0);
	hp_tag_net_init(c->net, 6);
	for (int s = 0; s < SENTENCES; s++) {
		for (int i = 0; i < lengths[s]; i++) {
			c->words[s][i] = 1 + (3 * s + 2 * i) % (WORDS - 1);
			c->rows[s][i] = (s + i) % 3 ? (s + 2 * i) % 5 : -1;
			c->sizes[s][i] = 2;
			c->chars[s][2 * i] = 1 + (s + i) % (CHARS - 1);
			c->chars[s][2 * i + 1] = 1 + 2 * i % (CHARS - 1);
			for (int k = 0; k < HP_TAG_COLUMNS; k++)
				c->gold[s][k][i] = config.values[k] ? (s + i * (k + 1)) % config.values[k] - (s == 1 && i == 1) : 0;
		}
		for (int k = 0; k < HP_TAG_COLUMNS; k++)
			c->columns[s][k] = k == 1 ? NULL : c->gold[s][k];
		c->sentence[s] = c->columns[s];
		c->tokens[s] = (hp_tokens){.n = lengths[s],
		                           .words = c->words[s],
		                           .vectors = c->rows[s],
		                           .chars = c->chars[s],
		                           .char_lengths = c->sizes[s]};
	}
	for (int i = 0; i < 5 * DIM; i++)
		c->vectors[i] = 0.1f * (float)(i % 7 - 3);
	c->dropout =
		(hp_tag_dropout){.word = 0.3f, .character = 0.3f, .hidden = 0.3f, .layers = 0.3f, .seed = 5, .batch = 2};
	c->arena = hp_arena_new();
	assert_non_null(c->arena);
}

static void free_net(net_case *c)
{
	hp_tag_net_destroy(c->net);
	hp_arena_destroy(c->arena);
}

static double net_loss(void *arg)
{
	net_case *c = arg;
	const hp_tag_batch batch = {SENTENCES, c->tokens, c->sentence, c->vectors, 0.1f};
	double loss[HP_TAG_COLUMNS], sum = 0;

	assert_int_equal(hp_tag_train(c->net, NULL, c->arena, &batch, c->drops ? &c->dropout : NULL, 1.0f, loss, NULL), 0);
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		sum += loss[k];
	return sum;
}

static void check_gradients(bool drops, int members, int own)
{
	net_case c = {.drops = drops, .members = members, .own = own};

	make_net(&c);
	hp_params *p = &c.net->params;
	float *grads = zeros(p->total);
	net_loss(&c);
	memcpy(grads, p->grads, p->total * sizeof *grads);
	for (int i = 0; i < p->count; i++)
		check_gradient(p->item[i].name, net_loss, &c, p->item[i].value, grads + p->item[i].offset, p->item[i].count);
	free(grads);
	free_net(&c);
}

TEST(gradient)
{
	check_gradients(false, 0, 0);
}

TEST(gradient_with_dropout)
{
	check_gradients(true, 0, 0);
}

TEST(gradient_of_members)
{
	check_gradients(true, 3, 0);
	check_gradients(true, 3, 1);
}

/* Alone, with others, and in two threads. */
TEST(scores_are_of_the_sentence)
{
	net_case c = {.drops = false};
	float all[9 * 13], one[MOST * 13], *at = all;
	hp_pool *pool = hp_pool_new(2);

	make_net(&c);
	assert_int_equal(hp_tag_outputs(&c.net->c), 13);
	assert_int_equal(hp_tag_net_prepare(c.net, NULL), 0);
	assert_int_equal(hp_tag_scores(c.net, pool, c.arena, SENTENCES, c.tokens, c.vectors, all, NULL), 0);
	for (int s = 0; s < SENTENCES; s++) {
		assert_int_equal(hp_tag_scores(c.net, NULL, c.arena, 1, &c.tokens[s], c.vectors, one, NULL), 0);
		assert_memory_equal(one, at, (size_t)lengths[s] * 13 * sizeof *one);
		at += lengths[s] * 13;
	}
	hp_pool_destroy(pool);
	free_net(&c);
}

/* Of each column the mean of what networks of one member find, which have the parameters of this network's. */
static void check_members(int embeddings)
{
	enum { MEMBERS = 3 };
	net_case c = {.members = MEMBERS, .own = embeddings}, one = {.members = 0};
	float all[9 * 13], own[MEMBERS][9 * 13];

	make_net(&c);
	make_net(&one);
	assert_int_equal(hp_tag_net_prepare(c.net, NULL), 0);
	assert_int_equal(hp_tag_scores(c.net, NULL, c.arena, SENTENCES, c.tokens, c.vectors, all, NULL), 0);
	for (int m = 0; m < MEMBERS; m++) {
		take_member(&one.net->params, &c.net->params, m);
		assert_int_equal(hp_tag_net_prepare(one.net, NULL), 0);
		assert_int_equal(hp_tag_scores(one.net, NULL, c.arena, SENTENCES, c.tokens, c.vectors, own[m], NULL), 0);
	}
	for (int row = 0, at = 0; row < 9; row++)
		for (int k = 0; k < HP_TAG_COLUMNS; at += c.net->c.values[k++])
			for (int v = 0; v < c.net->c.values[k]; v++) {
				double mean = 0;
				for (int m = 0; m < MEMBERS; m++) {
					double sum = 0;
					for (int w = 0; w < c.net->c.values[k]; w++)
						sum += exp((double)own[m][at + w]);
					mean += exp((double)own[m][at + v]) / sum / MEMBERS;
				}
				assert_true(fabs(exp((double)all[at + v]) - mean) < 1e-5);
			}
	free_net(&c);
	free_net(&one);
}

TEST(members)
{
	check_members(0);
	check_members(1);
}

/* Members trained side by side and in turn. */
TEST(members_and_threads)
{
	net_case c = {.drops = true, .members = 3};
	float *grads[2];

	make_net(&c);
	for (int k = 0; k < 2; k++) {
		hp_pool *pool = hp_pool_new(k ? 8 : 2);
		const hp_tag_batch batch = {SENTENCES, c.tokens, c.sentence, c.vectors, 0.1f};
		double loss[HP_TAG_COLUMNS];
		memset(c.net->params.grads, 0, c.net->params.total * sizeof(float));
		assert_int_equal(hp_tag_train(c.net, pool, c.arena, &batch, &c.dropout, 1.0f, loss, NULL), 0);
		grads[k] = zeros(c.net->params.total);
		memcpy(grads[k], c.net->params.grads, c.net->params.total * sizeof(float));
		hp_pool_destroy(pool);
	}
	assert_memory_equal(grads[0], grads[1], c.net->params.total * sizeof(float));
	free(grads[0]);
	free(grads[1]);
	free_net(&c);
}

/* The losses are those of the scores. */
TEST(losses)
{
	net_case c = {.drops = false};
	float score[9 * 13], *at = score;
	double expected = 0;

	make_net(&c);
	assert_int_equal(hp_tag_net_prepare(c.net, NULL), 0);
	assert_int_equal(hp_tag_scores(c.net, NULL, c.arena, SENTENCES, c.tokens, c.vectors, score, NULL), 0);
	for (int s = 0; s < SENTENCES; s++)
		for (int i = 0; i < lengths[s]; i++)
			for (int k = 0; k < HP_TAG_COLUMNS; k++) {
				int n = c.net->c.values[k], gold = c.gold[s][k][i];
				double sum = 0, mean = 0;
				for (int v = 0; v < n; v++)
					sum += exp((double)at[v]);
				for (int v = 0; v < n && gold >= 0; v++)
					mean += (log(sum) - (double)at[v]) / n;
				if (n && gold >= 0)
					expected += 0.9 * (log(sum) - (double)at[gold]) + 0.1 * mean;
				at += n;
			}
	assert_true(fabs(net_loss(&c) - expected) < 1e-4 * expected);
	free_net(&c);
}

/* ---- choosing ---- */

static hp_vocab *vocab(const char *text)
{
	hp_vocab *v = NULL;

	assert_int_equal(hp_vocab_parse(text, strlen(text), "test", &v, NULL), 0);
	return v;
}

/* "saw" is a noun or a verb; "Dogs" is known to no table, and its best script does not fit. */
TEST(choice)
{
	hp_tag_values v = {.name = {vocab("NOUN\nVERB"), NULL, vocab("_\nTense=Past"),
	                            vocab("l\t0\t\t9\tx\nl\t0\t\t1\t\nl\t0\t\t0\t\n=\tsee")},
	                   .word = vocab("saw\tNOUN\nsaw\tVERB\tTense=Past")};
	static const bool keep[HP_TAG_COLUMNS], keep_upos[HP_TAG_COLUMNS] = {true};
	float scores[8] = {1, 2, 0, 3, 5, 4, 3, 0};
	hp_arena *arena = hp_arena_new();
	hp_word w = {.col = {"1", "saw", "_", "NOUN"}, .len = {1, 3, 1, 4}};
	hp_new_value out[HP_TAG_COLUMNS];

	v.word_script = calloc(2, sizeof *v.word_script);
	v.word_script[0] = 2;
	v.word_script[1] = 3;
	assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
	assert_int_equal(hp_tag_choose(&v, arena, &w, keep, scores, out, NULL), 0);
	assert_memory_equal(out[HP_TAG_UPOS].text, "VERB", out[HP_TAG_UPOS].size);
	assert_true(fabs(out[HP_TAG_UPOS].prob - 0.7310586) < 1e-5);
	assert_null(out[HP_TAG_XPOS].text);
	assert_memory_equal(out[HP_TAG_FEATS].text, "Tense=Past", 10);
	assert_memory_equal(out[HP_TAG_LEMMA].text, "see", 3);
	assert_true(out[HP_TAG_LEMMA].prob == 1);
	/* A tag that stays decides too. */
	assert_int_equal(hp_tag_choose(&v, arena, &w, keep_upos, scores, out, NULL), 0);
	assert_null(out[HP_TAG_UPOS].text);
	assert_int_equal(out[HP_TAG_LEMMA].size, 3);
	assert_memory_equal(out[HP_TAG_LEMMA].text, "saw", 3);
	w.col[HP_FORM] = "Dogs";
	w.len[HP_FORM] = 4;
	assert_int_equal(hp_tag_choose(&v, arena, &w, keep, scores, out, NULL), 0);
	assert_int_equal(out[HP_TAG_LEMMA].size, 3);
	assert_memory_equal(out[HP_TAG_LEMMA].text, "dog", 3);
	hp_arena_destroy(arena);
	hp_tag_values_free(&v);
}

/* Values: UPOS A B, XPOS x y, FEATS f g.  One by one they would be A, y and f, which no word had together; the sums of the sets are
 * A x f 5 + 1 + 3 = 9, B y g 4 + 3.5 + 2 = 9.5, A x g 8. */
TEST(tags_that_go_together)
{
	static const struct {
		int32_t set[2][3]; /* in the order of UPOS, XPOS, FEATS */
		bool keep[HP_TAG_COLUMNS];
		const char *upos; /* what the word has */
		const char *expected[3]; /* NULL: it is kept */
	} cases[] = {
		{{{0, 0, 0}, {1, 1, 1}}, {false}, "_", {"B", "y", "g"}}, /* 9 and 9.5 */
		{{{0, 0, 0}, {0, 0, 1}}, {false}, "_", {"A", "x", "f"}}, /* 9 and 8 */
		{{{0, 0, 0}, {1, 1, 1}}, {true}, "A", {NULL, "x", "f"}}, /* of those with A */
		{{{0, 0, 0}, {1, 1, 1}}, {true}, "B", {NULL, "y", "g"}},
		{{{0, 0, 0}, {0, 0, 1}}, {true}, "B", {NULL, "y", "f"}}, /* none has B: one by one */
		{{{0, 0, 0}, {1, 1, 1}}, {true}, "C", {NULL, "y", "g"}}, /* not a value of the model: 4 and 5.5 */
		{{{0, 0, 0}, {1, -1, 1}}, {false}, "_", {"B", "y", "g"}}, /* XPOS open: the best */
		{{{1, -1, -1}, {1, -1, -1}}, {false}, "_", {"B", "y", "f"}}, /* B alone was seen */
	};
	static const float scores[6] = {5, 4, 1, 3.5f, 3, 2};
	hp_arena *arena = hp_arena_new();
	hp_new_value out[HP_TAG_COLUMNS];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hp_tag_values v = {.name = {vocab("A\nB"), vocab("x\ny"), vocab("f\ng")}, .sets = 2};
		hp_word w = {.col = {"1", "w", "_", cases[i].upos, "_", "_"}, .len = {1, 1, 1, 1, 1, 1}};

		v.set = malloc(sizeof cases->set);
		assert_non_null(v.set);
		memcpy(v.set, cases[i].set, sizeof cases->set);
		assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
		assert_int_equal(hp_tag_choose(&v, arena, &w, cases[i].keep, scores, out, NULL), 0);
		for (int k = 0; k < 3; k++) {
			if (!cases[i].expected[k])
				assert_null(out[k].text);
			else
				assert_string_equal(out[k].text, cases[i].expected[k]);
		}
		hp_tag_values_free(&v);
	}
	hp_arena_destroy(arena);
}

/* "clashes" less "s" or "hes" is no word of the four, less "es" it is number 2: by Zipf's law that adds -0.4 ln(2 + 0.04) = -0.2852
 * to its score, to theirs -0.4 ln(400 + 0.04) = -2.3966, 2.1115 less. */
TEST(lemmas_that_are_words)
{
	static const struct {
		float score[3]; /* less "s", less "es", less "hes" */
		const char *expected;
	} cases[] = {{{5, 2.9f, 0}, "clash"}, {{5, 2.88f, 0}, "clashe"}, {{5, 2.9f, 3}, "clash"}, {{2, 2.5f, 4}, "clash"}};
	static const bool keep[HP_TAG_COLUMNS];
	hp_vocab *words = vocab("<root>\n<unk>\nclash\nclashes");
	hp_tag_values v = {.name[HP_TAG_LEMMA] = vocab("l\t0\t\t1\t\nl\t0\t\t2\t\nl\t0\t\t3\t"),
	                   .known = {.words = words, .lower = true}};
	hp_arena *arena = hp_arena_new();
	hp_word w = {.col = {"1", "Clashes", "_", "_", "_", "_"}, .len = {1, 7, 1, 1, 1, 1}};
	hp_new_value out[HP_TAG_COLUMNS], *lemma = &out[HP_TAG_LEMMA];

	assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(hp_tag_choose(&v, arena, &w, keep, cases[i].score, out, NULL), 0);
		assert_int_equal(lemma->size, strlen(cases[i].expected));
		assert_memory_equal(lemma->text, cases[i].expected, lemma->size);
	}
	/* Its probability is the network's: e^2.5 / (e^2 + e^2.5 + e^4). */
	assert_true(fabs(lemma->prob - 0.164246) < 1e-5);
	/* Of a form that is no word, and without a vocabulary, nothing is expected. */
	w.col[HP_FORM] = "Dashes";
	w.len[HP_FORM] = 6;
	assert_int_equal(hp_tag_choose(&v, arena, &w, keep, cases[0].score, out, NULL), 0);
	assert_memory_equal(lemma->text, "dashe", 5);
	w.col[HP_FORM] = "Clashes";
	w.len[HP_FORM] = 7;
	v.known.words = NULL;
	assert_int_equal(hp_tag_choose(&v, arena, &w, keep, cases[0].score, out, NULL), 0);
	assert_memory_equal(lemma->text, "clashe", 6);
	hp_arena_destroy(arena);
	hp_tag_values_free(&v);
	hp_vocab_destroy(words);
}

#define TEN "xxxxxxxxxx"
#define LONG TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

/* "clashed" was seen as a verb with the lemma "clash": that adds 1 to what "clashes" without "es" has, 2 for a verb. */
TEST(lemmas_that_were_seen)
{
	static const struct {
		float score[2]; /* less "s", less "es" */
		const char *upos, *expected;
	} cases[] = {{{5, 3.1f}, "VERB", "clash"},
	             {{5, 2.9f}, "VERB", "clashe"},
	             {{5, 4.1f}, "NOUN", "clash"},
	             {{5, 3.9f}, "NOUN", "clashe"}};
	static const bool keep[HP_TAG_COLUMNS];
	hp_tag_values v = {.name[HP_TAG_LEMMA] = vocab("l\t0\t\t1\t\nl\t0\t\t2\t"),
	                   .word = vocab("clashed\tVERB\tTense=Past\nx\tX\nno tags\n" LONG "\tX")};
	hp_arena *arena = hp_arena_new();
	hp_new_value out[HP_TAG_COLUMNS], *lemma = &out[HP_TAG_LEMMA];

	v.word_script = calloc(4, sizeof *v.word_script);
	v.word_script[0] = v.word_script[1] = 1; /* leaves nothing of "x" */
	assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
	assert_int_equal(hp_vocab_count(v.lemma), 2); /* none of what is too long */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hp_word w = {.col = {"1", "clashes", "_", cases[i].upos, "_", "_"}, .len = {1, 7, 1, 4, 1, 1}};
		assert_int_equal(hp_tag_choose(&v, arena, &w, keep, cases[i].score, out, NULL), 0);
		assert_int_equal(lemma->size, strlen(cases[i].expected));
	}
	hp_arena_destroy(arena);
	hp_tag_values_free(&v);
}

/* Scripts that leave nothing of the form, or another number, however good they are otherwise. */
TEST(lemmas_of_other_words)
{
	static const struct {
		const char *form, *scripts, *expected; /* of scores 4, 5 and 1 */
	} cases[] = {
		{"sank", "l\t0\t\t3\tay\nl\t0\t\t0\t\nl\t0\t\t1\t",
	     "sank"}, /* one character of four is kept, though "say" was seen */
		{"said", "l\t0\t\t2\ty\nl\t0\t\t0\t\nl\t0\t\t1\t", "say"}, /* two: 4 + 2 */
		{"sank", "=\tsay\nl\t0\t\t0\t\nl\t0\t\t1\t", "sank"},
		{"3,400", "k\t0\t\t5\tx\nk\t0\t\t4\t000\nk\t2\t3\t0\t", "3400"},
		{"3,400", "k\t1\t\t0\t\nk\t0\t\t4\t000\nk\t0\t\t0\t0", "3,400"}, /* none */
	};
	static const bool keep[HP_TAG_COLUMNS];
	static const float scores[3] = {4, 5, 1};
	hp_arena *arena = hp_arena_new();
	hp_new_value out[HP_TAG_COLUMNS], *lemma = &out[HP_TAG_LEMMA];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hp_tag_values v = {.name[HP_TAG_LEMMA] = vocab(cases[i].scripts), .word = vocab("say\tVERB")};
		hp_word w = {.col = {"1", cases[i].form, "_", "VERB", "_", "_"},
		             .len = {1, (uint32_t)strlen(cases[i].form), 1, 4, 1, 1}};

		v.word_script = calloc(1, sizeof *v.word_script);
		v.word_script[0] = 1; /* "say" itself */
		assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
		assert_int_equal(hp_tag_choose(&v, arena, &w, keep, scores, out, NULL), 0);
		assert_int_equal(lemma->size, strlen(cases[i].expected));
		assert_memory_equal(lemma->text, cases[i].expected, lemma->size);
		hp_tag_values_free(&v);
	}
	hp_arena_destroy(arena);
}

/* An apostrophe that the model does not know (U+2019) is the one that it knows. */
TEST(marks_as_typed)
{
	static const bool keep[HP_TAG_COLUMNS];
	static const float scores[2] = {0, 1};
	hp_vocab *words = vocab("<root>\n<unk>\nl'\nc’"), *chars = vocab("<root>\n<unk>\nl\n'\n“");
	hp_look_up how = {.words = words, .chars = chars, .lower = true};
	hp_tag_values v = {.name[HP_TAG_LEMMA] = vocab("=\tle\nl\t0\t\t0\t"), .word = vocab("l'\tDET\n-\tPUNCT")};
	hp_arena *arena = hp_arena_new();
	hp_word dash = {.col = {"3", "–", "_", "PUNCT", "_", "_"}, .len = {1, 3, 1, 5, 1, 1}};
	hp_word w[] = {{.col = {"1", "L’", "_", "DET", "_", "_"}, .len = {1, 4, 1, 3, 1, 1}},
	               {.col = {"2", "d’“l", "_", "ADP", "_", "_"}, .len = {1, 8, 1, 3, 1, 1}}};
	hp_sentence s = {.words = 2, .word = w};
	hp_new_value out[HP_TAG_COLUMNS], *lemma = &out[HP_TAG_LEMMA];
	hp_tokens t;

	assert_int_equal(hp_look_up_word(&how, "l’", 4), 2);
	assert_int_equal(hp_look_up_word(&how, "c’", 4), 3); /* known as it is */
	assert_int_equal(hp_look_up_word(&how, "c'", 2), HP_ID_UNKNOWN);
	assert_int_equal(hp_look_up_tokens(&how, arena, &s, &t, NULL), 0);
	assert_int_equal(t.words[0], 2);
	assert_int_equal(t.char_lengths[0], 2);
	assert_int_equal(t.char_lengths[1], 4);
	assert_int_equal(t.chars[0], HP_ID_UNKNOWN); /* L */
	assert_int_equal(t.chars[1], 3);
	assert_int_equal(t.chars[2], HP_ID_UNKNOWN); /* d */
	assert_int_equal(t.chars[3], 3);
	assert_int_equal(t.chars[4], 4); /* known */
	assert_int_equal(t.chars[5], 2);
	v.word_script = calloc(2, sizeof *v.word_script);
	assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
	w[0].col[HP_FORM] = "l’";
	assert_int_equal(hp_tag_choose(&v, arena, &w[0], keep, scores, out, NULL), 0);
	assert_memory_equal(lemma->text, "le", 2);
	assert_int_equal(hp_tag_choose(&v, arena, &w[1], keep, scores, out, NULL), 0);
	assert_int_equal(lemma->size, 8); /* not in the table: as it is */
	assert_memory_equal(lemma->text, "d’“l", 8);
	assert_int_equal(hp_tag_choose(&v, arena, &dash, keep, scores, out, NULL), 0);
	assert_int_equal(lemma->size, 3); /* no word with a mark in it */
	hp_arena_destroy(arena);
	hp_tag_values_free(&v);
	hp_vocab_destroy(words);
	hp_vocab_destroy(chars);
}

/* A hostile model's many scripts cost no time: a word stays as it is if the 32 best do not fit. */
TEST(no_script_fits)
{
	enum { SCRIPTS = 100 };
	static const bool keep[HP_TAG_COLUMNS];
	char text[SCRIPTS * 16] = "";
	float scores[SCRIPTS];
	hp_arena *arena = hp_arena_new();
	hp_word w = {.col = {"1", "Dogs", "_", "_", "_", "_"}, .len = {1, 4, 1, 1, 1, 1}};
	hp_new_value out[HP_TAG_COLUMNS];

	for (int fitting = 31; fitting <= 32; fitting++) {
		size_t used = 0;
		for (int i = 0; i < SCRIPTS; i++) {
			scores[i] = (float)-i;
			used += (size_t)snprintf(text + used, sizeof text - used, i == fitting ? "%sl\t0\t\t1\t" : "%sk\t%d\t\t9\t",
			                         i ? "\n" : "", i);
		}
		hp_tag_values v = {.name[HP_TAG_LEMMA] = vocab(text)};
		assert_int_equal(hp_tag_values_bind(&v, "test", NULL), 0);
		assert_int_equal(hp_tag_choose(&v, arena, &w, keep, scores, out, NULL), 0);
		assert_memory_equal(out[HP_TAG_LEMMA].text, fitting == 31 ? "dog" : "Dogs", out[HP_TAG_LEMMA].size);
		hp_tag_values_free(&v);
	}
	hp_arena_destroy(arena);
}
