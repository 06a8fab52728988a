/* store_words.c: the words of a model, and their vectors. */
#include "train/store_words.h"

#include <string.h>

hp_vocab *hp_lexicon_all_words(const hp_lexicon *lex)
{
	const hp_vocab *from[2] = {lex->words, lex->vectors.words};
	hp_vocab *v = hp_vocab_new();

	for (int k = 0; k < 2 && v && from[k]; k++) {
		for (int i = 0; i < hp_vocab_count(from[k]); i++) {
			size_t size;
			const char *word = hp_vocab_at(from[k], i, &size);
			if (hp_vocab_add(v, word, size) < 0) {
				hp_vocab_destroy(v);
				return NULL;
			}
		}
	}
	return v;
}

/* The table of all words, [count × dim]: E[w] + vec[w], with E[unknown] for what training has not seen. */
static float *word_table(hp_arena *arena, const hp_lexicon *lex, const hp_vocab *words, const float *trained, int dim)
{
	int count = hp_vocab_count(words), seen = hp_vocab_count(lex->words);
	float *table = HP_NEW(arena, float, (size_t)count * (size_t)dim);

	for (int w = 0; table && w < count; w++) {
		const float *own = trained + (size_t)(w < seen ? w : HP_ID_UNKNOWN) * (size_t)dim;
		float *row = table + (size_t)w * (size_t)dim;
		int vector = -1;
		if (w >= seen) {
			size_t size;
			const char *word = hp_vocab_at(words, w, &size);
			vector = hp_vocab_find(lex->vectors.words, word, size);
		} else if (lex->vector_of) {
			vector = lex->vector_of[w];
		}
		memcpy(row, own, (size_t)dim * sizeof *row);
		for (int i = 0; vector >= 0 && i < dim; i++)
			row[i] += lex->vectors.values[(size_t)vector * (size_t)dim + (size_t)i];
	}
	return table;
}

int hp_storing_words(hp_storing *s, const hp_lexicon *lex, const hp_param *p, const hp_vocab *words, hp_error *err)
{
	float *table = word_table(hp_storing_arena(s), lex, words, p->value, p->shape[1]);
	int64_t shape[2] = {hp_vocab_count(words), p->shape[1]};

	if (!table)
		return hp_fail_memory(err);
	return hp_storing_floats(s, p->name, 2, shape, table, (size_t)(shape[0] * shape[1]), err);
}
