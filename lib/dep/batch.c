/* batch.c: a training batch's bookkeeping: order of sentences, packing, dropout masks. */
#include "dep/train.h"

#include <string.h>

#include "nn/dropout.h"

static int sort_sentences(hp_dep_trace *t, hp_arena *arena, const hp_dep_sent *sents)
{
	int *lengths = HP_NEW(arena, int, (size_t)t->count);
	if (!lengths)
		return HP_FAIL;
	for (int i = 0; i < t->count; i++)
		lengths[i] = sents[i].n;
	hp_sort_lengths(t->count, lengths, t->order);
	for (int s = 0; s < t->count; s++) {
		t->sents[s] = &sents[t->order[s]];
		t->n[s] = t->sents[s]->n;
	}
	return 0;
}

static void map_packed(hp_dep_trace *t)
{
	for (int i = 0; i < t->packed.steps; i++)
		for (int s = 0; s < t->packed.active[i]; s++) {
			int row = t->packed.offset[i] + s;
			t->packed_row[t->plan.at[s] + i] = row;
			t->packed_owner[row] = s;
		}
}

static void alloc_masks(hp_dep_masks *m, hp_arena *arena, const hp_dep_config *c, size_t count, size_t rows)
{
	m->in = HP_NEW0(arena, float *, (size_t)c->layers);
	m->state = hp_arena_zalloc(arena, (size_t)c->layers, sizeof *m->state);
	if (hp_arena_failed(arena))
		return;
	for (int l = 0; l < c->layers; l++) {
		m->in[l] = HP_NEW(arena, float, count * (size_t)(l ? 2 * c->hidden : hp_dep_input_dim(c)));
		for (int d = 0; d < 2; d++)
			m->state[l][d] = HP_NEW(arena, float, count * (size_t)c->hidden);
	}
	m->h = HP_NEW(arena, float, count * 2 * (size_t)c->hidden);
	m->fused = HP_NEW(arena, float, count * (size_t)c->decoder_hidden);
	m->out = HP_NEW(arena, float, count * (size_t)c->decoder_hidden);
	m->pointer_g1 = HP_NEW(arena, float, count * (size_t)c->arc_mlp);
	m->pointer_g2 = HP_NEW(arena, float, count * (size_t)c->arc_mlp);
	m->label_g1 = HP_NEW(arena, float, count * (size_t)c->label_mlp);
	m->label_g2 = HP_NEW(arena, float, count * (size_t)c->label_mlp);
	m->word = HP_NEW(arena, float, rows);
	m->chr = HP_NEW(arena, float, rows);
	m->pos = HP_NEW(arena, float, rows);
}

typedef struct drawing {
	hp_dep_trace *t;
	const hp_dep_config *c;
	const hp_dep_dropout *rates;
} drawing;

/* Sentence s's masks: from its own generator, so that neither threads nor neighbours matter. */
static void draw_task(void *arg, int task)
{
	const drawing *a = arg;
	size_t s = (size_t)task;
	const hp_dep_dropout *r = a->rates;
	const hp_dep_config *c = a->c;
	hp_dep_masks *m = &a->t->mask;
	size_t D = (size_t)hp_dep_input_dim(c), H = (size_t)c->hidden, Q = (size_t)c->decoder_hidden;
	size_t A = (size_t)c->arc_mlp, L = (size_t)c->label_mlp;
	hp_rng rng;
	hp_rng_seed(&rng, r->seed, r->batch << 20 | (uint64_t)a->t->order[s]);
	for (int i = 0; i < a->t->n[s]; i++) {
		int row = a->t->packed_row[a->t->plan.at[s] + i];
		m->word[row] = hp_dropout_scale(&rng, r->word);
		m->chr[row] = hp_dropout_scale(&rng, r->character);
		m->pos[row] = hp_dropout_scale(&rng, r->pos);
	}
	for (int l = 0; l < c->layers; l++) {
		size_t in = l ? 2 * H : D;
		hp_dropout_mask(&rng, r->lstm_layers, in, m->in[l] + s * in);
		hp_dropout_mask(&rng, r->lstm_hidden, H, m->state[l][0] + s * H);
		hp_dropout_mask(&rng, r->lstm_hidden, H, m->state[l][1] + s * H);
	}
	hp_dropout_mask(&rng, r->lstm_layers, 2 * H, m->h + s * 2 * H);
	hp_dropout_mask(&rng, r->lstm_hidden, Q, m->fused + s * Q);
	hp_dropout_mask(&rng, r->lstm_layers, Q, m->out + s * Q);
	hp_dropout_mask(&rng, r->mlp, A, m->pointer_g1 + s * A);
	hp_dropout_mask(&rng, r->mlp, A, m->pointer_g2 + s * A);
	hp_dropout_mask(&rng, r->mlp, L, m->label_g1 + s * L);
	hp_dropout_mask(&rng, r->mlp, L, m->label_g2 + s * L);
}

int hp_dep_batch_make(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, int count,
                      const hp_dep_sent *sents, const hp_dep_dropout *dropout)
{
	memset(t, 0, sizeof *t);
	t->count = count;
	t->order = HP_NEW(arena, int, (size_t)count);
	t->sents = HP_NEW(arena, const hp_dep_sent *, (size_t)count);
	t->n = HP_NEW(arena, int, (size_t)count);
	const int32_t **heads = HP_NEW(arena, const int32_t *, (size_t)count);
	if (hp_arena_failed(arena) || sort_sentences(t, arena, sents))
		return HP_FAIL;
	for (int s = 0; s < count; s++)
		heads[s] = t->sents[s]->heads;
	t->packed = hp_pack(arena, count, t->n);
	if (hp_arena_failed(arena) || hp_plan_make(&t->plan, arena, net->c.fusion, count, t->n, heads))
		return HP_FAIL;
	t->packed_row = HP_NEW(arena, int, (size_t)t->plan.rows);
	t->packed_owner = HP_NEW(arena, int, (size_t)t->plan.rows);
	if (dropout)
		alloc_masks(&t->mask, arena, &net->c, (size_t)count, (size_t)t->plan.rows);
	else {
		t->mask.in = HP_NEW0(arena, float *, (size_t)net->c.layers);
		t->mask.state = hp_arena_zalloc(arena, (size_t)net->c.layers, sizeof *t->mask.state);
	}
	if (hp_arena_failed(arena))
		return HP_FAIL;
	map_packed(t);
	if (dropout) {
		drawing a = {t, &net->c, dropout};
		hp_pool_run(pool, count, draw_task, &a);
	}
	return 0;
}
