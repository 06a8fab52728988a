/* step.c: a step of the decoder for all hypotheses of all sentences at once (paper Eq. 3-7). */
#include <string.h>

#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"
#include "pointer/heads.h"
#include "pointer/reach.h"
#include "pointer/inputs.h"
#include "pointer/search.h"

enum { ROWS = 8 }; /* of one task */

/* ---- a state and its products with the fusion's matrices ---- */

enum { PARTS = 4 }; /* made of a state at once: of two sources */

/* Whether a state carries its product with the fusion's, or the gate's, matrix of a source. */
static bool has_part(const hp_net *net, int source, bool gate)
{
	return gate ? net->gate[source] && net->c.gate == HP_GATE_GATE : net->fuse[source] != NULL;
}

/* In vectors of [P × Q] from the state on; the last one is behind all. */
static size_t place_of(const hp_net *net, int source, bool gate)
{
	size_t place = 1;
	for (int i = 0; gate && i < HP_SOURCES; i++)
		place += has_part(net, i, false);
	for (int i = 0; i < source; i++)
		place += has_part(net, i, gate);
	return place;
}

size_t hp_state_floats(const hp_net *net)
{
	return place_of(net, HP_SOURCES, true) * net->s.P * net->s.Q;
}

float *hp_state_at(const hp_search *s, int state, size_t m)
{
	return (float *)hp_slab_at(&s->states, state) + m * hp_state_floats(s->net);
}

/* Of the member at work. */
static float *state_at(const hp_search *s, int state)
{
	return hp_state_at(s, state, (size_t)(s->now - s->member));
}

/* NULL: there is none. */
static float *part_of(const hp_search *s, int state, int source, bool gate)
{
	if (state < 0 || !has_part(s->net, source, gate))
		return NULL;
	return state_at(s, state) + place_of(s->net, source, gate) * s->net->s.P * s->net->s.Q;
}

/* Of the member at work. */
static void project(hp_search *s, int count, const int *states, int sources)
{
	const hp_net *net = s->now->net;
	size_t width = net->s.P * net->s.Q;
	int rows = count * (int)net->s.P, parts = 0;
	const hp_param *w[PARTS];
	hp_matrix c[PARTS];
	size_t place[PARTS]; /* in a state */
	for (int source = 0; source < HP_SOURCES; source++)
		for (int gate = 0; gate < 2; gate++) {
			if (!(sources & 1 << source) || !has_part(net, source, gate))
				continue;
			w[parts] = gate ? net->gate[source] : net->fuse[source];
			c[parts] = hp_matrix_of(s->products + (size_t)parts * (size_t)count * width, rows, (int)net->s.Q);
			place[parts++] = place_of(net, source, gate) * width;
		}
	for (int i = 0; i < count; i++)
		memcpy(s->gathered + (size_t)i * width, state_at(s, states[i]), width * sizeof(float));
	hp_param_products(s->pool, hp_matrix_of(s->gathered, rows, (int)net->s.Q), parts, w, c);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < parts; k++)
			memcpy(state_at(s, states[i]) + place[k], c[k].data + (size_t)i * width, width * sizeof(float));
}

void hp_search_project(hp_search *s, int count, const int *states, int sources)
{
	if (!count || s->net->c.fusion == HP_FUSION_T)
		return;
	for (size_t m = 0; m < s->net->s.M; m++) {
		s->now = &s->member[m];
		project(s, count, states, sources);
	}
}

/* ---- memory ---- */

