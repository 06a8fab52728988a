/* source-documents.c: items from text for models that know documents: the sentences between a line that names a document and
 * the next are one item.  A sentence that stands in none is a document of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli.h"
#include "source.h"

/* ---- what has been read of a document ---- */

static bool put(char **text, size_t *used, size_t *capacity, const char *s, size_t size)
{
	if (!hp_grow(text, capacity, *used + size, 1))
		return false;
	memcpy(*text + *used, s, size);
	*used += size;
	return true;
}

/* Appends lines, in their file from line LINE on, as a sentence. */
static int add_lines(source *s, const char *lines, size_t size, long line, hp_error *err)
{
	source_document *d = &s->document;
	bool good = true;

	if (d->size == 0)
		d->line = d->next = line;
	else
		for (line = line > d->next ? line : d->next + 1; good && d->next < line; d->next++)
			good = put(&d->text, &d->size, &d->capacity, "\n", 1);
	for (size_t i = 0; i < size; i++)
		d->next += lines[i] == '\n';
	return good && put(&d->text, &d->size, &d->capacity, lines, size) ? 0 : hp_fail_memory(err);
}

/* The document is there. */
static int hand_out(source *s)
{
	source_document *d = &s->document;

	d->whole = true;
	d->open = false;
	s->next.n = source_most_words(d->size);
	s->next.size = d->size;
	return SOURCE_ITEM;
}

/* What has just been read begins a document or not. */
static int add_block(source *s, bool begins, const char *lines, size_t size, hp_error *err)
{
	s->document.open |= begins;
	if (add_lines(s, lines, size, s->next.sentence.line, err) != 0)
		return HP_FAIL;
	return s->document.open ? SOURCE_NOTHING : hand_out(s);
}

/* Reads a block, unless one waits; 1, 0 at the end, HP_FAIL. */
static int next_block(source *s, hp_error *err)
{
	source_document *d = &s->document;

	if (d->whole)
		d->whole = false, d->size = d->tags_size = 0;
	if (!d->waits)
		return source_read_block(s, err);
	d->waits = false;
	return 1;
}

/* Whether the document that is being read ends before a block that begins one: then that waits. */
static bool ends_before(source *s, bool begins)
{
	return s->document.waits = begins && s->document.size > 0;
}

static void close_documents(source *s)
{
	free(s->document.text);
	free(s->document.tags);
	source_close_blocks(s);
}

/* What cannot be parsed passes as it is: the document, or a block that could not be read. */
static int pass(source *s, filter_item *item, hp_error *err)
{
	const source_document *d = &s->document;

	if (!d->whole)
		return source_keep_block(s, item, err);
	char *copy = HP_NEW(s->f->arena, char, d->size);
	item->unparsed = hp_arena_text(s->f->arena, s->next.unparsed);
	if (hp_arena_failed(s->f->arena))
		return hp_fail_memory(err);
	item->text = memcpy(copy, d->text, d->size);
	item->size = d->size;
	return 0;
}

/* STEP: of lines from EDU to EDU. */
static int take(source *s, filter_item *item, int step, hp_error *err)
{
	const source_document *d = &s->document;
	char *text = HP_NEW(s->f->arena, char, d->size + 1);

	if (!text)
		return hp_fail_memory(err);
	memcpy(text, d->text, d->size);
	return source_take_lines(s, item, text, d->size, (hp_edus_source){.line = d->line, .step = step}, err);
}

/* ---- an EDU a line ---- */

static int open_edus(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_EDUS, err);
}

static int read_edus(source *s, hp_error *err)
{
	static const char name[] = HP_EDUS_DOCUMENT;
	const hp_sentence *b = &s->next.sentence;
	int got = next_block(s, err);

	if (got <= 0)
		return got == 0 && s->document.size > 0 ? hand_out(s) : got;
	bool begins = b->size > strlen(name) && memcmp(b->text, name, strlen(name)) == 0;
	if (ends_before(s, begins))
		return hand_out(s);
	if (source_check_edus(s, err) != 0)
		return HP_FAIL;
	return add_block(s, begins, b->text, b->size, err);
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
                                          .finish = source_tell_masked,
                                          .close = close_documents};

/* ---- CoNLL-U ---- */

