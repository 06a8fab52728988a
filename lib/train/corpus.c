/* corpus.c: numbering a treebank. */
#include "train/corpus.h"

#include <string.h>
#include "train/trees.h"

void hp_corpus_free(hp_corpus *c)
{
	hp_arena_destroy(c->arena);
	memset(c, 0, sizeof *c);
}

bool hp_corpus_knows_labels(const hp_corpus *c)
{
	for (int i = 0; i < c->count; i++)
		for (int k = 0; k < c->sample[i].units - 1; k++)
			if (c->sample[i].labels[k] >= 0)
				return true;
	return false;
}

/* Which fixed vector each word has: that of its number; of a word outside the training data its own. */
static int find_vectors(const hp_lexicon *lex, hp_arena *arena, const hp_sentence *s, hp_tokens *out, hp_error *err)
{
	int32_t *row = HP_NEW(arena, int32_t, (size_t)out->n);

	if (!row)
		return hp_fail_memory(err);
	int root = out->n - s->words; /* 1 where position 0 is the root */
	for (int i = 0; i < root; i++)
		row[i] = -1;
	for (int i = root; i < out->n; i++) {
		const hp_word *w = &s->word[i - root];
		row[i] = out->words[i] == HP_ID_UNKNOWN ? hp_lexicon_vector(lex, w->col[HP_FORM], w->len[HP_FORM])
		                                        : lex->vector_of[out->words[i]];
	}
	out->vectors = row;
	return 0;
}

/* Without trees. */
static int number_words(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i, hp_corpus *out,
                        hp_error *err)
{
	int n = t->sent[i].words;

	out->sample[i] = (hp_sample){.rows = n, .units = n};
	hp_look_up how = hp_model_look_up(model);
	how.clues = lex->clues;
	return hp_look_up_tokens(&how, out->arena, &t->sent[i], &out->tokens[i], err);
}

int hp_corpus_number(const hp_lexicon *lex, const hp_treebank *t, hp_corpus *out, hp_error *err)
{
	/* The vocabularies are a model's as far as hp_model_tokens looks. */
	hp_model model = {.pos = lex->pos,
	                  .lower = lex->lower,
	                  .words = lex->words,
	                  .chars = lex->chars,
	                  .tags = lex->tags,
	                  .labels = lex->labels,
	                  .special = {-1, -1, NULL},
	                  .rst = !t->heads};

	memset(out, 0, sizeof *out);
	model.config.embedding.pos_dim = lex->pos != HP_POS_NONE;
	out->arena = hp_arena_new();
	if (!out->arena)
		return hp_fail_memory(err);
	out->count = t->count;
	out->words = t->words;
	out->sample = HP_NEW0(out->arena, hp_sample, (size_t)t->count);
	out->tokens = HP_NEW0(out->arena, hp_tokens, (size_t)t->count);
	out->tree = t->tree;
	out->x = t->layers ? t->x : NULL;
	int status = hp_arena_failed(out->arena) ? hp_fail_memory(err) : 0;
	for (int i = 0; i < t->count && status == 0; i++) {
		status = t->tree    ? hp_trees_rst.number(&model, lex, t, i, out, err)
		         : t->heads ? hp_trees_dep.number(&model, lex, t, i, out, err)
		                    : number_words(&model, lex, t, i, out, err);
		if (status == 0 && lex->vector_of)
			status = find_vectors(lex, out->arena, &t->sent[i], &out->tokens[i], err);
	}
	if (status != 0)
		hp_corpus_free(out);
	return status;
}

int hp_corpus_take(const hp_corpus *c, hp_arena *arena, int count, const int *sentence, hp_taken *out, hp_error *err)
{
	hp_sample *sample = HP_NEW(arena, hp_sample, (size_t)count);
	const float **layers = HP_NEW(arena, const float *, (size_t)count);

	out->tokens = HP_NEW(arena, hp_tokens, (size_t)count);
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	for (int i = 0; i < count; i++) {
		sample[i] = c->sample[sentence[i]];
		out->tokens[i] = c->tokens[sentence[i]];
		layers[i] = c->x ? c->x[sentence[i]] : NULL;
	}
	out->in = (hp_sentences){.count = count, .sample = sample};
	if (c->x)
		out->in.layers = layers;
	else
		out->in.tokens = out->tokens;
	return 0;
}
