/* summary.h: mean and standard deviation over the result tables of several runs. */
#ifndef HP_SUMMARY_H
#define HP_SUMMARY_H
#include <stdbool.h>
#include "eval/grid.h"

/* Columns of a result table, and their order.  Rows that agree in all but SYSTEM and the figures are runs of one
 * thing. */
#define HP_RESULT_COLUMNS "task name gold system punct by group metric measure value correct gold_total system_total"
enum { HP_RESULT_WIDTH = 13 };

typedef struct hp_summary hp_summary;

hp_summary *hp_summary_new(void); /* NULL when out of memory */
void hp_summary_destroy(hp_summary *s); /* accepts NULL */
/* Adds the rows of PATH ("-": standard input).  Columns are found by the names in the first row; `metric` and `value`
 * must be there, other known ones may be absent, unknown ones are passed over.  Headers may come again further down, as
 * in tables put together by cat. */
int hp_summary_read(hp_summary *s, const char *path, hp_error *err) HP_USE_RESULT;
/* A table of what was read, in order of first appearance.  CSV: all columns, with `runs`, `mean`, `sd` (empty for one
 * run).  Otherwise: columns that are the same in all rows are left out and figures have two decimals. */
int hp_summary_grid(const hp_summary *s, bool csv, hp_grid **out, hp_error *err) HP_USE_RESULT;

#endif
