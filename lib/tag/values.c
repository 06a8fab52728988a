/* values.c: the values of a word's columns by their scores. */
#include "tag/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nn/vmath.h"

enum { MOST_TRIES = 32 }; /* scripts: of a trained model one of the first few fits */

const int hp_tagged_column[HP_TAG_COLUMNS] = {HP_UPOS, HP_XPOS, HP_FEATS, HP_LEMMA};

int hp_tag_values_bind(hp_tag_values *v, const char *file, hp_error *err)
{
	const hp_vocab *names = v->name[HP_TAG_LEMMA];
	int n = names ? hp_vocab_count(names) : 0;

	v->script = calloc((size_t)n + 1, sizeof *v->script);
	if (!v->script)
		return hp_fail_memory(err);
	for (int i = 0; i < n; i++) {
		size_t size;
		const char *text = hp_vocab_at(names, i, &size);
		if (hp_script_read(text, size, file, &v->script[i], err) != 0)
			return HP_FAIL;
	}
	return 0;
}

void hp_tag_values_free(hp_tag_values *v)
{
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		hp_vocab_destroy(v->name[k]);
	hp_vocab_destroy(v->word);
	free(v->word_script);
	free(v->script);
	memset(v, 0, sizeof *v);
}

char *hp_tag_word_key(hp_arena *arena, const char *form, size_t size, const hp_new_value *upos,
                      const hp_new_value *feats, size_t *tagged, size_t *whole)
{
	*tagged = size + 1 + upos->size;
	*whole = *tagged + 1 + feats->size;
	char *key = HP_NEW(arena, char, *whole);
	if (!key)
		return NULL;
	memcpy(key, form, size);
	key[size] = '\t';
	memcpy(key + size + 1, upos->text, upos->size);
	key[*tagged] = '\t';
	memcpy(key + *tagged + 1, feats->text, feats->size);
	return key;
}

/* The script of a word by its tags; -1: it is not one of those. */
static int word_script(const hp_tag_values *v, hp_arena *scratch, const hp_word *w, const hp_new_value *upos,
                       const hp_new_value *feats)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	size_t tagged, whole;
	const char *key = hp_tag_word_key(scratch, w->col[HP_FORM], w->len[HP_FORM], upos, feats, &tagged, &whole);
	int found = -1;

	if (!key || !v->word)
		return -1;
	found = hp_vocab_find(v->word, key, whole);
	if (found < 0)
		found = hp_vocab_find(v->word, key, tagged);
	hp_arena_restore(scratch, mark);
	return found < 0 ? -1 : v->word_script[found];
}

static float probability(int n, const float *score, int value)
{
	return expf(score[value] - hp_vec_log_sum_exp((size_t)n, score));
}

static void choose_name(const hp_vocab *names, const float *score, hp_new_value *out)
{
	int n = hp_vocab_count(names), best = 0;

	for (int i = 1; i < n; i++)
		if (score[i] > score[best])
			best = i;
	out->text = hp_vocab_at(names, best, &out->size);
	out->prob = probability(n, score, best);
}

/* Applies script number I.  False: it does not fit. */
static bool apply(const hp_tag_values *v, hp_arena *arena, const hp_word *w, int i, hp_new_value *out)
{
	const char *form = w->col[HP_FORM];
	size_t size = w->len[HP_FORM], need = hp_script_apply(&v->script[i], form, size, NULL, 0);
	char *text = need > 0 ? HP_NEW(arena, char, need) : NULL;

	if (!text)
		return false;
	out->size = hp_script_apply(&v->script[i], form, size, text, need);
	out->text = text;
	return true;
}

/* The best script that fits; where none does, the form. */
static void choose_lemma(const hp_tag_values *v, hp_arena *arena, const hp_word *w, const float *score,
                         hp_new_value *out)
{
	int n = hp_vocab_count(v->name[HP_TAG_LEMMA]), before = -1;

	for (int tries = 0; tries < MOST_TRIES; tries++) { /* by falling score, of equal ones in their order */
		int best = -1;
		for (int i = 0; i < n; i++) {
			bool done = before >= 0 && (score[i] > score[before] || (i <= before && score[i] >= score[before]));
			if (!done && (best < 0 || score[i] > score[best]))
				best = i;
		}
		if (best < 0)
			break;
		if (apply(v, arena, w, best, out)) {
			out->prob = probability(n, score, best);
			return;
		}
		if (hp_arena_failed(arena))
			return;
		before = best;
	}
	*out = (hp_new_value){w->col[HP_FORM], w->len[HP_FORM], 0};
}

/* A tag that the word has in the end. */
static hp_new_value tag_of(const hp_word *w, const hp_new_value *chosen, int column)
{
	return chosen[column].text ? chosen[column]
	                           : (hp_new_value){w->col[hp_tagged_column[column]], w->len[hp_tagged_column[column]], 0};
}

int hp_tag_choose(const hp_tag_values *v, hp_arena *arena, const hp_word *w, const bool keep[HP_TAG_COLUMNS],
                  const float *scores, hp_new_value out[HP_TAG_COLUMNS], hp_error *err)
{
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		out[k] = (hp_new_value){NULL, 0, 0};
	for (int k = 0; k < HP_TAG_LEMMA; k++) {
		if (!v->name[k])
			continue;
		if (!keep[k])
			choose_name(v->name[k], scores, &out[k]);
		scores += hp_vocab_count(v->name[k]);
	}
	if (v->name[HP_TAG_LEMMA] && !keep[HP_TAG_LEMMA]) {
		hp_new_value upos = tag_of(w, out, HP_TAG_UPOS), feats = tag_of(w, out, HP_TAG_FEATS);
		int script = word_script(v, arena, w, &upos, &feats);
		hp_new_value *lemma = &out[HP_TAG_LEMMA];
		if (script >= 0 && apply(v, arena, w, script, lemma))
			lemma->prob = 1;
		else
			choose_lemma(v, arena, w, scores, lemma);
	}
	return hp_arena_failed(arena) ? hp_fail_memory(err) : 0;
}
