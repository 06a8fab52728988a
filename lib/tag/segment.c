/* segment.c: sentences are cut into elementary discourse units. */
#include <math.h>

#include "tag/model.h"

int hp_segment_sentences(const hp_tagging *how, hp_arena *arena, int count, const hp_tokens *tokens, float *prob,
                         hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(arena);
	size_t rows = 0;

	for (int i = 0; i < count; i++)
		rows += (size_t)tokens[i].n;
	float *scores = HP_NEW(arena, float, 2 * rows); /* of going on, of beginning one */
	if (!scores)
		return hp_fail_memory(err);
	if (hp_tag_scores(how->net, how->pool, arena, count, tokens, how->vectors, scores, err) != 0)
		return HP_FAIL;
	for (int i = 0; i < count; i++)
		for (int w = 0; w < tokens[i].n; w++, scores += 2)
			*prob++ = w == 0 ? 1 : 1 / (1 + expf(scores[0] - scores[1]));
	hp_arena_restore(arena, mark);
	return 0;
}
