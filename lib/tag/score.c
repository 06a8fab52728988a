/* score.c: the scores of all columns' values for the words of sentences. */
#include <string.h>

#include "nn/birnn.h"
#include "nn/int8.h"
#include "nn/vmath.h"
#include "tag/net.h"

/* All products are row by row the same for any batch (hp_param_product). */
typedef struct scoring {
	const hp_tag_net *net;
	hp_pool *pool;
	hp_arena *arena; /* of the group */
	const float *rows; /* [embeddings][R × D] all sentences' x */
	hp_matrix scores; /* [R × values] */
	const hp_tag_member *member; /* at work */
	hp_packed p;
} scoring;

enum { AT_ONCE = 256 }; /* rows whose products with W_ih are made: few enough for the second-level cache */

/* x [rows × in] -> out [rows × 2H] */
static int run_layer(const scoring *s, int layer, hp_matrix x, hp_matrix out)
{
	int H = s->net->c.hidden, most = s->p.count > AT_ONCE ? s->p.count : AT_ONCE;
	hp_matrix input = hp_matrix_new(s->arena, x.rows < most ? x.rows : most, 4 * H);
	hp_matrix state = hp_matrix_new(s->arena, s->p.count, 2 * H);
	if (hp_arena_failed(s->arena))
		return HP_FAIL;
	for (int d = 0; d < 2; d++) {
		const hp_cell *cell = &s->member->encoder[layer][d];
		hp_birnn_direction run = {&s->p, cell, d, x, input, hp_some_columns(out, d * H, H), state};
		memset(state.data, 0, (size_t)state.rows * (size_t)state.cols * sizeof(float));
		if (hp_birnn_run(s->pool, s->arena, &run))
			return HP_FAIL;
	}
	return 0;
}

/* MADE [rows × values] of X [rows × D] by the member at work. */
static int score_rows(const scoring *s, hp_matrix x, hp_matrix made)
{
	for (int l = 0; l < s->net->c.layers; l++) {
		hp_matrix out = hp_matrix_new(s->arena, x.rows, 2 * s->net->c.hidden);
		if (!out.data || run_layer(s, l, x, out))
			return HP_FAIL;
		x = out;
	}
	hp_param_product(s->pool, x, s->member->output.w, made);
	for (int i = 0; i < made.rows; i++)
		hp_vec_add((size_t)made.cols, s->member->output.b->value, hp_row(made, i));
	return 0;
}

/* The opinion MADE of the member at work, which becomes log-probabilities, into TOGETHER. */
static void hear(const scoring *s, hp_matrix made, hp_matrix together)
{
	size_t m = (size_t)(s->member - s->net->member), members = (size_t)s->net->members, from = 0;
	for (int k = 0; k < HP_TAG_COLUMNS; from += (size_t)s->net->c.values[k++])
		for (int i = 0; s->net->c.values[k] && i < made.rows; i++) {
			float *own = hp_row(made, i) + from;
			hp_vec_log_softmax((size_t)s->net->c.values[k], own);
			hp_vec_ensemble(m, members, (size_t)s->net->c.values[k], own, hp_row(together, i) + from);
		}
}

static int score_group(void *arg, hp_arena *arena, int count, const int *order, const int *lengths, const size_t *at)
{
	scoring *s = arg;
	const hp_tag_net *net = s->net;
	s->arena = arena;
	s->p = hp_pack(arena, count, lengths);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	int rows = s->p.offset[s->p.steps];
	hp_matrix x = hp_matrix_new(arena, rows, hp_embedding_dim(&net->c.embedding));
	hp_matrix made = hp_matrix_new(arena, rows, s->scores.cols), together = made;
	size_t all = (size_t)s->scores.rows * (size_t)x.cols;
	if (net->members > 1)
		together = hp_matrix_new(arena, rows, s->scores.cols);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int m = 0; m < net->members; m++) {
		hp_arena_mark mark = hp_arena_save(arena);
		s->member = &net->member[m];
		if (m < hp_tag_net_embeddings(net))
			hp_pack_rows(&s->p, order, at, (size_t)x.cols, s->rows + (size_t)m * all, x.data);
		if (score_rows(s, x, made))
			return HP_FAIL;
		if (net->members > 1)
			hear(s, made, together);
		hp_arena_restore(arena, mark);
	}
	hp_unpack_rows(&s->p, order, at, (size_t)together.cols, together.data, s->scores.data);
	return 0;
}

int hp_tag_scores(const hp_tag_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_tokens *tokens,
                  const float *vectors, float *scores, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int *lengths = HP_NEW(scratch, int, (size_t)count), rows = 0;
	for (int i = 0; lengths && i < count; i++)
		rows += lengths[i] = tokens[i].n;
	int embeddings = hp_tag_net_embeddings(net);
	size_t all = (size_t)rows * (size_t)hp_embedding_dim(&net->c.embedding);
	float *x = HP_NEW(scratch, float, (size_t)embeddings * all);
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	scoring s = {.net = net, .pool = pool, .rows = x, .scores = hp_matrix_of(scores, rows, hp_tag_outputs(&net->c))};
	for (int m = 0; m < embeddings; m++)
		if (hp_embedding_look_up(&net->member[m].embedding, pool, scratch, count, tokens, vectors, x + (size_t)m * all,
		                         err))
			return HP_FAIL;
	if (hp_each_group(scratch, count, lengths, score_group, &s))
		return hp_fail_memory(err);
	hp_arena_restore(scratch, mark);
	return 0;
}
