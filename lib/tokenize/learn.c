/* learn.c: a batch of windows becomes a gradient. */
#include <math.h>
#include <string.h>

#include "nn/birnn.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "tokenize/net.h"

typedef struct batch {
	const hp_tok_training *t;
	const hp_tok_window *window; /* the caller's */
	int *order; /* by falling length */
	hp_packed p;
	int rows;
	int *owner; /* [rows] which of the packed windows */
	int32_t *chr; /* [rows] */
	uint8_t *kind;
	int8_t *gold;
	hp_matrix x; /* [rows × dim] */
	hp_matrix in[HP_TOK_LAYERS + 1]; /* what each layer, and the softmax, read, after dropout */
	float *mask[HP_TOK_LAYERS + 1], *state_mask[HP_TOK_LAYERS][2]; /* [count × width] or NULL */
	hp_birnn_trace trace[HP_TOK_LAYERS];
} batch;

static int pack(batch *b, int count)
{
	hp_arena *arena = b->t->arena;
	int *lengths = HP_NEW(arena, int, (size_t)count), *sorted = HP_NEW(arena, int, (size_t)count);
	b->order = HP_NEW(arena, int, (size_t)count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int i = 0; i < count; i++)
		lengths[i] = b->window[i].count;
	hp_sort_lengths(count, lengths, b->order);
	for (int i = 0; i < count; i++)
		sorted[i] = lengths[b->order[i]];
	b->p = hp_pack(arena, count, sorted);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	b->rows = b->p.offset[b->p.steps];
	b->owner = HP_NEW(arena, int, (size_t)b->rows);
	b->chr = HP_NEW(arena, int32_t, (size_t)b->rows);
	b->kind = HP_NEW(arena, uint8_t, (size_t)b->rows);
	b->gold = HP_NEW(arena, int8_t, (size_t)b->rows);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int t = 0; t < b->p.steps; t++)
		for (int s = 0; s < b->p.active[t]; s++) {
			const hp_tok_window *w = &b->window[b->order[s]];
			int row = b->p.offset[t] + s;
			b->owner[row] = s;
			b->chr[row] = w->chr[t];
			b->kind[row] = w->kind[t];
			b->gold[row] = w->gold[t];
		}
	return 0;
}

/* A mask for each window; NULL without dropout. */
static float *make_mask(const batch *b, int width)
{
	size_t n = (size_t)b->p.count * (size_t)width;
	float *mask = b->t->drop > 0 ? HP_NEW(b->t->arena, float, n) : NULL;
	if (mask)
		hp_dropout_mask(b->t->rng, b->t->drop, n, mask);
	return mask;
}

static int width_of(const hp_tok_net *net, int layer)
{
	return layer ? 2 * net->c.hidden : net->c.dim;
}

static void make_masks(batch *b)
{
	const hp_tok_net *net = b->t->net;
	for (int l = 0; l <= net->c.layers; l++) {
		b->mask[l] = make_mask(b, width_of(net, l));
		for (int d = 0; d < 2 && l < net->c.layers; d++)
			b->state_mask[l][d] = make_mask(b, net->c.hidden);
	}
}

static hp_birnn layer_of(const batch *b, int l)
{
	const hp_tok_net *net = b->t->net;
	return (hp_birnn){&b->p, {net->cell[l][0], net->cell[l][1]}, {b->state_mask[l][0], b->state_mask[l][1]}};
}

static hp_mask mask_of(const batch *b, int l)
{
	return (hp_mask){b->mask[l], b->owner};
}

static void embed(const batch *b)
{
	const hp_tok_net *net = b->t->net;
	size_t dim = (size_t)net->c.dim;
	for (int row = 0; row < b->rows; row++) {
		memcpy(hp_row(b->x, row), net->chr->value + (size_t)b->chr[row] * dim, dim * sizeof(float));
		hp_vec_add(dim, net->kind->value + b->kind[row] * dim, hp_row(b->x, row));
	}
}

