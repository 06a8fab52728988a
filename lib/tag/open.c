/* open.c: opening the model file of a tagger or a segmenter. */
#include <stdlib.h>
#include <string.h>

#include "nn/digits.h"
#include "nn/int8.h"
#include "tag/model.h"

static const char *const names[HP_TAG_COLUMNS] = {"vocab.upos", "vocab.xpos", "vocab.feats", "vocab.script"};

static int read_meta(hp_tag_model *m, hp_task expected, hp_tag_config *config, hp_error *err)
{
	const char *task = hp_safetensors_meta(m->file, "task"), *lower = hp_safetensors_meta(m->file, "lower");

	m->id = hp_safetensors_meta(m->file, "model_id");
	if (!task || !m->id)
		return hp_fail(err, "%s: no '%s' in the metadata: not a model of hp-train", m->path,
		               task ? "model_id" : "task");
	if (strcmp(task, hp_task_name(expected)) != 0)
		return hp_fail(err, "%s: a model for the task '%s', expected %s", m->path, task, hp_task_name(expected));
	if (!lower || (strcmp(lower, "0") != 0 && strcmp(lower, "1") != 0))
		return hp_fail(err, "%s: metadata: lower is '%s', expected 0 or 1", m->path, lower ? lower : "absent");
	m->lower = *lower == '1';
	return hp_tag_config_read(config, expected, m->file, err);
}

/* Values stand in columns. */
static int check_names(const hp_tag_model *m, const char *name, const hp_vocab *v, hp_error *err)
{
	for (int i = 0; i < hp_vocab_count(v); i++)
		if (strchr(hp_vocab_at(v, i, NULL), '\t'))
			return hp_fail(err, "%s: tensor '%s', entry %d: a tab", m->path, name, i + 1);
	return 0;
}

static int read_values(hp_tag_model *m, const hp_tag_config *c, hp_error *err)
{
	for (int k = 0; k < HP_TAG_COLUMNS; k++) {
		if (c->values[k] == 0)
			continue;
		if (hp_model_vocab(m->file, names[k], c->values[k], &m->values.name[k], err) != 0 ||
		    (k != HP_TAG_LEMMA && check_names(m, names[k], m->values.name[k], err) != 0))
			return HP_FAIL;
	}
	return 0;
}

/* Which values words have together; models from before there were any do without. */
static int read_sets(hp_tag_model *m, const hp_tag_config *c, hp_error *err)
{
	static const char name[] = "tag.set";
	const hp_tensor *t = hp_safetensors_find(m->file, name);
	int64_t numbers = -1;

	if (!t)
		return 0;
	if (hp_safetensors_need(m->file, name, 1, &numbers, &t, err) != 0)
		return HP_FAIL;
	if (t->dtype != HP_I32 || t->count % HP_TAG_LEMMA != 0 || t->count > INT32_MAX)
		return hp_fail(err, "%s: tensor '%s' has %lld numbers of type %s: expected %d for each set, I32", m->path, name,
		               (long long)t->count, hp_dtype_name(t->dtype), HP_TAG_LEMMA);
	m->values.set = malloc((size_t)t->count * sizeof(int32_t) + 1);
	if (!m->values.set)
		return hp_fail_memory(err);
	memcpy(m->values.set, t->data, (size_t)t->count * sizeof(int32_t));
	m->values.sets = (int)t->count / HP_TAG_LEMMA;
	for (int i = 0; i < m->values.sets; i++)
		for (int k = 0; k < HP_TAG_LEMMA; k++)
			if (m->values.set[i][k] < -1 || m->values.set[i][k] >= c->values[k])
				return hp_fail(err, "%s: tensor '%s', set %d: there is no value %ld of %s", m->path, name, i + 1,
				               (long)m->values.set[i][k], names[k] + strlen("vocab."));
	return 0;
}

