/* point.c: what the decoder points to, in training: scores of a step's units, their loss, and the way back.
 *
 * dep: biaffine (paper Eq. 7; Dozat and Manning 2017): g1 and g2 by MLPs of states and units, score = (g1 · W + v) · g2.
 * rst: the dot product of state and unit. */
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/train.h"

static hp_pointer_batch pointer_batch(const hp_trace *t)
{
	const hp_levels *p = &t->batch.levels;
	return (hp_pointer_batch){p->count, p->units, p->at, p->steps, p->step_at, t->point.score_at};
}

/* The last layer's hidden states, in step order, with dropout. */
static void gather_states(hp_trace *t)
{
	const hp_levels *p = &t->batch.levels;
	size_t Q = t->net->s.Q, width = t->net->s.P * Q, last = t->net->s.L - 1;
	const float *mask = t->batch.mask.out;
	for (int r = 0; r < p->total; r++) {
		float *d = t->point.d + (size_t)r * Q;
		memcpy(d, t->decode.state + (size_t)(t->batch.count + p->order_row[r]) * width + last * Q, Q * sizeof(float));
		if (mask)
			hp_vec_mul(Q, mask + (size_t)p->owner[r] * Q, d);
	}
}

static int alloc(hp_trace *t)
{
	hp_point_trace *o = &t->point;
	const hp_levels *p = &t->batch.levels;
	size_t total = (size_t)p->total, rows = (size_t)p->rows, A = t->net->s.A, count = (size_t)p->count;
	o->d = HP_NEW(t->arena, float, total * t->net->s.Q);
	o->score_at = HP_NEW(t->arena, size_t, count + 1);
	o->q = o->d;
	o->g2 = t->encode.unit;
	if (t->net->pointer_w) {
		o->g1_plain = HP_NEW(t->arena, float, total * A);
		o->g1 = t->batch.mask.pointer_g1 ? HP_NEW(t->arena, float, total * A) : o->g1_plain;
		o->q = HP_NEW(t->arena, float, total * A);
		o->g2_plain = HP_NEW(t->arena, float, rows * A);
		o->g2 = t->batch.mask.pointer_g2 ? HP_NEW(t->arena, float, rows * A) : o->g2_plain;
	}
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	o->score_at[0] = 0;
	for (size_t s = 0; s < count; s++)
		o->score_at[s + 1] = o->score_at[s] + (size_t)p->steps[s] * (size_t)p->units[s];
	o->scores = HP_NEW(t->arena, float, o->score_at[count]);
	return hp_arena_failed(t->arena) ? HP_FAIL : 0;
}

int hp_point_forward(hp_trace *t)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	hp_point_trace *o = &t->point;
	int A = (int)net->s.A;
	if (alloc(t))
		return HP_FAIL;
	gather_states(t);
	if (net->pointer_w) {
		hp_mlp_forward(t->pool, p->total, (int)net->s.Q, A, o->d, net->pointer_g1.w->value, net->pointer_g1.b->value,
		               t->batch.mask.pointer_g1, p->owner, o->g1_plain, o->g1);
		hp_mlp_forward(t->pool, p->rows, (int)net->s.W, A, t->encode.unit, net->pointer_g2.w->value,
		               net->pointer_g2.b->value, t->batch.mask.pointer_g2, p->unit_owner, o->g2_plain, o->g2);
		hp_pointer_query(t->pool, p->total, A, o->g1, net->pointer_w->value, net->pointer_v->value, o->q);
	}
	hp_pointer_batch b = pointer_batch(t);
	hp_pointer_scores(t->pool, &b, A, o->q, o->g2, o->scores);
	return 0;
}

/* ---- losses, of pointer and labels ---- */

typedef struct losses {
	const hp_trace *t;
	float scale;
} losses;

static void loss_task(void *arg, int s)
{
	const losses *a = arg;
	const hp_levels *p = &a->t->batch.levels;
	size_t units = (size_t)p->units[s], labels = (size_t)a->t->net->c.labels;
	double *structure = &a->t->loss[s], *label = &a->t->loss[p->count + s];
	*structure = *label = 0;
	for (int i = 0; i < p->steps[s]; i++) {
		int r = p->step_at[s] + i, end = p->first[r] + p->choices[r];
		float *scores = a->t->point.scores + a->t->point.score_at[s] + (size_t)i * units;
		*structure += hp_softmax_loss(p->choices[r], scores + p->first[r], p->target[r], a->scale);
		memset(scores, 0, (size_t)p->first[r] * sizeof(float));
		memset(scores + end, 0, (units - (size_t)end) * sizeof(float));
	}
	for (int i = p->pair_at[s]; i < p->pair_at[s + 1]; i++)
		*label += hp_softmax_loss((int)labels, a->t->label.y + (size_t)i * labels, p->label[i], a->scale);
}

void hp_losses(hp_trace *t, float scale, hp_loss *loss)
{
	losses a = {t, scale};
	hp_pool_run(t->pool, t->batch.count, loss_task, &a);
	*loss = (hp_loss){.pairs = t->batch.levels.pairs, .steps = t->batch.levels.total};
	for (int s = 0; s < t->batch.count; s++) {
		loss->structure += t->loss[s];
		loss->label += t->loss[t->batch.count + s];
	}
}

/* ---- backward ---- */

int hp_point_backward(hp_trace *t, float *du, float *dd)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	const hp_point_trace *o = &t->point;
	size_t A = net->s.A;
	hp_pointer_batch b = pointer_batch(t);
	if (!net->pointer_w) {
		hp_pointer_scores_backward(t->pool, &b, (int)A, o->q, o->g2, o->scores, dd, du);
		return 0;
	}
	float *dq = HP_NEW(t->arena, float, (size_t)p->total * A), *dg1 = HP_NEW(t->arena, float, (size_t)p->total * A);
	float *dg2 = HP_NEW(t->arena, float, (size_t)p->rows * A);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_pointer_scores_backward(t->pool, &b, (int)A, o->q, o->g2, o->scores, dq, dg2);
	hp_pointer_query_backward(t->pool, p->total, (int)A, o->g1, net->pointer_w->value, dq, dg1, net->pointer_w->grad,
	                          net->pointer_v->grad);
	hp_mlp_backward(t->pool, p->total, (int)net->s.Q, (int)A, o->d, net->pointer_g1.w->value, t->batch.mask.pointer_g1,
	                p->owner, o->g1_plain, dg1, net->pointer_g1.w->grad, net->pointer_g1.b->grad, dd, false);
	hp_mlp_backward(t->pool, p->rows, (int)net->s.W, (int)A, t->encode.unit, net->pointer_g2.w->value,
	                t->batch.mask.pointer_g2, p->unit_owner, o->g2_plain, dg2, net->pointer_g2.w->grad,
	                net->pointer_g2.b->grad, du, false);
	return 0;
}
