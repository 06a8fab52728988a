/* Discourse fixtures: training values, gradients, and parsing; sentence by sentence and batched. */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disc/train.h"
#include "nn/vmath.h"

typedef struct fixture {
	check *c;
	hp_rst_net *net;
	hp_pool *pool;
	hp_arena *arena;
	int count; /* sentences */
	hp_rst_sent *sents;
	float **x; /* [count] [words × D] */
} fixture;

static char *name_of(char *buffer, int sentence, const char *rest)
{
	snprintf(buffer, 64, "%d/%s", sentence, rest);
	return buffer;
}

static int count_sentences(const hp_safetensors *st)
{
	char name[64];
	int n = 0;
	while (hp_safetensors_find(st, name_of(name, n, "in/ends")))
		n++;
	return n;
}

static void read_sentence(fixture *f, int s)
{
	char name[64];
	size_t edus = 0, splits = 0, labels = 0;
	int64_t shape[2] = {-1, hp_rst_net_config(f->net)->input_dim};
	const hp_tensor *x;
	hp_error err;
	hp_rst_sent *q = &f->sents[s];
	q->ends = fixture_ints(f->c, name_of(name, s, "in/ends"), &edus);
	q->splits = fixture_ints(f->c, name_of(name, s, "in/splits"), &splits);
	q->labels = fixture_ints(f->c, name_of(name, s, "in/labels"), &labels);
	q->edus = (int)edus;
	if (hp_safetensors_need(f->c->st, name_of(name, s, "in/x"), 2, shape, &x, &err)) {
		check_fail(f->c, "%s", err.text);
		return;
	}
	q->words = (int)x->shape[0];
	f->x[s] = malloc((size_t)x->count * sizeof(float));
	if (!f->x[s] || hp_tensor_to_float(x, 0, x->count, f->x[s]))
		check_fail(f->c, "x cannot be read");
	int *scratch = malloc((edus + 1) * sizeof *scratch);
	if (splits != 3 * (edus - 1) || labels != edus - 1 || !hp_rst_ends_ok(q->words, q->edus, q->ends) ||
	    !hp_rst_splits_ok(q->edus, q->splits, scratch))
		check_fail(f->c, "sentence %d: not a tree", s);
	free(scratch);
}

/* The batch's rows of x one after another. */
static float *gather(fixture *f, int from, int count)
{
	size_t words = 0, D = (size_t)hp_rst_net_config(f->net)->input_dim, at = 0;
	for (int i = 0; i < count; i++)
		words += (size_t)f->sents[from + i].words;
	float *x = malloc((words * D + 1) * sizeof *x);
	for (int i = 0; i < count; i++) {
		memcpy(x + at, f->x[from + i], (size_t)f->sents[from + i].words * D * sizeof *x);
		at += (size_t)f->sents[from + i].words * D;
	}
	return x;
}

static void check_step(fixture *f, const hp_rst_trace *t, int i, int s, int step)
{
	const hp_rst_config *k = hp_rst_net_config(f->net);
	const hp_rst_plan *p = &t->plan;
	size_t width = (size_t)k->layers * (size_t)k->hidden;
	int r = p->step_at[i] + step, o = p->order_row[r];
	char name[64], rest[40];
	int32_t span[2] = {p->first[r], p->first[r] + p->choices[r]};
	snprintf(rest, sizeof rest, "out/step%d.span", step);
	check_ints(f->c, name_of(name, s, rest), span, 2);
	snprintf(rest, sizeof rest, "out/step%d.D", step);
	check_floats(f->c, name_of(name, s, rest), VALUE, t->state + (size_t)(t->count + o) * width, width);
	snprintf(rest, sizeof rest, "out/step%d.pointer", step);
	check_floats(f->c, name_of(name, s, rest), VALUE,
	             t->scores + t->score_at[i] + (size_t)(step * p->edus[i]) + p->first[r], (size_t)p->choices[r]);
}

