/* hp_edus.c: elementary discourse units in, rhetorical trees out. */
#include "hp_parser.h"

#include <math.h>
#include <string.h>

#include "nn/vmath.h"
#include "rst/tree.h"
#include "text/edus.h"

/* Everything of a group of sentences. */
typedef struct work {
	hp_group group;
	hp_tokens tokens[HP_BATCH_SENTENCES];
	hp_rst_sent sent[HP_BATCH_SENTENCES];
	int n[HP_BATCH_SENTENCES]; /* words of each */
	float *x, *h, *init; /* [words × D], [words × H], [sentences × L × H] */
	int32_t *splits, *labels; /* [splits][3], [splits] */
	float *split_logp, *label_logp; /* [splits] */
	float *score; /* [sentences] */
	/* what the caller sees: in the arena of trees */
	hp_edu_split *split; /* [splits] */
	hp_edu_tree *tree; /* [sentences] */
} work;

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* TAGS of EDU I, from 0, whose tokens are WORD [tokens]. */
static int take_tags(const char *tags, int i, hp_word *word, int tokens, hp_error *err)
{
	size_t size = strlen(tags);
	const char *p = tags, *end = tags + size, *fault = hp_text_fault(tags, size, true);
	int found = 0;

	if (fault || size > HP_MAX_TEXT)
		return hp_fail(err, "EDU:%d: a text of tags that %s", i + 1, fault != NULL ? fault : "is too long");
	for (;; found++) {
		while (p < end && is_blank(*p))
			p++;
		const char *tag = p;
		while (p < end && !is_blank(*p))
			p++;
		if (p == tag)
			break;
		if (found >= tokens)
			continue;
		/* The model looks at one of the two. */
		word[found].col[HP_UPOS] = word[found].col[HP_XPOS] = tag;
		word[found].len[HP_UPOS] = word[found].len[HP_XPOS] = (uint32_t)(p - tag);
	}
	if (found != tokens)
		return hp_fail(err, "EDU:%d: %d token%s, but %d tag%s", i + 1, tokens, hp_plural(tokens), found,
		               hp_plural(found));
	return 0;
}

static int check_texts(const hp_batch_edus *in, size_t *bytes, hp_error *err)
{
	if (in->edus < 1 || in->edus > HP_MAX_WORDS)
		return hp_fail(err, "a sentence of %d EDUs, expected 1 to %d", in->edus, HP_MAX_WORDS);
	if (!in->texts || in->reserved)
		return hp_fail(err, !in->texts ? "texts is NULL" : "reserved is not NULL");
	*bytes = 0;
	for (int i = 0; i < in->edus; i++) {
		if (!in->texts[i] || strchr(in->texts[i], '\n'))
			return hp_fail(err, "EDU:%d: %s", i + 1, !in->texts[i] ? "no text" : "a newline");
		*bytes += strlen(in->texts[i]);
		if (*bytes > HP_MAX_TEXT)
			return hp_fail(err, "a sentence of more than %zu MiB", HP_MAX_TEXT >> 20);
	}
	return 0;
}

