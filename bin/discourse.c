/* discourse.c: the stages encode, decode and label of a discourse model. */
#include "discourse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rst/dis.h"

/* A batch's numbers, one sentence after another; those of a sentence begin where the counts before it end. */
struct discourse {
	filter_floats layers, x, h, init, logp;
	int32_t *ends, *splits; /* [capacity], [3 × capacity] */
	size_t edus, capacity; /* EDUs of the batch */
	hp_rst_sent sent[FILTER_SENTENCES]; /* ends are set before they are used: the block may have moved */
	bool has_logp[FILTER_SENTENCES];
	/* results, in the filter's arena */
	float *h_out, *init_out, *split_logp, *label_logp, *score;
	int32_t *splits_out, *labels_out;
};

void discourse_free(struct discourse *d)
{
	if (!d)
		return;
	free(d->layers.data);
	free(d->x.data);
	free(d->h.data);
	free(d->init.data);
	free(d->logp.data);
	free(d->ends);
	free(d->splits);
	free(d);
}

/* The numbers of an empty batch. */
static int begin(filter *f, hp_error *err)
{
	struct discourse *d = f->discourse;

	if (!d)
		d = f->discourse = calloc(1, sizeof(*d));
	if (!d)
		return hp_fail_memory(err);
	if (f->batch.count == 0)
		d->x.used = d->h.used = d->init.used = d->logp.used = d->edus = 0;
	return 0;
}

static int reserve(struct discourse *d, size_t edus, hp_error *err)
{
	size_t capacity = 2 * (d->edus + edus);
	int32_t *ends, *splits;

	if (d->edus + edus <= d->capacity)
		return 0;
	ends = realloc(d->ends, capacity * sizeof(*ends));
	if (ends)
		d->ends = ends;
	splits = realloc(d->splits, 3 * capacity * sizeof(*splits));
	if (splits)
		d->splits = splits;
	if (!ends || !splits)
		return hp_fail_memory(err);
	d->capacity = capacity;
	return 0;
}

/* `ends` of the sentence that will be number batch.count. */
static int load_ends(filter *f, const filter_item *item, hp_error *err)
{
	static const int64_t any[] = {-1};
	struct discourse *d = f->discourse;
	const hp_tensor *ends;

	if (filter_need(f, item, "ends", HP_I32, 1, any, "hp-embed", &ends, err) != 0)
		return HP_FAIL;
	if (ends->count < 1 || ends->count > item->n)
		return filter_bad(f, item, err, "`ends` has %lld EDUs, expected 1 to %d", (long long)ends->count, item->n);
	if (reserve(d, (size_t)ends->count, err) != 0)
		return HP_FAIL;
	memcpy(d->ends + d->edus, ends->data, (size_t)ends->count * sizeof(int32_t));
	if (!hp_rst_ends_ok(item->n, (int)ends->count, d->ends + d->edus))
		return filter_bad(f, item, err, "`ends` is not a list of rising positions of words up to the last one, %d",
		                  item->n - 1);
	d->sent[f->batch.count] = (hp_rst_sent){.words = item->n, .edus = (int)ends->count};
	return 0;
}

/* The sentence is complete. */
static void loaded(filter *f)
{
	f->discourse->edus += (size_t)f->discourse->sent[f->batch.count].edus;
}

/* Sets the pointers; returns the number of splits. */
static size_t point(filter *f)
{
	struct discourse *d = f->discourse;
	size_t at = 0;

	for (int i = 0; i < f->batch.count; i++) {
		d->sent[i].ends = d->ends + at;
		at += (size_t)d->sent[i].edus;
	}
	return at - (size_t)f->batch.count;
}

/* Number of the first split of sentence INDEX. */
static size_t first_split(const filter *f, int index)
{
	const struct discourse *d = f->discourse;

	return (size_t)(d->sent[index].ends - d->ends) - (size_t)index;
}

/* Words by dimension ROW of NAME. */
static int count_words(const filter *f, filter_item *item, const char *name, int rank, const char *producer,
                       hp_error *err)
{
	static const int64_t any[] = {-1, -1, -1};
	const hp_tensor *t = hp_safetensors_find(item->record, name);
	bool passes;

	if (filter_passes(f, item, &passes, err) != 0)
		return HP_FAIL;
	if (passes)
		return 0;
	if (filter_need(f, item, name, HP_F32, t != NULL && t->rank == rank ? rank : 2, any, producer, &t, err) != 0)
		return HP_FAIL;
	int64_t words = t->shape[t->rank - 2];
	if (words < 1 || words > FILTER_MAX_WORDS)
		return filter_bad(f, item, err, "`%s` has %lld rows, expected 1 to %d words", name, (long long)words,
		                  FILTER_MAX_WORDS);
	item->n = (int)words;
	return 0;
}

