/* parser_score.c: parsing a corpus, or a test set with a finished model, and comparing. */
#include "train/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/digits.h"

enum { BATCH = 64, POSITIONS = 4000 };

typedef struct scoring { /* what is scored, and with what */
	const hp_tree_kind *kind;
	hp_net *net;
	hp_pool *pool;
	hp_arena *scratch;
	const float *vectors; /* fixed vectors, as in training; NULL: none */
	const hp_vocab *labels; /* names of the network's labels */
	bool hide_tags; /* as if every tag were missing (dependencies) */
	int beam;
} scoring;

typedef struct run {
	const scoring *s;
	const hp_corpus *c;
	hp_parsing how;
	int32_t *hidden; /* tags of a sentence without tags, as long as the longest; NULL: tags as they are */
	hp_tally sum[HP_TREE_SCORES];
} run;

static int score_batch(run *r, int count, const int *sentence, hp_error *err)
{
	hp_arena *scratch = r->s->scratch;
	hp_arena_mark mark = hp_arena_save(scratch);
	hp_parsed parsed;
	hp_taken taken;
	int status = 0;

	if (hp_corpus_take(r->c, scratch, count, sentence, &taken, err) != 0)
		return HP_FAIL;
	for (int i = 0; r->hidden && i < count; i++)
		taken.tokens[i].pos = r->hidden;
	taken.in.vectors = r->s->vectors;
	if (hp_parse_sentences(&r->how, scratch, &taken.in, &parsed, err) != 0)
		return HP_FAIL;
	const int32_t *tree = parsed.trees.tree, *labels = parsed.labels;
	int width = r->s->net->grammar == &hp_splits ? 3 : 1;
	for (int i = 0; i < count && status == 0; i++) {
		status = r->s->kind->compare(r->c, sentence[i], r->s->labels, tree, labels, r->sum, err);
		tree += width * parsed.results[i];
		labels += parsed.results[i];
	}
	hp_arena_restore(scratch, mark);
	return status;
}

typedef struct placed {
	int length, sentence;
} placed;

static int by_length(const void *pa, const void *pb)
{
	const placed *a = pa, *b = pb;

	return a->length != b->length ? a->length - b->length : a->sentence - b->sentence;
}

/* The numbers of the sentences, short ones first; the caller's to free. */
static int *sort_sentences(const hp_corpus *c)
{
	placed *room = calloc((size_t)c->count + 1, sizeof *room);
	int *order = calloc((size_t)c->count + 1, sizeof *order);

	for (int i = 0; room && i < c->count; i++)
		room[i] = (placed){c->sample[i].rows, i};
	if (room && order)
		qsort(room, (size_t)c->count, sizeof *room, by_length);
	for (int i = 0; room && order && i < c->count; i++)
		order[i] = room[i].sentence;
	if (!room) {
		free(order);
		order = NULL;
	}
	free(room);
	return order;
}

