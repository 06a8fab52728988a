/* conll18_text.h: a whole text as the scorer of the CoNLL 2018 shared task sees it: characters, and spans of them.
 *
 * Space separators in a FORM do not count.  A multiword token's words all have its span. */
#ifndef HP_CONLL18_TEXT_H
#define HP_CONLL18_TEXT_H
#include "base/arena.h"
#include "text/conllu.h"

typedef struct hp_conll18_span { /* of characters, as bytes */
	size_t begin, end;
} hp_conll18_span;

typedef struct hp_conll18_column { /* not terminated */
	const char *text;
	uint32_t length;
} hp_conll18_column;

enum { HP_CONLL18_ROOT = -1, HP_CONLL18_NO_HEAD = -2 };

typedef struct hp_conll18_word {
	hp_conll18_span span;
	bool multiword;
	int head; /* number of a word, or one of the two above */
	int dependant, sibling; /* first functional dependant; next one of the same head; -1: none */
	hp_conll18_column form, lemma, upos, xpos, features, relation; /* the relation without its subtype */
} hp_conll18_word;

typedef struct hp_conll18_token {
	hp_conll18_span span;
	hp_conll18_column form;
	long line;
} hp_conll18_token;

typedef struct hp_conll18_text {
	const char *name; /* the file */
	char *characters;
	size_t size;
	hp_conll18_token *token;
	hp_conll18_word *word;
	hp_conll18_span *sentence;
	bool words_only; /* set before sentences are added: HEADs are not looked at, all words have none */
	int tokens, words, sentences;
	int open; /* words whose relation is "_" */
	int treeless; /* sentences all of whose HEADs are "_": nothing of their trees is right */
	int unparsed; /* sentences that a parser passed on as they were (HP_UNPARSED), with a tree: likewise */
	hp_arena *arena; /* what the columns lie in */
	size_t character_room, token_room, word_room, sentence_room; /* private */
} hp_conll18_text;

/* An empty text; then sentence by sentence.  Free it even after a failure.  NAME is borrowed. */
int hp_conll18_text_init(hp_conll18_text *t, const char *name, hp_error *err) HP_USE_RESULT;
int hp_conll18_text_add(hp_conll18_text *t, const hp_sentence *s, hp_error *err) HP_USE_RESULT;
void hp_conll18_text_free(hp_conll18_text *t); /* frees the contents */
/* All of IN, which must have sentences. */
int hp_conll18_text_read(hp_conll18_text *t, hp_input *in, int max_words, hp_error *err) HP_USE_RESULT;

bool hp_conll18_same(hp_conll18_column a, hp_conll18_column b);
bool hp_conll18_content(const hp_conll18_word *w); /* whether it has a content relation */
bool hp_conll18_functional(const hp_conll18_word *w);

#endif
