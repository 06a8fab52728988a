#include "nn/labeller.h"

#include "nn/gemm.h"
#include "nn/linear.h"
#include "nn/vmath.h"

int hp_label_declare(hp_params *p, hp_error *err, int labels, int size, int left, int right)
{
	if (hp_params_declare_affine(p, err, "label.g1", size, left) ||
	    hp_params_declare_affine(p, err, "label.g2", size, right) ||
	    hp_params_declare(p, err, "label.w", 3, labels, size, size) ||
	    hp_params_declare(p, err, "label.u", 2, labels, size) || hp_params_declare(p, err, "label.v", 2, labels, size))
		return HP_FAIL;
	return hp_params_declare(p, err, "label.b", 1, labels);
}

int hp_labeller_alloc(hp_labeller *a, hp_arena *arena)
{
	size_t rows = HP_LABELLER_ROWS, K = (size_t)a->w.labels, L = (size_t)a->w.size;
	a->left = HP_NEW(arena, float, rows * (size_t)a->left_mlp.w->shape[1]);
	a->right = HP_NEW(arena, float, rows * (size_t)a->right_mlp.w->shape[1]);
	a->g1 = HP_NEW(arena, float, rows * L);
	a->g2 = HP_NEW(arena, float, rows * L);
	a->t = HP_NEW(arena, float, rows * K * L);
	a->y = HP_NEW(arena, float, rows * K);
	a->part = HP_NEW(arena, float, rows * K);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static void mlp(const hp_labeller *a, int m, const float *in, hp_affine layer, float *out)
{
	hp_mlp_rows(a->pool, m, layer.w->shape[1], layer.w->shape[0], in, layer.w->value, layer.b->value, out);
}

void hp_labeller_scores(const hp_labeller *a, int m)
{
	int K = a->w.labels, L = a->w.size;
	mlp(a, m, a->left, a->left_mlp, a->g1);
	mlp(a, m, a->right, a->right_mlp, a->g2);
	hp_gemm_rows(a->pool, m, K, L, a->g1, L, a->w.u, L, a->y, K);
	hp_gemm_rows(a->pool, m, K, L, a->g2, L, a->w.v, L, a->part, K);
	hp_vec_add((size_t)m * (size_t)K, a->part, a->y);
	for (int i = 0; i < m; i++)
		hp_vec_add((size_t)K, a->w.b, a->y + (size_t)i * (size_t)K);
	hp_gemm_rows(a->pool, m, K * L, L, a->g2, L, a->w.w, L, a->t, K * L);
	hp_label_contract(a->pool, m, &a->w, a->g1, a->t, a->y);
}
