/* stream.c: reads the tensor stream: what its records mean and in which order they may come. */
#include "io/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/record.h"

struct hp_stream_reader {
	hp_input *in;
	hp_record_reader *records;
	bool begun; /* a first record was read */
	bool open; /* and no last one since */
	long sentences; /* since the first record */
};

int hp_stream_reader_new(hp_input *in, hp_stream_reader **out, hp_error *err)
{
	hp_stream_reader *r = calloc(1, sizeof(*r));

	*out = NULL;
	if (!r)
		return hp_fail_memory(err);
	if (hp_record_reader_new(in, true, &r->records, err) != 0) {
		free(r);
		return HP_FAIL;
	}
	r->in = in;
	*out = r;
	return 0;
}

void hp_stream_reader_destroy(hp_stream_reader *r)
{
	if (!r)
		return;
	hp_record_reader_destroy(r->records);
	free(r);
}

static hp_record_kind kind_of(const hp_safetensors *record)
{
	if (hp_safetensors_count(record) > 0)
		return HP_RECORD_SENTENCE;
	if (hp_safetensors_meta(record, "hp_stream"))
		return HP_RECORD_FIRST;
	return hp_safetensors_meta(record, "end") ? HP_RECORD_LAST : HP_RECORD_SENTENCE;
}

static int at_end(const hp_stream_reader *r, hp_error *err)
{
	const char *name = hp_input_name(r->in);

	if (!r->begun)
		return hp_fail(err, "%s: empty, expected a tensor stream", name);
	if (r->open)
		return hp_fail(err, "%s: cut off after %ld sentence%s, expected a last record: the program before has died",
		               name, r->sentences, hp_plural(r->sentences));
	return 0;
}

static int check_first(hp_stream_reader *r, const hp_safetensors *record, hp_error *err)
{
	const char *name = hp_safetensors_name(record), *version = hp_safetensors_meta(record, "hp_stream");

	if (r->open)
		return hp_fail(err, "%s: a first record after %ld sentence%s, expected a last one before it", name,
		               r->sentences, hp_plural(r->sentences));
	if (strcmp(version, HP_STREAM_VERSION) != 0)
		return hp_fail(err, "%s: stream version '%s', expected " HP_STREAM_VERSION, name, version);
	r->begun = r->open = true;
	r->sentences = 0;
	return 0;
}

static int check_last(hp_stream_reader *r, const hp_safetensors *record, hp_error *err)
{
	const char *name = hp_safetensors_name(record), *text = hp_safetensors_meta(record, "sentences");
	char *end;
	long sentences;

	r->open = false;
	if (hp_record_error(record)) /* that comes before what it has led to */
		return 0;
	errno = 0;
	sentences = text ? strtol(text, &end, 10) : -1;
	if (!text || end == text || *end || errno || sentences < 0)
		return hp_fail(err, "%s: sentences is '%s', expected a number", name, text ? text : "");
	if (sentences != r->sentences)
		return hp_fail(err, "%s: the stream had %ld sentence%s, expected %ld", name, r->sentences,
		               hp_plural(r->sentences), sentences);
	return 0;
}

static int check_record(hp_stream_reader *r, const hp_safetensors *record, hp_record_kind *kind, hp_error *err)
{
	*kind = kind_of(record);
	if (*kind == HP_RECORD_FIRST)
		return check_first(r, record, err);
	if (!r->open && hp_safetensors_meta(record, "model_id"))
		return hp_fail(err, "%s: a model, expected a tensor stream", hp_input_name(r->in));
	if (!r->open)
		return hp_fail(err, "%s: no first record of a tensor stream (metadata 'hp_stream' and no tensors)",
		               hp_safetensors_name(record));
	if (*kind == HP_RECORD_LAST)
		return check_last(r, record, err);
	r->sentences++;
	return 0;
}

int hp_stream_read(hp_stream_reader *r, hp_record_kind *kind, hp_safetensors **record, hp_error *err)
{
	hp_safetensors *st;

	*kind = HP_RECORD_END;
	*record = NULL;
	if (hp_record_read(r->records, &st, err) != 0)
		return HP_FAIL;
	if (!st)
		return at_end(r, err);
	if (check_record(r, st, kind, err) != 0) {
		*kind = HP_RECORD_END;
		hp_safetensors_close(st);
		return HP_FAIL;
	}
	*record = st;
	return 0;
}

int hp_stream_ready(hp_stream_reader *r, bool *ready, hp_error *err)
{
	(void)err; /* what goes wrong is reported by hp_stream_read, which then need not wait */
	*ready = hp_record_ready(r->records);
	return 0;
}

const char *hp_record_error(const hp_safetensors *last)
{
	return hp_safetensors_meta(last, "error");
}

int hp_stream_detect(hp_input *in, bool *stream, hp_error *err)
{
	hp_safetensors *header = NULL;
	const char *bytes;
	uint64_t length;
	size_t size, whole;

	*stream = false;
	if (hp_input_peek(in, sizeof(length), &bytes, &size, err) != 0)
		return HP_FAIL;
	if (size < sizeof(length))
		return 0;
	memcpy(&length, bytes, sizeof(length));
	if (length > HP_MAX_RECORD_HEADER)
		return 0;
	whole = sizeof(length) + (size_t)length;
	if (hp_input_peek(in, whole, &bytes, &size, err) != 0)
		return HP_FAIL;
	if (size < whole || hp_safetensors_parse(bytes, whole, hp_input_name(in), &header, NULL) != 0)
		return 0;
	*stream = kind_of(header) == HP_RECORD_FIRST;
	hp_safetensors_close(header);
	return 0;
}
