/* conformance_net.c: a fixture's training values, gradients, and parses; sentence by sentence and batched. */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/digits.h"
#include "nn/vmath.h"
#include "pointer/splits.h"
#include "pointer/train.h"

typedef struct fixture {
	check *c;
	hp_net *net;
	hp_pool *pool;
	hp_arena *arena;
	bool dep;
	int count; /* sentences */
	hp_sample *sample;
	hp_tokens *tokens; /* dep */
	float **x; /* rst: [count] [rows × D] */
} fixture;

static const char *name_of(int sentence, const char *format, int number)
{
	static char name[80];
	int n = snprintf(name, sizeof name, "%d/", sentence);
	snprintf(name + n, sizeof name - (size_t)n, format, number);
	return name;
}

static bool has(const fixture *f, int sentence, const char *format, int number)
{
	return hp_safetensors_find(f->c->st, name_of(sentence, format, number));
}

static void floats(fixture *f, int s, const char *name, const float *got, size_t count)
{
	check_floats(f->c, name_of(s, name, 0), VALUE, got, count);
}

/* ---- reading ---- */

static const int32_t *ints(fixture *f, int s, const char *name, size_t *count)
{
	return fixture_ints(f->c, name_of(s, name, 0), count);
}

static void read_dep(fixture *f, int s)
{
	size_t n = 0, m;
	hp_tokens *t = &f->tokens[s];
	t->words = ints(f, s, "in/words", &n);
	t->n = (int)n;
	t->pos = ints(f, s, "in/pos", &m);
	t->chars = ints(f, s, "in/chars", &m);
	t->char_lengths = ints(f, s, "in/char_lengths", &m);
	f->sample[s] = (hp_sample){.rows = t->n, .units = t->n, .tree = ints(f, s, "in/heads", &m)};
	f->sample[s].labels = ints(f, s, "in/labels", &m);
}

static void read_rst(fixture *f, int s)
{
	size_t edus = 0, splits = 0, labels = 0;
	int64_t shape[2] = {-1, (int64_t)f->net->s.D};
	const hp_tensor *x;
	hp_error err;
	hp_sample *q = &f->sample[s];
	q->ends = ints(f, s, "in/ends", &edus);
	q->tree = ints(f, s, "in/splits", &splits);
	q->labels = ints(f, s, "in/labels", &labels);
	q->units = (int)edus;
	if (hp_safetensors_need(f->c->st, name_of(s, "in/x", 0), 2, shape, &x, &err)) {
		check_fail(f->c, "%s", err.text);
		return;
	}
	q->rows = (int)x->shape[0];
	f->x[s] = malloc((size_t)x->count * sizeof(float));
	if (!f->x[s] || hp_tensor_to_float(x, 0, x->count, f->x[s]))
		check_fail(f->c, "x cannot be read");
	int *scratch = malloc((edus + 1) * sizeof *scratch);
	if (splits != 3 * (edus - 1) || labels != edus - 1 || !hp_ends_ok(q->rows, q->units, q->ends) ||
	    !hp_splits_ok(q->units, q->tree, scratch))
		check_fail(f->c, "sentence %d is no binary tree over its EDUs", s);
	free(scratch);
}

/* Sentences FROM ... as input; x of discourse sentences one after another, in the arena. */
static hp_sentences input_of(fixture *f, int from, int count)
{
	hp_sentences in = {.count = count, .sample = f->sample + from};
	size_t D = f->net->s.D, rows = 0, at = 0;
	if (f->dep) {
		in.tokens = f->tokens + from;
		return in;
	}
	for (int i = 0; i < count; i++)
		rows += (size_t)in.sample[i].rows;
	float *x = HP_NEW(f->arena, float, rows * D);
	for (int i = 0; i < count; i++) {
		memcpy(x + at, f->x[from + i], (size_t)in.sample[i].rows * D * sizeof *x);
		at += (size_t)in.sample[i].rows * D;
	}
	in.x = x;
	return in;
}

/* ---- training ---- */

/* Packed rows of one sentence, which is I in the batch, one after another. */
static float *unpacked(fixture *f, const hp_trace *t, int i, hp_matrix packed)
{
	size_t rows = (size_t)t->batch.sample[i]->rows, width = (size_t)packed.cols;
	float *out = HP_NEW(f->arena, float, rows * width);
	for (size_t r = 0; r < rows; r++)
		memcpy(out + r * width, hp_row(packed, t->batch.packed.offset[r] + i), width * sizeof *out);
	return out;
}

