/* lexicon.c: vocabularies of the training data, and the word vectors that go with them. */
#include "train/lexicon.h"

#include <stdlib.h>
#include <string.h>
#include "base/utf8.h"
#include "text/clues.h"
#include "text/place.h"
#include "train/counter.h"

enum { CLUE_LEAST = 2 }; /* clues, and tags with their places in trees, that were seen so often are known */

/* A buffer for look-up keys that grows as words do. */
typedef struct keybuf {
	char *s;
	size_t capacity;
} keybuf;

static int make_key(keybuf *b, const char *s, size_t size, bool lower, size_t *length, hp_error *err)
{
	while ((*length = hp_utf8_key(s, size, lower, b->s, b->capacity)) > b->capacity) {
		char *more = realloc(b->s, *length);
		if (!more)
			return hp_fail_memory(err);
		b->s = more;
		b->capacity = *length;
	}
	return 0;
}

/* ---- vocabularies ---- */

const int hp_tagging_column[HP_TAGGINGS - 1] = {HP_UPOS, HP_XPOS, HP_FEATS};

typedef struct counters {
	hp_counter words, chars, tags, labels, tagging[HP_TAGGINGS - 1];
	const char *open_label; /* [open_size] what stands for an unknown one, if any does */
	size_t open_size;
	bool open_tagging[HP_TAGGINGS - 1];
	keybuf key;
	hp_arena *arena; /* of clues */
} counters;

static int count_chars(hp_counter *t, const char *s, size_t size, hp_error *err)
{
	int32_t code;

	for (size_t i = 0; i < size;) {
		int n = hp_utf8_decode(s + i, size - i, &code);
		if (n < 1)
			n = 1;
		if (hp_counter_add(t, s + i, (size_t)n, err) != 0)
			return HP_FAIL;
		i += (size_t)n;
	}
	return 0;
}

static int count_label(counters *t, const char *label, size_t size, hp_error *err)
{
	if (!hp_label_is_open(label, size))
		return hp_counter_add(&t->labels, label, size, err);
	t->open_label = label;
	t->open_size = size;
	return 0;
}

/* One with its place in the tree is counted without it as well. */
static int count_tag(counters *t, const char *tag, size_t size, bool places, hp_error *err)
{
	size_t plain = places ? hp_place_tag_size(tag, size) : size;

	if (size == 0 || (plain == 1 && *tag == '_'))
		return 0;
	if (plain < size && hp_counter_add(&t->tags, tag, plain, err) != 0)
		return HP_FAIL;
	return hp_counter_add(&t->tags, tag, size, err);
}

static int count_word(counters *t, const hp_word *w, const hp_hyper *hyper, bool label, hp_error *err)
{
	int column = hp_tag_column((hp_pos_column)hyper->pos);
	size_t length;

	if (make_key(&t->key, w->col[HP_FORM], w->len[HP_FORM], hyper->lower, &length, err) != 0 ||
	    hp_counter_add(&t->words, t->key.s, length, err) != 0 ||
	    count_chars(&t->chars, w->col[HP_FORM], w->len[HP_FORM], err) != 0)
		return HP_FAIL;
	if (hyper->pos != HP_POS_NONE && count_tag(t, w->col[column], w->len[column], hyper->pos == HP_POS_TREE, err) != 0)
		return HP_FAIL;
	for (int k = 0; label && hyper->auxiliary_tags > 0 && k < HP_TAGGINGS - 1; k++) {
		int from = hp_tagging_column[k];
		/* Of features "_" says that there are none. */
		if (from != HP_FEATS && w->len[from] == 1 && *w->col[from] == '_')
			t->open_tagging[k] = true;
		else if (w->len[from] > 0 && hp_counter_add(&t->tagging[k], w->col[from], w->len[from], err) != 0)
			return HP_FAIL;
	}
	return label ? count_label(t, w->col[HP_DEPREL], w->len[HP_DEPREL], err) : 0;
}

/* Where nothing is known at all, that is all there is to say. */
static int count_open(counters *t, hp_error *err)
{
	if (t->open_label && hp_vocab_count(t->labels.strings) == 0 &&
	    hp_counter_add(&t->labels, t->open_label, t->open_size, err) != 0)
		return HP_FAIL;
	for (int k = 0; k < HP_TAGGINGS - 1; k++)
		if (t->open_tagging[k] && hp_vocab_count(t->tagging[k].strings) == 0 &&
		    hp_counter_add(&t->tagging[k], "_", 1, err) != 0)
			return HP_FAIL;
	return 0;
}

