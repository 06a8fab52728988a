/* source-edus.c: items from text for discourse models: a sentence as EDUs, from EDU text or CoNLL-U; what is told of both and of
 * documents. */
#include <string.h>

#include "cli.h"
#include "source.h"
#include "text/comments.h"
#include "text/marks.h"
#include "text/place.h"

/* A sentence of SIZE bytes has at most (SIZE + 1) / 2 tokens. */
int source_most_words(size_t size)
{
	size_t most = (size + 1) / 2;

	return most < FILTER_ROWS ? (int)most : FILTER_ROWS;
}

void source_take_words(source *s, filter_item *item, const char *text, size_t size)
{
	item->text = text;
	item->size = size;
	item->n = item->sentence.words;
	hp_masked_add(&s->masked, &item->sentence);
}

int source_pass(source *s, filter_item *item, const char *text, size_t size, hp_error *err)
{
	char *copy = HP_NEW(s->f->arena, char, size);

	item->unparsed = hp_arena_text(s->f->arena, s->next.unparsed);
	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	item->text = memcpy(copy, text, size);
	item->size = size;
	return 0;
}

/* ---- limits ---- */

int source_most_edus(const source *s)
{
	return s->f->embed.max_edus > 0 ? s->f->embed.max_edus : FILTER_EDUS;
}

bool source_cuts(const source *s)
{
	return s->documents && s->f->embed.max_edus > 0;
}

/* What helps a tree that names no sentences. */
static const char *no_ends(const source *s)
{
	return s->trees && s->tree.sents == 0 ? "; rst-convert --sentences adds ends" : "";
}

int source_check_size(const source *s, const filter_item *item, long line, hp_error *err)
{
	const char *name = hp_input_name(s->in), *id = item->edus.id;
	int edus = item->edus.edus, most = source_most_edus(s);

	if (!s->documents || edus <= most)
		return 0;
	if (source_cuts(s))
		return hp_fail_at(err, name, line, "%d EDUs in which no sentence ends, more than %d (--max-edus)%s", edus, most,
		                  no_ends(s));
	return hp_fail_at(err, name, line, "document%s%.80s: %d EDUs, more than %d; --max-edus cuts it at paragraphs",
	                  id ? " " : "", id ? id : "", edus, most);
}

void source_tell_counts(source *s)
{
	const source_counts *c = &s->count;
	const char *name = hp_input_name(s->in), *model = s->f->model ? s->f->model->path : "(none)";

	source_tell_masked(s);
	if (c->comments > 0)
		cli_error("%s:%ld: %ld line%s like a comment among EDUs, taken for an EDU: only '# newdoc id = NAME' and "
		          "'# sent_id = NAME' before the first one are comments",
		          name, c->comment_line, c->comments, hp_plural(c->comments));
	if (c->joined > 0)
		cli_error("%s: %ld document%s of several sentences, each parsed as if it were one sentence: model %s is for "
		          "sentences, expected one that was trained with document_layers",
		          name, c->joined, hp_plural(c->joined), model);
	if (!s->documents && c->documents > 0 && c->sentences > c->documents)
		cli_error("%s: %ld document%s, whose sentences get a tree each: model %s is for sentences, expected one that "
		          "was trained with document_layers",
		          name, c->documents, hp_plural(c->documents), model);
	if (c->alone > 1)
		cli_error("%s: %ld sentences in no document, each parsed as one of its own: model %s is for documents, "
		          "expected a line '# newdoc id = NAME' before their sentences",
		          name, c->alone, model);
	if (c->endless > 0)
		cli_error(
			"%s: %ld document%s without '# sent_ends', parsed as one sentence although several seem to end in it: "
			"rst-convert --sentences adds the ends",
			name, c->endless, hp_plural(c->endless));
	if (c->cut > 0)
		cli_error("%s: %ld document%s of more than %d EDUs (--max-edus), cut into %ld parts", name, c->cut,
		          hp_plural(c->cut), source_most_edus(s), c->parts);
}

/* ---- lines ---- */

