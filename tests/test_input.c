/* test_input.c: the same bytes however they arrive, and no waiting where none was asked for. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/input.h"

static void test_memory(void **state)
{
	const char text[] = "some text";
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;
	bool more;

	(void)state;
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

static void test_errors(void **state)
{
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;

	(void)state;
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

static void test_pipe(void **state)
{
	(void)state;
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
static void test_nonblocking(void **state)
{
	pthread_t producer;
	hp_input *in;
	hp_error err;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
	assert_int_equal(pthread_create(&producer, NULL, produce, &ends[1]), 0);
	assert_int_equal(hp_input_from_fd(ends[0], "pipe", &in, &err), 0);
	consume(in, false);
	pthread_join(producer, NULL);
	hp_input_close(in);
	close(ends[0]);
}

static void test_poll(void **state)
{
	char out[400000];
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;
	int ends[2];
	bool more;

	(void)state;
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
static void test_greedy_peek(void **state)
{
	const char *data;
	hp_input *in;
	hp_error err;
	size_t size;

	(void)state;
	assert_int_equal(hp_input_open("/dev/null", &in, &err), 0);
	assert_int_equal(hp_input_peek(in, SIZE_MAX, &data, &size, &err), 0);
	assert_int_equal(size, 0);
	hp_input_close(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_nonblocking),
		cmocka_unit_test(test_poll),
		cmocka_unit_test(test_greedy_peek),
	};

	return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
