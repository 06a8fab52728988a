/* adam.c: Adam, clipping and L2 regularisation. */
#include "nn/adam.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "nn/vmath.h"

enum { CHUNK = 1 << 16 }; /* values a task: fixed, so that sums are the same for every pool */

int hp_adam_init(hp_adam *adam, const hp_params *params, bool average, hp_error *err)
{
	adam->steps = 0;
	size_t bytes = params->total * sizeof(float);
	adam->m = hp_pages_new(bytes + 1);
	adam->v = hp_pages_new(bytes + 1);
	adam->average = average ? hp_pages_new(bytes + 1) : NULL;
	if (!adam->m || !adam->v || (average && !adam->average))
		return hp_fail_memory(err);
	memset(adam->m, 0, bytes);
	memset(adam->v, 0, bytes);
	if (average)
		memcpy(adam->average, params->values, bytes);
	return 0;
}

void hp_adam_free(hp_adam *adam)
{
	free(adam->m);
	free(adam->v);
	free(adam->average);
	adam->m = adam->v = adam->average = NULL;
}

typedef struct step {
	hp_adam *adam;
	hp_params *params;
	double *sums; /* [tasks] squared norms */
	float scale; /* clipping */
	float rate; /* with bias corrections: α √(1 - β₂ᵗ) / (1 - β₁ᵗ) */
	float epsilon; /* ε √(1 - β₂ᵗ) */
} step;

static size_t chunk_size(const step *s, int task)
{
	size_t from = (size_t)task * CHUNK;
	return s->params->total - from < CHUNK ? s->params->total - from : CHUNK;
}

static void norm_task(void *arg, int task)
{
	step *s = arg;
	const float *g = s->params->grads + (size_t)task * CHUNK;
	double sum = 0;
	size_t n = chunk_size(s, task);
	for (size_t i = 0; i < n; i += 1024) {
		size_t m = n - i < 1024 ? n - i : 1024;
		sum += (double)hp_vec_dot(m, g + i, g + i);
	}
	s->sums[task] = sum;
}

HP_CLONES static void update(const step *s, size_t n, float *restrict x, float *restrict g, float *restrict m,
                             float *restrict v)
{
	float b1 = s->adam->beta1, b2 = s->adam->beta2, l2 = s->adam->l2;
	float scale = s->scale, rate = s->rate, epsilon = s->epsilon;
	for (size_t i = 0; i < n; i++) {
		float d = g[i] * scale + l2 * x[i];
		m[i] = b1 * m[i] + (1.0f - b1) * d;
		v[i] = b2 * v[i] + (1.0f - b2) * d * d;
		x[i] -= rate * m[i] / (sqrtf(v[i]) + epsilon);
		g[i] = 0.0f;
	}
}

HP_CLONES static void average(size_t n, float keep, const float *restrict x, float *restrict average)
{
	for (size_t i = 0; i < n; i++)
		average[i] = x[i] + keep * (average[i] - x[i]);
}

/* In pieces: the average finds the values in the cache. */
static void update_task(void *arg, int task)
{
	enum { PIECE = 1024 };
	step *s = arg;
	size_t from = (size_t)task * CHUNK, end = from + chunk_size(s, task);
	for (size_t i = from; i < end; i += PIECE) {
		size_t n = end - i < PIECE ? end - i : PIECE;
		update(s, n, s->params->values + i, s->params->grads + i, s->adam->m + i, s->adam->v + i);
		if (s->adam->average)
			average(n, s->adam->keep, s->params->values + i, s->adam->average + i);
	}
}

double hp_adam_step(hp_adam *adam, hp_params *params, float learning_rate, hp_pool *pool)
{
	int tasks = (int)((params->total + CHUNK - 1) / CHUNK);
	double fixed[1024];
	double *sums = tasks <= 1024 ? fixed : malloc((size_t)tasks * sizeof *sums);
	if (!sums)
		return NAN;
	step s = {adam, params, sums, 1.0f, 0.0f, 0.0f};
	hp_pool_run(pool, tasks, norm_task, &s);
	double sum = 0;
	for (int i = 0; i < tasks; i++)
		sum += sums[i];
	if (sums != fixed)
		free(sums);
	double norm = sqrt(sum);
	if (!isfinite(norm)) {
		memset(params->grads, 0, params->total * sizeof(float));
		return norm;
	}
	if (adam->clip > 0 && norm > (double)adam->clip)
		s.scale = (float)((double)adam->clip / norm);
	adam->steps++;
	double second = sqrt(1.0 - pow((double)adam->beta2, (double)adam->steps));
	s.rate = (float)((double)learning_rate * second / (1.0 - pow((double)adam->beta1, (double)adam->steps)));
	s.epsilon = (float)((double)adam->epsilon * second);
	hp_pool_run(pool, tasks, update_task, &s);
	return norm;
}
