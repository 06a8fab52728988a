/* grid.h: a small table of text that is written in aligned columns for people or as CSV for programs. */
#ifndef HP_GRID_H
#define HP_GRID_H
#include <stdio.h>
#include "base/error.h"

typedef struct hp_grid hp_grid;

/* The first LEFT columns are aligned to the left, the others to the right. */
hp_grid *hp_grid_new(int columns, int left); /* NULL when out of memory */
void hp_grid_destroy(hp_grid *g); /* accepts NULL */
/* Adds a cell, row by row; the first row is the header.  When memory runs out the grid remembers it for the write. */
void hp_grid_add(hp_grid *g, const char *fmt, ...) HP_PRINTF(2, 3);
/* All cells of a row from a string of column names separated by blanks. */
void hp_grid_header(hp_grid *g, const char *names);
/* An unfinished last row is not written.  Errors of OUT itself are left for whoever closes it.  As text, control characters
 * are shown as hp_escape shows them, and stay so in G. */
int hp_grid_write_text(hp_grid *g, FILE *out, hp_error *err) HP_USE_RESULT;
int hp_grid_write_csv(const hp_grid *g, FILE *out, hp_error *err) HP_USE_RESULT;

#endif
