/* model.c: finding and opening a model file. */
#include "dep/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"
#include "nn/int8.h"
#include "rst/tree.h"

#ifndef HP_MODEL_DIR
#define HP_MODEL_DIR "/usr/local/share/hptools/models"
#endif
#define DEFAULT_MODEL "en-dep"

/* ---- where it is ---- */

/* malloc'ed DIR/NAME.safetensors if that can be read; NULL with errno set if not. */
static char *try_folder(const char *dir, size_t dir_size, const char *name)
{
	char *path;

	if (asprintf(&path, "%.*s/%s.safetensors", (int)dir_size, dir, name) < 0)
		return NULL;
	if (access(path, R_OK) == 0)
		return path;
	int saved = errno;
	free(path);
	errno = saved;
	return NULL;
}

static char *search_folders(const char *name, hp_error *err)
{
	const char *path = getenv("HP_MODEL_PATH");
	const char *dir = path != NULL ? path : "";
	char *found, share[PATH_MAX];

	while (*dir != '\0') {
		size_t size = strcspn(dir, ":");

		if (size > 0 && (found = try_folder(dir, size, name)))
			return found;
		dir += size;
		dir += *dir == ':';
	}
	hp_installed_folder("models", HP_MODEL_DIR, share);
	if ((found = try_folder(share, strlen(share), name)) ||
	    (found = try_folder(HP_MODEL_DIR, strlen(HP_MODEL_DIR), name)))
		return found;
	if (access(name, F_OK) == 0)
		hp_fail(err, "no model '%s' is installed; for the file of that name give ./%s", name, name);
	else if (path && *path != '\0')
		hp_fail(
			err,
			"no model '%s' (%s.safetensors) in HP_MODEL_PATH=%s nor in %s; the name of a file must hold a '/' or end in .safetensors",
			name, name, path, share);
	else
		hp_fail(
			err,
			"no model '%s' (%s.safetensors) in %s; HP_MODEL_PATH can name other folders, the name of a file must hold a '/' or end in .safetensors",
			name, name, share);
	return NULL;
}

static bool names_file(const char *name)
{
	static const char ending[] = ".safetensors";
	size_t size = strlen(name), tail = sizeof(ending) - 1;

	return strchr(name, '/') != NULL || (size > tail && strcmp(name + size - tail, ending) == 0);
}

char *hp_model_find(const char *name, hp_error *err)
{
	char *found, *absolute;
	struct stat info;

	if (!name)
		name = getenv("HP_MODEL");
	if (!name || *name == '\0')
		name = DEFAULT_MODEL;
	if (!names_file(name)) {
		found = search_folders(name, err);
		if (!found)
			return NULL;
	} else if (!(found = strdup(name))) {
		hp_fail_memory(err);
		return NULL;
	}
	/* Pipes, as in -m <(zcat ...), have no path; neither could be mapped. */
	bool pipe = stat(found, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
	absolute = realpath(found, NULL);
	if (pipe) {
		hp_fail(err, "%s: not a regular file, which a model must be", found);
		free(absolute);
		absolute = NULL;
	} else if (!absolute && !strchr(name, '/') && errno == ENOENT) {
		hp_fail(err, "%s: No such file or directory; an installed model is named without .safetensors", name);
	} else if (!absolute) {
		hp_fail_errno(err, found);
	}
	free(found);
	return absolute;
}

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
	static const char *const names[] = {[HP_POS_NONE] = "none", [HP_POS_UPOS] = "upos", [HP_POS_XPOS] = "xpos"};
	const char *pos;

	if (need_meta(m, "pos", &pos, err) != 0)
		return HP_FAIL;
	for (int i = HP_POS_NONE; i <= HP_POS_XPOS; i++) {
		if (strcmp(pos, names[i]) != 0)
			continue;
		m->pos = i;
		if ((i == HP_POS_NONE) != (pos_dim == 0))
			return hp_fail(err, "%s: metadata: pos is '%s' but pos_dim is %d", m->path, pos, pos_dim);
		return 0;
	}
	return hp_fail(err, "%s: metadata: pos is '%s', expected upos, xpos or none", m->path, pos);
}

static int read_dep_config(hp_model *m, hp_error *err)
{
	if (hp_dep_config_read(&m->config, m->file, err) != 0)
		return HP_FAIL;
	return read_pos(m, m->config.embedding.pos_dim, err);
}

static int read_rst_config(hp_model *m, hp_error *err)
{
	const hp_rst_config *c = &m->rst_config;
	const char *input;

	if (need_meta(m, "input", &input, err) != 0 || hp_rst_config_read(&m->rst_config, m->file, err) != 0)
		return HP_FAIL;
	return c->input == HP_RST_INPUT_WORDS ? read_pos(m, c->embedding.pos_dim, err) : 0;
}

static int read_meta(hp_model *m, hp_error *err)
{
	const char *lower;

	if (need_meta(m, "task", &m->task, err) != 0)
		return HP_FAIL;
	m->rst = strcmp(m->task, "rst") == 0;
	if (!m->rst && strcmp(m->task, "dep") != 0)
		return hp_fail(err, "%s: a model for the task '%s', expected dep or rst", m->path, m->task);
	if (need_meta(m, "model_id", &m->id, err) != 0 || (m->rst ? read_rst_config(m, err) : read_dep_config(m, err)) != 0)
		return HP_FAIL;
	lower = hp_safetensors_meta(m->file, "lower");
	if (lower && strcmp(lower, "0") != 0 && strcmp(lower, "1") != 0)
		return hp_fail(err, "%s: metadata: lower is '%s', expected 0 or 1", m->path, lower);
	m->lower = lower != NULL && *lower == '1';
	return 0;
}

