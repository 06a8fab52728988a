/* source-text.c: items from text by blocks; CoNLL-U and tokens for dependency models and taggers. */
#include <string.h>

#include "cli.h"
#include "pointer/arcs.h"
#include "source.h"
#include "text/comments.h"
#include "text/marks.h"
#include "text/values.h"

/* ---- blocks ---- */

int source_open_blocks(source *s, hp_text_kind kind, hp_error *err)
{
	hp_sentence_init(&s->next.sentence);
	return hp_conllu_reader_new(s->in, kind, s->f->embed.max_words, &s->reader, err);
}

int source_read_block(source *s, hp_error *err)
{
	int got;

	s->next = (filter_item){.sentence = s->next.sentence};
	got = hp_conllu_read(s->reader, &s->next.sentence, err);
	s->next.size = s->next.sentence.size;
	return got;
}

int source_blocks_ready(source *s, bool *ready, hp_error *err)
{
	return hp_conllu_ready(s->reader, ready, err);
}

bool source_blocks_go_on(source *s)
{
	return !hp_conllu_broken(s->reader) && !s->other;
}

int source_keep_block(source *s, filter_item *item, hp_error *err)
{
	hp_sentence memory = item->sentence;

	item->sentence = s->next.sentence;
	s->next.sentence = memory;
	item->text = item->sentence.text;
	item->size = item->sentence.size;
	item->unparsed = s->next.unparsed ? hp_arena_text(s->f->arena, s->next.unparsed) : NULL;
	return hp_arena_failed(s->f->arena) ? hp_fail_memory(err) : 0;
}

void source_tell_masked(source *s)
{
	hp_error what;

	if (!s->f->tagging.quiet && hp_masked_check(&s->masked, hp_input_name(s->in), &what) != 0)
		cli_fail(&what);
}

void source_close_blocks(source *s)
{
	hp_conllu_reader_destroy(s->reader);
	hp_sentence_free(&s->next.sentence);
	hp_spans_free(&s->spans);
}

/* ---- sentences ---- */

static int open_sentences(source *s, hp_error *err)
{
	s->ends_document = s->f->tagging.in_document;
	if (source_open_blocks(s, s->f->embed.input == INPUT_TOKENS ? HP_TEXT_TOKENS : HP_TEXT_CONLLU, err) != 0)
		return HP_FAIL;
	hp_conllu_count(s->reader, &s->f->embed.sentences);
	return 0;
}

/* The trees of all files must make one text: rows are as those before, or the block names their columns. */
static int check_columns(source *s, hp_error *err)
{
	const hp_sentence *read = &s->next.sentence;
	const hp_columns *now = &read->columns;
	hp_columns *before = &s->f->embed.columns;

	if (now->count == 0)
		return 0;
	s->other = before->count > 0 && !hp_columns_same(before, now) && !(now->named && now->line >= read->line);
	if (s->other)
		return hp_fail_at(err, hp_input_name(s->in), read->line,
		                  "other columns (%d) than in the files before (%d), expected files of one format", now->count,
		                  before->count);
	*before = *now;
	return 0;
}

/* Whether hp-segment is to leave the sentence's marks.  As EDU text it is written all the same, by them. */
static bool passes(const filter *f, const hp_sentence *s)
{
	return f->stage == FILTER_SEGMENT && f->tagging.keep && !f->tagging.edus && hp_marks_any(s);
}

static int read_sentence(source *s, hp_error *err)
{
	const hp_sentence *read = &s->next.sentence;
	int got = source_read_block(s, err), root = filter_task_of(s->f)->root;

	if (got > 0 &&
	    ((root && hp_sentence_needs_tree(read, hp_input_name(s->in), err) != 0) || check_columns(s, err) != 0))
		got = HP_FAIL;
	if (got > 0) {
		s->next.n = read->words > 0 && !passes(s->f, read) ? read->words + root : 0;
		hp_masked_add(&s->masked, read);
	}
	return got;
}