/* ---- encode ---- */

static int encode_check(filter *f, filter_item *item, hp_error *err)
{
	return count_words(f, item, "x", 3, "hp-embed", err);
}

/* x [words × D], or [layers × words × D], which are mixed. */
static int load_x(filter *f, const filter_item *item, hp_error *err)
{
	struct discourse *d = f->discourse;
	const hp_rst_config *c = &f->model->rst_config;
	int layers = c->input == HP_RST_INPUT_STREAM ? c->stream_layers : 1;
	const int64_t shape[] = {layers, item->n, c->input_dim};
	const hp_tensor *x = hp_safetensors_find(item->record, "x");
	bool flat = layers == 1 && x && x->rank != 3;
	size_t need = (size_t)item->n * (size_t)c->input_dim;

	if (filter_need(f, item, "x", HP_F32, flat ? 2 : 3, flat ? shape + 1 : shape, "hp-embed", &x, err) != 0)
		return HP_FAIL;
	if (layers == 1)
		return filter_append(f, item, x, &d->x, err);
	d->layers.used = 0;
	float *mixed = HP_NEW(f->arena, float, need);
	if (!mixed)
		return hp_fail_memory(err);
	if (filter_append(f, item, x, &d->layers, err) != 0)
		return HP_FAIL;
	hp_rst_mix(f->model->rst_net, item->n, d->layers.data, mixed);
	const hp_tensor sum = {.name = "x", .dtype = HP_F32, .count = (int64_t)need, .data = mixed};
	return filter_append(f, item, &sum, &d->x, err);
}

static int encode_load(filter *f, filter_item *item, hp_error *err)
{
	if (item->n == 0)
		return 0;
	if (begin(f, err) != 0 || load_ends(f, item, err) != 0 || load_x(f, item, err) != 0)
		return HP_FAIL;
	loaded(f);
	return 0;
}

static int encode_compute(filter *f, hp_error *err)
{
	struct discourse *d = f->discourse;
	const filter_batch *b = &f->batch;
	const hp_rst_config *c = &f->model->rst_config;

	d->h_out = HP_NEW(f->arena, float, b->rows * (size_t)c->hidden);
	d->init_out = HP_NEW(f->arena, float, (size_t)b->count * (size_t)c->layers * (size_t)c->hidden);
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	return hp_rst_encode(f->model->rst_net, f->pool, f->arena, b->count, b->n, d->x.data, d->h_out, d->init_out, err);
}

static int encode_write(filter *f, filter_item *item, int index, size_t row, hp_error *err)
{
	static const char *const drop[] = {"x", NULL};
	const struct discourse *d = f->discourse;
	const hp_rst_config *c = &f->model->rst_config;
	const int64_t h_shape[] = {item->n, c->hidden}, init_shape[] = {c->layers, c->hidden};
	size_t H = (size_t)c->hidden;

	if (filter_result(f, item, "h", 2, h_shape, d->h_out + row * H, err) != 0 ||
	    filter_result(f, item, "init", 2, init_shape, d->init_out + (size_t)index * (size_t)c->layers * H, err) != 0)
		return HP_FAIL;
	return hp_stream_write_record(f->out, item->record, drop, err);
}

const filter_stage discourse_encode = {"encode",    HP_STAGE_ENCODE, NULL,         encode_check,
                                       encode_load, encode_compute,  encode_write, NULL};

/* ---- trees as text ---- */

/* `text` of the record: EDUs as `ends` has them. */
static int load_text(filter *f, filter_item *item, hp_error *err)
{
	static const int64_t any[] = {-1};
	const struct discourse *d = f->discourse;
	const hp_rst_sent *sent = &d->sent[f->batch.count];
	const hp_tensor *text;
	hp_error inner;

	if (filter_need(f, item, "text", HP_U8, 1, any, "hp-embed", &text, err) != 0)
		return HP_FAIL;
	if (hp_edus_parse(text->data, text->bytes, (hp_edus_source){"text", 1, 1, 0}, f->arena, &item->edus, NULL,
	                  &inner) != 0)
		return filter_bad(f, item, err, "%s", inner.text);
	if (item->edus.edus != sent->edus)
		return filter_bad(f, item, err, "`text` has %d EDUs, `ends` has %d", item->edus.edus, sent->edus);
	if (memcmp(item->edus.ends, d->ends + d->edus, (size_t)sent->edus * sizeof(int32_t)) != 0)
		return filter_bad(f, item, err, "the EDUs of `text` do not have as many words as `ends` says");
	return 0;
}

