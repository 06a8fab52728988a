/* record.h: what a stream's records hold (hp-stream(5)), as a table: a tensor's type, shape and producer.  By it, and by the
 * lists of what a stage needs and makes, whatever comes is checked and taken and whatever goes is written. */
#ifndef FILTER_RECORD_H
#define FILTER_RECORD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "io/safetensors.h"

typedef struct filter filter;
typedef struct filter_item filter_item;

typedef enum record_field {
	RECORD_NONE,
	RECORD_X,
	RECORD_H,
	RECORD_INIT,
	RECORD_LOGP,
	RECORD_SCORE,
	RECORD_D,
	RECORD_FIXED,
	RECORD_HEADS,
	RECORD_SPLITS,
	RECORD_ENDS,
	RECORD_SENT_END,
	RECORD_PARAGRAPH,
	RECORD_TEXT,
	/* not in a stream: what is only printed */
	RECORD_LABELS,
	RECORD_LABEL_LOGP,
	RECORD_FIELDS
} record_field;

/* Dimensions of tensors: of a sentence, and of the model. */
typedef enum record_size {
	SIZE_ROWS, /* positions */
	SIZE_BYTES, /* of the text */
	SIZE_EDUS,
	SIZE_UNITS, /* positions, or EDUs */
	SIZE_SENTS, /* of a document */
	SIZE_SPLITS, /* EDUs - 1 */
	SIZE_THREE,
	SIZE_CHOICES, /* arcs, the root's among them, or splits */
	SIZE_LAYERS, /* of x; 0: it has no such dimension */
	SIZE_INPUT, /* of x: D */
	SIZE_STATE, /* of h */
	SIZE_PARTS, /* of init: hidden and cell state, or layers */
	SIZE_START /* of init and d: the decoder's width */
} record_size;

typedef enum record_how {
	RECORD_MUST,
	RECORD_MAY, /* NAN, or -1, where there is none */
	RECORD_SCORES /* the same, looked at with --scores only, or for one of the n best trees */
} record_how;
typedef struct record_need {
	record_field field; /* RECORD_NONE: end of the list */
	record_how how;
} record_need;

/* Numbers of a batch's sentences, one sentence after another. */
typedef struct record_column {
	union {
		float *real;
		int32_t *whole;
	};
	size_t used, capacity; /* capacity 0: in the filter's arena */
	size_t at; /* where those of the sentence begin that is being written */
} record_column;

/* Fails with "INPUT: sentence NUMBER: ..." */
int record_bad(const filter *f, const filter_item *item, hp_error *err, const char *fmt, ...) HP_PRINTF(4, 5);
/* Sets ITEM->n by the tensor that the stage begins with; 0 for a record that is a mere text: comments, or a block that could
 * not be read. */
int record_count(const filter *f, filter_item *item, hp_error *err) HP_USE_RESULT;
/* Appends what the list NEEDS says to the batch's columns; refuses numbers that are not finite, or absurd, and what is no tree. */
int record_take(filter *f, filter_item *item, const record_need *needs, hp_error *err) HP_USE_RESULT;
/* The record's `text`, which must be there. */
int record_text(const filter *f, const filter_item *item, const hp_tensor **text, hp_error *err) HP_USE_RESULT;
/* Room for what the stage makes of the batch; columns that nobody wants are NULL. */
int record_make(filter *f, hp_error *err) HP_USE_RESULT;
/* Refuses what the next stage would: results that are not finite, or absurd. */
int record_check(const filter *f, const filter_item *item, const char *what, size_t count, const float *result,
                 hp_error *err) HP_USE_RESULT;
int record_check_made(const filter *f, const filter_item *item, hp_error *err) HP_USE_RESULT; /* all of them */
/* Writes what is made and whatever else the record had. */
int record_write(filter *f, const filter_item *item, hp_error *err) HP_USE_RESULT;
/* Moves the columns on behind a tree of ITEM: those that are made and, if it is the LAST one, all others. */
void record_next(filter *f, const filter_item *item, bool last);
float *record_reals(const filter *f, record_field field); /* those of the sentence that is being written */
int32_t *record_wholes(const filter *f, record_field field);

#endif
