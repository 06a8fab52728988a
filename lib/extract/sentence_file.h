/* sentence_file.h: where sentences end and what their tokens are, from CoNLL-U or from a text with a sentence a line.
 *
 * A CoNLL-U file may hold several documents, marked by "# newdoc id = NAME" or, as in
 * the files of the DISRPT shared tasks, "# newdoc_id = NAME". */
#ifndef HP_SENTENCE_FILE_H
#define HP_SENTENCE_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "base/error.h"

typedef struct hp_token {
	size_t at, size; /* in text */
	size_t surface, surface_size; /* the first word of a multiword token: how that is written; 0: any other word */
	int32_t covers; /* words of that multiword token; else 1 */
	size_t tag, tag_size; /* in text; size 0: tags are not kept */
	size_t relation, relation_size; /* likewise */
	int32_t head; /* which token it is, HP_PLACE_ROOT or HP_PLACE_UNKNOWN (text/place.h) */
	long line;
} hp_token;

typedef struct hp_token_range {
	int32_t first, tokens;
	size_t block, block_size; /* its lines, in text; size 0: they are not kept */
	bool paragraph; /* it begins one, as CoNLL-U says */
	long line;
} hp_token_range;

typedef struct hp_document {
	char *id; /* NULL: sentences before the first "newdoc", or a file without any */
	int32_t first, sentences;
	bool used; /* for whoever looks for documents */
} hp_document;

typedef struct hp_sentence_file {
	char *name; /* the file */
	char *text;
	bool conllu; /* else a sentence a line */
	size_t columns, columns_size; /* in text: the line "# global.columns" that was read last; size 0: none */
	int sentences, tokens, docs;
	hp_token_range *sentence;
	hp_token *token;
	hp_document *doc;
	/* private */
	size_t size, capacity;
	int tags; /* the column that is kept */
	bool blocks; /* are kept */
	size_t sentence_capacity, token_capacity, doc_capacity;
} hp_sentence_file;

/* The kind of file is seen from its first line that is no comment: ten columns, or text.  TAGS: the column that tokens
 * keep as their tag, besides heads and relations, which need be no tree (HP_UPOS or HP_XPOS of conllu.h; 0: nothing). */
int hp_sentence_file_read(const char *path, int tags, hp_sentence_file *out, hp_error *err) HP_USE_RESULT;
/* The same without tags, but with the sentences' lines. */
int hp_sentence_file_read_lines(const char *path, hp_sentence_file *out, hp_error *err) HP_USE_RESULT;
void hp_sentence_file_free(hp_sentence_file *s); /* frees the contents; accepts a zeroed one */
/* The document called ID; a single one, whatever its name; else NULL. */
hp_document *hp_sentence_file_find(hp_sentence_file *s, const char *id);

/* Writes sentence I, whose lines are kept, as CoNLL-U that is called ID: another name that it has is kept as orig_sent_id.
 * DOCUMENT (NULL: the one before goes on) begins with it. */
int hp_sentence_file_write(const hp_sentence_file *s, int i, const char *id, const char *document, FILE *out,
                           hp_error *err) HP_USE_RESULT;

#endif
