/* hp.c: the whole parser in three calls. */
#include "hp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "dep/model.h"
#include "rst/tree.h"
#include "text/edus.h"
#include "text/utf8.h"

enum { MAX_BEAM = 1000, MAX_WORDS = 1000000 };

struct hp_parser {
	hp_model *model;
	hp_arena *arena; /* one sentence's work, the tree included */
	hp_tree tree;
	hp_edu_tree edu_tree;
	int beam;
};

/* Everything of one sentence, in the parser's arena.  n positions. */
typedef struct work {
	float *x, *h, *init, *d; /* [n × D], [n × 2H], [2 × Q], [n × Q] */
	float *arc, *label; /* [n] log-probabilities */
	int32_t *heads, *numbers; /* [n] */
	const char **labels; /* [n] */
} work;

int hp_open(const char *model, hp_parser **out, hp_error *err)
{
	hp_parser *p = calloc(1, sizeof(*p));

	*out = NULL;
	if (p == NULL)
		return hp_fail_memory(err);
	p->beam = 1;
	p->arena = hp_arena_new();
	if (p->arena == NULL) {
		hp_close(p);
		return hp_fail_memory(err);
	}
	if (hp_model_open(model, HP_STAGE_ALL, &p->model, err) != 0) {
		hp_close(p);
		return HP_FAIL;
	}
	if (p->model->rst && p->model->rst_config.input != HP_RST_INPUT_WORDS) {
		hp_fail(err, "%s: a discourse model for the embeddings of another program: it cannot read words", p->model->path);
		hp_close(p);
		return HP_FAIL;
	}
	*out = p;
	return 0;
}

void hp_close(hp_parser *parser)
{
	if (parser == NULL)
		return;
	hp_model_close(parser->model);
	hp_arena_destroy(parser->arena);
	free(parser);
}

int hp_set_beam(hp_parser *parser, int beam, hp_error *err)
{
	if (beam < 1 || beam > MAX_BEAM)
		return hp_fail(err, "a beam of %d, expected 1 to %d", beam, MAX_BEAM);
	parser->beam = beam;
	return 0;
}

int hp_set_int8(hp_parser *parser, hp_error *err)
{
	return hp_model_round(parser->model, err);
}

/* The caller's strings as a sentence whose other columns are empty. */
static int make_sentence(hp_parser *p, int words, const char *const *forms, const char *const *tags, hp_sentence *s,
                         hp_error *err)
{
	if (words < 1 || words > MAX_WORDS)
		return hp_fail(err, "a sentence of %d words, expected 1 to %d", words, MAX_WORDS);
	hp_sentence_init(s);
	s->words = words;
	s->word = HP_NEW0(p->arena, hp_word, words);
	if (s->word == NULL)
		return hp_fail_memory(err);
	for (int i = 0; i < words; i++) {
		const char *tag = tags != NULL && tags[i] != NULL ? tags[i] : "_";
		size_t size = forms[i] != NULL ? strlen(forms[i]) : 0;

		if (size == 0 || size > INT32_MAX / 2)
			return hp_fail(err, "word %d is %s", i + 1, size == 0 ? "empty" : "too long");
		if (hp_utf8_valid_prefix(forms[i], size) != size)
			return hp_fail(err, "word %d is not UTF-8", i + 1);
		s->word[i].col[HP_FORM] = forms[i];
		s->word[i].len[HP_FORM] = (uint32_t)size;
		/* The model looks at one of the two. */
		s->word[i].col[HP_UPOS] = s->word[i].col[HP_XPOS] = tag;
		s->word[i].len[HP_UPOS] = s->word[i].len[HP_XPOS] = (uint32_t)strlen(tag);
	}
	return 0;
}

