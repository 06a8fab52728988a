/* tagger_values.c: what a treebank's columns hold: their values, which go together, the scripts of its lemmas, the
 * words that have one lemma. */
#include <stdlib.h>
#include <string.h>
#include "train/counter.h"
#include "train/tagger.h"

static bool is_blank(const hp_word *w, int column)
{
	return w->len[column] == 0 || (w->len[column] == 1 && *w->col[column] == '_');
}

/* ---- values ---- */

/* A column whose words have nothing is not learnt.  Of features "_" says that there are none. */
static int column_values(const hp_treebank *bank, int k, hp_vocab **out, hp_error *err)
{
	int column = hp_tagged_column[k], status = 0;
	bool any = false;
	hp_counter counter = {0};

	if (hp_counter_init(&counter, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < bank->count && status == 0; i++)
		for (int w = 0; w < bank->sent[i].words && status == 0; w++) {
			const hp_word *word = &bank->sent[i].word[w];
			bool blank = is_blank(word, column);
			any |= !blank;
			if (!blank || (k == HP_TAG_FEATS && word->len[column] > 0))
				status = hp_counter_add(&counter, word->col[column], word->len[column], err);
		}
	if (status == 0 && any)
		status = hp_counter_vocab(&counter, 1, false, out, NULL, err);
	hp_counter_free(&counter);
	return status;
}

/* ---- sets of tags ---- */

/* Adds the sentence's words' sets that are not among those SEEN, of CAPACITY. */
static int add_sets(hp_tag_values *v, const hp_sentence *s, hp_vocab *seen, int *capacity, hp_error *err)
{
	for (int w = 0; w < s->words; w++) {
		int32_t set[HP_TAG_LEMMA];
		char key[40];

		for (int k = 0; k < HP_TAG_LEMMA; k++) {
			int column = hp_tagged_column[k];
			set[k] = v->name[k] ? hp_vocab_find(v->name[k], s->word[w].col[column], s->word[w].len[column]) : -1;
		}
		int size = snprintf(key, sizeof key, "%d %d %d", set[HP_TAG_UPOS], set[HP_TAG_XPOS], set[HP_TAG_FEATS]);
		int number = hp_vocab_add(seen, key, (size_t)size);
		if (number < 0)
			return hp_fail_memory(err);
		if (number < v->sets)
			continue;
		if (v->sets == *capacity) {
			*capacity = *capacity ? 2 * *capacity : 256;
			int32_t(*more)[HP_TAG_LEMMA] = realloc(v->set, (size_t)*capacity * sizeof *more);
			if (!more)
				return hp_fail_memory(err);
			v->set = more;
		}
		memcpy(v->set[v->sets++], set, sizeof set);
	}
	return 0;
}

/* Whether set A has a value for all columns that are learnt. */
static bool is_closed(const hp_tag_values *v, const int32_t *a)
{
	bool closed = true;

	for (int k = 0; k < HP_TAG_LEMMA; k++)
		closed &= a[k] >= 0 || !v->name[k];
	return closed;
}

/* Whether B has all that A has. */
static bool agrees(const int32_t *a, const int32_t *b)
{
	bool same = true;

	for (int k = 0; k < HP_TAG_LEMMA; k++)
		same &= a[k] < 0 || a[k] == b[k];
	return same;
}

/* Sets of words that lack a value tell nothing where words that lack none have the rest: they would allow any value. */
static void drop_open_sets(hp_tag_values *v)
{
	int kept = 0;

	for (int i = 0; i < v->sets; i++) {
		bool told = false;
		for (int j = 0; j < v->sets && !told && !is_closed(v, v->set[i]); j++)
			told = is_closed(v, v->set[j]) && agrees(v->set[i], v->set[j]);
		if (!told)
			memmove(v->set[kept++], v->set[i], sizeof *v->set);
	}
	v->sets = kept;
}

static int tag_sets(hp_tag_values *v, const hp_treebank *bank, hp_error *err)
{
	hp_vocab *seen = hp_vocab_new();
	int capacity = 0, status = seen ? 0 : hp_fail_memory(err);

	for (int i = 0; i < bank->count && status == 0; i++)
		status = add_sets(v, &bank->sent[i], seen, &capacity, err);
	hp_vocab_destroy(seen);
	drop_open_sets(v);
	return status;
}

/* ---- lemmas ---- */

static const char *script_of(hp_arena *arena, const hp_word *w)
{
	return hp_script_make(arena, w->col[HP_FORM], w->len[HP_FORM], w->col[HP_LEMMA], w->len[HP_LEMMA]);
}

/* A lemma "_" is one where the others have some: words that go with another one have it. */
static int script_names(hp_arena *scratch, const hp_treebank *bank, hp_vocab **out, hp_error *err)
{
	hp_counter counter = {0};
	int status = hp_counter_init(&counter, err);
	bool any = false;

	for (int i = 0; i < bank->count && status == 0; i++) {
		for (int w = 0; w < bank->sent[i].words && status == 0; w++) {
			const hp_word *word = &bank->sent[i].word[w];
			const char *script = word->len[HP_LEMMA] > 0 ? script_of(scratch, word) : "";
			any |= !is_blank(word, HP_LEMMA);
			if (!script)
				status = hp_fail_memory(err);
			else if (*script)
				status = hp_counter_add(&counter, script, strlen(script), err);
		}
		hp_arena_reset(scratch);
	}
	if (status == 0 && any)
		status = hp_counter_vocab(&counter, HP_SCRIPT_LEAST, false, out, NULL, err);
	if (status == 0 && *out && hp_vocab_count(*out) == 0) { /* a treebank of some words */
		hp_vocab_destroy(*out);
		status = hp_counter_vocab(&counter, 1, false, out, NULL, err);
	}
	hp_counter_free(&counter);
	return status;
}

/* Counts of scripts for a word: with its UPOS, and with both tags. */
typedef struct known {
	hp_vocab *key;
	struct counts {
		int total, best_script, best; /* words; the first script that was met BEST times, at most */
	} * counts;
	hp_counter pairs; /* key and script */
	int capacity;
} known;

static int add_known(known *k, const char *key, size_t size, int script, hp_error *err)
{
	int number = hp_vocab_add(k->key, key, size), before = k->capacity;
	char pair[32];

	if (number < 0)
		return hp_fail_memory(err);
	if (number >= before) {
		int capacity = before ? 2 * before : 1024;
		struct counts *more = realloc(k->counts, (size_t)capacity * sizeof *more);
		if (!more)
			return hp_fail_memory(err);
		memset(more + before, 0, (size_t)(capacity - before) * sizeof *more);
		k->counts = more;
		k->capacity = capacity;
	}
	snprintf(pair, sizeof pair, "%d %d", number, script);
	if (hp_counter_add(&k->pairs, pair, strlen(pair), err) != 0)
		return HP_FAIL;
	struct counts *c = &k->counts[number];
	int count = k->pairs.count[hp_vocab_find(k->pairs.strings, pair, strlen(pair))];
	c->total++;
	if (count > c->best) {
		c->best = count;
		c->best_script = script;
	}
	return 0;
}

/* Whether a word has nearly always the same lemma. */
static bool is_clear(const struct counts *c)
{
	return (int64_t)c->best * 100 >= (int64_t)c->total * 98;
}

static int count_words(hp_arena *scratch, const hp_treebank *bank, const hp_vocab *scripts, known *k, hp_error *err)
{
	for (int i = 0; i < bank->count; i++) {
		for (int w = 0; w < bank->sent[i].words; w++) {
			const hp_word *word = &bank->sent[i].word[w];
			size_t tagged, whole;
			const char *script = word->len[HP_LEMMA] > 0 ? script_of(scratch, word) : NULL;
			const char *key =
				hp_tag_word_key(scratch, word->col[HP_FORM], word->len[HP_FORM],
			                    &(hp_new_value){word->col[HP_UPOS], word->len[HP_UPOS], 0},
			                    &(hp_new_value){word->col[HP_FEATS], word->len[HP_FEATS], 0}, &tagged, &whole);
			if (hp_arena_failed(scratch))
				return hp_fail_memory(err);
			int number = script ? hp_vocab_find(scripts, script, strlen(script)) : -1;
			if (add_known(k, key, tagged, number, err) != 0 || add_known(k, key, whole, number, err) != 0)
				return HP_FAIL;
		}
		hp_arena_reset(scratch);
	}
	return 0;
}

/* A word goes with UPOS alone where that tells its lemma, else with FEATS as well. */
static int keep_words(const known *k, hp_tag_values *out, hp_error *err)
{
	int n = hp_vocab_count(k->key), kept = 0;

	out->word = hp_vocab_new();
	out->word_script = calloc((size_t)n + 1, sizeof *out->word_script);
	if (!out->word || !out->word_script)
		return hp_fail_memory(err);
	for (int i = 0; i < n; i++) {
		size_t size;
		const char *key = hp_vocab_at(k->key, i, &size);
		const char *first = memchr(key, '\t', size),
				   *second = memchr(first + 1, '\t', size - (size_t)(first + 1 - key));
		int short_one = second ? hp_vocab_find(k->key, key, (size_t)(second - key)) : -1;

		if (!is_clear(&k->counts[i]) || k->counts[i].best_script < 0 ||
		    (short_one >= 0 && is_clear(&k->counts[short_one])))
			continue;
		if (hp_vocab_add(out->word, key, size) != kept)
			return hp_fail_memory(err);
		out->word_script[kept++] = k->counts[i].best_script;
	}
	return 0;
}

static int known_words(hp_arena *scratch, const hp_treebank *bank, hp_tag_values *out, hp_error *err)
{
	known k = {.key = hp_vocab_new()};
	int status = k.key ? hp_counter_init(&k.pairs, err) : hp_fail_memory(err);

	if (status == 0)
		status = count_words(scratch, bank, out->name[HP_TAG_LEMMA], &k, err);
	if (status == 0)
		status = keep_words(&k, out, err);
	hp_vocab_destroy(k.key);
	hp_counter_free(&k.pairs);
	free(k.counts);
	return status;
}

/* ---- numbers ---- */

/* Value K of each of the sentence's words; -1: not known. */
static int *numbers(hp_arena *arena, hp_arena *scratch, const hp_sentence *s, int k, const hp_vocab *names)
{
	int *out = HP_NEW(arena, int, (size_t)s->words);

	for (int w = 0; out && w < s->words; w++) {
		const hp_word *word = &s->word[w];
		int column = hp_tagged_column[k];
		const char *text = word->col[column];
		size_t size = word->len[column];

		if (k == HP_TAG_LEMMA && size > 0) {
			text = script_of(scratch, word);
			size = text ? strlen(text) : 0;
		}
		out[w] = size > 0 ? hp_vocab_find(names, text, size) : -1;
	}
	return out;
}

static int number_all(hp_tagger *t, hp_arena *scratch, hp_error *err)
{
	const hp_treebank *bank = &t->data.train_bank;

	t->gold = hp_arena_zalloc(t->arena, (size_t)bank->count, sizeof *t->gold);
	for (int i = 0; t->gold && i < bank->count; i++) {
		for (int k = 0; k < HP_TAG_COLUMNS; k++)
			if (t->values.name[k])
				t->gold[i][k] = numbers(t->arena, scratch, &bank->sent[i], k, t->values.name[k]);
		if (hp_arena_failed(scratch))
			break;
		hp_arena_reset(scratch);
	}
	return hp_arena_failed(t->arena) || hp_arena_failed(scratch) ? hp_fail_memory(err) : 0;
}

int hp_tagger_values(hp_tagger *t, hp_arena *scratch, hp_error *err)
{
	const hp_treebank *bank = &t->data.train_bank;
	hp_vocab **name = t->values.name;

	for (int k = 0; k < HP_TAG_LEMMA; k++)
		if (column_values(bank, k, &name[k], err) != 0)
			return HP_FAIL;
	if (tag_sets(&t->values, bank, err) != 0 || script_names(scratch, bank, &name[HP_TAG_LEMMA], err) != 0 ||
	    (name[HP_TAG_LEMMA] && known_words(scratch, bank, &t->values, err) != 0))
		return HP_FAIL;
	t->values.known = (hp_look_up){.words = t->words, .lower = t->data.lexicon.lower};
	return hp_tag_values_bind(&t->values, "treebank", err) != 0 ? HP_FAIL : number_all(t, scratch, err);
}
