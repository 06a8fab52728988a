/* corpus.c: numbering a treebank. */
#include "train/corpus.h"

#include <string.h>

void hp_corpus_free(hp_corpus *c)
{
	hp_arena_destroy(c->arena);
	memset(c, 0, sizeof *c);
}

/* Which fixed vector each word has: that of its number; of a word outside the training data its own. */
static int find_vectors(const hp_lexicon *lex, hp_arena *arena, const hp_sentence *s, hp_dep_sent *out, hp_error *err)
{
	int32_t *row = HP_NEW(arena, int32_t, (size_t)out->n);

	if (!row)
		return hp_fail_memory(err);
	row[0] = -1;
	for (int i = 1; i < out->n; i++) {
		const hp_word *w = &s->word[i - 1];
		row[i] = out->words[i] == HP_ID_UNKNOWN
		                 ? hp_lexicon_vector(lex, w->col[HP_FORM], w->len[HP_FORM])
		                 : lex->vector_of[out->words[i]];
	}
	out->vectors = row;
	return 0;
}

static int find_labels(const hp_lexicon *lex, hp_arena *arena, const hp_sentence *s, hp_dep_sent *out, hp_error *err)
{
	int32_t *label = HP_NEW(arena, int32_t, (size_t)out->n);

	if (!label)
		return hp_fail_memory(err);
	label[0] = -1;
	for (int i = 1; i < out->n; i++)
		label[i] = hp_vocab_find(lex->labels, s->word[i - 1].col[HP_DEPREL], s->word[i - 1].len[HP_DEPREL]);
	out->labels = label;
	return 0;
}

int hp_corpus_number(const hp_lexicon *lex, const hp_treebank *t, hp_corpus *out, hp_error *err)
{
	/* The vocabularies are a model's as far as hp_model_number looks. */
	hp_model model = { .pos = lex->pos, .lower = lex->lower, .words = lex->words, .chars = lex->chars,
		           .tags = lex->tags, .labels = lex->labels, .root_label = -1, .task = "dep" };

	memset(out, 0, sizeof *out);
	model.config.pos_dim = lex->pos != HP_POS_NONE;
	out->arena = hp_arena_new();
	if (!out->arena)
		return hp_fail_memory(err);
	out->count = t->count;
	out->words = t->words;
	out->sent = HP_NEW0(out->arena, hp_dep_sent, (size_t)t->count);
	if (!out->sent)
		goto failed;
	for (int i = 0; i < t->count; i++) {
		hp_dep_sent *sent = &out->sent[i];
		int32_t *heads;
		if (hp_model_number(&model, out->arena, &t->sent[i], sent, err) != 0 ||
		    (lex->vector_of && find_vectors(lex, out->arena, &t->sent[i], sent, err) != 0) ||
		    find_labels(lex, out->arena, &t->sent[i], sent, err) != 0)
			goto cleanup;
		heads = HP_NEW(out->arena, int32_t, (size_t)sent->n);
		if (!heads)
			goto failed;
		memcpy(heads, t->heads[i], (size_t)sent->n * sizeof *heads);
		sent->heads = heads;
	}
	return 0;
failed:
	hp_fail_memory(err);
cleanup:
	hp_corpus_free(out);
	return HP_FAIL;
}
