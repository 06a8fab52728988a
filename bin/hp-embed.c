/* hp-embed: text in, embeddings out. */
#include "cli.h"
#include "filter.h"

static const char usage[] = "Usage: hp-embed [OPTION]... [FILE]...\n"
							"Write the embeddings of the sentences in FILEs or standard input as a tensor\n"
							"stream: the first stage of hp-embed | hp-encode | hp-decode | hp-label.\n\n";

static const char *const inputs[] = {"conllu", "tokens", "edus", "dis", NULL};

#define INTO(field) OPTION_INTO(filter, field)

static const option_row rows[] = {
	{'i', "input", "KIND", INTO(embed.input), .words = inputs,
     .help = "what the input is: conllu (default), or tokens (a sentence\n"
             "a line, tokens separated by blanks); for a discourse model\n"
             "edus (default; an EDU a line, a blank line between\n"
             "sentences), dis (trees) or conllu (EDUs marked in MISC)"},
	{'k', "keep-going", NULL, INTO(embed.keep_going),
     .help = "pass a block that cannot be read on as it is, and exit with\n"
             "status 1 at the end"},
	{'q', "quiet", NULL, INTO(tagging.quiet), .help = "say nothing of texts that the model does not know"},
	{'w', "max-words", "N", INTO(embed.max_words), .min = 1, .max = FILTER_MAX_WORDS,
     .help = "refuse longer sentences (default 20000), or documents\n"
             "(default 50000)"},
	{0, "max-edus", "N", INTO(embed.max_edus), .min = 1, .max = FILTER_MAX_EDUS,
     .help = "cut documents of more EDUs at paragraphs, or sentences;\n"
             "without this option more than 1000 are refused"},
	{0, "constraints", NULL, INTO(embed.constraints),
     .help = "keep what is fixed: by MISC, Head=3 (0: the root) or for a\n"
             "discourse model Span=3 (that many EDUs from this one on);\n"
             "dis: the nodes of the trees"},
	{'e', "elmo", "FILE", INTO(embed.elmo_path),
     .help = "EDUs, by all layers of this ELMo model (of elmo-convert); a\n"
             "model, if one is named, only tells the stream its name"},
	{'c', "carry", NULL, INTO(embed.carry),
     .help = "carry ELMo's states on from sentence to sentence, as\n"
             "AllenNLP does, not begin each sentence anew"},
	{'l', "lanes", "N", INTO(embed.lanes), .min = 1, .max = HP_ELMO_MAX_LANES,
     .help = "as AllenNLP does in batches of N: each N-th sentence\n"
             "follows the same states (default 1)"},
	{0}};

static const option_pair pairs[] = {
	{"carry", "elmo", true, "--carry is for --elmo"}, {"lanes", "carry", true, "--lanes is for --carry"}, {0}};

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-embed", FILTER_EMBED);
	status = filter_options(&f, argc, argv, usage, rows, pairs);
	if (status != CLI_GO_ON)
		return status;
	if (f.embed.elmo_path && f.embed.input == INPUT_TOKENS)
		return cli_usage("--elmo with --input=tokens, expected edus, dis or conllu");
	if (f.embed.constraints && (f.embed.input == INPUT_TOKENS || f.embed.input == INPUT_EDUS))
		return cli_usage("--constraints with --input=%s, expected conllu or dis", inputs[f.embed.input - 1]);
	return filter_run(&f, argc - optind, argv + optind);
}
