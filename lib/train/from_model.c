/* from_model.c: parameters from a model file. */
#include "train/from_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "nn/vmath.h"

typedef enum by_name { WORDS, CHARS, TAGS, LABELS, VOCABS } by_name;

static const char *const vocab_name[VOCABS] = {"vocab.word", "vocab.char", "vocab.tag", "vocab.label"};

struct hp_from_model {
	hp_safetensors *st;
	hp_vocab *vocab[VOCABS]; /* NULL: the model has none */
};

typedef struct source {
	const hp_from_model *init;
	const hp_safetensors *st;
	const hp_lexicon *lex;
	uint64_t *hash;
} source;

static int read_vocab(const hp_safetensors *st, const char *name, hp_vocab **out, hp_error *err)
{
	const int64_t any = -1;
	const hp_tensor *t;
	char where[256];

	if (!hp_safetensors_find(st, name))
		return 0;
	if (hp_safetensors_need(st, name, 1, &any, &t, err) != 0)
		return HP_FAIL;
	snprintf(where, sizeof where, "%s: %s", hp_safetensors_name(st), name);
	if (t->dtype != HP_U8)
		return hp_fail(err, "%s has type %s: expected U8", where, hp_dtype_name(t->dtype));
	return hp_vocab_parse(t->data, t->bytes, where, out, err);
}

int hp_from_model_open(const char *path, hp_from_model **out, hp_error *err)
{
	hp_from_model *init = calloc(1, sizeof *init);
	int status;

	if (!init)
		return hp_fail_memory(err);
	status = hp_safetensors_open(path, &init->st, err);
	if (status == 0)
		status = hp_safetensors_verify(init->st, NULL, err);
	for (int i = 0; i < VOCABS && status == 0; i++)
		status = read_vocab(init->st, vocab_name[i], &init->vocab[i], err);
	if (status != 0)
		hp_from_model_close(init);
	else
		*out = init;
	return status;
}

void hp_from_model_close(hp_from_model *init)
{
	if (!init)
		return;
	for (int i = 0; i < VOCABS; i++)
		hp_vocab_destroy(init->vocab[i]);
	hp_safetensors_close(init->st);
	free(init);
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
			return hp_fail(err, "%s: tensor `%s` has type %s: expected F32, F16 or F8_E4M3", hp_safetensors_name(s->st),
			               p->name, hp_dtype_name(t->dtype));
		for (size_t k = 0; fixed && k < width; k++)
			row[k] -= fixed[k];
	}
	return 0;
}

/* The names that the rows of a parameter go by; VOCABS: it is copied whole. */
static by_name names_of(const char *param)
{
	static const struct {
		const char *param;
		by_name names;
	} param_names[] = {{"embed.word", WORDS}, {"embed.char", CHARS}, {"embed.pos", TAGS}, {"label.w", LABELS},
	                   {"label.u", LABELS},   {"label.v", LABELS},   {"label.b", LABELS}};

	for (size_t i = 0; i < sizeof param_names / sizeof *param_names; i++)
		if (strcmp(param_names[i].param, param) == 0)
			return param_names[i].names;
	return VOCABS;
}

static int copy_param(const source *s, hp_param *p, hp_error *err)
{
	const hp_vocab *const ours[VOCABS] = {s->lex->words, s->lex->chars, s->lex->tags, s->lex->labels};
	by_name by = names_of(hp_param_role(p));
	int64_t shape[3] = {p->shape[0], p->shape[1], p->shape[2]}, any = -1;
	const hp_tensor *t;

	if (by != VOCABS && !s->init->vocab[by])
		return hp_safetensors_need(s->st, vocab_name[by], 1, &any, &t, err); /* fails, as there is none */
	if (by != VOCABS)
		shape[0] = hp_vocab_count(s->init->vocab[by]);
	if (hp_safetensors_need(s->st, p->name, p->rank, shape, &t, err) != 0)
		return HP_FAIL;
	*s->hash = hp_hash(*s->hash, t->data, t->bytes);
	if (by != VOCABS)
		return copy_rows(s, p, t, ours[by], s->init->vocab[by], err);
	return hp_tensor_to_float(t, 0, t->count, p->value) == 0
	           ? 0
	           : hp_fail(err, "%s: tensor `%s` has type %s: expected F32, F16 or F8_E4M3", hp_safetensors_name(s->st),
	                     p->name, hp_dtype_name(t->dtype));
}

