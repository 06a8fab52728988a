/* test_vectors.c: every form of word vectors, and what trips their readers. */
#include <locale.h>
#include <math.h>
#include <unistd.h>

#include "text/decimal.h"
#include "text/vectors.h"
#include "unit.h"

static hp_vectors got;
static hp_vectors_skipped skipped;
static hp_error error;
static int told; /* numbers of a vector, as the caller knows; 0: unknown */

static int read_bytes(const char *bytes, size_t size, hp_vectors_keep *keep)
{
	hp_input *in;
	int status;

	assert_int_equal(hp_input_from_memory(bytes, size, "v", &in, NULL), 0);
	error.text[0] = '\0';
	status = hp_vectors_read(in, told, keep, NULL, &got, &skipped, &error);
	hp_input_close(in);
	return status;
}

/* TEXT is read as COUNT vectors of DIM; words and values are then asked by has(). */
static void reads(const char *text, int count, int dim)
{
	int status = read_bytes(text, strlen(text), NULL);

	assert_string_equal(error.text, "");
	assert_int_equal(status, 0);
	assert_int_equal(hp_vocab_count(got.words), count);
	assert_int_equal(got.dim, dim);
}

static void has(int id, const char *word, float first, float last)
{
	size_t size;
	const char *at = hp_vocab_at(got.words, id, &size);

	assert_int_equal(size, strlen(word));
	assert_memory_equal(at, word, size);
	assert_true(got.values[id * got.dim] == first);
	assert_true(got.values[(id + 1) * got.dim - 1] == last);
}

static void refuses_bytes(const char *bytes, size_t size, const char *message)
{
	assert_int_equal(read_bytes(bytes, size, NULL), HP_FAIL);
	assert_string_equal(error.text, message);
	assert_null(got.words);
	assert_null(got.values);
}

static void refuses(const char *text, const char *message)
{
	refuses_bytes(text, strlen(text), message);
}

TEST(glove)
{
	reads("the 0.5 -1 2e1\nof 1 2 .25\n", 2, 3);
	has(0, "the", 0.5f, 20);
	has(1, "of", 1, 0.25f);
	hp_vectors_free(&got);
	reads("the 0.5 -1 2e1", 1, 3); /* no newline at the end */
	has(0, "the", 0.5f, 20);
	hp_vectors_free(&got);
	reads("x 1.5\ny 2.5\n", 2, 1);
	has(1, "y", 2.5f, 2.5f);
	hp_vectors_free(&got);
	reads("\xEF\xBB\xBF"
	      "the 1 2\r\nof 3 4\r\n\r\n\n",
	      2, 2); /* byte-order mark, CRLF, empty lines */
	has(0, "the", 1, 2);
	has(1, "of", 3, 4);
	hp_vectors_free(&got);
	reads("a\t1\t2\nb\t3\t4\n", 2, 2);
	has(1, "b", 3, 4);
	hp_vectors_free(&got);
}

TEST(header)
{
	reads("2 3\nthe 1 2 3\nof 4 5 6\n", 2, 3); /* word2vec text */
	has(0, "the", 1, 3);
	has(1, "of", 4, 6);
	hp_vectors_free(&got);
	reads("2 3 \nthe 1 2 3 \nof 4 5 6 \n", 2, 3); /* fastText: trailing blanks */
	has(1, "of", 4, 6);
	hp_vectors_free(&got);
	reads("9 2\nthe 1 2\n", 1, 2); /* cut with head */
	hp_vectors_free(&got);
	reads("1 2\nthe 1 2\nof 3 4\n", 2, 2);
	hp_vectors_free(&got);
	reads("0 2\n", 0, 2);
	hp_vectors_free(&got);
	reads("\xEF\xBB\xBF"
	      "1 2\nthe 1 2\n",
	      1, 2);
	hp_vectors_free(&got);
	/* Two whole numbers are always a header, never a one-dimensional vector of the word "7". */
	reads("7 1\nx 2\n", 1, 1);
	has(0, "x", 2, 2);
	hp_vectors_free(&got);
	reads("7 1.5\n8 2\n", 2, 1);
	has(0, "7", 1.5f, 1.5f);
	has(1, "8", 2, 2);
	hp_vectors_free(&got);
	refuses("2 0\n", "v:1: 0 dimensions, expected 1 to 1000000");
	refuses("2 1000001\n", "v:1: 1000001 dimensions, expected 1 to 1000000");
	refuses("2 3\nthe 1 2\n", "v:2: 2 numbers, expected a word and 3");
	refuses("2 3\n", "v:1: a header without word vectors");
}

