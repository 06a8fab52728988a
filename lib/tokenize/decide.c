/* decide.c: from scores to classes. */
#include "tokenize/decide.h"

/* The best of the classes of the set WHICH, a bit each. */
static hp_tok_class best(const float *score, unsigned which)
{
	hp_tok_class c = HP_TOK_CLASSES;
	for (unsigned k = 0; k < HP_TOK_CLASSES; k++)
		if (which >> k & 1 && (c == HP_TOK_CLASSES || score[k] > score[c]))
			c = (hp_tok_class)k;
	return c;
}

hp_tok_class hp_tok_decide(const hp_signs *text, int i, const float *score, bool spaces)
{
	enum {
		SENTENCES = 1 << HP_TOK_SENTENCE | 1 << HP_TOK_SENTENCE_MULTI,
		ENDS = SENTENCES | 1 << HP_TOK_TOKEN | 1 << HP_TOK_MULTI,
		ALL = ENDS | 1 << HP_TOK_INSIDE
	};
	const hp_sign *sign = &text->sign[i], *next = i + 1 < text->count ? sign + 1 : NULL;
	if (hp_sign_is_white(sign))
		return HP_TOK_INSIDE;
	if (!next || next->kind == HP_SIGN_PARAGRAPH)
		return best(score, SENTENCES);
	if (next->kind == HP_SIGN_LINE || (next->kind == HP_SIGN_BLANK && !spaces))
		return best(score, ENDS);
	return sign->joined ? HP_TOK_INSIDE : best(score, ALL);
}
