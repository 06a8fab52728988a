/* Raw text: signs, the network and its gradient, multiword tokens; texts split and put together again. */
#include <math.h>

#include "gradient.h"
#include "tokenizer.h"
#include "unit.h"

/* ---- signs ---- */

typedef struct signs_case {
	const char *name;
	const char *text;
	bool lines;
	const char
		*kinds; /* x: a character, j: one that the next belongs to, _: blanks, /: a line's end, |: a paragraph's */
} signs_case;

static const signs_case signs_cases[] = {
	{"words", "ab c", false, "xx_x"},
	{"blanks", "a  \t c", false, "x_x"},
	{"a line feed", "a\nb", false, "x/x"},
	{"blanks around a line feed", "a \n b", false, "x/x"},
	{"a carriage return before it", "a\r\nb", false, "x/x"},
	{"carriage returns alone", "a\rb\r\rc", false, "x/x|x"},
	{"a blank line", "a\n\nb", false, "x|x"},
	{"a line of blanks", "a\n \t\nb", false, "x|x"},
	{"blank lines of Windows", "a\r\n\r\nb", false, "x|x"},
	{"blanks at the end", "a  ", false, "x_"},
	{"two blank lines", "a\n\n\nb", false, "x|/x"}, /* a paragraph's end is one at once */
	{"--lines", "a\nb", true, "x|x"},
	{"--lines of Windows", "a\r\nb", true, "x|x"},
	{"a byte-order mark",
     "\xef\xbb\xbf"
     "a",
     false, "_x"},
	{"one elsewhere", "a\xef\xbb\xbf", false, "xx"},
	{"separators",
     "\xc2\xa0"
     "a\xe2\x80\xa8"
     "b\xe2\x80\xa9"
     "c",
     false, "_x/x|x"}, /* no-break space, line and paragraph separators */
	{"a combining acute", "e\xcc\x81z", false, "jxx"}, /* a combining acute */
	{"an astronaut", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80!", false, "jjxx"}, /* an astronaut */
	{"a zero-width space",
     "a\xe2\x80\x8b"
     "b",
     false, "xxx"}, /* a zero-width space is none */
	{"nothing", "", false, ""},
};

static void check_signs(const void *row)
{
	const signs_case *c = row;
	for (size_t piece = 1; piece < 3; piece++) { /* one character at a time, and all */
		hp_signs s;
		char kinds[32] = "";
		hp_signs_init(&s, c->lines);
		for (size_t at = 0, size; at < strlen(c->text); at += size) {
			for (size = 1; piece == 1 && (c->text[at + size] & 0xc0) == 0x80; size++)
				;
			size = piece == 1 ? size : strlen(c->text);
			assert_int_equal(hp_signs_add(&s, c->text + at, size, NULL), 0);
		}
		for (int i = 0; i < s.count; i++)
			kinds[i] = hp_sign_is_white(&s.sign[i]) ? "_/|"[s.sign[i].kind - HP_SIGN_BLANK]
			           : s.sign[i].joined           ? 'j'
			                                        : 'x';
		assert_string_equal(kinds, c->kinds);
		hp_signs_free(&s);
	}
}
CASES(signs_cases, check_signs)

TEST(spaces_have_udpipes_escapes)
{
	static const char plain[] = " \t\n\r|\\a\xc2\xa0";
	char escaped[32], back[32];
	size_t size = hp_spaces_escape(plain, sizeof plain - 1, escaped);
	escaped[size] = '\0';
	assert_string_equal(escaped, "\\s\\t\\n\\r\\p\\\\a\xc2\xa0");
	assert_int_equal(hp_spaces_unescape(escaped, size, back), sizeof plain - 1);
	assert_memory_equal(back, plain, sizeof plain - 1);
	assert_int_equal(hp_spaces_unescape("\\x\\", 3, back), 3); /* as it is */
	assert_int_equal(hp_spaces_unescape("\\u00A0\\u202f\\ud800\\u00g0", 24, back), 17);
	assert_memory_equal(back, "\xc2\xa0\xe2\x80\xaf\\ud800\\u00g0", 17);
}

/* ---- the network ---- */

enum { SIGNS = 5 };
static const int32_t chr[2][SIGNS] = {{1, 4, 0, 2, 3}, {2, 2, 5}};
static const uint8_t kind[2][SIGNS] = {{1, 2, HP_SIGN_BLANK, 2, 12}, {1, HP_SIGN_LINE, 2}};
static const int8_t gold[2][SIGNS] = {{0, 3, -1, 1, 2}, {0, -1, 4}};
static const hp_tok_window windows[2] = {{3, chr[1], kind[1], gold[1]}, {5, chr[0], kind[0], gold[0]}};

static hp_tok_net net;
static hp_arena *arena;

static double mean_loss(void *unused)
{
	hp_tok_loss loss = {0};
	hp_tok_training t = {.net = &net, .arena = arena};
	(void)unused;
	hp_arena_reset(arena);
	assert_int_equal(hp_tok_learn(&t, 2, windows, &loss, NULL), 0);
	assert_int_equal(loss.signs, 6);
	assert_int_equal(loss.tokens, 4);
	return (loss.inside + loss.end) / 6;
}

static void make_net(void)
{
	hp_tok_sizes c = {.chars = 6, .dim = 3, .hidden = 4, .layers = 2};
	arena = hp_arena_new();
	assert_int_equal(hp_tok_net_make(&net, &c, NULL), 0);
	assert_int_equal(hp_params_alloc(&net.params, true, NULL), 0);
	hp_tok_net_init(&net, 3);
}

static void free_net(void)
{
	hp_tok_net_free(&net);
	hp_arena_destroy(arena);
}

TEST(the_gradient_is_that_of_the_mean_loss)
{
	hp_rng_seed(&gradient_rng, 1, 1);
	make_net();
	memset(net.params.grads, 0, net.params.total * sizeof(float));
	mean_loss(NULL);
	float *grads = malloc(net.params.total * sizeof(float));
	memcpy(grads, net.params.grads, net.params.total * sizeof(float));
	for (int i = 0; i < net.params.count; i++) {
		const hp_param *p = &net.params.item[i];
		check_gradient(p->name, mean_loss, NULL, p->value, grads + p->offset, p->count);
	}
	free(grads);
	free_net();
}

/* Sums of what is read are those that were learnt, and windows do not see each other. */
TEST(reading_agrees_with_learning)
{
	float scores[3][SIGNS * HP_TOK_CLASSES], *both[2] = {scores[0], scores[1]}, *alone[1] = {scores[2]};
	hp_tok_runner *runner;
	double sum = 0;
	make_net();
	assert_int_equal(hp_tok_runner_new(&net, &runner, NULL), 0);
	assert_int_equal(hp_tok_run(runner, NULL, arena, 2, windows, both, NULL), 0);
	assert_int_equal(hp_tok_run(runner, NULL, arena, 1, windows, alone, NULL), 0);
	assert_memory_equal(scores[0], scores[2], 3 * HP_TOK_CLASSES * sizeof(float));
	for (int w = 0; w < 2; w++)
		for (int i = 0; i < windows[w].count; i++)
			if (windows[w].gold[i] >= 0)
				sum -= (double)both[w][i * HP_TOK_CLASSES + windows[w].gold[i]];
	assert_true(fabs(sum / 6 - mean_loss(NULL)) < 1e-5);
	hp_tok_runner_destroy(runner);
	free_net();
}

/* ---- multiword tokens ---- */

typedef struct words_case {
	const char *name, *form, *words; /* apart by blanks */
} words_case;

static const words_case words_cases[] = {
	{"as the table has it", "don't", "do n't"}, /* as the table has it */
	{"the table in another case", "Don't", "Do n't"},
	{"all large", "DON'T", "DO N'T"},
	{"no cut of the token", "du", "de le"}, /* no cut of the token: large letters as in the token */
	{"another case", "Du", "De le"},
	{"all large letters", "DU", "DE LE"},
	{"by the ending", "can't", "can 't"}, /* by the ending */
	{"by the ending, all large", "CAN'T", "CAN 'T"},
	{"letters that change", "dármelo", "dar me lo"},
	{"and a large one", "Dármelo", "Dar me lo"},
	{"and all large ones", "DÁRMELO", "DAR ME LO"},
	{"an ending alone", "'t", ""}, /* an ending alone has no stem */
	{"an apostrophe that is not typed", "don’t", "do n’t"}, /* U+2019 */
	{"by the ending, the same", "can’t", "can ’t"},
	{"nothing known", "house", ""},
	{"nor with it", "house’", ""},
	{"nothing at all", "", ""},
};

static void check_words(const void *row)
{
	const words_case *c = row;
	hp_tok_model *m = tokenizer_random(1, false);
	hp_arena *a = hp_arena_new();
	hp_piece words[HP_MOST_WORDS];
	char got[64] = "";
	int n = hp_expand(m->expander, a, c->form, strlen(c->form), words);
	for (int i = 0; i < n; i++)
		sprintf(got + strlen(got), "%s%.*s", i ? " " : "", (int)words[i].size, words[i].text);
	assert_string_equal(got, c->words);
	hp_arena_destroy(a);
	tokenizer_close(m);
}
CASES(words_cases, check_words)

typedef struct refused_case {
	const char *name, *table, *ending;
} refused_case;

static const refused_case refused_cases[] = {
	{"no words", "don't", NULL},       {"one word", "a\tb", NULL},
	{"an empty word", "a\t\tb", NULL}, {"an empty last word", "a\tb\t", NULL},
	{"no form", "\ta\tb", NULL},       {"an ending of one word", NULL, "a\tb"},
	{"no ending", NULL, "\ta\tb"},     {"many words", "a\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb\tb", NULL},
};

static void check_refused(const void *row)
{
	const refused_case *c = row;
	hp_vocab *v[3] = {hp_vocab_new(), hp_vocab_new(), hp_vocab_new()};
	hp_expander *e;
	hp_error err;
	if (c->table)
		hp_vocab_add(v[0], c->table, strlen(c->table));
	if (c->ending)
		hp_vocab_add(v[1], c->ending, strlen(c->ending));
	assert_int_equal(hp_expander_new(v[0], v[1], v[2], "file", &e, &err), HP_FAIL);
	assert_null(e);
	assert_memory_equal(err.text, "file: ", 6);
}
CASES(refused_cases, check_refused)

TEST(some_forms_are_sure)
{
	hp_tok_model *m = tokenizer_random(1, false);
	hp_arena *a = hp_arena_new();
	assert_true(hp_expander_is_sure(m->expander, a, "Bend", 4));
	assert_false(hp_expander_is_sure(m->expander, a, "don't", 5));
	hp_arena_destroy(a);
	tokenizer_close(m);
}

/* ---- texts ---- */

static void check_there_and_back(const hp_tok_model *m, const char *text, size_t size)
{
	hp_pool *pool = hp_pool_new(3);
	const tokenizer_how hows[] = {
		{0},          {.ranges = true},           {.by = HP_SPLIT_LINES},     {.max_words = 2, .pool = pool},
		{.piece = 1}, {.piece = 7, .pool = pool}, {.piece = 3, .pause = true}};
	char *first = NULL;
	for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
		size_t got, back;
		int status;
		hp_error err;
		char *conllu = tokenizer_run(m, &hows[i], text, size, &got, &status, &err);
		assert_int_equal(status, 0);
		char *undone = tokenizer_undo(conllu, got, &back);
		assert_int_equal(back, size);
		assert_memory_equal(undone, text, size);
		if (i == 0)
			first = strdup(conllu);
		if (hows[i].piece && !hows[i].pause) /* however the text comes */
			assert_string_equal(conllu, first);
		free(undone);
		free(conllu);
	}
	free(first);
	hp_pool_destroy(pool);
}

