/* surface.h: the tokens of a sentence of CoNLL-U as they stand in its text, and the white space around them. */
#ifndef HP_SURFACE_H
#define HP_SURFACE_H
#include "text/conllu.h"

typedef struct hp_surface_token {
	hp_word row; /* of the word, or of the multiword token's range */
	bool multi;
} hp_surface_token;

typedef struct hp_surface {
	hp_rows rows;
	long covered; /* words up to this one are part of a range */
} hp_surface;

hp_surface hp_surface_of(const hp_sentence *s);
bool hp_surface_next(hp_surface *s, hp_surface_token *token);

/* UDPipe's escapes of white space: \s \t \n \r \p \\; read is also \u00A0, as treebanks have it.  OUT has room for SIZE bytes, or for 2 SIZE to escape; returns how
 * many were written. */
size_t hp_spaces_unescape(const char *s, size_t size, char *out);
size_t hp_spaces_escape(const char *s, size_t size, char *out);

#endif
