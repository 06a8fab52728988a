/* relations.c: relation maps. */
#include "rst/relations.h"

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/grow.h"
#include "io/sniff.h"
#include "rst/build.h"
#include "text/vocab.h"

enum { NAME_LIMIT = 200 };

struct hp_relations {
	char *path;
	hp_vocab *relation; /* in lower case */
	hp_vocab *class;
	int *class_of; /* [relations] */
	size_t capacity;
	int rest; /* class of all others, or -1 */
};

typedef struct reading {
	hp_relations *map;
	long line, row_line; /* of the file; where the row began */
	int fields;
	char field[2][NAME_LIMIT + 1];
	bool comment, failed, first;
	hp_error *err;
} reading;

static void refuse(reading *r, const char *what)
{
	if (!r->failed)
		(void)hp_fail_at(r->err, r->map->path, r->line, "%s", what);
	r->failed = true;
}

static void on_field(void *data, size_t size, void *arg)
{
	reading *r = arg;
	const char *s = data;

	if (r->fields == 0 && size > 0 && *s == '#')
		r->comment = true;
	if (r->fields < 2 && !r->comment) {
		if (size > NAME_LIMIT) {
			refuse(r, "a name of more than 200 bytes");
			return;
		}
		memcpy(r->field[r->fields], s, size);
		r->field[r->fields][size] = '\0';
	}
	r->fields++;
}

static void lower(char *s)
{
	for (; *s; s++) {
		if (*s >= 'A' && *s <= 'Z')
			*s += 'a' - 'A';
	}
}

static int add(hp_relations *map, const char *relation, const char *class)
{
	int r = hp_vocab_add(map->relation, relation, strlen(relation));
	int c = hp_vocab_add(map->class, class, strlen(class));

	if (r < 0 || c < 0 || !hp_grow(&map->class_of, &map->capacity, r + 1, sizeof(*map->class_of)))
		return HP_FAIL;
	map->class_of[r] = c;
	if (strcmp(relation, "*") == 0)
		map->rest = c;
	return 0;
}

static void on_row(int end, void *arg)
{
	reading *r = arg;
	char *relation = r->field[0];
	bool heading;

	(void)end;
	if (!r->comment && !r->failed && r->fields > 0) {
		lower(relation);
		heading =
			r->first && r->fields == 2 && strcmp(relation, "relation") == 0 && strcasecmp(r->field[1], "class") == 0;
		r->first = false;
		if (r->fields != 2)
			refuse(r, "expected two fields, relation and class");
		else if (!hp_rst_is_name(relation, strlen(relation)) || !hp_rst_is_name(r->field[1], strlen(r->field[1])))
			refuse(r, "expected names in UTF-8 without blanks, brackets, _! and a leading //");
		else if (!heading && hp_vocab_find(r->map->relation, relation, strlen(relation)) >= 0)
			refuse(r, "the relation has a row already");
		else if (!heading && add(r->map, relation, r->field[1]) != 0)
			refuse(r, "out of memory");
	}
	r->fields = 0;
	r->comment = false;
}

/* Line by line, so that the line is known where something is wrong. */
static int read_lines(struct csv_parser *csv, reading *r, hp_input *in)
{
	if (hp_sniff_input(in, "a relation map (CSV)", r->err) != 0)
		return HP_FAIL;
	for (;;) {
		const char *line;
		size_t size;

		if (hp_input_line(in, r->line, &line, &size, r->err) != 0)
			return HP_FAIL;
		if (size == 0)
			break;
		if (csv_parse(csv, line, size, on_field, on_row, r) != size)
			return hp_fail_at(r->err, r->map->path, r->line, "not CSV: %s", csv_strerror(csv_error(csv)));
		if (r->failed)
			return HP_FAIL;
		r->line += line[size - 1] == '\n';
		hp_input_skip(in, size);
	}
	if (csv_fini(csv, on_field, on_row, r) != 0)
		return hp_fail_at(r->err, r->map->path, r->line, "not CSV: %s", csv_strerror(csv_error(csv)));
	return r->failed ? HP_FAIL : 0;
}

static int read_map(hp_relations *map, const char *path, hp_error *err)
{
	reading r = {.map = map, .line = 1, .first = true, .err = err};
	struct csv_parser csv;
	hp_input *in;
	int status;

	if (hp_input_open(path, &in, err) != 0)
		return HP_FAIL;
	map->path = strdup(hp_input_name(in));
	map->relation = hp_vocab_new();
	map->class = hp_vocab_new();
	if (!map->path || !map->relation || !map->class || csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI) != 0) {
		hp_input_close(in);
		return hp_fail_memory(err);
	}
	status = read_lines(&csv, &r, in);
	csv_free(&csv);
	hp_input_close(in);
	return status;
}

int hp_relations_read(const char *path, hp_relations **out, hp_error *err)
{
	hp_relations *map = calloc(1, sizeof(*map));

	*out = NULL;
	if (!map)
		return hp_fail_memory(err);
	map->rest = -1;
	if (read_map(map, path, err) != 0) {
		hp_relations_destroy(map);
		return HP_FAIL;
	}
	*out = map;
	return 0;
}

int hp_relations_open(const char *name, const char *dir, hp_relations **out, hp_error *err)
{
	size_t size = strlen(name);
	char *path;
	int status;

	if (strchr(name, '/') || (size > 4 && strcmp(name + size - 4, ".csv") == 0))
		return hp_relations_read(name, out, err);
	*out = NULL;
	if (asprintf(&path, "%s/%s.csv", dir, name) < 0)
		return hp_fail_memory(err);
	if (access(path, F_OK) == 0)
		status = hp_relations_read(path, out, err);
	else
		status = hp_fail(
			err,
			"no relation map '%s' in %s (HP_MAP_PATH names the folder); the name of a file must hold a '/' or end in .csv",
			name, dir);
	free(path);
	return status;
}

void hp_relations_destroy(hp_relations *r)
{
	if (!r)
		return;
	hp_vocab_destroy(r->relation);
	hp_vocab_destroy(r->class);
	free(r->class_of);
	free(r->path);
	free(r);
}

const char *hp_relations_find(const hp_relations *r, const char *relation)
{
	char name[NAME_LIMIT + 1];
	size_t size = strlen(relation);
	int found = -1;

	if (size <= NAME_LIMIT) {
		memcpy(name, relation, size + 1);
		lower(name);
		found = hp_vocab_find(r->relation, name, size);
	}
	found = found < 0 ? r->rest : r->class_of[found];
	return found < 0 ? NULL : hp_vocab_at(r->class, found, &size);
}

int hp_relations_apply(const hp_relations *r, hp_rst_tree *t, const char *name, hp_error *err)
{
	for (int i = 0; i < t->nodes; i++) {
		hp_rst_node *node = &t->node[i];
		const char *class;

		if (node->parent < 0 || strcmp(node->relation, "span") == 0)
			continue;
		class = hp_relations_find(r, node->relation);
		if (!class)
			return hp_fail_at(err, name, node->line,
			                  "the relation '%.60s' is not in %s; --labels names another map, or none", node->relation,
			                  r->path);
		node->relation = hp_rst_copy(t, class, strlen(class));
		if (!node->relation)
			return hp_fail_memory(err);
	}
	return 0;
}
