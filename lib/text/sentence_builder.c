/* sentence_builder.c: the rules of CoNLL-U for the lines of one sentence.
 *
 * A line begins with '#' (a comment, wherever it stands) or with a number (a word, a multiword token, an empty node):
 * so a token that is "#" is no comment.  The end of a line is a line feed and nothing else: U+2028, U+0085, a form
 * feed or a lone carriage return belong to the text; but a row behind such a one tells that all lines end so.  A line of
 * blanks or tabs only is refused: it is not the empty line that ends a sentence, nor ten columns, and the two programs
 * that read it next would differ about it. */
#include "text/sentence_builder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "base/grow.h"
#include "base/utf8.h"

/* Columns are kept as 32-bit lengths, and no sentence of 20,000 words comes near this. */
#define BLOCK_LIMIT ((size_t)1 << 30)
enum { FIRST_TEXT = 4096, ID_DIGITS = 9, SHOWN = 40 };

const char hp_no_column[] = "_";

void hp_builder_start(hp_builder *b, const hp_columns *columns, const char *name, int max_words)
{
	if (columns)
		b->s.columns = *columns;
	else
		memset(&b->s.columns, 0, sizeof(b->s.columns));
	b->s.size = 0;
	b->s.words = 0;
	b->s.line = 0;
	b->s.rows_at = 0;
	b->name = name;
	b->max_words = max_words < 1 ? INT_MAX : max_words;
	b->id = b->empty = b->range_end = 0;
	b->range_line = b->last_line = 0;
	b->columns = 0;
	b->named = b->failed = false;
}

void hp_builder_trim(const char **line, size_t *size)
{
	while (*size >= 3 && memcmp(*line, "\xEF\xBB\xBF", 3) == 0) {
		*line += 3;
		*size -= 3;
	}
	while (*size > 0 && (*line)[*size - 1] == '\r')
		--*size;
}

/* Makes room for SIZE more bytes.  The words' columns point into the text and move with it. */
static int reserve_text(hp_builder *b, size_t size)
{
	hp_sentence *s = &b->s;
	size_t capacity = s->text_capacity ? s->text_capacity : FIRST_TEXT;
	size_t limit = b->failed ? HP_LINE_LIMIT : BLOCK_LIMIT;
	char *text;

	if (size > limit || s->size > limit - size) {
		if (b->failed) { /* keep the first reason, and say why even --keep-going stops */
			hp_error why = b->err;

			return hp_fail(&b->err, "%.800s; its sentence has over %zu MiB, cannot go on after it", why.text,
			               limit >> 20);
		}
		return hp_fail_at(&b->err, b->name, b->last_line, "a sentence of more than %zu MiB", limit >> 20);
	}
	if (s->size + size <= s->text_capacity)
		return 0;
	while (capacity < s->size + size)
		capacity *= 2;
	text = malloc(capacity);
	if (!text)
		return hp_fail_memory(&b->err);
	if (s->size > 0)
		memcpy(text, s->text, s->size);
	for (int i = 0; i < s->words; i++)
		for (int c = 0; c < HP_COLUMNS; c++)
			if (s->word[i].col[c] != hp_no_column)
				s->word[i].col[c] = text + (s->word[i].col[c] - s->text);
	free(s->text);
	s->text = text;
	s->text_capacity = capacity;
	return 0;
}

/* Splits a line at its tabs; returns the number of columns, of which the first ten are in W. */
static int split(const char *line, size_t size, hp_word *w)
{
	const char *end = line + size;
	int count = 0;

	for (;;) {
		const char *tab = memchr(line, '\t', end - line);

		if (count < HP_COLUMNS) {
			w->col[count] = line;
			w->len[count] = (uint32_t)((tab ? tab : end) - line);
		}
		count++;
		if (!tab)
			return count;
		line = tab + 1;
	}
}

/* The same for other columns than CoNLL-U's. */
static int split_other(const hp_columns *c, const char *line, size_t size, hp_word *w)
{
	const char *column[HP_MOST_COLUMNS], *end = line + size;
	uint32_t length[HP_MOST_COLUMNS];
	int count = 0;

	for (;;) {
		const char *tab = memchr(line, '\t', end - line);

		if (count < c->count) {
			column[count] = line;
			length[count] = (uint32_t)((tab ? tab : end) - line);
		}
		count++;
		if (!tab)
			break;
		line = tab + 1;
	}
	for (int i = 0; i < HP_COLUMNS; i++) {
		int at = c->at[i];

		/* What a tagger says, as it is all there will be to parse by; else what is known. */
		if (at >= 0 && at == c->at[HP_PPOS] && at < count && length[at] == 1 && *column[at] == '_' &&
		    c->at[HP_POS] >= 0)
			at = c->at[HP_POS];
		bool there = at >= 0 && at < count;
		w->col[i] = there ? column[at] : hp_no_column;
		w->len[i] = there ? length[at] : 1;
	}
	return count;
}

