/* test_hp.c: the one-call interface: batches are what single calls are, and what the programs write; what is refused. */
#include <pthread.h>
#include <unistd.h>

#include "base/rng.h"
#include "hp.h"
#include "unit.h"

enum { SENTENCES = 300, LONGEST = 2100 }; /* a longer one than a group's rows */

static char folder[] = "/tmp/hp-test-XXXXXX", dep_path[64], rst_path[64];
static hp_rng rng;

static const char *const vocabulary[] = {"the",   "The", "dog",  "barks",       ".",      "She",
                                         "reads", "a",   "book", "caf\xc3\xa9", "unseen", "x"};
static const char *const tags[] = {"DET", "NOUN", "VERB", "PRON", "PUNCT", "_", "", "new"};
enum { WORDS = sizeof vocabulary / sizeof *vocabulary, TAGS = sizeof tags / sizeof *tags };

static int below(int n)
{
	return (int)(hp_rng_uniform(&rng) * (float)n) % n;
}

HOOK(begin)
{
	assert_non_null(mkdtemp(folder));
	snprintf(dep_path, sizeof dep_path, "%s/dep.safetensors", folder);
	snprintf(rst_path, sizeof rst_path, "%s/rst.safetensors", folder);
	shell("\"${builddir:-.}/tests/make-model\" %s", dep_path);
	shell("\"${builddir:-.}/tests/make-model\" -r %s", rst_path);
	hp_rng_seed(&rng, 7, 1);
}

HOOK(end)
{
	shell("rm -r %s", folder);
}

static hp_parser *open_model(const char *path)
{
	hp_parser *p;
	hp_error err;

	if (hp_open(path, &p, &err) != 0)
		fail_msg("%s", err.text);
	return p;
}

/* ---- words ---- */

static void fill(hp_batch_words *b, int words)
{
	const char **forms = calloc((size_t)words, sizeof *forms), **given = calloc((size_t)words, sizeof *given);

	for (int w = 0; w < words; w++) {
		forms[w] = vocabulary[below(WORDS)];
		given[w] = below(9) ? tags[below(TAGS)] : NULL;
	}
	*b = (hp_batch_words){words, forms, below(5) ? given : NULL, NULL};
	if (!b->tags)
		free(given);
}

static void same_tree(const hp_tree *a, const hp_tree *b)
{
	size_t n = (size_t)a->words + 1;

	assert_int_equal(a->words, b->words);
	assert_memory_equal(a->heads, b->heads, n * sizeof *a->heads);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(a->labels[i], b->labels[i]);
	assert_memory_equal(a->arc_prob, b->arc_prob, n * sizeof *a->arc_prob);
	assert_memory_equal(a->label_prob, b->label_prob, n * sizeof *a->label_prob);
	assert_memory_equal(&a->score, &b->score, sizeof a->score);
	assert_int_equal(!a->next, !b->next);
	if (a->next)
		same_tree(a->next, b->next);
}

TEST(batch)
{
	static hp_batch_words batch[SENTENCES];
	static const hp_tree *trees[SENTENCES];
	const hp_tree *tree;
	hp_parser *all = open_model(dep_path), *one = open_model(dep_path);
	hp_error err;

	for (int i = 0; i < SENTENCES; i++)
		fill(&batch[i], i == 20 ? LONGEST : i % 100 < 3 ? 700 : 1 + below(20));
	for (int round = 0; round < 3; round++) {
		assert_int_equal(hp_set_beam(all, 1 + round, &err), 0);
		assert_int_equal(hp_set_beam(one, 1 + round, &err), 0);
		assert_int_equal(hp_set_nbest(all, 1 + 2 * round, &err), 0);
		assert_int_equal(hp_set_nbest(one, 1 + 2 * round, &err), 0);
		assert_int_equal(hp_set_threads(all, 3 - round, &err), 0);
		assert_int_equal(hp_parse_batch(all, SENTENCES, batch, trees, &err), 0);
		for (int i = 0; i < SENTENCES; i++) {
			const hp_batch_words *b = &batch[i];

			if (b->words == LONGEST && round > 0)
				continue;
			assert_int_equal(hp_parse(one, b->words, b->forms, b->tags, &tree, &err), 0);
			same_tree(trees[i], tree);
		}
	}
	assert_int_equal(hp_parse_batch(all, 0, NULL, NULL, &err), 0);
	for (int i = 0; i < SENTENCES; i++) {
		free((void *)batch[i].forms);
		free((void *)batch[i].tags);
	}
	hp_close(all);
	hp_close(one);
}

