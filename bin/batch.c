/* batch.c: sentences that are computed together, and the checks of what a record brings. */
#include "filter.h"

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nn/vmath.h"

/* ---- the batch ---- */

bool filter_batch_takes(const filter *f, int n, size_t bytes)
{
	const filter_batch *b = &f->batch;

	return b->items == 0 ||
	       (b->items < FILTER_SENTENCES && b->rows + (size_t)n <= FILTER_ROWS && b->bytes + bytes <= FILTER_BYTES);
}

filter_item *filter_batch_next(filter *f)
{
	return f->batch.items < FILTER_SENTENCES ? &f->batch.item[f->batch.items] : NULL;
}

void filter_batch_add(filter *f, int n, size_t bytes)
{
	filter_batch *b = &f->batch;

	if (n > 0)
		b->n[b->count++] = n;
	b->rows += (size_t)n;
	b->bytes += bytes;
	b->items++;
}

void filter_batch_clear(filter *f)
{
	filter_batch *b = &f->batch;

	for (int i = 0; i < b->items; i++) {
		filter_item *item = &b->item[i];

		hp_safetensors_close(item->record);
		item->record = NULL;
		/* A giant sentence is not kept for the rest of the day. */
		if (item->sentence.text_capacity > FILTER_BYTES / FILTER_SENTENCES) {
			hp_sentence_free(&item->sentence);
			hp_sentence_init(&item->sentence);
		}
	}
	b->items = b->count = 0;
	b->rows = b->bytes = 0;
	if (f->arena)
		hp_arena_reset(f->arena);
}

/* A writer that is being scheduled just now, or is in the middle of a record, must not cost us our batch. */
bool filter_wait(const hp_input *in, int *waited)
{
	enum { MOMENT = 2, LIMIT = 20 }; /* milliseconds */
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};

	if (strcmp(hp_input_name(in), "<stdin>") != 0 || *waited >= LIMIT)
		return false;
	(*waited)++;
	return poll(&fd, 1, MOMENT) > 0;
}

/* ---- what a record brings ---- */

int filter_bad(const filter *f, const filter_item *item, hp_error *err, const char *fmt, ...)
{
	char text[768];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return hp_fail(err, "%s: sentence %ld: %s", f->input, item->number, text);
}

static bool of_kind(hp_dtype dtype, hp_dtype kind)
{
	if (kind == HP_F32)
		return dtype == HP_F32 || dtype == HP_F16 || dtype == HP_BF16 || dtype == HP_F64;
	return dtype == kind;
}

static void print_shape(char *out, size_t size, int rank, const int64_t *shape)
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < rank && used < size; i++) {
		const char *times = i > 0 ? " x " : "";

		if (shape[i] < 0)
			used += (size_t)snprintf(out + used, size - used, "%sany", times);
		else
			used += (size_t)snprintf(out + used, size - used, "%s%lld", times, (long long)shape[i]);
	}
}

int filter_find(const filter *f, const filter_item *item, const char *name, hp_dtype kind, int rank,
                const int64_t *shape, const hp_tensor **out, hp_error *err)
{
	const hp_tensor *t = hp_safetensors_find(item->record, name);
	bool fits = t != NULL && t->rank == rank;
	char expected[128], found[128];

	*out = t;
	if (!t)
		return 0;
	if (!of_kind(t->dtype, kind))
		return filter_bad(f, item, err, "`%s` is %s, expected %s", name, hp_dtype_name(t->dtype), hp_dtype_name(kind));
	for (int i = 0; fits && i < rank; i++)
		fits = shape[i] < 0 || t->shape[i] == shape[i];
	if (fits)
		return 0;
	print_shape(found, sizeof(found), t->rank, t->shape);
	print_shape(expected, sizeof(expected), rank, shape);
	return filter_bad(f, item, err, "`%s` is [%s], expected [%s]", name, found, expected);
}

