/* test_corpus.c: treebank to vocabularies to numbers, and what training hides. */
#include <unistd.h>

#include "train/hide.h"
#include "unit.h"

/* Words in lower case: the 3 times, dog and cat twice, saw and é once.  é is written as e + U+0301 once. */
static const char train_text[] = "# a comment\n"
								 "1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n"
								 "2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
								 "3\tsaw\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n"
								 "4\tthe\t_\tDET\tDT\t_\t5\tdet\t_\t_\n"
								 "5\tcat\t_\tNOUN\tNN\t_\t3\tobj\t_\t_\n"
								 "\n"
								 "# only a comment\n"
								 "\n"
								 "1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n"
								 "2\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
								 "3\tdog\t_\t_\tNN\t_\t2\tdep\t_\t_\n"
								 "4\te\xcc\x81\t_\tX\tFW\t_\t2\tdep\t_\t_\n"
								 "\n";
static const char dev_text[] = "1\tTHE\t_\tDET\tDT\t_\t2\tdet\t_\t_\n"
							   "2\tbird\t_\tPROPN\tNN\t_\t0\troot\t_\t_\n"
							   "3\t\xc3\xa9\t_\t_\tNN\t_\t2\tflat\t_\t_\n"
							   "4\txyz\t_\t_\tNN\t_\t2\tdep\t_\t_\n";
static const char vector_text[] = "the 1 2\nBird 9 9\nbird 3 4\nfish 5 6\ncat 7 8\nwhale 0 0\n";

static char *put(const char *text)
{
	char *name = strdup("/tmp/test_corpus.XXXXXX");
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return name;
}

static int read_bank(const char *text, hp_treebank *t, hp_error *err)
{
	char *name = put(text);
	int status = hp_treebank_read(&(hp_bank_files){.trees = (const char *const[]){name, NULL}}, 100, t, err);

	unlink(name);
	free(name);
	return status;
}

static void fill(hp_lexicon *lex, hp_hyper *h, hp_treebank *train)
{
	hp_error err;

	hp_hyper_init(h);
	h->word_dim = 2;
	assert_int_equal(read_bank(train_text, train, &err), 0);
	assert_int_equal(hp_lexicon_build(train, h, lex, &err), 0);
}

static const char *at(const hp_vocab *v, int id)
{
	size_t size;

	return hp_vocab_at(v, id, &size);
}

