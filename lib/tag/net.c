/* net.c: the parameters of taggers and segmenters, their sizes, what they begin with. */
#include "tag/net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text/clues.h"

/* ---- sizes ---- */

enum { TAG = 1 << HP_TASK_TAG, SEGMENT = 1 << HP_TASK_SEGMENT, BOTH = TAG | SEGMENT };

#define MEMBERS "members" /* absent where there is but one */
#define OWN "own_embeddings" /* absent where it is 0 */

static const struct size {
	int tasks; /* bits */
	const char *name;
	size_t at;
	int least, most;
} sizes[] = {
#define SIZE(field, least, most) offsetof(hp_tag_config, field), least, most
	{BOTH, "words", SIZE(embedding.words, 2, 100000000)},
	{BOTH, "word_dim", SIZE(embedding.word_dim, 1, 10000)},
	{BOTH, "chars", SIZE(embedding.chars, 2, 2000000)},
	{BOTH, "char_dim", SIZE(embedding.char_dim, 1, 10000)},
	{BOTH, "char_filters", SIZE(embedding.char_filters, 1, 10000)},
	{BOTH, "char_window", SIZE(embedding.char_window, 1, 64)},
	{BOTH, MEMBERS, SIZE(members, 2, HP_MOST_MEMBERS)},
	{BOTH, OWN, SIZE(own_embeddings, 1, 1)},
	{BOTH, "hidden", SIZE(hidden, 1, 10000)},
	{BOTH, "layers", SIZE(layers, 1, 20)},
	{TAG, "upos", SIZE(values[0], 0, 1000000)},
	{TAG, "xpos", SIZE(values[1], 0, 1000000)},
	{TAG, "feats", SIZE(values[2], 0, 1000000)},
	{TAG, "scripts", SIZE(values[3], 0, 1000000)},
	{SEGMENT, "marks", SIZE(values[0], 2, 2)},
	{SEGMENT, "tags", SIZE(embedding.tags, 2, 1000000)},
	{SEGMENT, "pos_dim", SIZE(embedding.pos_dim, 1, 10000)},
	{SEGMENT, "tags_each", SIZE(embedding.tags_each, HP_TAG_CLUES, HP_CLUES)},
#undef SIZE
};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* NULL: not one of the task's, or there is none. */
static int *place_of(hp_tag_config *c, const struct size *s)
{
	if (!(s->tasks >> c->task & 1) || (!strcmp(s->name, MEMBERS) && !c->members) ||
	    (!strcmp(s->name, OWN) && !c->own_embeddings))
		return NULL;
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
		const int *at = place_of(&copy, &sizes[i]);
		int value = at ? *at : sizes[i].least;
		if (value < sizes[i].least || value > sizes[i].most)
			return hp_fail_range(err, name, sizes[i].name, value, sizes[i].least, sizes[i].most);
	}
	if (c->embedding.tags_each && c->embedding.tags_each != HP_TAG_CLUES && c->embedding.tags_each != HP_CLUES)
		return hp_fail(err, "%s: tags_each is %d: expected %d or %d", name, c->embedding.tags_each, HP_TAG_CLUES,
		               HP_CLUES);
	if (c->own_embeddings && !c->members)
		return hp_fail(err, "%s: own_embeddings is 1: expected several members", name);
	return hp_tag_outputs(c) > 0 ? 0 : hp_fail(err, "%s: no column with anything to learn", name);
}

int hp_tag_config_read(hp_tag_config *c, hp_task task, const hp_safetensors *st, hp_error *err)
{
	*c = (hp_tag_config){.task = task,
	                     .members = hp_safetensors_meta(st, MEMBERS) != NULL,
	                     .own_embeddings = hp_safetensors_meta(st, OWN) != NULL};
	for (int i = 0; i < SIZES; i++) {
		int *at = place_of(c, &sizes[i]);
		if (!at)
			continue;
		const char *text = hp_safetensors_meta(st, sizes[i].name);
		char *end;
		errno = 0;
		long value = text ? strtol(text, &end, 10) : 0;
		if (!text || *text < '0' || *text > '9' || *end || errno || value > 1000000000)
			return hp_fail(err, "%s: metadata `%s` is %s: expected a whole number", hp_safetensors_name(st),
			               sizes[i].name, text ? text : "absent");
		if (value == 0 && sizes[i].least > 0) /* of members, too, which 0 would say there are none of */
			return hp_fail_range(err, hp_safetensors_name(st), sizes[i].name, 0, sizes[i].least, sizes[i].most);
		*at = (int)value;
	}
	return hp_tag_config_check(c, hp_safetensors_name(st), err);
}

