/* surface.c: tokens of a text in CoNLL-U, and the white space around them. */
#include "tokenize/surface.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

hp_surface hp_surface_of(const hp_sentence *s)
{
	return (hp_surface){hp_sentence_rows(s), 0};
}

bool hp_surface_next(hp_surface *s, hp_surface_token *token)
{
	while (hp_rows_next(&s->rows, &token->row)) {
		const hp_word *row = &token->row;
		const char *id = row->col[HP_ID], *range = memchr(id, '-', row->len[HP_ID]);
		if (memchr(id, '.', row->len[HP_ID]))
			continue;
		token->multi = range != NULL;
		if (range)
			s->covered = strtol(range + 1, NULL, 10); /* a tab follows */
		else if (strtol(id, NULL, 10) <= s->covered)
			continue;
		return true;
	}
	return false;
}

/* ---- escapes ---- */

static const char plain[] = " \t\n\r|\\", escaped[] = "stnrp\\";

/* The character of "\uXXXX" at S as UTF-8 into OUT, how many bytes; 0: there is no such thing. */
static size_t by_number(const char *s, size_t size, char *out)
{
	int32_t code = 0;
	if (size < 6 || s[0] != '\\' || s[1] != 'u')
		return 0;
	for (int i = 2; i < 6; i++) {
		if (!isxdigit((unsigned char)s[i]))
			return 0;
		code = code * 16 + (s[i] <= '9' ? s[i] - '0' : (s[i] | 0x20) - 'a' + 10);
	}
	return code == 0 || !utf8proc_codepoint_valid(code) ? 0
	                                                    : (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)out);
}

size_t hp_spaces_unescape(const char *s, size_t size, char *out)
{
	char *to = out;
	for (size_t i = 0; i < size; i++) {
		size_t numbered = by_number(s + i, size - i, to);
		if (numbered > 0) {
			to += numbered;
			i += 5;
			continue;
		}
		const char *which = s[i] == '\\' && i + 1 < size && s[i + 1] ? strchr(escaped, s[i + 1]) : NULL;
		*to++ = which ? plain[which - escaped] : s[i];
		i += which != NULL;
	}
	return (size_t)(to - out);
}

size_t hp_spaces_escape(const char *s, size_t size, char *out)
{
	char *to = out;
	for (size_t i = 0; i < size; i++) {
		const char *which = s[i] ? strchr(plain, s[i]) : NULL;
		if (which)
			*to++ = '\\';
		*to++ = which ? escaped[which - plain] : s[i];
	}
	return (size_t)(to - out);
}
