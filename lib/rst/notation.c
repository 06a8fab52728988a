/* notation.c: trees in any notation. */
#include "rst/notation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rst/brackets.h"
#include "rst/dis.h"
#include "rst/rs3.h"

const char *const hp_rst_notation_name[HP_RST_NOTATIONS + 1] = {"dis",      "lisp", "rs3",  "rs4",
                                                                "brackets", "edus", "json", "rels"};

static int write_rs3(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	return hp_rs3_write(t, false, out, err);
}

static int write_rs4(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	return hp_rs3_write(t, true, out, err);
}

static const struct {
	int (*write)(const hp_rst_tree *t, FILE *out, hp_error *err);
	hp_rst_place place;
} notations[] = {
	[HP_RST_DIS] = {.write = hp_dis_write_marked, .place = {.sentences = true, .paragraphs = true, .remarks = true}},
	[HP_RST_LISP] = {.write = hp_dis_write_marked, .place = {.sentences = true, .paragraphs = true, .remarks = true}},
	[HP_RST_RS3] = {.write = write_rs3, .place = {.single = true, .forest = true}},
	[HP_RST_RS4] = {.write = write_rs4, .place = {.single = true, .forest = true, .extras = true}},
	[HP_RST_BRACKETS] = {.write = hp_brackets_write, .place = {.sentences = true, .paragraphs = true, .remarks = true}},
	[HP_RST_EDUS] = {.write = hp_brackets_write_edus, .place = {.sentences = true, .paragraphs = true}},
	[HP_RST_JSON] = {.write = hp_json_write_tree, .place = {.forest = true, .sentences = true, .paragraphs = true}},
	[HP_RST_RELS] = {.write = hp_rels_write, .place = {.forest = true, .sentences = true}},
};

hp_rst_place hp_rst_notation_place(hp_rst_notation n)
{
	return notations[n].place;
}

static int write_whole(hp_rst_notation n, const hp_rst_tree *t, FILE *out, hp_error *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int status;

	if (!memory)
		return hp_fail_memory(err);
	status = notations[n].write(t, memory, err);
	if ((fclose(memory) != 0 || !text) && status == 0)
		status = hp_fail_memory(err);
	if (status == 0 && fwrite(text, 1, size, out) != size)
		status = hp_fail(err, "write error: %s", strerror(errno));
	free(text);
	return status;
}

int hp_rst_write(hp_rst_notation n, const hp_rst_tree *t, int64_t before, FILE *out, hp_error *err)
{
	if (notations[n].place.single && before > 0)
		return hp_fail(err, "a second document, but %s holds one: rst-convert --directory writes a file for each",
		               hp_rst_notation_name[n]);
	if (notations[n].place.single)
		return write_whole(n, t, out, err);
	if (n == HP_RST_RELS && before == 0)
		fputs(HP_RELS_HEADING, out);
	return notations[n].write(t, out, err);
}

int32_t *hp_rst_count_tokens(const hp_rst_tree *t)
{
	int32_t *start = calloc((size_t)t->edus + 1, sizeof(*start));

	for (int e = 0; start && e < t->edus; e++) {
		start[e + 1] = start[e] + (t->edu[e].size > 0);
		for (size_t i = 0; i < t->edu[e].size; i++)
			start[e + 1] += t->edu[e].text[i] == ' ';
	}
	return start;
}