static const char *const texts[] = {
	"",
	" ",
	"\n",
	"\r\n",
	"\xef\xbb\xbf",
	"\xef\xbb\xbf \n",
	"a",
	"a\n",
	"a ",
	"a \n\n\n\n b",
	"don't du DON'T can't\ta\xc2\xa0"
	"b\r\nc\rd\v\f\xc2\x85z",
	"# text = a\n1\ta\tb\n\n_\n-\n|\\ \\s\\n",
	"e\xcc\x81\xcc\x81 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa",
	"\xe4\xb8\xad\xe6\x96\x87\xe6\xb2\xa1\xe6\x9c\x89\xe3\x80\x82\xe7\xa9\xba\xe6\xa0\xbc\xe3\x80\x80\xe5\x90\x97",
	"a\x01\x02\x1b[0m\x7f\xc2\x80 b\xe2\x80\x8b"
	"c\xe2\x80\x8d \xef\xbf\xbf \xf4\x8f\xbf\xbf",
	"\xcc\x81 \xcc\x81",
	"a \xef\xbb\xbf b",
};

TEST(texts_come_back)
{
	for (uint64_t seed = 0; seed < 4; seed++) {
		hp_tok_model *m = tokenizer_random(seed, seed % 2);
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			check_there_and_back(m, texts[i], strlen(texts[i]));
		tokenizer_close(m);
	}
}

