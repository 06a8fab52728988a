/* hp-parse: text in, trees out: hp-embed | hp-encode | hp-decode | hp-label. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli.h"
#include "elmo/elmo.h"
#include "filter.h"
#include "pipe.h"

static const char help[] = "Usage: hp-parse [OPTION]... [FILE]...\n"
						   "Parse FILEs or standard input and write CoNLL-U (discourse models: .dis trees),\n"
						   "by the four stages hp-embed | hp-encode | hp-decode | hp-label.\n"
						   "\n"
						   "  -i, --input=KIND   what the input is: conllu (default), or tokens (a sentence\n"
						   "                     a line, tokens separated by blanks); for a discourse model\n"
						   "                     edus (default; an EDU a line, a blank line between\n"
						   "                     sentences), dis (trees) or conllu (EDUs marked in MISC)\n"
						   "  -o, --output=FILE  write into FILE, which is there when all of it is\n"
						   "  -b, --beam=N       keep N hypotheses at each step (default 1); one tree is\n"
						   "                     written: the best of those at the end\n"
						   "  -t, --text         write the trees without labels\n"
						   "  -s, --scores       put the probabilities of arc and label into MISC, as\n"
						   "                     ArcProb= and LabelProb=, and the tree's own score before\n"
						   "                     it, as # score =; discourse: SplitProb= and LabelProb= of\n"
						   "                     each split, in comments before the tree\n"
						   "      --brackets     discourse: a line a tree, such as\n"
						   "                     (1:Satellite=Contrast:4,5:Nucleus=span:6)\n"
						   "  -k, --keep-going   pass a block that cannot be read on as it is, and exit with\n"
						   "                     status 1 at the end\n"
						   "  -w, --max-words=N  refuse longer sentences (default 20000)\n"
						   "  -e, --elmo=FILE    discourse: embeddings of this ELMo model (of elmo-convert)\n"
						   "  -c, --carry        carry ELMo's states on from sentence to sentence\n"
						   "  -l, --lanes=N      with --carry: each N-th sentence follows the same states\n"
						   "      --int8         compute with matrices rounded to 8-bit integers: twice as\n"
						   "                     fast; one or two arcs in a hundred come out otherwise\n"
						   "  -m, --model=MODEL  a model file (a name with a '/') or the name of an\n"
						   "                     installed model; without it HP_MODEL, else en-dep\n"
						   "  -j, --threads=N    threads for each of the four stages (default 1)\n"
						   "  -h, --help         show this help\n"
						   "  -V, --version      show the version\n";

enum { OPT_BRACKETS = 1000, OPT_INT8 };

static const struct option options[] = {{"input", required_argument, NULL, 'i'},
                                        {"output", required_argument, NULL, 'o'},
                                        {"beam", required_argument, NULL, 'b'},
                                        {"text", no_argument, NULL, 't'},
                                        {"scores", no_argument, NULL, 's'},
                                        {"brackets", no_argument, NULL, OPT_BRACKETS},
                                        {"keep-going", no_argument, NULL, 'k'},
                                        {"max-words", required_argument, NULL, 'w'},
                                        {"elmo", required_argument, NULL, 'e'},
                                        {"carry", no_argument, NULL, 'c'},
                                        {"lanes", required_argument, NULL, 'l'},
                                        {"int8", no_argument, NULL, OPT_INT8},
                                        {"model", required_argument, NULL, 'm'},
                                        {"threads", required_argument, NULL, 'j'},
                                        {"help", no_argument, NULL, 'h'},
                                        {"version", no_argument, NULL, 'V'},
                                        {NULL, 0, NULL, 0}};

/* What the stages are told; NULL or 0: nothing. */
typedef struct settings {
	const char *input, *elmo, *model, *output;
	long beam, max_words, lanes, threads;
	bool text, scores, brackets, keep_going, carry, int8;
} settings;

/* ---- options of the stages, where something is set ---- */

static void add_flag(pipe_stage *stage, const char *option, bool flag)
{
	if (flag)
		pipe_argument(stage, "%s", option);
}

static void add_number(pipe_stage *stage, const char *option, long number)
{
	if (number > 0)
		pipe_argument(stage, "%s=%ld", option, number);
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

	add_text(stage, "--input", s->input);
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

/* ---- options ---- */

static int set_input(settings *s, const char *name)
{
	static const char *const names[] = {"conllu", "tokens", "edus", "dis"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0) {
			s->input = name;
			return -1;
		}
	return cli_usage("--input: '%s' is unknown, expected conllu, tokens, edus or dis", name);
}

static int set_text(const char *option, const char *what, const char *value, const char **out)
{
	if (*value == '\0')
		return cli_usage("%s: expected the name of a %s", option, what);
	*out = value;
	return -1;
}

static int set_number(const char *option, const char *value, long max, long *out)
{
	return cli_whole(option, value, 1, max, out) == CLI_OK ? -1 : CLI_USAGE;
}

/* Returns -1, or the status to exit with. */
static int set_option(settings *s, int option)
{
	switch (option) {
	case 'i':
		return set_input(s, optarg);
	case 'o':
		return set_text("--output", "file", optarg, &s->output);
	case 'e':
		return set_text("--elmo", "file", optarg, &s->elmo);
	case 'm':
		return set_text("--model", "model", optarg, &s->model);
	case 'b':
		return set_number("--beam", optarg, FILTER_MAX_BEAM, &s->beam);
	case 'w':
		return set_number("--max-words", optarg, FILTER_MAX_WORDS, &s->max_words);
	case 'l':
		return set_number("--lanes", optarg, HP_ELMO_MAX_LANES, &s->lanes);
	case 'j':
		return set_number("--threads", optarg, FILTER_MAX_THREADS, &s->threads);
	case 't':
		s->text = true;
		return -1;
	case 's':
		s->scores = true;
		return -1;
	case OPT_BRACKETS:
		s->brackets = true;
		return -1;
	case 'k':
		s->keep_going = true;
		return -1;
	case 'c':
		s->carry = true;
		return -1;
	case OPT_INT8:
		s->int8 = true;
		return -1;
	case 'h':
		return cli_help(help);
	case 'V':
		return cli_version();
	default:
		return CLI_USAGE;
	}
}

static int check(const settings *s)
{
	if (s->brackets && (s->text || s->scores))
		return cli_usage("only one of --%s and --brackets can be given", s->text ? "text" : "scores");
	if (s->carry && !s->elmo)
		return cli_usage("--carry is for --elmo");
	if (s->lanes > 0 && !s->carry)
		return cli_usage("--lanes is for --carry");
	if (s->elmo && s->input && strcmp(s->input, "tokens") == 0)
		return cli_usage("--elmo with --input=tokens, expected edus, dis or conllu");
	return -1;
}

int main(int argc, char **argv)
{
	settings s = {.model = getenv("HP_MODEL")};
	int option, status = -1;

	cli_start("hp-parse");
	if (s.model && *s.model == '\0')
		s.model = NULL;
	while (status < 0 && (option = cli_option(argc, argv, "i:o:b:tskw:e:cl:m:j:hV", options)) != -1)
		status = set_option(&s, option);
	if (status < 0)
		status = check(&s);
	if (status < 0 && check_output(&s, argc - optind, argv + optind) != CLI_OK)
		status = CLI_FAILED;
	unsetenv("HP_MODEL"); /* it is an option of the first stage now */
	return status >= 0 ? status : parse(&s, argc - optind, argv + optind);
}
