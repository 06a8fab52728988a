/* store.h: writing a model file (hp-model(5)), piece by piece. */
#ifndef HP_STORE_H
#define HP_STORE_H
#include "base/arena.h"
#include "nn/params.h"
#include "text/vocab.h"

typedef struct hp_store_notes { /* metadata beside the configuration and what opening a model reads */
	const char *id; /* NULL: derived from everything that is in the file */
	int count;
	const char *const *keys, *const *values; /* [count] */
} hp_store_notes;

typedef struct hp_storing hp_storing;
/* HALF: floats become F16; BYTES: those of matrices, of rank 2 or more, F8_E4M3. */
int hp_storing_new(bool half, bool bytes, hp_storing **out, hp_error *err) HP_USE_RESULT;
void hp_storing_destroy(hp_storing *s); /* accepts NULL */
/* For what is needed until the file is written, and for what writes to it itself (and is no part of the derived id). */
hp_arena *hp_storing_arena(const hp_storing *s);
hp_st_writer *hp_storing_writer(const hp_storing *s);
int hp_storing_meta(hp_storing *s, const char *key, const char *value, hp_error *err) HP_USE_RESULT;
int hp_storing_notes(hp_storing *s, const hp_store_notes *notes, hp_error *err) HP_USE_RESULT; /* but for the id */
/* VALUE must live until the file is written, unless stored as F16 or F8. */
int hp_storing_floats(hp_storing *s, const char *name, int rank, const int64_t *shape, const float *value, size_t count,
                      hp_error *err) HP_USE_RESULT;
int hp_storing_param(hp_storing *s, const hp_param *p, hp_error *err) HP_USE_RESULT; /* likewise */
/* As it is; its data must live until the file is written. */
int hp_storing_tensor(hp_storing *s, const hp_tensor *t, hp_error *err) HP_USE_RESULT;
int hp_storing_vocab(hp_storing *s, const char *name, const hp_vocab *v, hp_error *err) HP_USE_RESULT;
int hp_storing_numbers(hp_storing *s, const char *name, const int32_t *value, int count, hp_error *err) HP_USE_RESULT;
/* To OUT, which is called NAME.  ID NULL: derived from all that was added. */
int hp_storing_write(hp_storing *s, const char *id, FILE *out, const char *name, hp_error *err) HP_USE_RESULT;
/* The file at PATH: written beside it and renamed. */
int hp_storing_save(hp_storing *s, const char *id, const char *path, hp_error *err) HP_USE_RESULT;

#endif
