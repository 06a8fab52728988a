/* signs.c: characters and runs of white space. */
#include "tokenize/signs.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/grow.h"
#include "base/utf8.h"

enum { RUN = 4096, BYTE_ORDER_MARK = 0xfeff, PARAGRAPH_SEPARATOR = 0x2029 }; /* RUN: bytes of white space a sign */

void hp_signs_init(hp_signs *s, bool lines)
{
	*s = (hp_signs){.lines = lines};
}

void hp_signs_free(hp_signs *s)
{
	free(s->text);
	free(s->sign);
	*s = (hp_signs){0};
}

void hp_signs_restart(hp_signs *s)
{
	s->begun = s->open = false;
	s->grapheme = 0;
}

/* ---- adding ---- */

/* Line ends among characters of white space: a carriage return before a line feed is part of that. */
static int line_ends(int32_t code, bool *returned)
{
	int ends = code == '\n' || code == 0xb || code == 0x85 || code == 0x2028 ? 1 : code == PARAGRAPH_SEPARATOR ? 2 : 0;
	ends += *returned && code != '\n';
	*returned = code == '\r';
	return ends;
}

int hp_line_ends(const char *s, size_t size)
{
	bool returned = false;
	int ends = 0;
	for (size_t i = 0; i < size;) {
		int32_t code;
		int length = hp_utf8_decode(s + i, size - i, &code);
		ends += line_ends(code, &returned);
		i += length > 0 ? (size_t)length : 1;
	}
	return ends + returned;
}

static void push(hp_signs *s, int32_t code, uint8_t kind, size_t at)
{
	s->sign[s->count++] = (hp_sign){.at = (uint32_t)at, .code = code, .kind = kind};
}

/* What ends a paragraph is complete at once, so that nobody waits for more; white space behind it is a sign of its own. */
static void set_kind(hp_signs *s)
{
	hp_sign *run = &s->sign[s->count - 1];
	bool paragraph = s->ends > 1 || (s->ends == 1 && s->lines) || s->size - run->at >= RUN;
	run->kind = paragraph ? HP_SIGN_PARAGRAPH : s->ends ? HP_SIGN_LINE : HP_SIGN_BLANK;
	run->code = run->kind == HP_SIGN_BLANK ? ' ' : '\n';
	s->open = !paragraph;
}

static void add_white(hp_signs *s, int32_t code, size_t at)
{
	if (!s->open) {
		push(s, ' ', HP_SIGN_BLANK, at);
		s->ends = 0;
		s->returned = false;
		s->grapheme = 0;
	}
	s->ends += line_ends(code, &s->returned);
	set_kind(s);
}

/* Nothing follows in the run of white space. */
static void close_run(hp_signs *s)
{
	if (s->open && s->returned) {
		s->ends++;
		set_kind(s);
	}
	s->open = false;
}

uint8_t hp_sign_kind(int32_t code)
{
	return (uint8_t)utf8proc_category(code);
}

static void add_other(hp_signs *s, int32_t code, size_t at)
{
	close_run(s);
	hp_sign *before = s->count ? &s->sign[s->count - 1] : NULL;
	if (before && !hp_sign_is_white(before))
		before->joined = !utf8proc_grapheme_break_stateful(before->code, code, &s->grapheme);
	push(s, code, hp_sign_kind(code), at);
}

int hp_signs_add(hp_signs *s, const char *bytes, size_t size, hp_error *err)
{
	if (size > UINT32_MAX / 2 - s->size || !hp_grow(&s->text, &s->text_capacity, s->size + size, 1) ||
	    !hp_grow(&s->sign, &s->capacity, (size_t)s->count + size, sizeof *s->sign))
		return hp_fail_memory(err);
	for (size_t i = 0; i < size;) {
		int32_t code;
		int length = hp_utf8_decode(bytes + i, size - i, &code);
		if (length == 0)
			return hp_fail(err, "not UTF-8"); /* the caller looks first */
		size_t at = s->size;
		memcpy(s->text + at, bytes + i, (size_t)length);
		s->size += (size_t)length;
		i += (size_t)length;
		if (hp_utf8_white_code(code) || (code == BYTE_ORDER_MARK && !s->begun))
			add_white(s, code, at);
		else
			add_other(s, code, at);
		s->begun = true;
	}
	return 0;
}

void hp_signs_end(hp_signs *s)
{
	close_run(s);
	if (s->count && hp_sign_is_white(&s->sign[s->count - 1]))
		s->sign[s->count - 1].kind = HP_SIGN_PARAGRAPH;
	s->grapheme = 0;
}

bool hp_signs_at_line_end(const hp_signs *s)
{
	return s->size > 0 && s->text[s->size - 1] == '\n';
}

void hp_signs_drop(hp_signs *s, int count)
{
	if (count == 0)
		return;
	size_t at = hp_sign_end(s, count - 1);
	memmove(s->text, s->text + at, s->size - at);
	s->size -= at;
	s->count -= count;
	memmove(s->sign, s->sign + count, (size_t)s->count * sizeof *s->sign);
	for (int i = 0; i < s->count; i++)
		s->sign[i].at -= (uint32_t)at;
	if (!s->count)
		s->open = false;
}
