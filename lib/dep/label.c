/* label.c: the biaffine label classifier in parsing. */
#include "dep/net.h"

#include <string.h>

#include "nn/gemm.h"
#include "nn/vmath.h"

enum { CHUNK = 256 }; /* arcs at a time: bounds the memory for their K × L products */

typedef struct labeller {
	const hp_dep_net *net;
	hp_pool *pool;
	hp_label_weights w;
	float *d, *h; /* [CHUNK × Q], [CHUNK × 2H] */
	float *g1, *g2; /* [CHUNK × L] */
	float *t; /* [CHUNK × K·L] */
	float *y, *part; /* [CHUNK × K] */
} labeller;

/* out = ELU(in · Wᵀ + b) */
static void mlp(const labeller *a, int m, const float *in, hp_affine layer, float *out)
{
	int width = layer.w->shape[1], L = layer.w->shape[0];
	hp_gemm_rows(a->pool, m, L, width, in, width, layer.w->value, width, out, L);
	for (int i = 0; i < m; i++) {
		hp_vec_add((size_t)L, layer.b->value, out + (size_t)i * (size_t)L);
		hp_vec_elu((size_t)L, out + (size_t)i * (size_t)L);
	}
}

static void scores(const labeller *a, int m)
{
	int K = a->w.labels, L = a->w.size;
	mlp(a, m, a->d, a->net->label_g1, a->g1);
	mlp(a, m, a->h, a->net->label_g2, a->g2);
	hp_gemm_rows(a->pool, m, K, L, a->g1, L, a->w.u, L, a->y, K);
	hp_gemm_rows(a->pool, m, K, L, a->g2, L, a->w.v, L, a->part, K);
	hp_vec_add((size_t)m * (size_t)K, a->part, a->y);
	for (int i = 0; i < m; i++)
		hp_vec_add((size_t)K, a->w.b, a->y + (size_t)i * (size_t)K);
	hp_gemm_rows(a->pool, m, K * L, L, a->g2, L, a->w.w, L, a->t, K * L);
	hp_label_contract(a->pool, m, &a->w, a->g1, a->t, a->y);
}

/* The best label that the word may have: ROOT_LABEL if it is the root's child, any other one if not. */
static int choose(int labels, const float *y, bool root_child, int root_label)
{
	if (root_label >= 0 && root_child)
		return root_label;
	int best = -1;
	for (int k = 0; k < labels; k++)
		if (k != root_label && (best < 0 || y[k] > y[best]))
			best = k;
	return best < 0 ? 0 : best;
}

static int alloc(labeller *a, hp_arena *arena)
{
	const hp_dep_config *c = &a->net->c;
	size_t K = (size_t)c->labels, L = (size_t)c->label_mlp;
	a->d = HP_NEW0(arena, float, CHUNK * (size_t)c->decoder_hidden);
	a->h = HP_NEW0(arena, float, CHUNK * 2 * (size_t)c->hidden);
	a->g1 = HP_NEW0(arena, float, CHUNK * L);
	a->g2 = HP_NEW0(arena, float, CHUNK * L);
	a->t = HP_NEW(arena, float, CHUNK * K * L);
	a->y = HP_NEW(arena, float, CHUNK * K);
	a->part = HP_NEW(arena, float, CHUNK * K);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* Labels of M arcs whose words are rows ROW[i]. */
static void label_chunk(labeller *a, int m, const int *row, const float *h, const float *d, const int32_t *heads,
                        int root_label, int32_t *labels, float *logp)
{
	size_t Q = (size_t)a->net->c.decoder_hidden, H2 = 2 * (size_t)a->net->c.hidden, K = (size_t)a->w.labels;
	for (int i = 0; i < m; i++) {
		memcpy(a->d + (size_t)i * Q, d + (size_t)row[i] * Q, Q * sizeof(float));
		memcpy(a->h + (size_t)i * H2, h + (size_t)row[i] * H2, H2 * sizeof(float));
	}
	scores(a, m);
	for (int i = 0; i < m; i++) {
		const float *y = a->y + (size_t)i * K;
		int best = choose((int)K, y, heads[row[i]] == 0, root_label);
		labels[row[i]] = best;
		if (logp)
			logp[row[i]] = y[best] - hp_vec_log_sum_exp(K, y);
	}
}

int hp_dep_label(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                 const float *d, const int32_t *heads, int root_label, int32_t *labels, float *logp, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	labeller a = {.net = net, .pool = pool, .w = hp_dep_label_weights(net)};
	int row[CHUNK], m = 0, at = 0;
	if (alloc(&a, scratch))
		return hp_fail_memory(err);
	for (int s = 0; s < count; s++) {
		labels[at] = -1;
		if (logp)
			logp[at] = 0;
		for (int i = 1; i < n[s]; i++) {
			row[m++] = at + i;
			if (m == CHUNK) {
				label_chunk(&a, m, row, h, d, heads, root_label, labels, logp);
				m = 0;
			}
		}
		at += n[s];
	}
	label_chunk(&a, m, row, h, d, heads, root_label, labels, logp);
	hp_arena_restore(scratch, mark);
	return 0;
}
