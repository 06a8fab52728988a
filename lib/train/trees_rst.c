/* trees_rst.c: rhetorical trees to train on. */
#include <stdlib.h>
#include <string.h>
#include "eval/parseval.h"
#include "train/trees.h"

static int read_trees(const hp_bank_files *files, const hp_hyper *h, int max_words, hp_treebank *out, hp_error *err)
{
	return hp_treebank_read_rst(files, (hp_pos_column)h->pos, max_words, out, err);
}

static int number(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i, hp_corpus *out,
                  hp_error *err)
{
	const hp_rst_binary *b = t->tree[i];
	size_t edus = (size_t)b->edus;

	if (hp_model_tokens(model, out->arena, &t->sent[i], &out->tokens[i], err) != 0)
		return HP_FAIL;
	out->tokens[i].vectors = NULL;
	int32_t *ends = HP_NEW(out->arena, int32_t, edus), *labels = HP_NEW(out->arena, int32_t, edus);
	int32_t *splits = HP_NEW(out->arena, int32_t, 3 * edus);
	if (hp_arena_failed(out->arena))
		return hp_fail_memory(err);
	memcpy(ends, t->ends[i], edus * sizeof *ends);
	for (int k = 0; k < b->edus - 1; k++) {
		splits[3 * k] = b->split[k].first;
		splits[3 * k + 1] = b->split[k].mid;
		splits[3 * k + 2] = b->split[k].last;
		labels[k] = hp_vocab_find(lex->labels, b->label[k], strlen(b->label[k]));
	}
	out->sample[i] = (hp_sample){.rows = t->sent[i].words,
	                             .units = b->edus,
	                             .ends = ends,
	                             .sents = b->sents,
	                             .sent_end = b->sent_end, /* the tree's, which outlives the corpus */
	                             .paragraph = b->paragraph,
	                             .tree = splits,
	                             .labels = labels};
	return 0;
}

/* RST-Parseval over all constituents. */
static int compare(const hp_corpus *c, int i, const hp_vocab *names, const int32_t *tree, const int32_t *labels,
                   hp_tally *sum, hp_error *err)
{
	static const int metric[HP_TREE_SCORES] = {HP_RST_PARSEVAL_SPAN, HP_RST_PARSEVAL_NUCLEARITY,
	                                           HP_RST_PARSEVAL_RELATION};
	const hp_rst_binary *gold = c->tree[i];
	int n = gold->edus - 1, status = HP_FAIL;
	hp_rst_split *split = calloc((size_t)n + 1, sizeof *split);
	const char **label = calloc((size_t)n + 1, sizeof *label);
	hp_tally one[HP_PARSEVAL_METRICS] = {{0}};
	hp_rst_binary *system = NULL;

	for (int k = 0; split && label && k < n; k++) {
		split[k] = (hp_rst_split){tree[3 * k], tree[3 * k + 1], tree[3 * k + 2]};
		label[k] = hp_vocab_at(names, labels[k], NULL);
	}
	if (!split || !label)
		hp_fail_memory(err);
	else if (hp_rst_binary_make(NULL, gold->edus, gold->text, split, label, &system, err) == 0)
		status = hp_parseval_score_binary(gold, system, one, err);
	for (int k = 0; status == 0 && k < HP_TREE_SCORES; k++)
		hp_tally_add(&sum[k], &one[metric[k]], 1);
	hp_rst_binary_destroy(system);
	free(split);
	free(label);
	return status;
}

static double percent(const hp_tally *sum)
{
	return 100 * hp_tally_value(sum, HP_F1);
}

const hp_tree_kind hp_trees_rst = {
	.scores = 3,
	.read = read_trees,
	.number = number,
	.compare = compare,
	.percent = percent,
};
