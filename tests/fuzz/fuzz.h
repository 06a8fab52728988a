/* fuzz.h: what the fuzz targets share: demands, inputs of several files, programs run within the process (fuzz.c);
 * mutations that keep safetensors images and streams whole (images.c). */
#ifndef FUZZ_H
#define FUZZ_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's own mutations */

#define demand(holds) ((holds) ? (void)0 : abort())

/* A refusal has its line, without a newline in it. */
void fuzz_refused(const hp_error *err);

/* ---- files ---- */
typedef struct fuzz_piece {
	const uint8_t *data;
	size_t size;
} fuzz_piece;

/* Each piece but the last of COUNT goes up to a byte 0x1e, which belongs to none; those that are missing are empty. */
void fuzz_split(const uint8_t *data, size_t size, fuzz_piece *piece, int count);

/* Path of a file NAME in a folder that goes with the process; static text, one for each of the names. */
const char *fuzz_path(const char *name);
const char *fuzz_file(const char *name, const void *data, size_t size); /* the same; the file now holds these bytes */
const char *fuzz_bank(void); /* the same of a file of four dependency trees */
char *fuzz_read(const char *path, size_t *size); /* its contents, malloc'ed, with a NUL behind; NULL: not there */
/* Path of a file beside the program that runs, such as "models/tiny.safetensors"; malloc'ed. */
char *fuzz_beside(const char *name);

/* ---- programs ---- */

/* The mains of bin/, under other names. */
int hp_embed_main(int argc, char **argv);
int hp_encode_main(int argc, char **argv);
int hp_decode_main(int argc, char **argv);
int hp_label_main(int argc, char **argv);
int hp_eval_main(int argc, char **argv);
int hp_cat_main(int argc, char **argv);
int hp_segment_main(int argc, char **argv);
int rst_extract_main(int argc, char **argv);

typedef struct fuzz_run {
	int status;
	char *out; /* standard output, NUL behind it */
	size_t size;
	char *said; /* standard error */
} fuzz_run;

/* Runs PROGRAM with ARGUMENTS (NULL-terminated, the name first).  Its status is 0 or 1; what it said is lines that begin with
 * its name. */
void fuzz_program(int (*program)(int, char **), const char *const *arguments, fuzz_run *run);
void fuzz_run_free(fuzz_run *run);

/* ---- images.c ---- */

/* A custom mutator's work on a safetensors image: changes values, shapes, types, names, metadata, and lays it out
 * again; now and then only the header's text or any bytes. */
size_t fuzz_mutate_image(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
/* The same on one of a stream's records; or leaves one out, doubles or moves it, cuts the stream. */
size_t fuzz_mutate_stream(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#endif
