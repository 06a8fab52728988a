/* embed.c: words, characters and tags -> x, for training and parsing. */
#include "dep/train.h"

static hp_tokens tokens_of(const hp_dep_sent *s)
{
	return (hp_tokens){s->n, s->words, s->vectors, s->pos, s->chars, s->char_lengths};
}

int hp_dep_embed_forward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *vectors)
{
	hp_tokens *tokens = HP_NEW(arena, hp_tokens, (size_t)t->count);
	t->x = HP_NEW(arena, float, (size_t)t->plan.rows * (size_t)hp_dep_input_dim(&net->c));
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < t->count; s++)
		tokens[s] = tokens_of(t->sents[s]);
	t->embedding = (hp_embedding_trace){.rows = t->plan.rows,
	                                    .row = t->packed_row,
	                                    .word_mask = t->mask.word,
	                                    .char_mask = t->mask.chr,
	                                    .pos_mask = t->mask.pos};
	return hp_embedding_forward(&t->embedding, &net->embedding, pool, arena, t->count, tokens, vectors, t->x);
}

int hp_dep_embed_backward(hp_dep_trace *t, const hp_dep_net *net, hp_pool *pool, hp_arena *arena, const float *dx)
{
	return hp_embedding_backward(&t->embedding, &net->embedding, pool, arena, dx);
}

int hp_dep_embed(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, float *x, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_tokens *tokens = HP_NEW(scratch, hp_tokens, (size_t)count);
	if (!tokens)
		return hp_fail_memory(err);
	for (int s = 0; s < count; s++)
		tokens[s] = tokens_of(&sents[s]);
	int status = hp_embedding_look_up(&net->embedding, pool, scratch, count, tokens, vectors, x, err);
	hp_arena_restore(scratch, mark);
	return status;
}
