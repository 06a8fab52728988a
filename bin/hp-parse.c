/* hp-parse: text in, trees out: hp-embed | hp-encode | hp-decode | hp-label, for raw text after hp-tokenize | hp-tag; for the
 * rhetorical trees of text without EDUs these find dependency trees first, and hp-segment stands between. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "elmo/elmo.h"
#include "filter.h"
#include "model/language.h"
#include "options.h"
#include "pipe.h"
#include "rst/notation.h"
#include "tokenize/splitter.h"

static const char usage[] = "Usage: hp-parse [OPTION]... [FILE]...\n"
							"Parse FILEs or standard input and write CoNLL-U (discourse models: .dis trees),\n"
							"by the four stages hp-embed | hp-encode | hp-decode | hp-label; raw text\n"
							"(--input=text) passes hp-tokenize | hp-tag before, and for discourse models\n"
							"hp-segment.\n\n";

enum { CONLLU = 1, TOKENS, EDUS, DIS, RS3, RAW };
static const char *const inputs[] = {"conllu", "tokens", "edus", "dis", "rs3", "text", NULL};

/* What the stages are told; NULL, 0 or false: nothing. */
typedef struct settings {
	const char *elmo, *model, *output;
	int input, beam, nbest, max_words, max_edus, lanes, threads;
	int notation; /* hp_rst_notation */
	bool text, scores, keep_going, quiet, constraints, carry, int8, lines, ranges, tokenize;
	hp_language models; /* of text that is no tokens, or no EDUs, yet */
} settings;

#define INTO(field) OPTION_INTO(settings, field)

