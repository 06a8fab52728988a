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
	{'q', "quiet", NULL, INTO(tagging.quiet), .help = "say nothing of texts that the model does not know"},
	{'k', "keep-going", NULL, INTO(embed.keep_going),
     .help = "pass a block that cannot be read on as it is, and exit with\n"
             "status 1 at the end"},
	{'w', "max-words", "N", INTO(embed.max_words), .min = 1, .max = FILTER_MAX_WORDS,
     .help = "refuse longer sentences (default 20000)"},
	{0}};

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-tag", FILTER_TAG);
	f.text = true;
	f.embed.max_words = 20000;
	status = filter_options(&f, argc, argv, usage, rows, NULL);
	return status == CLI_GO_ON ? filter_run(&f, argc - optind, argv + optind) : status;
}
