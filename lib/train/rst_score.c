/* rst_score.c: parsing a corpus of rhetorical trees and comparing. */
#include <string.h>
#include "eval/parseval.h"
#include "train/score.h"

enum { BATCH = 64 };

typedef struct scoring {
	hp_rst_net *net;
	hp_pool *pool;
	hp_arena *scratch;
	const float *vectors;
	const hp_vocab *labels;
} scoring;

typedef struct parsed { /* COUNT sentences' splits one after another */
	int32_t *splits, *labels;
} parsed;

/* x [R × D] of sentences FIRST... */
static int embed(const scoring *s, const hp_corpus *corpus, int first, int count, float *x, hp_error *err)
{
	hp_tokens *tokens = HP_NEW(s->scratch, hp_tokens, (size_t)count);

	if (!tokens)
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++) {
		tokens[i] = hp_corpus_tokens(&corpus->sent[first + i]);
		if (!corpus->x)
			continue;
		hp_rst_mix(s->net, tokens[i].n, corpus->x[first + i], x);
		x += (size_t)tokens[i].n * (size_t)hp_rst_net_config(s->net)->input_dim;
	}
	return corpus->x ? 0 : hp_rst_embed(s->net, s->pool, s->scratch, count, tokens, s->vectors, x, err);
}

static int parse(const scoring *s, const hp_corpus *corpus, int first, int count, parsed *out, hp_error *err)
{
	const hp_rst_config *c = hp_rst_net_config(s->net);
	const hp_rst_sent *rst = corpus->rst + first;
	size_t rows = 0, splits = 0;
	int *words = HP_NEW(s->scratch, int, (size_t)count);

	if (hp_arena_failed(s->scratch))
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++) {
		words[i] = rst[i].words;
		rows += (size_t)rst[i].words;
		splits += (size_t)rst[i].edus - 1;
	}
	float *x = HP_NEW(s->scratch, float, rows * (size_t)c->input_dim);
	float *h = HP_NEW(s->scratch, float, rows * (size_t)c->hidden);
	float *init = HP_NEW(s->scratch, float, (size_t)count * (size_t)c->layers * (size_t)c->hidden);
	out->splits = HP_NEW(s->scratch, int32_t, 3 * splits + 1);
	out->labels = HP_NEW(s->scratch, int32_t, splits + 1);
	if (hp_arena_failed(s->scratch))
		return hp_fail_memory(err);
	if (embed(s, corpus, first, count, x, err) != 0 ||
	    hp_rst_encode(s->net, s->pool, s->scratch, count, words, x, h, init, err) != 0 ||
	    hp_rst_decode(s->net, s->pool, s->scratch, count, rst, h, init, 1, out->splits, NULL, NULL, err) != 0)
		return HP_FAIL;
	return hp_rst_label(s->net, s->pool, s->scratch, count, rst, h, out->splits, out->labels, NULL, err);
}

/* Adds the scores of a sentence whose splits and labels are given. */
static int compare(const scoring *s, const hp_rst_binary *gold, const int32_t *splits, const int32_t *labels,
                   hp_tally *sum, hp_error *err)
{
	int n = gold->edus - 1;
	hp_rst_split *split = HP_NEW(s->scratch, hp_rst_split, (size_t)n + 1);
	const char **label = HP_NEW(s->scratch, const char *, (size_t)n + 1);
	hp_tally one[HP_PARSEVAL_METRICS];
	hp_rst_binary *system;

	if (hp_arena_failed(s->scratch))
		return hp_fail_memory(err);
	for (int i = 0; i < n; i++) {
		split[i] = (hp_rst_split){splits[3 * i], splits[3 * i + 1], splits[3 * i + 2]};
		label[i] = hp_vocab_at(s->labels, labels[i], NULL);
	}
	if (hp_rst_binary_make(NULL, gold->edus, gold->text, split, label, &system, err) != 0)
		return HP_FAIL;
	memset(one, 0, sizeof one);
	int status = hp_parseval_score_binary(gold, system, one, err);
	hp_rst_binary_destroy(system);
	if (status == 0)
		hp_tally_add(sum, one, HP_PARSEVAL_METRICS);
	return status;
}

static int score_batch(const scoring *s, const hp_corpus *c, int first, int count, hp_tally *sum, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(s->scratch);
	size_t at = 0;
	parsed p = {NULL, NULL};
	int status = parse(s, c, first, count, &p, err);

	for (int i = first; i < first + count && status == 0; i++) {
		status = compare(s, c->tree[i], p.splits + 3 * at, p.labels + at, sum, err);
		at += (size_t)c->rst[i].edus - 1;
	}
	hp_arena_restore(s->scratch, mark);
	return status;
}

int hp_score_rst(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, const hp_corpus *c, const float *vectors,
                 const hp_vocab *labels, hp_score *out, hp_error *err)
{
	scoring s = {net, pool, scratch, vectors, labels};
	hp_tally sum[HP_PARSEVAL_METRICS];
	int status = hp_rst_prepare(net, HP_STAGE_ALL, err);

	memset(out, 0, sizeof *out);
	memset(sum, 0, sizeof sum);
	for (int first = 0; first < c->count && status == 0; first += BATCH)
		status = score_batch(&s, c, first, c->count - first < BATCH ? c->count - first : BATCH, sum, err);
	out->words = c->words;
	out->span = 100 * hp_tally_value(&sum[HP_RST_PARSEVAL_SPAN], HP_F1);
	out->nuclearity = 100 * hp_tally_value(&sum[HP_RST_PARSEVAL_NUCLEARITY], HP_F1);
	out->relation = 100 * hp_tally_value(&sum[HP_RST_PARSEVAL_RELATION], HP_F1);
	return status;
}
