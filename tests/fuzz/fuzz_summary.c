/* fuzz_summary.c: two result tables, a byte 0x1e between them, as hp-eval --summarize takes them.  What comes out is a
 * table whose rows have one width; their order in the input does not matter for what is refused. */
#include "fuzz.h"

#include <csv.h>
#include <stdio.h>
#include <string.h>
#include "eval/summary.h"

typedef struct widths {
	int fields, first, rows;
} widths;

static void field(void *text, size_t size, void *data)
{
	(void)text;
	(void)size;
	((widths *)data)->fields++;
}

static void row(int end, void *data)
{
	widths *w = data;

	(void)end;
	if (w->rows++ == 0)
		w->first = w->fields;
	demand(w->fields == w->first);
	w->fields = 0;
}

/* As many rows and columns in either form. */
static void check_csv(const char *text, size_t size)
{
	struct csv_parser parser;
	widths w = {0, 0, 0};

	demand(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) == 0);
	demand(csv_parse(&parser, text, size, field, row, &w) == size && csv_fini(&parser, field, row, &w) == 0);
	demand(w.rows >= 1 && w.first > 2);
	csv_free(&parser);
}

static void check(const hp_summary *s)
{
	for (int csv = 0; csv <= 1; csv++) {
		hp_error err = {""};
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);
		hp_grid *grid;

		demand(out);
		if (hp_summary_grid(s, csv, &grid, &err) != 0) {
			fuzz_refused(&err);
		} else {
			demand((csv ? hp_grid_write_csv(grid, out, &err) : hp_grid_write_text(grid, out, &err)) == 0);
			hp_grid_destroy(grid);
		}
		fclose(out);
		if (csv && size > 0)
			check_csv(text, size);
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const name[] = {"one.csv", "two.csv"};
	hp_summary *s = hp_summary_new();
	hp_error err = {""};
	fuzz_piece piece[2];
	int status = 0;

	demand(s);
	fuzz_split(data, size, piece, 2);
	for (int i = 0; i < 2 && status == 0; i++)
		status = hp_summary_read(s, fuzz_file(name[i], piece[i].data, piece[i].size), &err);
	if (status == 0)
		check(s);
	else
		fuzz_refused(&err);
	hp_summary_destroy(s);
	return 0;
}
