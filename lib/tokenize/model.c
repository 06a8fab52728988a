/* model.c: opening a tokeniser's model file. */
#include "tokenize/model.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/utf8.h"
#include "nn/int8.h"

/* ---- characters ---- */

enum { NEAR = 0x3000 }; /* codes that are looked up by number */

struct hp_tok_alphabet {
	hp_vocab *chars;
	int32_t row[NEAR];
};

int hp_tok_alphabet_new(hp_vocab *chars, const char *file, hp_tok_alphabet **out, hp_error *err)
{
	hp_tok_alphabet *a = calloc(1, sizeof *a);
	*out = a;
	if (!a) {
		hp_vocab_destroy(chars);
		return hp_fail_memory(err);
	}
	a->chars = chars;
	for (int i = 0; i < hp_vocab_count(chars); i++) {
		size_t size;
		const char *text = hp_vocab_at(chars, i, &size);
		int32_t code;
		if (hp_utf8_decode(text, size, &code) != (int)size) {
			hp_tok_alphabet_destroy(a);
			*out = NULL;
			return hp_fail(err, "%s: tensor 'vocab.char', entry %d: not one character", file, i + 1);
		}
		if (code < NEAR)
			a->row[code] = i + 1;
	}
	return 0;
}

void hp_tok_alphabet_destroy(hp_tok_alphabet *a)
{
	if (a)
		hp_vocab_destroy(a->chars);
	free(a);
}

const hp_vocab *hp_tok_alphabet_chars(const hp_tok_alphabet *a)
{
	return a->chars;
}

int32_t hp_tok_alphabet_row(const hp_tok_alphabet *a, int32_t code)
{
	utf8proc_uint8_t text[4];
	if (code < NEAR)
		return a->row[code];
	utf8proc_ssize_t size = utf8proc_encode_char(code, text);
	return hp_vocab_find(a->chars, (const char *)text, (size_t)size) + 1;
}

/* ---- the file ---- */

static int need_number(const hp_tok_model *m, const char *key, int max, int *out, hp_error *err)
{
	const char *text = hp_safetensors_meta(m->file, key);
	char *end = NULL;
	long value = text ? strtol(text, &end, 10) : 0;
	if (!text || *text < '0' || *text > '9' || *end || value > max)
		return hp_fail(err, "%s: metadata: %s is %s%s%s, expected a whole number up to %d", m->path, key,
		               text ? "'" : "", text ? text : "missing", text ? "'" : "", max);
	*out = (int)value;
	return 0;
}

static int read_vocab(const hp_tok_model *m, const char *name, hp_vocab **out, hp_error *err)
{
	static const int64_t any[] = {-1};
	const hp_tensor *tensor;
	hp_error inner;
	*out = NULL;
	if (hp_safetensors_need(m->file, name, 1, any, &tensor, err))
		return HP_FAIL;
	if (tensor->dtype != HP_U8)
		return hp_fail(err, "%s: tensor '%s' is %s, expected U8", m->path, name, hp_dtype_name(tensor->dtype));
	return hp_vocab_parse(tensor->data, tensor->bytes, name, out, &inner) ? hp_fail(err, "%s: %s", m->path, inner.text)
	                                                                      : 0;
}

static int read_meta(hp_tok_model *m, hp_tok_sizes *c, hp_error *err)
{
	const char *task = hp_safetensors_meta(m->file, "task");
	int spaces;
	if (!task || strcmp(task, "tokenize") != 0)
		return hp_fail(err, "%s: a model for the task '%s', expected tokenize", m->path, task ? task : "(none)");
	m->id = hp_safetensors_meta(m->file, "model_id");
	if (!m->id || !*m->id)
		return hp_fail(err, "%s: no 'model_id' in the metadata: not a model of hp-train", m->path);
	if (need_number(m, "dim", HP_TOK_WIDEST, &c->dim, err) ||
	    need_number(m, "hidden", HP_TOK_WIDEST, &c->hidden, err) ||
	    need_number(m, "layers", HP_TOK_LAYERS, &c->layers, err) || need_number(m, "spaces", 1, &spaces, err))
		return HP_FAIL;
	if (c->dim < 1 || c->hidden < 1 || c->layers < 1)
		return hp_fail(err, "%s: metadata: dim, hidden or layers is 0", m->path);
	m->spaces = spaces;
	return 0;
}

static int read_words(hp_tok_model *m, hp_error *err)
{
	hp_vocab *table = NULL, *endings = NULL, *sure = NULL;
	if (read_vocab(m, "multiword.table", &table, err) == 0 && read_vocab(m, "multiword.endings", &endings, err) == 0 &&
	    read_vocab(m, "multiword.sure", &sure, err) == 0)
		return hp_expander_new(table, endings, sure, m->path, &m->expander, err);
	hp_vocab_destroy(table);
	hp_vocab_destroy(endings);
	return HP_FAIL;
}

static int read_all(hp_tok_model *m, hp_error *err)
{
	hp_tok_sizes c;
	hp_vocab *chars;
	if (read_meta(m, &c, err) || read_vocab(m, "vocab.char", &chars, err))
		return HP_FAIL;
	c.chars = hp_vocab_count(chars) + 1;
	if (hp_tok_alphabet_new(chars, m->path, &m->alphabet, err) || read_words(m, err))
		return HP_FAIL;
	if (hp_tok_net_make(&m->net, &c, err) || hp_params_load(&m->net.params, m->file, "", err))
		return HP_FAIL;
	/* Rounded matrices find the same tokens in less than half of the time. */
	return hp_params_round(&m->net.params, err) ? HP_FAIL : hp_tok_runner_new(&m->net, &m->runner, err);
}

int hp_tok_model_open(const char *path, hp_tok_model **out, hp_error *err)
{
	hp_tok_model *m = calloc(1, sizeof *m);
	*out = m;
	if (!m)
		return hp_fail_memory(err);
	m->path = strdup(path);
	if (m->path ? hp_safetensors_open(path, &m->file, err) == 0 && read_all(m, err) == 0 : !hp_fail_memory(err))
		return 0;
	hp_tok_model_close(m);
	*out = NULL;
	return HP_FAIL;
}

void hp_tok_model_close(hp_tok_model *m)
{
	if (!m)
		return;
	hp_tok_runner_destroy(m->runner);
	hp_tok_net_free(&m->net);
	hp_expander_destroy(m->expander);
	hp_tok_alphabet_destroy(m->alphabet);
	hp_safetensors_close(m->file);
	free(m->path);
	free(m);
}
