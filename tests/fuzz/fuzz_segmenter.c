/* fuzz_segmenter.c: an image as a segmenter's model.  It is refused with a message, or it segments: every word has a
 * probability, the first ones 1, with a tree, without one and with one that is none, also with rounded matrices. */
#include "fuzz.h"

#include <string.h>
#include "tag/model.h"

#define ROW(id, form, tag, head, relation) id "\t" form "\t_\t" tag "\t_\t_\t" head "\t" relation "\t_\t_\n"

static const char *const texts[] = {ROW("1", "The", "DET", "2", "det") ROW("2", "dog", "NOUN", "3", "nsubj")
                                        ROW("3", "barks", "VERB", "0", "root") ROW("4", "reads", "VERB", "3", "dep"),
                                    ROW("1", "\xc4\xb0", "_", "_", "_") ROW("2", "\xf0\x9f\x98\x80", "_", "_", "_"),
                                    ROW("1", "She", "VERB", "2", "d1") ROW("2", ".", "PUNCT", "1", "dep")
                                        ROW("3", "a", "DET", "9", "dep")};
enum { TEXTS = sizeof texts / sizeof *texts, WORDS = 9 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

static void segment(const hp_tag_model *m, const hp_sentence *sentences)
{
	const hp_look_up how = hp_tag_model_look_up(m);
	const hp_tagging tagging = {.net = m->net};
	hp_arena *arena = hp_arena_new();
	hp_tokens tokens[TEXTS];
	float prob[WORDS];
	hp_error err = {""};

	demand(arena);
	for (int i = 0; i < TEXTS; i++)
		demand(hp_look_up_tokens(&how, arena, &sentences[i], &tokens[i], &err) == 0);
	if (hp_segment_sentences(&tagging, arena, TEXTS, tokens, prob, &err) != 0) {
		fuzz_refused(&err);
	} else {
		for (int i = 0; i < WORDS; i++)
			demand(prob[i] >= 0 && prob[i] <= 1);
		demand(prob[0] == 1 && prob[4] == 1 && prob[6] == 1);
	}
	hp_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	hp_tag_model *m;
	hp_sentence sentences[TEXTS];

	if (hp_tag_model_open(fuzz_file("segmenter.safetensors", data, size), HP_TASK_SEGMENT, &m, &err) != 0) {
		fuzz_refused(&err);
		return 0;
	}
	for (int i = 0; i < TEXTS; i++) {
		hp_sentence_init(&sentences[i]);
		demand(hp_sentence_parse(&sentences[i], NULL, texts[i], strlen(texts[i]), "text", 1, 100, &err) == 0);
	}
	segment(m, sentences);
	demand(hp_tag_model_round(m, NULL) == 0);
	segment(m, sentences);
	for (int i = 0; i < TEXTS; i++)
		hp_sentence_free(&sentences[i]);
	hp_tag_model_close(m);
	return 0;
}
