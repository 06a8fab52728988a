/* hp-embed: text in, embeddings out. */
#include "filter.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "discourse.h"
#include "text/masked.h"

static const char help[] = "Usage: hp-embed [OPTION]... [FILE]...\n"
						   "Write the embeddings of the sentences in FILEs or standard input as a tensor\n"
						   "stream: the first stage of hp-embed | hp-encode | hp-decode | hp-label.\n"
						   "\n"
						   "  -i, --input=KIND   what the input is: conllu (default), or tokens (a sentence\n"
						   "                     a line, tokens separated by blanks); for a discourse model\n"
						   "                     edus (default; an EDU a line, a blank line between\n"
						   "                     sentences), dis (trees) or conllu (EDUs marked in MISC)\n"
						   "  -k, --keep-going   pass a block that cannot be read on as it is, and exit with\n"
						   "                     status 1 at the end\n"
						   "  -w, --max-words=N  refuse longer sentences (default 20000)\n"
						   "  -e, --elmo=FILE    EDUs, by all layers of this ELMo model (of elmo-convert); a\n"
						   "                     model, if one is named, only tells the stream its name\n"
						   "  -c, --carry        carry ELMo's states on from sentence to sentence, as\n"
						   "                     AllenNLP does, not begin each sentence anew\n"
						   "  -l, --lanes=N      as AllenNLP does in batches of N: each N-th sentence\n"
						   "                     follows the same states (default 1)\n" FILTER_HELP;

enum { MANY_TAGS = 100 }; /* of which at least one should be known */

typedef enum input_kind { DEFAULT, CONLLU, TOKENS, EDUS, DIS, KINDS } input_kind;
static const char *const kind_names[KINDS] = {"", "conllu", "tokens", "edus", "dis"};

typedef struct embed_data {
	input_kind input;
	hp_text_kind kind;
	bool keep_going;
	int max_words;
	const char *elmo_path; /* NULL: embeddings of the model */
	bool carry;
	int lanes; /* 0: not given */
	hp_elmo *elmo;
	hp_elmo_lanes *carried;
	hp_sentence spare; /* the sentence read last, if it did not fit into the batch */
	bool has_spare;
	long sentences; /* of tokens */
	hp_masked masked; /* of the file being read */
	int64_t tags, known_tags; /* dependencies: of the words, "_" not counted */
} embed_data;

/* ---- a batch ---- */

/* Columns that are named once, at the top of a file, go along with each sentence. */
static int write_columns(hp_st_writer *w, const hp_sentence *s, hp_error *err)
{
	char names[HP_COLUMNS_TEXT];

	if (!s->columns.named || s->columns.plain || s->columns.count == 0)
		return 0;
	hp_columns_text(&s->columns, names);
	return hp_st_writer_meta(w, "columns", names, err);
}

static int write_text(filter *f, const filter_item *item, hp_error *err)
{
	const int64_t shape[] = {(int64_t)item->sentence.size};
	hp_st_writer *w = hp_stream_record(f->out);

	if (write_columns(w, &item->sentence, err) != 0)
		return HP_FAIL;
	if (item->unparsed && hp_st_writer_meta(w, "unparsed", item->unparsed, err) != 0)
		return HP_FAIL;
	if (hp_st_writer_tensor(w, "text", HP_U8, 1, shape, item->sentence.text, err) != 0)
		return HP_FAIL;
	return hp_stream_write_record(f->out, NULL, NULL, err);
}

static void count_tags(const filter *f, const hp_sentence *s, const hp_dep_sent *numbers)
{
	embed_data *data = f->data;
	int column = hp_tag_column(f->model->pos);

	for (int i = 0; i < s->words && f->model->pos != HP_POS_NONE; i++) {
		data->tags += s->word[i].len[column] != 1 || *s->word[i].col[column] != '_';
		data->known_tags += numbers->pos[i + 1] > HP_ID_UNKNOWN;
	}
}

/* A few unseen tags are fine, but a text of them is parsed no better than words without tags; so with words. */
static void tell_unknown(const filter *f)
{
	const embed_data *data = f->data;
	hp_error what;

	if (f->model && hp_coverage_check(&f->coverage, f->model->path, &what) != 0)
		cli_fail(&what);
	if (data->tags >= MANY_TAGS && data->known_tags == 0)
		cli_error("none of the tags is one of %s, which was trained on %s", f->model->path,
		          f->model->pos == HP_POS_UPOS ? "UPOS" : "XPOS");
}

