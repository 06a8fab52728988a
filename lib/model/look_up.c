/* look_up.c: words, characters and tags become the numbers of their embeddings. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/clues.h"
#include "text/place.h"

/* A token that happens to be spelled like a reserved entry is an unknown one. */
static int ordinary(int id)
{
	return id == HP_ID_ROOT ? HP_ID_UNKNOWN : id;
}

/* Looks up the key of FORM (NFC, and lower case if LOWER); -1 if absent. */
static int find_key(const hp_vocab *words, bool lower, const char *form, size_t size)
{
	char small[256], *key = small;
	size_t need = hp_utf8_key(form, size, lower, small, sizeof(small));
	int id;

	if (need > sizeof(small)) {
		key = malloc(need);
		if (!key)
			return -1;
		need = hp_utf8_key(form, size, lower, key, need);
	}
	id = hp_vocab_find(words, key, need);
	if (key != small)
		free(key);
	return id;
}

static int find_word(const hp_look_up *how, const char *form, size_t size)
{
	int id = -1;

	if (!how->lower)
		id = hp_vocab_find(how->words, form, size);
	if (id < 0 && !how->lower)
		id = find_key(how->words, false, form, size);
	if (id < 0)
		id = find_key(how->words, true, form, size);
	return id;
}

int hp_look_up_word(const hp_look_up *how, const char *form, size_t size)
{
	char typed[256];
	int id = find_word(how, form, size);

	if (id < 0 && size <= sizeof typed) {
		size_t length = hp_utf8_typed_text(form, size, typed);
		id = length > 0 ? find_word(how, typed, length) : -1;
	}
	return id < 0 ? HP_ID_UNKNOWN : ordinary(id);
}

int hp_tag_column(hp_pos_column pos)
{
	return pos == HP_POS_XPOS ? HP_XPOS : HP_UPOS;
}

const char *hp_pos_name(hp_pos_column pos)
{
	static const char *const names[] = {
		[HP_POS_NONE] = "none", [HP_POS_UPOS] = "upos", [HP_POS_XPOS] = "xpos", [HP_POS_TREE] = "tree"};

	return names[pos];
}

/* "_" and unseen ones: HP_ID_UNKNOWN. */
static int tag_number(const hp_vocab *tags, const char *tag, size_t size)
{
	int id = size == 1 && *tag == '_' ? -1 : hp_vocab_find(tags, tag, size);

	return id < 0 ? HP_ID_UNKNOWN : ordinary(id);
}

/* A tag with a place in the tree that was not seen: that of the tag alone. */
static int place_number(const hp_vocab *tags, const char *text, size_t size)
{
	int id = tag_number(tags, text, size);

	return id == HP_ID_UNKNOWN ? tag_number(tags, text, hp_place_tag_size(text, size)) : id;
}

/* Numbers of FORM's characters (as they are, without NFC); at least one.  OUT has room for SIZE + 1.  Returns how many. */
static int32_t char_numbers(const hp_vocab *chars, const char *form, size_t size, int32_t *out)
{
	int32_t count = 0;

	for (size_t i = 0; i < size;) {
		int32_t code;
		int length = hp_utf8_decode(form + i, size - i, &code);
		int id = length > 0 ? hp_vocab_find(chars, form + i, (size_t)length) : -1;

		if (id < 0 && length > 1 && (code = hp_utf8_typed(code)) < 0x80)
			id = hp_vocab_find(chars, &(char){(char)code}, 1);

		out[count++] = id < 0 ? HP_ID_UNKNOWN : ordinary(id);
		i += length > 0 ? (size_t)length : 1;
	}
	if (count == 0)
		out[count++] = HP_ID_UNKNOWN;
	return count;
}

/* The clues of all words in a row. */
static int clue_numbers(const hp_look_up *how, hp_arena *arena, const hp_sentence *s, hp_tokens *out, hp_error *err)
{
	size_t n = (size_t)s->words * (size_t)how->clues;
	int32_t *pos = HP_NEW(arena, int32_t, n);
	const hp_clue *clue = hp_clues_find(s, how->clues, arena);

	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	for (size_t i = 0; i < n; i++)
		pos[i] = clue[i].text ? tag_number(how->tags, clue[i].text, clue[i].size) : HP_ID_UNKNOWN;
	out->pos = pos;
	return 0;
}

int hp_look_up_tokens(const hp_look_up *how, hp_arena *arena, const hp_sentence *s, hp_tokens *out, hp_error *err)
{
	int root = how->root;
	size_t n = (size_t)s->words + (size_t)root, bytes = 1;

	/* Never more characters than bytes; one more for the root, and one a word in case it were empty. */
	for (int i = 0; i < s->words; i++)
		bytes += (size_t)s->word[i].len[HP_FORM] + 1;
	int32_t *words = HP_NEW(arena, int32_t, n), *pos = HP_NEW(arena, int32_t, n);
	int32_t *chars = HP_NEW(arena, int32_t, bytes), *lengths = HP_NEW(arena, int32_t, n);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	if (root) {
		words[0] = pos[0] = chars[0] = HP_ID_ROOT;
		lengths[0] = 1;
	}
	int32_t *next = chars + root;
	for (int i = 0; i < s->words; i++) {
		const hp_word *w = &s->word[i];
		int at = i + root;

		words[at] = hp_look_up_word(how, w->col[HP_FORM], w->len[HP_FORM]);
		pos[at] = !how->tags || how->clues
		              ? HP_ID_UNKNOWN
		              : (how->places ? place_number : tag_number)(how->tags, w->col[how->column], w->len[how->column]);
		lengths[at] = char_numbers(how->chars, w->col[HP_FORM], w->len[HP_FORM], next);
		next += lengths[at];
	}
	*out = (hp_tokens){.n = (int)n, .words = words, .pos = pos, .chars = chars, .char_lengths = lengths};
	return how->clues ? clue_numbers(how, arena, s, out, err) : 0;
}

hp_look_up hp_model_look_up(const hp_model *model)
{
	return (hp_look_up){model->words, model->chars, model->tags, hp_tag_column(model->pos),
	                    model->lower, !model->rst,  0,           model->pos == HP_POS_TREE};
}

int hp_model_tokens(const hp_model *model, hp_arena *arena, const hp_sentence *s, hp_tokens *out, hp_error *err)
{
	const hp_look_up how = hp_model_look_up(model);

	return hp_look_up_tokens(&how, arena, s, out, err);
}
