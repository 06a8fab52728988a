/* record.h: safetensors images back to back in an input, whatever they mean.  The tensor stream (stream.h) is built on
 * this; hp-cat also shows with it what is no stream. */
#ifndef HP_RECORD_H
#define HP_RECORD_H
#include <stdbool.h>
#include "io/input.h"
#include "io/safetensors.h"

typedef struct hp_record_reader hp_record_reader;

/* Borrows IN.  STREAM: its records are those of a tensor stream, whose headers are shorter than a model's may be. */
int hp_record_reader_new(hp_input *in, bool stream, hp_record_reader **out, hp_error *err) HP_USE_RESULT;
void hp_record_reader_destroy(hp_record_reader *r); /* accepts NULL */
/* The next image, the caller's to close; NULL at the end of the input.  Messages begin with "NAME: record N: ", where
 * N counts from 1. */
int hp_record_read(hp_record_reader *r, hp_safetensors **record, hp_error *err) HP_USE_RESULT;
/* Whether hp_record_read would return without waiting.  Trouble met here is kept for hp_record_read to report. */
bool hp_record_ready(hp_record_reader *r);

#endif
