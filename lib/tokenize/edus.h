/* edus.h: EDUs of raw text (text/edus.h, but that tokens are not apart) become CoNLL-U in which the first word of each is
 * marked, Seg=B-seg. */
#ifndef HP_TOKENIZE_EDUS_H
#define HP_TOKENIZE_EDUS_H
#include "tokenize/write.h"

/* What EDUs come from and go to; begin with zeros but for the first three; the first two are borrowed. */
typedef struct hp_tok_edus {
	hp_splitter *splitter; /* by HP_SPLIT_BLOCKS */
	hp_tok_writer *writer;
	int max_words; /* the splitter's */
	/* private */
	char *text, *document, *id; /* EDUs, a line each; names, or NULL */
	size_t size, capacity;
	bool begins; /* the next sentence begins a document */
	bool open; /* it stands in one */
	bool left; /* the document of a file before was left: a sentence in none is one of its own */
	bool paragraph; /* one has ended before it */
} hp_tok_edus;

void hp_tok_edus_begin(hp_tok_edus *t); /* what follows is of another file */
/* The BLOCK of the file NAME, as HP_TEXT_EDUS reads it, to the writer.  In documents a mark <P> ends the sentence as well.  Refused, with
 * name and line: invalid UTF-8, a NUL byte, an EDU without text, one with "_!", rows of columns, a sentence of more words, or
 * bytes, than the splitter takes. */
int hp_tok_edus_write(hp_tok_edus *t, const hp_sentence *block, const char *name, hp_error *err) HP_USE_RESULT;
/* The EDUs of a tree, whose nodes are marked as well. */
int hp_tok_edus_write_tree(hp_tok_edus *t, const hp_rst_tree *tree, const char *name, hp_error *err) HP_USE_RESULT;
void hp_tok_edus_free(hp_tok_edus *t); /* what it owns */

#endif
