/* test_input.c: the same bytes however they arrive, and no waiting where none was asked for. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <zlib.h>

#include "io/input.h"
#include "io/sniff.h"
#include "unit.h"

TEST(memory)
{
	const char text[] = "some text";
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;
	bool more;

	assert_int_equal(hp_input_from_memory(text, 9, "mem", &in, &err), 0);
	assert_string_equal(hp_input_name(in), "mem");
	assert_int_equal(hp_input_peek(in, 4, &data, &size, &err), 0);
	assert_int_equal(size, 9);
	assert_ptr_equal(data, text); /* not copied */
	assert_true(hp_input_eof_seen(in));
	assert_false(hp_input_at_end(in));
	hp_input_skip(in, 5);
	assert_int_equal(hp_input_peek(in, 100, &data, &size, &err), 0);
	assert_int_equal(size, 4);
	assert_memory_equal(data, "text", 4);
	hp_input_skip(in, 100);
	assert_true(hp_input_at_end(in));
	assert_int_equal(hp_input_poll(in, &more, &err), 0);
	assert_false(more);
	hp_input_close(in);
	hp_input_close(NULL);
	assert_int_equal(hp_input_from_memory(NULL, 0, "none", &in, &err), 0);
	assert_int_equal(hp_input_peek(in, 1, &data, &size, &err), 0);
	assert_int_equal(size, 0);
	hp_input_close(in);
}

TEST(errors)
{
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;

	assert_int_equal(hp_input_open("/no/such/file", &in, &err), HP_FAIL);
	assert_null(in);
	assert_string_equal(err.text, "/no/such/file: No such file or directory");
	assert_int_equal(hp_input_open("/tmp", &in, &err), 0);
	assert_int_equal(hp_input_peek(in, 1, &data, &size, &err), HP_FAIL);
	assert_string_equal(err.text, "/tmp: Is a directory");
	hp_input_close(in);
}

/* Byte number i of the test's data. */
static char byte_at(size_t i)
{
	return (char)(i * 7 + i / 251 + i / 65536);
}

enum { TOTAL = 3000000 };

/* Writes the data in pieces of all sizes. */
static void *produce(void *arg)
{
	char *bytes = malloc(TOTAL);
	size_t done = 0, piece = 1;

	for (size_t i = 0; i < TOTAL; i++)
		bytes[i] = byte_at(i);
	while (done < TOTAL) {
		size_t n = piece < TOTAL - done ? piece : TOTAL - done;
		ssize_t wrote = write(*(int *)arg, bytes + done, n);

		if (wrote <= 0)
			break;
		done += (size_t)wrote;
		piece = piece * 5 % 99991;
	}
	close(*(int *)arg);
	free(bytes);
	return NULL;
}

static void consume(hp_input *in, bool whole_blocks)
{
	char *out = malloc(400000);
	size_t position = 0, step = 3;
	hp_error err;

	while (!hp_input_at_end(in)) {
		const char *data;
		size_t size;

		step = step * 11 % 300007;
		if (whole_blocks) {
			assert_int_equal(hp_input_read(in, out, step, true, &size, &err), 0);
			assert_true(size == step || hp_input_at_end(in));
			data = out;
		} else {
			assert_int_equal(hp_input_peek(in, step, &data, &size, &err), 0);
			assert_true(size >= step || hp_input_eof_seen(in));
			size = size < step ? size : step;
			hp_input_skip(in, size);
		}
		for (size_t i = 0; i < size; i++)
			if (data[i] != byte_at(position + i))
				fail_msg("byte %zu differs", position + i);
		position += size;
	}
	assert_int_equal(position, TOTAL);
	free(out);
}

TEST(pipe)
{
	for (int blocks = 0; blocks < 2; blocks++) {
		pthread_t producer;
		hp_input *in;
		hp_error err;
		int ends[2];

		assert_int_equal(pipe(ends), 0);
		assert_int_equal(pthread_create(&producer, NULL, produce, &ends[1]), 0);
		assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
		consume(in, blocks);
		pthread_join(producer, NULL);
		hp_input_close(in);
		assert_int_equal(fcntl(ends[0], F_GETFD), 0); /* not closed */
		close(ends[0]);
	}
}

