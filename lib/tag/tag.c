/* tag.c: sentences get tags and lemmas. */
#include "tag/model.h"

static bool is_filled(const hp_sentence *s, int column)
{
	for (int i = 0; i < s->words; i++)
		if (s->word[i].len[column] != 1 || *s->word[i].col[column] != '_')
			return true;
	return false;
}

int hp_tag_sentences(const hp_tagging *how, hp_arena *arena, int count, const hp_sentence *const *sentence,
                     const hp_tokens *tokens, hp_new_value **out, hp_error *err)
{
	size_t rows = 0, outputs = (size_t)hp_tag_outputs(&how->net->c);

	for (int i = 0; i < count; i++)
		rows += (size_t)sentence[i]->words;
	float *scores = HP_NEW(arena, float, rows * outputs);
	hp_new_value *next = *out = HP_NEW(arena, hp_new_value, rows * HP_TAG_COLUMNS);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	if (hp_tag_scores(how->net, how->pool, arena, count, tokens, how->vectors, scores, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < count; i++) {
		bool keep[HP_TAG_COLUMNS];
		for (int k = 0; k < HP_TAG_COLUMNS; k++)
			keep[k] = how->keep && is_filled(sentence[i], hp_tagged_column[k]);
		for (int w = 0; w < sentence[i]->words; w++, scores += outputs, next += HP_TAG_COLUMNS)
			if (hp_tag_choose(how->values, arena, &sentence[i]->word[w], keep, scores, next, err) != 0)
				return HP_FAIL;
	}
	return 0;
}