static void write_scores(float score, const hp_rst_split *split, int n, const float *logp, const float *label_logp)
{
	if (!isnan(score))
		hp_score_write(stdout, score);
	for (int i = 0; i < n; i++) {
		printf("# split %d-%d-%d", split[i].first + 1, split[i].mid + 1, split[i].last + 1);
		if (logp)
			printf(" SplitProb=%.4f", (double)expf(logp[i]));
		if (label_logp)
			printf(" LabelProb=%.4f", (double)expf(label_logp[i]));
		putchar('\n');
	}
}

/* One half of a split: (FIRST:Nucleus=span:LAST */
static void write_half(const hp_rst_binary *b, int split, bool right)
{
	const hp_rst_split *s = &b->split[split];
	hp_rst_nuclearity nuclearity = HP_RST_NN;
	size_t size = 0;

	(void)hp_rst_label_parts(b->label[split], &size, &nuclearity);
	bool satellite = nuclearity == (right ? HP_RST_NS : HP_RST_SN), joint = nuclearity == HP_RST_NN;
	printf("%d:%s=%.*s:%d", (right ? s->mid + 1 : s->first) + 1, satellite ? "Satellite" : "Nucleus",
	       satellite || joint ? (int)size : 4, satellite || joint ? b->label[split] : "span",
	       (right ? s->last : s->mid) + 1);
}

/* As published parsers print a tree: a line, the splits in their order. */
static int write_brackets(const hp_rst_binary *b, hp_error *err)
{
	if (b->edus == 1)
		fputs("NONE", stdout);
	for (int i = 0; i < b->edus - 1; i++) {
		fputs(i > 0 ? " (" : "(", stdout);
		write_half(b, i, false);
		putchar(',');
		write_half(b, i, true);
		putchar(')');
	}
	putchar('\n');
	return ferror(stdout) ? hp_fail(err, "<stdout>: write error: %s", strerror(errno)) : 0;
}

/* The tree of sentence INDEX; LABELS NULL: without relations. */
static int write_tree(filter *f, const filter_item *item, int index, const int32_t *splits, const int32_t *labels,
                      const float *logp, const float *label_logp, hp_error *err)
{
	int n = f->discourse->sent[index].edus - 1;
	hp_rst_split *split = HP_NEW(f->arena, hp_rst_split, n + 1);
	const char **label = HP_NEW(f->arena, const char *, n + 1);
	hp_rst_binary *b;

	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	for (int i = 0; i < n; i++) {
		split[i] = (hp_rst_split){splits[3 * i], splits[3 * i + 1], splits[3 * i + 2]};
		label[i] = labels != NULL ? hp_vocab_at(f->model->labels, labels[i], NULL) : "__NN";
	}
	if (hp_rst_binary_make(item->edus.id, n + 1, item->edus.text, split, label, &b, err) != 0)
		return HP_FAIL;
	if (f->scores && !f->brackets)
		write_scores(item->score, split, n, logp, label_logp);
	int result = f->brackets ? write_brackets(b, err) : hp_dis_write_binary(b, stdout, err);
	hp_rst_binary_destroy(b);
	return result;
}

/* ---- decode ---- */

static int h_check(filter *f, filter_item *item, hp_error *err)
{
	return count_words(f, item, "h", 2, "hp-encode", err);
}

static int load_h(filter *f, const filter_item *item, hp_error *err)
{
	const int64_t shape[] = {item->n, f->model->rst_config.hidden};
	const hp_tensor *h;

	if (filter_need(f, item, "h", HP_F32, 2, shape, "hp-encode", &h, err) != 0)
		return HP_FAIL;
	return filter_append(f, item, h, &f->discourse->h, err);
}

static int decode_load(filter *f, filter_item *item, hp_error *err)
{
	const hp_rst_config *c = &f->model->rst_config;
	const int64_t shape[] = {c->layers, c->hidden};
	const hp_tensor *init;

	if (item->n == 0)
		return 0;
	if (begin(f, err) != 0 || load_ends(f, item, err) != 0 || (f->text && load_text(f, item, err) != 0) ||
	    filter_need(f, item, "init", HP_F32, 2, shape, "hp-encode", &init, err) != 0 || load_h(f, item, err) != 0 ||
	    filter_append(f, item, init, &f->discourse->init, err) != 0)
		return HP_FAIL;
	loaded(f);
	return 0;
}

static int decode_compute(filter *f, hp_error *err)
{
	struct discourse *d = f->discourse;
	size_t splits = point(f);

	d->splits_out = HP_NEW(f->arena, int32_t, 3 * splits + 1);
	d->split_logp = HP_NEW(f->arena, float, splits + 1);
	d->score = HP_NEW(f->arena, float, f->batch.count);
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	return hp_rst_decode(f->model->rst_net, f->pool, f->arena, f->batch.count, d->sent, d->h.data, d->init.data,
	                     f->beam, d->splits_out, d->split_logp, d->score, err);
}

