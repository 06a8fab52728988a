/* hp_text.c: raw text in, sentences with tags and dependency trees out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "hp_parser.h"
#include "tokenize/splitter.h"

enum { BLOCK = 1 << 16 }; /* bytes that are split at once */

/* ---- opening ---- */

int hp_text_open_models(hp_parser *p, const hp_language *l, hp_error *err)
{
	if (hp_tok_model_open(l->tokenizer, &p->tokenizer, err) != 0)
		return HP_FAIL;
	if (l->tagger &&
	    (hp_tag_model_open(l->tagger, HP_TASK_TAG, &p->tagger, err) != 0 || hp_tag_model_split(p->tagger, err) != 0))
		return HP_FAIL;
	return 0;
}

int hp_text_open(const char *function, const char *language, bool discourse, hp_text_opener *open, hp_parser **out,
                 hp_error *err)
{
	hp_language l;
	int status;

	if (!out)
		return hp_fail_null(err, function, "out");
	*out = NULL;
	if (language && *language == '\0')
		return hp_fail(err, "%s: the name of the language is empty, expected a name, or NULL for the default",
		               function);
	if (hp_language_find(language, discourse ? "rst" : "dep", discourse ? HP_LANGUAGE_ANY : HP_LANGUAGE_SENTENCES, &l,
	                     err) != 0)
		return HP_FAIL;
	status = hp_open(l.parser, out, err);
	if (status == 0 && (status = open(*out, &l, err)) != 0) {
		hp_close(*out);
		*out = NULL;
	}
	hp_language_free(&l);
	return status;
}

int hp_open_text(const char *language, hp_parser **out, hp_error *err)
{
	return hp_text_open("hp_open_text", language, false, hp_text_open_models, out, err);
}

/* ---- sentences ---- */

/* A token with a blank for each run of white space in it, and NUL; moves *NEXT behind it. */
static const char *put_form(hp_piece token, char **next)
{
	const char *form = *next;
	char *out = *next;
	bool white_before = false;

	for (size_t i = 0; i < token.size;) {
		int white = hp_utf8_white(token.text + i, token.size - i);

		if (white == 0)
			*out++ = token.text[i];
		else if (!white_before)
			*out++ = ' ';
		white_before = white > 0;
		i += white > 0 ? (size_t)white : 1;
	}
	*out++ = '\0';
	*next = out;
	return form;
}

/* Words of a token, and bytes of their forms. */
static int measure(const hp_token *t, size_t *bytes)
{
	if (t->words == 0)
		*bytes += t->text.size + 1;
	for (int k = 0; k < t->words; k++)
		*bytes += t->word[k].size + 1;
	return t->words > 0 ? t->words : 1;
}

static void put_token(const hp_token *t, int number, hp_text_token *token, hp_text_word *word, char **next)
{
	for (int k = 0; k < token->words; k++) {
		const char *form = put_form(t->words > 0 ? t->word[k] : t->text, next);

		word[token->first + k] = (hp_text_word){form, "_", "_", "_", "_", number};
	}
}

/* Keeps a sentence of the text; *AT: where it stands there, and then where the next one does. */
static int keep_sentence(hp_parser *p, const hp_split_sentence *s, size_t *at, hp_error *err)
{
	size_t bytes = 0;
	int words = 0;

	*at += s->before.size;
	if (s->tokens == 0)
		return 0;
	for (int i = 0; i < s->tokens; i++)
		words += measure(&s->token[i], &bytes);
	hp_text_token *token = HP_NEW(p->trees, hp_text_token, (size_t)s->tokens);
	hp_text_word *word = HP_NEW(p->trees, hp_text_word, (size_t)words + 1);
	char *next = HP_NEW(p->trees, char, bytes);
	if (hp_arena_failed(p->trees) ||
	    !hp_grow(&p->sentence, &p->sentence_capacity, (size_t)p->sentences + 1, sizeof *p->sentence))
		return hp_fail_memory(err);
	word[0] = (hp_text_word){"_", "_", "_", "_", "_", -1};
	for (int i = 0, first = 1; i < s->tokens; first += token[i++].words) {
		const hp_token *t = &s->token[i];

		token[i] = (hp_text_token){*at, *at + t->text.size, first, t->words > 0 ? t->words : 1};
		put_token(t, i, &token[i], word, &next);
		*at = token[i].to + t->space.size;
	}
	p->sentence[p->sentences++] = (hp_text_sentence){
		.tokens = s->tokens, .words = words, .paragraph = s->paragraph || s->document, .token = token, .word = word};
	return 0;
}

