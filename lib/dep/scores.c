/* scores.c: pointer and label scores in training, their losses, and the way back to h and the decoder's states. */
#include "dep/train.h"

#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

static hp_pointer_batch pointer_batch(const hp_dep_trace *t)
{
	return (hp_pointer_batch){t->count, t->n, t->plan.at, t->plan.steps, t->plan.step_at, t->score_at};
}

/* Decoder's hidden states, in step order, with dropout. */
static void gather_states(hp_dep_trace *t, size_t Q)
{
	for (int r = 0; r < t->plan.total; r++) {
		float *d = t->d + (size_t)r * Q;
		memcpy(d, t->state + ((size_t)t->count + (size_t)t->plan.order_row[r]) * 2 * Q, Q * sizeof(float));
		if (t->mask.out)
			hp_vec_mul(Q, t->mask.out + (size_t)t->plan.owner[r] * Q, d);
	}
}

static int list_arcs(hp_dep_trace *t, hp_arena *arena)
{
	t->arcs = t->plan.rows - t->count;
	t->arc_step = HP_NEW(arena, int, (size_t)t->arcs);
	t->arc_owner = HP_NEW(arena, int, (size_t)t->arcs);
	t->arc_child = HP_NEW(arena, int, (size_t)t->arcs);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	int a = 0;
	for (int r = 0; r < t->plan.total; r++) {
		int o = t->plan.order_row[r];
		if (t->plan.child[o] == t->plan.head[o])
			continue;
		t->arc_step[a] = r;
		t->arc_owner[a] = t->plan.owner[r];
		t->arc_child[a++] = t->plan.child[o];
	}
	return 0;
}

static int pointer_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena)
{
	size_t total = (size_t)t->plan.total, rows = (size_t)t->plan.rows, A = (size_t)net->c.arc_mlp;
	int H2 = 2 * net->c.hidden, Q = net->c.decoder_hidden, a = net->c.arc_mlp;
	t->g1_plain = HP_NEW(arena, float, total * A);
	t->g1 = t->mask.pointer_g1 ? HP_NEW(arena, float, total * A) : t->g1_plain;
	t->q = HP_NEW(arena, float, total * A);
	t->g2_plain = HP_NEW(arena, float, rows * A);
	t->g2 = t->mask.pointer_g2 ? HP_NEW(arena, float, rows * A) : t->g2_plain;
	t->score_at = HP_NEW(arena, size_t, (size_t)t->count + 1);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	t->score_at[0] = 0;
	for (int s = 0; s < t->count; s++)
		t->score_at[s + 1] = t->score_at[s] + (size_t)t->plan.steps[s] * (size_t)t->n[s];
	t->scores = HP_NEW(arena, float, t->score_at[t->count]);
	t->loss = HP_NEW(arena, double, 2 * (size_t)t->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_mlp_forward(pool, t->plan.total, Q, a, t->d, net->pointer_g1.w->value, net->pointer_g1.b->value,
	               t->mask.pointer_g1, t->plan.owner, t->g1_plain, t->g1);
	hp_mlp_forward(pool, t->plan.rows, H2, a, t->h, net->pointer_g2.w->value, net->pointer_g2.b->value,
	               t->mask.pointer_g2, t->plan.position_owner, t->g2_plain, t->g2);
	hp_pointer_query(pool, t->plan.total, a, t->g1, net->pointer_w->value, net->pointer_v->value, t->q);
	hp_pointer_batch b = pointer_batch(t);
	hp_pointer_scores(pool, &b, a, t->q, t->g2, t->scores);
	return 0;
}

static int label_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena)
{
	size_t arcs = (size_t)t->arcs, rows = (size_t)t->plan.rows, L = (size_t)net->c.label_mlp, K = (size_t)net->c.labels;
	size_t Q = (size_t)net->c.decoder_hidden;
	int l = net->c.label_mlp;
	t->arc_d = HP_NEW(arena, float, arcs * Q);
	t->label_g1_plain = HP_NEW(arena, float, arcs * L);
	t->label_g1 = t->mask.label_g1 ? HP_NEW(arena, float, arcs * L) : t->label_g1_plain;
	t->label_g2_plain = HP_NEW(arena, float, rows * L);
	t->label_g2 = t->mask.label_g2 ? HP_NEW(arena, float, rows * L) : t->label_g2_plain;
	t->label_child = HP_NEW(arena, float, arcs * L);
	t->label_t = HP_NEW(arena, float, arcs * K * L);
	t->label_y = HP_NEW(arena, float, arcs * K);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (size_t i = 0; i < arcs; i++)
		memcpy(t->arc_d + i * Q, t->d + (size_t)t->arc_step[i] * Q, Q * sizeof(float));
	hp_mlp_forward(pool, t->arcs, (int)Q, l, t->arc_d, net->label_g1.w->value, net->label_g1.b->value, t->mask.label_g1,
	               t->arc_owner, t->label_g1_plain, t->label_g1);
	hp_mlp_forward(pool, t->plan.rows, 2 * net->c.hidden, l, t->h, net->label_g2.w->value, net->label_g2.b->value,
	               t->mask.label_g2, t->plan.position_owner, t->label_g2_plain, t->label_g2);
	for (size_t i = 0; i < arcs; i++)
		memcpy(t->label_child + i * L, t->label_g2 + (size_t)t->arc_child[i] * L, L * sizeof(float));
	hp_label_weights w = hp_dep_label_weights(net);
	hp_label_forward(pool, t->arcs, &w, t->label_g1, t->label_child, t->label_t, t->label_y);
	return 0;
}

