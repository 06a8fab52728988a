/* hp_document.c: raw text in, its rhetorical tree out. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "hp_parser.h"
#include "text/place.h"

/* ---- opening ---- */

static int open_models(hp_parser *p, const hp_language *l, hp_error *err)
{
	if (!p->model->rst)
		return hp_fail(err, "%s: a dependency model (task dep), expected a discourse model", p->model->path);
	if (hp_text_open_models(p, l, err) != 0 ||
	    hp_tag_model_open(l->segmenter, HP_TASK_SEGMENT, &p->segmenter, err) != 0 ||
	    hp_tag_model_split(p->segmenter, err) != 0)
		return HP_FAIL;
	/* Tags and dependency trees are clues for segmenter and parser: the fast ones are as good. */
	if (p->tagger && hp_tag_model_round(p->tagger, err) != 0)
		return HP_FAIL;
	return l->trees && (hp_open(l->trees, &p->words, err) != 0 || hp_set_int8(p->words, err) != 0) ? HP_FAIL : 0;
}

int hp_open_document(const char *language, hp_parser **out, hp_error *err)
{
	return hp_text_open("hp_open_document", language, true, open_models, out, err);
}

/* ---- EDUs ---- */

/* Adds the EDUs of sentence S by the probability PROB [words] of each word to begin one. */
static int add_edus(hp_parser *p, int s, const float *prob, hp_error *err)
{
	const hp_text_sentence *in = &p->sentence[s];
	int edus = p->document.edus;

	if (!hp_grow(&p->edu, &p->edu_capacity, (size_t)edus + (size_t)in->words, sizeof *p->edu))
		return hp_fail_memory(err);
	for (int w = 1; w <= in->words; w++) {
		const hp_text_token *token = &in->token[in->word[w].token];

		if (w == 1 || prob[w - 1] >= HP_SEGMENT_LEAST)
			p->edu[edus++] = (hp_text_edu){.sentence = s, .first = w, .from = token->from};
		p->edu[edus - 1].words++;
		p->edu[edus - 1].to = token->to;
	}
	p->document.edus = edus;
	return 0;
}

static int segment(hp_parser *p, const hp_tagging *how, const hp_text_group *g, hp_error *err)
{
	float *prob = HP_NEW(p->work, float, (size_t)g->rows);

	if (!prob)
		return hp_fail_memory(err);
	if (hp_segment_sentences(how, p->work, g->count, g->tokens, prob, err) != 0)
		return HP_FAIL;
	for (int i = g->first; i < g->first + g->count; prob += p->sentence[i++].words)
		if (add_edus(p, i, prob, err) != 0)
			return HP_FAIL;
	return 0;
}

/* ---- the document as the parser sees it ---- */

/* As in EDU text, where a blank would make two tokens of one. */
static int drop_blanks(hp_word *w, hp_arena *arena, hp_error *err)
{
	const char *form = w->col[HP_FORM];
	uint32_t size = 0;

	if (!memchr(form, ' ', w->len[HP_FORM]))
		return 0;
	char *copy = HP_NEW(arena, char, w->len[HP_FORM]);
	if (!copy)
		return hp_fail_memory(err);
	for (uint32_t i = 0; i < w->len[HP_FORM]; i++)
		if (form[i] != ' ')
			copy[size++] = form[i];
	w->col[HP_FORM] = copy;
	w->len[HP_FORM] = size;
	return 0;
}

/* Tags with places in the tree, in place of UPOS; UNIT [words] is the EDU that each word is in. */
static int add_places(const hp_sentence *view, const int32_t *unit, hp_arena *arena, hp_error *err)
{
	for (int i = 0; i < view->words; i++) {
		size_t size;
		const char *text = hp_place_of(view, unit, i, arena, &size);

		if (!text)
			return hp_fail_memory(err);
		view->word[i].col[HP_UPOS] = text;
		view->word[i].len[HP_UPOS] = (uint32_t)size;
	}
	return 0;
}