/* Several threads, each with a parser of its own. */
static void *parse_again(void *arg)
{
	static const char *const forms[] = {"She", "reads", "a", "book", "."};
	const float *want = arg;
	const hp_tree *tree;
	hp_parser *p;
	bool right = hp_open(dep_path, &p, NULL) == 0;

	for (int i = 0; i < 50 && right; i++)
		right = hp_parse(p, 5, forms, NULL, &tree, NULL) == 0 && (!*want || !memcmp(want, &tree->score, sizeof *want));
	if (right && !*want)
		*(float *)arg = tree->score;
	hp_close(p);
	return right ? arg : NULL;
}

/* OpenBLAS, whose threads are the process's own affair, is not even opened by now. */
TEST(no_blas)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");

	if (!maps)
		skip();
	while (fgets(line, sizeof line, maps))
		assert_null(strstr(line, "libopenblas"));
	fclose(maps);
}

TEST(threads)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	float score = 0;
	void *right;

	assert_non_null(parse_again(&score));
	assert_true(score < 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, parse_again, &score), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &right), 0);
		assert_non_null(right);
	}
}

/* ---- EDUs ---- */

/* EDUs and their tags; half of the sentences have none. */
static void fill_edus(hp_batch_edus *b, int edus)
{
	char **texts = calloc((size_t)edus, sizeof *texts), **given = calloc((size_t)edus, sizeof *given);

	for (int e = 0; e < edus; e++) {
		texts[e] = calloc(200, 1);
		given[e] = calloc(200, 1);
		for (int tokens = 1 + below(6); tokens > 0; tokens--) {
			strcat(strcat(texts[e], vocabulary[below(WORDS)]), " ");
			strcat(strcat(given[e], below(2) ? "  " : "\t"), tags[below(6)]);
		}
	}
	*b = (hp_batch_edus){.edus = edus, .texts = (const char *const *)texts, .tags = (const char *const *)given};
}

static void free_edus(hp_batch_edus *b)
{
	for (int e = 0; e < b->edus; e++) {
		free((void *)b->texts[e]);
		free((void *)b->tags[e]);
	}
	free((void *)b->texts);
	free((void *)b->tags);
}

static void same_edu_tree(const hp_edu_tree *a, const hp_edu_tree *b)
{
	assert_int_equal(a->edus, b->edus);
	assert_memory_equal(&a->score, &b->score, sizeof a->score);
	for (int i = 0; i < a->edus - 1; i++) {
		const hp_edu_split *s = &a->split[i], *t = &b->split[i];

		assert_int_equal(s->first, t->first);
		assert_int_equal(s->mid, t->mid);
		assert_int_equal(s->last, t->last);
		assert_string_equal(s->nuclearity, t->nuclearity);
		assert_string_equal(s->relation, t->relation);
		assert_memory_equal(&s->split_prob, &t->split_prob, sizeof s->split_prob);
		assert_memory_equal(&s->label_prob, &t->label_prob, sizeof s->label_prob);
	}
	assert_int_equal(!a->next, !b->next);
	if (a->next)
		same_edu_tree(a->next, b->next);
}