int hp_split_row(const hp_columns *c, const char *line, size_t size, hp_word *w)
{
	return c->plain ? split(line, size, w) : split_other(c, line, size, w);
}

/* A number without sign or leading zero at P, which moves past it.  -1 if there is none. */
static int read_number(const char **p, const char *end)
{
	const char *start = *p;
	int value = 0;

	while (*p < end && **p >= '0' && **p <= '9' && *p - start < ID_DIGITS)
		value = value * 10 + (*(*p)++ - '0');
	if (*p == start || (*start == '0' && *p - start > 1))
		return -1;
	return value;
}

static int shown(size_t size)
{
	return size < SHOWN ? (int)size : SHOWN;
}

static int bad_id(hp_builder *b, const hp_word *w)
{
	const char *hint = w->len[HP_ID] == 1 && *w->col[HP_ID] == '1' && b->id > 0
	                       ? " (is the blank line before this sentence missing?)"
	                       : "";

	return hp_fail_at(&b->err, b->name, w->line, "bad ID order: \"%.*s\", expected word %d%s", shown(w->len[HP_ID]),
	                  w->col[HP_ID], b->id + 1, hint);
}

/* Multiword token FIRST-LAST: before its first word, not inside another one.  (2-2 is unusual, but clear.) */
static int take_range(hp_builder *b, const hp_word *w, int first, int last)
{
	if (b->range_end > b->id)
		return hp_fail_at(&b->err, b->name, w->line, "bad ID order: multiword token %d-%d overlaps the one of line %ld",
		                  first, last, b->range_line);
	if (first != b->id + 1)
		return bad_id(b, w);
	if (last < first)
		return hp_fail_at(&b->err, b->name, w->line, "bad ID order: multiword token %d-%d ends before it begins", first,
		                  last);
	b->range_end = last;
	b->range_line = w->line;
	return 0;
}

/* Looks at ID; *IS_WORD: an integer one. */
static int take_id(hp_builder *b, const hp_word *w, bool *is_word)
{
	const char *p = w->col[HP_ID], *end = p + w->len[HP_ID];
	int first = read_number(&p, end), second;
	char mark = p < end ? *p : '\0';

	*is_word = false;
	if (first > 0 && p == end) {
		if (first != b->id + 1)
			return bad_id(b, w);
		b->id = first;
		b->empty = 0;
		*is_word = true;
		return 0;
	}
	if (first < 0 || (mark != '-' && mark != '.'))
		return hp_fail_at(&b->err, b->name, w->line, "bad ID \"%.*s\", expected a number such as %d, %d-%d or %d.1",
		                  shown(w->len[HP_ID]), w->col[HP_ID], b->id + 1, b->id + 1, b->id + 2, b->id);
	p++;
	second = read_number(&p, end);
	if (second < 1 || p != end || (mark == '-' && first < 1))
		return hp_fail_at(&b->err, b->name, w->line, "bad ID \"%.*s\"", shown(w->len[HP_ID]), w->col[HP_ID]);
	if (mark == '-')
		return take_range(b, w, first, second);
	if (first != b->id || second <= b->empty)
		return hp_fail_at(&b->err, b->name, w->line, "bad ID order: \"%.*s\", expected empty node %d.%d or word %d",
		                  shown(w->len[HP_ID]), w->col[HP_ID], b->id, b->empty + 1, b->id + 1);
	b->empty = second;
	return 0;
}

