/* spans.c: finds a tree's nodes by their EDUs. */
#include "rst/spans.h"

#include <stdlib.h>

int hp_rst_spans_make(const hp_rst_tree *t, hp_rst_spans *s, hp_error *err)
{
	*s = (hp_rst_spans){.t = t, .top = calloc(2 * (size_t)t->edus + 1, sizeof(*s->top))};
	if (!s->top)
		return hp_fail_memory(err);
	s->leaf = s->top + t->edus;
	for (int i = t->nodes - 1; i >= 0; i--) {
		s->top[t->node[i].first] = i;
		if (t->node[i].size == 1)
			s->leaf[t->node[i].first] = i;
	}
	return 0;
}

void hp_rst_spans_free(hp_rst_spans *s)
{
	free(s->top);
}

int32_t hp_rst_spans_find(const hp_rst_spans *s, int32_t first, int32_t last)
{
	const hp_rst_node *node = s->t->node;
	int32_t low, high;

	if (first < 0 || last < first || last >= s->t->edus)
		return -1;
	/* First children follow their parents, and end before them. */
	for (low = s->top[first], high = s->leaf[first]; low < high;) {
		int32_t middle = low + (high - low) / 2;

		if (node[middle].last > last)
			low = middle + 1;
		else
			high = middle;
	}
	return node[low].last == last ? low : -1;
}
