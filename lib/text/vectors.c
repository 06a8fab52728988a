/* vectors.c: reads word vectors in their four usual forms.
 *
 * The form is told by the beginning of the input.  A first line of exactly two whole numbers is a header, COUNT and
 * DIM; so a one-dimensional vector of a number cannot be the first line of a file without a header, the one case that
 * cannot be told apart.  After a header come binary records if the lines do not end in DIM numbers and the bytes where
 * the first record's floats would lie are no text.  Without a header DIM is what most of the first lines agree on: the
 * first line alone might be that of a word with blanks in it.
 * COUNT binds binary files only: text files are often cut with head(1). */
#include "text/vectors.h"

#include <stdlib.h>
#include <string.h>
#include "base/blank.h"
#include "io/safetensors.h"
#include "io/sniff.h"
#include "text/decimal.h"
#include "base/utf8.h"

enum { WINDOW = 256 * 1024, FIRST_VALUES = 256 * 1024, MOST_LINES = 200, SHOWN = 40 };
enum { MAX_DIM = 1000000, MAX_WORD = 1 << 20, MAX_LINE = 64 << 20 };

typedef struct reader {
	hp_input *in;
	const char *name;
	hp_vectors_keep *keep;
	void *arg;
	hp_vectors *out;
	bool certain; /* that a vector has out->dim numbers */
	size_t capacity; /* rows of out->values */
	hp_vectors_skipped skipped;
	long line;
	long vectors; /* skipped ones and duplicates included */
	hp_error *err;
} reader;

void hp_vectors_free(hp_vectors *v)
{
	hp_vocab_destroy(v->words);
	free(v->values);
	memset(v, 0, sizeof(*v));
}

/* Without the blanks and carriage returns at its end. */
static size_t trimmed(const char *line, size_t size)
{
	while (size > 0 && (hp_is_blank(line[size - 1]) || line[size - 1] == '\r'))
		size--;
	return size;
}

static size_t count_fields(const char *line, size_t size)
{
	size_t fields = 0;

	for (size_t i = 0; i < size; i++)
		fields += !hp_is_blank(line[i]) && (i == 0 || hp_is_blank(line[i - 1]));
	return fields;
}

/* Where the field begins that ends at END, blanks after it left aside; *STOP is its end. */
static size_t field_before(const char *line, size_t end, size_t *stop)
{
	while (end > 0 && hp_is_blank(line[end - 1]))
		end--;
	*stop = end;
	while (end > 0 && !hp_is_blank(line[end - 1]))
		end--;
	return end;
}

static bool is_number(const char *s, size_t size)
{
	float value;

	return hp_decimal_read(s, s + size, &value) == s + size;
}

/* How many numbers stand at the end of a (trimmed) line; *START is where the first of them begins. */
static int trailing_numbers(const char *line, size_t size, size_t *start)
{
	int count = 0;

	*start = size;
	while (*start > 0 && count <= MAX_DIM) {
		size_t stop, begin = field_before(line, *start, &stop);

		if (begin == stop || !is_number(line + begin, stop - begin))
			break;
		*start = begin;
		count++;
	}
	return count;
}

/* ---- one vector ---- */

/* The row after the last one, to be filled. */
static float *next_row(reader *r)
{
	hp_vectors *v = r->out;
	size_t rows = hp_vocab_count(v->words);

	if (rows == r->capacity) {
		size_t capacity = rows ? 2 * rows : 1 + FIRST_VALUES / (size_t)v->dim; /* DIM may be a lie */
		float *values;

		if (capacity > SIZE_MAX / sizeof(float) / (size_t)v->dim)
			return NULL;
		values = realloc(v->values, capacity * v->dim * sizeof(float));
		if (!values)
			return NULL;
		v->values = values;
		r->capacity = capacity;
	}
	return v->values + rows * (size_t)v->dim;
}

/* Keeps the vector in the next row as that of WORD, if it is wanted. */
static int take_word(reader *r, const char *word, size_t size)
{
	bool nameless = size == 0;

	r->vectors++;
	if (nameless || memchr(word, '\n', size) || memchr(word, '\0', size) || hp_utf8_valid_prefix(word, size) < size) {
		*(nameless ? &r->skipped.nameless : &r->skipped.bytes) += 1;
		return 0;
	}
	if (hp_vocab_find(r->out->words, word, size) >= 0 || (r->keep && !r->keep(r->arg, word, size)))
		return 0;
	return hp_vocab_add(r->out->words, word, size) < 0 ? hp_fail_memory(r->err) : 0;
}

