/* dropout.c: the masks of a training batch. */
#include "nn/dropout.h"

#include "pointer/train.h"

static size_t input_of(const hp_net *net, int layer)
{
	return layer ? 2 * net->s.H : net->s.D;
}

/* Each sentence's masks come from a generator of its own, so that neither threads nor neighbours matter. */
typedef struct drawing {
	hp_trace *t;
	const hp_dropout *rates;
} drawing;

static void seed_rng(hp_rng *rng, const drawing *a, int s)
{
	hp_rng_seed(rng, a->rates->seed, a->rates->batch << 20 | (uint64_t)a->t->batch.order[s]);
}

/* ---- dependency networks: the same in all steps of a sentence ---- */

static void alloc_by_sentence(hp_trace *t)
{
	hp_masks *m = &t->batch.mask;
	const hp_net *net = t->net;
	size_t count = (size_t)t->batch.count, rows = (size_t)t->batch.rows, size = (size_t)net->c.label_mlp;
	m->by_sentence = true;
	for (int l = 0; l < net->c.layers; l++) {
		m->in[l] = HP_NEW(t->arena, float, count * input_of(net, l));
		for (int d = 0; d < 2; d++)
			m->state[l][d] = HP_NEW(t->arena, float, count * net->s.H);
	}
	m->unit = HP_NEW(t->arena, float, count * net->s.W);
	m->fused = HP_NEW(t->arena, float, count * net->s.Q);
	m->out = HP_NEW(t->arena, float, count * net->s.Q);
	m->pointer_g1 = HP_NEW(t->arena, float, count * net->s.A);
	m->pointer_g2 = HP_NEW(t->arena, float, count * net->s.A);
	m->label_g1 = HP_NEW(t->arena, float, count * size);
	m->label_g2 = HP_NEW(t->arena, float, count * size);
	m->word = HP_NEW(t->arena, float, rows);
	m->chr = HP_NEW(t->arena, float, rows);
	m->pos = HP_NEW(t->arena, float, rows);
}

static void draw(hp_rng *rng, float rate, size_t width, float *mask, size_t row)
{
	hp_dropout_mask(rng, rate, width, mask + row * width);
}

static void by_sentence_task(void *arg, int task)
{
	const drawing *a = arg;
	const hp_batch *b = &a->t->batch;
	const hp_dropout *r = a->rates;
	const hp_net *net = a->t->net;
	const hp_masks *m = &b->mask;
	size_t s = (size_t)task, size = (size_t)net->c.label_mlp;
	hp_rng rng;
	seed_rng(&rng, a, task);
	for (int i = 0; i < b->sample[s]->rows; i++) {
		int row = b->packed.offset[i] + task;
		m->word[row] = hp_dropout_scale(&rng, r->word);
		m->chr[row] = hp_dropout_scale(&rng, r->character);
		m->pos[row] = hp_dropout_scale(&rng, r->pos);
	}
	for (int l = 0; l < net->c.layers; l++) {
		draw(&rng, r->lstm_layers, input_of(net, l), m->in[l], s);
		draw(&rng, r->lstm_hidden, net->s.H, m->state[l][0], s);
		draw(&rng, r->lstm_hidden, net->s.H, m->state[l][1], s);
	}
	draw(&rng, r->lstm_layers, net->s.W, m->unit, s);
	draw(&rng, r->lstm_hidden, net->s.Q, m->fused, s);
	draw(&rng, r->lstm_layers, net->s.Q, m->out, s);
	draw(&rng, r->mlp, net->s.A, m->pointer_g1, s);
	draw(&rng, r->mlp, net->s.A, m->pointer_g2, s);
	draw(&rng, r->mlp, size, m->label_g1, s);
	draw(&rng, r->mlp, size, m->label_g2, s);
}

/* ---- the others: value by value ---- */

static void alloc_by_value(hp_trace *t)
{
	hp_masks *m = &t->batch.mask;
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	for (int l = 0; l < net->c.layers; l++)
		m->in[l] = HP_NEW(t->arena, float, (size_t)t->batch.rows * input_of(net, l));
	for (int l = 0; l < net->c.document_layers; l++)
		m->document[l] = HP_NEW(t->arena, float, (size_t)p->rows * (l ? 2 * net->s.H : net->s.E));
	for (size_t l = 1; l < net->s.L; l++)
		m->decoder[l] = HP_NEW(t->arena, float, (size_t)p->total * net->s.Q);
	m->label_g1 = HP_NEW(t->arena, float, (size_t)p->rows * (size_t)net->c.label_mlp);
	m->label_g2 = HP_NEW(t->arena, float, (size_t)p->rows * (size_t)net->c.label_mlp);
}

static void by_value_task(void *arg, int s)
{
	const drawing *a = arg;
	const hp_batch *b = &a->t->batch;
	const hp_levels *p = &b->levels;
	const hp_dropout *r = a->rates;
	const hp_net *net = a->t->net;
	size_t size = (size_t)net->c.label_mlp;
	hp_rng rng;
	seed_rng(&rng, a, s);
	for (int l = 0; l < net->c.layers; l++) {
		for (int i = b->row_at[s]; i < b->row_at[s + 1]; i++)
			draw(&rng, l ? r->encoder : r->input, input_of(net, l), b->mask.in[l], (size_t)b->packed_row[i]);
		for (int i = p->step_at[s]; l && i < p->step_at[s + 1]; i++)
			draw(&rng, r->decoder, net->s.Q, b->mask.decoder[l], (size_t)p->order_row[i]);
	}
	const int *label_at = net->c.label_halves ? p->pair_at : p->at;
	for (int i = label_at[s]; i < label_at[s + 1]; i++) {
		draw(&rng, r->classifier, size, b->mask.label_g1, (size_t)i);
		draw(&rng, r->classifier, size, b->mask.label_g2, (size_t)i);
	}
	for (int l = 0; l < net->c.document_layers; l++)
		for (int i = p->at[s]; i < p->at[s + 1]; i++)
			draw(&rng, r->encoder, l ? 2 * net->s.H : net->s.E, b->mask.document[l], (size_t)b->document_row[i]);
}

int hp_masks_draw(hp_trace *t, const hp_dropout *dropout)
{
	hp_masks *m = &t->batch.mask;
	bool dep = t->net->c.task == HP_TASK_DEP;
	*m = (hp_masks){.in = HP_NEW0(t->arena, float *, (size_t)t->net->c.layers),
	                              .state = hp_arena_zalloc(t->arena, (size_t)t->net->c.layers, sizeof *m->state),
	                              .document = HP_NEW0(t->arena, float *, (size_t)t->net->c.document_layers + 1),
	                                                  .decoder = HP_NEW0(t->arena, float *, t->net->s.L)};
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	if (!dropout)
		return 0;
	(dep ? alloc_by_sentence : alloc_by_value)(t);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	drawing a = {t, dropout};
	hp_pool_run(t->pool, t->batch.count, dep ? by_sentence_task : by_value_task, &a);
	return 0;
}
