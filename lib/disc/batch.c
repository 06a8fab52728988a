/* batch.c: a training batch's bookkeeping: order of sentences, packing, dropout masks. */
#include "disc/train.h"

#include <string.h>

#include "nn/dropout.h"

/* Sorts by falling number of words. */
static int sort_sentences(hp_rst_trace *t, hp_arena *arena, const hp_rst_sent *sents)
{
	size_t count = (size_t)t->count;
	t->order = HP_NEW(arena, int, count);
	t->sents = HP_NEW(arena, const hp_rst_sent *, count);
	t->at = HP_NEW(arena, size_t, count + 1);
	int *lengths = HP_NEW(arena, int, count), *sorted = HP_NEW(arena, int, count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	t->at[0] = 0;
	for (int i = 0; i < t->count; i++) {
		lengths[i] = sents[i].words;
		t->at[i + 1] = t->at[i] + (size_t)sents[i].words;
	}
	hp_sort_lengths(t->count, lengths, t->order);
	for (int s = 0; s < t->count; s++) {
		t->sents[s] = &sents[t->order[s]];
		sorted[s] = lengths[t->order[s]];
	}
	t->packed = hp_pack(arena, t->count, sorted);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static void alloc_masks(hp_rst_trace *t, hp_arena *arena, const hp_rst_config *c)
{
	hp_rst_masks *m = &t->mask;
	size_t words = (size_t)t->words, edus = (size_t)t->plan.rows, H = (size_t)c->hidden, L = (size_t)c->label_mlp;
	for (int l = 0; l < c->layers; l++) {
		m->in[l] = HP_NEW(arena, float, words * (size_t)hp_rst_input_of(c, l));
		m->decoder[l] = l ? HP_NEW(arena, float, (size_t)t->plan.total * H) : NULL;
	}
	m->label_g1 = HP_NEW(arena, float, edus * L);
	m->label_g2 = HP_NEW(arena, float, edus * L);
}

typedef struct drawing {
	hp_rst_trace *t;
	const hp_rst_config *c;
	const hp_rst_dropout *rates;
} drawing;

/* Sentence s's masks: from its own generator, so that neither threads nor neighbours matter. */
static void draw_task(void *arg, int s)
{
	const drawing *a = arg;
	const hp_rst_dropout *r = a->rates;
	const hp_rst_trace *t = a->t;
	size_t H = (size_t)a->c->hidden, L = (size_t)a->c->label_mlp;
	hp_rng rng;
	hp_rng_seed(&rng, r->seed, r->batch << 20 | (uint64_t)t->order[s]);
	for (int l = 0; l < a->c->layers; l++) {
		size_t in = (size_t)hp_rst_input_of(a->c, l);
		for (int i = 0; i < t->sents[s]->words; i++)
			hp_dropout_mask(&rng, l ? r->encoder : r->input, in,
			                t->mask.in[l] + (size_t)(t->packed.offset[i] + s) * in);
		for (int i = t->plan.step_at[s]; l && i < t->plan.step_at[s + 1]; i++)
			hp_dropout_mask(&rng, r->decoder, H, t->mask.decoder[l] + (size_t)t->plan.order_row[i] * H);
	}
	for (size_t i = (size_t)t->plan.at[s]; i < (size_t)t->plan.at[s + 1]; i++) {
		hp_dropout_mask(&rng, r->classifier, L, t->mask.label_g1 + i * L);
		hp_dropout_mask(&rng, r->classifier, L, t->mask.label_g2 + i * L);
	}
}

int hp_rst_batch_make(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, int count,
                      const hp_rst_sent *sents, const hp_rst_dropout *dropout)
{
	*t = (hp_rst_trace){.count = count};
	if (sort_sentences(t, arena, sents) || hp_rst_plan_make(&t->plan, arena, net->c.fusion, count, t->sents))
		return HP_FAIL;
	t->words = (int)t->at[count];
	t->edu_row = HP_NEW(arena, int, (size_t)t->plan.rows);
	t->mask.in = HP_NEW0(arena, float *, (size_t)net->c.layers);
	t->mask.decoder = HP_NEW0(arena, float *, (size_t)net->c.layers);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < count; s++)
		for (int i = 0; i < t->sents[s]->edus; i++)
			t->edu_row[t->plan.at[s] + i] = t->packed.offset[t->sents[s]->ends[i]] + s;
	if (!dropout)
		return 0;
	alloc_masks(t, arena, &net->c);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	drawing a = {t, &net->c, dropout};
	hp_pool_run(pool, count, draw_task, &a);
	return 0;
}
