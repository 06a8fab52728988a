/* search.c: a step of the decoder for all hypotheses of all sentences at once. */
#include "dep/search.h"

#include <string.h>

#include "nn/fusion.h"
#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"

enum { ROWS = 8 }; /* of one task */

size_t hp_state_floats(const hp_dep_net *net)
{
	size_t parts = 1;
	for (int s = 0; s < HP_SOURCES; s++)
		parts += (net->fuse[s] != NULL) + (net->gate[s] && net->c.gate == HP_GATE_GATE);
	return parts * 2 * (size_t)net->c.decoder_hidden;
}

static float *state_at(const hp_search *s, int state)
{
	return hp_slab_at(&s->states, state);
}

/* Where a state's product with the fusion's (or gate's) matrix of a source stands; NULL: there is none. */
static float *part_of(const hp_search *s, int state, int source, bool gate)
{
	const hp_dep_net *net = s->net;
	if (state < 0 || !(gate ? net->gate[source] : net->fuse[source]) || (gate && net->c.gate != HP_GATE_GATE))
		return NULL;
	int place = 1;
	for (int i = 0; i < source; i++)
		place += net->fuse[i] != NULL;
	if (gate) {
		place = 1;
		for (int i = 0; i < HP_SOURCES; i++)
			place += net->fuse[i] != NULL;
		for (int i = 0; i < source; i++)
			place += net->gate[i] != NULL;
	}
	return state_at(s, state) + (size_t)place * 2 * (size_t)net->c.decoder_hidden;
}

