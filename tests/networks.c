/* networks.c: see networks.h. */
#include "networks.h"
#include "nn/digits.h"

static hp_net_config dep(const hp_dep_config *c)
{
	hp_net_config copy = *c;
	copy.task = HP_TASK_DEP;
	copy.input = HP_INPUT_WORDS;
	return copy;
}

int hp_dep_input_dim(const hp_dep_config *c)
{
	return hp_embedding_dim(&c->embedding);
}

int hp_dep_net_new(const hp_dep_config *config, bool grads, hp_dep_net **out, hp_error *err)
{
	hp_net_config copy = dep(config);
	return hp_net_new(&copy, grads, out, err);
}

void hp_dep_net_destroy(hp_dep_net *net)
{
	hp_net_destroy(net);
}

hp_params *hp_dep_params(hp_dep_net *net)
{
	return &net->params;
}

int hp_dep_prepare(hp_dep_net *net, int stages, hp_error *err)
{
	return hp_net_prepare(net, stages, err) || hp_params_split(&net->params, err) ? HP_FAIL : 0;
}

typedef struct views {
	hp_sample *sample;
	hp_tokens *tokens;
	hp_sentences in;
} views;

static int view(views *v, hp_arena *arena, int count, const hp_dep_sent *sents, const int *n)
{
	v->sample = HP_NEW0(arena, hp_sample, (size_t)count);
	v->tokens = HP_NEW0(arena, hp_tokens, (size_t)count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < count; s++) {
		v->sample[s].rows = v->sample[s].units = n ? n[s] : sents[s].n;
		if (!sents)
			continue;
		v->sample[s].tree = sents[s].heads;
		v->sample[s].labels = sents[s].labels;
		v->sample[s].tagging = sents[s].tagging;
		v->tokens[s] = (hp_tokens){sents[s].n,   sents[s].words, sents[s].vectors,
		                           sents[s].pos, sents[s].chars, sents[s].char_lengths};
	}
	v->in = (hp_sentences){.count = count, .sample = v->sample, .tokens = v->tokens};
	return 0;
}

int hp_dep_train(hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, const hp_dep_dropout *d, float scale, hp_dep_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	views v;
	hp_loss sum;
	hp_dropout drop;
	if (view(&v, scratch, count, sents, NULL))
		return hp_fail_memory(err);
	if (d)
		drop = (hp_dropout){.word = d->word,
		                    .character = d->character,
		                    .pos = d->pos,
		                    .lstm_hidden = d->lstm_hidden,
		                    .lstm_layers = d->lstm_layers,
		                    .mlp = d->mlp,
		                    .seed = d->seed,
		                    .batch = d->batch};
	v.in.vectors = vectors;
	if (hp_train(net, pool, scratch, &v.in, d ? &drop : NULL, scale, &sum, err))
		return HP_FAIL;
	*loss = (hp_dep_loss){sum.structure, sum.label, sum.pairs, sum.steps, sum.auxiliary};
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_dep_embed(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_dep_sent *sents,
                 const float *vectors, float *x, hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool};
	hp_arena_mark mark = hp_arena_save(scratch);
	views v;
	if (view(&v, scratch, count, sents, NULL))
		return hp_fail_memory(err);
	v.in.vectors = vectors;
	int status = hp_embed(&how, scratch, &v.in, x, err);
	hp_arena_restore(scratch, mark);
	return status;
}

int hp_dep_encode(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *x,
                  float *h, float *init, hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool};
	hp_arena_mark mark = hp_arena_save(scratch);
	views v;
	if (view(&v, scratch, count, NULL, n))
		return hp_fail_memory(err);
	int status = hp_encode(&how, scratch, &v.in, x, h, init, err);
	hp_arena_restore(scratch, mark);
	return status;
}

int hp_dep_decode(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                  const float *init, int beam, int32_t *heads, float *d, float *logp, float *score, hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool, .beam = beam};
	hp_arena_mark mark = hp_arena_save(scratch);
	views v;
	if (view(&v, scratch, count, NULL, n))
		return hp_fail_memory(err);
	hp_trees out = {heads, logp, d, score, NULL};
	int status = hp_decode(&how, scratch, &v.in, h, init, &out, err);
	hp_arena_restore(scratch, mark);
	return status;
}

int hp_dep_label(const hp_dep_net *net, hp_pool *pool, hp_arena *scratch, int count, const int *n, const float *h,
                 const float *d, const int32_t *heads, hp_dep_labels special, int32_t *labels, float *logp,
                 hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool, .special = special};
	hp_arena_mark mark = hp_arena_save(scratch);
	views v;
	if (view(&v, scratch, count, NULL, n))
		return hp_fail_memory(err);
	hp_trees out = {.tree = (int32_t *)(uintptr_t)heads, .d = (float *)(uintptr_t)d};
	int status = hp_label(&how, scratch, &v.in, h, &out, labels, logp, err);
	hp_arena_restore(scratch, mark);
	return status;
}

static hp_net_config rst(const hp_rst_config *c)
{
	hp_net_config copy = *c;
	copy.task = HP_TASK_RST;
	return copy;
}

int hp_rst_config_read(hp_rst_config *c, const hp_safetensors *st, hp_error *err)
{
	return hp_config_read(c, HP_TASK_RST, st, err);
}

int hp_rst_config_write(const hp_rst_config *c, hp_st_writer *w, hp_error *err)
{
	hp_net_config copy = rst(c);
	return hp_config_write(&copy, w, err);
}

