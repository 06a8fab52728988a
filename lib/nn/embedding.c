/* embedding.c: what stands for a token: forward, backward, and in parsing. */
#include "nn/embedding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/vmath.h"

enum { ROWS = 32 }; /* of one task */

/* 0: none are looked up. */
static int tags_each(const hp_embedding_sizes *c)
{
	return !c->pos_dim ? 0 : c->tags_each ? c->tags_each : 1;
}

/* A row of embed.pos. */
static size_t tag_of(const hp_embedding_sizes *c, const hp_tokens *tokens, int i, int k)
{
	return (size_t)tokens->pos[i * tags_each(c) + k];
}

int hp_embedding_dim(const hp_embedding_sizes *c)
{
	return c->word_dim + c->char_filters + c->pos_dim * tags_each(c);
}

/* ---- parameters ---- */

int hp_embedding_declare(hp_params *p, const hp_embedding_sizes *c, bool words, hp_error *err)
{
	if ((words && hp_params_declare(p, err, "embed.word", 2, c->words, c->word_dim)) ||
	    hp_params_declare(p, err, "embed.char", 2, c->chars, c->char_dim) ||
	    (c->pos_dim && hp_params_declare(p, err, "embed.pos", 2, c->tags, c->pos_dim)) ||
	    hp_params_declare(p, err, "charcnn.w", 3, c->char_filters, c->char_window, c->char_dim))
		return HP_FAIL;
	return hp_params_declare(p, err, "charcnn.b", 1, c->char_filters);
}

void hp_embedding_bind(hp_embedding *e, const hp_embedding_sizes *c, const hp_params *p)
{
	e->c = *c;
	e->word = hp_params_find(p, "embed.word");
	e->chr = hp_params_find(p, "embed.char");
	e->pos = hp_params_find(p, "embed.pos");
	e->cnn = hp_params_find_affine(p, "charcnn");
}

int hp_embedding_open(hp_embedding *e, const hp_safetensors *st, const char *prefix, hp_error *err)
{
	int64_t shape[2] = {e->c.words, e->c.word_dim};
	char name[128];
	float probe;
	snprintf(name, sizeof name, "%sembed.word", prefix);
	if (hp_safetensors_need(st, name, 2, shape, &e->words, err))
		return HP_FAIL;
	if (hp_tensor_to_float(e->words, 0, 1, &probe))
		return hp_fail(err, "%s: tensor `%s` has type %s: expected F32, F16 or F8_E4M3", hp_safetensors_name(st), name,
		               hp_dtype_name(e->words->dtype));
	e->file = hp_safetensors_name(st);
	return 0;
}

static hp_charcnn charcnn(const hp_embedding *e)
{
	const hp_embedding_sizes *c = &e->c;
	return (hp_charcnn){c->chars,      c->char_dim,     c->char_window, c->char_filters,
	                    e->chr->value, e->cnn.w->value, e->cnn.b->value};
}

int hp_embedding_prepare(hp_embedding *e, hp_error *err)
{
	hp_charcnn cnn = charcnn(e);
	if (!e->char_table)
		e->char_table = malloc((size_t)cnn.chars * (size_t)cnn.window * (size_t)cnn.filters * sizeof(float) + 64);
	return e->char_table && hp_charcnn_table_rows(NULL, &cnn, e->char_table) == 0 ? 0 : hp_fail_memory(err);
}

void hp_embedding_free(hp_embedding *e)
{
	free(e->char_table);
	e->char_table = NULL;
}

void hp_embedding_init(hp_param *p, hp_rng *rng)
{
	float limit = sqrtf(3.0f / (float)p->shape[1]);
	for (size_t j = 0; j < p->count; j++)
		p->value[j] = limit * (2.0f * hp_rng_uniform(rng) - 1.0f);
}

/* ---- training ---- */

typedef struct job {
	const hp_embedding_trace *t;
	const hp_embedding *e;
	const float *vectors;
	float *x;
	hp_charcnn cnn;
} job;

static void scaled(int n, float scale, const float *x, float *y)
{
	for (int i = 0; i < n; i++)
		y[i] = scale * x[i];
}

