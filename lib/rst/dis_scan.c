/* dis_scan.c: finds the end of a tree, byte by byte, so that trees can be taken one by one from a pipe. */
#include "base/blank.h"
#include "rst/dis_parse.h"

#include <string.h>

void hp_dis_scan_start(hp_dis_scan *s)
{
	memset(s, 0, sizeof(*s));
	s->place = HP_DIS_BETWEEN;
}

/* Whether "( Root" at the start of a line is complete with this byte. */
static bool meets_root(hp_dis_scan *s, char c)
{
	static const char wanted[] = "(root";

	if (c == '\n') {
		s->line_start = true;
		s->root = 0;
	} else if (s->line_start && !(hp_is_white(c) && s->root < 2)) {
		if ((c | (s->root > 0 ? 0x20 : 0)) == wanted[s->root])
			s->root++;
		else
			s->line_start = false;
	}
	if (!s->line_start || wanted[s->root] != '\0')
		return false;
	s->line_start = false;
	return true;
}

/* Whether C begins a tag right behind "(text". */
static bool begins_tag(hp_dis_scan *s, char c)
{
	static const char wanted[] = "text";

	if (c == '(')
		s->word = 0;
	else if (hp_is_white(c) ? s->word != 0 && s->word != 4 : c != '<' || s->word != 4)
		s->word = s->word >= 0 && s->word < 4 && (c | 0x20) == wanted[s->word] ? s->word + 1 : -1;
	return c == '<' && s->word == 4;
}

static hp_dis_event in_tree(hp_dis_scan *s, char c)
{
	bool mark = s->underscore && c == '!', tag = begins_tag(s, c);

	s->underscore = c == '_';
	if (mark)
		s->place = HP_DIS_INTEXT;
	else if (tag)
		s->place = HP_DIS_TAGGED, s->tail = 0;
	else if (c == '(')
		s->depth++;
	else if (c == ')' && --s->depth == 0)
		return HP_DIS_DONE;
	return HP_DIS_GO_ON;
}

static void in_text(hp_dis_scan *s, char c)
{
	if (s->underscore && c == '!') {
		s->place = HP_DIS_MARK;
		s->underscore = false;
	} else {
		s->underscore = c == '_';
	}
}

static void in_tagged(hp_dis_scan *s, char c)
{
	s->tail = s->tail << 8 | (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
	/* "</edu>" and "</s>" */
	if ((s->tail & 0xffffffffffff) == 0x3c2f6564753e || (s->tail & 0xffffffff) == 0x3c2f733e)
		s->place = HP_DIS_TAG;
}

hp_dis_event hp_dis_scan_byte(hp_dis_scan *s, char c)
{
	bool inside = s->place != HP_DIS_BETWEEN && s->place != HP_DIS_COMMENT;

	if (inside && meets_root(s, c))
		return HP_DIS_NEW_ROOT;
	switch (s->place) {
	case HP_DIS_BETWEEN:
		if (c == '#')
			s->place = HP_DIS_COMMENT;
		if (c == '(') {
			s->place = HP_DIS_TREE;
			s->depth = 1;
			s->line_start = false;
			s->word = 0;
		}
		break;
	case HP_DIS_COMMENT:
		if (c == '\n')
			s->place = HP_DIS_BETWEEN;
		break;
	case HP_DIS_TREE:
		return in_tree(s, c);
	case HP_DIS_INTEXT:
		in_text(s, c);
		break;
	case HP_DIS_MARK:
		/* The text ends if a bracket follows; the mark's own "_" may begin the true one. */
		if (hp_is_white(c))
			break;
		s->place = HP_DIS_INTEXT;
		if (c == ')') {
			s->place = HP_DIS_TREE;
			return in_tree(s, c);
		}
		in_text(s, c);
		break;
	case HP_DIS_TAGGED:
		in_tagged(s, c);
		break;
	case HP_DIS_TAG:
		if (hp_is_white(c))
			break;
		s->place = c == ')' ? HP_DIS_TREE : HP_DIS_TAGGED;
		if (c == ')')
			return in_tree(s, c);
		in_tagged(s, c);
		break;
	}
	return HP_DIS_GO_ON;
}
