/* sentence_file_write.c: sentences as they were read, under other names. */
#include "extract/sentence_file.h"

#include <errno.h>
#include <string.h>
#include "base/blank.h"
#include "text/columns.h"

/* Whether a comment is KEY or begins with "KEY = "; *VALUE is what stands behind that, else NULL. */
static bool is_comment(const char *line, const char *stop, const char *key, const char **value)
{
	const char *p = line + 1;
	size_t size = strlen(key);

	*value = NULL;
	while (p < stop && hp_is_blank(*p))
		p++;
	if ((size_t)(stop - p) < size || memcmp(p, key, size) != 0)
		return false;
	p += size;
	if (p < stop && *p != ' ' && *p != '\t' && *p != '=' && *p != '_')
		return false;
	while (p < stop && hp_is_blank(*p))
		p++;
	if (p < stop && *p == '=') {
		for (p++; p < stop && hp_is_blank(*p); p++)
			;
		*value = p;
	}
	return true;
}

/* A line of comment, unless it is one of those that are written anew. */
static void write_comment(const char *line, const char *stop, const char *id, FILE *out)
{
	const char *value;

	if (is_comment(line, stop, "sent_id", &value) && value) {
		size_t size = stop - value;

		if (size != strlen(id) || memcmp(value, id, size) != 0)
			fprintf(out, "# orig_sent_id = %.*s\n", (int)size, value);
	} else if (!is_comment(line, stop, "newdoc", &value) && !hp_columns_names(line, stop - line)) {
		fprintf(out, "%.*s\n", (int)(stop - line), line);
	}
}

int hp_sentence_file_write(const hp_sentence_file *s, int i, const char *id, const char *document, FILE *out,
                           hp_error *err)
{
	const hp_token_range *sent = &s->sentence[i];
	const char *line = s->text + sent->block, *end = line + sent->block_size;

	errno = 0;
	if (document && s->columns_size > 0)
		fprintf(out, "%.*s\n", (int)s->columns_size, s->text + s->columns);
	if (document)
		fprintf(out, "# newdoc id = %s\n", document);
	fprintf(out, "# sent_id = %s\n", id);
	while (line < end && *line == '#') {
		const char *stop = memchr(line, '\n', end - line);

		write_comment(line, stop ? stop : end, id, out);
		line = stop ? stop + 1 : end;
	}
	fwrite(line, 1, end - line, out);
	fputc('\n', out);
	return ferror(out) ? hp_fail_errno(err, "CoNLL-U") : 0;
}
