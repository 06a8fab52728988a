/* Dependency fixtures: training values, gradients, and parsing; sentence by sentence and batched. */
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dep/train.h"

typedef struct fixture {
	check *c;
	hp_dep_net *net;
	hp_pool *pool;
	hp_arena *arena;
	int count; /* sentences */
	hp_dep_sent *sents;
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
	while (hp_safetensors_find(st, name_of(name, n, "in/words")))
		n++;
	return n;
}

static void read_sentence(check *c, int s, hp_dep_sent *sent)
{
	size_t n = 0, m;
	char name[64];
	*sent = (hp_dep_sent){0};
	sent->words = fixture_ints(c, name_of(name, s, "in/words"), &n);
	sent->n = (int)n;
	sent->pos = fixture_ints(c, name_of(name, s, "in/pos"), &m);
	sent->chars = fixture_ints(c, name_of(name, s, "in/chars"), &m);
	sent->char_lengths = fixture_ints(c, name_of(name, s, "in/char_lengths"), &m);
	sent->heads = fixture_ints(c, name_of(name, s, "in/heads"), &m);
	sent->labels = fixture_ints(c, name_of(name, s, "in/labels"), &m);
}

/* Every value of one sentence of a batch; S is its number in the fixture, I its place in the sorted batch. */
static void check_values(fixture *f, const hp_dep_trace *t, int i, int s)
{
	char name[64];
	const hp_dep_config *k = hp_dep_net_config(f->net);
	size_t n = (size_t)t->n[i], D = (size_t)hp_dep_input_dim(k), Q = (size_t)k->decoder_hidden, steps = 2 * n - 1;
	float *x = malloc(n * D * sizeof(float)), *d = malloc(steps * 2 * Q * sizeof(float));
	int32_t *order = malloc(steps * 4 * sizeof *order);
	for (size_t p = 0; p < n; p++)
		memcpy(x + p * D, t->x + (size_t)t->packed_row[t->plan.at[i] + (int)p] * D, D * sizeof(float));
	for (size_t r = 0; r < steps; r++) {
		int o = t->plan.order_row[t->plan.step_at[i] + (int)r], at = t->plan.at[i];
		memcpy(d + r * 2 * Q, t->state + ((size_t)t->count + (size_t)o) * 2 * Q, 2 * Q * sizeof(float));
		order[4 * r] = t->plan.head[o] - at;
		order[4 * r + 1] = t->plan.target[t->plan.step_at[i] + (int)r];
		order[4 * r + 2] = t->plan.sibling[o] < 0 ? 0 : t->plan.sibling[o] - at;
		order[4 * r + 3] = t->plan.grandparent[o] - at;
	}
	check_ints(f->c, name_of(name, s, "out/steps"), order, steps * 4);
	check_floats(f->c, name_of(name, s, "out/x"), VALUE, x, n * D);
	check_floats(f->c, name_of(name, s, "out/H"), VALUE, t->h + (size_t)t->plan.at[i] * 2 * (size_t)k->hidden,
	             n * 2 * (size_t)k->hidden);
	check_floats(f->c, name_of(name, s, "out/init"), VALUE, t->state + (size_t)i * 2 * Q, 2 * Q);
	check_floats(f->c, name_of(name, s, "out/D"), VALUE, d, steps * 2 * Q);
	check_floats(f->c, name_of(name, s, "out/pointer"), VALUE, t->scores + t->score_at[i], steps * n);
	check_floats(f->c, name_of(name, s, "out/label"), VALUE,
	             t->label_y + (size_t)(t->plan.at[i] - i) * (size_t)k->labels, (n - 1) * (size_t)k->labels);
	free(x);
	free(d);
	free(order);
}

static void check_losses(fixture *f, hp_dep_trace *t, const int *numbers)
{
	char name[64];
	hp_dep_loss loss;
	hp_dep_loss_make(t, f->net, f->pool, 1.0f, &loss);
	for (int i = 0; i < t->count; i++) {
		int s = numbers[t->order[i]];
		float structure = (float)t->loss[i], label = (float)t->loss[t->count + i];
		check_floats(f->c, name_of(name, s, "out/loss_structure"), VALUE, &structure, 1);
		check_floats(f->c, name_of(name, s, "out/loss_label"), VALUE, &label, 1);
	}
}

/* Trains in batches of SIZE; the gradients add up to those of all sentences. */
static void check_training(fixture *f, int size)
{
	hp_params *p = hp_dep_params(f->net);
	memset(p->grads, 0, p->total * sizeof(float));
	for (int from = 0; from < f->count; from += size) {
		int count = f->count - from < size ? f->count - from : size;
		int *numbers = malloc((size_t)count * sizeof *numbers);
		for (int i = 0; i < count; i++)
			numbers[i] = from + i;
		hp_dep_trace t;
		hp_dep_loss loss;
		hp_error err;
		if (hp_dep_forward(&t, f->net, f->pool, f->arena, count, f->sents + from, NULL, NULL)) {
			check_fail(f->c, "out of memory");
		} else {
			for (int i = 0; i < count; i++)
				check_values(f, &t, i, from + t.order[i]);
			check_losses(f, &t, numbers);
		}
		free(numbers);
		hp_arena_reset(f->arena);
		if (hp_dep_train(f->net, f->pool, f->arena, count, f->sents + from, NULL, NULL, 1.0f, &loss, &err))
			check_fail(f->c, "%s", err.text);
	}
	for (int i = 0; i < p->count; i++) {
		char name[80];
		snprintf(name, sizeof name, "grad/%s", p->item[i].name);
		check_floats(f->c, name, GRADIENT, p->item[i].grad, p->item[i].count);
	}
}

