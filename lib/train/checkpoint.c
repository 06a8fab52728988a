/* checkpoint.c: the state of a training as a safetensors file.
 *
 * Tensors values, m, v and (with a moving average) average, as they lie in memory; everything else is text in the
 * metadata, floating-point numbers in hexadecimal so that none loses a bit.  A checkpoint has a checksum. */
#include "train/trainer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nn/bf16.h"

#define FORMAT "2" /* 1 had no checksum */

/* ---- progress as text ---- */

/* LOSS may be anything, as losses may; REAL is a score, or seconds. */
typedef enum kind { INT, LONG, LOSS, REAL } kind;

typedef struct field {
	const char *key;
	kind kind;
	size_t offset;
} field;

/* clang-format off */
#define F(name, kind) { "progress." #name, kind, offsetof(hp_progress, name) }
/* clang-format on */
static const field fields[] = {
	F(step, LONG),
	F(epoch, INT),
	F(batch, INT),
	F(not_finite, INT),
	F(loss, LOSS),
	{"progress.best_uas", REAL, offsetof(hp_progress, best_first)},
	{"progress.best_las", REAL, offsetof(hp_progress, best_last)},
	F(best_step, LONG),
	F(seconds, REAL),
	F(epoch_seconds, REAL),
	F(limit, REAL),
	F(logged, LONG),
	F(log_size, LONG),
	{"progress.epoch_loss.structure", LOSS, offsetof(hp_progress, epoch_loss.part[0])},
	{"progress.epoch_loss.label", LOSS, offsetof(hp_progress, epoch_loss.part[1])},
	{"progress.epoch_loss.arcs", LONG, offsetof(hp_progress, epoch_loss.words)},
	F(epoch_loss.steps, LONG),
	F(relation_step, LONG),
	F(span_relation, REAL),
	F(span_nuclearity, REAL),
	F(relation_span, REAL),
};

enum { FIELDS = sizeof fields / sizeof *fields, TWO_MODELS = 4, TEXT = 48 };
/* No training gets there, and what is added to it does not overflow. */
static const int64_t int_max = 1000000000, long_max = INT64_C(1000000000000000);

/* The last fields are there where two models are kept. */
static int fields_of(const hp_trainer *t)
{
	return t->task->two_models ? FIELDS : FIELDS - TWO_MODELS;
}

static void field_text(const hp_progress *p, const field *f, char text[TEXT])
{
	const void *at = (const char *)p + f->offset;

	switch (f->kind) {
	case INT:
		snprintf(text, TEXT, "%d", *(const int *)at);
		break;
	case LONG:
		snprintf(text, TEXT, "%" PRId64, *(const int64_t *)at);
		break;
	case LOSS:
	case REAL:
		snprintf(text, TEXT, "%a", *(const double *)at);
		break;
	}
}

static int bad_meta(const hp_safetensors *st, const char *key, hp_error *err)
{
	const char *text = hp_safetensors_meta(st, key);

	return hp_fail(err, "%s: metadata %s is %s%s%s: expected what hp-train writes in a checkpoint",
	               hp_safetensors_name(st), key, text ? "'" : "", text ? text : "missing", text ? "'" : "");
}

static int whole(const hp_safetensors *st, const char *key, int64_t max, int64_t *out, hp_error *err)
{
	const char *text = hp_safetensors_meta(st, key);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return bad_meta(st, key, err);
	errno = 0;
	*out = strtoll(text, &end, 10);
	return errno || *end || *out > max ? bad_meta(st, key, err) : 0;
}

/* LOW = -INFINITY: NaN as well. */
static int real(const hp_safetensors *st, const char *key, double low, double high, double *out, hp_error *err)
{
	const char *text = hp_safetensors_meta(st, key);
	char *end;

	if (!text || !*text)
		return bad_meta(st, key, err);
	*out = strtod(text, &end);
	if (*end || (isfinite(low) && !(*out >= low && *out <= high)))
		return bad_meta(st, key, err);
	return 0;
}

