/* json.c: JSON from front to back. */
#include "io/json.h"

#include <string.h>

#include "base/utf8.h"

enum { DEEPEST = 64 };

void hp_json_begin(hp_json *j, const char *json, size_t size, char *text)
{
	*j = (hp_json){.start = json, .at = json, .end = json + size, .text = text};
}

void hp_json_fail(hp_json *j, const char *why)
{
	if (!j->why)
		j->why = why;
}

char hp_json_peek(hp_json *j)
{
	while (!j->why && j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\t' || *j->at == '\r'))
		j->at++;
	return j->at < j->end && !j->why ? *j->at : '\0';
}

static bool take(hp_json *j, char c, const char *why)
{
	if (hp_json_peek(j) != c) {
		hp_json_fail(j, j->at < j->end ? why : "the header ends too soon");
		return false;
	}
	j->at++;
	return true;
}

bool hp_json_enter(hp_json *j, char bracket)
{
	return take(j, bracket, bracket == '{' ? "expected '{'" : "expected '['");
}

bool hp_json_more(hp_json *j, char close, bool *first)
{
	bool was_first = *first;

	*first = false;
	if (hp_json_peek(j) == close) {
		j->at++;
		return false;
	}
	if (!was_first)
		return take(j, ',', close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
	if (j->at == j->end)
		hp_json_fail(j, "the header ends too soon");
	return !j->why;
}

/* ---- strings ---- */

static int hex4(const char *s, const char *end)
{
	int code = 0;

	for (int i = 0; i < 4; i++, s++) {
		char c = s < end ? *s : ' ';
		int digit = c >= '0' && c <= '9'   ? c - '0'
		            : c >= 'a' && c <= 'f' ? c - 'a' + 10
		            : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                                   : -1;
		if (digit < 0)
			return -1;
		code = code << 4 | digit;
	}
	return code;
}

static void put_code(hp_json *j, int code)
{
	unsigned char *out = (unsigned char *)j->text;

	if (code < 0x80) {
		*out++ = (unsigned char)code;
	} else if (code < 0x800) {
		*out++ = (unsigned char)(0xc0 | code >> 6);
		*out++ = (unsigned char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*out++ = (unsigned char)(0xe0 | code >> 12);
		*out++ = (unsigned char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (unsigned char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (unsigned char)(0xf0 | code >> 18);
		*out++ = (unsigned char)(0x80 | (code >> 12 & 0x3f));
		*out++ = (unsigned char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (unsigned char)(0x80 | (code & 0x3f));
	}
	j->text = (char *)out;
}

/* \uXXXX, after the u; two of them for what is beyond U+FFFF. */
static void take_code(hp_json *j)
{
	int code = hex4(j->at, j->end);

	if (code >= 0xd800 && code < 0xdc00) {
		bool pair = j->end - j->at >= 6 && j->at[4] == '\\' && j->at[5] == 'u';
		int low = pair ? hex4(j->at + 6, j->end) : -1;

		code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
		j->at += code >= 0 ? 6 : 0;
	} else if (code >= 0xdc00 && code < 0xe000) {
		code = -1;
	}
	if (code < 0)
		hp_json_fail(j, "\\u is not followed by the number of a character");
	else if (code == 0)
		hp_json_fail(j, "a NUL in a string");
	if (j->why)
		return;
	j->at += 4;
	put_code(j, code);
}

static void take_escape(hp_json *j)
{
	static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
	char c = j->at < j->end ? *j->at : '\0';
	const char *found = c ? strchr(letters, c) : NULL;

	if (c == 'u') {
		j->at++;
		take_code(j);
	} else if (found) {
		j->at++;
		*j->text++ = meaning[found - letters];
	} else {
		hp_json_fail(j, "an unknown escape in a string");
	}
}

/* Characters up to the next quotation mark or backslash. */
static void take_plain(hp_json *j)
{
	const char *from = j->at;
	size_t size, valid;

	while (j->at < j->end && *j->at != '"' && *j->at != '\\' && (unsigned char)*j->at >= 0x20)
		j->at++;
	size = j->at - from;
	valid = hp_utf8_valid_prefix(from, size);
	if (valid < size) {
		j->at = from + valid;
		hp_json_fail(j, "a string is not valid UTF-8");
		return;
	}
	memcpy(j->text, from, size);
	j->text += size;
}

const char *hp_json_string(hp_json *j)
{
	const char *string = j->text;

	if (!take(j, '"', "expected a string"))
		return "";
	while (!j->why) {
		char c;

		take_plain(j);
		c = j->at < j->end ? *j->at : '\0';
		if (j->why)
			break;
		if (j->at == j->end) {
			hp_json_fail(j, "the header ends too soon");
		} else if (c == '\\') {
			j->at++;
			take_escape(j);
		} else if (c != '"') {
			hp_json_fail(j, "a control character in a string");
		} else {
			j->at++;
			*j->text++ = '\0'; /* one byte for two quotation marks */
			return string;
		}
	}
	return "";
}

const char *hp_json_key(hp_json *j)
{
	const char *key = hp_json_string(j);

	return take(j, ':', "expected ':'") ? key : "";
}

/* ---- numbers and the rest ---- */

static bool is_digit(const hp_json *j)
{
	return j->at < j->end && *j->at >= '0' && *j->at <= '9';
}

static void take_digits(hp_json *j)
{
	if (!is_digit(j))
		hp_json_fail(j, "expected a digit");
	while (is_digit(j))
		j->at++;
}

bool hp_json_whole(hp_json *j, int64_t *n)
{
	const char *from;
	bool minus = hp_json_peek(j) == '-';
	int64_t value = 0;

	if (j->why)
		return false;
	if (!minus && !is_digit(j)) {
		hp_json_skip(j);
		return false;
	}
	j->at += minus;
	from = j->at;
	if (is_digit(j) && *j->at == '0')
		j->at++;
	else
		take_digits(j);
	if (j->at < j->end && (*j->at == '.' || *j->at == 'e' || *j->at == 'E')) {
		if (*j->at == '.') {
			j->at++;
			take_digits(j);
		}
		if (j->at < j->end && (*j->at == 'e' || *j->at == 'E')) {
			j->at++;
			if (j->at < j->end && (*j->at == '+' || *j->at == '-'))
				j->at++;
			take_digits(j);
		}
		return false;
	}
	for (; from < j->at; from++)
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *from - '0', &value))
			hp_json_fail(j, "a number beyond 64 bits");
	if (!minus && __builtin_mul_overflow(value, -1, &value)) /* gathered as a negative one, of which there are more */
		hp_json_fail(j, "a number beyond 64 bits");
	*n = value;
	return !j->why;
}

static void skip_word(hp_json *j)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t size = strlen(words[i]);

		if ((size_t)(j->end - j->at) >= size && memcmp(j->at, words[i], size) == 0) {
			j->at += size;
			return;
		}
	}
	hp_json_fail(j, j->at < j->end ? "expected a value" : "the header ends too soon");
}

static void skip(hp_json *j, int depth)
{
	char c = hp_json_peek(j);
	char *text = j->text;
	int64_t n;

	if (j->why)
		return;
	if (depth > DEEPEST) {
		hp_json_fail(j, "too many levels");
	} else if (c == '{' || c == '[') {
		char close = c == '{' ? '}' : ']';

		hp_json_enter(j, c);
		for (bool first = true; hp_json_more(j, close, &first);) {
			if (c == '{')
				hp_json_key(j);
			skip(j, depth + 1);
		}
	} else if (c == '"') {
		hp_json_string(j);
	} else if (c == '-' || is_digit(j)) {
		(void)hp_json_whole(j, &n);
	} else {
		skip_word(j);
	}
	j->text = text;
}

void hp_json_skip(hp_json *j)
{
	skip(j, 0);
}

bool hp_json_end(hp_json *j)
{
	if (hp_json_peek(j) != '\0' || j->at < j->end)
		hp_json_fail(j, "text after the header's end");
	return !j->why;
}
