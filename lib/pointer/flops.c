/* flops.c: what a dependency network computes, for measuring speed. */
#include "pointer/parse.h"

/* Multiply-adds of one LSTM direction a position. */
static double lstm_products(double in, double hidden)
{
	return 4 * hidden * (in + hidden);
}

/* Multiply-adds of encoder, bridge and everything made once a position. */
static double position_products(const hp_net_config *c)
{
	double H = c->hidden, sum = 2 * lstm_products(hp_embedding_dim(&c->embedding), H);
	for (int l = 1; l < c->layers; l++)
		sum += 2 * lstm_products(2 * H, H);
	return sum + 2 * H * (c->decoder_input + c->arc_mlp + c->label_mlp);
}

static int sources_of(const hp_net_config *c)
{
	return c->fusion == HP_FUSION_PST ? 3 : c->fusion == HP_FUSION_PS ? 2 : 1;
}

/* Of what the words say of their heads: layers and keys, each word's distribution, a column of it a step (heads.c). */
static double heads_products(const hp_net_config *c, double n)
{
	double A = c->arc_mlp;
	return c->heads ? n * (2 * 2 * c->hidden * A + A * A + A * n) + (2 * n - 1) * A * n : 0;
}

static double decoder_products(const hp_net_config *c, double n)
{
	double Q = c->decoder_hidden, A = c->arc_mlp, L = c->label_mlp, K = c->labels, steps = 2 * n - 1, arcs = n - 1;
	double fused = 0; /* states' products: previous of every step, parent and sibling of arcs */
	if (c->fusion != HP_FUSION_T) {
		double once = (c->fusion == HP_FUSION_PST ? steps : 0) + arcs * (sources_of(c) - (c->fusion == HP_FUSION_PST));
		fused = 2 * Q * Q * once * (c->gate == HP_GATE_GATE ? 2 : 1);
		if (c->gate == HP_GATE_SGATE)
			fused += 2 * Q * Q * (steps + arcs);
	}
	double label = arcs * (Q * L + 2 * K * L + K * L * L);
	return fused + steps * (lstm_products(c->decoder_input, Q) + Q * A + A * A + A * n) + label;
}

double hp_train_flops(const hp_net_config *config, int positions)
{
	double n = positions;
	double bridge = 2.0 * config->hidden * config->decoder_hidden;
	double forward = n * position_products(config) + decoder_products(config, n) + bridge;
	/* Backward: the input's and the weights' gradient cost as much each; label scores g1' T are not products of matrices. */
	return 2 * 3 * forward;
}

double hp_parse_flops(const hp_net_config *config, int n)
{
	double bridge = 2.0 * config->hidden * config->decoder_hidden;
	return 2 * (n * position_products(config) + decoder_products(config, n) + heads_products(config, n) + bridge);
}
