/* train.c: a step of training the tagger: forward, losses, backward. */
#include <string.h>

#include "nn/birnn.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "tag/net.h"

/* One member's share of a step. */
typedef struct trace {
	const hp_tag_net *net;
	const hp_tag_member *member;
	hp_pool *pool;
	hp_arena *arena; /* everything is in it */
	const hp_tag_batch *in;
	const hp_tag_dropout *dropout;
	hp_tag_dropout rates; /* DROPOUT, if not NULL */
	/* Sentences are sorted by falling length: sorted sentence s is the caller's ORDER[s]; rows are packed. */
	int *order;
	hp_packed packed;
	int rows;
	int *packed_row; /* [rows] of each token, sentence by sentence as sorted */
	int *owner; /* [rows] sentence of a packed row */
	const int32_t **gold; /* [rows] the columns' values of the packed row: [HP_TAG_COLUMNS] */
	/* masks, or NULL */
	float *word, *chr, *pos; /* [rows] of whole vectors */
	float **mask; /* [layers + 1] [count × layer's input], the last one on the output */
	float *(*state)[2]; /* [layers][2] [count × H] */
	/* forward */
	hp_embedding_trace embedding;
	hp_matrix x; /* [rows × D] */
	hp_matrix *at; /* [layers + 1] masked inputs of the layers and of the output */
	hp_birnn_trace *layer;
	hp_matrix scores; /* [rows × values]; after the losses their gradient */
	double *loss; /* [rows × HP_TAG_COLUMNS] */
	double sum[HP_TAG_COLUMNS];
	float scale;
	hp_matrix dx; /* [rows × D] */
} trace;

static int width(const trace *t, int layer)
{
	return layer ? 2 * t->net->c.hidden : hp_embedding_dim(&t->net->c.embedding);
}

/* ---- the batch ---- */

static int sort_sentences(trace *t)
{
	int count = t->in->count, row = 0;
	int *lengths = HP_NEW(t->arena, int, (size_t)count), *sorted = HP_NEW(t->arena, int, (size_t)count);
	t->order = HP_NEW(t->arena, int, (size_t)count);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int i = 0; i < count; i++)
		t->rows += lengths[i] = t->in->tokens[i].n;
	hp_sort_lengths(count, lengths, t->order);
	for (int s = 0; s < count; s++)
		sorted[s] = lengths[t->order[s]];
	t->packed = hp_pack(t->arena, count, sorted);
	t->packed_row = HP_NEW(t->arena, int, (size_t)t->rows);
	t->owner = HP_NEW(t->arena, int, (size_t)t->rows);
	int32_t *gold = HP_NEW(t->arena, int32_t, (size_t)t->rows * HP_TAG_COLUMNS);
	t->gold = HP_NEW(t->arena, const int32_t *, (size_t)t->rows);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int s = 0; s < count; s++)
		for (int i = 0; i < sorted[s]; i++, row++) {
			int packed = t->packed_row[row] = t->packed.offset[i] + s;
			t->owner[packed] = s;
			t->gold[packed] = gold;
			for (int k = 0; k < HP_TAG_COLUMNS; k++)
				*gold++ = t->in->gold[t->order[s]][k] ? t->in->gold[t->order[s]][k][i] : -1;
		}
	return 0;
}

/* Each sentence's masks come from a generator of its own, so that neither threads nor neighbours matter. */
static void draw_task(void *arg, int task)
{
	trace *t = arg;
	const hp_tag_dropout *r = t->dropout;
	size_t s = (size_t)task, H = (size_t)t->net->c.hidden;
	hp_rng rng;
	hp_rng_seed(&rng, r->seed, r->batch << 20 | (uint64_t)t->order[task]);
	for (int i = 0; i < t->in->tokens[t->order[task]].n; i++) {
		int row = t->packed.offset[i] + task;
		t->word[row] = hp_dropout_scale(&rng, r->word);
		t->chr[row] = hp_dropout_scale(&rng, r->character);
		if (t->pos)
			t->pos[row] = hp_dropout_scale(&rng, r->tags);
	}
	for (int l = 0; l <= t->net->c.layers; l++) {
		size_t n = (size_t)width(t, l);
		hp_dropout_mask(&rng, r->layers, n, t->mask[l] + s * n);
		for (int d = 0; d < 2 && l < t->net->c.layers; d++)
			hp_dropout_mask(&rng, r->hidden, H, t->state[l][d] + s * H);
	}
}