/* The words of sentence S, UNIT [words] being the EDU that each is in: WORD [words], what it points to in ARENA. */
static int read_words(const hp_parser *p, int s, const int32_t *unit, hp_word *word, hp_arena *arena, hp_error *err)
{
	const hp_sentence view = {.words = p->sentence[s].words, .word = word};

	if (hp_text_view(&p->sentence[s], word, arena, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < view.words; i++)
		if (drop_blanks(&word[i], arena, err) != 0)
			return HP_FAIL;
	return p->model->pos == HP_POS_TREE ? add_places(&view, unit, arena, err) : 0;
}

/* Of all words: which EDU each is in; of all EDUs: their last word, and whether a paragraph ends there; of all sentences: their
 * last EDU. */
typedef struct places {
	int32_t *unit, *end, *paragraph, *sent_end;
} places;

static int make_places(const hp_parser *p, int words, hp_arena *arena, places *out, hp_error *err)
{
	const hp_document *d = &p->document;
	int next = 0;

	*out = (places){HP_NEW(arena, int32_t, (size_t)words), HP_NEW(arena, int32_t, (size_t)d->edus),
	                                                              HP_NEW0(arena, int32_t, (size_t)d->edus),
	                                                                      HP_NEW(arena, int32_t, (size_t)d->sentences)};
	if (hp_arena_failed(arena))
		return hp_fail_memory(err);
	for (int e = 0; e < d->edus; e++) {
		for (int k = 0; k < p->edu[e].words; k++)
			out->unit[next++] = e;
		out->end[e] = next - 1;
		out->sent_end[p->edu[e].sentence] = e;
		out->paragraph[e] = e + 1 < d->edus && p->edu[e + 1].sentence != p->edu[e].sentence &&
		                    p->sentence[p->edu[e + 1].sentence].paragraph;
	}
	return 0;
}

static int read_document(hp_arena *arena, const void *parser, int i, hp_text *out, hp_error *err)
{
	const hp_parser *p = parser;
	const hp_document *d = &p->document;
	int64_t words = 0;
	places at;

	(void)i; /* it is the only one */
	for (int s = 0; s < d->sentences; s++)
		words += p->sentence[s].words;
	if (words > HP_MAX_WORDS)
		return hp_fail(err, "a document of %lld words, expected at most %d", (long long)words, HP_MAX_WORDS);
	out->words.words = (int)words;
	out->words.word = calloc((size_t)words, sizeof *out->words.word);
	if (!out->words.word)
		return hp_fail_memory(err);
	if (make_places(p, (int)words, arena, &at, err) != 0)
		return HP_FAIL;
	for (int s = 0, next = 0; s < d->sentences; next += p->sentence[s++].words)
		if (read_words(p, s, at.unit + next, out->words.word + next, arena, err) != 0)
			return HP_FAIL;
	out->edus.edus = d->edus;
	out->edus.ends = at.end;
	out->sents = d->sentences;
	out->sent_end = at.sent_end;
	out->paragraph = at.paragraph;
	return 0;
}

static int parse(hp_parser *p, hp_error *err)
{
	static const hp_kind kind = {true, read_document, hp_edus_number, hp_edus_tell};
	const hp_call call = {&kind, "hp_parse_document", true, 1, p, &p->document.tree};

	return hp_run_groups(p, &call, err);
}

int hp_parse_document(hp_parser *parser, const char *text, size_t size, const hp_document **out, hp_error *err)
{
	if (out)
		*out = NULL;
	if (!parser || !out || (!text && size > 0))
		return hp_fail_null(err, "hp_parse_document", !parser ? "parser" : !out ? "out" : "text");
	if (!parser->segmenter)
		return hp_fail(err, "%s: opened by %s, expected hp_open_document, which opens a segmenter too",
		               parser->model->path, parser->tokenizer ? "hp_open_text" : "hp_open");
	parser->document = (hp_document){0};
	if (hp_text_read(parser, parser->words, text, size, err) != 0)
		return HP_FAIL;
	parser->document.sentences = parser->sentences;
	if (parser->sentences == 0)
		return 0;
	if (hp_text_compute_all(parser, parser->segmenter, segment, err) != 0 || parse(parser, err) != 0)
		return HP_FAIL;
	parser->document.sentence = parser->sentence;
	parser->document.edu = parser->edu;
	*out = &parser->document;
	return 0;
}
