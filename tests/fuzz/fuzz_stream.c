/* fuzz_stream.c: any bytes as a stream, read from memory and, in two pieces, from a pipe: the outcome is the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fuzz.h"
#include "io/stream.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_stream(data, size, max_size, seed);
}

enum { PIPE_SIZE = 60000 };

typedef struct outcome {
	long records, tensors, bytes;
	hp_record_kind last;
	hp_error err;
} outcome;

/* One record into OUT; whether there may be more. */
static bool step(hp_stream_reader *r, outcome *out)
{
	hp_safetensors *record;

	if (hp_stream_read(r, &out->last, &record, &out->err) != 0 || out->last == HP_RECORD_END)
		return false;
	out->records++;
	out->tensors += hp_safetensors_count(record);
	for (int i = 0; i < hp_safetensors_count(record); i++)
		out->bytes += (long)hp_safetensors_at(record, i)->bytes;
	hp_safetensors_close(record);
	return true;
}

static void read_memory(const uint8_t *data, size_t size, outcome *out)
{
	hp_stream_reader *r;
	hp_input *in;

	if (hp_input_from_memory(data, size, "IN", &in, NULL) != 0 || hp_stream_reader_new(in, &r, NULL) != 0)
		abort();
	while (step(r, out))
		;
	hp_stream_reader_destroy(r);
	hp_input_close(in);
}

static void put(int fd, const uint8_t *data, size_t size)
{
	if (size > 0 && write(fd, data, size) != (ssize_t)size)
		abort();
}

/* Reads only what is ready, as the filters do. */
static bool read_ready(hp_stream_reader *r, outcome *out)
{
	bool ready, more = true;

	while (more) {
		if (hp_stream_ready(r, &ready, NULL) != 0)
			abort();
		if (!ready)
			return true;
		more = step(r, out);
	}
	return false;
}

static void read_pipe(const uint8_t *data, size_t size, outcome *out)
{
	size_t half = size > 0 ? (size_t)data[size / 2] * size / 256 : 0;
	hp_stream_reader *r;
	hp_input *in;
	int ends[2];

	if (pipe(ends) != 0 || hp_input_from_fd(ends[0], "IN", &in, NULL) != 0 || hp_stream_reader_new(in, &r, NULL) != 0)
		abort();
	put(ends[1], data, half);
	if (read_ready(r, out)) {
		put(ends[1], data + half, size - half);
		if (read_ready(r, out)) {
			close(ends[1]);
			ends[1] = -1;
			if (read_ready(r, out))
				abort(); /* at the end everything is ready */
		}
	}
	if (ends[1] >= 0)
		close(ends[1]);
	hp_stream_reader_destroy(r);
	hp_input_close(in);
	close(ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	outcome a, b;

	if (size > PIPE_SIZE)
		return 0;
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	read_memory(data, size, &a);
	read_pipe(data, size, &b);
	demand(memcmp(&a, &b, offsetof(outcome, err)) == 0);
	/* What something else is, in place of a stream, may be told more exactly where more has come. */
	demand(strcmp(a.err.text, b.err.text) == 0 || (a.records == 0 && a.err.text[0] != '\0' && b.err.text[0] != '\0'));
	return 0;
}