int source_take_lines(source *s, filter_item *item, const char *text, size_t size, hp_edus_source from, hp_error *err)
{
	from.name = hp_input_name(s->in);
	from.max_words = s->f->embed.max_words;
	if (hp_edus_parse(text, size, from, s->f->arena, &item->edus, &item->sentence, err) != 0)
		return HP_FAIL;
	source_take_words(s, item, text, size);
	return source_check_size(s, item, from.line, err);
}

/* ---- from EDUs ---- */

static int open_edus(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_EDUS, err);
}

/* Other kinds of input by mistake: LINE number NUMBER. */
static int check_edu(const source *s, const char *line, size_t size, long number, hp_error *err)
{
	const char *name = hp_input_name(s->in);

	switch (hp_edus_look(line, size)) {
	case HP_EDU_CONLLU:
		return hp_fail_at(err, name, number, "ten columns, expected an EDU a line: CoNLL-U needs --input=conllu");
	case HP_EDU_COLUMNS:
		return hp_fail_at(err, name, number,
		                  "columns, expected an EDU a line: CoNLL-U and the like need --input=conllu");
	case HP_EDU_TREE:
		return hp_fail_at(err, name, number, "part of a tree, expected an EDU a line: .dis trees need --input=dis");
	default:
		return hp_edus_check(line, size, name, number, err);
	}
}

/* # newdoc ..., # sent_id ... or # WORD = */
static bool is_comment(const char *p, const char *end)
{
	const char *word;

	if (p == end || *p++ != '#')
		return false;
	while (p < end && *p == ' ')
		p++;
	for (word = p; p < end && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' || *p == '.');)
		p++;
	size_t size = (size_t)(p - word);
	if ((size == 6 && memcmp(word, "newdoc", 6) == 0) || (size == 7 && memcmp(word, "sent_id", 7) == 0))
		return true;
	while (p < end && *p == ' ')
		p++;
	return size > 0 && p < end && *p == '=';
}

/* Comments that are EDUs to the reader: all but a document's name, and a sentence's, in a document behind that. */
static void count_comments(source *s)
{
	const hp_sentence *b = &s->next.sentence;
	const char *end = b->text + b->size, *stop;
	long number = b->line;
	bool document = false;

	for (const char *p = b->text; p < end; p = stop ? stop + 1 : end, number++) {
		long behind = number - b->line;

		stop = memchr(p, '\n', (size_t)(end - p));
		bool name = behind == 0 && hp_edus_is_named(p, (size_t)((stop ? stop : end) - p), HP_EDUS_DOCUMENT);
		document |= name;
		if (name || (behind == document && hp_edus_is_named(p, (size_t)((stop ? stop : end) - p), HP_EDUS_ID)) ||
		    !is_comment(p, stop ? stop : end))
			continue;
		if (s->count.comments++ == 0)
			s->count.comment_line = number;
	}
}

int source_check_edus(source *s, hp_error *err)
{
	const char *end = s->next.sentence.text + s->next.sentence.size;
	long number = s->next.sentence.line;

	for (const char *p = s->next.sentence.text; p < end; number++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		if (check_edu(s, p, (size_t)((stop ? stop : end) - p), number, err) != 0)
			return HP_FAIL;
		p = stop != NULL ? stop + 1 : end;
	}
	count_comments(s);
	return 0;
}

static int read_edus(source *s, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	int got = source_read_block(s, err);

	s->count.sentences += got > 0;
	s->count.documents += got > 0 && hp_edus_is_named(b->text, b->size, HP_EDUS_DOCUMENT);
	s->next.n = source_most_words(s->next.size);
	return got > 0 && source_check_edus(s, err) != 0 ? HP_FAIL : got;
}

static int take_edus(source *s, filter_item *item, hp_error *err)
{
	size_t size = s->next.size;
	char *text;

	if (s->next.unparsed)
		return source_keep_block(s, item, err); /* passes as it is */
	text = HP_NEW(s->f->arena, char, size + 1);
	if (!text)
		return hp_fail_memory(err);
	memcpy(text, s->next.sentence.text, size);
	return source_take_lines(s, item, text, size, (hp_edus_source){.line = s->next.sentence.line, .step = 1}, err);
}

const source_kind source_edus = {.open = open_edus,
                                 .read = read_edus,
                                 .take = take_edus,
                                 .ready = source_blocks_ready,
                                 .goes_on = source_blocks_go_on,
                                 .finish = source_tell_counts,
                                 .close = source_close_blocks};

/* ---- from CoNLL-U ---- */

static int open_marked(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_CONLLU, err);
}

