/* input.c: what stands for the words: embeddings of the network's own, or a mixture of a stream's layers. */
#include <math.h>
#include <string.h>

#include "disc/net.h"

/* ---- words ---- */

int hp_rst_prepare(hp_rst_net *net, int stages, hp_error *err)
{
	if (net->c.input != HP_RST_INPUT_WORDS || !(stages & HP_STAGE_EMBED))
		return 0;
	return hp_embedding_prepare(&net->embedding, err);
}

int hp_rst_embed(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_tokens *tokens,
                 const float *vectors, float *x, hp_error *err)
{
	return hp_embedding_look_up(&net->embedding, pool, scratch, count, tokens, vectors, x, err);
}

static size_t rows_of(int count, const hp_rst_sent *sents)
{
	size_t rows = 0;
	for (int s = 0; s < count; s++)
		rows += (size_t)sents[s].words;
	return rows;
}

static int train_words(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                       const hp_tokens *tokens, const float *vectors, const hp_rst_dropout *dropout, float scale,
                       hp_rst_loss *loss, hp_error *err)
{
	hp_embedding_trace t = {.rows = (int)rows_of(count, sents)};
	float *x = HP_NEW(scratch, float, (size_t)t.rows * (size_t)net->c.input_dim);
	float *dx = HP_NEW(scratch, float, (size_t)t.rows * (size_t)net->c.input_dim);
	if (hp_arena_failed(scratch) || hp_embedding_forward(&t, &net->embedding, pool, scratch, count, tokens, vectors, x))
		return hp_fail_memory(err);
	if (hp_rst_train(net, pool, scratch, count, sents, x, dx, dropout, scale, loss, err))
		return HP_FAIL;
	return hp_embedding_backward(&t, &net->embedding, pool, scratch, dx) ? hp_fail_memory(err) : 0;
}

int hp_rst_train_words(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                       const hp_tokens *tokens, const float *vectors, const hp_rst_dropout *dropout, float scale,
                       hp_rst_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int status = train_words(net, pool, scratch, count, sents, tokens, vectors, dropout, scale, loss, err);
	hp_arena_restore(scratch, mark);
	return status;
}

/* ---- streams ---- */

/* W [stream_layers] = softmax(mix.weights) */
static void shares(const hp_rst_net *net, float *w)
{
	const float *s = net->mix_weights->value;
	float most = s[0], sum = 0;
	for (int l = 1; l < net->c.stream_layers; l++)
		most = s[l] > most ? s[l] : most;
	for (int l = 0; l < net->c.stream_layers; l++)
		sum += w[l] = expf(s[l] - most);
	for (int l = 0; l < net->c.stream_layers; l++)
		w[l] /= sum;
}

enum { MOST_LAYERS = 64 }; /* as hp_rst_config_check allows */

void hp_rst_mix(const hp_rst_net *net, int words, const float *layers, float *x)
{
	size_t n = (size_t)words * (size_t)net->c.input_dim;
	float w[MOST_LAYERS];
	if (!net->mix_weights) {
		memcpy(x, layers, n * sizeof *x);
		return;
	}
	shares(net, w);
	for (size_t i = 0; i < n; i++) {
		float sum = 0;
		for (int l = 0; l < net->c.stream_layers; l++)
			sum += w[l] * layers[(size_t)l * n + i];
		x[i] = net->mix_scale->value[0] * sum;
	}
}

/* With t_l = sum of dx · layer l: d scale = sum of w_l t_l, d weights_l = scale · w_l (t_l - sum of w_k t_k). */
static void mix_backward(hp_rst_net *net, int count, const hp_rst_sent *sents, const float *const *layers,
                         const float *dx)
{
	double t[MOST_LAYERS] = {0}, mean = 0;
	float w[MOST_LAYERS];
	shares(net, w);
	for (int s = 0; s < count; s++) {
		size_t n = (size_t)sents[s].words * (size_t)net->c.input_dim;
		for (int l = 0; l < net->c.stream_layers; l++)
			for (size_t i = 0; i < n; i++)
				t[l] += (double)dx[i] * (double)layers[s][(size_t)l * n + i];
		dx += n;
	}
	for (int l = 0; l < net->c.stream_layers; l++)
		mean += (double)w[l] * t[l];
	net->mix_scale->grad[0] += (float)mean;
	for (int l = 0; l < net->c.stream_layers; l++)
		net->mix_weights->grad[l] += (float)((double)net->mix_scale->value[0] * (double)w[l] * (t[l] - mean));
}

int hp_rst_train_stream(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                        const float *const *layers, const hp_rst_dropout *dropout, float scale, hp_rst_loss *loss,
                        hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	size_t D = (size_t)net->c.input_dim, rows = rows_of(count, sents), at = 0;
	float *x = HP_NEW(scratch, float, rows * D);
	float *dx = net->mix_weights ? HP_NEW(scratch, float, rows * D) : NULL;
	int status = hp_arena_failed(scratch) ? hp_fail_memory(err) : 0;
	for (int s = 0; !status && s < count; s++) {
		hp_rst_mix(net, sents[s].words, layers[s], x + at * D);
		at += (size_t)sents[s].words;
	}
	if (!status)
		status = hp_rst_train(net, pool, scratch, count, sents, x, dx, dropout, scale, loss, err);
	if (!status && dx)
		mix_backward(net, count, sents, layers, dx);
	hp_arena_restore(scratch, mark);
	return status;
}
