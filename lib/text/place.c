/* place.c: a word's tag and its place in the dependency tree. */
#include "text/place.h"

#include <string.h>

static bool is_blank(const char *s, size_t size)
{
	return size == 0 || (size == 1 && *s == '_');
}

static char way(int unit, int head)
{
	if (head == HP_PLACE_ROOT)
		return '0';
	if (head < unit)
		return head == unit - 1 ? '-' : '<';
	return head == unit + 1 ? '+' : '>';
}

const char *hp_place_text(const hp_place *p, hp_arena *arena, size_t *size)
{
	bool known = p->head != HP_PLACE_UNKNOWN && !is_blank(p->relation, p->relation_size);
	const char *colon = known ? memchr(p->relation, ':', p->relation_size) : NULL;
	size_t relation = !known ? 0 : colon ? (size_t)(colon - p->relation) : p->relation_size;
	char *text = HP_NEW(arena, char, p->tag_size + relation + 3), *at = text;

	if (!text)
		return NULL;
	at = mempcpy(at, p->tag, p->tag_size);
	if (known) {
		*at++ = ' ';
		at = mempcpy(at, p->relation, relation);
		if (p->head != p->unit)
			*at++ = way(p->unit, p->head);
	}
	*size = (size_t)(at - text);
	return text;
}

const char *hp_place_of(const hp_sentence *s, const int32_t *unit, int i, hp_arena *arena, size_t *size)
{
	const hp_word *w = &s->word[i];
	hp_place place = {.tag = w->col[HP_UPOS],
	                  .relation = w->col[HP_DEPREL],
	                  .tag_size = w->len[HP_UPOS],
	                  .relation_size = w->len[HP_DEPREL],
	                  .unit = unit[i],
	                  .head = HP_PLACE_UNKNOWN};
	int32_t head;

	if (hp_word_head(w, s->words, &head))
		place.head = head == 0 ? HP_PLACE_ROOT : unit[head - 1];
	return hp_place_text(&place, arena, size);
}

size_t hp_place_tag_size(const char *text, size_t size)
{
	const char *blank = memchr(text, ' ', size);

	return blank ? (size_t)(blank - text) : size;
}