TEST(random_texts_come_back)
{
	static const char *const bits[] = {"a",
	                                   "don't",
	                                   " ",
	                                   "  ",
	                                   "\n",
	                                   "\n\n",
	                                   "\r\n",
	                                   "\t",
	                                   ".",
	                                   "?",
	                                   "\xc3\xa9",
	                                   "du",
	                                   "|",
	                                   "\\",
	                                   "#",
	                                   "\xc2\xa0",
	                                   "\xe2\x80\x8d",
	                                   "\xf0\x9f\x99\x82",
	                                   "\xe4\xb8\xad",
	                                   "e\xcc\x81",
	                                   "A"};
	hp_rng rng;
	hp_rng_seed(&rng, 7, 7);
	for (int trial = 0; trial < 20; trial++) {
		char text[4000] = "";
		size_t size = 0, parts = hp_rng_below(&rng, 600);
		for (size_t i = 0; i < parts; i++) {
			const char *bit = bits[hp_rng_below(&rng, sizeof bits / sizeof *bits)];
			memcpy(text + size, bit, strlen(bit));
			size += strlen(bit);
		}
		hp_tok_model *m = tokenizer_random((uint64_t)trial, trial % 2);
		check_there_and_back(m, text, size);
		tokenizer_close(m);
	}
}

