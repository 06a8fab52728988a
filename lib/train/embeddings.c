/* embeddings.c: reading embeddings in step with trees. */
#include "train/embeddings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "io/stream.h"

struct hp_embeddings {
	hp_input *in;
	hp_stream_reader *reader;
	long sentence; /* number of the one read last */
	int64_t layers, dim; /* 0: not known yet */
};

int hp_embeddings_open(const char *path, hp_embeddings **out, hp_error *err)
{
	hp_embeddings *e = calloc(1, sizeof *e);

	*out = NULL;
	if (!e)
		return hp_fail_memory(err);
	if (hp_input_open(path, &e->in, err) != 0 || hp_stream_reader_new(e->in, &e->reader, err) != 0) {
		hp_embeddings_close(e);
		return HP_FAIL;
	}
	*out = e;
	return 0;
}

void hp_embeddings_close(hp_embeddings *e)
{
	if (!e)
		return;
	hp_stream_reader_destroy(e->reader);
	hp_input_close(e->in);
	free(e);
}

int hp_embeddings_layers(const hp_embeddings *e)
{
	return (int)e->layers;
}

int hp_embeddings_dim(const hp_embeddings *e)
{
	return (int)e->dim;
}

/* What is wrong with the sentence read last. */
__attribute__((format(printf, 3, 4))) static int bad(const hp_embeddings *e, hp_error *err, const char *format, ...)
{
	char text[768];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return hp_fail(err, "%s: sentence %ld: %s", hp_input_name(e->in), e->sentence, text);
}

/* A first or last record. */
static int check_frame(const hp_embeddings *e, hp_record_kind kind, const hp_safetensors *record, hp_error *err)
{
	const char *task = hp_safetensors_meta(record, "task");

	if (kind == HP_RECORD_FIRST && task && strcmp(task, "rst") != 0)
		return hp_fail(err, "%s: a stream for the task '%s', expected rst", hp_input_name(e->in), task);
	if (kind == HP_RECORD_LAST && hp_record_error(record))
		return hp_fail(err, "%s: ended early: %s", hp_input_name(e->in), hp_record_error(record));
	return 0;
}

/* The next sentence, the caller's to close; NULL at the end. */
static int read_sentence(hp_embeddings *e, hp_safetensors **record, hp_error *err)
{
	hp_record_kind kind;

	for (;;) {
		if (hp_stream_read(e->reader, &kind, record, err) != 0)
			return HP_FAIL;
		if (kind == HP_RECORD_END)
			return 0;
		if (kind == HP_RECORD_SENTENCE) {
			e->sentence++;
			return 0;
		}
		int status = check_frame(e, kind, *record, err);
		hp_safetensors_close(*record);
		*record = NULL;
		if (status != 0)
			return HP_FAIL;
	}
}

static int check_x(hp_embeddings *e, const hp_tensor *x, const char *trees, long line, int words, hp_error *err)
{
	if (!x)
		return bad(e, err, "a record without `x`, where %s:%ld has a tree", trees, line);
	if (x->rank != 2 && x->rank != 3)
		return bad(e, err, "`x` has %d dimensions, expected words by width or layers by words by width", x->rank);
	int64_t layers = x->rank == 3 ? x->shape[0] : 1, rows = x->shape[x->rank - 2], dim = x->shape[x->rank - 1];
	if (rows != words)
		return bad(e, err, "`x` is of %lld words, the tree at %s:%ld has %d", (long long)rows, trees, line, words);
	if (layers < 1 || layers > INT32_MAX || dim < 1 || dim > INT32_MAX)
		return bad(e, err, "`x` has %lld layers of %lld numbers a word", (long long)layers, (long long)dim);
	if (e->dim && (layers != e->layers || dim != e->dim))
		return bad(e, err, "`x` has %lld layers of %lld numbers a word, in the sentences before %lld of %lld",
		           (long long)layers, (long long)dim, (long long)e->layers, (long long)e->dim);
	e->layers = layers;
	e->dim = dim;
	return 0;
}

static int check_ends(const hp_embeddings *e, const hp_tensor *ends, const char *trees, long line, const hp_edus *edus,
                      hp_error *err)
{
	if (!ends)
		return 0;
	if (ends->dtype != HP_I32 || ends->rank != 1)
		return bad(e, err, "`ends` is %s with %d dimensions, expected I32 with 1", hp_dtype_name(ends->dtype),
		           ends->rank);
	if (ends->count != edus->edus)
		return bad(e, err, "`ends` has %lld EDUs, the tree at %s:%ld has %d", (long long)ends->count, trees, line,
		           edus->edus);
	for (int i = 0; i < edus->edus; i++) {
		int32_t end = ((const int32_t *)ends->data)[i];
		if (end != edus->ends[i])
			return bad(e, err, "`ends` lets EDU %d end with word %ld, in the tree at %s:%ld it is word %ld", i + 1,
			           (long)end, trees, line, (long)edus->ends[i]);
	}
	return 0;
}

static int copy_x(const hp_embeddings *e, const hp_tensor *x, float **out, hp_error *err)
{
	float *copy = malloc((size_t)x->count * sizeof *copy);

	if (!copy)
		return hp_fail_memory(err);
	int status = hp_tensor_to_float(x, 0, x->count, copy);
	if (status != 0)
		bad(e, err, "`x` is %s, expected F32", hp_dtype_name(x->dtype));
	for (int64_t i = 0; i < x->count && status == 0; i++)
		if (!(fabsf(copy[i]) <= HP_LARGEST))
			status = bad(e, err, "`x` holds a value that is not finite or beyond %g", (double)HP_LARGEST);
	if (status == 0)
		*out = copy;
	else
		free(copy);
	return status;
}

int hp_embeddings_next(hp_embeddings *e, const char *trees, long line, const hp_edus *edus, float **x, hp_error *err)
{
	hp_safetensors *record = NULL;
	int status = HP_FAIL;

	*x = NULL;
	if (read_sentence(e, &record, err) != 0)
		return HP_FAIL;
	if (!record)
		return hp_fail(err, "%s: %ld sentences, but %s has more: none for the tree at %s:%ld", hp_input_name(e->in),
		               e->sentence, trees, trees, line);
	const hp_tensor *tensor = hp_safetensors_find(record, "x"), *ends = hp_safetensors_find(record, "ends");
	if (check_x(e, tensor, trees, line, edus->ends[edus->edus - 1] + 1, err) == 0 &&
	    check_ends(e, ends, trees, line, edus, err) == 0)
		status = copy_x(e, tensor, x, err);
	hp_safetensors_close(record);
	return status;
}

int hp_embeddings_end(hp_embeddings *e, const char *trees, hp_error *err)
{
	hp_safetensors *record = NULL;

	if (read_sentence(e, &record, err) != 0)
		return HP_FAIL;
	if (!record)
		return 0;
	hp_safetensors_close(record);
	return bad(e, err, "%s has %ld trees only", trees, e->sentence - 1);
}
