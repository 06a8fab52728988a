/* test_stream.c: what was written is read, whatever its pace; every way for a stream to end early is noticed. */
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/stream.h"
#include "unit.h"

typedef struct stream {
	char *bytes;
	size_t size;
	size_t ends[16]; /* where each record ends */
	int records;
} stream;

static void mark(stream *s, FILE *f)
{
	fflush(f);
	s->ends[s->records++] = (size_t)ftell(f);
}

static void put_sentence(hp_stream_writer *w, const char *text, int64_t words)
{
	static const float x[100] = {1, 2, 3, 4, 5};
	const int64_t size = (int64_t)strlen(text), shape[] = {words, 2};
	hp_error err;

	assert_int_equal(hp_st_writer_tensor(hp_stream_record(w), "text", HP_U8, 1, &size, text, &err), 0);
	assert_int_equal(hp_st_writer_tensor(hp_stream_record(w), "x", HP_F32, 2, shape, x, &err), 0);
	assert_int_equal(hp_stream_write_record(w, NULL, NULL, &err), 0);
}

/* First record, three sentences, last record. */
static stream make_stream(const char *error)
{
	static const char *const keys[] = {"stage", "task"}, *const values[] = {"embed", "dep"};
	stream s = {.records = 0};
	FILE *f = open_memstream(&s.bytes, &s.size);
	hp_stream_writer *w;
	hp_error err;

	/* no terminal: open_memstream has no descriptor at all */
	assert_int_equal(hp_stream_writer_new(f, "mem", &w, &err), 0);
	assert_int_equal(hp_stream_write_first(w, 2, keys, values, &err), 0);
	mark(&s, f);
	put_sentence(w, "one", 1);
	mark(&s, f);
	put_sentence(w, "two words", 2);
	mark(&s, f);
	put_sentence(w, "", 0);
	mark(&s, f);
	assert_int_equal(hp_stream_write_last(w, error, NULL, &err), 0);
	mark(&s, f);
	hp_stream_writer_destroy(w);
	fclose(f);
	return s;
}

