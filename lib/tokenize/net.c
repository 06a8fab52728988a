/* net.c: the network's parameters. */
#include "tokenize/net.h"

#include <stdio.h>
#include <string.h>

#include "nn/embedding.h"

static const char *const direction[2] = {"fwd", "bwd"};

static int declare(hp_tok_net *net, hp_error *err)
{
	const hp_tok_sizes *c = &net->c;
	hp_params *p = &net->params;
	if (hp_params_declare(p, err, "embed.char", 2, c->chars, c->dim) ||
	    hp_params_declare(p, err, "embed.kind", 2, HP_SIGN_KINDS, c->dim))
		return HP_FAIL;
	for (int l = 0; l < c->layers; l++)
		for (int d = 0; d < 2; d++) {
			char name[32];
			snprintf(name, sizeof name, "encoder.%d.%s", l, direction[d]);
			if (hp_cell_declare(p, err, HP_LSTM, name, c->hidden, l ? 2 * c->hidden : c->dim))
				return HP_FAIL;
		}
	return hp_params_declare_affine(p, err, "out", HP_TOK_CLASSES, 2 * c->hidden);
}

/* Once no more are declared. */
static void bind(hp_tok_net *net)
{
	net->chr = hp_params_find(&net->params, "embed.char");
	net->kind = hp_params_find(&net->params, "embed.kind");
	for (int l = 0; l < net->c.layers; l++)
		for (int d = 0; d < 2; d++) {
			char name[32];
			snprintf(name, sizeof name, "encoder.%d.%s", l, direction[d]);
			net->cell[l][d] = hp_cell_find(&net->params, HP_LSTM, name);
		}
	net->out = hp_params_find_affine(&net->params, "out");
}

int hp_tok_net_make(hp_tok_net *net, const hp_tok_sizes *c, hp_error *err)
{
	*net = (hp_tok_net){.c = *c};
	if (declare(net, err))
		return HP_FAIL;
	bind(net);
	return 0;
}

void hp_tok_net_free(hp_tok_net *net)
{
	hp_params_free(&net->params);
}

void hp_tok_net_init(hp_tok_net *net, uint64_t seed)
{
	int H = net->c.hidden;
	for (int i = 0; i < net->params.count; i++) {
		hp_param *p = &net->params.item[i];
		hp_rng rng;
		hp_rng_seed(&rng, seed, (uint64_t)i);
		if (p == net->chr || p == net->kind)
			hp_embedding_init(p, &rng);
		else if (p->rank > 1)
			hp_param_init_uniform(p, &rng, p == net->out.w ? p->shape[0] : H);
		else
			for (int j = H; p != net->out.b && j < 2 * H; j++)
				p->value[j] = 1.0f; /* forget gates: Jozefowicz et al. 2015 */
	}
}