static int keep_sentences(hp_parser *p, hp_splitter *splitter, size_t *at, hp_error *err)
{
	hp_split_sentence s;
	int got;

	while ((got = hp_splitter_next(splitter, &s, err)) > 0)
		if (keep_sentence(p, &s, at, err) != 0)
			return HP_FAIL;
	return got;
}

static int split(hp_parser *p, const char *text, size_t size, hp_error *err)
{
	hp_splitter *splitter;
	size_t at = 0;
	int status = hp_splitter_new(p->tokenizer, p->pool, HP_SPLIT_TEXT, HP_SPLIT_WORDS, &splitter, err);

	if (status == 0)
		hp_splitter_begin(splitter, "text");
	for (size_t done = 0, part; done < size && status == 0; done += part) {
		part = size - done < BLOCK ? size - done : BLOCK;
		status = hp_splitter_add(splitter, text + done, part, err);
		if (status == 0 && hp_splitter_full(splitter))
			status = keep_sentences(p, splitter, &at, err);
	}
	if (status == 0 && (status = hp_splitter_pause(splitter, true, err)) == 0)
		status = keep_sentences(p, splitter, &at, err);
	hp_splitter_destroy(splitter);
	return status;
}

/* ---- as the models see them ---- */

static void set_column(hp_word *w, int column, const char *text)
{
	w->col[column] = text;
	w->len[column] = (uint32_t)strlen(text);
}

/* Numbers of heads are written into ARENA. */
static int view_tree(const hp_tree *tree, hp_word *word, hp_arena *arena, hp_error *err)
{
	enum { NUMBER = 12 };
	char *next = HP_NEW(arena, char, (size_t)tree->words * NUMBER);

	if (!next)
		return hp_fail_memory(err);
	for (int i = 0; i < tree->words; i++, next += NUMBER) {
		snprintf(next, NUMBER, "%d", (int)tree->heads[i + 1]);
		set_column(&word[i], HP_HEAD, next);
		set_column(&word[i], HP_DEPREL, tree->labels[i + 1]);
	}
	return 0;
}

int hp_text_view(const hp_text_sentence *in, hp_word *word, hp_arena *arena, hp_error *err)
{
	for (int i = 0; i < in->words; i++) {
		for (int k = 0; k < HP_COLUMNS; k++)
			set_column(&word[i], k, hp_no_column);
		set_column(&word[i], HP_FORM, in->word[i + 1].form);
		set_column(&word[i], HP_UPOS, in->word[i + 1].upos);
		set_column(&word[i], HP_XPOS, in->word[i + 1].xpos);
	}
	return in->tree ? view_tree(in->tree, word, arena, err) : 0;
}

/* Sentences from FIRST on, as many as go together: returns how many, or HP_FAIL. */
static int compute_group(hp_parser *p, const hp_tag_model *m, int first, hp_text_compute *compute, hp_error *err)
{
	const hp_look_up how = hp_tag_model_look_up(m);
	const hp_tagging tagging = {.net = m->net, .values = &m->values, .pool = p->pool};
	hp_text_group g = {.first = first};
	hp_sentence *view = HP_NEW0(p->work, hp_sentence, HP_BATCH_SENTENCES);

	if (!view)
		return hp_fail_memory(err);
	for (; first + g.count < p->sentences && g.count < HP_BATCH_SENTENCES; g.count++) {
		const hp_text_sentence *in = &p->sentence[first + g.count];

		if (g.count > 0 && g.rows + in->words > HP_BATCH_ROWS)
			break;
		g.rows += in->words;
		view[g.count].words = in->words;
		view[g.count].word = HP_NEW0(p->work, hp_word, (size_t)in->words);
		if (!view[g.count].word)
			return hp_fail_memory(err);
		g.sentence[g.count] = &view[g.count];
		if (hp_text_view(in, view[g.count].word, p->work, err) != 0 ||
		    hp_look_up_tokens(&how, p->work, &view[g.count], &g.tokens[g.count], err) != 0)
			return HP_FAIL;
	}
	return compute(p, &tagging, &g, err) != 0 ? HP_FAIL : g.count;
}

int hp_text_compute_all(hp_parser *p, const hp_tag_model *m, hp_text_compute *compute, hp_error *err)
{
	for (int done = 0, count; done < p->sentences; done += count) {
		hp_arena_reset(p->work);
		if ((count = compute_group(p, m, done, compute, err)) < 0)
			return HP_FAIL;
	}
	return 0;
}