static int score_sorted(run *r, const int *order, hp_error *err)
{
	const hp_corpus *c = r->c;

	for (int first = 0, end; first < c->count; first = end) {
		int64_t positions = 0;
		end = first;
		do
			positions += c->sample[order[end++]].rows;
		while (end < c->count && end - first < BATCH && positions + c->sample[order[end]].rows <= POSITIONS);
		if (score_batch(r, end - first, order + first, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* Tags of a sentence of N positions that has none; with ROOT the first one is the root's. */
static int32_t *hidden_tags(int n, bool root)
{
	int32_t *tags = malloc((size_t)n * sizeof *tags);

	for (int i = 0; tags && i < n; i++)
		tags[i] = i == 0 && root ? HP_ID_ROOT : HP_ID_UNKNOWN;
	return tags;
}

/* Prepares the network for all stages. */
static int score_corpus(const scoring *s, const hp_corpus *c, hp_score *out, hp_error *err)
{
	run r = {.s = s,
	         .c = c,
	         .how = {.net = s->net, .special = hp_find_special_labels(s->labels), .beam = s->beam, .pool = s->pool}};
	bool hide = s->hide_tags && c->count > 0, splits = s->net->c.task == HP_TASK_RST;
	int8_t *nuclearity = splits ? hp_label_nuclearities(s->labels) : NULL;
	int *order = sort_sentences(c), status = HP_FAIL;

	memset(out, 0, sizeof *out);
	r.how.special.nuclearity = nuclearity;
	if (order && hide)
		r.hidden = hidden_tags(c->sample[order[c->count - 1]].rows, s->net->c.task == HP_TASK_DEP);
	if (!order || (hide && !r.hidden) || (splits && !nuclearity))
		hp_fail_memory(err);
	else if (hp_net_prepare(s->net, HP_STAGE_ALL, err) == 0 && hp_params_split(&s->net->params, err) == 0)
		status = score_sorted(&r, order, err);
	hp_params_unsplit(&s->net->params);
	free(nuclearity);
	free(r.hidden);
	free(order);
	out->words = c->words;
	for (int i = 0; i < s->kind->scores; i++)
		out->percent[i] = s->kind->percent(&r.sum[i]);
	return status;
}

/* ---- dev ---- */

static int score_dev(hp_trainer *t, bool hide_tags, hp_score *out, hp_error *err)
{
	const hp_parser *p = t->work;
	const scoring s = {.kind = p->kind,
	                   .net = p->net,
	                   .pool = t->pool,
	                   .scratch = t->scratch,
	                   .vectors = p->data.lexicon.vectors.values,
	                   .labels = p->data.lexicon.labels,
	                   .hide_tags = hide_tags,
	                   .beam = t->hyper.beam};

	return score_corpus(&s, &p->data.dev, out, err);
}

int hp_parser_score_dev(hp_trainer *t, hp_score *out, hp_error *err)
{
	return score_dev(t, false, out, err);
}

int hp_parser_score_without_tags(hp_trainer *t, hp_score *out, hp_error *err)
{
	const hp_parser *p = t->work;

	return p->data.lexicon.pos != HP_POS_NONE && t->hyper.tag_drop > 0 ? score_dev(t, true, out, err) : 0;
}

/* ---- test ---- */

/* The training's lexicon with the vocabularies of MODEL, whose words' vectors are whole. */
static hp_lexicon lexicon_of(const hp_parser *p, const hp_model *model)
{
	hp_lexicon lex = p->data.lexicon;

	if (model->words) {
		lex.words = model->words;
		lex.chars = model->chars;
		lex.tags = model->tags;
	}
	lex.labels = model->labels;
	lex.vector_of = NULL;
	memset(&lex.vectors, 0, sizeof lex.vectors);
	memset(&lex.tagging, 0, sizeof lex.tagging);
	return lex;
}

static int score_test(hp_trainer *t, hp_model *model, hp_score *out, hp_error *err)
{
	const hp_parser *p = t->work;
	hp_lexicon lex = lexicon_of(p, model);
	hp_corpus test;
	int status = hp_corpus_number(&lex, &p->data.test_bank, &test, err);

	if (status != 0)
		return HP_FAIL;
	const scoring s = {.kind = p->kind,
	                   .net = model->net,
	                   .pool = t->pool,
	                   .scratch = t->scratch,
	                   .labels = model->labels,
	                   .beam = model->beam};
	status = score_corpus(&s, &test, out, err);
	hp_arena_reset(t->scratch);
	hp_corpus_free(&test);
	return status;
}

int hp_parser_test(hp_trainer *t, const char *path, hp_score *out, hp_error *err)
{
	hp_model *model = NULL;
	char *name = hp_model_file(path);
	int status = HP_FAIL;

	if (!name)
		return hp_fail_memory(err);
	if (hp_model_open(name, hp_task_name(t->hyper.task), HP_STAGE_ALL, &model, err) == 0)
		status = score_test(t, model, out, err);
	hp_model_close(model);
	free(name);
	return status;
}