int hp_dep_scores_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena)
{
	t->d = HP_NEW(arena, float, (size_t)t->plan.total * (size_t)net->c.decoder_hidden);
	if (!t->d || list_arcs(t, arena))
		return HP_FAIL;
	gather_states(t, (size_t)net->c.decoder_hidden);
	return pointer_forward(t, net, pool, arena) || label_forward(t, net, pool, arena) ? HP_FAIL : 0;
}

typedef struct losses {
	hp_dep_trace *t;
	int labels;
	float scale;
	double *structure, *label; /* by sentence, so that the sum's order is fixed */
} losses;

static void loss_task(void *arg, int s)
{
	const losses *a = arg;
	hp_dep_trace *t = a->t;
	int n = t->n[s], arc = t->plan.at[s] - s; /* earlier sentences have a word less than positions */
	a->structure[s] = a->label[s] = 0;
	for (int i = 0; i < t->plan.steps[s]; i++) {
		int r = t->plan.step_at[s] + i;
		a->structure[s] +=
			hp_softmax_loss(n, t->scores + t->score_at[s] + (size_t)i * (size_t)n, t->plan.target[r], a->scale);
	}
	for (int i = 0; i < n - 1; i++, arc++) {
		int child = t->arc_child[arc] - t->plan.at[s];
		a->label[s] += hp_softmax_loss(a->labels, t->label_y + (size_t)arc * (size_t)a->labels,
		                               t->sents[s]->labels[child], a->scale);
	}
}

void hp_dep_loss_make(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, float scale, hp_dep_loss *loss)
{
	losses a = {t, net->c.labels, scale, t->loss, t->loss + t->count};
	hp_pool_run(pool, t->count, loss_task, &a);
	*loss = (hp_dep_loss){0, 0, t->arcs, t->plan.total, 0};
	for (int s = 0; s < t->count; s++) {
		loss->structure += a.structure[s];
		loss->label += a.label[s];
	}
}

/* Sets dh to the pointer's part and adds dd [total × Q]. */
static int pointer_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                            float *dd)
{
	size_t total = (size_t)t->plan.total, rows = (size_t)t->plan.rows, A = (size_t)net->c.arc_mlp;
	int a = net->c.arc_mlp;
	float *dq = HP_NEW(arena, float, total * A),
	                   *dg1 = HP_NEW(arena, float, total * A), *dg2 = HP_NEW(arena, float, rows * A);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_pointer_batch b = pointer_batch(t);
	hp_pointer_scores_backward(pool, &b, a, t->q, t->g2, t->scores, dq, dg2);
	hp_pointer_query_backward(pool, t->plan.total, a, t->g1, net->pointer_w->value, dq, dg1, net->pointer_w->grad,
	                          net->pointer_v->grad);
	hp_mlp_backward(pool, t->plan.total, net->c.decoder_hidden, a, t->d, net->pointer_g1.w->value, t->mask.pointer_g1,
	                t->plan.owner, t->g1_plain, dg1, net->pointer_g1.w->grad, net->pointer_g1.b->grad, dd, false);
	hp_mlp_backward(pool, t->plan.rows, 2 * net->c.hidden, a, t->h, net->pointer_g2.w->value, t->mask.pointer_g2,
	                t->plan.position_owner, t->g2_plain, dg2, net->pointer_g2.w->grad, net->pointer_g2.b->grad, dh,
	                false);
	return 0;
}

static int label_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh, float *dd)
{
	size_t arcs = (size_t)t->arcs, rows = (size_t)t->plan.rows, L = (size_t)net->c.label_mlp;
	size_t Q = (size_t)net->c.decoder_hidden;
	float *dg1 = HP_NEW(arena, float, arcs * L), *dchild = HP_NEW(arena, float, arcs * L);
	float *dg2 = HP_NEW0(arena, float, rows * L), *darc = HP_NEW(arena, float, arcs * Q);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_label_weights w = hp_dep_label_weights(net);
	hp_label_backward(pool, t->arcs, &w, t->label_g1, t->label_child, t->label_t, t->label_y, dg1, dchild);
	for (size_t i = 0; i < arcs; i++)
		memcpy(dg2 + (size_t)t->arc_child[i] * L, dchild + i * L, L * sizeof(float));
	hp_mlp_backward(pool, t->arcs, (int)Q, (int)L, t->arc_d, net->label_g1.w->value, t->mask.label_g1, t->arc_owner,
	                t->label_g1_plain, dg1, net->label_g1.w->grad, net->label_g1.b->grad, darc, false);
	hp_mlp_backward(pool, t->plan.rows, 2 * net->c.hidden, (int)L, t->h, net->label_g2.w->value, t->mask.label_g2,
	                t->plan.position_owner, t->label_g2_plain, dg2, net->label_g2.w->grad, net->label_g2.b->grad, dh,
	                true);
	for (size_t i = 0; i < arcs; i++)
		hp_vec_add(Q, darc + i * Q, dd + (size_t)t->arc_step[i] * Q);
	return 0;
}

int hp_dep_scores_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, float *dh,
                           float *dstate)
{
	size_t Q = (size_t)net->c.decoder_hidden;
	float *dd = HP_NEW(arena, float, (size_t)t->plan.total * Q);
	if (!dd || pointer_backward(t, net, pool, arena, dh, dd) || label_backward(t, net, pool, arena, dh, dd))
		return HP_FAIL;
	memset(dstate, 0, ((size_t)t->count + (size_t)t->plan.total) * 2 * Q * sizeof(float));
	for (int r = 0; r < t->plan.total; r++) {
		float *d = dd + (size_t)r * Q;
		if (t->mask.out)
			hp_vec_mul(Q, t->mask.out + (size_t)t->plan.owner[r] * Q, d);
		memcpy(dstate + ((size_t)t->count + (size_t)t->plan.order_row[r]) * 2 * Q, d, Q * sizeof(float));
	}
	return 0;
}
