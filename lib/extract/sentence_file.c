/* sentence_file.c: the sentences of a file, kept in memory. */
#include "extract/sentence_file.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/grow.h"
#include "text/comments.h"
#include "text/conllu.h"
#include "text/place.h"

/* Keeps SIZE bytes; *AT is where. */
static bool keep(hp_sentence_file *s, const char *bytes, size_t size, size_t *at)
{
	if (!hp_grow(&s->text, &s->capacity, s->size + size, 1))
		return false;
	memcpy(s->text + s->size, bytes, size);
	*at = s->size;
	s->size += size;
	return true;
}

static bool add_doc(hp_sentence_file *s, const char *id, size_t size)
{
	hp_document *doc;

	if (!hp_grow(&s->doc, &s->doc_capacity, s->docs + 1, sizeof(*s->doc)))
		return false;
	doc = &s->doc[s->docs++];
	memset(doc, 0, sizeof(*doc));
	doc->first = s->sentences;
	if (!id)
		return true;
	doc->id = strndup(id, size);
	return doc->id != NULL;
}

static bool add_token(hp_sentence_file *s, const hp_word *word)
{
	hp_token *token;

	if (!hp_grow(&s->token, &s->token_capacity, s->tokens + 1, sizeof(*s->token)))
		return false;
	token = &s->token[s->tokens++];
	memset(token, 0, sizeof(*token));
	token->size = word->len[HP_FORM];
	token->covers = 1;
	token->line = word->line;
	return keep(s, word->col[HP_FORM], word->len[HP_FORM], &token->at);
}

/* "2-3": words 2 and 3 of the sentence are written as the form says. */
static bool note_surface(hp_sentence_file *s, const hp_token_range *sent, const hp_word *row)
{
	char *p;
	long from = strtol(row->col[HP_ID], &p, 10), to = *p == '-' ? strtol(p + 1, &p, 10) : 0;
	hp_token *token;

	if (from < 1 || to < from || to > sent->tokens)
		return true;
	token = &s->token[sent->first + from - 1];
	token->covers = (int32_t)(to - from + 1);
	token->surface_size = row->len[HP_FORM];
	return keep(s, row->col[HP_FORM], token->surface_size, &token->surface);
}

static bool note_surfaces(hp_sentence_file *s, const hp_sentence *block)
{
	const hp_token_range *sent = &s->sentence[s->sentences - 1];
	hp_rows rows = hp_sentence_rows(block);
	hp_word row;

	while (hp_rows_next(&rows, &row))
		if (!note_surface(s, sent, &row))
			return false;
	return true;
}

static const char *skip_blanks(const char *p, const char *stop)
{
	while (p < stop && hp_is_blank(*p))
		p++;
	return p;
}

/* Moves *P over WORD and the blanks behind it, if it comes there. */
static bool takes(const char **p, const char *stop, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(stop - *p) < size || memcmp(*p, word, size) != 0)
		return false;
	*p = skip_blanks(*p + size, stop);
	return true;
}

/* "# newdoc id = NAME" or "# newdoc_id = NAME", with blanks or without. */
static bool is_newdoc(const char *line, const char *stop, const char **id, size_t *size)
{
	const char *p = line;

	if (!takes(&p, stop, "#") ||
	    !(takes(&p, stop, "newdoc_id") || (takes(&p, stop, "newdoc") && takes(&p, stop, "id"))) ||
	    !takes(&p, stop, "="))
		return false;
	*id = p;
	for (; stop > p && (hp_is_blank(stop[-1]) || stop[-1] == '\r'); stop--)
		;
	*size = stop - p;
	return *size > 0;
}

static bool take_comments(hp_sentence_file *s, const hp_sentence *block)
{
	const char *line = block->text, *end = block->text + block->size, *id;
	size_t size;

	while (line < end) {
		const char *stop = memchr(line, '\n', end - line);

		if (!stop)
			stop = end;
		if (*line == '#' && is_newdoc(line, stop, &id, &size) && !add_doc(s, id, size))
			return false;
		if (s->blocks && hp_columns_names(line, stop - line)) {
			s->columns_size = stop - line;
			if (!keep(s, line, s->columns_size, &s->columns))
				return false;
		}
		line = stop + 1;
	}
	return true;
}

/* Of word I of the block; its first word is token FIRST. */
static bool note_tag(hp_sentence_file *s, int32_t first, const hp_sentence *block, int i)
{
	const hp_word *word = &block->word[i];
	hp_token *token = &s->token[first + i];
	int32_t head;

	token->tag_size = word->len[s->tags];
	token->head = !hp_word_head(word, block->words, &head) ? HP_PLACE_UNKNOWN
	              : head == 0                              ? HP_PLACE_ROOT
	                                                       : first + head - 1;
	token->relation_size = word->len[HP_DEPREL];
	return keep(s, word->col[s->tags], token->tag_size, &token->tag) &&
	       keep(s, word->col[HP_DEPREL], token->relation_size, &token->relation);
}