static int read_marked(source *s, hp_error *err)
{
	int got = source_read_block(s, err);
	const char *name;
	size_t size;

	s->count.documents += got > 0 && hp_document_begins(&s->next.sentence, &name, &size);
	s->next.n = source_most_words(s->next.size);
	return got;
}

/* "# sent_id = ID" among the comments; its line, or NULL. */
static const char *id_line(const hp_sentence *b, size_t *size)
{
	size_t n = strlen(HP_EDUS_ID);
	const char *end = b->text + b->size;

	for (const char *p = b->text; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		*size = (size_t)((stop ? stop : end) - p);
		if (*size > n && memcmp(p, HP_EDUS_ID, n) == 0)
			return p;
		p = stop != NULL ? stop + 1 : end;
	}
	return NULL;
}

/* Which EDU each word is in, in the filter's arena; NULL: out of memory. */
static int32_t *mark_units(source *s)
{
	const hp_sentence *b = &s->next.sentence;
	int32_t *unit = HP_NEW(s->f->arena, int32_t, (size_t)b->words);
	bool *begins = HP_NEW(s->f->arena, bool, (size_t)b->words);

	if (hp_arena_failed(s->f->arena))
		return NULL;
	hp_marks_read(b, begins);
	for (int i = 0; i < b->words; i++)
		unit[i] = i == 0 ? 0 : unit[i - 1] + begins[i];
	return unit;
}

int source_read_tags(source *s, source_tag **out, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	const hp_model *m = s->f->model;
	int32_t *unit = NULL;

	*out = NULL;
	if (!m || m->pos == HP_POS_NONE || b->words == 0)
		return 0;
	source_tag *tag = HP_NEW(s->f->arena, source_tag, (size_t)b->words);
	if (!tag || (m->pos == HP_POS_TREE && !(unit = mark_units(s))))
		return hp_fail_memory(err);
	for (int i = 0; i < b->words; i++) {
		const hp_word *w = &b->word[i];
		int column = hp_tag_column(m->pos);
		tag[i] = (source_tag){w->col[column], w->len[column]};
		if (unit && !(tag[i].text = hp_place_of(b, unit, i, s->f->arena, &tag[i].size)))
			return hp_fail_memory(err);
		s->count.placed += unit && hp_place_tag_size(tag[i].text, tag[i].size) < tag[i].size;
	}
	s->count.words += b->words;
	*out = tag;
	return 0;
}

/* A FORM of blanks only has made no word. */
static int take_tags(source *s, filter_item *item, hp_error *err)
{
	source_tag *tag;

	if (source_read_tags(s, &tag, err) != 0)
		return HP_FAIL;
	if (!tag || item->n != s->next.sentence.words)
		return 0;
	int column = hp_tag_column(s->f->model->pos);
	for (int i = 0; i < item->n; i++) {
		char *copy = HP_NEW(s->f->arena, char, tag[i].size + 1);
		if (!copy)
			return hp_fail_memory(err);
		item->sentence.word[i].col[column] = memcpy(copy, tag[i].text, tag[i].size);
		item->sentence.word[i].len[column] = (uint32_t)tag[i].size;
	}
	return 0;
}

