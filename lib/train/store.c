/* store.c: writing the model file. */
#include "train/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "train/hash.h"

typedef struct storing {
	hp_st_writer *w;
	hp_arena *arena; /* holds what W borrows until it is written */
	const hp_lexicon *lex;
	bool half;
	uint64_t hash;
} storing;

static int add_meta(storing *s, const char *key, const char *value, hp_error *err)
{
	s->hash = hp_hash(hp_hash(s->hash, key, strlen(key) + 1), value, strlen(value) + 1);
	return hp_st_writer_meta(s->w, key, value, err);
}

/* Adds a tensor of floats, which must live until the file is written, unless stored as F16. */
static int add_floats(storing *s, const char *name, int rank, const int64_t *shape, const float *value, size_t count,
                      hp_error *err)
{
	uint16_t *half;

	s->hash = hp_hash(hp_hash(s->hash, name, strlen(name) + 1), value, count * sizeof *value);
	if (!s->half)
		return hp_st_writer_tensor(s->w, name, HP_F32, rank, shape, value, err);
	half = HP_NEW(s->arena, uint16_t, count);
	if (!half)
		return hp_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		half[i] = hp_float_to_half(value[i]);
	return hp_st_writer_tensor(s->w, name, HP_F16, rank, shape, half, err);
}

static int add_vocab(storing *s, const char *name, const hp_vocab *v, hp_error *err)
{
	size_t size;
	char *text = hp_vocab_text(v, &size), *copy = text ? HP_NEW(s->arena, char, size + 1) : NULL;
	int64_t shape = (int64_t)size;

	if (copy)
		memcpy(copy, text, size);
	free(text);
	if (!copy)
		return hp_fail_memory(err);
	s->hash = hp_hash(hp_hash(s->hash, name, strlen(name) + 1), copy, size);
	return hp_st_writer_tensor(s->w, name, HP_U8, 1, &shape, copy, err);
}

/* ---- words ---- */

/* The words of the model: the trained ones, then those that only the vectors have.  NULL when out of memory. */
static hp_vocab *all_words(const hp_lexicon *lex)
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
static float *word_table(storing *s, const hp_vocab *words, const float *trained, int dim)
{
	const hp_lexicon *lex = s->lex;
	int count = hp_vocab_count(words), seen = hp_vocab_count(lex->words);
	float *table = HP_NEW(s->arena, float, (size_t)count * (size_t)dim);

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

static int add_words(storing *s, const hp_param *p, const hp_vocab *words, hp_error *err)
{
	float *table = word_table(s, words, p->value, p->shape[1]);
	int64_t shape[2] = {hp_vocab_count(words), p->shape[1]};

	if (!table)
		return hp_fail_memory(err);
	return add_floats(s, p->name, 2, shape, table, (size_t)(shape[0] * shape[1]), err);
}

/* ---- file ---- */

static int add_params(storing *s, const hp_params *params, const hp_vocab *words, hp_error *err)
{
	for (int i = 0; i < params->count; i++) {
		const hp_param *p = &params->item[i];
		int64_t shape[3];
		if (hp_auxiliary_param(p))
			continue;
		if (strcmp(p->name, "embed.word") == 0) {
			if (add_words(s, p, words, err) != 0)
				return HP_FAIL;
			continue;
		}
		for (int k = 0; k < p->rank; k++)
			shape[k] = p->shape[k];
		if (add_floats(s, p->name, p->rank, shape, p->value, p->count, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* WORDS NULL: the model does not embed words itself. */
static int add_vocabs(storing *s, const hp_vocab *words, hp_error *err)
{
	const hp_lexicon *lex = s->lex;

	if (words && (add_vocab(s, "vocab.word", words, err) != 0 || add_vocab(s, "vocab.char", lex->chars, err) != 0))
		return HP_FAIL;
	if (add_vocab(s, "vocab.label", lex->labels, err) != 0)
		return HP_FAIL;
	return !words || lex->pos == HP_POS_NONE ? 0 : add_vocab(s, "vocab.tag", lex->tags, err);
}

static int write_config(storing *s, const hp_net *net, const hp_vocab *words, hp_error *err)
{
	hp_net_config config = net->c;

	config.embedding.words = hp_vocab_count(words);
	return hp_config_write(&config, s->w, err);
}

static int add_all(storing *s, const hp_net *net, const hp_vocab *words, const hp_store_notes *notes, hp_error *err)
{
	static const char *const columns[] = {"none", "upos", "xpos"};
	bool embeds = net->c.input == HP_INPUT_WORDS;

	if (write_config(s, net, words, err) != 0 || add_meta(s, "task", hp_task_name(net->c.task), err) != 0)
		return HP_FAIL;
	if (embeds && (add_meta(s, "pos", columns[s->lex->pos], err) != 0 ||
	               add_meta(s, "lower", s->lex->lower ? "1" : "0", err) != 0))
		return HP_FAIL;
	for (int i = 0; i < notes->count; i++)
		if (add_meta(s, notes->keys[i], notes->values[i], err) != 0)
			return HP_FAIL;
	if (add_params(s, &net->params, words, err) != 0)
		return HP_FAIL;
	return add_vocabs(s, embeds ? words : NULL, err);
}

int hp_model_store(const char *path, const hp_net *net, const hp_lexicon *lex, bool half, const hp_store_notes *notes,
                   hp_error *err)
{
	storing s = {hp_st_writer_new(), hp_arena_new(), lex, half, HP_HASH_START};
	hp_vocab *words = all_words(lex);
	char derived[17];
	int status = HP_FAIL;

	if (!s.w || !s.arena || !words) {
		hp_fail_memory(err);
	} else if (add_all(&s, net, words, notes, err) == 0) {
		snprintf(derived, sizeof derived, "%016" PRIx64, s.hash);
		if (hp_st_writer_meta(s.w, "model_id", notes->id ? notes->id : derived, err) == 0)
			status = hp_st_writer_save(s.w, path, err);
	}
	hp_vocab_destroy(words);
	hp_st_writer_destroy(s.w);
	hp_arena_destroy(s.arena);
	return status;
}
