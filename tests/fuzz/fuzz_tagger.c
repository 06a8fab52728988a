/* fuzz_tagger.c: an image as a tagger's model.  It is refused with a message, or it tags: what comes out stands in a column,
 * is UTF-8 and has a probability, also with rounded matrices; where columns are kept, they are. */
#include "fuzz.h"

#include <string.h>
#include "base/utf8.h"
#include "tag/model.h"

enum { WORDS = 4 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return fuzz_mutate_image(data, size, max_size, seed);
}

static void check(const hp_new_value *v)
{
	demand(v->size > 0 && !memchr(v->text, '\t', v->size) && !memchr(v->text, '\n', v->size));
	demand(hp_utf8_valid_prefix(v->text, v->size) == v->size);
	demand(v->prob >= 0 && v->prob <= 1.0001f);
}

static void tag(const hp_tag_model *m, const hp_sentence *s, bool keep)
{
	const hp_look_up how = {.words = m->words, .chars = m->chars, .lower = m->lower};
	const hp_tagging tagging = {.net = m->net, .values = &m->values, .keep = keep};
	hp_arena *arena = hp_arena_new();
	hp_error err = {""};
	hp_new_value *values;
	hp_tokens tokens;

	demand(arena && hp_look_up_tokens(&how, arena, s, &tokens, &err) == 0);
	if (hp_tag_sentences(&tagging, arena, 1, &s, &tokens, &values, &err) != 0)
		fuzz_refused(&err);
	else
		for (int i = 0; i < WORDS * HP_TAG_COLUMNS; i++) {
			const hp_vocab *names = m->values.name[i % HP_TAG_COLUMNS];
			bool there = names && !(keep && i % HP_TAG_COLUMNS == HP_TAG_UPOS);
			demand((values[i].text != NULL) == there);
			if (there)
				check(&values[i]);
		}
	hp_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char text[] = "1\tIn\t_\tADP\t_\t_\t_\t_\t_\t_\n2\t\xc4\xb0\t_\t_\t_\t_\t_\t_\t_\t_\n"
							   "3\tFlies\t_\t_\t_\t_\t_\t_\t_\t_\n4\t\xf0\x9f\x98\x80\t_\t_\t_\t_\t_\t_\t_\t_\n";
	hp_error err = {""};
	hp_tag_model *m;
	hp_sentence s;

	if (hp_tag_model_open(fuzz_file("tagger.safetensors", data, size), HP_TASK_TAG, &m, &err) != 0) {
		fuzz_refused(&err);
		return 0;
	}
	hp_sentence_init(&s);
	demand(hp_sentence_parse(&s, NULL, text, sizeof text - 1, "text", 1, 100, &err) == 0);
	tag(m, &s, false);
	tag(m, &s, true);
	demand(hp_tag_model_round(m, NULL) == 0);
	tag(m, &s, false);
	hp_sentence_free(&s);
	hp_tag_model_close(m);
	return 0;
}
