/* outline.c: depths, siblings, lines of EDUs. */
#include "draw/outline.h"

#include <string.h>
#include <utf8proc.h>
#include "base/utf8.h"
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

bool hp_outline_closes(hp_slice text, size_t at)
{
	size_t begin = at;

	for (; at < text.size && text.s[at] != ' ';) {
		int32_t code;
		int length = hp_utf8_decode(text.s + at, text.size - at, &code);
		utf8proc_category_t c = length ? utf8proc_category(code) : UTF8PROC_CATEGORY_CN;

		if (c != UTF8PROC_CATEGORY_PE && c != UTF8PROC_CATEGORY_PF && c != UTF8PROC_CATEGORY_PO)
			return false;
		at += length;
	}
	return at > begin;
}

/* The last blank of the first SIZE bytes of TEXT where a line can end; 0: there is none. */
static size_t find_blank(hp_slice text, size_t size)
{
	const char *blank, *any = memrchr(text.s, ' ', size);

	for (blank = any; blank && hp_outline_closes(text, blank + 1 - text.s);)
		blank = memrchr(text.s, ' ', blank - text.s);
	return blank && blank > text.s ? blank - text.s : any ? any - text.s : 0;
}

hp_slice hp_outline_line(hp_slice *text, int size, size_t (*fit)(hp_slice text, int size))
{
	hp_slice line = *text;
	size_t fits = fit(*text, size), used = fits;

	if (fits < text->size) {
		size_t blank = find_blank(*text, fits + 1);

		if (blank > 0) {
			fits = blank;
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
