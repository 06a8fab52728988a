/* hp_words.c: words in, dependency trees out. */
#include "hp_parser.h"

#include <math.h>
#include <string.h>

#include "nn/vmath.h"

/* Everything of a group of sentences; n positions in all. */
typedef struct work {
	hp_group group;
	hp_dep_sent sent[HP_BATCH_SENTENCES];
	int n[HP_BATCH_SENTENCES]; /* positions of each */
	float *x, *h, *init, *d; /* [n × D], [n × 2H], [sentences × 2 × Q], [n × Q] */
	int32_t *numbers; /* [n] of labels */
	/* what the caller sees: in the arena of trees */
	int32_t *heads; /* [n] */
	float *arc, *label; /* [n] log-probabilities, then probabilities */
	const char **labels; /* [n] */
	float *score; /* [sentences] */
	hp_tree *tree; /* [sentences] */
} work;

/* Word or tag I, from 0; WHAT begins the message. */
static int check_text(const char *s, const char *what, int i, size_t *bytes, hp_error *err)
{
	size_t size = strlen(s);
	const char *fault = size > HP_MAX_TEXT ? "is too long" : hp_text_fault(s, size, false);

	*bytes += size;
	if (fault)
		return hp_fail(err, "%s %d %s", what, i + 1, fault);
	return *bytes > HP_MAX_TEXT ? hp_fail(err, "a sentence of more than %zu MiB", HP_MAX_TEXT >> 20) : 0;
}

/* The caller's strings as a sentence whose other columns are empty.  *BYTES of text. */
static int make_sentence(hp_arena *arena, const hp_batch_words *in, hp_sentence *s, size_t *bytes, hp_error *err)
{
	if (in->words < 1 || in->words > HP_MAX_WORDS)
		return hp_fail(err, "a sentence of %d words, expected 1 to %d", in->words, HP_MAX_WORDS);
	if (!in->forms || in->reserved)
		return hp_fail(err, !in->forms ? "forms is NULL" : "reserved is not NULL");
	hp_sentence_init(s);
	s->words = in->words;
	s->word = HP_NEW0(arena, hp_word, in->words);
	if (!s->word)
		return hp_fail_memory(err);
	*bytes = 0;
	for (int i = 0; i < in->words; i++) {
		const char *form = in->forms[i], *tag = in->tags != NULL && in->tags[i] ? in->tags[i] : "_";
		hp_word *w = &s->word[i];

		if (!form || *form == '\0')
			return hp_fail(err, "word %d is empty", i + 1);
		if (check_text(form, "word", i, bytes, err) != 0 || check_text(tag, "the tag of word", i, bytes, err) != 0)
			return HP_FAIL;
		w->col[HP_FORM] = form;
		w->len[HP_FORM] = (uint32_t)strlen(form);
		/* The model looks at one of the two. */
		w->col[HP_UPOS] = w->col[HP_XPOS] = tag;
		w->len[HP_UPOS] = w->len[HP_XPOS] = (uint32_t)strlen(tag);
	}
	return 0;
}

/* The next sentences as numbers, at least one of COUNT.  FIRST: number of the first, 0: it is the only one. */
static int take_group(hp_parser *p, int count, const hp_batch_words *in, int first, work *w, hp_error *err)
{
	w->group = (hp_group){.count = 0};
	for (int i = 0; i < count; i++) {
		hp_arena_mark mark = hp_arena_save(p->work);
		hp_sentence s;
		size_t bytes = 0;
		hp_error why;

		if (make_sentence(p->work, &in[i], &s, &bytes, &why) != 0)
			return hp_blame(first > 0 ? first + i : 0, &why, err);
		if (!hp_group_takes(&w->group, s.words + 1, bytes)) {
			hp_arena_restore(p->work, mark);
			return 0;
		}
		if (hp_model_number(p->model, p->work, &s, &w->sent[i], err) != 0)
			return HP_FAIL;
		w->n[i] = w->sent[i].n;
	}
	return 0;
}

static int make_room(hp_parser *p, work *w, hp_error *err)
{
	const hp_dep_config *c = &p->model->config;
	size_t n = w->group.rows, count = (size_t)w->group.count;

	w->x = HP_NEW(p->work, float, n * (size_t)hp_dep_input_dim(c));
	w->h = HP_NEW(p->work, float, n * 2 * (size_t)c->hidden);
	w->init = HP_NEW(p->work, float, count * 2 * (size_t)c->decoder_hidden);
	w->d = HP_NEW(p->work, float, n * (size_t)c->decoder_hidden);
	w->numbers = HP_NEW(p->work, int32_t, n);
	w->heads = HP_NEW(p->trees, int32_t, n);
	w->arc = HP_NEW(p->trees, float, n);
	w->label = HP_NEW(p->trees, float, n);
	w->labels = HP_NEW(p->trees, const char *, n);
	w->score = HP_NEW(p->work, float, count);
	w->tree = HP_NEW(p->trees, hp_tree, count);
	return hp_arena_failed(p->work) || hp_arena_failed(p->trees) ? hp_fail_memory(err) : 0;
}

