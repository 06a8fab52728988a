/* test_init.c: what a training takes from the model that it starts from. */
#include <unistd.h>

#include "train/from_model.h"
#include "unit.h"

enum { DIM = 4 };

static char path[] = "/tmp/test_init.XXXXXX";

static hp_vocab *vocab(const char *const *name, int count)
{
	hp_vocab *v = hp_vocab_new();

	assert_non_null(v);
	for (int i = 0; i < count; i++)
		assert_int_equal(hp_vocab_add(v, name[i], strlen(name[i])), i);
	return v;
}

/* A model with the WORDS and a table of ROWS rows of a type, after which MORE follows in the file. */
static void write_typed(const char *words, hp_dtype type, int rows, const void *table, const float *more)
{
	hp_st_writer *w = hp_st_writer_new();
	const int64_t shape[] = {rows, DIM}, size = (int64_t)strlen(words), width = DIM;
	hp_error err;

	assert_int_equal(hp_st_writer_meta(w, "task", "dep", &err), 0);
	assert_int_equal(hp_st_writer_tensor(w, "embed.word", type, 2, shape, table, &err), 0);
	assert_int_equal(hp_st_writer_tensor(w, "more", HP_F32, 1, &width, more, &err), 0);
	assert_int_equal(hp_st_writer_tensor(w, "vocab.word", HP_U8, 1, &size, words, &err), 0);
	assert_int_equal(hp_st_writer_save(w, path, &err), 0);
	hp_st_writer_destroy(w);
}

static void write_model(const char *words, int rows, const float *table, const float *more)
{
	write_typed(words, HP_F32, rows, table, more);
}

/* Whether training takes over the word "known", for which its vectors have VECTOR. */
static bool takes_known(const float *vector)
{
	static const char *const special[] = {HP_ROOT_NAME, HP_UNKNOWN_NAME}, *const known[] = {"known"};
	hp_lexicon lex = {.words = vocab(special, 2), .chars = vocab(special, 2), .labels = vocab(special, 0)};
	hp_from_model *init;
	hp_error err = {""};

	lex.vectors = (hp_vectors){vocab(known, 1), DIM, malloc(DIM * sizeof(float))};
	lex.word_count = calloc(2, sizeof *lex.word_count);
	lex.char_count = calloc(2, sizeof *lex.char_count);
	assert_true(lex.vectors.values && lex.word_count && lex.char_count);
	memcpy(lex.vectors.values, vector, DIM * sizeof(float));
	assert_int_equal(hp_from_model_open(path, &init, &err), 0);
	assert_int_equal(hp_from_model_lexicon(init, &lex, &err), 0);
	bool taken = hp_vocab_find(lex.words, "known", 5) >= 0;
	hp_from_model_close(init);
	hp_lexicon_free(&lex);
	return taken;
}

static const float unknown[DIM] = {1, 2, 3, 4}, vector[DIM] = {0.5f, 0.25f, -1, 8};
static const float both[DIM] = {1.5f, 2.25f, 2, 12}, other[DIM] = {1.5f, 2.25f, 2, 13};

/* The row of a word that only the vectors had is the sum of the unknown word's and its vector. */
TEST(words_of_vectors)
{
	float table[3 * DIM] = {0};

	memcpy(table + DIM, unknown, sizeof unknown);
	memcpy(table + 2 * (size_t)DIM, both, sizeof both);
	write_model(HP_ROOT_NAME "\n" HP_UNKNOWN_NAME "\nknown", 3, table, other);
	assert_false(takes_known(vector));
	memcpy(table + 2 * (size_t)DIM, other, sizeof other);
	write_model(HP_ROOT_NAME "\n" HP_UNKNOWN_NAME "\nknown", 3, table, other);
	assert_true(takes_known(vector));
}

/* A byte a number: of a sum and of the unknown word's number up to a 16th each is lost. */
TEST(words_of_vectors_in_bytes)
{
	static const float small[DIM] = {0.3f, 0.07f, -0.011f, 1.1f}, own[DIM] = {0.9f, -0.33f, 0.05f, 2.3f};
	uint8_t table[3 * DIM] = {0};

	for (int trial = 0; trial < 2; trial++) {
		for (int i = 0; i < DIM; i++) {
			table[DIM + i] = hp_float_to_e4m3(small[i]);
			table[2 * DIM + i] = hp_float_to_e4m3((small[i] + own[i]) * (trial ? 1.2f : 1));
		}
		write_typed(HP_ROOT_NAME "\n" HP_UNKNOWN_NAME "\nknown", HP_F8_E4M3, 3, table, other);
		assert_int_equal(takes_known(own), trial);
	}
}

/* A table of one row has none of an unknown word: what follows it in the file is no part of it. */
TEST(table_without_unknown)
{
	float two[2 * DIM] = {0};

	memcpy(two + DIM, both, sizeof both);
	write_model("known", 1, both, unknown);
	assert_true(takes_known(vector));
	write_model("known", 0, both, unknown);
	assert_true(takes_known(vector));
	write_model(HP_ROOT_NAME "\nknown", 2, two, unknown);
	assert_true(takes_known(vector));
}

HOOK(begin)
{
	assert_int_equal(close(mkstemp(path)), 0);
}

HOOK(end)
{
	assert_int_equal(unlink(path), 0);
}
