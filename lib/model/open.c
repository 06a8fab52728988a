/* open.c: opening a model file: its metadata, its vocabularies, its network. */
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/digits.h"
#include "nn/int8.h"
#include "rst/tree.h"

/* ---- what it says of itself ---- */

static int need_meta(const hp_model *m, const char *key, const char **value, hp_error *err)
{
	*value = hp_safetensors_meta(m->file, key);
	if (!*value || **value == '\0')
		return hp_fail(err, "%s: no '%s' in the metadata: not a model of hp-train", m->path, key);
	return 0;
}

static int read_pos(hp_model *m, int pos_dim, hp_error *err)
{
	const char *pos;

	if (need_meta(m, "pos", &pos, err) != 0)
		return HP_FAIL;
	for (int i = HP_POS_NONE; i <= (m->rst ? HP_POS_TREE : HP_POS_XPOS); i++) {
		if (strcmp(pos, hp_pos_name(i)) != 0)
			continue;
		m->pos = i;
		if ((i == HP_POS_NONE) != (pos_dim == 0))
			return hp_fail(err, "%s: metadata: pos is '%s' but pos_dim is %d", m->path, pos, pos_dim);
		return 0;
	}
	return hp_fail(err, "%s: metadata: pos is '%s', expected upos, xpos%s or none", m->path, pos,
	               m->rst ? ", tree" : "");
}

static int read_config(hp_model *m, hp_error *err)
{
	const hp_net_config *c = &m->config;
	hp_task task = m->rst ? HP_TASK_RST : HP_TASK_DEP;
	const char *input;

	if ((m->rst && need_meta(m, "input", &input, err) != 0) || hp_config_read(&m->config, task, m->file, err) != 0)
		return HP_FAIL;
	return c->input == HP_INPUT_WORDS ? read_pos(m, c->embedding.pos_dim, err) : 0;
}

static int read_beam(hp_model *m, hp_error *err)
{
	const char *text = hp_safetensors_meta(m->file, "beam");
	char *end = NULL;
	long beam = text && *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : 0;

	m->beam = text ? (int)beam : 1;
	if (text && (beam < 1 || beam > HP_MOST_HYPOTHESES || *end != '\0'))
		return hp_fail(err, "%s: metadata: beam is '%s', expected 1 to %d", m->path, text, HP_MOST_HYPOTHESES);
	return 0;
}

static int read_meta(hp_model *m, hp_error *err)
{
	const char *lower;

	if (need_meta(m, "task", &m->task, err) != 0)
		return HP_FAIL;
	m->rst = strcmp(m->task, "rst") == 0;
	if (!m->rst && strcmp(m->task, "dep") != 0)
		return hp_fail(err, "%s: a model for the task '%s', expected dep or rst", m->path, m->task);
	if (need_meta(m, "model_id", &m->id, err) != 0 || read_config(m, err) != 0)
		return HP_FAIL;
	lower = hp_safetensors_meta(m->file, "lower");
	if (lower && strcmp(lower, "0") != 0 && strcmp(lower, "1") != 0)
		return hp_fail(err, "%s: metadata: lower is '%s', expected 0 or 1", m->path, lower);
	m->lower = lower != NULL && *lower == '1';
	return read_beam(m, err);
}

/* ---- vocabularies ---- */

int hp_model_vocab(const hp_safetensors *file, const char *name, int expected, hp_vocab **out, hp_error *err)
{
	static const int64_t any[] = {-1};
	const char *path = hp_safetensors_name(file);
	const hp_tensor *tensor;
	char place[64];

	if (hp_safetensors_need(file, name, 1, any, &tensor, err) != 0)
		return HP_FAIL;
	if (tensor->dtype != HP_U8)
		return hp_fail(err, "%s: tensor '%s' is %s, expected U8", path, name, hp_dtype_name(tensor->dtype));
	snprintf(place, sizeof(place), "tensor '%s'", name);
	hp_error inner;
	if (hp_vocab_parse(tensor->data, tensor->bytes, place, out, &inner) != 0)
		return hp_fail(err, "%s: %s", path, inner.text);
	if (hp_vocab_count(*out) != expected)
		return hp_fail(err, "%s: tensor '%s' has %d entries, expected %d as in the metadata", path, name,
		               hp_vocab_count(*out), expected);
	return 0;
}

