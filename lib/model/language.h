/* language.h: the models of a language, which make trees of raw text together. */
#ifndef HP_LANGUAGE_H
#define HP_LANGUAGE_H
#include "base/error.h"

typedef struct hp_language { /* absolute paths, owned */
	char *tokenizer, *parser;
	char *tagger; /* NULL: there is none, and the parser asks for no tags */
} hp_language;

/* NAME as for hp_model_find_with; NULL: the environment's HP_MODEL, else "en".  After a failure OUT is empty. */
int hp_language_find(const char *name, hp_language *out, hp_error *err) HP_USE_RESULT;
void hp_language_free(hp_language *l); /* frees the contents */

#endif
