/* markup.c: texts inside XML, HTML and TeX. */
#include "draw/markup.h"

#include <string.h>
#include "base/utf8.h"

hp_slice hp_slice_of(const char *text)
{
	return (hp_slice){text, strlen(text)};
}

static const char *tex_name(int32_t code)
{
	switch (code) {
	case '\\':
		return "\\textbackslash{}";
	case '~':
		return "\\textasciitilde{}";
	case '^':
		return "\\textasciicircum{}";
	case '<':
		return "\\textless{}";
	case '>':
		return "\\textgreater{}";
	case '|':
		return "\\textbar{}";
	case '"':
		return "\\textquotedbl{}";
	case '&': /* \& parts columns */
		return "\\symbol{38}";
	case '%':
		return "\\%";
	case '$':
		return "\\$";
	case '#':
		return "\\#";
	case '_':
		return "\\_";
	case '{':
		return "\\{";
	case '}':
		return "\\}";
	case '[': /* could begin an option */
		return "{[}";
	case ']':
		return "{]}";
	case ',': /* could part options */
		return "{,}";
	case '=':
		return "{=}";
	default:
		return NULL;
	}
}

/* TEXT with the names of characters that have one, and INVALID for those that are not shown. */
static void put(FILE *out, hp_slice text, const char *(*name)(int32_t), const char *invalid)
{
	for (size_t at = 0; at < text.size;) {
		int32_t code = 0;
		int length = hp_utf8_decode(text.s + at, text.size - at, &code);
		const char *other = length == 0 || hp_draw_shown(code) != code ? invalid : name(code);

		if (other)
			fputs(other, out);
		else
			(void)fwrite(text.s + at, 1, length, out);
		at += length ? length : 1;
	}
}

void hp_put_xml(FILE *out, hp_slice text)
{
	put(out, text, hp_utf8_entity, "\xEF\xBF\xBD");
}

void hp_put_xml_cut(FILE *out, hp_slice text, int size, int pixels)
{
	bool cut = hp_draw_fit_pixels(text, size, pixels) < text.size;

	if (cut)
		text.size = hp_draw_fit_pixels(text, size, pixels - size);
	hp_put_xml(out, text);
	if (cut)
		fputs("…", out);
}

int hp_put_caption(FILE *out, const hp_title *title, int x, int y, int size, int most)
{
	int note = title->note.size ? hp_draw_pixels(title->note, size) + size : 0, room = most > note ? most - note : 0;
	int label = hp_draw_pixels(title->label, size);

	if (title->label.size == 0)
		return 0;
	fprintf(out, "<text class=\"caption\" x=\"%d\" y=\"%d\">", x, y);
	hp_put_xml_cut(out, title->label, size, room);
	if (note) {
		fprintf(out, "<tspan dx=\"%d\">", size);
		hp_put_xml(out, title->note);
		fputs("</tspan>", out);
	}
	fputs("</text>\n", out);
	return (label < room ? label : room) + note;
}

void hp_put_tex(FILE *out, hp_slice text)
{
	put(out, text, tex_name, "?");
}
