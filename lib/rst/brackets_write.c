/* brackets_write.c: trees in brackets, and their EDUs. */
#include <errno.h>
#include <string.h>
#include "rst/brackets.h"
#include "rst/dis_parse.h"
#include "text/edus.h"

int hp_brackets_write(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	errno = 0;
	hp_dis_write_heading(t, out);
	for (int i = 0; i < t->nodes; i++) {
		int nuclei;

		if (t->node[i].size == 1)
			continue;
		(void)hp_rst_children(t, i, &nuclei);
		fputs(i > 0 ? " (" : "(", out);
		for (int c = i + 1; c < i + t->node[i].size; c += t->node[c].size) {
			bool only = nuclei == 1 && t->node[c].role == HP_RST_NUCLEUS;

			fprintf(out, "%s%d:%s=%s:%d", c > i + 1 ? "," : "", t->node[c].first + 1, hp_dis_role_name[t->node[c].role],
			        only ? "span" : t->node[c].relation, t->node[c].last + 1);
		}
		fputc(')', out);
	}
	fputs(t->edus == 1 ? "NONE\n" : "\n", out);
	return ferror(out) ? hp_fail(err, "write error: %s", strerror(errno)) : 0;
}

int hp_brackets_write_edus(const hp_rst_tree *t, FILE *out, hp_error *err)
{
	int sent = 0;

	errno = 0;
	if (t->id)
		fprintf(out, "# %s = %s\n", t->document ? "newdoc id" : "sent_id", t->id);
	for (int e = 0; e < t->edus; e++) {
		bool begins = e == 0 || (sent > 0 && t->sent_end[sent - 1] == e - 1);
		if (begins && t->edu[e].text[0] == '#')
			fputc(' ', out); /* no comment */
		bool end = sent < t->sents && t->sent_end[sent] == e && e + 1 < t->edus;

		sent += end;
		fprintf(out, "%.*s%s%s\n%s", (int)t->edu[e].size, t->edu[e].text, hp_edus_guard(t->edu[e].text, t->edu[e].size),
		        t->edu[e].paragraph ? "<P>" : "", end ? "\n" : "");
	}
	fputc('\n', out);
	return ferror(out) ? hp_fail(err, "write error: %s", strerror(errno)) : 0;
}
