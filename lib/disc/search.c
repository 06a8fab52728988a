/* search.c: a step of the decoder for all hypotheses of all sentences at once. */
#include "disc/search.h"

#include <string.h>

#include "nn/int8.h"
#include "nn/vmath.h"

enum { ROWS = 8 }; /* of one task */

size_t hp_rst_state_floats(const hp_rst_net *net)
{
	size_t parts = 1;
	for (int s = 0; s < HP_SOURCES; s++)
		parts += net->fuse[s] != NULL;
	return parts * (size_t)net->c.layers * (size_t)net->c.hidden;
}

static float *state_at(const hp_rst_search *s, int state)
{
	return hp_slab_at(&s->states, state);
}

/* Where the products with the fusion's matrix of a source stand in a state. */
static size_t place_of(const hp_rst_search *s, int source)
{
	size_t place = 1;
	for (int i = 0; i < source; i++)
		place += s->net->fuse[i] != NULL;
	return place * s->L * s->H;
}

/* A state's product with the fusion's matrix of a source; NULL: there is none. */
static const float *part_of(const hp_rst_search *s, int state, int source)
{
	return state < 0 || !s->net->fuse[source] ? NULL : state_at(s, state) + place_of(s, source);
}

int hp_rst_search_alloc(hp_rst_search *s, hp_arena *arena, int rows)
{
	size_t m = (size_t)rows, all = m * s->L, H = s->H;
	s->row_state = HP_NEW(arena, int, m);
	s->row_span = HP_NEW(arena, const hp_rst_span *, m);
	s->row_previous = HP_NEW(arena, int, m);
	s->row_at = HP_NEW(arena, int, m);
	s->gathered_state = HP_NEW(arena, int, m);
	s->z = HP_NEW(arena, float, m * H);
	s->fused = HP_NEW(arena, float, m * s->L * H);
	s->input = HP_NEW(arena, float, m * 3 * H);
	s->recurrent = HP_NEW(arena, float, m * 3 * H);
	s->gates = HP_NEW(arena, float, m * 4 * H);
	s->state = HP_NEW(arena, float, m * s->L * H);
	s->scores = HP_NEW(arena, float, m * (size_t)s->longest);
	s->gathered = HP_NEW(arena, float, all * H);
	s->projected = HP_NEW(arena, float, all * H);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

/* The decoder's input, and the old states that its cells take: fused, or with fusion T the previous ones themselves. */
static void input_row(const hp_rst_search *s, int r)
{
	const hp_rst_span *f = s->row_span[r];
	const float *e = s->e + (size_t)s->row_at[r] * s->H;
	float *z = s->z + (size_t)r * s->H, *fused = s->fused + (size_t)r * s->L * s->H;
	memcpy(z, e + (size_t)f->last * s->H, s->H * sizeof(float));
	if (f->parent >= 0)
		hp_vec_add(s->H, e + (size_t)f->parent * s->H, z);
	if (f->sibling >= 0)
		hp_vec_add(s->H, e + (size_t)f->sibling * s->H, z);
	if (s->net->c.fusion == HP_FUSION_T) {
		memcpy(fused, state_at(s, s->row_previous[r]), s->L * s->H * sizeof(float));
		return;
	}
	const float *part[HP_SOURCES] = {part_of(s, s->row_previous[r], HP_FROM_PREVIOUS),
	                                 part_of(s, f->made, HP_FROM_PARENT), part_of(s, f->sibling_made, HP_FROM_SIBLING)};
	hp_fuse((int)(s->L * s->H), HP_SOURCES, part, NULL, NULL, fused, NULL, fused);
}

static void input_task(void *arg, int task)
{
	const hp_rst_search *s = arg;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < s->rows; r++)
		input_row(s, r);
}

/* The new state is the next layer's input too. */
static void cell_task(void *arg, int task)
{
	const hp_rst_search *s = arg;
	size_t H = s->H;
	for (int i = task * ROWS; i < (task + 1) * ROWS && i < s->rows; i++) {
		size_t r = (size_t)i, at = (r * s->L + (size_t)s->layer) * H;
		float *gates = s->gates + r * 4 * H;
		hp_gru_join((int)H, s->input + r * 3 * H, s->recurrent + r * 3 * H, &s->w, gates);
		hp_gru_cell((int)H, (int)H, gates, s->fused + at, s->state + at);
		memcpy(s->z + r * H, s->state + at, H * sizeof(float));
	}
}

/* Log-probabilities of a row's EDUs but the last: dot products with the last layer's state. */
static void scores_task(void *arg, int task)
{
	const hp_rst_search *s = arg;
	for (int i = task * ROWS; i < (task + 1) * ROWS && i < s->rows; i++) {
		const hp_rst_span *f = s->row_span[i];
		size_t n = (size_t)(f->last - f->first);
		const float *e = s->e + (size_t)(s->row_at[i] + f->first) * s->H, *d = s->z + (size_t)i * s->H;
		float *x = s->scores + (size_t)i * (size_t)s->longest;
		for (size_t k = 0; k < n; k++)
			x[k] = hp_vec_dot(s->H, e + k * s->H, d);
		float log_sum = hp_vec_log_sum_exp(n, x);
		for (size_t k = 0; k < n; k++)
			x[k] -= log_sum;
	}
}

void hp_rst_search_step(hp_rst_search *s)
{
	int H = (int)s->H, m = s->rows, tasks = (m + ROWS - 1) / ROWS;
	hp_pool_run(s->pool, tasks, input_task, s);
	for (s->layer = 0; s->layer < (int)s->L; s->layer++) {
		const hp_gru_params *p = &s->net->decoder[s->layer];
		s->w = hp_gru_weights_of(p);
		hp_param_product(s->pool, m, s->z, H, p->w_ih, s->input, 3 * H);
		hp_param_product(s->pool, m, s->fused + (size_t)s->layer * s->H, (int)s->L * H, p->w_hh, s->recurrent, 3 * H);
		hp_pool_run(s->pool, tasks, cell_task, s);
	}
	hp_pool_run(s->pool, tasks, scores_task, s);
}

void hp_rst_search_project(hp_rst_search *s, int count, const int *states)
{
	size_t width = s->L * s->H;
	int H = (int)s->H;
	if (!count || s->net->c.fusion == HP_FUSION_T)
		return;
	for (int i = 0; i < count; i++)
		memcpy(s->gathered + (size_t)i * width, state_at(s, states[i]), width * sizeof(float));
	for (int source = 0; source < HP_SOURCES; source++) {
		if (!s->net->fuse[source])
			continue;
		size_t place = place_of(s, source);
		hp_param_product(s->pool, count * (int)s->L, s->gathered, H, s->net->fuse[source], s->projected, H);
		for (int i = 0; i < count; i++)
			memcpy(state_at(s, states[i]) + place, s->projected + (size_t)i * width, width * sizeof(float));
	}
}