static int run_stages(hp_parser *p, work *w, hp_error *err)
{
	const hp_dep_net *net = p->model->net;
	int count = w->group.count;

	if (hp_dep_embed(net, p->pool, p->work, count, w->sent, NULL, w->x, err) != 0 ||
	    hp_dep_encode(net, p->pool, p->work, count, w->n, w->x, w->h, w->init, err) != 0 ||
	    hp_dep_decode(net, p->pool, p->work, count, w->n, w->h, w->init, p->beam, w->heads, w->d, w->arc, w->score,
	                  err) != 0)
		return HP_FAIL;
	return hp_dep_label(net, p->pool, p->work, count, w->n, w->h, w->d, w->heads, p->model->special, w->numbers,
	                    w->label, err);
}

/* Whether all numbers of sentence I, whose first position is AT, are sensible. */
static bool is_sensible(const work *w, int i, size_t at)
{
	bool sensible =
		hp_vec_within((size_t)w->n[i], w->arc + at, HP_LARGEST) && hp_vec_within(1, &w->score[i], HP_LARGEST);

	for (size_t k = at + 1; k < at + (size_t)w->n[i]; k++)
		sensible = sensible && (w->numbers[k] < 0 || hp_vec_within(1, w->label + k, HP_LARGEST));
	return sensible;
}

/* Sentence I, whose first position is AT, as the caller sees it. */
static const hp_tree *tell_tree(const hp_parser *p, work *w, int i, size_t at)
{
	w->labels[at] = "_";
	w->arc[at] = w->label[at] = 1.0f;
	for (size_t k = at + 1; k < at + (size_t)w->n[i]; k++) {
		w->arc[k] = expf(w->arc[k]);
		w->label[k] = expf(w->label[k]);
		w->labels[k] = w->numbers[k] < 0 ? "_" : hp_vocab_at(p->model->labels, w->numbers[k], NULL);
	}
	w->tree[i] = (hp_tree){w->n[i] - 1, w->heads + at, w->labels + at, w->arc + at, w->label + at, w->score[i]};
	return &w->tree[i];
}

/* Returns how many of the COUNT sentences were parsed, or HP_FAIL. */
static int parse_group(hp_parser *p, int count, const hp_batch_words *in, int first, const hp_tree **trees,
                       hp_error *err)
{
	size_t at = 0;
	work w;

	hp_arena_reset(p->work);
	if (take_group(p, count, in, first, &w, err) != 0 || make_room(p, &w, err) != 0 || run_stages(p, &w, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < w.group.count; at += (size_t)w.n[i++])
		if (!is_sensible(&w, i, at))
			return hp_fail_scores(first > 0 ? first + i : 0, err);
	at = 0;
	for (int i = 0; i < w.group.count; i++) {
		trees[i] = tell_tree(p, &w, i, at);
		at += (size_t)w.n[i];
	}
	return w.group.count;
}

int hp_parse(hp_parser *parser, int words, const char *const *forms, const char *const *tags, const hp_tree **tree,
             hp_error *err)
{
	const hp_batch_words in = {words, forms, tags, NULL};

	if (!tree)
		return hp_fail_null(err, "hp_parse", "tree");
	*tree = NULL;
	if (hp_begin(parser, "hp_parse", false, err) != 0)
		return HP_FAIL;
	return parse_group(parser, 1, &in, 0, tree, err) < 0 ? HP_FAIL : 0;
}

int hp_parse_batch(hp_parser *parser, int count, const hp_batch_words *sentences, const hp_tree **trees, hp_error *err)
{
	int status, done = 0;

	for (int i = 0; trees != NULL && i < count; i++)
		trees[i] = NULL;
	status = hp_begin_batch(parser, "hp_parse_batch", false, count, sentences, trees, err);
	while (status == 0 && done < count) {
		int parsed = parse_group(parser, count - done, sentences + done, done + 1, trees + done, err);

		if (parsed < 0)
			status = HP_FAIL;
		else
			done += parsed;
	}
	for (int i = 0; status != 0 && i < done; i++)
		trees[i] = NULL;
	return status;
}
