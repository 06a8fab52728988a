/* report.h: results as tables for people or as CSV; the same for every task. */
#ifndef HP_REPORT_H
#define HP_REPORT_H
#include <stdbool.h>
#include <stdio.h>
#include "eval/bootstrap.h"
#include "eval/breakdown.h"
#include "eval/confusion.h"

typedef struct hp_report_part { /* a breakdown */
	const char *by; /* of what */
	const hp_metric *metrics;
	int count;
	const hp_breakdown *groups; /* empty groups are not shown */
	bool single; /* for people: precision, recall and F1 cannot differ, so one figure will do */
} hp_report_part;

typedef struct hp_report { /* everything is borrowed */
	const char *task, *name, *gold, *left_out; /* texts for the CSV columns */
	const char *system[2]; /* the second in comparisons only */
	const char *note; /* a line for people, below the first table; NULL: none */
	const hp_metric *metrics;
	int count;
	const hp_tally *totals; /* [count] */
	bool single; /* as above */
	int parts;
	const hp_report_part *part;
	int confusions;
	const hp_confusion *confusion; /* values in the order of rows and columns, pairs in that of CSV */
} hp_report;

/* How a comparison was made. */
typedef struct hp_report_samples {
	int64_t sentences;
	long samples, seed;
} hp_report_samples;

int hp_report_text(const hp_report *r, FILE *out, hp_error *err) HP_USE_RESULT;
int hp_report_csv(const hp_report *r, FILE *out, hp_error *err) HP_USE_RESULT; /* HP_RESULT_COLUMNS of summary.h */
/* DIFFERENCES is [count]. */
int hp_report_comparison(const hp_report *r, const hp_difference *differences, const hp_report_samples *samples,
                         bool csv, FILE *out, hp_error *err) HP_USE_RESULT;

#endif