TEST(batch_edus)
{
	static hp_batch_edus batch[SENTENCES];
	static const hp_edu_tree *trees[SENTENCES];
	const hp_edu_tree *tree;
	hp_parser *all = open_model(rst_path), *one = open_model(rst_path);
	hp_error err;
	int differ = 0;

	for (int i = 0; i < SENTENCES; i++)
		fill_edus(&batch[i], i == 20 ? LONGEST / 2 : 1 + below(12));
	for (int round = 0; round < 3; round++) {
		assert_int_equal(hp_set_beam(all, 1 + 2 * round, &err), 0);
		assert_int_equal(hp_set_beam(one, 1 + 2 * round, &err), 0);
		assert_int_equal(hp_set_nbest(all, 1 + 2 * round, &err), 0);
		assert_int_equal(hp_set_nbest(one, 1 + 2 * round, &err), 0);
		assert_int_equal(hp_set_threads(all, 1 + round, &err), 0);
		assert_int_equal(hp_parse_edus_batch(all, SENTENCES, batch, trees, &err), 0);
		for (int i = 0; i < SENTENCES; i++) {
			assert_int_equal(hp_parse_edus_batch(one, 1, &batch[i], &tree, &err), 0);
			same_edu_tree(trees[i], tree);
		}
		/* Without tags other numbers, and those of the single call. */
		for (int i = 0; i < SENTENCES; i++) {
			hp_batch_edus bare = batch[i];
			float with = trees[i]->score, without;

			bare.tags = NULL;
			assert_int_equal(hp_parse_edus_batch(one, 1, &bare, &tree, &err), 0);
			without = tree->score;
			differ += memcmp(&with, &without, sizeof with) != 0;
			assert_int_equal(hp_parse_edus(one, bare.edus, bare.texts, &tree, &err), 0);
			assert_memory_equal(&tree->score, &without, sizeof without);
		}
	}
	assert_true(differ > 2 * SENTENCES);
	for (int i = 0; i < SENTENCES; i++)
		free_edus(&batch[i]);
	hp_close(all);
	hp_close(one);
}

/* ---- several trees, fixed heads ---- */

TEST(nbest)
{
	static const char *const forms[] = {"the", "dog", "barks"}, *const edus[] = {"the dog", "barks", ".", "She", "the"};
	hp_parser *p = open_model(dep_path), *r = open_model(rst_path);
	const hp_tree *tree;
	const hp_edu_tree *edu_tree;
	int count = 0;
	hp_error err;

	/* Three words have nine trees, five EDUs fourteen. */
	assert_int_equal(hp_set_nbest(p, 100, &err) | hp_set_nbest(r, 100, &err), 0);
	assert_int_equal(hp_parse(p, 3, forms, NULL, &tree, &err), 0);
	for (const hp_tree *t = tree; t; t = t->next, count++) {
		assert_int_equal(t->words, 3);
		assert_true(!t->next || t->next->score <= t->score);
		for (const hp_tree *other = tree; other != t; other = other->next)
			assert_memory_not_equal(other->heads, t->heads, 4 * sizeof *t->heads);
	}
	assert_int_equal(count, 9);
	assert_int_equal(hp_parse_edus(r, 5, edus, &edu_tree, &err), 0);
	for (const hp_edu_tree *t = edu_tree; t; t = t->next, count++) {
		assert_int_equal(t->edus, 5);
		assert_int_equal(t->split[0].last, 4);
		assert_true(!t->next || t->next->score <= t->score);
	}
	assert_int_equal(count, 9 + 14);
	hp_close(p);
	hp_close(r);
}

TEST(fixed)
{
	static const char *const forms[] = {"the", "dog", "barks", "."};
	static const int32_t fixed[] = {7, 3, 0, -1, 3};
	const hp_batch_words batch[] = {{4, forms, NULL, fixed}, {4, forms, NULL, NULL}, {3, forms, NULL, NULL}};
	const hp_tree *trees[3], *tree;
	hp_parser *p = open_model(dep_path);
	hp_error err;

	for (int beam = 1; beam < 4; beam++) {
		assert_int_equal(hp_set_beam(p, beam, &err), 0);
		assert_int_equal(hp_parse_batch(p, 3, batch, trees, &err), 0);
		assert_memory_equal(trees[0]->heads, ((const int32_t[]){0, 3, 0, 2, 3}), 5 * sizeof *fixed);
		assert_int_equal(hp_parse_batch(p, 1, batch + 1, &tree, &err), 0);
	}
	hp_close(p);
}

