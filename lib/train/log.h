/* log.h: the CSV log of a training, a row an epoch. */
#ifndef HP_TRAIN_LOG_H
#define HP_TRAIN_LOG_H
#include "train/trainer.h"

typedef struct hp_train_row { /* what happened since the row before */
	int epoch; /* from 1 */
	int64_t batches; /* made so far */
	hp_train_loss loss; /* sums over the epoch's words so far */
	const hp_tried *tried; /* NULL: not evaluated */
	float learning_rate; /* of the last batch */
	double words_per_second; /* training alone */
	double seconds; /* since the beginning, evaluations included */
	long peak_memory; /* kilobytes */
	const char *precision; /* "f32" or "bf16" */
	const char *plan; /* guesses of the length since the row before; "" */
} hp_train_row;

typedef struct hp_train_log hp_train_log;
/* Fails if PATH is a regular file that holds something else than a log. */
int hp_train_log_check(const char *path, hp_error *err) HP_USE_RESULT;
/* KEEP: bytes of the existing file that stay (the log at the time of the checkpoint); 0: begin anew, with a heading. */
int hp_train_log_open(const char *path, const hp_train_task *task, int64_t keep, hp_train_log **out,
                      hp_error *err) HP_USE_RESULT;
int hp_train_log_add(hp_train_log *log, const hp_train_row *row, hp_error *err) HP_USE_RESULT;
/* The last row: the scores of a finished model, after BATCHES, on the test set.  BEST: as hp_tried_name, or "". */
int hp_train_log_test(hp_train_log *log, int64_t batches, const hp_score *test, const char *best,
                      hp_error *err) HP_USE_RESULT;
int64_t hp_train_log_size(const hp_train_log *log); /* bytes written, 0 for NULL */
int hp_train_log_close(hp_train_log *log, hp_error *err); /* accepts NULL */

#endif