TEST(vocabularies)
{
	static const char *const words[] = {"<root>", "<unk>", "the", "cat", "dog", "saw", "\xc3\xa9"};
	static const char *const tags[] = {"<root>", "<unk>", "DET", "NOUN", "VERB", "X"};
	static const char *const labels[] = {"det", "dep", "root", "nsubj", "obj"};
	hp_treebank t;
	hp_lexicon lex;
	hp_hyper h;

	fill(&lex, &h, &t);
	assert_int_equal(t.count, 2);
	assert_int_equal(t.words, 9);
	assert_int_equal(hp_vocab_count(lex.words), 7);
	for (int i = 0; i < 7; i++)
		assert_string_equal(at(lex.words, i), words[i]);
	assert_int_equal(lex.word_count[2], 3);
	assert_int_equal(lex.word_count[3], 2);
	assert_int_equal(lex.word_count[5], 1);
	assert_int_equal(hp_vocab_count(lex.tags), 6);
	for (int i = 0; i < 6; i++)
		assert_string_equal(at(lex.tags, i), tags[i]);
	assert_int_equal(hp_vocab_count(lex.labels), 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(at(lex.labels, i), labels[i]);
	/* Seen once only, and so unknown: s, w, n ... and the combining accent. */
	assert_true(hp_vocab_find(lex.chars, "t", 1) < 0 || lex.char_count[hp_vocab_find(lex.chars, "t", 1)] >= 2);
	assert_int_equal(hp_vocab_find(lex.chars, "w", 1), -1);
	assert_int_equal(hp_vocab_find(lex.chars, "\xcc\x81", 2), -1);
	assert_int_equal(lex.char_count[hp_vocab_find(lex.chars, "e", 1)], 4);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
}

/* "_" is no label, and no tag, unless there is nothing else. */
TEST(open_labels)
{
	static const char some[] =
		"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n3\tc\t_\tY\t_\tA=b\t1\tdep\t_\t_\n",
					  none[] = "1\ta\t_\t_\t_\t_\t0\t_\n2\tb\t_\t_\t_\t_\t1\t_\n";
	hp_treebank t;
	hp_lexicon lex;
	hp_corpus c;
	hp_hyper h;
	hp_error err;

	hp_hyper_init(&h);
	h.auxiliary_tags = 1;
	assert_int_equal(read_bank(some, &t, &err), 0);
	assert_int_equal(t.open, 1);
	assert_int_equal(hp_lexicon_build(&t, &h, &lex, &err), 0);
	assert_int_equal(hp_vocab_count(lex.labels), 2);
	assert_int_equal(hp_vocab_find(lex.labels, "_", 1), -1);
	assert_int_equal(hp_vocab_count(lex.tagging[0]), 2);
	assert_int_equal(hp_vocab_count(lex.tagging[1]), 1); /* no word has an XPOS */
	assert_int_equal(hp_vocab_count(lex.tagging[2]), 2); /* no features, too, are something to learn */
	assert_int_equal(hp_corpus_number(&lex, &t, &c, &err), 0);
	assert_int_equal(c.sample[0].labels[2], -1);
	assert_int_equal(c.sample[0].tagging[0][2], -1);
	assert_true(c.sample[0].labels[1] >= 0 && c.sample[0].labels[3] >= 0 && c.sample[0].tagging[2][2] >= 0);
	hp_corpus_free(&c);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
	assert_int_equal(read_bank(none, &t, &err), 0);
	assert_int_equal(t.open, 2);
	assert_int_equal(hp_lexicon_build(&t, &h, &lex, &err), 0);
	assert_int_equal(hp_vocab_count(lex.labels), 1);
	assert_int_equal(hp_vocab_find(lex.labels, "_", 1), 0);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
	assert_true(hp_label_is_open("_", 1) && hp_label_is_open("__SN", 4));
	assert_false(hp_label_is_open("a", 1) || hp_label_is_open("__XX", 4) || hp_label_is_open("__", 2));
}

static void read_vectors(hp_lexicon *lex, const hp_hyper *h)
{
	char *name = put(vector_text);
	hp_vectors_skipped skipped;
	hp_error err;

	assert_int_equal(hp_lexicon_read_vectors(lex, name, h, &skipped, &err), 0);
	unlink(name);
	free(name);
}

TEST(vectors_and_numbers)
{
	hp_treebank t, d;
	hp_lexicon lex;
	hp_corpus c;
	hp_hyper h;
	hp_error err;

	fill(&lex, &h, &t);
	read_vectors(&lex, &h);
	/* "Bird" would never be looked up in lower case. */
	assert_int_equal(hp_vocab_count(lex.vectors.words), 5);
	assert_int_equal(read_bank(dev_text, &d, &err), 0);
	assert_int_equal(hp_corpus_number(&lex, &d, &c, &err), 0);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.tokens[0].n, 5);
	static const int32_t words[] = {HP_ID_ROOT, 2, HP_ID_UNKNOWN, 6, HP_ID_UNKNOWN};
	static const int32_t heads[] = {0, 2, 0, 2, 2};
	static const int32_t labels[] = {-1, 0, 2, -1, 1};
	static const int32_t tags[] = {HP_ID_ROOT, 2, HP_ID_UNKNOWN, HP_ID_UNKNOWN, HP_ID_UNKNOWN};
	assert_memory_equal(c.tokens[0].words, words, sizeof words);
	assert_memory_equal(c.sample[0].tree, heads, sizeof heads);
	assert_memory_equal(c.sample[0].labels, labels, sizeof labels);
	assert_memory_equal(c.tokens[0].pos, tags, sizeof tags);
	assert_int_equal(c.tokens[0].vectors[0], -1);
	assert_string_equal(at(lex.vectors.words, c.tokens[0].vectors[1]), "the");
	assert_string_equal(at(lex.vectors.words, c.tokens[0].vectors[2]), "bird");
	assert_int_equal(c.tokens[0].vectors[3], -1);
	assert_int_equal(c.tokens[0].vectors[4], -1);
	assert_true(lex.vectors.values[2 * c.tokens[0].vectors[2]] == 3.0f);
	hp_corpus_free(&c);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
	hp_treebank_free(&d);
}

/* The limit counts words that training does not have. */
TEST(vector_limit)
{
	hp_treebank t;
	hp_lexicon lex;
	hp_hyper h;

	fill(&lex, &h, &t);
	h.vector_limit = 1;
	read_vectors(&lex, &h);
	assert_int_equal(hp_vocab_count(lex.vectors.words), 3);
	assert_true(hp_vocab_find(lex.vectors.words, "bird", 4) >= 0);
	assert_true(hp_vocab_find(lex.vectors.words, "cat", 3) >= 0);
	assert_int_equal(hp_vocab_find(lex.vectors.words, "fish", 4), -1);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
}

