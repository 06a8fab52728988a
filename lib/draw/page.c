/* page.c: many pictures in one file. */
#include "draw/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include "base/grow.h"
#include "draw/draw.h"
#include "draw/markup.h"
#include "draw/outline.h"
#include "draw/style.h"

enum { BUFFER = 1 << 14 }; /* bytes */

struct hp_page {
	FILE *out;
	FILE *waiting; /* the pictures of SVG; NULL: HTML */
	char buffer[BUFFER]; /* of that file */
	bool compares; /* with a second file */
	long count;
	int width; /* of the widest picture */
	long long height; /* of all */
};

enum { MANY_EDUS = 12, DEEPEST = 200 /* nested elements: browsers have limits */ };

/* One picture, kept until its size is known.  (A memory stream of the C library does not tell when memory fails.) */
typedef struct sheet {
	char *bytes;
	size_t size, capacity;
	FILE *file;
	hp_picture picture;
	char buffer[BUFFER]; /* of the file */
} sheet;

static ssize_t keep(void *cookie, const char *bytes, size_t size)
{
	sheet *s = cookie;

	if (!hp_grow(&s->bytes, &s->capacity, s->size + size, 1))
		return 0;
	memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
	return (ssize_t)size;
}

static int begin_sheet(sheet *s, hp_error *err)
{
	memset(s, 0, offsetof(sheet, buffer));
	s->file = fopencookie(s, "w", (cookie_io_functions_t){.write = keep});
	if (!s->file)
		return hp_fail_memory(err);
	(void)setvbuf(s->file, s->buffer, _IOFBF, sizeof s->buffer);
	return 0;
}

/* STATUS is that of drawing. */
static int end_sheet(sheet *s, int status, hp_error *err)
{
	bool failed = fflush(s->file) != 0 || ferror(s->file);

	(void)fclose(s->file);
	return failed ? hp_fail_memory(err) : status != 0 ? HP_FAIL : 0;
}

static void put_sheet(const sheet *s, long long y, FILE *out)
{
	fputs("<svg", out);
	if (y >= 0)
		fprintf(out, " y=\"%lld\"", y);
	fprintf(out, " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", s->picture.width, s->picture.height,
	        s->picture.width, s->picture.height);
	(void)fwrite(s->bytes, 1, s->size, out);
	fputs("</svg>\n", out);
}

static int check(FILE *out, hp_error *err)
{
	return ferror(out) ? hp_fail_errno(err, "output") : 0;
}

/* ---- the whole ---- */

static void begin_html(FILE *out, const char *other)
{
	fprintf(
		out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<title>Trees</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
		"<header><input id=\"find\" type=\"search\" placeholder=\"Search words, tags, relations\" aria-label=\"Search\">"
		"<input id=\"jump\" type=\"number\" min=\"1\" placeholder=\"Go to\" aria-label=\"Go to number\">"
		"<span id=\"count\" role=\"status\"></span>",
		hp_style_svg, hp_style_page);
	if (other) {
		fputs("<span class=\"legend\"><span><i></i>differs</span><span class=\"second\"><i></i>", out);
		hp_put_xml(out, hp_slice_of(other));
		fputs("</span></span><span id=\"differ\"></span><button id=\"next\">Next difference</button>"
		      "<label><input id=\"only\" type=\"checkbox\"> only trees that differ</label>",
		      out);
	}
	fprintf(out,
	        "<span class=\"keys\"><kbd>/</kbd> search <kbd>Enter</kbd> next hit <kbd>g</kbd> go to <kbd>j</kbd> "
	        "<kbd>k</kbd> next, previous %s<kbd>f</kbd> fold <kbd>Esc</kbd> all</span></header>\n",
	        other ? "<kbd>d</kbd> next difference " : "");
}

int hp_page_begin(FILE *out, bool html, const char *other, hp_page **page, hp_error *err)
{
	hp_page *p = calloc(1, sizeof *p);

	*page = NULL;
	if (!p)
		return hp_fail_memory(err);
	p->out = out;
	p->compares = other != NULL;
	if (html) {
		begin_html(out, other);
	} else {
		p->waiting = tmpfile();
		if (!p->waiting) {
			free(p);
			return hp_fail_errno(err, "temporary file");
		}
		(void)setvbuf(p->waiting, p->buffer, _IOFBF, sizeof p->buffer);
	}
	*page = p;
	return 0;
}

