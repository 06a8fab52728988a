/* corpus.c: numbering a treebank. */
#include "train/corpus.h"

#include <string.h>

void hp_corpus_free(hp_corpus *c)
{
	hp_arena_destroy(c->arena);
	memset(c, 0, sizeof *c);
}

bool hp_corpus_knows_labels(const hp_corpus *c)
{
	for (int i = 0; i < c->count; i++)
		for (int k = 0; k < c->rst[i].edus - 1; k++)
			if (c->rst[i].labels[k] >= 0)
				return true;
	return false;
}

/* Which fixed vector each word has: that of its number; of a word outside the training data its own. */
static int find_vectors(const hp_lexicon *lex, hp_arena *arena, const hp_sentence *s, hp_dep_sent *out, hp_error *err)
{
	int32_t *row = HP_NEW(arena, int32_t, (size_t)out->n);

	if (!row)
		return hp_fail_memory(err);
	int root = out->n - s->words; /* 1 where position 0 is the root */
	row[0] = -1;
	for (int i = root; i < out->n; i++) {
		const hp_word *w = &s->word[i - root];
		row[i] = out->words[i] == HP_ID_UNKNOWN ? hp_lexicon_vector(lex, w->col[HP_FORM], w->len[HP_FORM])
		                                        : lex->vector_of[out->words[i]];
	}
	out->vectors = row;
	return 0;
}

/* What the encoder learns to name beside parsing. */
static int find_taggings(const hp_lexicon *lex, hp_arena *arena, const hp_sentence *s, hp_dep_sent *out, hp_error *err)
{
	for (int k = 0; k < HP_DEP_TAGGINGS - 1 && lex->tagging[k]; k++) {
		int32_t *tag = HP_NEW(arena, int32_t, (size_t)out->n);
		if (!tag)
			return hp_fail_memory(err);
		tag[0] = -1;
		for (int i = 1; i < out->n; i++)
			tag[i] = hp_vocab_find(lex->tagging[k], s->word[i - 1].col[hp_tagging_column[k]],
			                       s->word[i - 1].len[hp_tagging_column[k]]);
		out->tagging[k] = tag;
	}
	out->tagging[HP_DEP_TAGGINGS - 1] = out->labels;
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

hp_tokens hp_corpus_tokens(const hp_dep_sent *sent)
{
	return (hp_tokens){sent->n, sent->words, sent->vectors, sent->pos, sent->chars, sent->char_lengths};
}

static int number_tree(const hp_lexicon *lex, hp_arena *arena, const hp_treebank *t, int i, hp_rst_sent *out,
                       hp_error *err)
{
	const hp_rst_binary *b = t->tree[i];
	size_t edus = (size_t)b->edus;
	int32_t *ends = HP_NEW(arena, int32_t, edus),
	                       *splits = HP_NEW(arena, int32_t, 3 * edus), *labels = HP_NEW(arena, int32_t, edus);

	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	memcpy(ends, t->ends[i], edus * sizeof *ends);
	for (int k = 0; k < b->edus - 1; k++) {
		splits[3 * k] = b->split[k].first;
		splits[3 * k + 1] = b->split[k].mid;
		splits[3 * k + 2] = b->split[k].last;
		labels[k] = hp_vocab_find(lex->labels, b->label[k], strlen(b->label[k]));
	}
	*out = (hp_rst_sent){t->sent[i].words, b->edus, ends, splits, labels};
	return 0;
}

static int number_dependencies(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i,
                               hp_corpus *out, hp_error *err)
{
	hp_dep_sent *sent = &out->sent[i];
	int32_t *heads;

	if (hp_model_number(model, out->arena, &t->sent[i], sent, err) != 0 ||
	    (lex->vector_of && find_vectors(lex, out->arena, &t->sent[i], sent, err) != 0) ||
	    find_labels(lex, out->arena, &t->sent[i], sent, err) != 0 ||
	    find_taggings(lex, out->arena, &t->sent[i], sent, err) != 0)
		return HP_FAIL;
	heads = HP_NEW(out->arena, int32_t, (size_t)sent->n);
	if (!heads)
		return hp_fail_memory(err);
	memcpy(heads, t->heads[i], (size_t)sent->n * sizeof *heads);
	sent->heads = heads;
	return 0;
}

static int number_rhetorical(const hp_model *model, const hp_lexicon *lex, const hp_treebank *t, int i, hp_corpus *out,
                             hp_error *err)
{
	hp_dep_sent *sent = &out->sent[i];
	hp_tokens tokens;

	if (hp_model_tokens(model, out->arena, &t->sent[i], &tokens, err) != 0)
		return HP_FAIL;
	*sent = (hp_dep_sent){.n = tokens.n,
	                      .words = tokens.words,
	                      .pos = tokens.pos,
	                      .chars = tokens.chars,
	                      .char_lengths = tokens.char_lengths};
	if (lex->vector_of && find_vectors(lex, out->arena, &t->sent[i], sent, err) != 0)
		return HP_FAIL;
	return number_tree(lex, out->arena, t, i, &out->rst[i], err);
}

int hp_corpus_number(const hp_lexicon *lex, const hp_treebank *t, hp_corpus *out, hp_error *err)
{
	/* The vocabularies are a model's as far as hp_model_number looks. */
	hp_model model = {.pos = lex->pos,
	                  .lower = lex->lower,
	                  .words = lex->words,
	                  .chars = lex->chars,
	                  .tags = lex->tags,
	                  .labels = lex->labels,
	                  .special = {-1, -1},
	                  .task = "dep"};

	memset(out, 0, sizeof *out);
	model.config.embedding.pos_dim = lex->pos != HP_POS_NONE;
	out->arena = hp_arena_new();
	if (!out->arena)
		return hp_fail_memory(err);
	out->count = t->count;
	out->words = t->words;
	out->sent = HP_NEW0(out->arena, hp_dep_sent, (size_t)t->count);
	if (t->tree) {
		out->tree = t->tree;
		out->x = t->layers ? t->x : NULL;
		out->rst = HP_NEW0(out->arena, hp_rst_sent, (size_t)t->count);
	}
	int status = hp_arena_failed(out->arena) ? hp_fail_memory(err) : 0;
	for (int i = 0; i < t->count && status == 0; i++)
		status =
			t->tree ? number_rhetorical(&model, lex, t, i, out, err) : number_dependencies(&model, lex, t, i, out, err);
	if (status != 0)
		hp_corpus_free(out);
	return status;
}