/* ---- text ---- */

/* As hp_decimal_read, but numbers within the limit only. */
static const char *read_number(const char *p, const char *end, float *value)
{
	p = hp_decimal_read(p, end, value);
	return p && hp_is_bounded(*value) ? p : NULL;
}

/* DIM numbers up to the end of the line; where they end, or NULL. */
static const char *read_numbers(const char *p, const char *end, int dim, float *row)
{
	for (int i = 0; i < dim; i++) {
		while (p < end && hp_is_blank(*p))
			p++;
		p = read_number(p, end, &row[i]);
		if (!p)
			return NULL;
	}
	return p == end ? p : NULL;
}

static int bad_width(reader *r, size_t numbers)
{
	return hp_fail_at(r->err, r->name, r->line, "%zu number%s, expected a word and %d", numbers, hp_plural(numbers),
	                  r->out->dim);
}

/* Why the last DIM fields, from START on, are no numbers. */
static int bad_number(reader *r, const char *line, size_t start, size_t size)
{
	const char *p = line + start, *end = line + size;
	float value;

	while (p < end) {
		const char *stop = p;

		while (stop < end && !hp_is_blank(*stop))
			stop++;
		if (!read_number(p, end, &value))
			return hp_fail_at(r->err, r->name, r->line,
			                  "\"%.*s\" is no number up to 1e9, expected a word and %d numbers",
			                  (int)(stop - p < SHOWN ? stop - p : SHOWN), p, r->out->dim);
		for (p = stop; p < end && hp_is_blank(*p);)
			p++;
	}
	return bad_width(r, count_fields(line, size) - 1);
}

/* A line that is not a word without blanks and DIM numbers: a word with blanks, none at all, or a bad line.  A word whose
 * last part is a number is taken for a bad line unless DIM is certain: one number too many is the likelier reason. */
static int take_odd_line(reader *r, const char *line, size_t size, float *row)
{
	size_t start = size, stop = size, word = 0, word_end, part;

	for (int i = 0; i < r->out->dim; i++) {
		start = field_before(line, start, &stop);
		if (start == stop)
			return bad_width(r, count_fields(line, size) - 1);
	}
	if (!read_numbers(line + start, line + size, r->out->dim, row))
		return start < 2 ? bad_width(r, count_fields(line, size) - (start == 0)) : bad_number(r, line, start, size);
	if (start < 2) /* a blank separates, if nothing */
		return take_word(r, line, 0);
	word_end = start - 1; /* one blank separates; a word may be a blank itself */
	while (word_end > 1 && line[word_end - 1] == ' ')
		word_end--;
	while (word + 1 < word_end && line[word] == ' ')
		word++;
	part = field_before(line, word_end, &stop);
	if (!r->certain && part > word && part < stop && is_number(line + part, stop - part)) {
		size_t numbers = trailing_numbers(line, size, &start);

		return bad_width(r, start == 0 ? numbers - 1 : numbers);
	}
	return take_word(r, line + word, word_end - word);
}

static int take_line(reader *r, const char *line, size_t size)
{
	const char *end;
	size_t word = 0;
	float *row;

	r->line++;
	size = trimmed(line, size);
	if (size == 0)
		return 0;
	if (memchr(line, '\0', size))
		return hp_fail_at(r->err, r->name, r->line, "a NUL byte, expected text");
	row = next_row(r);
	if (!row)
		return hp_fail_memory(r->err);
	end = line + size;
	while (word < size && !hp_is_blank(line[word]))
		word++;
	if (word > 0 && read_numbers(line + word, end, r->out->dim, row))
		return take_word(r, line, word);
	return take_odd_line(r, line, size, row);
}

static int read_text(reader *r)
{
	size_t want = 1;

	for (;;) {
		const char *data, *p, *end, *stop;
		size_t size;
		bool last;

		if (hp_input_peek(r->in, want, &data, &size, r->err) != 0)
			return HP_FAIL;
		last = hp_input_eof_seen(r->in) && size < want;
		p = data;
		end = data + size;
		while (p < end && (stop = memchr(p, '\n', end - p))) {
			if (take_line(r, p, stop - p) != 0)
				return HP_FAIL;
			p = stop + 1;
		}
		size = end - p;
		if (last)
			return size > 0 ? take_line(r, p, size) : 0;
		hp_input_skip(r->in, p - data);
		if (size > MAX_LINE)
			return hp_fail_at(r->err, r->name, r->line + 1, "a line of more than %d MiB", MAX_LINE >> 20);
		want = size + (size > WINDOW ? size : WINDOW);
	}
}

