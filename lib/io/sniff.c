/* sniff.c: the kinds of files that are often given in place of what is expected.
 *
 * None of them can begin what is read here: most begin with bytes that are no UTF-8, or with NUL bytes; the others with
 * text that nobody writes, such as a Git LFS pointer.  Models and tensor streams are told as well, for readers of text;
 * who expects one asks only after its header was refused. */
#include "io/sniff.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>
#include "base/blank.h"
#include "io/safetensors.h"

enum { FIRST_BYTES = 512, MOST_UNITS = 32, MOST_BYTES = 1 << 20 };

typedef struct kind {
	const char *mark; /* at the beginning */
	size_t size; /* of the mark */
	const char *what, *advice; /* advice: NULL or what to do */
} kind;

#define MARK(bytes) bytes, sizeof(bytes) - 1

static const kind kinds[] = {
	{MARK("\x1F\x8B"), "gzip data", "unpack it first (gunzip)"},
	{MARK("\xFD"
          "7zXZ\0"),
     "xz data", "unpack it first (unxz)"},
	{MARK("PK\5\6"), "a zip archive", "unpack it first (unzip)"},
	{MARK("\x28\xB5\x2F\xFD"), "zstd data", "unpack it first (unzstd)"},
	{MARK("\x04\x22\x4D\x18"), "lz4 data", "unpack it first (unlz4)"},
	{MARK("LZIP\1"), "lzip data", "unpack it first (lzip -d)"},
	{MARK("\x1F\x9D"), "compress data", "unpack it first (gunzip)"},
	{MARK("7z\xBC\xAF\x27\x1C"), "a 7z archive", "unpack it first (7z x)"},
	{MARK("Rar!\x1A\7"), "a RAR archive", "unpack it first (unrar x)"},
	{MARK("\xBA\x16\x4F\x2F"), "a fastText binary model", "its .vec file is the text form"},
	{MARK("\x93NUMPY"), "a NumPy array", NULL},
	{MARK("\x89HDF"), "an HDF5 file", NULL},
	{MARK("\x80\2"), "a Python pickle", NULL},
	{MARK("\x80\3"), "a Python pickle", NULL},
	{MARK("\x80\4"), "a Python pickle", NULL},
	{MARK("\x80\5"), "a Python pickle", NULL},
	{MARK("%PDF-"), "a PDF file", "extract its text (pdftotext)"},
	{MARK("{\\rtf"), "an RTF document", "save it as plain text"},
	{MARK("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), "an office document", "save it as plain text"},
	{MARK("version https://git-lfs"), "a Git LFS pointer, not the file itself", "git lfs pull fetches it"},
	{MARK("\xFF\xFE\0\0"), "UTF-32", "iconv -f UTF-32 -t UTF-8 converts it"},
	{MARK("\0\0\xFE\xFF"), "UTF-32", "iconv -f UTF-32 -t UTF-8 converts it"},
	{MARK("\xFF\xFE"), "UTF-16", "iconv -f UTF-16 -t UTF-8 converts it"},
	{MARK("\xFE\xFF"), "UTF-16", "iconv -f UTF-16 -t UTF-8 converts it"},
};

static const kind zip = {MARK("PK\3\4"), "a zip archive", "unpack it first (unzip)"};
static const kind bzip2 = {MARK("BZh"), "bzip2 data", "unpack it first (bunzip2)"};
static const kind torch = {MARK("PK\3\4"), "a PyTorch file", NULL};
static const kind numpy_zip = {MARK("PK\3\4"), "a NumPy archive", NULL};
static const kind office = {MARK("PK\3\4"), "an office document", "save it as plain text"};
static const kind tar = {MARK("ustar"), "a tar archive", "unpack it first (tar -x)"};
static const kind xml = {MARK(""), "XML", "rst-convert reads .rs3 and .rs4"};
static const kind html = {MARK(""), "an HTML page", "is it an error message of a download?"};
static const kind utf16le = {MARK(""), "UTF-16 without its mark", "iconv -f UTF-16LE -t UTF-8 converts it"};
static const kind utf16be = {MARK(""), "UTF-16 without its mark", "iconv -f UTF-16BE -t UTF-8 converts it"};
static const kind image = {MARK(""), "safetensors data (a model or a tensor stream)", "hp-cat shows it"};

static bool begins(const char *data, size_t size, const kind *k)
{
	return size >= k->size && memcmp(data, k->mark, k->size) == 0;
}

static bool ends(const char *name, size_t size, const char *ending)
{
	size_t length = strlen(ending);

	return size >= length && memcmp(name + size - length, ending, length) == 0;
}

/* What is in a zip archive is told by the name of its first file. */
static const kind *zip_kind(const char *data, size_t size)
{
	enum { NAME_SIZE = 26, NAME = 30 };
	const char *name = data + NAME;
	size_t length;

	if (size < NAME)
		return &zip;
	length = (unsigned char)data[NAME_SIZE] | (size_t)(unsigned char)data[NAME_SIZE + 1] << 8;
	if (length > size - NAME)
		length = size - NAME;
	if (ends(name, length, "/data.pkl"))
		return &torch;
	if (ends(name, length, ".npy"))
		return &numpy_zip;
	return ends(name, length, "[Content_Types].xml") || ends(name, length, "mimetype") ? &office : &zip;
}

static bool is_bzip2(const char *data, size_t size)
{
	return size >= 10 && begins(data, size, &bzip2) && data[3] >= '1' && data[3] <= '9' &&
	       (memcmp(data + 4, "1AY&SY", 6) == 0 || memcmp(data + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

/* Whether the first word is one of FIRST, which end with NULL. */
static bool opens(const char *data, size_t size, const char *const *first)
{
	if (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) {
		data += 3;
		size -= 3;
	}
	while (size > 0 && hp_is_white(*data)) {
		data++;
		size--;
	}
	for (; *first; first++)
		if (size >= strlen(*first) && strncasecmp(data, *first, strlen(*first)) == 0)
			return true;
	return false;
}

bool hp_sniff_is_html(const char *data, size_t size)
{
	return opens(data, size, (const char *const[]){"<!doctype html", "<html", NULL});
}

static bool is_ascii(char c)
{
	return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
}

/* Whether most units of two bytes are ASCII characters with a NUL byte, the one number HIGH of the unit. */
static bool is_utf16(const char *data, size_t size, int high)
{
	size_t units = size / 2 < MOST_UNITS ? size / 2 : MOST_UNITS, found = 0;

	for (size_t i = 0; i < units; i++)
		found += data[2 * i + (size_t)high] == '\0' && is_ascii(data[2 * i + 1 - (size_t)high]);
	return units > 1 && 2 * found > units;
}

/* A header's length, and a header. */
static bool is_image(const char *data, size_t size)
{
	uint64_t length = 0;

	if (size < 10 || data[8] != '{' || (data[9] != '"' && data[9] != '}' && data[9] != ' ' && data[9] != '\n'))
		return false;
	for (int i = 7; i >= 0; i--)
		length = length << 8 | (unsigned char)data[i];
	return length >= 2 && length <= HP_MAX_HEADER;
}

static const kind *find(const char *data, size_t size)
{
	enum { TAR_MARK = 257 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (begins(data, size, &kinds[i]))
			return &kinds[i];
	if (is_bzip2(data, size))
		return &bzip2;
	if (begins(data, size, &zip))
		return zip_kind(data, size);
	if (size > TAR_MARK && begins(data + TAR_MARK, size - TAR_MARK, &tar))
		return &tar;
	if (hp_sniff_is_html(data, size))
		return &html;
	if (opens(data, size, (const char *const[]){"<?xml ", "<rst>", "<rst ", NULL}))
		return &xml;
	if (is_image(data, size))
		return &image;
	return is_utf16(data, size, 1) ? &utf16le : is_utf16(data, size, 0) ? &utf16be : NULL;
}

int hp_sniff(const void *data, size_t size, const char *name, const char *expected, hp_error *err)
{
	const kind *k = find(data, size);

	if (!k)
		return 0;
	return hp_fail(err, "%s: %s, expected %s%s%s", name, k->what, expected, k->advice ? ": " : "",
	               k->advice ? k->advice : "");
}

int hp_sniff_input(hp_input *in, const char *expected, hp_error *err)
{
	const char *data;
	size_t size;

	if (hp_input_peek(in, FIRST_BYTES, &data, &size, err) != 0)
		return HP_FAIL;
	return hp_sniff(data, size, hp_input_name(in), expected, err);
}

/* The first line that is no comment and not blank, from its first character on, or NULL if it is not among these bytes. */
static const char *first_line(const char *s, const char *end)
{
	size_t mark = end - s < 3 ? (size_t)(end - s) : 3; /* of the order of bytes, as far as it is there */

	if (!memcmp(s, "\xef\xbb\xbf", mark))
		s += mark;
	while (s < end) {
		const char *newline;

		while (s < end && strchr(" \t\r\n", *s) && *s)
			s++;
		if (s == end || *s != '#')
			break;
		newline = memchr(s, '\n', end - s);
		s = newline ? newline : end;
	}
	return s < end ? s : NULL;
}

bool hp_sniff_is_conllu(const char *data, size_t size)
{
	const char *line = first_line(data, data + size), *end = line ? memchr(line, '\n', data + size - line) : NULL;
	int tabs = 0;

	if (!end || *line != '1' || (line[1] != '\t' && line[1] != '-'))
		return false;
	for (const char *p = line; p < end; p++)
		tabs += *p == '\t';
	return tabs == 9;
}

/* Whether the first line that is no comment and not blank begins with a bracket and, unless WORD is NULL, blanks and this word.
 * It waits for no more than that takes. */
static int sniff_bracket(hp_input *in, const char *word, bool *found, hp_error *err)
{
	enum { LONGEST = 64 }; /* bracket, blanks and word */

	*found = false;
	for (size_t want = 1;; want *= 2) {
		const char *data, *line;
		size_t size;

		if (hp_input_peek(in, want, &data, &size, err))
			return HP_FAIL;
		line = first_line(data, data + size);
		bool last = size < want || want >= MOST_BYTES;
		size_t left = line ? (size_t)(data + size - line) : 0, at = 1;
		if (line && (*line != '(' || !word || last || left >= LONGEST)) {
			while (word && at < left && hp_is_blank(line[at]))
				at++;
			*found = *line == '(' && (!word || (left - at >= strlen(word) && !memcmp(line + at, word, strlen(word))));
			return 0;
		}
		if (last)
			return 0;
		if (size > want)
			want = size;
	}
}

int hp_sniff_dis(hp_input *in, bool *is_dis, hp_error *err)
{
	return sniff_bracket(in, NULL, is_dis, err);
}

int hp_sniff_root(hp_input *in, bool *is_root, hp_error *err)
{
	return sniff_bracket(in, "Root", is_root, err);
}
