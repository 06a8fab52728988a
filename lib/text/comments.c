/* comments.c: finds comments. */
#include "text/comments.h"

#include <string.h>

const char *hp_comment_find(const hp_sentence *s, const char *name, size_t *size)
{
	const char *at = s->text, *end = s->text + s->size;
	size_t length = strlen(name);
	while (at < end && *at == '#') {
		const char *stop = memchr(at, '\n', (size_t)(end - at)), *from = at + 1;
		stop = stop ? stop : end;
		while (from < stop && *from == ' ')
			from++;
		if ((size_t)(stop - from) >= length && !memcmp(from, name, length)) {
			*size = (size_t)(stop - from) - length;
			return from + length;
		}
		at = stop + 1;
	}
	return NULL;
}

bool hp_comment_has(const hp_sentence *s, const char *name)
{
	size_t size;
	const char *rest = hp_comment_find(s, name, &size);
	return rest && (size == 0 || *rest == ' ' || *rest == '=');
}

bool hp_document_begins(const hp_sentence *s, const char **name, size_t *size)
{
	static const char *const heads[] = {"newdoc id = ", "newdoc_id = "};
	for (int i = 0; i < 2; i++)
		if ((*name = hp_comment_find(s, heads[i], size)) != NULL)
			return true;
	*size = 0;
	return hp_comment_has(s, "newdoc");
}

bool hp_is_unparsed(const hp_sentence *s)
{
	size_t size;
	return hp_comment_find(s, &HP_UNPARSED[2], &size) != NULL;
}
