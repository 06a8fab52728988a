/* documents.c: the document trees of a file. */
#include "rst/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "io/sniff.h"
#include "rst/build.h"
#include "base/utf8.h"
#include "rst/dis.h"
#include "rst/rs3.h"

struct hp_rst_documents {
	hp_input *in;
	hp_dis_reader *dis; /* NULL: XML */
	int count; /* so far */
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
	return hp_sniff(data + at, size - at, hp_input_name(in), "rhetorical trees", err);
}

/* Whether the first character that is no blank is "<", whatever bytes of UTF-16 or byte-order marks stand around. */
static int is_xml(hp_input *in, bool *xml, hp_error *err)
{
	static const char skipped[] = " \t\r\n\xEF\xBB\xBF\xFE\xFF"; /* and NUL */
	const char *data;
	size_t size, i = 0;

	*xml = false;
	do {
		if (hp_input_peek(in, i + 1, &data, &size, err) != 0)
			return HP_FAIL;
		while (i < size && memchr(skipped, data[i], sizeof(skipped)))
			i++;
	} while (i == size && i < 4096 && !hp_input_eof_seen(in));
	*xml = i < size && data[i] == '<';
	return *xml ? check_page(in, i, err) : 0;
}

int hp_rst_documents_new(hp_input *in, hp_rst_documents **out, hp_error *err)
{
	hp_rst_documents *d;
	bool xml;

	*out = NULL;
	if (is_xml(in, &xml, err) != 0)
		return HP_FAIL;
	d = calloc(1, sizeof(*d));
	if (!d)
		return hp_fail_memory(err);
	d->in = in;
	if (!xml && hp_dis_reader_new(in, &d->dis, err) != 0) {
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
	free(d);
}

void hp_rst_documents_on_warning(hp_rst_documents *d, hp_warn *warn, void *arg)
{
	if (d->dis)
		hp_dis_on_warning(d->dis, warn, arg);
}

bool hp_rst_documents_broken(const hp_rst_documents *d)
{
	return d->dis && hp_dis_broken(d->dis);
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
	static const char *const endings[] = {".dis", ".lisp", ".rs3", ".rs4", ".xml"};
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

int hp_rst_documents_next(hp_rst_documents *d, hp_rst_tree *t, hp_error *err)
{
	int status;

	if (d->dis)
		status = hp_dis_read(d->dis, t, err);
	else if (d->count > 0)
		return 0;
	else
		status = hp_rs3_read(d->in, t, err) == 0 ? 1 : HP_FAIL;
	if (status != 0)
		d->count++;
	if (status == 1 && !t->id && name_tree(d, t, err) != 0)
		return HP_FAIL;
	return status;
}