static int open_marked(source *s, hp_error *err)
{
	return source_open_blocks(s, HP_TEXT_CONLLU, err);
}

/* "# newdoc", "# newdoc id = NAME" or "# newdoc_id = NAME" among a block's comments; *SIZE: of the name, 0: none. */
static bool begins_document(const hp_sentence *b, const char **name, size_t *size)
{
	static const char *const heads[] = {"# newdoc id = ", "# newdoc_id = ", "# newdoc"};
	const char *end = b->text + b->size;

	*size = 0;
	for (const char *p = b->text, *stop; p < end && *p == '#'; p = stop < end ? stop + 1 : end) {
		stop = memchr(p, '\n', (size_t)(end - p));
		stop = stop ? stop : end;
		for (int i = 0; i < 3; i++) {
			size_t n = strlen(heads[i]), length = (size_t)(stop - p);

			if (length < n || memcmp(p, heads[i], n) != 0 || (i == 2 && length > n))
				continue;
			*name = p + n;
			*size = length - n;
			return true;
		}
	}
	return false;
}

/* The words' tags, as far as the model wants them. */
static int add_tags(source *s, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	source_document *d = &s->document;
	const hp_model *m = s->f->model;
	int column = m ? hp_tag_column(m->pos) : 0;
	bool good = true;

	for (int i = 0; m && m->pos != HP_POS_NONE && good && i < b->words; i++)
		good = put(&d->tags, &d->tags_size, &d->tags_capacity, b->word[i].col[column], b->word[i].len[column]) &&
		       put(&d->tags, &d->tags_size, &d->tags_capacity, "\t", 1);
	return good ? 0 : hp_fail_memory(err);
}

/* The line that names the document that the block begins. */
static int add_name(source *s, const char *name, size_t size, hp_error *err)
{
	source_document *d = &s->document;
	char text[64];

	if (size == 0) {
		size = (size_t)snprintf(text, sizeof text, "document-%ld", s->sentences + 1);
		name = text;
	}
	d->line = d->next = s->next.sentence.line;
	return put(&d->text, &d->size, &d->capacity, HP_EDUS_DOCUMENT, strlen(HP_EDUS_DOCUMENT)) &&
	               put(&d->text, &d->size, &d->capacity, name, size) && put(&d->text, &d->size, &d->capacity, "\n", 1)
	           ? 0
	           : hp_fail_memory(err);
}

static int read_marked(source *s, hp_error *err)
{
	const hp_sentence *b = &s->next.sentence;
	int got = next_block(s, err);
	const char *name, *lines = "";
	size_t length, size = 0;

	if (got <= 0)
		return got == 0 && s->document.size > 0 ? hand_out(s) : got;
	bool begins = begins_document(b, &name, &length);
	if (ends_before(s, begins))
		return hand_out(s);
	if (b->words == 0 && !begins && !s->document.open)
		return SOURCE_NOTHING; /* comments of no document */
	hp_arena_mark mark = hp_arena_save(s->f->arena);
	if ((begins && add_name(s, name, length, err) != 0) ||
	    (b->words > 0 && (!(lines = source_mark_lines(s, &size, err)) || add_tags(s, err) != 0)))
		return HP_FAIL;
	got = size > 0 ? add_block(s, begins, lines, size, err) : SOURCE_NOTHING;
	s->document.open |= begins;
	hp_arena_restore(s->f->arena, mark);
	return got;
}

/* A FORM of blanks only has made no word. */
static int take_marked(source *s, filter_item *item, hp_error *err)
{
	const source_document *d = &s->document;

	if (s->next.unparsed)
		return pass(s, item, err);
	if (take(s, item, 0, err) != 0)
		return HP_FAIL;
	size_t tags = 0;
	for (size_t i = 0; i < d->tags_size; i++)
		tags += d->tags[i] == '\t';
	if (tags == 0 || tags != (size_t)item->n)
		return 0;
	char *copy = HP_NEW(s->f->arena, char, d->tags_size), *at = copy;
	if (!copy)
		return hp_fail_memory(err);
	memcpy(copy, d->tags, d->tags_size);
	int column = hp_tag_column(s->f->model->pos);
	for (int i = 0; i < item->n; i++) {
		char *stop = memchr(at, '\t', (size_t)(copy + d->tags_size - at));
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