static int compute(filter *f, float **x, hp_error *err)
{
	const filter_batch *b = &f->batch;
	size_t width = (size_t)hp_dep_input_dim(&f->model->config);
	hp_dep_sent *sents = HP_NEW(f->arena, hp_dep_sent, b->count);
	int index = 0;

	*x = HP_NEW(f->arena, float, b->rows * width);
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	for (int i = 0; i < b->items; i++) {
		const filter_item *item = &b->item[i];

		if (item->n == 0)
			continue;
		if (hp_model_number(f->model, f->arena, &item->sentence, &sents[index], err) != 0)
			return HP_FAIL;
		const hp_dep_sent *numbers = &sents[index++];
		count_tags(f, &item->sentence, numbers);
		hp_coverage_add(&f->coverage, &item->sentence, numbers->words + 1, numbers->chars + 1,
		                numbers->char_lengths + 1);
	}
	return hp_dep_embed(f->model->net, f->pool, f->arena, b->count, sents, NULL, *x, err);
}

/* Computes and writes what has been collected. */
static int run_batch(filter *f, hp_error *err)
{
	filter_batch *b = &f->batch;
	size_t width = (size_t)hp_dep_input_dim(&f->model->config);
	float *x = NULL;
	int result = b->count > 0 ? compute(f, &x, err) : 0;

	for (int i = 0; i < b->items && result == 0; i++) {
		const filter_item *item = &b->item[i];
		const int64_t shape[] = {item->n, (int64_t)width};

		if (item->n > 0) {
			result = hp_st_writer_tensor(hp_stream_record(f->out), "x", HP_F32, 2, shape, x, err);
			x += (size_t)item->n * width;
		}
		if (result == 0)
			result = write_text(f, item, err);
	}
	filter_batch_clear(f);
	return result;
}

/* Puts what was just read into the batch, by exchanging it with the item's old memory.  UNPARSED: why it was not, or NULL. */
static int add(filter *f, const hp_error *unparsed, hp_error *err)
{
	embed_data *data = f->data;
	int n = unparsed != NULL || data->spare.words == 0 ? 0 : data->spare.words + 1;
	hp_sentence read = data->spare;

	if (!filter_batch_takes(f, n, read.size) && run_batch(f, err) != 0)
		return HP_FAIL;
	filter_item *item = filter_batch_next(f);
	data->spare = item->sentence;
	item->sentence = read;
	item->n = n;
	item->unparsed = unparsed != NULL ? hp_arena_text(f->arena, unparsed->text) : NULL;
	filter_batch_add(f, n, read.size);
	return hp_arena_failed(f->arena) ? hp_fail_memory(err) : 0;
}

/* ---- reading ---- */

/* One block of file NAME.  *MORE is false at the end. */
static int read_block(filter *f, hp_conllu_reader *reader, const char *name, bool *more, hp_error *err)
{
	embed_data *data = f->data;
	int got = hp_conllu_read(reader, &data->spare, err);

	*more = got != 0;
	if (got > 0 && hp_sentence_needs_tree(&data->spare, name, err) != 0)
		got = HP_FAIL;
	if (got > 0) {
		hp_masked_add(&data->masked, &data->spare);
		return add(f, NULL, err);
	}
	if (got == 0)
		return 0;
	if (!data->keep_going || hp_conllu_broken(reader))
		return HP_FAIL;
	const hp_error why = *err;
	f->status = cli_fail(&why);
	return data->spare.size > 0 ? add(f, &why, err) : 0;
}

/* Computes what came, unless more is about to come. */
static int pause_or_go_on(filter *f, hp_input *in, hp_conllu_reader *reader, hp_error *err)
{
	bool ready;
	int waited = 0;

	do {
		if (hp_conllu_ready(reader, &ready, err) != 0)
			return HP_FAIL;
	} while (!ready && filter_wait(in, &waited));
	if (ready)
		return 0;
	return run_batch(f, err) != 0 ? HP_FAIL : hp_stream_flush(f->out, err);
}