static float scale_of(const float *mask, int row)
{
	return mask ? mask[row] : 1.0f;
}

static int row_of(const hp_embedding_trace *t, int token)
{
	return t->row ? t->row[token] : token;
}

static void forward_task(void *arg, int task)
{
	const job *j = arg;
	const hp_embedding_trace *t = j->t;
	const hp_embedding_sizes *c = &j->e->c;
	int D = hp_embedding_dim(c), F = c->char_filters;
	for (int p = task * ROWS; p < (task + 1) * ROWS && p < t->rows; p++) {
		int i = t->place[p], row = row_of(t, p);
		const hp_tokens *sent = t->sentence[p];
		float *x = j->x + (size_t)row * D, *y = t->char_y + (size_t)row * F;
		memcpy(x, j->e->word->value + (size_t)sent->words[i] * c->word_dim, (size_t)c->word_dim * sizeof(float));
		if (j->vectors && sent->vectors && sent->vectors[i] >= 0)
			hp_vec_add((size_t)c->word_dim, j->vectors + (size_t)sent->vectors[i] * c->word_dim, x);
		scaled(c->word_dim, scale_of(t->word_mask, row), x, x);
		hp_charcnn_word(&j->cnn, t->char_table, t->char_at[row], t->char_length[row], y,
		                t->char_best + (size_t)row * F);
		scaled(F, scale_of(t->char_mask, row), y, x + c->word_dim);
		x += c->word_dim + F;
		for (int k = 0; k < tags_each(c); k++, x += c->pos_dim)
			scaled(c->pos_dim, scale_of(t->pos_mask, row), j->e->pos->value + tag_of(c, sent, i, k) * c->pos_dim, x);
	}
}

int hp_embedding_forward(hp_embedding_trace *t, const hp_embedding *e, hp_pool *pool, hp_arena *arena, int count,
                         const hp_tokens *sents, const float *vectors, float *x)
{
	job j = {t, e, vectors, x, charcnn(e)};
	size_t rows = (size_t)t->rows, F = (size_t)e->c.char_filters;
	t->sentence = HP_NEW(arena, const hp_tokens *, rows);
	t->place = HP_NEW(arena, int, rows);
	t->char_y = HP_NEW(arena, float, rows * F);
	t->char_best = HP_NEW(arena, int32_t, rows * F);
	t->char_at = HP_NEW(arena, const int32_t *, rows);
	t->char_length = HP_NEW(arena, int32_t, rows);
	t->char_table = HP_NEW(arena, float, (size_t)j.cnn.chars * (size_t)j.cnn.window * F);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	int token = 0;
	for (int s = 0; s < count; s++) {
		const int32_t *chars = sents[s].chars;
		for (int i = 0; i < sents[s].n; i++, token++) {
			int row = row_of(t, token);
			t->sentence[token] = &sents[s];
			t->place[token] = i;
			t->char_at[row] = chars;
			t->char_length[row] = sents[s].char_lengths[i];
			chars += sents[s].char_lengths[i];
		}
	}
	hp_charcnn_table(pool, &j.cnn, t->char_table);
	hp_pool_run(pool, (t->rows + ROWS - 1) / ROWS, forward_task, &j);
	return 0;
}

