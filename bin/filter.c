/* filter.c: the loop over a stream's records, and how a filter begins and ends. */
#include "filter.h"

#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli.h"
#include "discourse.h"

/* ---- options ---- */

void filter_init(filter *f, const char *program, const filter_stage *stage, void *data)
{
	const char *name = getenv("HP_MODEL");

	*f = (filter){.program = program, .stage = stage, .data = data, .threads = 1, .beam = 1};
	for (int i = 0; i < FILTER_SENTENCES; i++)
		hp_sentence_init(&f->batch.item[i].sentence);
	if (name && *name != '\0')
		f->model_name = name;
	cli_start(program);
}

int filter_option(filter *f, int option, const char *argument, const char *help)
{
	long value;

	switch (option) {
	case 'm':
		if (*argument == '\0')
			return cli_usage("--model: expected the name of a model");
		f->model_name = argument;
		f->named = true;
		return -1;
	case 'j':
		if (cli_whole("--threads", argument, 1, FILTER_MAX_THREADS, &value) != CLI_OK)
			return CLI_USAGE;
		f->threads = (int)value;
		return -1;
	case 'o':
		if (*argument == '\0')
			return cli_usage("--output: expected the name of a file");
		f->output = argument;
		return -1;
	case FILTER_INT8:
		f->int8 = true;
		return -1;
	case 'h':
		return cli_help(help);
	case 'V':
		return cli_version();
	default:
		return CLI_USAGE;
	}
}

/* ---- beginning and end ---- */

void filter_grow_pipe(int fd)
{
	/* 64 KiB, the usual size, hold less than one sentence's encoder states; then every batch would be one sentence. */
	fcntl(fd, F_SETPIPE_SZ, 1 << 20);
}

int filter_start(filter *f, hp_error *err)
{
	f->pool = hp_pool_new(f->threads);
	if (!f->pool)
		return hp_fail(err, "cannot make %d threads", f->threads);
	f->arena = hp_arena_new();
	if (!f->arena)
		return hp_fail_memory(err);
	filter_grow_pipe(STDIN_FILENO);
	if (f->text)
		return 0;
	filter_grow_pipe(STDOUT_FILENO);
	return hp_stream_writer_new(stdout, cli_output_name(), &f->out, err);
}

