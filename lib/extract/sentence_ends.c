/* sentence_ends.c: sentences by their punctuation and by paragraphs. */
#include "extract/align.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "base/utf8.h"
#include "rst/build.h"

/* First and last characters of Unicode's property Sentence_Terminal within the basic plane, and the ellipsis, which is
 * treated as three full stops are. */
static const uint16_t stops[][2] = {
	{0x21, 0x21},     {0x2e, 0x2e},     {0x3f, 0x3f},     {0x589, 0x589},   {0x61d, 0x61f},   {0x6d4, 0x6d4},
	{0x700, 0x702},   {0x7f9, 0x7f9},   {0x837, 0x837},   {0x839, 0x839},   {0x83d, 0x83e},   {0x964, 0x965},
	{0x104a, 0x104b}, {0x1362, 0x1362}, {0x1367, 0x1368}, {0x166e, 0x166e}, {0x1735, 0x1736}, {0x17d4, 0x17d5},
	{0x1803, 0x1803}, {0x1809, 0x1809}, {0x1944, 0x1945}, {0x1aa8, 0x1aab}, {0x1b5a, 0x1b5b}, {0x1b5e, 0x1b5f},
	{0x1c3b, 0x1c3c}, {0x1c7e, 0x1c7f}, {0x2026, 0x2026}, {0x203c, 0x203d}, {0x2047, 0x2049}, {0x2e2e, 0x2e2e},
	{0x2e3c, 0x2e3c}, {0x2e53, 0x2e54}, {0x3002, 0x3002}, {0xa4ff, 0xa4ff}, {0xa60e, 0xa60f}, {0xa6f3, 0xa6f3},
	{0xa6f7, 0xa6f7}, {0xa876, 0xa877}, {0xa8ce, 0xa8cf}, {0xa92f, 0xa92f}, {0xa9c8, 0xa9c9}, {0xaa5d, 0xaa5f},
	{0xaaf0, 0xaaf1}, {0xabeb, 0xabeb}, {0xfe52, 0xfe52}, {0xfe56, 0xfe57}, {0xff01, 0xff01}, {0xff0e, 0xff0e},
	{0xff1f, 0xff1f}, {0xff61, 0xff61},
};

static bool is_stop(int32_t code)
{
	size_t i = 0;

	while (i + 1 < sizeof(stops) / sizeof(stops[0]) && stops[i][1] < code)
		i++;
	return code >= stops[i][0] && code <= stops[i][1];
}

/* What may stand behind a stop: blanks, brackets, quotation marks; straight ones are neither opening nor closing, and some
 * languages close with what others open with. */
static bool may_follow(int32_t code)
{
	switch (utf8proc_category(code)) {
	case UTF8PROC_CATEGORY_PS:
	case UTF8PROC_CATEGORY_PE:
	case UTF8PROC_CATEGORY_PI:
	case UTF8PROC_CATEGORY_PF:
	case UTF8PROC_CATEGORY_ZS:
		return true;
	default:
		return code == '"' || code == '\'' || code == '`' || code == 0xff02 || code == 0xff07 || code == 0x200b ||
		       code == 0x200e || code == 0x200f || code == 0xfeff;
	}
}

/* The last character of the SIZE bytes at S, which are UTF-8; its length. */
static size_t last_character(const char *s, size_t size, int32_t *code)
{
	size_t at = size - 1;

	while (at > 0 && (s[at] & 0xc0) == 0x80)
		at--;
	if (hp_utf8_decode(s + at, size - at, code) == 0)
		*code = 0;
	return size - at;
}

/* Less one bracket in the spelling of the Penn Treebank, if it ends so. */
static size_t cut_bracket(const char *s, size_t size)
{
	static const char *const brackets[] = {"-RRB-", "-RSB-", "-RCB-", "-LRB-", "-LSB-", "-LCB-"};

	for (size_t i = 0; size > 5 && i < sizeof(brackets) / sizeof(brackets[0]); i++) {
		if (memcmp(s + size - 5, brackets[i], 5) == 0)
			return size - 5;
	}
	return size;
}

static bool ends_sentence(const hp_rst_edu *edu)
{
	size_t size = edu->size;

	while (size > 0) {
		int32_t code;
		size_t length = last_character(edu->text, size, &code), less;

		if (may_follow(code))
			size -= length;
		else if ((less = cut_bracket(edu->text, size)) < size)
			size = less;
		else
			return is_stop(code);
	}
	return false;
}

static bool begins_small(const hp_rst_edu *edu)
{
	int32_t code;

	return hp_utf8_decode(edu->text, edu->size, &code) > 0 && utf8proc_category(code) == UTF8PROC_CATEGORY_LL;
}

static bool is_end(const hp_rst_tree *t, int32_t e)
{
	const hp_rst_edu *edu = &t->edu[e];

	return edu->paragraph || edu->apart || e + 1 == t->edus || (ends_sentence(edu) && !begins_small(edu + 1));
}

int hp_align_by_marks(const hp_rst_tree *t, hp_extent **out, int *count, hp_error *err)
{
	int32_t first = 0;

	*count = 0;
	*out = calloc((size_t)t->edus + 1, sizeof(**out));
	if (!*out)
		return hp_fail_memory(err);
	for (int32_t e = 0; e < t->edus; e++) {
		if (t->sents > 0 ? t->sent_end[*count] != e : !is_end(t, e))
			continue;
		(*out)[(*count)++] = (hp_extent){first, e, false, t->edu[first].line};
		first = e + 1;
	}
	return 0;
}

int hp_align_set_ends(hp_rst_tree *t, hp_error *err)
{
	hp_extent *extent;
	int count, status;

	if (hp_align_by_marks(t, &extent, &count, err) != 0)
		return HP_FAIL;
	int32_t *end = malloc((size_t)count * sizeof(*end) + 1);
	for (int i = 0; end && i < count; i++)
		end[i] = extent[i].last;
	status = end ? hp_rst_set_sentences(t, count, end, err) : hp_fail_memory(err);
	free(end);
	free(extent);
	return status;
}
