/* label.c: labels of pairs, by a biaffine classifier (paper Eq. 8; Dozat and Manning 2017): dep: of the state that made an
 * arc and its dependant; rst: of the two halves of a split.  In training, forward and backward, and in parsing. */
#include <math.h>
#include <string.h>

#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/train.h"

int hp_label_declare(hp_params *p, hp_error *err, int labels, int size, int left, int right)
{
	if (hp_params_declare_affine(p, err, "label.g1", size, left) ||
	    hp_params_declare_affine(p, err, "label.g2", size, right) ||
	    hp_params_declare(p, err, "label.w", 3, labels, size, size) ||
	    hp_params_declare(p, err, "label.u", 2, labels, size) || hp_params_declare(p, err, "label.v", 2, labels, size))
		return HP_FAIL;
	return hp_params_declare(p, err, "label.b", 1, labels);
}

/* ---- training ---- */

static hp_label_weights weights(const hp_net *net)
{
	return (hp_label_weights){net->c.labels,       net->c.label_mlp,    net->label_w->value, net->label_u->value,
	                          net->label_v->value, net->label_b->value, net->label_w->grad,  net->label_u->grad,
	                          net->label_v->grad,  net->label_b->grad};
}

/* Which row of g1 is the pair's. */
static size_t left_of(const hp_trace *t, int pair)
{
	return (size_t)(t->net->grammar->left_is_step ? pair : t->batch.levels.left[pair]);
}

/* Where the pairs' left ones are states, these one after another. */
static int make_left(hp_trace *t)
{
	const hp_levels *p = &t->batch.levels;
	hp_label_trace *o = &t->label;
	size_t Q = t->net->s.Q, pairs = (size_t)p->pairs;
	if (!t->net->grammar->left_is_step) {
		o->left = t->encode.unit;
		o->left_rows = p->rows;
		return 0;
	}
	int *owner = HP_NEW(t->arena, int, pairs);
	o->left = HP_NEW(t->arena, float, pairs * Q);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	o->left_rows = p->pairs;
	o->left_owner = owner;
	for (size_t i = 0; i < pairs; i++) {
		owner[i] = p->owner[p->left[i]];
		memcpy(o->left + i * Q, t->point.d + (size_t)p->left[i] * Q, Q * sizeof(float));
	}
	return 0;
}

static const int *unit_owner(const hp_trace *t)
{
	return t->batch.mask.by_sentence ? t->batch.levels.unit_owner : NULL;
}

int hp_label_forward_pairs(hp_trace *t)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	const hp_masks *mask = &t->batch.mask;
	hp_label_trace *o = &t->label;
	size_t pairs = (size_t)p->pairs, rows = (size_t)p->rows, size = (size_t)net->c.label_mlp;
	if (make_left(t))
		return HP_FAIL;
	size_t left = (size_t)o->left_rows;
	o->g1_plain = HP_NEW(t->arena, float, left * size);
	o->g1 = mask->label_g1 ? HP_NEW(t->arena, float, left * size) : o->g1_plain;
	o->g2_plain = HP_NEW(t->arena, float, rows * size);
	o->g2 = mask->label_g2 ? HP_NEW(t->arena, float, rows * size) : o->g2_plain;
	o->pair_g1 = HP_NEW(t->arena, float, pairs * size);
	o->pair_g2 = HP_NEW(t->arena, float, pairs * size);
	o->t = HP_NEW(t->arena, float, pairs * (size_t)net->c.labels * size);
	o->y = HP_NEW(t->arena, float, pairs * (size_t)net->c.labels);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_mlp_forward(t->pool, o->left_rows, (int)net->s.Q, (int)size, o->left, net->label_g1.w->value,
	               net->label_g1.b->value, mask->label_g1, o->left_owner, o->g1_plain, o->g1);
	hp_mlp_forward(t->pool, p->rows, (int)net->s.W, (int)size, t->encode.unit, net->label_g2.w->value,
	               net->label_g2.b->value, mask->label_g2, unit_owner(t), o->g2_plain, o->g2);
	for (size_t i = 0; i < pairs; i++) {
		memcpy(o->pair_g1 + i * size, o->g1 + left_of(t, (int)i) * size, size * sizeof(float));
		memcpy(o->pair_g2 + i * size, o->g2 + (size_t)p->right[i] * size, size * sizeof(float));
	}
	hp_label_weights w = weights(net);
	hp_label_forward(t->pool, p->pairs, &w, o->pair_g1, o->pair_g2, o->t, o->y);
	return 0;
}

