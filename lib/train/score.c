/* score.c: parsing a corpus and comparing. */
#include "train/score.h"

#include <stdlib.h>
#include <string.h>
#include "pointer/parse.h"

enum { BATCH = 64, POSITIONS = 4000 };

typedef struct scoring {
	hp_dep_net *net;
	hp_pool *pool;
	hp_arena *scratch;
	const float *vectors;
	hp_dep_labels special;
	const int32_t *hidden; /* tags of a sentence without tags, as long as the longest; NULL: tags as they are */
} scoring;

static void compare(int count, const hp_dep_sent *const *sents, const int32_t *heads, const int32_t *labels,
                    hp_score *out)
{
	for (int i = 0; i < count; i++) {
		for (int w = 1; w < sents[i]->n; w++) {
			bool head = heads[w] == sents[i]->heads[w];
			out->words++;
			out->heads += head;
			out->labelled += head && labels[w] >= 0 && labels[w] == sents[i]->labels[w];
		}
		heads += sents[i]->n;
		labels += sents[i]->n;
	}
}

static int score_batch(const scoring *s, int count, const hp_dep_sent *const *from, hp_score *out, hp_error *err)
{
	const hp_parsing how = {s->net, s->special, 1, s->pool};
	hp_arena_mark mark = hp_arena_save(s->scratch);
	hp_sample *sample = HP_NEW0(s->scratch, hp_sample, (size_t)count);
	hp_tokens *tokens = HP_NEW(s->scratch, hp_tokens, (size_t)count);
	hp_parsed parsed;

	if (hp_arena_failed(s->scratch))
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++) {
		sample[i].rows = sample[i].units = from[i]->n;
		tokens[i] = hp_corpus_tokens(from[i]);
		if (s->hidden)
			tokens[i].pos = s->hidden;
	}
	hp_sentences in = {.count = count, .sample = sample, .tokens = tokens, .vectors = s->vectors};
	if (hp_parse_sentences(&how, s->scratch, &in, &parsed, err) != 0)
		return HP_FAIL;
	compare(count, from, parsed.trees.tree, parsed.labels, out);
	hp_arena_restore(s->scratch, mark);
	return 0;
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
