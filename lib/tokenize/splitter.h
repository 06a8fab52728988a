/* splitter.h: a text as it comes becomes tokens and sentences.
 *
 * Where a paragraph is long, the network reads windows of it, each with some hundred signs of what stands before and
 * behind.  Windows depend on the text alone, so what comes out does not depend on how the text came. */
#ifndef HP_SPLITTER_H
#define HP_SPLITTER_H
#include "tokenize/model.h"

typedef struct hp_token {
	hp_piece text; /* as it stands in the text */
	hp_piece space; /* the white space behind it, of any length */
	int words; /* of a multiword token, more than one; else 0 */
	const hp_piece *word; /* [words] */
} hp_token;

typedef struct hp_split_sentence {
	hp_piece before; /* white space before it that belongs to no token */
	int tokens; /* 0: BEFORE is all there is */
	const hp_token *token; /* [tokens] */
	bool document, paragraph; /* the first of a document, after a blank line */
	bool last; /* nothing follows in the text */
} hp_split_sentence;

enum { HP_SPLIT_WORDS = 1000, HP_SPLIT_MOST_WORDS = 20000 }; /* of a sentence: where nothing is said; at most */
/* Where sentences end: where the network says so and at blank lines, at every line's end, at blank lines alone. */
typedef enum hp_split_by { HP_SPLIT_TEXT, HP_SPLIT_LINES, HP_SPLIT_BLOCKS } hp_split_by;
typedef struct hp_splitter hp_splitter;
/* A sentence is cut before it has more than MAX_WORDS words.  Borrows MODEL and POOL. */
int hp_splitter_new(const hp_tok_model *model, hp_pool *pool, hp_split_by by, int max_words, hp_splitter **out,
                    hp_error *err) HP_USE_RESULT;
void hp_splitter_destroy(hp_splitter *s); /* accepts NULL */
/* A new text begins, NAME (borrowed) in messages; the one before was finished and all its sentences taken. */
void hp_splitter_begin(hp_splitter *s, const char *name);
/* The next part of the text, cut anywhere.  HP_FAIL: invalid UTF-8, or a NUL byte, with its line and byte; what came before
 * is taken. */
int hp_splitter_add(hp_splitter *s, const char *bytes, size_t size, hp_error *err) HP_USE_RESULT;
/* Nothing follows: for now, if a line has just ended (else nothing happens), or (FINISH) in this text.  HP_FAIL: the text
 * ends within a character. */
int hp_splitter_pause(hp_splitter *s, bool finish, hp_error *err) HP_USE_RESULT;
/* Whether enough has come for the network to be worth its while. */
bool hp_splitter_full(const hp_splitter *s);
/* The next sentence, which is the splitter's until the next call.  Returns 1, 0: more text is needed, HP_FAIL: out of
 * memory. */
int hp_splitter_next(hp_splitter *s, hp_split_sentence *out, hp_error *err) HP_USE_RESULT;

#endif
