/* xml_encoding.c: tells expat, by iconv, what the bytes of an encoding mean. */
#include "rst/xml_encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { MALFORMED = -1, TWO_BYTES = -2 };

/* The character that SIZE bytes are; MALFORMED, or TWO_BYTES where they are only the beginning of one. */
static int convert(iconv_t from, const char *bytes, size_t size)
{
	char *in = (char *)bytes;
	uint32_t code[4]; /* some bytes stand for a sequence, which expat cannot be told */
	char *out = (char *)code;
	size_t in_left = size, out_left = sizeof(code);

	iconv(from, NULL, NULL, NULL, NULL);
	if (iconv(from, &in, &in_left, &out, &out_left) == (size_t)-1)
		return errno == EINVAL && size == 1 ? TWO_BYTES : MALFORMED;
	/* Some encodings hold a character back, in case an accent follows. */
	if (iconv(from, NULL, NULL, &out, &out_left) == (size_t)-1 || out_left != sizeof(code) - sizeof(code[0]))
		return MALFORMED;
	if (code[0] > 0xffff || (code[0] >= 0xd800 && code[0] <= 0xdfff))
		return MALFORMED; /* nor characters beyond the basic plane */
	return (int)code[0];
}

static int convert_pair(void *data, const char *bytes)
{
	return convert((iconv_t)data, bytes, 2);
}

static void release(void *data)
{
	iconv_close((iconv_t)data);
}

int hp_xml_encoding(void *arg, const XML_Char *name, XML_Encoding *encoding)
{
	const uint32_t one = 1;
	const char *native = *(const char *)&one == 1 ? "UCS-4LE" : "UCS-4BE";
	iconv_t from = iconv_open(native, name);

	(void)arg;
	if (from == (iconv_t)-1)
		return XML_STATUS_ERROR;
	for (int b = 0; b < 256; b++) {
		char byte = (char)b;

		encoding->map[b] = convert(from, &byte, 1);
	}
	encoding->data = (void *)from;
	encoding->convert = convert_pair;
	encoding->release = release;
	return XML_STATUS_OK;
}
