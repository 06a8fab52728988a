/* label.c: labels of pairs, by a biaffine classifier (paper Eq. 8; Dozat and Manning 2017): dep: of the state that made an
 * arc and its dependant; rst: of the two halves of a split.  In training, forward and backward, and in parsing. */
#include <math.h>
#include <string.h>

#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/halves.h"
#include "pointer/members.h"
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
	return (hp_label_weights){net->label_w, net->label_u, net->label_v, net->label_b};
}

/* Which rows of g1 and g2 are the pair's. */
static int left_of(const hp_trace *t, int pair)
{
	bool row = t->net->grammar->left_is_step || t->net->c.label_halves;
	return row ? pair : t->batch.levels.pair[pair].left;
}

static int right_of(const hp_trace *t, int pair)
{
	return t->net->c.label_halves ? pair : t->batch.levels.pair[pair].right;
}

/* dep: the states that made the arcs, one after another. */
static int make_states(hp_trace *t)
{
	const hp_levels *p = &t->batch.levels;
	hp_label_trace *o = &t->label;
	int *owner = HP_NEW(t->arena, int, (size_t)p->pairs);
	o->left = hp_matrix_new(t->arena, p->pairs, t->point.d.cols);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	o->left_owner = owner;
	for (int i = 0; i < p->pairs; i++) {
		owner[i] = p->owner[p->pair[i].left];
		memcpy(hp_row(o->left, i), hp_row(t->point.d, p->pair[i].left), (size_t)o->left.cols * sizeof(float));
	}
	return 0;
}

/* rst: of the two halves. */
static int make_halves(hp_trace *t)
{
	const hp_levels *p = &t->batch.levels;
	hp_label_trace *o = &t->label;
	hp_matrix unit = t->encode.unit;
	double *sums = HP_NEW(t->arena, double, ((size_t)unit.rows + 1) * (size_t)unit.cols);
	o->left = hp_matrix_new(t->arena, p->pairs, (int)t->net->s.G);
	o->right = hp_matrix_new(t->arena, p->pairs, (int)t->net->s.R);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_halves_sum(unit, sums);
	for (int i = 0; i < p->pairs; i++) {
		const hp_pair *pair = &p->pair[i];
		hp_half_put(unit, sums, pair->first, pair->left, hp_row(o->left, i));
		hp_half_put(unit, sums, pair->left + 1, pair->right, hp_row(o->right, i));
	}
	return 0;
}

static int make_inputs(hp_trace *t)
{
	t->label.left = t->label.right = t->encode.unit;
	if (t->net->c.label_halves)
		return make_halves(t);
	return t->net->grammar->left_is_step ? make_states(t) : 0;
}

static hp_mask mask_g1(const hp_trace *t)
{
	return (hp_mask){t->batch.mask.label_g1, t->label.left_owner};
}

static hp_mask mask_g2(const hp_trace *t)
{
	return (hp_mask){t->batch.mask.label_g2, t->batch.mask.by_sentence ? t->batch.levels.unit_owner : NULL};
}

int hp_label_forward_pairs(hp_trace *t)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	hp_label_trace *o = &t->label;
	int size = net->c.label_mlp, labels = net->c.labels;
	if (make_inputs(t))
		return HP_FAIL;
	o->g1_plain = hp_matrix_new(t->arena, o->left.rows, size);
	o->g1 = mask_g1(t).value ? hp_matrix_new(t->arena, o->left.rows, size) : o->g1_plain;
	o->g2_plain = hp_matrix_new(t->arena, o->right.rows, size);
	o->g2 = mask_g2(t).value ? hp_matrix_new(t->arena, o->right.rows, size) : o->g2_plain;
	o->pair_g1 = hp_matrix_new(t->arena, p->pairs, size);
	o->pair_g2 = hp_matrix_new(t->arena, p->pairs, size);
	o->t = hp_matrix_new(t->arena, p->pairs, labels * size);
	o->y = hp_matrix_new(t->arena, p->pairs, labels);
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_mlp_forward(t->pool, o->left, net->label_g1, mask_g1(t), o->g1_plain, o->g1);
	hp_mlp_forward(t->pool, o->right, net->label_g2, mask_g2(t), o->g2_plain, o->g2);
	for (int i = 0; i < p->pairs; i++) {
		memcpy(hp_row(o->pair_g1, i), hp_row(o->g1, left_of(t, i)), (size_t)size * sizeof(float));
		memcpy(hp_row(o->pair_g2, i), hp_row(o->g2, right_of(t, i)), (size_t)size * sizeof(float));
	}
	hp_label_weights w = weights(net);
	hp_label_forward(t->pool, &w, o->pair_g1, o->pair_g2, o->t, o->y);
	return 0;
}

