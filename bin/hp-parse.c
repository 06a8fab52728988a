/* hp-parse: text in, trees out: hp-embed | hp-encode | hp-decode | hp-label. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "elmo/elmo.h"
#include "filter.h"
#include "options.h"
#include "pipe.h"

static const char usage[] = "Usage: hp-parse [OPTION]... [FILE]...\n"
							"Parse FILEs or standard input and write CoNLL-U (discourse models: .dis trees),\n"
							"by the four stages hp-embed | hp-encode | hp-decode | hp-label.\n\n";

enum { CONLLU = 1, TOKENS };
static const char *const inputs[] = {"conllu", "tokens", "edus", "dis", NULL};

/* What the stages are told; NULL, 0 or false: nothing. */
typedef struct settings {
	const char *elmo, *model, *output;
	int input, beam, max_words, lanes, threads;
	bool text, scores, brackets, keep_going, carry, int8;
} settings;

#define INTO(field) OPTION_INTO(settings, field)

static const option_row rows[] = {
	{'i', "input", "KIND", INTO(input), .words = inputs,
     .help = "what the input is: conllu (default), or tokens (a sentence\n"
             "a line, tokens separated by blanks); for a discourse model\n"
             "edus (default; an EDU a line, a blank line between\n"
             "sentences), dis (trees) or conllu (EDUs marked in MISC)"},
	{'o', "output", "FILE", INTO(output), .named = true, .help = "write into FILE, which is there when all of it is"},
	{'b', "beam", "N", INTO(beam), .min = 1, .max = FILTER_MAX_BEAM,
     .help = "keep N hypotheses at each step (default 1); one tree is\n"
             "written: the best of those at the end"},
	{'t', "text", NULL, INTO(text), .help = "write the trees without labels"},
	{'s', "scores", NULL, INTO(scores),
     .help = "put the probabilities of arc and label into MISC, as\n"
             "ArcProb= and LabelProb=, and the tree's own score before\n"
             "it, as # score =; discourse: SplitProb= and LabelProb= of\n"
             "each split, in comments before the tree"},
	{0, "brackets", NULL, INTO(brackets),
     .help = "discourse: a line a tree, such as\n"
             "(1:Satellite=Contrast:4,5:Nucleus=span:6)"},
	{'k', "keep-going", NULL, INTO(keep_going),
     .help = "pass a block that cannot be read on as it is, and exit with\n"
             "status 1 at the end"},
	{'w', "max-words", "N", INTO(max_words), .min = 1, .max = FILTER_MAX_WORDS,
     .help = "refuse longer sentences (default 20000)"},
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
             "installed model; without it HP_MODEL, else en-dep"},
	{'j', "threads", "N", INTO(threads), .min = 1, .max = FILTER_MAX_THREADS,
     .help = "threads for each of the four stages (default 1)"},
	{'h', "help", NULL, .kind = OPTION_HELP, .help = "show this help"},
	{'V', "version", NULL, .kind = OPTION_VERSION, .help = "show the version"},
	{0}};

static const option_pair pairs[] = {{"brackets", "text", false, "only one of --text and --brackets can be given"},
                                    {"brackets", "scores", false, "only one of --scores and --brackets can be given"},
                                    {"carry", "elmo", true, "--carry is for --elmo"},
                                    {"lanes", "carry", true, "--lanes is for --carry"},
                                    {0}};

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

static void embed(pipe_line *line, const settings *s, int files, char **file)
{
	pipe_stage *stage = pipe_add(line, "hp-embed");

	add_text(stage, "--input", s->input > 0 ? inputs[s->input - 1] : NULL);
	add_number(stage, "--max-words", s->max_words);
	add_flag(stage, "--keep-going", s->keep_going);
	add_text(stage, "--elmo", s->elmo);
	add_flag(stage, "--carry", s->carry);
	add_number(stage, "--lanes", s->lanes);
	/* Only this stage is told the model: it tells the others, in the stream. */
	add_text(stage, "--model", s->model);
	add_number(stage, "--threads", s->threads);
	pipe_argument(stage, "--");
	for (int i = 0; i < files; i++)
		pipe_argument(stage, "%s", file[i]);
}

static void encode(pipe_line *line, const settings *s)
{
	pipe_stage *stage = pipe_add(line, "hp-encode");

	add_flag(stage, "--int8", s->int8);
	add_number(stage, "--threads", s->threads);
}

static void decode(pipe_line *line, const settings *s)
{
	pipe_stage *stage = pipe_add(line, "hp-decode");

	add_number(stage, "--beam", s->beam);
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
	add_flag(stage, "--brackets", s->brackets);
	add_text(stage, "--output", s->output);
	add_flag(stage, "--int8", s->int8);
	add_number(stage, "--threads", s->threads);
}

/* Before anything is started: whether the last stage will be able to write. */
static int check_output(const settings *s, int files, char **file)
{
	hp_error err;

	if (cli_check_output(s->output, files, file) != CLI_OK)
		return CLI_FAILED;
	if (s->output && strcmp(s->output, "-") != 0 && hp_file_check(s->output, &err) != 0)
		return cli_fail(&err);
	return CLI_OK;
}

/* hp-embed FILE... | hp-encode | hp-decode | hp-label; with --text hp-decode is the last. */
static int parse(const settings *s, int files, char **file)
{
	pipe_line line = {.count = 0};
	int status;

	embed(&line, s, files, file);
	encode(&line, s);
	decode(&line, s);
	if (!s->text)
		label(&line, s);
	status = pipe_run(&line);
	/* What a last stage that was killed has left beside it. */
	if (status != CLI_OK && s->output)
		hp_file_clean(s->output);
	pipe_free(&line);
	return line.signal != 0 ? cli_die(line.signal) : status;
}

int main(int argc, char **argv)
{
	settings s = {.model = getenv("HP_MODEL")};
	options o = {.usage = usage, .column = 21, .table = {{.row = rows, .into = &s}}};
	int status;

	cli_start("hp-parse");
	if (s.model && *s.model == '\0')
		s.model = NULL;
	status = options_parse(&o, argc, argv);
	if (status == CLI_GO_ON)
		status = options_check(&o, pairs);
	if (status == CLI_GO_ON && s.elmo && s.input == TOKENS)
		status = cli_usage("--elmo with --input=tokens, expected edus, dis or conllu");
	if (status == CLI_GO_ON && check_output(&s, argc - optind, argv + optind) != CLI_OK)
		status = CLI_FAILED;
	unsetenv("HP_MODEL"); /* it is an option of the first stage now */
	return status != CLI_GO_ON ? status : parse(&s, argc - optind, argv + optind);
}