/* Somebody else may have made the pipe non-blocking. */
TEST(nonblocking)
{
	pthread_t producer;
	hp_input *in;
	hp_error err;
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
	assert_int_equal(pthread_create(&producer, NULL, produce, &ends[1]), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	consume(in, false);
	pthread_join(producer, NULL);
	hp_input_close(in);
	close(ends[0]);
}

TEST(poll)
{
	char out[400000];
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;
	int ends[2];
	bool more;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	assert_int_equal(hp_input_poll(in, &more, &err), 0);
	assert_false(more);
	assert_int_equal(hp_input_read(in, out, 10, false, &size, &err), 0);
	assert_int_equal(size, 0);
	assert_int_equal(hp_input_read(in, out, sizeof(out), false, &size, &err), 0); /* past the buffer */
	assert_int_equal(size, 0);
	assert_int_equal(write(ends[1], "abc", 3), 3);
	assert_int_equal(hp_input_poll(in, &more, &err), 0);
	assert_true(more);
	assert_int_equal(hp_input_poll(in, &more, &err), 0);
	assert_false(more);
	assert_int_equal(hp_input_peek(in, 0, &data, &size, &err), 0);
	assert_int_equal(size, 3);
	assert_memory_equal(data, "abc", 3);
	assert_int_equal(write(ends[1], "de", 2), 2);
	assert_int_equal(hp_input_read(in, out, 10, false, &size, &err), 0);
	assert_int_equal(size, 5);
	assert_memory_equal(out, "abcde", 5);
	assert_false(hp_input_eof_seen(in));
	close(ends[1]);
	assert_int_equal(hp_input_poll(in, &more, &err), 0);
	assert_true(more); /* the end is news, once */
	assert_true(hp_input_at_end(in));
	assert_int_equal(hp_input_poll(in, &more, &err), 0);
	assert_false(more);
	hp_input_close(in);
	close(ends[0]);
}

/* A size that the input does not have costs no memory. */
TEST(greedy_peek)
{
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;

	assert_int_equal(hp_input_open("/dev/null", &in, &err), 0);
	assert_int_equal(hp_input_peek(in, SIZE_MAX, &data, &size, &err), 0);
	assert_int_equal(size, 0);
	hp_input_close(in);
}

/* A line of a small table. */
TEST(line)
{
	static const char text[] = "\xEF\xBB\xBF"
							   "a,b\n\nlast\0";
	const char *line;
	hp_input *in;
	hp_error err;
	size_t size;
	char *giant = malloc(3 << 20);

	assert_int_equal(hp_input_from_memory(text, sizeof(text) - 2, "t", &in, &err), 0);
	assert_int_equal(hp_input_line(in, 1, &line, &size, &err), 0);
	assert_int_equal(size, 4);
	assert_memory_equal(line, "a,b\n", 4);
	hp_input_skip(in, size);
	assert_int_equal(hp_input_line(in, 2, &line, &size, &err), 0);
	assert_int_equal(size, 1);
	hp_input_skip(in, size);
	assert_int_equal(hp_input_line(in, 3, &line, &size, &err), 0);
	assert_int_equal(size, 4);
	hp_input_skip(in, size);
	assert_int_equal(hp_input_line(in, 4, &line, &size, &err), 0);
	assert_int_equal(size, 0);
	hp_input_close(in);
	assert_int_equal(hp_input_from_memory(text, sizeof(text) - 1, "t", &in, &err), 0);
	hp_input_skip(in, 8);
	assert_int_equal(hp_input_line(in, 3, &line, &size, &err), HP_FAIL);
	assert_string_equal(err.text, "t:3: a NUL byte, expected text");
	hp_input_close(in);
	memset(giant, 'x', 3 << 20);
	assert_int_equal(hp_input_from_memory(giant, 3 << 20, "t", &in, &err), 0);
	assert_int_equal(hp_input_line(in, 1, &line, &size, &err), HP_FAIL);
	assert_string_equal(err.text, "t:1: a line of more than 1 MiB");
	hp_input_close(in);
	free(giant);
}

/* ---- gzip ---- */

/* Appends a member that holds SIZE bytes at DATA; with FLUSH every piece of that size can be unpacked when it has come.
 * Returns the bytes written to OUT, which has room enough. */
static size_t pack(const char *data, size_t size, size_t flush, char *out)
{
	z_stream z = {0};
	int result = Z_OK;

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_out = (Bytef *)out;
	z.avail_out = 1 << 24;
	for (size_t done = 0; result == Z_OK;) {
		size_t n = flush && flush < size - done ? flush : size - done;

		z.next_in = (z_const Bytef *)data + done;
		z.avail_in = (uInt)n;
		done += n;
		result = deflate(&z, done < size ? Z_SYNC_FLUSH : Z_FINISH);
	}
	assert_int_equal(result, Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

typedef struct packed {
	char *bytes;
	size_t size;
	int fd;
} packed;

static void *produce_packed(void *arg)
{
	const packed *p = arg;
	size_t done = 0, piece = 1;

	while (done < p->size) {
		size_t n = piece < p->size - done ? piece : p->size - done;
		ssize_t wrote = write(p->fd, p->bytes + done, n);

		if (wrote <= 0)
			break;
		done += (size_t)wrote;
		piece = piece * 5 % 9991;
	}
	close(p->fd);
	return NULL;
}

/* Several members, an empty one among them, an empty one last, as bgzip leaves it, and zeros. */
TEST(gzip)
{
	packed p = {.bytes = malloc(1 << 24)};
	char *plain = malloc(TOTAL);
	hp_input *in;
	hp_error err;

	for (size_t i = 0; i < TOTAL; i++)
		plain[i] = byte_at(i);
	p.size = pack(plain, 100, 0, p.bytes);
	p.size += pack("", 0, 0, p.bytes + p.size);
	p.size += pack(plain + 100, TOTAL - 101, 7777, p.bytes + p.size);
	p.size += pack(plain + TOTAL - 1, 1, 0, p.bytes + p.size);
	p.size += pack("", 0, 0, p.bytes + p.size);
	memset(p.bytes + p.size, 0, 1000);
	p.size += 1000;
	for (int i = 0; i < 3; i++) {
		pthread_t producer;
		int ends[2];

		if (i == 2) {
			assert_int_equal(hp_input_from_memory(p.bytes, p.size, "mem", &in, &err), 0);
			consume(in, false);
			hp_input_close(in);
			continue;
		}
		assert_int_equal(pipe(ends), 0);
		p.fd = ends[1];
		assert_int_equal(pthread_create(&producer, NULL, produce_packed, &p), 0);
		assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
		consume(in, i == 1);
		assert_true(hp_input_is_gzip(in));
		pthread_join(producer, NULL);
		hp_input_close(in);
		close(ends[0]);
	}
	free(plain);
	free(p.bytes);
}

/* All that can be read of SIZE bytes, at most 1000; HP_FAIL if that ends in an error. */
static int unpack(const char *bytes, size_t size, char *out, size_t *got, hp_error *err)
{
	const char *data;
	hp_input *in;
	size_t have;
	int status = 0;

	*got = 0;
	assert_int_equal(hp_input_from_memory(bytes, size, "f", &in, err), 0);
	while (status == 0 && !hp_input_at_end(in)) {
		status = hp_input_peek(in, 1, &data, &have, err);
		if (status != 0)
			break;
		assert_true(have <= 1000 - *got);
		memcpy(out + *got, data, have);
		*got += have;
		hp_input_skip(in, have);
	}
	if (status != 0) /* and that stays so */
		assert_int_equal(hp_input_peek(in, 1, &data, &have, err), HP_FAIL);
	hp_input_close(in);
	return status;
}

/* What is right is handed out, then the trouble told. */
TEST(bad_gzip)
{
	const char *text = "Two members, of which the second one suffers.";
	size_t length = strlen(text), first, size, got;
	char bytes[1000], damaged[1000], out[1000];
	hp_error err;

	first = pack(text, length, 0, bytes);
	size = first + pack(text, length, 10, bytes + first);
	for (size_t cut = 3; cut < size; cut++) {
		if (cut == first)
			continue;
		assert_int_equal(unpack(bytes, cut, out, &got, &err), HP_FAIL);
		assert_string_equal(err.text, "f: gzip data that is cut off");
		assert_true(cut < first || got >= length);
		assert_memory_equal(out, text, got < length ? got : length);
	}
	assert_int_equal(unpack(bytes, size, out, &got, &err), 0);
	assert_int_equal(got, 2 * length);
	for (size_t i = first + 20; i < size; i++) { /* behind the header, some of whose bytes mean nothing */
		memcpy(damaged, bytes, size);
		damaged[i] ^= 0x10;
		if (unpack(damaged, size, out, &got, &err) == 0) { /* a bit that only fills up */
			assert_int_equal(got, 2 * length);
			assert_memory_equal(out + length, text, length);
			continue;
		}
		assert_true(got >= length && (strncmp(err.text, "f: damaged gzip data: ", 22) == 0 ||
		                              strcmp(err.text, "f: gzip data that is cut off") == 0 ||
		                              strcmp(err.text, "f: gzip data, and after it other bytes") == 0));
		assert_memory_equal(out, text, length);
	}
	memcpy(bytes + size, "junk", 4);
	assert_int_equal(unpack(bytes, size + 4, out, &got, &err), HP_FAIL);
	assert_string_equal(err.text, "f: gzip data, and after it other bytes");
	assert_int_equal(got, 2 * length);
	assert_int_equal(unpack("\x1F\x8B\x08 and so on, 20 bytes", 29, out, &got, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "f: damaged gzip data: "));
}

static size_t arrives(hp_input *in, int fd, const char *bytes, size_t size)
{
	const char *data;
	hp_error err;
	size_t have;
	bool more;

	if (size > 0)
		assert_int_equal(write(fd, bytes, size), size);
	do
		assert_int_equal(hp_input_poll(in, &more, &err), 0);
	while (more && !hp_input_eof_seen(in));
	assert_int_equal(hp_input_peek(in, 0, &data, &have, &err), 0);
	return have;
}

/* Nothing is waited for: not what follows the first byte, not the rest of a member, not the next one. */
TEST(gzip_poll)
{
	char text[40], bytes[1000];
	size_t size, have = 0;
	const char *data;
	hp_input *in;
	hp_error err;
	int ends[2];

	memset(text, 'a', sizeof(text));
	size = pack(text, 40, 10, bytes);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	for (size_t i = 0; i < size; i++) {
		have = arrives(in, ends[1], bytes + i, 1);
		assert_true(i > 9 || have == 0);
	}
	assert_int_equal(have, 40); /* though no end is in sight */
	assert_false(hp_input_eof_seen(in));
	assert_int_equal(arrives(in, ends[1], bytes, size), 80);
	close(ends[1]);
	assert_int_equal(arrives(in, 0, NULL, 0), 80);
	assert_true(hp_input_eof_seen(in));
	hp_input_close(in);
	close(ends[0]);
	/* Text that only begins like it. */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	assert_int_equal(arrives(in, ends[1], "\x1F", 1), 0);
	assert_int_equal(arrives(in, ends[1], "x", 1), 2);
	assert_int_equal(arrives(in, ends[1], "y", 1), 3);
	close(ends[1]);
	assert_int_equal(hp_input_peek(in, 4, &data, &size, &err), 0);
	assert_int_equal(size, 3);
	assert_memory_equal(data, "\x1Fxy", 3);
	hp_input_close(in);
	close(ends[0]);
	/* And one that ends with it. */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "\x1F\x8B", 2), 2);
	close(ends[1]);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	assert_int_equal(hp_sniff_input(in, "text", &err), HP_FAIL);
	assert_string_equal(err.text, "pipe: gzip data, expected text: unpack it first (gunzip)");
	hp_input_close(in);
	close(ends[0]);
}

/* ---- what it is instead ---- */

TEST(sniff)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *what; /* NULL: nothing that is known */
	} rows[] = {
		{"plain text", 10, NULL},
		{"1\ta\t_\n", 6, NULL},
		{"3 300\na ", 8, NULL},
		{"", 0, NULL},
		{"PK", 2, NULL},
		{"BZh9 is a word", 14, NULL},
		{"a\0", 2, NULL},
		{"<p>", 3, NULL},
		{"\xFD"
	     "7zXZ\0\0\4",
	     8, "xz data, expected it: unpack it first (unxz)"},
		{"BZh91AY&SY\1", 11, "bzip2 data, expected it: unpack it first (bunzip2)"},
		{"\x28\xB5\x2F\xFD\4", 5, "zstd data, expected it: unpack it first (unzstd)"},
		{"\x04\x22\x4D\x18\4", 5, "lz4 data, expected it: unpack it first (unlz4)"},
		{"7z\xBC\xAF\x27\x1C\0", 7, "a 7z archive, expected it: unpack it first (7z x)"},
		{"PK\3\4\x14\0\0\0\x08\0gUgU\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.txt", 35,
	     "a zip archive, expected it: unpack it first (unzip)"},
		{"PK\3\4\x14\0\0\0\x08\0gUgU\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0archive/data.pkl", 46,
	     "a PyTorch file, expected it"},
		{"PK\3\4\x14\0\0\0\x08\0gUgU\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0w.npy", 35, "a NumPy archive, expected it"},
		{"version https://git-lfs.github.com/spec/v1\n", 43,
	     "a Git LFS pointer, not the file itself, expected it: git lfs pull fetches it"},
		{"\xBA\x16\x4F\x2F\x0C\0\0\0", 8, "a fastText binary model, expected it: its .vec file is the text form"},
		{"\x80\4\x95", 3, "a Python pickle, expected it"},
		{"\x89HDF\r\n\x1A\n", 8, "an HDF5 file, expected it"},
		{"\x93NUMPY\1\0", 8, "a NumPy array, expected it"},
		{"%PDF-1.4", 8, "a PDF file, expected it: extract its text (pdftotext)"},
		{"\n<!doctype HTML>", 16, "an HTML page, expected it: is it an error message of a download?"},
		{"<html lang=en>", 14, "an HTML page, expected it: is it an error message of a download?"},
		{"<?xml version=", 14, "XML, expected it: rst-convert reads .rs3 and .rs4"},
		{"\n<rst>", 6, "XML, expected it: rst-convert reads .rs3 and .rs4"},
		{"<rsta>", 6, NULL},
		{"\xFF\xFE"
	     "a\0",
	     4, "UTF-16, expected it: iconv -f UTF-16 -t UTF-8 converts it"},
		{"\xFF\xFE\0\0a\0\0\0", 8, "UTF-32, expected it: iconv -f UTF-32 -t UTF-8 converts it"},
		{"\0\0\xFE\xFF\0\0\0a", 8, "UTF-32, expected it: iconv -f UTF-32 -t UTF-8 converts it"},
		{"a\0b\0", 4, "UTF-16 without its mark, expected it: iconv -f UTF-16LE -t UTF-8 converts it"},
		{"\0a\0b\0", 5, "UTF-16 without its mark, expected it: iconv -f UTF-16BE -t UTF-8 converts it"},
		{"\x20\0\0\0\0\0\0\0{\"w\":", 13,
	     "safetensors data (a model or a tensor stream), expected it: hp-cat shows it"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		hp_error err = {""};
		char expected[200] = "";

		if (rows[i].what)
			snprintf(expected, sizeof(expected), "f: %s", rows[i].what);
		assert_int_equal(hp_sniff(rows[i].bytes, rows[i].size, "f", "it", &err), rows[i].what ? HP_FAIL : 0);
		assert_string_equal(err.text, expected);
	}
}