/* ---- tags ---- */

/* The tags of all words of COUNT sentences from FIRST on. */
static int keep_tags(hp_parser *p, int first, int count, const hp_new_value *value, hp_error *err)
{
	const hp_new_value *lemma = value + HP_TAG_LEMMA;
	size_t bytes = 0;
	int words = 0;

	for (int i = first; i < first + count; i++)
		words += p->sentence[i].words;
	for (int i = 0; i < words; i++)
		bytes += lemma[i * HP_TAG_COLUMNS].size + 1;
	char *next = HP_NEW(p->trees, char, bytes);
	if (!next)
		return hp_fail_memory(err);
	for (int i = first; i < first + count; i++) {
		hp_text_word *word = (hp_text_word *)p->sentence[i].word; /* ours as yet */

		for (int w = 1; w <= p->sentence[i].words; w++, value += HP_TAG_COLUMNS) {
			const char **tag[] = {&word[w].upos, &word[w].xpos, &word[w].feats};

			for (int k = 0; k < HP_TAG_LEMMA; k++)
				*tag[k] = value[k].text ? value[k].text : "_";
			if (!value[HP_TAG_LEMMA].text)
				continue;
			word[w].lemma = next;
			next = (char *)memcpy(next, value[HP_TAG_LEMMA].text, value[HP_TAG_LEMMA].size) + value[HP_TAG_LEMMA].size;
			*next++ = '\0';
		}
	}
	return 0;
}

static int tag(hp_parser *p, const hp_tagging *how, const hp_text_group *g, hp_error *err)
{
	hp_new_value *values;

	return hp_tag_sentences(how, p->work, g->count, g->sentence, g->tokens, &values, err) != 0
	           ? HP_FAIL
	           : keep_tags(p, g->first, g->count, values, err);
}

/* ---- trees ---- */

static int read_sentence(hp_arena *arena, const void *sentences, int i, hp_text *out, hp_error *err)
{
	const hp_text_sentence *in = (const hp_text_sentence *)sentences + i;

	out->words.words = in->words;
	out->words.word = calloc((size_t)in->words, sizeof *out->words.word);
	if (!out->words.word)
		return hp_fail_memory(err);
	if (hp_text_view(in, out->words.word, arena, err) != 0)
		return HP_FAIL;
	for (int w = 0; w < in->words; w++)
		out->bytes += out->words.word[w].len[HP_FORM];
	return 0;
}

/* By the parser BY, which keeps them. */
static int parse(hp_parser *p, hp_parser *by, hp_error *err)
{
	static const hp_kind kind = {false, read_sentence, hp_words_number, hp_words_tell};
	const hp_tree **tree = HP_NEW(p->trees, const hp_tree *, (size_t)p->sentences + 1);

	if (!tree)
		return hp_fail_memory(err);
	const hp_call call = {&kind, "hp_parse_text", false, p->sentences, p->sentence, tree};
	if (hp_run_groups(by, &call, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < p->sentences; i++)
		p->sentence[i].tree = tree[i];
	return 0;
}

int hp_text_read(hp_parser *p, hp_parser *by, const char *text, size_t size, hp_error *err)
{
	hp_arena_reset(p->trees);
	if (by)
		hp_arena_reset(by->trees);
	p->sentences = 0;
	if (split(p, text, size, err) != 0 || (p->tagger && hp_text_compute_all(p, p->tagger, tag, err) != 0))
		return HP_FAIL;
	return by ? parse(p, by, err) : 0;
}

int hp_parse_text(hp_parser *parser, const char *text, size_t size, int *count, const hp_text_sentence **sentences,
                  hp_error *err)
{
	if (count)
		*count = 0;
	if (sentences)
		*sentences = NULL;
	if (!parser || !count || !sentences || (!text && size > 0))
		return hp_fail_null(err, "hp_parse_text",
		                    !parser      ? "parser"
		                    : !count     ? "count"
		                    : !sentences ? "sentences"
		                                 : "text");
	if (!parser->tokenizer || parser->segmenter)
		return hp_fail(err, "%s: opened by %s, expected hp_open_text, which opens a tokeniser and a tagger too",
		               parser->model->path, parser->segmenter ? "hp_open_document" : "hp_open");
	if (hp_text_read(parser, parser, text, size, err) != 0)
		return HP_FAIL;
	*count = parser->sentences;
	*sentences = parser->sentence;
	return 0;
}
