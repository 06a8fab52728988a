/* fuzz_filters.c: two bytes that choose a program, a tiny model and options, then a stream as its input.  The program
 * ends with a message or without; a stream that cannot be read to its end is always noticed; what comes out is whole. */
#include "fuzz.h"

#include <string.h>
#include "io/stream.h"
#include "parsed.h"

enum { PROGRAMS = 4 }; /* encode, decode, label, cat */
enum { TEXT = 1, SCORES = 2, BEAM = 4, INT8 = 8, BRACKETS = 16 };

static fuzz_run base[PROGRAMS][PARSED_MODELS]; /* a good input of each */

static void run_base(int (*program)(int, char **), const char *name, const char *model, const char *input,
                     fuzz_run *out)
{
	bool embed = program == hp_embed_main;
	const char *const arguments[] = {name, "-m", model, input, embed ? "--constraints" : NULL, "--input=conllu", NULL};

	fuzz_program(program, arguments, out);
	demand(out->status == 0);
}

/* x [2 layers × 3 words × 6], two EDUs: for the model that reads embeddings. */
static void make_layers(fuzz_run *out)
{
	static const char text[] = "She reads\na";
	static const float x[2 * 3 * 6] = {0.5f, -0.25f, 0.125f, 1, -1, 2, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};
	static const int32_t ends[] = {1, 2};
	const int64_t shape[] = {2, 3, 6}, two = 2, length = sizeof(text) - 1;
	const char *const key = "task", *const value = "rst";
	FILE *f = open_memstream(&out->out, &out->size);
	hp_stream_writer *w;

	demand(f && hp_stream_writer_new(f, "base", &w, NULL) == 0);
	demand(hp_stream_write_first(w, 1, &key, &value, NULL) == 0);
	for (int i = 0; i < 2; i++) {
		demand(hp_st_writer_tensor(hp_stream_record(w), "x", HP_F32, 3, shape, x, NULL) == 0);
		demand(hp_st_writer_tensor(hp_stream_record(w), "ends", HP_I32, 1, &two, ends, NULL) == 0);
		demand(hp_st_writer_tensor(hp_stream_record(w), "text", HP_U8, 1, &length, text, NULL) == 0);
		demand(hp_stream_write_record(w, NULL, NULL, NULL) == 0);
	}
	demand(hp_stream_write_last(w, NULL, NULL, NULL) == 0);
	hp_stream_writer_destroy(w);
	fclose(f);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char conllu[] =
		"# a remark\n\n1\tShe\t_\tPRON\t_\t_\t_\t_\t_\t_\n2-3\tit's\t_\t_\t_\t_\t_\t_\t_\t_\n"
		"2\treads\t_\tVERB\t_\t_\t_\t_\t_\t_\n3\ta\t_\tDET\t_\t_\t_\t_\t_\tA=1|Head=2\n\n1\tbook\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
	static const char units[] = "# newdoc id = d\n# sent_id = d-1\n1\tShe\t_\tPRON\t_\t_\t_\t_\t_\tSpan=3,2\n"
								"2\treads\t_\tVERB\t_\t_\t_\t_\t_\t_\n3\ta\t_\tDET\t_\t_\t_\t_\t_\tSeg=B-seg\n"
								"4\tbook\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n5\tdog\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n\n"
								"1\tOne\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tThe\t_\tDET\t_\t_\t_\t_\t_\tSpan=2\n"
								"2\tbook\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n\n";

	(void)argc;
	(void)argv;
	for (parsed_model m = 0; m < PARSED_MODELS; m++) {
		const char *path = parsed_model_path(m), *text;

		text =
			parsed_rst(m) ? fuzz_file("text", units, sizeof(units) - 1) : fuzz_file("text", conllu, sizeof(conllu) - 1);
		if (m == PARSED_STREAM)
			make_layers(&base[0][m]);
		else
			run_base(hp_embed_main, "hp-embed", path, text, &base[0][m]);
		run_base(hp_encode_main, "hp-encode", path, fuzz_file("stream", base[0][m].out, base[0][m].size), &base[1][m]);
		run_base(hp_decode_main, "hp-decode", path, fuzz_file("stream", base[1][m].out, base[1][m].size), &base[2][m]);
		base[3][m] = base[2][m];
	}
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	if (size < 10 || seed % 32 == 0) { /* from the start */
		unsigned program = seed / 32 % PROGRAMS, model = seed / 128 % PARSED_MODELS;
		const fuzz_run *from = &base[program][model];

		if (from->size + 2 > max_size)
			return 0;
		data[0] = (uint8_t)(program + PROGRAMS * model);
		data[1] = (uint8_t)(seed / 512 % 32);
		memcpy(data + 2, from->out, from->size);
		size = from->size + 2;
	} else if (seed % 32 == 1) {
		data[1] = (uint8_t)(seed / 32 % 32);
	}
	return 2 + fuzz_mutate_stream(data + 2, size - 2, max_size - 2, seed);
}

