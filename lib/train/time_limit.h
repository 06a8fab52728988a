/* time_limit.h: how many batches a training limited by time is going to make. */
#ifndef HP_TIME_LIMIT_H
#define HP_TIME_LIMIT_H
#include "train/trainer.h"

typedef struct hp_time_limit {
	double limit; /* seconds of work in all, those before a checkpoint included */
	double batch_sum, batch_weight; /* seconds of the last batches, older ones counting ever less */
	int64_t batches; /* seen so far, after a checkpoint was read anew */
	double evaluation; /* seconds the last evaluation took */
	double next; /* when to guess again: seconds */
} hp_time_limit;

void hp_time_limit_init(hp_time_limit *p, double limit);
void hp_time_limit_batch(hp_time_limit *p, double seconds); /* a batch took so long */
void hp_time_limit_evaluation(hp_time_limit *p, double seconds);
/* After a batch: guesses again, if it is time to, how many batches the training will have; ends it when there is no
 * time for another. */
int hp_time_limit_guess(hp_time_limit *p, hp_trainer *t, hp_error *err) HP_USE_RESULT;

#endif
