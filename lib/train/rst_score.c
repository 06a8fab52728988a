/* rst_score.c: parsing a corpus of rhetorical trees and comparing. */
#include <string.h>
#include "eval/parseval.h"
#include "pointer/parse.h"
#include "train/score.h"

enum { BATCH = 64 };

typedef struct scoring {
	hp_rst_net *net;
	hp_pool *pool;
	hp_arena *scratch;
	const float *vectors;
	const hp_vocab *labels;
} scoring;

static int parse(const scoring *s, const hp_corpus *corpus, int first, int count, hp_parsed *out, hp_error *err)
{
	const hp_parsing how = {s->net, {-1, -1}, 1, s->pool};
	hp_sample *sample = HP_NEW0(s->scratch, hp_sample, (size_t)count);
	hp_tokens *tokens = HP_NEW(s->scratch, hp_tokens, (size_t)count);

	if (hp_arena_failed(s->scratch))
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++) {
		const hp_rst_sent *from = &corpus->rst[first + i];

		sample[i] = (hp_sample){.rows = from->words, .units = from->edus, .ends = from->ends};
		tokens[i] = hp_corpus_tokens(&corpus->sent[first + i]);
	}
	hp_sentences in = {.count = count, .sample = sample, .vectors = s->vectors};
	if (corpus->x)
		in.layers = (const float *const *)corpus->x + first;
	else
		in.tokens = tokens;
	return hp_parse_sentences(&how, s->scratch, &in, out, err);
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
	hp_parsed p;
	int status = parse(s, c, first, count, &p, err);

	for (int i = first; i < first + count && status == 0; i++) {
		status = compare(s, c->tree[i], p.trees.tree + 3 * at, p.labels + at, sum, err);
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
