/* train.h: within hp-train: its options, a run of it, and what is told of that run. */
#ifndef HP_BIN_TRAIN_H
#define HP_BIN_TRAIN_H
#include <stdbool.h>
#include "base/file.h"
#include "train/log.h"
#include "train/time_limit.h"

enum { TRAIN_TABLES = 16 };

/* The three treebanks, and the three kinds of files that one is of. */
enum { TRAIN, DEV, TEST, BANKS };
enum { TREES, STREAMS, TAGS, KINDS };
extern const char *const train_option[BANKS][KINDS]; /* "--train-stream" */

typedef struct train_options {
	hp_trainer_setup setup;
	const char **file[BANKS][KINDS]; /* in the order given; end with NULL; NULL: none */
	const char *hyper[TRAIN_TABLES]; /* files of hyper-parameters */
	int tables;
	const char *plan, *log, *checkpoint;
	double minutes, every; /* 0: not limited by time */
	int task, seed; /* as given; in `setup` too */
	bool resume, quiet, print;
} train_options;

/* CLI_GO_ON, or the status to exit with. */
int train_options_parse(train_options *o, int argc, char **argv);
void train_options_free(train_options *o);
/* Fails now rather than after hours if a file could not be written, or would take the place of another one.  Removes what
 * trainings that were killed have left beside them. */
int train_check_files(const train_options *o, hp_error *err) HP_USE_RESULT;

typedef struct train_run {
	const train_options *o;
	hp_trainer *t;
	hp_train_log *log;
	hp_hold *held; /* the checkpoint */
	hp_time_limit time_limit;
	double clock; /* when progress.seconds was last brought up to date */
	double saved, shown; /* when the last checkpoint was written, the bar drawn: progress.seconds */
	bool bar; /* standard error is a terminal */
	bool warned; /* of a training that is too short for its hyper-parameters */
	bool told_divergence; /* of a training that comes apart */
} train_run;

/* All on standard error; a signal that asked to stop is STOPPED. */
void train_clear_bar(const train_run *r);
void train_draw_bar(train_run *r);
void train_show_derived(const train_run *r); /* hyper-parameters that follow from the data */
void train_show_epoch(const train_run *r, const hp_train_row *row);
void train_show_end(const train_run *r, bool stopped);
double train_words_per_second(const train_run *r);

#endif