static int field_read(hp_progress *p, const field *f, const hp_safetensors *st, hp_error *err)
{
	void *at = (char *)p + f->offset;
	int64_t number;

	if (f->kind == LOSS)
		return real(st, f->key, -INFINITY, INFINITY, at, err);
	if (f->kind == REAL)
		return real(st, f->key, -1, (double)long_max, at, err);
	if (whole(st, f->key, f->kind == INT ? int_max : long_max, &number, err) != 0)
		return HP_FAIL;
	if (f->kind == INT)
		*(int *)at = (int)number;
	else
		*(int64_t *)at = number;
	return 0;
}

/* ---- saving ---- */

typedef struct saving {
	hp_st_writer *w;
	bool failed;
	hp_error *err;
} saving;

static void meta(saving *s, const char *key, const char *value)
{
	if (!s->failed)
		s->failed = hp_st_writer_meta(s->w, key, value, s->err) != 0;
}

static void meta_number(saving *s, const char *key, uint64_t number)
{
	char text[TEXT];

	snprintf(text, sizeof text, "%" PRIu64, number);
	meta(s, key, text);
}

static void block(saving *s, const char *name, const float *value, size_t count)
{
	int64_t shape = (int64_t)count;

	if (!s->failed)
		s->failed = hp_st_writer_tensor(s->w, name, HP_F32, 1, &shape, value, s->err) != 0;
}

static void save_meta(saving *s, const hp_trainer *t)
{
	char text[HP_HYPER_TEXT > TEXT ? HP_HYPER_TEXT : TEXT], key[64];
	char *plan = hp_schedule_text(&t->schedule, 0, INT64_MAX);

	meta(s, "hp_checkpoint", FORMAT);
	meta_number(s, "seed", t->setup->seed);
	meta_number(s, "data", t->data_hash);
	meta(s, "precision", hp_trainer_precision(t));
	meta_number(s, "adam.steps", (uint64_t)t->adam.steps);
	meta(s, "schedule.plan", plan ? plan : "");
	snprintf(text, sizeof text, "%a", (double)t->schedule.factor);
	meta(s, "schedule.factor", text);
	meta_number(s, "schedule.misses", (uint64_t)t->schedule.misses);
	for (int i = 0; i < fields_of(t); i++) {
		field_text(&t->progress, &fields[i], text);
		meta(s, fields[i].key, text);
	}
	for (int i = 0; i < hp_hyper_count(); i++) {
		if (!hp_hyper_applies(&t->hyper, i))
			continue;
		snprintf(key, sizeof key, "hyper.%s", hp_hyper_key(i));
		hp_hyper_text(&t->hyper, i, text);
		meta(s, key, text);
	}
	if (!plan && !s->failed)
		s->failed = hp_fail_memory(s->err) != 0;
	free(plan);
}

int hp_checkpoint_save(const hp_trainer *t, const char *path, hp_error *err)
{
	saving s = {hp_st_writer_new(), false, err};
	size_t n = t->params->total;

	if (!s.w)
		return hp_fail_memory(err);
	save_meta(&s, t);
	block(&s, "values", t->params->values, n);
	block(&s, "m", t->adam.m, n);
	block(&s, "v", t->adam.v, n);
	if (t->adam.average)
		block(&s, "average", t->adam.average, n);
	if (!s.failed)
		s.failed = hp_st_writer_save(s.w, path, err) != 0;
	hp_st_writer_destroy(s.w);
	return s.failed ? HP_FAIL : 0;
}

/* ---- loading ---- */

