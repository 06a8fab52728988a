/* source-stream.c: items from the records of a stream; the model for it. */
#include <string.h>

#include "cli.h"
#include "source.h"

static int open_stream(source *s, hp_error *err)
{
	return hp_stream_reader_new(s->in, &s->stream, err);
}

/* ---- the model and the stream's first record ---- */

/* The stream's model and ours must be one. */
static int compare_models(const filter *f, const char *id, const char *path, hp_error *err)
{
	const char *task = hp_safetensors_meta(f->first, "task");

	if (task && strcmp(task, f->model->task) != 0)
		return hp_fail(err, "%s: a stream for the task '%s', but model %s (%s) is for the task '%s'", f->input, task,
		               f->model->id, f->model->path, f->model->task);
	if (!id || strcmp(id, f->model->id) == 0)
		return 0;
	return hp_fail(err, "%s: the stream was made with model %s (%s), but this stage has model %s (%s)", f->input, id,
	               path != NULL ? path : "path unknown", f->model->id, f->model->path);
}

/* Opens the model for the stream whose first record was read; SENTENCE is NULL as long as it may turn out that none
 * comes. */
static int choose_model(filter *f, const hp_safetensors *sentence, hp_error *err)
{
	const char *task = hp_safetensors_meta(f->first, "task");
	const char *id = hp_safetensors_meta(f->first, "model_id"), *path = hp_safetensors_meta(f->first, "model_path");
	bool fits = f->model != NULL && (f->chosen || (id && strcmp(id, f->model->id) == 0));

	/* One name for the models of a language: it was taken for the parser's. */
	if (fits && f->chosen && task && strcmp(task, f->model->task) != 0 &&
	    filter_open_model(f, f->model_name, task, err) != 0)
		return HP_FAIL;
	if (fits)
		return compare_models(f, id, path, err);
	if (!f->chosen && path) {
		if (*path != '/')
			return hp_fail(err, "%s: model_path is '%s', expected an absolute path", f->input, path);
		if (filter_open_model(f, path, "dep", err) != 0)
			return HP_FAIL;
		return compare_models(f, id, path, err);
	}
	if (!sentence && !id)
		return 0;
	/* NULL is the default model, which is for dependencies. */
	if (!f->chosen && ((task && strcmp(task, "rst") == 0) || (sentence && hp_safetensors_find(sentence, "ends"))))
		return hp_fail(err, "%s: for discourse models, but no model is named: expected --model", f->input);
	if (filter_open_model(f, f->model_name, "dep", err) != 0)
		return HP_FAIL;
	return compare_models(f, id, path, err);
}

static int begin_stream(source *s, hp_safetensors *record, hp_error *err)
{
	filter *f = s->f;
	const char *task = hp_safetensors_meta(record, "task");

	hp_safetensors_close(f->first);
	f->first = record;
	s->number = 0;
	if (task && strcmp(task, "dep") != 0 && strcmp(task, "rst") != 0)
		return hp_fail(err, "%s: a stream for the task '%s', expected dep or rst", f->input, task);
	if (choose_model(f, NULL, err) != 0)
		return HP_FAIL;
	return f->model ? filter_begin(f, err) : 0;
}

/* Before a sentence: the model is needed now, and the first record must be out. */
static int need_model(filter *f, const hp_safetensors *sentence, hp_error *err)
{
	if (f->begun)
		return 0;
	if (choose_model(f, sentence, err) != 0)
		return HP_FAIL;
	return filter_begin(f, err);
}

/* ---- the last record ---- */

/* Frees RECORD. */
static int end_stream(filter *f, hp_safetensors *record, hp_error *err)
{
	const char *error = hp_record_error(record), *said = hp_safetensors_meta(record, "said");
	int result = 0;

	/* The end of the pipe says it, unless whoever met the trouble has: nothing else shows that the text is incomplete. */
	if (error) {
		f->status = CLI_FAILED;
		f->incomplete = true;
	}
	if (f->out && !f->begun)
		result = filter_begin(f, err);
	if (f->out && result == 0)
		result = hp_stream_write_last(f->out, error, said, err);
	else if (error && !f->out && !filter_said_already(f, said))
		cli_error("%s: incomplete: %s", f->input, error);
	f->begun = false;
	hp_safetensors_close(record);
	return result;
}

/* ---- records ---- */

/* Takes RECORD over. */
static int read_sentence(source *s, hp_safetensors *record, hp_error *err)
{
	const hp_tensor *text = hp_safetensors_find(record, "text");

	s->next = (filter_item){.record = record, .number = ++s->number, .size = text ? text->bytes : 0};
	if (need_model(s->f, record, err) != 0 || record_count(s->f, &s->next, err) != 0)
		return HP_FAIL;
	return SOURCE_ITEM;
}

static int read_record(source *s, hp_error *err)
{
	hp_safetensors *record = NULL;
	hp_record_kind kind;

	hp_safetensors_close(s->next.record); /* which the batch had no room for */
	s->next.record = NULL;
	if (hp_stream_read(s->stream, &kind, &record, err) != 0)
		return HP_FAIL;
	if (kind == HP_RECORD_END)
		return SOURCE_END;
	if (kind == HP_RECORD_SENTENCE)
		return read_sentence(s, record, err);
	if (kind == HP_RECORD_FIRST)
		return begin_stream(s, record, err) != 0 ? HP_FAIL : SOURCE_NOTHING;
	if (flow_run_batch(s->f, err) != 0) {
		hp_safetensors_close(record);
		return HP_FAIL;
	}
	return end_stream(s->f, record, err) != 0 ? HP_FAIL : SOURCE_NOTHING;
}

static int take_record(source *s, filter_item *item, hp_error *err)
{
	const filter_task *task = filter_task_of(s->f);
	hp_sentence memory = item->sentence;

	*item = s->next;
	item->sentence = memory;
	if (task->begin(s->f, item, err) != 0 ||
	    (item->n > 0 && record_take(s->f, item, task->step[s->f->stage].need, err) != 0))
		return HP_FAIL;
	s->next.record = NULL; /* now the item's */
	return 0;
}

static int stream_ready(source *s, bool *ready, hp_error *err)
{
	return hp_stream_ready(s->stream, ready, err);
}

static void close_stream(source *s)
{
	hp_safetensors_close(s->next.record);
	hp_stream_reader_destroy(s->stream);
}

const source_kind source_stream = {
	.open = open_stream, .read = read_record, .take = take_record, .ready = stream_ready, .close = close_stream};