static int draw_masks(trace *t)
{
	size_t count = (size_t)t->in->count, layers = (size_t)t->net->c.layers;
	t->mask = HP_NEW0(t->arena, float *, layers + 1);
	t->state = hp_arena_zalloc(t->arena, layers, sizeof *t->state);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	if (!t->dropout)
		return 0;
	t->word = HP_NEW(t->arena, float, (size_t)t->rows);
	t->chr = HP_NEW(t->arena, float, (size_t)t->rows);
	if (t->net->c.embedding.pos_dim)
		t->pos = HP_NEW(t->arena, float, (size_t)t->rows);
	for (size_t l = 0; l <= layers; l++) {
		t->mask[l] = HP_NEW(t->arena, float, count * (size_t)width(t, (int)l));
		for (int d = 0; d < 2 && l < layers; d++)
			t->state[l][d] = HP_NEW(t->arena, float, count * (size_t)t->net->c.hidden);
	}
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_pool_run(t->pool, t->in->count, draw_task, t);
	return 0;
}

/* ---- forward ---- */

static int embed(trace *t)
{
	hp_tokens *tokens = HP_NEW(t->arena, hp_tokens, (size_t)t->in->count);
	t->x = hp_matrix_new(t->arena, t->rows, width(t, 0));
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	for (int s = 0; s < t->in->count; s++)
		tokens[s] = t->in->tokens[t->order[s]];
	t->embedding = (hp_embedding_trace){
		.rows = t->rows, .row = t->packed_row, .word_mask = t->word, .char_mask = t->chr, .pos_mask = t->pos};
	return hp_embedding_forward(&t->embedding, &t->member->embedding, t->pool, t->arena, t->in->count, tokens,
	                            t->in->vectors, t->x.data);
}

static hp_birnn layer_of(const trace *t, int l)
{
	return (hp_birnn){
		&t->packed, {t->member->encoder[l][0], t->member->encoder[l][1]}, {t->state[l][0], t->state[l][1]}};
}

static hp_mask mask_of(const trace *t, int l)
{
	return (hp_mask){t->mask[l], t->owner};
}

static int forward(trace *t)
{
	int layers = t->net->c.layers;
	if (sort_sentences(t) || draw_masks(t) || embed(t))
		return HP_FAIL;
	t->at = HP_NEW(t->arena, hp_matrix, (size_t)layers + 1);
	t->layer = HP_NEW(t->arena, hp_birnn_trace, (size_t)layers);
	t->scores = hp_matrix_new(t->arena, t->rows, hp_tag_outputs(&t->net->c));
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_matrix x = t->x;
	for (int l = 0;; l++) {
		t->at[l] = t->mask[l] ? hp_matrix_new(t->arena, t->rows, x.cols) : x;
		hp_matrix out = l < layers ? hp_matrix_new(t->arena, t->rows, width(t, l + 1)) : x;
		if (hp_arena_failed(t->arena))
			return HP_FAIL;
		if (t->mask[l])
			hp_mask_rows(t->pool, x, mask_of(t, l), t->at[l]);
		if (l == layers)
			break;
		hp_birnn layer = layer_of(t, l);
		if (hp_birnn_forward(t->pool, t->arena, &layer, t->at[l], out, &t->layer[l], NULL))
			return HP_FAIL;
		x = out;
	}
	hp_linear_forward(t->pool, t->at[layers], t->member->output, t->scores);
	return 0;
}

/* ---- losses ---- */

/* -log softmax, of which SMOOTHING is the mean over all values; SCORE becomes SCALE × its gradient. */
static double loss_of(int n, float *score, int target, float smoothing, float scale)
{
	double loss;
	if (target < 0) {
		memset(score, 0, (size_t)n * sizeof *score);
		return 0;
	}
	float sum = hp_vec_log_sum_exp((size_t)n, score), mean = 0;
	for (int i = 0; i < n; i++)
		mean += score[i];
	loss = (double)(sum - (1 - smoothing) * score[target] - smoothing * mean / (float)n);
	for (int i = 0; i < n; i++)
		score[i] = scale * (hp_exp(score[i] - sum) - smoothing / (float)n);
	score[target] -= scale * (1 - smoothing);
	return loss;
}