int hp_search_alloc(hp_search *s, hp_arena *arena, int rows, int units)
{
	const hp_net *net = s->net;
	size_t m = (size_t)rows, all = (size_t)units, Q = net->s.Q, I = net->s.I, A = net->s.A, state = net->s.P * Q;
	size_t gates = (size_t)hp_cell_gates(net->decoder[0].kind) * Q;
	s->query = HP_NEW(arena, hp_query, m);
	s->at = HP_NEW(arena, int, m);
	s->kept = HP_NEW(arena, int, m);
	s->recorded = HP_NEW(arena, int, m);
	s->asked = HP_NEW(arena, bool, m);
	s->list = HP_NEW(arena, int, m);
	s->z = HP_NEW(arena, float, m * (I > Q ? I : Q));
	s->products = HP_NEW(arena, float, m * (2 * gates > PARTS * state ? 2 * gates : PARTS * state));
	s->gate = net->gate_b ? HP_NEW(arena, float, m * state) : NULL;
	s->scores = HP_NEW(arena, float, m * (size_t)s->longest);
	s->gathered = HP_NEW(arena, float, m * state);
	s->heads = net->c.heads ? HP_NEW(arena, float, m * (size_t)s->longest) : NULL;
	s->reach = net->c.reach ? HP_NEW(arena, float, (size_t)s->count * (size_t)s->longest) : NULL;
	s->opinion = net->s.M > 1 ? HP_NEW(arena, float, m * (size_t)s->longest) : NULL;
	s->compared = net->pointer_w ? HP_NEW(arena, float, m * A) : NULL;
	if (net->c.gate == HP_GATE_SGATE) {
		s->product[0] = HP_NEW(arena, float, m * state);
		s->product[1] = HP_NEW(arena, float, m * state);
		s->gate_sum = HP_NEW(arena, float, m * state);
		s->gate_part = HP_NEW(arena, float, m * state);
	}
	s->member = HP_NEW0(arena, hp_member, net->s.M);
	for (size_t k = 0; s->member && k < net->s.M; k++) {
		hp_member *own = &s->member[k];
		own->net = net->member[k];
		own->unit = HP_NEW(arena, float, all * net->s.W);
		own->source = net->src.w ? HP_NEW(arena, float, all * I) : NULL;
		own->key = net->pointer_w ? HP_NEW(arena, float, all * A) : NULL;
		own->bias = net->pointer_w ? HP_NEW(arena, float, all) : NULL;
		own->state = HP_NEW(arena, float, m * state);
		if ((net->c.heads && hp_heads_alloc(&own->heads, arena, m, all, A)) ||
		    (net->c.reach && hp_reach_alloc(&own->reach, arena, all, A)))
			return HP_FAIL;
	}
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

static int prepare(hp_search *s, const hp_member *member, hp_arena *arena, int units)
{
	const hp_net *net = member->net;
	int A = (int)net->s.A;
	hp_matrix unit = hp_matrix_of(member->unit, units, (int)net->s.W);
	if (net->src.w)
		hp_param_product(s->pool, unit, net->src.w, hp_matrix_of(member->source, units, (int)net->s.I));
	if (!net->pointer_w)
		return 0;
	hp_arena_mark mark = hp_arena_save(arena);
	hp_matrix place = hp_places(net, unit), g2 = hp_matrix_new(arena, place.rows, A);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_mlp_rows(s->pool, place, net->pointer_g2, g2);
	hp_param_product(s->pool, g2, net->pointer_w, hp_matrix_of(member->key, place.rows, A));
	for (int i = 0; i < place.rows; i++)
		member->bias[i] = hp_vec_dot(net->s.A, hp_row(g2, i), net->pointer_v->value);
	int status = net->c.heads   ? hp_heads_prepare(s, member, arena, units)
	             : net->c.reach ? hp_reach_prepare(s, member, arena, units)
	                            : 0;
	hp_arena_restore(arena, mark);
	return status;
}

int hp_search_prepare(hp_search *s, hp_arena *arena, int units)
{
	for (size_t m = 0; m < s->net->s.M; m++)
		if (prepare(s, &s->member[m], arena, units))
			return HP_FAIL;
	return 0;
}

/* ---- a step ---- */

static void input_row(const hp_search *s, size_t r)
{
	size_t I = s->now->net->s.I;
	const float *units = s->now->source ? s->now->source : s->now->unit, *from[HP_INPUTS];
	for (int i = 0; i < HP_INPUTS; i++) {
		int unit = s->query[r].input[i];
		from[i] = unit < 0 ? NULL : units + ((size_t)s->at[r] + (size_t)unit) * I;
	}
	hp_step_input(s->now->net, from, s->z + r * I);
}

static void product_row(const hp_search *s, size_t r)
{
	size_t width = s->now->net->s.P * s->now->net->s.Q;
	const int *from = s->query[r].from;
	for (int i = 0; i < 2; i++) {
		int other = from[HP_FROM_PARENT + i];
		hp_step_product(s->now->net, state_at(s, from[HP_FROM_PREVIOUS]), other < 0 ? NULL : state_at(s, other),
		                s->product[i] + r * width);
	}
}

static void input_task(void *arg, int task)
{
	const hp_search *s = arg;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < s->rows; r++) {
		input_row(s, (size_t)r);
		if (s->gate_sum)
			product_row(s, (size_t)r);
	}
}

/* The old states of the cells. */
static void fuse_row(const hp_search *s, size_t r)
{
	size_t width = s->now->net->s.P * s->now->net->s.Q;
	const int *from = s->query[r].from;
	float *state = s->now->state + r * width;
	hp_step_parts parts;
	for (int i = 0; i < HP_SOURCES; i++) {
		parts.fuse[i] = part_of(s, from[i], i, false);
		parts.gate[i] = part_of(s, from[i], i, true);
	}
	if (s->gate_sum)
		parts.gate[0] = s->gate_sum + r * width;
	hp_step_fuse(s->now->net, state_at(s, from[HP_FROM_PREVIOUS]), &parts, state, s->gate ? s->gate + r * width : NULL,
	             state);
}