static const option_row rows[] = {
	{'i', "input", "KIND", INTO(input), .words = inputs,
     .help = "what the input is: conllu (default), text (raw), or tokens\n"
             "(a sentence a line, tokens separated by blanks); for a\n"
             "discourse model edus (default; an EDU a line, a blank line\n"
             "between sentences), dis or rs3 (trees), or conllu (EDUs\n"
             "marked in MISC, or else found)"},
	{0, "tokenize", NULL, INTO(tokenize),
     .help = "edus, dis, rs3: the EDUs are raw text: find their tokens\n"
             "and tags"},
	{0, "lines", NULL, INTO(lines), .help = "raw text: every line is a sentence"},
	{0, "ranges", NULL, INTO(ranges),
     .help = "raw text: write where tokens stand in it, in characters:\n"
             "TokenRange=FROM:TO in MISC"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{'b', "beam", "N", INTO(beam), .min = 1, .max = FILTER_MAX_BEAM,
     .help = "keep N hypotheses at each step (default: as the model says,\n"
             "mostly 1); the best of those at the end has the tree"},
	{'n', "nbest", "N", INTO(nbest), .min = 1, .max = FILTER_MAX_BEAM,
     .help = "write the N best trees of each sentence, the best first,\n"
             "of a beam of N at least, with # nbest = and # score ="},
	{'t', "text", NULL, INTO(text), .help = "write the trees without labels"},
	{'s', "scores", NULL, INTO(scores),
     .help = "put the probabilities of arc and label into MISC, as\n"
             "ArcProb= and LabelProb=, and the tree's own score before\n"
             "it, as # score =; discourse: SplitProb= and LabelProb= of\n"
             "each split, in comments before the tree"},
	FILTER_NOTATIONS(notation),
	{'k', "keep-going", NULL, INTO(keep_going),
     .help = "pass a block that cannot be read on as it is, and exit with\n"
             "status 1 at the end"},
	{'q', "quiet", NULL, INTO(quiet), .help = "say nothing of texts that the model does not know"},
	{'w', "max-words", "N", INTO(max_words), .min = 1, .max = FILTER_MAX_WORDS,
     .help = "refuse longer sentences (default 20000), or documents\n"
             "(default 50000); in raw text cut sentences (default 1000)"},
	{0, "max-edus", "N", INTO(max_edus), .min = 1, .max = FILTER_MAX_EDUS,
     .help = "cut documents of more EDUs at paragraphs, or sentences;\n"
             "without this option more than 1000 are refused"},
	{0, "constraints", NULL, INTO(constraints),
     .help = "keep what is fixed: by MISC, Head=3 (0: the root) or for a\n"
             "discourse model Span=3 (that many EDUs from this one on);\n"
             "dis, rs3: the nodes of the trees"},
	{'e', "elmo", "FILE", INTO(elmo), .named = true,
     .help = "discourse: embeddings of this ELMo model (of elmo-convert)"},
	{'c', "carry", NULL, INTO(carry), .help = "carry ELMo's states on from sentence to sentence"},
	{'l', "lanes", "N", INTO(lanes), .min = 1, .max = HP_ELMO_MAX_LANES,
     .help = "with --carry: each N-th sentence follows the same states"},
	{0, "int8", NULL, INTO(int8),
     .help = "compute with matrices rounded to 8-bit integers: twice as\n"
             "fast; one or two arcs in a hundred come out otherwise"},
	{'m', "model", "MODEL", INTO(model), .named = true,
     .help = "a model file (a name with a '/') or the name of an\n"
             "installed model, such as en for all of a language;\n"
             "without it HP_MODEL, else en"},
	{'j', "threads", "N", INTO(threads), .min = 1, .max = FILTER_MAX_THREADS,
     .help = "threads for each of the stages (default 1)"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

static const option_pair pairs[] = {
	{"carry", "elmo", true, "--carry is for --elmo"}, {"lanes", "carry", true, "--lanes is for --carry"}, {0}};

/* Without an option it is how the output's name ends. */
static int notation_of(const settings *s)
{
	static const hp_rst_notation notations[] = {HP_RST_BRACKETS, HP_RST_RS3, HP_RST_JSON, HP_RST_RELS};
	bool other = s->notation != HP_RST_DIS || s->text || s->scores || s->nbest > 0;

	for (size_t i = 0; s->output && !other && i < sizeof notations / sizeof *notations; i++)
		if (cli_ends_in(s->output, hp_rst_notation_name[notations[i]]))
			return (int)notations[i];
	return s->notation;
}

/* What the table of pairs cannot say. */
static int check_input(const settings *s)
{
	const char *other = s->text ? "text" : s->scores ? "scores" : s->nbest > 0 ? "nbest" : NULL;

	if (s->notation != HP_RST_DIS && other)
		return cli_usage("only one of --%s and --%s can be given", other, hp_rst_notation_name[s->notation]);
	if (s->elmo && (s->input == TOKENS || s->input >= RS3))
		return cli_usage("--elmo with --input=%s, expected edus, dis or conllu", inputs[s->input - 1]);
	if (s->constraints && (s->input == TOKENS || s->input == EDUS || s->input == RAW))
		return cli_usage("--constraints with --input=%s, expected conllu, dis or rs3", inputs[s->input - 1]);
	if (s->tokenize && s->input != EDUS && s->input != DIS && s->input != RS3)
		return cli_usage("--tokenize with --input=%s, expected edus, dis or rs3", inputs[s->input - 1]);
	if ((s->lines || s->ranges) && s->input != RAW)
		return cli_usage("--%s is for --input=text", s->lines ? "lines" : "ranges");
	if (s->max_words > HP_SPLIT_MOST_WORDS && s->input == RAW)
		return cli_usage("--max-words=%d with --input=text, expected at most %d", s->max_words, HP_SPLIT_MOST_WORDS);
	return CLI_GO_ON;
}

/* ---- options of the stages, where something is set ---- */

static void add_flag(pipe_stage *stage, const char *option, bool flag)
{
	if (flag)
		pipe_argument(stage, "%s", option);
}

static void add_number(pipe_stage *stage, const char *option, int number)
{
	if (number > 0)
		pipe_argument(stage, "%s=%d", option, number);
}

static void add_text(pipe_stage *stage, const char *option, const char *text)
{
	if (text)
		pipe_argument(stage, "%s=%s", option, text);
}

/* ---- the pipe ---- */

static void add_files(pipe_stage *stage, int files, char **file)
{
	pipe_argument(stage, "--");
	for (int i = 0; i < files; i++)
		pipe_argument(stage, "%s", file[i]);
}

static void tokenize(pipe_line *line, const settings *s, int files, char **file)
{
	pipe_stage *stage = pipe_add(line, "hp-tokenize");

	add_flag(stage, "--edus", s->tokenize);
	add_flag(stage, "--keep-going", s->tokenize && s->keep_going);
	add_flag(stage, "--lines", s->lines);
	add_flag(stage, "--ranges", s->ranges);
	add_number(stage, "--max-words", s->input == RAW ? s->max_words : 0);
	add_text(stage, "--model", s->models.tokenizer);
	add_number(stage, "--threads", s->threads);
	add_files(stage, files, file);
}

/* .rs3 is XML, which hp-embed does not read, and does not know where sentences end; and a text whose annotation is not finished
 * has several trees. */
static void convert(pipe_line *line, const settings *s, int files, char **file)
{
	pipe_stage *stage = pipe_add(line, "rst-convert");

	pipe_argument(stage, "--to=dis");
	pipe_argument(stage, "--join=joint");
	pipe_argument(stage, "--sentences");
	add_flag(stage, "--keep-going", s->keep_going);
	add_files(stage, files, file);
}

/* Rhetorical trees have no tags: there they are but clues, as good from the fast ones. */
static void tag(pipe_line *line, const settings *s)
{
	pipe_stage *stage = pipe_add(line, "hp-tag");
	bool clues = s->models.segmenter || s->tokenize;

	/* hp-embed tells what the models do not know. */
	pipe_argument(stage, "--quiet");
	add_text(stage, "--model", s->models.tagger);
	add_flag(stage, "--int8", s->int8 || clues);
	add_number(stage, "--threads", s->threads);
}

static void add_simple(pipe_line *line, const char *program, bool int8, const settings *s)
{
	pipe_stage *stage = pipe_add(line, program);

	add_flag(stage, "--int8", int8);
	add_number(stage, "--threads", s->threads);
}

/* The dependency trees that segmenter and parser read, and nobody else: the fast ones as well. */
static void parse_trees(pipe_line *line, const settings *s)
{
	pipe_stage *stage = pipe_add(line, "hp-embed");

	pipe_argument(stage, "--quiet");
	add_text(stage, "--model", s->models.trees);
	add_number(stage, "--threads", s->threads);
	add_simple(line, "hp-encode", true, s);
	add_simple(line, "hp-decode", true, s);
	add_simple(line, "hp-label", true, s);
}

static void segment(pipe_line *line, const settings *s, int files, char **file)
{
	pipe_stage *stage = pipe_add(line, "hp-segment");

	pipe_argument(stage, "--keep");
	pipe_argument(stage, "--quiet");
	add_flag(stage, "--keep-going", s->keep_going);
	add_number(stage, "--max-words", s->input != RAW ? s->max_words : 0);
	add_text(stage, "--model", s->models.segmenter);
	add_flag(stage, "--int8", s->int8);
	add_number(stage, "--threads", s->threads);
	add_files(stage, files, file);
}

static void embed(pipe_line *line, const settings *s, int files, char **file)
{
	pipe_stage *stage = pipe_add(line, "hp-embed");

	if (s->models.segmenter || s->tokenize)
		pipe_argument(stage, "--input=conllu");
	else if (s->input != RAW && s->input > 0)
		add_text(stage, "--input", inputs[(s->input == RS3 ? DIS : s->input) - 1]);
	add_number(stage, "--max-words", s->input != RAW ? s->max_words : 0);
	add_number(stage, "--max-edus", s->max_edus);
	add_flag(stage, "--keep-going", s->keep_going);
	add_flag(stage, "--quiet", s->quiet);
	add_flag(stage, "--constraints", s->constraints);
	add_text(stage, "--elmo", s->elmo);
	add_flag(stage, "--carry", s->carry);
	add_number(stage, "--lanes", s->lanes);
	/* Only this stage is told the model: it tells the others, in the stream. */
	add_text(stage, "--model", s->models.parser ? s->models.parser : s->model);
	add_number(stage, "--threads", s->threads);
	add_files(stage, files, file);
}

static void decode(pipe_line *line, const settings *s)
{
	pipe_stage *stage = pipe_add(line, "hp-decode");

	add_number(stage, "--beam", s->beam);
	add_number(stage, "--nbest", s->nbest);
	add_flag(stage, "--text", s->text);
	add_text(stage, "--output", s->text ? s->output : NULL);
	add_flag(stage, "--scores", s->text && s->scores);
	add_flag(stage, "--int8", s->int8);
	add_number(stage, "--threads", s->threads);
}

static void label(pipe_line *line, const settings *s)
{
	pipe_stage *stage = pipe_add(line, "hp-label");

	add_flag(stage, "--scores", s->scores);
	if (s->notation != HP_RST_DIS)
		pipe_argument(stage, "--%s", hp_rst_notation_name[s->notation]);
	add_text(stage, "--output", s->output);
	add_flag(stage, "--int8", s->int8);
	add_number(stage, "--threads", s->threads);
}

/* The programs in their order; with --text hp-decode is the last.  What ended us is in the LINE then. */
static int run(pipe_line *line, const settings *s, int files, char **file)
{
	const hp_language *m = &s->models;
	int status;

	if (s->input == RS3 || (s->input == DIS && s->tokenize))
		convert(line, s, files, file);
	if (m->tokenizer)
		tokenize(line, s, line->count > 0 ? 0 : files, file);
	if (m->tagger)
		tag(line, s);
	if (m->trees)
		parse_trees(line, s);
	if (m->segmenter)
		segment(line, s, line->count > 0 ? 0 : files, file);
	embed(line, s, line->count > 0 ? 0 : files, file);
	add_simple(line, "hp-encode", s->int8, s);
	decode(line, s);
	if (!s->text)
		label(line, s);
	status = pipe_run(line);
	pipe_free(line);
	return status;
}

/* ---- output ---- */

static bool is_file(const char *output)
{
	return output && strcmp(output, "-") != 0;
}

/* Before anything is started: whether the last stage will be able to write. */
static int check_output(const settings *s, int files, char **file)
{
	hp_error err;

	if (cli_check_output(s->output, files, file) != CLI_OK)
		return CLI_FAILED;
	return is_file(s->output) && hp_file_check(s->output, &err) != 0 ? cli_fail(&err) : CLI_OK;
}

static int parse_split(settings *s, int files, char **file)
{
	pipe_line line = {.count = 0};
	int status = run(&line, s, files, file);

	/* What a last stage that was killed has left beside it. */
	if (status != CLI_OK && s->output)
		hp_file_clean(s->output);
	return line.signal != 0 ? cli_die(line.signal) : status;
}

static int open_output(settings *s, hp_file **out, hp_error *err)
{
	const char *model[] = {s->models.tokenizer, s->models.tagger, s->models.trees, s->models.segmenter,
	                       s->models.parser};

	for (int i = 0; i < 5; i++)
		if (model[i] && is_file(s->output) && hp_file_same(model[i], s->output))
			return hp_fail(err, "%s: model and output are the same file", model[i]);
	if (!is_file(s->output))
		return 0;
	hp_file_clean(s->output);
	if (hp_file_begin(s->output, out, err) != 0)
		return HP_FAIL;
	return dup2(fileno(hp_file_stream(*out)), STDOUT_FILENO) < 0 ? hp_fail_errno(err, s->output) : 0;
}

/* Text between programs has no mark of its end: the last one cannot tell whether it has all of it.  So the file is ours. */
static int parse_text(settings *s, int files, char **file)
{
	pipe_line line = {.count = 0};
	hp_file *out = NULL;
	hp_error err;
	int status = CLI_FAILED;

	pipe_hold(&line); /* nothing of the file stays behind */
	if (open_output(s, &out, &err) != 0) {
		cli_fail(&err);
	} else {
		s->output = NULL;
		status = run(&line, s, files, file);
	}
	if (status != CLI_OK)
		hp_file_abort(out);
	else if (out && hp_file_commit(out, &err) != 0)
		status = cli_fail(&err);
	return line.signal != 0 ? cli_die(line.signal) : status;
}

/* The models that make EDUs of the input, or words of it, where it has none. */
static int find_models(settings *s)
{
	const char *kind = s->notation != HP_RST_DIS ? "rst" : "dep";
	hp_error err;

	if (s->input == RAW && hp_language_find(s->model, kind, HP_LANGUAGE_ANY, &s->models, &err) != 0)
		return cli_fail(&err);
	if (s->tokenize && hp_language_find(s->model, "rst", HP_LANGUAGE_EDUS, &s->models, &err) != 0)
		return cli_fail(&err);
	if (s->input == CONLLU && !s->elmo && hp_language_find_segmenter(s->model, kind, &s->models, &err) != 0)
		return cli_fail(&err);
	return CLI_OK;
}

int main(int argc, char **argv)
{
	settings s = {.model = hp_model_environment()};
	options o = {.usage = usage, .column = 21, .table = {{.row = rows, .into = &s}}};
	int status;

	cli_start("hp-parse");
	if (s.model && *s.model == '\0')
		s.model = NULL;
	status = options_parse(&o, argc, argv);
	if (status == CLI_GO_ON)
		status = options_check(&o, pairs);
	if (s.tokenize && s.input == 0)
		s.input = EDUS;
	s.notation = notation_of(&s);
	if (status == CLI_GO_ON)
		status = check_input(&s);
	if (status == CLI_GO_ON && check_output(&s, argc - optind, argv + optind) != CLI_OK)
		status = CLI_FAILED;
	if (status != CLI_GO_ON)
		return status;
	status = find_models(&s);
	unsetenv("HP_MODEL"); /* it is an option of the first stages now */
	if (status == CLI_OK)
		status = (s.models.tokenizer || s.models.segmenter || s.input == RS3 ? parse_text : parse_split)(
			&s, argc - optind, argv + optind);
	hp_language_free(&s.models);
	return status;
}
