/* source-documents.c: items from text for models that know documents: the sentences between a line that names a document and
 * the next are one item, or several where it is cut.  A sentence that stands in none is a document of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli.h"
#include "source.h"
#include "text/comments.h"

/* ---- what has been read of a document ---- */

static bool put(char **text, size_t *used, size_t *capacity, const char *s, size_t size)
{
	if (!hp_grow(text, capacity, *used + size, 1))
		return false;
	if (size > 0)
		memcpy(*text + *used, s, size);
	*used += size;
	return true;
}

static bool put_text(source_document *d, const char *s, size_t size)
{
	return put(&d->text, &d->end.size, &d->capacity, s, size);
}

/* Appends lines with so many EDUS, in their file from line LINE on, as a sentence. */
static int add_lines(source *s, const char *lines, size_t size, int edus, hp_error *err)
{
	source_document *d = &s->document;
	long line = s->next.sentence.line;
	bool good = true;

	if (d->end.size == 0)
		d->line = d->end.next = line;
	else
		for (line = line > d->end.next ? line : d->end.next + 1; good && d->end.next < line; d->end.next++)
			good = put_text(d, "\n", 1);
	for (size_t i = 0; i < size; i++)
		d->end.next += lines[i] == '\n';
	d->end.edus += edus;
	return good && put_text(d, lines, size) ? 0 : hp_fail_memory(err);
}

/* Up to PART the document is an item. */
static int hand_out(source *s, source_place part)
{
	source_document *d = &s->document;

	d->part = part;
	s->next.n = source_most_words(part.size);
	s->next.size = part.size;
	return SOURCE_ITEM;
}

/* All of it, which has ended.  Nothing becomes of a name alone. */
static int end_document(source *s)
{
	source_document *d = &s->document;

	d->open = false;
	if (d->end.edus > 0)
		return hand_out(s, d->end);
	d->end = d->paragraph = (source_place){.size = 0};
	return SOURCE_NOTHING;
}

/* What has just been read begins a document or not. */
static int add_block(source *s, bool begins, const char *lines, size_t size, int edus, hp_error *err)
{
	s->document.open |= begins;
	if (add_lines(s, lines, size, edus, err) != 0)
		return HP_FAIL;
	s->count.alone += !s->document.open;
	return s->document.open ? SOURCE_NOTHING : end_document(s);
}

/* A document that goes on when a part of it has been handed out: the rest is a document with a number behind its name. */
static int drop_part(source *s, hp_error *err)
{
	source_document *d = &s->document;
	source_place part = d->part;
	size_t rest = d->end.size - part.size, tags = d->end.tags - part.tags;
	size_t held = s->f->embed.constraints ? (size_t)(d->end.edus - part.edus) : 0;
	char number[32];

	d->part = d->paragraph = (source_place){.size = 0};
	if (!d->open) {
		d->end = d->part;
		d->number = 0;
		return 0;
	}
	s->count.cut += ++d->number == 1;
	s->count.parts += d->number == 1 ? 2 : 1;
	size_t size = (size_t)snprintf(number, sizeof number, ".%d\n", d->number + 1);
	if (!hp_grow(&d->text, &d->capacity, d->heading + size + rest, 1))
		return hp_fail_memory(err);
	memmove(d->text + d->heading + size, d->text + part.size, rest);
	memcpy(d->text + d->heading, number, size);
	if (tags > 0)
		memmove(d->tags, d->tags + part.tags, tags);
	if (held > 0)
		memmove(d->held, d->held + part.edus, held * sizeof *d->held);
	d->end.size = d->heading + size + rest;
	d->end.tags = tags;
	d->end.edus -= part.edus;
	d->line = part.next - 1;
	return 0;
}

