/* fuzz_pipe.c: two bytes that choose the kind of text and options, then a text that goes through hp-embed, hp-encode,
 * hp-decode and hp-label with a tiny model.  What the first refuses the others pass on as incomplete; all that comes out
 * is trees, with what --constraints fixes, and the second time, with the output as the input, it is the same. */
#include "fuzz.h"

#include <string.h>
#include "parsed.h"

enum { KEEP_GOING = 1, SCORES = 2, BEAM = 4, FEW_WORDS = 8, CONSTRAINTS = 16, CUT = 32 };
static const char *const input_of[] = {"--input=conllu", "--input=tokens", "--input=edus", "--input=dis"};
enum { CONLLU, TOKENS, EDUS, DIS, INPUTS };

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
	const char *arguments[12] = {"hp-embed", "-m", parsed_model_path(model), input_of[input]};
	int n = 4;

	if (options & KEEP_GOING)
		arguments[n++] = "--keep-going";
	if (options & FEW_WORDS)
		arguments[n++] = "--max-words=4";
	if ((options & CONSTRAINTS) && (input == CONLLU || input == DIS))
		arguments[n++] = "--constraints";
	if (options & CUT)
		arguments[n++] = "--max-edus=2";
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

static parsed_model model_of(unsigned input, unsigned choice)
{
	static const parsed_model all[] = {PARSED_DEP, PARSED_NO_TAGS, PARSED_RST, PARSED_DOCUMENTS};

	return all[input == CONLLU ? choice % 4 : input == TOKENS ? choice % 2 : 2 + choice % 2];
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
	model = model_of(input, data[0] / INPUTS);
	good = parse((const char *)data + 2, size - 2, input, options, model, &run);
	/* With --keep-going blocks pass as they are that are no trees. */
	if (parsed_rst(model) && (good || !(options & KEEP_GOING)))
		parsed_dis(run.out, run.size, true);
	else if (!parsed_rst(model) && (good || !(options & KEEP_GOING)))
		parsed_conllu(run.out, run.size, true, options & SCORES);
	if (good && input == DIS && (options & CONSTRAINTS) && !(options & CUT))
		parsed_spans((const char *)data + 2, size - 2, run.out, run.size);
	/* Trees have no tags, nor remarks. */
	if (good && !(options & FEW_WORDS) && !(parsed_rst(model) && input == CONLLU)) {
		demand(parse(run.out, run.size, parsed_rst(model) ? DIS : CONLLU, options, model, &again));
		demand(again.size == run.size && memcmp(again.out, run.out, run.size) == 0);
		fuzz_run_free(&again);
	}
	fuzz_run_free(&run);
	return 0;
}