TEST(odd_words)
{
	reads(". . . 1 2\nthe 3 4\nfoo at x@y.z 5 6\n", 3, 2);
	has(0, ". . .", 1, 2);
	has(1, "the", 3, 4);
	has(2, "foo at x@y.z", 5, 6);
	hp_vectors_free(&got);
	reads(". . . 1 2", 1, 2); /* nothing but this line tells the dimension */
	has(0, ". . .", 1, 2);
	hp_vectors_free(&got);
	reads("\xC2\xA0 1 2\na\tb 3 4\n\t 5 6\n  7 8\n\xE2\x80\xA8 9 10\n\xC2\x85 11 12\n", 6, 2);
	has(0, "\xC2\xA0", 1, 2); /* a no-break space */
	has(1, "a\tb", 3, 4);
	has(2, "\t", 5, 6);
	has(3, " ", 7, 8);
	has(4, "\xE2\x80\xA8", 9, 10);
	has(5, "\xC2\x85", 11, 12);
	hp_vectors_free(&got);
	reads("42 1 2\n3.14 3 4\nnan 5 6\n-inf 7 8\nx 9 10\n", 5, 2); /* words that look like numbers */
	has(0, "42", 1, 2);
	has(1, "3.14", 3, 4);
	has(2, "nan", 5, 6);
	has(3, "-inf", 7, 8);
	hp_vectors_free(&got);
	reads(" the  1   2 \nof 3 4\n", 2, 2); /* stray blanks */
	has(0, "the", 1, 2);
	hp_vectors_free(&got);
}

TEST(duplicates)
{
	reads("a 1 2\nb 3 4\na 5 6\nA 7 8\n", 3, 2);
	has(0, "a", 1, 2);
	has(1, "b", 3, 4);
	has(2, "A", 7, 8);
	assert_int_equal(skipped.bytes, 0);
	hp_vectors_free(&got);
}

TEST(not_utf8)
{
	reads("a 1 2\nb\xFF 3 4\n\xC3 5 6\nd 7 8\n", 2, 2);
	has(1, "d", 7, 8);
	assert_int_equal(skipped.bytes, 2);
	hp_vectors_free(&got);
}

/* What a word of a line feed, or a line that was cut in two, leaves behind. */
TEST(nameless)
{
	reads("a 1 2 3\n\n 1 2 3\n4 5 6\nb 7 8 9\nc 1 2 3\n", 3, 3);
	has(1, "b", 7, 9);
	assert_int_equal(skipped.nameless, 2);
	assert_int_equal(skipped.bytes, 0);
	hp_vectors_free(&got);
	refuses("2 3\n 1 2 3\n 1 2 3\na 1 2 3\n",
	        "v: of 3 vectors 0 have a word that is not UTF-8 and 2 none, expected words in UTF-8");
	refuses("a 1 2\n\xC4 1 2\n\xD6 1 2\n",
	        "v: of 3 vectors 2 have a word that is not UTF-8 and 0 none, expected words in UTF-8");
}

/* Numbers in words: only where it is known how many numbers follow. */
TEST(numbers_in_words)
{
	static const char text[] = "a 1 2 3\n0800 555 1 2 3\n24 / 7 4 5 6\nb 7 8 9\nc 0 0 0\n";
	char with_header[80];

	refuses(text, "v:2: 4 numbers, expected a word and 3");
	snprintf(with_header, sizeof(with_header), "5 3\n%s", text);
	for (int i = 0; i < 2; i++) {
		told = 3 * i;
		reads(told ? text : with_header, 5, 3);
		has(1, "0800 555", 1, 3);
		has(2, "24 / 7", 4, 6);
		has(3, "b", 7, 9);
		hp_vectors_free(&got);
	}
	told = 4; /* the file says something else: no help */
	refuses(text, "v:2: 4 numbers, expected a word and 3");
	told = 0;
}

TEST(width)
{
	refuses("a 1 2 3\nb 1 2\nc 1 2 3\n", "v:2: 2 numbers, expected a word and 3");
	refuses("a 1 2 3\nb 1 2 3 4\nc 1 2 3\n", "v:2: 4 numbers, expected a word and 3");
	refuses("a 1 2 3\nb 1 2 3\nx\n", "v:3: 0 numbers, expected a word and 3");
	refuses("a 1 2 3\nb 1 2 3\n1 2\n", "v:3: 1 number, expected a word and 3");
	refuses("a 1 2 3\nb 1 2 3\n1 2 3 4 5\n", "v:3: 4 numbers, expected a word and 3");
	refuses("a 1 2 3\nb 1 2\n", "v:2: 2 numbers, expected a word and 3"); /* a tie: the larger */
	refuses("a 1 2\nb 1 2 3\n", "v:1: 2 numbers, expected a word and 3");
}

