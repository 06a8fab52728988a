/* write.h: the splitter's sentences as CoNLL-U, and CoNLL-U as the text that it was. */
#ifndef HP_TOKENIZE_WRITE_H
#define HP_TOKENIZE_WRITE_H
#include <stdio.h>
#include "rst/tree.h"
#include "tokenize/splitter.h"
#include "tokenize/surface.h"

typedef struct hp_tok_writer {
	FILE *out;
	const char *document; /* its name; NULL: it has none */
	const char *id; /* of the next sentence; NULL: its number */
	bool edus; /* lines are EDUs: Seg=B-seg in MISC of the first token of each, whose end is a blank */
	const hp_rst_tree *tree; /* of these EDUs: Span= (text/spans.h) for its nodes; NULL: none */
	int32_t edu, node; /* of TREE, the next ones: begin with zeros */
	bool ranges; /* TokenRange=FROM:TO in MISC, in characters of the document */
	int64_t at; /* characters of the document so far */
	long sentences; /* so far */
} hp_tok_writer;

/* White space that belongs to no token becomes a block of comments, "# spaces = ".  Whether writing failed, OUT knows. */
void hp_tok_write(hp_tok_writer *w, const hp_split_sentence *s);

/* Puts the text together again: that of hp_tok_write byte for byte, any other as far as SpaceAfter and the like tell, with a
 * blank line before paragraphs and documents.  Begin with zeros. */
typedef struct hp_tok_undo {
	bool begun;
	bool blank; /* the last token said nothing of what follows it */
	bool none; /* it said that no space does */
} hp_tok_undo;

int hp_tok_undo_sentence(hp_tok_undo *u, const hp_sentence *s, FILE *out, hp_error *err) HP_USE_RESULT;
void hp_tok_undo_end(hp_tok_undo *u, FILE *out); /* after the last one */

#endif
