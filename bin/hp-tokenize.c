/* hp-tokenize: raw text in, CoNLL-U out; and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/file.h"
#include "io/sniff.h"
#include "model/model.h"
#include "options.h"
#include "rst/documents.h"
#include "tokenize/edus.h"

static const char usage[] = "Usage: hp-tokenize [OPTION]... [FILE]...\n"
							"Find sentences, tokens and words in the text of FILEs or standard input, UTF-8,\n"
							"and write them as CoNLL-U.\n\n";

typedef struct settings {
	bool lines, edus, keep_going, ranges, undo;
	int max_words, threads;
	const char *model, *output;
} settings;

#define INTO(field) OPTION_INTO(settings, field)

static const option_row rows[] = {
	{'l', "lines", NULL, INTO(lines), .help = "every line is a sentence"},
	{'e', "edus", NULL, INTO(edus),
     .help = "every line is an EDU, with blank lines between sentences,\n"
             "or there are trees of EDUs (.dis); these are marked in\n"
             "MISC"},
	{'k', "keep-going", NULL, INTO(keep_going),
     .help = "EDUs: leave out sentences that cannot be read, and exit\n"
             "with status 1 at the end"},
	{'r', "ranges", NULL, INTO(ranges),
     .help = "write where tokens stand in the text, in characters:\nTokenRange=FROM:TO in MISC"},
	{'u', "undo", NULL, INTO(undo), .help = "put the text together again from CoNLL-U"},
	{'w', "max-words", "N", INTO(max_words), .min = 1, .max = HP_SPLIT_MOST_WORDS,
     .help = "cut longer sentences (default 1000); of EDUs refuse them\n(default 20000)"},
	{'m', "model", "MODEL", INTO(model), .named = true,
     .help =
         "model to use: a path if it holds a '/', else a name in\nHP_MODEL_PATH or among the installed models, such as en"},
	{'j', "threads", "N", INTO(threads), .min = 1, .max = 1024, .help = "compute with N threads (default 1)"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, whole or not at all"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help and exit"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version and exit"},
	{0}};

static const option_pair pairs[] = {{"undo", "lines", false, "--undo takes no --lines"},
                                    {"undo", "ranges", false, "--undo takes no --ranges"},
                                    {"undo", "edus", false, "--undo takes no --edus"},
                                    {"edus", "lines", false, "only one of --edus and --lines can be given"},
                                    {"edus", "ranges", false, "--edus takes no --ranges"},
                                    {"keep-going", "edus", true, "--keep-going is for --edus"},
                                    {"undo", "model", false, "--undo needs no --model"},
                                    {0}};

enum {
	BLOCK = 1 << 16, /* bytes */
	MOMENT = 20,
	PAUSE = 200 /* milliseconds: a writer that is being scheduled just now; one that has stopped */
};

/* ---- back ---- */

static int undo_file(hp_tok_undo *u, const char *path, hp_error *err)
{
	hp_input *in;
	hp_conllu_reader *reader = NULL;
	hp_sentence s;
	int got = hp_input_open(path, &in, err);

	hp_sentence_init(&s);
	if (got == 0)
		got = hp_conllu_reader_new(in, HP_TEXT_CONLLU, 0, &reader, err);
	while (got == 0 && (got = hp_conllu_read(reader, &s, err)) > 0)
		got = hp_tok_undo_sentence(u, &s, stdout, err);
	hp_conllu_reader_destroy(reader);
	hp_sentence_free(&s);
	hp_input_close(in);
	return got;
}

static int undo(int count, char **files, hp_error *err)
{
	hp_tok_undo u = {0};
	int status = 0;

	for (int i = 0; (i < count || i == 0) && status == 0; i++)
		status = undo_file(&u, count ? files[i] : "-", err);
	hp_tok_undo_end(&u, stdout);
	return status;
}

/* ---- there ---- */

typedef struct run {
	hp_splitter *splitter;
	hp_tok_writer writer;
	hp_tok_edus edus;
	bool keep_going;
	bool failed; /* something was left out */
} run;