bool hp_rst_ends_ok(int words, int edus, const int32_t *ends)
{
	return hp_ends_ok(words, edus, ends);
}

bool hp_rst_splits_ok(int edus, const int32_t *splits, int *scratch)
{
	return hp_splits_ok(edus, splits, scratch);
}

int hp_rst_net_new(const hp_rst_config *config, bool grads, hp_rst_net **out, hp_error *err)
{
	hp_net_config copy = rst(config);
	return hp_net_new(&copy, grads, out, err);
}

int hp_rst_net_open(const hp_rst_config *config, const hp_safetensors *st, const char *prefix, int stages,
                    hp_rst_net **out, hp_error *err)
{
	hp_net_config copy = rst(config);
	return hp_net_open(&copy, st, prefix, stages, out, err);
}

void hp_rst_net_destroy(hp_rst_net *net)
{
	hp_net_destroy(net);
}

const hp_rst_config *hp_rst_net_config(const hp_rst_net *net)
{
	return &net->c;
}

hp_params *hp_rst_params(hp_rst_net *net)
{
	return &net->params;
}

void hp_rst_net_init(hp_rst_net *net, uint64_t seed)
{
	hp_net_init(net, seed);
}

void hp_rst_mix(const hp_rst_net *net, int words, const float *layers, float *x)
{
	hp_mix(net, words, layers, x);
}

static hp_sample *view_edus(hp_arena *arena, int count, const hp_rst_sent *sents)
{
	hp_sample *v = HP_NEW0(arena, hp_sample, (size_t)count);
	for (int s = 0; v && s < count; s++)
		v[s] = (hp_sample){.rows = sents[s].words,
		                   .units = sents[s].edus,
		                   .ends = sents[s].ends,
		                   .sents = sents[s].sents,
		                   .sent_end = sents[s].sent_end,
		                   .paragraph = sents[s].paragraph,
		                   .tree = sents[s].splits,
		                   .labels = sents[s].labels};
	return v;
}

static int train_edus(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, hp_sentences *in, const hp_rst_sent *sents,
                      const hp_rst_dropout *d, float scale, hp_rst_loss *loss, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_loss sum;
	hp_dropout drop;
	in->sample = view_edus(scratch, in->count, sents);
	if (!in->sample)
		return hp_fail_memory(err);
	if (d)
		drop = (hp_dropout){.input = d->input,
		                    .encoder = d->encoder,
		                    .decoder = d->decoder,
		                    .classifier = d->classifier,
		                    .seed = d->seed,
		                    .batch = d->batch};
	if (hp_train(net, pool, scratch, in, d ? &drop : NULL, scale, &sum, err))
		return HP_FAIL;
	*loss = (hp_rst_loss){sum.structure, sum.label, sum.auxiliary, sum.pairs, sum.steps};
	hp_arena_restore(scratch, mark);
	return 0;
}

int hp_rst_train(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents, const float *x,
                 float *dx, const hp_rst_dropout *dropout, float scale, hp_rst_loss *loss, hp_error *err)
{
	hp_sentences in = {.count = count, .x = x, .dx = dx};
	return train_edus(net, pool, scratch, &in, sents, dropout, scale, loss, err);
}

int hp_rst_train_words(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                       const hp_tokens *tokens, const float *vectors, const hp_rst_dropout *dropout, float scale,
                       hp_rst_loss *loss, hp_error *err)
{
	hp_sentences in = {.count = count, .tokens = tokens, .vectors = vectors};
	return train_edus(net, pool, scratch, &in, sents, dropout, scale, loss, err);
}

int hp_rst_train_stream(hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                        const float *const *layers, const hp_rst_dropout *dropout, float scale, hp_rst_loss *loss,
                        hp_error *err)
{
	hp_sentences in = {.count = count, .layers = layers};
	return train_edus(net, pool, scratch, &in, sents, dropout, scale, loss, err);
}

int hp_rst_encode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                  const float *x, float *h, float *init, hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool};
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_sentences in = {.count = count, .sample = view_edus(scratch, count, sents)};
	if (!in.sample)
		return hp_fail_memory(err);
	int status = hp_encode(&how, scratch, &in, x, h, init, err);
	hp_arena_restore(scratch, mark);
	return status;
}

int hp_rst_decode(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                  const float *h, const float *init, int beam, int32_t *splits, float *logp, float *score,
                  hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool, .beam = beam};
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_sentences in = {.count = count, .sample = view_edus(scratch, count, sents)};
	hp_trees out = {splits, logp, NULL, score, NULL};
	if (!in.sample)
		return hp_fail_memory(err);
	int status = hp_decode(&how, scratch, &in, h, init, &out, err);
	hp_arena_restore(scratch, mark);
	return status;
}

int hp_rst_label(const hp_rst_net *net, hp_pool *pool, hp_arena *scratch, int count, const hp_rst_sent *sents,
                 const float *h, const int32_t *splits, int32_t *labels, float *logp, hp_error *err)
{
	const hp_parsing how = {.net = net, .pool = pool, .special = {-1, -1, NULL}};
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_sentences in = {.count = count, .sample = view_edus(scratch, count, sents)};
	hp_trees out = {.tree = (int32_t *)(uintptr_t)splits};
	if (!in.sample)
		return hp_fail_memory(err);
	int status = hp_label(&how, scratch, &in, h, &out, labels, logp, err);
	hp_arena_restore(scratch, mark);
	return status;
}
