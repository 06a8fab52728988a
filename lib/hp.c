/* hp.c: the whole parser in three calls. */
#include "hp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "dep/model.h"
#include "text/utf8.h"

enum { MAX_BEAM = 1000, MAX_WORDS = 1000000 };

struct hp_parser {
	hp_model *model;
	hp_arena *arena; /* one sentence's work, the tree included */
	hp_tree tree;
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
	if (p->model->rst) {
		hp_fail(err, "%s: a discourse model (task rst); hp_parse is for dependency models", p->model->path);
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