/* What the pairs' rows have got, to the states or units that they were made of. */
static int inputs_backward(const hp_trace *t, hp_matrix dleft, hp_matrix dright, hp_matrix du, hp_matrix dd)
{
	const hp_levels *p = &t->batch.levels;
	for (int i = 0; t->net->grammar->left_is_step && i < p->pairs; i++)
		hp_vec_add((size_t)dd.cols, hp_row(dleft, i), hp_row(dd, p->pair[i].left));
	if (!t->net->c.label_halves)
		return 0;
	double *dsums = HP_NEW0(t->arena, double, ((size_t)du.rows + 1) * (size_t)du.cols);
	if (!dsums)
		return HP_FAIL;
	for (int i = 0; i < p->pairs; i++) {
		const hp_pair *pair = &p->pair[i];
		hp_half_back(hp_row(dleft, i), pair->first, pair->left, du, dsums);
		hp_half_back(hp_row(dright, i), pair->left + 1, pair->right, du, dsums);
	}
	hp_halves_sum_back(dsums, du);
	return 0;
}

int hp_label_backward_pairs(hp_trace *t, hp_matrix du, hp_matrix dd)
{
	const hp_net *net = t->net;
	const hp_levels *p = &t->batch.levels;
	const hp_label_trace *o = &t->label;
	int size = net->c.label_mlp;
	bool left = o->left.data != t->encode.unit.data, right = o->right.data != t->encode.unit.data;
	hp_matrix dpair1 = hp_matrix_new(t->arena, p->pairs, size), dpair2 = hp_matrix_new(t->arena, p->pairs, size);
	hp_matrix dg1 = hp_matrix_zeros(t->arena, o->g1), dg2 = hp_matrix_zeros(t->arena, o->g2);
	hp_matrix dleft = left ? hp_matrix_new(t->arena, o->left.rows, o->left.cols) : du;
	hp_matrix dright = right ? hp_matrix_new(t->arena, o->right.rows, o->right.cols) : du;
	if (hp_arena_failed(t->arena))
		return HP_FAIL;
	hp_label_weights w = weights(net);
	hp_label_backward(t->pool, &w, o->pair_g1, o->pair_g2, o->t, o->y, dpair1, dpair2);
	for (int i = 0; i < p->pairs; i++) {
		hp_vec_add((size_t)size, hp_row(dpair1, i), hp_row(dg1, left_of(t, i)));
		hp_vec_add((size_t)size, hp_row(dpair2, i), hp_row(dg2, right_of(t, i)));
	}
	hp_mlp_backward(t->pool, o->left, net->label_g1, mask_g1(t), o->g1_plain, dg1, dleft, !left);
	hp_mlp_backward(t->pool, o->right, net->label_g2, mask_g2(t), o->g2_plain, dg2, dright, !right);
	return inputs_backward(t, dleft, dright, du, dd);
}

/* ---- parsing ---- */

enum { PAIRS = 256 }; /* at a time: bounds the memory for their K × L products */

/* Scores of pairs, which do not depend on the other pairs. */
typedef struct labeller {
	hp_pool *pool;
	const hp_net *net;
	hp_matrix left[HP_MOST_MEMBERS],
		right[HP_MOST_MEMBERS]; /* [PAIRS × what a member reads of them]: filled by the caller */
	hp_matrix y; /* [PAIRS × K]: the scores */
	hp_matrix opinion; /* the same of one member; if there is but one, y itself */
	hp_matrix g1, g2, t, part; /* [. × L], [. × L], [. × K·L], [. × K] */
} labeller;

