/* grid.c: lines up cells. */
#include "eval/grid.h"

#include <csv.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"

struct hp_grid {
	int columns, left;
	size_t cells, capacity;
	char **cell;
	bool failed;
};

hp_grid *hp_grid_new(int columns, int left)
{
	hp_grid *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->columns = columns;
	g->left = left;
	return g;
}

void hp_grid_destroy(hp_grid *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->cells; i++)
		free(g->cell[i]);
	free(g->cell);
	free(g);
}

void hp_grid_add(hp_grid *g, const char *fmt, ...)
{
	va_list args;
	char *text;
	int length;

	if (g->failed)
		return;
	if (!hp_grow(&g->cell, &g->capacity, g->cells + 1, sizeof *g->cell)) {
		g->failed = true;
		return;
	}
	va_start(args, fmt);
	length = vasprintf(&text, fmt, args);
	va_end(args);
	if (length < 0)
		g->failed = true;
	else
		g->cell[g->cells++] = text;
}

void hp_grid_header(hp_grid *g, const char *names)
{
	while (*names) {
		int length = (int)strcspn(names, " ");

		hp_grid_add(g, "%.*s", length, names);
		names += length;
		names += strspn(names, " ");
	}
}

/* Characters, not bytes. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* Names may hold control characters. */
static bool escape(hp_grid *g, size_t cell)
{
	size_t room = 4 * strlen(g->cell[cell]) + 1;
	char *text = malloc(room);

	if (!text)
		return false;
	hp_escape(text, room, g->cell[cell]);
	free(g->cell[cell]);
	g->cell[cell] = text;
	return true;
}

int hp_grid_write_text(hp_grid *g, FILE *out, hp_error *err)
{
	size_t rows = g->cells / g->columns;
	int *widths = calloc(g->columns, sizeof *widths);

	for (size_t i = 0; i < g->cells && !g->failed; i++)
		g->failed = !escape(g, i);
	if (!widths || g->failed) {
		free(widths);
		return hp_fail_memory(err);
	}
	for (size_t i = 0; i < rows * g->columns; i++) {
		int width = width_of(g->cell[i]), *most = &widths[i % g->columns];

		*most = width > *most ? width : *most;
	}
	for (size_t row = 0; row < rows; row++) {
		for (int c = 0; c < g->columns; c++) {
			const char *text = g->cell[row * g->columns + c];
			int blanks = widths[c] - width_of(text);

			if (c >= g->left)
				fprintf(out, "%*s", blanks, "");
			fputs(text, out);
			if (c + 1 < g->columns)
				fprintf(out, "%*s", c < g->left ? blanks + 2 : 2, "");
		}
		fputc('\n', out);
	}
	free(widths);
	return 0;
}

/* In quotes only where a reader needs them. */
static void write_field(FILE *out, const char *text)
{
	size_t length = strlen(text);

	if (strpbrk(text, ",\"\r\n") || (length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]))))
		csv_fwrite(out, text, length);
	else
		fputs(text, out);
}

int hp_grid_write_csv(const hp_grid *g, FILE *out, hp_error *err)
{
	size_t rows = g->cells / g->columns;

	if (g->failed)
		return hp_fail_memory(err);
	for (size_t row = 0; row < rows; row++) {
		for (int c = 0; c < g->columns; c++) {
			if (c)
				fputc(',', out);
			write_field(out, g->cell[row * g->columns + c]);
		}
		fputc('\n', out);
	}
	return 0;
}