/* The words that have one lemma. */
static int read_lemmas(hp_tag_model *m, const hp_tag_config *c, hp_error *err)
{
	int64_t n = -1;
	const hp_tensor *scripts;

	if (c->values[HP_TAG_LEMMA] == 0)
		return 0;
	if (hp_safetensors_need(m->file, "lemma.script", 1, &n, &scripts, err) != 0)
		return HP_FAIL;
	if (scripts->dtype != HP_I32 || scripts->count > INT32_MAX)
		return hp_fail(err, "%s: tensor 'lemma.script' is %s, expected I32", m->path, hp_dtype_name(scripts->dtype));
	if (hp_model_vocab(m->file, "lemma.word", (int)scripts->count, &m->values.word, err) != 0)
		return HP_FAIL;
	m->values.word_script = malloc((size_t)scripts->count * sizeof(int32_t) + 1);
	if (!m->values.word_script)
		return hp_fail_memory(err);
	memcpy(m->values.word_script, scripts->data, (size_t)scripts->count * sizeof(int32_t));
	for (int64_t i = 0; i < scripts->count; i++)
		if (m->values.word_script[i] < 0 || m->values.word_script[i] >= c->values[HP_TAG_LEMMA])
			return hp_fail(err, "%s: tensor 'lemma.script', entry %lld: there is no script %ld", m->path,
			               (long long)i + 1, (long)m->values.word_script[i]);
	return 0;
}

static int read_columns(hp_tag_model *m, const hp_tag_config *c, hp_error *err)
{
	if (c->task == HP_TASK_SEGMENT)
		return hp_model_reserved_vocab(m->file, "vocab.tag", c->embedding.tags, &m->tags, err);
	m->values.known = (hp_look_up){.words = m->words, .lower = m->lower};
	if (read_values(m, c, err) != 0 || read_sets(m, c, err) != 0 || read_lemmas(m, c, err) != 0)
		return HP_FAIL;
	return hp_tag_values_bind(&m->values, m->path, err);
}

static int open_model(hp_tag_model *m, hp_task task, hp_error *err)
{
	hp_tag_config c;

	if (hp_safetensors_open(m->path, &m->file, err) != 0 || read_meta(m, task, &c, err) != 0 ||
	    hp_model_reserved_vocab(m->file, "vocab.word", c.embedding.words, &m->words, err) != 0 ||
	    hp_model_reserved_vocab(m->file, "vocab.char", c.embedding.chars, &m->chars, err) != 0 ||
	    read_columns(m, &c, err) != 0)
		return HP_FAIL;
	return hp_tag_net_open(&c, m->file, &m->net, err);
}

int hp_tag_model_open(const char *name, hp_task task, hp_tag_model **out, hp_error *err)
{
	hp_tag_model *m = calloc(1, sizeof *m);

	*out = NULL;
	if (!m)
		return hp_fail_memory(err);
	m->path = hp_model_find(name, task == HP_TASK_SEGMENT ? "edu" : "tag", err);
	if (!m->path || open_model(m, task, err) != 0) {
		hp_tag_model_close(m);
		return HP_FAIL;
	}
	*out = m;
	return 0;
}

int hp_tag_model_round(hp_tag_model *m, hp_error *err)
{
	if (hp_params_round(&m->net->params, err) != 0)
		return HP_FAIL;
	hp_safetensors_forget(m->file); /* the matrices before they were rounded */
	return 0;
}

int hp_tag_model_split(hp_tag_model *m, hp_error *err)
{
	return hp_params_split(&m->net->params, err);
}

hp_look_up hp_tag_model_look_up(const hp_tag_model *m)
{
	return (hp_look_up){.words = m->words,
	                    .chars = m->chars,
	                    .tags = m->tags,
	                    .lower = m->lower,
	                    .clues = m->net->c.embedding.tags_each};
}

void hp_tag_model_close(hp_tag_model *m)
{
	if (!m)
		return;
	hp_tag_net_destroy(m->net);
	hp_tag_values_free(&m->values);
	hp_vocab_destroy(m->words);
	hp_vocab_destroy(m->chars);
	hp_vocab_destroy(m->tags);
	hp_safetensors_close(m->file);
	free(m->path);
	free(m);
}