int hp_search_alloc(hp_search *s, hp_arena *arena, int rows, int positions)
{
	const hp_dep_config *c = &s->net->c;
	size_t m = (size_t)rows, m2 = 2 * m;
	size_t Q = (size_t)c->decoder_hidden, I = (size_t)c->decoder_input, A = (size_t)c->arc_mlp;
	size_t all = (size_t)positions;
	s->source = HP_NEW(arena, float, all * I);
	s->key = HP_NEW(arena, float, all * A);
	s->bias = HP_NEW(arena, float, all);
	s->row_state = HP_NEW(arena, int, m);
	s->row_frame = HP_NEW(arena, const hp_frame *, m);
	s->row_previous = HP_NEW(arena, int, m);
	s->row_at = HP_NEW(arena, int, m);
	s->gathered_state = HP_NEW(arena, int, m);
	s->z = HP_NEW(arena, float, m * I);
	s->gates = HP_NEW(arena, float, m * 4 * Q);
	s->recurrent = HP_NEW(arena, float, m * 4 * Q);
	s->hidden_in = HP_NEW(arena, float, m * Q);
	s->cell_in = HP_NEW(arena, float, m * Q);
	s->tanh_cell = HP_NEW(arena, float, m * Q);
	s->state = HP_NEW(arena, float, m * 2 * Q);
	s->h = HP_NEW(arena, float, m * Q);
	s->g1 = HP_NEW(arena, float, m * A);
	s->scores = HP_NEW(arena, float, m * (size_t)s->longest);
	s->gathered = HP_NEW(arena, float, m2 * Q);
	s->projected = HP_NEW(arena, float, m2 * Q);
	if (c->gate == HP_GATE_SGATE) {
		s->product[0] = HP_NEW(arena, float, m2 * Q);
		s->product[1] = HP_NEW(arena, float, m2 * Q);
		s->gate_sum = HP_NEW(arena, float, m2 * Q);
		s->gate_part = HP_NEW(arena, float, m2 * Q);
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

int hp_search_prepare(hp_search *s, hp_arena *arena, int positions, const float *h)
{
	const hp_dep_config *c = &s->net->c;
	int H2 = 2 * c->hidden, A = c->arc_mlp;
	hp_arena_mark mark = hp_arena_save(arena);
	float *g2 = HP_NEW(arena, float, (size_t)positions * (size_t)A);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_param_product(s->pool, positions, h, H2, s->net->src.w, s->source, c->decoder_input);
	hp_mlp_rows(s->pool, positions, h, s->net->pointer_g2, g2);
	hp_param_product(s->pool, positions, g2, A, s->net->pointer_w, s->key, A);
	for (int i = 0; i < positions; i++)
		s->bias[i] = hp_vec_dot((size_t)A, g2 + (size_t)i * (size_t)A, s->net->pointer_v->value);
	hp_arena_restore(arena, mark);
	return 0;
}

/* z, and with fusion T the LSTM's state input. */
static void input_row(const hp_search *s, int r)
{
	const hp_frame *f = s->row_frame[r];
	size_t I = (size_t)s->net->c.decoder_input;
	int grandparent = f->below < 0 ? 0 : ((const hp_frame *)hp_slab_at(&s->frames, f->below))->head;
	const float *source = s->source + (size_t)s->row_at[r] * I;
	float *z = s->z + (size_t)r * I;
	memcpy(z, s->net->src.b->value, I * sizeof(float));
	hp_vec_add(I, source + (size_t)f->head * I, z);
	if (f->last)
		hp_vec_add(I, source + (size_t)f->last * I, z);
	hp_vec_add(I, source + (size_t)grandparent * I, z);
	hp_vec_elu(I, z);
}

static void product_row(const hp_search *s, int r)
{
	const hp_frame *f = s->row_frame[r];
	size_t width = 2 * (size_t)s->net->c.decoder_hidden;
	const int other[2] = {f->made, f->sibling};
	for (int i = 0; i < 2; i++) {
		float *x = s->product[i] + (size_t)r * width;
		memset(x, 0, width * sizeof(float));
		if (other[i] < 0)
			continue;
		memcpy(x, state_at(s, s->row_previous[r]), width * sizeof(float));
		hp_vec_mul(width, state_at(s, other[i]), x);
	}
}

static void input_task(void *arg, int task)
{
	const hp_search *s = arg;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < s->rows; r++) {
		input_row(s, r);
		if (s->gate_sum)
			product_row(s, r);
	}
}

/* h'' for the hidden state into hidden_in, for the cell into cell_in. */
static void fuse_row(const hp_search *s, int r, float *scratch)
{
	const hp_frame *f = s->row_frame[r];
	size_t Q = (size_t)s->net->c.decoder_hidden;
	float *out[2] = {s->hidden_in + (size_t)r * Q, s->cell_in + (size_t)r * Q};
	if (s->net->c.fusion == HP_FUSION_T) {
		const float *state = state_at(s, s->row_previous[r]);
		memcpy(out[0], state, Q * sizeof(float));
		memcpy(out[1], state + Q, Q * sizeof(float));
		return;
	}
	const int from[HP_SOURCES] = {s->row_previous[r], f->made, f->sibling};
	for (size_t half = 0; half < 2; half++) {
		const float *part[HP_SOURCES], *gate_part[HP_SOURCES];
		for (int i = 0; i < HP_SOURCES; i++) {
			part[i] = part_of(s, from[i], i, false);
			gate_part[i] = part_of(s, from[i], i, true);
			if (part[i])
				part[i] += half * Q;
			if (gate_part[i])
				gate_part[i] += half * Q;
		}
		if (s->gate_sum)
			gate_part[0] = s->gate_sum + ((size_t)r * 2 + half) * Q;
		hp_fuse((int)Q, HP_SOURCES, part, gate_part, s->net->gate_b ? s->net->gate_b->value : NULL, out[half], scratch,
		        out[half]);
	}
}

static void fuse_task(void *arg, int task)
{
	const hp_search *s = arg;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < s->rows; r++)
		fuse_row(s, r, s->recurrent + (size_t)r * 4 * (size_t)s->net->c.decoder_hidden);
}

