/* net.c: the parameters of a network: which there are, in which order, and what they begin with. */
#include "pointer/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "pointer/grammar.h"

enum { NAME = 40 };

static const char *encoder_name(char name[NAME], int layer, int direction)
{
	snprintf(name, NAME, "encoder.%d.%s", layer, direction ? "bwd" : "fwd");
	return name;
}

static const char *document_name(char name[NAME], int layer, int direction)
{
	snprintf(name, NAME, "document.%d.%s", layer, direction ? "bwd" : "fwd");
	return name;
}

static const char *decoder_name(char name[NAME], int layer)
{
	snprintf(name, NAME, "decoder.%d", layer);
	return name;
}

static const struct {
	const char *fuse, *gate;
} sources[HP_SOURCES] = {
	{"fusion.w_t", "fusion.gate.w_t"}, {"fusion.w_p", "fusion.gate.w_p"}, {"fusion.w_s", "fusion.gate.w_s"}};

/* ---- which there are ---- */

static bool embeds(const hp_net_config *c, int stages)
{
	return stages & HP_STAGE_EMBED && c->input == HP_INPUT_WORDS;
}

static int declare_mix(hp_params *p, const hp_net_config *c, hp_error *err)
{
	if (c->input != HP_INPUT_STREAM || c->stream_layers < 2)
		return 0;
	if (hp_params_declare(p, err, "mix.weights", 1, c->stream_layers))
		return HP_FAIL;
	return hp_params_declare(p, err, "mix.scale", 1, 1);
}

static int declare_encoder(hp_params *p, const hp_net_config *c, const hp_shape *s, hp_error *err)
{
	char name[NAME];
	for (int l = 0; l < c->layers; l++)
		for (int d = 0; d < 2; d++)
			if (hp_cell_declare(p, err, hp_config_cell(c), encoder_name(name, l, d), c->hidden,
			                    l ? 2 * c->hidden : (int)s->D))
				return HP_FAIL;
	for (int l = 0; l < c->document_layers; l++)
		for (int d = 0; d < 2; d++)
			if (hp_cell_declare(p, err, hp_config_cell(c), document_name(name, l, d), c->hidden,
			                    l ? 2 * c->hidden : (int)s->E))
				return HP_FAIL;
	return c->task == HP_TASK_DEP ? hp_params_declare_affine(p, err, "bridge", (int)s->Q, 2 * c->hidden) : 0;
}

static int declare_fusion(hp_params *p, const hp_net_config *c, int q, hp_error *err)
{
	if (c->fusion == HP_FUSION_T)
		return 0; /* the previous state goes in as it is */
	for (int s = 0; s < HP_SOURCES; s++)
		if (hp_fusion_has(c->fusion, s) && hp_params_declare(p, err, sources[s].fuse, 2, q, q))
			return HP_FAIL;
	if (c->gate == HP_GATE_NONE)
		return 0;
	for (int s = 0; s < HP_SOURCES; s++) {
		bool has = hp_fusion_has(c->fusion, s) && !(c->gate == HP_GATE_SGATE && s == HP_FROM_PREVIOUS);
		if (has && hp_params_declare(p, err, sources[s].gate, 2, q, q))
			return HP_FAIL;
	}
	return hp_params_declare(p, err, "fusion.gate.b", 1, q);
}

static int declare_decoder(hp_params *p, const hp_net_config *c, const hp_shape *s, hp_error *err)
{
	int q = (int)s->Q, a = (int)s->A;
	char name[NAME];
	bool dep = c->task == HP_TASK_DEP;
	if (dep && hp_params_declare_affine(p, err, "decoder.src", (int)s->I, (int)s->W))
		return HP_FAIL;
	for (int l = 0; l < (int)s->L; l++)
		if (hp_cell_declare(p, err, hp_config_cell(c), decoder_name(name, l), q, l ? q : (int)s->I))
			return HP_FAIL;
	if (declare_fusion(p, c, q, err))
		return HP_FAIL;
	if (!dep && !c->split_mlp)
		return 0;
	if (hp_params_declare_affine(p, err, "pointer.g1", a, q) ||
	    hp_params_declare_affine(p, err, "pointer.g2", a, (int)s->B) || hp_params_declare(p, err, "pointer.w", 2, a, a))
		return HP_FAIL;
	return hp_params_declare(p, err, "pointer.v", 1, a);
}

static int declare_member(hp_params *p, const hp_net_config *c, const hp_shape *s, int stages, bool words,
                          hp_error *err)
{
	if ((c->own_embeddings && embeds(c, stages) && hp_embedding_declare(p, &c->embedding, words, err)) ||
	    (stages & HP_STAGE_ENCODE && declare_encoder(p, c, s, err)) ||
	    (stages & HP_STAGE_DECODE && declare_decoder(p, c, s, err)) ||
	    (stages & HP_STAGE_LABEL && hp_label_declare(p, err, c->labels, c->label_mlp, (int)s->G, (int)s->R)) ||
	    hp_heads_declare(p, c, stages, err) || hp_reach_declare(p, c, s, stages, err))
		return HP_FAIL;
	return stages == HP_STAGE_ALL ? hp_auxiliary_declare(p, c, err) : 0;
}

