/* init.c: parameters from a model file. */
#include "train/init.h"

#include <math.h>
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

int hp_init_hyper(const char *path, hp_hyper *h, hp_error *err)
{
	hp_safetensors *st = NULL;
	hp_error inner;
	int status = hp_safetensors_open(path, &st, err);

	for (int i = 0; i < hp_hyper_count() && status == 0; i++) {
		const char *value = hp_safetensors_meta(st, hp_hyper_key(i));
		bool tags = h->task == HP_TASK_RST && strcmp(hp_hyper_key(i), "pos") == 0;
		if (value && strcmp(hp_hyper_key(i), "lower") == 0)
			value = strcmp(value, "0") == 0 ? "no" : "yes";
		if (value && !tags && hp_hyper_applies(h, i) && hp_hyper_adopt(h, i, value, &inner) != 0)
			status = hp_fail(err, "%s: %s", path, inner.text);
	}
	hp_safetensors_close(st);
	return status;
}

/* ---- names ---- */

/* Whether word NUMBER of the model is one that only its vectors had: its row is that of unknown words and what our vectors
 * have for it, but for rounding to half precision. */
static bool from_vectors(const source *s, const hp_tensor *t, int number, const char *word, size_t size)
{
	const hp_vectors *v = &s->lex->vectors;
	int row = v->words ? hp_vocab_find(v->words, word, size) : -1, dim = v->dim;
	bool same = row >= 0 && number > HP_ID_UNKNOWN && t->rank == 2 && t->shape[0] > number && t->shape[1] == dim;

	for (int k = 0; same && k < dim; k++) {
		float sum, unknown, vector = v->values[(size_t)row * (size_t)dim + (size_t)k];
		same = hp_tensor_to_float(t, (int64_t)number * dim + k, 1, &sum) == 0 &&
		       hp_tensor_to_float(t, (int64_t)HP_ID_UNKNOWN * dim + k, 1, &unknown) == 0 &&
		       fabsf(sum - vector - unknown) <= (fabsf(sum) + fabsf(unknown)) / 1024 + 1e-6f;
	}
	return same;
}

/* Adds the names of the model's vocabulary NAME that OURS lacks; *COUNT (may be NULL) gets a 0 for each. */
static int add_names(const source *s, const char *name, hp_vocab *ours, int32_t **count, hp_error *err)
{
	const hp_tensor *rows = ours == s->lex->words ? hp_safetensors_find(s->st, "embed.word") : NULL;
	int before = hp_vocab_count(ours), status = 0;
	hp_vocab *theirs;

	if (!hp_safetensors_find(s->st, name))
		return 0;
	if (read_vocab(s, name, &theirs, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < hp_vocab_count(theirs) && status == 0; i++) {
		size_t size;
		const char *text = hp_vocab_at(theirs, i, &size);
		bool known = hp_vocab_find(ours, text, size) >= 0;
		if (!known && !(rows && from_vectors(s, rows, i, text, size)) && hp_vocab_add(ours, text, size) < 0)
			status = hp_fail_memory(err);
	}
	size_t n = (size_t)hp_vocab_count(ours);
	int32_t *more = count && status == 0 ? realloc(*count, n * sizeof *more) : NULL;
	if (more) {
		memset(more + before, 0, (n - (size_t)before) * sizeof *more);
		*count = more;
	} else if (count && status == 0)
		status = hp_fail_memory(err);
	hp_vocab_destroy(theirs);
	return status;
}

int hp_init_lexicon(const char *path, hp_lexicon *lex, hp_error *err)
{
	hp_safetensors *st;
	int status = HP_FAIL;

	if (hp_safetensors_open(path, &st, err) != 0)
		return HP_FAIL;
	source s = { st, lex, NULL };
	if (add_names(&s, "vocab.word", lex->words, &lex->word_count, err) == 0 &&
	    add_names(&s, "vocab.char", lex->chars, &lex->char_count, err) == 0 &&
	    (lex->pos == HP_POS_NONE || add_names(&s, "vocab.tag", lex->tags, NULL, err) == 0) &&
	    add_names(&s, "vocab.label", lex->labels, NULL, err) == 0)
		status = lex->vectors.words ? hp_lexicon_bind_vectors(lex, err) : 0;
	hp_safetensors_close(st);
	return status;
}

/* ---- parameters ---- */

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
