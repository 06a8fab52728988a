/* decide.h: what ends behind a sign, by the network's scores and by what is certain anyway. */
#ifndef HP_TOKENIZE_DECIDE_H
#define HP_TOKENIZE_DECIDE_H
#include "tokenize/net.h"

/* Behind sign I of TEXT; SCORE [HP_TOK_CLASSES].  White space, a paragraph's end and the end of TEXT end tokens, these also
 * sentences; nothing ends within what readers see as one character.  SPACES: tokens may hold white space within a line. */
hp_tok_class hp_tok_decide(const hp_signs *text, int i, const float *score, bool spaces);

static inline bool hp_tok_ends_sentence(hp_tok_class c)
{
	return c == HP_TOK_SENTENCE || c == HP_TOK_SENTENCE_MULTI;
}
static inline bool hp_tok_is_multi(hp_tok_class c)
{
	return c == HP_TOK_MULTI || c == HP_TOK_SENTENCE_MULTI;
}

#endif
