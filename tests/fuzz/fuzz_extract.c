/* fuzz_extract.c: a byte that chooses rst-extract's options, documents' trees, a byte 0x1e, their sentences.  What comes
 * out is trees. */
#include "fuzz.h"

#include <string.h>
#include "parsed.h"

enum { SENTENCES = 1, NARY = 2, KEEP_GOING = 4, STATS = 8, DIFFERENCES = 16, LABELS = 32 };

static bool extract(const char *trees, const char *sentences, int options, fuzz_run *run)
{
	const char *arguments[12] = {"rst-extract"};
	int n = 1;

	arguments[n++] = options & LABELS ? "--labels=maps/gum.csv" : "--labels=none";
	if (options & SENTENCES)
		arguments[n++] = "--sentences", arguments[n++] = sentences;
	if (options & NARY)
		arguments[n++] = "--nary";
	if (options & KEEP_GOING)
		arguments[n++] = "--keep-going";
	if (options & STATS)
		arguments[n++] = "--stats";
	if (options & DIFFERENCES)
		arguments[n++] = "--differences=2";
	arguments[n++] = trees;
	fuzz_program(rst_extract_main, arguments, run);
	demand(run->status == 0 || run->said[0] != '\0');
	return run->status == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *trees, *sentences;
	fuzz_piece piece[2];
	fuzz_run run;
	int options;

	if (size < 1)
		return 0;
	options = data[0];
	fuzz_split(data + 1, size - 1, piece, 2);
	trees = fuzz_file("d.dis", piece[0].data, piece[0].size);
	sentences = fuzz_file("d.conllu", piece[1].data, piece[1].size);
	extract(trees, sentences, options, &run);
	if (!(options & STATS))
		parsed_dis(run.out, run.size, !(options & NARY));
	fuzz_run_free(&run);
	return 0;
}