static int count_clues(counters *t, const hp_sentence *s, int each, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(t->arena);
	const hp_clue *clue = hp_clues_find(s, each, t->arena);

	if (!clue)
		return hp_fail_memory(err);
	for (size_t i = 0; i < (size_t)s->words * (size_t)each; i++)
		if (clue[i].text && hp_counter_add(&t->tags, clue[i].text, clue[i].size, err) != 0)
			return HP_FAIL;
	hp_arena_restore(t->arena, mark);
	return 0;
}

static int count_treebank(counters *t, const hp_treebank *bank, const hp_hyper *hyper, int clues, hp_error *err)
{
	for (int i = 0; i < bank->count; i++) {
		const hp_rst_binary *tree = bank->tree ? bank->tree[i] : NULL;
		if (clues && count_clues(t, &bank->sent[i], clues, err) != 0)
			return HP_FAIL;
		for (int w = 0; w < bank->sent[i].words; w++)
			if (count_word(t, &bank->sent[i].word[w], hyper, bank->heads != NULL, err) != 0)
				return HP_FAIL;
		for (int k = 0; tree && k < tree->edus - 1; k++)
			if (count_label(t, tree->label[k], strlen(tree->label[k]), err) != 0)
				return HP_FAIL;
	}
	return count_open(t, err);
}

int hp_lexicon_bind_tags(hp_lexicon *lex, hp_error *err)
{
	free(lex->plain);
	lex->plain = NULL;
	if (lex->pos != HP_POS_TREE)
		return 0;
	int n = hp_vocab_count(lex->tags);
	lex->plain = malloc((size_t)n * sizeof *lex->plain);
	if (!lex->plain)
		return hp_fail_memory(err);
	for (int i = 0; i < n; i++) {
		size_t size;
		const char *tag = hp_vocab_at(lex->tags, i, &size);
		int plain = hp_vocab_find(lex->tags, tag, hp_place_tag_size(tag, size));
		lex->plain[i] = plain < 0 ? HP_ID_UNKNOWN : plain;
	}
	return 0;
}

int hp_lexicon_build(const hp_treebank *bank, const hp_hyper *hyper, hp_lexicon *out, hp_error *err)
{
	counters t;
	int status = HP_FAIL;

	memset(&t, 0, sizeof t);
	memset(out, 0, sizeof *out);
	out->pos = (hp_pos_column)hyper->pos;
	out->clues = hyper->task != HP_TASK_SEGMENT ? 0 : hyper->trees ? HP_CLUES : HP_TAG_CLUES;
	out->lower = hyper->lower;
	bool learnt = hyper->task == HP_TASK_DEP && hyper->auxiliary_tags > 0;
	for (int k = 0; learnt && k < HP_TAGGINGS - 1; k++)
		if (hp_counter_init(&t.tagging[k], err) != 0)
			goto cleanup;
	if (!(t.arena = hp_arena_new())) {
		(void)hp_fail_memory(err);
		goto cleanup;
	}
	if (hp_counter_init(&t.words, err) == 0 && hp_counter_init(&t.chars, err) == 0 &&
	    hp_counter_init(&t.tags, err) == 0 && hp_counter_init(&t.labels, err) == 0 &&
	    count_treebank(&t, bank, hyper, out->clues, err) == 0 &&
	    hp_counter_vocab(&t.words, 1, true, &out->words, &out->word_count, err) == 0 &&
	    hp_counter_vocab(&t.chars, hyper->char_min, true, &out->chars, &out->char_count, err) == 0 &&
	    hp_counter_vocab(&t.tags, out->clues || out->pos == HP_POS_TREE ? CLUE_LEAST : 1, true, &out->tags, NULL,
	                     err) == 0)
		status = hp_counter_vocab(&t.labels, 1, false, &out->labels, NULL, err);
	if (status == 0)
		status = hp_lexicon_bind_tags(out, err);
	for (int k = 0; learnt && k < HP_TAGGINGS - 1 && status == 0; k++)
		status = hp_counter_vocab(&t.tagging[k], 1, false, &out->tagging[k], NULL, err);
cleanup:
	for (int k = 0; k < HP_TAGGINGS - 1; k++)
		hp_counter_free(&t.tagging[k]);
	hp_counter_free(&t.words);
	hp_counter_free(&t.chars);
	hp_counter_free(&t.tags);
	hp_counter_free(&t.labels);
	free(t.key.s);
	hp_arena_destroy(t.arena);
	if (status != 0)
		hp_lexicon_free(out);
	return status;
}