int hp_tag_config_write(const hp_tag_config *c, hp_tag_put *put, void *arg, hp_error *err)
{
	hp_tag_config copy = *c;
	for (int i = 0; i < SIZES; i++) {
		const int *at = place_of(&copy, &sizes[i]);
		char text[16];
		snprintf(text, sizeof text, "%d", at ? *at : 0);
		if (at && put(arg, sizes[i].name, text, err))
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

static int declare_member(hp_params *p, const hp_tag_config *c, bool words, hp_error *err)
{
	char name[NAME];
	if (c->own_embeddings && hp_embedding_declare(p, &c->embedding, words, err))
		return HP_FAIL;
	for (int l = 0; l < c->layers; l++)
		for (int d = 0; d < 2; d++)
			if (hp_cell_declare(p, err, HP_LSTM, cell_name(name, l, d), c->hidden,
			                    l ? 2 * c->hidden : hp_embedding_dim(&c->embedding)))
				return HP_FAIL;
	return hp_params_declare_affine(p, err, "output", hp_tag_outputs(c), 2 * c->hidden);
}

static int declare(hp_tag_net *net, bool words, hp_error *err)
{
	int status = net->c.own_embeddings ? 0 : hp_embedding_declare(&net->params, &net->c.embedding, words, err);
	for (int m = 0; m < net->members && !status; m++) {
		hp_params_of_member(&net->params, m);
		status = declare_member(&net->params, &net->c, words, err);
	}
	hp_params_of_member(&net->params, 0);
	return status;
}

static void bind(hp_tag_net *net)
{
	hp_params names = net->params; /* the same parameters, under each member's prefix */
	char name[NAME];
	for (int m = 0; m < net->members; m++) {
		hp_params_of_member(&names, m);
		hp_embedding_bind(&net->member[m].embedding, &net->c.embedding, net->c.own_embeddings ? &names : &net->params);
		for (int l = 0; l < net->c.layers; l++)
			for (int d = 0; d < 2; d++)
				net->member[m].encoder[l][d] = hp_cell_find(&names, HP_LSTM, cell_name(name, l, d));
		net->member[m].output = hp_params_find_affine(&names, "output");
	}
}

static int make_members(hp_tag_net *net)
{
	net->members = hp_members(net->c.members);
	net->member = calloc((size_t)net->members, sizeof *net->member);
	for (int m = 0; net->member && m < net->members; m++)
		if (!(net->member[m].encoder = calloc((size_t)net->c.layers, sizeof *net->member[m].encoder)))
			return HP_FAIL;
	return net->member ? 0 : HP_FAIL;
}

/* WORDS: with a table of words of its own. */
static hp_tag_net *make(const hp_tag_config *c, bool words, hp_error *err)
{
	hp_tag_net *net = calloc(1, sizeof *net);
	if (net)
		net->c = *c;
	if (!net || make_members(net) ? hp_fail_memory(err) : declare(net, words, err)) {
		hp_tag_net_destroy(net);
		return NULL;
	}
	bind(net);
	return net;
}

int hp_tag_net_new(const hp_tag_config *c, hp_tag_net **out, hp_error *err)
{
	hp_tag_net *net = hp_tag_config_check(c, "network", err) ? NULL : make(c, true, err);
	if (net && hp_params_alloc(&net->params, true, err)) {
		hp_tag_net_destroy(net);
		net = NULL;
	}
	*out = net;
	return net ? 0 : HP_FAIL;
}

/* The file may have those of no other network. */
static int check_tensors(const hp_tag_config *c, const hp_safetensors *st, hp_error *err)
{
	hp_tag_net *whole = make(c, true, err);
	int status = whole ? hp_params_only(&whole->params, st, "", err) : HP_FAIL;
	hp_tag_net_destroy(whole);
	return status;
}

static int open_embeddings(hp_tag_net *net, const hp_safetensors *st, hp_error *err)
{
	hp_params names = net->params;
	for (int m = 0; m < hp_tag_net_embeddings(net); m++) {
		hp_params_of_member(&names, m);
		if (hp_embedding_open(&net->member[m].embedding, st, names.prefix, err))
			return HP_FAIL;
	}
	return 0;
}

int hp_tag_net_open(const hp_tag_config *c, const hp_safetensors *st, hp_tag_net **out, hp_error *err)
{
	hp_tag_net *net = make(c, false, err);
	*out = NULL;
	if (!net)
		return HP_FAIL;
	if (hp_params_open(&net->params, st, "", err) || open_embeddings(net, st, err) || check_tensors(c, st, err) ||
	    hp_tag_net_prepare(net, err)) {
		hp_tag_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

int hp_tag_net_prepare(hp_tag_net *net, hp_error *err)
{
	for (int m = 0; m < hp_tag_net_embeddings(net); m++)
		if (hp_embedding_prepare(&net->member[m].embedding, err))
			return HP_FAIL;
	return 0;
}

int hp_tag_net_embeddings(const hp_tag_net *net)
{
	return net->c.own_embeddings ? net->members : 1;
}

void hp_tag_net_destroy(hp_tag_net *net)
{
	if (!net)
		return;
	hp_params_free(&net->params);
	hp_member_arenas_free(&net->arenas);
	for (int m = 0; net->member && m < net->members; m++) {
		hp_embedding_free(&net->member[m].embedding);
		free(net->member[m].encoder);
	}
	free(net->member);
	free(net);
}

/* Matrices uniform, those of cells gate by gate; biases zero, but forget gates open (Jozefowicz et al. 2015). */
void hp_tag_net_init(hp_tag_net *net, uint64_t seed)
{
	for (int i = 0; i < net->params.count; i++) {
		hp_param *p = &net->params.item[i];
		bool cell = !strncmp(hp_param_role(p), "encoder.", 8);
		hp_rng rng;
		hp_rng_seed(&rng, seed, (uint64_t)i);
		memset(p->value, 0, p->count * sizeof(float));
		if (!strncmp(hp_param_role(p), "embed.", 6))
			hp_embedding_init(p, &rng);
		else if (p->rank > 1)
			hp_param_init_uniform(p, &rng, cell ? p->shape[0] / 4 : p->shape[0]);
		for (int j = p->shape[0] / 4; cell && p->rank == 1 && j < p->shape[0] / 2; j++)
			p->value[j] = 1.0f;
	}
}