static bool among(const char *key, const char *const *keys, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* Our own metadata, then whatever else the upstream's first record holds. */
int filter_begin(filter *f, hp_error *err)
{
	int extra = f->first != NULL ? hp_safetensors_meta_count(f->first) : 0, n = 0, own, result;
	const char **keys = calloc((size_t)extra + 8, sizeof(*keys)), **values = calloc((size_t)extra + 8, sizeof(*values));

	f->begun = true;
	if (!f->out || !keys || !values) {
		free(keys);
		free(values);
		return !f->out ? 0 : hp_fail_memory(err);
	}
	keys[n] = "stage", values[n++] = f->stage != NULL ? f->stage->name : "embed";
	if (f->model || f->elmo_id)
		keys[n] = "task", values[n++] = f->model != NULL ? f->model->task : "rst";
	if (f->elmo_id)
		keys[n] = "elmo_id", values[n++] = f->elmo_id;
	if (f->model) {
		keys[n] = "model_id", values[n++] = f->model->id;
		keys[n] = "model_path", values[n++] = f->model->path;
	}
	own = n;
	for (int i = 0; i < extra; i++) {
		hp_safetensors_meta_at(f->first, i, &keys[n], &values[n]);
		if (strcmp(keys[n], "hp_stream") != 0 && !among(keys[n], keys, own))
			n++;
	}
	result = hp_stream_write_first(f->out, n, keys, values, err);
	free(keys);
	free(values);
	/* At once: the next stage can open its model meanwhile. */
	return result != 0 ? result : hp_stream_flush(f->out, err);
}

/* What "said" holds if it was said on our standard error. */
static const char *said_here(char *text, size_t size)
{
	struct stat s;

	if (fstat(STDERR_FILENO, &s) != 0)
		return NULL;
	snprintf(text, size, "%llu:%llu", (unsigned long long)s.st_dev, (unsigned long long)s.st_ino);
	return text;
}

/* Tells the next stage why no more comes.  It may be too late for that: nothing more is said then. */
static void pass_error(filter *f, const hp_error *error)
{
	char text[sizeof(error->text) + 64], said[64];

	if (!f->out || ferror(stdout))
		return;
	if (!f->begun) {
		/* No word of the model, which may be what is wrong: the next stage would open and judge it once more. */
		hp_model_close(f->model);
		hp_safetensors_close(f->first);
		f->model = NULL;
		f->first = NULL;
		if (filter_begin(f, NULL) != 0)
			return;
	}
	snprintf(text, sizeof(text), "%s: %s", f->program, error->text);
	if (hp_stream_write_last(f->out, text, said_here(said, sizeof(said)), NULL) == 0)
		f->begun = false;
}

int filter_end(filter *f, int result, hp_error *err)
{
	int status = f->status;

	if (result != 0) {
		status = cli_fail(err);
		pass_error(f, err);
	}
	/* Blocks that passed unparsed are no reason to lose the others. */
	if (result == 0 && !f->incomplete)
		cli_output_complete();
	filter_batch_clear(f);
	for (int i = 0; i < FILTER_SENTENCES; i++)
		hp_sentence_free(&f->batch.item[i].sentence);
	hp_stream_writer_destroy(f->out);
	hp_safetensors_close(f->first);
	hp_model_close(f->model);
	discourse_free(f->discourse);
	hp_arena_destroy(f->arena);
	hp_pool_destroy(f->pool);
	/* A full disk has been reported already. */
	if (result != 0 && ferror(stdout))
		return status;
	return cli_finish(status);
}

/* ---- the model and the stream's first record ---- */

int filter_check_model(const filter *f, hp_error *err)
{
	if (!f->output || !f->model || !hp_file_same(f->model->path, f->output))
		return 0;
	return hp_fail(err, "%s: model and output are the same file", f->model->path);
}

static int open_model(filter *f, const char *name, hp_error *err)
{
	hp_model_close(f->model);
	f->model = NULL;
	if (hp_model_open(name, f->stage->stage, &f->model, err) != 0 || filter_check_model(f, err) != 0)
		return HP_FAIL;
	return f->int8 ? hp_model_round(f->model, err) : 0;
}

/* What the stage does with the model that is open. */
static const filter_stage *stage_of(const filter *f)
{
	return f->model != NULL && f->model->rst ? f->stage->rst : f->stage;
}

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
	bool fits = f->model != NULL && (f->model_name || (id && strcmp(id, f->model->id) == 0));

	if (fits)
		return compare_models(f, id, path, err);
	if (!f->model_name && path) {
		if (*path != '/')
			return hp_fail(err, "%s: model_path is '%s', expected an absolute path", f->input, path);
		if (open_model(f, path, err) != 0)
			return HP_FAIL;
		return compare_models(f, id, path, err);
	}
	if (!sentence && !id)
		return 0;
	/* NULL is the default model, which is for dependencies. */
	if (!f->model_name && ((task && strcmp(task, "rst") == 0) || (sentence && hp_safetensors_find(sentence, "ends"))))
		return hp_fail(err, "%s: for discourse models, but no model is named: expected --model", f->input);
	if (open_model(f, f->model_name, err) != 0)
		return HP_FAIL;
	return compare_models(f, id, path, err);
}

