/* brackets.h: a dependency tree as lines of characters.  A head and its dependants hang on one bracket, which has a level
 * of its own where brackets share a word: level 1 is next to the words.
 *
 *	  ┌──────┼──────────────┐           level 3
 *	  │      │     ┌────────┤           level 2
 *	  │      │     │    ┌───┤           level 1
 *	  She  gave  her  old  friend */
#ifndef HP_DRAW_BRACKETS_H
#define HP_DRAW_BRACKETS_H
#include "draw/graph.h"

typedef struct hp_brackets {
	int nodes, levels;
	int *own; /* [nodes] level of the bracket on which the dependants hang; 0: there are none, or it has no room */
	int *above; /* [nodes] level of the bracket on which the node itself hangs; 0: none */
	unsigned char *passes; /* [levels x nodes] whether a bracket goes on from the node to the next one */
} hp_brackets;

/* At most MOST levels: higher ones are left out, which `own` and `above` 0 tell.  False: out of memory. */
bool hp_brackets_make(const hp_graph *g, int most, hp_arena *arena, hp_brackets *b);
/* The lines of node N at LEVEL as HP_UP (away from the words), HP_DOWN (towards them), HP_LEFT and HP_RIGHT (nodes before and
 * behind) of terminal.h. */
int hp_brackets_at(const hp_brackets *b, int n, int level);

#endif