/* Head= of word W, -1 without it. */
static int read_head(const source *s, int w, int32_t *head, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	const hp_word *word = &b->word[w - 1];
	size_t size, again;
	const char *value = hp_misc_find(word, "Head", &size);
	int64_t number = 0;

	*head = -1;
	if (!value)
		return 0;
	if (hp_misc_find_next(word, value + size, "Head", &again))
		return hp_fail_at(err, hp_input_name(s->in), word->line, "word %d has Head= twice", w);
	for (size_t i = 0; i < size && number <= b->words; i++)
		number = value[i] >= '0' && value[i] <= '9' ? number * 10 + value[i] - '0' : INT32_MAX;
	if (size == 0 || number > b->words || number == w)
		return hp_fail_at(err, hp_input_name(s->in), word->line, "Head=%.*s of word %d, expected %sa number up to %d",
		                  size > 40 ? 40 : (int)size, value, w, number == w ? "another word or 0, " : "", b->words);
	*head = (int32_t)number;
	return 0;
}

/* --constraints: the heads that are fixed, in the filter's arena; *FIXED NULL: none is. */
static int read_heads(const source *s, int32_t **fixed, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	int32_t *heads = HP_NEW(s->f->arena, int32_t, s->next.n), *work = HP_NEW(s->f->arena, int32_t, s->next.n);
	hp_error why;
	int word;

	*fixed = NULL;
	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	heads[0] = -1;
	for (int w = 1; w < s->next.n; w++) {
		if (read_head(s, w, &heads[w], err) != 0)
			return HP_FAIL;
		if (heads[w] >= 0)
			*fixed = heads;
	}
	if (*fixed && hp_fixed_check(s->next.n, heads, work, &word, &why) != 0)
		return hp_fail_at(err, hp_input_name(s->in), b->word[word - 1].line, "no tree has these arcs: %s", why.text);
	return 0;
}

/* hp-tag and hp-segment put their files together into one text, in which a document must not go on from file to file. */
static int take_document(source *s, filter_item *item, hp_error *err)
{
	const char *name, *file = hp_input_name(s->in);

	if (strcmp(file, "<stdin>") == 0)
		file = "document";
	size_t size, room = 4 * strlen(file) + 1;
	bool begins = hp_document_begins(&item->sentence, &name, &size);
	char *escaped;

	s->f->tagging.in_document |= begins;
	if (s->ends_document && !begins && item->sentence.words > 0) {
		escaped = HP_NEW(s->f->arena, char, room);
		if (!escaped)
			return hp_fail_memory(err);
		hp_escape(escaped, room, file);
		item->begins = escaped;
	}
	s->ends_document &= !begins && item->sentence.words == 0;
	return 0;
}

static int take_sentence(source *s, filter_item *item, hp_error *err)
{
	int32_t *fixed = NULL;

	if ((s->f->embed.constraints && s->next.n > 0 && read_heads(s, &fixed, err) != 0) ||
	    source_keep_block(s, item, err) != 0)
		return HP_FAIL;
	item->fixed = fixed;
	item->n = s->next.n;
	item->columns = &item->sentence.columns;
	s->count.spans +=
		s->f->stage == FILTER_SEGMENT && !s->f->tagging.edus && item->n > 0 && hp_spans_any(&item->sentence);
	return filter_tags(s->f) ? take_document(s, item, err) : 0;
}

/* What Span= counts are EDUs that an annotator saw, or thought of. */
static void finish_sentences(source *s)
{
	source_tell_masked(s);
	if (s->count.spans > 0 && !s->f->tagging.quiet)
		cli_error("%s: %ld sentence%s with Span=, whose EDUs were found anew: %s spans count those",
		          hp_input_name(s->in), s->count.spans, hp_plural(s->count.spans),
		          s->count.spans == 1 ? "its" : "their");
}

const source_kind source_sentences = {.open = open_sentences,
                                      .read = read_sentence,
                                      .take = take_sentence,
                                      .ready = source_blocks_ready,
                                      .goes_on = source_blocks_go_on,
                                      .finish = finish_sentences,
                                      .close = source_close_blocks};