int hp_embedding_backward(const hp_embedding_trace *t, const hp_embedding *e, hp_pool *pool, hp_arena *arena,
                          const float *dx)
{
	const hp_embedding_sizes *c = &e->c;
	hp_charcnn cnn = charcnn(e);
	size_t D = (size_t)hp_embedding_dim(c), F = (size_t)c->char_filters, rows = (size_t)t->rows;
	float *dtable = HP_NEW0(arena, float, (size_t)cnn.chars * (size_t)cnn.window * F);
	float *dchar = HP_NEW(arena, float, rows * F);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	/* One thread: rows of the tables are shared among words, and the sums' order must not change. */
	for (int p = 0; p < t->rows; p++) {
		int i = t->place[p], row = row_of(t, p);
		const hp_tokens *sent = t->sentence[p];
		const float *d = dx + (size_t)row * D;
		float word = scale_of(t->word_mask, row), pos = scale_of(t->pos_mask, row);
		float *dword = e->word->grad + (size_t)sent->words[i] * c->word_dim;
		for (int k = 0; k < c->word_dim; k++)
			dword[k] += word * d[k];
		scaled(c->char_filters, scale_of(t->char_mask, row), d + c->word_dim, dchar + (size_t)row * F);
		d += c->word_dim + c->char_filters;
		for (int k = 0; k < tags_each(c); k++, d += c->pos_dim) {
			float *dpos = e->pos->grad + tag_of(c, sent, i, k) * c->pos_dim;
			for (int j = 0; j < c->pos_dim; j++)
				dpos[j] += pos * d[j];
		}
	}
	hp_charcnn_words words = {t->char_at, t->char_length, t->char_best};
	hp_charcnn_backward(pool, &cnn, &words, hp_matrix_of(t->char_y, t->rows, c->char_filters),
	                    hp_matrix_of(dchar, t->rows, c->char_filters), dtable, e->cnn.b->grad);
	hp_charcnn_table_backward(pool, &cnn, dtable, e->chr->grad, e->cnn.w->grad);
	return 0;
}

/* ---- parsing ---- */

typedef struct lookup {
	const hp_embedding *e;
	const hp_tokens *sents;
	const float *vectors;
	const int *at; /* [count] row of each sentence's first token */
	int32_t *refused; /* [count] a row of embed.word, -1: none */
	hp_charcnn cnn;
	float *x;
} lookup;

/* False: the row has been read from the file, and holds what no weight can be. */
static bool word_row(const lookup *l, int word, float *x)
{
	int dim = l->e->c.word_dim;
	if (!l->e->words) {
		memcpy(x, l->e->word->value + (size_t)word * dim, (size_t)dim * sizeof(float));
		return true;
	}
	return hp_tensor_to_float(l->e->words, (int64_t)word * dim, dim, x) == 0 &&
	       hp_vec_within((size_t)dim, x, HP_LARGEST);
}

static void lookup_task(void *arg, int task)
{
	const lookup *l = arg;
	const hp_embedding_sizes *c = &l->e->c;
	const hp_tokens *sent = &l->sents[task];
	const int32_t *chars = sent->chars;
	for (int i = 0; i < sent->n; i++) {
		float *x = l->x + (size_t)(l->at[task] + i) * (size_t)hp_embedding_dim(c);
		if (!word_row(l, sent->words[i], x)) {
			l->refused[task] = sent->words[i];
			return;
		}
		if (l->vectors && sent->vectors && sent->vectors[i] >= 0)
			hp_vec_add((size_t)c->word_dim, l->vectors + (size_t)sent->vectors[i] * c->word_dim, x);
		hp_charcnn_word(&l->cnn, l->e->char_table, chars, sent->char_lengths[i], x + c->word_dim, NULL);
		chars += sent->char_lengths[i];
		x += c->word_dim + c->char_filters;
		for (int k = 0; k < tags_each(c); k++, x += c->pos_dim)
			memcpy(x, l->e->pos->value + tag_of(c, sent, i, k) * c->pos_dim, (size_t)c->pos_dim * sizeof(float));
	}
}

int hp_embedding_look_up(const hp_embedding *e, hp_pool *pool, hp_arena *scratch, int count, const hp_tokens *sents,
                         const float *vectors, float *x, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	int *at = HP_NEW(scratch, int, (size_t)count + 1);
	int32_t *refused = HP_NEW(scratch, int32_t, (size_t)count);
	if (hp_arena_failed(scratch))
		return hp_fail_memory(err);
	at[0] = 0;
	for (int s = 0; s < count; s++) {
		at[s + 1] = at[s] + sents[s].n;
		refused[s] = -1;
	}
	lookup l = {e, sents, vectors, at, refused, charcnn(e), x};
	hp_pool_run(pool, count, lookup_task, &l);
	for (int s = 0; s < count; s++)
		if (refused[s] >= 0)
			return hp_fail(err, "%s: tensor `%s`, row %d: a value that is not finite or beyond %g", e->file,
			               e->words->name, (int)refused[s] + 1, (double)HP_LARGEST);
	hp_arena_restore(scratch, mark);
	return 0;
}