static int embed_file(filter *f, const char *path, hp_error *err)
{
	embed_data *data = f->data;
	hp_input *in = NULL;
	hp_conllu_reader *reader = NULL;
	hp_error late;
	bool more = true;
	int result = hp_input_open(path, &in, err);

	data->masked = (hp_masked){.words = 0};
	if (result == 0)
		result = hp_conllu_reader_new(in, data->kind, data->max_words, &reader, err);
	if (result == 0)
		hp_conllu_count(reader, &data->sentences);
	while (result == 0 && more) {
		result = read_block(f, reader, hp_input_name(in), &more, err);
		if (result == 0 && more)
			result = pause_or_go_on(f, in, reader, err);
	}
	/* What came before trouble goes out first. */
	if (!ferror(stdout) && run_batch(f, &late) != 0) {
		*err = late;
		result = HP_FAIL;
	}
	if (result == 0 && hp_masked_check(&data->masked, hp_input_name(in), &late) != 0)
		cli_fail(&late);
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	return result;
}

/* Whether the model (may be NULL) reads what ELMo writes. */
static int check_stream_model(const hp_elmo *e, const hp_model *m, hp_error *err)
{
	const hp_rst_config *c = m != NULL ? &m->rst_config : NULL;
	int layers = hp_elmo_layers(e) + 1, width = hp_elmo_width(e);

	if (!m)
		return 0;
	if (!m->rst)
		return hp_fail(err, "--elmo is for discourse models, but %s is for the task %s", m->path, m->task);
	if (c->input != HP_RST_INPUT_STREAM)
		return hp_fail(err, "--elmo: %s has embeddings of its own, expected a model that was trained on a stream",
		               m->path);
	if (c->stream_layers != layers || c->input_dim != width)
		return hp_fail(err, "--elmo: %d layers of %d numbers a word, but %s reads %d of %d", layers, width, m->path,
		               c->stream_layers, c->input_dim);
	return 0;
}

/* Whether the model takes such input. */
static int check_input(filter *f, hp_error *err)
{
	embed_data *data = f->data;
	const hp_model *m = f->model;
	bool edus = data->input == EDUS || data->input == DIS;

	if (data->elmo && m && !m->rst && !f->named) {
		/* HP_MODEL is meant for other commands. */
		hp_model_close(f->model);
		f->model = NULL;
		return 0;
	}
	if (data->elmo)
		return check_stream_model(data->elmo, m, err);
	if (m->rst && m->rst_config.input != HP_RST_INPUT_WORDS)
		return hp_fail(err,
		               "%s: a model that takes its embeddings from a stream of another program: "
		               "expected --elmo, or such a stream given to hp-encode(1)",
		               m->path);
	if (m->rst ? data->input == TOKENS : edus)
		return hp_fail(err, "--input=%s is for %s models, but %s is for the task %s", kind_names[data->input],
		               m->rst ? "dependency" : "discourse", m->path, m->task);
	data->kind = data->input == TOKENS ? HP_TEXT_TOKENS : HP_TEXT_CONLLU;
	return 0;
}

static int embed_any(filter *f, const char *path, hp_error *err)
{
	const embed_data *data = f->data;
	const discourse_text how = {.kind = data->input == DIS      ? DISCOURSE_DIS
	                                    : data->input == CONLLU ? DISCOURSE_CONLLU
	                                                            : DISCOURSE_EDUS,
	                            .keep_going = data->keep_going,
	                            .max_words = data->max_words,
	                            .elmo = data->elmo,
	                            .lanes = data->carried};

	if (data->elmo || f->model->rst)
		return discourse_embed(f, path, &how, err);
	return embed_file(f, path, err);
}

/* The model, and with --elmo the language model; the former may then be missing. */
static int open_models(filter *f, hp_error *err)
{
	embed_data *data = f->data;

	if (data->elmo_path && hp_elmo_open(data->elmo_path, f->pool, &data->elmo, err) != 0)
		return HP_FAIL;
	if (data->carry && hp_elmo_lanes_new(data->elmo, data->lanes, &data->carried, err) != 0)
		return HP_FAIL;
	if ((!data->elmo || f->model_name) && hp_model_open(f->model_name, HP_STAGE_EMBED, &f->model, err) != 0)
		return HP_FAIL;
	if (filter_check_model(f, err) != 0 || check_input(f, err) != 0)
		return HP_FAIL;
	if (data->elmo)
		f->elmo_id = hp_elmo_id(data->elmo);
	return 0;
}

