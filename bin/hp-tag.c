/* hp-tag: CoNLL-U in, with tags and lemmas out. */
#include "cli.h"
#include "filter.h"

static const char usage[] = "Usage: hp-tag [OPTION]... [FILE]...\n"
							"Write the sentences in FILEs or standard input with the tags, features and\n"
							"lemmas of their words, as CoNLL-U: hp-tag | hp-embed | ...\n\n";

static const char *const inputs[] = {"conllu", "tokens", NULL};

#define INTO(field) OPTION_INTO(filter, field)

static const option_row rows[] = {
	{'i', "input", "KIND", INTO(embed.input), .words = inputs,
     .help = "what the input is: conllu (default), or tokens (a sentence\n"
             "a line, tokens separated by blanks)"},
	{'K', "keep", NULL, INTO(tagging.keep), .help = "leave a column as it is in sentences where it is filled"},
	{'s', "scores", NULL, INTO(scores),
     .help = "put the probabilities of what was chosen into MISC:\n"
             "UPOSProb=, XPOSProb=, FeatsProb=, LemmaProb="},
	{0}};

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-tag", FILTER_TAG);
	status = filter_options(&f, argc, argv, usage, rows, NULL);
	return status == CLI_GO_ON ? filter_run(&f, argc - optind, argv + optind) : status;
}