/* The checkpoint's, unless another one was asked for. */
static int load_precision(hp_trainer *t, const hp_safetensors *st, hp_error *err)
{
	const char *name = hp_safetensors_name(st), *was = hp_safetensors_meta(st, "precision");
	int said = t->setup->precision, at = HP_PRECISION_F32;

	while (at <= HP_PRECISION_BF16 && (!was || strcmp(was, hp_precision_names[at - HP_PRECISION_AUTO]) != 0))
		at++;
	if (at > HP_PRECISION_BF16)
		return bad_meta(st, "precision", err);
	if (said > HP_PRECISION_AUTO && said != at)
		return hp_fail(err, "%s: the checkpoint was made with --precision=%s, not %s", name, was,
		               hp_precision_names[said - HP_PRECISION_AUTO]);
	if (at == HP_PRECISION_BF16 && !hp_bf16_possible())
		return hp_fail(err,
		               "%s: the checkpoint was made with --precision=bf16, but this processor has neither AMX-BF16 nor "
		               "AVX512_BF16",
		               name);
	t->precision = at;
	return 0;
}

static int same_training(const hp_trainer *t, const hp_safetensors *st, hp_error *err)
{
	const char *name = hp_safetensors_name(st), *format = hp_safetensors_meta(st, "hp_checkpoint");
	char text[HP_HYPER_TEXT], key[64];

	bool has;

	if (!format || strcmp(format, FORMAT) != 0)
		return hp_fail(err, "%s: not a checkpoint of this hp-train (metadata hp_checkpoint " FORMAT " expected)", name);
	if (hp_safetensors_verify(st, &has, err) != 0)
		return HP_FAIL;
	if (!has)
		return hp_fail(err, "%s: damaged: a checkpoint without a checksum", name);
	for (int i = 0; i < hp_hyper_count(); i++) {
		bool optional = hp_hyper_optional(i) && hp_hyper_of_task(t->hyper.task, i);
		if (!optional && !hp_hyper_applies(&t->hyper, i))
			continue;
		snprintf(key, sizeof key, "hyper.%s", hp_hyper_key(i));
		hp_hyper_text(&t->hyper, i, text);
		const char *was = hp_safetensors_meta(st, key);
		if (!was && optional)
			was = hp_hyper_initial(i); /* a part that is not there is not noted */
		if (!was || strcmp(was, text) != 0)
			return hp_fail(err, "%s: the checkpoint was made with %s=%s, not %s", name, hp_hyper_key(i),
			               was ? was : "(nothing)", text);
	}
	snprintf(text, sizeof text, "%" PRIu64, t->setup->seed);
	const char *seed = hp_safetensors_meta(st, "seed"), *data = hp_safetensors_meta(st, "data");
	if (!seed || strcmp(seed, text) != 0)
		return hp_fail(err, "%s: the checkpoint was made with seed %s, not %s", name, seed ? seed : "(nothing)", text);
	snprintf(text, sizeof text, "%" PRIu64, t->data_hash);
	if (!data || strcmp(data, text) != 0)
		return hp_fail(err, "%s: the checkpoint was made with another treebank, stream, tags, vectors or --init", name);
	return 0;
}

static int load_block(const hp_safetensors *st, const char *name, float low, float *out, size_t count, hp_error *err)
{
	int64_t shape = (int64_t)count;
	const hp_tensor *tensor;

	if (hp_safetensors_need(st, name, 1, &shape, &tensor, err) != 0)
		return HP_FAIL;
	if (tensor->dtype != HP_F32 || hp_tensor_to_float(tensor, 0, shape, out) != 0)
		return hp_fail(err, "%s: tensor %s is %s, expected F32", hp_safetensors_name(st), name,
		               hp_dtype_name(tensor->dtype));
	for (size_t i = 0; i < count; i++)
		if (!isfinite(out[i]) || out[i] < low)
			return hp_fail(err, "%s: tensor %s holds %g, which no training leaves there", hp_safetensors_name(st), name,
			               (double)out[i]);
	return 0;
}

