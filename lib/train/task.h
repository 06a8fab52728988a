/* task.h: what training has to know of a task, which brings its data and its network: everything else, the batches, the
 * schedule, Adam, the average, the log, checkpoints, the choice by dev, is the trainer's (trainer.h).
 *
 *	parser.c       the two parsers: dependency trees, rhetorical trees (trees.h has what differs)
 *	tagger.c       tags and lemmas; what segmenter.c, elementary discourse units, has in common with it
 *	tokenizer.c    the tokeniser */
#ifndef HP_TRAIN_TASK_H
#define HP_TRAIN_TASK_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/task.h"

enum { HP_SCORES = 5, HP_LOSSES = 2 };

typedef struct hp_score {
	int64_t words; /* 0: nothing was scored */
	double percent[HP_SCORES]; /* the task's scores; NaN: there is nothing of the kind */
} hp_score;

typedef struct hp_train_loss { /* sums */
	double part[HP_LOSSES]; /* natural logarithm; the training's loss is their sum */
	int64_t words, steps; /* words of the sentences; decisions that the first part is of */
} hp_train_loss;

struct hp_trainer;
struct hp_store_notes;

typedef struct hp_train_task {
	int scores; /* how many there are; the best model is that of the last one, equal ones by the first */
	const char *score[HP_SCORES]; /* "UAS" */
	const char *column[HP_SCORES + 1]; /* of the log, "dev_uas"; one beyond SCORES: of the last score without tags */
	const char
		*loss[HP_LOSSES]; /* of the log: "structure_loss"; NULL: the whole loss, which stands there too, is one */
	const char *item; /* "words": what has a label each */
	bool two_models; /* one is kept by the first score, another one by the last score */
	double none; /* the best first score before there is one */
	/* Reads the data and makes the network: sets what trainer.h says. */
	int (*open)(struct hp_trainer *t, hp_error *err);
	void (*close)(struct hp_trainer *t); /* frees t->work, which may be NULL, or half made */
	/* Adds to the parameters' gradients that of the mean loss of COUNT training sentences. */
	int (*step)(struct hp_trainer *t, int count, const int *sentence, hp_train_loss *out, hp_error *err);
	int (*score_dev)(struct hp_trainer *t, hp_score *out, hp_error *err);
	/* As if there were no tags; OUT stays as it is where the model was not trained for that.  NULL: it never is. */
	int (*score_without_tags)(struct hp_trainer *t, hp_score *out, hp_error *err);
	/* Writes the model file with the NOTES among its metadata. */
	int (*store)(const struct hp_trainer *t, const char *path, const struct hp_store_notes *notes, hp_error *err);
	/* Scores such a file on the test set. */
	int (*test)(struct hp_trainer *t, const char *path, hp_score *out, hp_error *err);
} hp_train_task;

extern const hp_train_task hp_train_dep, hp_train_rst, hp_train_tokenize, hp_train_tag, hp_train_segment;
const hp_train_task *hp_train_task_of(hp_task task);

enum { HP_SCORE_TEXT = 128 };
void hp_score_text(const hp_train_task *task, const hp_score *score,
                   char text[HP_SCORE_TEXT]); /* "UAS 91.25 LAS 89.50" */

#endif
