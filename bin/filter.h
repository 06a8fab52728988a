/* filter.h: what the four filters share: options, batches of sentences that have arrived, the loop over a stream's
 * records, and the ways in which a stage passes trouble on.
 *
 * A stage computes sentences in batches, for speed, but waits for nobody: when its input pauses, whatever has come is
 * computed, written and flushed.  Results do not depend on how the sentences fell into batches. */
#ifndef FILTER_H
#define FILTER_H
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/pool.h"
#include "dep/coverage.h"
#include "dep/model.h"
#include "io/stream.h"
#include "text/edus.h"

enum {
	FILTER_SENTENCES = HP_BATCH_SENTENCES, /* of a batch at most */
	FILTER_ROWS = HP_BATCH_ROWS,
	FILTER_BYTES = HP_BATCH_BYTES,
	FILTER_MAX_WORDS = 1000000, /* the largest --max-words */
	FILTER_MAX_THREADS = 256,
	FILTER_MAX_BEAM = 1000
};

typedef struct filter filter;

/* One record of the stream. */
typedef struct filter_item {
	hp_safetensors *record; /* owned; NULL in hp-embed, which reads text */
	long number; /* in its stream, from 1 */
	int n; /* positions; 0: a record that passes as it is */
	const char *unparsed; /* why the block could not be read (--keep-going), in the arena or the record; NULL: it was */
	hp_sentence sentence; /* hp-embed, and stages that write text */
	hp_edus edus; /* discourse, the same stages; in the filter's arena */
	const char *lines; /* [size] discourse, hp-embed: the record's `text` */
	size_t size;
	float score; /* --scores: log-probability of the tree; NAN: the record does not tell */
} filter_item;

/* Numbers of the batch's sentences, one sentence after another. */
typedef struct filter_floats {
	float *data;
	size_t used, capacity;
} filter_floats;

typedef struct filter_stage filter_stage;
struct filter_stage {
	const char *name; /* "encode", as in the stream's metadata */
	int stage; /* HP_STAGE_ENCODE */
	const char *const *drop; /* names of tensors that are not passed on, NULL-terminated; or NULL */
	/* Sets ITEM->n by what the record brings; 0 if it brings nothing but text. */
	int (*check)(filter *f, filter_item *item, hp_error *err);
	/* Appends the sentence's tensors to the stage's buffers; the model is open.  After a failure the loop drops the
	 * sentence and computes those before it. */
	int (*load)(filter *f, filter_item *item, hp_error *err);
	int (*compute)(filter *f, hp_error *err); /* all sentences of f->batch, results in f->arena */
	/* Writes sentence INDEX of the batch, whose first row is ROW. */
	int (*write)(filter *f, filter_item *item, int index, size_t row, hp_error *err);
	const filter_stage *rst; /* the same stage of a discourse model */
};

typedef struct filter_batch {
	int items; /* records */
	int count; /* sentences among them */
	size_t rows, bytes; /* positions; bytes of text */
	int n[FILTER_SENTENCES]; /* [count] positions of the sentences */
	filter_item item[FILTER_SENTENCES];
} filter_batch;

struct filter {
	const char *program; /* "hp-encode" */
	const filter_stage *stage; /* NULL in hp-embed */
	void *data; /* the stage's own */
	const char *model_name; /* -m, else HP_MODEL, else NULL; not owned */
	bool named; /* by -m */
	const char *output; /* -o, or NULL */
	int threads;
	bool int8; /* --int8: not hp-embed */
	bool text; /* ends the pipe: writes CoNLL-U or .dis trees instead of a stream */
	int beam; /* hp-decode */
	bool scores, brackets; /* hp-decode, hp-label; hp-label of a discourse model */
	int status; /* exit status so far */
	bool incomplete; /* a stream that was read ended in an error */

	hp_model *model;
	const char *elmo_id; /* hp-embed: of the language model, not owned; else NULL */
	hp_pool *pool;
	hp_arena *arena; /* emptied after each batch */
	hp_coverage coverage; /* hp-embed: what the model knows of all texts */
	struct discourse *discourse; /* of a discourse model: discourse.c */
	hp_stream_writer *out; /* NULL: text */
	bool begun; /* the first record is written, the last is not */
	filter_batch batch;

	/* the loop over records */
	const char *input; /* name of the input, for messages */
	hp_safetensors *first; /* first record of the stream being read */
	long number; /* of its sentences so far */
};