/* Reads a block, unless one waits; 1, 0 at the end, HP_FAIL. */
static int next_block(source *s, hp_error *err)
{
	source_document *d = &s->document;

	if (d->part.size > 0 && drop_part(s, err) != 0)
		return HP_FAIL;
	if (!d->waits)
		return source_read_block(s, err);
	d->waits = false;
	if (!d->refused)
		return 1;
	d->refused = false;
	*err = d->why;
	s->next.size = s->next.sentence.size;
	return HP_FAIL;
}

/* Whether the document that is being read ends before a block that begins one: then that waits. */
static bool ends_before(source *s, bool begins)
{
	return s->document.waits = begins && s->document.end.size > 0;
}

/* Whether the document is cut before a block with so many EDUS, which then waits, and may begin a PARAGRAPH. */
static bool is_cut_before(source *s, int edus, bool paragraph)
{
	source_document *d = &s->document;

	if (paragraph && d->end.edus > 0)
		d->paragraph = d->end;
	return d->waits = source_cuts(s) && d->open && d->end.edus > 0 && edus > source_most_edus(s) - d->end.edus;
}

/* Before the last paragraph, or else before what waits. */
static int cut(source *s)
{
	const source_document *d = &s->document;

	return hand_out(s, d->paragraph.size > 0 ? d->paragraph : d->end);
}

static void close_documents(source *s)
{
	free(s->document.text);
	free(s->document.tags);
	free(s->document.held);
	source_close_blocks(s);
}

/* What cannot be parsed passes as it is: the document, or a block that could not be read. */
static int pass(source *s, filter_item *item, hp_error *err)
{
	const source_document *d = &s->document;

	return d->part.size == 0 ? source_keep_block(s, item, err) : source_pass(s, item, d->text, d->part.size, err);
}

/* STEP: of lines from EDU to EDU. */
static int take(source *s, filter_item *item, int step, hp_error *err)
{
	const source_document *d = &s->document;
	char *text = HP_NEW(s->f->arena, char, d->part.size + 1);

	if (!text)
		return hp_fail_memory(err);
	memcpy(text, d->text, d->part.size);
	return source_take_lines(s, item, text, d->part.size, (hp_edus_source){.line = d->line, .step = step}, err);
}

/* ---- an EDU a line ---- */

static int open_edus(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_EDUS, err);
}

/* The EDUs of a block, behind lines with names; *PARAGRAPH: the block ends one. */
static int count_edus(const hp_sentence *b, bool *paragraph)
{
	const char *p = b->text, *end = p + b->size;
	int edus = 0;

	while (p < end && hp_edus_is_heading(p, (size_t)(end - p))) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : end;
	}
	edus = p < end && end[-1] != '\n';
	for (; p < end; p++)
		edus += *p == '\n';
	(void)hp_edus_cut_paragraph(b->text, b->size, paragraph);
	return edus;
}

/* A block is refused.  The document that it begins goes on with the next one. */
static int refuse_edus(source *s, bool begins)
{
	const hp_sentence *b = &s->next.sentence;
	source_document *d = &s->document;
	const char *stop = begins ? memchr(b->text, '\n', b->size) : NULL;
	hp_error memory;

	if (!stop)
		return HP_FAIL;
	d->heading = (size_t)(stop - b->text);
	(void)add_block(s, true, b->text, d->heading + 1, 0, &memory);
	return HP_FAIL;
}

static int read_edus(source *s, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	source_document *d = &s->document;
	const source_counts before = s->count;
	int got = next_block(s, err);
	bool paragraph;

	if (got <= 0)
		return got == 0 && d->end.size > 0 ? end_document(s) : got;
	bool begins = hp_edus_is_named(b->text, b->size, HP_EDUS_DOCUMENT);
	if (ends_before(s, begins))
		return end_document(s);
	if (source_check_edus(s, err) != 0)
		return refuse_edus(s, begins);
	int edus = count_edus(b, &paragraph);
	if (is_cut_before(s, edus, false)) {
		s->count.comments = before.comments;
		return cut(s);
	}
	if (begins) {
		const char *stop = memchr(b->text, '\n', b->size);
		d->heading = stop ? (size_t)(stop - b->text) : b->size;
	}
	got = add_block(s, begins, b->text, b->size, edus, err);
	if (paragraph && d->open)
		d->paragraph = d->end;
	return got;
}

