/* label.c: labels of arcs, in parsing. */
#include "dep/net.h"

#include <math.h>
#include <string.h>

#include "nn/labeller.h"
#include "nn/vmath.h"

/* The best label that the word may have: that of the root if it is the root's child, any other one if not. */
static int choose(int labels, const float *y, bool root_child, hp_dep_labels special)
{
	if (special.root >= 0 && root_child)
		return special.root;
	int best = -1;
	for (int k = 0; k < labels; k++)
		if (k != special.root && k != special.open && (best < 0 || y[k] > y[best]))
			best = k;
	return best < 0 ? special.open : best;
}

/* Labels of M arcs whose words are rows ROW[i]. */
static void label_chunk(const hp_labeller *a, int m, const int *row, const float *h, const float *d,
                        const int32_t *heads, hp_dep_labels special, int32_t *labels, float *logp)
{
	size_t Q = (size_t)a->left_mlp.w->shape[1], H2 = (size_t)a->right_mlp.w->shape[1], K = (size_t)a->labels;
	for (int i = 0; i < m; i++) {
		memcpy(a->left + (size_t)i * Q, d + (size_t)row[i] * Q, Q * sizeof(float));
		memcpy(a->right + (size_t)i * H2, h + (size_t)row[i] * H2, H2 * sizeof(float));
	}
	hp_labeller_scores(a, m);
	for (int i = 0; i < m; i++) {
		const float *y = a->y + (size_t)i * K;
		int best = choose((int)K, y, heads[row[i]] == 0, special);
		labels[row[i]] = best;
		if (logp)
			logp[row[i]] = best < 0 ? -INFINITY : y[best] - hp_vec_log_sum_exp(K, y);
	}
}

int hp_dep_label(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                 const float *d, const int32_t *heads, hp_dep_labels special, int32_t *labels, float *logp,
                 hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_labeller a = {.pool = pool};
	int row[HP_LABELLER_ROWS], m = 0, at = 0;
	if (hp_labeller_alloc(&a, &net->params, scratch))
		return hp_fail_memory(err);
	for (int s = 0; s < count; s++) {
		labels[at] = -1;
		if (logp)
			logp[at] = 0;
		for (int i = 1; i < n[s]; i++) {
			row[m++] = at + i;
			if (m == HP_LABELLER_ROWS) {
				label_chunk(&a, m, row, h, d, heads, special, labels, logp);
				m = 0;
			}
		}
		at += n[s];
	}
	label_chunk(&a, m, row, h, d, heads, special, labels, logp);
	hp_arena_restore(scratch, mark);
	return 0;
}
