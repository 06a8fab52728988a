/* hp-decode: encoder states in, trees out. */
#include <unistd.h>

#include "cli.h"
#include "filter.h"

static const char usage[] = "Usage: hp-decode [OPTION]... [FILE]...\n"
							"Find the trees with the hierarchical pointer decoder, given the states of\n"
							"hp-encode, from FILEs or standard input: the third stage of\n"
							"hp-embed | hp-encode | hp-decode | hp-label.\n\n";

#define INTO(field) OPTION_INTO(filter, field)

static const option_row rows[] = {{'b', "beam", "N", INTO(beam), .min = 1, .max = FILTER_MAX_BEAM,
                                   .help = "keep N hypotheses at each step (default: as the model says,\n"
                                           "mostly 1); the best of those at the end has the tree"},
                                  {'n', "nbest", "N", INTO(nbest), .min = 1, .max = FILTER_MAX_BEAM,
                                   .help = "write the N best trees of each sentence, the best first,\n"
                                           "of a beam of N at least: with --text and by hp-label as\n"
                                           "sentences with # nbest = and # score ="},
                                  {'t', "text", NULL, INTO(text),
                                   .help = "end the pipe: write CoNLL-U with heads, without labels\n"
                                           "(discourse: .dis trees without relations); the default when\n"
                                           "the output is a terminal"},
                                  {'s', "scores", NULL, INTO(scores),
                                   .help = "with --text: the probability of each arc as ArcProb= in\n"
                                           "MISC, of each split as SplitProb= in a comment, and the\n"
                                           "logarithm of the tree's in a comment # score = (the stream\n"
                                           "has them always, as `logp` and `score`)"},
                                  {0}};

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-decode", FILTER_DECODE);
	status = filter_options(&f, argc, argv, usage, rows, NULL);
	if (status != CLI_GO_ON)
		return status;
	if (!f.output && isatty(STDOUT_FILENO))
		f.text = true;
	return filter_run(&f, argc - optind, argv + optind);
}
