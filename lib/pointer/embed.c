/* embed.c: what stands for the words: embeddings of the network's own, a mixture of a stream's layers, or what was made
 * elsewhere; forward and backward, and in parsing. */
#include <math.h>
#include <string.h>

#include "pointer/members.h"
#include "pointer/train.h"

/* ---- mixtures of a stream's layers ---- */

enum { MOST_LAYERS = 64 }; /* as hp_config_check allows */

/* W [stream_layers] = softmax(mix.weights) */
static void shares(const hp_net *net, float *w)
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

void hp_mix(const hp_net *net, int rows, const float *layers, float *x)
{
	size_t n = (size_t)rows * net->s.D;
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

/* x [R × D] of all sentences. */
static void mix_all(const hp_net *net, const hp_sentences *in, float *x)
{
	for (int s = 0; s < in->count; x += (size_t)in->sample[s++].rows * net->s.D)
		hp_mix(net, in->sample[s].rows, in->layers[s], x);
}

/* With t_l = sum of dx · layer l: d scale = sum of w_l t_l, d weights_l = scale · w_l (t_l - sum of w_k t_k). */
static void mix_backward(const hp_net *net, const hp_sentences *in, const float *dx)
{
	double t[MOST_LAYERS] = {0}, mean = 0;
	float w[MOST_LAYERS];
	shares(net, w);
	for (int s = 0; s < in->count; s++) {
		size_t n = (size_t)in->sample[s].rows * net->s.D;
		for (int l = 0; l < net->c.stream_layers; l++)
			for (size_t i = 0; i < n; i++)
				t[l] += (double)dx[i] * (double)in->layers[s][(size_t)l * n + i];
		dx += n;
	}
	for (int l = 0; l < net->c.stream_layers; l++)
		mean += (double)w[l] * t[l];
	net->mix_scale->grad[0] += (float)mean;
	for (int l = 0; l < net->c.stream_layers; l++)
		net->mix_weights->grad[l] += (float)((double)net->mix_scale->value[0] * (double)w[l] * (t[l] - mean));
}

/* ---- training ---- */

/* Dependency networks look tokens up in the order of the batch, into packed rows. */
static int sorted_tokens(hp_trace *t, const hp_sentences *in)
{
	const hp_batch *b = &t->batch;
	hp_tokens *tokens = HP_NEW(t->arena, hp_tokens, (size_t)b->count);
	if (!tokens)
		return HP_FAIL;
	for (int s = 0; s < b->count; s++)
		tokens[s] = in->tokens[b->order[s]];
	t->embed.embedding = (hp_embedding_trace){.rows = b->rows,
	                                          .row = b->packed_row,
	                                          .word_mask = b->mask.word,
	                                          .char_mask = b->mask.chr,
	                                          .pos_mask = b->mask.pos};
	return hp_embedding_forward(&t->embed.embedding, &t->net->embedding, t->pool, t->arena, b->count, tokens,
	                            in->vectors, t->embed.x.data);
}

/* x [rows × D] in the caller's order. */
static int make_x(hp_trace *t, const hp_sentences *in, float *x)
{
	if (in->tokens) {
		t->embed.embedding = (hp_embedding_trace){.rows = t->batch.rows};
		return hp_embedding_forward(&t->embed.embedding, &t->net->embedding, t->pool, t->arena, in->count, in->tokens,
		                            in->vectors, x);
	}
	mix_all(t->net, in, x);
	return 0;
}

int hp_embed_forward(hp_trace *t, const hp_sentences *in)
{
	const hp_batch *b = &t->batch;
	int D = (int)t->net->s.D;
	t->embed.x = hp_matrix_new(t->arena, b->rows, D);
	if (!t->embed.x.data)
		return HP_FAIL;
	if (t->net->c.task == HP_TASK_DEP)
		return sorted_tokens(t, in);
	const float *x = in->x;
	if (!x) {
		hp_matrix made = hp_matrix_new(t->arena, b->rows, D);
		if (!made.data || make_x(t, in, made.data))
			return HP_FAIL;
		x = made.data;
	}
	hp_pack_rows(&b->packed, b->piece, b->piece_at, t->net->s.D, x, t->embed.x.data);
	return 0;
}

int hp_embed_backward(hp_trace *t, const hp_sentences *in, hp_matrix packed)
{
	const hp_batch *b = &t->batch;
	if (t->net->c.task == HP_TASK_DEP)
		return hp_embedding_backward(&t->embed.embedding, &t->net->embedding, t->pool, t->arena, packed.data);
	float *dx = in->dx ? in->dx : hp_matrix_new(t->arena, b->rows, packed.cols).data;
	if (!dx)
		return HP_FAIL;
	hp_unpack_rows(&b->packed, b->piece, b->piece_at, t->net->s.D, packed.data, dx);
	if (in->tokens)
		return hp_embedding_backward(&t->embed.embedding, &t->net->embedding, t->pool, t->arena, dx);
	if (in->layers && t->net->mix_weights)
		mix_backward(t->net, in, dx);
	return 0;
}

/* ---- parsing ---- */

/* x [R × M·D] of embeddings of their own, R rows. */
static int embed_members(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, float *x, hp_error *err)
{
	const hp_net *net = how->net;
	hp_arena_mark mark = hp_arena_save(scratch);
	size_t rows = 0;
	for (int i = 0; i < in->count; i++)
		rows += (size_t)in->tokens[i].n;
	float *its = HP_NEW(scratch, float, rows * net->s.D);
	if (!its)
		return hp_fail_memory(err);
	for (size_t m = 0; m < net->s.M; m++) {
		if (hp_embedding_look_up(&net->member[m]->embedding, how->pool, scratch, in->count, in->tokens, in->vectors,
		                         its, err))
			return HP_FAIL;
		hp_member_put(net, m, net->s.D, rows, its, x);
	}
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_embed(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, float *x, hp_error *err)
{
	const hp_net *net = how->net;
	if (net->c.own_embeddings)
		return embed_members(how, scratch, in, x, err);
	if (in->tokens)
		return hp_embedding_look_up(&net->embedding, how->pool, scratch, in->count, in->tokens, in->vectors, x, err);
	mix_all(net, in, x);
	return 0;
}