int filter_need(const filter *f, const filter_item *item, const char *name, hp_dtype kind, int rank,
                const int64_t *shape, const char *producer, const hp_tensor **out, hp_error *err)
{
	if (filter_find(f, item, name, kind, rank, shape, out, err) != 0)
		return HP_FAIL;
	if (!*out)
		return filter_bad(f, item, err, "a record without `%s`: expected the output of %s", name, producer);
	return 0;
}

/* Whether the record is a mere text: comments, or a block that could not be read. */
static bool only_text(const hp_safetensors *record)
{
	static const char *const ours[] = {"x", "h", "init", "heads", "d", "logp", "ends", "splits", "score"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (hp_safetensors_find(record, ours[i]))
			return false;
	return hp_safetensors_find(record, "text") != NULL;
}

/* A row with a number in HEAD, or in PHEAD; C: the columns that are named, or NULL. */
static bool row_has_head(const char *row, size_t size, const hp_columns *c)
{
	const char *column[HP_MOST_COLUMNS + 1], *end = row + size;
	hp_columns guess;
	int count = 1;

	column[0] = row;
	for (const char *p = row; p < end && count < HP_MOST_COLUMNS; p++)
		if (*p == '\t')
			column[count++] = p + 1;
	column[count] = end + 1;
	if (!c && hp_columns_guess(count, &guess))
		c = &guess;
	for (int i = 0; c != NULL && i < 2; i++) {
		int at = c->at[i == 0 ? HP_HEAD : HP_PHEAD];

		if (at >= 0 && at < count && column[at] < end && *column[at] >= '0' && *column[at] <= '9')
			return true;
	}
	return false;
}

/* A tree in .dis notation begins with "( Root". */
static bool is_root(const char *line, size_t size)
{
	static const char word[] = "Root";
	size_t at = 0;

	while (at < size && (line[at] == '(' || line[at] == ' ' || line[at] == '\t'))
		at++;
	return at > 0 && size - at >= sizeof(word) - 1 && memcmp(line + at, word, sizeof(word) - 1) == 0;
}

bool filter_shows_tree(const filter_item *item)
{
	const hp_tensor *text = hp_safetensors_find(item->record, "text");
	const char *names = hp_safetensors_meta(item->record, "columns");
	const char *p = text->data, *end = p + text->bytes;
	hp_columns named, *columns = NULL;

	if (names && hp_columns_parse(names, strlen(names), "columns", 0, &named, NULL) == 0)
		columns = &named;
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline != NULL ? newline : end;

		if (*p != '#' && (row_has_head(p, (size_t)(next - p), columns) || is_root(p, (size_t)(next - p))))
			return true;
		p = next + 1;
	}
	return false;
}

int filter_passes(const filter *f, filter_item *item, bool *passes, hp_error *err)
{
	static const int64_t any[] = {-1};
	const hp_tensor *t;

	item->n = 0;
	*passes = only_text(item->record);
	if (!*passes)
		return 0;
	item->unparsed = hp_safetensors_meta(item->record, "unparsed");
	return filter_find(f, item, "text", HP_U8, 1, any, &t, err);
}

int filter_count(const filter *f, filter_item *item, const char *name, const char *producer, hp_error *err)
{
	static const int64_t any[] = {-1, -1};
	const hp_tensor *t;
	bool passes;

	if (filter_passes(f, item, &passes, err) != 0)
		return HP_FAIL;
	if (passes)
		return 0;
	if (filter_need(f, item, name, HP_F32, 2, any, producer, &t, err) != 0)
		return HP_FAIL;
	if (t->shape[0] < 2 || t->shape[0] > FILTER_MAX_WORDS + 1)
		return filter_bad(f, item, err, "`%s` has %lld rows, expected the root and 1 to %d words", name,
		                  (long long)t->shape[0], FILTER_MAX_WORDS);
	item->n = (int)t->shape[0];
	return 0;
}