/* Five EDUs of which 2 to 4 are a span, and 2 and 3 in it: with three parts two trees. */
TEST(fixed_edus)
{
	static const char *const texts[] = {"the dog", "barks", ".", "She", "the"};
	static const int32_t fixed[] = {0, 2, 1, 0, 77}, none[] = {-5, -5, -5, -5, 3};
	const hp_batch_edus batch[] = {{.edus = 5, .texts = texts, .fixed = fixed},
	                               {.edus = 5, .texts = texts},
	                               {.edus = 5, .texts = texts, .fixed = none},
	                               {.edus = 1, .texts = texts, .fixed = fixed}};
	const hp_edu_tree *trees[4], *tree;
	hp_parser *p = open_model(rst_path), *other = open_model(rst_path); /* which leaves the trees of the first valid */
	hp_error err;

	for (int beam = 1; beam < 4; beam++) {
		assert_int_equal(hp_set_beam(p, beam, &err), 0);
		assert_int_equal(hp_set_beam(other, beam, &err), 0);
		assert_int_equal(hp_parse_edus_batch(p, 4, batch, trees, &err), 0);
		int found = 0;
		for (int i = 0; i < 4; i++) {
			const hp_edu_split *s = &trees[0]->split[i];
			found += (s->first == 1 && s->last == 3) + 10 * (s->first == 1 && s->last == 2);
		}
		assert_int_equal(found, 11);
		same_edu_tree(trees[1], trees[2]);
		assert_int_equal(trees[3]->edus, 1);
		assert_int_equal(hp_parse_edus(other, 5, texts, &tree, &err), 0);
		same_edu_tree(trees[1], tree);
	}
	hp_close(other);
	assert_int_equal(hp_set_nbest(p, 100, &err), 0);
	assert_int_equal(hp_parse_edus_batch(p, 1, batch, trees, &err), 0);
	assert_non_null(trees[0]->next);
	assert_null(trees[0]->next->next);
	hp_close(p);
}

/* ---- the programs ---- */

/* What "hp-parse -b 3 --scores OPTIONS" says of the score of TEXT. */
static float score_of(const char *model, const char *options, const char *text)
{
	char command[1024], line[256];
	float score = 1;
	FILE *pipe;

	snprintf(command, sizeof command, "printf '%s' | hp-parse -b 3 --scores -m %s %s", text, model, options);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while (fgets(line, sizeof line, pipe))
		(void)sscanf(line, "# score = %f", &score);
	assert_int_equal(pclose(pipe), 0);
	return score;
}

static void same_score(float a, float b)
{
	char text[2][32];

	snprintf(text[0], sizeof text[0], "%.4f", (double)a);
	snprintf(text[1], sizeof text[1], "%.4f", (double)b);
	assert_string_equal(text[0], text[1]);
}

