/* outline.c: depths, siblings, lines of EDUs. */
#include "draw/outline.h"

#include <string.h>
#include "draw/markup.h"

bool hp_outline_make(const hp_rst_tree *tree, hp_arena *arena, hp_outline *o)
{
	*o = (hp_outline){.tree = tree, .depth = HP_NEW(arena, int, tree->nodes), .more = HP_NEW(arena, bool, tree->nodes)};
	if (hp_arena_failed(arena))
		return false;
	for (int i = 0; i < tree->nodes; i++) {
		const hp_rst_node *node = &tree->node[i], *parent = node->parent >= 0 ? &tree->node[node->parent] : NULL;

		o->depth[i] = parent ? o->depth[node->parent] + 1 : 0;
		o->more[i] = parent && i + node->size < node->parent + parent->size;
		o->deepest = o->depth[i] > o->deepest ? o->depth[i] : o->deepest;
	}
	return true;
}

hp_slice hp_outline_relation(const hp_rst_node *node)
{
	bool none = node->role == HP_RST_ROOT || (node->role == HP_RST_NUCLEUS && strcmp(node->relation, "span") == 0);

	return hp_slice_of(none ? "" : node->relation);
}

hp_slice hp_outline_line(hp_slice *text, int size, size_t (*fit)(hp_slice text, int size))
{
	hp_slice line = *text;
	size_t fits = fit(*text, size), used = fits;

	if (fits < text->size) {
		const char *blank = memrchr(text->s, ' ', fits + 1);

		if (blank && blank > text->s) {
			fits = blank - text->s;
			used = fits + 1;
		} else if (fits == 0) { /* a character wider than the line */
			fits = used = 1;
			while (used < text->size && ((unsigned char)text->s[used] & 0xc0) == 0x80)
				fits = ++used;
		}
	}
	line.size = fits;
	text->s += used;
	text->size -= used;
	return line;
}