/* ---- what the model says of itself ---- */

static int check_meta(const hp_safetensors *st, const char *key, const char *expected, const char *hint, hp_error *err)
{
	const char *value = hp_safetensors_meta(st, key);

	if (!value || strcmp(value, expected) == 0)
		return 0;
	return hp_fail(err, "%s: a model whose %s is %s, expected %s%s", hp_safetensors_name(st), key, value, expected,
	               hint);
}

/* Whether a value that a model notes of the hyper-parameter INDEX has a say; that of an optional part has in any training. */
static bool matters(const hp_hyper *h, int index)
{
	return hp_hyper_applies(h, index) || (hp_hyper_of_task(h->task, index) && hp_hyper_optional(index));
}

/* What the model notes of the hyper-parameter INDEX, or NULL: a part that it does not have it does not note. */
static const char *noted(const hp_safetensors *st, int index)
{
	const char *value = hp_safetensors_meta(st, hp_hyper_key(index));

	return !value && hp_hyper_optional(index) ? hp_hyper_initial(index) : value;
}

/* Whether the model has another value, in THEIRS, of the hyper-parameter INDEX, on which the shapes of tensors depend. */
static bool differs(const hp_safetensors *st, const hp_hyper *h, int index, const char **theirs)
{
	const char *key = hp_hyper_key(index), *pos = hp_safetensors_meta(st, "pos");
	bool tags = pos && strcmp(pos, "none") != 0;
	char ours[HP_HYPER_TEXT];

	*theirs = noted(st, index);
	hp_hyper_text(h, index, ours);
	if (!*theirs || strcmp(*theirs, ours) == 0 || strcmp(key, "lower") == 0 || strcmp(key, "beam") == 0 ||
	    strcmp(key, "decoder_alone") == 0 || strcmp(key, "auxiliary_splits") == 0)
		return false;
	if (strcmp(key, "pos_dim") == 0 && !(tags && h->pos))
		return false;
	return matters(h, index);
}

static int check_hyper(const hp_safetensors *st, const hp_hyper *h, hp_error *err)
{
	enum { FEW = 3 };
	char names[768] = "", sets[256] = "", ours[HP_HYPER_TEXT];
	int count = 0;
	bool rst = h->task == HP_TASK_RST;
	const char *theirs;

	if (check_meta(st, "task", hp_task_name(h->task), "", err) != 0 ||
	    (rst && check_meta(st, "input", h->stream ? "stream" : "words",
	                       h->stream ? "" : ": one that is trained without --train-stream", err) != 0))
		return HP_FAIL;
	for (int i = 0; i < hp_hyper_count(); i++) {
		size_t n = strlen(names), s = strlen(sets);

		if (!differs(st, h, i, &theirs))
			continue;
		count++;
		hp_hyper_text(h, i, ours);
		snprintf(names + n, sizeof names - n, "%s %s (%s here)", n ? "," : "", hp_hyper_key(i), ours);
		snprintf(sets + s, sizeof sets - s, " --set %s=%s", hp_hyper_key(i), theirs);
	}
	if (count == 0)
		return 0;
	if (count > FEW)
		return hp_fail(
			err, "%s: the model differs in%s: expected neither --hyper nor --set for these, they are then the model's",
			hp_safetensors_name(st), names);
	return hp_fail(err, "%s: the model differs in%s: expected%s", hp_safetensors_name(st), names, sets);
}

int hp_from_model_hyper(const hp_from_model *init, hp_hyper *h, hp_error *err)
{
	hp_error inner;
	int status = 0;

	for (int i = 0; i < hp_hyper_count() && status == 0; i++) {
		const char *value = noted(init->st, i);
		bool tags = h->task == HP_TASK_RST && strcmp(hp_hyper_key(i), "pos") == 0;
		if (value && strcmp(hp_hyper_key(i), "lower") == 0)
			value = strcmp(value, "0") == 0 ? "no" : "yes";
		if (value && !tags && matters(h, i) && hp_hyper_adopt(h, i, value, &inner) != 0)
			status = hp_fail(err, "%s: %s", hp_safetensors_name(init->st), inner.text);
	}
	return status;
}

