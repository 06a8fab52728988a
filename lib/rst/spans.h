/* spans.h: finds a tree's nodes by their EDUs.  Private to lib/rst. */
#ifndef HP_SPANS_H
#define HP_SPANS_H
#include "rst/tree.h"

typedef struct hp_rst_spans {
	const hp_rst_tree *t; /* borrowed */
	int32_t *top,
		*leaf; /* [edus] the highest node that begins with each EDU, and the EDU itself; those between stand between */
} hp_rst_spans;

int hp_rst_spans_make(const hp_rst_tree *t, hp_rst_spans *s, hp_error *err) HP_USE_RESULT;
void hp_rst_spans_free(hp_rst_spans *s);
/* The node of EDUs FIRST ... LAST, whatever they are; -1: there is none. */
int32_t hp_rst_spans_find(const hp_rst_spans *s, int32_t first, int32_t last);

#endif