TEST(programs)
{
	static const char *const forms[] = {"She", "reads", "a", "book", "."};
	static const char *const upos[] = {"PRON", "VERB", "DET", NULL, "PUNCT"};
	static const char *const texts[] = {"She reads", "a book", "."}, *const of_texts[] = {"PRON VERB", "DET _", NULL};
	const hp_batch_edus edus = {.edus = 3, .texts = texts, .tags = of_texts};
	hp_parser *dep = open_model(dep_path), *rst = open_model(rst_path);
	const hp_tree *tree;
	const hp_edu_tree *edu_tree;
	hp_error err;

	if (system("command -v hp-parse >/dev/null") != 0)
		skip();
	assert_int_equal(hp_set_beam(dep, 3, &err), 0);
	assert_int_equal(hp_parse(dep, 5, forms, NULL, &tree, &err), 0);
	same_score(tree->score, score_of(dep_path, "-i tokens", "She reads a book .\\n"));
	assert_int_equal(hp_parse(dep, 5, forms, upos, &tree, &err), 0);
#define ROW(id, form, tag, misc) id "\\t" form "\\t_\\t" tag "\\t_\\t_\\t_\\t_\\t_\\t" misc "\\n"
#define ROWS \
	ROW("1", "She", "PRON", "Seg=B-seg") \
	ROW("2", "reads", "VERB", "_") \
	ROW("3", "a", "DET", "Seg=B-seg") ROW("4", "book", "_", "_") ROW("5", ".", "%s", "Seg=B-seg") "\\n"
	char rows[512];
	snprintf(rows, sizeof rows, ROWS, "PUNCT");
	same_score(tree->score, score_of(dep_path, "", rows));
	assert_int_equal(hp_set_beam(rst, 3, &err), 0);
	assert_int_equal(hp_parse_edus(rst, 3, texts, &edu_tree, &err), 0);
	same_score(edu_tree->score, score_of(rst_path, "", "She reads\\na book\\n.\\n"));
	assert_int_equal(hp_parse_edus_batch(rst, 1, &edus, &edu_tree, &err), 0);
	snprintf(rows, sizeof rows, ROWS, "_");
	same_score(edu_tree->score, score_of(rst_path, "-i conllu", rows));
	hp_close(dep);
	hp_close(rst);
}

/* The beam is the model's until it is set. */
TEST(beam_of_the_model)
{
	static const char *const forms[] = {"She", "reads", "a", "book", "about", "the", "birds", "of", "Scotland", "."};
	const char *path = "test_hp-beam.safetensors";
	const hp_tree *own, *wide;
	hp_parser *narrow, *with;
	hp_error err;

	shell("\"${builddir:-.}/tests/make-model\" -m beam=6 %s", path);
	with = open_model(path);
	narrow = open_model(dep_path);
	assert_int_equal(hp_parse(with, 10, forms, NULL, &own, &err), 0);
	assert_int_equal(hp_parse(narrow, 10, forms, NULL, &wide, &err), 0);
	assert_true(own->score > wide->score);
	assert_int_equal(hp_set_beam(narrow, 6, &err), 0);
	assert_int_equal(hp_parse(narrow, 10, forms, NULL, &wide, &err), 0);
	same_tree(own, wide);
	hp_close(with);
	hp_close(narrow);
	unlink(path);
}

/* ---- what is refused ---- */

static hp_error err;

#define refused(call, ...) \
	do { \
		char want[256]; \
		snprintf(want, sizeof want, __VA_ARGS__); \
		assert_int_equal(call, HP_FAIL); \
		assert_string_equal(err.text, want); \
	} while (0)