static void cell_task(void *arg, int task)
{
	const hp_search *s = arg;
	size_t Q = (size_t)s->net->c.decoder_hidden;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < s->rows; r++) {
		float *a = s->gates + (size_t)r * 4 * Q, *h = s->state + (size_t)r * 2 * Q;
		hp_vec_add(4 * Q, s->recurrent + (size_t)r * 4 * Q, a);
		hp_vec_add(4 * Q, s->net->decoder.b->value, a);
		hp_lstm_cell((int)Q, (int)Q, a, s->cell_in + (size_t)r * Q, h + Q, s->tanh_cell + (size_t)r * Q, h);
		memcpy(s->h + (size_t)r * Q, h, Q * sizeof(float));
	}
}

/* Log-probabilities of one sentence's positions. */
static void scores_task(void *arg, int i)
{
	const hp_search *s = arg;
	const hp_beam *b = &s->beams[s->active[i]];
	int A = s->net->c.arc_mlp;
	float *scores = s->scores + (size_t)b->row * (size_t)s->longest;
	hp_gemm_rows(NULL, b->count, b->n, A, s->g1 + (size_t)b->row * (size_t)A, A, s->key + (size_t)b->at * (size_t)A, A,
	             scores, s->longest);
	for (int r = 0; r < b->count; r++) {
		float *x = scores + (size_t)r * (size_t)s->longest;
		hp_vec_add((size_t)b->n, s->bias + b->at, x);
		float log_sum = hp_vec_log_sum_exp((size_t)b->n, x);
		for (int p = 0; p < b->n; p++)
			x[p] -= log_sum;
	}
}

void hp_search_step(hp_search *s)
{
	const hp_dep_net *net = s->net;
	int Q = net->c.decoder_hidden, I = net->c.decoder_input, m = s->rows;
	int tasks = (m + ROWS - 1) / ROWS;
	hp_pool_run(s->pool, tasks, input_task, s);
	if (s->gate_sum) {
		hp_param_product(s->pool, 2 * m, s->product[0], Q, net->gate[HP_FROM_PARENT], s->gate_sum, Q);
		hp_param_product(s->pool, 2 * m, s->product[1], Q, net->gate[HP_FROM_SIBLING], s->gate_part, Q);
		hp_vec_add((size_t)2 * (size_t)m * (size_t)Q, s->gate_part, s->gate_sum);
	}
	hp_pool_run(s->pool, tasks, fuse_task, s);
	hp_param_product(s->pool, m, s->z, I, net->decoder.w_ih, s->gates, 4 * Q);
	hp_param_product(s->pool, m, s->hidden_in, Q, net->decoder.w_hh, s->recurrent, 4 * Q);
	hp_pool_run(s->pool, tasks, cell_task, s);
	hp_mlp_rows(s->pool, m, s->h, net->pointer_g1, s->g1);
	hp_pool_run(s->pool, s->actives, scores_task, s);
}

static void project_one(hp_search *s, int count, const int *states, int source, bool gate)
{
	if (!part_of(s, states[0], source, gate))
		return;
	size_t width = 2 * (size_t)s->net->c.decoder_hidden;
	int Q = s->net->c.decoder_hidden;
	const hp_param *w = gate ? s->net->gate[source] : s->net->fuse[source];
	hp_param_product(s->pool, 2 * count, s->gathered, Q, w, s->projected, Q);
	for (int i = 0; i < count; i++)
		memcpy(part_of(s, states[i], source, gate), s->projected + (size_t)i * width, width * sizeof(float));
}

void hp_search_project(hp_search *s, int count, const int *states, int sources)
{
	if (!count || s->net->c.fusion == HP_FUSION_T)
		return;
	size_t width = 2 * (size_t)s->net->c.decoder_hidden;
	for (int i = 0; i < count; i++)
		memcpy(s->gathered + (size_t)i * width, state_at(s, states[i]), width * sizeof(float));
	for (int source = 0; source < HP_SOURCES; source++)
		if (sources & 1 << source) {
			project_one(s, count, states, source, false);
			project_one(s, count, states, source, true);
		}
}
