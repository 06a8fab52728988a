/* record.c: what a record brings is checked and taken, what a stage makes is written, by one table of tensors. */
#include "record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "nn/vmath.h"
#include "pointer/arcs.h"

typedef struct row {
	const char *name; /* NULL: not in a stream */
	hp_dtype kind; /* HP_F32: any type of floats */
	int rank;
	record_size shape[3];
	const char *producer;
	int (*valid)(const filter *f, const filter_item *item, const int32_t *values, hp_error *err);
} row;

static int fixed_valid(const filter *f, const filter_item *item, const int32_t *fixed, hp_error *err);
static int heads_valid(const filter *f, const filter_item *item, const int32_t *heads, hp_error *err);
static int splits_valid(const filter *f, const filter_item *item, const int32_t *splits, hp_error *err);
static int ends_valid(const filter *f, const filter_item *item, const int32_t *ends, hp_error *err);
static int sents_valid(const filter *f, const filter_item *item, const int32_t *ends, hp_error *err);

static const row rows[RECORD_FIELDS] = {
	[RECORD_X] = {"x", HP_F32, 3, {SIZE_LAYERS, SIZE_ROWS, SIZE_INPUT}, "hp-embed", NULL},
	[RECORD_H] = {"h", HP_F32, 2, {SIZE_ROWS, SIZE_STATE}, "hp-encode", NULL},
	[RECORD_INIT] = {"init", HP_F32, 2, {SIZE_PARTS, SIZE_START}, "hp-encode", NULL},
	[RECORD_LOGP] = {"logp", HP_F32, 1, {SIZE_CHOICES}, "hp-decode", NULL},
	[RECORD_SCORE] = {"score", HP_F32, 0, {0}, "hp-decode", NULL},
	[RECORD_D] = {"d", HP_F32, 2, {SIZE_ROWS, SIZE_START}, "hp-decode", NULL},
	[RECORD_FIXED] = {"fixed", HP_I32, 1, {SIZE_UNITS}, "hp-embed", fixed_valid},
	[RECORD_HEADS] = {"heads", HP_I32, 1, {SIZE_ROWS}, "hp-decode", heads_valid},
	[RECORD_SPLITS] = {"splits", HP_I32, 2, {SIZE_SPLITS, SIZE_THREE}, "hp-decode", splits_valid},
	[RECORD_ENDS] = {"ends", HP_I32, 1, {SIZE_EDUS}, "hp-embed", ends_valid},
	[RECORD_SENT_END] = {"sent_end", HP_I32, 1, {SIZE_SENTS}, "hp-embed", sents_valid},
	[RECORD_PARAGRAPH] = {"paragraph", HP_I32, 1, {SIZE_EDUS}, "hp-embed", NULL},
	[RECORD_TEXT] = {"text", HP_U8, 1, {SIZE_BYTES}, "hp-embed", NULL},
	[RECORD_LABELS] = {NULL, HP_I32, 1, {SIZE_CHOICES}, NULL, NULL},
	[RECORD_LABEL_LOGP] = {NULL, HP_F32, 1, {SIZE_CHOICES}, NULL, NULL},
};

int record_bad(const filter *f, const filter_item *item, hp_error *err, const char *fmt, ...)
{
	char text[768];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (item->number == 0)
		return hp_fail(err, "%s: %s", f->input, text);
	return hp_fail(err, "%s: sentence %ld: %s", f->input, item->number, text);
}

/* ---- sizes ---- */

static int64_t size_of(const filter *f, const filter_item *item, record_size what)
{
	int64_t edus = item->edus.edus;

	switch (what) {
	case SIZE_ROWS:
		return item->n;
	case SIZE_BYTES:
		return item->text ? (int64_t)item->size : -1;
	case SIZE_EDUS:
		return edus > 0 ? edus : -1;
	case SIZE_UNITS:
		return filter_task_of(f)->root ? item->n : edus;
	case SIZE_SENTS:
		return item->edus.sents;
	case SIZE_SPLITS:
		return edus - 1;
	case SIZE_THREE:
		return 3;
	default:
		return filter_task_of(f)->size(f, item, what);
	}
}

/* The shape that FIELD should have (-1: any); returns its rank.  T is what came, or NULL: a single layer may come without its
 * dimension. */
