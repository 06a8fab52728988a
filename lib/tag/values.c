/* values.c: the values of a word's columns by their scores. */
#include "tag/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"
#include "nn/vmath.h"

enum { MOST_TRIES = 32 }; /* scripts: of a trained model one of the first few fits */
enum { MOST_BYTES = 1000 }; /* of a lemma and UPOS that are kept: those of a hostile model could fill the memory */
/* A word of the vocabulary is the likelier as a lemma the more frequent it is: by Zipf's law with this exponent, for its place
 * among the words; one that is not there has the place behind so many vocabularies.  The first hundredth are all alike. */
#define ZIPF_EXPONENT 0.4f
#define ZIPF_UNKNOWN 100.0f
#define ZIPF_ALIKE 0.01f
/* What a lemma that was seen adds to the logarithm, and so much again if it was seen with the word's UPOS. */
#define SEEN 1.0f
/* Neither helps a script that keeps less than this of the form: "be" is a frequent lemma, but not that of "sank". */
#define KEPT 0.3f

const int hp_tagged_column[HP_TAG_COLUMNS] = {HP_UPOS, HP_XPOS, HP_FEATS, HP_LEMMA};

/* The lemmas of the words that have one only. */
static int bind_lemmas(hp_tag_values *v, hp_arena *arena)
{
	v->lemma = hp_vocab_new();
	for (int i = 0; v->lemma && i < hp_vocab_count(v->word); i++) {
		size_t size;
		const char *form = hp_vocab_at(v->word, i, &size), *tab = memchr(form, '\t', size);
		const hp_script *script = &v->script[v->word_script[i]];
		if (!tab) /* not one of hp-train's */
			continue;
		const char *upos = tab + 1, *behind = memchr(upos, '\t', (size_t)(form + size - upos));
		size_t with = (size_t)((behind ? behind : form + size) - tab), length = (size_t)(tab - form);
		size_t most = script->first_size + 4 * length + script->last_size + with; /* a character has 4 bytes at most */
		if (most > MOST_BYTES)
			continue;
		char *lemma = HP_NEW(arena, char, most);
		size_t made = lemma ? hp_script_apply(script, form, length, lemma, most) : 0;
		if (made == 0)
			continue;
		memcpy(lemma + made, tab, with);
		if (hp_vocab_add(v->lemma, lemma, made) < 0 || hp_vocab_add(v->lemma, lemma, made + with) < 0)
			return HP_FAIL;
		hp_arena_reset(arena);
	}
	return v->lemma && !hp_arena_failed(arena) ? 0 : HP_FAIL;
}

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
	if (!v->word)
		return 0;
	hp_arena *arena = hp_arena_new();
	int status = arena ? bind_lemmas(v, arena) : HP_FAIL;
	hp_arena_destroy(arena);
	return status == 0 ? 0 : hp_fail_memory(err);
}

