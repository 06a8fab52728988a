/* point.c: what the decoder points to, in training: scores of a step's units, their loss, and the way back.
 *
 * dep: biaffine (paper Eq. 7; Dozat and Manning 2017): g1 and g2 by MLPs of states and units, score = (g1 · W + v) · g2.
 * rst: the dot product of state and unit, or biaffine like that, where g2 is of the units on both sides of a split. */
#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/train.h"

static hp_pointer_batch pointer_batch(const hp_trace *t)
{
	const hp_levels *p = &t->batch.levels;
	return (hp_pointer_batch){p->count, p->units, p->at, p->steps, p->step_at, t->point.score_at};
}

enum { ROWS = 16 }; /* of one task */

/* The last layer's hidden states, in step order, with dropout. */
static void states_task(void *arg, int task)
{
	const hp_trace *t = arg;
	const hp_levels *p = &t->batch.levels;
	size_t Q = t->net->s.Q, last = t->net->s.L - 1;
	const float *mask = t->batch.mask.out;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < p->total; r++) {
		float *d = hp_row(t->point.d, r);
		memcpy(d, hp_row(t->decode.state, t->batch.count + p->order_row[r]) + last * Q, Q * sizeof(float));
		if (mask)
			hp_vec_mul(Q, mask + (size_t)p->owner[r] * Q, d);
	}
}

/* A copy where rows overlap, which OpenBLAS refuses. */
static hp_matrix places(hp_trace *t)
{
	hp_matrix view = hp_places(t->net, t->encode.unit), copy = view;
	if (view.stride >= view.cols)
		return view;
	copy = hp_matrix_new(t->arena, view.rows, view.cols);
	for (int i = 0; copy.data && i < view.rows; i++)
		memcpy(hp_row(copy, i), hp_row(view, i), (size_t)view.cols * sizeof(float));
	return copy;
}

static int alloc(hp_trace *t)
{
	hp_point_trace *o = &t->point;
	const hp_levels *p = &t->batch.levels;
	int A = (int)t->net->s.A;
	o->d = hp_matrix_new(t->arena, p->total, (int)t->net->s.Q);
	o->score_at = HP_NEW(t->arena, size_t, (size_t)p->count + 1);
	o->q = o->d;
	o->g2 = t->encode.unit;
	if (t->net->pointer_w) {
		o->place = places(t);
		o->g1_plain = hp_matrix_new(t->arena, p->total, A);
		o->g1 = t->batch.mask.pointer_g1 ? hp_matrix_new(t->arena, p->total, A) : o->g1_plain;
		o->q = hp_matrix_new(t->arena, p->total, A);
		o->g2_plain = hp_matrix_new(t->arena, p->rows, A);
		o->g2 = t->batch.mask.pointer_g2 ? hp_matrix_new(t->arena, p->rows, A) : o->g2_plain;
	}
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	o->score_at[0] = 0;
	for (int s = 0; s < p->count; s++)
		o->score_at[s + 1] = o->score_at[s] + (size_t)p->steps[s] * (size_t)p->units[s];
	o->scores = HP_NEW(t->arena, float, o->score_at[p->count]);
	return hp_arena_failed(t->arena) ? HP_FAIL : 0;
}

static hp_mask mask_g1(const hp_trace *t)
{
	return (hp_mask){t->batch.mask.pointer_g1, t->batch.levels.owner};
}

static hp_mask mask_g2(const hp_trace *t)
{
	return (hp_mask){t->batch.mask.pointer_g2, t->batch.levels.unit_owner};
}

/* Behind the last unit nothing is split, so that its row, which no place makes, counts for nothing. */
static void zero_from(hp_matrix m, int row)
{
	for (; row < m.rows; row++)
		memset(hp_row(m, row), 0, (size_t)m.cols * sizeof(float));
}

int hp_point_forward(hp_trace *t)
{
	const hp_net *net = t->net;
	hp_point_trace *o = &t->point;
	if (alloc(t))
		return HP_FAIL;
	hp_pool_run(t->pool, (t->batch.levels.total + ROWS - 1) / ROWS, states_task, t);
	if (net->pointer_w) {
		hp_matrix g2_plain = hp_some_rows(o->g2_plain, 0, o->place.rows), g2 = hp_some_rows(o->g2, 0, o->place.rows);
		zero_from(o->g2, o->place.rows);
		hp_mlp_forward(t->pool, o->d, net->pointer_g1, mask_g1(t), o->g1_plain, o->g1);
		hp_mlp_forward(t->pool, o->place, net->pointer_g2, mask_g2(t), g2_plain, g2);
		hp_pointer_query(t->pool, o->g1, net->pointer_w, net->pointer_v, o->q);
	}
	hp_pointer_batch b = pointer_batch(t);
	hp_pointer_scores(t->pool, &b, o->q, o->g2, o->scores);
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
	size_t units = (size_t)p->units[s];
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
		*label += hp_softmax_loss(a->t->net->c.labels, hp_row(a->t->label.y, i), p->pair[i].label, a->scale);
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

static void places_backward(hp_matrix dplace, hp_matrix du)
{
	size_t W = (size_t)du.cols;
	zero_from(du, 0);
	for (int i = 0; i < dplace.rows; i++) {
		hp_vec_add(W, hp_row(dplace, i), hp_row(du, i));
		hp_vec_add(W, hp_row(dplace, i) + W, hp_row(du, i + 1));
	}
}

int hp_point_backward(hp_trace *t, hp_matrix du, hp_matrix dd)
{
	const hp_net *net = t->net;
	const hp_point_trace *o = &t->point;
	hp_pointer_batch b = pointer_batch(t);
	if (!net->pointer_w) {
		hp_pointer_scores_backward(t->pool, &b, o->q, o->g2, o->scores, dd, du);
		return 0;
	}
	hp_matrix dq = hp_matrix_new(t->arena, o->q.rows, o->q.cols), dg1 = hp_matrix_new(t->arena, o->g1.rows, o->g1.cols);
	hp_matrix dg2 = hp_matrix_new(t->arena, o->g2.rows, o->g2.cols), dplace = du;
	if (net->c.split_mlp)
		dplace = hp_matrix_new(t->arena, o->place.rows, o->place.cols);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_pointer_scores_backward(t->pool, &b, o->q, o->g2, o->scores, dq, dg2);
	hp_pointer_query_backward(t->pool, o->g1, net->pointer_w, net->pointer_v, dq, dg1);
	hp_mlp_backward(t->pool, o->d, net->pointer_g1, mask_g1(t), o->g1_plain, dg1, dd, false);
	hp_mlp_backward(t->pool, o->place, net->pointer_g2, mask_g2(t), hp_some_rows(o->g2_plain, 0, o->place.rows),
	                hp_some_rows(dg2, 0, o->place.rows), dplace, false);
	if (net->c.split_mlp)
		places_backward(dplace, du);
	return 0;
}