static int shape_of(const filter *f, const filter_item *item, record_field field, const hp_tensor *t, int64_t shape[3])
{
	int rank = rows[field].rank, from = 0;

	if (rank == 3) {
		int64_t layers = size_of(f, item, SIZE_LAYERS);
		from = layers == 0 || (layers == 1 && t && t->rank != 3);
	}
	for (int i = from; i < rank; i++)
		shape[i - from] = size_of(f, item, rows[field].shape[i]);
	return rank - from;
}

static size_t count_of(const filter *f, const filter_item *item, record_field field)
{
	int64_t shape[3] = {1, 1, 1};
	int rank = shape_of(f, item, field, NULL, shape);
	size_t count = 1;

	for (int i = 0; i < rank; i++)
		count *= (size_t)shape[i];
	return count;
}

/* ---- checks ---- */

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

/* T, if it is there, is FIELD's type and has SHAPE. */
static int check_tensor(const filter *f, const filter_item *item, record_field field, const hp_tensor *t, int rank,
                        const int64_t *shape, hp_error *err)
{
	const row *r = &rows[field];
	bool fits = t && t->rank == rank;
	char expected[128], found[128];

	if (!t)
		return 0;
	if (!of_kind(t->dtype, r->kind))
		return record_bad(f, item, err, "`%s` is %s, expected %s", r->name, hp_dtype_name(t->dtype),
		                  hp_dtype_name(r->kind));
	for (int i = 0; fits && i < rank; i++)
		fits = shape[i] < 0 || t->shape[i] == shape[i];
	if (fits)
		return 0;
	print_shape(found, sizeof(found), t->rank, t->shape);
	print_shape(expected, sizeof(expected), rank, shape);
	return record_bad(f, item, err, "`%s` is [%s], expected [%s]", r->name, found, expected);
}

static int missing(const filter *f, const filter_item *item, record_field field, hp_error *err)
{
	return record_bad(f, item, err, "a record without `%s`: expected the output of %s", rows[field].name,
	                  rows[field].producer);
}

static int find(const filter *f, const filter_item *item, record_need need, const hp_tensor **out, hp_error *err)
{
	const hp_tensor *t = *out = hp_safetensors_find(item->record, rows[need.field].name);
	int64_t shape[3];
	int rank = shape_of(f, item, need.field, t, shape);

	if (need.field == RECORD_SENT_END)
		shape[0] = -1; /* nobody has said before how many */
	if (check_tensor(f, item, need.field, t, rank, shape, err) != 0)
		return HP_FAIL;
	return t || need.how != RECORD_MUST ? 0 : missing(f, item, need.field, err);
}

int record_text(const filter *f, const filter_item *item, const hp_tensor **text, hp_error *err)
{
	return find(f, item, (record_need){RECORD_TEXT, RECORD_MUST}, text, err);
}

/* Whether the record has none of our tensors but text. */
static bool only_text(const hp_safetensors *record)
{
	for (int i = RECORD_NONE + 1; i < RECORD_FIELDS; i++)
		if (rows[i].name && i != RECORD_TEXT && hp_safetensors_find(record, rows[i].name))
			return false;
	return hp_safetensors_find(record, rows[RECORD_TEXT].name);
}

/* What hp-decode --nbest says. */
static int take_rank(const filter *f, filter_item *item, hp_error *err)
{
	const char *text = hp_safetensors_meta(item->record, "nbest");
	size_t digits = text ? strspn(text, "0123456789") : 0;

	if (!text || f->stage != FILTER_LABEL)
		return 0;
	if (text[digits] != '\0' || digits < 1 || digits > 9 || (item->rank = atoi(text)) < 1)
		return record_bad(f, item, err, "metadata nbest is '%s', expected a number from 1", text);
	if (f->notation != HP_RST_DIS)
		return record_bad(f, item, err, "one of the n best trees, for which --%s has no room",
		                  hp_rst_notation_name[f->notation]);
	return 0;
}

