/* comments.h: what the comments of a block of CoNLL-U say. */
#ifndef HP_COMMENTS_H
#define HP_COMMENTS_H
#include "text/conllu.h"

/* The comment line of S that begins with "# NAME": what follows, *SIZE bytes to the line's end, or NULL. */
const char *hp_comment_find(const hp_sentence *s, const char *name, size_t *size);
/* Whether there is a comment NAME, with nothing, a blank or "=" behind it: "# newdocument" is none of newdoc. */
bool hp_comment_has(const hp_sentence *s, const char *name);
/* Whether a document begins with S: "# newdoc", "# newdoc id = NAME" or "# newdoc_id = NAME".  NAME [*SIZE], of size 0: it has
 * none. */
bool hp_document_begins(const hp_sentence *s, const char **name, size_t *size);

/* Whether S passed a parser as it was (HP_UNPARSED), so that its tree is not the parser's. */
bool hp_is_unparsed(const hp_sentence *s);

#endif