enum { ROWS = 32 }; /* of one task */

static void loss_task(void *arg, int task)
{
	trace *t = arg;
	for (int i = task * ROWS; i < (task + 1) * ROWS && i < t->rows; i++) {
		float *score = hp_row(t->scores, i);
		for (int k = 0; k < HP_TAG_COLUMNS; k++) {
			int n = t->net->c.values[k];
			t->loss[i * HP_TAG_COLUMNS + k] = n ? loss_of(n, score, t->gold[i][k], t->in->smoothing, t->scale) : 0;
			score += n;
		}
	}
}

static int losses(trace *t)
{
	t->loss = HP_NEW(t->arena, double, (size_t)t->rows * HP_TAG_COLUMNS);
	if (!t->loss)
		return HP_FAIL;
	hp_pool_run(t->pool, (t->rows + ROWS - 1) / ROWS, loss_task, t);
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		t->sum[k] = 0;
	for (int i = 0; i < t->rows * HP_TAG_COLUMNS; i++)
		t->sum[i % HP_TAG_COLUMNS] += t->loss[i];
	return 0;
}

/* ---- backward ---- */

/* The way back to what stands for the words. */
static int backward(trace *t)
{
	int layers = t->net->c.layers;
	size_t states = (size_t)t->in->count * (size_t)t->net->c.hidden;
	float *carry[2] = {HP_NEW(t->arena, float, states), HP_NEW(t->arena, float, states)};
	hp_matrix d = hp_matrix_new(t->arena, t->rows, width(t, layers));
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_linear_backward(t->pool, t->at[layers], t->member->output, t->scores, d, false);
	for (int l = layers;; l--) {
		if (t->mask[l])
			hp_mask_rows(t->pool, d, mask_of(t, l), d);
		if (l == 0)
			break;
		hp_birnn layer = layer_of(t, l - 1);
		hp_matrix dx = hp_matrix_new(t->arena, t->rows, width(t, l - 1));
		if (!dx.data)
			return HP_FAIL;
		for (int k = 0; k < 2; k++)
			memset(carry[k], 0, states * sizeof(float));
		if (hp_birnn_backward(t->pool, t->arena, &layer, t->at[l - 1], &t->layer[l - 1], d, carry, dx))
			return HP_FAIL;
		d = dx;
	}
	t->dx = d;
	return 0;
}

/* ---- a step ---- */

typedef struct step {
	trace *member; /* [members] */
	double *loss;
} step;

/* All but the embeddings' gradient, which may be all members'. */
static int run_member(void *arg, int m, hp_pool *pool, hp_arena *arena)
{
	trace *t = &((const step *)arg)->member[m];
	t->pool = pool;
	t->arena = arena;
	return forward(t) || losses(t) || backward(t) ? HP_FAIL : 0;
}

static int finish_member(void *arg, int m, hp_pool *pool)
{
	const step *s = arg;
	trace *t = &s->member[m];
	t->pool = pool;
	if (hp_embedding_backward(&t->embedding, &t->member->embedding, pool, t->arena, t->dx.data))
		return HP_FAIL;
	for (int k = 0; k < HP_TAG_COLUMNS; k++)
		s->loss[k] += t->sum[k];
	return 0;
}

int hp_tag_train(hp_tag_net *net, hp_pool *pool, hp_arena *scratch, const hp_tag_batch *batch,
                 const hp_tag_dropout *dropout, float scale, double *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	step s = {HP_NEW0(scratch, trace, (size_t)net->members), loss};
	hp_members_step members = {net->members, run_member, finish_member, &s, {0}, &net->arenas};
	if (!s.member)
		return hp_fail_memory(err);
	for (int m = 0; m < net->members; m++) {
		trace *t = &s.member[m];
		*t = (trace){.net = net, .member = &net->member[m], .in = batch, .scale = scale};
		if (dropout) {
			t->rates = *dropout;
			t->rates.seed = hp_member_seed(dropout->seed, m);
			t->dropout = &t->rates;
		}
	}
	memset(loss, 0, HP_TAG_COLUMNS * sizeof *loss);
	int status = hp_members_train(&members, pool, scratch);
	hp_arena_restore(scratch, mark);
	return status ? hp_fail_memory(err) : 0;
}
