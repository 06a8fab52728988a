/* dis_write.c: trees in RST-DT notation. */
#include <errno.h>
#include <string.h>
#include "rst/dis_parse.h"
#include "text/edus.h"

const char *const hp_dis_role_name[] = {"Root", "Nucleus", "Satellite"};

static void indent(int depth, FILE *out)
{
	/* Indentation that grows with the depth would make deep trees quadratic. */
	for (int i = 0; i < depth && i < 40; i++)
		fputs("  ", out);
}

/* "_!" in a text would end it: a word joiner parts the two, and those that stand there already become one more. */
static void write_text(const char *s, size_t size, FILE *out)
{
	const char *end = s + size, *bar;

	for (; (bar = memchr(s, '_', (size_t)(end - s))); s = bar + 1) {
		fwrite(s, 1, (size_t)(bar + 1 - s), out);
		if (hp_dis_joiners(bar + 1, end) >= 0)
			fputs(HP_EDUS_JOINER, out);
	}
	fwrite(s, 1, (size_t)(end - s), out);
	fputs(hp_edus_guard(end - size, size), out);
}

static void write_node(const hp_rst_tree *t, const hp_rst_node *node, int depth, bool marks, FILE *out)
{
	indent(depth, out);
	fprintf(out, "( %s", hp_dis_role_name[node->role]);
	if (node->size > 1 || node->role == HP_RST_ROOT)
		fprintf(out, " (span %d %d)", node->first + 1, node->last + 1);
	if (node->size == 1)
		fprintf(out, " (leaf %d)", node->first + 1);
	if (node->role != HP_RST_ROOT)
		fprintf(out, " (rel2par %s)", node->relation);
	if (node->size == 1) {
		const hp_rst_edu *edu = &t->edu[node->first];

		fputs(" (text _!", out);
		write_text(edu->text, edu->size, out);
		fputs(marks && edu->paragraph ? "<P>_!) )\n" : "_!) )\n", out);
	} else {
		fputc('\n', out);
	}
}

/* Closes the open inner nodes whose EDUs end with LAST. */
static int close_nodes(const hp_rst_tree *t, int32_t open, int32_t *depth, int32_t last, FILE *out)
{
	while (open >= 0 && t->node[open].last == last) {
		indent(--*depth, out);
		fputs(")\n", out);
		open = t->node[open].parent;
	}
	return open;
}

static int write_tree(const hp_rst_tree *t, bool marks, FILE *out, hp_error *err)
{
	int32_t depth = 0;

	errno = 0;
	hp_dis_write_heading(t, out);
	for (int32_t i = 0; i < t->nodes; i++) {
		const hp_rst_node *node = &t->node[i];

		write_node(t, node, depth, marks, out);
		if (node->size > 1)
			depth++;
		else
			(void)close_nodes(t, node->parent, &depth, node->last, out);
	}
	fputc('\n', out);
	return ferror(out) ? hp_fail(err, "write error: %s", strerror(errno)) : 0;
}

int hp_dis_write(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	return write_tree(t, t->document, out, err);
}

int hp_dis_write_marked(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	return write_tree(t, true, out, err);
}
