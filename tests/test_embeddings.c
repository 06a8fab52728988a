/* test_embeddings.c: a tensor stream read in step with trees, and what is refused because the two do not fit. */
#include <math.h>
#include <unistd.h>

#include "io/stream.h"
#include "train/treebank.h"
#include "unit.h"

enum { TREES = 40, LAYERS = 2, DIM = 3, EDIT = 5 };

static char folder[] = "/tmp/test_embeddings.XXXXXX", trees[64], stream[64];

/* What a stream has that does not fit: of sentence EDIT, where nothing else is said. */
typedef struct wrong {
	int rows, layers, dim, rank, edus, shift; /* added to what is right; SHIFT to the first end */
	bool no_x, whole_x, no_ends, not_finite;
	int sentences; /* more or less of them */
	const char *task, *error;
	size_t cut; /* bytes cut off at the end */
} wrong;

/* Sentence I: i + 2 words, the first one "wI"; every third one is a single EDU, the others have two, the first of which
 * is the first word. */
static bool single(int i)
{
	return i % 3 == 2;
}

static void write_trees(void)
{
	FILE *f = fopen(trees, "w");

	assert_non_null(f);
	for (int i = 0; i < TREES; i++) {
		if (single(i))
			fprintf(f, "( Root (leaf 1) (text _!w%d", i);
		else
			fprintf(f,
			        "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par Joint) (text _!w%d_!) )\n"
			        "( Nucleus (leaf 2) (rel2par Joint) (text _!b",
			        i);
		for (int w = single(i) ? 0 : 1; w <= i; w++)
			fputs(" b", f);
		fputs(single(i) ? "_!) )\n\n" : "_!) ) )\n\n", f);
	}
	assert_int_equal(fclose(f), 0);
}

static void write_sentence(hp_stream_writer *w, int i, const wrong *odd)
{
	static float x[4096];
	hp_st_writer *record = hp_stream_record(w);
	int64_t shape[4] = {LAYERS, i + 2, DIM, 1}, edus = single(i) ? 1 : 2;
	int32_t ends[3] = {single(i) ? i + 1 : 0, i + 1, i + 1};
	bool whole = false;
	int rank = 3;
	hp_error err;

	if (i == EDIT) {
		shape[0] += odd->layers;
		shape[1] += odd->rows;
		shape[2] += odd->dim;
		rank += odd->rank;
		edus += odd->edus;
		ends[0] += odd->shift;
		whole = odd->whole_x;
	}
	/* The first number tells the sentence. */
	for (size_t k = 0; k < sizeof x / sizeof *x; k++)
		x[k] = (float)i;
	if (odd->not_finite && i == EDIT)
		x[4] = NAN;
	if (!(odd->no_x && i == EDIT))
		assert_int_equal(
			hp_st_writer_tensor(record, "x", whole ? HP_I32 : HP_F32, rank, rank == 2 ? shape + 1 : shape, x, &err), 0);
	if (!odd->no_ends)
		assert_int_equal(hp_st_writer_tensor(record, "ends", HP_I32, 1, &edus, ends, &err), 0);
	assert_int_equal(hp_stream_write_record(w, NULL, NULL, &err), 0);
}

static void write_stream(const wrong *odd)
{
	const char *key = "task";
	FILE *f = fopen(stream, "w");
	hp_stream_writer *w;
	hp_error err;

	assert_non_null(f);
	assert_int_equal(hp_stream_writer_new(f, stream, &w, &err), 0);
	assert_int_equal(hp_stream_write_first(w, odd->task != NULL, &key, &odd->task, &err), 0);
	for (int i = 0; i < TREES + odd->sentences; i++)
		write_sentence(w, i, odd);
	assert_int_equal(hp_stream_write_last(w, odd->error, NULL, &err), 0);
	hp_stream_writer_destroy(w);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(ftruncate(fileno(f), ftell(f) - (long)odd->cut), 0);
	assert_int_equal(fclose(f), 0);
}

/* Each sentence has the embeddings that were written for it. */
static void check_bank(const hp_treebank *t, bool *seen)
{
	assert_int_equal(t->layers, LAYERS);
	assert_int_equal(t->dim, DIM);
	for (int i = 0; i < t->count; i++) {
		int number = atoi(t->sent[i].word[0].col[HP_FORM] + 1);

		assert_false(seen[number]);
		seen[number] = true;
		assert_int_equal(t->sent[i].words, number + 2);
		for (int k = 0; k < LAYERS * (number + 2) * DIM; k++)
			assert_true(t->x[i][k] == (float)number);
	}
}

/* NAME: of the stream; NULL: none. */
static int read_bank(const char *name, hp_treebank *t, hp_error *err)
{
	const char *const banks[] = {trees, NULL}, *const streams[] = {name, NULL};

	return hp_treebank_read_rst(&(hp_bank_files){.trees = banks, .streams = name ? streams : NULL}, 0, 100, t, err);
}