/* ---- names ---- */

/* What rounding to half precision, or to a byte a number, can change of a number of that SIZE. */
static float rounding(const hp_tensor *t, float size)
{
	return t->dtype == HP_F8_E4M3 ? size / 16 + 0x1p-10f : size / 1024 + 1e-6f;
}

/* Whether word NUMBER of the model is one that only its vectors had: its row is that of unknown words and what our vectors
 * have for it, but for rounding. */
static bool from_vectors(const source *s, const hp_tensor *t, int number, const char *word, size_t size)
{
	const hp_vectors *v = &s->lex->vectors;
	int row = v->words ? hp_vocab_find(v->words, word, size) : -1, dim = v->dim;
	bool same = row >= 0 && number > HP_ID_UNKNOWN && t->rank == 2 && t->shape[0] > number && t->shape[1] == dim;

	for (int k = 0; same && k < dim; k++) {
		float sum, unknown, vector = v->values[(size_t)row * (size_t)dim + (size_t)k];
		same = hp_tensor_to_float(t, (int64_t)number * dim + k, 1, &sum) == 0 &&
		       hp_tensor_to_float(t, (int64_t)HP_ID_UNKNOWN * dim + k, 1, &unknown) == 0 &&
		       fabsf(sum - vector - unknown) <= rounding(t, fabsf(sum)) + rounding(t, fabsf(unknown));
	}
	return same;
}

/* Adds the names of a vocabulary of the model that OURS lacks; *COUNT (may be NULL) gets a 0 for each. */
static int add_names(const source *s, by_name which, hp_vocab *ours, int32_t **count, hp_error *err)
{
	const hp_tensor *rows = which == WORDS ? hp_safetensors_find(s->st, "embed.word") : NULL;
	const hp_vocab *theirs = s->init->vocab[which];
	int before = hp_vocab_count(ours), status = 0;

	if (!theirs)
		return 0;
	for (int i = 0; i < hp_vocab_count(theirs) && status == 0; i++) {
		size_t size;
		const char *text = hp_vocab_at(theirs, i, &size);
		bool known = hp_vocab_find(ours, text, size) >= 0;
		known |= ours == s->lex->labels && hp_label_is_open(text, size);
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
	return status;
}

int hp_from_model_lexicon(const hp_from_model *init, hp_lexicon *lex, hp_error *err)
{
	source s = {init, init->st, lex, NULL};

	if (add_names(&s, WORDS, lex->words, &lex->word_count, err) != 0 ||
	    add_names(&s, CHARS, lex->chars, &lex->char_count, err) != 0 ||
	    (lex->pos != HP_POS_NONE && add_names(&s, TAGS, lex->tags, NULL, err) != 0) ||
	    add_names(&s, LABELS, lex->labels, NULL, err) != 0)
		return HP_FAIL;
	if (hp_lexicon_bind_tags(lex, err) != 0)
		return HP_FAIL;
	return lex->vectors.words ? hp_lexicon_bind_vectors(lex, err) : 0;
}

/* ---- parameters ---- */

int hp_from_model_params(const hp_from_model *init, const hp_hyper *h, const hp_lexicon *lex, hp_params *params,
                         uint64_t *hash, hp_error *err)
{
	source s = {init, init->st, lex, hash};
	int status = check_hyper(init->st, h, err);

	for (int i = 0; i < params->count && status == 0; i++) {
		hp_param *p = &params->item[i];
		if (hp_auxiliary_param(p) || (hp_heads_param(p) && !hp_safetensors_meta(init->st, "heads")) ||
		    (hp_reach_param(p) && !hp_safetensors_meta(init->st, "reach")))
			continue; /* not in the model: it is learnt anew */
		status = copy_param(&s, p, err);
		if (status == 0 && !hp_vec_within(p->count, p->value, HP_LARGEST))
			status = hp_fail(err, "%s: tensor `%s` holds a value that is not finite or beyond %g",
			                 hp_safetensors_name(s.st), p->name, (double)HP_LARGEST);
	}
	return status;
}
