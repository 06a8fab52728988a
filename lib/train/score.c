/* score.c: parsing a corpus and comparing. */
#include "train/score.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 64, POSITIONS = 4000 };

typedef struct scoring {
	hp_dep_net *net;
	hp_pool *pool;
	hp_arena *scratch;
	const float *vectors;
	hp_dep_labels special;
	const int32_t *hidden; /* tags of a sentence without tags, as long as the longest; NULL: tags as they are */
} scoring;

/* Parses COUNT sentences; heads and labels of all their positions in a row. */
static int parse(const scoring *s, int count, const hp_dep_sent *sents, const int *n, size_t rows, int32_t *heads,
                 int32_t *labels, hp_error *err)
{
	const hp_dep_config *c = hp_dep_net_config(s->net);
	size_t q = (size_t)c->decoder_hidden;
	float *x = HP_NEW(s->scratch, float, rows * (size_t)hp_dep_input_dim(c));
	float *h = HP_NEW(s->scratch, float, rows * 2 * (size_t)c->hidden);
	float *init = HP_NEW(s->scratch, float, (size_t)count * 2 * q);
	float *d = HP_NEW(s->scratch, float, rows * q);

	if (hp_arena_failed(s->scratch))
		return hp_fail_memory(err);
	if (hp_dep_embed(s->net, s->pool, s->scratch, count, sents, s->vectors, x, err) != 0 ||
	    hp_dep_encode(s->net, s->pool, s->scratch, count, n, x, h, init, err) != 0 ||
	    hp_dep_decode(s->net, s->pool, s->scratch, count, n, h, init, 1, heads, d, NULL, NULL, err) != 0)
		return HP_FAIL;
	return hp_dep_label(s->net, s->pool, s->scratch, count, n, h, d, heads, s->special, labels, NULL, err);
}

static void compare(int count, const hp_dep_sent *sents, const int32_t *heads, const int32_t *labels, hp_score *out)
{
	for (int i = 0; i < count; i++) {
		for (int w = 1; w < sents[i].n; w++) {
			bool head = heads[w] == sents[i].heads[w];
			out->words++;
			out->heads += head;
			out->labelled += head && labels[w] >= 0 && labels[w] == sents[i].labels[w];
		}
		heads += sents[i].n;
		labels += sents[i].n;
	}
}

static int score_batch(const scoring *s, int count, const hp_dep_sent *const *from, hp_score *out, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(s->scratch);
	hp_dep_sent *sents = HP_NEW(s->scratch, hp_dep_sent, (size_t)count);
	int *n = HP_NEW(s->scratch, int, (size_t)count);
	int32_t *heads, *labels;
	size_t rows = 0;
	int status = HP_FAIL;

	for (int i = 0; i < count; i++)
		rows += (size_t)from[i]->n;
	heads = HP_NEW(s->scratch, int32_t, rows);
	labels = HP_NEW(s->scratch, int32_t, rows);
	if (hp_arena_failed(s->scratch)) {
		hp_fail_memory(err);
	} else {
		for (int i = 0; i < count; i++) {
			sents[i] = *from[i];
			n[i] = sents[i].n;
			if (s->hidden)
				sents[i].pos = s->hidden;
		}
		status = parse(s, count, sents, n, rows, heads, labels, err);
		if (status == 0)
			compare(count, sents, heads, labels, out);
	}
	hp_arena_restore(s->scratch, mark);
	return status;
}

static int by_length(const void *pa, const void *pb)
{
	const hp_dep_sent *a = *(const hp_dep_sent *const *)pa, *b = *(const hp_dep_sent *const *)pb;

	return a->n != b->n ? a->n - b->n : (a > b) - (a < b);
}

static int score_sorted(const scoring *s, const hp_dep_sent *const *sorted, int count, hp_score *out, hp_error *err)
{
	for (int first = 0, end; first < count; first = end) {
		int64_t positions = 0;
		end = first;
		do
			positions += sorted[end++]->n;
		while (end < count && end - first < BATCH && positions + sorted[end]->n <= POSITIONS);
		if (score_batch(s, end - first, sorted + first, out, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

int hp_score_corpus(hp_dep_net *net, hp_pool *pool, hp_arena *scratch, const hp_corpus *c, const float *vectors,
                    hp_dep_labels special, bool hide_tags, hp_score *out, hp_error *err)
{
	scoring s = {net, pool, scratch, vectors, special, NULL};
	const hp_dep_sent **sorted = calloc((size_t)c->count + 1, sizeof *sorted);
	int32_t *hidden = NULL;
	int status = HP_FAIL;

	memset(out, 0, sizeof *out);
	if (!sorted)
		return hp_fail_memory(err);
	for (int i = 0; i < c->count; i++)
		sorted[i] = &c->sent[i];
	qsort(sorted, (size_t)c->count, sizeof *sorted, by_length);
	if (hide_tags && c->count) {
		int longest = sorted[c->count - 1]->n;
		s.hidden = hidden = malloc((size_t)longest * sizeof *hidden);
		for (int i = 0; hidden && i < longest; i++)
			hidden[i] = i ? HP_ID_UNKNOWN : HP_ID_ROOT;
	}
	if (hide_tags && c->count && !hidden)
		hp_fail_memory(err);
	else if (hp_dep_prepare(net, HP_STAGE_ALL, err) == 0)
		status = score_sorted(&s, sorted, c->count, out, err);
	free(hidden);
	free(sorted);
	if (out->words) {
		out->uas = 100.0 * (double)out->heads / (double)out->words;
		out->las = 100.0 * (double)out->labelled / (double)out->words;
	}
	return status;
}
