/* summary.c: figures of several runs. */
#include "eval/summary.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>
#include "io/sniff.h"

enum { TASK, NAME, GOLD, PUNCT, BY, GROUP, METRIC, MEASURE, KEYS, VALUE = KEYS, KNOWN };
static const char *const known_names[KNOWN] = {"task",  "name",   "gold",    "punct", "by",
                                               "group", "metric", "measure", "value"};
enum { FIELDS = 256 }; /* in a row, at most */

struct entry {
	UT_hash_handle hh;
	char *text[KEYS]; /* one after another in KEY */
	long runs;
	double mean, squares; /* sum of squared deviations from the mean (Welford) */
	size_t size;
	char key[];
};

struct hp_summary {
	struct entry *entries;
};

/* A file being read. */
struct table {
	hp_summary *summary;
	const char *name;
	long line, rows;
	int place[KNOWN]; /* field number, or -1 */
	int columns; /* of the header, 0 before it */
	int fields;
	char *field[FIELDS];
	int status;
	hp_error *err;
};

hp_summary *hp_summary_new(void)
{
	return calloc(1, sizeof(hp_summary));
}

void hp_summary_destroy(hp_summary *s)
{
	struct entry *e, *next;

	if (!s)
		return;
	HASH_ITER(hh, s->entries, e, next)
	{
		HASH_DEL(s->entries, e);
		free(e);
	}
	free(s);
}

/* The entry whose key is TEXT; NULL when out of memory. */
static struct entry *entry_at(hp_summary *s, const char *const text[KEYS])
{
	size_t size = 0;
	struct entry *e, *old;
	char *end;

	for (int k = 0; k < KEYS; k++)
		size += strlen(text[k]) + 1;
	e = calloc(1, sizeof *e + size);
	if (!e)
		return NULL;
	e->size = size;
	end = e->key;
	for (int k = 0; k < KEYS; k++) {
		e->text[k] = end;
		end = stpcpy(end, text[k]) + 1;
	}
	HASH_FIND(hh, s->entries, e->key, size, old);
	if (old) {
		free(e);
		return old;
	}
	HASH_ADD_KEYPTR(hh, s->entries, e->key, size, e);
	if (!e->hh.tbl) {
		free(e);
		return NULL;
	}
	return e;
}

static int read_header(struct table *t)
{
	t->columns = t->fields;
	for (int k = 0; k < KNOWN; k++) {
		t->place[k] = -1;
		for (int i = 0; i < t->fields; i++)
			if (!strcmp(t->field[i], known_names[k])) {
				if (t->place[k] >= 0)
					return hp_fail_at(t->err, t->name, t->line, "two columns are called '%s'", known_names[k]);
				t->place[k] = i;
			}
	}
	if (t->place[METRIC] < 0 || t->place[VALUE] < 0)
		return hp_fail_at(t->err, t->name, t->line,
		                  "no column '%s'; expected a table written by --csv without --compare",
		                  known_names[t->place[METRIC] < 0 ? METRIC : VALUE]);
	return 0;
}

static int read_values(struct table *t)
{
	const char *text[KEYS], *value;
	struct entry *e;
	double number, distance;
	char *end;

	if (t->fields != t->columns)
		return hp_fail_at(t->err, t->name, t->line, "%d field%s, expected %d as in the header", t->fields,
		                  hp_plural(t->fields), t->columns);
	for (int k = 0; k < KEYS; k++)
		text[k] = t->place[k] < 0 ? "" : t->field[t->place[k]];
	value = t->field[t->place[VALUE]];
	errno = 0;
	number = strtod(value, &end);
	if (end == value || *end || !isfinite(number))
		return hp_fail_at(t->err, t->name, t->line, "value '%.*s' is not a number", 40, value);
	e = entry_at(t->summary, text);
	if (!e)
		return hp_fail_memory(t->err);
	t->rows++;
	distance = number - e->mean;
	e->mean += distance / (double)++e->runs;
	e->squares += distance * (number - e->mean);
	return 0;
}

static bool is_header(const struct table *t)
{
	return t->place[METRIC] < t->fields && t->place[VALUE] < t->fields &&
	       !strcmp(t->field[t->place[METRIC]], known_names[METRIC]) &&
	       !strcmp(t->field[t->place[VALUE]], known_names[VALUE]);
}