int filter_check(const filter *f, const filter_item *item, const char *what, size_t count, const float *result,
                 hp_error *err)
{
	if (hp_vec_within(count, result, HP_LARGEST))
		return 0;
	return filter_bad(f, item, err, "%s comes to a value that is not finite or beyond %g", what, (double)HP_LARGEST);
}

int filter_result(const filter *f, const filter_item *item, const char *name, int rank, const int64_t *shape,
                  const float *result, hp_error *err)
{
	size_t count = 1;
	char what[32];

	for (int i = 0; i < rank; i++)
		count *= (size_t)shape[i];
	snprintf(what, sizeof(what), "`%s`", name);
	if (filter_check(f, item, what, count, result, err) != 0)
		return HP_FAIL;
	return hp_st_writer_tensor(hp_stream_record(f->out), name, HP_F32, rank, shape, result, err);
}

/* Copies all values; refuses what is not finite, or absurd. */
static int copy_floats(const filter *f, const filter_item *item, const hp_tensor *tensor, float *out, hp_error *err)
{
	if (hp_tensor_to_float(tensor, 0, tensor->count, out) != 0)
		return filter_bad(f, item, err, "`%s` is %s, expected F32", tensor->name, hp_dtype_name(tensor->dtype));
	if (hp_vec_within((size_t)tensor->count, out, HP_LARGEST))
		return 0;
	return filter_bad(f, item, err, "`%s` holds a value that is not finite or beyond %g", tensor->name,
	                  (double)HP_LARGEST);
}

int filter_append(const filter *f, const filter_item *item, const hp_tensor *tensor, filter_floats *floats,
                  hp_error *err)
{
	size_t count = (size_t)tensor->count, need = floats->used + count;

	if (need > floats->capacity || !floats->data) { /* there is data even if it is no numbers */
		size_t capacity = need + need / 2 + 1;
		float *grown = capacity > SIZE_MAX / sizeof(float) ? NULL : realloc(floats->data, capacity * sizeof(float));

		if (!grown)
			return hp_fail_memory(err);
		floats->data = grown;
		floats->capacity = capacity;
	}
	if (copy_floats(f, item, tensor, floats->data + floats->used, err) != 0)
		return HP_FAIL;
	floats->used = need;
	return 0;
}

int filter_score(const filter *f, filter_item *item, hp_error *err)
{
	const hp_tensor *score;

	item->score = NAN;
	if (filter_find(f, item, "score", HP_F32, 0, NULL, &score, err) != 0)
		return HP_FAIL;
	return score != NULL ? copy_floats(f, item, score, &item->score, err) : 0;
}

int filter_parse_text(const filter *f, filter_item *item, hp_error *err)
{
	static const int64_t any[] = {-1};
	const char *names = hp_safetensors_meta(item->record, "columns");
	const hp_tensor *text;
	hp_columns columns;
	hp_error inner;

	if (filter_need(f, item, "text", HP_U8, 1, any, "hp-embed", &text, err) != 0)
		return HP_FAIL;
	if (item->unparsed || (item->n == 0 && text->bytes == 0))
		return 0;
	if ((names && hp_columns_parse(names, strlen(names), "columns", 0, &columns, &inner) != 0) ||
	    hp_sentence_parse(&item->sentence, names != NULL ? &columns : NULL, text->data, text->bytes, "text", 1, INT_MAX,
	                      &inner) != 0)
		return filter_bad(f, item, err, "%s", inner.text);
	if (f->scores && item->sentence.columns.count > 0 && item->sentence.columns.at[HP_MISC] < 0)
		return filter_bad(f, item, err, "a text without a column MISC, into which --scores could write");
	if (item->n == 0 && item->sentence.words > 0)
		return filter_bad(f, item, err, "`text` has %d word%s, but the record has no other tensor",
		                  item->sentence.words, hp_plural(item->sentence.words));
	if (item->n > 0 && item->sentence.words != item->n - 1)
		return filter_bad(f, item, err, "`text` has %d word%s, the other tensors have %d", item->sentence.words,
		                  hp_plural(item->sentence.words), item->n - 1);
	return 0;
}