void hp_tag_values_free(hp_tag_values *v)
{
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		hp_vocab_destroy(v->name[k]);
	hp_vocab_destroy(v->word);
	hp_vocab_destroy(v->lemma);
	free(v->word_script);
	free(v->script);
	free(v->set);
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

static int best_of(int n, const float *score)
{
	int best = 0;

	for (int i = 1; i < n; i++)
		if (score[i] > score[best])
			best = i;
	return best;
}

/* A tag that the word has in the end. */
static hp_new_value tag_of(const hp_word *w, const hp_new_value *chosen, int column)
{
	return chosen[column].text ? chosen[column]
	                           : (hp_new_value){w->col[hp_tagged_column[column]], w->len[hp_tagged_column[column]], 0};
}

/* The set of the highest sum of scores among those with the FIXED values, -1: any; a value that a set leaves open is the BEST of
 * its column.  -1: there is none. */
static int best_set(const hp_tag_values *v, const float *const score[HP_TAG_LEMMA], const int best[HP_TAG_LEMMA],
                    const int fixed[HP_TAG_LEMMA])
{
	int found = -1;
	float highest = 0;

	for (int i = 0; i < v->sets; i++) {
		float sum = 0;
		bool fits = true;
		for (int k = 0; k < HP_TAG_LEMMA; k++) {
			int value = v->set[i][k];
			fits &= fixed[k] < 0 || value < 0 || value == fixed[k];
			if (score[k])
				sum += score[k][value < 0 ? best[k] : value];
		}
		if (fits && (found < 0 || sum > highest)) {
			found = i;
			highest = sum;
		}
	}
	return found;
}

static void choose_tags(const hp_tag_values *v, const hp_word *w, const bool *keep, const float *scores,
                        hp_new_value *out)
{
	const float *score[HP_TAG_LEMMA] = {NULL}; /* of the columns that are to choose */
	int best[HP_TAG_LEMMA] = {0}, fixed[HP_TAG_LEMMA];

	for (int k = 0; k < HP_TAG_LEMMA; k++) {
		int n = v->name[k] ? hp_vocab_count(v->name[k]) : 0, column = hp_tagged_column[k];
		fixed[k] = n > 0 && keep[k] ? hp_vocab_find(v->name[k], w->col[column], w->len[column]) : -1;
		if (n > 0 && !keep[k]) {
			score[k] = scores;
			best[k] = best_of(n, scores);
		}
		scores += n;
	}
	int set = best_set(v, score, best, fixed);
	for (int k = 0; k < HP_TAG_LEMMA; k++) {
		if (!score[k])
			continue;
		int value = set >= 0 && v->set[set][k] >= 0 ? v->set[set][k] : best[k];
		out[k].text = hp_vocab_at(v->name[k], value, &out[k].size);
		out[k].prob = probability(hp_vocab_count(v->name[k]), score[k], value);
	}
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

/* The next digit of *P, which moves behind it; 0: there is none before END. */
static char next_digit(const char **p, const char *end)
{
	while (*p < end) {
		char c = *(*p)++;
		if (c >= '0' && c <= '9')
			return c;
	}
	return '\0';
}

/* A lemma of other digits than the form's is that of another number. */
static bool has_digits_of(const hp_new_value *lemma, const hp_word *w)
{
	const char *a = lemma->text, *b = w->col[HP_FORM];
	const char *a_end = a + lemma->size, *b_end = b + w->len[HP_FORM];
	char digit;

	do
		if ((digit = next_digit(&a, a_end)) != next_digit(&b, b_end))
			return false;
	while (digit != '\0');
	return true;
}

static int place_of(const hp_tag_values *v, const char *word, size_t size)
{
	return v->known.words ? hp_look_up_word(&v->known, word, size) : HP_ID_UNKNOWN;
}

static float log_zipf(const hp_tag_values *v, int place)
{
	float words = (float)hp_vocab_count(v->known.words);

	return -ZIPF_EXPONENT * logf((place > HP_ID_UNKNOWN ? (float)place : ZIPF_UNKNOWN * words) + ZIPF_ALIKE * words);
}

/* The logarithm, but for a constant, of how likely the LEMMA is whatever the word's script.  FAMILIAR: the form is in the
 * vocabulary, so the lemma should be; KEPT: it is made of the form. */
static float log_prior(const hp_tag_values *v, hp_arena *arena, const hp_new_value *lemma, const hp_new_value *upos,
                       bool familiar, bool kept)
{
	float sum = familiar ? log_zipf(v, kept ? place_of(v, lemma->text, lemma->size) : HP_ID_UNKNOWN) : 0;
	size_t size = lemma->size + 1 + upos->size;
	char *key = v->lemma && kept ? HP_NEW(arena, char, size) : NULL;

	if (!key)
		return sum;
	memcpy(key, lemma->text, lemma->size);
	key[lemma->size] = '\t';
	memcpy(key + lemma->size + 1, upos->text, upos->size);
	if (hp_vocab_find(v->lemma, key, lemma->size) >= 0)
		sum += hp_vocab_find(v->lemma, key, size) >= 0 ? 2 * SEEN : SEEN;
	return sum;
}

/* The next best script after number BEFORE, -1: the best; of equal ones in their order.  -1: there are no more. */
static int next_script(int n, const float *score, int before)
{
	int best = -1;

	for (int i = 0; i < n; i++) {
		bool done = before >= 0 && (score[i] > score[before] || (i <= before && score[i] >= score[before]));
		if (!done && (best < 0 || score[i] > score[best]))
			best = i;
	}
	return best;
}

/* The script that fits with the highest product of its probability and its lemma's; where none fits, the form. */
static void choose_lemma(const hp_tag_values *v, hp_arena *arena, const hp_word *w, const hp_new_value *upos,
                         const float *score, hp_new_value *out)
{
	bool familiar = place_of(v, w->col[HP_FORM], w->len[HP_FORM]) > HP_ID_UNKNOWN;
	const float most = 2 * SEEN + (familiar ? log_zipf(v, HP_ID_UNKNOWN + 1) : 0);
	int n = hp_vocab_count(v->name[HP_TAG_LEMMA]), chosen = -1, next = -1;
	float highest = 0;
	hp_new_value lemma = {NULL, 0, 0};

	*out = (hp_new_value){w->col[HP_FORM], w->len[HP_FORM], 0};
	for (int tries = 0; tries < MOST_TRIES && (next = next_script(n, score, next)) >= 0; tries++) {
		if (chosen >= 0 && score[next] + most <= highest)
			break;
		if (!apply(v, arena, w, next, &lemma) || !has_digits_of(&lemma, w))
			continue;
		bool kept = hp_script_kept(&v->script[next], w->col[HP_FORM], w->len[HP_FORM]) >= KEPT;
		float sum = score[next] + log_prior(v, arena, &lemma, upos, familiar, kept);
		if (chosen < 0 || sum > highest) {
			chosen = next;
			highest = sum;
			*out = lemma;
		}
	}
	if (chosen >= 0)
		out->prob = probability(n, score, chosen);
}

/* Its quotation marks, apostrophes and dashes as typed.  False: it has no others, or is one itself. */
static bool type_form(hp_word *w, hp_arena *arena)
{
	bool mark = hp_utf8_is_punctuation(w->col[HP_FORM], w->len[HP_FORM]);
	char *typed = mark ? NULL : HP_NEW(arena, char, w->len[HP_FORM]);
	size_t size = typed ? hp_utf8_typed_text(w->col[HP_FORM], w->len[HP_FORM], typed) : 0;

	if (size == 0)
		return false;
	w->col[HP_FORM] = typed;
	w->len[HP_FORM] = (uint32_t)size;
	return true;
}

int hp_tag_choose(const hp_tag_values *v, hp_arena *arena, const hp_word *w, const bool keep[HP_TAG_COLUMNS],
                  const float *scores, hp_new_value out[HP_TAG_COLUMNS], hp_error *err)
{
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		out[k] = (hp_new_value){NULL, 0, 0};
	choose_tags(v, w, keep, scores, out);
	for (int k = 0; k < HP_TAG_LEMMA; k++)
		scores += v->name[k] ? hp_vocab_count(v->name[k]) : 0;
	if (v->name[HP_TAG_LEMMA] && !keep[HP_TAG_LEMMA]) {
		hp_new_value upos = tag_of(w, out, HP_TAG_UPOS), feats = tag_of(w, out, HP_TAG_FEATS);
		int script = word_script(v, arena, w, &upos, &feats);
		hp_new_value *lemma = &out[HP_TAG_LEMMA];
		hp_word typed = *w;
		if (script < 0 && type_form(&typed, arena) && (script = word_script(v, arena, &typed, &upos, &feats)) >= 0)
			w = &typed;
		if (script >= 0 && apply(v, arena, w, script, lemma))
			lemma->prob = 1;
		else
			choose_lemma(v, arena, w, &upos, scores, lemma);
	}
	return hp_arena_failed(arena) ? hp_fail_memory(err) : 0;
}