TEST(arguments)
{
	hp_parser *p = open_model(dep_path), *none = NULL;
	const char *const forms[] = {"a", "b"};
	const hp_batch_words batch = {2, forms, NULL, NULL};
	const hp_tree *tree;

	refused(hp_open(dep_path, NULL, &err), "hp_open: out is NULL");
	refused(hp_set_beam(NULL, 1, &err), "hp_set_beam: parser is NULL");
	refused(hp_set_beam(p, 0, &err), "a beam of 0, expected 1 to 1000");
	refused(hp_set_nbest(NULL, 1, &err), "hp_set_nbest: parser is NULL");
	refused(hp_set_nbest(p, 0, &err), "0 trees of a sentence, expected 1 to 1000");
	refused(hp_set_nbest(p, 1001, &err), "1001 trees of a sentence, expected 1 to 1000");
	refused(hp_set_threads(NULL, 1, &err), "hp_set_threads: parser is NULL");
	refused(hp_set_threads(p, 0, &err), "0 threads, expected 1 to 256");
	refused(hp_set_threads(p, 257, &err), "257 threads, expected 1 to 256");
	refused(hp_set_int8(NULL, &err), "hp_set_int8: parser is NULL");
	refused(hp_parse(NULL, 2, forms, NULL, &tree, &err), "hp_parse: parser is NULL");
	refused(hp_parse(p, 2, forms, NULL, NULL, &err), "hp_parse: tree is NULL");
	refused(hp_parse(p, 2, NULL, NULL, &tree, &err), "forms is NULL");
	assert_int_equal(hp_parse(p, 2, NULL, NULL, &tree, NULL), HP_FAIL);
	refused(hp_parse_batch(NULL, 1, &batch, &tree, &err), "hp_parse_batch: parser is NULL");
	refused(hp_parse_batch(p, 1, NULL, &tree, &err), "hp_parse_batch: sentences is NULL");
	refused(hp_parse_batch(p, 1, &batch, NULL, &err), "hp_parse_batch: trees is NULL");
	refused(hp_parse_batch(p, -1, &batch, &tree, &err), "a batch of -1 sentences, expected 0 or more");
	refused(hp_parse_edus(NULL, 2, forms, (const hp_edu_tree **)&none, &err), "hp_parse_edus: parser is NULL");
	refused(hp_parse_edus(p, 2, forms, NULL, &err), "hp_parse_edus: tree is NULL");
	refused(hp_parse_edus_batch(NULL, 0, NULL, NULL, &err), "hp_parse_edus_batch: parser is NULL");
	refused(hp_parse_edus_batch(p, 0, NULL, NULL, &err),
	        "%s: a dependency model (task dep), expected a discourse model", dep_path);
	refused(hp_open("", &none, &err),
	        "hp_open: the name of the model is empty, expected a name, or NULL for the default");
	refused(hp_open("/none", &none, &err), "/none: No such file or directory");
	assert_null(none);
	hp_close(p);
	hp_close(NULL);
}

/* Weights that a model may have, but whose products are beyond all bounds. */
TEST(scores)
{
	static const char why[] =
		"a score comes to a value that is not finite or beyond 1e+09: the model's weights are too large";
	const char *const forms[] = {"She", "reads", "books"};
	const char *const kinds[] = {"-w pointer.w=1e9 -w pointer.g1.w=1e9 -w pointer.g2.w=1e9",
	                             "-w label.w=1e9 -w label.g1.w=1e9 -w label.g2.w=1e9"};
	char path[80], command[256];

	snprintf(path, sizeof path, "%s/huge.safetensors", folder);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const hp_batch_words batch = {3, forms, NULL, NULL};
		const hp_tree *tree;

		snprintf(command, sizeof command, "\"${builddir:-.}/tests/make-model\" %s %%s", kinds[i]);
		shell(command, path);
		hp_parser *p = open_model(path);
		refused(hp_parse(p, 3, forms, NULL, &tree, &err), "%s", why);
		assert_null(tree);
		refused(hp_parse_batch(p, 1, &batch, &tree, &err), "sentence 1: %s", why);
		hp_close(p);
	}
	shell("\"${builddir:-.}/tests/make-model\" -w embed.word=1e30 %s", path);
	hp_parser *p = open_model(path);
	const hp_tree *none;
	refused(hp_parse(p, 3, forms, NULL, &none, &err),
	        "%s: tensor `embed.word`, row 1: a value that is not finite or beyond 1e+09", path);
	hp_close(p);
}

