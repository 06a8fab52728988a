/* hp-segment: CoNLL-U in, with elementary discourse units marked out. */
#include "cli.h"
#include "filter.h"

static const char usage[] = "Usage: hp-segment [OPTION]... [FILE]...\n"
							"Write the sentences in FILEs or standard input, as CoNLL-U, with Seg=B-seg in\n"
							"MISC of the first word of each elementary discourse unit:\n"
							"hp-tag | hp-segment | hp-parse -m en-rst -i conllu\n\n";

#define INTO(field) OPTION_INTO(filter, field)

static const option_row rows[] = {
	{'e', "edus", NULL, INTO(tagging.edus),
     .help = "write EDU text instead: an EDU a line, tokens separated by\n"
             "blanks, a blank line after each sentence"},
	{'K', "keep", NULL, INTO(tagging.keep), .help = "leave sentences in which EDUs are marked as they are"},
	{'s', "scores", NULL, INTO(scores),
     .help = "put the probability of what was chosen for a word into\n"
             "MISC: SegProb="},
	{0}};

static const option_pair pairs[] = {{"edus", "scores", false, "--edus has no place for --scores"}, {0}};

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-segment", FILTER_SEGMENT);
	status = filter_options(&f, argc, argv, usage, rows, pairs);
	return status == CLI_GO_ON ? filter_run(&f, argc - optind, argv + optind) : status;
}
