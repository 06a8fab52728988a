/* unparsed.c: texts that pass unparsed: whether they have a tree; how they are written among rhetorical trees. */
#include "unparsed.h"

#include <stdio.h>
#include <string.h>

#include "base/blank.h"
#include "base/utf8.h"
#include "text/conllu.h"

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

bool unparsed_tree(const char *text, size_t size, const char *names)
{
	const char *p = text, *end = text + size;
	hp_columns named, *columns = NULL;

	if (names && hp_columns_parse(names, strlen(names), "columns", 0, &named, NULL) == 0)
		columns = &named;
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline != NULL ? newline : end;

		if (*p != '#' && row_has_head(p, (size_t)(next - p), columns))
			return true;
		p = next + 1;
	}
	return false;
}

/* A tree in .dis notation begins with "( Root". */
static bool is_root(const char *line, size_t size)
{
	static const char word[] = "Root";
	size_t at = 0;

	while (at < size && (line[at] == '(' || hp_is_blank(line[at])))
		at++;
	return at > 0 && size - at >= sizeof(word) - 1 && memcmp(line + at, word, sizeof(word) - 1) == 0;
}

/* The line of TEXT with which a tree in .dis notation begins, or NULL. */
static const char *find_root(const char *text, size_t size)
{
	const char *p = text, *end = text + size;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline ? newline : end;

		if (is_root(p, (size_t)(next - p)))
			return memmem(p, (size_t)(end - p), "_!", 2) ? p : NULL;
		p = next + 1;
	}
	return NULL;
}

/* Bytes that no reader of trees takes become \xNN. */
static void put_comment(const char *line, const char *end, FILE *out)
{
	fputs(line < end ? "# " : "#", out);
	while (line < end) {
		size_t good = hp_utf8_valid_prefix(line, (size_t)(end - line));
		const char *nul = memchr(line, '\0', good);

		good = nul ? (size_t)(nul - line) : good;
		fwrite(line, 1, good, out);
		line += good;
		if (line < end)
			fprintf(out, "\\x%02x", (unsigned char)*line++);
	}
	fputc('\n', out);
}

/* Up to the tree, but for an older mark right before it. */
static void put_heading(const char *p, const char *end, FILE *out)
{
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline ? newline + 1 : end;

		if (next < end || hp_unparsed_size(p, (size_t)(end - p)) == 0)
			fwrite(p, 1, (size_t)(next - p), out);
		p = next;
	}
}

void unparsed_write_discourse(const char *text, size_t size, const char *why, FILE *out)
{
	const char *root = find_root(text, size), *p = text, *end = text + size;

	while (p < end && *p == '\n')
		p++;
	if (root)
		put_heading(p, root, out);
	fprintf(out, "%s%s\n", HP_UNPARSED, why);
	while (!root && p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline ? newline : end;

		put_comment(p, next, out);
		p = next + 1;
	}
	if (root)
		fwrite(root, 1, (size_t)(end - root), out);
	fputs(root && end[-1] != '\n' ? "\n\n" : "\n", out);
}
