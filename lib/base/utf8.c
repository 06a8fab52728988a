/* utf8.c: strict UTF-8, and by utf8proc what Unicode says of a character. */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Characters of a word that are normalised without asking for memory. */
enum { SHORT_WORD = 256, SHOWN = 40 };

static bool continues(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

int hp_utf8_decode(const char *s, size_t size, int32_t *code)
{
	const unsigned char *u = (const unsigned char *)s;

	if (size == 0)
		return 0;
	if (u[0] < 0x80) {
		*code = u[0];
		return 1;
	}
	if (u[0] < 0xC2) /* a continuation byte, or the first of an overlong pair */
		return 0;
	if (u[0] < 0xE0) {
		if (size < 2 || !continues(u[1]))
			return 0;
		*code = (u[0] & 0x1F) << 6 | (u[1] & 0x3F);
		return 2;
	}
	if (u[0] < 0xF0) {
		if (size < 3 || !continues(u[1]) || !continues(u[2]))
			return 0;
		*code = (u[0] & 0x0F) << 12 | (u[1] & 0x3F) << 6 | (u[2] & 0x3F);
		return *code < 0x800 || (*code >= 0xD800 && *code <= 0xDFFF) ? 0 : 3; /* overlong; surrogates */
	}
	if (u[0] > 0xF4 || size < 4 || !continues(u[1]) || !continues(u[2]) || !continues(u[3]))
		return 0;
	*code = (u[0] & 0x07) << 18 | (u[1] & 0x3F) << 12 | (u[2] & 0x3F) << 6 | (u[3] & 0x3F);
	return *code < 0x10000 || *code > 0x10FFFF ? 0 : 4;
}

/* Length of the leading part that is ASCII.  Most text is: eight bytes at a time. */
static size_t ascii_prefix(const char *s, size_t size)
{
	size_t at = 0;
	uint64_t eight;

	for (; size - at >= sizeof(eight); at += sizeof(eight)) {
		memcpy(&eight, s + at, sizeof(eight));
		if (eight & UINT64_C(0x8080808080808080))
			break;
	}
	while (at < size && !(s[at] & 0x80))
		at++;
	return at;
}

size_t hp_utf8_valid_prefix(const char *s, size_t size)
{
	size_t at = 0;

	while (at < size) {
		int32_t code;
		int length;

		at += ascii_prefix(s + at, size - at);
		while (at < size && (s[at] & 0x80)) {
			length = hp_utf8_decode(s + at, size - at, &code);
			if (length == 0)
				return at;
			at += length;
		}
	}
	return size;
}

int hp_utf8_shown(const char *s, size_t size)
{
	return hp_utf8_valid_prefix(s, size < SHOWN ? size : SHOWN);
}

size_t hp_utf8_apart(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t at = 0;

	while (at < a_size && at < b_size && a[at] == b[at])
		at++;
	if (at < SHOWN - 8) /* the characters there are shown whole */
		return 0;
	for (at -= 16; at > 0 && (a[at] & 0xc0) == 0x80; at--)
		;
	return at;
}

int hp_utf8_space(const char *s, size_t size)
{
	int32_t code;
	int length = hp_utf8_decode(s, size, &code);

	return length && utf8proc_category(code) == UTF8PROC_CATEGORY_ZS ? length : 0;
}

static void skip_spaces(const char **s, const char *end)
{
	int length;

	while (*s < end && (length = hp_utf8_space(*s, end - *s)) > 0)
		*s += length;
}

bool hp_utf8_white_code(int32_t c)
{
	return (c >= 0x9 && c <= 0xd) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

int hp_utf8_white(const char *s, size_t size)
{
	int32_t code;
	int length = hp_utf8_decode(s, size, &code);

	return length > 0 && hp_utf8_white_code(code) ? length : 0;
}

size_t hp_utf8_cut_white(const char *s, size_t size)
{
	size_t begin = size;

	while (begin > 0) {
		do
			begin--;
		while (begin > 0 && continues((unsigned char)s[begin]));
		if (hp_utf8_white(s + begin, size - begin) != (int)(size - begin))
			break;
		size = begin;
	}
	return size;
}

bool hp_utf8_same(const char *a, size_t a_size, const char *b, size_t b_size)
{
	const char *a_end = a + a_size, *b_end = b + b_size;

	if (a_size == b_size && !memcmp(a, b, a_size))
		return true;
	for (;;) {
		skip_spaces(&a, a_end);
		skip_spaces(&b, b_end);
		if (a == a_end || b == b_end)
			return a == a_end && b == b_end;
		if (*a++ != *b++)
			return false;
	}
}

static bool code_is_punctuation(int32_t code)
{
	utf8proc_category_t category = utf8proc_category(code);

	return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

int32_t hp_utf8_typed(int32_t code)
{
	if (code == 0x2bc || (code >= 0x2018 && code <= 0x201b) || code == 0x2032 || code == 0x2039 || code == 0x203a)
		return '\'';
	if (code == 0xab || code == 0xbb || (code >= 0x201c && code <= 0x201f) || code == 0x2033)
		return '"';
	return (code >= 0x2010 && code <= 0x2015) || code == 0x2212 ? '-' : code;
}

size_t hp_utf8_typed_text(const char *s, size_t size, char *out)
{
	size_t at = 0, written = 0;
	bool any = false;

	while (at < size) {
		int32_t code;
		int length = hp_utf8_decode(s + at, size - at, &code);
		int32_t typed = length > 1 ? hp_utf8_typed(code) : 0;

		length = length > 0 ? length : 1;
		if (typed > 0 && typed != code) {
			out[written++] = (char)typed;
			any = true;
		} else {
			memcpy(out + written, s + at, (size_t)length);
			written += (size_t)length;
		}
		at += (size_t)length;
	}
	return any ? written : 0;
}

bool hp_utf8_is_punctuation(const char *s, size_t size)
{
	size_t at = 0;

	while (at < size) {
		int32_t code;
		int length = hp_utf8_decode(s + at, size - at, &code);

		if (length == 0 || !code_is_punctuation(code))
			return false;
		at += length;
	}
	return size > 0;
}

static size_t copy_key(const char *s, size_t size, bool lower, char *out, size_t capacity)
{
	size_t n = size < capacity ? size : capacity;

	for (size_t i = 0; i < n; i++)
		out[i] = lower && s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] - 'A' + 'a') : s[i];
	return size;
}

/* COUNT characters to at most CAPACITY bytes; a character that no longer fits ends the writing. */
static size_t encode(const utf8proc_int32_t *code, size_t count, char *out, size_t capacity)
{
	size_t needed = 0;

	for (size_t i = 0; i < count; i++) {
		utf8proc_uint8_t bytes[4];
		size_t length = utf8proc_encode_char(code[i], bytes);

		if (needed + length <= capacity)
			memcpy(out + needed, bytes, length);
		else
			capacity = needed; /* nothing after the gap */
		needed += length;
	}
	return needed;
}

/* NFC of the decomposed characters, lower case, NFC again: J with a caron has no composed form, its small letter has.
 * Returns the number of characters, negative on failure. */
static utf8proc_ssize_t compose_key(utf8proc_int32_t *code, utf8proc_ssize_t count, bool lower)
{
	const utf8proc_option_t compose = UTF8PROC_STABLE | UTF8PROC_COMPOSE;

	count = utf8proc_normalize_utf32(code, count, compose);
	if (count < 0 || !lower)
		return count;
	for (utf8proc_ssize_t i = 0; i < count; i++)
		code[i] = utf8proc_tolower(code[i]);
	return utf8proc_normalize_utf32(code, count, compose);
}

size_t hp_utf8_key(const char *s, size_t size, bool lower, char *out, size_t capacity)
{
	const utf8proc_option_t decompose = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
	const utf8proc_uint8_t *u = (const utf8proc_uint8_t *)s;
	utf8proc_int32_t few[SHORT_WORD + 1], *code = few; /* one more: utf8proc may write past the last */
	utf8proc_ssize_t count;
	size_t needed;

	if (ascii_prefix(s, size) == size)
		return copy_key(s, size, lower, out, capacity);
	if (hp_utf8_valid_prefix(s, size) < size)
		return copy_key(s, size, false, out, capacity);
	count = utf8proc_decompose(u, (utf8proc_ssize_t)size, code, SHORT_WORD, decompose);
	if (count > SHORT_WORD) {
		code = malloc(((size_t)count + 1) * sizeof(*code));
		if (!code)
			return copy_key(s, size, false, out, capacity);
		count = utf8proc_decompose(u, (utf8proc_ssize_t)size, code, count, decompose);
	}
	if (count >= 0)
		count = compose_key(code, count, lower);
	if (count >= 0)
		needed = encode(code, count, out, capacity);
	else
		needed = copy_key(s, size, false, out, capacity);
	if (code != few)
		free(code);
	return needed;
}

const char *hp_utf8_entity(int32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}