static void check_tree(fixture *f, int s, int beam, int n, const int32_t *heads, const int32_t *labels, float score)
{
	char name[64], rest[40];
	int32_t *l = calloc((size_t)n, sizeof *l);
	memcpy(l + 1, labels + 1, (size_t)(n - 1) * sizeof *l); /* the root's is 0 in the fixtures */
	snprintf(rest, sizeof rest, "out/beam%d.heads", beam);
	check_ints(f->c, name_of(name, s, rest), heads, (size_t)n);
	snprintf(rest, sizeof rest, "out/beam%d.labels", beam);
	check_ints(f->c, name_of(name, s, rest), l, (size_t)n);
	snprintf(rest, sizeof rest, "out/beam%d.score", beam);
	check_floats(f->c, name_of(name, s, rest), VALUE, &score, 1);
	free(l);
}

/* All four stages for sentences from ... from + count - 1 as one batch. */
static void parse_batch(fixture *f, int from, int count, int beam)
{
	const hp_dep_config *k = hp_dep_net_config(f->net);
	size_t R = 0, D = (size_t)hp_dep_input_dim(k), H2 = 2 * (size_t)k->hidden, Q = (size_t)k->decoder_hidden;
	int *n = HP_NEW(f->arena, int, (size_t)count);
	for (int i = 0; i < count; i++)
		R += (size_t)(n[i] = f->sents[from + i].n);
	float *x = HP_NEW(f->arena, float, R * D),
	                  *h = HP_NEW(f->arena, float, R * H2), *d = HP_NEW(f->arena, float, R * Q);
	float *init = HP_NEW(f->arena, float, (size_t)count * 2 * Q), *score = HP_NEW(f->arena, float, (size_t)count);
	int32_t *heads = HP_NEW(f->arena, int32_t, R), *labels = HP_NEW(f->arena, int32_t, R);
	hp_error err;
	if (hp_dep_embed(f->net, f->pool, f->arena, count, f->sents + from, NULL, x, &err) ||
	    hp_dep_encode(f->net, f->pool, f->arena, count, n, x, h, init, &err) ||
	    hp_dep_decode(f->net, f->pool, f->arena, count, n, h, init, beam, heads, d, NULL, score, &err) ||
	    hp_dep_label(f->net, f->pool, f->arena, count, n, h, d, heads, (hp_dep_labels){-1, -1}, labels, NULL, &err)) {
		check_fail(f->c, "%s", err.text);
		return;
	}
	size_t at = 0;
	for (int i = 0; i < count; i++) {
		char name[64];
		check_floats(f->c, name_of(name, from + i, "out/x"), VALUE, x + at * D, (size_t)n[i] * D);
		check_floats(f->c, name_of(name, from + i, "out/H"), VALUE, h + at * H2, (size_t)n[i] * H2);
		check_floats(f->c, name_of(name, from + i, "out/init"), VALUE, init + (size_t)i * 2 * Q, 2 * Q);
		check_tree(f, from + i, beam, n[i], heads + at, labels + at, score[i]);
		at += (size_t)n[i];
	}
	hp_arena_reset(f->arena);
}

static void check_parsing(fixture *f, int size)
{
	hp_error err;
	char name[64], rest[40];
	if (hp_dep_prepare(f->net, HP_STAGE_ALL, &err)) {
		check_fail(f->c, "%s", err.text);
		return;
	}
	for (int beam = 1; beam <= 64; beam++) { /* the widths that the fixture has */
		snprintf(rest, sizeof rest, "out/beam%d.heads", beam);
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

void check_dep(check *c)
{
	hp_error err;
	hp_dep_config config;
	fixture f = {.c = c, .count = count_sentences(c->st)};
	if (hp_dep_config_read(&config, c->st, &err) || hp_dep_net_new(&config, true, &f.net, &err)) {
		check_fail(c, "%s", err.text);
		return;
	}
	f.sents = calloc((size_t)f.count + 1, sizeof *f.sents);
	f.pool = hp_pool_new(2);
	f.arena = hp_arena_new();
	for (int s = 0; s < f.count; s++)
		read_sentence(c, s, &f.sents[s]);
	if (!f.count)
		check_fail(c, "no sentences");
	if (hp_params_load(hp_dep_params(f.net), c->st, "param/", &err))
		check_fail(c, "%s", err.text);
	if (!c->failures)
		check_batches(&f);
	free(f.sents);
	hp_arena_destroy(f.arena);
	hp_pool_destroy(f.pool);
	hp_dep_net_destroy(f.net);
}
