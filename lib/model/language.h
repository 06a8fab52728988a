/* language.h: the models of a language, which make trees of raw text together. */
#ifndef HP_LANGUAGE_H
#define HP_LANGUAGE_H
#include <stdbool.h>

#include "base/error.h"

typedef struct hp_language { /* absolute paths, owned */
	char *tokenizer, *parser;
	char *tagger; /* NULL: there is none, and no other asks for tags */
	/* with a discourse parser: */
	char *segmenter;
	char *trees; /* the dependency parser whose trees segmenter or parser read; NULL: they read none */
} hp_language;

/* Which raw text trees are made of: for a dependency parser; for that or a discourse parser, whose EDUs are found; EDUs for a
 * discourse parser, which need no segmenter. */
typedef enum hp_language_text { HP_LANGUAGE_SENTENCES, HP_LANGUAGE_ANY, HP_LANGUAGE_EDUS } hp_language_text;

/* What makes trees of raw TEXT.  NAME as for hp_model_find_with; NULL: the environment's HP_MODEL, else "en".  KIND "dep" or
 * "rst": which parser of a language is meant.  Another parser than TEXT is for is refused.  After a failure OUT is empty. */
int hp_language_find(const char *name, const char *kind, hp_language_text text, hp_language *out,
                     hp_error *err) HP_USE_RESULT;
/* The parser alone and, with a discourse parser, the segmenter that goes with it, if there is one. */
int hp_language_find_segmenter(const char *name, const char *kind, hp_language *out, hp_error *err) HP_USE_RESULT;
void hp_language_free(hp_language *l); /* frees the contents */

#endif
