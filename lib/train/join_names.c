/* join_names.c: the names of several models, side by side. */
#include "train/join_names.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { PARAMS = 4 };

static const struct {
	const char *vocab;
	const char *params[PARAMS];
	const char *size; /* metadata that differ, or NULL */
} vocabs[HP_NAMES] = {{"vocab.word", {"embed.word"}, "words"},
                      {"vocab.char", {"embed.char"}, "chars"},
                      {"vocab.tag", {"embed.pos"}, "tags"},
                      {"vocab.label", {"label.w", "label.u", "label.v", "label.b"}, NULL}};

bool hp_joint_names_size(const hp_safetensors *st, const char *key)
{
	for (int v = 0; v < HP_NAMES; v++)
		if (vocabs[v].size && strcmp(key, vocabs[v].size) == 0)
			return hp_safetensors_find(st, vocabs[v].params[0]) != NULL;
	return false;
}

const char *hp_joint_names_key(hp_by_name by)
{
	return vocabs[by].size;
}

/* Adds those that model I has. */
static int read_names(const hp_joint_names *n, int i, hp_by_name by, hp_error *err)
{
	hp_vocab *all = n->of[by].all, **own = &n->of[by].own[i];
	const hp_tensor *t = hp_safetensors_find(n->st[i], vocabs[by].params[0]);

	if (hp_model_vocab(n->st[i], vocabs[by].vocab, (int)t->shape[0], own, err) != 0)
		return HP_FAIL;
	for (int k = 0; k < hp_vocab_count(*own); k++) {
		size_t size;
		const char *name = hp_vocab_at(*own, k, &size);
		if (by == HP_BY_LABEL && i > 0 && hp_vocab_find(all, name, size) < 0)
			return hp_fail(err, "%s: a model with the relation %s: expected those of %s", hp_safetensors_name(n->st[i]),
			               name, hp_safetensors_name(n->st[0]));
		if (hp_vocab_add(all, name, size) < 0)
			return hp_fail_memory(err);
	}
	return 0;
}

int hp_joint_names_read(hp_joint_names *n, int models, hp_safetensors *const *st, hp_error *err)
{
	n->models = models;
	n->st = st;
	for (int v = 0; v < HP_NAMES; v++) {
		if (!hp_safetensors_find(st[0], vocabs[v].params[0]))
			continue;
		n->of[v].all = hp_vocab_new();
		n->of[v].own = calloc((size_t)models, sizeof *n->of[v].own);
		if (!n->of[v].all || !n->of[v].own)
			return hp_fail_memory(err);
		for (int i = 0; i < models; i++)
			if (read_names(n, i, (hp_by_name)v, err) != 0)
				return HP_FAIL;
	}
	return 0;
}

void hp_joint_names_free(hp_joint_names *n)
{
	for (int v = 0; v < HP_NAMES; v++) {
		for (int i = 0; n->of[v].own && i < n->models; i++)
			hp_vocab_destroy(n->of[v].own[i]);
		free(n->of[v].own);
		hp_vocab_destroy(n->of[v].all);
	}
}

hp_by_name hp_joint_names_find(const hp_joint_names *n, const char *name)
{
	for (int v = 0; v < HP_NAMES; v++) {
		if (!n->of[v].all)
			continue;
		if (strcmp(name, vocabs[v].vocab) == 0)
			return (hp_by_name)v;
		for (int k = 0; k < PARAMS && vocabs[v].params[k]; k++)
			if (strcmp(name, vocabs[v].params[k]) == 0)
				return (hp_by_name)v;
	}
	return HP_BY_NO_NAME;
}

static int row_of(const hp_joint_names *n, int i, hp_by_name by, const char *name, size_t size)
{
	const hp_vocab *own = n->of[by].own[i];
	const char *lower = hp_safetensors_meta(n->st[i], "lower");
	const hp_look_up how = {.words = own, .lower = lower && *lower == '1'};
	int row = hp_vocab_find(own, name, size);

	if (row < 0 && by == HP_BY_WORD)
		row = hp_look_up_word(&how, name, size);
	return row < 0 ? HP_ID_UNKNOWN : row;
}

float *hp_joint_rows(const hp_joint_names *n, int i, hp_by_name by, const float *own, size_t width, hp_arena *arena)
{
	const hp_vocab *all = n->of[by].all;
	int count = hp_vocab_count(all);
	float *rows = HP_NEW(arena, float, (size_t)count * width);

	for (int k = 0; rows && k < count; k++) {
		size_t size;
		const char *name = hp_vocab_at(all, k, &size);
		memcpy(rows + (size_t)k * width, own + (size_t)row_of(n, i, by, name, size) * width, width * sizeof *rows);
	}
	return rows;
}
