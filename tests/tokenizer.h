/* tokenizer.h: a tokeniser of random weights, and whole texts through it and back: for its unit test and its fuzz target. */
#ifndef TOKENIZER_H
#define TOKENIZER_H
#include "tokenize/edus.h"

typedef struct tokenizer_how {
	hp_split_by by;
	bool ranges;
	int max_words;
	size_t piece; /* bytes that come at once; 0: all */
	bool pause; /* after each piece */
	hp_pool *pool;
} tokenizer_how;

/* To be closed by tokenizer_close.  Its words: don't, du and dármelo, by table or ending. */
hp_tok_model *tokenizer_random(uint64_t seed, bool spaces);
void tokenizer_close(hp_tok_model *m);
/* CoNLL-U, malloc'ed, with a NUL behind; *STATUS: HP_FAIL with ERR where the text is refused. */
char *tokenizer_run(const hp_tok_model *m, const tokenizer_how *how, const char *text, size_t size, size_t *got,
                    int *status, hp_error *err);
char *tokenizer_undo(const char *conllu, size_t size, size_t *got); /* likewise; aborts where it cannot be read */

/* The same of EDUs, a line each (text/edus.h), or of trees (.dis), in sentences of at most MAX_WORDS; ERR may be NULL. */
char *tokenizer_edus(const hp_tok_model *m, int max_words, const char *text, size_t size, size_t *got, int *status,
                     hp_error *err);

#endif