/* The caller's texts as WORDS, the caller's to free, and where EDUs end.  *BYTES of text. */
static int take_edus(hp_arena *arena, const hp_batch_edus *in, hp_edus *parsed, hp_sentence *words, size_t *bytes,
                     hp_error *err)
{
	if (check_texts(in, bytes, err) != 0 ||
	    hp_edus_take(in->edus, in->texts, (hp_edus_source){"EDU", 1, 1, HP_MAX_WORDS}, arena, parsed, words, err) != 0)
		return HP_FAIL;
	for (int i = 0; in->tags != NULL && i < in->edus; i++) {
		int from = i > 0 ? parsed->ends[i - 1] + 1 : 0;

		if (in->tags[i] && take_tags(in->tags[i], i, words->word + from, parsed->ends[i] + 1 - from, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* Adds sentence I of the group, if it takes it: returns 1, else 0, or HP_FAIL.  NUMBER as for hp_blame. */
static int add_sentence(hp_parser *p, const hp_batch_edus *in, int i, int number, work *w, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(p->work);
	hp_sentence words;
	hp_edus parsed;
	size_t bytes = 0;
	hp_error why;
	int status;

	hp_sentence_init(&words);
	if (take_edus(p->work, in, &parsed, &words, &bytes, &why) != 0) {
		status = hp_blame(number, &why, err);
	} else if (!hp_group_takes(&w->group, words.words, bytes)) {
		hp_arena_restore(p->work, mark);
		status = 0;
	} else {
		status = hp_model_tokens(p->model, p->work, &words, &w->tokens[i], err) != 0 ? HP_FAIL : 1;
		w->sent[i] = (hp_rst_sent){.words = words.words, .edus = in->edus, .ends = parsed.ends};
		w->n[i] = words.words;
	}
	hp_sentence_free(&words);
	return status;
}

/* The next sentences as numbers, at least one of COUNT.  FIRST: number of the first, 0: it is the only one. */
static int take_group(hp_parser *p, int count, const hp_batch_edus *in, int first, work *w, hp_error *err)
{
	int status = 1;

	w->group = (hp_group){.count = 0};
	for (int i = 0; i < count && status > 0; i++)
		status = add_sentence(p, &in[i], i, first > 0 ? first + i : 0, w, err);
	return status < 0 ? HP_FAIL : 0;
}

static int make_room(hp_parser *p, work *w, hp_error *err)
{
	const hp_rst_config *c = &p->model->rst_config;
	size_t words = w->group.rows, count = (size_t)w->group.count, splits = 1; /* never none */

	for (int i = 0; i < w->group.count; i++)
		splits += (size_t)w->sent[i].edus - 1;
	w->x = HP_NEW(p->work, float, words * (size_t)c->input_dim);
	w->h = HP_NEW(p->work, float, words * (size_t)c->hidden);
	w->init = HP_NEW(p->work, float, count * (size_t)c->layers * (size_t)c->hidden);
	w->splits = HP_NEW(p->work, int32_t, 3 * splits);
	w->labels = HP_NEW(p->work, int32_t, splits);
	w->split_logp = HP_NEW(p->work, float, splits);
	w->label_logp = HP_NEW(p->work, float, splits);
	w->score = HP_NEW(p->work, float, count);
	w->split = HP_NEW(p->trees, hp_edu_split, splits);
	w->tree = HP_NEW(p->trees, hp_edu_tree, count);
	return hp_arena_failed(p->work) || hp_arena_failed(p->trees) ? hp_fail_memory(err) : 0;
}

static int run_stages(hp_parser *p, work *w, hp_error *err)
{
	const hp_rst_net *net = p->model->rst_net;
	int count = w->group.count;

	if (hp_rst_embed(net, p->pool, p->work, count, w->tokens, NULL, w->x, err) != 0 ||
	    hp_rst_encode(net, p->pool, p->work, count, w->n, w->x, w->h, w->init, err) != 0 ||
	    hp_rst_decode(net, p->pool, p->work, count, w->sent, w->h, w->init, p->beam, w->splits, w->split_logp, w->score,
	                  err) != 0)
		return HP_FAIL;
	return hp_rst_label(net, p->pool, p->work, count, w->sent, w->h, w->splits, w->labels, w->label_logp, err);
}

/* Split I as the caller sees it. */
static int tell_split(hp_parser *p, const work *w, size_t i, hp_error *err)
{
	static const char *const names[] = {[HP_RST_NS] = "NS", [HP_RST_SN] = "SN", [HP_RST_NN] = "NN"};
	const char *label = hp_vocab_at(p->model->labels, w->labels[i], NULL);
	hp_rst_nuclearity nuclearity = HP_RST_NN;
	size_t size = 0;

	(void)hp_rst_label_parts(label, &size, &nuclearity); /* hp_model_open has seen to it */
	char *relation = HP_NEW(p->trees, char, size + 1);
	if (!relation)
		return hp_fail_memory(err);
	memcpy(relation, label, size);
	relation[size] = '\0';
	w->split[i] = (hp_edu_split){w->splits[3 * i], w->splits[3 * i + 1],   w->splits[3 * i + 2],  names[nuclearity],
	                             relation,         expf(w->split_logp[i]), expf(w->label_logp[i])};
	return 0;
}

/* Returns how many of the COUNT sentences were parsed, or HP_FAIL. */
static int parse_group(hp_parser *p, int count, const hp_batch_edus *in, int first, const hp_edu_tree **trees,
                       hp_error *err)
{
	size_t at = 0;
	work w;

	hp_arena_reset(p->work);
	if (take_group(p, count, in, first, &w, err) != 0 || make_room(p, &w, err) != 0 || run_stages(p, &w, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < w.group.count; i++) {
		size_t end = at + (size_t)w.sent[i].edus - 1;

		if (!hp_vec_within(end - at, w.split_logp + at, HP_LARGEST) ||
		    !hp_vec_within(end - at, w.label_logp + at, HP_LARGEST) || !hp_vec_within(1, &w.score[i], HP_LARGEST))
			return hp_fail_scores(first > 0 ? first + i : 0, err);
		w.tree[i] = (hp_edu_tree){w.sent[i].edus, w.split + at, w.score[i]};
		for (; at < end; at++)
			if (tell_split(p, &w, at, err) != 0)
				return HP_FAIL;
	}
	for (int i = 0; i < w.group.count; i++)
		trees[i] = w.tree + i;
	return w.group.count;
}

int hp_parse_edus(hp_parser *parser, int edus, const char *const *texts, const hp_edu_tree **tree, hp_error *err)
{
	const hp_batch_edus in = {edus, texts, NULL, NULL};

	if (!tree)
		return hp_fail_null(err, "hp_parse_edus", "tree");
	*tree = NULL;
	if (hp_begin(parser, "hp_parse_edus", true, err) != 0)
		return HP_FAIL;
	return parse_group(parser, 1, &in, 0, tree, err) < 0 ? HP_FAIL : 0;
}

int hp_parse_edus_batch(hp_parser *parser, int count, const hp_batch_edus *sentences, const hp_edu_tree **trees,
                        hp_error *err)
{
	int status, done = 0;

	for (int i = 0; trees != NULL && i < count; i++)
		trees[i] = NULL;
	status = hp_begin_batch(parser, "hp_parse_edus_batch", true, count, sentences, trees, err);
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
