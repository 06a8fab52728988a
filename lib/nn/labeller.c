#include "nn/labeller.h"

#include "nn/int8.h"
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

int hp_labeller_alloc(hp_labeller *a, const hp_params *p, hp_arena *arena)
{
	a->left_mlp = hp_params_find_affine(p, "label.g1");
	a->right_mlp = hp_params_find_affine(p, "label.g2");
	a->w = hp_params_find(p, "label.w");
	a->u = hp_params_find(p, "label.u");
	a->v = hp_params_find(p, "label.v");
	a->b = hp_params_find(p, "label.b");
	a->labels = a->w->shape[0];
	size_t rows = HP_LABELLER_ROWS, K = (size_t)a->labels, L = (size_t)a->w->shape[1];
	a->left = HP_NEW(arena, float, rows * (size_t)a->left_mlp.w->shape[1]);
	a->right = HP_NEW(arena, float, rows * (size_t)a->right_mlp.w->shape[1]);
	a->g1 = HP_NEW(arena, float, rows * L);
	a->g2 = HP_NEW(arena, float, rows * L);
	a->t = HP_NEW(arena, float, rows * K * L);
	a->y = HP_NEW(arena, float, rows * K);
	a->part = HP_NEW(arena, float, rows * K);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

void hp_labeller_scores(const hp_labeller *a, int m)
{
	int K = a->labels, L = a->w->shape[1];
	hp_mlp_rows(a->pool, m, a->left, a->left_mlp, a->g1);
	hp_mlp_rows(a->pool, m, a->right, a->right_mlp, a->g2);
	hp_param_product(a->pool, m, a->g1, L, a->u, a->y, K);
	hp_param_product(a->pool, m, a->g2, L, a->v, a->part, K);
	hp_vec_add((size_t)m * (size_t)K, a->part, a->y);
	for (int i = 0; i < m; i++)
		hp_vec_add((size_t)K, a->b->value, a->y + (size_t)i * (size_t)K);
	hp_param_product(a->pool, m, a->g2, L, a->w, a->t, K * L);
	hp_label_contract(a->pool, m, K, L, a->g1, a->t, a->y);
}