int hp_label_backward_pairs(hp_trace *t, float *du, float *dd)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	const hp_masks *mask = &t->batch.mask;
	const hp_label_trace *o = &t->label;
	size_t pairs = (size_t)p->pairs, size = (size_t)net->c.label_mlp, Q = net->s.Q, left = (size_t)o->left_rows;
	bool states = net->grammar->left_is_step;
	float *dpair1 = HP_NEW(t->arena, float, pairs * size), *dpair2 = HP_NEW(t->arena, float, pairs * size);
	float *dg1 = HP_NEW0(t->arena, float, left * size), *dg2 = HP_NEW0(t->arena, float, (size_t)p->rows * size);
	float *dleft = states ? HP_NEW(t->arena, float, left * Q) : du;
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_label_weights w = weights(net);
	hp_label_backward(t->pool, p->pairs, &w, o->pair_g1, o->pair_g2, o->t, o->y, dpair1, dpair2);
	for (size_t i = 0; i < pairs; i++) {
		hp_vec_add(size, dpair1 + i * size, dg1 + left_of(t, (int)i) * size);
		hp_vec_add(size, dpair2 + i * size, dg2 + (size_t)p->right[i] * size);
	}
	hp_mlp_backward(t->pool, o->left_rows, (int)Q, (int)size, o->left, net->label_g1.w->value, mask->label_g1,
	                o->left_owner, o->g1_plain, dg1, net->label_g1.w->grad, net->label_g1.b->grad, dleft, !states);
	hp_mlp_backward(t->pool, p->rows, (int)net->s.W, (int)size, t->encode.unit, net->label_g2.w->value, mask->label_g2,
	                unit_owner(t), o->g2_plain, dg2, net->label_g2.w->grad, net->label_g2.b->grad, du, true);
	for (size_t i = 0; states && i < pairs; i++)
		hp_vec_add(Q, dleft + i * Q, dd + (size_t)p->left[i] * Q);
	return 0;
}

/* ---- parsing ---- */

enum { PAIRS = 256 }; /* at a time: bounds the memory for their K × L products */

/* Scores of pairs, which do not depend on the other pairs. */
typedef struct labeller {
	hp_pool *pool;
	const hp_net *net;
	float *left, *right; /* [PAIRS × input]: filled by the caller */
	float *y; /* [PAIRS × K]: the scores */
	float *g1, *g2, *t, *part; /* [. × L], [. × L], [. × K·L], [. × K] */
} labeller;

