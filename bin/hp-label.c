/* hp-label: trees in, CoNLL-U with labels out. */
#include "cli.h"
#include "filter.h"

static const char usage[] = "Usage: hp-label [OPTION]... [FILE]...\n"
							"Label the arcs of the trees of hp-decode, from FILEs or standard input, and\n"
							"write CoNLL-U (discourse models: .dis trees): the last stage of\n"
							"hp-embed | hp-encode | hp-decode | hp-label.\n\n";

#define INTO(field) OPTION_INTO(filter, field)

static const option_row rows[] = {{'s', "scores", NULL, INTO(scores),
                                   .help = "put the probabilities of arc and label into MISC, as\n"
                                           "ArcProb= and LabelProb=; discourse: into comments before\n"
                                           "the tree, SplitProb= and LabelProb= of each split; and the\n"
                                           "logarithm of the tree's into a comment # score ="},
                                  FILTER_NOTATIONS(notation),
                                  {0}};

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-label", FILTER_LABEL);
	f.text = true;
	status = filter_options(&f, argc, argv, usage, rows, NULL);
	if (status == CLI_GO_ON && f.scores && f.notation != HP_RST_DIS)
		return cli_usage("only one of --scores and --%s can be given", hp_rst_notation_name[f.notation]);
	return status == CLI_GO_ON ? filter_run(&f, argc - optind, argv + optind) : status;
}
