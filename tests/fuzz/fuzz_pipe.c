/* fuzz_pipe.c: two bytes that choose the kind of text and options, then a text that goes through hp-embed, hp-encode,
 * hp-decode and hp-label with a tiny model.  What the first refuses the others pass on as incomplete; all that comes out
 * is trees, and the second time, with the output as the input, it is the same. */
#include "fuzz.h"

#include <string.h>
#include "parsed.h"

enum { KEEP_GOING = 1, SCORES = 2, BEAM = 4, FEW_WORDS = 8 };
static const char *const input_of[] = {"--input=conllu", "--input=tokens", "--input=edus", "--input=dis"};
enum { INPUTS = 4 };

static void stage(int (*program)(int, char **), const char *name, const char *option, parsed_model model, fuzz_run *run)
{
	const char *const arguments[] = {name,   "-m", parsed_model_path(model), fuzz_file("stream", run->out, run->size),
	                                 option, NULL};
	int before = run->status;

	fuzz_run_free(run);
	fuzz_program(program, arguments, run);
	demand(run->status == before);
}

static bool embed(const char *text, size_t size, unsigned input, int options, parsed_model model, fuzz_run *run)
{
	const char *arguments[10] = {"hp-embed", "-m", parsed_model_path(model), input_of[input]};
	int n = 4;

	if (options & KEEP_GOING)
		arguments[n++] = "--keep-going";
	if (options & FEW_WORDS)
		arguments[n++] = "--max-words=4";
	arguments[n++] = fuzz_file("text", text, size);
	fuzz_program(hp_embed_main, arguments, run);
	demand(run->status == 0 || run->said[0] != '\0');
	parsed_stream(run->out, run->size, 'e', model, run->status);
	return run->status == 0;
}

static bool parse(const char *text, size_t size, unsigned input, int options, parsed_model model, fuzz_run *run)
{
	embed(text, size, input, options, model, run);
	stage(hp_encode_main, "hp-encode", NULL, model, run);
	parsed_stream(run->out, run->size, 'n', model, run->status);
	stage(hp_decode_main, "hp-decode", options & BEAM ? "--beam=3" : NULL, model, run);
	parsed_stream(run->out, run->size, 'd', model, run->status);
	stage(hp_label_main, "hp-label", options & SCORES ? "--scores" : NULL, model, run);
	return run->status == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_run run, again;
	parsed_model model;
	unsigned input;
	int options;
	bool good;

	if (size < 2)
		return 0;
	input = data[0] % INPUTS;
	options = data[1];
	model = input >= 2 ? PARSED_RST : data[0] / INPUTS % 2 ? PARSED_NO_TAGS : PARSED_DEP;
	good = parse((const char *)data + 2, size - 2, input, options, model, &run);
	/* With --keep-going blocks pass as they are that are no trees. */
	if (model == PARSED_RST && (good || !(options & KEEP_GOING)))
		parsed_dis(run.out, run.size, true);
	else if (model != PARSED_RST && (good || !(options & KEEP_GOING)))
		parsed_conllu(run.out, run.size, true, options & SCORES);
	if (good && !(options & FEW_WORDS)) {
		demand(parse(run.out, run.size, model == PARSED_RST ? 3 : 0, options, model, &again));
		demand(again.size == run.size && memcmp(again.out, run.out, run.size) == 0);
		fuzz_run_free(&again);
	}
	fuzz_run_free(&run);
	return 0;
}