int record_count(const filter *f, filter_item *item, hp_error *err)
{
	static const int64_t any[] = {-1, -1, -1};
	record_field first = f->stage == FILTER_ENCODE ? RECORD_X : RECORD_H;
	const hp_tensor *t = hp_safetensors_find(item->record, rows[first].name);
	int root = filter_task_of(f)->root;

	if (only_text(item->record)) {
		item->unparsed = hp_safetensors_meta(item->record, "unparsed");
		return record_text(f, item, &t, err);
	}
	bool layers = rows[first].rank == 3 && t && t->rank == 3 && size_of(f, item, SIZE_LAYERS) > 0;
	if (check_tensor(f, item, first, t, layers ? 3 : 2, any, err) != 0)
		return HP_FAIL;
	if (!t)
		return missing(f, item, first, err);
	int64_t count = t->shape[t->rank - 2];
	if (count < 1 + root || count > FILTER_MAX_WORDS + root)
		return record_bad(f, item, err, "`%s` has %lld rows, expected %s1 to %d words", rows[first].name,
		                  (long long)count, root ? "the root and " : "", FILTER_MAX_WORDS);
	item->n = (int)count;
	return take_rank(f, item, err);
}

static int heads_valid(const filter *f, const filter_item *item, const int32_t *heads, hp_error *err)
{
	int32_t *seen = HP_NEW(f->arena, int32_t, item->n);
	const char *fault = seen ? hp_heads_fault(item->n, heads, seen) : NULL;

	if (!seen)
		return hp_fail_memory(err);
	return fault ? record_bad(f, item, err, "%s", fault) : 0;
}

static int fixed_valid(const filter *f, const filter_item *item, const int32_t *fixed, hp_error *err)
{
	int32_t *work;
	hp_error why;
	int word;

	if (!filter_task_of(f)->root)
		return 0; /* any numbers leave trees */
	work = HP_NEW(f->arena, int32_t, item->n);
	if (!work)
		return hp_fail_memory(err);
	if (hp_fixed_check(item->n, fixed, work, &word, &why) != 0)
		return record_bad(f, item, err, "`fixed`: no tree has these arcs: %s", why.text);
	return 0;
}

static int splits_valid(const filter *f, const filter_item *item, const int32_t *splits, hp_error *err)
{
	int edus = item->edus.edus, *scratch = HP_NEW(f->arena, int, edus);

	if (!scratch)
		return hp_fail_memory(err);
	if (hp_splits_ok(edus, splits, scratch))
		return 0;
	return record_bad(f, item, err, "`splits` is no binary tree of %d EDUs, top-down and left first", edus);
}

static int ends_valid(const filter *f, const filter_item *item, const int32_t *ends, hp_error *err)
{
	if (hp_ends_ok(item->n, item->edus.edus, ends))
		return 0;
	return record_bad(f, item, err, "`ends` is not a list of rising positions of words up to the last one, %d",
	                  item->n - 1);
}

static int sents_valid(const filter *f, const filter_item *item, const int32_t *ends, hp_error *err)
{
	if (item->edus.sents == 0 || hp_ends_ok(item->edus.edus, item->edus.sents, ends))
		return 0;
	return record_bad(f, item, err, "`sent_end` is not a list of rising EDUs up to the last one, %d",
	                  item->edus.edus - 1);
}

/* ---- taking ---- */

static int reserve(record_column *c, size_t count, hp_error *err)
{
	size_t need = c->used + count;

	if (need <= c->capacity && c->real) /* there is data even if it is no numbers */
		return 0;
	size_t capacity = need + need / 2 + 1;
	float *grown = capacity > SIZE_MAX / sizeof(float) ? NULL : realloc(c->real, capacity * sizeof(float));
	if (!grown)
		return hp_fail_memory(err);
	c->real = grown;
	c->capacity = capacity;
	return 0;
}

static int check_values(const filter *f, const filter_item *item, const char *name, size_t count, const float *values,
                        hp_error *err)
{
	if (hp_vec_within(count, values, HP_LARGEST))
		return 0;
	return record_bad(f, item, err, "`%s` holds a value that is not finite or beyond %g", name, (double)HP_LARGEST);
}

static int copy_floats(const filter *f, const filter_item *item, const hp_tensor *t, float *out, hp_error *err)
{
	if (hp_tensor_to_float(t, 0, t->count, out) != 0)
		return record_bad(f, item, err, "`%s` is %s, expected F32", t->name, hp_dtype_name(t->dtype));
	return check_values(f, item, t->name, (size_t)t->count, out, err);
}

