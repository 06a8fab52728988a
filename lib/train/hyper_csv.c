/* hyper_csv.c: tables of hyper-parameters as CSV files. */
#include <csv.h>
#include <string.h>
#include <strings.h>
#include "io/input.h"
#include "io/sniff.h"
#include "train/hyper.h"

enum { COLUMNS = 4, MOST = 64 }; /* of hyper-parameters */
static const char *const heading[COLUMNS] = {"Layer", "Hyper-parameter", "Value", "Key"};

typedef struct reading {
	hp_hyper *hyper;
	const char *path;
	long line, rows;
	int fields;
	char text[COLUMNS][256];
	bool seen[MOST];
	bool failed;
	hp_error *err;
} reading;

static void on_field(void *text, size_t size, void *arg)
{
	reading *r = arg;

	if (r->fields < COLUMNS) {
		size_t n = size < sizeof r->text[0] ? size : sizeof r->text[0] - 1;
		if (size)
			memcpy(r->text[r->fields], text, n);
		r->text[r->fields][n] = '\0';
	}
	r->fields++;
}

static int take_row(reading *r)
{
	const char *key = r->text[3];
	int index;
	hp_error inner;

	if (r->fields != COLUMNS)
		return hp_fail_at(r->err, r->path, r->line, "%d column%s where Layer,Hyper-parameter,Value,Key were expected",
		                  r->fields, hp_plural(r->fields));
	if (r->rows == 1) {
		int same = 0;
		for (int i = 0; i < COLUMNS; i++)
			same += strcasecmp(r->text[i], heading[i]) == 0;
		if (same == COLUMNS)
			return 0;
	}
	index = hp_hyper_find(key);
	if (index >= 0 && r->seen[index])
		return hp_fail_at(r->err, r->path, r->line, "'%s' was set before", key);
	if (hp_hyper_set(r->hyper, key, r->text[2], &inner) != 0)
		return hp_fail_at(r->err, r->path, r->line, "%s", inner.text);
	r->seen[index] = true;
	return 0;
}

static void on_row(int end, void *arg)
{
	reading *r = arg;
	bool comment = r->fields > 0 && r->text[0][0] == '#';

	(void)end;
	if (!comment && !r->failed) {
		r->rows++;
		r->failed = take_row(r) != 0;
	}
	r->fields = 0;
}

static int parse_line(struct csv_parser *csv, reading *r, const char *line, size_t size)
{
	if (csv_parse(csv, line, size, on_field, on_row, r) != size)
		return hp_fail_at(r->err, r->path, r->line, "not CSV: %s", csv_strerror(csv_error(csv)));
	return r->failed ? HP_FAIL : 0;
}

static int read_lines(struct csv_parser *csv, reading *r, hp_input *in)
{
	const char *line;
	size_t size;

	if (hp_sniff_input(in, "a table of hyper-parameters (CSV)", r->err) != 0)
		return HP_FAIL;
	for (;;) {
		if (hp_input_line(in, r->line + 1, &line, &size, r->err) != 0)
			return HP_FAIL;
		if (size == 0)
			break;
		r->line++;
		if (parse_line(csv, r, line, size) != 0)
			return HP_FAIL;
		hp_input_skip(in, size);
	}
	if (csv_fini(csv, on_field, on_row, r) != 0)
		return hp_fail_at(r->err, r->path, r->line, "not CSV: %s", csv_strerror(csv_error(csv)));
	return r->failed ? HP_FAIL : 0;
}

int hp_hyper_read(hp_hyper *h, const char *path, hp_error *err)
{
	reading r = {.hyper = h, .path = path, .err = err};
	struct csv_parser csv;
	hp_input *in;
	int status;

	if (hp_input_open(path, &in, err) != 0)
		return HP_FAIL;
	if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI) != 0) {
		hp_input_close(in);
		return hp_fail_memory(err);
	}
	status = read_lines(&csv, &r, in);
	csv_free(&csv);
	hp_input_close(in);
	h->exact = true;
	return status;
}

int hp_hyper_write(const hp_hyper *h, FILE *out, hp_error *err)
{
	bool bad = fprintf(out, "%s,%s,%s,%s\n", heading[0], heading[1], heading[2], heading[3]) < 0;

	for (int i = 0; i < hp_hyper_count(); i++) {
		if (!hp_hyper_of_task(h->task, i))
			continue;
		char value[HP_HYPER_TEXT];
		const char *field[COLUMNS] = {hp_hyper_layer(i), hp_hyper_row(i), value, hp_hyper_key(i)};
		hp_hyper_text(h, i, value);
		for (int c = 0; c < COLUMNS; c++) {
			bool plain = !strpbrk(field[c], ",\"\n");
			bad |= (plain ? fputs(field[c], out) : csv_fwrite(out, field[c], strlen(field[c]))) == EOF;
			bad |= putc(c < COLUMNS - 1 ? ',' : '\n', out) == EOF;
		}
	}
	return bad || fflush(out) != 0 ? hp_fail_errno(err, "hyper-parameter table") : 0;
}
