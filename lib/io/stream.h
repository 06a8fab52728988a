/* stream.h: the tensor stream, safetensors records back to back (hp-stream(5)).
 *
 * First record: only __metadata__ (hp_stream "1", stage, task, model_id, model_path).  Then one record a sentence,
 * float tensors first, U8 last.  Last record: only __metadata__ (end "1", sentences, and error if the stage stopped
 * early).  A new first record may follow a last one. */
#ifndef HP_STREAM_H
#define HP_STREAM_H
#include <stdbool.h>
#include "io/input.h"
#include "io/safetensors.h"

#define HP_STREAM_VERSION "1"

typedef enum hp_record_kind { HP_RECORD_END, HP_RECORD_FIRST, HP_RECORD_SENTENCE, HP_RECORD_LAST } hp_record_kind;

typedef struct hp_stream_reader hp_stream_reader;
int hp_stream_reader_new(hp_input *in, hp_stream_reader **out, hp_error *err) HP_USE_RESULT; /* borrows IN */
void hp_stream_reader_destroy(hp_stream_reader *r); /* accepts NULL */
/* The next record.  *KIND is HP_RECORD_END after a last record at the end of the input; an input that ends anywhere
 * else, is empty, or is no stream is an error.  A last record that carries an error is returned as HP_RECORD_LAST
 * (see hp_record_error).  *RECORD (NULL at the end) owns its bytes and is the caller's to close with
 * hp_safetensors_close. */
int hp_stream_read(hp_stream_reader *r, hp_record_kind *kind, hp_safetensors **record, hp_error *err) HP_USE_RESULT;
/* Whether hp_stream_read would return without waiting (a whole record, an error or the end has arrived). */
int hp_stream_ready(hp_stream_reader *r, bool *ready, hp_error *err) HP_USE_RESULT;
/* Whether a tensor stream begins here; consumes nothing. */
int hp_stream_detect(hp_input *in, bool *stream, hp_error *err) HP_USE_RESULT;
const char *hp_record_error(const hp_safetensors *last); /* the upstream's message, or NULL */

typedef struct hp_stream_writer hp_stream_writer;
/* Borrows OUT.  Refuses a terminal. */
int hp_stream_writer_new(FILE *out, const char *name, hp_stream_writer **w, hp_error *err) HP_USE_RESULT;
void hp_stream_writer_destroy(hp_stream_writer *w);
/* KEYS/VALUES: N metadata pairs beside the version. */
int hp_stream_write_first(hp_stream_writer *w, int n, const char *const *keys, const char *const *values,
                          hp_error *err) HP_USE_RESULT;
/* The record being built: add tensors, then finish.  UPSTREAM (may be NULL) contributes every tensor and metadata
 * pair whose name was not added and is not in the NULL-terminated list DROP. */
hp_st_writer *hp_stream_record(hp_stream_writer *w);
int hp_stream_write_record(hp_stream_writer *w, const hp_safetensors *upstream, const char *const *drop,
                           hp_error *err) HP_USE_RESULT;
/* ERROR and SAID (where it has been said, see hp-stream(5)) may be NULL; counts by itself; flushes. */
int hp_stream_write_last(hp_stream_writer *w, const char *error, const char *said, hp_error *err) HP_USE_RESULT;
int hp_stream_flush(hp_stream_writer *w, hp_error *err) HP_USE_RESULT;

#endif