/* ---- binary ---- */

static int bad_record(reader *r, long number, long count, const char *what)
{
	return hp_fail(r->err, "%s: vector %ld of %ld %s", r->name, number, count, what);
}

/* Makes a whole record available: *WORD bytes, a blank, DIM floats.  A newline before it is skipped. */
static int peek_record(reader *r, long number, long count, const char **data, size_t *word)
{
	const size_t floats = r->out->dim * sizeof(float);
	const char *blank = NULL;
	size_t size, want = 1;

	if (hp_input_peek(r->in, want, data, &size, r->err) != 0)
		return HP_FAIL;
	if (size > 0 && **data == '\n')
		hp_input_skip(r->in, 1);
	for (want = floats + 64; !blank; want *= 2) {
		if (hp_input_peek(r->in, want, data, &size, r->err) != 0)
			return HP_FAIL;
		blank = memchr(*data, ' ', size < MAX_WORD ? size : MAX_WORD);
		if (!blank && size >= MAX_WORD)
			return bad_record(r, number, count, "has no blank after its word");
		if (!blank && size < want)
			return bad_record(r, number, count, "is cut off");
	}
	*word = blank - *data;
	want = *word + 1 + floats;
	if (hp_input_peek(r->in, want, data, &size, r->err) != 0)
		return HP_FAIL;
	return size < want ? bad_record(r, number, count, "is cut off") : 0;
}

static bool read_floats(const char *bytes, int dim, float *row)
{
	memcpy(row, bytes, dim * sizeof(float)); /* little-endian, as io/tensor.c wants the machine to be */
	for (int i = 0; i < dim; i++)
		if (!hp_is_bounded(row[i]))
			return false;
	return true;
}

static int read_binary(reader *r, long count)
{
	const char *data;
	size_t size;

	for (long number = 1; number <= count; number++) {
		size_t word = 0;
		float *row = next_row(r);

		if (!row)
			return hp_fail_memory(r->err);
		if (peek_record(r, number, count, &data, &word) != 0)
			return HP_FAIL;
		if (!read_floats(data + word + 1, r->out->dim, row))
			return bad_record(r, number, count, "holds something that is no number up to 1e9");
		if (take_word(r, data, word) != 0)
			return HP_FAIL;
		hp_input_skip(r->in, word + 1 + r->out->dim * sizeof(float));
	}
	if (hp_input_peek(r->in, 2, &data, &size, r->err) != 0)
		return HP_FAIL;
	if (size > 1 || (size == 1 && *data != '\n'))
		return hp_fail(r->err, "%s: more bytes after the last of %ld vectors", r->name, count);
	return 0;
}

/* ---- which form ---- */

static bool whole_number(const char **p, const char *end, long *value)
{
	const char *start = *p;

	for (*value = 0; *p < end && **p >= '0' && **p <= '9'; ++*p)
		*value = *value > INT32_MAX ? *value : *value * 10 + (**p - '0');
	return *p > start;
}

static bool is_header(const char *line, size_t size, long *count, long *dim)
{
	const char *p = line, *end = line + trimmed(line, size);

	if (!whole_number(&p, end, count) || p == end || !hp_is_blank(*p))
		return false;
	while (p < end && hp_is_blank(*p))
		p++;
	return whole_number(&p, end, dim) && p == end;
}

/* The next whole line of the window, or what is left where the input ends with it. */
static bool next_line(const char **p, const char *end, bool whole, const char **line, size_t *size)
{
	const char *stop = memchr(*p, '\n', end - *p);

	if (*p == end || (!stop && !whole))
		return false;
	*line = *p;
	*size = trimmed(*p, (stop ? stop : end) - *p);
	*p = stop ? stop + 1 : end;
	return true;
}

/* The number of numbers most lines have; of equally frequent ones the largest, for then the other lines are refused
 * and not mistaken for words with numbers in them.  0 if there is none. */
static int agreed_dim(const char *p, const char *end, bool whole)
{
	int dims[MOST_LINES] = {0}, votes[MOST_LINES] = {0}, kinds = 0, best = -1;
	const char *line;
	size_t size, start;

	for (int i = 0; i < MOST_LINES && next_line(&p, end, whole, &line, &size); i++) {
		int dim = trailing_numbers(line, size, &start), k = 0;

		if (start < 2)
			dim--; /* the first is the word */
		if (dim < 1)
			continue;
		while (k < kinds && dims[k] != dim)
			k++;
		if (k == kinds)
			dims[kinds++] = dim;
		votes[k]++;
	}
	for (int k = 0; k < kinds; k++)
		if (best < 0 || votes[k] > votes[best] || (votes[k] == votes[best] && dims[k] > dims[best]))
			best = k;
	return best < 0 ? 0 : dims[best];
}

