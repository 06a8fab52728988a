/* hp-encode: embeddings in, encoder states out. */
#include "cli.h"
#include "filter.h"

static const char usage[] = "Usage: hp-encode [OPTION]... [FILE]...\n"
							"Run the encoder over the embeddings of hp-embed, from FILEs or standard input:\n"
							"the second stage of hp-embed | hp-encode | hp-decode | hp-label.\n\n";

int main(int argc, char **argv)
{
	filter f;
	int status;

	filter_init(&f, "hp-encode", FILTER_ENCODE);
	status = filter_options(&f, argc, argv, usage, NULL, NULL);
	return status == CLI_GO_ON ? filter_run(&f, argc - optind, argv + optind) : status;
}
