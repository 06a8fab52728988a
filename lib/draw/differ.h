/* differ.h: how the nodes of a rhetorical tree differ from those of a second tree over the same EDUs. */
#ifndef HP_DRAW_DIFFER_H
#define HP_DRAW_DIFFER_H
#include "base/arena.h"
#include "rst/tree.h"

/* Of a node that is the same in both trees `wrong` is false; `other` is what the second tree makes of the node's EDUs, as
 * text: its relation, or where it has the other role "nucleus", "nucleus:RELATION" or "satellite:RELATION"; "": it has no
 * node of these EDUs. */
typedef struct hp_rst_difference {
	bool wrong;
	const char *other;
} hp_rst_difference;

/* Of node I; DIFFER NULL: there is no other tree. */
static inline bool hp_rst_is_wrong(const hp_rst_difference *differ, int i)
{
	return differ && differ[i].wrong;
}

typedef struct hp_rst_source {
	const hp_rst_tree *tree;
	const char *name; /* of its file, for messages */
} hp_rst_source;

/* *OUT [nodes of A's tree], in ARENA; by the nodes' EDUs, roles and relations.  Where that tree is binary and B's is not, B is made so, by the rules
 * of rst/binarize.h.  Refused: another number of EDUs, or other texts, white space not
 * counted. */
int hp_rst_differ(hp_rst_source a, hp_rst_source b, hp_arena *arena, hp_rst_difference **out,
                  hp_error *err) HP_USE_RESULT;

#endif