char *source_mark_lines(source *s, size_t *size, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	size_t id;
	const char *comment = id_line(b, &id);
	/* Never longer than the rows. */
	char *lines = HP_NEW(s->f->arena, char, b->size + 1), *at = lines;
	bool *begins = HP_NEW(s->f->arena, bool, b->words);
	const hp_word *bare = NULL; /* the first word of an EDU of which all is blank so far */

	if (hp_arena_failed(s->f->arena)) {
		(void)hp_fail_memory(err);
		return NULL;
	}
	hp_marks_read(b, begins);
	if (comment) {
		at = mempcpy(at, comment, id);
		*at++ = '\n';
	} else if (memchr(b->word[0].col[HP_FORM], '#', b->word[0].len[HP_FORM])) {
		*at++ = ' '; /* no id, whatever follows */
	}
	s->count.sentences++;
	for (int i = 0; i < b->words; i++) {
		const hp_word *w = &b->word[i];

		if (bare && begins[i])
			break;
		bare = i == 0 || begins[i] ? w : bare;
		s->count.marks += begins[i];
		if (i > 0)
			*at++ = begins[i] ? '\n' : ' ';
		size_t length = hp_marks_form(w, at);
		at += length;
		bare = length > 0 ? NULL : bare;
		if (i + 1 == b->words || begins[i + 1])
			at = stpcpy(at, hp_edus_guard(at - length, length));
	}
	if (bare) { /* its line, being empty, would end a sentence */
		(void)hp_fail_at(err, hp_input_name(s->in), bare->line, "an EDU without tokens");
		return NULL;
	}
	*at++ = '\n';
	*size = (size_t)(at - lines);
	return lines;
}

int source_read_spans(source *s, int32_t **held, hp_error *err)
{
	return hp_spans_take(&s->spans, &s->next.sentence, hp_input_name(s->in), s->f->arena, held, err);
}

int source_fix(const source *s, filter_item *item, const int32_t *held, hp_error *err)
{
	int edus = item->edus.edus, inner = 0; /* where spans may be split */
	bool any = false;

	for (; inner < edus - 1; inner++)
		any |= held[inner] != held[0];
	if (!any)
		return 0;
	int32_t *copy = HP_NEW(s->f->arena, int32_t, (size_t)edus);
	if (!copy)
		return hp_fail_memory(err);
	memcpy(copy, held, (size_t)inner * sizeof *copy);
	copy[inner] = 0;
	item->fixed = copy;
	return 0;
}

/* --constraints: of a sentence that stands alone. */
static int read_spans(source *s, int32_t **held, hp_error *err)
{
	*held = NULL;
	if (!s->f->embed.constraints)
		return 0;
	return source_read_spans(s, held, err) != 0 ? HP_FAIL
	                                            : hp_spans_end(&s->spans, hp_input_name(s->in), "sentence", err);
}

static int take_marked(source *s, filter_item *item, hp_error *err)
{
	size_t size;
	const char *text;
	int32_t *held;

	if (s->next.unparsed || s->next.sentence.words == 0)
		return source_keep_block(s, item, err); /* passes as it is */
	text = source_mark_lines(s, &size, err);
	if (!text || read_spans(s, &held, err) != 0 ||
	    source_take_lines(s, item, text, size, (hp_edus_source){.line = s->next.sentence.line, .step = 1}, err) != 0)
		return HP_FAIL;
	if (held && source_fix(s, item, held, err) != 0)
		return HP_FAIL;
	return take_tags(s, item, err);
}

void source_finish_marked(source *s)
{
	source_tell_counts(s);
	if (s->count.sentences > 0 && s->count.marks == 0)
		cli_error("%s: no word is marked as the first one of an EDU (Discourse=, Seg=B-seg or BeginSeg=Yes in MISC): "
		          "every sentence is taken for one EDU",
		          hp_input_name(s->in));
	if (s->count.words > 0 && s->count.placed == 0 && s->f->model->pos == HP_POS_TREE)
		cli_error(
			"%s: no dependency trees in HEAD and DEPREL, which %s reads to make better trees: hp-parse -m en-dep finds them",
			hp_input_name(s->in), s->f->model->path);
}

const source_kind source_marked = {.open = open_marked,
                                   .read = read_marked,
                                   .take = take_marked,
                                   .ready = source_blocks_ready,
                                   .goes_on = source_blocks_go_on,
                                   .finish = source_finish_marked,
                                   .close = source_close_blocks};
