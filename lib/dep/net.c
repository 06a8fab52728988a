#include "dep/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "nn/labeller.h"

static int declare_lstm(hp_params *p, hp_error *err, const char *name, int hidden, int in)
{
	char w_ih[48], w_hh[48], b[48];
	snprintf(w_ih, sizeof w_ih, "%s.w_ih", name);
	snprintf(w_hh, sizeof w_hh, "%s.w_hh", name);
	snprintf(b, sizeof b, "%s.b", name);
	return hp_params_declare(p, err, w_ih, 2, 4 * hidden, in) ||
	               hp_params_declare(p, err, w_hh, 2, 4 * hidden, hidden) || hp_params_declare(p, err, b, 1, 4 * hidden)
	           ? HP_FAIL
	           : 0;
}

static hp_embedding_sizes embedding_sizes(const hp_dep_config *c)
{
	return (hp_embedding_sizes){c->words,        c->word_dim,    c->chars, c->char_dim,
	                            c->char_filters, c->char_window, c->tags,  c->pos_dim};
}

static int declare_encoder(hp_params *p, const hp_dep_config *c, hp_error *err)
{
	for (int l = 0; l < c->layers; l++)
		for (int d = 0; d < 2; d++) {
			char name[40];
			snprintf(name, sizeof name, "encoder.%d.%s", l, d ? "bwd" : "fwd");
			if (declare_lstm(p, err, name, c->hidden, l ? 2 * c->hidden : hp_dep_input_dim(c)))
				return HP_FAIL;
		}
	return hp_params_declare_affine(p, err, "bridge", c->decoder_hidden, 2 * c->hidden);
}

static const struct {
	const char *fuse, *gate;
} sources[HP_SOURCES] = {
	{"fusion.w_t", "fusion.gate.w_t"}, {"fusion.w_p", "fusion.gate.w_p"}, {"fusion.w_s", "fusion.gate.w_s"}};

