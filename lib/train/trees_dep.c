/* trees_dep.c: dependency trees to train on. */
#include <string.h>
#include "train/trees.h"

static int read_trees(const hp_bank_files *files, const hp_hyper *h, int max_words, hp_treebank *out, hp_error *err)
{
	(void)h;
	return hp_treebank_read(files, max_words, out, err);
}

/* Numbers of a column [words + 1]; -1: of the root, and of what V does not have.  NULL: out of memory. */
static int32_t *number_column(hp_arena *arena, const hp_sentence *s, int column, const hp_vocab *v)
{
	int32_t *number = HP_NEW(arena, int32_t, (size_t)s->words + 1);

	for (int i = 0; number && i <= s->words; i++)
		number[i] = i > 0 ? hp_vocab_find(v, s->word[i - 1].col[column], s->word[i - 1].len[column]) : -1;
	return number;
}

static int number(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i, hp_corpus *out,
                  hp_error *err)
{
	const hp_sentence *s = &t->sent[i];
	size_t n = (size_t)s->words + 1;

	if (hp_model_tokens(model, out->arena, s, &out->tokens[i], err) != 0)
		return HP_FAIL;
	int32_t *heads = HP_NEW(out->arena, int32_t, n), *labels = number_column(out->arena, s, HP_DEPREL, lex->labels);
	const int32_t **tagging = HP_NEW0(out->arena, const int32_t *, HP_TAGGINGS);
	for (int k = 0; tagging && k < HP_TAGGINGS - 1 && lex->tagging[k]; k++)
		tagging[k] = number_column(out->arena, s, hp_tagging_column[k], lex->tagging[k]);
	if (hp_arena_failed(out->arena))
		return hp_fail_memory(err);
	memcpy(heads, t->heads[i], n * sizeof *heads);
	tagging[HP_TAGGINGS - 1] = labels;
	out->sample[i] = (hp_sample){.rows = (int)n, .units = (int)n, .tree = heads, .labels = labels, .tagging = tagging};
	return 0;
}

static int compare(const hp_corpus *c, int i, const hp_vocab *names, const int32_t *tree, const int32_t *labels,
                   hp_tally *sum, hp_error *err)
{
	const hp_sample *gold = &c->sample[i];

	(void)names;
	(void)err;
	for (int w = 1; w < gold->units; w++) {
		bool head = tree[w] == gold->tree[w], label = labels[w] >= 0 && labels[w] == gold->labels[w];

		hp_tally_add(&sum[0], &(hp_tally){.correct = head, .gold = 1, .system = 1}, 1);
		hp_tally_add(&sum[1], &(hp_tally){.correct = head && label, .gold = 1, .system = 1}, 1);
	}
	return 0;
}

static double percent(const hp_tally *sum)
{
	return sum->gold ? 100.0 * (double)sum->correct / (double)sum->gold : 0;
}

const hp_tree_kind hp_trees_dep = {
	.scores = 2,
	.read = read_trees,
	.number = number,
	.compare = compare,
	.percent = percent,
};
