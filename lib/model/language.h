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

/* What makes trees of raw text.  NAME as for hp_model_find_with; NULL: the environment's HP_MODEL, else "en".  KIND "dep" or
 * "rst": which parser of a language is meant.  Without DISCOURSE a discourse parser is refused.  After a failure OUT is empty. */
int hp_language_find(const char *name, const char *kind, bool discourse, hp_language *out, hp_error *err) HP_USE_RESULT;
/* The parser alone and, with a discourse parser, the segmenter that goes with it, if there is one. */
int hp_language_find_segmenter(const char *name, const char *kind, hp_language *out, hp_error *err) HP_USE_RESULT;
void hp_language_free(hp_language *l); /* frees the contents */

#endif
