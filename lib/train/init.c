/* init.c: parameters from a model file. */
#include "train/init.h"

#include <stdlib.h>
#include <string.h>
#include "train/hash.h"

typedef struct source {
	const hp_safetensors *st;
	const hp_lexicon *lex;
	uint64_t *hash;
} source;

static int read_vocab(const source *s, const char *name, hp_vocab **out, hp_error *err)
{
	const int64_t any = -1;
	const hp_tensor *t;
	char where[256];

	if (hp_safetensors_need(s->st, name, 1, &any, &t, err) != 0)
		return HP_FAIL;
	snprintf(where, sizeof where, "%s: %s", hp_safetensors_name(s->st), name);
	if (t->dtype != HP_U8)
		return hp_fail(err, "%s has type %s: expected U8", where, hp_dtype_name(t->dtype));
	return hp_vocab_parse(t->data, t->bytes, where, out, err);
}

/* The fixed part of word W's vector, or NULL. */
static const float *fixed_part(const hp_lexicon *lex, int w, size_t dim)
{
	int row = lex->vector_of ? lex->vector_of[w] : -1;

	return row < 0 ? NULL : lex->vectors.values + (size_t)row * dim;
}

/* Rows of P, one a name of OURS, from the rows of the model's tensor T, one a name of THEIRS. */
static int copy_rows(const source *s, hp_param *p, const hp_tensor *t, const hp_vocab *ours, const hp_vocab *theirs,
                     hp_error *err)
{
	size_t width = p->count / (size_t)p->shape[0], size;
	bool words = ours == s->lex->words;

	for (int i = 0; i < p->shape[0]; i++) {
		const char *name = hp_vocab_at(ours, i, &size);
		float *row = p->value + (size_t)i * width;
		const float *fixed = words ? fixed_part(s->lex, i, width) : NULL;
		int from = hp_vocab_find(theirs, name, size);
		if (from < 0)
			continue;
		if (hp_tensor_to_float(t, (int64_t)from * (int64_t)width, (int64_t)width, row) != 0)
			return hp_fail(err, "%s: tensor `%s` has type %s: expected F32 or F16", hp_safetensors_name(s->st), p->name,
			               hp_dtype_name(t->dtype));
		for (size_t k = 0; fixed && k < width; k++)
			row[k] -= fixed[k];
	}
	return 0;
}

/* The names that the rows of a parameter go by; NULL: it is copied whole. */
static const hp_vocab *names_of(const hp_lexicon *lex, const char *param, const char **tensor)
{
	const struct {
		const char *param, *tensor;
		const hp_vocab *names;
	} by_name[] = { { "embed.word", "vocab.word", lex->words }, { "embed.char", "vocab.char", lex->chars },
		        { "embed.pos", "vocab.tag", lex->tags },    { "label.w", "vocab.label", lex->labels },
		        { "label.u", "vocab.label", lex->labels },  { "label.v", "vocab.label", lex->labels },
		        { "label.b", "vocab.label", lex->labels } };

	for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
		if (strcmp(by_name[i].param, param) == 0) {
			*tensor = by_name[i].tensor;
			return by_name[i].names;
		}
	return NULL;
}

static int copy_param(const source *s, hp_param *p, hp_error *err)
{
	const char *vocab = NULL;
	const hp_vocab *ours = names_of(s->lex, p->name, &vocab);
	hp_vocab *theirs = NULL;
	const hp_tensor *t;
	int64_t shape[3] = { p->shape[0], p->shape[1], p->shape[2] };
	int status = HP_FAIL;

	if (ours && read_vocab(s, vocab, &theirs, err) != 0)
		return HP_FAIL;
	if (theirs)
		shape[0] = hp_vocab_count(theirs);
	if (hp_safetensors_need(s->st, p->name, p->rank, shape, &t, err) == 0) {
		*s->hash = hp_hash(*s->hash, t->data, t->bytes);
		if (theirs)
			status = copy_rows(s, p, t, ours, theirs, err);
		else if (hp_tensor_to_float(t, 0, t->count, p->value) == 0)
			status = 0;
		else
			hp_fail(err, "%s: tensor `%s` has type %s: expected F32 or F16", hp_safetensors_name(s->st), p->name,
			        hp_dtype_name(t->dtype));
	}
	hp_vocab_destroy(theirs);
	return status;
}

/* ---- what the model says of itself ---- */

static int check_meta(const hp_safetensors *st, const char *key, const char *expected, const char *hint, hp_error *err)
{
	const char *value = hp_safetensors_meta(st, key);

	if (!value || strcmp(value, expected) == 0)
		return 0;
	return hp_fail(err, "%s: a model whose %s is %s, expected %s%s", hp_safetensors_name(st), key, value, expected, hint);
}

/* Whether the model has another value, in THEIRS, of the hyper-parameter INDEX, on which the shapes of tensors depend. */
static bool differs(const hp_safetensors *st, const hp_hyper *h, int index, const char **theirs)
{
	const char *key = hp_hyper_key(index), *pos = hp_safetensors_meta(st, "pos");
	bool tags = pos && strcmp(pos, "none") != 0;
	char ours[HP_HYPER_TEXT];

	*theirs = hp_safetensors_meta(st, key);
	hp_hyper_text(h, index, ours);
	if (!*theirs || strcmp(*theirs, ours) == 0 || strcmp(key, "lower") == 0)
		return false;
	if (strcmp(key, "pos") == 0)
		return tags != (h->pos != 0);
	if (strcmp(key, "pos_dim") == 0 && !(tags && h->pos))
		return false;
	return hp_hyper_applies(h, index);
}

static int check_hyper(const hp_safetensors *st, const hp_hyper *h, hp_error *err)
{
	char names[512] = "", sets[512] = "", ours[HP_HYPER_TEXT];
	bool rst = h->task == HP_TASK_RST;
	const char *theirs;

	if (check_meta(st, "task", rst ? "rst" : "dep", "", err) != 0 ||
	    (rst && check_meta(st, "input", h->stream ? "stream" : "words",
	                       h->stream ? "" : ": one that is trained without --train-stream", err) != 0))
		return HP_FAIL;
	for (int i = 0; i < hp_hyper_count(); i++) {
		size_t n = strlen(names), s = strlen(sets);

		if (!differs(st, h, i, &theirs))
			continue;
		hp_hyper_text(h, i, ours);
		snprintf(names + n, sizeof names - n, "%s %s (%s here)", n ? "," : "", hp_hyper_key(i), ours);
		snprintf(sets + s, sizeof sets - s, " --set %s=%s", hp_hyper_key(i), theirs);
	}
	if (!*sets)
		return 0;
	return hp_fail(err, "%s: the model differs in%s: expected%s", hp_safetensors_name(st), names, sets);
}

int hp_init_from_model(const char *path, const hp_hyper *h, const hp_lexicon *lex, hp_params *params, uint64_t *hash,
                       hp_error *err)
{
	hp_safetensors *st;
	int status;

	if (hp_safetensors_open(path, &st, err) != 0)
		return HP_FAIL;
	source s = { st, lex, hash };
	status = check_hyper(st, h, err);
	for (int i = 0; i < params->count && status == 0; i++)
		if (!hp_dep_auxiliary_param(&params->item[i]))
			status = copy_param(&s, &params->item[i], err);
	hp_safetensors_close(st);
	return status;
}