/* Whether the bytes after a header are binary records. */
static bool is_binary(const char *p, size_t size, bool whole, int dim)
{
	const char *rest = p, *end = p + size, *blank, *line;
	size_t length, start;

	for (int i = 0; i < 10 && next_line(&rest, end, whole, &line, &length); i++)
		if (trailing_numbers(line, length, &start) >= dim)
			return false;
	blank = memchr(p, ' ', size);
	if (!blank)
		return false;
	size = end - blank - 1;
	if (size > dim * sizeof(float))
		size = dim * sizeof(float);
	if (hp_utf8_valid_prefix(blank + 1, size) < size)
		return true;
	for (size_t i = 1; i <= size; i++)
		if ((unsigned char)blank[i] < ' ' && !memchr("\t\n\r", blank[i], 3))
			return true;
	return false;
}

/* Looks at the beginning; skips a byte-order mark and a header.  TOLD: numbers of a vector, as the caller knows. */
static int find_form(reader *r, int told, bool *binary, long *count)
{
	const char *data, *stop = NULL;
	size_t size, want, mark = 0;
	bool whole = false;
	long dim;

	for (want = WINDOW; !stop && !whole && want <= MAX_LINE; want *= 2) {
		if (hp_input_peek(r->in, want, &data, &size, r->err) != 0)
			return HP_FAIL;
		whole = size < want;
		stop = memchr(data, '\n', size);
	}
	if (hp_sniff(data, size, r->name, "word vectors", r->err) != 0)
		return HP_FAIL;
	if (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
		mark = 3;
	data += mark;
	size -= mark;
	*binary = false;
	if (is_header(data, stop ? (size_t)(stop - data) : size, count, &dim)) {
		if (dim < 1 || dim > MAX_DIM)
			return hp_fail_at(r->err, r->name, 1, "%ld dimensions, expected 1 to %d", dim, MAX_DIM);
		r->out->dim = (int)dim;
		r->certain = true;
		want = stop ? (size_t)(stop + 1 - data) : size;
		*binary = is_binary(data + want, size - want, whole, (int)dim);
		r->line = 1;
		hp_input_skip(r->in, mark + want);
		return 0;
	}
	r->out->dim = agreed_dim(data, data + size, whole);
	r->certain = r->out->dim == told;
	hp_input_skip(r->in, mark);
	if (r->out->dim < 1)
		return hp_fail_at(r->err, r->name, 1, "no word vectors: expected a word and its numbers in each line");
	return 0;
}

/* A few odd words are nothing; more than half of them is another kind of file, or another encoding. */
static int check_skipped(const reader *r)
{
	const hp_vectors_skipped *s = &r->skipped;

	if (s->bytes + s->nameless <= r->vectors / 2)
		return 0;
	return hp_fail(r->err, "%s: of %ld vectors %ld have a word that is not UTF-8 and %ld none, expected words in UTF-8",
	               r->name, r->vectors, s->bytes, s->nameless);
}

int hp_vectors_read(hp_input *in, int dim, hp_vectors_keep *keep, void *arg, hp_vectors *out,
                    hp_vectors_skipped *skipped, hp_error *err)
{
	reader r = {.in = in, .name = hp_input_name(in), .keep = keep, .arg = arg, .out = out, .err = err};
	bool binary = false;
	long count = 0, first;
	int status;

	memset(out, 0, sizeof(*out));
	out->words = hp_vocab_new();
	if (!out->words)
		return hp_fail_memory(err);
	status = find_form(&r, dim, &binary, &count);
	first = r.line;
	if (status == 0)
		status = binary ? read_binary(&r, count) : read_text(&r);
	if (status == 0 && !binary && r.line == first && count > 0)
		status = hp_fail_at(err, r.name, r.line, "a header without word vectors");
	if (status == 0)
		status = check_skipped(&r);
	if (status != 0) {
		hp_vectors_free(out);
		return HP_FAIL;
	}
	if (!binary && count > r.vectors)
		r.skipped.missing = count - r.vectors;
	if (skipped)
		*skipped = r.skipped;
	return 0;
}
