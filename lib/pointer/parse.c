/* parse.c: a batch of sentences through the four stages: embed, encode, decode, label. */
#include "pointer/parse.h"

#include <string.h>

/* X: where x is to be made, NULL if it is there. */
static int make_room(const hp_parsing *how, hp_arena *arena, const hp_sentences *in, hp_parsed *out, float **x,
                     hp_error *err)
{
	const hp_net *net = how->net;
	const hp_shape *w = &net->s;
	size_t count = (size_t)in->count, rows = 0, results = 0;
	bool arcs = net->grammar->left_is_step; /* a head each, and the state that found it; else three numbers a split */

	memset(out, 0, sizeof *out);
	out->most = hp_most_trees(how);
	out->results = HP_NEW(arena, int, count);
	if (!out->results)
		return hp_fail_memory(err);
	for (int i = 0; i < in->count; i++) {
		rows += (size_t)in->sample[i].rows;
		results += (size_t)(out->results[i] = in->sample[i].units - 1 + net->grammar->root);
	}
	results = (size_t)out->most * (results + (results == 0)); /* none: sentences of one EDU */
	*x = in->x ? NULL : HP_NEW(arena, float, rows * w->X);
	out->x = in->x ? in->x : *x;
	out->h = HP_NEW(arena, float, rows * w->M * w->W);
	out->init = HP_NEW(arena, float, count * w->P * w->M * w->Q);
	out->trees.tree = HP_NEW(arena, int32_t, results * (arcs ? 1 : 3));
	out->trees.logp = HP_NEW(arena, float, results);
	out->trees.d = arcs ? HP_NEW(arena, float, results * w->M * w->Q) : NULL;
	out->trees.score = HP_NEW(arena, float, (size_t)out->most * count);
	out->trees.found = HP_NEW(arena, int, count);
	out->labels = HP_NEW(arena, int32_t, results);
	out->label_logp = HP_NEW(arena, float, results);
	return hp_arena_failed(arena) ? hp_fail_memory(err) : 0;
}

int hp_parse_sentences(const hp_parsing *how, hp_arena *arena, const hp_sentences *in, hp_parsed *out, hp_error *err)
{
	float *x = NULL;

	if (make_room(how, arena, in, out, &x, err) || (x && hp_embed(how, arena, in, x, err)) ||
	    hp_encode(how, arena, in, out->x, out->h, out->init, err) ||
	    hp_decode(how, arena, in, out->h, out->init, &out->trees, err))
		return HP_FAIL;
	return hp_label(how, arena, in, out->h, &out->trees, out->labels, out->label_logp, err);
}
