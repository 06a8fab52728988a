/* trainer.h: one training, from treebanks to a model file, batch by batch.
 *
 * What comes out depends on the data, the hyper-parameters, the seed, the precision and the schedule; not on the number of
 * threads, nor on whether the training was interrupted and taken up again from a checkpoint. */
#ifndef HP_TRAINER_H
#define HP_TRAINER_H
#include "base/pool.h"
#include "nn/adam.h"
#include "text/vectors.h"
#include "train/defaults.h"
#include "train/divergence.h"
#include "train/epoch.h"
#include "train/schedule.h"
#include "train/task.h"
#include "train/treebank.h"

/* What a training's products are made of: floats, or numbers rounded to BF16 (nn/bf16.h). */
typedef enum hp_precision {
	HP_PRECISION_UNSAID, /* as AUTO */
	HP_PRECISION_AUTO, /* that of the checkpoint; where there is none BF16 if the processor is faster so */
	HP_PRECISION_F32,
	HP_PRECISION_BF16
} hp_precision;

extern const char *const hp_precision_names[]; /* from HP_PRECISION_AUTO on; ends with NULL */

typedef struct hp_trainer_setup { /* everything is borrowed; the files are read by hp_trainer_new only */
	hp_bank_files train; /* task rst: without streams words are embedded here; tags are needed unless pos=none */
	hp_bank_files dev; /* may have no trees for task rst: a tenth of TRAIN */
	hp_bank_files test; /* may have no trees; nothing that is trained depends on it */
	const char *vectors; /* may be NULL */
	const char *init; /* model whose parameters the training starts from; NULL: random ones */
	const char *output; /* the model file; task rst: of the best Span */
	const char *output_relation; /* task rst: of the best Relation; may be NULL */
	const char *id; /* of the model; NULL: derived from its contents */
	const char *version; /* of hptools, for the model's metadata */
	hp_hyper hyper; /* those that were not set may be derived from the data */
	hp_length length; /* to derive them from */
	uint64_t seed;
	int max_words;
	int threads;
	int precision; /* an hp_precision */
} hp_trainer_setup;

typedef struct hp_tried { /* one evaluation */
	hp_score dev, without_tags; /* the latter only of a better model trained with tag_drop; else its words are 0 */
	bool better; /* than all before: the model was saved */
	bool span, relation; /* task rst: which was better */
} hp_tried;

/* "span", "relation", "span relation" or "" */
const char *hp_tried_name(const hp_tried *tried);

/* What changes during training, except parameters and moments.  All of it goes into a checkpoint. */
typedef struct hp_progress {
	int64_t step; /* batches made */
	int epoch, batch; /* epochs completed; batches made in this one */
	int not_finite; /* batches in a row whose gradient was not finite */
	hp_train_loss epoch_loss; /* since the epoch began */
	double loss; /* of a word, of the last batches */
	double best_first, best_last; /* the task's first and last score; < 0: none yet, or there is none */
	int64_t best_step; /* task rst: of the best Span */
	int64_t relation_step; /* task rst: of the best Relation */
	double span_relation, span_nuclearity; /* task rst: of the best Span */
	double relation_span; /* task rst: of the best Relation */
	double seconds; /* of work so far; for the log and --time only */
	double epoch_seconds; /* of training, in this epoch */
	double limit; /* seconds that --time gave; 0: none */
	int64_t logged; /* guesses of the length from this batch on are not in the log yet */
	int64_t log_size; /* of the log file when the checkpoint was written */
} hp_progress;

typedef struct hp_trainer {
	const hp_trainer_setup *setup;
	const hp_train_task *task;
	hp_hyper hyper;
	hp_precision precision; /* F32 or BF16 */
	/* set by the task as it opens: */
	void *work; /* its own */
	hp_params *params; /* of its network, with their first values */
	uint64_t data_hash; /* of treebanks and vectors */
	hp_bank_facts train, dev, test; /* test: of no sentences where there is none */
	int items; /* that an epoch goes through: the training sentences, or a tokeniser's windows */
	const int *rows; /* [items] positions of each, by which they form batches */
	hp_vectors_skipped vectors_skipped;
	/* the trainer's */
	hp_adam adam; /* with the average, but with ema 0 */
	hp_schedule schedule;
	hp_epoch current; /* the current epoch's batches */
	hp_progress progress;
	hp_divergence divergence; /* since this process began */
	hp_pool *pool;
	hp_arena *scratch; /* emptied after each batch and evaluation */
} hp_trainer;

const char *hp_trainer_precision(const hp_trainer *t); /* "f32" or "bf16" */

/* Reads and checks all data, makes and initialises the network of setup->hyper.task.  SETUP must outlive it. */
int hp_trainer_new(const hp_trainer_setup *setup, hp_trainer **out, hp_error *err) HP_USE_RESULT;
void hp_trainer_destroy(hp_trainer *t); /* accepts NULL */

int hp_trainer_epochs(hp_trainer *t, int epochs, hp_error *err) HP_USE_RESULT; /* train for so many in all */
bool hp_trainer_done(const hp_trainer *t);
/* Trains on one batch. */
int hp_trainer_step(hp_trainer *t, hp_error *err) HP_USE_RESULT;
bool hp_trainer_epoch_ended(const hp_trainer *t); /* after a batch: it was the epoch's last */
/* After a batch: whether hp_trainer_evaluate is due, because so many epochs or the training have ended. */
bool hp_trainer_due(const hp_trainer *t);
/* Scores dev with the averaged parameters and saves the model if that is the best so far. */
int hp_trainer_evaluate(hp_trainer *t, hp_tried *out, hp_error *err) HP_USE_RESULT;
/* After the evaluation (if any) of a completed epoch. */
void hp_trainer_next_epoch(hp_trainer *t);

/* The batches of the epoch that progress tells of. */
int hp_trainer_order(hp_trainer *t, hp_error *err) HP_USE_RESULT;

/* A checkpoint: everything that is needed to go on.  Written beside PATH and renamed. */
int hp_checkpoint_save(const hp_trainer *t, const char *path, hp_error *err) HP_USE_RESULT;
/* Gives hyper-parameters that were not set the values that the checkpoint at PATH has; none is derived then. */
int hp_checkpoint_hyper(const char *path, hp_hyper *h, hp_error *err) HP_USE_RESULT;
/* Continues from PATH.  Refuses a checkpoint of other data, hyper-parameters, seed or precision, and one whose best model is no
 * longer at setup->output. */
int hp_checkpoint_load(hp_trainer *t, const char *path, hp_error *err) HP_USE_RESULT;

#endif