static int declare(hp_params *p, const hp_net_config *c, int stages, bool words, hp_error *err)
{
	hp_shape s = hp_config_shape(c);
	int status = (!c->own_embeddings && embeds(c, stages) && hp_embedding_declare(p, &c->embedding, words, err)) ||
	             (stages & HP_STAGE_ENCODE && declare_mix(p, c, err));
	for (int m = 0; m < (int)s.M && !status; m++) {
		hp_params_of_member(p, m);
		status = declare_member(p, c, &s, stages, words, err);
	}
	hp_params_of_member(p, 0);
	return status ? HP_FAIL : 0;
}

/* ---- their roles ---- */

/* A member's own. */
static void bind_member(hp_net *net, const hp_params *p)
{
	char name[NAME];
	for (int l = 0; l < net->c.layers; l++)
		for (int d = 0; d < 2; d++)
			net->encoder[l][d] = hp_cell_find(p, hp_config_cell(&net->c), encoder_name(name, l, d));
	for (int l = 0; l < net->c.document_layers; l++)
		for (int d = 0; d < 2; d++)
			net->document[l][d] = hp_cell_find(p, hp_config_cell(&net->c), document_name(name, l, d));
	net->bridge = hp_params_find_affine(p, "bridge");
	net->src = hp_params_find_affine(p, "decoder.src");
	for (int l = 0; l < (int)net->s.L; l++)
		net->decoder[l] = hp_cell_find(p, hp_config_cell(&net->c), decoder_name(name, l));
	for (int s = 0; s < HP_SOURCES; s++) {
		net->fuse[s] = hp_params_find(p, sources[s].fuse);
		net->gate[s] = hp_params_find(p, sources[s].gate);
	}
	net->gate_b = hp_params_find(p, "fusion.gate.b");
	net->pointer_g1 = hp_params_find_affine(p, "pointer.g1");
	net->pointer_g2 = hp_params_find_affine(p, "pointer.g2");
	net->pointer_w = hp_params_find(p, "pointer.w");
	net->pointer_v = hp_params_find(p, "pointer.v");
	net->label_g1 = hp_params_find_affine(p, "label.g1");
	net->label_g2 = hp_params_find_affine(p, "label.g2");
	net->label_w = hp_params_find(p, "label.w");
	net->label_u = hp_params_find(p, "label.u");
	net->label_v = hp_params_find(p, "label.v");
	net->label_b = hp_params_find(p, "label.b");
	hp_heads_bind(net, p);
	hp_reach_bind(net, p);
	hp_auxiliary_bind(net, p);
}

static void bind(hp_net *net)
{
	hp_params names = net->params; /* the same parameters, under each member's prefix */
	net->mix_weights = hp_params_find(&net->params, "mix.weights");
	net->mix_scale = hp_params_find(&net->params, "mix.scale");
	for (int m = 0; m < (int)net->s.M; m++) {
		hp_params_of_member(&names, m);
		bind_member(net->member[m], &names);
		if (net->c.input == HP_INPUT_WORDS)
			hp_embedding_bind(&net->member[m]->embedding, &net->c.embedding,
			                  net->c.own_embeddings ? &names : &net->params);
		net->member[m]->mix_weights = net->mix_weights;
		net->member[m]->mix_scale = net->mix_scale;
	}
}

static void destroy_member(hp_net *net)
{
	if (!net)
		return;
	hp_embedding_free(&net->embedding);
	free(net->encoder);
	free(net->document);
	free(net->decoder);
	free(net);
}

/* Room for the roles of one member's parameters. */
static hp_net *make_member(const hp_net_config *c)
{
	hp_net *net = calloc(1, sizeof *net);
	if (!net)
		return NULL;
	net->c = *c;
	net->s = hp_config_shape(c);
	net->grammar = c->task == HP_TASK_DEP ? &hp_arcs : &hp_splits;
	net->encoder = calloc((size_t)c->layers, sizeof *net->encoder);
	net->document = calloc((size_t)c->document_layers + 1, sizeof *net->document);
	net->decoder = calloc(net->s.L, sizeof *net->decoder);
	if (net->encoder && net->document && net->decoder)
		return net;
	destroy_member(net);
	return NULL;
}

static int make_members(const hp_net_config *c, hp_net **out)
{
	hp_net *net = make_member(c);
	bool made = net && (net->member = calloc(net->s.M, sizeof *net->member));
	if (made)
		net->member[0] = net;
	for (size_t m = 1; made && m < net->s.M; m++)
		made = (net->member[m] = make_member(c));
	*out = net;
	return made ? 0 : HP_FAIL;
}