static int alloc_labeller(labeller *a, hp_arena *arena)
{
	size_t K = (size_t)a->net->c.labels, L = (size_t)a->net->c.label_mlp;
	a->left = HP_NEW(arena, float, PAIRS * a->net->s.Q);
	a->right = HP_NEW(arena, float, PAIRS * a->net->s.W);
	a->g1 = HP_NEW(arena, float, PAIRS * L);
	a->g2 = HP_NEW(arena, float, PAIRS * L);
	a->t = HP_NEW(arena, float, PAIRS * K * L);
	a->y = HP_NEW(arena, float, PAIRS * K);
	a->part = HP_NEW(arena, float, PAIRS * K);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* y of the first M pairs */
static void label_scores(const labeller *a, int m)
{
	const hp_net *net = a->net;
	int K = net->c.labels, L = net->c.label_mlp;
	hp_mlp_rows(a->pool, m, a->left, net->label_g1, a->g1);
	hp_mlp_rows(a->pool, m, a->right, net->label_g2, a->g2);
	hp_param_product(a->pool, m, a->g1, L, net->label_u, a->y, K);
	hp_param_product(a->pool, m, a->g2, L, net->label_v, a->part, K);
	hp_vec_add((size_t)m * (size_t)K, a->part, a->y);
	for (int i = 0; i < m; i++)
		hp_vec_add((size_t)K, net->label_b->value, a->y + (size_t)i * (size_t)K);
	hp_param_product(a->pool, m, a->g2, L, net->label_w, a->t, K * L);
	hp_label_contract(a->pool, m, K, L, a->g1, a->t, a->y);
}

/* The best label: of the root's child that of the root, of any other one not. */
static int choose(int labels, const float *y, bool root_child, hp_special_labels special)
{
	if (special.root >= 0 && root_child)
		return special.root;
	int best = -1;
	for (int k = 0; k < labels; k++)
		if (k != special.root && k != special.open && (best < 0 || y[k] > y[best]))
			best = k;
	return best < 0 ? special.open : best;
}

/* Pairs that are waiting to be labelled together. */
typedef struct waiting {
	labeller scorer;
	hp_special_labels special;
	int32_t *labels;
	float *logp;
	int count;
	size_t result[PAIRS];
	bool root_child[PAIRS];
} waiting;

static void label_waiting(waiting *w)
{
	int labels = w->scorer.net->c.labels;
	label_scores(&w->scorer, w->count);
	for (int i = 0; i < w->count; i++) {
		const float *y = w->scorer.y + (size_t)i * (size_t)labels;
		int best = choose(labels, y, w->root_child[i], w->special);
		w->labels[w->result[i]] = best;
		if (w->logp)
			w->logp[w->result[i]] = best < 0 ? -INFINITY : y[best] - hp_vec_log_sum_exp((size_t)labels, y);
	}
	w->count = 0;
}

static void add_pair(waiting *w, size_t result, const float *left, const float *right, bool root_child)
{
	const hp_net *net = w->scorer.net;
	memcpy(w->scorer.left + (size_t)w->count * net->s.Q, left, net->s.Q * sizeof(float));
	memcpy(w->scorer.right + (size_t)w->count * net->s.W, right, net->s.W * sizeof(float));
	w->result[w->count] = result;
	w->root_child[w->count++] = root_child;
	if (w->count == PAIRS)
		label_waiting(w);
}

int hp_label(const hp_net *net, hp_pool *pool, hp_arena *scratch, const hp_sentences *in, const float *h,
             const hp_trees *parse, hp_special_labels special, int32_t *labels, float *logp, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	waiting w = {.scorer = {.pool = pool, .net = net}, .special = special, .labels = labels, .logp = logp};
	size_t row = 0, result = 0, W = net->s.W;
	if (alloc_labeller(&w.scorer, scratch))
		return hp_fail_memory(err);
	for (int s = 0; s < in->count; s++) {
		const hp_sample *sample = &in->sample[s];
		for (int i = 0; i < net->grammar->root; i++, result++) {
			labels[result] = -1;
			if (logp)
				logp[result] = 0;
		}
		for (int i = 1; i < sample->units; i++, result++) {
			if (net->grammar->left_is_step) {
				add_pair(&w, result, parse->d + result * net->s.Q, h + result * W, parse->tree[result] == 0);
				continue;
			}
			const int32_t *split = parse->tree + 3 * result;
			add_pair(&w, result, h + (row + (size_t)sample->ends[split[1]]) * W,
			         h + (row + (size_t)sample->ends[split[2]]) * W, false);
		}
		row += (size_t)sample->rows;
	}
	if (w.count)
		label_waiting(&w);
	hp_arena_restore(scratch, mark);
	return 0;
}
