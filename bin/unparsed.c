/* unparsed.c: whether a text that passes unparsed has a tree. */
#include "unparsed.h"

#include <string.h>

#include "text/columns.h"

/* A row with a number in HEAD, or in PHEAD; C: the columns that are named, or NULL. */
static bool row_has_head(const char *row, size_t size, const hp_columns *c)
{
	const char *column[HP_MOST_COLUMNS + 1], *end = row + size;
	hp_columns guess;
	int count = 1;

	column[0] = row;
	for (const char *p = row; p < end && count < HP_MOST_COLUMNS; p++)
		if (*p == '\t')
			column[count++] = p + 1;
	column[count] = end + 1;
	if (!c && hp_columns_guess(count, &guess))
		c = &guess;
	for (int i = 0; c != NULL && i < 2; i++) {
		int at = c->at[i == 0 ? HP_HEAD : HP_PHEAD];

		if (at >= 0 && at < count && column[at] < end && *column[at] >= '0' && *column[at] <= '9')
			return true;
	}
	return false;
}

/* A tree in .dis notation begins with "( Root". */
static bool is_root(const char *line, size_t size)
{
	static const char word[] = "Root";
	size_t at = 0;

	while (at < size && (line[at] == '(' || line[at] == ' ' || line[at] == '\t'))
		at++;
	return at > 0 && size - at >= sizeof(word) - 1 && memcmp(line + at, word, sizeof(word) - 1) == 0;
}

bool unparsed_tree(const char *text, size_t size, const char *names)
{
	const char *p = text, *end = text + size;
	hp_columns named, *columns = NULL;

	if (names && hp_columns_parse(names, strlen(names), "columns", 0, &named, NULL) == 0)
		columns = &named;
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline != NULL ? newline : end;

		if (*p != '#' && (row_has_head(p, (size_t)(next - p), columns) || is_root(p, (size_t)(next - p))))
			return true;
		p = next + 1;
	}
	return false;
}
