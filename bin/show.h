/* show.h: records and tensors as text, for hp-cat. */
#ifndef HP_SHOW_H
#define HP_SHOW_H
#include <stdbool.h>
#include <stdio.h>
#include "io/safetensors.h"

/* Text with what a terminal could obey (control characters, invalid bytes) as escapes; at most MOST bytes of it, then "...". */
void show_text(FILE *out, const char *text, size_t size, size_t most);
bool show_is_text(const hp_tensor *tensor); /* one row of bytes that are valid UTF-8 */
/* One line a row (the last dimension), an empty line between matrices, each line after INDENT. */
void show_values(FILE *out, const hp_tensor *tensor, const char *indent, char separator, int digits);
void show_stats(FILE *out, const hp_tensor *tensor); /* "min ... mean ... max ..." */
void show_shape(FILE *out, const hp_tensor *tensor); /* "[3, 4]" */
/* {"file": ..., "record": ..., "kind": ..., "metadata": {...}, "tensors": {...}}, a line */
void show_json(FILE *out, const char *file, long number, const char *kind, const hp_safetensors *st,
               bool (*wanted)(const char *name), bool values);

#endif