static void expect_record(hp_stream_reader *r, hp_record_kind expected, hp_safetensors **record)
{
	hp_record_kind kind;
	hp_error err = {""};

	if (hp_stream_read(r, &kind, record, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(kind, expected);
	assert_true((!*record) == (expected == HP_RECORD_END));
}

static void expect(hp_stream_reader *r, hp_record_kind expected)
{
	hp_safetensors *record;

	expect_record(r, expected, &record);
	hp_safetensors_close(record);
}

/* Reads BYTES to the end or the first error; its text is left in ERR ("" if all is well). */
static int read_all(const char *bytes, size_t size, hp_error *err)
{
	hp_record_kind kind = HP_RECORD_FIRST;
	hp_safetensors *record;
	hp_stream_reader *r;
	hp_input *in;
	int status;

	err->text[0] = '\0';
	assert_int_equal(hp_input_from_memory(bytes, size, "IN", &in, err), 0);
	assert_int_equal(hp_stream_reader_new(in, &r, err), 0);
	do {
		status = hp_stream_read(r, &kind, &record, err);
		hp_safetensors_close(record);
	} while (status == 0 && kind != HP_RECORD_END);
	hp_stream_reader_destroy(r);
	hp_input_close(in);
	return status;
}

TEST(round_trip)
{
	stream s = make_stream(NULL);
	const hp_tensor *t;
	hp_safetensors *record;
	hp_stream_reader *r;
	hp_input *in;
	hp_error err;

	for (int i = 0; i < s.records; i++)
		assert_int_equal(s.ends[i] % 8, 0);
	assert_int_equal(hp_input_from_memory(s.bytes, s.size, "IN", &in, &err), 0);
	assert_int_equal(hp_stream_reader_new(in, &r, &err), 0);
	expect_record(r, HP_RECORD_FIRST, &record);
	assert_string_equal(hp_safetensors_meta(record, "hp_stream"), "1");
	assert_string_equal(hp_safetensors_meta(record, "stage"), "embed");
	assert_string_equal(hp_safetensors_meta(record, "task"), "dep");
	hp_safetensors_close(record);
	expect(r, HP_RECORD_SENTENCE);
	expect_record(r, HP_RECORD_SENTENCE, &record);
	assert_string_equal(hp_safetensors_name(record), "IN: record 3");
	t = hp_safetensors_at(record, 0); /* floats first, though added last */
	assert_string_equal(t->name, "x");
	assert_int_equal(t->shape[0], 2);
	assert_true(((const float *)t->data)[3] == 4.0f);
	t = hp_safetensors_find(record, "text");
	assert_int_equal(t->bytes, 9);
	assert_memory_equal(t->data, "two words", 9);
	hp_safetensors_close(record);
	expect(r, HP_RECORD_SENTENCE);
	expect_record(r, HP_RECORD_LAST, &record);
	assert_string_equal(hp_safetensors_meta(record, "sentences"), "3");
	assert_null(hp_record_error(record));
	hp_safetensors_close(record);
	expect(r, HP_RECORD_END);
	hp_stream_reader_destroy(r);
	hp_stream_reader_destroy(NULL);
	hp_input_close(in);
	free(s.bytes);
}

/* Cut off at every byte, at record boundaries too: always noticed. */
TEST(cut_off)
{
	stream s = make_stream(NULL);
	hp_error err;

	for (size_t size = 0; size < s.size; size++)
		if (read_all(s.bytes, size, &err) == 0)
			fail_msg("%zu of %zu bytes were taken for a whole stream", size, s.size);
	assert_int_equal(read_all(s.bytes, 0, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: empty, expected a tensor stream");
	assert_int_equal(read_all(s.bytes, s.ends[2], &err), HP_FAIL);
	assert_string_equal(err.text, "IN: cut off after 2 sentences, expected a last record: the program before has died");
	assert_int_equal(read_all(s.bytes, s.ends[0] + 3, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: record 2: cut off after 3 bytes, expected a header of 8");
	assert_int_equal(read_all(s.bytes, s.ends[1] - 5, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "IN: record 2: cut off after 6 bytes of data, expected 11"));
	assert_int_equal(read_all(s.bytes, s.size, &err), 0);
	free(s.bytes);
}

TEST(upstream_error)
{
	stream s = make_stream("hp-embed: x.conllu:7: bad\xff");
	hp_safetensors *record;
	hp_stream_reader *r;
	hp_input *in;
	hp_error err;

	assert_int_equal(hp_input_from_memory(s.bytes, s.size, "IN", &in, &err), 0);
	assert_int_equal(hp_stream_reader_new(in, &r, &err), 0);
	expect(r, HP_RECORD_FIRST);
	for (int i = 0; i < 3; i++)
		expect(r, HP_RECORD_SENTENCE);
	expect_record(r, HP_RECORD_LAST, &record);
	assert_string_equal(hp_record_error(record), "hp-embed: x.conllu:7: bad\\xFF");
	hp_safetensors_close(record);
	expect(r, HP_RECORD_END);
	hp_stream_reader_destroy(r);
	hp_input_close(in);
	free(s.bytes);
}

/* Record number I of S appended to a copy of streams. */
static void append(stream *to, const stream *s, int i)
{
	size_t begin = i > 0 ? s->ends[i - 1] : 0, size = s->ends[i] - begin;

	to->bytes = realloc(to->bytes, to->size + size);
	memcpy(to->bytes + to->size, s->bytes + begin, size);
	to->size += size;
}

/* Orders of records of make_stream: 0 is the first, 1 to 3 are sentences, 4 is the last. */
TEST(order)
{
	static const struct {
		const char *records, *error;
	} rows[] = {
		{"01234", ""},
		{"0123401234", ""}, /* cat a b */
		{"1234", "IN: record 1: no first record"},
		{"4", "IN: record 1: no first record"},
		{"012341", "IN: record 6: no first record"},
		{"012344", "IN: record 6: no first record"},
		{"0120", "IN: record 4: a first record after 2 sentences"},
		{"01234012", "IN: cut off after 2 sentences"}, /* the second of two has died */
		{"012341234", "IN: record 6: no first record"},
		{"0124", "IN: record 4: the stream had 2 sentences, expected 3"},
		{"012334", "IN: record 6: the stream had 4 sentences, expected 3"},
		{"04", "IN: record 2: the stream had 0 sentences, expected 3"},
	};
	stream s = make_stream(NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		stream t = {NULL, 0, {0}, 0};
		hp_error err;

		for (const char *c = rows[i].records; *c; c++)
			append(&t, &s, *c - '0');
		assert_int_equal(read_all(t.bytes, t.size, &err), *rows[i].error ? HP_FAIL : 0);
		if (strncmp(err.text, rows[i].error, strlen(rows[i].error)) != 0)
			fail_msg("%s: '%s', expected '%s'", rows[i].records, err.text, rows[i].error);
		free(t.bytes);
	}
	free(s.bytes);
}

/* Reads records given as headers without data. */
static int read_headers(const char *const *headers, hp_error *err)
{
	char bytes[1000];
	size_t size = 0;

	for (; *headers; headers++) {
		uint64_t length = strlen(*headers);

		memcpy(bytes + size, &length, 8);
		memcpy(bytes + size + 8, *headers, length);
		size += 8 + length;
	}
	return read_all(bytes, size, err);
}

#define META(pairs) "{\"__metadata__\":{" pairs "}}"

TEST(foreign)
{
	static const char *const good[] = {META("\"hp_stream\":\"1\""), META("\"comment\":\"no tensors\""),
	                                   META("\"end\":\"1\",\"sentences\":\"1\""), NULL};
	static const char *const version[] = {META("\"hp_stream\":\"2\""), NULL};
	static const char *const number[] = {META("\"hp_stream\":\"1\""), META("\"end\":\"1\",\"sentences\":\"0x\""), NULL};
	static const char *const none[] = {META("\"hp_stream\":\"1\""), META("\"end\":\"1\""), NULL};
	static const char *const other[] = {META("\"comment\":\"no stream\""), NULL};
	static const char *const model[] = {META("\"model_id\":\"m\""), NULL};
	hp_error err;

	assert_int_equal(read_headers(good, &err), 0);
	assert_int_equal(read_headers(version, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: record 1: stream version '2', expected 1");
	assert_int_equal(read_headers(number, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: record 2: sentences is '0x', expected a number");
	assert_int_equal(read_headers(none, &err), HP_FAIL);
	assert_int_equal(read_headers(model, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: a model, expected a tensor stream");
	assert_int_equal(read_headers(other, &err), HP_FAIL);
	assert_string_equal(err.text,
	                    "IN: record 1: no first record of a tensor stream (metadata 'hp_stream' and no tensors)");
	assert_int_equal(read_all("PK\3\4\x14\0\0\0\0\0", 10, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: a zip archive, expected a tensor stream: unpack it first (unzip)");
	assert_int_equal(read_all("# sent_id = 1\n1\tWords\n", 22, &err), HP_FAIL);
	assert_non_null(strstr(err.text, "IN: record 1: text, expected safetensors data"));
}

/* A header may promise more than there is: that must be found out without allocating it. */
TEST(lying_length)
{
	static const char header[] =
		"{\"x\":{\"dtype\":\"U8\",\"shape\":[1000000000000],\"data_offsets\":[0,1000000000000]}}";
	uint64_t length = sizeof(header) - 1;
	char bytes[200];
	struct rusage before, after;
	hp_error err;

	memcpy(bytes, &length, 8);
	memcpy(bytes + 8, header, length);
	memcpy(bytes + 8 + length, "short", 5);
	getrusage(RUSAGE_SELF, &before);
	assert_int_equal(read_all(bytes, 8 + length + 5, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: record 1: cut off after 5 bytes of data, expected 1000000000000");
	length = 1000000;
	memcpy(bytes, &length, 8);
	assert_int_equal(read_all(bytes, 100, &err), HP_FAIL);
	assert_string_equal(err.text, "IN: record 1: cut off after 100 bytes, expected a header of 1000008");
	length = 1000001;
	memcpy(bytes, &length, 8);
	assert_int_equal(read_all(bytes, 100, &err), HP_FAIL);
	assert_string_equal(err.text,
	                    "IN: record 1: a header of 1000001 bytes, expected at most 1000000 in a tensor stream");
	getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 20000); /* kilobytes */
}

/* Written byte by byte into a pipe: ready exactly when a record is whole. */
TEST(ready)
{
	stream s = make_stream(NULL);
	hp_stream_reader *r;
	hp_input *in;
	hp_error err;
	int ends[2], record = 0;
	bool ready;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	assert_int_equal(hp_stream_reader_new(in, &r, &err), 0);
	for (size_t i = 0; i < s.size; i++) {
		assert_int_equal(hp_stream_ready(r, &ready, &err), 0);
		assert_false(ready);
		assert_int_equal(write(ends[1], s.bytes + i, 1), 1);
		if (i + 1 < s.ends[record])
			continue;
		assert_int_equal(hp_stream_ready(r, &ready, &err), 0);
		assert_true(ready);
		expect(r, record == 0 ? HP_RECORD_FIRST : record == 4 ? HP_RECORD_LAST : HP_RECORD_SENTENCE);
		record++;
	}
	assert_int_equal(hp_stream_ready(r, &ready, &err), 0);
	assert_false(ready); /* another stream may follow */
	close(ends[1]);
	assert_int_equal(hp_stream_ready(r, &ready, &err), 0);
	assert_true(ready);
	expect(r, HP_RECORD_END);
	hp_stream_reader_destroy(r);
	hp_input_close(in);
	close(ends[0]);
	free(s.bytes);
}

/* Errors too are something not to wait for. */
TEST(ready_error)
{
	hp_record_kind kind;
	hp_safetensors *record;
	hp_stream_reader *r;
	hp_input *in;
	hp_error err;
	int ends[2];
	bool ready;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	assert_int_equal(hp_stream_reader_new(in, &r, &err), 0);
	assert_int_equal(write(ends[1], "no stream", 9), 9); /* and more may come */
	assert_int_equal(hp_stream_ready(r, &ready, &err), 0);
	assert_true(ready);
	assert_int_equal(hp_stream_read(r, &kind, &record, &err), HP_FAIL);
	assert_null(record);
	assert_non_null(strstr(err.text, "pipe: record 1: text, expected safetensors data"));
	assert_int_equal(hp_stream_read(r, &kind, &record, &err), HP_FAIL); /* it stays so */
	hp_stream_reader_destroy(r);
	hp_input_close(in);
	close(ends[0]);
	close(ends[1]);
}

/* Tensors and metadata that a stage does not know go on; what it adds or drops does not. */
TEST(pass_on)
{
	static const char *const drop[] = {"x", "secret", NULL};
	const float h[] = {7, 8};
	const int64_t two = 2, three = 3;
	hp_st_writer *up = hp_st_writer_new();
	stream s = {.records = 0};
	FILE *f = open_memstream(&s.bytes, &s.size);
	hp_safetensors *upstream, *record;
	hp_stream_writer *w;
	char *image;
	size_t size;
	hp_error err;
	FILE *g = open_memstream(&image, &size);

	assert_int_equal(hp_st_writer_tensor(up, "x", HP_F32, 1, &two, h, &err), 0);
	assert_int_equal(hp_st_writer_tensor(up, "mine", HP_I8, 1, &three, "\1\2\3", &err), 0);
	assert_int_equal(hp_st_writer_tensor(up, "h", HP_I8, 1, &three, "\1\2\3", &err), 0);
	assert_int_equal(hp_st_writer_tensor(up, "text", HP_U8, 1, &three, "abc", &err), 0);
	assert_int_equal(hp_st_writer_meta(up, "note", "kept", &err), 0);
	assert_int_equal(hp_st_writer_meta(up, "mood", "old", &err), 0);
	assert_int_equal(hp_st_writer_meta(up, "secret", "1", &err), 0);
	assert_int_equal(hp_st_writer_write(up, g, "up", &err), 0);
	fclose(g);
	assert_int_equal(hp_safetensors_parse(image, size, "up", &upstream, &err), 0);

	assert_int_equal(hp_stream_writer_new(f, "mem", &w, &err), 0);
	assert_int_equal(hp_st_writer_tensor(hp_stream_record(w), "h", HP_F32, 1, &two, h, &err), 0);
	assert_int_equal(hp_st_writer_meta(hp_stream_record(w), "mood", "new", &err), 0);
	assert_int_equal(hp_stream_write_record(w, upstream, drop, &err), 0);
	assert_int_equal(hp_stream_flush(w, &err), 0);
	fclose(f);
	assert_int_equal(hp_safetensors_parse(s.bytes, s.size, "out", &record, &err), 0);
	assert_int_equal(hp_safetensors_count(record), 3);
	assert_string_equal(hp_safetensors_at(record, 0)->name, "h");
	assert_memory_equal(hp_safetensors_at(record, 0)->data, h, sizeof(h));
	assert_string_equal(hp_safetensors_at(record, 1)->name, "mine");
	assert_memory_equal(hp_safetensors_at(record, 1)->data, "\1\2\3", 3);
	assert_string_equal(hp_safetensors_at(record, 2)->name, "text");
	assert_string_equal(hp_safetensors_meta(record, "note"), "kept");
	assert_string_equal(hp_safetensors_meta(record, "mood"), "new");
	assert_int_equal(hp_safetensors_meta_count(record), 2);
	hp_safetensors_close(record);
	hp_safetensors_close(upstream);
	free(image);
	free(s.bytes);
	hp_stream_writer_destroy(w);
	hp_st_writer_destroy(up);
}

TEST(detect)
{
	stream s = make_stream(NULL);
	bool is_stream;
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;

	for (size_t begin = 0; begin < s.size; begin = begin == 0 ? s.ends[0] : s.size) {
		assert_int_equal(hp_input_from_memory(s.bytes + begin, s.size - begin, "IN", &in, &err), 0);
		assert_int_equal(hp_stream_detect(in, &is_stream, &err), 0);
		assert_int_equal(is_stream, begin == 0);
		assert_int_equal(hp_input_peek(in, 1, &data, &size, &err), 0);
		assert_int_equal(size, s.size - begin); /* nothing consumed */
		hp_input_close(in);
	}
	assert_int_equal(hp_input_from_memory("text", 4, "IN", &in, &err), 0);
	assert_int_equal(hp_stream_detect(in, &is_stream, &err), 0);
	assert_false(is_stream);
	hp_input_close(in);
	free(s.bytes);
}

TEST(write_errors)
{
	FILE *full = fopen("/dev/full", "w");
	hp_stream_writer *w;
	hp_error err;

	assert_int_equal(hp_stream_writer_new(full, "out", &w, &err), 0);
	assert_int_equal(hp_stream_write_first(w, 0, NULL, NULL, &err), 0); /* still in the buffer */
	assert_int_equal(hp_stream_flush(w, &err), HP_FAIL);
	assert_string_equal(err.text, "out: No space left on device");
	hp_stream_writer_destroy(w);
	hp_stream_writer_destroy(NULL);
	fclose(full);
}

/* A header of {"__metadata__":{"hp_stream":"1","note":"aaa"}} is 44 bytes and the note. */
TEST(longest_header)
{
	enum { MOST = 1000000 - 44 };
	static char note[MOST + 2];
	const char *key = "note", *value = note;
	hp_stream_writer *w;
	char *bytes;
	size_t size;
	hp_error err;

	memset(note, 'a', MOST);
	for (int more = 0; more < 2; more++, note[MOST] = 'a') {
		FILE *f = open_memstream(&bytes, &size);

		assert_int_equal(hp_stream_writer_new(f, "out", &w, &err), 0);
		assert_int_equal(hp_stream_write_first(w, 1, &key, &value, &err), more ? HP_FAIL : 0);
		if (more)
			assert_string_equal(err.text, "out: the header would be 1000008 bytes, at most 1000000 are allowed");
		else
			assert_int_equal(hp_stream_write_last(w, NULL, NULL, &err), 0);
		fclose(f);
		hp_stream_writer_destroy(w);
		if (!more)
			assert_int_equal(read_all(bytes, size, &err), 0);
		free(bytes);
	}
}

TEST(terminal)
{
	int controller = posix_openpt(O_RDWR | O_NOCTTY), fd;
	hp_stream_writer *w;
	hp_error err;
	FILE *f;

	if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0)
		return; /* no pseudo-terminals here; cmocka's skip() counts as a failure in TAP */
	fd = open(ptsname(controller), O_RDWR | O_NOCTTY);
	f = fdopen(fd, "w");
	assert_non_null(f);
	assert_int_equal(hp_stream_writer_new(f, "<stdout>", &w, &err), HP_FAIL);
	assert_null(w);
	assert_string_equal(err.text, "<stdout>: a binary stream is never written to a terminal; hp-cat shows it");
	fclose(f);
	close(controller);
}
