/* gold.h: the text of a treebank, and what ends where in it. */
#ifndef HP_TOKENIZE_GOLD_H
#define HP_TOKENIZE_GOLD_H
#include "text/vocab.h"
#include "tokenize/expand.h"
#include "tokenize/net.h"
#include "tokenize/surface.h"

typedef struct hp_tok_gold {
	hp_signs text; /* of all sentences, one after another; paragraphs and documents apart by a blank line */
	int8_t *gold; /* [text.count] hp_tok_class; -1: white space */
	size_t capacity;
	int64_t tokens, sentences;
	/* multiword tokens, in order: their last sign, and what they are, a line such as "don't do n't" with tabs between */
	int multi;
	int *multi_at, *multi_line; /* [multi] */
	hp_vocab *lines;
	size_t at_capacity, line_capacity;
	bool spaces; /* a token holds white space */
} hp_tok_gold;

int hp_tok_gold_init(hp_tok_gold *g, hp_error *err) HP_USE_RESULT;
void hp_tok_gold_free(hp_tok_gold *g); /* frees the contents; accepts a zeroed one */
/* Where blanks are comes from "# text", where its tokens are found in it, else from SpaceAfter=No, and from SpacesAfter
 * and SpacesInToken. */
int hp_tok_gold_add(hp_tok_gold *g, const hp_sentence *s, hp_error *err) HP_USE_RESULT;

#endif
