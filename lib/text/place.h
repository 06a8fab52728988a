/* place.h: a word's tag and its place in the dependency tree, in one, as parsers of rhetorical trees read them where a model's
 * tags are "tree": which relation it has, and in which elementary discourse unit its head is.  Of
 *
 *	1 Although 3 mark, 2 it 3 nsubj, 3 rained 6 advcl | 4 , 6 punct, 5 we 6 nsubj, 6 left 0 root
 *
 * "it" is "PRON nsubj", "rained" "VERB advcl+" and "left" "VERB root0".  Subtypes of relations are left out.  Behind the relation:
 *
 *	       the head is in the same unit
 *	- +    in the unit before, in the next one
 *	< >    further left, further right
 *	0      there is none: the word is the root */
#ifndef HP_TEXT_PLACE_H
#define HP_TEXT_PLACE_H
#include "base/arena.h"
#include "text/conllu.h"

enum { HP_PLACE_ROOT = -1, HP_PLACE_UNKNOWN = -2 };

typedef struct hp_place {
	const char *tag, *relation;
	size_t tag_size, relation_size;
	int unit, head; /* units that the word and its head are in; or one of the above */
} hp_place;

/* In ARENA, *SIZE bytes; the tag alone where relation or head are not known.  NULL: out of memory. */
const char *hp_place_text(const hp_place *p, hp_arena *arena, size_t *size);
/* The same of word I, from 0, whose units are UNIT [words]. */
const char *hp_place_of(const hp_sentence *s, const int32_t *unit, int i, hp_arena *arena, size_t *size);
/* Bytes of the tag that TEXT begins with. */
size_t hp_place_tag_size(const char *text, size_t size);

#endif