/* Layers become one x [COUNT], their sum by the model's weights. */
static int mix(const filter *f, const filter_item *item, const hp_tensor *layers, size_t count, float *x, hp_error *err)
{
	hp_arena_mark mark = hp_arena_save(f->arena);
	float *values = HP_NEW(f->arena, float, layers->count);
	int result = values ? copy_floats(f, item, layers, values, err) : hp_fail_memory(err);

	if (result == 0) {
		hp_mix(f->model->net, item->n, values, x);
		result = check_values(f, item, layers->name, count, x, err);
	}
	hp_arena_restore(f->arena, mark);
	return result;
}

/* T is NULL if the record has none. */
static int append(filter *f, filter_item *item, record_field field, const hp_tensor *t, hp_error *err)
{
	record_column *c = &f->batch.column[field];
	const row *r = &rows[field];
	bool layers = field == RECORD_X && size_of(f, item, SIZE_LAYERS) > 1;
	size_t count = t ? (size_t)t->count : count_of(f, item, field);
	int result = 0;

	if (layers)
		count /= (size_t)size_of(f, item, SIZE_LAYERS);
	if (reserve(c, count, err) != 0)
		return HP_FAIL;
	if (!t && r->kind == HP_I32)
		memset(c->whole + c->used, -1, count * sizeof(int32_t));
	else if (!t)
		for (size_t i = 0; i < count; i++)
			c->real[c->used + i] = NAN;
	else if (layers)
		result = mix(f, item, t, count, c->real + c->used, err);
	else if (r->kind == HP_F32)
		result = copy_floats(f, item, t, c->real + c->used, err);
	else if (count > 0)
		memcpy(c->whole + c->used, t->data, count * sizeof(int32_t));
	if (result == 0 && r->valid)
		result = r->valid(f, item, c->whole + c->used, err);
	c->used += count;
	return result;
}

int record_take(filter *f, filter_item *item, const record_need *needs, hp_error *err)
{
	const hp_tensor *found[RECORD_FIELDS];

	for (const record_need *need = needs; need->field; need++) {
		const hp_tensor **t = &found[need->field];

		*t = NULL;
		if (need->how == RECORD_SCORES && !f->scores && item->rank == 0)
			continue;
		if (find(f, item, *need, t, err) != 0)
			return HP_FAIL;
		if (!*t)
			continue;
		if (need->field == RECORD_ENDS && ((*t)->count < 1 || (*t)->count > item->n))
			return record_bad(f, item, err, "`ends` has %lld EDUs, expected 1 to %d", (long long)(*t)->count, item->n);
		if (need->field == RECORD_ENDS)
			item->edus.edus = (int)(*t)->count;
		if (need->field == RECORD_SENT_END && ((*t)->count < 1 || (*t)->count > item->edus.edus))
			return record_bad(f, item, err, "`sent_end` has %lld sentences, expected 1 to %d", (long long)(*t)->count,
			                  item->edus.edus);
		if (need->field == RECORD_SENT_END)
			item->edus.sents = (int)(*t)->count;
	}
	for (const record_need *need = needs; need->field; need++)
		if (append(f, item, need->field, found[need->field], err) != 0)
			return HP_FAIL;
	return 0;
}

/* ---- making and writing ---- */

static bool is_made(const filter *f, int field)
{
	for (const record_field *made = filter_step_of(f)->make; *made; made++)
		if (*made == (record_field)field)
			return true;
	return false;
}

/* Whether what is made is used: text has no room for some of it. */
static bool wanted(const filter *f, record_field field)
{
	return !f->text || (field != RECORD_D && (field != RECORD_SCORE || f->scores || f->nbest > 0));
}

/* What hp-embed has read, not computed; NULL: other fields. */
static const void *read_of(const filter_item *item, record_field field)
{
	return field == RECORD_TEXT        ? (const void *)item->text
	       : field == RECORD_ENDS      ? (const void *)item->edus.ends
	       : field == RECORD_SENT_END  ? (const void *)item->edus.sent_end
	       : field == RECORD_PARAGRAPH ? (const void *)item->edus.paragraph
	       : field == RECORD_FIXED     ? (const void *)item->fixed
	                                   : NULL;
}

static bool is_read(record_field field)
{
	return field == RECORD_TEXT || field == RECORD_ENDS || field == RECORD_SENT_END || field == RECORD_PARAGRAPH ||
	       field == RECORD_FIXED;
}

