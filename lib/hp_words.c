/* hp_words.c: words in, dependency trees out. */
#include "hp_parser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pointer/arcs.h"

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

static int take_fixed(hp_arena *arena, const hp_batch_words *in, hp_text *out, hp_error *err)
{
	int32_t *work = in->fixed ? HP_NEW(arena, int32_t, (size_t)in->words + 1) : NULL;
	int word;

	out->fixed = in->fixed;
	if (!in->fixed)
		return 0;
	return work ? hp_fixed_check(in->words + 1, in->fixed, work, &word, err) : hp_fail_memory(err);
}

/* The caller's strings as a sentence whose other columns are empty. */
static int read_words(hp_arena *arena, const void *sentences, int sentence, hp_text *out, hp_error *err)
{
	const hp_batch_words *in = (const hp_batch_words *)sentences + sentence;
	hp_sentence *s = &out->words;

	if (in->words < 1 || in->words > HP_MAX_WORDS)
		return hp_fail(err, "a sentence of %d words, expected 1 to %d", in->words, HP_MAX_WORDS);
	if (!in->forms)
		return hp_fail(err, "forms is NULL");
	if (take_fixed(arena, in, out, err) != 0)
		return HP_FAIL;
	s->words = in->words;
	s->word = calloc((size_t)in->words, sizeof *s->word);
	if (!s->word)
		return hp_fail_memory(err);
	for (int i = 0; i < in->words; i++) {
		const char *form = in->forms[i], *tag = in->tags != NULL && in->tags[i] ? in->tags[i] : "_";
		hp_word *w = &s->word[i];

		if (!form || *form == '\0')
			return hp_fail(err, "word %d is empty", i + 1);
		if (check_text(form, "word", i, &out->bytes, err) != 0 ||
		    check_text(tag, "the tag of word", i, &out->bytes, err) != 0)
			return HP_FAIL;
		w->col[HP_FORM] = form;
		w->len[HP_FORM] = (uint32_t)strlen(form);
		/* The model looks at one of the two. */
		w->col[HP_UPOS] = w->col[HP_XPOS] = tag;
		w->len[HP_UPOS] = w->len[HP_XPOS] = (uint32_t)strlen(tag);
	}
	return 0;
}

int hp_words_number(hp_parser *p, const hp_text *text, hp_group *g, hp_error *err)
{
	int i = g->count - 1;

	if (hp_model_tokens(p->model, p->work, &text->words, &g->tokens[i], err) != 0)
		return HP_FAIL;
	g->sample[i] = (hp_sample){.rows = g->tokens[i].n, .units = g->tokens[i].n, .fixed = text->fixed};
	return 0;
}

/* Probabilities and names instead of logarithms and numbers. */
const void *hp_words_tell(hp_parser *p, const hp_parsed *from, const hp_result *tree, const void *next)
{
	size_t n = (size_t)tree->results, at = tree->at;
	int32_t *heads = HP_NEW(p->trees, int32_t, n);
	float *arc = HP_NEW(p->trees, float, n), *label = HP_NEW(p->trees, float, n);
	const char **labels = HP_NEW(p->trees, const char *, n);
	hp_tree *out = HP_NEW(p->trees, hp_tree, 1);

	if (hp_arena_failed(p->trees))
		return NULL;
	memcpy(heads, from->trees.tree + at, n * sizeof *heads);
	for (size_t k = 0; k < n; k++) { /* the root's row: log-probability 0, no label */
		arc[k] = expf(from->trees.logp[at + k]);
		label[k] = expf(from->label_logp[at + k]);
		labels[k] = from->labels[at + k] < 0 ? "_" : hp_vocab_at(p->model->labels, from->labels[at + k], NULL);
	}
	*out = (hp_tree){tree->results - 1, heads, labels, arc, label, tree->score, next};
	return out;
}

static const hp_kind words_kind = {false, read_words, hp_words_number, hp_words_tell};

int hp_parse(hp_parser *parser, int words, const char *const *forms, const char *const *tags, const hp_tree **tree,
             hp_error *err)
{
	const hp_batch_words in = {words, forms, tags, NULL};

	if (!tree)
		return hp_fail_null(err, "hp_parse", "tree");
	return hp_run(parser, &(hp_call){&words_kind, "hp_parse", true, 1, &in, tree}, err);
}

int hp_parse_batch(hp_parser *parser, int count, const hp_batch_words *sentences, const hp_tree **trees, hp_error *err)
{
	return hp_run(parser, &(hp_call){&words_kind, "hp_parse_batch", false, count, sentences, trees}, err);
}
