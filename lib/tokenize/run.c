/* run.c: the network reads windows.  What a character and a kind bring to the first layer's gates is worked out once. */
#include <stdlib.h>
#include <string.h>

#include "nn/birnn.h"
#include "nn/int8.h"
#include "nn/vmath.h"
#include "tokenize/net.h"

struct hp_tok_runner {
	const hp_tok_net *net;
	float *chr[2], *kind[2]; /* [chars × 4H], [kinds × 4H] by direction */
};

static float *gates_of(const hp_tok_net *net, const hp_param *table, int direction)
{
	hp_matrix rows = hp_param_values(table);
	int width = 4 * net->c.hidden;
	float *gates = malloc((size_t)rows.rows * (size_t)width * sizeof *gates);
	if (gates)
		hp_param_product(NULL, rows, net->cell[0][direction].w_ih, hp_matrix_of(gates, rows.rows, width));
	return gates;
}

int hp_tok_runner_new(const hp_tok_net *net, hp_tok_runner **out, hp_error *err)
{
	hp_tok_runner *r = calloc(1, sizeof *r);
	*out = r;
	if (!r)
		return hp_fail_memory(err);
	r->net = net;
	for (int d = 0; d < 2; d++) {
		r->chr[d] = gates_of(net, net->chr, d);
		r->kind[d] = gates_of(net, net->kind, d);
		if (!r->chr[d] || !r->kind[d]) {
			hp_tok_runner_destroy(r);
			*out = NULL;
			return hp_fail_memory(err);
		}
	}
	return 0;
}

void hp_tok_runner_destroy(hp_tok_runner *r)
{
	for (int d = 0; r && d < 2; d++) {
		free(r->chr[d]);
		free(r->kind[d]);
	}
	free(r);
}

typedef struct reading {
	const hp_tok_runner *r;
	hp_pool *pool;
	const hp_tok_window *window;
	float *const *score;
	hp_packed p;
	const int *order;
	hp_matrix x, out; /* [rows × 2H] */
	hp_matrix input; /* [rows × 4H] */
	hp_matrix state; /* [count × 2H] */
	int direction;
} reading;

/* Position T of all windows. */
static void first_gates_task(void *arg, int t)
{
	const reading *g = arg;
	size_t width = (size_t)g->input.cols;
	for (int s = 0; s < g->p.active[t]; s++) {
		const hp_tok_window *w = &g->window[g->order[s]];
		float *gates = hp_row(g->input, g->p.offset[t] + s);
		memcpy(gates, g->r->chr[g->direction] + (size_t)w->chr[t] * width, width * sizeof(float));
		hp_vec_add(width, g->r->kind[g->direction] + w->kind[t] * width, gates);
	}
}

static int run_layer(reading *g, hp_arena *arena, int layer)
{
	const hp_tok_net *net = g->r->net;
	int H = net->c.hidden;
	for (int d = 0; d < 2; d++) {
		const hp_cell *cell = &net->cell[layer][d];
		hp_birnn_direction direction = {.p = &g->p, .cell = cell, .direction = d, .input = g->input, .state = g->state};
		direction.out = hp_some_columns(g->out, d * H, H);
		g->direction = d;
		if (layer)
			direction.x = g->x;
		else
			hp_pool_run(g->pool, g->p.steps, first_gates_task, g);
		if (hp_birnn_run(g->pool, arena, &direction))
			return HP_FAIL;
	}
	hp_matrix used = g->x;
	g->x = g->out;
	g->out = used;
	return 0;
}

static void score_task(void *arg, int t)
{
	const reading *g = arg;
	const hp_affine *out = &g->r->net->out;
	for (int s = 0; s < g->p.active[t]; s++) {
		const float *x = hp_row(g->x, g->p.offset[t] + s);
		float *score = g->score[g->order[s]] + (size_t)t * HP_TOK_CLASSES;
		for (int k = 0; k < HP_TOK_CLASSES; k++)
			score[k] = out->b->value[k] + hp_vec_dot((size_t)g->x.cols, hp_row(hp_param_values(out->w), k), x);
		float total = hp_vec_log_sum_exp(HP_TOK_CLASSES, score);
		for (int k = 0; k < HP_TOK_CLASSES; k++)
			score[k] -= total;
	}
}

static int run_group(void *arg, hp_arena *arena, int count, const int *order, const int *lengths, const size_t *at)
{
	reading *g = arg;
	const hp_tok_net *net = g->r->net;
	(void)at;
	g->order = order;
	g->p = hp_pack(arena, count, lengths);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	int rows = g->p.offset[g->p.steps], H = net->c.hidden;
	g->x = hp_matrix_new(arena, rows, 2 * H);
	g->out = hp_matrix_new(arena, rows, 2 * H);
	g->input = hp_matrix_new(arena, rows, 4 * H);
	g->state = hp_matrix_new(arena, count, 2 * H);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int l = 0; l < net->c.layers; l++)
		if (run_layer(g, arena, l))
			return HP_FAIL;
	hp_pool_run(g->pool, g->p.steps, score_task, g);
	return 0;
}

int hp_tok_run(hp_tok_runner *r, hp_pool *pool, hp_arena *scratch, int count, const hp_tok_window *windows,
               float *const *score, hp_error *err)
{
	reading g = {.r = r, .pool = pool, .window = windows, .score = score};
	hp_arena_mark mark = hp_arena_save(scratch);
	int *lengths = HP_NEW(scratch, int, (size_t)count);
	if (!lengths)
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++)
		lengths[i] = windows[i].count;
	if (hp_each_group(scratch, count, lengths, run_group, &g))
		return hp_fail_memory(err);
	hp_arena_restore(scratch, mark);
	return 0;
}