static int begin_stream(filter *f, hp_safetensors *record, hp_error *err)
{
	const char *task = hp_safetensors_meta(record, "task");

	hp_safetensors_close(f->first);
	f->first = record;
	f->number = 0;
	if (task && strcmp(task, "dep") != 0 && strcmp(task, "rst") != 0)
		return hp_fail(err, "%s: a stream for the task '%s', expected dep or rst", f->input, task);
	if (choose_model(f, NULL, err) != 0)
		return HP_FAIL;
	return f->model != NULL ? filter_begin(f, err) : 0;
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

/* ---- batches ---- */

/* The line before a block that holds a tree but passes unparsed. */
static void write_mark(const char *why)
{
	char line[sizeof(((hp_error *)0)->text)];

	hp_escape(line, sizeof(line), why);
	printf("%s%s\n", HP_UNPARSED, line);
}

/* A record that passes as it is: its text, or all of it. */
static int write_passing(filter *f, const filter_item *item, hp_error *err)
{
	const hp_tensor *text;

	if (item->unparsed)
		f->status = CLI_FAILED;
	if (f->out)
		return hp_stream_write_record(f->out, item->record, NULL, err);
	text = hp_safetensors_find(item->record, "text");
	if (!text || text->bytes == 0)
		return 0;
	const char *bytes = text->data;
	if (item->unparsed && filter_shows_tree(item))
		write_mark(item->unparsed);
	fwrite(bytes, 1, text->bytes, stdout);
	fputs(bytes[text->bytes - 1] == '\n' ? "\n" : "\n\n", stdout);
	return ferror(stdout) ? hp_fail_errno(err, cli_output_name()) : 0;
}

/* Computes and writes what has been collected. */
static int run_batch(filter *f, hp_error *err)
{
	filter_batch *b = &f->batch;
	int index = 0, result = 0;
	size_t row = 0;

	if (b->count > 0)
		result = stage_of(f)->compute(f, err);
	for (int i = 0; i < b->items && result == 0; i++) {
		filter_item *item = &b->item[i];

		if (item->n == 0) {
			result = write_passing(f, item, err);
			continue;
		}
		result = stage_of(f)->write(f, item, index++, row, err);
		row += (size_t)item->n;
	}
	filter_batch_clear(f);
	return result;
}

/* Takes RECORD over. */
static int add_sentence(filter *f, hp_safetensors *record, hp_error *err)
{
	filter_item *item = filter_batch_next(f), probe = {.record = record, .number = ++f->number};
	const hp_tensor *text = hp_safetensors_find(record, "text");
	size_t bytes = text != NULL ? text->bytes : 0;
	int result = need_model(f, record, err);

	if (result == 0)
		result = stage_of(f)->check(f, &probe, err);
	if (result == 0 && !filter_batch_takes(f, probe.n, bytes)) {
		result = run_batch(f, err);
		item = filter_batch_next(f);
	}
	if (result != 0) {
		hp_safetensors_close(record);
		return result;
	}
	item->record = record;
	item->number = probe.number;
	item->n = probe.n;
	item->unparsed = probe.unparsed;
	result = stage_of(f)->load(f, item, err);
	if (result == 0) {
		filter_batch_add(f, item->n, bytes);
	} else {
		hp_safetensors_close(record);
		item->record = NULL;
	}
	return result;
}

/* ---- the loop ---- */

/* Whether an upstream's error has just been said, by a program in a pipe with this one, where we would say it. */
static bool said_already(const filter *f, const char *said)
{
	char here[64];
	struct stat s;

	return said != NULL && said_here(here, sizeof(here)) && strcmp(said, here) == 0 &&
	       strcmp(f->input, "<stdin>") == 0 && fstat(STDIN_FILENO, &s) == 0 && !S_ISREG(s.st_mode);
}

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
	else if (error && !f->out && !said_already(f, said))
		cli_error("%s: incomplete: %s", f->input, error);
	f->begun = false;
	hp_safetensors_close(record);
	return result;
}

/* Computes what came, unless more is about to come. */
static int pause_or_go_on(filter *f, hp_input *in, hp_stream_reader *reader, hp_error *err)
{
	bool ready;
	int waited = 0;

	do {
		if (hp_stream_ready(reader, &ready, err) != 0)
			return HP_FAIL;
	} while (!ready && filter_wait(in, &waited));
	if (ready)
		return 0;
	if (run_batch(f, err) != 0)
		return HP_FAIL;
	if (f->out)
		return hp_stream_flush(f->out, err);
	return fflush(stdout) != 0 ? hp_fail_errno(err, cli_output_name()) : 0;
}

static int read_records(filter *f, hp_input *in, hp_stream_reader *reader, hp_error *err)
{
	for (;;) {
		hp_safetensors *record = NULL;
		hp_record_kind kind;
		int result = hp_stream_read(reader, &kind, &record, err);

		if (result == 0 && kind == HP_RECORD_END)
			return 0;
		if (result == 0 && kind == HP_RECORD_FIRST)
			result = begin_stream(f, record, err);
		else if (result == 0 && kind == HP_RECORD_SENTENCE)
			result = add_sentence(f, record, err);
		else if (result == 0) {
			result = run_batch(f, err);
			if (result == 0)
				result = end_stream(f, record, err);
			else
				hp_safetensors_close(record);
		}
		if (result == 0)
			result = pause_or_go_on(f, in, reader, err);
		if (result != 0)
			return result;
	}
}

static int run_file(filter *f, const char *path, hp_error *err)
{
	hp_input *in = NULL;
	hp_stream_reader *reader = NULL;
	hp_error late;
	int result = hp_input_open(path, &in, err);

	if (result == 0) {
		f->input = hp_input_name(in);
		result = hp_stream_reader_new(in, &reader, err);
	}
	if (result == 0)
		result = read_records(f, in, reader, err);
	/* What came before the trouble goes out first. */
	if (result != 0 && !ferror(stdout) && run_batch(f, &late) != 0)
		*err = late;
	hp_stream_reader_destroy(reader);
	hp_input_close(in);
	return result;
}

int filter_run(filter *f, int count, char **files)
{
	hp_error err = {""};
	int result;

	if (cli_begin_output(f->output, count, files) != CLI_OK)
		return CLI_FAILED;
	result = filter_start(f, &err);

	/* Early, so that the model is read while the stages before are still reading theirs. */
	if (result == 0 && f->model_name)
		result = open_model(f, f->model_name, &err);
	if (result == 0 && count == 0)
		result = run_file(f, "-", &err);
	for (int i = 0; i < count && result == 0; i++)
		result = run_file(f, files[i], &err);
	return filter_end(f, result, &err);
}