TEST(words)
{
	hp_parser *p = open_model(dep_path);
	const char *forms[] = {"a", "b", "c"}, *given[] = {"X", NULL, "Y"};
	hp_batch_words batch[3] = {{3, forms, given, NULL}, {3, forms, NULL, NULL}, {3, forms, given, NULL}};
	const hp_tree *tree, *trees[3];
	const hp_tree *const null[3] = {NULL, NULL, NULL};
	static const struct {
		const char *text, *fault;
	} bad[] = {{"x\ty", "holds a tab"}, {"\n", "holds a line feed"}, {"\xff", "is not UTF-8"}};

	for (int words = -1; words <= 0; words++)
		refused(hp_parse(p, words, forms, NULL, &tree, &err), "a sentence of %d words, expected 1 to 1000000", words);
	refused(hp_parse(p, 1000001, forms, NULL, &tree, &err), "a sentence of 1000001 words, expected 1 to 1000000");
	assert_null(tree);
	for (int i = 0; i < 3; i++) {
		forms[1] = bad[i].text;
		refused(hp_parse(p, 3, forms, NULL, &tree, &err), "word 2 %s", bad[i].fault);
		forms[1] = "b";
		given[2] = bad[i].text;
		refused(hp_parse(p, 3, forms, given, &tree, &err), "the tag of word 3 %s", bad[i].fault);
		refused(hp_parse_batch(p, 3, batch + 1, trees, &err), "sentence 2: the tag of word 3 %s", bad[i].fault);
		given[2] = "Y";
	}
	forms[0] = "";
	refused(hp_parse(p, 3, forms, NULL, &tree, &err), "word 1 is empty");
	forms[0] = NULL;
	refused(hp_parse(p, 3, forms, NULL, &tree, &err), "word 1 is empty");
	forms[0] = "a";
	assert_int_equal(hp_parse_batch(p, 3, batch, trees, &err), 0);
	batch[2].fixed = (const int32_t[]){0, 9, 0, 0, 0};
	refused(hp_parse_batch(p, 3, batch, trees, &err), "sentence 3: head 9 of word 1, expected 0 to 3");
	assert_memory_equal(trees, null, sizeof null);
	/* After a group that was parsed. */
	static hp_batch_words many[200];
	static const hp_tree *of_many[200], *const none[200];
	for (int i = 0; i < 200; i++)
		many[i] = batch[0];
	many[190].words = 0;
	refused(hp_parse_batch(p, 200, many, of_many, &err), "sentence 191: a sentence of 0 words, expected 1 to 1000000");
	assert_memory_equal(of_many, none, sizeof none);
	hp_close(p);
}

TEST(edus)
{
	hp_parser *p = open_model(rst_path);
	const char *texts[] = {"a b", "c"}, *given[] = {"X Y", "Z"};
	hp_batch_edus batch[2] = {{.edus = 2, .texts = texts, .tags = given}, {.edus = 1, .texts = texts, .tags = given}};
	const hp_edu_tree *tree, *trees[2];

	for (int edus = -1; edus <= 0; edus++)
		refused(hp_parse_edus(p, edus, texts, &tree, &err), "a sentence of %d EDUs, expected 1 to 1000000", edus);
	refused(hp_parse_edus(p, 1000001, texts, &tree, &err), "a sentence of 1000001 EDUs, expected 1 to 1000000");
	refused(hp_parse_edus(p, 1, NULL, &tree, &err), "texts is NULL");
	assert_int_equal(hp_parse_edus_batch(p, 2, batch, trees, &err), 0);
	given[1] = "Z Z";
	refused(hp_parse_edus_batch(p, 2, batch, trees, &err), "sentence 1: EDU:2: 1 token, but 2 tags");
	given[1] = " ";
	refused(hp_parse_edus_batch(p, 1, batch, trees, &err), "sentence 1: EDU:2: 1 token, but 0 tags");
	given[1] = "Z\n";
	refused(hp_parse_edus_batch(p, 1, batch, trees, &err), "sentence 1: EDU:2: a text of tags that holds a line feed");
	given[1] = "\xc3";
	refused(hp_parse_edus_batch(p, 1, batch, trees, &err), "sentence 1: EDU:2: a text of tags that is not UTF-8");
	assert_null(trees[0]);
	given[1] = NULL;
	assert_int_equal(hp_parse_edus_batch(p, 2, batch, trees, &err), 0);
	texts[1] = NULL;
	refused(hp_parse_edus(p, 2, texts, &tree, &err), "EDU:2: no text");
	texts[1] = "c\n";
	refused(hp_parse_edus(p, 2, texts, &tree, &err), "EDU:2: a newline");
	texts[1] = "\xff";
	refused(hp_parse_edus(p, 2, texts, &tree, &err), "EDU:2: invalid UTF-8");
	assert_null(tree);
	hp_close(p);
}
