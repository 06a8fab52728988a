/* embed.c: words, characters and tags -> x, for training and parsing. */
#include "dep/train.h"

#include <string.h>

#include "nn/vmath.h"

enum { ROWS = 32 }; /* of one task */

/* ---- training ---- */

typedef struct embedding {
	hp_dep_trace *t;
	const hp_dep_net *net;
	const float *vectors;
	hp_charcnn cnn;
} embedding;

static void scaled(int n, float scale, const float *x, float *y)
{
	for (int i = 0; i < n; i++)
		y[i] = scale * x[i];
}

static float scale_of(const float *mask, int row)
{
	return mask ? mask[row] : 1.0f;
}

static void forward_task(void *arg, int task)
{
	const embedding *e = arg;
	hp_dep_trace *t = e->t;
	const hp_dep_config *c = &e->net->c;
	int D = hp_dep_input_dim(c), F = c->char_filters;
	for (int p = task * ROWS; p < (task + 1) * ROWS && p < t->plan.rows; p++) { /* position rows */
		int s = t->plan.position_owner[p], i = p - t->plan.at[s], row = t->packed_row[p];
		const hp_dep_sent *sent = t->sents[s];
		float *x = t->x + (size_t)row * D, *y = t->char_y + (size_t)row * F;
		memcpy(x, e->net->word->value + (size_t)sent->words[i] * c->word_dim, (size_t)c->word_dim * sizeof(float));
		if (e->vectors && sent->vectors && sent->vectors[i] >= 0)
			hp_vec_add((size_t)c->word_dim, e->vectors + (size_t)sent->vectors[i] * c->word_dim, x);
		scaled(c->word_dim, scale_of(t->mask.word, row), x, x);
		hp_charcnn_word(&e->cnn, t->char_table, t->char_at[row], t->char_length[row], y, t->char_best + (size_t)row * F);
		scaled(F, scale_of(t->mask.chr, row), y, x + c->word_dim);
		if (c->pos_dim)
			scaled(c->pos_dim, scale_of(t->mask.pos, row), e->net->pos->value + (size_t)sent->pos[i] * c->pos_dim,
			       x + c->word_dim + F);
	}
}

int hp_dep_embed_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *vectors)
{
	embedding e = {t, net, vectors, hp_dep_charcnn(net)};
	size_t rows = (size_t)t->plan.rows, F = (size_t)net->c.char_filters;
	t->x = HP_NEW(arena, float, rows * (size_t)hp_dep_input_dim(&net->c));
	t->char_y = HP_NEW(arena, float, rows * F);
	t->char_best = HP_NEW(arena, int32_t, rows * F);
	t->char_at = HP_NEW(arena, const int32_t *, rows);
	t->char_length = HP_NEW(arena, int32_t, rows);
	t->char_table = HP_NEW(arena, float, (size_t)e.cnn.chars * (size_t)e.cnn.window * F);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < t->count; s++) {
		const int32_t *chars = t->sents[s]->chars;
		for (int i = 0; i < t->n[s]; i++) {
			int row = t->packed_row[t->plan.at[s] + i];
			t->char_at[row] = chars;
			t->char_length[row] = t->sents[s]->char_lengths[i];
			chars += t->sents[s]->char_lengths[i];
		}
	}
	hp_charcnn_table(pool, &e.cnn, t->char_table);
	hp_pool_run(pool, (t->plan.rows + ROWS - 1) / ROWS, forward_task, &e);
	return 0;
}

int hp_dep_embed_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *dx)
{
	const hp_dep_config *c = &net->c;
	hp_charcnn cnn = hp_dep_charcnn(net);
	size_t D = (size_t)hp_dep_input_dim(c), F = (size_t)c->char_filters, rows = (size_t)t->plan.rows;
	float *dtable = HP_NEW0(arena, float, (size_t)cnn.chars * (size_t)cnn.window * F);
	float *dchar = HP_NEW(arena, float, rows * F);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	/* One thread: rows of the tables are shared among words, and the sums' order must not change. */
	for (int p = 0; p < t->plan.rows; p++) {
		int s = t->plan.position_owner[p], i = p - t->plan.at[s], row = t->packed_row[p];
		const hp_dep_sent *sent = t->sents[s];
		const float *d = dx + (size_t)row * D;
		float word = scale_of(t->mask.word, row), pos = scale_of(t->mask.pos, row);
		float *dword = net->word->grad + (size_t)sent->words[i] * c->word_dim;
		for (int k = 0; k < c->word_dim; k++)
			dword[k] += word * d[k];
		scaled(c->char_filters, scale_of(t->mask.chr, row), d + c->word_dim, dchar + (size_t)row * F);
		float *dpos = c->pos_dim ? net->pos->grad + (size_t)sent->pos[i] * c->pos_dim : NULL;
		for (int k = 0; k < c->pos_dim; k++)
			dpos[k] += pos * d[c->word_dim + c->char_filters + k];
	}
	hp_charcnn_backward(pool, &cnn, t->plan.rows, t->char_at, t->char_length, t->char_best, t->char_y, c->char_filters, dchar,
	                    c->char_filters, dtable, net->cnn.b->grad);
	hp_charcnn_table_backward(pool, &cnn, dtable, net->chr->grad, net->cnn.w->grad);
	return 0;
}

/* ---- parsing ---- */

typedef struct lookup {
	const hp_dep_net *net;
	const hp_dep_sent *sents;
	const float *vectors;
	const int *at; /* [count] row of each sentence's first position */
	hp_charcnn cnn;
	float *x;
} lookup;

static void word_row(const lookup *l, int word, float *x)
{
	int dim = l->net->c.word_dim;
	if (!l->net->words) {
		memcpy(x, l->net->word->value + (size_t)word * dim, (size_t)dim * sizeof(float));
	} else if (hp_tensor_to_float(l->net->words, (int64_t)word * dim, dim, x)) {
		memset(x, 0, (size_t)dim * sizeof(float)); /* not reached: hp_dep_net_open has tried the type */
	}
}

static void lookup_task(void *arg, int task)
{
	const lookup *l = arg;
	const hp_dep_config *c = &l->net->c;
	const hp_dep_sent *sent = &l->sents[task];
	const int32_t *chars = sent->chars;
	for (int i = 0; i < sent->n; i++) {
		float *x = l->x + (size_t)(l->at[task] + i) * (size_t)hp_dep_input_dim(c);
		word_row(l, sent->words[i], x);
		if (l->vectors && sent->vectors && sent->vectors[i] >= 0)
			hp_vec_add((size_t)c->word_dim, l->vectors + (size_t)sent->vectors[i] * c->word_dim, x);
		hp_charcnn_word(&l->cnn, l->net->char_table, chars, sent->char_lengths[i], x + c->word_dim, NULL);
		chars += sent->char_lengths[i];
		if (c->pos_dim)
			memcpy(x + c->word_dim + c->char_filters, l->net->pos->value + (size_t)sent->pos[i] * c->pos_dim,
			       (size_t)c->pos_dim * sizeof(float));
	}
}

int hp_dep_embed(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, float *x, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int *at = HP_NEW(scratch, int, (size_t)count + 1);
	if (!at)
		return hp_fail_memory(err);
	at[0] = 0;
	for (int s = 0; s < count; s++)
		at[s + 1] = at[s] + sents[s].n;
	lookup l = {net, sents, vectors, at, hp_dep_charcnn(net), x};
	hp_pool_run(pool, count, lookup_task, &l);
	hp_arena_restore(scratch, mark);
	return 0;
}