TEST(vector_width)
{
	char *name = put(vector_text);
	hp_treebank t;
	hp_lexicon lex;
	hp_hyper h;
	hp_error err;
	hp_vectors_skipped skipped;

	fill(&lex, &h, &t);
	h.word_dim = 3;
	assert_int_equal(hp_lexicon_read_vectors(&lex, name, &h, &skipped, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "word_dim is 3"));
	unlink(name);
	free(name);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
}

TEST(broken_treebanks)
{
	static const struct {
		const char *text;
		int line; /* 0: none */
	} bad[] = {
		{"", 0},
		{"# nothing\n\n", 0},
		{"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n", 3},
		{"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n", 2},
		{"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", 1},
		{"1\ta\t_\t_\t_\t_\t0\troot\t_\n", 1},
	};
	char place[32];
	hp_treebank t;
	hp_error err;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(read_bank(bad[i].text, &t, &err), HP_FAIL);
		snprintf(place, sizeof place, ":%d: ", bad[i].line);
		if (bad[i].line)
			assert_non_null(strstr(err.text, place));
	}
}

/* ---- noise ---- */

/* Rare things are hidden with probability rate / (rate + count), never the root; fixed vectors, heads stay. */
TEST(noise)
{
	enum { RUNS = 20000 };
	int hidden[6] = {0}, chars = 0, tags = 0, all = 0;
	hp_arena *arena = hp_arena_new();
	hp_treebank t;
	hp_lexicon lex;
	hp_corpus c;
	hp_hyper h;
	hp_rng rng;

	fill(&lex, &h, &t);
	h.unknown_rate = 0.5f;
	h.tag_drop = 0.2f;
	h.tag_noise = 0;
	read_vectors(&lex, &h);
	assert_int_equal(hp_corpus_number(&lex, &t, &c, NULL), 0);
	hp_rng_seed(&rng, 5, 0);
	for (int i = 0; i < RUNS; i++) {
		hp_tokens out;
		hp_arena_mark mark = hp_arena_save(arena);
		assert_int_equal(hp_hide(&lex, &h, &rng, arena, &c.tokens[0], &out, NULL), 0);
		for (int w = 0; w < 6; w++)
			hidden[w] += out.words[w] == HP_ID_UNKNOWN;
		chars += out.chars[3] == HP_ID_UNKNOWN; /* e of "The" */
		tags += out.pos[1] == HP_ID_UNKNOWN;
		all += out.pos[1] == HP_ID_UNKNOWN && out.pos[2] == HP_ID_UNKNOWN && out.pos[5] == HP_ID_UNKNOWN;
		assert_ptr_equal(out.vectors, c.tokens[0].vectors);
		assert_int_equal(out.pos[0], HP_ID_ROOT);
		assert_int_equal(out.chars[0], HP_ID_ROOT);
		hp_arena_restore(arena, mark);
	}
	assert_int_equal(hidden[0], 0);
	assert_in_range(hidden[1], RUNS / 7.0 * 0.93, RUNS / 7.0 * 1.07); /* the: 0.5 / 3.5 */
	assert_in_range(hidden[2], RUNS / 5.0 * 0.93, RUNS / 5.0 * 1.07); /* dog: 0.5 / 2.5 */
	assert_in_range(hidden[3], RUNS / 3.0 * 0.93, RUNS / 3.0 * 1.07); /* saw: 0.5 / 1.5 */
	assert_in_range(chars, RUNS / 9.0 * 0.93, RUNS / 9.0 * 1.07); /* e, 4 times: 0.5 / 4.5 */
	assert_int_equal(tags, all); /* all of a sentence or none */
	assert_in_range(all, RUNS / 5.0 * 0.93, RUNS / 5.0 * 1.07);
	/* Where there is no root, the first word's tag is one like the others. */
	hp_tokens in = c.tokens[0], out;
	in = (hp_tokens){.n = in.n - 1,
	                 .words = in.words + 1,
	                 .pos = in.pos + 1,
	                 .chars = in.chars + 1,
	                 .char_lengths = in.char_lengths + 1};
	h.tag_drop = 1;
	assert_int_equal(hp_hide(&lex, &h, &rng, arena, &in, &out, NULL), 0);
	assert_int_not_equal(in.pos[0], HP_ID_UNKNOWN);
	for (int w = 0; w < out.n; w++)
		assert_int_equal(out.pos[w], HP_ID_UNKNOWN);
	hp_corpus_free(&c);
	hp_lexicon_free(&lex);
	hp_treebank_free(&t);
	hp_arena_destroy(arena);
}
