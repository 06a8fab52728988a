/* documents.c: the document trees of a file. */
#include "rst/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "io/sniff.h"
#include "rst/build.h"
#include "base/utf8.h"
#include "rst/brackets.h"
#include "rst/dis.h"
#include "rst/rs3.h"

struct hp_rst_documents {
	hp_input *in;
	hp_dis_reader *dis; /* NULL: brackets, or XML */
	hp_brackets *brackets; /* NULL: the others */
	bool broken;
	int count; /* so far */
	hp_warn *warn; /* NULL: nobody is told */
	void *warn_arg;
};

/* HTML begins with "<", too.  XML is read as a whole: there is no harm in waiting for more of it. */
static int check_page(hp_input *in, size_t at, hp_error *err)
{
	const char *data;
	size_t size;

	if (hp_input_peek(in, at + 16, &data, &size, err) != 0)
		return HP_FAIL;
	if (size < at + 2 || data[at + 1] == '\0') /* UTF-16 */
		return 0;
	return hp_sniff_is_html(data + at, size - at)
	           ? hp_sniff(data + at, size - at, hp_input_name(in), "rhetorical trees", err)
	           : 0;
}

/* Where the first line begins that is no comment, past blanks, bytes of UTF-16 and byte-order marks. */
static size_t find_start(const char *data, size_t size)
{
	static const char skipped[] = " \t\r\n\xEF\xBB\xBF\xFE\xFF"; /* and NUL */
	size_t i = 0;

	for (;;) {
		const char *stop;

		while (i < size && memchr(skipped, data[i], sizeof(skipped)))
			i++;
		if (i == size || data[i] != '#')
			return i;
		stop = memchr(data + i, '\n', size - i);
		i = stop ? (size_t)(stop - data) : size;
	}
}

/* Notations that are written alone, at AT. */
static int check_written(hp_input *in, size_t at, hp_error *err)
{
	static const char rels[] = "doc\tunit1_toks";
	const char *data, *what = NULL;
	size_t size;

	if (hp_input_peek(in, at + sizeof(rels) - 1, &data, &size, err) != 0)
		return HP_FAIL;
	if (data[at] == '{' || data[at] == '[')
		what = "JSON";
	else if (size >= at + sizeof(rels) - 1 && memcmp(data + at, rels, sizeof(rels) - 1) == 0)
		what = "a table of relations (.rels)";
	return what ? hp_fail(err, "%s: %s, which is written, not read: expected .dis, .rs3, .rs4 or brackets",
	                      hp_input_name(in), what)
	            : 0;
}

typedef enum notation { DIS, BRACKETS, XML } notation;

/* (1:Nucleus=... or NONE */
static bool is_brackets(const char *data, size_t size)
{
	return (size > 1 && data[0] == '(' && data[1] >= '0' && data[1] <= '9') ||
	       (size >= 4 && memcmp(data, "NONE", 4) == 0);
}

static int find_notation(hp_input *in, notation *out, hp_error *err)
{
	const char *data;
	size_t size, i = 0;

	*out = DIS;
	do {
		if (hp_input_peek(in, i + 1, &data, &size, err) != 0)
			return HP_FAIL;
		i = find_start(data, size);
	} while (i == size && i < 1 << 16 && !hp_input_eof_seen(in));
	if (i < size && data[i] == '<') {
		*out = XML;
		return check_page(in, i, err);
	}
	if (i < size && check_written(in, i, err) != 0)
		return HP_FAIL;
	if (i < size && (data[i] == '(' || data[i] == 'N') && hp_input_peek(in, i + 4, &data, &size, err) != 0)
		return HP_FAIL;
	if (i < size && is_brackets(data + i, size - i))
		*out = BRACKETS;
	return 0;
}

static int open_brackets(hp_rst_documents *d, hp_input *edus, hp_error *err)
{
	const char *data;
	size_t size, i;
	long line = 1;

	if (edus)
		return hp_brackets_new(d->in, edus, &d->brackets, err);
	if (hp_input_peek(d->in, 1, &data, &size, err) != 0)
		return HP_FAIL;
	i = find_start(data, size);
	while (i > 0)
		line += data[--i] == '\n';
	return hp_fail_at(err, hp_input_name(d->in), line,
	                  "brackets do not hold the EDUs' texts: rst-convert --edus names the file that does");
}