static int end_svg(hp_page *p, hp_error *err)
{
	char block[1 << 14];
	size_t got;

	if (ferror(p->waiting) || fflush(p->waiting) != 0 || fseek(p->waiting, 0, SEEK_SET) != 0)
		return hp_fail_errno(err, "temporary file");
	fprintf(p->out,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%lld\" viewBox=\"0 0 %d %lld\">\n"
	        "<style>\n%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
	        p->width, p->height, p->width, p->height, hp_style_svg);
	while ((got = fread(block, 1, sizeof block, p->waiting)) > 0)
		(void)fwrite(block, 1, got, p->out);
	if (ferror(p->waiting))
		return hp_fail_errno(err, "temporary file");
	fputs("</svg>\n", p->out);
	return 0;
}

int hp_page_end(hp_page *p, hp_error *err)
{
	int status = 0;

	if (!p)
		return 0;
	if (p->waiting)
		status = end_svg(p, err);
	else
		fprintf(p->out, "<script>\n%s</script>\n</body>\n</html>\n", hp_style_script);
	if (status == 0)
		status = check(p->out, err);
	if (p->waiting)
		(void)fclose(p->waiting);
	free(p);
	return status;
}

/* ---- trees ---- */

static void add_waiting(hp_page *p, const sheet *s)
{
	put_sheet(s, p->height, p->waiting);
	p->height += s->picture.height;
	p->width = p->width > s->picture.width ? p->width : s->picture.width;
}

/* A name that is but the number is not repeated.  DIFFERENCES: of the two trees. */
static void begin_section(hp_page *p, const hp_title *title, int differences)
{
	char number[24];
	int size = snprintf(number, sizeof number, "%ld", title->number);

	fprintf(p->out, "<section id=\"t%ld\" data-n=\"%s\"", p->count, number);
	if (p->compares)
		fprintf(p->out, " data-differ=\"%d\"", differences);
	fprintf(p->out, "><h2><a href=\"#t%ld\">%s</a>", p->count, number);
	if (title->name.size != (size_t)size || memcmp(title->name.s, number, size) != 0)
		hp_put_xml(p->out, title->name);
	if (title->note.size > 0) {
		fputs("<small>", p->out);
		hp_put_xml(p->out, title->note);
		fputs("</small>", p->out);
	}
	fputs("</h2>\n", p->out);
}

static int count_differences(const hp_graph *g)
{
	int count = 0;

	for (int n = 0; n < g->nodes; n++)
		count += g->node[n].wrong;
	return count;
}

static void put_words(const hp_graph *g, FILE *out)
{
	fputs("<p dir=\"auto\">", out);
	if (g->text.size > 0)
		hp_put_xml(out, g->text);
	for (int n = 0; g->text.size == 0 && n < g->nodes; n++) {
		fputs(n ? " " : "", out);
		hp_put_xml(out, g->node[n].form);
	}
	fputs("</p>\n", out);
}

static void put_picture(const sheet *s, FILE *out)
{
	fputs("<div class=\"picture\">", out);
	put_sheet(s, -1, out);
	fputs("</div>", out);
}

int hp_page_add(hp_page *p, const hp_graph *g, const hp_title *title, hp_arena *arena, hp_error *err)
{
	sheet s;
	int status = begin_sheet(&s, err);

	if (status == 0)
		status = end_sheet(&s, hp_draw_svg(g, p->waiting ? title : NULL, s.file, &s.picture, arena, err), err);
	p->count++;
	if (status == 0 && p->waiting) {
		add_waiting(p, &s);
	} else if (status == 0) {
		begin_section(p, title, count_differences(g));
		put_words(g, p->out);
		put_picture(&s, p->out);
		fputs("</section>\n", p->out);
	}
	free(s.bytes);
	return status == 0 ? check(p->waiting ? p->waiting : p->out, err) : HP_FAIL;
}

/* ---- rhetorical trees: the picture, and an outline that folds ---- */

