/* scores.c: pointer and label scores in training, their losses, and the way back to EDUs and the decoder's states. */
#include "disc/train.h"

#include <string.h>

#include "nn/linear.h"
#include "nn/vmath.h"

static hp_pointer_batch pointer_batch(const hp_rst_trace *t)
{
	const hp_rst_plan *p = &t->plan;
	return (hp_pointer_batch){t->count, p->edus, p->at, p->steps, p->step_at, t->score_at};
}

/* Where the last layer's state of a step row stands among all states. */
static size_t last_state(const hp_rst_trace *t, const hp_rst_net *net, int r)
{
	size_t L = (size_t)net->c.layers;
	return ((size_t)(t->count + t->plan.order_row[r]) * L + L - 1) * (size_t)net->c.hidden;
}

static int pointer_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena)
{
	size_t H = (size_t)net->c.hidden, scores = 0;
	t->d = HP_NEW(arena, float, (size_t)t->plan.total * H);
	t->score_at = HP_NEW(arena, size_t, (size_t)t->count);
	t->loss = HP_NEW(arena, double, 2 * (size_t)t->count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < t->count; s++) {
		t->score_at[s] = scores;
		scores += (size_t)t->plan.steps[s] * (size_t)t->plan.edus[s];
	}
	t->scores = HP_NEW(arena, float, scores);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int r = 0; r < t->plan.total; r++)
		memcpy(t->d + (size_t)r * H, t->state + last_state(t, net, r), H * sizeof(float));
	hp_pointer_batch b = pointer_batch(t);
	hp_pointer_scores(pool, &b, net->c.hidden, t->d, t->e, t->scores);
	return 0;
}

static int label_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena)
{
	size_t rows = (size_t)t->plan.rows, splits = (size_t)t->plan.splits;
	size_t L = (size_t)net->c.label_mlp, K = (size_t)net->c.labels;
	t->label_g1_plain = HP_NEW(arena, float, rows * L);
	t->label_g1 = t->mask.label_g1 ? HP_NEW(arena, float, rows * L) : t->label_g1_plain;
	t->label_g2_plain = HP_NEW(arena, float, rows * L);
	t->label_g2 = t->mask.label_g2 ? HP_NEW(arena, float, rows * L) : t->label_g2_plain;
	t->label_left = HP_NEW(arena, float, splits * L);
	t->label_right = HP_NEW(arena, float, splits * L);
	t->label_t = HP_NEW(arena, float, splits * K * L);
	t->label_y = HP_NEW(arena, float, splits * K);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_mlp_forward(pool, t->plan.rows, net->c.hidden, (int)L, t->e, net->label_g1.w->value, net->label_g1.b->value,
	               t->mask.label_g1, NULL, t->label_g1_plain, t->label_g1);
	hp_mlp_forward(pool, t->plan.rows, net->c.hidden, (int)L, t->e, net->label_g2.w->value, net->label_g2.b->value,
	               t->mask.label_g2, NULL, t->label_g2_plain, t->label_g2);
	for (size_t i = 0; i < splits; i++) {
		memcpy(t->label_left + i * L, t->label_g1 + (size_t)t->plan.left[i] * L, L * sizeof(float));
		memcpy(t->label_right + i * L, t->label_g2 + (size_t)t->plan.right[i] * L, L * sizeof(float));
	}
	hp_label_weights w = hp_rst_label_weights(net);
	hp_label_forward(pool, t->plan.splits, &w, t->label_left, t->label_right, t->label_t, t->label_y);
	return 0;
}

int hp_rst_scores_forward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena)
{
	return pointer_forward(t, net, pool, arena) || label_forward(t, net, pool, arena) ? HP_FAIL : 0;
}

typedef struct losses {
	hp_rst_trace *t;
	int labels;
	float scale;
	double *structure, *label; /* by sentence, so that the sum's order is fixed */
} losses;

static void loss_task(void *arg, int s)
{
	const losses *a = arg;
	const hp_rst_plan *p = &a->t->plan;
	size_t m = (size_t)p->edus[s], K = (size_t)a->labels;
	a->structure[s] = a->label[s] = 0;
	for (int i = 0; i < p->steps[s]; i++) {
		int r = p->step_at[s] + i, end = p->first[r] + p->choices[r];
		float *scores = a->t->scores + a->t->score_at[s] + (size_t)i * m;
		a->structure[s] += hp_softmax_loss(p->choices[r], scores + p->first[r], p->target[r], a->scale);
		memset(scores, 0, (size_t)p->first[r] * sizeof(float));
		memset(scores + end, 0, (m - (size_t)end) * sizeof(float));
	}
	for (int i = p->split_at[s]; i < p->split_at[s + 1]; i++)
		a->label[s] += hp_softmax_loss(a->labels, a->t->label_y + (size_t)i * K, p->label[i], a->scale);
}

void hp_rst_loss_make(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, float scale, hp_rst_loss *loss)
{
	losses a = {t, net->c.labels, scale, t->loss, t->loss + t->count};
	hp_pool_run(pool, t->count, loss_task, &a);
	*loss = (hp_rst_loss){0, 0, t->plan.splits, t->plan.total};
	for (int s = 0; s < t->count; s++) {
		loss->structure += a.structure[s];
		loss->label += a.label[s];
	}
}

/* Adds to de. */
static int label_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, float *de)
{
	size_t rows = (size_t)t->plan.rows, splits = (size_t)t->plan.splits, L = (size_t)net->c.label_mlp;
	float *dleft = HP_NEW(arena, float, splits * L), *dright = HP_NEW(arena, float, splits * L);
	float *dg1 = HP_NEW0(arena, float, rows * L), *dg2 = HP_NEW0(arena, float, rows * L);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_label_weights w = hp_rst_label_weights(net);
	hp_label_backward(pool, t->plan.splits, &w, t->label_left, t->label_right, t->label_t, t->label_y, dleft, dright);
	for (size_t i = 0; i < splits; i++) {
		hp_vec_add(L, dleft + i * L, dg1 + (size_t)t->plan.left[i] * L);
		hp_vec_add(L, dright + i * L, dg2 + (size_t)t->plan.right[i] * L);
	}
	hp_mlp_backward(pool, t->plan.rows, net->c.hidden, (int)L, t->e, net->label_g1.w->value, t->mask.label_g1, NULL,
	                t->label_g1_plain, dg1, net->label_g1.w->grad, net->label_g1.b->grad, de, true);
	hp_mlp_backward(pool, t->plan.rows, net->c.hidden, (int)L, t->e, net->label_g2.w->value, t->mask.label_g2, NULL,
	                t->label_g2_plain, dg2, net->label_g2.w->grad, net->label_g2.b->grad, de, true);
	return 0;
}

int hp_rst_scores_backward(hp_rst_trace *t, const hp_rst_net *net, hp_pool *pool, hp_arena *arena, float *de,
                           float *dstate)
{
	size_t H = (size_t)net->c.hidden;
	float *dd = HP_NEW(arena, float, (size_t)t->plan.total * H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_pointer_batch b = pointer_batch(t);
	hp_pointer_scores_backward(pool, &b, net->c.hidden, t->d, t->e, t->scores, dd, de);
	memset(dstate, 0, (size_t)(t->count + t->plan.total) * (size_t)net->c.layers * H * sizeof(float));
	for (int r = 0; r < t->plan.total; r++)
		memcpy(dstate + last_state(t, net, r), dd + (size_t)r * H, H * sizeof(float));
	return label_backward(t, net, pool, arena, de);
}