void hp_lexicon_free(hp_lexicon *lex)
{
	hp_vocab_destroy(lex->words);
	hp_vocab_destroy(lex->chars);
	hp_vocab_destroy(lex->tags);
	hp_vocab_destroy(lex->labels);
	for (int k = 0; k < HP_TAGGINGS - 1; k++)
		hp_vocab_destroy(lex->tagging[k]);
	free(lex->word_count);
	free(lex->char_count);
	free(lex->vector_of);
	free(lex->plain);
	if (lex->vectors.words)
		hp_vectors_free(&lex->vectors);
	memset(lex, 0, sizeof *lex);
}

/* ---- vectors ---- */

typedef struct keeping {
	const hp_lexicon *lex;
	hp_vocab *lowered; /* training words in lower case, where they are looked up as they are */
	long others, limit;
} keeping;

static bool keep(void *arg, const char *word, size_t size)
{
	keeping *k = arg;
	char key[256];

	if (k->lex->lower && (hp_utf8_key(word, size, true, key, sizeof key) != size || memcmp(key, word, size) != 0))
		return false; /* would never be looked up */
	if (hp_vocab_find(k->lex->words, word, size) > HP_ID_UNKNOWN || hp_vocab_find(k->lowered, word, size) >= 0)
		return true;
	if (k->limit && k->others >= k->limit)
		return false;
	k->others++;
	return true;
}

static int find_key(const hp_vocab *v, bool lower, const char *s, size_t size)
{
	char key[256];
	size_t length = hp_utf8_key(s, size, lower, key, sizeof key);

	return length > sizeof key ? -1 : hp_vocab_find(v, key, length); /* nobody has a vector for so long a word */
}

int hp_lexicon_vector(const hp_lexicon *lex, const char *form, size_t size)
{
	int row = -1;

	if (!lex->vectors.words)
		return -1;
	if (!lex->lower)
		row = hp_vocab_find(lex->vectors.words, form, size);
	if (row < 0 && !lex->lower)
		row = find_key(lex->vectors.words, false, form, size);
	return row < 0 ? find_key(lex->vectors.words, true, form, size) : row;
}

int hp_lexicon_bind_vectors(hp_lexicon *lex, hp_error *err)
{
	int n = hp_vocab_count(lex->words);

	free(lex->vector_of);
	lex->vector_of = malloc((size_t)n * sizeof *lex->vector_of);
	if (!lex->vector_of)
		return hp_fail_memory(err);
	lex->vector_of[HP_ID_ROOT] = lex->vector_of[HP_ID_UNKNOWN] = -1;
	for (int i = 2; i < n; i++) {
		size_t size;
		const char *word = hp_vocab_at(lex->words, i, &size);
		lex->vector_of[i] = hp_lexicon_vector(lex, word, size);
	}
	return 0;
}

/* The lower-case forms of training words, so that their vectors are kept too. */
static int lowered_words(const hp_lexicon *lex, hp_vocab *v, hp_error *err)
{
	int n = hp_vocab_count(lex->words), status = 0;
	keybuf key = {NULL, 0};

	for (int i = 2; i < n && !lex->lower && status == 0; i++) {
		size_t size, length;
		const char *word = hp_vocab_at(lex->words, i, &size);
		status = make_key(&key, word, size, true, &length, err);
		if (status == 0 && hp_vocab_add(v, key.s, length) < 0)
			status = hp_fail_memory(err);
	}
	free(key.s);
	return status;
}

int hp_lexicon_read_vectors(hp_lexicon *lex, const char *path, const hp_hyper *hyper, hp_vectors_skipped *skipped,
                            hp_error *err)
{
	keeping k = {.lex = lex, .lowered = hp_vocab_new(), .limit = hyper->vector_limit};
	hp_input *in = NULL;
	int status = HP_FAIL;

	if (!k.lowered)
		return hp_fail_memory(err);
	if (lowered_words(lex, k.lowered, err) == 0 && hp_input_open(path, &in, err) == 0)
		status = hp_vectors_read(in, hyper->word_dim, keep, &k, &lex->vectors, skipped, err);
	if (status == 0 && lex->vectors.dim != hyper->word_dim)
		status = hp_fail(err, "%s: vectors of %d numbers where word_dim is %d; they need word_dim=%d",
		                 hp_input_name(in), lex->vectors.dim, hyper->word_dim, lex->vectors.dim);
	if (status == 0)
		status = hp_lexicon_bind_vectors(lex, err);
	hp_vocab_destroy(k.lowered);
	hp_input_close(in);
	return status;
}