static int load_state(hp_trainer *t, const hp_safetensors *st, hp_error *err)
{
	const char *plan = hp_safetensors_meta(st, "schedule.plan");
	int64_t misses;
	double factor;

	for (int i = 0; i < fields_of(t); i++)
		if (field_read(&t->progress, &fields[i], st, err) != 0)
			return HP_FAIL;
	if (whole(st, "adam.steps", long_max, &t->adam.steps, err) != 0 ||
	    whole(st, "schedule.misses", int_max, &misses, err) != 0 ||
	    real(st, "schedule.factor", 0, 1, &factor, err) != 0)
		return HP_FAIL;
	if (!plan || hp_schedule_parse(&t->schedule, plan, NULL) != 0)
		return bad_meta(st, "schedule.plan", err);
	t->schedule.misses = (int)misses;
	t->schedule.factor = (float)factor;
	return 0;
}

static int load_blocks(hp_trainer *t, const hp_safetensors *st, hp_error *err)
{
	size_t n = t->params->total;

	if (load_block(st, "values", -INFINITY, t->params->values, n, err) != 0 ||
	    load_block(st, "m", -INFINITY, t->adam.m, n, err) != 0 || load_block(st, "v", 0, t->adam.v, n, err) != 0)
		return HP_FAIL;
	return t->adam.average ? load_block(st, "average", -INFINITY, t->adam.average, n, err) : 0;
}

/* The best model so far is in the output file only: as good as it was, or a later one. */
static int check_output(const hp_trainer *t, const char *path, const char *output, int64_t step, hp_error *err)
{
	const char *data, *batches;
	char hash[32];
	hp_safetensors *st;
	hp_error inner;
	bool ours;

	if (hp_safetensors_open(output, &st, &inner) != 0 || hp_safetensors_verify(st, NULL, &inner) != 0) {
		hp_safetensors_close(st);
		return hp_fail(err, "%s: the best model so far should be in %s, but %s", path, output, inner.text);
	}
	data = hp_safetensors_meta(st, "train.data");
	batches = hp_safetensors_meta(st, "train.batches");
	snprintf(hash, sizeof hash, "%016" PRIx64, t->data_hash);
	ours = data && batches && strcmp(data, hash) == 0 && strtoll(batches, NULL, 10) >= step;
	hp_safetensors_close(st);
	if (!ours)
		return hp_fail(err, "%s: the best model so far should be in %s, but that is another model", path, output);
	return 0;
}

static int check_outputs(const hp_trainer *t, const char *path, hp_error *err)
{
	const hp_progress *p = &t->progress;

	if (p->best_last < 0)
		return 0;
	if (check_output(t, path, t->setup->output, p->best_step, err) != 0)
		return HP_FAIL;
	return t->task->two_models && t->setup->output_relation
	           ? check_output(t, path, t->setup->output_relation, p->relation_step, err)
	           : 0;
}

int hp_checkpoint_hyper(const char *path, hp_hyper *h, hp_error *err)
{
	char key[64];
	hp_error inner;
	hp_safetensors *st;
	int status = hp_safetensors_open(path, &st, err);

	for (int i = 0; i < hp_hyper_count() && status == 0; i++) {
		snprintf(key, sizeof key, "hyper.%s", hp_hyper_key(i));
		const char *was = hp_safetensors_meta(st, key);
		if (was && hp_hyper_of_task(h->task, i) && hp_hyper_adopt(h, i, was, &inner) != 0)
			status = hp_fail(err, "%s: %s", path, inner.text);
	}
	h->exact = true;
	hp_safetensors_close(st);
	return status;
}

int hp_checkpoint_load(hp_trainer *t, const char *path, hp_error *err)
{
	hp_safetensors *st;
	int status = HP_FAIL;

	if (hp_safetensors_open(path, &st, err) != 0)
		return HP_FAIL;
	if (same_training(t, st, err) == 0 && load_precision(t, st, err) == 0 && load_state(t, st, err) == 0 &&
	    load_blocks(t, st, err) == 0 && check_outputs(t, path, err) == 0)
		status = hp_trainer_order(t, err);
	if (status == 0 && t->progress.batch >= t->current.batches)
		status = hp_fail(err, "%s: batch %d of an epoch of %d", path, t->progress.batch, t->current.batches);
	hp_safetensors_close(st);
	return status;
}