int hp_rst_documents_new(hp_input *in, hp_input *edus, hp_rst_documents **out, hp_error *err)
{
	hp_rst_documents *d;
	notation n;
	int status = 0;

	*out = NULL;
	if (find_notation(in, &n, err) != 0)
		return HP_FAIL;
	d = calloc(1, sizeof(*d));
	if (!d)
		return hp_fail_memory(err);
	d->in = in;
	if (n == BRACKETS)
		status = open_brackets(d, edus, err);
	else if (edus)
		status = hp_fail(err, "%s: no trees in brackets, which alone need EDUs from %s", hp_input_name(in),
		                 hp_input_name(edus));
	else if (n == DIS)
		status = hp_dis_reader_new(in, &d->dis, err);
	if (status != 0) {
		free(d);
		return HP_FAIL;
	}
	*out = d;
	return 0;
}

void hp_rst_documents_destroy(hp_rst_documents *d)
{
	if (!d)
		return;
	hp_dis_reader_destroy(d->dis);
	hp_brackets_destroy(d->brackets);
	free(d);
}

void hp_rst_documents_on_warning(hp_rst_documents *d, hp_warn *warn, void *arg)
{
	d->warn = warn;
	d->warn_arg = arg;
	if (d->dis)
		hp_dis_on_warning(d->dis, warn, arg);
}

const char *hp_rst_documents_text(const hp_rst_documents *d, size_t *size)
{
	*size = 0;
	return d->dis ? hp_dis_text(d->dis, size, NULL) : "";
}

bool hp_rst_documents_broken(const hp_rst_documents *d)
{
	return d->broken || (d->dis && hp_dis_broken(d->dis));
}

static size_t cut(const char *name, size_t size, const char *ending)
{
	size_t length = strlen(ending);

	return size > length && strncasecmp(name + size - length, ending, length) == 0 ? size - length : size;
}

/* Whether a file's name can stand in a comment. */
static bool is_printable(const char *name, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if ((unsigned char)name[i] < ' ')
			return false;
	}
	return hp_utf8_valid_prefix(name, size) == size;
}

static int name_tree(const hp_rst_documents *d, hp_rst_tree *t, hp_error *err)
{
	static const char *const endings[] = {".dis", ".lisp", ".rs3", ".rs4", ".xml", ".brackets"};
	const char *path = hp_input_name(d->in), *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t whole = cut(name, strlen(name), ".gz"), size = whole;
	char *id;
	int length;

	if (strcmp(name, "<stdin>") == 0) {
		name = "stdin";
		size = whole = strlen(name);
	}
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]) && size == whole; i++)
		size = cut(name, size, endings[i]);
	size = cut(name, size, ".out");
	if (!is_printable(name, size))
		return hp_fail_at(err, path, t->line,
		                  "the file's name is the document's, but has control characters or invalid UTF-8");
	length =
		d->count > 1 ? asprintf(&id, "%.*s.%d", (int)size, name, d->count) : asprintf(&id, "%.*s", (int)size, name);
	if (length < 0)
		return hp_fail_memory(err);
	t->id = hp_rst_copy(t, id, length);
	free(id);
	t->document = true;
	return t->id ? 0 : hp_fail_memory(err);
}

static void tell_gaps(const hp_rst_documents *d, const hp_rst_tree *t)
{
	const hp_rst_gaps *g = &t->gaps;
	hp_error told;

	if (g->nodes == 0 || !d->warn)
		return;
	(void)hp_fail(
		&told, "%s: '%.200s': %d node%s over segments that hang elsewhere, such as EDUs %d to %d: taken apart",
		hp_input_name(d->in), t->id, g->nodes, g->nodes > 1 ? "s reach" : " reaches", g->first + 1, g->last + 1);
	d->warn(d->warn_arg, &told);
}

int hp_rst_documents_next(hp_rst_documents *d, hp_rst_tree *t, hp_error *err)
{
	int status;

	if (d->dis)
		status = hp_dis_read(d->dis, t, err);
	else if (d->brackets)
		status = hp_brackets_read(d->brackets, t, err);
	else if (d->count > 0)
		return 0;
	else
		status = hp_rs3_read(d->in, t, err) == 0 ? 1 : HP_FAIL;
	d->broken = d->brackets && status == HP_FAIL;
	if (status != 0)
		d->count++;
	if (status == 1 && !t->id && name_tree(d, t, err) != 0)
		return HP_FAIL;
	if (status == 1)
		tell_gaps(d, t);
	return status;
}
