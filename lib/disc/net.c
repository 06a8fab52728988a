#include "disc/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "nn/labeller.h"

static const char *const fuse_names[HP_SOURCES] = {"fusion.w_t", "fusion.w_p", "fusion.w_s"};
enum { NAME = 40 };

static const char *encoder_name(char name[NAME], int layer, int direction)
{
	snprintf(name, NAME, "encoder.%d.%s", layer, direction ? "bwd" : "fwd");
	return name;
}

static const char *decoder_name(char name[NAME], int layer)
{
	snprintf(name, NAME, "decoder.%d", layer);
	return name;
}

/* What the encoder's side of the input has. */
static int declare_mix(hp_params *p, const hp_rst_config *c, hp_error *err)
{
	if (c->input != HP_RST_INPUT_STREAM || c->stream_layers < 2)
		return 0;
	if (hp_params_declare(p, err, "mix.weights", 1, c->stream_layers))
		return HP_FAIL;
	return hp_params_declare(p, err, "mix.scale", 1, 1);
}

static int declare_encoder(hp_params *p, const hp_rst_config *c, hp_error *err)
{
	char name[NAME];
	for (int l = 0; l < c->layers; l++)
		for (int d = 0; d < 2; d++)
			if (hp_gru_declare(p, err, encoder_name(name, l, d), c->hidden, hp_rst_input_of(c, l)))
				return HP_FAIL;
	return 0;
}

static int declare_decoder(hp_params *p, const hp_rst_config *c, hp_error *err)
{
	char name[NAME];
	for (int l = 0; l < c->layers; l++)
		if (hp_gru_declare(p, err, decoder_name(name, l), c->hidden, c->hidden))
			return HP_FAIL;
	if (c->fusion == HP_FUSION_T)
		return 0; /* the previous state goes in as it is */
	for (int s = 0; s < HP_SOURCES; s++)
		if (hp_fusion_has(c->fusion, s) && hp_params_declare(p, err, fuse_names[s], 2, c->hidden, c->hidden))
			return HP_FAIL;
	return 0;
}

/* Sets the roles; those of stages that are not there stay NULL. */
static void bind(hp_rst_net *net)
{
	const hp_params *p = &net->params;
	char name[NAME];
	for (int l = 0; l < net->c.layers; l++) {
		for (int d = 0; d < 2; d++)
			net->encoder[l][d] = hp_gru_find(p, encoder_name(name, l, d));
		net->decoder[l] = hp_gru_find(p, decoder_name(name, l));
	}
	for (int s = 0; s < HP_SOURCES; s++)
		net->fuse[s] = hp_params_find(p, fuse_names[s]);
	if (net->c.input == HP_RST_INPUT_WORDS)
		hp_embedding_bind(&net->embedding, &net->c.embedding, p);
	net->mix_weights = hp_params_find(p, "mix.weights");
	net->mix_scale = hp_params_find(p, "mix.scale");
	net->label_g1 = hp_params_find_affine(p, "label.g1");
	net->label_g2 = hp_params_find_affine(p, "label.g2");
	net->label_w = hp_params_find(p, "label.w");
	net->label_u = hp_params_find(p, "label.u");
	net->label_v = hp_params_find(p, "label.v");
	net->label_b = hp_params_find(p, "label.b");
}

/* A network whose parameters have no memory yet. */
static int make(const hp_rst_config *c, int stages, bool words, hp_rst_net **out, hp_error *err)
{
	hp_rst_net *net = calloc(1, sizeof *net);
	if (!net)
		return hp_fail_memory(err);
	net->c = *c;
	net->stages = stages;
	net->encoder = calloc((size_t)c->layers, sizeof *net->encoder);
	net->decoder = calloc((size_t)c->layers, sizeof *net->decoder);
	hp_params *p = &net->params;
	if (!net->encoder || !net->decoder) {
		hp_rst_net_destroy(net);
		return hp_fail_memory(err);
	}
	bool embeds = stages & HP_STAGE_EMBED && c->input == HP_RST_INPUT_WORDS;
	if ((embeds && hp_embedding_declare(p, &c->embedding, words, err)) ||
	    (stages & HP_STAGE_ENCODE && (declare_mix(p, c, err) || declare_encoder(p, c, err))) ||
	    (stages & HP_STAGE_DECODE && declare_decoder(p, c, err)) ||
	    (stages & HP_STAGE_LABEL && hp_label_declare(p, err, c->labels, c->label_mlp, c->hidden, c->hidden))) {
		hp_rst_net_destroy(net);
		return HP_FAIL;
	}
	bind(net);
	*out = net;
	return 0;
}

