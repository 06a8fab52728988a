/* pieces.c: samples cut into what the layers over words read. */
#include "pointer/pieces.h"

static int pieces_of(const hp_net *net, const hp_sample *s)
{
	return net->c.document_layers && s->sents ? s->sents : 1;
}

int hp_pieces_make(hp_pieces *p, hp_arena *arena, const hp_net *net, const hp_sentences *in)
{
	size_t count = 0;
	for (int s = 0; s < in->count; s++)
		count += (size_t)pieces_of(net, &in->sample[s]);
	*p = (hp_pieces){.sample = HP_NEW(arena, int, count), .first = HP_NEW(arena, int, count)};
	p->rows = HP_NEW(arena, int, count);
	if (hp_arena_failed(arena))
		return HP_FAIL;
	for (int s = 0; s < in->count; s++) {
		const hp_sample *sample = &in->sample[s];
		int pieces = pieces_of(net, sample);
		for (int k = 0, first = 0; k < pieces; k++) {
			int end = k < pieces - 1 ? sample->ends[sample->sent_end[k]] + 1 : sample->rows;
			p->sample[p->count] = s;
			p->first[p->count] = first;
			p->rows[p->count++] = end - first;
			first = end;
		}
	}
	return 0;
}