/* Lines that a browser breaks do not begin with closing punctuation either. */
static void put_edu(const hp_rst_edu *edu, FILE *out)
{
	hp_slice text = {edu->text, edu->size};
	size_t from = 0;

	for (size_t at = 0; at < text.size; at++)
		if (text.s[at] == ' ' && hp_outline_closes(text, at + 1)) {
			hp_put_xml(out, (hp_slice){text.s + from, at - from});
			fputs("\xC2\xA0", out);
			from = at + 1;
		}
	hp_put_xml(out, (hp_slice){text.s + from, text.size - from});
}

static void put_node(const hp_outline *o, const hp_rst_difference *differ, int i, FILE *out)
{
	bool wrong = hp_rst_is_wrong(differ, i);
	const hp_rst_node *node = &o->tree->node[i];
	const char *role = node->role == HP_RST_SATELLITE ? "satellite" : "nucleus";
	hp_slice relation = hp_outline_relation(node);

	if (node->size > 1 && o->depth[i] <= DEEPEST)
		fprintf(out, "<details open class=\"%s%s\"><summary>", role, wrong ? " wrong" : "");
	else
		fprintf(out, "<div class=\"leaf %s%s\">", role, wrong ? " wrong" : "");
	fputs("<b>", out);
	hp_put_xml(out, relation);
	fputs("</b>", out);
	if (wrong) {
		fputs("<em>≠", out);
		hp_put_xml(out, hp_slice_of(differ[i].other));
		fputs("</em>", out);
	}
	if (node->size > 1)
		fprintf(out, " <i>%d–%d</i>", node->first + 1, node->last + 1);
	else
		fprintf(out, " <i>%d</i> <bdi>", node->first + 1);
	if (node->size > 1) {
		fputs(o->depth[i] <= DEEPEST ? "</summary>\n" : "</div>\n", out);
	} else {
		put_edu(&o->tree->edu[node->first], out);
		fputs("</bdi></div>\n", out);
	}
}

static void put_outline(const hp_outline *o, const hp_rst_difference *differ, FILE *out)
{
	int open = 0; /* elements of inner nodes, one a depth from 0 on */

	fputs("<div class=\"tree\">\n", out);
	for (int i = 0; i < o->tree->nodes; i++) {
		for (; open > o->depth[i]; open--)
			fputs("</details>\n", out);
		put_node(o, differ, i, out);
		open += o->tree->node[i].size > 1 && o->depth[i] <= DEEPEST;
	}
	for (; open > 0; open--)
		fputs("</details>\n", out);
	fputs("</div>\n", out);
}

static int count_nodes(const hp_rst_tree *tree, const hp_rst_difference *differ)
{
	int count = 0;

	for (int i = 0; i < tree->nodes; i++)
		count += hp_rst_is_wrong(differ, i);
	return count;
}

int hp_page_add_rst(hp_page *p, const hp_rst_tree *tree, const hp_rst_difference *differ, const hp_title *title,
                    hp_arena *arena, hp_error *err)
{
	hp_outline o;
	sheet s;
	int status = begin_sheet(&s, err);

	if (status == 0)
		status = end_sheet(&s, hp_draw_rst_svg(tree, differ, p->waiting ? title : NULL, s.file, &s.picture, arena, err),
		                   err);
	if (status == 0 && !hp_outline_make(tree, arena, &o))
		status = hp_fail_memory(err);
	p->count++;
	if (status == 0 && p->waiting) {
		add_waiting(p, &s);
	} else if (status == 0) {
		begin_section(p, title, count_nodes(tree, differ));
		fprintf(p->out, "<details%s><summary>Picture</summary>\n", tree->edus <= MANY_EDUS ? " open" : "");
		put_picture(&s, p->out);
		fprintf(p->out, "</details>\n<details%s><summary>Outline</summary>\n", tree->edus > MANY_EDUS ? " open" : "");
		put_outline(&o, differ, p->out);
		fputs("</details>\n</section>\n", p->out);
	}
	free(s.bytes);
	return status == 0 ? check(p->waiting ? p->waiting : p->out, err) : HP_FAIL;
}