int hp_rst_net_new(const hp_rst_config *config, bool grads, hp_rst_net **out, hp_error *err)
{
	hp_rst_net *net;
	if (hp_rst_config_check(config, "network", err) || make(config, HP_STAGE_ALL, true, &net, err))
		return HP_FAIL;
	if (hp_params_alloc(&net->params, grads, err)) {
		hp_rst_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

/* The file may have the tensors of other stages, but none of another network. */
static int check_tensors(const hp_rst_config *config, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	hp_rst_net *whole;
	if (make(config, HP_STAGE_ALL, true, &whole, err))
		return HP_FAIL;
	int status = hp_params_only(&whole->params, st, prefix, err);
	hp_rst_net_destroy(whole);
	return status;
}

int hp_rst_net_open(const hp_rst_config *config, const hp_safetensors *st, const char *prefix, int stages,
                    hp_rst_net **out, hp_error *err)
{
	hp_rst_net *net;
	if (hp_rst_config_check(config, hp_safetensors_name(st), err) || make(config, stages, false, &net, err))
		return HP_FAIL;
	bool embeds = stages & HP_STAGE_EMBED && config->input == HP_RST_INPUT_WORDS;
	if ((embeds && hp_embedding_open(&net->embedding, st, prefix, err)) ||
	    hp_params_load(&net->params, st, prefix, err) || check_tensors(config, st, prefix, err) ||
	    hp_rst_prepare(net, stages, err)) {
		hp_rst_net_destroy(net);
		return HP_FAIL;
	}
	*out = net;
	return 0;
}

void hp_rst_net_destroy(hp_rst_net *net)
{
	if (!net)
		return;
	hp_embedding_free(&net->embedding);
	hp_params_free(&net->params);
	free(net->encoder);
	free(net->decoder);
	free(net);
}

const hp_rst_config *hp_rst_net_config(const hp_rst_net *net)
{
	return &net->c;
}

hp_params *hp_rst_params(hp_rst_net *net)
{
	return &net->params;
}

int hp_rst_input_of(const hp_rst_config *c, int layer)
{
	return layer ? 2 * c->hidden : c->input_dim;
}

hp_label_weights hp_rst_label_weights(const hp_rst_net *net)
{
	return (hp_label_weights){net->c.labels,       net->c.label_mlp,    net->label_w->value, net->label_u->value,
	                          net->label_v->value, net->label_b->value, net->label_w->grad,  net->label_u->grad,
	                          net->label_v->grad,  net->label_b->grad};
}

/* Matrices uniform, those of GRUs gate by gate; biases zero; a stream's layers with equal shares. */
void hp_rst_net_init(hp_rst_net *net, uint64_t seed)
{
	for (int i = 0; i < net->params.count; i++) {
		hp_param *p = &net->params.item[i];
		hp_rng rng;
		hp_rng_seed(&rng, seed, (uint64_t)i);
		memset(p->value, 0, p->count * sizeof(float));
		if (!strncmp(p->name, "embed.", 6)) {
			hp_embedding_init(p, &rng);
		} else if (!strcmp(p->name, "mix.scale")) {
			p->value[0] = 1.0f;
		} else if (!strcmp(p->name, "label.w")) {
			hp_param_init_uniform(p, &rng, p->shape[1]);
			for (size_t j = 0; j < p->count; j++) /* bilinear terms start small */
				p->value[j] *= 0.3f;
		} else if (p->rank > 1) {
			bool gates = strstr(p->name, ".w_ih") || strstr(p->name, ".w_hh");
			hp_param_init_uniform(p, &rng, gates ? p->shape[0] / 3 : p->shape[0]);
		}
	}
}