static int alloc_labeller(labeller *a, hp_arena *arena)
{
	int K = a->net->c.labels, L = a->net->c.label_mlp;
	for (size_t m = 0; m < a->net->s.M; m++) {
		a->left[m] = hp_matrix_new(arena, PAIRS, (int)a->net->s.G);
		a->right[m] = hp_matrix_new(arena, PAIRS, (int)a->net->s.R);
	}
	a->g1 = hp_matrix_new(arena, PAIRS, L);
	a->g2 = hp_matrix_new(arena, PAIRS, L);
	a->t = hp_matrix_new(arena, PAIRS, K * L);
	a->y = hp_matrix_new(arena, PAIRS, K);
	a->opinion = a->net->s.M > 1 ? hp_matrix_new(arena, PAIRS, K) : a->y;
	a->part = hp_matrix_new(arena, PAIRS, K);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* The opinion of a member on the first M pairs. */
static void member_scores(const labeller *a, size_t member, int m)
{
	const hp_net *net = a->net->member[member];
	size_t K = (size_t)net->c.labels;
	hp_matrix g1 = hp_some_rows(a->g1, 0, m), g2 = hp_some_rows(a->g2, 0, m), t = hp_some_rows(a->t, 0, m),
			  y = hp_some_rows(a->opinion, 0, m);
	hp_mlp_rows(a->pool, hp_some_rows(a->left[member], 0, m), net->label_g1, g1);
	hp_mlp_rows(a->pool, hp_some_rows(a->right[member], 0, m), net->label_g2, g2);
	hp_param_product(a->pool, g1, net->label_u, y);
	hp_param_product(a->pool, g2, net->label_v, hp_some_rows(a->part, 0, m));
	for (int i = 0; i < m; i++) {
		hp_vec_add(K, hp_row(a->part, i), hp_row(y, i));
		hp_vec_add(K, net->label_b->value, hp_row(y, i));
	}
	hp_param_product(a->pool, g2, net->label_w, t);
	hp_label_contract(a->pool, g1, t, y);
}

/* y of the first M pairs; of several members the logarithm of their probabilities' mean. */
static void label_scores(const labeller *a, int m)
{
	size_t K = (size_t)a->net->c.labels, members = a->net->s.M;
	for (size_t k = 0; k < members; k++) {
		member_scores(a, k, m);
		for (int i = 0; members > 1 && i < m; i++) {
			hp_vec_log_softmax(K, hp_row(a->opinion, i));
			hp_vec_ensemble(k, members, K, hp_row(a->opinion, i), hp_row(a->y, i));
		}
	}
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

/* Of a split: the label of which most is right by expectation, when one asks for its nuclearity and for all of it.  Where
 * relations compete, the likeliest label alone often has the rarer nuclearity. */
static int choose_split(int labels, const float *y, const int8_t *nuclearity)
{
	float sum = hp_vec_log_sum_exp((size_t)labels, y), share[HP_NUCLEARITIES] = {0}, most = -1;
	int best = 0;
	for (int k = 0; k < labels; k++)
		share[nuclearity[k]] += expf(y[k] - sum);
	for (int k = 0; k < labels; k++) {
		float right = expf(y[k] - sum) + share[nuclearity[k]];
		if (right <= most)
			continue;
		most = right;
		best = k;
	}
	return best;
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
	hp_matrix unit[HP_MOST_MEMBERS]; /* rst: [longest × W] of the sentence, */
	double *sums[HP_MOST_MEMBERS]; /* and with label_halves [(longest + 1) × W] */
} waiting;

static void label_waiting(waiting *w)
{
	int labels = w->scorer.net->c.labels;
	label_scores(&w->scorer, w->count);
	for (int i = 0; i < w->count; i++) {
		const float *y = hp_row(w->scorer.y, i);
		int best = w->special.nuclearity ? choose_split(labels, y, w->special.nuclearity)
		                                 : choose(labels, y, w->root_child[i], w->special);
		w->labels[w->result[i]] = best;
		if (w->logp)
			w->logp[w->result[i]] = best < 0 ? -INFINITY : y[best] - hp_vec_log_sum_exp((size_t)labels, y);
	}
	w->count = 0;
}

/* Takes the pair whose left and right one are there. */
static void add_pair(waiting *w, size_t result, bool root_child)
{
	w->result[w->count] = result;
	w->root_child[w->count++] = root_child;
	if (w->count == PAIRS)
		label_waiting(w);
}

/* All members' STATE and UNIT. */
static void put_arc(waiting *w, const float *state, const float *unit)
{
	const hp_net *net = w->scorer.net;
	for (size_t m = 0; m < net->s.M; m++) {
		hp_member_take(net, m, net->s.Q, 1, state, hp_row(w->scorer.left[m], w->count));
		hp_member_take(net, m, net->s.W, 1, unit, hp_row(w->scorer.right[m], w->count));
	}
}

static void put_split(waiting *w, size_t m, const int32_t *split)
{
	size_t W = w->scorer.net->s.W;
	float *left = hp_row(w->scorer.left[m], w->count), *right = hp_row(w->scorer.right[m], w->count);
	if (w->sums[m]) {
		hp_half_put(w->unit[m], w->sums[m], split[0], split[1], left);
		hp_half_put(w->unit[m], w->sums[m], split[1] + 1, split[2], right);
		return;
	}
	memcpy(left, hp_row(w->unit[m], split[1]), W * sizeof(float));
	memcpy(right, hp_row(w->unit[m], split[2]), W * sizeof(float));
}

/* rst: room for the units of the longest sentence. */
static int alloc_units(waiting *w, hp_arena *arena, const hp_sentences *in)
{
	const hp_net *net = w->scorer.net;
	int longest = 0;
	for (int s = 0; s < in->count; s++)
		longest = in->sample[s].units > longest ? in->sample[s].units : longest;
	for (size_t m = 0; m < net->s.M; m++) {
		w->unit[m] = hp_matrix_new(arena, longest, (int)net->s.W);
		if (net->c.label_halves)
			w->sums[m] = HP_NEW(arena, double, ((size_t)longest + 1) * net->s.W);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* H [rows × M·W] of the sentence. */
static void take_units(waiting *w, const hp_sample *sample, const float *h)
{
	const hp_net *net = w->scorer.net;
	size_t W = net->s.W;
	for (size_t m = 0; m < net->s.M; m++) {
		w->unit[m].rows = sample->units;
		for (int i = 0; i < sample->units; i++)
			hp_member_take(net, m, W, 1, h + (size_t)sample->ends[i] * net->s.M * W, hp_row(w->unit[m], i));
		if (w->sums[m])
			hp_halves_sum(w->unit[m], w->sums[m]);
	}
}

/* H: of the sentence; RESULT: the tree's first. */
static void add_tree(waiting *w, const hp_sample *sample, const float *h, const hp_trees *trees, size_t result)
{
	const hp_net *net = w->scorer.net;
	size_t W = net->s.M * net->s.W, Q = net->s.M * net->s.Q;
	for (int i = 0; i < net->grammar->root; i++, result++) {
		w->labels[result] = -1;
		if (w->logp)
			w->logp[result] = 0;
	}
	for (int i = 1; i < sample->units; i++, result++) {
		if (net->grammar->left_is_step) {
			put_arc(w, trees->d + result * Q, h + (size_t)i * W);
			add_pair(w, result, trees->tree[result] == 0);
			continue;
		}
		for (size_t m = 0; m < net->s.M; m++)
			put_split(w, m, trees->tree + 3 * result);
		add_pair(w, result, false);
	}
}

int hp_label(const hp_parsing *how, hp_arena *scratch, const hp_sentences *in, const float *h, const hp_trees *trees,
             int32_t *labels, float *logp, hp_error *err)
{
	const hp_net *net = how->net;
	hp_arena_mark mark = hp_arena_save(scratch);
	waiting w = {.scorer = {.pool = how->pool, .net = net}, .special = how->special, .labels = labels, .logp = logp};
	size_t row = 0, result = 0, width = net->s.M * net->s.W;
	bool splits = !net->grammar->left_is_step;
	if (alloc_labeller(&w.scorer, scratch) || (splits && alloc_units(&w, scratch, in)))
		return hp_fail_memory(err);
	for (int s = 0; s < in->count; s++) {
		const hp_sample *sample = &in->sample[s];
		size_t results = (size_t)(sample->units - 1 + net->grammar->root);
		if (splits)
			take_units(&w, sample, h + row * width);
		for (int k = 0; k < (trees->found ? trees->found[s] : 1); k++)
			add_tree(&w, sample, h + row * width, trees, result + (size_t)k * results);
		row += (size_t)sample->rows;
		result += (size_t)hp_most_trees(how) * results;
	}
	if (w.count)
		label_waiting(&w);
	hp_arena_restore(scratch, mark);
	return 0;
}