/* How many columns there should be. */
static int wrong_number(hp_builder *b, int columns)
{
	const hp_columns *c = &b->s.columns;
	char place[32] = "", expected[160];

	if (c->line > 0)
		snprintf(place, sizeof(place), " in line %ld", c->line);
	if (c->named)
		snprintf(expected, sizeof(expected), "the %d of \"# global.columns\"%s,", c->count, place);
	else if (c->count == 0 && columns > 1)
		strcpy(expected, "ten separated by tabs (CoNLL-U), 8 (CoNLL-X), 13 and more (CoNLL-2009), or a line "
		                 "\"# global.columns = ID FORM ...\" before them (CoNLL-U Plus)");
	else if (c->count == 0 || c->plain)
		strcpy(expected, "ten");
	else
		snprintf(expected, sizeof(expected), "%d%s", b->columns ? b->columns : c->count, c->more ? " and more" : "");
	return hp_fail_at(&b->err, b->name, b->last_line, "%d column%s, expected %s%s", columns, hp_plural(columns),
	                  expected, strstr(expected, "tabs") ? "" : " separated by tabs");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether the second and the third of the words separated by blanks look like tags or numbers. */
static bool looks_like_columns(const char *line, size_t size)
{
	const char *end = line + size;
	int word = 0;

	for (const char *p = line; p < end && word < 3; p++) {
		bool begins = *p != ' ' && (p == line || p[-1] == ' ');

		word += begins;
		if (word > 1 && ((*p >= 'a' && *p <= 'z') || (unsigned char)*p >= 0x80))
			return false;
	}
	return word == 3;
}

/* Whether a row begins behind a carriage return in LINE: a number, and a tab or a hyphen. */
static bool has_old_ends(const char *line, size_t size)
{
	const char *p = line, *end = line + size;

	while ((p = memchr(p, '\r', end - p))) {
		const char *first = ++p;

		while (p < end && is_digit(*p))
			p++;
		if (p > first && p < end && (*p == '\t' || *p == '-'))
			return true;
	}
	return false;
}

static int old_ends(hp_builder *b)
{
	return hp_fail_at(
		&b->err, b->name, b->last_line,
		"lines that end with a carriage return alone (old Macintosh), expected line feeds: tr '\\r' '\\n'");
}

static int bad_columns(hp_builder *b, const char *line, size_t size, int columns)
{
	size_t blanks = 0;

	if (memchr(line, '\r', size))
		return old_ends(b);
	while (blanks < size && hp_is_blank(line[blanks]))
		blanks++;
	if (blanks == size)
		return hp_fail_at(&b->err, b->name, b->last_line,
		                  "a line of blanks only, expected an empty line or ten columns");
	if (columns > 1 || (!memchr(line, ' ', size) && (b->s.columns.count > 0 || is_digit(*line))))
		return wrong_number(b, columns);
	if (*line == '(' && memchr(line, ' ', size))
		return hp_fail_at(&b->err, b->name, b->last_line,
		                  "a tree in .dis notation, expected ten columns separated by tabs");
	return hp_fail_at(
		&b->err, b->name, b->last_line,
		"%splain text, expected ten columns separated by tabs (CoNLL-U); hp-parse --input=text reads text",
		is_digit(*line) || looks_like_columns(line, size) ? "columns separated by blanks, or " : "");
}

static int check_bytes(hp_builder *b, const char *line, size_t size)
{
	size_t valid = hp_utf8_valid_prefix(line, size);

	if (memchr(line, '\0', size))
		return hp_fail_at(&b->err, b->name, b->last_line, "a NUL byte, expected text");
	if (valid < size)
		return hp_fail_at(&b->err, b->name, b->last_line, "invalid UTF-8: byte \\x%02X at position %zu of the line",
		                  (unsigned char)line[valid], valid + 1);
	return 0;
}

bool hp_is_comment(const hp_columns *c, const char *line, size_t size)
{
	hp_word w;

	/* A row can begin with a FORM of '#' if it does not begin with ID. */
	return *line == '#' && !(c->count > 0 && c->at[HP_ID] > 0 && hp_split_row(c, line, size, &w) == c->count &&
	                         *w.col[HP_ID] >= '0' && *w.col[HP_ID] <= '9');
}

static int take_comment(hp_builder *b, const char *line, size_t size)
{
	const char *names = hp_columns_names(line, size);
	hp_columns columns;

	if (!names || b->id > 0 || b->empty > 0 || b->range_end > 0)
		return 0;
	if (hp_columns_parse(names, line + size - names, b->name, b->last_line, &columns, &b->err) != 0)
		return HP_FAIL;
	b->s.columns = columns;
	b->s.rows_at = b->s.size;
	b->s.rows_line = b->last_line + 1;
	b->named = true;
	return 0;
}

/* A row of COUNT columns that is not, or perhaps not, CoNLL-U.  False: not as many as there should be. */
static bool take_other(hp_builder *b, const char *line, size_t size, int count, hp_word *w)
{
	hp_columns *c = &b->s.columns;

	if (c->count == 0 && !hp_columns_guess(count, c))
		return false;
	if (c->more ? count < c->count || (b->columns > 0 && count != b->columns) : count != c->count)
		return false;
	b->columns = count;
	if (!c->plain)
		hp_split_row(c, line, size, w);
	return true;
}

/* Checks a line of B's text.  LINE is not empty. */
static int check_line(hp_builder *b, const char *line, size_t size)
{
	bool is_word;
	hp_word *w;
	int columns;

	if (check_bytes(b, line, size) != 0)
		return HP_FAIL;
	if (has_old_ends(line, size))
		return old_ends(b);
	if (line[0] == '#' && hp_is_comment(&b->s.columns, line, size))
		return take_comment(b, line, size);
	if (!hp_grow(&b->s.word, &b->s.word_capacity, b->s.words + 1, sizeof(*w)))
		return hp_fail_memory(&b->err);
	w = &b->s.word[b->s.words];
	w->line = b->last_line;
	columns = split(line, size, w);
	if ((columns != HP_COLUMNS || !b->s.columns.plain) && !take_other(b, line, size, columns, w))
		return bad_columns(b, line, size, columns);
	if (take_id(b, w, &is_word) != 0)
		return HP_FAIL;
	if (w->len[HP_FORM] == 0)
		return hp_fail_at(&b->err, b->name, w->line, "empty FORM");
	if (!is_word)
		return 0;
	if (b->s.words == b->max_words)
		return hp_fail_at(&b->err, b->name, w->line, "a sentence of more than %d words", b->max_words);
	b->s.words++;
	return 0;
}

static void append(hp_builder *b, const char *bytes, size_t size)
{
	memcpy(b->s.text + b->s.size, bytes, size);
	b->s.size += size;
}

int hp_builder_line(hp_builder *b, const char *line, size_t size, long number)
{
	size_t start = b->s.size;

	b->last_line = number;
	if (start == 0)
		b->s.line = number;
	if (reserve_text(b, size + 1) != 0)
		return HP_FAIL;
	append(b, line, size);
	append(b, "\n", 1);
	if (!b->failed && check_line(b, b->s.text + start, size) != 0)
		b->failed = true;
	return 0;
}

int hp_builder_raw(hp_builder *b, const char *line, size_t size, long number)
{
	b->last_line = number;
	if (b->s.size == 0)
		b->s.line = number;
	if (reserve_text(b, size + 1) != 0)
		return HP_FAIL;
	b->id += !(b->s.size == 0 && *line == '#');
	if (!b->failed && b->id > b->max_words) {
		hp_fail_at(&b->err, b->name, number, "a sentence of more than %d words", b->max_words);
		b->failed = true;
	}
	append(b, line, size);
	append(b, "\n", 1);
	return 0;
}

/* One token as a row: what comes before the form is its number, what comes after it eight times "_". */
static int token_row(hp_builder *b, int id, const char *form, size_t size)
{
	static const char rest[] = "\t_\t_\t_\t_\t_\t_\t_\t_\n";
	char number[16];
	size_t digits = snprintf(number, sizeof(number), "%d\t", id), start = b->s.size;

	if (reserve_text(b, digits + size + sizeof(rest) - 1) != 0)
		return HP_FAIL;
	append(b, number, digits);
	append(b, form, size);
	append(b, rest, sizeof(rest) - 1);
	if (!b->failed && check_line(b, b->s.text + start, b->s.size - start - 1) != 0)
		b->failed = true;
	return 0;
}

/* As many columns as a CoNLL format has, of which ID and HEAD look like numbers, are no tokens, nor is what names them. */
static int check_no_row(hp_builder *b, const char *line, size_t size)
{
	hp_columns c;
	hp_word w;

	if (hp_columns_names(line, size))
		return hp_fail_at(&b->err, b->name, b->last_line,
		                  "a line of CoNLL-U Plus, expected tokens separated by blanks");
	if (!hp_columns_guess(split(line, size, &w), &c))
		return 0;
	hp_split_row(&c, line, size, &w);
	if (!strchr("0123456789", *w.col[HP_ID]) || !strchr("0123456789_", *w.col[HP_HEAD]))
		return 0;
	return hp_fail_at(&b->err, b->name, b->last_line, "a row of CoNLL-%s, expected tokens separated by blanks",
	                  c.plain  ? "U"
	                  : c.more ? "2009"
	                           : "X");
}

int hp_builder_tokens(hp_builder *b, const char *line, size_t size, long number, long id)
{
	const char *p = line, *end = line + size;
	char text[64];
	size_t length = (size_t)(id > 0 ? snprintf(text, sizeof(text), "# sent_id = %ld\n# text = ", id)
	                                : snprintf(text, sizeof(text), "# text = "));

	b->s.line = b->last_line = number;
	if (reserve_text(b, length + size + 1) != 0)
		return HP_FAIL;
	append(b, text, length);
	append(b, line, size);
	append(b, "\n", 1);
	if (check_bytes(b, line, size) != 0 || check_no_row(b, line, size) != 0)
		b->failed = true;
	for (int word = 1;; word++) {
		const char *form;

		while (p < end && hp_is_blank(*p))
			p++;
		if (p == end)
			return 0;
		form = p;
		while (p < end && *p != ' ' && *p != '\t')
			p++;
		if (token_row(b, word, form, p - form) != 0)
			return HP_FAIL;
	}
}

void hp_builder_end(hp_builder *b)
{
	if (!b->failed && b->range_end > b->id) {
		hp_fail_at(&b->err, b->name, b->range_line, "bad ID order: multiword token up to %d, but the last word is %d",
		           b->range_end, b->id);
		b->failed = true;
	}
	if (b->failed)
		b->s.words = 0; /* whoever writes the block now writes it as it was read */
}
