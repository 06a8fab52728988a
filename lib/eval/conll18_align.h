/* conll18_align.h: which words of two texts of the same characters are the same. */
#ifndef HP_CONLL18_ALIGN_H
#define HP_CONLL18_ALIGN_H
#include "eval/conll18_text.h"

/* For each gold word the system's, for each of the system's the gold one; -1: none.  Words of a token of their own must
 * have the same span; where a multiword token is on either side, the words of all tokens that overlap make a longest common
 * subsequence, case apart. */
typedef struct hp_conll18_alignment {
	int *system_of, *gold_of;
} hp_conll18_alignment;

/* Fails where the characters of two texts differ, with both places. */
int hp_conll18_same_characters(const hp_conll18_text *gold, const hp_conll18_text *system, hp_error *err) HP_USE_RESULT;
/* In ARENA.  Fails as above. */
int hp_conll18_align(const hp_conll18_text *gold, const hp_conll18_text *system, hp_arena *arena,
                     hp_conll18_alignment *out, hp_error *err) HP_USE_RESULT;

#endif