/* A network whose parameters have no memory yet. */
static int make(const hp_net_config *c, int stages, bool words, hp_net **out, hp_error *err)
{
	hp_net *net;
	int status = make_members(c, &net) ? hp_fail_memory(err) : declare(&net->params, c, stages, words, err);
	if (status) {
		hp_net_destroy(net);
		return HP_FAIL;
	}
	bind(net);
	*out = net;
	return 0;
}

int hp_net_new(const hp_net_config *config, bool grads, hp_net **out, hp_error *err)
{
	hp_net *net;
	if (hp_config_check(config, "network", err) || make(config, HP_STAGE_ALL, true, &net, err))
		return HP_FAIL;
	if (hp_params_alloc(&net->params, grads, err)) {
		hp_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

/* The file may have the tensors of other stages, but none of another network. */
static int check_tensors(const hp_net_config *c, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	hp_params whole = {0};
	int status = declare(&whole, c, HP_STAGE_ALL, true, err) || hp_params_only(&whole, st, prefix, err);
	hp_params_free(&whole);
	return status ? HP_FAIL : 0;
}

static int open_embeddings(hp_net *net, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	hp_params names = net->params;
	for (int m = 0; m < hp_net_embeddings(net); m++) {
		char whole[128];
		hp_params_of_member(&names, m);
		snprintf(whole, sizeof whole, "%s%s", prefix, names.prefix);
		if (hp_embedding_open(&net->member[m]->embedding, st, whole, err))
			return HP_FAIL;
	}
	return 0;
}

int hp_net_open(const hp_net_config *config, const hp_safetensors *st, const char *prefix, int stages, hp_net **out,
                hp_error *err)
{
	hp_net *net;
	if (hp_config_check(config, hp_safetensors_name(st), err) || make(config, stages, false, &net, err))
		return HP_FAIL;
	if ((embeds(config, stages) && open_embeddings(net, st, prefix, err)) ||
	    hp_params_open(&net->params, st, prefix, err) || check_tensors(config, st, prefix, err) ||
	    hp_net_prepare(net, stages, err)) {
		hp_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

int hp_net_prepare(hp_net *net, int stages, hp_error *err)
{
	for (int m = 0; embeds(&net->c, stages) && m < hp_net_embeddings(net); m++)
		if (hp_embedding_prepare(&net->member[m]->embedding, err))
			return HP_FAIL;
	return 0;
}

int hp_net_embeddings(const hp_net *net)
{
	return net->c.own_embeddings ? (int)net->s.M : 1;
}

hp_matrix hp_places(const hp_net *net, hp_matrix unit)
{
	if (net->s.B > net->s.W) { /* rows that overlap */
		unit.cols = (int)net->s.B;
		unit.rows -= unit.rows > 0;
	}
	return unit;
}

void hp_net_destroy(hp_net *net)
{
	if (!net)
		return;
	for (size_t m = 1; net->member && m < net->s.M; m++)
		destroy_member(net->member[m]);
	hp_params_free(&net->params);
	hp_member_arenas_free(&net->arenas);
	free(net->member);
	destroy_member(net);
}

/* ---- what they begin with ---- */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && !strcmp(s + n - m, end);
}

/* Matrices uniform, those of cells gate by gate; biases zero, LSTMs' forget gates open; a stream's layers with equal
 * shares. */
static void init(hp_param *p, const hp_net_config *c, hp_rng *rng)
{
	int gates = hp_cell_gates(hp_config_cell(c));
	const char *role = hp_param_role(p);
	memset(p->value, 0, p->count * sizeof(float));
	if (!strncmp(role, "embed.", 6)) {
		hp_embedding_init(p, rng);
	} else if (!strcmp(role, "mix.scale")) {
		p->value[0] = 1.0f;
	} else if (!strcmp(role, "label.w")) {
		hp_param_init_uniform(p, rng, p->shape[1]);
		for (size_t j = 0; j < p->count; j++) /* bilinear terms start small */
			p->value[j] *= 0.3f;
	} else if (p->rank > 1) {
		bool cell = ends_with(p->name, ".w_ih") || ends_with(p->name, ".w_hh");
		hp_param_init_uniform(p, rng, cell ? p->shape[0] / gates : p->shape[0]);
	} else if (ends_with(role, ".b") && (!strncmp(role, "encoder.", 8) || !strcmp(role, "decoder.0.b"))) {
		for (int j = p->shape[0] / 4; j < p->shape[0] / 2; j++)
			p->value[j] = 1.0f; /* Jozefowicz et al. 2015 */
	}
}

void hp_net_init(hp_net *net, uint64_t seed)
{
	for (int i = 0; i < net->params.count; i++) {
		hp_rng rng;
		hp_rng_seed(&rng, seed, (uint64_t)i);
		init(&net->params.item[i], &net->c, &rng);
	}
}