int record_make(filter *f, hp_error *err)
{
	for (const record_field *field = filter_step_of(f)->make; *field; field++) {
		record_column *c = &f->batch.column[*field];
		size_t count = 1; /* room even for none */

		c->real = NULL;
		if (is_read(*field) || !wanted(f, *field))
			continue;
		for (int i = 0; i < f->batch.items; i++)
			if (f->batch.item[i].n > 0)
				count += count_of(f, &f->batch.item[i], *field);
		c->real = HP_NEW(f->arena, float, count * (size_t)filter_trees(f));
	}
	return hp_arena_failed(f->arena) ? hp_fail_memory(err) : 0;
}

float *record_reals(const filter *f, record_field field)
{
	const record_column *c = &f->batch.column[field];

	return c->real ? c->real + c->at : NULL;
}

int32_t *record_wholes(const filter *f, record_field field)
{
	return f->batch.column[field].whole + f->batch.column[field].at;
}

void record_next(filter *f, const filter_item *item, bool last)
{
	for (int i = RECORD_NONE + 1; i < RECORD_FIELDS; i++)
		if (f->batch.column[i].real && (last || is_made(f, i)))
			f->batch.column[i].at += count_of(f, item, (record_field)i);
}

int record_check(const filter *f, const filter_item *item, const char *what, size_t count, const float *result,
                 hp_error *err)
{
	if (hp_vec_within(count, result, HP_LARGEST))
		return 0;
	return record_bad(f, item, err, "%s comes to a value that is not finite or beyond %g", what, (double)HP_LARGEST);
}

int record_check_made(const filter *f, const filter_item *item, hp_error *err)
{
	for (int i = RECORD_NONE + 1; i < RECORD_FIELDS; i++) {
		const float *values = record_reals(f, (record_field)i);
		char what[32];

		if (!is_made(f, i) || !rows[i].name || rows[i].kind != HP_F32 || !values)
			continue;
		snprintf(what, sizeof(what), "`%s`", rows[i].name);
		if (record_check(f, item, what, count_of(f, item, (record_field)i), values, err) != 0)
			return HP_FAIL;
	}
	return 0;
}

/* Columns that are named once, at the top of a file, go along with each sentence; and why a block passes unparsed. */
static int write_meta(hp_st_writer *w, const filter_item *item, hp_error *err)
{
	const hp_columns *c = item->columns;
	char names[HP_COLUMNS_TEXT];

	if (c && c->named && !c->plain && c->count > 0) {
		hp_columns_text(c, names);
		if (hp_st_writer_meta(w, "columns", names, err) != 0)
			return HP_FAIL;
	}
	return item->unparsed ? hp_st_writer_meta(w, "unparsed", item->unparsed, err) : 0;
}

static int write_rank(hp_st_writer *w, int rank, hp_error *err)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", rank);
	return hp_st_writer_meta(w, "nbest", number, err);
}

int record_write(filter *f, const filter_item *item, hp_error *err)
{
	static const char *const none[] = {NULL}, *const x[] = {"x", NULL}, *const nbest[] = {"nbest", NULL};
	const char *const *drop = f->stage == FILTER_ENCODE ? x : f->stage == FILTER_DECODE ? nbest : none;
	hp_st_writer *w = hp_stream_record(f->out);

	if (!item->record && write_meta(w, item, err) != 0)
		return HP_FAIL;
	if (item->rank > 0 && write_rank(w, item->rank, err) != 0)
		return HP_FAIL;
	for (const record_field *field = filter_step_of(f)->make; *field; field++) {
		const row *r = &rows[*field];
		const void *values = is_read(*field) ? read_of(item, *field) : record_reals(f, *field);
		int64_t shape[3];

		if ((item->n == 0 && *field != RECORD_TEXT) || (*field == RECORD_FIXED && !item->fixed) ||
		    (*field == RECORD_SENT_END && item->edus.sents == 0) ||
		    (*field == RECORD_PARAGRAPH && !item->edus.document))
			continue;
		int rank = shape_of(f, item, *field, NULL, shape);
		if (hp_st_writer_tensor(w, r->name, r->kind, rank, shape, values, err) != 0)
			return HP_FAIL;
	}
	return hp_stream_write_record(f->out, item->record, drop, err);
}
