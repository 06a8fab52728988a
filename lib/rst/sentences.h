/* sentences.h: where sentences end and what their tokens are, from CoNLL-U or from a text with a sentence a line.
 *
 * A CoNLL-U file may hold several documents, marked by "# newdoc id = NAME" or, as in
 * the files of the DISRPT shared tasks, "# newdoc_id = NAME". */
#ifndef HP_RST_SENTENCES_H
#define HP_RST_SENTENCES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "base/error.h"

typedef struct hp_rst_token {
	size_t at, size; /* in text */
	size_t surface, surface_size; /* the first word of a multiword token: how that is written; 0: any other word */
	int32_t covers; /* words of that multiword token; else 1 */
	size_t tag, tag_size; /* in text; size 0: tags are not kept */
	long line;
} hp_rst_token;

typedef struct hp_rst_sentence {
	int32_t first, tokens;
	size_t block, block_size; /* its lines, in text; size 0: they are not kept */
	long line;
} hp_rst_sentence;

typedef struct hp_rst_doc {
	char *id; /* NULL: sentences before the first "newdoc", or a file without any */
	int32_t first, sentences;
	bool used; /* for whoever looks for documents */
} hp_rst_doc;

typedef struct hp_rst_sentences {
	char *name; /* the file */
	char *text;
	bool conllu; /* else a sentence a line */
	size_t columns, columns_size; /* in text: the line "# global.columns" that was read last; size 0: none */
	int sentences, tokens, docs;
	hp_rst_sentence *sentence;
	hp_rst_token *token;
	hp_rst_doc *doc;
	/* private */
	size_t size, capacity;
	int tags; /* the column that is kept */
	bool blocks; /* are kept */
	size_t sentence_capacity, token_capacity, doc_capacity;
} hp_rst_sentences;

/* The kind of file is seen from its first line that is no comment: ten columns, or text.  TAGS: the column that tokens
 * keep as their tag (HP_UPOS or HP_XPOS of conllu.h; 0: none). */
int hp_rst_sentences_read(const char *path, int tags, hp_rst_sentences *out, hp_error *err) HP_USE_RESULT;
/* The same without tags, but with the sentences' lines. */
int hp_rst_sentences_read_lines(const char *path, hp_rst_sentences *out, hp_error *err) HP_USE_RESULT;
void hp_rst_sentences_free(hp_rst_sentences *s); /* frees the contents; accepts a zeroed one */
/* The document called ID; a single one, whatever its name; else NULL. */
hp_rst_doc *hp_rst_sentences_find(hp_rst_sentences *s, const char *id);

/* Writes sentence I, whose lines are kept, as CoNLL-U that is called ID: another name that it has is kept as orig_sent_id.
 * DOCUMENT (NULL: the one before goes on) begins with it. */
int hp_rst_sentences_write(const hp_rst_sentences *s, int i, const char *id, const char *document, FILE *out,
                           hp_error *err) HP_USE_RESULT;

#endif
