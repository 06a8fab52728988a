/* filter.c: a filter's options, how it begins and ends, and the model. */
#include "filter.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli.h"

/* ---- options ---- */

#define INTO(field) OPTION_INTO(filter, field)

static const option_row int8_rows[] = {{0, "int8", NULL, INTO(int8),
                                        .help = "compute with matrices rounded to 8-bit integers: twice as\n"
                                                "fast; one or two arcs in a hundred come out otherwise"},
                                       {0}};
/* Of hp-tag and hp-segment. */
static const option_row tag_rows[] = {
	{'q', "quiet", NULL, INTO(tagging.quiet), .help = "say nothing of texts that the model does not know"},
	{'k', "keep-going", NULL, INTO(embed.keep_going),
     .help = "pass a block that cannot be read on as it is, and exit with\n"
             "status 1 at the end"},
	{'w', "max-words", "N", INTO(embed.max_words), .min = 1, .max = FILTER_MAX_WORDS,
     .help = "refuse longer sentences (default 20000)"},
	{0, "int8", NULL, INTO(int8),
     .help = "compute with matrices rounded to 8-bit integers: faster;\n"
             "a few words in a thousand come out otherwise"},
	{0}};
static const option_row shared_rows[] = {
	{'m', "model", "MODEL", INTO(model_name), .named = true,
     .help = "a model file (a name with a '/') or the name of an\n"
             "installed model; without it HP_MODEL"},
	{'j', "threads", "N", INTO(threads), .min = 1, .max = FILTER_MAX_THREADS,
     .help = "threads to compute with (default 1)"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

void filter_init(filter *f, const char *program, filter_stage stage)
{
	*f = (filter){.program = program, .stage = stage, .threads = 1};
	for (int i = 0; i < FILTER_SENTENCES; i++)
		hp_sentence_init(&f->batch.item[i].sentence);
	if (filter_tags(f)) {
		f->text = true;
		f->embed.max_words = 20000;
	}
	cli_start(program);
}

bool filter_tags(const filter *f)
{
	return f->stage == FILTER_TAG || f->stage == FILTER_SEGMENT;
}

int filter_options(filter *f, int argc, char **argv, const char *usage, const option_row *own, const option_pair *pairs)
{
	static const option_row none[] = {{0}};
	const option_row *kind = f->stage == FILTER_EMBED ? none : filter_tags(f) ? tag_rows : int8_rows;
	options o = {
		.usage = usage,
		.column = 21,
		.table = {{.row = own ? own : none, .into = f}, {.row = kind, .into = f}, {.row = shared_rows, .into = f}}};
	int status = options_parse(&o, argc, argv);

	f->chosen = f->model_name || hp_model_environment();
	return status == CLI_GO_ON && pairs ? options_check(&o, pairs) : status;
}

/* ---- beginning and end ---- */

static void grow_pipe(int fd)
{
	/* 64 KiB, the usual size, hold less than one sentence's encoder states; then every batch would be one sentence. */
	fcntl(fd, F_SETPIPE_SZ, 1 << 20);
}

static int start(filter *f, hp_error *err)
{
	f->pool = hp_pool_new(f->threads);
	if (!f->pool)
		return hp_fail(err, "cannot make %d threads", f->threads);
	f->arena = hp_arena_new();
	if (!f->arena)
		return hp_fail_memory(err);
	grow_pipe(STDIN_FILENO);
	if (f->text)
		return 0;
	grow_pipe(STDOUT_FILENO);
	return hp_stream_writer_new(stdout, cli_output_name(), &f->out, err);
}

static const struct {
	const char *name; /* in the stream's metadata */
	int needs; /* of the model */
} stages[FILTER_STAGES] = {[FILTER_EMBED] = {"embed", HP_STAGE_EMBED},
                           [FILTER_ENCODE] = {"encode", HP_STAGE_ENCODE},
                           [FILTER_DECODE] = {"decode", HP_STAGE_DECODE},
                           [FILTER_LABEL] = {"label", HP_STAGE_LABEL},
                           [FILTER_TAG] = {"tag", 0},
                           [FILTER_SEGMENT] = {"segment", 0}};

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
	keys[n] = "stage", values[n++] = stages[f->stage].name;
	if (f->model || f->embed.elmo)
		keys[n] = "task", values[n++] = f->model != NULL ? f->model->task : "rst";
	if (f->embed.elmo)
		keys[n] = "elmo_id", values[n++] = hp_elmo_id(f->embed.elmo);
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

/* Whether an upstream's error has just been said, by a program in a pipe with this one, where we would say it. */
bool filter_said_already(const filter *f, const char *said)
{
	char here[64];
	struct stat s;

	return said != NULL && said_here(here, sizeof(here)) && strcmp(said, here) == 0 &&
	       strcmp(f->input, "<stdin>") == 0 && fstat(STDIN_FILENO, &s) == 0 && !S_ISREG(s.st_mode);
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

/* After everything: RESULT is what the work returned, ERR its message.  Tells the reader of the stream, closes standard
 * output, frees.  Returns the exit status. */
static int end(filter *f, int result, hp_error *err)
{
	int status = f->status;

	if (result != 0) {
		status = cli_fail(err);
		pass_error(f, err);
	}
	/* Blocks that passed unparsed are no reason to lose the others. */
	if (result == 0 && !f->incomplete)
		cli_output_complete();
	flow_clear(f);
	for (int i = 0; i < FILTER_SENTENCES; i++)
		hp_sentence_free(&f->batch.item[i].sentence);
	hp_stream_writer_destroy(f->out);
	hp_safetensors_close(f->first);
	hp_model_close(f->model);
	hp_tag_model_close(f->tagging.model);
	hp_elmo_lanes_destroy(f->embed.carried);
	hp_elmo_close(f->embed.elmo);
	for (int i = 0; i < RECORD_FIELDS; i++)
		if (f->batch.column[i].capacity > 0)
			free(f->batch.column[i].real);
	hp_arena_destroy(f->arena);
	hp_pool_destroy(f->pool);
	/* A full disk has been reported already. */
	if (result != 0 && ferror(stdout))
		return status;
	return cli_finish(status);
}

/* ---- the model ---- */

int filter_check_model(const filter *f, hp_error *err)
{
	const char *path = f->tagging.model ? f->tagging.model->path : f->model ? f->model->path : NULL;

	if (!f->output || !path || !hp_file_same(path, f->output))
		return 0;
	return hp_fail(err, "%s: model and output are the same file", path);
}

int filter_open_model(filter *f, const char *name, const char *kind, hp_error *err)
{
	hp_model_close(f->model);
	f->model = NULL;
	if (hp_model_open(name, kind, stages[f->stage].needs, &f->model, err) != 0 || filter_check_model(f, err) != 0)
		return HP_FAIL;
	return (f->int8 ? hp_model_round : hp_model_split)(f->model, err);
}

const filter_task *filter_task_of(const filter *f)
{
	if (filter_tags(f))
		return f->stage == FILTER_TAG ? &filter_tag : &filter_segment;
	return f->model ? (f->model->rst ? &filter_rst : &filter_dep) : &filter_rst;
}

int filter_trees(const filter *f)
{
	return f->nbest > 1 ? f->nbest : 1;
}

const filter_step *filter_step_of(const filter *f)
{
	return &filter_task_of(f)->step[f->stage];
}

/* ---- all of it ---- */

/* Opens what is known to be needed. */
static int open_early(filter *f, hp_error *err)
{
	if (start(f, err) != 0)
		return HP_FAIL;
	if (f->stage == FILTER_EMBED)
		return embed_open(f, err) != 0 ? HP_FAIL : filter_begin(f, err);
	if (filter_tags(f))
		return tag_open(f, err);
	/* So that the model is read while the stages before are still reading theirs. */
	return f->chosen ? filter_open_model(f, f->model_name, "dep", err) : 0;
}

static int finish(filter *f, hp_error *err)
{
	hp_rst_notation notation = (hp_rst_notation)f->notation;

	if (f->model && f->written == 0 && hp_rst_notation_place(notation).single)
		return hp_fail(err, "no tree to write: expected one, as a .%s file holds", hp_rst_notation_name[notation]);
	if (f->stage != FILTER_EMBED && !filter_tags(f))
		return 0;
	if (!f->tagging.quiet)
		embed_tell(f);
	if (!f->out)
		return 0;
	if (hp_stream_write_last(f->out, NULL, NULL, err) != 0)
		return HP_FAIL;
	f->begun = false;
	return 0;
}

int filter_run(filter *f, int count, char **files)
{
	const char *elmo = f->embed.elmo_path;
	hp_error err = {""};

	if ((elmo && cli_check_output(f->output, 1, (char *const *)&elmo) != CLI_OK) ||
	    cli_begin_output(f->output, count, files) != CLI_OK)
		return CLI_FAILED;
	int result = open_early(f, &err);
	if (result == 0 && count == 0)
		result = flow_file(f, "-", &err);
	for (int i = 0; i < count && result == 0; i++)
		result = flow_file(f, files[i], &err);
	if (result == 0)
		result = finish(f, &err);
	return end(f, result, &err);
}
