/* spans.h: where the spans of a rhetorical tree are in a picture, in pixels.  Each EDU has a column of its own, all of the same
 * width; a span is a line over its columns, its anchor the place in it where it hangs: that of its only nucleus, or the
 * middle of several. */
#ifndef HP_DRAW_SPANS_H
#define HP_DRAW_SPANS_H
#include <stdbool.h>
#include "base/arena.h"
#include "rst/tree.h"

/* Pixels. */
enum {
	HP_SPAN_MARGIN = 14,
	HP_SPAN_NUMBER = 16, /* above a span's line */
	HP_SPAN_STEP = 22, /* between levels of satellites' arcs */
	HP_SPAN_FONT = 11, /* of relations */
	HP_SPAN_LONG = 200 /* relations */
};

typedef struct hp_span {
	int left, right; /* of its line */
	int x, y; /* anchor, line */
	bool group; /* several nuclei */
	int nucleus; /* of a satellite: the node that it hangs on, the nearest one; else -1 */
	int level; /* of a satellite: that of its arc, from 1 */
	int port; /* of a satellite: pixels from the nucleus' anchor where its arc ends */
	int most[2]; /* of a nucleus: the highest level of arcs from the left, from the right */
} hp_span;

typedef struct hp_spans {
	int column; /* width */
	int width; /* of all */
	hp_span *span; /* [nodes] */
} hp_spans;

/* TOP: of the roots' lines.  False: out of memory. */
bool hp_spans_make(const hp_rst_tree *tree, int top, hp_arena *arena, hp_spans *s);

#endif
