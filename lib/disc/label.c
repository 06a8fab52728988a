/* label.c: labels of splits, in parsing: relation and nuclearity of the two halves. */
#include "disc/net.h"

#include <string.h>

#include "nn/labeller.h"
#include "nn/vmath.h"

/* The first M pairs' labels. */
static void label_chunk(const hp_labeller *a, int m, int32_t *labels, float *logp)
{
	size_t K = (size_t)a->labels;
	hp_labeller_scores(a, m);
	for (int i = 0; i < m; i++) {
		const float *y = a->y + (size_t)i * K;
		size_t best = 0;
		for (size_t k = 1; k < K; k++)
			best = y[k] > y[best] ? k : best;
		labels[i] = (int32_t)best;
		if (logp)
			logp[i] = y[best] - hp_vec_log_sum_exp(K, y);
	}
}

int hp_rst_label(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                 const float *h, const int32_t *splits, int32_t *labels, float *logp, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_labeller a = {.pool = pool};
	size_t H = (size_t)net->c.hidden, word = 0, split = 0, done = 0;
	int m = 0;
	if (hp_labeller_alloc(&a, &net->params, scratch))
		return hp_fail_memory(err);
	for (int s = 0; s < count; s++) {
		for (int i = 0; i < sents[s].edus - 1; i++, split++) {
			const int32_t *q = splits + 3 * split;
			memcpy(a.left + (size_t)m * H, h + (word + (size_t)sents[s].ends[q[1]]) * H, H * sizeof(float));
			memcpy(a.right + (size_t)m * H, h + (word + (size_t)sents[s].ends[q[2]]) * H, H * sizeof(float));
			if (++m < HP_LABELLER_ROWS)
				continue;
			label_chunk(&a, m, labels + done, logp ? logp + done : NULL);
			done += (size_t)m;
			m = 0;
		}
		word += (size_t)sents[s].words;
	}
	if (m)
		label_chunk(&a, m, labels + done, logp ? logp + done : NULL);
	hp_arena_restore(scratch, mark);
	return 0;
}