static int declare_fusion(hp_params *p, const hp_dep_config *c, hp_error *err)
{
	int q = c->decoder_hidden;
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

static int declare_decoder(hp_params *p, const hp_dep_config *c, hp_error *err)
{
	int q = c->decoder_hidden, a = c->arc_mlp;
	if (hp_params_declare_affine(p, err, "decoder.src", c->decoder_input, 2 * c->hidden) ||
	    declare_lstm(p, err, "decoder.0", q, c->decoder_input) || declare_fusion(p, c, err) ||
	    hp_params_declare_affine(p, err, "pointer.g1", a, q) ||
	    hp_params_declare_affine(p, err, "pointer.g2", a, 2 * c->hidden) ||
	    hp_params_declare(p, err, "pointer.w", 2, a, a))
		return HP_FAIL;
	return hp_params_declare(p, err, "pointer.v", 1, a);
}

/* Sets the roles; those of stages that are not there stay NULL. */
static void bind(hp_dep_net *net)
{
	const hp_params *p = &net->params;
	char name[64];
	for (int l = 0; l < net->c.layers; l++)
		for (int d = 0; d < 2; d++) {
			const char *way = d ? "bwd" : "fwd";
			snprintf(name, sizeof name, "encoder.%d.%s.w_ih", l, way);
			net->encoder[l][d].w_ih = hp_params_find(p, name);
			snprintf(name, sizeof name, "encoder.%d.%s.w_hh", l, way);
			net->encoder[l][d].w_hh = hp_params_find(p, name);
			snprintf(name, sizeof name, "encoder.%d.%s.b", l, way);
			net->encoder[l][d].b = hp_params_find(p, name);
		}
	hp_embedding_sizes sizes = embedding_sizes(&net->c);
	hp_embedding_bind(&net->embedding, &sizes, p);
	net->bridge = hp_params_find_affine(p, "bridge");
	net->src = hp_params_find_affine(p, "decoder.src");
	net->decoder.w_ih = hp_params_find(p, "decoder.0.w_ih");
	net->decoder.w_hh = hp_params_find(p, "decoder.0.w_hh");
	net->decoder.b = hp_params_find(p, "decoder.0.b");
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
	hp_dep_auxiliary_bind(net);
}

/* A network whose parameters have no memory yet. */
static int make(const hp_dep_config *c, int stages, bool words, hp_dep_net **out, hp_error *err)
{
	hp_dep_net *net = calloc(1, sizeof *net);
	if (!net)
		return hp_fail_memory(err);
	net->c = *c;
	net->stages = stages;
	net->encoder = calloc((size_t)c->layers, sizeof *net->encoder);
	hp_params *p = &net->params;
	if (!net->encoder) {
		hp_dep_net_destroy(net);
		return hp_fail_memory(err);
	}
	int q = c->decoder_hidden, h2 = 2 * c->hidden;
	hp_embedding_sizes sizes = embedding_sizes(c);
	if ((stages & HP_STAGE_EMBED && hp_embedding_declare(p, &sizes, words, err)) ||
	    (stages & HP_STAGE_ENCODE && declare_encoder(p, c, err)) ||
	    (stages & HP_STAGE_DECODE && declare_decoder(p, c, err)) ||
	    (stages & HP_STAGE_LABEL && hp_label_declare(p, err, c->labels, c->label_mlp, q, h2)) ||
	    hp_dep_auxiliary_declare(p, c, err)) {
		hp_dep_net_destroy(net);
		return HP_FAIL;
	}
	bind(net);
	*out = net;
	return 0;
}

int hp_dep_net_new(const hp_dep_config *config, bool grads, hp_dep_net **out, hp_error *err)
{
	hp_dep_net *net;
	if (hp_dep_config_check(config, "network", err) || make(config, HP_STAGE_ALL, true, &net, err))
		return HP_FAIL;
	if (hp_params_alloc(&net->params, grads, err)) {
		hp_dep_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

/* The file may have the tensors of other stages, but none of another network. */
static int check_tensors(const hp_dep_config *config, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	hp_dep_net *whole;
	if (make(config, HP_STAGE_ALL, true, &whole, err))
		return HP_FAIL;
	int status = hp_params_only(&whole->params, st, prefix, err);
	hp_dep_net_destroy(whole);
	return status;
}

int hp_dep_net_open(const hp_dep_config *config, const hp_safetensors *st, const char *prefix, int stages,
                    hp_dep_net **out, hp_error *err)
{
	hp_dep_net *net;
	if (hp_dep_config_check(config, hp_safetensors_name(st), err) || make(config, stages, false, &net, err))
		return HP_FAIL;
	if (stages & HP_STAGE_EMBED && hp_embedding_open(&net->embedding, st, prefix, err))
		goto fail;
	if (hp_params_load(&net->params, st, prefix, err) || check_tensors(config, st, prefix, err) ||
	    hp_dep_prepare(net, stages, err))
		goto fail;
	*out = net;
	return 0;
fail:
	hp_dep_net_destroy(net);
	return HP_FAIL;
}

void hp_dep_net_destroy(hp_dep_net *net)
{
	if (!net)
		return;
	hp_params_free(&net->params);
	free(net->encoder);
	hp_embedding_free(&net->embedding);
	free(net);
}

const hp_dep_config *hp_dep_net_config(const hp_dep_net *net)
{
	return &net->c;
}

hp_params *hp_dep_params(hp_dep_net *net)
{
	return &net->params;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n >= m && !strcmp(s + n - m, end);
}

void hp_dep_net_init(hp_dep_net *net, uint64_t seed)
{
	for (int i = 0; i < net->params.count; i++) {
		hp_param *p = &net->params.item[i];
		hp_rng rng;
		hp_rng_seed(&rng, seed, (uint64_t)i);
		memset(p->value, 0, p->count * sizeof(float));
		if (!strncmp(p->name, "embed.", 6)) {
			hp_embedding_init(p, &rng);
		} else if (!strcmp(p->name, "label.w")) {
			hp_param_init_uniform(p, &rng, p->shape[1]);
			for (size_t j = 0; j < p->count; j++) /* bilinear terms start small */
				p->value[j] *= 0.3f;
		} else if (p->rank > 1) {
			bool gates = ends_with(p->name, "_ih") || ends_with(p->name, "_hh");
			hp_param_init_uniform(p, &rng, gates ? p->shape[0] / 4 : p->shape[0]);
		} else if (ends_with(p->name, ".b") && (!strncmp(p->name, "encoder.", 8) || !strcmp(p->name, "decoder.0.b"))) {
			for (int j = p->shape[0] / 4; j < p->shape[0] / 2; j++)
				p->value[j] = 1.0f; /* forget gates start open (Jozefowicz et al. 2015) */
		}
	}
}

int hp_dep_prepare(hp_dep_net *net, int stages, hp_error *err)
{
	return stages & HP_STAGE_EMBED ? hp_embedding_prepare(&net->embedding, err) : 0;
}

hp_lstm_weights hp_dep_encoder_weights(const hp_dep_net *net, int layer, int direction)
{
	hp_param *w_ih = net->encoder[layer][direction].w_ih, *w_hh = net->encoder[layer][direction].w_hh;
	hp_param *b = net->encoder[layer][direction].b;
	return (hp_lstm_weights){w_ih->value, w_hh->value, b->value, w_ih->grad, w_hh->grad, b->grad};
}

hp_label_weights hp_dep_label_weights(const hp_dep_net *net)
{
	return (hp_label_weights){net->c.labels,       net->c.label_mlp,    net->label_w->value, net->label_u->value,
	                          net->label_v->value, net->label_b->value, net->label_w->grad,  net->label_u->grad,
	                          net->label_v->grad,  net->label_b->grad};
}
