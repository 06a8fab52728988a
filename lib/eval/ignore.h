/* ignore.h: which words an evaluation leaves out, such as punctuation.  The gold standard's tags decide, never the
 * system's: otherwise a system could choose what it is judged by. */
#ifndef HP_IGNORE_H
#define HP_IGNORE_H
#include <stdbool.h>
#include "eval/aligned_words.h"
#include "text/vocab.h"

#define HP_IGNORE_UPOS "PUNCT"
#define HP_IGNORE_XPOS "`` '' : , ." /* the Penn Treebank's, as in most work on it */

/* A word is left out if any of the three says so. */
typedef struct hp_ignore {
	hp_vocab *upos, *xpos; /* lists of tags; NULL: not looked at */
	bool unicode; /* forms of nothing but characters of category P */
	/* what hp_ignore_mark has met */
	int64_t words, left_out;
	bool upos_seen, xpos_seen; /* a tag other than "_" */
} hp_ignore;

void hp_ignore_init(hp_ignore *ig); /* nothing is left out */
void hp_ignore_free(hp_ignore *ig); /* frees the contents */
/* Replaces the list by TEXT: tags separated by any of the characters SEPARATORS.  Refused if there is none. */
int hp_ignore_list(hp_vocab **list, const char *text, const char *separators, hp_error *err) HP_USE_RESULT;
/* counted[i]: whether word i + 1 of GOLD takes part, i < words. */
void hp_ignore_mark(hp_ignore *ig, const hp_dependencies *gold, bool *counted);
/* At the end: fails if the tags that were to decide do not exist in the file NAME, or if no word is left. */
int hp_ignore_check(const hp_ignore *ig, const char *name, hp_error *err) HP_USE_RESULT;
/* Short text for tables: "keep", "upos=PUNCT SYM", "unicode" ... joined by ";".  malloc'ed, NULL when out of memory. */
char *hp_ignore_text(const hp_ignore *ig);

#endif