TEST(numbers)
{
	refuses("a 1 nan\nb 1 2\n", "v:1: \"nan\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a inf 1\nb 1 2\n", "v:1: \"inf\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a 1 nan\n", "v:1: \"nan\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a 1 2\nb 1e39 2\nc 1 2\n", "v:2: \"1e39\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a 1 -2e9\nb 1 2\n", "v:1: \"-2e9\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a 1 2\nb 1 2x\nc 1 2\n", "v:2: \"2x\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a 1 2\nb 0x1 2\nc 1 2\n", "v:2: \"0x1\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("a 1 2\nb 1,5 2\nc 1 2\n", "v:2: \"1,5\" is no number up to 1e9, expected a word and 2 numbers");
	refuses("", "v:1: no word vectors: expected a word and its numbers in each line");
	refuses("\n\n", "v:1: no word vectors: expected a word and its numbers in each line");
	refuses("these are\nno vectors\n", "v:1: no word vectors: expected a word and its numbers in each line");
	refuses("\x1F\x8B\x08", "v: gzip data that is cut off");
	refuses("\xFF\xFE"
	        "a",
	        "v: UTF-16, expected word vectors: iconv -f UTF-16 -t UTF-8 converts it");
	refuses("PK\3\4", "v: a zip archive, expected word vectors: unpack it first (unzip)");
	refuses_bytes("a 1 2\nb\0c 3 4\n", 14, "v:2: a NUL byte, expected text");
	refuses_bytes("a\0 \0"
	              "1\0 \0"
	              "2\0\n\0",
	              12, "v: UTF-16 without its mark, expected word vectors: iconv -f UTF-16LE -t UTF-8 converts it");
}

static bool keep_b(void *arg, const char *word, size_t size)
{
	(void)arg;
	return size == 1 && *word == 'b';
}

TEST(keep)
{
	assert_int_equal(read_bytes("a 1 2\nb 3 4\nc 5 6\n", 18, keep_b), 0);
	assert_int_equal(hp_vocab_count(got.words), 1);
	has(0, "b", 3, 4);
	hp_vectors_free(&got);
	assert_int_equal(read_bytes("a 1 2\nb 3 4\nc x 6\n", 18, keep_b), HP_FAIL); /* a bad line all the same */
}

/* ---- binary ---- */

typedef struct image {
	char bytes[4096];
	size_t size;
} image;

static void put(image *m, const char *word, const char *before, int dim, const float *values)
{
	m->size += (size_t)sprintf(m->bytes + m->size, "%s%s ", before, word);
	memcpy(m->bytes + m->size, values, (size_t)dim * sizeof(float));
	m->size += (size_t)dim * sizeof(float);
}

static const float a[] = {0.1f, 0.2f, 0.3f}, b[] = {-1, 0, 1e-3f};

static image binary(int count, const char *second, const char *between, const char *end)
{
	image m = {.size = 0};

	m.size = (size_t)sprintf(m.bytes, "%d 3\n", count);
	put(&m, "a", "", 3, a);
	put(&m, second, between, 3, b);
	m.size += (size_t)sprintf(m.bytes + m.size, "%s", end);
	return m;
}

TEST(binary)
{
	static const char *const between[] = {"", "\n"}, *const end[] = {"", "\n"};

	for (int i = 0; i < 4; i++) { /* with and without newlines, also at the end */
		image m = binary(2, "bc", between[i % 2], end[i / 2]);

		assert_int_equal(read_bytes(m.bytes, m.size, NULL), 0);
		assert_int_equal(hp_vocab_count(got.words), 2);
		has(0, "a", 0.1f, 0.3f);
		has(1, "bc", -1, 1e-3f);
		hp_vectors_free(&got);
	}
}

TEST(binary_words)
{
	image m = binary(2, "\xFF", "\n", "");

	assert_int_equal(read_bytes(m.bytes, m.size, NULL), 0);
	assert_int_equal(hp_vocab_count(got.words), 1);
	assert_int_equal(skipped.bytes, 1);
	hp_vectors_free(&got);
	m = binary(2, "", "\n", "");
	assert_int_equal(read_bytes(m.bytes, m.size, NULL), 0);
	assert_int_equal(skipped.nameless, 1);
	assert_int_equal(skipped.bytes, 0);
	hp_vectors_free(&got);
	m = binary(2, "a", "\n", "");
	assert_int_equal(read_bytes(m.bytes, m.size, NULL), 0);
	assert_int_equal(hp_vocab_count(got.words), 1);
	has(0, "a", 0.1f, 0.3f);
	hp_vectors_free(&got);
}

