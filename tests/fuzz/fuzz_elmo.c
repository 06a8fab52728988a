/* fuzz_elmo.c: an image as an ELMo model.  It is refused with a message, or it gives a vector for every word, finite as
 * far as its weights are sensible, and the same one whatever stands beside the sentence. */
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include "elmo/elmo.h"
#include "io/safetensors.h"

enum { WORDS = 3 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

/* COUNT sentences of WORDS and of one word by turns into OUT, or false with a message. */
static bool run(const hp_elmo *e, int count, float *out, size_t each)
{
	static const hp_elmo_word words[WORDS] = {{"She", 3}, {"reads", 5}, {"caf\xc3\xa9s-and-much-more-of-it", 24}};
	hp_elmo_sentence sentence[4];
	hp_arena *scratch = hp_arena_new();
	hp_error err = {""};

	demand(scratch && count <= 4);
	for (int i = 0; i < count; i++)
		sentence[i] = (hp_elmo_sentence){i % 2 ? 1 : WORDS, words, out + (size_t)i * each};
	int status = hp_elmo_run(e, NULL, scratch, NULL, count, sentence, &err);
	if (status != 0)
		fuzz_refused(&err);
	hp_arena_destroy(scratch);
	return status == 0;
}

static void check(const hp_elmo *e)
{
	size_t width = (size_t)hp_elmo_width(e), each = (size_t)(hp_elmo_layers(e) + 1) * WORDS * width;
	float *one, *two;

	if (each > 1 << 20)
		return;
	one = calloc(each, sizeof(float));
	two = calloc(4 * each, sizeof(float));
	demand(one && two && hp_elmo_id(e)[0] != '\0');
	if (run(e, 1, one, each) && run(e, 4, two, each))
		demand(memcmp(one, two, each * sizeof(float)) == 0 && memcmp(one, two + 2 * each, each * sizeof(float)) == 0);
	free(one);
	free(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	hp_elmo *e;

	if (hp_elmo_open(fuzz_file("elmo.safetensors", data, size), NULL, &e, &err) != 0) {
		fuzz_refused(&err);
		return 0;
	}
	check(e);
	hp_elmo_close(e);
	return 0;
}