static int embed_files(filter *f, int count, char **files, hp_error *err)
{
	if (filter_start(f, err) != 0 || open_models(f, err) != 0 || filter_begin(f, err) != 0)
		return HP_FAIL;
	if (count == 0 && embed_any(f, "-", err) != 0)
		return HP_FAIL;
	for (int i = 0; i < count; i++)
		if (embed_any(f, files[i], err) != 0)
			return HP_FAIL;
	tell_unknown(f);
	if (hp_stream_write_last(f->out, NULL, NULL, err) != 0)
		return HP_FAIL;
	f->begun = false;
	return 0;
}

/* ---- options ---- */

static int embed_option(filter *f, int option, const char *argument)
{
	embed_data *data = f->data;
	long value;

	switch (option) {
	case 'i':
		data->input = DEFAULT;
		for (int i = CONLLU; i < KINDS; i++)
			if (strcmp(argument, kind_names[i]) == 0)
				data->input = (input_kind)i;
		if (data->input == DEFAULT)
			return cli_usage("--input: '%s' is unknown, expected conllu, tokens, edus or dis", argument);
		return -1;
	case 'k':
		data->keep_going = true;
		return -1;
	case 'w':
		if (cli_whole("--max-words", argument, 1, FILTER_MAX_WORDS, &value) != CLI_OK)
			return CLI_USAGE;
		data->max_words = (int)value;
		return -1;
	case 'e':
		data->elmo_path = argument;
		return -1;
	case 'c':
		data->carry = true;
		return -1;
	case 'l':
		if (cli_whole("--lanes", argument, 1, HP_ELMO_MAX_LANES, &value) != CLI_OK)
			return CLI_USAGE;
		data->lanes = (int)value;
		return -1;
	default:
		return filter_option(f, option, argument, help);
	}
}

/* Options that do not go together.  -1, or the status to exit with. */
static int check_options(embed_data *data)
{
	if (data->carry && !data->elmo_path)
		return cli_usage("--carry is for --elmo");
	if (data->lanes > 0 && !data->carry)
		return cli_usage("--lanes is for --carry");
	if (data->elmo_path && data->input == TOKENS)
		return cli_usage("--elmo with --input=tokens, expected edus, dis or conllu");
	if (data->lanes == 0)
		data->lanes = 1;
	return -1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"input", required_argument, NULL, 'i'},
	                                        {"keep-going", no_argument, NULL, 'k'},
	                                        {"max-words", required_argument, NULL, 'w'},
	                                        {"elmo", required_argument, NULL, 'e'},
	                                        {"carry", no_argument, NULL, 'c'},
	                                        {"lanes", required_argument, NULL, 'l'},
	                                        FILTER_LONG_OPTIONS,
	                                        {NULL, 0, NULL, 0}};
	embed_data data = {.kind = HP_TEXT_CONLLU, .max_words = 20000};
	filter f;
	hp_error err = {""};
	int option, status, result;

	filter_init(&f, "hp-embed", NULL, &data);
	hp_sentence_init(&data.spare);
	while ((option = cli_option(argc, argv, "i:kw:e:cl:" FILTER_SHORT_OPTIONS, options)) != -1)
		if ((status = embed_option(&f, option, optarg)) >= 0)
			return status;
	if ((status = check_options(&data)) >= 0)
		return status;
	if ((data.elmo_path && cli_check_output(f.output, 1, (char *const *)&data.elmo_path) != CLI_OK) ||
	    cli_begin_output(f.output, argc - optind, argv + optind) != CLI_OK)
		return CLI_FAILED;
	result = embed_files(&f, argc - optind, argv + optind, &err);
	status = filter_end(&f, result, &err);
	hp_elmo_lanes_destroy(data.carried);
	hp_elmo_close(data.elmo);
	hp_sentence_free(&data.spare);
	return status;
}