static int decode_write(filter *f, filter_item *item, int index, size_t row, hp_error *err)
{
	const struct discourse *d = f->discourse;
	size_t first = first_split(f, index);
	const int64_t shape[] = {d->sent[index].edus - 1, 3};
	const int32_t *splits = d->splits_out + 3 * first;
	const float *logp = d->split_logp + first;

	(void)row;
	item->score = d->score[index];
	if (filter_check(f, item, "`logp`", (size_t)shape[0], logp, err) != 0 ||
	    filter_check(f, item, "`score`", 1, &item->score, err) != 0)
		return HP_FAIL;
	if (f->text)
		return write_tree(f, item, index, splits, NULL, logp, NULL, err);
	hp_st_writer *w = hp_stream_record(f->out);
	if (hp_st_writer_tensor(w, "logp", HP_F32, 1, shape, logp, err) != 0 ||
	    hp_st_writer_tensor(w, "score", HP_F32, 0, NULL, &item->score, err) != 0 ||
	    hp_st_writer_tensor(w, "splits", HP_I32, 2, shape, splits, err) != 0)
		return HP_FAIL;
	return hp_stream_write_record(f->out, item->record, NULL, err);
}

const filter_stage discourse_decode = {"decode",    HP_STAGE_DECODE, NULL,         h_check,
                                       decode_load, decode_compute,  decode_write, NULL};

/* ---- label ---- */

static int load_splits(filter *f, const filter_item *item, hp_error *err)
{
	struct discourse *d = f->discourse;
	int edus = d->sent[f->batch.count].edus;
	const int64_t shape[] = {edus - 1, 3};
	size_t at = 3 * (d->edus - (size_t)f->batch.count);
	int *scratch = HP_NEW(f->arena, int, edus);
	const hp_tensor *splits, *logp;

	if (!scratch)
		return hp_fail_memory(err);
	if (filter_need(f, item, "splits", HP_I32, 2, shape, "hp-decode", &splits, err) != 0)
		return HP_FAIL;
	if (splits->count > 0)
		memcpy(d->splits + at, splits->data, (size_t)splits->count * sizeof(int32_t));
	if (!hp_rst_splits_ok(edus, d->splits + at, scratch))
		return filter_bad(f, item, err, "`splits` is no binary tree of %d EDUs, top-down and left first", edus);
	if (filter_find(f, item, "logp", HP_F32, 1, shape, &logp, err) != 0)
		return HP_FAIL;
	d->has_logp[f->batch.count] = logp != NULL;
	if (logp)
		return filter_append(f, item, logp, &d->logp, err);
	const float none[1] = {0};
	const hp_tensor zero = {.name = "logp", .dtype = HP_F32, .count = 1, .data = none};
	for (int i = 0; i < edus - 1; i++)
		if (filter_append(f, item, &zero, &d->logp, err) != 0)
			return HP_FAIL;
	return 0;
}

static int label_load(filter *f, filter_item *item, hp_error *err)
{
	if (item->n == 0)
		return 0;
	if (begin(f, err) != 0 || load_ends(f, item, err) != 0 || load_text(f, item, err) != 0 ||
	    load_splits(f, item, err) != 0 || load_h(f, item, err) != 0 || (f->scores && filter_score(f, item, err) != 0))
		return HP_FAIL;
	loaded(f);
	return 0;
}

static int label_compute(filter *f, hp_error *err)
{
	struct discourse *d = f->discourse;
	size_t splits = point(f);

	d->labels_out = HP_NEW(f->arena, int32_t, splits + 1);
	d->label_logp = HP_NEW(f->arena, float, splits + 1);
	if (hp_arena_failed(f->arena))
		return hp_fail_memory(err);
	return hp_rst_label(f->model->rst_net, f->pool, f->arena, f->batch.count, d->sent, d->h.data, d->splits,
	                    d->labels_out, d->label_logp, err);
}

static int label_write(filter *f, filter_item *item, int index, size_t row, hp_error *err)
{
	const struct discourse *d = f->discourse;
	size_t first = first_split(f, index);

	(void)row;
	if (filter_check(f, item, "the log-probability of a label", (size_t)d->sent[index].edus - 1, d->label_logp + first,
	                 err) != 0)
		return HP_FAIL;
	return write_tree(f, item, index, d->splits + 3 * first, d->labels_out + first,
	                  d->has_logp[index] ? d->logp.data + first : NULL, d->label_logp + first, err);
}

const filter_stage discourse_label = {"label",    HP_STAGE_LABEL, NULL,        h_check,
                                      label_load, label_compute,  label_write, NULL};
