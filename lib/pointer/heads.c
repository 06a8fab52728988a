/* heads.c: to point from each word to its head at once, as a graph-based parser does (Dozat and Manning 2017, Eq. 4-6).  The
 * encoder learns it beside parsing (auxiliary.c), and the search asks it: it sees each arc by itself, where the decoder
 * sees what has been done. */
#include "pointer/heads.h"

#include <math.h>
#include <string.h>

#include "nn/gemm.h"
#include "nn/int8.h"
#include "nn/linear.h"
#include "nn/vmath.h"

int hp_heads_declare(hp_params *p, const hp_net_config *c, int stages, hp_error *err)
{
	int a = c->arc_mlp, h2 = 2 * c->hidden;
	bool learnt = stages == HP_STAGE_ALL && c->auxiliary.arcs > 0, asked = stages & HP_STAGE_DECODE && c->heads;
	if ((learnt || asked) &&
	    (hp_params_declare_affine(p, err, "heads.g1", a, h2) || hp_params_declare_affine(p, err, "heads.g2", a, h2) ||
	     hp_params_declare(p, err, "heads.w", 2, a, a) || hp_params_declare(p, err, "heads.v", 1, a)))
		return HP_FAIL;
	return 0;
}

void hp_heads_bind(hp_net *net, const hp_params *p)
{
	net->heads_g1 = hp_params_find_affine(p, "heads.g1");
	net->heads_g2 = hp_params_find_affine(p, "heads.g2");
	net->heads_w = hp_params_find(p, "heads.w");
	net->heads_v = hp_params_find(p, "heads.v");
}

bool hp_heads_param(const hp_param *p)
{
	return !strncmp(hp_param_role(p), "heads.", strlen("heads."));
}

/* ---- search ---- */

enum { BLOCK = 8 }; /* words whose distributions are summed at a time */

int hp_heads_alloc(hp_heads *h, hp_arena *arena, size_t rows, size_t units, size_t A)
{
	h->word = HP_NEW(arena, float, units * A);
	h->key = HP_NEW(arena, float, units * A);
	h->bias = HP_NEW(arena, float, units);
	h->norm = HP_NEW(arena, float, units);
	h->asked = HP_NEW(arena, float, rows * A);
	return hp_arena_failed(arena) ? HP_FAIL : 0;
}

typedef struct norms {
	const hp_search *s;
	const hp_heads *heads;
	int A;
	float *scores; /* [units × BLOCK] */
} norms;

/* A sentence's words: the logarithm of the sum of what all heads have of each. */
static void norms_task(void *arg, int sentence)
{
	const norms *a = arg;
	const hp_beam *b = &a->s->beams[sentence];
	size_t at = (size_t)b->at, n = (size_t)b->units, A = (size_t)a->A;
	for (size_t i = 0; i < n; i += BLOCK) {
		int rows = n - i < BLOCK ? (int)(n - i) : BLOCK;
		hp_matrix scores = hp_matrix_of(a->scores + at * BLOCK, rows, b->units);
		hp_gemm_rows(NULL, hp_matrix_of(a->heads->word + (at + i) * A, rows, a->A),
		             hp_matrix_of(a->heads->key + at * A, b->units, a->A), scores);
		for (int r = 0; r < rows; r++) {
			hp_vec_add(n, a->heads->bias + at, hp_row(scores, r));
			a->heads->norm[at + i + (size_t)r] = hp_vec_log_sum_exp(n, hp_row(scores, r));
		}
	}
}

int hp_heads_prepare(const hp_search *s, const hp_member *member, hp_arena *arena, int units)
{
	const hp_net *net = member->net;
	const hp_heads *h = &member->heads;
	int A = (int)net->s.A;
	hp_matrix unit = hp_matrix_of(member->unit, units, (int)net->s.W), x2 = hp_matrix_new(arena, units, A);
	norms job = {s, h, A, HP_NEW(arena, float, (size_t)units * BLOCK)};
	if (hp_arena_failed(arena))
		return HP_FAIL;
	hp_mlp_rows(s->pool, unit, net->heads_g1, hp_matrix_of(h->word, units, A));
	hp_mlp_rows(s->pool, unit, net->heads_g2, x2);
	hp_param_product(s->pool, x2, net->heads_w, hp_matrix_of(h->key, units, A));
	for (int i = 0; i < units; i++)
		h->bias[i] = hp_vec_dot((size_t)A, hp_row(x2, i), net->heads_v->value);
	hp_pool_run(s->pool, s->count, norms_task, &job);
	return 0;
}

void hp_heads_ask(const hp_search *s, const hp_beam *b)
{
	const hp_member *m = s->now;
	const hp_heads *h = &m->heads;
	size_t A = m->net->s.A, row = (size_t)b->row, at = (size_t)b->at, n = (size_t)b->units,
		   longest = (size_t)s->longest;
	float *out = s->opinion ? s->opinion : s->heads;
	for (size_t r = row; r < row + (size_t)b->rows; r++)
		memcpy(h->asked + r * A, h->key + (at + (size_t)s->query[r].input[0]) * A, A * sizeof(float));
	hp_gemm_rows(NULL, hp_matrix_of(h->asked + row * A, b->rows, (int)A),
	             hp_matrix_of(h->word + at * A, b->units, (int)A),
	             hp_some_columns(hp_matrix_of(out + row * longest, b->rows, s->longest), 0, b->units));
	for (size_t r = row; r < row + (size_t)b->rows; r++) {
		float *x = out + r * longest, bias = h->bias[at + (size_t)s->query[r].input[0]];
		for (size_t i = 0; i < n; i++)
			x[i] += bias - h->norm[at + i];
		if (s->opinion)
			hp_vec_ensemble((size_t)(m - s->member), m->net->s.M, n, x, s->heads + r * longest);
	}
}

static float log_of_not(float logp)
{
	return log1pf(-expf(logp < -1e-6f ? logp : -1e-6f));
}

void hp_heads_decisions(const hp_beam *b, const uint64_t *used, int head, int last, float *logp)
{
	float passed = 0;
	for (int word = 1; b->fixed && word < b->units; word++)
		if (b->fixed[word] >= 0)
			logp[word] = 0;
	for (int side = 0; side < 2; side++) {
		int step = side ? 1 : -1, word = head + step;
		if (last && (last > head) == side)
			word = last + step;
		else if (last > head)
			continue; /* it is on its right already */
		for (; word > 0 && word < b->units; word += step) {
			float own = logp[word];
			if (used[word / 64] >> word % 64 & 1)
				continue;
			logp[word] += passed;
			if (!b->fixed || b->fixed[word] < 0)
				passed += log_of_not(own);
		}
	}
	logp[head] = passed;
}