/* I is the sentence's place in the sorted batch, S its number in the fixture. */
static void check_dep_steps(fixture *f, const hp_trace *t, int i, int s)
{
	const hp_levels *p = &t->batch.levels;
	size_t width = t->net->s.P * t->net->s.Q, steps = (size_t)p->steps[i];
	float *d = HP_NEW(f->arena, float, steps * width);
	int32_t *order = HP_NEW(f->arena, int32_t, steps * 4);
	for (size_t k = 0; k < steps; k++) {
		int r = p->step_at[i] + (int)k, o = p->order_row[r], at = p->at[i];
		memcpy(d + k * width, hp_row(t->decode.state, t->batch.count + o), width * sizeof *d);
		order[4 * k] = p->input[0][o] - at;
		order[4 * k + 1] = p->target[r];
		order[4 * k + 2] = p->input[1][o] < 0 ? 0 : p->input[1][o] - at;
		order[4 * k + 3] = p->input[2][o] - at;
	}
	check_ints(f->c, name_of(s, "out/steps", 0), order, steps * 4);
	floats(f, s, "out/D", d, steps * width);
	floats(f, s, "out/x", unpacked(f, t, i, t->embed.x), (size_t)p->units[i] * t->net->s.D);
	floats(f, s, "out/H", hp_row(t->encode.unit, p->at[i]), (size_t)p->units[i] * t->net->s.W);
	floats(f, s, "out/pointer", t->point.scores + t->point.score_at[i], steps * (size_t)p->units[i]);
}

static void check_rst_steps(fixture *f, const hp_trace *t, int i, int s)
{
	const hp_levels *p = &t->batch.levels;
	size_t width = t->net->s.P * t->net->s.Q, H = t->net->s.H, rows = (size_t)t->batch.sample[i]->rows;
	float *both = unpacked(f, t, i, t->encode.words.out), *h = HP_NEW(f->arena, float, rows * H);
	for (size_t w = 0; w < rows; w++) {
		memcpy(h + w * H, both + w * 2 * H, H * sizeof *h);
		hp_vec_add(H, both + w * 2 * H + H, h + w * H);
	}
	floats(f, s, "out/H", h, rows * H);
	floats(f, s, "out/e", hp_row(t->encode.unit, p->at[i]), (size_t)p->units[i] * H);
	for (int k = 0; k < p->steps[i]; k++) {
		int r = p->step_at[i] + k, o = p->order_row[r];
		int32_t span[2] = {p->first[r], p->first[r] + p->choices[r]};
		check_ints(f->c, name_of(s, "out/step%d.span", k), span, 2);
		check_floats(f->c, name_of(s, "out/step%d.D", k), VALUE, hp_row(t->decode.state, t->batch.count + o), width);
		check_floats(f->c, name_of(s, "out/step%d.pointer", k), VALUE,
		             t->point.scores + t->point.score_at[i] + (size_t)(k * p->units[i] + p->first[r]),
		             (size_t)p->choices[r]);
	}
	if (has(f, s, "out/step%d.D", p->steps[i]))
		check_fail(f->c, "sentence %d: a step too few", s);
}

/* Every value of one sentence of a batch. */
static void check_values(fixture *f, const hp_trace *t, int i, int s)
{
	const hp_levels *p = &t->batch.levels;
	size_t width = t->net->s.P * t->net->s.Q, K = (size_t)t->net->c.labels;
	(f->dep ? check_dep_steps : check_rst_steps)(f, t, i, s);
	floats(f, s, "out/init", hp_row(t->decode.state, i), width);
	if (p->units[i] > 1)
		floats(f, s, "out/label", hp_row(t->label.y, p->pair_at[i]), (size_t)(p->units[i] - 1) * K);
}

static void check_losses(fixture *f, hp_trace *t, int from)
{
	hp_loss loss;
	hp_losses(t, 1.0f, &loss);
	for (int i = 0; i < t->batch.count; i++) {
		int s = from + t->batch.order[i];
		float structure = (float)t->loss[i], label = (float)t->loss[t->batch.count + i];
		floats(f, s, "out/loss_structure", &structure, 1);
		floats(f, s, "out/loss_label", &label, 1);
	}
}

/* Trains in batches of SIZE; the gradients add up to those of all sentences. */
static void check_training(fixture *f, int size)
{
	hp_params *p = &f->net->params;
	memset(p->grads, 0, p->total * sizeof(float));
	for (int from = 0; from < f->count; from += size) {
		hp_sentences in = input_of(f, from, f->count - from < size ? f->count - from : size);
		hp_trace t = {.net = f->net, .pool = f->pool, .arena = f->arena};
		hp_loss loss;
		hp_error err;
		if (hp_forward(&t, &in, NULL)) {
			check_fail(f->c, "out of memory");
		} else {
			for (int i = 0; i < in.count; i++)
				check_values(f, &t, i, from + t.batch.order[i]);
			check_losses(f, &t, from);
		}
		if (hp_train(f->net, f->pool, f->arena, &in, NULL, 1.0f, &loss, &err))
			check_fail(f->c, "%s", err.text);
		hp_arena_reset(f->arena);
	}
	for (int i = 0; i < p->count; i++) {
		char name[80];
		snprintf(name, sizeof name, "grad/%s", p->item[i].name);
		check_floats(f->c, name, GRADIENT, p->item[i].grad, p->item[i].count);
	}
}

