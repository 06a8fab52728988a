/* segments.h: where elementary discourse units begin, in texts of the same characters, white space apart: sentences, tokens
 * and words may differ.  Marks are those of text/marks.h, as they stand.
 *
 * A beginning is right where the other text has one before the same character.  A multiword token's words all begin where it
 * does, so for them the number within it counts as well. */
#ifndef HP_SEGMENTS_H
#define HP_SEGMENTS_H
#include "eval/conll18_text.h"
#include "eval/tally.h"

enum {
	HP_SEGMENTS_STARTS, /* all beginnings */
	HP_SEGMENTS_INSIDE, /* ... but those of gold sentences */
	HP_SEGMENTS_METRICS
};
extern const hp_metric hp_segments_metrics[HP_SEGMENTS_METRICS];

typedef struct hp_segments {
	hp_conll18_text text; /* its sentences and words, whose trees are not looked at */
	bool *begins; /* [words] an EDU */
	const char **document; /* [sentences] name of its document; its own where that is not known; "": neither */
	size_t begins_room, document_room; /* private */
} hp_segments;

/* All of IN, which must have marks.  Free it even after a failure. */
int hp_segments_read(hp_segments *s, hp_input *in, int max_words, hp_error *err) HP_USE_RESULT;
void hp_segments_free(hp_segments *s); /* frees the contents; accepts a zeroed one */
/* Scores into *OUT [gold sentences], in ARENA: all counts in the gold sentence that has the character.  Fails where the
 * characters differ, with both places. */
int hp_segments_score(const hp_segments *gold, const hp_segments *system, hp_arena *arena,
                      hp_tally (**out)[HP_SEGMENTS_METRICS], hp_error *err) HP_USE_RESULT;

#endif
