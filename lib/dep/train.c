/* train.c: one training step: forward, loss, backward. */
#include "dep/train.h"

#include <string.h>

int hp_dep_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, int count,
                   const hp_dep_sent *sents, const float *vectors, const hp_dep_dropout *dropout)
{
	if (hp_dep_batch_make(t, net, pool, arena, count, sents, dropout) ||
	    hp_dep_embed_forward(t, net, pool, arena, vectors) || hp_dep_encoder_forward(t, net, pool, arena) ||
	    hp_dep_decoder_forward(t, net, pool, arena) || hp_dep_scores_forward(t, net, pool, arena))
		return HP_FAIL;
	return 0;
}

static int backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float scale,
                    hp_dep_loss *loss)
{
	const hp_dep_config *c = &net->c;
	size_t rows = (size_t)t->plan.rows, states = (size_t)t->count + (size_t)t->plan.total;
	float *dh = HP_NEW(arena, float, rows * 2 * (size_t)c->hidden);
	float *dstate = HP_NEW(arena, float, states * 2 * (size_t)c->decoder_hidden);
	float *dx = HP_NEW(arena, float, rows * (size_t)hp_dep_input_dim(c));
	if (hp_arena_failed(arena) || hp_dep_scores_backward(t, net, pool, arena, dh, dstate) ||
	    hp_dep_auxiliary(t, net, pool, arena, scale, dh, &loss->auxiliary) ||
	    hp_dep_decoder_backward(t, net, pool, arena, dh, dstate) ||
	    hp_dep_encoder_backward(t, net, pool, arena, dh, dstate, dx) || hp_dep_embed_backward(t, net, pool, arena, dx))
		return HP_FAIL;
	return 0;
}

int hp_dep_train(hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, const hp_dep_dropout *dropout, float scale, hp_dep_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_dep_trace t;
	int status = hp_dep_forward(&t, net, pool, scratch, count, sents, vectors, dropout);
	if (!status) {
		hp_dep_loss_make(&t, net, pool, scale, loss);
		status = backward(&t, net, pool, scratch, scale, loss);
	}
	hp_arena_restore(scratch, mark);
	return status ? hp_fail_memory(err) : 0;
}

/* Multiply-adds of one LSTM direction a position. */
static double lstm_products(double in, double hidden)
{
	return 4 * hidden * (in + hidden);
}

/* Multiply-adds of encoder, bridge and everything made once a position. */
static double position_products(const hp_dep_config *c)
{
	double H = c->hidden, sum = 2 * lstm_products(hp_dep_input_dim(c), H);
	for (int l = 1; l < c->layers; l++)
		sum += 2 * lstm_products(2 * H, H);
	return sum + 2 * H * (c->decoder_input + c->arc_mlp + c->label_mlp);
}

static int sources_of(const hp_dep_config *c)
{
	return c->fusion == HP_FUSION_PST ? 3 : c->fusion == HP_FUSION_PS ? 2 : 1;
}

static double decoder_products(const hp_dep_config *c, double n)
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

double hp_dep_train_flops(const hp_dep_config *config, const hp_dep_sent *sent)
{
	double n = sent->n;
	double bridge = 2.0 * config->hidden * config->decoder_hidden;
	double forward = n * position_products(config) + decoder_products(config, n) + bridge;
	/* Backward: the input's and the weights' gradient cost as much each; label scores g1' T are not products of matrices. */
	return 2 * 3 * forward;
}

double hp_dep_parse_flops(const hp_dep_config *config, int n)
{
	double bridge = 2.0 * config->hidden * config->decoder_hidden;
	return 2 * (n * position_products(config) + decoder_products(config, n) + bridge);
}