/* ---- parsing ---- */

static void check_tree(fixture *f, int s, int beam, const int32_t *tree, int32_t *labels, float score)
{
	size_t results = (size_t)(f->sample[s].units - 1 + f->net->grammar->root);
	if (f->dep)
		labels[0] = 0; /* the root's, in the fixtures */
	check_ints(f->c, name_of(s, f->dep ? "out/beam%d.heads" : "out/beam%d.splits", beam), tree,
	           f->dep ? results : 3 * results);
	check_ints(f->c, name_of(s, "out/beam%d.labels", beam), labels, results);
	check_floats(f->c, name_of(s, "out/beam%d.score", beam), VALUE, &score, 1);
}

/* All stages for sentences FROM ... as one batch. */
static void parse_batch(fixture *f, int from, int count, int beam)
{
	const hp_shape *k = &f->net->s;
	const hp_parsing how = {.net = f->net, .special = {-1, -1, NULL}, .beam = beam, .pool = f->pool};
	hp_sentences in = input_of(f, from, count);
	size_t rows = 0, results = 0, N = (size_t)count, row = 0, at = 0;
	for (int i = 0; i < count; i++) {
		rows += (size_t)in.sample[i].rows;
		results += (size_t)(in.sample[i].units - 1 + f->net->grammar->root);
	}
	float *x = HP_NEW(f->arena, float, rows * k->D), *h = HP_NEW(f->arena, float, rows * k->W);
	float *init = HP_NEW(f->arena, float, N * k->P * k->Q);
	int32_t *labels = HP_NEW(f->arena, int32_t, results);
	hp_trees out = {.tree = HP_NEW(f->arena, int32_t, 3 * results),
	                               .score = HP_NEW(f->arena, float, N),
	                                               .d = f->dep ? HP_NEW(f->arena, float, rows * k->Q) : NULL};
	hp_error err;
	if ((f->dep && hp_embed(&how, f->arena, &in, x, &err)) ||
	    hp_encode(&how, f->arena, &in, f->dep ? x : in.x, h, init, &err) ||
	    hp_decode(&how, f->arena, &in, h, init, &out, &err) ||
	    hp_label(&how, f->arena, &in, h, &out, labels, NULL, &err)) {
		check_fail(f->c, "%s", err.text);
		return;
	}
	for (int i = 0; i < count; i++) {
		size_t n = (size_t)in.sample[i].rows;
		if (f->dep)
			floats(f, from + i, "out/x", x + row * k->D, n * k->D);
		floats(f, from + i, "out/H", h + row * k->W, n * k->W);
		floats(f, from + i, "out/init", init + (size_t)i * k->P * k->Q, k->P * k->Q);
		check_tree(f, from + i, beam, out.tree + (f->dep ? at : 3 * at), labels + at, out.score[i]);
		row += n;
		at += (size_t)(in.sample[i].units - 1 + f->net->grammar->root);
	}
	hp_arena_reset(f->arena);
}

static void check_parsing(fixture *f, int size)
{
	hp_error err;
	if (hp_net_prepare(f->net, HP_STAGE_ALL, &err) || hp_params_split(&f->net->params, &err)) {
		check_fail(f->c, "%s", err.text);
		return;
	}
	for (int beam = 1; beam <= 64; beam++) { /* the widths that the fixture has */
		if (!has(f, 0, "out/beam%d.labels", beam))
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

void check_net(check *c, hp_task task)
{
	hp_error err;
	hp_net_config config;
	fixture f = {.c = c, .dep = task == HP_TASK_DEP};
	if (hp_config_read(&config, task, c->st, &err) || hp_net_new(&config, true, &f.net, &err)) {
		check_fail(c, "%s", err.text);
		return;
	}
	while (has(&f, f.count, "in/labels", 0))
		f.count++;
	size_t room = (size_t)f.count + 1;
	f.sample = calloc(room, sizeof *f.sample);
	f.tokens = calloc(room, sizeof *f.tokens);
	f.x = calloc(room, sizeof *f.x);
	f.pool = hp_pool_new(2);
	f.arena = hp_arena_new();
	for (int s = 0; s < f.count; s++)
		(f.dep ? read_dep : read_rst)(&f, s);
	if (!f.count)
		check_fail(c, "no sentences");
	if (hp_params_load(&f.net->params, c->st, "param/", &err))
		check_fail(c, "%s", err.text);
	if (!c->failures)
		check_batches(&f);
	for (int s = 0; s < f.count; s++)
		free(f.x[s]);
	free(f.x);
	free(f.tokens);
	free(f.sample);
	hp_arena_destroy(f.arena);
	hp_pool_destroy(f.pool);
	hp_net_destroy(f.net);
}
