/* clues.h: what else is known of words that may begin an elementary discourse unit: their tags, and what their place in the
 * dependency tree says.  Of "fell" and "because" in
 *
 *	1 He 2 nsubj, 2 fell 0 root, 3 because 5 mark, 4 it 5 nsubj, 5 rained 2 advcl
 *
 *	            tags          relation  head      the largest part of the tree that begins here, and that ends here
 *	fell        VERB   VBD    root                                       none
 *	because     SCONJ  IN     mark      VERB>2    advcl VERB<
 *
 * where ">2" says that the head is the second word to the right, "<" that the head of the part's top is to the left. */
#ifndef HP_TEXT_CLUES_H
#define HP_TEXT_CLUES_H
#include "base/arena.h"
#include "text/conllu.h"

enum {
	HP_CLUE_UPOS,
	HP_CLUE_XPOS,
	HP_TAG_CLUES,
	HP_CLUE_RELATION = HP_TAG_CLUES,
	HP_CLUE_HEAD,
	HP_CLUE_BEGINS,
	HP_CLUE_ENDS,
	HP_CLUES
};

typedef struct hp_clue {
	const char *text; /* [size] begins with the letter of its kind; NULL: not known */
	size_t size;
} hp_clue;

/* The first EACH clues of each word, in ARENA: [words × EACH]; NULL: out of memory.  EACH is HP_TAG_CLUES or HP_CLUES.  Where
 * heads are no tree those of the tree are not known. */
hp_clue *hp_clues_find(const hp_sentence *s, int each, hp_arena *arena);

#endif