static int write_sentences(run *r, hp_error *err)
{
	hp_split_sentence s;
	int got;

	while ((got = hp_splitter_next(r->splitter, &s, err)) > 0 && !ferror(stdout))
		hp_tok_write(&r->writer, &s);
	return got < 0 ? HP_FAIL : ferror(stdout) ? hp_fail_errno(err, cli_output_name()) : 0;
}

static int flush(hp_error *err)
{
	return fflush(stdout) != 0 ? hp_fail_errno(err, cli_output_name()) : 0;
}

/* Nothing more has come: what is complete is written, and after a while what may be. */
static int wait_for_more(run *r, const hp_input *in, hp_error *err)
{
	if (hp_input_wait(in, MOMENT))
		return 0;
	if (write_sentences(r, err) != 0 || flush(err) != 0)
		return HP_FAIL;
	if (hp_input_wait(in, PAUSE))
		return 0;
	if (hp_splitter_pause(r->splitter, false, err) != 0 || write_sentences(r, err) != 0)
		return HP_FAIL;
	return flush(err);
}

/* CoNLL-U is text as well, but who gives it hardly means that. */
static void warn_of_rows(const char *data, size_t size, const char *name)
{
	if (hp_sniff_is_conllu(data, size))
		cli_error("%s: CoNLL-U, of which every row is read as text; hp-tag and hp-parse read it without --input=text",
		          name);
}

/* All of a text but what finishing it brings; *VALID: there was no trouble but, perhaps, with the text.  What begins like a file of
 * another kind is text until it is none. */
static int read_text(run *r, hp_input *in, bool *valid, hp_error *err)
{
	const char *data;
	size_t size;
	bool wait = false, begun = false, other = false;
	hp_error kind;

	*valid = false;
	while (!hp_input_at_end(in)) {
		if (hp_input_gather(in, 1, wait, &data, &size, err) != 0)
			return HP_FAIL;
		wait = size == 0 && !hp_input_eof_seen(in);
		if (wait && wait_for_more(r, in, err) != 0)
			return HP_FAIL;
		if (size == 0)
			continue;
		size = size < BLOCK ? size : BLOCK;
		if (!begun) {
			warn_of_rows(data, size, hp_input_name(in));
			other = hp_sniff(data, size, hp_input_name(in), "text", &kind) != 0;
		}
		begun = true;
		if (hp_splitter_add(r->splitter, data, size, err) != 0) {
			if (other)
				*err = kind;
			*valid = true;
			return HP_FAIL;
		}
		hp_input_skip(in, size);
		if (hp_splitter_full(r->splitter) && write_sentences(r, err) != 0)
			return HP_FAIL;
	}
	*valid = true;
	return 0;
}

/* Trouble with the text is told behind what stands before it. */
static int tokenize_text(run *r, const char *path, hp_error *err)
{
	hp_input *in;
	char name[4096];
	hp_error late;
	bool valid;

	if (hp_input_open(path, &in, err) != 0)
		return HP_FAIL;
	hp_escape(name, sizeof name, path);
	r->writer.document = strcmp(path, "-") == 0 ? NULL : name;
	hp_splitter_begin(r->splitter, hp_input_name(in));
	int status = read_text(r, in, &valid, err);
	if (valid && hp_splitter_pause(r->splitter, true, status == 0 ? err : &late) != 0)
		status = HP_FAIL;
	if (valid && write_sentences(r, status == 0 ? err : &late) != 0)
		status = HP_FAIL;
	hp_input_close(in);
	return status;
}

/* ---- of EDUs ---- */

/* Nobody waits for what is complete. */
static int await_block(hp_conllu_reader *reader, hp_error *err)
{
	bool ready;

	if (hp_conllu_ready(reader, &ready, err) != 0)
		return HP_FAIL;
	return ready ? 0 : flush(err);
}

/* GOT, of one that was written or refused, is 0 if there can be another one: GOES_ON says whether the input has not broken. */
static int after_block(run *r, int got, bool goes_on, hp_error *err)
{
	if (got < 0 && r->keep_going && goes_on) {
		cli_fail(err);
		r->failed = true;
		got = 0;
	}
	return got == 0 && ferror(stdout) ? hp_fail_errno(err, cli_output_name()) : got;
}