/* ---- options ---- */
#define FILTER_SHORT_OPTIONS "m:j:o:hV"
#define FILTER_LONG_OPTIONS \
	{"model", required_argument, NULL, 'm'}, {"threads", required_argument, NULL, 'j'}, \
		{"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, \
	{ \
		"version", no_argument, NULL, 'V' \
	}
/* Of the stages that compute with the model's matrices. */
enum { FILTER_INT8 = 1000 };
#define FILTER_INT8_OPTION \
	{ \
		"int8", no_argument, NULL, FILTER_INT8 \
	}
#define FILTER_INT8_HELP \
	"      --int8         compute with matrices rounded to 8-bit integers: twice as\n" \
	"                     fast; one or two arcs in a hundred come out otherwise\n"
#define FILTER_HELP \
	"  -m, --model=MODEL  a model file (a name with a '/') or the name of an\n" \
	"                     installed model; without it HP_MODEL\n" \
	"  -j, --threads=N    threads to compute with (default 1)\n" \
	"  -o, --output=FILE  write into FILE, which is there when all of it is\n" \
	"  -h, --help         show this help\n" \
	"  -V, --version      show the version\n"

void filter_init(filter *f, const char *program, const filter_stage *stage, void *data);
/* One of the shared options, or what cli_option returned for a wrong one.  Returns -1, or the status to exit with. */
int filter_option(filter *f, int option, const char *argument, const char *help);

/* ---- the life of a filter ---- */
int filter_check_model(const filter *f, hp_error *err) HP_USE_RESULT; /* the model that was opened is not the output */
int filter_start(filter *f, hp_error *err) HP_USE_RESULT; /* threads, memory, and output unless f->text */
/* Reads all FILES (COUNT 0: standard input) through the stage.  Returns the exit status. */
int filter_run(filter *f, int count, char **files);
/* After everything: RESULT is what the work returned, ERR its message.  Tells the reader of the stream, closes standard
 * output, frees.  Returns the exit status. */
int filter_end(filter *f, int result, hp_error *err);

/* ---- parts of it, for hp-embed ---- */
int filter_begin(filter *f, hp_error *err) HP_USE_RESULT; /* writes the first record; the model (may be NULL) is open */
bool filter_batch_takes(const filter *f, int n, size_t bytes);
filter_item *filter_batch_next(filter *f); /* the item to fill; there is room */
void filter_batch_add(filter *f, int n, size_t bytes); /* the item is filled and belongs to the batch */
void filter_batch_clear(filter *f); /* frees records, empties the arena */
/* Whether something comes in a moment: a pause shorter than a few milliseconds is no pause.  *WAITED (begin with 0)
 * bounds the sum.  For inputs other than standard input: false. */
bool filter_wait(const hp_input *in, int *waited);
void filter_grow_pipe(int fd); /* lets a pipe hold several sentences, where the system allows it */

/* ---- what arrives in records: anyone can write a stream ---- */
/* Fails with "INPUT: sentence NUMBER: ..." */
int filter_bad(const filter *f, const filter_item *item, hp_error *err, const char *fmt, ...) HP_PRINTF(4, 5);
/* Tensor NAME of RANK dimensions (-1 in SHAPE: any), of float type or I32 or U8 as KIND says; *OUT is NULL if the
 * record has none. */
int filter_find(const filter *f, const filter_item *item, const char *name, hp_dtype kind, int rank,
                const int64_t *shape, const hp_tensor **out, hp_error *err) HP_USE_RESULT;
/* The same, but absence is an error: "no `NAME`: expected the output of PRODUCER". */
int filter_need(const filter *f, const filter_item *item, const char *name, hp_dtype kind, int rank,
                const int64_t *shape, const char *producer, const hp_tensor **out, hp_error *err) HP_USE_RESULT;
/* Whether the record is a mere text: comments, or a block that could not be read.  Then ITEM->n is 0. */
int filter_passes(const filter *f, filter_item *item, bool *passes, hp_error *err) HP_USE_RESULT;
/* Sets ITEM->n by tensor NAME [n × any], made by PRODUCER.  A record with no tensor but text passes. */
int filter_count(const filter *f, filter_item *item, const char *name, const char *producer,
                 hp_error *err) HP_USE_RESULT;
/* Refuses what the next stage would: results that are not finite, or absurd. */
int filter_check(const filter *f, const filter_item *item, const char *what, size_t count, const float *result,
                 hp_error *err) HP_USE_RESULT;
/* Adds RESULT to the record, once checked. */
int filter_result(const filter *f, const filter_item *item, const char *name, int rank, const int64_t *shape,
                  const float *result, hp_error *err) HP_USE_RESULT;
/* Appends all values; refuses what is not finite, or absurd. */
int filter_append(const filter *f, const filter_item *item, const hp_tensor *tensor, filter_floats *floats,
                  hp_error *err) HP_USE_RESULT;
/* Whether the text of an item that passes unparsed has a tree, which might be taken for one of ours. */
bool filter_shows_tree(const filter_item *item);
/* Sets ITEM->score by `score`. */
int filter_score(const filter *f, filter_item *item, hp_error *err) HP_USE_RESULT;
/* Parses `text`, which must have n - 1 words, into item->sentence. */
int filter_parse_text(const filter *f, filter_item *item, hp_error *err) HP_USE_RESULT;

#endif
