/* expand.h: a multiword token's words: by a table of the treebank's, else by the ending of the token.
 *
 * Both are lines of fields apart by tabs, as a model stores them: "don't do n't", and for endings, in lower case, the
 * ending, what takes its place, and the words that follow: "ármelo ar me lo" makes dar, me and lo of dármelo.  Some forms
 * of the table are sure, in lower case: whatever stands around them, they are multiword tokens ("cannot"). */
#ifndef HP_EXPAND_H
#define HP_EXPAND_H
#include <stdbool.h>
#include "base/arena.h"
#include "text/vocab.h"

enum { HP_MOST_WORDS = 16 }; /* of a multiword token */

typedef struct hp_piece {
	const char *text;
	size_t size;
} hp_piece;

typedef struct hp_expander hp_expander;
/* Takes the three over, in any case; refuses lines that are no such fields, with FILE. */
int hp_expander_new(hp_vocab *table, hp_vocab *endings, hp_vocab *sure, const char *file, hp_expander **out,
                    hp_error *err) HP_USE_RESULT;
void hp_expander_destroy(hp_expander *e); /* accepts NULL */
const hp_vocab *hp_expander_table(const hp_expander *e), *hp_expander_endings(const hp_expander *e),
	*hp_expander_sure(const hp_expander *e);
bool hp_expander_is_sure(const hp_expander *e, hp_arena *arena, const char *form, size_t size);
/* How many words FORM has, in WORDS, which ARENA keeps; letters are large where FORM's are.  A form that is not known is looked up
 * with quotation marks, apostrophes and dashes as typed, too.  0: nothing is known of it, or ARENA has no room. */
int hp_expand(const hp_expander *e, hp_arena *arena, const char *form, size_t size, hp_piece words[HP_MOST_WORDS]);
/* FORM in lower case, in ARENA; NULL: it has no room. */
const char *hp_lower(hp_arena *arena, const char *form, size_t size, size_t *lower);

#endif