static int take_edus(source *s, filter_item *item, hp_error *err)
{
	return s->next.unparsed ? pass(s, item, err) : take(s, item, 1, err);
}

const source_kind source_edu_documents = {.open = open_edus,
                                          .read = read_edus,
                                          .take = take_edus,
                                          .ready = source_blocks_ready,
                                          .goes_on = source_blocks_go_on,
                                          .finish = source_tell_counts,
                                          .close = close_documents};

/* ---- CoNLL-U ---- */

static int open_marked(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_CONLLU, err);
}

/* The words' tags, as far as the model wants them. */
static int add_tags(source *s, hp_error *err)
{
	source_document *d = &s->document;
	source_tag *tag;
	bool good = true;

	if (source_read_tags(s, &tag, err) != 0)
		return HP_FAIL;
	for (int i = 0; tag && good && i < s->next.sentence.words; i++)
		good = put(&d->tags, &d->end.tags, &d->tags_capacity, tag[i].text, tag[i].size) &&
		       put(&d->tags, &d->end.tags, &d->tags_capacity, "\t", 1);
	return good ? 0 : hp_fail_memory(err);
}

/* --constraints: the spans of EDUs, so many, which the document goes on with. */
static int add_spans(source *s, int edus, hp_error *err)
{
	source_document *d = &s->document;
	int32_t *held;

	if (!s->f->embed.constraints)
		return 0;
	if (!hp_grow(&d->held, &d->held_capacity, (size_t)(d->end.edus + edus), sizeof *held))
		return hp_fail_memory(err);
	if (source_read_spans(s, &held, err) != 0)
		return HP_FAIL;
	memcpy(d->held + d->end.edus, held, (size_t)edus * sizeof *held);
	return 0;
}

/* The line that names the document that the block begins. */
static int add_name(source *s, const char *name, size_t size, hp_error *err)
{
	source_document *d = &s->document;
	char text[64];

	s->count.documents++;
	if (size == 0) {
		size = (size_t)snprintf(text, sizeof text, "document-%ld", s->count.documents);
		name = text;
	}
	d->line = d->end.next = s->next.sentence.line;
	d->heading = strlen(HP_EDUS_DOCUMENT) + size;
	return put_text(d, HP_EDUS_DOCUMENT, strlen(HP_EDUS_DOCUMENT)) && put_text(d, name, size) && put_text(d, "\n", 1)
	           ? 0
	           : hp_fail_memory(err);
}

/* Marks the EDU that was added last, if there is one: a paragraph ends with it. */
static bool end_paragraph(source_document *d)
{
	static const char mark[] = "<P>\n";
	size_t size = sizeof mark - 1;

	if (d->end.edus == 0 || (d->end.size > size && memcmp(d->text + d->end.size - size, mark, size) == 0))
		return true;
	d->end.size--; /* the line feed */
	return put_text(d, mark, size);
}

/* Adds a block, of words or with the NAME of a document alone, which it BEGINS. */
static int add_marked(source *s, bool begins, const char *name, size_t length, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	const source_counts before = s->count;
	const char *lines = "";
	size_t size = 0;
	int edus = 0;

	if (b->words > 0 && !(lines = source_mark_lines(s, &size, err)))
		return HP_FAIL;
	for (size_t i = 0; i < size; i++)
		edus += lines[i] == '\n';
	edus -= hp_edus_is_named(lines, size, HP_EDUS_ID);
	if (hp_comment_has(b, "newpar") && !end_paragraph(&s->document))
		return hp_fail_memory(err);
	if (is_cut_before(s, edus, hp_comment_has(b, "newpar"))) {
		s->count = before;
		return cut(s);
	}
	if ((b->words > 0 && add_spans(s, edus, err) != 0) || (begins && add_name(s, name, length, err) != 0) ||
	    (b->words > 0 && add_tags(s, err) != 0))
		return HP_FAIL;
	s->document.open |= begins;
	return size > 0 ? add_block(s, begins, lines, size, edus, err) : SOURCE_NOTHING;
}