static int make_room(hp_parser *p, size_t n, work *w, hp_error *err)
{
	const hp_dep_config *c = &p->model->config;

	w->x = HP_NEW(p->arena, float, n * (size_t)hp_dep_input_dim(c));
	w->h = HP_NEW(p->arena, float, n * 2 * (size_t)c->hidden);
	w->init = HP_NEW(p->arena, float, 2 * (size_t)c->decoder_hidden);
	w->d = HP_NEW(p->arena, float, n * (size_t)c->decoder_hidden);
	w->arc = HP_NEW(p->arena, float, n);
	w->label = HP_NEW(p->arena, float, n);
	w->heads = HP_NEW(p->arena, int32_t, n);
	w->numbers = HP_NEW(p->arena, int32_t, n);
	w->labels = HP_NEW(p->arena, const char *, n);
	return hp_arena_failed(p->arena) ? hp_fail_memory(err) : 0;
}

static int run_stages(hp_parser *p, const hp_dep_sent *sent, work *w, hp_error *err)
{
	const hp_model *m = p->model;

	if (hp_dep_embed(m->net, NULL, p->arena, 1, sent, NULL, w->x, err) != 0 ||
	    hp_dep_encode(m->net, NULL, p->arena, 1, &sent->n, w->x, w->h, w->init, err) != 0 ||
	    hp_dep_decode(m->net, NULL, p->arena, 1, &sent->n, w->h, w->init, p->beam, w->heads, w->d, w->arc,
	                  &p->tree.score, err) != 0)
		return HP_FAIL;
	return hp_dep_label(m->net, NULL, p->arena, 1, &sent->n, w->h, w->d, w->heads, m->root_label, w->numbers, w->label,
	                    err);
}

int hp_parse(hp_parser *parser, int words, const char *const *forms, const char *const *tags, const hp_tree **tree,
             hp_error *err)
{
	hp_sentence s;
	hp_dep_sent sent;
	work w;

	*tree = NULL;
	if (parser->model->rst)
		return hp_fail(err, "%s: a discourse model (task rst), for hp_parse_edus", parser->model->path);
	hp_arena_reset(parser->arena);
	if (make_sentence(parser, words, forms, tags, &s, err) != 0 ||
	    hp_model_number(parser->model, parser->arena, &s, &sent, err) != 0 ||
	    make_room(parser, (size_t)words + 1, &w, err) != 0 || run_stages(parser, &sent, &w, err) != 0)
		return HP_FAIL;
	w.labels[0] = "_";
	w.arc[0] = w.label[0] = 1.0f;
	for (int i = 1; i <= words; i++) {
		w.arc[i] = expf(w.arc[i]);
		w.label[i] = expf(w.label[i]);
		w.labels[i] = hp_vocab_at(parser->model->labels, w.numbers[i], NULL);
	}
	parser->tree.words = words;
	parser->tree.heads = w.heads;
	parser->tree.labels = w.labels;
	parser->tree.arc_prob = w.arc;
	parser->tree.label_prob = w.label;
	*tree = &parser->tree;
	return 0;
}

/* ---- discourse ---- */

/* Everything of one sentence, in the parser's arena. */
typedef struct edu_work {
	hp_tokens tokens;
	hp_rst_sent sent;
	float *x, *h, *init; /* [words × D], [words × H], [L × H] */
	int32_t *splits, *labels; /* [edus - 1][3], [edus - 1] */
	float *split_logp, *label_logp; /* [edus - 1] */
	hp_edu_split *split; /* [edus - 1] */
} edu_work;

/* The caller's texts as words with numbers, and where EDUs end. */
static int number_edus(hp_parser *p, int edus, const char *const *texts, edu_work *w, hp_error *err)
{
	hp_sentence words;
	hp_edus parsed;

	if (edus < 1 || edus > MAX_WORDS)
		return hp_fail(err, "a sentence of %d EDUs, expected 1 to %d", edus, MAX_WORDS);
	for (int i = 0; i < edus; i++)
		if (texts[i] == NULL || strchr(texts[i], '\n') != NULL)
			return hp_fail(err, "EDU:%d: %s", i + 1, texts[i] == NULL ? "no text" : "a newline");
	hp_sentence_init(&words);
	int result = hp_edus_take(edus, texts, "EDU", 1, 1, MAX_WORDS, p->arena, &parsed, &words, err);
	if (result == 0)
		result = hp_model_tokens(p->model, p->arena, &words, &w->tokens, err);
	w->sent = (hp_rst_sent){ .words = words.words, .edus = edus, .ends = parsed.ends };
	hp_sentence_free(&words);
	return result;
}