static int tokenize_blocks(run *r, hp_input *in, hp_error *err)
{
	hp_conllu_reader *reader = NULL;
	hp_sentence block;
	int got = hp_conllu_reader_new(in, HP_TEXT_EDUS, 0, &reader, err);

	hp_sentence_init(&block);
	while (got == 0 && (got = await_block(reader, err)) == 0 && (got = hp_conllu_read(reader, &block, err)) != 0) {
		if (got > 0)
			got = hp_tok_edus_write(&r->edus, &block, hp_input_name(in), err);
		got = after_block(r, got, !hp_conllu_broken(reader), err);
	}
	hp_conllu_reader_destroy(reader);
	hp_sentence_free(&block);
	return got;
}

static int tokenize_trees(run *r, hp_input *in, hp_error *err)
{
	hp_rst_documents *docs = NULL;
	hp_rst_tree tree;
	int got = hp_rst_documents_new(in, NULL, &docs, err);

	hp_rst_tree_init(&tree);
	if (got == 0)
		hp_rst_documents_on_warning(docs, cli_warn, NULL);
	while (got == 0 && (got = hp_rst_documents_next(docs, &tree, err)) != 0) {
		if (got > 0)
			got = hp_tok_edus_write_tree(&r->edus, &tree, hp_input_name(in), err);
		got = after_block(r, got, !hp_rst_documents_broken(docs), err);
	}
	hp_rst_documents_destroy(docs);
	hp_rst_tree_free(&tree);
	return got;
}

static int tokenize_edus(run *r, const char *path, hp_error *err)
{
	hp_input *in;
	bool trees;
	int status = hp_input_open(path, &in, err);

	hp_tok_edus_begin(&r->edus);
	if (status == 0)
		status = hp_sniff_root(in, &trees, err);
	if (status == 0)
		status = (trees ? tokenize_trees : tokenize_blocks)(r, in, err);
	hp_input_close(in);
	return status;
}

/* 1: something was left out, which has been told of. */
static int tokenize(const settings *o, int count, char **files, hp_error *err)
{
	hp_split_by by = o->edus ? HP_SPLIT_BLOCKS : o->lines ? HP_SPLIT_LINES : HP_SPLIT_TEXT;
	int most = o->max_words > 0 ? o->max_words : o->edus ? HP_SPLIT_MOST_WORDS : HP_SPLIT_WORDS;
	run r = {.writer = {.out = stdout, .ranges = o->ranges}, .keep_going = o->keep_going};
	hp_pool *pool = hp_pool_new(o->threads);
	hp_tok_model *model = NULL;
	char *path = hp_model_find(o->model, "tok", err);
	int status = path ? hp_tok_model_open(path, &model, err) : HP_FAIL;

	if (status == 0 && o->output && hp_file_same(path, o->output))
		status = hp_fail(err, "%s: model and output are the same file", path);
	if (status == 0)
		status = pool ? hp_splitter_new(model, pool, by, most, &r.splitter, err) : hp_fail_memory(err);
	r.edus = (hp_tok_edus){.splitter = r.splitter, .writer = &r.writer, .max_words = most};
	for (int i = 0; (i < count || i == 0) && status == 0; i++)
		status = (o->edus ? tokenize_edus : tokenize_text)(&r, count ? files[i] : "-", err);
	hp_tok_edus_free(&r.edus);
	hp_splitter_destroy(r.splitter);
	hp_tok_model_close(model);
	hp_pool_destroy(pool);
	free(path);
	return status == 0 && r.failed ? 1 : status;
}

int main(int argc, char **argv)
{
	settings s = {.threads = 1};
	options o = {.usage = usage, .column = 23, .table = {{.row = rows, .into = &s}}};
	hp_error err;

	cli_start("hp-tokenize");
	int status = options_parse(&o, argc, argv);
	if (status == CLI_GO_ON)
		status = options_check(&o, pairs);
	if (status != CLI_GO_ON)
		return status;
	int count = argc - optind;
	char **files = argv + optind;
	if (cli_begin_output(s.output, count, files) != CLI_OK)
		return CLI_FAILED;
	status = s.undo ? undo(count, files, &err) : tokenize(&s, count, files, &err);
	if (status < 0 && !ferror(stdout))
		cli_fail(&err);
	return cli_finish(status == 0 ? CLI_OK : CLI_FAILED);
}