static bool take_block(hp_sentence_file *s, const hp_sentence *block)
{
	hp_token_range *sent;

	if (!take_comments(s, block))
		return false;
	if (block->words == 0)
		return true;
	if (s->docs == 0 && !add_doc(s, NULL, 0))
		return false;
	if (!hp_grow(&s->sentence, &s->sentence_capacity, s->sentences + 1, sizeof(*s->sentence)))
		return false;
	sent = &s->sentence[s->sentences++];
	*sent = (hp_token_range){.first = s->tokens, .tokens = block->words, .line = block->word[0].line};
	sent->paragraph = s->conllu && hp_comment_has(block, "newpar");
	s->doc[s->docs - 1].sentences++;
	for (int i = 0; i < block->words; i++) {
		if (!add_token(s, &block->word[i]))
			return false;
	}
	/* Behind the words, which stand one behind the other. */
	for (int i = 0; s->tags && i < block->words; i++)
		if (!note_tag(s, sent->first, block, i))
			return false;
	if (s->blocks) {
		sent->block_size = block->size;
		if (!keep(s, block->text, block->size, &sent->block))
			return false;
	}
	return note_surfaces(s, block);
}

/* The first line that is no comment decides, or one that names columns; what a comment could hide is not waited for
 * beyond 64 KiB. */
static int detect(hp_input *in, hp_text_kind *kind, hp_error *err)
{
	const char *data, *line, *end;
	size_t size;

	*kind = HP_TEXT_TOKENS;
	if (hp_input_peek(in, 1 << 16, &data, &size, err) != 0)
		return HP_FAIL;
	for (line = data, end = data + size; line < end;) {
		const char *stop = memchr(line, '\n', end - line);

		if (!stop)
			stop = end;
		bool names = hp_columns_names(line, stop - line) != NULL;
		if (names || (*line != '#' && *line != '\r' && *line != '\n')) {
			if (names || (*line >= '0' && *line <= '9' && memchr(line, '\t', stop - line)))
				*kind = HP_TEXT_CONLLU;
			return 0;
		}
		line = stop + 1;
	}
	return 0;
}

static int read_all(hp_input *in, hp_sentence_file *out, hp_error *err)
{
	hp_conllu_reader *reader;
	hp_sentence block;
	hp_text_kind kind;
	int status;

	if (detect(in, &kind, err) != 0)
		return HP_FAIL;
	out->conllu = kind == HP_TEXT_CONLLU;
	if (hp_conllu_reader_new(in, kind, 0, &reader, err) != 0)
		return HP_FAIL;
	hp_sentence_init(&block);
	while ((status = hp_conllu_read(reader, &block, err)) == 1) {
		if (!take_block(out, &block)) {
			status = hp_fail_memory(err);
			break;
		}
	}
	hp_sentence_free(&block);
	hp_conllu_reader_destroy(reader);
	return status;
}

static int read_file(const char *path, int tags, bool blocks, hp_sentence_file *out, hp_error *err)
{
	hp_input *in;
	int status;

	memset(out, 0, sizeof(*out));
	out->tags = tags;
	out->blocks = blocks;
	if (hp_input_open(path, &in, err) != 0)
		return HP_FAIL;
	out->name = strdup(hp_input_name(in));
	status = out->name ? read_all(in, out, err) : hp_fail_memory(err);
	hp_input_close(in);
	if (status == 0 && out->sentences == 0)
		status = hp_fail(err, "%s: no sentences", out->name);
	if (status != 0)
		hp_sentence_file_free(out);
	return status;
}

int hp_sentence_file_read(const char *path, int tags, hp_sentence_file *out, hp_error *err)
{
	return read_file(path, tags, false, out, err);
}

int hp_sentence_file_read_lines(const char *path, hp_sentence_file *out, hp_error *err)
{
	return read_file(path, 0, true, out, err);
}

void hp_sentence_file_free(hp_sentence_file *s)
{
	for (int i = 0; i < s->docs; i++)
		free(s->doc[i].id);
	free(s->name);
	free(s->text);
	free(s->sentence);
	free(s->token);
	free(s->doc);
	memset(s, 0, sizeof(*s));
}

hp_document *hp_sentence_file_find(hp_sentence_file *s, const char *id)
{
	for (int i = 0; i < s->docs; i++) {
		if (s->doc[i].id && strcmp(s->doc[i].id, id) == 0)
			return &s->doc[i];
	}
	return s->docs == 1 ? &s->doc[0] : NULL;
}
