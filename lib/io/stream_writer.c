/* stream_writer.c: writes the tensor stream. */
#include "io/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hp_stream_writer {
	FILE *out;
	char *name;
	hp_st_writer *record;
	long sentences;
};

int hp_stream_writer_new(FILE *out, const char *name, hp_stream_writer **result, hp_error *err)
{
	hp_stream_writer *w;

	*result = NULL;
	if (isatty(fileno(out)))
		return hp_fail(err, "%s: a binary stream is never written to a terminal; hp-cat shows it", name);
	w = calloc(1, sizeof(*w));
	if (!w)
		return hp_fail_memory(err);
	w->out = out;
	(void)setvbuf(out, NULL, _IOFBF, 1 << 16);
	w->name = strdup(name);
	w->record = hp_st_writer_new();
	if (!w->name || !w->record) {
		hp_stream_writer_destroy(w);
		return hp_fail_memory(err);
	}
	*result = w;
	return 0;
}

void hp_stream_writer_destroy(hp_stream_writer *w)
{
	if (!w)
		return;
	hp_st_writer_destroy(w->record);
	free(w->name);
	free(w);
}

/* Writes the record being built and begins another. */
static int write_record(hp_stream_writer *w, hp_error *err)
{
	int status = hp_st_writer_write(w->record, w->out, w->name, err);

	hp_st_writer_clear(w->record);
	return status;
}

int hp_stream_write_first(hp_stream_writer *w, int n, const char *const *keys, const char *const *values, hp_error *err)
{
	hp_st_writer_clear(w->record);
	w->sentences = 0;
	if (hp_st_writer_meta(w->record, "hp_stream", HP_STREAM_VERSION, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < n; i++)
		if (hp_st_writer_meta(w->record, keys[i], values[i], err) != 0)
			return HP_FAIL;
	return write_record(w, err);
}

hp_st_writer *hp_stream_record(hp_stream_writer *w)
{
	return w->record;
}

static bool is_listed(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

/* What UPSTREAM has and this stage neither replaces nor drops goes on as it is. */
static int pass_on(hp_st_writer *w, const hp_safetensors *upstream, const char *const *drop, hp_error *err)
{
	for (int i = 0; i < hp_safetensors_count(upstream); i++) {
		const hp_tensor *t = hp_safetensors_at(upstream, i);

		if (!is_listed(drop, t->name) && !hp_st_writer_has_tensor(w, t->name) &&
		    hp_st_writer_tensor(w, t->name, t->dtype, t->rank, t->shape, t->data, err) != 0)
			return HP_FAIL;
	}
	for (int i = 0; i < hp_safetensors_meta_count(upstream); i++) {
		const char *key, *value;

		hp_safetensors_meta_at(upstream, i, &key, &value);
		if (!is_listed(drop, key) && !hp_st_writer_has_meta(w, key) && hp_st_writer_meta(w, key, value, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

int hp_stream_write_record(hp_stream_writer *w, const hp_safetensors *upstream, const char *const *drop, hp_error *err)
{
	if (upstream && pass_on(w->record, upstream, drop, err) != 0)
		return HP_FAIL;
	hp_st_writer_align(w->record);
	w->sentences++;
	return write_record(w, err);
}

int hp_stream_write_last(hp_stream_writer *w, const char *error, const char *said, hp_error *err)
{
	char count[24];
	hp_error text;

	if (error)
		hp_fail(&text, "%s", error); /* makes it valid UTF-8: the message must get through */
	hp_st_writer_clear(w->record);
	snprintf(count, sizeof(count), "%ld", w->sentences);
	if (hp_st_writer_meta(w->record, "end", "1", err) != 0 ||
	    hp_st_writer_meta(w->record, "sentences", count, err) != 0 ||
	    (error && hp_st_writer_meta(w->record, "error", text.text, err) != 0) ||
	    (said && hp_st_writer_meta(w->record, "said", said, err) != 0) || write_record(w, err) != 0)
		return HP_FAIL;
	return hp_stream_flush(w, err);
}

int hp_stream_flush(hp_stream_writer *w, hp_error *err)
{
	if (fflush(w->out) != 0 || ferror(w->out))
		return hp_fail_errno(err, w->name);
	return 0;
}
