/* net.c: the tagger's parameters, their sizes, what they begin with. */
#include "tag/net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes ---- */

static const struct size {
	const char *name;
	size_t at;
	int least, most;
} sizes[] = {
#define SIZE(field, least, most) offsetof(hp_tag_config, field), least, most
	{"words", SIZE(embedding.words, 2, 100000000)},
	{"word_dim", SIZE(embedding.word_dim, 1, 10000)},
	{"chars", SIZE(embedding.chars, 2, 2000000)},
	{"char_dim", SIZE(embedding.char_dim, 1, 10000)},
	{"char_filters", SIZE(embedding.char_filters, 1, 10000)},
	{"char_window", SIZE(embedding.char_window, 1, 64)},
	{"hidden", SIZE(hidden, 1, 10000)},
	{"layers", SIZE(layers, 1, 20)},
	{"upos", SIZE(values[0], 0, 1000000)},
	{"xpos", SIZE(values[1], 0, 1000000)},
	{"feats", SIZE(values[2], 0, 1000000)},
	{"scripts", SIZE(values[3], 0, 1000000)},
#undef SIZE
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int *place_of(hp_tag_config *c, const struct size *s)
{
	return (int *)((char *)c + s->at);
}

int hp_tag_outputs(const hp_tag_config *c)
{
	int sum = 0;
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		sum += c->values[k];
	return sum;
}

int hp_tag_config_check(const hp_tag_config *c, const char *name, hp_error *err)
{
	hp_tag_config copy = *c;
	for (int i = 0; i < SIZES; i++) {
		int value = *place_of(&copy, &sizes[i]);
		if (value < sizes[i].least || value > sizes[i].most)
			return hp_fail(err, "%s: %s is %d: expected %d to %d", name, sizes[i].name, value, sizes[i].least,
			               sizes[i].most);
	}
	return hp_tag_outputs(c) > 0 ? 0 : hp_fail(err, "%s: no column with anything to learn", name);
}

int hp_tag_config_read(hp_tag_config *c, const hp_safetensors *st, hp_error *err)
{
	*c = (hp_tag_config){0};
	for (int i = 0; i < SIZES; i++) {
		const char *text = hp_safetensors_meta(st, sizes[i].name);
		char *end;
		errno = 0;
		long value = text ? strtol(text, &end, 10) : 0;
		if (!text || *text < '0' || *text > '9' || *end || errno || value > 1000000000)
			return hp_fail(err, "%s: metadata `%s` is %s: expected a whole number", hp_safetensors_name(st),
			               sizes[i].name, text ? text : "absent");
		*place_of(c, &sizes[i]) = (int)value;
	}
	return hp_tag_config_check(c, hp_safetensors_name(st), err);
}

int hp_tag_config_write(const hp_tag_config *c, hp_tag_put *put, void *arg, hp_error *err)
{
	hp_tag_config copy = *c;
	for (int i = 0; i < SIZES; i++) {
		char text[16];
		snprintf(text, sizeof text, "%d", *place_of(&copy, &sizes[i]));
		if (put(arg, sizes[i].name, text, err))
			return HP_FAIL;
	}
	return 0;
}

/* ---- parameters ---- */

enum { NAME = 40 };

static const char *cell_name(char name[NAME], int layer, int direction)
{
	snprintf(name, NAME, "encoder.%d.%s", layer, direction ? "bwd" : "fwd");
	return name;
}

static int declare(hp_tag_net *net, bool words, hp_error *err)
{
	const hp_tag_config *c = &net->c;
	hp_params *p = &net->params;
	char name[NAME];
	if (hp_embedding_declare(p, &c->embedding, words, err))
		return HP_FAIL;
	for (int l = 0; l < c->layers; l++)
		for (int d = 0; d < 2; d++)
			if (hp_cell_declare(p, err, HP_LSTM, cell_name(name, l, d), c->hidden,
			                    l ? 2 * c->hidden : hp_embedding_dim(&c->embedding)))
				return HP_FAIL;
	return hp_params_declare_affine(p, err, "output", hp_tag_outputs(c), 2 * c->hidden);
}

static void bind(hp_tag_net *net)
{
	char name[NAME];
	hp_embedding_bind(&net->embedding, &net->c.embedding, &net->params);
	for (int l = 0; l < net->c.layers; l++)
		for (int d = 0; d < 2; d++)
			net->encoder[l][d] = hp_cell_find(&net->params, HP_LSTM, cell_name(name, l, d));
	net->output = hp_params_find_affine(&net->params, "output");
}

/* WORDS: with a table of words of its own. */
static hp_tag_net *make(const hp_tag_config *c, bool words, hp_error *err)
{
	hp_tag_net *net = calloc(1, sizeof *net);
	if (net)
		net->encoder = calloc((size_t)c->layers, sizeof *net->encoder);
	if (!net || !net->encoder) {
		free(net);
		hp_fail_memory(err);
		return NULL;
	}
	net->c = *c;
	if (declare(net, words, err)) {
		hp_tag_net_destroy(net);
		return NULL;
	}
	bind(net);
	return net;
}

int hp_tag_net_new(const hp_tag_config *c, hp_tag_net **out, hp_error *err)
{
	hp_tag_net *net = hp_tag_config_check(c, "tagger", err) ? NULL : make(c, true, err);
	if (net && hp_params_alloc(&net->params, true, err)) {
		hp_tag_net_destroy(net);
		net = NULL;
	}
	*out = net;
	return net ? 0 : HP_FAIL;
}

int hp_tag_net_open(const hp_tag_config *c, const hp_safetensors *st, hp_tag_net **out, hp_error *err)
{
	hp_tag_net *net = make(c, false, err);
	*out = NULL;
	if (!net)
		return HP_FAIL;
	if (hp_params_open(&net->params, st, "", err) || hp_embedding_open(&net->embedding, st, "", err) ||
	    hp_tag_net_prepare(net, err)) {
		hp_tag_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

int hp_tag_net_prepare(hp_tag_net *net, hp_error *err)
{
	return hp_embedding_prepare(&net->embedding, err);
}

void hp_tag_net_destroy(hp_tag_net *net)
{
	if (!net)
		return;
	hp_embedding_free(&net->embedding);
	hp_params_free(&net->params);
	free(net->encoder);
	free(net);
}

/* Matrices uniform, those of cells gate by gate; biases zero, but forget gates open (Jozefowicz et al. 2015). */
void hp_tag_net_init(hp_tag_net *net, uint64_t seed)
{
	for (int i = 0; i < net->params.count; i++) {
		hp_param *p = &net->params.item[i];
		bool cell = !strncmp(p->name, "encoder.", 8);
		hp_rng rng;
		hp_rng_seed(&rng, seed, (uint64_t)i);
		memset(p->value, 0, p->count * sizeof(float));
		if (!strncmp(p->name, "embed.", 6))
			hp_embedding_init(p, &rng);
		else if (p->rank > 1)
			hp_param_init_uniform(p, &rng, cell ? p->shape[0] / 4 : p->shape[0]);
		for (int j = p->shape[0] / 4; cell && p->rank == 1 && j < p->shape[0] / 2; j++)
			p->value[j] = 1.0f;
	}
}