static int make_edu_room(hp_parser *p, edu_work *w, hp_error *err)
{
	const hp_rst_config *c = &p->model->rst_config;
	size_t words = (size_t)w->sent.words, splits = (size_t)w->sent.edus; /* one more than there are: never none */

	w->x = HP_NEW(p->arena, float, words * (size_t)c->input_dim);
	w->h = HP_NEW(p->arena, float, words * (size_t)c->hidden);
	w->init = HP_NEW(p->arena, float, (size_t)c->layers * (size_t)c->hidden);
	w->splits = HP_NEW(p->arena, int32_t, 3 * splits);
	w->labels = HP_NEW(p->arena, int32_t, splits);
	w->split_logp = HP_NEW(p->arena, float, splits);
	w->label_logp = HP_NEW(p->arena, float, splits);
	w->split = HP_NEW(p->arena, hp_edu_split, splits);
	return hp_arena_failed(p->arena) ? hp_fail_memory(err) : 0;
}

static int run_edu_stages(hp_parser *p, edu_work *w, hp_error *err)
{
	const hp_rst_net *net = p->model->rst_net;

	if (hp_rst_embed(net, NULL, p->arena, 1, &w->tokens, NULL, w->x, err) != 0 ||
	    hp_rst_encode(net, NULL, p->arena, 1, &w->sent.words, w->x, w->h, w->init, err) != 0 ||
	    hp_rst_decode(net, NULL, p->arena, 1, &w->sent, w->h, w->init, p->beam, w->splits, w->split_logp,
	                  &p->edu_tree.score, err) != 0)
		return HP_FAIL;
	return hp_rst_label(net, NULL, p->arena, 1, &w->sent, w->h, w->splits, w->labels, w->label_logp, err);
}

/* Split I as the caller sees it. */
static int tell_split(hp_parser *p, const edu_work *w, int i, hp_error *err)
{
	static const char *const names[] = { [HP_RST_NS] = "NS", [HP_RST_SN] = "SN", [HP_RST_NN] = "NN" };
	const char *label = hp_vocab_at(p->model->labels, w->labels[i], NULL);
	hp_rst_nuclearity nuclearity = HP_RST_NN;
	size_t size = 0;

	(void)hp_rst_label_parts(label, &size, &nuclearity); /* hp_model_open has seen to it */
	char *relation = HP_NEW(p->arena, char, size + 1);
	if (relation == NULL)
		return hp_fail_memory(err);
	memcpy(relation, label, size);
	relation[size] = '\0';
	w->split[i] = (hp_edu_split){ w->splits[3 * i], w->splits[3 * i + 1], w->splits[3 * i + 2], names[nuclearity],
		                      relation, expf(w->split_logp[i]), expf(w->label_logp[i]) };
	return 0;
}

int hp_parse_edus(hp_parser *parser, int edus, const char *const *texts, const hp_edu_tree **tree, hp_error *err)
{
	edu_work w;

	*tree = NULL;
	if (!parser->model->rst)
		return hp_fail(err, "%s: a dependency model (task dep), for hp_parse", parser->model->path);
	hp_arena_reset(parser->arena);
	if (number_edus(parser, edus, texts, &w, err) != 0 || make_edu_room(parser, &w, err) != 0 ||
	    run_edu_stages(parser, &w, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < edus - 1; i++)
		if (tell_split(parser, &w, i, err) != 0)
			return HP_FAIL;
	parser->edu_tree.edus = edus;
	parser->edu_tree.split = w.split;
	*tree = &parser->edu_tree;
	return 0;
}