static void on_field(void *text, size_t size, void *arg)
{
	struct table *t = arg;

	if (t->status)
		return;
	if (t->fields == FIELDS) {
		t->status = hp_fail_at(t->err, t->name, t->line, "more than %d fields", FIELDS);
		return;
	}
	t->field[t->fields] = malloc(size + 1);
	if (!t->field[t->fields]) {
		t->status = hp_fail_memory(t->err);
		return;
	}
	if (size)
		memcpy(t->field[t->fields], text, size);
	t->field[t->fields++][size] = '\0';
}

static void forget_fields(struct table *t)
{
	while (t->fields > 0)
		free(t->field[--t->fields]);
}

static void on_row(int terminator, void *arg)
{
	struct table *t = arg;

	(void)terminator;
	if (!t->status)
		t->status = !t->columns || is_header(t) ? read_header(t) : read_values(t);
	forget_fields(t);
}

/* Line by line, so that messages can tell where. */
static int parse(hp_input *in, struct csv_parser *parser, struct table *t)
{
	if (hp_sniff_input(in, "a table written by --csv", t->err))
		return HP_FAIL;
	while (!t->status) {
		const char *line;
		size_t size;

		if (hp_input_line(in, t->line + 1, &line, &size, t->err))
			return HP_FAIL;
		if (size == 0)
			break;
		t->line++;
		if (csv_parse(parser, line, size, on_field, on_row, t) != size && !t->status)
			t->status =
				hp_fail_at(t->err, t->name, t->line, "%s in CSV",
			               csv_error(parser) == CSV_EPARSE ? "a misplaced quote" : csv_strerror(csv_error(parser)));
		hp_input_skip(in, size);
	}
	if (!t->status && csv_fini(parser, on_field, on_row, t) && !t->status)
		t->status = hp_fail_at(t->err, t->name, t->line, "the file ends within quotes");
	if (!t->status && !t->columns)
		t->status = hp_fail(t->err, "%s: empty; expected a table written by --csv", t->name);
	if (!t->status && !t->rows)
		t->status = hp_fail(t->err, "%s: no rows below the heading", t->name);
	return t->status;
}

int hp_summary_read(hp_summary *s, const char *path, hp_error *err)
{
	struct table t = {.summary = s, .err = err};
	struct csv_parser parser;
	hp_input *in;
	int status;

	if (hp_input_open(path, &in, err))
		return HP_FAIL;
	t.name = hp_input_name(in);
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI)) {
		status = hp_fail_memory(err);
	} else {
		status = parse(in, &parser, &t);
		csv_free(&parser);
	}
	forget_fields(&t);
	hp_input_close(in);
	return status;
}

/* shown[k]: whether column K tells rows apart. */
static void choose_columns(const hp_summary *s, bool csv, bool shown[KEYS])
{
	for (int k = 0; k < KEYS; k++) {
		shown[k] = csv || k == METRIC;
		for (const struct entry *e = s->entries; e && !shown[k]; e = e->hh.next)
			shown[k] = strcmp(e->text[k], s->entries->text[k]) != 0;
	}
}

static void add_figures(hp_grid *g, const struct entry *e, bool csv)
{
	double sd = e->runs > 1 ? sqrt(e->squares / (double)(e->runs - 1)) : 0;

	hp_grid_add(g, "%ld", e->runs);
	if (!csv) {
		if (e->runs > 1)
			hp_grid_add(g, "%.2f ± %.2f", e->mean, sd);
		else
			hp_grid_add(g, "%.2f       ", e->mean);
		return;
	}
	hp_grid_add(g, "%.6f", e->mean);
	if (e->runs > 1)
		hp_grid_add(g, "%.6f", sd);
	else
		hp_grid_add(g, "%s", "");
}

int hp_summary_grid(const hp_summary *s, bool csv, hp_grid **out, hp_error *err)
{
	bool shown[KEYS];
	int left = 0;
	hp_grid *g;

	choose_columns(s, csv, shown);
	for (int k = 0; k < KEYS; k++)
		left += shown[k];
	*out = g = hp_grid_new(left + (csv ? 3 : 2), left);
	if (!g)
		return hp_fail_memory(err);
	for (int k = 0; k < KEYS; k++)
		if (shown[k])
			hp_grid_add(g, "%s", known_names[k]);
	hp_grid_add(g, "runs");
	hp_grid_add(g, csv ? "mean" : "mean ± sd");
	if (csv)
		hp_grid_add(g, "sd");
	for (const struct entry *e = s->entries; e; e = e->hh.next) {
		for (int k = 0; k < KEYS; k++)
			if (shown[k])
				hp_grid_add(g, "%s", e->text[k]);
		add_figures(g, e, csv);
	}
	return 0;
}
