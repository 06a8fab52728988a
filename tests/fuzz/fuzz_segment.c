/* fuzz_segment.c: a letter, then a text: T, for training, CoNLL-U or .dis, whose sentences have words and, those of .dis, marks;
 * E, S or another one, CoNLL-U through hp-segment --edus, --scores or without options: a second run gives the same bytes, in
 * which every sentence begins with a mark. */
#include "fuzz.h"

#include <string.h>
#include "io/sniff.h"
#include "text/marks.h"
#include "train/treebank.h"

enum { MOST = 100 }; /* words of a sentence */

static char *model;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	model = fuzz_beside("models/segmenter.safetensors");
	return 0;
}

/* ---- training ---- */

static bool is_dis(const char *path)
{
	bool dis = false;
	hp_input *in;

	demand(hp_input_open(path, &in, NULL) == 0);
	if (hp_sniff_dis(in, &dis, NULL) != 0)
		dis = false;
	hp_input_close(in);
	return dis;
}

static void learn(const char *path)
{
	const char *const files[] = {path, NULL};
	hp_error err = {""};
	hp_treebank t;
	int64_t words = 0;

	if (hp_treebank_read_units(&(hp_bank_files){.trees = files}, false, MOST, &t, &err) != 0) {
		fuzz_refused(&err);
		return;
	}
	demand(t.count > 0 && !t.heads);
	for (int i = 0; i < t.count; i++) {
		bool begins[MOST];

		demand(t.sent[i].words > 0 && t.sent[i].words <= MOST);
		hp_marks_read(&t.sent[i], begins);
		demand(begins[0] || !is_dis(path));
		words += t.sent[i].words;
	}
	demand(words == t.words);
	hp_treebank_free(&t);
}

/* ---- hp-segment ---- */

static void check_marks(const char *text, size_t size)
{
	hp_conllu_reader *reader;
	hp_input *in;
	hp_sentence s;
	int got;

	hp_sentence_init(&s);
	demand(hp_input_from_memory(text, size, "out", &in, NULL) == 0);
	demand(hp_conllu_reader_new(in, HP_TEXT_CONLLU, MOST, &reader, NULL) == 0);
	while ((got = hp_conllu_read(reader, &s, NULL)) > 0) {
		bool begins[MOST];

		if (s.words == 0)
			continue;
		hp_marks_read(&s, begins);
		demand(begins[0]);
	}
	demand(got == 0);
	hp_conllu_reader_destroy(reader);
	hp_input_close(in);
	hp_sentence_free(&s);
}

static void run(const char *path, const char *option, fuzz_run *out)
{
	const char *arguments[] = {"hp-segment", "-q", "-m", model, "-w", "100", path, option, NULL};

	fuzz_program(hp_segment_main, arguments, out);
	demand(out->status == 0 || out->said[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *option, *path;
	fuzz_run first, second;

	if (size < 1)
		return 0;
	path = fuzz_file("text", data + 1, size - 1);
	if (data[0] == 'T') {
		learn(path);
		return 0;
	}
	option = data[0] == 'E' ? "--edus" : data[0] == 'S' ? "--scores" : NULL;
	run(path, option, &first);
	if (data[0] != 'E' && first.status == 0) {
		check_marks(first.out, first.size);
		run(fuzz_file("again", first.out, first.size), option, &second);
		demand(second.status == 0 && second.size == first.size && memcmp(first.out, second.out, first.size) == 0);
		fuzz_run_free(&second);
	}
	fuzz_run_free(&first);
	return 0;
}