/* Every value of one sentence of a batch; S is its number in the fixture, I its place in the sorted batch. */
static void check_values(fixture *f, const hp_rst_trace *t, int i, int s)
{
	char name[64];
	const hp_rst_config *k = hp_rst_net_config(f->net);
	const hp_rst_plan *p = &t->plan;
	size_t H = (size_t)k->hidden, L = (size_t)k->layers, words = (size_t)t->sents[i]->words, edus = (size_t)p->edus[i];
	float *h = malloc(words * H * sizeof *h);
	for (size_t w = 0; w < words; w++) {
		const float *row = t->out[L - 1] + (size_t)(t->packed.offset[w] + i) * 2 * H;
		memcpy(h + w * H, row, H * sizeof *h);
		hp_vec_add(H, row + H, h + w * H);
	}
	check_floats(f->c, name_of(name, s, "out/H"), VALUE, h, words * H);
	check_floats(f->c, name_of(name, s, "out/init"), VALUE, t->state + (size_t)i * L * H, L * H);
	check_floats(f->c, name_of(name, s, "out/e"), VALUE, t->e + (size_t)p->at[i] * H, edus * H);
	for (int step = 0; step < p->steps[i]; step++)
		check_step(f, t, i, s, step);
	char rest[40];
	snprintf(rest, sizeof rest, "out/step%d.D", p->steps[i]);
	if (hp_safetensors_find(f->c->st, name_of(name, s, rest)))
		check_fail(f->c, "%s: a step too few", name);
	if (edus > 1)
		check_floats(f->c, name_of(name, s, "out/label"), VALUE, t->label_y + (size_t)(p->split_at[i] * k->labels),
		             (edus - 1) * (size_t)k->labels);
	free(h);
}

static void check_losses(fixture *f, hp_rst_trace *t, int from)
{
	char name[64];
	hp_rst_loss loss;
	hp_rst_loss_make(t, f->net, f->pool, 1.0f, &loss);
	for (int i = 0; i < t->count; i++) {
		int s = from + t->order[i];
		float structure = (float)t->loss[i], label = (float)t->loss[t->count + i];
		check_floats(f->c, name_of(name, s, "out/loss_structure"), VALUE, &structure, 1);
		check_floats(f->c, name_of(name, s, "out/loss_label"), VALUE, &label, 1);
	}
}

/* Trains in batches of SIZE; the gradients add up to those of all sentences. */
static void check_training(fixture *f, int size)
{
	hp_params *p = hp_rst_params(f->net);
	memset(p->grads, 0, p->total * sizeof(float));
	for (int from = 0; from < f->count; from += size) {
		int count = f->count - from < size ? f->count - from : size;
		float *x = gather(f, from, count);
		hp_rst_trace t;
		hp_rst_loss loss;
		hp_error err;
		if (hp_rst_forward(&t, f->net, f->pool, f->arena, count, f->sents + from, x, NULL)) {
			check_fail(f->c, "out of memory");
		} else {
			for (int i = 0; i < count; i++)
				check_values(f, &t, i, from + t.order[i]);
			check_losses(f, &t, from);
		}
		hp_arena_reset(f->arena);
		if (hp_rst_train(f->net, f->pool, f->arena, count, f->sents + from, x, NULL, NULL, 1.0f, &loss, &err))
			check_fail(f->c, "%s", err.text);
		free(x);
	}
	for (int i = 0; i < p->count; i++) {
		char name[80];
		snprintf(name, sizeof name, "grad/%s", p->item[i].name);
		check_floats(f->c, name, GRADIENT, p->item[i].grad, p->item[i].count);
	}
}

static void check_tree(fixture *f, int s, int beam, const int32_t *splits, const int32_t *labels, float score)
{
	char name[64], rest[40];
	size_t n = (size_t)f->sents[s].edus - 1;
	snprintf(rest, sizeof rest, "out/beam%d.splits", beam);
	check_ints(f->c, name_of(name, s, rest), splits, 3 * n);
	snprintf(rest, sizeof rest, "out/beam%d.labels", beam);
	check_ints(f->c, name_of(name, s, rest), labels, n);
	snprintf(rest, sizeof rest, "out/beam%d.score", beam);
	check_floats(f->c, name_of(name, s, rest), VALUE, &score, 1);
}