int hp_model_reserved_vocab(const hp_safetensors *file, const char *name, int expected, hp_vocab **out, hp_error *err)
{
	if (hp_model_vocab(file, name, expected, out, err) != 0)
		return HP_FAIL;
	if (hp_vocab_find(*out, HP_ROOT_NAME, strlen(HP_ROOT_NAME)) != HP_ID_ROOT ||
	    hp_vocab_find(*out, HP_UNKNOWN_NAME, strlen(HP_UNKNOWN_NAME)) != HP_ID_UNKNOWN)
		return hp_fail(err, "%s: tensor '%s' does not begin with %s and %s", hp_safetensors_name(file), name,
		               HP_ROOT_NAME, HP_UNKNOWN_NAME);
	return 0;
}

/* Why LABEL cannot be written, or NULL. */
static const char *label_fault(const hp_model *m, const char *label)
{
	hp_rst_nuclearity nuclearity;
	size_t size;

	if (!m->rst)
		return strchr(label, '\t') != NULL ? "a tab in a label" : NULL;
	if (!hp_rst_label_parts(label, &size, &nuclearity))
		return "not a class with _NS, _SN or _NN behind it";
	return hp_rst_is_name(label, size) ? NULL
	                                   : "a class that holds a blank, a bracket or _!, begins with // or is not UTF-8";
}

hp_special_labels hp_find_special_labels(const hp_vocab *labels)
{
	return (hp_special_labels){hp_vocab_find(labels, "root", strlen("root")), hp_vocab_find(labels, "_", 1), NULL};
}

int8_t *hp_label_nuclearities(const hp_vocab *labels)
{
	int n = hp_vocab_count(labels);
	int8_t *out = calloc((size_t)n + 1, 1);

	for (int i = 0; out && i < n; i++) {
		hp_rst_nuclearity nuclearity = HP_RST_NN;
		size_t size;

		(void)hp_rst_label_parts(hp_vocab_at(labels, i, NULL), &size, &nuclearity);
		out[i] = (int8_t)nuclearity;
	}
	return out;
}

static int read_labels(hp_model *m, int expected, hp_error *err)
{
	if (hp_model_vocab(m->file, "vocab.label", expected, &m->labels, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < expected; i++) {
		const char *fault = label_fault(m, hp_vocab_at(m->labels, i, NULL));

		if (fault)
			return hp_fail(err, "%s: tensor 'vocab.label', entry %d: %s", m->path, i + 1, fault);
	}
	if (!m->rst) {
		m->special = hp_find_special_labels(m->labels);
		return 0;
	}
	m->special.nuclearity = m->nuclearity = hp_label_nuclearities(m->labels);
	return m->nuclearity ? 0 : hp_fail_memory(err);
}

static int read_vocabs(hp_model *m, int stages, hp_error *err)
{
	const hp_net_config *c = &m->config;
	bool words = stages & HP_STAGE_EMBED && c->input == HP_INPUT_WORDS;

	if (words && (hp_model_reserved_vocab(m->file, "vocab.word", c->embedding.words, &m->words, err) != 0 ||
	              hp_model_reserved_vocab(m->file, "vocab.char", c->embedding.chars, &m->chars, err) != 0))
		return HP_FAIL;
	if (words && m->pos != HP_POS_NONE &&
	    hp_model_reserved_vocab(m->file, "vocab.tag", c->embedding.tags, &m->tags, err) != 0)
		return HP_FAIL;
	m->special = (hp_special_labels){-1, -1, NULL};
	return stages & HP_STAGE_LABEL ? read_labels(m, c->labels, err) : 0;
}

/* ---- opening ---- */

int hp_model_open(const char *name, const char *kind, int stages, hp_model **out, hp_error *err)
{
	hp_model *m = calloc(1, sizeof(*m));

	*out = NULL;
	if (!m)
		return hp_fail_memory(err);
	m->path = hp_model_find(name, kind, err);
	if (!m->path || hp_safetensors_open(m->path, &m->file, err) != 0 || read_meta(m, err) != 0 ||
	    read_vocabs(m, stages, err) != 0 || hp_net_open(&m->config, m->file, "", stages, &m->net, err) != 0) {
		hp_model_close(m);
		return HP_FAIL;
	}
	*out = m;
	return 0;
}

int hp_model_round(hp_model *model, hp_error *err)
{
	if (hp_params_round(&model->net->params, err) != 0)
		return HP_FAIL;
	hp_safetensors_forget(model->file); /* the matrices before they were rounded */
	return 0;
}

int hp_model_split(hp_model *model, hp_error *err)
{
	return hp_params_split(&model->net->params, err);
}

void hp_model_close(hp_model *model)
{
	if (!model)
		return;
	hp_net_destroy(model->net);
	hp_vocab_destroy(model->words);
	hp_vocab_destroy(model->chars);
	hp_vocab_destroy(model->tags);
	hp_vocab_destroy(model->labels);
	free(model->nuclearity);
	hp_safetensors_close(model->file);
	free(model->path);
	free(model);
}
