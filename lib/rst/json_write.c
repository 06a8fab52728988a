/* json_write.c: a tree as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rst/dis_parse.h"
#include "rst/notation.h"

static void put_string(const char *s, size_t size, FILE *out)
{
	putc('"', out);
	for (size_t i = 0; i < size; i++) {
		if (s[i] == '"' || s[i] == '\\')
			fprintf(out, "\\%c", s[i]);
		else if ((unsigned char)s[i] < ' ')
			fprintf(out, "\\u%04x", (unsigned char)s[i]);
		else
			putc(s[i], out);
	}
	putc('"', out);
}

/* FIRST and LAST count from 0. */
static void put_range(int32_t first, int32_t last, FILE *out)
{
	fprintf(out, "[%d,%d]", first + 1, last + 1);
}

static void put_edus(const hp_rst_tree *t, const int32_t *start, FILE *out)
{
	for (int i = 0; i < t->sents; i++) {
		fputs(i > 0 ? "," : ",\"sentences\":[", out);
		put_range(i > 0 ? t->sent_end[i - 1] + 1 : 0, t->sent_end[i], out);
	}
	fputs(t->sents > 0 ? "],\"edus\":[" : ",\"edus\":[", out);
	for (int e = 0; e < t->edus; e++) {
		fputs(e > 0 ? ",{\"text\":" : "{\"text\":", out);
		put_string(t->edu[e].text, t->edu[e].size, out);
		fputs(",\"tokens\":", out);
		put_range(start[e], start[e + 1] - 1, out);
		fputs(t->edu[e].paragraph ? ",\"paragraph\":true}" : "}", out);
	}
}

static void put_nodes(const hp_rst_tree *t, FILE *out)
{
	for (int i = 0; i < t->nodes; i++) {
		const hp_rst_node *node = &t->node[i];

		fputs(i > 0 ? ",{\"edus\":" : "{\"edus\":", out);
		put_range(node->first, node->last, out);
		fprintf(out, ",\"parent\":%d,\"role\":\"%s\",\"relation\":", node->parent + 1, hp_dis_role_name[node->role]);
		if (node->role == HP_RST_ROOT)
			fputs("null", out);
		else
			put_string(node->relation, strlen(node->relation), out);
		putc('}', out);
	}
}

int hp_json_write_tree(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	int32_t *start = hp_rst_count_tokens(t);

	if (!start)
		return hp_fail_memory(err);
	errno = 0;
	fputs("{\"id\":", out);
	if (t->id)
		put_string(t->id, strlen(t->id), out);
	else
		fputs("null", out);
	fputs(t->document ? ",\"document\":true" : ",\"document\":false", out);
	if (t->nbest > 0)
		fprintf(out, ",\"nbest\":%d", t->nbest);
	if (t->score)
		fprintf(out, ",\"score\":%s", t->score);
	put_edus(t, start, out);
	fputs("],\"nodes\":[", out);
	put_nodes(t, out);
	fputs("]}\n", out);
	free(start);
	return ferror(out) ? hp_fail(err, "write error: %s", strerror(errno)) : 0;
}