static int forward(batch *b)
{
	const hp_tok_net *net = b->t->net;
	hp_arena *arena = b->t->arena;
	b->x = hp_matrix_new(arena, b->rows, net->c.dim);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	embed(b);
	hp_matrix out = b->x;
	for (int l = 0; l <= net->c.layers; l++) {
		b->in[l] = b->mask[l] ? hp_matrix_new(arena, b->rows, out.cols) : out;
		if (hp_arena_failed(arena))
			return HP_FAIL;
		hp_mask_rows(b->t->pool, out, mask_of(b, l), b->in[l]);
		if (l == net->c.layers)
			break;
		hp_birnn layer = layer_of(b, l);
		out = hp_matrix_new(arena, b->rows, 2 * net->c.hidden);
		if (hp_arena_failed(arena) || hp_birnn_forward(b->t->pool, arena, &layer, b->in[l], out, &b->trace[l], NULL))
			return HP_FAIL;
	}
	return 0;
}

/* The scores become their gradients in place. */
static void measure(const batch *b, hp_matrix score, hp_tok_loss *loss)
{
	int64_t signs = 0;
	for (int row = 0; row < b->rows; row++)
		signs += b->gold[row] >= 0;
	float scale = signs ? 1.0f / (float)signs : 0.0f;
	for (int row = 0; row < b->rows; row++) {
		float *s = hp_row(score, row), total = hp_vec_log_sum_exp(HP_TOK_CLASSES, s);
		int gold = b->gold[row];
		if (gold >= 0)
			*(gold == HP_TOK_INSIDE ? &loss->inside : &loss->end) += (double)(total - s[gold]);
		loss->tokens += gold > HP_TOK_INSIDE;
		for (int k = 0; k < HP_TOK_CLASSES; k++)
			s[k] = gold < 0 ? 0.0f : scale * (expf(s[k] - total) - (float)(k == gold));
	}
	loss->signs += signs;
}

static int backward(batch *b, hp_matrix dscore)
{
	const hp_tok_net *net = b->t->net;
	hp_arena *arena = b->t->arena;
	hp_pool *pool = b->t->pool;
	size_t states = (size_t)b->p.count * (size_t)net->c.hidden, dim = (size_t)net->c.dim;
	float *carry[2] = {HP_NEW(arena, float, states), HP_NEW(arena, float, states)};
	hp_matrix d = hp_matrix_new(arena, b->rows, 2 * net->c.hidden);
	hp_matrix next = hp_matrix_new(arena, b->rows, 2 * net->c.hidden), dx = hp_matrix_new(arena, b->rows, net->c.dim);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_linear_backward(pool, b->in[net->c.layers], net->out, dscore, d, false);
	hp_mask_rows(pool, d, mask_of(b, net->c.layers), d);
	for (int l = net->c.layers - 1; l >= 0; l--) {
		hp_birnn layer = layer_of(b, l);
		hp_matrix to = l ? next : dx;
		memset(carry[0], 0, states * sizeof(float));
		memset(carry[1], 0, states * sizeof(float));
		if (hp_birnn_backward(pool, arena, &layer, b->in[l], &b->trace[l], d, carry, to))
			return HP_FAIL;
		hp_mask_rows(pool, to, mask_of(b, l), to);
		next = d;
		d = to;
	}
	for (int row = 0; row < b->rows; row++) {
		hp_vec_add(dim, hp_row(dx, row), net->chr->grad + (size_t)b->chr[row] * dim);
		hp_vec_add(dim, hp_row(dx, row), net->kind->grad + b->kind[row] * dim);
	}
	return 0;
}

int hp_tok_learn(const hp_tok_training *t, int count, const hp_tok_window *windows, hp_tok_loss *loss, hp_error *err)
{
	batch b = {.t = t, .window = windows};
	if (pack(&b, count))
		return hp_fail_memory(err);
	make_masks(&b);
	hp_matrix score = hp_matrix_new(t->arena, b.rows, HP_TOK_CLASSES);
	if (hp_arena_failed(t->arena) || forward(&b))
		return hp_fail_memory(err);
	hp_linear_forward(t->pool, b.in[t->net->c.layers], t->net->out, score);
	measure(&b, score, loss);
	return backward(&b, score) ? hp_fail_memory(err) : 0;
}