/* ---- vocabularies ---- */

static int read_vocab(const hp_model *m, const char *name, int expected, hp_vocab **out, hp_error *err)
{
	static const int64_t any[] = {-1};
	const hp_tensor *tensor;
	char place[64];

	if (hp_safetensors_need(m->file, name, 1, any, &tensor, err) != 0)
		return HP_FAIL;
	if (tensor->dtype != HP_U8)
		return hp_fail(err, "%s: tensor '%s' is %s, expected U8", m->path, name, hp_dtype_name(tensor->dtype));
	snprintf(place, sizeof(place), "tensor '%s'", name);
	hp_error inner;
	if (hp_vocab_parse(tensor->data, tensor->bytes, place, out, &inner) != 0)
		return hp_fail(err, "%s: %s", m->path, inner.text);
	if (hp_vocab_count(*out) != expected)
		return hp_fail(err, "%s: tensor '%s' has %d entries, expected %d as in the metadata", m->path, name,
		               hp_vocab_count(*out), expected);
	return 0;
}

/* Words, characters and tags: the first two entries are reserved. */
static int read_reserved_vocab(const hp_model *m, const char *name, int expected, hp_vocab **out, hp_error *err)
{
	if (read_vocab(m, name, expected, out, err) != 0)
		return HP_FAIL;
	if (hp_vocab_find(*out, HP_ROOT_NAME, strlen(HP_ROOT_NAME)) != HP_ID_ROOT ||
	    hp_vocab_find(*out, HP_UNKNOWN_NAME, strlen(HP_UNKNOWN_NAME)) != HP_ID_UNKNOWN)
		return hp_fail(err, "%s: tensor '%s' does not begin with %s and %s", m->path, name, HP_ROOT_NAME,
		               HP_UNKNOWN_NAME);
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

hp_dep_labels hp_dep_find_labels(const hp_vocab *labels)
{
	return (hp_dep_labels){hp_vocab_find(labels, "root", strlen("root")), hp_vocab_find(labels, "_", 1)};
}

static int read_labels(hp_model *m, int expected, hp_error *err)
{
	if (read_vocab(m, "vocab.label", expected, &m->labels, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < expected; i++) {
		const char *fault = label_fault(m, hp_vocab_at(m->labels, i, NULL));

		if (fault)
			return hp_fail(err, "%s: tensor 'vocab.label', entry %d: %s", m->path, i + 1, fault);
	}
	if (!m->rst)
		m->special = hp_dep_find_labels(m->labels);
	return 0;
}

static int read_vocabs(hp_model *m, int stages, hp_error *err)
{
	const hp_rst_config *r = &m->rst_config;
	bool words = stages & HP_STAGE_EMBED && (!m->rst || r->input == HP_RST_INPUT_WORDS);

	if (words && (read_reserved_vocab(m, "vocab.word", m->rst ? r->embedding.words : m->config.embedding.words,
	                                  &m->words, err) != 0 ||
	              read_reserved_vocab(m, "vocab.char", m->rst ? r->embedding.chars : m->config.embedding.chars,
	                                  &m->chars, err) != 0))
		return HP_FAIL;
	if (words && m->pos != HP_POS_NONE &&
	    read_reserved_vocab(m, "vocab.tag", m->rst ? r->embedding.tags : m->config.embedding.tags, &m->tags, err) != 0)
		return HP_FAIL;
	m->special = (hp_dep_labels){-1, -1};
	return stages & HP_STAGE_LABEL ? read_labels(m, m->rst ? r->labels : m->config.labels, err) : 0;
}

/* ---- opening ---- */

static int open_net(hp_model *m, int stages, hp_error *err)
{
	if (m->rst)
		return hp_rst_net_open(&m->rst_config, m->file, "", stages, &m->rst_net, err);
	return hp_dep_net_open(&m->config, m->file, "", stages, &m->net, err);
}

int hp_model_open(const char *name, int stages, hp_model **out, hp_error *err)
{
	hp_model *m = calloc(1, sizeof(*m));

	*out = NULL;
	if (!m)
		return hp_fail_memory(err);
	m->path = hp_model_find(name, err);
	if (!m->path || hp_safetensors_open(m->path, &m->file, err) != 0 || read_meta(m, err) != 0 ||
	    read_vocabs(m, stages, err) != 0 || open_net(m, stages, err) != 0) {
		hp_model_close(m);
		return HP_FAIL;
	}
	*out = m;
	return 0;
}

int hp_model_round(hp_model *model, hp_error *err)
{
	return hp_params_round(model->rst ? hp_rst_params(model->rst_net) : hp_dep_params(model->net), err);
}

void hp_model_close(hp_model *model)
{
	if (!model)
		return;
	hp_dep_net_destroy(model->net);
	hp_rst_net_destroy(model->rst_net);
	hp_vocab_destroy(model->words);
	hp_vocab_destroy(model->chars);
	hp_vocab_destroy(model->tags);
	hp_vocab_destroy(model->labels);
	hp_safetensors_close(model->file);
	free(model->path);
	free(model);
}
