/* error.c: messages that are one line whatever is put into them. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the well-formed UTF-8 character at S, or 0.  Surrogates, overlong forms and what is past U+10FFFF are
 * not well-formed; S ends with a NUL, which stops every sequence. */
static size_t character_length(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t length;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	return length;
}

/* The well-formed character of LENGTH bytes at S. */
static int32_t code_point(const unsigned char *s, size_t length)
{
	int32_t code = length == 1 ? s[0] : s[0] & (0x7f >> length);

	for (size_t i = 1; i < length; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

void hp_escape(char *out, size_t size, const char *raw)
{
	const unsigned char *s = (const unsigned char *)raw;
	size_t used = 0;

	while (*s) {
		size_t length = character_length(s);
		bool escape = length == 0 || hp_is_control(code_point(s, length));
		size_t source = length == 0 ? 1 : length;
		size_t wanted = escape ? 4 * source : source;

		if (used + wanted >= size)
			break;
		if (escape)
			for (size_t i = 0; i < source; i++)
				snprintf(out + used + 4 * i, 5, "\\x%02X", s[i]);
		else
			memcpy(out + used, s, source);
		used += wanted;
		s += source;
	}
	out[used] = '\0';
}

static size_t append(char *raw, size_t size, size_t used, const char *fmt, va_list args)
{
	int n = vsnprintf(raw + used, size - used, fmt, args);

	if (n < 0) {
		raw[used] = '\0';
		return used;
	}
	return used + (size_t)n < size ? used + (size_t)n : size - 1;
}

/* The raw text is somewhat longer than what fits, so that a character it cuts never reaches the result; it is
 * apart from ERR->text because that may be among the arguments. */
enum { RAW_SIZE = sizeof(((hp_error *)0)->text) + 16 };

int hp_fail(hp_error *err, const char *fmt, ...)
{
	char raw[RAW_SIZE];
	va_list args;

	if (!err)
		return HP_FAIL;
	va_start(args, fmt);
	append(raw, sizeof(raw), 0, fmt, args);
	va_end(args);
	hp_escape(err->text, sizeof(err->text), raw);
	return HP_FAIL;
}

int hp_fail_at(hp_error *err, const char *file, long line, const char *fmt, ...)
{
	char raw[RAW_SIZE];
	va_list args;
	int n;

	if (!err)
		return HP_FAIL;
	n = snprintf(raw, sizeof(raw), "%s:%ld: ", file, line);
	if (n < 0)
		n = 0;
	va_start(args, fmt);
	append(raw, sizeof(raw), (size_t)n < sizeof(raw) ? (size_t)n : sizeof(raw) - 1, fmt, args);
	va_end(args);
	hp_escape(err->text, sizeof(err->text), raw);
	return HP_FAIL;
}

int hp_fail_memory(hp_error *err)
{
	return hp_fail(err, "out of memory");
}

int hp_fail_errno(hp_error *err, const char *file)
{
	char buffer[256];

	return hp_fail(err, "%s: %s", file, strerror_r(errno, buffer, sizeof(buffer)));
}
