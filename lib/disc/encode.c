/* encode.c: x -> h and the decoder's start states, in parsing.  The batch is packed as in packed.h; all products are row
 * by row the same for any batch (hp_param_product). */
#include "disc/net.h"

#include <string.h>

#include "nn/int8.h"
#include "nn/vmath.h"

enum { ROWS = 8 }; /* of one task */

typedef struct encoder {
	const hp_rst_net *net;
	hp_pool *pool;
	const float *rows; /* all sentences' x; what is found for them: */
	float *states, *init;
	hp_packed p;
	float *x, *out; /* [rows × layer's input], [rows × 2H] */
	float *gates; /* [rows × 3H] of one direction */
	float *step; /* [count × 3H] */
	float *a; /* [count × 4H] */
	float *h; /* [count × H] */
	float *next; /* [count × H] */
	hp_gru_weights w;
	int direction, t; /* position that is being computed */
} encoder;

static void cell_task(void *arg, int task)
{
	const encoder *e = arg;
	size_t H = (size_t)e->net->c.hidden;
	for (int s = task * ROWS; s < (task + 1) * ROWS && s < e->p.active[e->t]; s++) {
		size_t row = (size_t)e->p.offset[e->t] + (size_t)s, at = (size_t)s * H;
		hp_gru_join((int)H, e->gates + row * 3 * H, e->step + 3 * at, &e->w, e->a + 4 * at);
		hp_gru_cell((int)H, (int)H, e->a + 4 * at, e->h + at, e->next + at);
		memcpy(e->h + at, e->next + at, H * sizeof(float));
		memcpy(e->out + row * 2 * H + (size_t)e->direction * H, e->h + at, H * sizeof(float));
	}
}

/* The last states are added to the layer's part of the sentences that ORDER names. */
static void run_direction(encoder *e, int layer, int direction, const int *order)
{
	int H = e->net->c.hidden, in = hp_rst_input_of(&e->net->c, layer), steps = e->p.steps;
	e->direction = direction;
	const hp_gru_params *p = &e->net->encoder[layer][direction];
	e->w = hp_gru_weights_of(p);
	memset(e->h, 0, (size_t)e->p.count * (size_t)H * sizeof(float));
	hp_param_product(e->pool, e->p.offset[steps], e->x, in, p->w_ih, e->gates, 3 * H);
	for (int i = 0; i < steps; i++) {
		e->t = hp_walk_at(&e->p, direction, i);
		int m = e->p.active[e->t];
		hp_param_product(e->pool, m, e->h, H, p->w_hh, e->step, 3 * H);
		hp_pool_run(e->pool, (m + ROWS - 1) / ROWS, cell_task, e);
	}
	for (int s = 0; s < e->p.count; s++)
		hp_vec_add((size_t)H, e->h + (size_t)s * (size_t)H,
		           e->init + ((size_t)order[s] * (size_t)e->net->c.layers + (size_t)layer) * (size_t)H);
}

static int alloc(encoder *e, hp_arena *arena)
{
	size_t rows = (size_t)e->p.offset[e->p.steps], count = (size_t)e->p.count;
	size_t H = (size_t)e->net->c.hidden, D = (size_t)e->net->c.input_dim, widest = D > 2 * H ? D : 2 * H;
	e->x = HP_NEW(arena, float, rows * widest);
	e->out = HP_NEW(arena, float, rows * widest);
	e->gates = HP_NEW(arena, float, rows * 3 * H);
	e->step = HP_NEW(arena, float, count * 3 * H);
	e->a = HP_NEW(arena, float, count * 4 * H);
	e->h = HP_NEW(arena, float, count * H);
	e->next = HP_NEW(arena, float, count * H);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static int encode_group(void *arg, hp_arena *arena, int count, const int *order, const int *lengths, const size_t *at)
{
	encoder *e = arg;
	const hp_rst_config *c = &e->net->c;
	size_t H = (size_t)c->hidden;
	e->p = hp_pack(arena, count, lengths);
	if (hp_arena_failed(arena) || alloc(e, arena))
		return HP_FAIL;
	hp_pack_rows(&e->p, order, at, (size_t)c->input_dim, e->rows, e->x);
	for (int l = 0; l < c->layers; l++) {
		run_direction(e, l, 0, order);
		run_direction(e, l, 1, order);
		float *used = e->x;
		e->x = e->out;
		e->out = used;
	}
	for (size_t row = 0; row < (size_t)e->p.offset[e->p.steps]; row++) { /* both directions are added, in place */
		float *sum = e->x + row * H;
		memmove(sum, e->x + row * 2 * H, H * sizeof(float));
		hp_vec_add(H, e->x + row * 2 * H + H, sum);
	}
	hp_unpack_rows(&e->p, order, at, H, e->x, e->states);
	return 0;
}

int hp_rst_encode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *words, const float *x,
                  float *h, float *init, hp_error *err)
{
	encoder e = {.net = net, .pool = pool, .rows = x, .states = h, .init = init};
	memset(init, 0, (size_t)count * (size_t)net->c.layers * (size_t)net->c.hidden * sizeof(float));
	return hp_each_group(scratch, count, words, encode_group, &e) ? hp_fail_memory(err) : 0;
}