/* --constraints: spans that are open reach over a block that is refused: the document has no such node. */
static void drop_spans(source *s)
{
	const source_document *d = &s->document;
	hp_spans *spans = &s->spans;
	int64_t from = spans->edus - d->end.edus; /* what was handed out before keeps its part of them */

	for (size_t i = 0; i < spans->open; i++) {
		const hp_span *span = &spans->span[i];

		cli_error("%s:%ld: Span=%lld left out: it reaches over the sentence in line %ld, which is refused",
		          hp_input_name(s->in), span->line, (long long)(span->last - span->first + 1), s->next.sentence.line);
		for (int64_t edu = span->first > from ? span->first : from; edu < spans->edus; edu++)
			d->held[edu - from]--;
	}
	spans->open = 0;
}

/* A block is refused.  The document that it BEGINS goes on with the next one. */
static int refuse_marked(source *s, bool begins, const char *name, size_t length)
{
	hp_error memory;

	if (s->f->embed.keep_going)
		drop_spans(s);
	if (begins && s->document.end.size == 0)
		s->document.open = add_name(s, name, length, &memory) == 0;
	return HP_FAIL;
}

static int read_marked(source *s, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	source_document *d = &s->document;
	int got = next_block(s, err);
	const char *name;
	size_t length;

	if (got == 0)
		return d->end.size > 0 ? end_document(s) : got;
	bool begins = hp_document_begins(b, &name, &length);
	if (ends_before(s, begins)) {
		d->refused = got < 0;
		if (d->refused)
			d->why = *err;
		return end_document(s);
	}
	if (got < 0)
		return refuse_marked(s, begins, name, length);
	if (b->words == 0 && !begins && !s->document.open)
		return SOURCE_NOTHING; /* comments of no document */
	hp_arena_mark mark = hp_arena_save(s->f->arena);
	got = add_marked(s, begins, name, length, err);
	if (got == HP_FAIL)
		return refuse_marked(s, begins, name, length);
	hp_arena_restore(s->f->arena, mark);
	return got;
}

/* A FORM of blanks only has made no word. */
static int take_marked(source *s, filter_item *item, hp_error *err)
{
	const source_document *d = &s->document;

	if (s->next.unparsed)
		return pass(s, item, err);
	/* A span that is cut may go on in the next part. */
	if (!d->open && hp_spans_end(&s->spans, hp_input_name(s->in), "document", err) != 0)
		return HP_FAIL;
	if (take(s, item, 0, err) != 0 || (s->f->embed.constraints && source_fix(s, item, d->held, err) != 0))
		return HP_FAIL;
	size_t tags = 0;
	for (size_t i = 0; i < d->part.tags; i++)
		tags += d->tags[i] == '\t';
	if (tags == 0 || tags != (size_t)item->n)
		return 0;
	char *copy = HP_NEW(s->f->arena, char, d->part.tags), *at = copy;
	if (!copy)
		return hp_fail_memory(err);
	memcpy(copy, d->tags, d->part.tags);
	int column = hp_tag_column(s->f->model->pos);
	for (int i = 0; i < item->n; i++) {
		char *stop = memchr(at, '\t', (size_t)(copy + d->part.tags - at));
		item->sentence.word[i].col[column] = at;
		item->sentence.word[i].len[column] = (uint32_t)(stop - at);
		at = stop + 1;
	}
	return 0;
}

const source_kind source_marked_documents = {.open = open_marked,
                                             .read = read_marked,
                                             .take = take_marked,
                                             .ready = source_blocks_ready,
                                             .goes_on = source_blocks_go_on,
                                             .finish = source_finish_marked,
                                             .close = close_documents};
