/* title.c: names, ranks and scores of trees. */
#include "draw/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void trim(hp_slice *text)
{
	while (text->size > 0 && strchr(" \t\r", text->s[0])) {
		text->s++;
		text->size--;
	}
	while (text->size > 0 && strchr(" \t\r", text->s[text->size - 1]))
		text->size--;
}

/* Cuts "# NAME = " off LINE; false if it does not begin so. */
static bool take_name(hp_slice *line, const char *name)
{
	size_t size = strlen(name);
	hp_slice rest = {line->s + 1, line->size - 1};

	trim(&rest);
	if (rest.size <= size || memcmp(rest.s, name, size) != 0)
		return false;
	rest = (hp_slice){rest.s + size, rest.size - size};
	trim(&rest);
	if (rest.size == 0 || rest.s[0] != '=')
		return false;
	*line = (hp_slice){rest.s + 1, rest.size - 1};
	trim(line);
	return true;
}

hp_slice hp_draw_comment(hp_slice block, const char *name)
{
	hp_slice value = {"", 0};
	const char *p = block.s, *end = p + block.size;

	while (p < end) {
		const char *stop = memchr(p, '\n', end - p);
		hp_slice line = {p, (stop ? stop : end) - p};

		trim(&line);
		if (line.size > 0 && line.s[0] != '#')
			break;
		if (line.size > 0 && take_name(&line, name))
			value = line;
		p = stop ? stop + 1 : end;
	}
	return value;
}

enum { LONGEST_SCORE = 24 }; /* bytes: what is longer is no number */

/* A number from 1; 0 if VALUE is none. */
static int rank_of(hp_slice value)
{
	int rank = 0;

	for (size_t i = 0; i < value.size; i++) {
		if (value.s[i] < '0' || value.s[i] > '9' || rank > 99999999)
			return 0;
		rank = rank * 10 + (value.s[i] - '0');
	}
	return rank;
}

bool hp_title_make(hp_slice name, hp_slice block, long *number, hp_arena *arena, hp_title *title)
{
	hp_slice score = hp_draw_comment(block, "score");
	size_t most = score.size + 64; /* two numbers, and the words between them */
	char *text = HP_NEW(arena, char, most), *note;
	int at;

	if (!text)
		return false;
	if (score.size > LONGEST_SCORE)
		score.size = 0;
	*title = (hp_title){.rank = rank_of(hp_draw_comment(block, "nbest")), .name = name, .label = name};
	if (title->rank <= 1 || *number == 0)
		++*number;
	title->number = *number;
	if (title->rank == 0 && score.size == 0)
		return true;
	at = snprintf(text, most, "%ld", title->number);
	if (name.size == 0)
		title->label = (hp_slice){text, at};
	note = text + at;
	if (title->rank > 0)
		at += snprintf(text + at, most - at, "tree %d%s", title->rank, score.size > 0 ? ", " : "");
	if (score.size > 0)
		at += snprintf(text + at, most - at, "score %.*s", (int)score.size, score.s);
	title->note = (hp_slice){note, text + at - note};
	return true;
}