static void fuse_task(void *arg, int task)
{
	const hp_search *s = arg;
	for (int r = task * ROWS; r < (task + 1) * ROWS && r < s->rows; r++)
		fuse_row(s, (size_t)r);
}

/* The new hidden state is the next layer's input too. */
static void cell_task(void *arg, int task)
{
	const hp_search *s = arg;
	const hp_cell *cell = &s->now->net->decoder[s->layer];
	size_t Q = s->now->net->s.Q, gates = (size_t)hp_cell_gates(cell->kind) * Q;
	for (int i = task * ROWS; i < (task + 1) * ROWS && i < s->rows; i++) {
		size_t r = (size_t)i, at = (r * s->now->net->s.P + (size_t)s->layer) * Q;
		hp_cell_row(cell, s->products + r * gates, s->products + ((size_t)s->rows + r) * gates, s->now->state + at,
		            s->z + r * Q);
	}
}

/* Log-probabilities for the hypotheses of one sentence: biaffine, or dot products with the last layer's state. */
static void scores_task(void *arg, int task)
{
	const hp_search *s = arg;
	const hp_beam *b = &s->beams[s->active[task]];
	size_t row = (size_t)b->row, at = (size_t)b->at, longest = (size_t)s->longest;
	size_t A = s->now->net->s.A;
	const hp_member *m = s->now;
	const float *key = m->key ? m->key : m->unit, *compared = m->key ? s->compared : s->z;
	float *scores = s->opinion ? s->opinion : s->scores;
	bool dep = s->now->net->c.task == HP_TASK_DEP; /* where all units are to choose from */
	if (dep)
		hp_gemm_rows(NULL, hp_matrix_of(compared + row * A, b->rows, (int)A),
		             hp_matrix_of(key + at * A, b->units, (int)A),
		             hp_some_columns(hp_matrix_of(scores + row * longest, b->rows, s->longest), 0, b->units));
	for (size_t r = row; r < row + (size_t)b->rows; r++) {
		size_t first = (size_t)s->query[r].first, n = (size_t)s->query[r].choices;
		float *x = scores + r * longest;
		for (size_t k = 0; !dep && k < n; k++)
			x[k] = hp_vec_dot(A, key + (at + first + k) * A, compared + r * A);
		if (m->bias)
			hp_vec_add(n, m->bias + at + first, x);
		hp_vec_log_softmax(n, x);
		if (s->opinion)
			hp_vec_ensemble((size_t)(m - s->member), m->net->s.M, n, x, s->scores + r * longest);
	}
	if (s->heads)
		hp_heads_ask(s, b);
}

/* The member at work. */
static void step(hp_search *s)
{
	const hp_net *net = s->now->net;
	int Q = (int)net->s.Q, P = (int)net->s.P, m = s->rows, tasks = (m + ROWS - 1) / ROWS;
	hp_pool_run(s->pool, tasks, input_task, s);
	if (s->gate_sum) {
		int vectors = P * m;
		hp_param_product(s->pool, hp_matrix_of(s->product[0], vectors, Q), net->gate[HP_FROM_PARENT],
		                 hp_matrix_of(s->gate_sum, vectors, Q));
		hp_param_product(s->pool, hp_matrix_of(s->product[1], vectors, Q), net->gate[HP_FROM_SIBLING],
		                 hp_matrix_of(s->gate_part, vectors, Q));
		hp_vec_add((size_t)m * net->s.P * net->s.Q, s->gate_part, s->gate_sum);
	}
	hp_pool_run(s->pool, tasks, fuse_task, s);
	for (s->layer = 0; s->layer < (int)net->s.L; s->layer++) {
		const hp_cell *cell = &net->decoder[s->layer];
		int gates = hp_cell_gates(cell->kind) * Q;
		hp_matrix old = hp_some_columns(hp_matrix_of(s->now->state, m, P * Q), s->layer * Q, Q);
		hp_matrix both = hp_matrix_of(s->products, 2 * m, gates);
		hp_param_product(s->pool, hp_matrix_of(s->z, m, cell->in), cell->w_ih, hp_some_rows(both, 0, m));
		hp_param_product(s->pool, old, cell->w_hh, hp_some_rows(both, m, m));
		hp_pool_run(s->pool, tasks, cell_task, s);
	}
	if (s->compared)
		hp_mlp_rows(s->pool, hp_matrix_of(s->z, m, Q), net->pointer_g1, hp_matrix_of(s->compared, m, (int)net->s.A));
	hp_pool_run(s->pool, s->actives, scores_task, s);
}

void hp_search_step(hp_search *s)
{
	for (size_t m = 0; m < s->net->s.M; m++) {
		s->now = &s->member[m];
		step(s);
	}
}
