/* hide.c: hiding words, characters and tags. */
#include "train/hide.h"

#include <string.h>

/* What was seen COUNT times is hidden with probability rate / (rate + count). */
static int32_t hide_rare(hp_rng *rng, float rate, const int32_t *count, int32_t id)
{
	if (id <= HP_ID_UNKNOWN)
		return id;
	return hp_rng_uniform(rng) * (rate + (float)count[id]) < rate ? HP_ID_UNKNOWN : id;
}

/* All tags, or single ones; and of tags with places in a tree all the places. */
static void hide_tags(const hp_lexicon *lex, const hp_hyper *hyper, hp_rng *rng, int n, int32_t *pos)
{
	bool all = hp_rng_uniform(rng) < hyper->tag_drop;
	bool places = lex->plain && hp_rng_uniform(rng) < hyper->tag_drop;

	for (int i = pos[0] == HP_ID_ROOT; i < n; i++)
		if (all || hp_rng_uniform(rng) < hyper->tag_noise)
			pos[i] = HP_ID_UNKNOWN;
		else if (places)
			pos[i] = lex->plain[pos[i]];
}

int hp_hide(const hp_lexicon *lex, const hp_hyper *hyper, hp_rng *rng, hp_arena *arena, const hp_tokens *in,
            hp_tokens *out, hp_error *err)
{
	size_t n = (size_t)in->n, tags = n * (size_t)(lex->clues ? lex->clues : 1), chars = 0;
	int32_t *words, *pos, *characters;

	for (size_t i = 0; i < n; i++)
		chars += (size_t)in->char_lengths[i];
	words = HP_NEW(arena, int32_t, n);
	pos = HP_NEW(arena, int32_t, tags);
	characters = HP_NEW(arena, int32_t, chars);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	for (size_t i = 0; i < n; i++)
		words[i] = hide_rare(rng, hyper->unknown_rate, lex->word_count, in->words[i]);
	for (size_t i = 0; i < chars; i++)
		characters[i] = hide_rare(rng, hyper->unknown_rate, lex->char_count, in->chars[i]);
	memcpy(pos, in->pos, tags * sizeof *pos);
	if (lex->pos != HP_POS_NONE || lex->clues)
		hide_tags(lex, hyper, rng, (int)tags, pos);
	*out = *in;
	out->words = words;
	out->pos = pos;
	out->chars = characters;
	return 0;
}