TEST(binary_refused)
{
	static const float bad[] = {0.1f, NAN, 0.3f};
	image m = binary(2, "bc", "", "");

	for (size_t size = m.size - 1; size > 4 + 14; size--) /* 4: header; 14: first record */
		refuses_bytes(m.bytes, size, "v: vector 2 of 2 is cut off");
	m = binary(1, "bc", "\n", "");
	refuses_bytes(m.bytes, m.size, "v: more bytes after the last of 1 vectors");
	m.size = (size_t)sprintf(m.bytes, "1 3\n");
	put(&m, "a", "", 3, bad);
	refuses_bytes(m.bytes, m.size, "v: vector 1 of 1 holds something that is no number up to 1e9");
}

/* From a pipe, more than any buffer holds. */
TEST(pipe)
{
	enum { MANY = 30000 };
	int fd[2], status;
	hp_input *in;

	assert_int_equal(pipe(fd), 0);
	if (fork() == 0) {
		FILE *out = fdopen(fd[1], "w");

		close(fd[0]);
		for (int i = 0; i < MANY; i++)
			fprintf(out, "word%d %d 0.25 -3.5\n", i, i);
		fclose(out);
		_exit(0);
	}
	close(fd[1]);
	assert_int_equal(hp_input_from_fd(fd[0], "v", &in, NULL), 0);
	status = hp_vectors_read(in, 0, NULL, NULL, &got, &skipped, &error);
	assert_int_equal(status, 0);
	assert_int_equal(hp_vocab_count(got.words), MANY);
	for (int i = 0; i < MANY; i++)
		assert_true(got.values[3 * i] == (float)i && got.values[3 * i + 2] == -3.5f);
	assert_int_equal(hp_vocab_find(got.words, "word29999", 9), 29999);
	hp_vectors_free(&got);
	hp_input_close(in);
	close(fd[0]);
}

/* ---- numbers ---- */

static void same_as_strtof(const char *s)
{
	float value = -7, expected = strtof(s, NULL);
	const char *end = s + strlen(s);

	assert_ptr_equal(hp_decimal_read(s, end, &value), end);
	if (memcmp(&value, &expected, sizeof(value)) != 0)
		fail_msg("%s: %.9g, expected %.9g", s, (double)value, (double)expected);
}

TEST(decimal)
{
	static const char *const good[] = {
		"0",
		"-0",
		"+0.0",
		"1",
		"-1.5",
		"1.",
		".5",
		"1e3",
		"1E+3",
		"1e-3",
		"0.1",
		"16777217",
		"16777219",
		"9007199254740993",
		"12345678901234567890123",
		"0.00000000000000000000000000001",
		"1e-45",
		"1e-46",
		"3.4028235e38",
		"3.4028236e38",
		"1e400",
		"1.17549435e-38",
		"0.3000000119209289550781249999999",
		"0.3000000119209289550781250000001",
		"1e99999999999",
		"1e-99999999999",
		"0e99999999999",
		"00000000000000000000000000000.5",
		"1.00000017881393432617187499",
		"1.00000017881393432617187500",
		"1.00000017881393432617187501",
		"1000000000000000000000000000000000000000e-39",
	};
	static const char *const bad[] = {
		"", "+", ".", "-.", "e5", "1e", "1e+", "1x", "0x10", "1,5", "--1", "1.2.3", "1 2x", "nano", "infinit",
	};
	float value;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		same_as_strtof(good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *end = bad[i] + strlen(bad[i]);

		if (hp_decimal_read(bad[i], end, &value) == end)
			fail_msg("\"%s\" was taken for a number", bad[i]);
	}
}

TEST(decimal_random)
{
	uint64_t seed = 1;
	char s[64];

	for (int i = 0; i < 300000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint32_t bits = (uint32_t)(seed >> 32);
		float f;
		double d;

		memcpy(&f, &bits, sizeof(f));
		if (!isfinite(f))
			continue;
		snprintf(s, sizeof(s), "%.*g", (int)(seed >> 8 & 15) + 1, (double)f);
		same_as_strtof(s);
		d = ((double)f + (double)nextafterf(f, INFINITY)) / 2; /* halfway, and next to it */
		if (!isfinite(d))
			continue;
		snprintf(s, sizeof(s), "%.17g", d);
		same_as_strtof(s);
		snprintf(s, sizeof(s), "%.6f", (double)(int32_t)bits * 1e-9);
		same_as_strtof(s);
	}
}

/* A decimal comma changes nothing (as far as such a locale is installed). */
TEST(locale)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "it_IT.UTF-8"};
	static const char number[] = "1.50000000000000000000000000001"; /* too long for the fast way */
	bool found = false;
	float value = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !found; i++)
		found = setlocale(LC_ALL, names[i]) != NULL;
	if (!found) {
		print_message("# no locale with a decimal comma here\n");
		return;
	}
	assert_ptr_equal(hp_decimal_read(number, number + strlen(number), &value), number + strlen(number));
	assert_true(value == 1.5f);
	setlocale(LC_ALL, "C");
}
