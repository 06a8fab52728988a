/* error.c: messages that are one line whatever is put into them. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/utf8.h"

void hp_escape(char *out, size_t size, const char *raw)
{
	size_t used = 0;

	while (*raw) {
		int32_t code;
		size_t length = hp_utf8_decode(raw, strnlen(raw, 4), &code);
		bool escape = length == 0 || hp_is_control(code);
		size_t source = length == 0 ? 1 : length;
		size_t wanted = escape ? 4 * source : source;

		if (used + wanted >= size)
			break;
		if (escape)
			for (size_t i = 0; i < source; i++)
				snprintf(out + used + 4 * i, 5, "\\x%02X", (unsigned char)raw[i]);
		else
			memcpy(out + used, raw, source);
		used += wanted;
		raw += source;
	}
	out[used] = '\0';
}

/* The raw text is somewhat longer than what fits, so that a character it cuts never reaches the result; it is
 * apart from ERR->text because that may be among the arguments. */
enum { RAW_SIZE = sizeof(((hp_error *)0)->text) + 16 };

/* FILE may be NULL: no place is named. */
HP_PRINTF(4, 0) static void fail(hp_error *err, const char *file, long line, const char *fmt, va_list args)
{
	char raw[RAW_SIZE];
	int used = file ? snprintf(raw, sizeof(raw), "%s:%ld: ", file, line) : 0;

	if (used < 0)
		used = 0;
	else if (used >= RAW_SIZE)
		used = RAW_SIZE - 1;
	if (vsnprintf(raw + used, RAW_SIZE - used, fmt, args) < 0)
		raw[used] = '\0';
	hp_escape(err->text, sizeof(err->text), raw);
}

int hp_fail(hp_error *err, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return HP_FAIL;
	va_start(args, fmt);
	fail(err, NULL, 0, fmt, args);
	va_end(args);
	return HP_FAIL;
}

int hp_fail_at(hp_error *err, const char *file, long line, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return HP_FAIL;
	va_start(args, fmt);
	fail(err, file, line, fmt, args);
	va_end(args);
	return HP_FAIL;
}

int hp_fail_range(hp_error *err, const char *name, const char *key, int value, int least, int most)
{
	return hp_fail(err, least == most ? "%s: %s is %d: expected %d" : "%s: %s is %d: expected %d to %d", name, key,
	               value, least, most);
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
