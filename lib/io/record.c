/* record.c: reads images one after another.
 *
 * A record is taken from the input in steps, so that waiting for the rest can stop at any byte: its header, then, into
 * memory of its own, its data. */
#include "io/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sniff.h"

#define FIRST_PIECE ((size_t)1 << 20)

struct hp_record_reader {
	hp_input *in;
	size_t longest; /* header */
	long number; /* of records read */
	char *name; /* "INPUT: record N", of the one being read */
	/* The record whose header was read; NULL between records.  Its data: filled of size bytes are there. */
	hp_safetensors *record;
	char *data;
	size_t size, filled, capacity;
	bool complete;
	bool ended;
	bool failed;
	hp_error error; /* if failed */
};

int hp_record_reader_new(hp_input *in, bool stream, hp_record_reader **out, hp_error *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return hp_fail_memory(err);
	(*out)->in = in;
	(*out)->longest = stream ? HP_MAX_RECORD_HEADER : HP_MAX_HEADER;
	return 0;
}

void hp_record_reader_destroy(hp_record_reader *r)
{
	if (!r)
		return;
	hp_safetensors_close(r->record);
	free(r->data);
	free(r->name);
	free(r);
}

/* At the end of the input, SIZE bytes into a header of WANT. */
static int end_in_header(hp_record_reader *r, size_t size, size_t want, hp_error *err)
{
	if (size == 0) {
		r->ended = true;
		return 0;
	}
	return hp_fail(err, "%s: cut off after %zu bytes, expected a header of %zu", r->name, size, want);
}

static int name_record(hp_record_reader *r, hp_error *err)
{
	free(r->name);
	if (asprintf(&r->name, "%s: record %ld", hp_input_name(r->in), r->number + 1) < 0) {
		r->name = NULL;
		return hp_fail_memory(err);
	}
	return 0;
}

/* Leaves r->record NULL if the header is not there yet. */
static int read_header(hp_record_reader *r, bool wait, hp_error *err)
{
	const char *bytes;
	size_t have, want = 8, length = 0;

	if (!r->name && name_record(r, err) != 0)
		return HP_FAIL;
	if (hp_input_gather(r->in, want, wait, &bytes, &have, err) != 0)
		return HP_FAIL;
	if (have >= want) {
		if (hp_safetensors_header_size(bytes, r->longest, r->name, &want, err) != 0) {
			if (r->number == 0 && (have < 9 || bytes[8] != '{'))
				(void)!hp_sniff(bytes, have, hp_input_name(r->in), "a tensor stream", err); /* may know better why */
			return HP_FAIL;
		}
		if (hp_input_gather(r->in, want, wait, &bytes, &have, err) != 0)
			return HP_FAIL;
	}
	if (have < want)
		return hp_input_eof_seen(r->in) ? end_in_header(r, have, want, err) : 0;
	if (hp_safetensors_begin(bytes, want, r->name, &r->record, &length, err) != 0)
		return HP_FAIL;
	hp_input_skip(r->in, want);
	r->size = length - want;
	r->filled = r->capacity = 0;
	return 0;
}

/* Memory for data grows as data comes, and never to more than SIZE: a length in a damaged header costs nothing. */
static int make_room(hp_record_reader *r, hp_error *err)
{
	size_t capacity = r->capacity ? 2 * r->capacity : FIRST_PIECE;
	char *data;

	if (r->filled < r->capacity)
		return 0;
	if (capacity > r->size)
		capacity = r->size;
	data = realloc(r->data, capacity);
	if (!data)
		return hp_fail_memory(err);
	r->data = data;
	r->capacity = capacity;
	return 0;
}

static int read_data(hp_record_reader *r, bool wait, hp_error *err)
{
	while (r->filled < r->size) {
		size_t got, wanted;

		if (make_room(r, err) != 0)
			return HP_FAIL;
		wanted = r->capacity - r->filled;
		if (hp_input_read(r->in, r->data + r->filled, wanted, wait, &got, err) != 0)
			return HP_FAIL;
		r->filled += got;
		if (got == wanted)
			continue;
		if (!hp_input_at_end(r->in))
			return 0;
		return hp_fail(err, "%s: cut off after %zu bytes of data, expected %zu", r->name, r->filled, r->size);
	}
	if (hp_safetensors_attach(r->record, r->data ? r->data : "", r->data, err) != 0)
		return HP_FAIL;
	r->data = NULL;
	r->complete = true;
	r->number++;
	free(r->name);
	r->name = NULL;
	return 0;
}

/* Goes on until a record is complete, the input has ended, or (without WAIT) nothing more has arrived. */
static void advance(hp_record_reader *r, bool wait)
{
	if (r->complete || r->ended || r->failed)
		return;
	if (!r->record && read_header(r, wait, &r->error) != 0)
		r->failed = true;
	else if (r->record && read_data(r, wait, &r->error) != 0)
		r->failed = true;
}

int hp_record_read(hp_record_reader *r, hp_safetensors **record, hp_error *err)
{
	*record = NULL;
	advance(r, true);
	if (r->failed)
		return hp_fail(err, "%s", r->error.text);
	if (r->complete) {
		*record = r->record;
		r->record = NULL;
		r->complete = false;
	}
	return 0;
}

bool hp_record_ready(hp_record_reader *r)
{
	advance(r, false);
	return r->complete || r->ended || r->failed;
}