/* All three stages for sentences from ... from + count - 1 as one batch. */
static void parse_batch(fixture *f, int from, int count, int beam)
{
	const hp_rst_config *k = hp_rst_net_config(f->net);
	size_t words = 0, splits_total = 0, H = (size_t)k->hidden, L = (size_t)k->layers;
	const hp_rst_sent *sents = f->sents + from;
	int *n = HP_NEW(f->arena, int, (size_t)count);
	for (int i = 0; i < count; i++) {
		words += (size_t)(n[i] = sents[i].words);
		splits_total += (size_t)sents[i].edus - 1;
	}
	float *x = gather(f, from, count), *h = HP_NEW(f->arena, float, words * H);
	float *init = HP_NEW(f->arena, float, (size_t)count * L * H), *score = HP_NEW(f->arena, float, (size_t)count);
	int32_t *splits = HP_NEW(f->arena, int32_t, 3 * splits_total), *labels = HP_NEW(f->arena, int32_t, splits_total);
	hp_error err;
	int status = hp_rst_encode(f->net, f->pool, f->arena, count, n, x, h, init, &err) ||
	             hp_rst_decode(f->net, f->pool, f->arena, count, sents, h, init, beam, splits, NULL, score, &err) ||
	             hp_rst_label(f->net, f->pool, f->arena, count, sents, h, splits, labels, NULL, &err);
	if (status)
		check_fail(f->c, "%s", err.text);
	size_t word = 0, split = 0;
	for (int i = 0; i < count && !status; i++) {
		char name[64];
		check_floats(f->c, name_of(name, from + i, "out/H"), VALUE, h + word * H, (size_t)n[i] * H);
		check_floats(f->c, name_of(name, from + i, "out/init"), VALUE, init + (size_t)i * L * H, L * H);
		check_tree(f, from + i, beam, splits + 3 * split, labels + split, score[i]);
		word += (size_t)n[i];
		split += (size_t)sents[i].edus - 1;
	}
	free(x);
	hp_arena_reset(f->arena);
}

static void check_parsing(fixture *f, int size)
{
	char name[64], rest[40];
	for (int beam = 1; beam <= 64; beam++) { /* the widths that the fixture has */
		snprintf(rest, sizeof rest, "out/beam%d.splits", beam);
		if (!hp_safetensors_find(f->c->st, name_of(name, 0, rest)))
			continue;
		for (int from = 0; from < f->count; from += size)
			parse_batch(f, from, f->count - from < size ? f->count - from : size, beam);
	}
}

static void check_batches(fixture *f)
{
	static const struct {
		int size;
		const char *what;
	} runs[] = {{1, "one by one"}, {2, "two at a time"}, {4, "four at a time"}, {1 << 20, "all at once"}};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		f->c->what = runs[i].what;
		int size = runs[i].size < f->count ? runs[i].size : f->count;
		check_training(f, size);
		check_parsing(f, size);
	}
}

void check_rst(check *c)
{
	hp_error err;
	hp_rst_config config;
	fixture f = {.c = c, .count = count_sentences(c->st)};
	if (hp_rst_config_read(&config, c->st, &err) || hp_rst_net_new(&config, true, &f.net, &err)) {
		check_fail(c, "%s", err.text);
		return;
	}
	f.sents = calloc((size_t)f.count + 1, sizeof *f.sents);
	f.x = calloc((size_t)f.count + 1, sizeof *f.x);
	f.pool = hp_pool_new(2);
	f.arena = hp_arena_new();
	for (int s = 0; s < f.count; s++)
		read_sentence(&f, s);
	if (!f.count)
		check_fail(c, "no sentences");
	if (hp_params_load(hp_rst_params(f.net), c->st, "param/", &err))
		check_fail(c, "%s", err.text);
	if (!c->failures)
		check_batches(&f);
	for (int s = 0; s < f.count; s++)
		free(f.x[s]);
	free(f.x);
	free(f.sents);
	hp_arena_destroy(f.arena);
	hp_pool_destroy(f.pool);
	hp_rst_net_destroy(f.net);
}