TEST(hold_out)
{
	static const wrong variants[] = {{.cut = 0}, {.no_ends = true}, {.task = "rst"}};

	for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
		bool seen[TREES] = {false};
		hp_treebank t, dev;
		hp_error err;

		write_stream(&variants[v]);
		assert_int_equal(read_bank(stream, &t, &err), 0);
		assert_int_equal(t.count, 27);
		assert_int_equal(hp_treebank_hold_out(&t, "bank", v, &dev, &err), 0);
		assert_int_equal(dev.count, 2);
		check_bank(&t, seen);
		check_bank(&dev, seen);
		for (int i = 0; i < TREES; i++)
			assert_int_equal(seen[i], !single(i));
		hp_treebank_free(&dev);
		hp_treebank_free(&t);
	}
}

static uint64_t hash_of(const wrong *odd)
{
	hp_treebank t;
	hp_error err;

	write_stream(odd);
	assert_int_equal(read_bank(stream, &t, &err), 0);
	uint64_t hash = t.hash;
	hp_treebank_free(&t);
	return hash;
}

/* A checkpoint must not go on with other embeddings. */
TEST(hash)
{
	static const wrong same = {.no_ends = true};
	wrong none = {.cut = 0};
	hp_treebank t;
	hp_error err;

	assert_int_equal(read_bank(NULL, &t, &err), 0);
	assert_int_equal(t.layers, 0);
	assert_true(hash_of(&none) == hash_of(&same));
	assert_true(hash_of(&none) != t.hash);
	hp_treebank_free(&t);
}

TEST(refused)
{
	/* A single EDU takes two lines, two EDUs take three.  Before tree 6 (7 words, a single EDU) are 4 of the latter, before
	 * tree 40 are 26. */
	static const struct {
		wrong odd;
		const char *message;
	} cases[] = {
		{{.rows = 1}, "STREAM: sentence 6: `x` is of 8 words, the tree at TREES:15 has 7"},
		{{.layers = 1}, "STREAM: sentence 6: `x` has 3 layers of 3 numbers a word, in the sentences before 2 of 3"},
		{{.dim = -1}, "STREAM: sentence 6: `x` has 2 layers of 2 numbers a word, in the sentences before 2 of 3"},
		{{.rank = -1}, "STREAM: sentence 6: `x` has 1 layers of 3 numbers a word, in the sentences before 2 of 3"},
		{{.rank = 1}, "STREAM: sentence 6: `x` has 4 dimensions, expected words by width or layers by words by width"},
		{{.rank = -2}, "STREAM: sentence 6: `x` has 1 dimensions, expected words by width or layers by words by width"},
		{{.edus = 1}, "STREAM: sentence 6: `ends` has 2 EDUs, the tree at TREES:15 has 1"},
		{{.shift = -1}, "STREAM: sentence 6: `ends` lets EDU 1 end with word 5, in the tree at TREES:15 it is word 6"},
		{{.no_x = true}, "STREAM: sentence 6: a record without `x`, where TREES:15 has a tree"},
		{{.whole_x = true}, "STREAM: sentence 6: `x` is I32, expected F32"},
		{{.not_finite = true}, "STREAM: sentence 6: `x` holds a value that is not finite or beyond 1e+09"},
		{{.sentences = -1}, "STREAM: 39 sentences, but TREES has more: none for the tree at TREES:105"},
		{{.sentences = 1}, "STREAM: sentence 41: TREES has 40 trees only"},
		{{.sentences = -40}, "STREAM: 0 sentences, but TREES has more: none for the tree at TREES:1"},
		{{.task = "dep"}, "STREAM: a stream for the task 'dep', expected rst"},
		{{.error = "no more disk"}, "STREAM: ended early: no more disk"},
		{{.cut = 3}, "STREAM: record 42: "},
		{{.layers = -2}, "STREAM: sentence 6: `x` has 0 layers of 3 numbers a word"},
	};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		char expected[512] = "";
		hp_treebank t;
		hp_error err;

		for (const char *p = cases[c].message; *p;) {
			bool is_stream = strncmp(p, "STREAM", 6) == 0, is_trees = strncmp(p, "TREES", 5) == 0;
			size_t n = strlen(expected);
			snprintf(expected + n, sizeof expected - n, "%.*s", is_stream || is_trees ? 63 : 1,
			         is_stream  ? stream
			         : is_trees ? trees
			                    : p);
			p += is_stream ? 6 : is_trees ? 5 : 1;
		}
		write_stream(&cases[c].odd);
		assert_int_equal(read_bank(stream, &t, &err), HP_FAIL);
		if (strncmp(err.text, expected, strlen(expected)) != 0)
			fail_msg("case %d:\n\"%s\", expected\n\"%s\"", (int)c, err.text, expected);
		assert_null(strchr(err.text, '\n'));
	}
}

HOOK(begin)
{
	assert_non_null(mkdtemp(folder));
	snprintf(trees, sizeof trees, "%s/trees.dis", folder);
	snprintf(stream, sizeof stream, "%s/stream", folder);
	write_trees();
}

HOOK(end)
{
	unlink(trees);
	unlink(stream);
	assert_int_equal(rmdir(folder), 0);
}