/* Long paragraphs are read in windows; runs of blanks, and tokens, have their limits. */
TEST(long_texts_come_back)
{
	static const char *const unit[] = {"a", "abu nd, ", " ", "\xcc\x81"};
	hp_tok_model *m = tokenizer_random(2, false);
	for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
		size_t step = strlen(unit[k]), size = 9000 * step;
		char *text = malloc(size + 1);
		for (size_t i = 0; i < size; i += step)
			memcpy(text + i, unit[k], step);
		check_there_and_back(m, text, size);
		free(text);
	}
	tokenizer_close(m);
}

typedef struct bad_case {
	const char *name, *text;
	size_t size;
	const char *says, *before; /* what comes before is written */
} bad_case;

static const bad_case bad_cases[] = {
	{"a byte that begins nothing", "a\nb\xff", 4,
     "text:2: invalid UTF-8, byte 4 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1", "a\nb"},
	{"a NUL byte", "ab\0c", 4, "text:1: a NUL byte, byte 3 of the text", "ab"},
	{"an end within a character", "\xc3", 1, "text:1: the text ends within a character, byte 1 of the text", ""},
	{"a character that breaks off",
     "\xc3"
     "a",
     2, "text:1: invalid UTF-8, byte 1 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1", ""},
	{"in three bytes",
     "a\xe2\x82"
     "b",
     4, "text:1: invalid UTF-8, byte 2 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1", "a"},
	{"a surrogate", "a\xed\xa0\x80", 4,
     "text:1: invalid UTF-8, byte 2 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1", "a"}, /* a surrogate */
	{"beyond Unicode", "\xf4\x90\x80\x80", 4,
     "text:1: invalid UTF-8, byte 1 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1", ""},
	{"an overlong form", "\xc0\x80", 2,
     "text:1: invalid UTF-8, byte 1 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1", ""},
};

static void check_bad(const void *row)
{
	const bad_case *c = row;
	hp_tok_model *m = tokenizer_random(1, false);
	for (size_t piece = 0; piece < 3; piece++) {
		tokenizer_how how = {.piece = piece};
		size_t got, back;
		int status;
		hp_error err;
		char *conllu = tokenizer_run(m, &how, c->text, c->size, &got, &status, &err);
		assert_int_equal(status, HP_FAIL);
		assert_string_equal(err.text, c->says);
		char *undone = tokenizer_undo(conllu, got, &back);
		assert_int_equal(back, strlen(c->before));
		assert_memory_equal(undone, c->before, back);
		free(undone);
		free(conllu);
	}
	tokenizer_close(m);
}
CASES(bad_cases, check_bad)