/* Whether the stream can be read up to its end; *TOLD: the trouble in it has been told by whoever wrote it. */
static bool whole(const uint8_t *data, size_t size, bool *told)
{
	hp_stream_reader *reader;
	hp_safetensors *record;
	hp_record_kind kind;
	hp_input *in;
	bool good = true;

	*told = false;
	demand(hp_input_from_memory(data, size, "in", &in, NULL) == 0 && hp_stream_reader_new(in, &reader, NULL) == 0);
	while ((good &= hp_stream_read(reader, &kind, &record, NULL) == 0) && kind != HP_RECORD_END) {
		*told |= (kind == HP_RECORD_LAST && hp_record_error(record)) || hp_safetensors_meta(record, "unparsed") != NULL;
		hp_safetensors_close(record);
	}
	hp_stream_reader_destroy(reader);
	hp_input_close(in);
	return good;
}

static int arguments_of(unsigned program, parsed_model model, int options, const char *input, const char *arguments[16])
{
	static const char *const name[] = {"hp-encode", "hp-decode", "hp-label", "hp-cat"};
	int n = 0;

	arguments[n++] = name[program];
	if (program == 3) {
		static const char *const how[] = {"--values", "--stats", "--json"};

		arguments[n++] = how[options % 3];
		arguments[n++] = input;
		return n;
	}
	arguments[n++] = "-m";
	arguments[n++] = parsed_model_path(model);
	if (program == 1 && (options & TEXT))
		arguments[n++] = "--text";
	if (program == 1 && (options & BEAM))
		arguments[n++] = "--beam=3";
	if (program == 2 && (options & BRACKETS) && parsed_rst(model))
		arguments[n++] = "--brackets";
	else if (program >= 1 && (options & SCORES))
		arguments[n++] = "--scores";
	if (options & INT8)
		arguments[n++] = "--int8";
	arguments[n++] = input;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *arguments[16] = {NULL};
	int (*const main_of[])(int, char **) = {hp_encode_main, hp_decode_main, hp_label_main, hp_cat_main};
	unsigned program;
	parsed_model model;
	fuzz_run run;
	int options;
	bool good, told;

	if (size < 2)
		return 0;
	program = data[0] % PROGRAMS;
	model = (parsed_model)(data[0] / PROGRAMS % PARSED_MODELS);
	options = data[1];
	arguments_of(program, model, options, fuzz_file("stream", data + 2, size - 2), arguments);
	fuzz_program(main_of[program], arguments, &run);
	good = whole(data + 2, size - 2, &told);
	demand(program == 3 || ((good && !told) || run.status == 1));
	demand(run.status == 0 || told || run.said[0] != '\0');
	if (program == 0 || (program == 1 && !(options & TEXT)))
		parsed_stream(run.out, run.size, program == 0 ? 'n' : 'd', model, run.status);
	else if (program < 3 && !parsed_rst(model) && !told)
		parsed_conllu(run.out, run.size, program == 2, options & SCORES);
	else if (program < 3 && !told && !(program == 2 && (options & BRACKETS)))
		parsed_dis(run.out, run.size, true);
	fuzz_run_free(&run);
	return 0;
}
